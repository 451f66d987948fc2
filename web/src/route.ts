import { useEffect, useState } from 'preact/hooks';

/** Where the reader is: the view and its settings. All of it is the address. */
export interface Route {
  path: string;
  query: URLSearchParams;
}

const listeners = new Set<() => void>();

function current(): Route {
  return { path: location.pathname, query: new URLSearchParams(location.search) };
}

addEventListener('popstate', () => listeners.forEach((listener) => listener()));

/** Follows the address. */
export function useRoute(): Route {
  const [route, setRoute] = useState(current);
  useEffect(() => {
    const listener = () => setRoute(current());
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return route;
}

/** Returns an address; settings that are empty are left away, the model is kept. */
export function address(path: string, settings: Settings = {}): string {
  const query = new URLSearchParams();
  const model = new URLSearchParams(location.search).get('model');
  const all: Settings = model && !('model' in settings) ? { ...settings, model } : settings;
  for (const [name, value] of Object.entries(all)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== '' && one !== false) query.append(name, String(one));
    }
  }
  const text = query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
  return text ? `${path}?${text}` : path;
}

export type Settings = Record<string, string | number | boolean | string[] | null | undefined>;

/** Goes to an address: a new entry of the history, or in place of the present one. */
export function go(url: string, how: 'push' | 'replace' = 'push'): void {
  if (url === location.pathname + location.search) return;
  if (how === 'push') history.pushState(null, '', url);
  else history.replaceState(null, '', url);
  listeners.forEach((listener) => listener());
}

/** Changes some settings of the present view. */
export function change(settings: Settings, how: 'push' | 'replace' = 'push'): void {
  const now: Settings = {};
  const query = new URLSearchParams(location.search);
  for (const name of new Set(query.keys())) now[name] = query.getAll(name);
  go(address(location.pathname, { ...now, ...settings }), how);
}
