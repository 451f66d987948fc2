import { useEffect, useState } from 'preact/hooks';
import { askBytes, useEvent } from '../api';
import { groupColours, sequentialRgb } from '../parts/colour';
import { count, score } from '../text';
import type { Points } from './view';

/** What the colour of a point may say. */
export const colourings = [['group', 'group'], ['reliability', 'reliability'], ['norm', 'norm'], ['id', 'frequency, as ids are ordered'], ['audit', 'audit finding'], ['none', 'nothing']] as const;
export type Colouring = (typeof colourings)[number][0];

function range(values: Float32Array | Int32Array): [number, number] {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}

export interface Marks { marks: Uint8Array | null; titles: string[]; trouble: string }

/** What an audit found of each row; the audit is made when first asked for. */
export function useMarks(model: string | null, wanted: boolean): Marks {
  const audit = useEvent<{ rules: { title: string }[] }>('audit', wanted ? { model } : null);
  const [marks, setMarks] = useState<Uint8Array | null>(null);
  const [trouble, setTrouble] = useState('');
  useEffect(() => {
    setMarks(null);
    setTrouble('');
    if (!audit.data) return undefined;
    const leaving = new AbortController();
    askBytes('audit/marks', { model }, leaving.signal)
      .then((bytes) => setMarks(new Uint8Array(bytes)))
      .catch(() => leaving.signal.aborted || setTrouble('the findings could not be fetched'));
    return () => leaving.abort();
  }, [model, audit.data]);
  return { marks, titles: audit.data?.rules.map((rule) => rule.title) ?? [], trouble: audit.trouble || trouble };
}

/** Returns red, green and blue of each point. */
export function colour(points: Points, by: Colouring, dark: boolean, marks: Uint8Array | null): Uint8Array {
  const rgb = new Uint8Array(3 * points.n);
  const groups = dark ? groupColours.dark : groupColours.light;
  const grey: [number, number, number] = dark ? [150, 158, 170] : [110, 116, 126];
  const [n0, n1] = by === 'norm' ? range(points.norm) : [0, 1];
  const [, i1] = by === 'id' ? range(points.ids) : [0, 1];
  for (let i = 0; i < points.n; i++) {
    let c: readonly number[] = dark ? [120, 170, 220] : [58, 124, 165];
    if (by === 'group') c = points.group[i]! < 0 ? (points.group.some((g) => g >= 0) ? grey : c) : groups[points.group[i]! % groups.length]!;
    else if (by === 'reliability') c = Number.isNaN(points.reliability[i]!) ? grey : sequentialRgb(points.reliability[i]!, dark);
    else if (by === 'norm') c = sequentialRgb((points.norm[i]! - n0) / (n1 - n0 || 1), dark);
    else if (by === 'audit') c = marks?.[points.ids[i]!] ? groups[marks[points.ids[i]!]! % groups.length]! : grey;
    else if (by === 'id') c = sequentialRgb(1 - Math.log1p(points.ids[i]!) / Math.log1p(Math.max(1, i1)), dark);
    rgb.set(c as number[], 3 * i);
  }
  return rgb;
}

/** What the colours of a map mean. */
export function Legend(props: { colouring: Colouring; groups: string[]; dark: boolean; points: Points | null; audit: Marks }) {
  const { colouring, groups, dark, points, audit } = props;
  const css = (c: readonly number[]) => `rgb(${c.join(' ')})`;
  if (colouring === 'group') {
    if (!groups.length) return null;
    const colours = dark ? groupColours.dark : groupColours.light;
    return (
      <ul class="legend map-legend" aria-label="Groups">
        {groups.map((group, i) => <li key={group}><span class="swatch" style={{ background: css(colours[i % colours.length]!) }} /> {group}</li>)}
      </ul>
    );
  }
  if (colouring === 'none' || !points) return null;
  if (colouring === 'audit') {
    if (!audit.marks) return <p class="legend map-legend" role="status">{audit.trouble || 'Auditing every row…'}</p>;
    const counts = new Map<number, number>();
    for (const id of points.ids) counts.set(audit.marks[id]!, (counts.get(audit.marks[id]!) ?? 0) + 1);
    const colours = dark ? groupColours.dark : groupColours.light;
    return (
      <ul class="legend map-legend" aria-label="Audit findings">
        {[...counts].filter(([mark]) => mark > 0).sort(([a], [b]) => a - b).map(([mark, n]) => (
          <li key={mark}><span class="swatch" style={{ background: css(colours[mark % colours.length]!) }} /> {count(n)} {audit.titles[mark - 1]}</li>
        ))}
        <li><span class="swatch" style={{ background: css(dark ? [150, 158, 170] : [110, 116, 126]) }} /> {count(counts.get(0) ?? 0)} without a finding; broken rows have no place on a map</li>
      </ul>
    );
  }
  const [low, high] =
    colouring === 'reliability' ? ['0 % of true neighbours kept', '100 %'] :
    colouring === 'norm' ? range(points.norm).map((n) => `norm ${score(n)}`) : [`id ${count(range(points.ids)[1])}`, 'id 0'];
  return (
    <p class="legend map-legend">
      {low} <span class="ramp" aria-hidden="true">{Array.from({ length: 24 }, (_, i) => <span key={i} style={{ background: css(sequentialRgb(i / 23, dark)) }} />)}</span> {high}
      {colouring === 'reliability' && <span>; grey: not measured</span>}
    </p>
  );
}
