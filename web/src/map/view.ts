/** Points of a map: one array for each number, a place in them is a point. */
export interface Points {
  n: number;
  ids: Int32Array;
  x: Float32Array;
  y: Float32Array;
  reliability: Float32Array; // NaN where it was not measured
  norm: Float32Array;
  tokens: string[];
  group: Int16Array; // -1 for none
}

export const noPoints: Points = { n: 0, ids: new Int32Array(0), x: new Float32Array(0), y: new Float32Array(0), reliability: new Float32Array(0), norm: new Float32Array(0), tokens: [], group: new Int16Array(0) };

/** Reads what the server sends: five arrays, one after the other. */
export function readPoints(bytes: ArrayBuffer): Omit<Points, 'tokens' | 'group'> {
  const n = bytes.byteLength / 20;
  return {
    n,
    ids: new Int32Array(bytes, 0, n),
    x: new Float32Array(bytes, 4 * n, n),
    y: new Float32Array(bytes, 8 * n, n),
    reliability: new Float32Array(bytes, 12 * n, n),
    norm: new Float32Array(bytes, 16 * n, n),
  };
}

export function floats(base64: string): Float32Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return new Float32Array(bytes.buffer);
}

/** Which part of the map is seen: its centre, and pixels a unit of the map. */
export interface View {
  cx: number;
  cy: number;
  scale: number;
}

/** The view that shows every point. */
export function fitting(points: Pick<Points, 'n' | 'x' | 'y'>, width: number, height: number): View {
  let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < points.n; i++) {
    const x = points.x[i]!;
    const y = points.y[i]!;
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (y < y0) y0 = y;
    if (y > y1) y1 = y;
  }
  if (!(x1 >= x0)) return { cx: 0, cy: 0, scale: 1 };
  const scale = Math.min((0.88 * width) / (x1 - x0 || 1e-9), (0.88 * height) / (y1 - y0 || 1e-9));
  return { cx: (x0 + x1) / 2, cy: (y0 + y1) / 2, scale: Math.min(scale, 1e9) };
}

/** The view that shows nearly all points: a layout that is on its way may have flung a few out far. */
export function fittingMost(points: Pick<Points, 'n' | 'x' | 'y'>, width: number, height: number): View {
  const stride = Math.max(1, Math.floor(points.n / 5000));
  const [x, y] = [points.x, points.y].map((values) => {
    const some = values.filter((_, i) => i % stride === 0).sort();
    const cut = Math.floor(some.length / 200);
    return some.slice(cut, some.length - cut);
  }) as [Float32Array, Float32Array];
  return fitting({ n: x.length, x, y }, width, height);
}

export const toX = (view: View, width: number, x: number) => width / 2 + (x - view.cx) * view.scale;
export const toY = (view: View, height: number, y: number) => height / 2 - (y - view.cy) * view.scale;

/** The place of the map under a place of the screen. */
export const toMap = (view: View, width: number, height: number, x: number, y: number) => [view.cx + (x - width / 2) / view.scale, view.cy - (y - height / 2) / view.scale] as const;

/** A scale between a third of the whole map and four thousand times it. */
const within = (fitted: View, zoom: number) => fitted.scale * Math.max(0.3, Math.min(4000, zoom));

/** The view after a zoom that leaves a place of the screen where it is. */
export function zoomed(view: View, fitted: View, width: number, height: number, x: number, y: number, factor: number): View {
  const scale = within(fitted, (view.scale * factor) / fitted.scale);
  const [mx, my] = toMap(view, width, height, x, y);
  return { scale, cx: mx - (x - width / 2) / scale, cy: my + (y - height / 2) / scale };
}

