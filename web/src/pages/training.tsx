import { useEffect, useState } from 'preact/hooks';
import { question, Refused, tell, unreachable, useAnswer } from '../api';
import { address, change } from '../route';
import { Alert, Choice, Field, Heading, Link, Panel, Switch, Trouble } from '../parts/basics';
import { count, score, sentence, share, visible, words } from '../text';
import type { ViewProps } from '../app';

interface Standing {
  run: number; title: string; state: 'reading' | 'training' | 'stopping' | 'stopped' | 'finished' | 'failed'; message: string | null;
  settings: { name: string; value: string }[]; notes: string[]; bytes: number; rows: number; epoch: number; epochs: number;
  words: number; totalWords: number; rate: number | null; loss: number | null; wordsPerSecond: number | null; secondsLeft: number | null;
  curve: Loss[]; resumable: boolean; file: string | null; model: string | null;
}
interface Loss { words: number; loss: number }
interface Spot { word: string; row: number; x: number; y: number; watched: boolean }
interface Glance {
  share: number; baseline: number; near: { word: string; neighbours: { word: string; cosine: number }[] }[];
  spots: Spot[]; variance: number | null; neighbourRecall: number; recallByChance: number;
}
interface Offer { texts: string[]; kept: boolean; mostPasted: number; run: Standing | null }

const objectives = [['skipgram', 'Skip-gram'], ['cbow', 'CBOW']] as const;
const numbers = [
  ['width', 'Width', 100, 1, 1000],
  ['window', 'Window', 5, 1, 100],
  ['epochs', 'Epochs', 5, 1, 1000],
  ['minCount', 'Least count', 5, 1, 1000000],
  ['seed', 'Seed', 1, 0, 1000000000],
] as const;

const short = (word: string, most = 18) => {
  const text = visible(word);
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
};
const isOver = (run: Standing | null) => !run || ['stopped', 'finished', 'failed'].includes(run.state);

