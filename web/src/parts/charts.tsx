import { useId } from 'preact/hooks';
import type { Scored } from '../api';
import { count, score, visible } from '../text';
import { Link } from './basics';

/** Ranked rows with a bar each; the baseline is a line across them, since a score means nothing without it. */
export function Bars(props: { hits: Scored[]; baseline?: number | null; link?: (hit: Scored) => string; marked?: Set<number>; unit?: 'cosine' | 'other' }) {
  const cosine = props.unit !== 'other';
  const largest = cosine ? 1 : Math.max(1e-12, ...props.hits.map((hit) => Math.abs(hit.score)));
  if (!props.hits.length) return <p class="empty">No row to list.</p>;
  return (
    <table class="bars">
      <thead>
        <tr>
          <th scope="col" class="rank"><span class="sr">Place</span></th>
          <th scope="col">Token</th>
          <th scope="col" class="num">{cosine ? 'Cosine' : 'Score'}</th>
          <th scope="col" class="bar"><span class="sr">Bar</span></th>
        </tr>
      </thead>
      <tbody>
        {props.hits.map((hit, i) => (
          <tr key={hit.id} class={props.marked?.has(hit.id) ? 'marked' : ''}>
            <td class="rank">{i + 1}</td>
            <td class="name">
              {props.link ? (
                <Link href={props.link(hit)}>{visible(hit.token)}</Link>
              ) : (
                visible(hit.token)
              )}{' '}
              <small>#{hit.id}</small>
              {props.marked?.has(hit.id) && <small class="tag">input</small>}
            </td>
            <td class="num" title={String(hit.score)}>{score(hit.score)}</td>
            <td class="bar">
              {cosine && <Bar fill={hit.score / largest} base={props.baseline == null ? null : props.baseline / largest} />}
            </td>
          </tr>
        ))}
      </tbody>
      {props.baseline != null && (
        <tfoot>
          <tr>
            <td />
            <td class="name">baseline</td>
            <td class="num" title={String(props.baseline)}>{score(props.baseline)}</td>
            <td class="bar">
              <Bar base={props.baseline / largest} />
            </td>
          </tr>
        </tfoot>
      )}
    </table>
  );
}

/** A bar as long as a share of its track, and the baseline as a line across it; both in [0, 1]. */
export function Bar(props: { fill?: number; base?: number | null }) {
  const at = (part: number) => `${Math.max(0, Math.min(1, part)) * 100}%`;
  return (
    <span class="bar-track" aria-hidden="true">
      {props.fill !== undefined && <span class="bar-fill" style={{ width: at(props.fill) }} />}
      {props.base != null && <span class="bar-base" style={{ left: at(props.base) }} />}
    </span>
  );
}

/** How the cosines of a token with all rows are spread; the listed ones are marked. */
export function Spread(props: { counts: number[]; mean: number; baseline: number; marks: number[]; rows: number }) {
  const id = useId();
  const width = 320;
  const height = 96;
  const floor = height - 16;
  const bins = props.counts.length;
  // square roots, so that single rows can be seen beside thousands
  const most = Math.sqrt(Math.max(1, ...props.counts));
  const x = (value: number) => ((value + 1) / 2) * width;
  return (
    <figure class="spread">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby={id}>
        <title id={id}>
          {`Spread of ${count(props.rows)} cosines from −1 to 1: mean ${score(props.mean)}; the ${props.marks.length} listed lie from ${score(Math.min(...props.marks))} to ${score(Math.max(...props.marks))}`}
        </title>
        {props.counts.map((n, i) => {
          const h = (Math.sqrt(n) / most) * (floor - 6);
          return n ? <rect key={i} class="bin" x={(i / bins) * width} y={floor - h} width={width / bins - 0.5} height={h} /> : null;
        })}
        <line class="axis" x1="0" x2={width} y1={floor} y2={floor} />
        <line class="base" x1={x(props.baseline)} x2={x(props.baseline)} y1="2" y2={floor} />
        {props.marks.map((mark, i) => (
          <line key={i} class="mark" x1={x(mark)} x2={x(mark)} y1={floor - 9} y2={floor + 1} />
        ))}
        {[-1, -0.5, 0, 0.5, 1].map((tick) => (
          <text key={tick} x={Math.min(width - 4, Math.max(6, x(tick)))} y={height - 3} text-anchor="middle">
            {String(tick).replace('-', '−')}
          </text>
        ))}
      </svg>
      <figcaption>
        Cosines with all {count(props.rows)} other rows, heights as square roots. Orange: the listed rows. Dashed: the baseline.
      </figcaption>
    </figure>
  );
}
