import { useAnswer, useEvent, type Models, type Token } from '../api';
import { address, change } from '../route';
import { Alert, Field, Heading, Link, Panel, Trouble } from '../parts/basics';
import { Bar } from '../parts/charts';
import { TokenField } from '../parts/tokenfield';
import { count, score, share, visible } from '../text';
import type { ViewProps } from '../app';

interface Side { model: string; tensor: string; rows: number; width: number }
interface Apart { meanCosine: number | null; relativeDistance: number | null }
interface Compared {
  a: Side; b: Side; shared: number; onlyInA: number; onlyInB: number; onlyInATokens: Token[]; onlyInBTokens: Token[];
  comparedRows: number; equalRows: number; asStored: Apart | null; aligned: Apart; alignmentRank: number;
  neighbourOverlap: { share: number | null; k: number; rows: number };
  bands: { from: number; to: number; rows: number; equalRows: number; meanCosine: number | null; alignedCosine: number | null }[];
  moved: { token: string; id: number; idInB: number; cosine: number }[];
  strayed: { token: string; id: number; idInB: number; overlap: number }[];
}
interface NearSide { model: string; id: number; baseline: number; neighbours: { token: string; id: number; score: number; both: boolean }[] }
interface NearBoth { token: string; a: NearSide; b: NearSide; overlap: number | null; shared: number; remark: string | null }

export function Compare({ route, model, info }: ViewProps) {
  const models = useAnswer<Models>('models', {});
  const others = models.data?.models.map((m) => m.name).filter((name) => name !== info.name) ?? [];
  const wanted = route.query.get('other');
  const other = wanted !== null && others.includes(wanted) ? wanted : (others[0] ?? null);
  const { data: diff, trouble } = useEvent<Compared>('compare', other ? { model, other } : null);

  return (
    <>
      <Heading
        title="Compare"
        seen="Two tables over the tokens they share: how far rows moved, whether one table is a rotation of the other, and whose neighbours changed."
        not="columns of two separate trainings mean different things, so a low cosine as stored may be a mere turn of the axes; neighbours need no common axes."
      />
      {models.data && !other && <p class="empty">There is only one model. Start with two: rowan serve path/to/another, or train one on the Training page.</p>}
      {other && (
        <div class="controls">
          <Field label={`${info.name} (A), compared with (B)`} for="compare-other">
            <select id="compare-other" data-main="" value={other} onChange={(event) => change({ other: event.currentTarget.value })}>
              {others.map((name) => <option key={name} value={name}>{name}</option>)}
            </select>
          </Field>
        </div>
      )}
      <Alert message={trouble} />
      {other && !diff && !trouble && <p class="facts" role="status" aria-busy="true">Comparing every shared row…</p>}
      {diff && <Difference diff={diff} />}
      {other && !trouble && (info.vocabulary || route.query.get('token')) && <OneToken route={route} model={model} info={info} other={other} token={route.query.get('token') ?? diff?.strayed[0]?.token ?? 'cat'} />}
    </>
  );
}

