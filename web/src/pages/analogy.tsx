import { useLayoutEffect, useState } from 'preact/hooks';
import { useAnswer, type Axed, type Dot, type Told } from '../api';
import { change } from '../route';
import { Field, Heading, neighboursOf, Panel, Switch, Trouble } from '../parts/basics';
import { Bars } from '../parts/charts';
import { count, score, visible, words } from '../text';
import type { ViewProps } from '../app';

const presets = [
  'king - man + woman',
  'paris - france + germany',
  'doctor - man + woman',
  'bigger - big + small',
  'walked - walk + swim',
  '0.5*cat + 0.5*dog',
];

export function AnalogyPage({ route, model, info }: ViewProps) {
  const expression = route.query.get('expression') ?? (info.vocabulary ? presets[0]! : '#0 - #1 + #2');
  const unit = route.query.get('unit') === 'true';
  const [typed, setTyped] = useState(expression);
  useLayoutEffect(() => setTyped(expression), [expression]);
  const told = useAnswer<Told>('analogy', { model, expression, unit, k: 8 });
  const inputs = new Set(told.data?.inputs.map((input) => input.id));
  return (
    <>
      <Heading
        title="Analogy"
        seen="Arithmetic on rows, and which rows lie nearest to the result: with the inputs among the answers, and without them."
        not="the result usually lies nearest to one of its own inputs; the famous answers appear only because those are left out. Look where the answer stood before anything was computed."
      />
      <form
        class="controls"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.trim()) change({ expression: typed.trim() });
        }}
      >
        <Field label="Expression" for="expression" grow>
          <input id="expression" type="text" data-main="" spellcheck={false} autocapitalize="off" autocomplete="off" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} aria-describedby="expression-help" />
        </Field>
        <button type="submit">Compute</button>
        <Switch label="Unit rows" value={unit} title="Scale rows to unit norm first: gensim's rule" onChange={(value) => change({ unit: value })} />
        <p id="expression-help" class="help">Tokens with + or − between them; 0.5*word weighs one.</p>
      </form>
      <div class="presets" role="group" aria-label="Examples">
        {presets.map((preset) => (
          <button key={preset} type="button" class={preset === expression ? 'chip on' : 'chip'} onClick={() => change({ expression: preset })}>
            {preset.replaceAll(' - ', ' − ')}
          </button>
        ))}
      </div>
      <Trouble of={told} />
      {told.data && (
        <div class={told.busy ? 'stale' : ''}>
          {told.data.answer && <Verdict told={told.data} />}
          <div class="columns">
            <Panel title="Raw" note="The inputs are among the answers.">
              <Bars hits={told.data.raw} baseline={told.data.baseline} marked={inputs} link={neighboursOf} />
            </Panel>
            <Panel title="Excluding inputs" note="The usual way to show it.">
              <Bars hits={told.data.excludingInputs} baseline={told.data.baseline} link={neighboursOf} />
            </Panel>
            {told.data.picture.length > 0 && (
              <Panel title="The step" class="span" note="The plane through the three rows. Corners lie in it; answers are where they fall on it, and how far off they lie.">
                <Picture dots={told.data.picture} />
              </Panel>
            )}
          </div>
        </div>
      )}
      <AxisPanel route={route} model={model} info={info} />
    </>
  );
}

function Verdict({ told }: { told: Told }) {
  const answer = told.answer!;
  const first = told.raw[0];
  const isInput = first !== undefined && told.inputs.some((input) => input.id === first.id);
  return (
    <p class="verdict" aria-live="polite">
      {isInput ? (
        <>The nearest row is <b>{visible(first.token)}</b>, an input. Without inputs it is <b>{visible(answer.token)}</b> ({score(answer.score)}). </>
      ) : (
        <>The nearest row is <b>{visible(answer.token)}</b> ({score(answer.score)}), no input. </>
      )}
      Before any arithmetic, {visible(answer.token)} was neighbour <b>{count(answer.rankBefore)}</b> of {visible(told.start)} with cosine {score(answer.scoreBefore)}
      {answer.rankBefore <= 2 ? ': the arithmetic had little to do.' : '.'}
    </p>
  );
}

