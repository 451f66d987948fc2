type Rgb = [number, number, number];

// Blue and orange: told apart by every common form of colour blindness.
const light: [Rgb, Rgb, Rgb] = [[33, 102, 172], [247, 247, 247], [230, 97, 1]];
const dark: [Rgb, Rgb, Rgb] = [[90, 165, 235], [30, 34, 40], [245, 140, 60]];

export function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
}

function mix(a: Rgb, b: Rgb, share: number): Rgb {
  return [0, 1, 2].map((i) => Math.round(a[i]! + (b[i]! - a[i]!) * share)) as Rgb;
}

/** The colour of a value in [−1, 1], 0 in the middle. */
export function divergingRgb(value: number, inDark: boolean): Rgb {
  const [low, mid, high] = inDark ? dark : light;
  const v = Math.max(-1, Math.min(1, value));
  return v < 0 ? mix(mid, low, -v) : mix(mid, high, v);
}

export function diverging(value: number): string {
  return `rgb(${divergingRgb(value, isDark()).join(' ')})`;
}

/** Colours of groups (Okabe and Ito 2008), readable on light and dark. */
export const groupColours: { light: Rgb[]; dark: Rgb[] } = {
  light: [[0, 114, 178], [213, 94, 0], [0, 135, 100], [170, 70, 130], [130, 100, 0], [110, 70, 190], [30, 150, 190], [110, 110, 110]],
  dark: [[86, 180, 233], [255, 140, 60], [40, 200, 150], [230, 140, 190], [240, 215, 80], [180, 150, 255], [120, 220, 230], [170, 170, 170]],
};

/** A sequential scale from faint to strong (after viridis), for shares in [0, 1]. */
export function sequentialRgb(share: number, inDark: boolean): Rgb {
  const stops: Rgb[] = inDark
    ? [[70, 50, 130], [50, 110, 160], [40, 165, 140], [130, 205, 80], [250, 230, 60]]
    : [[68, 1, 84], [59, 82, 139], [33, 145, 140], [80, 175, 70], [190, 180, 20]];
  const at = Math.max(0, Math.min(1, share)) * (stops.length - 1);
  const i = Math.min(stops.length - 2, Math.floor(at));
  return mix(stops[i]!, stops[i + 1]!, at - i);
}
