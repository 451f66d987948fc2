import { useEffect, useRef, useState } from 'preact/hooks';
import { ask, askBytes } from '../api';
import { visible } from '../text';
import { divergingRgb, isDark } from './colour';

const cell = 14; // CSS pixels
const gutter = 108; // names
const chunk = 64; // rows asked for at once
const kept = 48; // chunks in memory

interface Chunk { values: Float32Array | null; names: string[] }

/** The whole table as colours. Only what is in view is fetched and drawn, so V × d may be anything. */
export function HeatMap(props: { rows: number; columns: number; model: string | null; first: number }) {
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const chunks = useRef(new Map<number, Chunk>());
  const scale = useRef(0);
  const [at, setAt] = useState({ row: props.first, column: 0 });
  const [read, setRead] = useState('');
  const cursor = useRef(at);
  cursor.current = at;

  function value(row: number, column: number): number | null {
    const have = chunks.current.get(Math.floor(row / chunk));
    if (column >= props.columns) return null; // beside the table
    return have?.values ? (have.values[(row % chunk) * props.columns + column] ?? null) : null;
  }

  function tell(row: number, column: number) {
    const name = chunks.current.get(Math.floor(row / chunk))?.names[row % chunk];
    const number = value(row, column);
    setRead(number === null ? '' : `${name === undefined ? 'row' : visible(name)} #${row}, column ${column}: ${Number.isFinite(number) ? number.toFixed(4) : String(number)}`);
  }

  function fetchChunk(index: number) {
    const map = chunks.current;
    if (map.has(index)) return;
    map.set(index, { values: null, names: [] });
    if (map.size > kept) map.delete(map.keys().next().value!);
    const from = index * chunk;
    const rows = Math.min(chunk, props.rows - from);
    const wide = Math.max(1, Math.min(rows, Math.floor((1 << 20) / props.columns)));
    Promise.all([
      askBytes('panel', { model: props.model, from, rows: wide }),
      ask<{ tokens: string[] }>('names', { model: props.model, from, count: rows }),
    ])
      .then(([bytes, names]) => {
        const values = new Float32Array(bytes);
        if (!scale.current) {
          const sizes = Array.from(values, Math.abs).filter(Number.isFinite).sort((a, b) => a - b);
          scale.current = sizes[Math.floor(sizes.length * 0.99)] || 1; // a few extremes do not grey out the rest
        }
        map.set(index, { values, names: names.tokens });
        draw();
        const { row, column } = cursor.current;
        if (Math.floor(row / chunk) === index) tell(row, column);
      })
      .catch(() => map.delete(index));
  }

  function draw() {
    const box = scroller.current;
    const target = canvas.current;
    const pen = target?.getContext('2d');
    if (!box || !target || !pen) return;
    const began = performance.now();
    const ratio = devicePixelRatio || 1;
    const [w, h] = [box.clientWidth, box.clientHeight];
    if (target.width !== Math.round(w * ratio) || target.height !== Math.round(h * ratio)) {
      target.width = Math.round(w * ratio);
      target.height = Math.round(h * ratio);
      target.style.width = `${w}px`;
      target.style.height = `${h}px`;
    }
    const style = getComputedStyle(box);
    const inDark = isDark();
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.fillStyle = style.getPropertyValue('--paper');
    pen.fillRect(0, 0, w, h);
    const top = Math.floor(box.scrollTop / cell);
    const bottom = Math.min(props.rows, Math.ceil((box.scrollTop + h) / cell));
    const left = Math.floor(box.scrollLeft / cell);
    const right = Math.min(props.columns, Math.ceil((box.scrollLeft + w - gutter) / cell));
    for (let index = Math.floor(top / chunk); index <= Math.floor((bottom - 1) / chunk); index++) fetchChunk(index);
    for (let row = top; row < bottom; row++) {
      const y = row * cell - box.scrollTop;
      const have = chunks.current.get(Math.floor(row / chunk));
      if (have?.values) {
        const base = (row % chunk) * props.columns;
        for (let column = left; column < right; column++) {
          const v = have.values[base + column]!;
          const [r, g, b] = Number.isFinite(v) ? divergingRgb(v / scale.current, inDark) : [255, 0, 255];
          pen.fillStyle = `rgb(${r},${g},${b})`;
          pen.fillRect(gutter + column * cell - box.scrollLeft, y, cell - 1, cell - 1);
        }
      }
    }
    pen.fillStyle = style.getPropertyValue('--paper');
    pen.fillRect(0, 0, gutter - 1, h);
    pen.font = '11px system-ui, sans-serif';
    pen.textBaseline = 'middle';
    for (let row = top; row < bottom; row++) {
      const y = row * cell - box.scrollTop;
      const name = chunks.current.get(Math.floor(row / chunk))?.names[row % chunk];
      pen.fillStyle = style.getPropertyValue(row === cursor.current.row ? '--ink' : '--soft');
      pen.fillText(name === undefined ? '' : visible(name), 4, y + cell / 2, gutter - 12);
    }
    pen.strokeStyle = style.getPropertyValue('--ink');
    pen.lineWidth = 2;
    pen.save();
    pen.beginPath();
    pen.rect(gutter - 1, 0, w, h);
    pen.clip();
    pen.strokeRect(gutter + cursor.current.column * cell - box.scrollLeft - 0.5, cursor.current.row * cell - box.scrollTop - 0.5, cell, cell);
    pen.restore();
    box.dataset.frame = (performance.now() - began).toFixed(1);
  }

  function show(row: number, column: number) {
    const box = scroller.current;
    if (!box) return;
    const next = { row: Math.max(0, Math.min(props.rows - 1, row)), column: Math.max(0, Math.min(props.columns - 1, column)) };
    cursor.current = next;
    setAt(next);
    const [y, x] = [next.row * cell, next.column * cell];
    if (y < box.scrollTop) box.scrollTop = y;
    if (y + cell > box.scrollTop + box.clientHeight) box.scrollTop = y + cell - box.clientHeight;
    if (x < box.scrollLeft) box.scrollLeft = x;
    if (x + cell > box.scrollLeft + box.clientWidth - gutter) box.scrollLeft = x + cell - box.clientWidth + gutter;
    tell(next.row, next.column);
    draw();
  }

  useEffect(() => {
    chunks.current.clear();
    scale.current = 0;
    const box = scroller.current;
    if (box) box.scrollTop = Math.max(0, props.first * cell - 80);
    show(props.first, 0);
    const redraw = () => draw();
    const size = new ResizeObserver(redraw);
    if (box) size.observe(box);
    addEventListener('rowan-theme', redraw);
    return () => {
      size.disconnect();
      removeEventListener('rowan-theme', redraw);
    };
  }, [props.model, props.first, props.rows]);

  const frame = useRef(0);
  return (
    <div class="heat">
      <div
        ref={scroller}
        class="heat-scroll"
        tabIndex={0}
        role="application"
        aria-label={`Heat map of the table, ${props.rows} rows, ${props.columns} columns; arrow keys move the cell`}
        aria-describedby="heat-read"
        onScroll={() => {
          cancelAnimationFrame(frame.current);
          frame.current = requestAnimationFrame(draw);
        }}
        onPointerDown={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          const x = event.clientX - box.left - gutter;
          if (x >= 0) show(Math.floor((event.clientY - box.top + event.currentTarget.scrollTop) / cell), Math.floor((x + event.currentTarget.scrollLeft) / cell));
        }}
        onPointerMove={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          const x = event.clientX - box.left - gutter;
          if (x >= 0) tell(Math.floor((event.clientY - box.top + event.currentTarget.scrollTop) / cell), Math.floor((x + event.currentTarget.scrollLeft) / cell));
        }}
        onKeyDown={(event) => {
          const { row, column } = cursor.current;
          const page = Math.floor(event.currentTarget.clientHeight / cell);
          const steps: Record<string, [number, number]> = {
            ArrowUp: [row - 1, column], ArrowDown: [row + 1, column], ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1],
            PageUp: [row - page, column], PageDown: [row + page, column], Home: [0, 0], End: [props.rows - 1, column],
          };
          const step = steps[event.key];
          if (step) {
            event.preventDefault();
            show(...step);
          }
        }}
      >
        <canvas ref={canvas} class="heat-canvas" aria-hidden="true" />
        <div class="heat-size" style={{ width: `${gutter + props.columns * cell}px`, height: `${props.rows * cell}px` }} />
      </div>
      <p id="heat-read" class="read" aria-live="polite">{read || ' '}</p>
      <p class="legend" aria-hidden="true">
        <span class="swatch low" /> negative <span class="swatch zero" /> 0 <span class="swatch high" /> positive
      </p>
    </div>
  );
}
