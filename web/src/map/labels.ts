import { toX, toY, type Points, type View } from './view';
import { isWord, visible } from '../text';

export interface Label {
  point: number;
  text: string;
  x: number; // left end, CSS pixels
  y: number; // middle
  width: number;
}

export const labelFont = '12px system-ui, sans-serif';

const step = 6; // CSS pixels of an occupancy cell

/**
 * Labels that do not overlap: points in order of importance take the place right of them, else left,
 * else none. Places are kept in a coarse grid, so that a label costs its own size only.
 */
export function placeLabels(points: Points, view: View, width: number, height: number, order: Iterable<number>, most: number, measure: (text: string) => number, gap: number): Label[] {
  const columns = Math.ceil(width / step);
  const lines = Math.ceil(height / step);
  const taken = new Uint8Array(columns * lines);
  const labels: Label[] = [];
  const box = (x: number, y: number, w: number) => [
    Math.floor(x / step), Math.floor((y - 8) / step), Math.ceil((x + w) / step), Math.ceil((y + 8) / step),
  ] as const;
  const isFree = (x: number, y: number, w: number) => {
    if (x < 0 || x + w > width || y < 9 || y > height - 9) return false;
    const [c0, l0, c1, l1] = box(x, y, w);
    for (let l = l0; l < l1; l++) for (let c = c0; c < c1; c++) if (taken[l * columns + c]) return false;
    return true;
  };
  for (const i of order) {
    if (labels.length >= most) break;
    const px = toX(view, width, points.x[i]!);
    const py = toY(view, height, points.y[i]!);
    if (px < 0 || py < 0 || px > width || py > height) continue;
    const full = visible(points.tokens[i] ?? '');
    const text = full.length > 24 ? full.slice(0, 23) + '…' : full;
    const w = measure(text);
    const place = [px + gap, px - gap - w].find((x) => isFree(x, py, w));
    if (place === undefined) continue;
    const [c0, l0, c1, l1] = box(place - 2, py, w + 4);
    for (let l = Math.max(0, l0); l < Math.min(lines, l1); l++) for (let c = Math.max(0, c0); c < Math.min(columns, c1); c++) taken[l * columns + c] = 1;
    labels.push({ point: i, text, x: place, y: py, width: w });
  }
  return labels;
}

/** Points by importance: what the reader asked about, words, the rest. Each by id: most vocabularies are in frequency order. */
export function* inOrder(points: Points, important: number[]): Generator<number> {
  const seen = new Set<number>();
  const fresh = (i: number) => !seen.has(i) && seen.add(i);
  for (const i of important) if (fresh(i)) yield i;
  for (let i = 0; i < points.n; i++) if (isWord(points.tokens[i]!) && fresh(i)) yield i;
  for (let i = 0; i < points.n; i++) if (fresh(i)) yield i;
}
