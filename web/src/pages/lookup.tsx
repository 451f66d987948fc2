import { useLayoutEffect, useState } from 'preact/hooks';
import { useAnswer, type Row, type Step, type Tokens, type ToyStep } from '../api';
import { change } from '../route';
import { Field, Heading, Link, neighboursOf, Panel, Trouble } from '../parts/basics';
import { HeatMap } from '../parts/heatmap';
import { diverging } from '../parts/colour';
import { count, score, visible } from '../text';
import type { ViewProps } from '../app';

export function Lookup({ route, model, info }: ViewProps) {
  const text = route.query.get('text') ?? 'The cat sat';
  const [typed, setTyped] = useState(text);
  useLayoutEffect(() => setTyped(text), [text]);
  const tokens = useAnswer<Tokens>('tokens', info.tokenizer ? { model, text } : null);
  const ids = [...new Set(tokens.data?.ids ?? [])].slice(0, 24);
  const rows = useAnswer<{ rows: Row[] }>('row', ids.length ? { model, token: ids.map((id) => `#${id}`) } : null);
  const row = (id: number) => rows.data?.rows.find((one) => one.id === id);
  return (
    <>
      <Heading
        title="Lookup"
        seen="Text becomes tokens, each token an id, and each id one row of the table: a copy, no computing."
        not="a single number in a row means nothing by itself; rows mean something only compared with one another."
      />
      {info.tokenizer ? (
        <Panel title="Text to rows" busy={tokens.busy || rows.busy}>
          <form
            class="controls"
            onSubmit={(event) => {
              event.preventDefault();
              change({ text: typed });
            }}
          >
            <Field label="Text" for="text" grow>
              <input id="text" type="text" data-main="" spellcheck={false} value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
            </Field>
            <button type="submit">Look up</button>
          </form>
          <Trouble of={tokens} />
          {tokens.data && (
            <table class="lookup">
              <thead>
                <tr>
                  <th scope="col">Token</th>
                  <th scope="col" class="num">Id</th>
                  <th scope="col" class="num">Norm</th>
                  <th scope="col">Row, first 64 of {count(info.input.width)}</th>
                </tr>
              </thead>
              <tbody>
                {tokens.data.ids.slice(0, 200).map((id, i) => (
                  <tr key={i}>
                    <td class="name"><Link href={neighboursOf({ id })}>{visible(tokens.data!.tokens[i] ?? '')}</Link></td>
                    <td class="num">#{id}</td>
                    <td class="num">{score(row(id)?.norm)}</td>
                    <td class="strip-cell">{row(id) && <Strip values={row(id)!.values.slice(0, 64)} />}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          {tokens.data && <p class="note">{tokens.data.ids.length === 1 ? '1 token' : `${count(tokens.data.ids.length)} tokens`}. A name leads to its neighbours.</p>}
        </Panel>
      ) : (
        <p class="note">This model has no tokenizer; rows go by #ID.</p>
      )}
      <OneHot model={model} info={info} route={route} />
      <Panel title="The table itself" note={`All ${count(info.input.rows)} rows and ${count(info.input.width)} columns; scroll, or move the cell with the arrow keys.`}>
        <HeatMap rows={info.input.rows} columns={info.input.width} model={model} first={Number(route.query.get('row')) || 0} />
      </Panel>
    </>
  );
}

function Strip({ values }: { values: (number | null)[] }) {
  const largest = Math.max(1e-9, ...values.map((value) => Math.abs(value ?? 0)));
  return (
    <svg class="strip" viewBox={`0 0 ${values.length} 1`} preserveAspectRatio="none" aria-hidden="true">
      {values.map((value, i) => (
        <rect key={i} x={i} y="0" width="1.02" height="1" fill={diverging((value ?? 0) / largest)} />
      ))}
    </svg>
  );
}

/** One-hot × E, one row of the table at a time. */
function OneHot({ model, info, route }: ViewProps) {
  const toy = useAnswer<ToyStep>('toy', {});
  const [hot, setHot] = useState(3);
  const [done, setDone] = useState(0); // rows multiplied so far
  const asked = route.query.get('step');
  const real = useAnswer<Step>('step', asked ? { model, token: asked } : null);
  if (!toy.data) return null;
  const { tokens, table, steps } = toy.data;
  const width = table[0]?.length ?? 0;
  const sum = Array.from({ length: width }, (_, c) => (done > hot ? table[hot]![c]! : 0));
  const move = (by: number) => setDone(Math.max(0, Math.min(tokens.length, done + by)));
  const finished = done === tokens.length;
  return (
    <Panel title="Why nobody multiplies" note="A lookup is a one-hot vector times the table. Step through it on five tokens: every product with a 0 changes nothing.">
      <div
        class="onehot"
        role="group"
        aria-label="One-hot times table, step by step; arrow keys step"
        tabIndex={0}
        onKeyDown={(event) => {
          if (event.key === 'ArrowRight' || event.key === 'ArrowDown') move(1);
          else if (event.key === 'ArrowLeft' || event.key === 'ArrowUp') move(-1);
          else if (event.key === 'Home') setDone(0);
          else if (event.key === 'End') setDone(tokens.length);
          else return;
          event.preventDefault();
        }}
      >
          <table>
            <thead>
              <tr><th scope="col">Token</th><th scope="col" class="num">One-hot</th><th scope="colgroup" colSpan={width}>E</th></tr>
            </thead>
            <tbody>
              {tokens.map((token, r) => (
                <tr key={token} class={`${r === done - 1 ? 'now' : ''} ${r >= done ? 'ahead' : ''} ${r === hot ? 'hot' : ''}`}>
                  <th scope="row">{token} <small>#{r}</small></th>
                  <td class="num">{r === hot ? '1' : '0'} ×</td>
                  {table[r]!.map((value, c) => <td key={c} class="num">{value.toFixed(2)}</td>)}
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr><th scope="row">sum</th><td class="num">=</td>{sum.map((value, c) => <td key={c} class="num">{value.toFixed(2)}</td>)}</tr>
              <tr><th scope="row">lookup</th><td class="num">=</td>{steps[hot]!.lookedUp.map((value, c) => <td key={c} class="num">{value.toFixed(2)}</td>)}</tr>
            </tfoot>
          </table>
        <p class="count" aria-live="polite">
          <b>{done * width}</b> of {tokens.length * width} multiplications, <b>{(done > hot ? done - 1 : done) * width}</b> of them by 0.{' '}
          {finished && (steps[hot]!.equal ? 'Equal to the last bit: lookup copies the row and multiplies nothing.' : 'NOT EQUAL.')}
        </p>
      </div>
      <div class="controls">
        <Field label="Hot token" for="hot">
          <select id="hot" value={String(hot)} onChange={(event) => { setHot(Number(event.currentTarget.value)); setDone(0); }}>
            {tokens.map((token, i) => <option key={token} value={String(i)}>{token}</option>)}
          </select>
        </Field>
        <button type="button" onClick={() => move(-1)} disabled={done === 0}>Back</button>
        <button type="button" onClick={() => move(1)} disabled={finished}>Next row</button>
        <button type="button" class="quiet" onClick={() => setDone(finished ? 0 : tokens.length)}>{finished ? 'Again' : 'To the end'}</button>
        {info.vocabulary && <button type="button" class="quiet" onClick={() => change({ step: asked ? null : 'cat' })}>{asked ? 'Toy alone' : 'And on the model'}</button>}
      </div>
      <Trouble of={real} />
      {real.data && (
        <p class="verdict">
          On the model, {visible(real.data.token)} #{real.data.id}: all {count(real.data.rows)} × {count(real.data.width)} = <b>{count(real.data.multiplicationsSaved)}</b> products were computed;{' '}
          {real.data.equal ? 'the sum equals the looked-up row to the last bit.' : 'the sum is NOT equal to the row.'}
        </p>
      )}
    </Panel>
  );
}