/** A view as an address keeps it: centre and zoom; null for the one that shows all. */
export function viewText(view: View, fitted: View): string | null {
  const same = Math.abs(view.scale / fitted.scale - 1) < 1e-3 && Math.abs(view.cx - fitted.cx) * view.scale < 1 && Math.abs(view.cy - fitted.cy) * view.scale < 1;
  return same ? null : [view.cx, view.cy, view.scale / fitted.scale].map((v) => Number(v.toPrecision(5))).join(',');
}

/** The view of such a text; null if it is none. */
export function viewOf(text: string | null, fitted: View): View | null {
  const parts = (text ?? '').split(',').map(Number);
  return parts.length === 3 && parts.every(Number.isFinite) ? { cx: parts[0]!, cy: parts[1]!, scale: within(fitted, parts[2]!) } : null;
}

/** The points inside a closed line of the screen (even and odd crossings). */
export function inside(points: Points, view: View, width: number, height: number, line: [number, number][]): number[] {
  if (line.length < 3) return [];
  const found: number[] = [];
  for (let i = 0; i < points.n; i++) {
    const x = toX(view, width, points.x[i]!);
    const y = toY(view, height, points.y[i]!);
    let odd = false;
    for (let a = 0, b = line.length - 1; a < line.length; b = a++) {
      const [ax, ay] = line[a]!;
      const [bx, by] = line[b]!;
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) odd = !odd;
    }
    if (odd) found.push(i);
  }
  return found;
}

/** Points by place, for finding the one under the pointer: a counting sort into square cells. */
export class Grid {
  private readonly side = 256;
  private readonly starts = new Int32Array(this.side * this.side + 1);
  private readonly order: Int32Array;
  private readonly x0: number;
  private readonly y0: number;
  private readonly cell: number;

  constructor(private readonly points: Pick<Points, 'n' | 'x' | 'y'>) {
    const { n, x, y } = points;
    let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let i = 0; i < n; i++) {
      x0 = Math.min(x0, x[i]!);
      x1 = Math.max(x1, x[i]!);
      y0 = Math.min(y0, y[i]!);
      y1 = Math.max(y1, y[i]!);
    }
    this.x0 = x0;
    this.y0 = y0;
    this.cell = Math.max((x1 - x0) / this.side, (y1 - y0) / this.side, 1e-12);
    for (let i = 0; i < n; i++) this.starts[this.cellOf(x[i]!, y[i]!) + 1]!++;
    for (let c = 0; c < this.side * this.side; c++) this.starts[c + 1]! += this.starts[c]!;
    const next = this.starts.slice();
    this.order = new Int32Array(n);
    for (let i = 0; i < n; i++) this.order[next[this.cellOf(x[i]!, y[i]!)]!++] = i;
  }

  private column(x: number): number {
    return Math.max(0, Math.min(this.side - 1, Math.floor((x - this.x0) / this.cell)));
  }

  private line(y: number): number {
    return Math.max(0, Math.min(this.side - 1, Math.floor((y - this.y0) / this.cell)));
  }

  private cellOf(x: number, y: number): number {
    return this.line(y) * this.side + this.column(x);
  }

  /** The point nearest to a place, within a distance; -1 if there is none. */
  nearest(x: number, y: number, reach: number): number {
    let best = -1;
    let least = reach * reach;
    this.within(x - reach, y - reach, x + reach, y + reach, (i) => {
      const d = (this.points.x[i]! - x) ** 2 + (this.points.y[i]! - y) ** 2;
      if (d < least || (d === least && i < best)) {
        least = d;
        best = i;
      }
    });
    return best;
  }

  /** Calls for the points of the cells that a rectangle touches. */
  within(x0: number, y0: number, x1: number, y1: number, each: (i: number) => void): void {
    const [c0, c1, l0, l1] = [this.column(x0), this.column(x1), this.line(y0), this.line(y1)];
    for (let l = l0; l <= l1; l++) {
      const from = this.starts[l * this.side + c0]!;
      const to = this.starts[l * this.side + c1 + 1]!;
      for (let at = from; at < to; at++) each(this.order[at]!);
    }
  }
}
