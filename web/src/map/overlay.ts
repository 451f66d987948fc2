import { labelFont, type Label } from './labels';
import { toX, toY, type Points, type View } from './view';
import { visible } from '../text';

/** What lies over the points. */
export interface Overlay {
  points: Points;
  view: View;
  focus: number; // a point whose neighbours are shown, or −1
  lines: number[];
  labels: Label[];
  hover: number; // or −1
  lasso: [number, number][];
}

/** Draws labels, lines to neighbours, the token under the pointer and the lasso; nothing for null. */
export function drawOverlay(canvas: HTMLCanvasElement, width: number, height: number, what: Overlay | null): void {
  const pen = canvas.getContext('2d');
  if (!pen) return;
  const ratio = canvas.width / width || 1;
  const style = getComputedStyle(canvas);
  const ink = style.getPropertyValue('--ink');
  const paper = style.getPropertyValue('--paper');
  const accent = style.getPropertyValue('--accent');
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  if (!what) return;
  const { points, view, focus, lines, labels, hover, lasso } = what;
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
  pen.font = labelFont;
  pen.textBaseline = 'middle';
  pen.lineJoin = 'round';
  const marked = new Set([focus, ...lines]);
  const dim = focus >= 0 && lines.length > 0 && points.n <= 3000;
  for (const one of labels) {
    pen.globalAlpha = dim && !marked.has(one.point) ? 0.35 : 1;
    pen.strokeStyle = paper;
    pen.lineWidth = 3;
    pen.strokeText(one.text, one.x, one.y);
    pen.fillStyle = one.point === focus ? accent : ink;
    pen.fillText(one.text, one.x, one.y);
  }
  pen.globalAlpha = 1;
  if (hover >= 0 && hover !== focus) {
    const [hx, hy] = at(hover);
    const text = visible(points.tokens[hover] ?? '');
    const w = pen.measureText(text).width;
    const tx = Math.min(width - w - 10, Math.max(4, hx + 10));
    pen.fillStyle = ink;
    pen.fillRect(tx - 5, hy - 11, w + 10, 22);
    pen.fillStyle = paper;
    pen.fillText(text, tx, hy);
  }
  if (lasso.length > 1) {
    pen.strokeStyle = accent;
    pen.lineWidth = 1.5;
    pen.setLineDash([5, 4]);
    pen.beginPath();
    lasso.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
    pen.closePath();
    pen.stroke();
    pen.setLineDash([]);
  }
}
