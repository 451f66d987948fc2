import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { go } from '../route';
import { visible } from '../text';
import type { Asked } from '../api';

/** A link inside the explorer: the address changes, the page does not load anew. */
export function Link(props: { href: string; class?: string; current?: boolean; label?: string; children: ComponentChildren }) {
  return (
    <a
      href={props.href}
      class={props.class}
      aria-current={props.current ? 'page' : undefined}
      aria-label={props.label}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        go(props.href);
      }}
    >
      {props.children}
    </a>
  );
}

/** The head of a view: its name, what is seen, what not to conclude. */
export function Heading(props: { title: string; seen: string; not: string }) {
  return (
    <header class="heading">
      <h1>{props.title}</h1>
      <p class="seen">{props.seen}</p>
      <p class="not">
        <strong>Mind:</strong> {props.not}
      </p>
    </header>
  );
}

export function Panel(props: { title: string; note?: ComponentChildren; busy?: boolean; class?: string; tools?: ComponentChildren; children: ComponentChildren }) {
  const id = useId();
  return (
    <section class={`panel ${props.class ?? ''}`} aria-labelledby={id} aria-busy={props.busy ?? false}>
      <div class="panel-head">
        <h2 id={id}>{props.title}</h2>
        {props.tools}
      </div>
      {props.note && <p class="note">{props.note}</p>}
      {props.children}
    </section>
  );
}

/** What the server refused, where it matters. */
export function Trouble(props: { of: Asked<unknown>; children?: ComponentChildren }) {
  if (!props.of.trouble) return null;
  const message = props.of.trouble.message;
  return (
    <div class="trouble" role="alert">
      <p>{message.charAt(0).toUpperCase() + message.slice(1)}.</p>
      {props.children}
    </div>
  );
}

export function TokenName(props: { token: string; id?: number | null; class?: string }) {
  return (
    <span class={`token ${props.class ?? ''}`}>
      <b>{visible(props.token)}</b>
      {props.id !== undefined && props.id !== null && <small> #{props.id}</small>}
    </span>
  );
}

/** One of a few choices, as buttons in a row. */
export function Choice<T extends string>(props: { name: string; options: readonly (readonly [T, string])[]; value: T; onChange: (value: T) => void }) {
  const id = useId();
  return (
    <fieldset class="choice">
      <legend>{props.name}</legend>
      <div class="segments">
        {props.options.map(([value, label]) => (
          <label key={value} class={value === props.value ? 'on' : ''}>
            <input type="radio" name={id} value={value} checked={value === props.value} onChange={() => props.onChange(value)} />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export function Switch(props: { label: string; value: boolean; title?: string; onChange: (value: boolean) => void }) {
  return (
    <label class="switch" title={props.title}>
      <input type="checkbox" role="switch" checked={props.value} onChange={(event) => props.onChange(event.currentTarget.checked)} />
      <span class="track" aria-hidden="true" />
      {props.label}
    </label>
  );
}

export function Field(props: { label: string; children: ComponentChildren; for: string; grow?: boolean }) {
  return (
    <div class={`field ${props.grow ? 'grow' : ''}`}>
      <label for={props.for}>{props.label}</label>
      {props.children}
    </div>
  );
}
