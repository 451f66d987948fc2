import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ask, type Token } from '../api';
import { visible } from '../text';

interface Props {
  label: string;
  value: string;
  model: string | null;
  placeholder?: string;
  clear?: boolean; // empties after each word, for lists
  main?: boolean; // the field that "/" goes to
  onWord: (word: string) => void;
}

/** A word, with the tokens that begin like it (WAI-ARIA combobox). */
export function TokenField(props: Props) {
  const id = useId();
  const [typed, setTyped] = useState(props.value);
  const [matches, setMatches] = useState<Token[]>([]);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const asked = useRef<AbortController | null>(null);

  // at once: an effect after painting would take back what was typed in between
  useLayoutEffect(() => setTyped(props.value), [props.value]);

  function look(text: string) {
    asked.current?.abort();
    const word = text.trim();
    if (!word || word.startsWith('#') || /\s/.test(word)) {
      setMatches([]);
      return;
    }
    const leaving = new AbortController();
    asked.current = leaving;
    ask<{ matches: Token[] }>('complete', { text: word.slice(0, 100), model: props.model }, leaving.signal)
      .then((answer) => {
        setMatches(answer.matches);
        setActive(-1);
      })
      .catch(() => undefined); // suggestions may fail; the question itself will say why
  }

  function choose(word: string) {
    asked.current?.abort();
    setOpen(false);
    setMatches([]);
    setActive(-1);
    if (!word.trim()) return;
    setTyped(props.clear ? '' : word);
    props.onWord(word);
  }

  const shown = open && matches.length > 0;
  return (
    <div class="field grow combo">
      <label for={id}>{props.label}</label>
      <input
        id={id}
        type="text"
        role="combobox"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        data-main={props.main ? '' : undefined}
        value={typed}
        placeholder={props.placeholder}
        aria-expanded={shown}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setOpen(true);
          look(event.currentTarget.value);
        }}
        onBlur={() => setOpen(false)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' && shown) {
            event.preventDefault();
            setActive((active + 1) % matches.length);
          } else if (event.key === 'ArrowUp' && shown) {
            event.preventDefault();
            setActive((active + matches.length) % (matches.length + 1) - (active < 0 ? 1 : 0));
          } else if (event.key === 'Enter') {
            event.preventDefault();
            const match = matches[active];
            choose(match && shown ? `#${match.id}` : typed);
          } else if (event.key === 'Escape') {
            setOpen(false);
          }
        }}
      />
      <ul id={`${id}-list`} role="listbox" aria-label={`Tokens like the ${props.label.toLowerCase()}`} hidden={!shown}>
        {matches.map((match, i) => (
          <li
            key={match.id}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === active}
            class={i === active ? 'active' : ''}
            onMouseDown={(event) => {
              event.preventDefault(); // the field keeps the focus
              choose(`#${match.id}`);
            }}
          >
            <b>{visible(match.token)}</b> <small>#{match.id}</small>
          </li>
        ))}
      </ul>
    </div>
  );
}
