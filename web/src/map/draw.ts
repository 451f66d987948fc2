import { toX, toY, type Points, type View } from './view';

/** Colours of the points, three bytes each, and which of them are faint. */
export interface Looks {
  rgb: Uint8Array;
  faint: Uint8Array | null; // 1: in the background
  paper: [number, number, number];
  radius: number; // CSS pixels
}

/** Something that draws points on a canvas. */
export interface Drawer {
  readonly kind: 'canvas' | 'webgl';
  draw(points: Points, looks: Looks, view: View): void;
  /** Tells that positions or colours have changed. */
  changed(): void;
  free(): void;
}

/**
 * WebGL2 where a real graphics processor does it, otherwise sums of colour in memory: in software,
 * WebGL takes ten times as long for many points. Which one may be forced, for tests and for users.
 */
export function drawer(canvas: HTMLCanvasElement, forced: string | null, lost: () => void): Drawer {
  if (forced !== 'canvas') {
    const gl = canvas.getContext('webgl2', { antialias: false, alpha: false, preserveDrawingBuffer: true });
    if (gl) {
      const about = gl.getExtension('WEBGL_debug_renderer_info');
      const name = about ? String(gl.getParameter(about.UNMASKED_RENDERER_WEBGL)) : '';
      if (forced === 'webgl' || (name && !/SwiftShader|llvmpipe|Basic Render|Software/i.test(name))) {
        canvas.addEventListener('webglcontextlost', (event) => {
          event.preventDefault();
          lost();
        });
        return new GlDrawer(gl, canvas);
      }
      lost(); // a canvas keeps its first kind of context: draw on a new one
    }
  }
  return new SplatDrawer(canvas);
}

/** Adds each point's colour to the pixels it covers and shows the sums. No graphics processor. */
export class SplatDrawer implements Drawer {
  readonly kind = 'canvas';
  private readonly pen: CanvasRenderingContext2D;
  private sums = new Float32Array(0);
  private image: ImageData | null = null;

  constructor(private readonly canvas: HTMLCanvasElement) {
    const pen = canvas.getContext('2d', { alpha: false });
    if (!pen) throw new Error('this browser draws on no canvas');
    this.pen = pen;
  }

  changed(): void {}
  free(): void {}

  draw(points: Points, looks: Looks, view: View): void {
    const { width: w, height: h } = this.canvas;
    const ratio = w / this.canvas.clientWidth || 1;
    const seen: View = { cx: view.cx, cy: view.cy, scale: view.scale * ratio };
    if (points.n <= 3000) this.discs(points, looks, seen, ratio);
    else this.splats(points, looks, seen, w, h, ratio);
  }

  private discs(points: Points, looks: Looks, view: View, ratio: number): void {
    const { pen } = this;
    const { width: w, height: h } = this.canvas;
    pen.fillStyle = `rgb(${looks.paper.join(' ')})`;
    pen.fillRect(0, 0, w, h);
    for (const pass of [1, 0]) {
      for (let i = 0; i < points.n; i++) {
        if ((looks.faint?.[i] ?? 0) !== pass) continue;
        pen.globalAlpha = pass ? 0.22 : 0.88;
        pen.fillStyle = `rgb(${looks.rgb[3 * i]} ${looks.rgb[3 * i + 1]} ${looks.rgb[3 * i + 2]})`;
        pen.beginPath();
        pen.arc(toX(view, w, points.x[i]!), toY(view, h, points.y[i]!), looks.radius * ratio, 0, 2 * Math.PI);
        pen.fill();
      }
    }
    pen.globalAlpha = 1;
  }

  private splats(points: Points, looks: Looks, view: View, w: number, h: number, ratio: number): void {
    if (!this.image || this.image.width !== w || this.image.height !== h) {
      this.image = this.pen.createImageData(w, h);
      this.sums = new Float32Array(4 * w * h);
      new Uint32Array(this.image.data.buffer).fill(0xff000000);
    }
    const { sums, image } = this;
    sums.fill(0);
    const { rgb, faint } = looks;
    const { n, x: xs, y: ys } = points;
    // dense maps get thin points, so that islands keep their inside
    const weight = Math.max(0.35, Math.min(2.2, 40000 / n)) * Math.max(1, Math.min(2.5, looks.radius / 2));
    const arm = ratio > 1.4 || looks.radius > 2.6 ? 2 : 1;
    const ox = w / 2 - view.cx * view.scale;
    const oy = h / 2 + view.cy * view.scale;
    for (let i = 0; i < n; i++) {
      const px = (ox + xs[i]! * view.scale) | 0;
      const py = (oy - ys[i]! * view.scale) | 0;
      if (px < arm || py < arm || px >= w - arm || py >= h - arm) continue;
      const a = faint && faint[i] ? weight * 0.12 : weight;
      const r = rgb[3 * i]! * a;
      const g = rgb[3 * i + 1]! * a;
      const b = rgb[3 * i + 2]! * a;
      const at = 4 * (py * w + px);
      add(sums, at, r, g, b, a);
      for (let d = 1; d <= arm; d++) {
        const f = d === 1 ? 0.55 : 0.2;
        add(sums, at - 4 * d, r * f, g * f, b * f, a * f);
        add(sums, at + 4 * d, r * f, g * f, b * f, a * f);
        add(sums, at - 4 * w * d, r * f, g * f, b * f, a * f);
        add(sums, at + 4 * w * d, r * f, g * f, b * f, a * f);
      }
    }
    const [pr, pg, pb] = looks.paper;
    const paper = (255 << 24) | (pb << 16) | (pg << 8) | pr;
    const pixels = new Uint32Array(image.data.buffer);
    for (let p = 0, s = 0; p < pixels.length; p++, s += 4) {
      const a = sums[s + 3]!;
      if (a === 0) {
        pixels[p] = paper;
        continue;
      }
      const cover = a > 6 ? 1 : 1 - Math.exp(-a);
      const k = cover / a;
      const rest = 1 - cover;
      pixels[p] =
        (255 << 24) |
        ((sums[s + 2]! * k + pb * rest) << 16) |
        ((sums[s + 1]! * k + pg * rest) << 8) |
        (sums[s]! * k + pr * rest);
    }
    this.pen.putImageData(image, 0, 0);
  }
}

