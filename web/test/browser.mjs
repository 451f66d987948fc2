// Drives the explorer in a real browser: node test/browser.mjs ADDRESS FOLDER ROWAN [NAME…]
//
// Prints one JSON line a test: {name, passed, message, millis}. Screenshots go to FOLDER. A message on
// the browser's console, a violation of the security policy or a request to another host fails a test.
import { chromium } from 'playwright-core';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import assert from 'node:assert/strict';

const [address, folder, rowan, ...only] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const browser = await chromium.launch({
  executablePath: process.env.ROWAN_CHROMIUM ?? '/usr/bin/chromium',
  headless: true,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--enable-unsafe-swiftshader', '--force-color-profile=srgb'],
});

/** Asks the command line the same question. */
function commandLine(...args) {
  return JSON.parse(execFileSync(rowan, ['--json', ...args], { encoding: 'utf8', env: { ...process.env, ROWAN_BUILD: 'never' } }));
}

const three = (x) => x.toFixed(3).replace(/^-0\.000$/, '0.000');
const texts = (page, selector) => page.locator(selector).allInnerTexts();

/** Opens a page that fails its test when anything is amiss; returns what it was amiss with. */
async function open(path, options = {}) {
  const context = await browser.newContext({
    viewport: options.viewport ?? { width: 1280, height: 900 },
    colorScheme: options.scheme ?? 'light',
    reducedMotion: 'reduce',
    hasTouch: options.touch ?? false,
    acceptDownloads: true,
  });
  const page = await context.newPage();
  const amiss = [];
  const expected = options.expected ?? /^$/;
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !/GPU stall due to ReadPixels/.test(message.text()) && !expected.test(message.text())) amiss.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => amiss.push(`error: ${error.message}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (['http:', 'https:', 'ws:'].includes(url.protocol) && url.host !== new URL(address).host) amiss.push(`request to ${url.host}`);
  });
  await page.addInitScript(() => {
    globalThis.violations = [];
    document.addEventListener('securitypolicyviolation', (event) => globalThis.violations.push(`${event.violatedDirective}: ${event.blockedURI}`));
  });
  await page.goto(new URL(path, address).href);
  await page.locator('main[data-ready]').waitFor();
  page.amiss = async () => [...amiss, ...(await page.evaluate(() => globalThis.violations))];
  return page;
}

async function settle(page) {
  await page.waitForLoadState('networkidle');
  await page.waitForFunction(() => !document.querySelector('[aria-busy="true"], .stale'));
}

async function close(page) {
  const amiss = await page.amiss();
  await page.context().close();
  assert.deepEqual(amiss, [], 'nothing amiss on the page');
}

async function accessible(page) {
  await page.evaluate(axe); // by the debugger: the page's own policy would not let it in
  const found = await page.evaluate(async () => (await globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] })).violations);
  assert.deepEqual(found.map((v) => `${v.id}: ${v.nodes.map((n) => n.target + ' ' + n.failureSummary).slice(0, 3).join(' | ')}`), [], 'axe rules');
}

/** The second model with a vocabulary: the default one, trained further on a text. */
async function second() {
  const names = (await (await fetch(new URL('/api/v1/models', address))).json()).models.map((m) => m.name);
  return names.find((name) => name.startsWith('second'));
}

const phone = { width: 390, height: 844 };
const views = ['lookup', 'neighbours', 'map', 'analogy', 'output', 'geometry', 'audit', 'training', 'compare'];
const tests = {};

for (const view of views) {
  for (const [look, options] of Object.entries({ light: {}, dark: { scheme: 'dark' }, phone: { viewport: phone, touch: true } })) {
    tests[`${view} shows itself, ${look}`] = async () => {
      const page = await open(view === 'compare' ? `/compare?other=${await second()}&token=cat` : `/${view}`, options);
      await settle(page);
      if (view === 'map') await mapIsReady(page);
      if (view === 'compare') await page.locator('.compare-facts').waitFor({ timeout: 90_000 });
      if (view === 'audit') await page.locator('.rules').waitFor({ timeout: 90_000 });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `the page is ${wide} px wider than the window`);
      await page.screenshot({ path: join(folder, `${view}-${look}.png`), fullPage: true });
      await accessible(page);
      await close(page);
    };
  }
}

tests['the first page is usable within a second'] = async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const began = performance.now();
  await page.goto(new URL('/neighbours?token=cat', address).href);
  await page.locator('.bars tbody .num').first().waitFor();
  const millis = performance.now() - began;
  await context.close();
  console.error(`first page usable after ${millis.toFixed(0)} ms`);
  assert.ok(millis < 3000, `${millis} ms`); // the goal is 1000; a busy machine is given more
};

tests['neighbours are the command line\'s'] = async () => {
  const page = await open('/neighbours?token=cat&token=king&k=10');
  await settle(page);
  const want = commandLine('near', 'cat', 'king', '-k', '10').results;
  const panels = page.locator('.columns .panel');
  assert.equal(await panels.count(), 2);
  for (let i = 0; i < 2; i++) {
    const shown = await panels.nth(i).locator('tbody .num').evaluateAll((cells) => cells.map((cell) => cell.title));
    assert.deepEqual(shown.map(Number), want[i].neighbours.map((n) => n.score));
    assert.deepEqual(await panels.nth(i).locator('tbody .num').allInnerTexts(), want[i].neighbours.map((n) => three(n.score)));
    assert.deepEqual(await panels.nth(i).locator('tbody .name small').allInnerTexts(), want[i].neighbours.map((n) => `#${n.id}`));
    assert.equal(await panels.nth(i).locator('tfoot .num').innerText(), three(want[i].baseline));
    assert.ok(await panels.nth(i).locator('.bar-base').count() > 10, 'the baseline is drawn on every bar');
  }
  await close(page);
};

