const whole = new Intl.NumberFormat('en-US');

/** A token with its spaces seen and nothing invisible in it. */
export function visible(token: string): string {
  if (token === '') return '(empty)';
  return token
    .replaceAll(' ', '␣')
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replaceAll('\r', '\\r')
    .replace(/[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Zs}]/gu, (c) => `\\u{${c.codePointAt(0)!.toString(16)}}`);
}

/** A score to three digits, as the command line prints it. */
export function score(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  const text = value.toFixed(3);
  return text === '-0.000' ? '0.000' : text;
}

export function count(value: number): string {
  return whole.format(value);
}

export function percent(share: number): string {
  const p = 100 * share;
  return p >= 1 ? `${p.toFixed(2)} %` : p >= 0.0001 ? `${p.toFixed(4)} %` : `${p.toExponential(1)} %`;
}

export function bytes(n: number): string {
  if (n < 1e6) return `${count(n)} bytes`;
  return n < 1e9 ? `${(n / 1e6).toFixed(1)} MB` : `${(n / 1e9).toFixed(2)} GB`;
}

/** A share in percent to one digit. */
export function share(value: number | null): string {
  return value === null ? '–' : `${(100 * value).toFixed(1)} %`;
}

/** What the server says, as a sentence. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

/** Whether a token is a word of its own: three letters or more and nothing else. */
export function isWord(token: string): boolean {
  return /^[ ▁]?\p{L}{3,}$/u.test(token);
}

/** Splits a list of words as a person types it. */
export function words(text: string): string[] {
  return text.split(/[\s,;]+/).filter(Boolean);
}