function add(sums: Float32Array, at: number, r: number, g: number, b: number, a: number): void {
  sums[at]! += r;
  sums[at + 1]! += g;
  sums[at + 2]! += b;
  sums[at + 3]! += a;
}

const vertex = `#version 300 es
in vec2 place; in vec3 colour; in float faint;
uniform vec2 centre; uniform vec2 zoom; uniform float size; uniform float strength;
out vec4 shade;
void main() {
  gl_Position = vec4((place - centre) * zoom, 0.0, 1.0);
  gl_PointSize = size;
  shade = vec4(colour, faint > 0.5 ? strength * 0.12 : strength);
}`;

const fragment = `#version 300 es
precision mediump float;
in vec4 shade; out vec4 pixel;
void main() {
  float d = length(gl_PointCoord - 0.5) * 2.0;
  if (d > 1.0) discard;
  float a = shade.a * (1.0 - smoothstep(0.7, 1.0, d));
  pixel = vec4(shade.rgb * a, a);
}`;

/** Points as sprites of the graphics processor. No multisampling: that is what would cost. */
export class GlDrawer implements Drawer {
  readonly kind = 'webgl';
  private readonly program: WebGLProgram;
  private readonly places: WebGLBuffer | null;
  private readonly colours: WebGLBuffer | null;
  private readonly faints: WebGLBuffer | null;
  private stale = true;

  constructor(private readonly gl: WebGL2RenderingContext, private readonly canvas: HTMLCanvasElement) {
    const program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]] as const) {
      const shader = gl.createShader(kind)!;
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) ?? 'no program');
    this.program = program;
    this.places = gl.createBuffer();
    this.colours = gl.createBuffer();
    this.faints = gl.createBuffer();
  }

  changed(): void {
    this.stale = true;
  }

  free(): void {
    this.gl.getExtension('WEBGL_lose_context')?.loseContext();
  }

  draw(points: Points, looks: Looks, view: View): void {
    const { gl, canvas, program } = this;
    const ratio = canvas.width / canvas.clientWidth || 1;
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(looks.paper[0] / 255, looks.paper[1] / 255, looks.paper[2] / 255, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.useProgram(program);
    if (this.stale) {
      const xy = new Float32Array(2 * points.n);
      for (let i = 0; i < points.n; i++) {
        xy[2 * i] = points.x[i]!;
        xy[2 * i + 1] = points.y[i]!;
      }
      this.fill(this.places, 'place', xy, 2, gl.FLOAT, false);
      this.fill(this.colours, 'colour', looks.rgb, 3, gl.UNSIGNED_BYTE, true);
      this.fill(this.faints, 'faint', looks.faint ?? new Uint8Array(points.n), 1, gl.UNSIGNED_BYTE, false);
      this.stale = false;
    }
    const few = points.n <= 3000;
    gl.uniform2f(gl.getUniformLocation(program, 'centre'), view.cx, view.cy);
    gl.uniform2f(gl.getUniformLocation(program, 'zoom'), (2 * view.scale * ratio) / canvas.width, (2 * view.scale * ratio) / canvas.height);
    gl.uniform1f(gl.getUniformLocation(program, 'size'), (few ? 2 * looks.radius : Math.max(3, looks.radius * 1.6)) * ratio);
    gl.uniform1f(gl.getUniformLocation(program, 'strength'), few ? 0.9 : Math.max(0.3, Math.min(0.85, 40000 / points.n)));
    gl.drawArrays(gl.POINTS, 0, points.n);
  }

  private fill(buffer: WebGLBuffer | null, name: string, data: Float32Array | Uint8Array, size: number, type: number, scaled: boolean): void {
    const { gl } = this;
    const at = gl.getAttribLocation(this.program, name);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
    gl.enableVertexAttribArray(at);
    gl.vertexAttribPointer(at, size, type, scaled, 0, 0);
  }
}