tests['metric and centring are in the address, back and forward work'] = async () => {
  const page = await open('/neighbours?token=cat');
  await settle(page);
  await page.getByText('Distance', { exact: true }).click();
  await page.waitForURL(/metric=euclidean/);
  await settle(page);
  const want = commandLine('near', 'cat', '--metric', 'euclidean').results[0].neighbours;
  assert.deepEqual(await texts(page, '.bars tbody .num'), want.map((n) => three(n.score)));
  await page.getByRole('switch', { name: 'Centred' }).focus();
  await page.keyboard.press('Space');
  await page.waitForURL(/centred=true/);
  await page.goBack();
  await page.waitForURL((url) => !url.search.includes('centred'));
  await page.goBack();
  await page.waitForURL((url) => !url.search.includes('metric'));
  await settle(page);
  assert.equal(await page.locator('.bars tbody .num').first().innerText(), '0.815');
  await page.goForward();
  await page.waitForURL(/metric=euclidean/);
  await page.reload();
  await settle(page);
  assert.deepEqual(await texts(page, '.bars tbody .num'), want.map((n) => three(n.score)));
  await close(page);
};

tests['a word of several tokens is refused in words and offers the mean'] = async () => {
  const page = await open('/neighbours?token=kittenish', { expected: /400/ });
  const alert = page.getByRole('alert');
  await alert.waitFor();
  assert.match(await alert.innerText(), /not one token but 2: kitten #18401, ##ish #4509/);
  await alert.getByRole('button', { name: /mean/ }).click();
  await page.waitForURL(/mean=true/);
  await page.locator('.bars tbody .num').first().waitFor();
  const want = commandLine('near', '--mean', 'kittenish').results[0].neighbours;
  assert.deepEqual(await texts(page, '.bars tbody .num'), want.map((n) => three(n.score)));
  await close(page);
};

tests['analogies are the command line\'s, raw and without inputs'] = async () => {
  for (const expression of ['king - man + woman', 'doctor - man + woman']) {
    const page = await open(`/analogy?expression=${encodeURIComponent(expression)}`);
    await settle(page);
    const want = commandLine('analogy', expression, '-k', '8');
    const [raw, without] = [page.locator('.panel', { hasText: 'Raw' }).first(), page.locator('.panel', { hasText: 'Excluding inputs' }).first()];
    assert.deepEqual(await raw.locator('tbody .num').evaluateAll((c) => c.map((x) => Number(x.title))), want.raw.map((n) => n.score));
    assert.deepEqual(await without.locator('tbody .num').evaluateAll((c) => c.map((x) => Number(x.title))), want.excludingInputs.map((n) => n.score));
    const verdict = await page.locator('.verdict').first().innerText();
    assert.ok(verdict.includes(`neighbour ${want.answer.rankBefore} of`), verdict);
    assert.ok(verdict.includes(three(want.answer.scoreBefore)), verdict);
    await close(page);
  }
};

tests['scores are the command line\'s'] = async () => {
  const page = await open('/output?token=king');
  await settle(page);
  const want = commandLine('score', 'king', '-k', '15').scores;
  const cells = await page.locator('.bars tbody .num').evaluateAll((c) => c.map((x) => Number(x.title)));
  assert.deepEqual(cells, want.flatMap((s) => [s.logit, s.probability]));
  await close(page);
};

tests['the audit is the command line\'s'] = async () => {
  const page = await open('/audit');
  await page.locator('.rules').waitFor({ timeout: 90_000 });
  const want = commandLine('audit');
  const shown = await page.locator('.bars tbody tr').evaluateAll((rows) => rows.slice(0, 10).map((row) => [row.querySelector('small').textContent, Number(row.querySelector('.num').title)]));
  assert.deepEqual(shown, want.candidates.slice(0, 10).map((c) => [`#${c.id}`, c.value]));
  const counts = await page.locator('.rules > li').allInnerTexts();
  assert.ok(counts.some((line) => line.startsWith(`${want.counts['under-trained'].toLocaleString('en-US')} under-trained`)), counts.join());
  await close(page);
};

tests['stats, similar, doesnt-match and axis are the command line\'s'] = async () => {
  let page = await open('/geometry');
  await page.locator('.directions').waitFor({ timeout: 60_000 });
  await settle(page);
  const stats = commandLine('stats');
  assert.equal(Number(await page.locator('[data-name=meanCosine]').getAttribute('title')), stats.meanCosine);
  assert.equal(Number(await page.locator('[data-name=rank]').getAttribute('title')), stats.effectiveRank);
  assert.deepEqual(await page.locator('.pairs tbody td.num:nth-child(2)').evaluateAll((c) => c.map((x) => Number(x.title))), ['asStored', 'centered', 'withoutTopDirections'].map((name) => stats.pairCosines[name].mean));
  assert.deepEqual(await page.locator('.directions .num[title]').evaluateAll((c) => c.map((x) => Number(x.title))), stats.topDirections.map((d) => d.share));
  assert.equal(await page.locator('.directions tbody td').nth(1).innerText(), stats.topDirections[0].forward.map((h) => h.token).join(', '));
  await close(page);
  page = await open('/neighbours?token=cat&token=dog');
  await settle(page);
  const alike = commandLine('similar', 'cat', 'dog');
  const said = await page.locator('.among').innerText();
  assert.equal(Number(await page.locator('.among b').first().getAttribute('title')), alike.cosine);
  assert.ok(said.includes(`neighbour ${alike.rankFromA} of cat`) && said.includes(`neighbour ${alike.rankFromB} of dog`), said);
  await close(page);
  page = await open('/neighbours?token=breakfast&token=lunch&token=dinner&token=car');
  await settle(page);
  const odd = commandLine('doesnt-match', 'breakfast', 'lunch', 'dinner', 'car');
  assert.equal(await page.locator('.among h2').innerText(), 'car goes least with the others');
  assert.deepEqual(await page.locator('.among span[title]').evaluateAll((c) => c.map((x) => Number(x.title))), odd.ranked.map((h) => h.score));
  await close(page);
  page = await open('/analogy?from=bad&to=good&list=terrible+fine+excellent');
  await settle(page);
  const axis = commandLine('axis', 'bad', 'good', 'terrible', 'fine', 'excellent').places;
  assert.deepEqual(await page.locator('.axis-table tbody .num').evaluateAll((c) => c.map((x) => Number(x.title))), axis.flatMap((p) => [p.position, p.cosine]));
  await close(page);
};

tests['text becomes the command line\'s tokens'] = async () => {
  const page = await open(`/lookup?text=${encodeURIComponent('The unbelievable kittenish cats')}`);
  await settle(page);
  const want = commandLine('tokens', 'The unbelievable kittenish cats');
  assert.deepEqual(await texts(page, '.lookup tbody .name'), want.tokens);
  assert.deepEqual(await page.locator('.lookup tbody td:nth-child(2)').allInnerTexts(), want.ids.map((id) => `#${id}`));
  await close(page);
};

tests['the one-hot product is stepped by keys and counted'] = async () => {
  const page = await open('/lookup');
  await settle(page);
  const group = page.locator('.onehot');
  await group.focus();
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight');
  assert.match(await group.locator('.count').innerText(), /^12 of 20 multiplications, 12 of them by 0/);
  await page.keyboard.press('ArrowRight');
  assert.match(await group.locator('.count').innerText(), /^16 of 20 multiplications, 12 of them by 0/);
  await page.keyboard.press('End');
  assert.match(await group.locator('.count').innerText(), /^20 of 20 multiplications, 16 of them by 0.*Equal to the last bit/);
  const [sum, lookup] = [await texts(page, '.onehot tfoot tr:first-child td'), await texts(page, '.onehot tfoot tr:last-child td')];
  assert.deepEqual(sum, lookup);
  await page.keyboard.press('Home');
  assert.match(await group.locator('.count').innerText(), /^0 of 20/);
  await close(page);
};

tests['the heat map is read by keys and holds the table\'s numbers'] = async () => {
  const page = await open('/lookup?row=4937');
  await settle(page);
  await page.locator('.heat-scroll').focus();
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight');
  const want = commandLine('corner', '#4937', '--columns', '4').values[0][3];
  await page.waitForFunction(() => document.querySelector('#heat-read').textContent.includes('column 3'));
  assert.equal(await page.locator('#heat-read').innerText(), `cat #4937, column 3: ${want.toFixed(4)}`);
  await page.keyboard.press('End');
  await page.waitForFunction(() => document.querySelector('#heat-read').textContent.includes('#30521'));
  const colours = await page.locator('.heat-canvas').evaluate((canvas) => new Set(new Uint32Array(canvas.getContext('2d').getImageData(120, 0, 200, 200).data.buffer)).size);
  assert.ok(colours > 20, `${colours} colours`);
  await close(page);
};

tests['the heat map scrolls over all rows and columns'] = async () => {
  const page = await open('/lookup');
  await settle(page);
  const box = page.locator('.heat-scroll');
  const frames = [];
  for (let i = 0; i < 40; i++) {
    await box.evaluate((element) => element.scrollBy(97, 10_700));
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    frames.push(Number(await box.getAttribute('data-frame')));
  }
  frames.sort((a, b) => a - b);
  console.error(`heat map: median frame ${frames[20]} ms, worst ${frames[39]} ms`);
  assert.ok(frames[20] < 60, `a frame takes ${frames[20]} ms`); // the goal is 16; a busy machine is given more
  await box.evaluate((element) => element.scrollTo(element.scrollWidth, element.scrollHeight));
  await settle(page);
  const painted = await page.locator('.heat-canvas').evaluate((canvas) => new Set(new Uint32Array(canvas.getContext('2d').getImageData(120, 0, 200, 200).data.buffer)).size);
  assert.ok(painted > 20, `${painted} colours in the last corner`);
  const place = await box.boundingBox();
  await box.hover({ position: { x: place.width - 30, y: place.height - 30 } }); // brings it into the window first
  await page.waitForFunction(() => /#305\d\d, column 38\d: -?\d/.test(document.querySelector('#heat-read').textContent));
  await close(page);
};

tests['everything is reached by keys alone'] = async () => {
  const page = await open('/lookup');
  await settle(page);
  const seen = new Set();
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const e = document.activeElement;
      return `${e.tagName} ${e.id || e.getAttribute('aria-label') || e.textContent.slice(0, 20)}`;
    });
    if (at.startsWith('BODY')) break;
    seen.add(at);
  }
  for (const link of ['A Lookup', 'A Neighbours', 'A Map', 'A Analogy', 'A Output', 'A Geometry', 'A Audit', 'A Training', 'A Compare']) assert.ok(seen.has(link), `${link} in ${[...seen]}`);
  await page.getByRole('link', { name: 'Neighbours' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/neighbours/);
  await settle(page);
  await page.keyboard.press('/');
  await page.keyboard.type('quee');
  await page.locator('.combo [role=option]').first().waitFor();
  await page.keyboard.press('ArrowDown');
  const chosen = (await page.locator('.combo [role=option][aria-selected=true] small').innerText()).slice(1);
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`token=%23${chosen}`));
  await settle(page);
  assert.ok((await texts(page, '.columns .id')).includes(`#${chosen}`));
  await close(page);
};

