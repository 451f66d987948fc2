import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { address, go } from '../route';
import { sentence, visible } from '../text';
import type { Asked, Token } from '../api';

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
  return props.of.trouble && <Alert message={props.of.trouble.message}>{props.children}</Alert>;
}

/** Why something is not there; nothing for an empty message. */
export function Alert(props: { message: string; children?: ComponentChildren }) {
  if (!props.message) return null;
  return (
    <div class="trouble" role="alert">
      <p>{sentence(props.message)}</p>
      {props.children}
    </div>
  );
}

export function TokenName(props: { token: string }) {
  return <span class="token"><b>{visible(props.token)}</b></span>;
}

/** A row's token, which leads to its neighbours, and its id. */
export function TokenLink({ row }: { row: Token }) {
  return (
    <>
      <Link href={neighboursOf(row)}>{visible(row.token)}</Link> <small>#{row.id}</small>
    </>
  );
}

/** The address of a row's neighbours. */
export function neighboursOf(row: { id: number }): string {
  return address('/neighbours', { token: `#${row.id}` });
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
