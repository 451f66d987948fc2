import { useAnswer, useEvent, type Scored, type Token } from '../api';
import { Alert, Heading, Link, neighboursOf, Panel, TokenLink, Trouble } from '../parts/basics';
import { count, score, share, visible } from '../text';
import type { ViewProps } from '../app';

interface Stats {
  rows: number; width: number; meanCosine: number; zeroRows: number; nonFiniteRows: number;
  norm: { min: number; max: number; mean: number; argmin: Token | null; argmax: Token | null };
}
interface PairSpread { mean: number; deviation: number; p1: number; p5: number; p25: number; p50: number; p75: number; p95: number; p99: number }
interface GeometryFound {
  normP5: number; normP50: number; normP95: number; spearmanWithId: number | null; meanRowNorm: number; effectiveRank: number | null;
  meanCosineCentered: number; meanCosineWithoutTop: number; sampledRows: number; seed: number; removedDirections: number;
  asStored: PairSpread; centered: PairSpread; withoutTopDirections: PairSpread;
  topDirections: { share: number; forward: Scored[]; backward: Scored[] }[]; directionRows: number;
}

export function Geometry({ model }: ViewProps) {
  const stats = useAnswer<Stats>('stats', { model });
  const { data: found, trouble } = useEvent<GeometryFound>('geometry', { model });
  const named = (row: Token | null) => row && <> <TokenLink row={row} /></>;
  return (
    <>
      <Heading
        title="Geometry"
        seen="How the rows lie as a whole: their lengths, how alike any two of them are, and the directions in which they differ most."
        not="a direction is not a meaning: its words are only the farthest out. A high cosine of all pairs says that rows share a part, which may help no task."
      />
      <Trouble of={stats} />
      <Alert message={trouble} />
      <div class="columns">
        {stats.data && (
          <Panel title="Rows" note={`${count(stats.data.rows)} × ${count(stats.data.width)}.`}>
            <dl class="facts-list">
              <div><dt>Mean cosine</dt><dd title={String(stats.data.meanCosine)} data-name="meanCosine"><b>{score(stats.data.meanCosine)}</b> over all pairs: the baseline</dd></div>
              <div><dt>Norms</dt><dd>mean {score(stats.data.norm.mean)}</dd></div>
              <div><dt>Shortest</dt><dd>{score(stats.data.norm.min)}{named(stats.data.norm.argmin)}</dd></div>
              <div><dt>Longest</dt><dd>{score(stats.data.norm.max)}{named(stats.data.norm.argmax)}</dd></div>
              {found && <div><dt>Norm by id</dt><dd title={String(found.spearmanWithId)}>{score(found.spearmanWithId)}, rank correlation</dd></div>}
              {found && <div><dt>Mean row</dt><dd title={String(found.meanRowNorm)}>norm {score(found.meanRowNorm)}; 0 if rows lay evenly around the origin</dd></div>}
              {found && <div><dt>Effective rank</dt><dd title={String(found.effectiveRank)} data-name="rank">{found.effectiveRank === null ? '–' : found.effectiveRank.toFixed(1)} of {count(stats.data.width)} directions</dd></div>}
              <div><dt>Broken rows</dt><dd>{count(stats.data.zeroRows)} zero, {count(stats.data.nonFiniteRows)} not finite</dd></div>
            </dl>
          </Panel>
        )}
        {found && (
          <Panel title="Cosines of pairs" note={`All pairs of ${count(found.sampledRows)} rows, drawn with seed ${found.seed}. Boxes hold the middle half, lines 90 %.`}>
            <table class="bars pairs">
              <thead><tr><th scope="col">Rows</th><th scope="col" class="num">Mean</th><th scope="col" class="num">5 %</th><th scope="col" class="num">95 %</th><th scope="col" class="bar"><span class="sr">From −1 to 1</span></th></tr></thead>
              <tbody>
                <Spread name="as stored" of={found.asStored} />
                <Spread name="less the mean row" of={found.centered} />
                <Spread name={`and ${count(found.removedDirections)} direction${found.removedDirections === 1 ? '' : 's'}`} of={found.withoutTopDirections} />
              </tbody>
            </table>
          </Panel>
        )}
        {found && (
          <Panel title="Directions" class="span" note={`Principal components of ${count(found.directionRows)} rows: the share of the variance, and the tokens farthest along, both ways.`}>
            <table class="directions">
              <thead><tr><th scope="col" class="num">Share</th><th scope="col">One way</th><th scope="col">The other</th></tr></thead>
              <tbody>
                {found.topDirections.map((direction, i) => (
                  <tr key={i}>
                    <td class="num" title={String(direction.share)}>{share(direction.share)}</td>
                    {[direction.forward, direction.backward].map((hits, way) => (
                      <td key={way} class="name">{hits.map((hit, h) => <span key={hit.id}>{h > 0 && ', '}<Link href={neighboursOf(hit)}>{visible(hit.token)}</Link></span>)}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </Panel>
        )}
      </div>
      {!found && !trouble && <p class="facts" role="status" aria-busy="true">Reading every row…</p>}
    </>
  );
}

function Spread({ name, of }: { name: string; of: PairSpread }) {
  const at = (value: number) => `${50 + 50 * value}%`;
  const span = (from: number, to: number) => ({ left: at(from), width: `${50 * (to - from)}%` });
  return (
    <tr>
      <td>{name}</td>
      <td class="num" title={String(of.mean)}>{score(of.mean)}</td>
      <td class="num" title={String(of.p5)}>{score(of.p5)}</td>
      <td class="num" title={String(of.p95)}>{score(of.p95)}</td>
      <td class="bar">
        <span class="bar-track box-track" aria-hidden="true">
          <span class="box-line" style={span(of.p5, of.p95)} />
          <span class="box" style={span(of.p25, of.p75)} />
          <span class="bar-base" style={{ left: at(of.mean) }} />
        </span>
      </td>
    </tr>
  );
}