/** Asks for a map as a program would and returns what the server says of it, and its points. */
async function mapOf(query) {
  const text = await (await fetch(new URL(`/api/v1/map?${query}`, address))).text();
  const ready = JSON.parse(/^event: map\ndata: (.*)$/m.exec(text)[1]);
  const bytes = await (await fetch(new URL(`/api/v1/map/points?key=${ready.key}`, address))).arrayBuffer();
  const n = bytes.byteLength / 20;
  return { ready, n, ids: new Int32Array(bytes, 0, n), x: new Float32Array(bytes, 4 * n, n), y: new Float32Array(bytes, 8 * n, n), reliability: new Float32Array(bytes, 12 * n, n) };
}

const mapIsReady = (page) => page.locator('.map-box[data-ready]').waitFor({ timeout: 120_000 });

/** Where a point is on the page, given that the whole map is shown. */
async function placeOf(page, map, i) {
  const box = await page.locator('.map-box').boundingBox();
  const [w, h] = [box.width - 2, box.height - 2];
  const [x0, x1, y0, y1] = [Math.min(...map.x), Math.max(...map.x), Math.min(...map.y), Math.max(...map.y)];
  const scale = Math.min((0.88 * w) / (x1 - x0), (0.88 * h) / (y1 - y0));
  return [box.x + 1 + w / 2 + (map.x[i] - (x0 + x1) / 2) * scale, box.y + 1 + h / 2 - (map.y[i] - (y0 + y1) / 2) * scale];
}

