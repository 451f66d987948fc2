import { useAnswer, type Alike, type Histogram, type Near, type Odd } from '../api';
import { address, change } from '../route';
import { Choice, Heading, Link, Panel, Switch, TokenName, Trouble } from '../parts/basics';
import { Bars, Spread } from '../parts/charts';
import { TokenField } from '../parts/tokenfield';
import { count, score, visible } from '../text';
import type { ViewProps } from '../app';

const metrics = [['cosine', 'Cosine'], ['dot', 'Dot product'], ['euclidean', 'Distance']] as const;
type Metric = (typeof metrics)[number][0];

export function Neighbours({ route, model, info }: ViewProps) {
  const given = route.query.getAll('token');
  const tokens = given.length ? given : info.vocabulary ? ['cat', 'dog'] : ['#0'];
  const metric = (metrics.find(([name]) => name === route.query.get('metric'))?.[0] ?? 'cosine') as Metric;
  const centred = route.query.get('centred') === 'true';
  const mean = route.query.get('mean') === 'true';
  const k = Math.min(200, Math.max(1, Number(route.query.get('k')) || 10));
  const near = useAnswer<Near>('near', { model, token: tokens, metric, centred, mean, k });

  return (
    <>
      <Heading
        title="Neighbours"
        seen="The rows that lie closest to a token's row, found by comparing all rows in all dimensions."
        not="close rows are used alike in text; that makes them neither synonyms nor true. A cosine counts only against the baseline, the mean cosine of all pairs of rows."
      />
      <div class="controls">
        <TokenField label="Add a token" value="" model={model} clear main placeholder="king, ##ing, #4937" onWord={(word) => change({ token: [...(given.length ? tokens : []), word].slice(-6) })} />
        <Choice name="Compare by" options={metrics} value={metric} onChange={(value) => change({ metric: value === 'cosine' ? null : value })} />
        <div class="field">
          <label for="near-k">How many</label>
          <select id="near-k" value={String(k)} onChange={(event) => change({ k: event.currentTarget.value === '10' ? null : event.currentTarget.value })}>
            {[...new Set([5, 10, 25, 50, 100, k])].sort((a, b) => a - b).map((n) => (
              <option key={n} value={String(n)}>{n}</option>
            ))}
          </select>
        </div>
        <Switch label="Centred" value={centred} title="Take the mean row away from every row before comparing" onChange={(value) => change({ centred: value })} />
      </div>
      <Trouble of={near}>
        {/tokens?\b.*\bmean/.test(near.trouble?.message ?? '') && (
          <button type="button" onClick={() => change({ mean: true })}>Use the mean of its tokens' rows</button>
        )}
        {given.length > 1 && (
          <button type="button" onClick={() => change({ token: given.slice(0, -1) })}>Remove the last token</button>
        )}
      </Trouble>
      {near.data && (
        <>
          <p class="facts" aria-live="polite">
            {metrics.find(([name]) => name === near.data!.results[0]?.metric)?.[1]}
            {near.data.centred ? ' after the mean row was taken away' : ' of rows as stored'}, {count(near.data.rowsSearched)} rows searched,{' '}
            {count(info.input.width)} dimensions, exact.
          </p>
          <div class={`columns ${near.busy ? 'stale' : ''}`}>
            {near.data.results.map((result, i) => (
              <Panel
                key={`${result.query.title} ${i}`}
                title={result.query.meanOf.length ? result.query.token : visible(result.query.token)}
                tools={
                  <>
                    <small class="id">{result.query.id !== null ? `#${result.query.id}` : `mean of ${result.query.meanOf.length} rows`}</small>
                    {near.data!.results.length > 1 && (
                      <button type="button" class="quiet" aria-label={`Remove ${result.query.token}`} onClick={() => change({ token: tokens.filter((_, t) => t !== i) })}>
                        ×
                      </button>
                    )}
                  </>
                }
                note={result.query.remark ?? (result.query.meanOf.length ? result.query.title : undefined)}
              >
                <Bars
                  hits={result.neighbours}
                  baseline={metric === 'cosine' ? result.baseline : null}
                  unit={metric === 'cosine' ? 'cosine' : 'other'}
                  link={(hit) => address('/neighbours', { token: `#${hit.id}`, metric: metric === 'cosine' ? null : metric, centred, k: k === 10 ? null : k })}
                />
                <OneSpread model={model} token={result.query.id !== null ? `#${result.query.id}` : result.query.token.replaceAll(' ', '')} centred={centred} marks={metric === 'cosine' ? result.neighbours.map((hit) => hit.score) : []} single={result.query.id !== null} />
              </Panel>
            ))}
          </div>
          {near.data.results.length > 1 && <Among model={model} tokens={near.data.results.filter((r) => r.query.id !== null).map((r) => `#${r.query.id}`)} />}
          <p class="more">
            <Link href={address('/map', { words: [...new Set(near.data.results.flatMap((r) => [...(r.query.id === null ? [] : [r.query.id]), ...r.neighbours.slice(0, 15).map((h) => h.id)]))].map((id) => `#${id}`).join(' ') })}>
              See these on a map
            </Link>
            {near.data.results.length === 1 && near.data.results[0]!.query.id !== null && (
              <Link href={address('/lookup', { row: near.data.results[0]!.query.id })}>
                The row of <TokenName token={near.data.results[0]!.query.token} />
              </Link>
            )}
          </p>
        </>
      )}
    </>
  );
}

/** How the chosen tokens lie among each other: two of them, or which of several is the odd one. */
function Among({ model, tokens }: { model: string | null; tokens: string[] }) {
  const two = useAnswer<Alike>('similar', tokens.length === 2 ? { model, token: tokens } : null);
  const more = useAnswer<Odd>('doesnt-match', tokens.length > 2 ? { model, token: tokens } : null);
  if (two.data) {
    const { a, b } = two.data;
    return (
      <Panel title={`${visible(a.token)} and ${visible(b.token)}`} class="among">
        <p>
          Cosine <b title={String(two.data.cosine)}>{score(two.data.cosine)}</b> against a baseline of {score(two.data.baseline)}; dot product {score(two.data.dot)}, distance {score(two.data.distance)}.{' '}
          {two.data.rankFromA > 0 && <>{visible(b.token)} is neighbour <b>{count(two.data.rankFromA)}</b> of {visible(a.token)}, which is neighbour <b>{count(two.data.rankFromB)}</b> of {visible(b.token)}.</>}
        </p>
      </Panel>
    );
  }
  if (!more.data) return null;
  return (
    <Panel title={`${visible(more.data.ranked[0]!.token)} goes least with the others`} class="among" note="Cosine with the mean of all of them at unit norm, each itself among them. Some token is always last; look how far.">
      <p>{more.data.ranked.map((hit, i) => <span key={hit.id} title={String(hit.score)}>{i > 0 && ', '}{visible(hit.token)} {score(hit.score)}</span>)}; the baseline is {score(more.data.baseline)}.</p>
    </Panel>
  );
}

function OneSpread(props: { model: string | null; token: string; centred: boolean; marks: number[]; single: boolean }) {
  const spread = useAnswer<Histogram>('histogram', props.single ? { model: props.model, token: props.token, centred: props.centred, bins: 80 } : null);
  if (!spread.data || !props.marks.length) return null;
  return <Spread counts={spread.data.counts} mean={spread.data.mean} baseline={spread.data.baseline} rows={spread.data.rows} marks={props.marks} />;
}