/** The parallelogram a − b + c in its own plane. */
function Picture({ dots }: { dots: Dot[] }) {
  const width = 380;
  const height = 260;
  const pad = 46;
  const xs = dots.map((dot) => dot.x);
  const ys = dots.map((dot) => dot.y);
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const scale = Math.min((width - 2 * pad) / (x1 - x0 || 1), (height - 2 * pad) / (y1 - y0 || 1));
  const px = (dot: Dot) => width / 2 + (dot.x - (x0 + x1) / 2) * scale;
  const py = (dot: Dot) => height / 2 - (dot.y - (y0 + y1) / 2) * scale;
  const by = (role: string) => dots.find((dot) => dot.role === role)!;
  const [a, b, c, sum] = [by('a'), by('b'), by('c'), by('sum')];
  const answers = dots.filter((dot) => dot.role === 'answer');
  const best = answers[0];
  const line = (from: Dot, to: Dot, kind: string) => <line class={kind} x1={px(from)} y1={py(from)} x2={px(to)} y2={py(to)} marker-end={kind === 'step' ? 'url(#head)' : undefined} />;
  const label = (dot: Dot, text: string) => {
    const left = px(dot) > width * 0.62;
    return (
      <text x={px(dot) + (left ? -8 : 8)} y={py(dot) + (dot.role === 'answer' ? 14 : -7)} text-anchor={left ? 'end' : 'start'}>
        {text}
      </text>
    );
  };
  return (
    <figure class="picture">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`The parallelogram of ${visible(b.token)}, ${visible(a.token)}, ${visible(c.token)} and the sum${best ? `; ${visible(best.token)} lies ${score(best.off)} off its plane` : ''}`}>
        <defs>
          <marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path d="M0 0L8 4L0 8z" />
          </marker>
        </defs>
        {line(b, c, 'step')}
        {line(a, sum, 'step')}
        {line(b, a, 'side')}
        {line(c, sum, 'side')}
        {best && line(sum, best, 'miss')}
        {dots.map((dot, i) => (
          <circle key={i} class={dot.role} cx={px(dot)} cy={py(dot)} r={dot.role === 'sum' ? 6 : 4.5} />
        ))}
        {label(a, visible(a.token))}
        {label(b, visible(b.token))}
        {label(c, visible(c.token))}
        {label(sum, 'the sum')}
        {best && label(best, visible(best.token))}
      </svg>
      <figcaption>
        <p>Both arrows are the same step, {visible(b.token)} → {visible(c.token)}: its length is {Math.hypot(c.x - b.x, c.y - b.y).toFixed(2)}.</p>
        {answers.length > 0 && (
          <table>
            <thead><tr><th scope="col">Row</th><th scope="col" class="num">To the sum, in the plane</th><th scope="col" class="num">Off the plane</th></tr></thead>
            <tbody>
              {answers.map((dot) => (
                <tr key={dot.token}><td>{visible(dot.token)}</td><td class="num">{Math.hypot(dot.x - sum.x, dot.y - sum.y).toFixed(2)}</td><td class="num">{dot.off.toFixed(2)}</td></tr>
              ))}
            </tbody>
          </table>
        )}
      </figcaption>
    </figure>
  );
}

const axisWords = 'doctor nurse teacher engineer king queen father mother boy girl actor actress brother sister';

function AxisPanel({ route, model, info }: ViewProps) {
  const from = route.query.get('from') ?? 'man he';
  const to = route.query.get('to') ?? 'woman she';
  const listed = route.query.get('list') ?? axisWords;
  const [ends, setEnds] = useState({ from, to, listed });
  useLayoutEffect(() => setEnds({ from, to, listed }), [from, to, listed]);
  const answer = useAnswer<Axed>('axis', info.vocabulary ? { model, from: words(from).slice(0, 16), to: words(to).slice(0, 16), word: words(listed).slice(0, 200) } : null);
  const shown = answer.data?.words ?? [];
  const low = Math.min(-0.1, ...shown.map((word) => word.position - 0.05));
  const high = Math.max(1.1, ...shown.map((word) => word.position + 0.05));
  const at = (position: number) => `${(100 * (position - low)) / (high - low)}%`;
  return (
    <Panel title="An axis of your own" busy={answer.busy} note="Words placed on the line from the mean of some rows at unit norm (0) to the mean of others (1). The cosine is that of the line with the way from its start to the word: near 0, the place means little.">
      <form
        class="controls"
        onSubmit={(event) => {
          event.preventDefault();
          change({ from: ends.from, to: ends.to, list: ends.listed });
        }}
      >
        <Field label="From" for="axis-from"><input id="axis-from" type="text" value={ends.from} onInput={(e) => setEnds({ ...ends, from: e.currentTarget.value })} /></Field>
        <Field label="To" for="axis-to"><input id="axis-to" type="text" value={ends.to} onInput={(e) => setEnds({ ...ends, to: e.currentTarget.value })} /></Field>
        <Field label="Words" for="axis-words" grow><input id="axis-words" type="text" value={ends.listed} onInput={(e) => setEnds({ ...ends, listed: e.currentTarget.value })} /></Field>
        <button type="submit">Place</button>
      </form>
      <Trouble of={answer} />
      {shown.length > 0 && (
        <table class="axis-table">
          <thead>
            <tr>
              <th scope="col">Token</th>
              <th scope="col" class="num">Place</th>
              <th scope="col" class="num">Cosine</th>
              <th scope="col" class="axis-ends"><span>← {answer.data!.from.map((t) => visible(t.token)).join(', ')}</span><span>{answer.data!.to.map((t) => visible(t.token)).join(', ')} →</span></th>
            </tr>
          </thead>
          <tbody>
            {shown.map((word) => (
              <tr key={word.id}>
                <td class="name">{visible(word.token)} <small>#{word.id}</small></td>
                <td class="num" title={String(word.position)}>{score(word.position)}</td>
                <td class="num" title={String(word.cosine)}>{score(word.cosine)}</td>
                <td>
                  <span class="axis-track" aria-hidden="true">
                    <span class="axis-mid" style={{ left: at(0) }} />
                    <span class="axis-mid" style={{ left: at(1) }} />
                    <span class="axis-dot" style={{ left: at(word.position), opacity: String(0.35 + 0.65 * Math.min(1, Math.abs(word.cosine))) }} />
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {answer.data && answer.data.forward.length > 0 && (
        <p class="note">
          Rows that point most along the line, by cosine: {answer.data.forward.map((hit) => `${visible(hit.token)} ${score(hit.score)}`).join(', ')}. Against it: {answer.data.backward.map((hit) => `${visible(hit.token)} ${score(hit.score)}`).join(', ')}. The baseline is {score(answer.data.baseline)}.
        </p>
      )}
      {answer.data && answer.data.leftOut.length > 0 && <p class="note">Not one token of this model, left out: {answer.data.leftOut.join(', ')}.</p>}
    </Panel>
  );
}