const colours = (page) => page.locator('.map-below').evaluate((canvas) => {
  const copy = document.createElement('canvas');
  copy.width = canvas.width;
  copy.height = canvas.height;
  const pen = copy.getContext('2d');
  pen.drawImage(canvas, 0, 0);
  const pixels = new Uint32Array(pen.getImageData(0, 0, copy.width, copy.height).data.buffer);
  let painted = 0;
  for (const pixel of pixels) if (pixel !== pixels[0]) painted++;
  return painted;
});

tests['the map points at true neighbours'] = async () => {
  const page = await open('/map');
  await mapIsReady(page);
  assert.equal(await page.locator('.map-box').getAttribute('data-renderer'), 'canvas');
  assert.ok((await colours(page)) > 1500, 'points are painted');
  const words = await page.evaluate(() => document.querySelector('textarea').value.replace(/^\w+:/gm, '').split(/\s+/).filter(Boolean).join(' '));
  const map = await mapOf(`method=pca&words=${encodeURIComponent(words)}`);
  assert.equal(map.n, 48);
  const cat = map.ids.indexOf(4937);
  await page.mouse.move(...(await placeOf(page, map, cat)));
  await page.locator('.near-list li').first().waitFor();
  const want = commandLine('near', 'cat', '-k', '10').results[0];
  assert.deepEqual(await texts(page, '.near-list a'), want.neighbours.map((n) => n.token));
  assert.deepEqual(await texts(page, '.near-list span'), want.neighbours.map((n) => three(n.score)));
  await page.mouse.down();
  await page.mouse.up();
  await page.waitForURL(/pin=4937/);
  const caption = await page.locator('.caption').innerText();
  assert.match(caption, /^PCA of 48 rows × 384 numbers/);
  assert.ok(caption.includes(`${(100 * map.ready.quality.neighbourRecall).toFixed(1)} % of a point's 10 nearest neighbours are among`), caption);
  await page.screenshot({ path: join(folder, 'map-hover.png') });
  await close(page);
};

