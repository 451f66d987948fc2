import { useEffect, useRef, useState } from 'preact/hooks';
import { isWord, visible } from '../text';
import { drawer, SplatDrawer, type Drawer, type Looks } from './draw';
import { placeLabels, type Label } from './labels';
import { fitting, fittingMost, Grid, toX, toY, type Points, type View } from './view';

/** What the page may ask of the map. */
export interface MapHandle {
  png(caption: string[]): Promise<Blob | null>;
  now(): { looks: Looks; view: View; width: number; height: number; labels: Label[] } | null;
  centre(point: number): void;
}

interface Props {
  points: Points | null;
  colours: Uint8Array | null;
  dark: boolean;
  renderer: string | null;
  ready: boolean;
  focus: number; // a point whose neighbours are shown, or −1
  lines: number[];
  chosen: number[];
  background: Uint8Array | null; // 1: a point that is faint unless words are chosen
  viewKey: string;
  initial: string | null;
  model: string | null;
  onView: (text: string | null) => void;
  onHover: (point: number) => void;
  onPin: (point: number) => void;
  onChosen: (points: number[]) => void;
  handle: { current: MapHandle | null };
}

const mostLabels = 90;

/** The map itself: points below, labels and lines above, both canvases as large as their box. */
export function MapCanvas(props: Props) {
  const box = useRef<HTMLDivElement>(null);
  const below = useRef<HTMLCanvasElement>(null);
  const above = useRef<HTMLCanvasElement>(null);
  const [trouble, setTrouble] = useState('');
  const [software, setSoftware] = useState(false); // WebGL was lost or is not worth it
  const state = useRef({ props, view: null as View | null, fitted: null as View | null, grid: null as Grid | null, labels: [] as Label[], lasso: [] as [number, number][], drawer: null as Drawer | null, looks: null as Looks | null, hover: -1, frame: 0, settle: 0, frameMillis: 0 });
  const s = state.current;
  s.props = props;

  const size = () => ({ width: box.current?.clientWidth ?? 0, height: box.current?.clientHeight ?? 0 });

  function fit() {
    const ratio = Math.min(devicePixelRatio || 1, 2);
    const { width, height } = size();
    for (const canvas of [below.current, above.current]) {
      if (!canvas) continue;
      const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
      if (canvas.width !== w || canvas.height !== h) {
        canvas.width = w;
        canvas.height = h;
      }
    }
  }

  function paint(withLabels: boolean) {
    const { points, colours } = s.props;
    const canvas = below.current;
    if (!canvas || !s.drawer) return;
    fit();
    const began = performance.now();
    const paper: [number, number, number] = s.props.dark ? [21, 23, 27] : [255, 255, 255];
    const none: Points = { n: 0, ids: new Int32Array(0), x: new Float32Array(0), y: new Float32Array(0), reliability: new Float32Array(0), norm: new Float32Array(0), tokens: [], group: new Int16Array(0) };
    if (!points || !colours || !s.view) {
      s.drawer.draw(none, { rgb: new Uint8Array(0), faint: null, paper, radius: 4 }, { cx: 0, cy: 0, scale: 1 });
      overlay();
      return;
    }
    let faint: Uint8Array | null = null;
    if (s.props.chosen.length) {
      faint = new Uint8Array(points.n).fill(1);
      for (const i of s.props.chosen) faint[i] = 0;
    } else if (s.props.focus >= 0 && s.props.lines.length && points.n <= 3000) {
      faint = new Uint8Array(points.n).fill(1);
      for (const i of [s.props.focus, ...s.props.lines]) faint[i] = 0;
    } else if (s.props.background) {
      faint = s.props.background;
    }
    const zoom = s.fitted ? s.view.scale / s.fitted.scale : 1;
    const radius = points.n <= 300 ? 5 : points.n <= 3000 ? 3.5 : Math.min(4.5, 1.6 * Math.sqrt(zoom));
    s.looks = { rgb: colours, faint, paper, radius };
    s.drawer.changed();
    s.drawer.draw(points, s.looks, s.view);
    if (withLabels) label();
    overlay();
    s.frameMillis = performance.now() - began;
    if (box.current) {
      box.current.dataset.frame = s.frameMillis.toFixed(1);
      box.current.dataset.drawn = `${points.n}`;
      box.current.dataset.renderer = s.drawer.kind;
    }
  }

  function label() {
    const { points } = s.props;
    const pen = above.current?.getContext('2d');
    if (!points || !pen || !s.view || !points.tokens.length) {
      s.labels = [];
      return;
    }
    const { width, height } = size();
    pen.font = '12px system-ui, sans-serif';
    const view = s.view;
    const inSight = function* () {
      // first what the reader asked about, then the rest by id: most vocabularies are in frequency order
      const important = [s.props.focus, ...s.props.lines].filter((i) => i >= 0);
      yield* important;
      for (let i = 0; i < points.n; i++) if (isWord(points.tokens[i]!)) yield i;
      for (let i = 0; i < points.n; i++) yield i;
    };
    const seen = new Set<number>();
    const order = (function* () {
      for (const i of inSight()) if (!seen.has(i)) {
        seen.add(i);
        yield i;
      }
    })();
    s.labels = placeLabels(points, view, width, height, order, mostLabels, (text) => pen.measureText(text).width, 7);
  }

  function overlay() {
    const canvas = above.current;
    const pen = canvas?.getContext('2d');
    if (!canvas || !pen) return;
    const { width, height } = size();
    const ratio = canvas.width / width || 1;
    const style = getComputedStyle(canvas);
    const ink = style.getPropertyValue('--ink');
    const paper = style.getPropertyValue('--paper');
    const accent = style.getPropertyValue('--accent');
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const { points, focus, lines } = s.props;
    const view = s.view;
    if (!points || !view) return;
    const at = (i: number) => [toX(view, width, points.x[i]!), toY(view, height, points.y[i]!)] as const;
    if (focus >= 0) {
      const [fx, fy] = at(focus);
      pen.strokeStyle = accent;
      pen.lineWidth = 1.8;
      pen.globalAlpha = 0.75;
      pen.beginPath();
      for (const i of lines) {
        pen.moveTo(fx, fy);
        pen.lineTo(...at(i));
      }
      pen.stroke();
      pen.globalAlpha = 1;
      pen.lineWidth = 2;
      pen.beginPath();
      pen.arc(fx, fy, 7, 0, 2 * Math.PI);
      pen.stroke();
    }
    pen.font = '12px system-ui, sans-serif';
    pen.textBaseline = 'middle';
    pen.lineJoin = 'round';
    const marked = new Set([focus, ...lines]);
    const dim = focus >= 0 && lines.length > 0 && points.n <= 3000;
    for (const one of s.labels) {
      pen.globalAlpha = dim && !marked.has(one.point) ? 0.35 : 1;
      pen.strokeStyle = paper;
      pen.lineWidth = 3;
      pen.strokeText(one.text, one.x, one.y);
      pen.fillStyle = one.point === focus ? accent : ink;
      pen.fillText(one.text, one.x, one.y);
    }
    pen.globalAlpha = 1;
    if (s.hover >= 0 && s.hover !== focus) {
      const [hx, hy] = at(s.hover);
      const text = visible(points.tokens[s.hover] ?? '');
      const w = pen.measureText(text).width;
      const tx = Math.min(width - w - 10, Math.max(4, hx + 10));
      pen.fillStyle = ink;
      pen.fillRect(tx - 5, hy - 11, w + 10, 22);
      pen.fillStyle = paper;
      pen.fillText(text, tx, hy);
    }
    if (s.lasso.length > 1) {
      pen.strokeStyle = accent;
      pen.lineWidth = 1.5;
      pen.setLineDash([5, 4]);
      pen.beginPath();
      s.lasso.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
      pen.closePath();
      pen.stroke();
      pen.setLineDash([]);
    }
  }

  /** Draws at the next frame; labels follow when the view has come to rest. */
  function move() {
    cancelAnimationFrame(s.frame);
    s.labels = [];
    s.frame = requestAnimationFrame(() => paint(false));
    clearTimeout(s.settle);
    s.settle = setTimeout(() => {
      paint(true);
      tell();
    }, 140) as unknown as number;
  }

  function tell() {
    if (!s.view || !s.fitted || !s.props.ready) return;
    const same = Math.abs(s.view.scale / s.fitted.scale - 1) < 1e-3 && Math.abs(s.view.cx - s.fitted.cx) * s.view.scale < 1 && Math.abs(s.view.cy - s.fitted.cy) * s.view.scale < 1;
    s.props.onView(same ? null : [s.view.cx, s.view.cy, s.view.scale / s.fitted.scale].map((v) => Number(v.toPrecision(5))).join(','));
  }

  function zoomAt(x: number, y: number, factor: number) {
    const { view, fitted } = s;
    if (!view || !fitted) return;
    const { width, height } = size();
    const scale = Math.max(fitted.scale * 0.3, Math.min(fitted.scale * 4000, view.scale * factor));
    const mx = view.cx + (x - width / 2) / view.scale;
    const my = view.cy - (y - height / 2) / view.scale;
    s.view = { scale, cx: mx - (x - width / 2) / scale, cy: my + (y - height / 2) / scale };
    move();
  }

  function pan(dx: number, dy: number) {
    if (!s.view) return;
    s.view = { ...s.view, cx: s.view.cx - dx / s.view.scale, cy: s.view.cy + dy / s.view.scale };
    move();
  }

  function under(x: number, y: number): number {
    if (!s.view || !s.grid) return -1;
    const { width, height } = size();
    return s.grid.nearest(s.view.cx + (x - width / 2) / s.view.scale, s.view.cy - (y - height / 2) / s.view.scale, 12 / s.view.scale);
  }

  // a drawer for this canvas; a new canvas when WebGL was lost
  useEffect(() => {
    const canvas = below.current;
    if (!canvas) return undefined;
    try {
      s.drawer = software ? new SplatDrawer(canvas) : drawer(canvas, props.renderer, () => setTimeout(() => setSoftware(true)));
      setTrouble('');
    } catch {
      if (software) setTrouble('This browser cannot draw the map; the list beside it has every word.');
    }
    paint(true);
    return () => s.drawer?.free();
  }, [software, props.renderer]);

  // new points: the view is fitted, or taken from the address
  useEffect(() => {
    const { points } = props;
    const { width, height } = size();
    if (!points) {
      s.view = s.fitted = s.grid = null;
      paint(true);
      return;
    }
    s.fitted = (props.ready ? fitting : fittingMost)(points, width, height);
    const parts = props.ready ? (props.initial ?? '').split(',').map(Number) : [];
    s.view = parts.length === 3 && parts.every(Number.isFinite) ? { cx: parts[0]!, cy: parts[1]!, scale: s.fitted.scale * Math.max(0.3, Math.min(4000, parts[2]!)) } : s.fitted;
    s.grid = props.ready ? new Grid(points) : null;
    s.hover = -1;
    paint(true);
  }, [props.points]);

  useEffect(() => paint(true), [props.colours, props.dark, props.chosen, props.focus, props.lines.join()]);

  useEffect(() => {
    const target = box.current;
    if (!target) return undefined;
    const resized = new ResizeObserver(() => {
      if (s.props.points && s.fitted) {
        const { width, height } = size();
        const before = s.fitted;
        s.fitted = (s.props.ready ? fitting : fittingMost)(s.props.points, width, height);
        if (s.view) s.view = { ...s.view, scale: (s.view.scale / before.scale) * s.fitted.scale };
      }
      paint(true);
    });
    resized.observe(target);
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      const rect = target.getBoundingClientRect();
      zoomAt(event.clientX - rect.left, event.clientY - rect.top, Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0018)));
    };
    target.addEventListener('wheel', wheel, { passive: false });
    props.handle.current = {
      now: () => {
        const { width, height } = size();
        return s.looks && s.view ? { looks: s.looks, view: s.view, width, height, labels: s.labels } : null;
      },
      centre: (i) => {
        const { points } = s.props;
        if (points && s.view && s.fitted) {
          s.view = { cx: points.x[i]!, cy: points.y[i]!, scale: Math.max(s.view.scale, points.n > 3000 ? s.fitted.scale * 6 : s.view.scale) };
          move();
        }
      },
      png: (caption) => {
        const [a, b] = [below.current, above.current];
        if (!a || !b) return Promise.resolve(null);
        paint(true);
        const ratio = a.width / a.clientWidth;
        const whole = document.createElement('canvas');
        whole.width = a.width;
        whole.height = a.height + Math.round((12 + 20 * caption.length) * ratio);
        const pen = whole.getContext('2d')!;
        const style = getComputedStyle(a);
        pen.fillStyle = style.getPropertyValue('--paper');
        pen.fillRect(0, 0, whole.width, whole.height);
        pen.drawImage(a, 0, 0);
        pen.drawImage(b, 0, 0);
        pen.scale(ratio, ratio);
        pen.fillStyle = style.getPropertyValue('--ink');
        pen.font = '13px system-ui, sans-serif';
        caption.forEach((line, i) => pen.fillText(line, 8, a.height / ratio + 18 + 20 * i));
        return new Promise((done) => whole.toBlob(done, 'image/png'));
      },
    };
    return () => {
      resized.disconnect();
      target.removeEventListener('wheel', wheel);
      clearTimeout(s.settle);
      cancelAnimationFrame(s.frame);
    };
  }, []);

  const pointers = useRef(new Map<number, [number, number]>());
  const moved = useRef(0);
  const lassoing = useRef(false);
  const place = (event: PointerEvent): [number, number] => {
    const rect = box.current!.getBoundingClientRect();
    return [event.clientX - rect.left, event.clientY - rect.top];
  };

  return (
    <div
      ref={box}
      class="map-box"
      tabIndex={0}
      role="application"
      aria-roledescription="map"
      aria-label={props.points ? `Map of ${props.points.n} rows. Arrow keys move, plus and minus zoom; the list beside it has the words` : 'Map'}
      data-ready={props.ready ? '' : undefined}
      onPointerDown={(event) => {
        if (event.button !== 0 || (event.target as HTMLElement).closest('button')) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        pointers.current.set(event.pointerId, place(event));
        moved.current = 0;
        lassoing.current = event.shiftKey && props.ready;
        if (lassoing.current) s.lasso = [place(event)];
      }}
      onPointerMove={(event) => {
        const now = place(event);
        const before = pointers.current.get(event.pointerId);
        if (!before) {
          const hover = under(...now);
          if (hover !== s.hover) {
            s.hover = hover;
            overlay();
            props.onHover(hover);
          }
          return;
        }
        moved.current += Math.hypot(now[0] - before[0], now[1] - before[1]);
        if (lassoing.current) {
          s.lasso.push(now);
          overlay();
        } else if (pointers.current.size === 2) {
          const other = [...pointers.current].find(([id]) => id !== event.pointerId)![1];
          const was = Math.hypot(before[0] - other[0], before[1] - other[1]) || 1;
          const is = Math.hypot(now[0] - other[0], now[1] - other[1]) || 1;
          zoomAt((now[0] + other[0]) / 2, (now[1] + other[1]) / 2, is / was);
        } else {
          pan(now[0] - before[0], now[1] - before[1]);
        }
        pointers.current.set(event.pointerId, now);
      }}
      onPointerUp={(event) => {
        pointers.current.delete(event.pointerId);
        if (lassoing.current) {
          props.onChosen(inside(s.lasso));
          s.lasso = [];
          lassoing.current = false;
          overlay();
        } else if (moved.current < 5) {
          props.onPin(under(...place(event)));
        }
      }}
      onPointerCancel={(event) => {
        pointers.current.delete(event.pointerId);
        s.lasso = [];
        lassoing.current = false;
      }}
      onPointerLeave={() => {
        if (s.hover >= 0) {
          s.hover = -1;
          overlay();
          props.onHover(-1);
        }
      }}
      onKeyDown={(event) => {
        const { width, height } = size();
        const far = event.shiftKey ? 160 : 48;
        switch (event.key) {
          case 'ArrowLeft': pan(far, 0); break;
          case 'ArrowRight': pan(-far, 0); break;
          case 'ArrowUp': pan(0, far); break;
          case 'ArrowDown': pan(0, -far); break;
          case '+': case '=': zoomAt(width / 2, height / 2, 1.4); break;
          case '-': case '_': zoomAt(width / 2, height / 2, 1 / 1.4); break;
          case '0': s.view = s.fitted; move(); break;
          case 'Escape': props.onPin(-1); props.onChosen([]); break;
          default: return;
        }
        event.preventDefault();
      }}
    >
      <canvas key={software ? 'software' : 'first'} ref={below} class="map-below" aria-hidden="true" />
      <canvas ref={above} class="map-above" aria-hidden="true" />
      <div class="map-tools">
        <button type="button" aria-label="Zoom in" onClick={() => zoomAt(size().width / 2, size().height / 2, 1.6)}>+</button>
        <button type="button" aria-label="Zoom out" onClick={() => zoomAt(size().width / 2, size().height / 2, 1 / 1.6)}>−</button>
        <button type="button" aria-label="Show all" onClick={() => { s.view = s.fitted; move(); }}>⤢</button>
      </div>
      {trouble && <p class="trouble map-trouble" role="alert">{trouble}</p>}
    </div>
  );

  /** The points inside a closed line (even and odd crossings). */
  function inside(line: [number, number][]): number[] {
    const { points } = s.props;
    if (!points || !s.view || line.length < 3) return [];
    const { width, height } = size();
    const found: number[] = [];
    for (let i = 0; i < points.n; i++) {
      const x = toX(s.view, width, points.x[i]!);
      const y = toY(s.view, height, points.y[i]!);
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
}
