import { useMemo, useState } from 'preact/hooks';
import { Field } from '../parts/basics';
import { isWord, visible } from '../text';
import type { MapHandle } from './canvas';
import type { Points } from './view';

export const fortyEight = [
  'animals: cat dog horse cow pig sheep lion bear',
  'numbers: one two three four five six seven eight',
  'countries: france germany italy spain china japan india brazil',
  'colours: red blue green yellow white black purple orange',
  'months: january march april june july august october december',
  'jobs: doctor teacher lawyer engineer nurse farmer soldier artist',
].join('\n');

/** Reads a list: words, or lines of "group: words". */
export function readList(text: string): { words: string[]; groups: string[]; of: number[] } {
  const groups: string[] = [];
  const words: string[] = [];
  const of: number[] = [];
  for (const line of text.split('\n')) {
    const colon = /^\s*([^:\s][^:]{0,40}):\s/.exec(line);
    const group = colon ? groups.push(colon[1]!.trim()) - 1 : -1;
    for (const word of (colon ? line.slice(colon[0].length) : line).split(/[\s,;]+/).filter(Boolean)) {
      words.push(word);
      of.push(group);
    }
  }
  return { words, groups, of };
}

/** The map as a list, for those who do not see it; and the search. */
export function WordList(props: { points: Points; handle: { current: MapHandle | null }; onPick: (i: number) => void }) {
  const { points } = props;
  const [text, setText] = useState('');
  const found = useMemo(() => {
    const wanted = text.trim().toLowerCase();
    const exact: number[] = [];
    const inside: number[] = [];
    for (let i = 0; i < points.n && exact.length + inside.length < (wanted ? 400 : 5000); i++) {
      const token = (points.tokens[i] ?? '').trim().toLowerCase();
      if (!wanted || token.startsWith(wanted)) (token === wanted ? exact : inside).push(i);
    }
    // whole words before marks and pieces
    if (!wanted) inside.sort((a, b) => Number(!isWord(points.tokens[a]!)) - Number(!isWord(points.tokens[b]!)) || a - b);
    return [...exact, ...inside].slice(0, 60);
  }, [text, points]);
  return (
    <>
      <Field label="Search" for="map-search">
        <input
          id="map-search"
          type="search"
          data-main=""
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && found.length) props.onPick(found[0]!);
          }}
        />
      </Field>
      <ul class="word-list">
        {found.map((i) => (
          <li key={points.ids[i]}>
            <button type="button" class="quiet" onClick={() => props.onPick(i)}>{visible(points.tokens[i] ?? '')}</button>
          </li>
        ))}
      </ul>
    </>
  );
}