tests['t-SNE is watched, and the same seed gives the same map'] = async () => {
  const page = await open('/map?method=tsne&words=cat+dog+horse+cow+one+two+three+four+france+italy+spain+japan&perplexity=5');
  await mapIsReady(page);
  assert.match(await page.locator('.caption').innerText(), /^t-SNE of 12 rows × 384 numbers.*KL divergence/s);
  await close(page);
  const query = 'method=tsne&perplexity=5&words=cat+dog+horse+cow+one+two+three+four+france+italy+spain+japan';
  const [a, b] = [await mapOf(`${query}&iterations=300`), await mapOf(`${query}&iterations=300&seed=1`)];
  assert.deepEqual([...a.x], [...b.x]);
};

tests['the map moves by keys, by wheel and by its address'] = async () => {
  const page = await open('/map');
  await mapIsReady(page);
  await page.locator('.map-box').focus();
  await page.keyboard.press('+');
  await page.keyboard.press('+');
  await page.keyboard.press('ArrowRight');
  await page.waitForURL(/at=/);
  const at = new URL(page.url()).searchParams.get('at');
  assert.equal(Number(at.split(',')[2]).toFixed(2), '1.96');
  const before = await colours(page);
  await page.reload();
  await mapIsReady(page);
  await page.waitForTimeout(300);
  assert.equal(await colours(page), before, 'the same view after loading anew');
  await page.locator('.map-box').focus();
  await page.keyboard.press('0');
  await page.waitForURL((url) => !url.search.includes('at='));
  const box = await page.locator('.map-box').boundingBox();
  await page.mouse.move(box.x + 100, box.y + 100);
  await page.mouse.wheel(0, -400);
  await page.waitForURL(/at=/);
  await close(page);
};