export function Training({ route, info }: ViewProps) {
  const q = route.query;
  const offer = useAnswer<Offer>('training', {});
  const [run, setRun] = useState<Standing | null>(null);
  const [glance, setGlance] = useState<Glance | null>(null);
  const [trouble, setTrouble] = useState('');
  const [pasted, setPasted] = useState('');
  useEffect(() => {
    if (offer.data?.run) setRun((now) => now ?? offer.data!.run);
  }, [offer.data]);

  // one stream a run: it starts with everything so far, so that a page opened late misses nothing
  useEffect(() => {
    if (!run) return undefined;
    const source = new EventSource(question('training/events', { run: run.run }));
    source.addEventListener('progress', (event) => {
      const now: Standing = JSON.parse(event.data);
      setRun(now);
      if (isOver(now)) source.close();
    });
    source.addEventListener('look', (event) => setGlance(JSON.parse(event.data)));
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) setTrouble(unreachable);
    };
    return () => source.close();
  }, [run?.run]);

  function ask(name: string, body: Record<string, unknown> = {}) {
    setTrouble('');
    tell<Standing>(`training/${name}`, body)
      .then((now) => {
        if (name === 'start') setGlance(null);
        // the stream may have told of the end before this answer, of an earlier moment, came
        setRun((known) => (known && known.run === now.run && isOver(known) ? known : now));
      })
      .catch((thrown: unknown) => setTrouble(thrown instanceof Refused ? thrown.message : unreachable));
  }

  const texts = offer.data?.texts ?? [];
  const source = q.get('corpus') ?? texts[0] ?? '';
  const pasting = source === '' || !texts.includes(source);
  const objective = q.get('objective') === 'cbow' ? 'cbow' : 'skipgram';
  const lower = q.get('lower') === 'true';
  const watch = q.get('watch') ?? '';
  const busy = !isOver(run);
  const start = () =>
    ask('start', {
      ...(pasting ? { text: pasted } : { corpus: source }),
      ...Object.fromEntries(numbers.map(([name, , usual]) => [name, Number(q.get(name) ?? usual)])),
      objective, lower, watch: words(watch).slice(0, 8),
    });

  return (
    <>
      <Heading
        title="Training"
        seen="A table learned from a text while you watch: the loss, the neighbours of some words, and where they lie."
        not="a falling loss says that the text is predicted better, not that the rows are useful; and neighbours from a small text are chance as often as meaning."
      />
      <Trouble of={offer} />
      {offer.data && (
        <Panel title="What to learn from" note={texts.length ? undefined : 'No folder of texts was named when the server started (rowan serve --corpora FOLDER), so paste one.'}>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              start();
            }}
          >
            <div class="controls">
              {texts.length > 0 && (
                <Field label="Text" for="train-corpus" grow>
                  <select id="train-corpus" data-main="" value={pasting ? '' : source} onChange={(event) => change({ corpus: event.currentTarget.value || 'pasted' }, 'replace')}>
                    {texts.map((name) => <option key={name} value={name}>{name}</option>)}
                    <option value="">a text pasted here</option>
                  </select>
                </Field>
              )}
              <Choice name="Learned" options={objectives} value={objective} onChange={(value) => change({ objective: value === 'skipgram' ? null : value }, 'replace')} />
              {numbers.map(([name, label, usual, least, most]) => (
                <Field key={name} label={label} for={`train-${name}`}>
                  <input
                    id={`train-${name}`} class="short" type="number" min={least} max={most} step="1" required
                    value={q.get(name) ?? String(usual)}
                    onChange={(event) => change({ [name]: event.currentTarget.value === String(usual) ? null : event.currentTarget.value }, 'replace')}
                  />
                </Field>
              ))}
              <Switch label="Lower-case" value={lower} onChange={(value) => change({ lower: value }, 'replace')} />
              <Field label="Words to watch" for="train-watch" grow>
                <input id="train-watch" type="text" spellcheck={false} placeholder="eight at most; else some are chosen" value={watch} onChange={(event) => change({ watch: event.currentTarget.value.trim() || null }, 'replace')} />
              </Field>
            </div>
            {pasting && (
              <div class="controls">
                <Field label={`Text, ${count(offer.data.mostPasted)} characters at most; a line is a sentence`} for="train-text" grow>
                  <textarea id="train-text" rows={5} maxLength={offer.data.mostPasted} value={pasted} onInput={(event) => setPasted(event.currentTarget.value)} />
                </Field>
              </div>
            )}
            <div class="controls last">
              <button type="submit" disabled={busy || (pasting && !pasted.trim())}>{run && !busy ? 'Start anew' : 'Start'}</button>
              {busy && <button type="button" disabled={run?.state === 'stopping'} onClick={() => ask('stop')}>Stop</button>}
              {run?.resumable && <button type="button" onClick={() => ask('resume')}>Resume</button>}
              <p class="help">{offer.data.kept ? 'The table is saved in the folder named by --save.' : 'The table lasts until the server ends (rowan serve --save FOLDER keeps it); download it before.'} Next-word models are trained on the command line.</p>
            </div>
          </form>
        </Panel>
      )}
      <Alert message={trouble} />
      {run && <Run run={run} glance={glance} />}
      {run && glance && (
        <div class="columns wide train-view">
          <Panel title="Some words on a plane" class="train-map" note={`${glance.spots.length} words by principal components, ${Math.round(100 * glance.share)} % of the way; turned to keep still.`}>
            <Spots glance={glance} />
            <p class="note">
              The plane holds {glance.variance === null ? 'an unknown share' : share(glance.variance)} of these words' variance, and {(100 * glance.neighbourRecall).toFixed(0)} % of a word's nearest among them are nearest here too ({(100 * glance.recallByChance).toFixed(0)} % by chance): far apart or close says little.
            </p>
          </Panel>
          <Panel title="Neighbours" note={`By cosine. Two words have ${score(glance.baseline)} on average: a table early in training, or a collapsed one, has high cosines everywhere.`}>
            <div class="train-near">
              {glance.near.map((one) => (
                <div key={one.word}>
                  <h3>{visible(one.word)}</h3>
                  <ol class="near-list">
                    {one.neighbours.slice(0, glance.near.length > 4 ? 5 : 8).map((n, i) => <li key={i}>{short(n.word, 13)} <span>{score(n.cosine)}</span></li>)}
                  </ol>
                </div>
              ))}
            </div>
            {!glance.near.length && <p class="empty">None of the words to watch has a row.</p>}
          </Panel>
        </div>
      )}
      {!run && offer.data && <p class="empty">Nothing was trained since the server started; {info.name} is what the other views show.</p>}
    </>
  );
}

