import { useEffect, useRef, useState } from 'preact/hooks';
import { drawer, SplatDrawer, type Drawer, type Looks } from './draw';
import { png } from './export';
import { inOrder, labelFont, placeLabels, type Label } from './labels';
import { drawOverlay } from './overlay';
import { fitting, fittingMost, Grid, inside, noPoints, toMap, viewOf, viewText, zoomed, type Points, type View } from './view';

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
    if (!points || !colours || !s.view) {
      s.drawer.draw(noPoints, { rgb: new Uint8Array(0), faint: null, paper, radius: 4 }, { cx: 0, cy: 0, scale: 1 });
      overlay();
      return;
    }
    const { chosen, focus, lines, background } = s.props;
    const clear = chosen.length ? chosen : focus >= 0 && lines.length && points.n <= 3000 ? [focus, ...lines] : null;
    const faint = clear ? new Uint8Array(points.n).fill(1) : background;
    for (const i of clear ?? []) faint![i] = 0;
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
    pen.font = labelFont;
    const important = [s.props.focus, ...s.props.lines].filter((i) => i >= 0);
    s.labels = placeLabels(points, s.view, width, height, inOrder(points, important), mostLabels, (text) => pen.measureText(text).width, 7);
  }

  function overlay() {
    if (!above.current) return;
    const { width, height } = size();
    const { points, focus, lines } = s.props;
    const { view, labels, hover, lasso } = s;
    drawOverlay(above.current, width, height, points && view ? { points, view, focus, lines, labels, hover, lasso } : null);
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
    s.props.onView(viewText(s.view, s.fitted));
  }

  function zoomAt(x: number, y: number, factor: number) {
    const { view, fitted } = s;
    if (!view || !fitted) return;
    const { width, height } = size();
    s.view = zoomed(view, fitted, width, height, x, y, factor);
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
    return s.grid.nearest(...toMap(s.view, width, height, x, y), 12 / s.view.scale);
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
    s.view = (props.ready && viewOf(props.initial, s.fitted)) || s.fitted;
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
        return png(a, b, caption);
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
          const { points } = s.props;
          const { width, height } = size();
          props.onChosen(points && s.view ? inside(points, s.view, width, height, s.lasso) : []);
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
}
