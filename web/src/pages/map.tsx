import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ask, askBytes, question, Refused, whyLost, type Near } from '../api';
import { address, change } from '../route';
import { Alert, Choice, Field, Heading, Link, Panel } from '../parts/basics';
import { isDark } from '../parts/colour';
import { MapCanvas, type MapHandle } from '../map/canvas';
import { colour, colourings, Legend, useMarks, type Colouring } from '../map/colouring';
import { save, svg, tsv } from '../map/export';
import { floats, readPoints, type Points } from '../map/view';
import { fortyEight, readList, WordList } from '../map/wordlist';
import { count, score, sentence, visible } from '../text';
import type { ViewProps } from '../app';

const methods = [['pca', 'PCA'], ['tsne', 't-SNE'], ['umap', 'UMAP']] as const;
type Method = (typeof methods)[number][0];
export interface Mapped {
  key: string; label: string; method: string; points: number; variance: [number, number] | null; divergence: number | null; story: string[];
  notes: string[]; listed: { ids: (number | null)[]; leftOut: string[] };
}
interface Progress { stage: string; done: number; of: number; loss: number | null }

export function MapPage({ route, model, info }: ViewProps) {
  const q = route.query;
  const method = (methods.find(([m]) => m === q.get('method'))?.[0] ?? 'pca') as Method;
  const scope = q.get('scope') ?? 'list';
  const list = q.get('words') ?? (info.vocabulary ? fortyEight : '#0 #1 #2 #3 #4 #5');
  const seed = q.get('seed') ?? '1';
  const perplexity = q.get('perplexity') ?? '30';
  const first = scope === 'all' ? '0' : (q.get('first') ?? '5000');
  const parsed = useMemo(() => readList(list), [list]);
  const [mapped, setMapped] = useState<Mapped | null>(null);
  const [points, setPoints] = useState<Points | null>(null);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [trouble, setTrouble] = useState('');
  const [running, setRunning] = useState(false);
  const stop = useRef<() => void>(() => undefined);
  const handle = useRef<MapHandle | null>(null);

  const asked = question('map', {
    model, method, seed: seed === '1' ? null : seed,
    perplexity: method === 'tsne' && perplexity !== '30' ? perplexity : null,
    words: scope === 'list' ? parsed.words.join(' ') : null,
    first: scope === 'list' ? null : first,
  });
  // a layout that takes long is never started by opening a page: only what was asked for by a button
  const heavy = method !== 'pca' && scope !== 'list';
  const [wanted, setWanted] = useState<string | null>(null);
  const start = !heavy || wanted === asked;

  useEffect(() => {
    if (!start) return undefined;
    let alive = true;
    let current: Points | null = null;
    const source = new EventSource(asked);
    const end = () => {
      source.close();
      if (alive) setRunning(false);
    };
    stop.current = end;
    setRunning(true);
    setTrouble('');
    setProgress(null);
    const data = <T,>(event: Event) => JSON.parse((event as MessageEvent<string>).data) as T;
    source.addEventListener('progress', (event) => alive && setProgress(data<Progress>(event)));
    source.addEventListener('frame', (event) => {
      const frame = data<{ x: string; y: string }>(event);
      const [x, y] = [floats(frame.x), floats(frame.y)];
      if (!current || current.n !== x.length) {
        const n = x.length;
        current = { n, x, y, ids: new Int32Array(n), reliability: new Float32Array(n).fill(NaN), norm: new Float32Array(n), tokens: [], group: new Int16Array(n).fill(-1) };
      } else {
        current = { ...current, x, y };
      }
      if (alive) {
        setMapped(null);
        setPoints(current);
      }
    });
    source.addEventListener('failed', (event) => {
      if (alive) setTrouble(data<{ message: string }>(event).message);
      end();
    });
    source.addEventListener('map', (event) => {
      const ready = data<Mapped>(event);
      end();
      Promise.all([askBytes('map/points', { key: ready.key }), ask<{ tokens: string[] }>('map/tokens', { key: ready.key })])
        .then(([bytes, { tokens }]) => {
          if (!alive) return;
          const read = readPoints(bytes);
          const group = new Int16Array(read.n).fill(-1);
          const at = new Map<number, number>();
          read.ids.forEach((id, i) => at.set(id, i));
          if (scope === 'list') {
            ready.listed.ids.forEach((id, w) => {
              const i = id === null ? undefined : at.get(id);
              if (i !== undefined) group[i] = parsed.of[w] ?? -1;
            });
          }
          setMapped(ready);
          setPoints({ ...read, tokens, group });
        })
        .catch((thrown: unknown) => alive && setTrouble(thrown instanceof Refused ? thrown.message : 'the map could not be fetched'));
    });
    source.onerror = () => {
      if (!alive || source.readyState === EventSource.OPEN) return;
      end();
      whyLost(asked).then(setTrouble);
    };
    return () => {
      alive = false;
      end();
    };
  }, [asked, start]);

  const colouring = (colourings.find(([c]) => c === q.get('colour'))?.[0] ?? (scope === 'list' ? 'group' : 'reliability')) as Colouring;
  const [dark, setDark] = useState(isDark);
  useEffect(() => {
    const look = () => setDark(isDark());
    addEventListener('rowan-theme', look);
    const media = matchMedia('(prefers-color-scheme: dark)');
    media.addEventListener('change', look);
    return () => {
      removeEventListener('rowan-theme', look);
      media.removeEventListener('change', look);
    };
  }, []);
  const audit = useMarks(model, colouring === 'audit');
  const colours = useMemo(() => (points ? colour(points, colouring, dark, audit.marks) : null), [points, colouring, dark, audit.marks]);

  const background = useMemo(() => {
    const { marks } = audit;
    return points && colouring === 'audit' && marks ? Uint8Array.from(points.ids, (id) => (marks[id] ? 0 : 1)) : null;
  }, [points, colouring, audit.marks]);

  const [chosen, setChosen] = useState<number[]>([]); // places in points, by the lasso
  const pinned = q.get('pin');
  const [near, setNear] = useState<{ id: number; list: Near['results'][0] } | null>(null);
  const [hovered, setHovered] = useState<number | null>(null); // an id
  const focus = hovered ?? (pinned === null ? null : Number(pinned));
  useEffect(() => {
    if (focus === null || !Number.isFinite(focus)) {
      setNear(null);
      return undefined;
    }
    const leaving = new AbortController();
    const wait = setTimeout(() => {
      // far enough down the list to meet rows of a short list too
      ask<Near>('near', { model, token: `#${focus}`, k: points && points.n < info.input.rows ? Math.min(1000, info.input.rows - 1) : 10 }, leaving.signal)
        .then((answer) => setNear({ id: focus, list: answer.results[0]! }))
        .catch(() => undefined); // a row that is not finite has no neighbours; the map stays as it is
    }, 60);
    return () => {
      clearTimeout(wait);
      leaving.abort();
    };
  }, [focus, model]);
  const at = useMemo(() => {
    const places = new Map<number, number>();
    points?.ids.forEach((id, i) => places.set(id, i));
    return places;
  }, [points]);
  const lines = near && near.id === focus && at.has(focus!) && mapped ? near.list.neighbours.map((n) => at.get(n.id)).filter((i) => i !== undefined).slice(0, 10) : [];
  const shown = near?.list.neighbours.slice(0, 10) ?? [];
  const here = shown.filter((n) => at.has(n.id)).length;

  const [typed, setTyped] = useState(list);
  useLayoutEffect(() => setTyped(list), [list]);
  const caption = mapped?.story ?? [];
  const file = `rowan-map-${method}-seed${seed}`;
  const ink = dark ? '#eceef1' : '#1d1f23';

  return (
    <>
      <Heading
        title="Map"
        seen="Rows drawn on a plane, and how far the picture can be trusted. Point at a word and lines lead to its true neighbours in all dimensions."
        not="a plane cannot keep all distances. How large an island is and how far apart two are means little; words drawn close may be far apart, as the lines show."
      />
      <div class="controls">
        <Choice name="Method" options={methods} value={method} onChange={(value) => change({ method: value === 'pca' ? null : value })} />
        <Choice
          name="Rows"
          options={[['list', 'A list'], ['first', 'The first'], ['all', `All ${count(info.input.rows)}`]]}
          value={scope as 'list' | 'first' | 'all'}
          onChange={(value) => change({ scope: value === 'list' ? null : value, pin: null })}
        />
        {scope === 'first' && (
          <Field label="How many" for="map-first">
            <select id="map-first" value={first} onChange={(event) => change({ first: event.currentTarget.value })}>
              {[1000, 2000, 5000, 10000, 20000].filter((n) => n < info.input.rows || n === 1000).map((n) => <option key={n} value={String(n)}>{count(n)}</option>)}
            </select>
          </Field>
        )}
        {method === 'tsne' && (
          <Field label="Perplexity" for="map-perplexity">
            <select id="map-perplexity" value={perplexity} onChange={(event) => change({ perplexity: event.currentTarget.value === '30' ? null : event.currentTarget.value })}>
              {[...new Set(['5', '10', '30', '50', '100', perplexity])].map((n) => <option key={n} value={n}>{n}</option>)}
            </select>
          </Field>
        )}
        <Field label="Colour by" for="map-colour">
          <select id="map-colour" value={colouring} onChange={(event) => change({ colour: event.currentTarget.value })}>
            {colourings.filter(([name]) => name !== 'group' || scope === 'list').map(([name, label]) => <option key={name} value={name}>{label}</option>)}
          </select>
        </Field>
        {running ? (
          <button type="button" onClick={() => stop.current()}>Stop</button>
        ) : (
          heavy && !mapped && <button type="submit" onClick={() => setWanted(asked)}>Draw the map</button>
        )}
      </div>
      {scope === 'list' && (
        <details class="list-edit">
          <summary>{count(parsed.words.length)} words{parsed.groups.length ? ` in ${parsed.groups.length} groups` : ''}: change the list</summary>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              change({ words: typed.trim() === fortyEight ? null : typed.trim(), pin: null });
            }}
          >
            <label for="map-list" class="help">Words with spaces between them; a line may begin with a group and a colon.</label>
            <textarea id="map-list" rows={7} spellcheck={false} value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
            <div class="controls">
              <button type="submit">Map these</button>
              <button type="button" class="quiet" onClick={() => change({ words: null, pin: null })}>The 48 words</button>
            </div>
          </form>
        </details>
      )}
      <Alert message={trouble} />
      {running && (
        <p class="facts" role="status">
          {progress === null ? 'Computing…' : progress.stage === 'neighbours' ? `Finding neighbours: ${count(progress.done)} of ${count(progress.of)} rows` : `Laying out: iteration ${count(progress.done)} of ${count(progress.of)}`}
          {progress?.loss != null && `, KL divergence ${progress.loss.toFixed(3)}`}
          {progress && <progress value={progress.done} max={progress.of} aria-label="How far the map has come" />}
        </p>
      )}
      {!points && !running && heavy && (
        <p class="facts">A layout of {scope === 'all' ? count(info.input.rows) : count(Number(first))} rows takes a while and starts only when you ask; its seed makes it the same each time.</p>
      )}
      <div class="map-grid">
        <div class="map-main">
          <MapCanvas
            points={points}
            colours={colours}
            dark={dark}
            renderer={q.get('renderer')}
            ready={mapped !== null}
            focus={focus === null ? -1 : (at.get(focus) ?? -1)}
            lines={lines}
            chosen={chosen}
            background={background}
            viewKey={mapped?.key ?? (running ? 'running' : '')}
            initial={q.get('at')}
            model={model}
            onView={(text) => change({ at: text }, 'replace')}
            onHover={(i) => setHovered(i < 0 || !mapped ? null : points!.ids[i]!)}
            onPin={(i) => change({ pin: i < 0 ? null : points!.ids[i]! })}
            onChosen={setChosen}
            handle={handle}
          />
          <Legend colouring={colouring} groups={parsed.groups} dark={dark} points={points} audit={audit} />
          <div class="caption">
            {caption.map((line) => <p key={line}>{line}</p>)}
            {mapped && mapped.listed.leftOut.length > 0 && <p>Not one token of this model, left out: {mapped.listed.leftOut.slice(0, 30).join(', ')}.</p>}
            {mapped?.notes.map((note) => <p key={note}>{sentence(note)}</p>)}
          </div>
          {mapped && points && colours && (
            <div class="controls export" role="group" aria-label="Export">
              <button type="button" class="chip" onClick={() => handle.current?.png(caption).then((blob) => blob && save(`${file}.png`, blob))}>PNG</button>
              <button
                type="button"
                class="chip"
                onClick={() => {
                  const now = handle.current?.now();
                  if (now) save(`${file}.svg`, new Blob([svg(points, now.looks, now.view, now.width, now.height, now.labels, caption, ink)], { type: 'image/svg+xml' }));
                }}
              >
                SVG
              </button>
              <button type="button" class="chip" onClick={() => save(`${file}.tsv`, new Blob([tsv(points, parsed.groups)], { type: 'text/tab-separated-values' }))}>TSV</button>
            </div>
          )}
        </div>
        <aside class="map-side" aria-label="About the map">
          {focus !== null && near && near.id === focus ? (
            <Panel
              title={visible(near.list.query.token)}
              tools={<small class="id">#{near.id}</small>}
              note={mapped ? `True neighbours by cosine, all ${count(info.input.width)} dimensions, ${count(info.input.rows)} rows. ${here} of these ${shown.length} are on this map; lines lead to the closest ${lines.length} that are.` : undefined}
            >
              <ol class="near-list">
                {shown.map((n) => (
                  <li key={n.id}>
                    <Link href={address('/neighbours', { token: `#${n.id}` })}>{visible(n.token)}</Link> <span>{score(n.score)}</span>
                  </li>
                ))}
              </ol>
              <p class="note">baseline {score(near.list.baseline)}{at.has(focus) && points && !Number.isNaN(points.reliability[at.get(focus)!]!) && `; ${Math.round(100 * points.reliability[at.get(focus)!]!)} % of its nearest rows on this map are nearest here too`}</p>
              {pinned !== null && <button type="button" class="quiet" onClick={() => change({ pin: null })}>Let go</button>}
            </Panel>
          ) : (
            <Panel title="Pointing and picking">
              <p class="note">Point at a word for its true neighbours, click to keep it. Drag to move, wheel or pinch to zoom, Shift and drag to circle words. With keys: arrows move, + and − zoom, 0 shows all, Esc lets go.</p>
            </Panel>
          )}
          {chosen.length > 0 && points && (
            <Panel title={`${count(chosen.length)} chosen`} tools={<button type="button" class="quiet" onClick={() => setChosen([])}>Clear</button>}>
              <p class="chosen">{chosen.slice(0, 60).map((i) => visible(points.tokens[i] ?? '')).join(', ')}{chosen.length > 60 ? ' …' : ''}</p>
              {chosen.length <= 500 && <button type="button" onClick={() => { setChosen([]); change({ scope: null, words: chosen.map((i) => `#${points.ids[i]}`).join(' '), pin: null }); }}>Map these alone</button>}
            </Panel>
          )}
          {points && mapped && (
            <Panel title="Words on the map">
              <WordList points={points} handle={handle} onPick={(i) => { change({ pin: points.ids[i]! }); handle.current?.centre(i); }} />
            </Panel>
          )}
        </aside>
      </div>
    </>
  );
}