function Run({ run, glance }: { run: Standing; glance: Glance | null }) {
  const done = run.totalWords ? run.words / run.totalWords : 0;
  const said = {
    reading: `Reading ${run.title}: ${count(run.bytes)} bytes so far`,
    training: `Learning from ${run.title}`,
    stopping: 'Stopping; the checkpoint is being saved',
    stopped: run.resumable ? 'Stopped; the checkpoint is saved, so it can go on' : 'Stopped before anything was learned',
    finished: `Finished: ${count(run.rows)} rows`,
    failed: 'It could not go on',
  }[run.state];
  return (
    <Panel title={`Run ${run.run}: ${run.title}`} busy={false}>
      <p class="train-state" role="status" data-state={run.state}>{said}.</p>
      {run.state === 'failed' && <Alert message={run.message ?? 'no reason is known'} />}
      {run.totalWords > 0 && <progress class="train-progress" value={run.state === 'finished' ? 1 : done} max={1} aria-label="How far training has come" />}
      <dl class="figures">
        <div><dt>Loss, nats</dt><dd>{run.loss === null ? '–' : run.loss.toFixed(4)}</dd></div>
        <div><dt>Words a second</dt><dd>{run.wordsPerSecond === null ? '–' : count(Math.round(run.wordsPerSecond))}</dd></div>
        <div><dt>Rate</dt><dd>{run.rate === null ? '–' : run.rate.toPrecision(3)}</dd></div>
        <div><dt>Epoch</dt><dd>{run.epoch} of {run.epochs}</dd></div>
        <div><dt>Words</dt><dd>{count(run.words)} of {count(run.totalWords)}</dd></div>
        <div><dt>Rows</dt><dd>{run.rows ? count(run.rows) : '–'}</dd></div>
        <div><dt>Left</dt><dd>{run.state !== 'training' || run.secondsLeft === null ? '–' : run.secondsLeft < 90 ? `${Math.ceil(run.secondsLeft)} s` : `${Math.ceil(run.secondsLeft / 60)} min`}</dd></div>
        <div><dt>Baseline</dt><dd>{glance ? score(glance.baseline) : '–'}</dd></div>
      </dl>
      {run.curve.length > 1 && <Curve curve={run.curve} total={run.totalWords} />}
      {run.notes.map((note) => <p class="note" key={note}>{sentence(note)}</p>)}
      {run.model && (
        <p class="more">
          <Link href={address('/neighbours', { model: run.model })}>Open the table</Link>
          <Link href={address('/map', { model: run.model, scope: 'all' })}>Its map</Link>
          <a href={question('training/file', { run: run.run })} download={run.file ?? undefined}>Download {run.file}</a>
        </p>
      )}
      <details class="list-edit">
        <summary>Settings</summary>
        <p class="note">{run.settings.map((s) => `${s.name} ${s.value}`).join(', ')}</p>
      </details>
    </Panel>
  );
}

/** The loss against words learned from; the axis begins at the least loss, and says so. */
function Curve({ curve, total }: { curve: Loss[]; total: number }) {
  const [width, height, left, foot] = [640, 190, 52, 22];
  const losses = curve.map((point) => point.loss);
  const [least, most] = [Math.min(...losses), Math.max(...losses)];
  const end = Math.max(total, curve.at(-1)!.words);
  const x = (n: number) => left + ((width - left - 8) * n) / end;
  const y = (loss: number) => 8 + ((height - foot - 16) * (most - loss)) / (most - least || 1);
  const line = curve.map((point, i) => `${i ? 'L' : 'M'}${x(point.words).toFixed(1)} ${y(point.loss).toFixed(1)}`).join('');
  return (
    <figure class="curve">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`Loss from ${losses[0]!.toFixed(3)} to ${losses.at(-1)!.toFixed(3)} over ${count(curve.at(-1)!.words)} words`}>
        {[most, (most + least) / 2, least].map((tick) => (
          <g key={tick}>
            <line class="axis" x1={left} x2={width - 8} y1={y(tick)} y2={y(tick)} />
            <text x={left - 6} y={y(tick) + 4} text-anchor="end">{tick.toFixed(3)}</text>
          </g>
        ))}
        {[0, 0.5, 1].map((part) => (
          <text key={part} x={x(end * part)} y={height - 5} text-anchor={part === 0 ? 'start' : part === 1 ? 'end' : 'middle'}>{count(Math.round(end * part))} words</text>
        ))}
        <path class="loss" d={line} />
      </svg>
      <figcaption>Mean loss of a prediction, in nats, from a sample of the windows. The axis does not begin at 0.</figcaption>
    </figure>
  );
}

/** The words where they lie by now; they glide from one look to the next unless motion is unwanted. */
function Spots({ glance }: { glance: Glance }) {
  const [width, height, pad] = [640, 420, 34];
  const reach = Math.max(1e-12, ...glance.spots.flatMap((s) => [Math.abs(s.x) / (width / 2 - pad), Math.abs(s.y) / (height / 2 - pad)]));
  // labels that would lie on another are left away, watched words first in line
  const taken: [number, number, number][] = [];
  const spots = [...glance.spots].sort((a, b) => Number(b.watched) - Number(a.watched) || a.row - b.row).map((s) => {
    const [x, y, text] = [width / 2 + s.x / reach, height / 2 - s.y / reach, short(s.word)];
    const w = 9 + 7.5 * text.length;
    const free = x + w < width + 8 && taken.every(([tx, ty, tw]) => Math.abs(ty - y) > 13 || x > tx + tw || tx > x + w);
    if (free) taken.push([x, y, w]);
    return { ...s, px: x, py: y, text: free ? text : '' };
  }).reverse(); // and drawn last, on top
  return (
    <svg class="spots" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`Map of ${glance.spots.length} words; the list of neighbours beside it is the reliable part`} data-share={glance.share}>
      {spots.map((s) => (
        <g key={s.row} class={s.watched ? 'watched' : ''} style={{ transform: `translate(${s.px.toFixed(1)}px, ${s.py.toFixed(1)}px)` }}>
          <circle r={s.watched ? 5 : 3.5} />
          <text x="7" y="4">{s.text}</text>
        </g>
      ))}
    </svg>
  );
}
