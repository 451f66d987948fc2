import type { Label } from './labels';
import type { Looks } from './draw';
import { toX, toY, type Points, type View } from './view';

/** Hands a file to the user. */
export function save(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The map as it is seen, as a drawing, with its caption. */
export function svg(points: Points, looks: Looks, view: View, width: number, height: number, labels: Label[], caption: string[], ink: string): string {
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height + 20 * caption.length + 12}" font-family="system-ui, sans-serif" font-size="12">`,
    `<rect width="100%" height="100%" fill="rgb(${looks.paper.join(',')})"/>`,
  ];
  const paths = new Map<string, string[]>();
  for (let i = 0; i < points.n; i++) {
    const x = toX(view, width, points.x[i]!);
    const y = toY(view, height, points.y[i]!);
    if (x < 0 || y < 0 || x > width || y > height) continue;
    const colour = `rgb(${looks.rgb[3 * i]},${looks.rgb[3 * i + 1]},${looks.rgb[3 * i + 2]})`;
    const path = paths.get(colour) ?? [];
    path.push(`M${x.toFixed(1)} ${y.toFixed(1)}h0`);
    paths.set(colour, path);
  }
  const size = points.n <= 3000 ? 2 * looks.radius : 2.4;
  for (const [colour, path] of paths) lines.push(`<path d="${path.join('')}" stroke="${colour}" stroke-width="${size}" stroke-linecap="round" stroke-opacity="0.85" fill="none"/>`);
  for (const label of labels) lines.push(`<text x="${label.x.toFixed(1)}" y="${(label.y + 4).toFixed(1)}" fill="${ink}">${escaped(label.text)}</text>`);
  caption.forEach((line, i) => lines.push(`<text x="8" y="${height + 18 + 20 * i}" fill="${ink}">${escaped(line)}</text>`));
  lines.push('</svg>');
  return lines.join('\n');
}

/** The map as it is seen, as an image with its caption: both canvases, one over the other. */
export function png(below: HTMLCanvasElement, above: HTMLCanvasElement, caption: string[]): Promise<Blob | null> {
  const ratio = below.width / below.clientWidth;
  const whole = document.createElement('canvas');
  whole.width = below.width;
  whole.height = below.height + Math.round((12 + 20 * caption.length) * ratio);
  const pen = whole.getContext('2d')!;
  const style = getComputedStyle(below);
  pen.fillStyle = style.getPropertyValue('--paper');
  pen.fillRect(0, 0, whole.width, whole.height);
  pen.drawImage(below, 0, 0);
  pen.drawImage(above, 0, 0);
  pen.scale(ratio, ratio);
  pen.fillStyle = style.getPropertyValue('--ink');
  pen.font = '13px system-ui, sans-serif';
  caption.forEach((line, i) => pen.fillText(line, 8, below.height / ratio + 18 + 20 * i));
  return new Promise((done) => whole.toBlob(done, 'image/png'));
}

/** The points as a table; tabs and line ends in tokens are escaped. */
export function tsv(points: Points, groups: string[]): string {
  const lines = ['token\tid\tx\ty\treliability\tnorm\tgroup'];
  for (let i = 0; i < points.n; i++) {
    const token = (points.tokens[i] ?? '').replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
    const reliability = Number.isNaN(points.reliability[i]!) ? '' : String(points.reliability[i]!);
    lines.push([token, points.ids[i], points.x[i], points.y[i], reliability, points.norm[i], groups[points.group[i]!] ?? ''].join('\t'));
  }
  return lines.join('\n') + '\n';
}