function Difference({ diff }: { diff: Compared }) {
  const names = (tokens: Token[], all: number) => (all === 0 ? '' : ` (${tokens.slice(0, 6).map((t) => visible(t.token)).join(', ')}${all > 6 ? ', …' : ''})`);
  const pick = (id: number, token: string) => <Link href={address('/compare', { ...now(), token: `#${id}` })}>{visible(token)}</Link>;
  const lowest = Math.min(0, ...diff.bands.map((band) => band.meanCosine ?? 0), ...diff.bands.map((band) => band.alignedCosine ?? 0));
  return (
    <div class="columns">
      <Panel title="In all" note={`A: ${diff.a.tensor}, ${count(diff.a.rows)} × ${count(diff.a.width)}. B: ${diff.b.tensor}, ${count(diff.b.rows)} × ${count(diff.b.width)}.`}>
        <dl class="facts-list compare-facts">
          <div><dt>Shared tokens</dt><dd data-name="shared">{count(diff.shared)}{diff.comparedRows < diff.shared && `, ${count(diff.comparedRows)} of them compared`}</dd></div>
          <div><dt>Only in A</dt><dd>{count(diff.onlyInA)}{names(diff.onlyInATokens, diff.onlyInA)}</dd></div>
          <div><dt>Only in B</dt><dd>{count(diff.onlyInB)}{names(diff.onlyInBTokens, diff.onlyInB)}</dd></div>
          {diff.asStored && <div><dt>Equal rows</dt><dd>{count(diff.equalRows)}, number for number</dd></div>}
          {diff.asStored && <div><dt>Cosine as stored</dt><dd data-name="stored" title={String(diff.asStored.meanCosine)}>{score(diff.asStored.meanCosine)} on average; distance {score(diff.asStored.relativeDistance)}</dd></div>}
          <div><dt>After rotation</dt><dd data-name="aligned" title={String(diff.aligned.meanCosine)}>{score(diff.aligned.meanCosine)}, once A is turned onto B in {count(diff.alignmentRank)} directions; distance {score(diff.aligned.relativeDistance)}</dd></div>
          <div><dt>Same neighbours</dt><dd data-name="overlap" title={String(diff.neighbourOverlap.share)}><b>{share(diff.neighbourOverlap.share)}</b> of the {count(diff.neighbourOverlap.k)} nearest, over {count(diff.neighbourOverlap.rows)} rows</dd></div>
        </dl>
        {!diff.asStored && <p class="note">The widths differ, so columns mean different things: rows are compared after rotation, and by their neighbours.</p>}
      </Panel>
      <Panel title="By id" note="In most vocabularies low ids are frequent tokens. Bars: the cosine after rotation.">
        <table class="bars">
          <thead><tr><th scope="col">Ids in A</th><th scope="col" class="num">Equal</th><th scope="col" class="num">As stored</th><th scope="col" class="num">Rotated</th><th scope="col" class="bar"><span class="sr">Bar</span></th></tr></thead>
          <tbody>
            {diff.bands.map((band) => (
              <tr key={band.from}>
                <td><small>#{band.from} – #{band.to}</small></td>
                <td class="num">{count(band.equalRows)}</td>
                <td class="num">{score(band.meanCosine)}</td>
                <td class="num">{score(band.alignedCosine)}</td>
                <td class="bar"><Bar fill={((band.alignedCosine ?? 0) - lowest) / (1 - lowest)} /></td>
              </tr>
            ))}
          </tbody>
        </table>
      </Panel>
      <Panel title="Moved most" note={`Shared rows with the lowest cosine with their counterpart, ${diff.asStored ? 'as stored' : 'after rotation'}.`}>
        {diff.moved.length === 0 ? <p class="empty">No shared row differs.</p> : (
          <table class="bars moved">
            <tbody>
              {diff.moved.map((row) => <tr key={row.id}><td class="name">{pick(row.id, row.token)} <small>#{row.id}</small></td><td class="num" title={String(row.cosine)}>{score(row.cosine)}</td></tr>)}
            </tbody>
          </table>
        )}
      </Panel>
      <Panel title="Kept fewest neighbours" note={`Of the ${count(diff.neighbourOverlap.rows)} rows asked, with the share of their ${count(diff.neighbourOverlap.k)} nearest that are the same.`}>
        {diff.strayed.length === 0 ? <p class="empty">Every row kept its neighbours.</p> : (
          <table class="bars strayed">
            <tbody>
              {diff.strayed.map((row) => <tr key={row.id}><td class="name">{pick(row.id, row.token)} <small>#{row.id}</small></td><td class="num" title={String(row.overlap)}>{share(row.overlap)}</td></tr>)}
            </tbody>
          </table>
        )}
      </Panel>
    </div>
  );
}

const now = () => ({ other: new URLSearchParams(location.search).get('other') });

function OneToken({ model, other, token }: ViewProps & { other: string; token: string }) {
  const near = useAnswer<NearBoth>('compare/near', { model, other, token });
  return (
    <section aria-label="Neighbours of one token in both">
      <div class="controls">
        <TokenField label="Neighbours in both of" value={near.data?.token.trim() ?? token} model={model} onWord={(word) => change({ token: word })} />
      </div>
      <Trouble of={near} />
      {near.data && (
        <>
          <p class="facts" aria-live="polite">
            {share(near.data.overlap)} of the {count(near.data.a.neighbours.length)} nearest are the same; searched among the {count(near.data.shared)} shared tokens, by cosine.
          </p>
          <div class={`columns ${near.busy ? 'stale' : ''}`}>
            {[near.data.a, near.data.b].map((side, s) => (
              <Panel key={side.model + s} title={`${visible(near.data!.token)} in ${side.model}`} tools={<small class="id">#{side.id}</small>} note={near.data!.remark && s === 0 ? near.data!.remark : undefined}>
                <table class="bars">
                  <thead><tr><th scope="col">Token</th><th scope="col" class="num">Cosine</th><th scope="col" class="bar"><span class="sr">Bar</span></th></tr></thead>
                  <tbody>
                    {side.neighbours.map((n) => (
                      <tr key={n.id} class={n.both ? 'shared-near' : ''}>
                        <td class="name">{visible(n.token)} <small>#{n.id}</small>{n.both && <small class="tag">both</small>}</td>
                        <td class="num" title={String(n.score)}>{score(n.score)}</td>
                        <td class="bar"><Bar fill={n.score} base={side.baseline} /></td>
                      </tr>
                    ))}
                  </tbody>
                  <tfoot><tr><td class="name">baseline</td><td class="num" title={String(side.baseline)}>{score(side.baseline)}</td><td class="bar" /></tr></tfoot>
                </table>
              </Panel>
            ))}
          </div>
        </>
      )}
    </section>
  );
}