tests['words are circled, searched, exported'] = async () => {
  const page = await open('/map');
  await mapIsReady(page);
  const box = await page.locator('.map-box').boundingBox();
  await page.keyboard.down('Shift');
  await page.mouse.move(box.x + 4, box.y + 4);
  await page.mouse.down();
  for (const [x, y] of [[box.width / 2, 4], [box.width / 2, box.height - 4], [4, box.height - 4]]) await page.mouse.move(box.x + x, box.y + y, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  const title = await page.getByRole('heading', { name: /chosen/ }).innerText();
  const chosen = Number(title.split(' ')[0]);
  assert.ok(chosen > 4 && chosen < 44, title);
  await page.locator('#map-search').fill('king');
  assert.equal(await page.locator('.word-list li').count(), 0);
  await page.locator('#map-search').fill('ger');
  await page.locator('#map-search').press('Enter');
  await page.waitForURL(/pin=2762/);
  for (const kind of ['TSV', 'SVG', 'PNG']) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: kind, exact: true }).click()]);
    const bytes = readFileSync(await download.path());
    assert.ok(download.suggestedFilename().endsWith(`.${kind.toLowerCase()}`));
    if (kind === 'TSV') {
      const lines = bytes.toString().trim().split('\n');
      assert.equal(lines.length, 49);
      assert.match(lines[1], /^cat\t4937\t.*\tanimals$/);
    } else if (kind === 'SVG') {
      assert.match(bytes.toString(), /^<svg .*PCA of 48 rows/s);
      assert.ok(bytes.toString().includes('>germany</text>'));
    } else {
      assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
    }
  }
  await page.getByRole('button', { name: 'Map these alone' }).click();
  await page.waitForURL(/words=/);
  await mapIsReady(page);
  await page.waitForFunction((n) => document.querySelector('.map-box').dataset.drawn === String(n), chosen);
  await close(page);
};

tests['the whole vocabulary is drawn, all of it'] = async () => {
  const page = await open('/map?scope=all');
  await mapIsReady(page);
  await page.waitForFunction(() => document.querySelector('.map-box').dataset.drawn === '30522');
  assert.ok((await colours(page)) > 20_000);
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(folder, 'map-all.png') });
  await close(page);
};

tests['the map is coloured by what the audit found'] = async () => {
  const page = await open('/map?scope=all&colour=audit');
  await mapIsReady(page);
  const legend = page.getByRole('list', { name: 'Audit findings' });
  await legend.waitFor({ timeout: 90_000 });
  const lines = await legend.locator('li').allInnerTexts();
  const want = commandLine('audit').counts;
  // a row that several rules found has one colour, that of the gravest
  const candidates = lines.find((line) => line.includes('under-trained'));
  assert.ok(candidates && Number(candidates.replaceAll(',', '').match(/\d+/)[0]) <= want['under-trained'], lines.join());
  assert.equal(lines.reduce((sum, line) => sum + Number(line.replaceAll(',', '').match(/\d+/)[0]), 0), 30522);
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(folder, 'map-audit.png') });
  await close(page);
};

tests['UMAP is laid out live'] = async () => {
  const page = await open('/map?method=umap&scope=first&first=2000');
  await page.getByRole('button', { name: 'Draw the map' }).click();
  await page.waitForFunction(() => document.querySelector('.map-box').dataset.drawn === '2000');
  await mapIsReady(page);
  assert.match(await page.locator('.caption').innerText(), /^UMAP of 2,000 rows/);
  await page.screenshot({ path: join(folder, 'map-umap.png') });
  await close(page);
};

tests['a t-SNE of ten thousand rows moves while it is laid out, and ends when its visitor leaves'] = async () => {
  const page = await open('/map?method=tsne&scope=first&first=10000');
  await page.getByRole('button', { name: 'Draw the map' }).click();
  await page.getByRole('progressbar').waitFor();
  await page.waitForFunction(() => /Laying out: iteration/.test(document.querySelector('[role=status]')?.textContent ?? ''), null, { timeout: 300_000 });
  await page.waitForFunction(() => document.querySelector('.map-box').dataset.drawn === '10000');
  const before = await colours(page);
  const iteration = () => page.getByRole('status').innerText().then((text) => Number(/iteration ([\d,]+)/.exec(text)[1].replaceAll(',', '')));
  const first = await iteration();
  while ((await iteration()) < first + 3) await page.waitForTimeout(200);
  assert.ok(before > 500 && (await colours(page)) !== before, 'the points move');
  await page.screenshot({ path: join(folder, 'map-tsne-running.png') });
  const leaving = new AbortController(); // the other of the two jobs that may run at once
  const other = await fetch(new URL('/api/v1/map?method=tsne&first=1500&iterations=10000', address), { signal: leaving.signal });
  const small = () => fetch(new URL(`/api/v1/map?words=cat+dog+horse&seed=${Date.now()}`, address));
  assert.equal((await small()).status, 503);
  await close(page); // the visitor leaves
  let answer;
  const end = Date.now() + 10_000;
  do answer = await small(); while (answer.status === 503 && Date.now() < end);
  assert.equal(answer.status, 200);
  await answer.text();
  leaving.abort();
  await other.body.cancel().catch(() => undefined);
};

