import { useEffect, useState } from 'preact/hooks';
import { useAnswer, type ModelInfo, type Models } from './api';
import { address, change, useRoute, type Route } from './route';
import { Link } from './parts/basics';
import { count } from './text';
import { Lookup } from './pages/lookup';
import { Neighbours } from './pages/neighbours';
import { MapPage } from './pages/map';
import { AnalogyPage } from './pages/analogy';
import { Audit } from './pages/audit';
import { Compare } from './pages/compare';
import { Geometry } from './pages/geometry';
import { Output } from './pages/output';
import { Training } from './pages/training';
import logo from './rowan.svg';

export interface ViewProps {
  route: Route;
  model: string | null;
  info: ModelInfo;
}

const views = [
  { path: '/lookup', name: 'Lookup', view: Lookup },
  { path: '/neighbours', name: 'Neighbours', view: Neighbours },
  { path: '/map', name: 'Map', view: MapPage },
  { path: '/analogy', name: 'Analogy', view: AnalogyPage },
  { path: '/output', name: 'Output', view: Output },
  { path: '/geometry', name: 'Geometry', view: Geometry },
  { path: '/audit', name: 'Audit', view: Audit },
  { path: '/training', name: 'Training', view: Training },
  { path: '/compare', name: 'Compare', view: Compare },
] as const;

function theme(): string {
  try {
    return localStorage.getItem('rowan-theme') ?? 'auto';
  } catch {
    return 'auto'; // storage may be switched off
  }
}

function Theme() {
  const [now, setNow] = useState(theme);
  useEffect(() => {
    document.documentElement.dataset.theme = now;
    try {
      localStorage.setItem('rowan-theme', now);
    } catch {
      // then it lasts until the page is closed
    }
    dispatchEvent(new Event('rowan-theme'));
  }, [now]);
  return (
    <label class="pick">
      <span>Colours</span>
      <select value={now} onChange={(event) => setNow(event.currentTarget.value)}>
        <option value="auto">as the system</option>
        <option value="light">light</option>
        <option value="dark">dark</option>
      </select>
    </label>
  );
}

export function App() {
  const route = useRoute();
  const model = route.query.get('model');
  const models = useAnswer<Models>('models', {});
  const info = useAnswer<ModelInfo>('info', { model });
  const now = views.find((view) => view.path === route.path) ?? views[0];

  useEffect(() => {
    document.title = `${now.name} · Rowan`;
    // on a phone the views are a row that scrolls
    const link = document.querySelector<HTMLElement>('nav a[aria-current]');
    const row = link?.parentElement;
    if (link && row) row.scrollLeft = link.offsetLeft - row.offsetLeft - (row.clientWidth - link.clientWidth) / 2;
  }, [now]);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.key !== '/' || event.ctrlKey || event.metaKey || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
      const field = document.querySelector<HTMLInputElement>('[data-main]');
      if (field) {
        event.preventDefault();
        field.focus();
        field.select();
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);

  return (
    <div class="frame">
      <a class="skip" href="#view">To the view</a>
      <aside class="side">
        <div class="side-in">
        <Link class="brand" href={address('/lookup')} label="Rowan, start">
          <img src={logo} alt="" width="28" height="28" />
          <span>Rowan</span>
        </Link>
        <nav aria-label="Views">
          {views.map((view) => (
            <Link key={view.path} href={address(view.path)} current={view === now}>
              {view.name}
            </Link>
          ))}
        </nav>
        <div class="side-foot">
          {models.data && models.data.models.length > 1 && (
            <label class="pick">
              <span>Model</span>
              <select
                value={model ?? models.data.models[0]?.name}
                onChange={(event) => change({ model: event.currentTarget.value === models.data?.models[0]?.name ? null : event.currentTarget.value })}
              >
                {models.data.models.map(({ name }) => (
                  <option key={name} value={name}>{name}</option>
                ))}
              </select>
            </label>
          )}
          {info.data && (
            <p class="model">
              <b>{info.data.name}</b>
              <br />
              {count(info.data.input.rows)} × {count(info.data.input.width)}, {info.data.input.dtype}
            </p>
          )}
          <Theme />
        </div>
        </div>
      </aside>
      <main id="view" tabIndex={-1} data-ready={info.data || info.trouble ? '' : undefined}>
        {info.trouble && (
          <div class="trouble" role="alert">
            <p>{info.trouble.message}</p>
          </div>
        )}
        {info.data && <now.view key={`${now.path} ${model}`} route={route} model={model} info={info.data} />}
      </main>
    </div>
  );
}
