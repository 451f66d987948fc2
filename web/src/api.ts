import { useEffect, useState } from 'preact/hooks';
import type { Settings } from './route';

export interface Token { token: string; id: number }
/** A word that need not have a row: its id is null if it has none. */
export interface Named { token: string; id: number | null; remark: string | null; respelled: string | null }
export interface Scored extends Token { score: number }
export interface TableInfo { tensor: string; rows: number; width: number; dtype: string; parameters: number; bytes: number }
export interface ModelInfo {
  name: string; format: string; architecture: string | null; input: TableInfo; output: TableInfo | null;
  tied: boolean | null; tiedEvidence: string; saved: number | null;
  vocabulary: { kind: string; size: number } | null; rowsWithoutToken: number;
  modelParameters: number | null; shareOfModel: number | null; tokenizer: boolean; notes: string[];
}
export interface Models { models: { name: string; open: boolean }[] }
export interface Tokens { ids: number[]; tokens: string[] }
export interface Row extends Named { norm: number; values: (number | null)[] }
export interface From extends Named { meanOf: number[]; title: string }
export interface Near {
  results: { query: From; metric: string; baseline: number; neighbours: Scored[] }[];
  centred: boolean; rowsSearched: number;
}
export interface Histogram { query: From; centred: boolean; counts: number[]; rows: number; mean: number; deviation: number; baseline: number }
export interface Dot { role: 'a' | 'b' | 'c' | 'sum' | 'answer'; token: string; x: number; y: number; off: number }
export interface Told {
  raw: Scored[]; excludingInputs: Scored[];
  answer: { token: string; id: number; score: number; scoreBefore: number; rankBefore: number } | null;
  baseline: number; unit: boolean; title: string; start: string; remark: string | null;
  inputs: { token: string; id: number; weight: number; respelled: string | null }[]; picture: Dot[];
}
export interface Axed { from: Token[]; to: Token[]; words: { token: string; id: number; position: number; cosine: number }[]; leftOut: string[]; forward: Scored[]; backward: Scored[]; baseline: number }
export interface Alike { a: Named; b: Named; cosine: number; baseline: number; dot: number; distance: number; rankFromA: number; rankFromB: number }
export interface Odd { ranked: Scored[]; leftOut: string[]; baseline: number }
export interface Params {
  tableParameters: number; modelParameters: number | null; shareOfModel: number | null; secondTableParameters: number; secondTableBytes: number;
  comparison: { relation: string; rows: number; identicalRows: number; meanCosine: number | null; medianCosine: number | null; farthest: Scored[] } | null;
}
export interface Scores {
  scores: { token: string; id: number; logit: number; probability: number }[];
  logSumExp: number; table: { tensor: string }; tableReason: string; title: string; leftOut: string | null; remark: string | null; respelled: string | null;
}
export interface Step { token: string; id: number; rows: number; width: number; oneHotTimesTable: number[]; lookedUp: number[]; equal: boolean; multiplicationsSaved: number }
export interface ToyStep { tokens: string[]; table: number[][]; steps: Step[] }

export const unreachable = 'the server does not answer; is rowan serve still running?';

/** What the server refused, in its words. */
export class Refused extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

/** Returns the address of a question. */
export function question(name: string, settings: Settings): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(settings)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== '' && one !== false) query.append(key, String(one));
    }
  }
  return `/api/v1/${name}?${query}`;
}

async function response(url: string, signal?: AbortSignal): Promise<Response> {
  return accepted(await fetch(url, signal ? { signal } : {}));
}

async function accepted(answer: Response): Promise<Response> {
  if (!answer.ok) {
    const trouble = await answer.json().catch(() => null);
    throw new Refused(answer.status, trouble?.error?.message ?? `the server answered ${answer.status}`);
  }
  return answer;
}

/** Asks the server. */
export async function ask<T>(name: string, settings: Settings, signal?: AbortSignal): Promise<T> {
  return (await response(question(name, settings), signal)).json();
}

/** Changes something on the server. */
export async function tell<T>(name: string, body: Record<string, unknown>): Promise<T> {
  return (await accepted(await fetch(`/api/v1/${name}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }))).json();
}

/** Asks the server for numbers. */
export async function askBytes(name: string, settings: Settings, signal?: AbortSignal): Promise<ArrayBuffer> {
  return (await response(question(name, settings), signal)).arrayBuffer();
}

/** An answer that may still be on its way; the last one stays until the next has come. */
export interface Asked<T> { data: T | null; trouble: Refused | null; busy: boolean }

/** Asks the server and asks again when the question changes; null asks nothing. */
export function useAnswer<T>(name: string, settings: Settings | null): Asked<T> {
  const url = settings ? question(name, settings) : null;
  const [state, setState] = useState<Asked<T> & { url: string | null }>({ data: null, trouble: null, busy: false, url: null });
  useEffect(() => {
    if (!url) {
      setState({ data: null, trouble: null, busy: false, url });
      return undefined;
    }
    const leaving = new AbortController();
    setState((before) => ({ ...before, busy: true }));
    response(url, leaving.signal)
      .then((answer) => answer.json())
      .then((data: T) => setState({ data, trouble: null, busy: false, url }))
      .catch((thrown: unknown) => {
        if (leaving.signal.aborted) return;
        const trouble = thrown instanceof Refused ? thrown : new Refused(0, unreachable);
        setState({ data: null, trouble, busy: false, url });
      });
    return () => leaving.abort();
  }, [url]);
  return { data: state.data, trouble: state.trouble, busy: state.busy || (url !== null && state.url !== url) };
}

/** Why a stream of events broke off: it does not say, but a plain question does. */
export function whyLost(url: string): Promise<string> {
  return fetch(url, { signal: AbortSignal.timeout(4000) })
    .then((answer) => (answer.ok ? answer.body?.cancel().then(() => null) : answer.json()))
    .then((answer) => answer?.error?.message ?? 'the connection was lost')
    .catch(() => unreachable);
}

/** What one stream of events gives in the end: the answer, or why there is none. */
export interface Found<T> { data: T | null; trouble: string }

/** Asks a question that is answered by an event of its name, after work that a closed page ends; null asks nothing. */
export function useEvent<T>(name: string, settings: Settings | null): Found<T> {
  const url = settings ? question(name, settings) : null;
  const [found, setFound] = useState<Found<T>>({ data: null, trouble: '' });
  useEffect(() => {
    setFound({ data: null, trouble: '' });
    if (!url) return undefined;
    let alive = true;
    const source = new EventSource(url);
    source.addEventListener(name, (event) => {
      setFound({ data: JSON.parse(event.data), trouble: '' });
      source.close();
    });
    source.addEventListener('failed', (event) => {
      setFound({ data: null, trouble: JSON.parse(event.data).message });
      source.close();
    });
    source.onerror = () => {
      source.close();
      whyLost(url).then((trouble) => alive && setFound({ data: null, trouble }));
    };
    return () => {
      alive = false;
      source.close();
    };
  }, [url]);
  return found;
}