tests['a forced WebGL draws too'] = async () => {
  const page = await open('/map?scope=first&first=5000&renderer=webgl', { expected: /GPU|WebGL/ });
  await mapIsReady(page);
  await page.waitForFunction(() => document.querySelector('.map-box').dataset.drawn === '5000');
  assert.equal(await page.locator('.map-box').getAttribute('data-renderer'), 'webgl');
  assert.ok((await colours(page)) > 5000);
  await close(page);
};

tests['300,000 rows pan and answer the pointer'] = async () => {
  const models = (await (await fetch(new URL('/api/v1/models', address))).json()).models.map((m) => m.name);
  const large = models.find((name) => name.startsWith('large'));
  if (!large) throw new Error(`no large model is served, only ${models}`);
  const page = await open(`/map?model=${large}&scope=all&colour=norm`);
  await mapIsReady(page);
  await page.waitForFunction(() => document.querySelector('.map-box').dataset.drawn === '300000');
  await page.locator('.map-box').focus();
  const frames = [];
  for (let i = 0; i < 15; i++) {
    await page.keyboard.press(i % 2 ? 'ArrowLeft' : 'ArrowRight');
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    frames.push(Number(await page.locator('.map-box').getAttribute('data-frame')));
  }
  frames.sort((a, b) => a - b);
  console.error(`300,000 points: median frame ${frames[7]} ms, worst ${frames[14]} ms`);
  assert.ok(frames[7] < 200, `a frame takes ${frames[7]} ms`); // the goal is 40; a busy machine is given more
  const box = await page.locator('.map-box').boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.locator('.near-list li').first().waitFor();
  await page.screenshot({ path: join(folder, 'map-large.png') });
  await close(page);
};

tests['two models are compared as the command line\'s diff does it'] = async () => {
  const other = await second();
  const page = await open(`/compare?other=${other}`);
  await page.locator('.compare-facts').waitFor({ timeout: 90_000 });
  await settle(page);
  const want = commandLine('diff', 'default', process.env.ROWAN_SECOND);
  const title = (name) => page.locator(`[data-name=${name}]`).getAttribute('title').then(Number);
  assert.equal(await title('stored'), want.asStored.meanCosine);
  assert.equal(await title('aligned'), want.aligned.meanCosine);
  assert.equal(await title('overlap'), want.neighbourOverlap.share);
  assert.equal(await page.locator('[data-name=shared]').innerText(), want.shared.toLocaleString('en-US'));
  const listed = (table) => page.locator(`.${table} tr`).evaluateAll((rows) => rows.map((row) => [row.querySelector('small').textContent, Number(row.querySelector('.num').title)]));
  assert.deepEqual(await listed('moved'), want.moved.map((m) => [`#${m.id}`, m.cosine]));
  assert.deepEqual(await listed('strayed'), want.strayed.map((m) => [`#${m.id}`, m.overlap]));
  const stray = want.strayed[0];
  await page.locator('.strayed a').first().click();
  await page.waitForURL(new RegExp(`token=%23${stray.id}`));
  await settle(page);
  const both = page.locator('section[aria-label^=Neighbours]');
  assert.equal(await both.locator('.panel').count(), 2);
  assert.ok((await both.locator('.facts').innerText()).startsWith(`${(100 * stray.overlap).toFixed(1)} % of the ${want.neighbourOverlap.k} nearest`));
  assert.equal(await both.locator('.tag').count(), 2 * Math.round(stray.overlap * want.neighbourOverlap.k));
  await page.goBack();
  await page.waitForURL((url) => !url.search.includes('token='));
  await close(page);
};

/** Sentences of twenty words, of two kinds that never meet; the same each time. */
function littleText(lines) {
  let state = 1;
  const next = (n) => (state = (state * 48271) % 2147483647) % n;
  const kinds = ['cat dog horse cow pig sheep lion bear goat hen', 'red blue green yellow white black purple orange pink grey'].map((k) => k.split(' '));
  return Array.from({ length: lines }, (_, i) => Array.from({ length: 8 }, () => kinds[i % 2][next(10)]).join(' ')).join('\n');
}

const runIs = (page, state) => page.locator(`.train-state[data-state=${state}]`).waitFor({ timeout: 60_000 });

tests['a pasted text is trained live, and the table is the command line\'s'] = async () => {
  const page = await open('/training?corpus=pasted&width=20&epochs=200&watch=cat+red');
  await settle(page);
  const text = littleText(600);
  await page.getByLabel(/^Text, /).fill(text);
  await page.getByRole('button', { name: /^Start/ }).click();
  await page.locator('.spots[data-share]').waitFor();
  await runIs(page, 'finished');
  assert.match(await page.locator('.train-state').innerText(), /20 rows/);
  await page.waitForFunction(() => document.querySelector('.spots').dataset.share === '1');
  assert.deepEqual(await texts(page, '.train-near h3'), ['cat', 'red']);
  const animals = await page.locator('.train-near ol').first().locator('li').allInnerTexts();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: /Download/ }).click()]);
  const saved = join(folder, 'trained.safetensors');
  await download.saveAs(saved);
  // little enough text for one thread to learn it all, so that the command line learns the same rows
  const source = join(folder, 'trained.txt');
  writeFileSync(source, text);
  const again = join(folder, 'again.safetensors');
  commandLine('train', source, '-o', again, '-d', '20', '-e', '200', '--force'); // of an earlier run
  const want = commandLine('-m', again, 'near', 'cat', '-k', '8').results[0];
  assert.deepEqual(animals.map((line) => line.split(/\s+/)), want.neighbours.map((n) => [n.token, three(n.score)]));
  assert.deepEqual(commandLine('-m', saved, 'near', 'cat', '-k', '8').results[0], want);
  await accessible(page);
  await page.screenshot({ path: join(folder, 'training-done.png'), fullPage: true });
  await page.getByRole('link', { name: 'Open the table' }).click();
  await page.waitForURL(/model=trained/);
  await settle(page);
  await page.locator('.trouble, .bars').first().waitFor();
  assert.equal(await page.locator('.bars tbody .num').first().innerText(), three(want.neighbours[0].score));
  await close(page);
};

tests['a training is stopped, resumed, and goes on without its page'] = async () => {
  const page = await open('/training?epochs=1000&width=200&minCount=2&corpus=' + encodeURIComponent((await (await fetch(new URL('/api/v1/training', address))).json()).texts[0]));
  await settle(page);
  await page.getByRole('button', { name: /^Start/ }).click();
  await runIs(page, 'training');
  await page.locator('.curve .loss').waitFor();
  // the answer, of the moment when it was told to stop, comes after the stream has told of the end
  await page.route('**/training/stop*', async (route) => {
    const answer = await route.fetch();
    await runIs(page, 'stopped');
    await route.fulfill({ response: answer });
  });
  const late = page.waitForResponse((response) => response.url().includes('/training/stop'));
  await page.getByRole('button', { name: 'Stop' }).click();
  await runIs(page, 'stopped');
  await (await late).finished();
  await page.unroute('**/training/stop*');
  const words = Number((await page.locator('.figures div', { hasText: 'Words' }).last().locator('dd').innerText()).replaceAll(',', '').split(' ')[0]);
  assert.ok(words > 0);
  await page.getByRole('button', { name: 'Resume' }).click();
  await runIs(page, 'training');
  await page.reload(); // it goes on, and the page finds it again
  await runIs(page, 'training');
  await page.waitForFunction((n) => Number([...document.querySelectorAll('.figures div')].find((d) => d.textContent.startsWith('Words') && d.textContent.includes(' of ') )?.querySelector('dd').textContent.replaceAll(',', '').split(' ')[0]) > n, words);
  await page.waitForTimeout(600);
  await page.screenshot({ path: join(folder, 'training-running.png'), fullPage: true });
  // the other views answer meanwhile
  const near = await (await fetch(new URL('/api/v1/near?token=cat&k=1', address))).json();
  assert.equal(three(near.results[0].neighbours[0].score), '0.815');
  await page.getByRole('button', { name: 'Stop' }).click();
  await runIs(page, 'stopped');
  await close(page);
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  if (only.length && !only.some((part) => name.includes(part))) continue;
  const began = performance.now();
  let message = '';
  try {
    await test();
  } catch (error) {
    failed++;
    message = error.stack ?? String(error);
    for (const context of browser.contexts()) {
      for (const page of context.pages()) await page.screenshot({ path: join(folder, `failed-${name.replace(/\W+/g, '-')}.png`) }).catch(() => undefined);
      await context.close().catch(() => undefined);
    }
  }
  console.log(JSON.stringify({ name, passed: message === '', message, millis: Math.round(performance.now() - began) }));
}
await browser.close();
process.exit(failed ? 1 : 0);
