// The page of `saltplan report` in a real browser. Each check prints a line; the first that fails ends the run. With SALTPLAN_SAMPLE
// the large page is smaller and opened once, and no pictures are written: the browser paints them without a graphics card.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [home, executablePath, program] = process.argv.slice(2);
const require = createRequire(join(home, 'package.json'));
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const pictures = join(home, 'pictures');
mkdirSync(pictures, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), 'saltplan-report-'));
const file = (name) => join(folder, name);
const saltplan = (...args) => execFileSync(program, ['--quiet', ...args], { encoding: 'utf8', maxBuffer: 1 << 28 });
const done = (what) => console.log(`ok: ${what}`);
const sampled = process.env.SALTPLAN_SAMPLE !== undefined;
const picture = (page, name, options = {}) => (sampled ? undefined : page.screenshot({ path: join(pictures, name), ...options }));

// ---- Pages

const schema = 'schemas/examples/md5_nibble_day.yaml';
const day = 'opera_day = 20200406';
const users = "opera_day IN (20200405, 20200406) AND row_id IN ('u1', 'u7', 'u9')";
const old = file('before.yaml');
writeFileSync(old, readFileSync(schema, 'utf8').replace('write: { decimal: 3 }', 'write: hex'));
saltplan('report', schema, '--base', old, '--predicate', `day=${day}`, '--predicate', `users=${users}`,
  '--predicate', 'month=opera_day BETWEEN 20200401 AND 20200430 AND phone_number LIKE \'18%\'', '--predicate', 'all=phone_number = 5',
  '--keys', '20k', '--grow', '60d', '--rows-per-day', '20M', '--value-size', '20', '-o', file('table.html'));

// No predicate; and one column more than before.
saltplan('report', schema, '-o', file('plain.html'));
writeFileSync(file('less.yaml'), readFileSync(schema, 'utf8').split('\n').filter((line) => !/goods17/.test(line)).join('\n'));
saltplan('report', schema, '--base', file('less.yaml'), '--predicate', `day=${day}`, '-o', file('column.html'));

// A query with its key ranges, a second one that is left as it is, and the predicates of a jobs file.
const queries = { calls: 'examples/rewrite/calls.yaml', users: 'examples/rewrite/users.sql', left: file('left.sql') };
writeFileSync(queries.left, "SELECT phone FROM trace.calls WHERE phone = '</pre><script>window.hacked=4</script>\u202e';\n");
saltplan('report', queries.calls, '--query', queries.users, '--query', queries.left, '--param', 'day=20200406',
  '--predicate', 'day=opera_day = :day', '-o', file('queries.html'));

// Jobs with an engine, a shape and a header of their own.
for (const [name, from] of [['table.yaml', schema], ['calls.yaml', queries.calls], ['users.sql', queries.users]]) copyFileSync(from, file(name));
mkdirSync(file('templates/hive'), { recursive: true });
writeFileSync(file('templates/hive/isolated.sql'), `-- of our own\n${readFileSync('crates/saltplan-core/templates/hive/isolated.sql', 'utf8')}`);
writeFileSync(file('jobs.yaml'), `version: 1
defaults: { schema: table.yaml, engine: mr, out: 'sql/{job}.sql' }
jobs:
  - { name: 'day_{day}', predicate: opera_day = :day, for_each: { day: [20200406] } }
  - { name: tez, predicate: opera_day = 20200406, engine: tez, guards: false, header: false, select: true }
  - { name: later, predicate: opera_day = :day, runtime: { day: 'hivevar:day' } }
  - { name: own, predicate: opera_day = 20200407, templates: templates }
  - { name: whole, predicate: phone_number = '5', allow_full_scan: true, select: true }
  - { name: dear, predicate: opera_day = 20200408, max_scans: 3 }
  - { name: shell, kind: scan, predicate: opera_day = 20200406 }
  - { name: users, kind: rewrite, schema: calls.yaml, query: users.sql, runtime: { day: 'hivevar:day' } }
`);
try { saltplan('build', file('jobs.yaml')); } catch (refused) { assert.equal(refused.status, 1, 'the budget of one job is too small'); }
saltplan('report', '--jobs', file('jobs.yaml'), '-o', file('jobs.html'));

const odd = '</script><script>window.hacked=1</script>\\u202e\\u0007\\"\'`<img src=x onerror=window.hacked=2>&amp;';
const oddFile = file(`o"d'd<img src=x onerror=window.hacked=5>&amp;\u202e.yaml`);
writeFileSync(oddFile, `# </script>‮ a comment
saltplan: 1
hbase: { table: odd, families: { f: {} } }
key:
  fields:
    - { name: größe, type: string, values: ["${odd}", b], then: "${odd}" }
    - { name: id, type: string }
regions: { explicit: ["${odd}", "\\x00\\xff"] }
columns: [{ name: c, type: string, hbase: 'f:c' }]
`);
const strange = '</title><script>window.hacked=3</script>\u202e';
saltplan('report', oddFile, '--base', oddFile, '--title', strange, '--predicate', `odd‮ name=größe = 'b' AND id = '</script><b>‮'`, '-o', file('odd.html'));

const large = sampled ? { salts: 100, regions: '100', ranges: '1,000' } : { salts: 1000, regions: '1,000', ranges: '10,000' };
writeFileSync(file('large.yaml'), `saltplan: 1
hbase: { table: large, families: { f: {} } }
key:
  salt: { modulo: { of: key_number, by: ${large.salts}, write: { decimal: 3 } } }
  fields:
    - { name: day, type: date, format: yyyyMMdd }
    - { name: key_number, type: bigint, encoding: be, min: 0 }
regions: { per_salt: {} }
columns: [{ name: c, type: string, hbase: 'f:c' }]
hive: { mapping: { table: d.m, key_column: k }, target: { table: d.t } }
`);
const days = Array.from({ length: 10 }, (_, at) => 20200401 + 2 * at).join(', ');
saltplan('report', file('large.yaml'), '--max-branches', '10000', '--predicate', `days=day IN (${days})`, '--keys', '20k', '-o', file('large.html'));

// ---- The browser

const browser = await chromium.launch({ executablePath, headless: true, args: ['--no-sandbox', '--disable-gpu',
  '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'] });

async function open(name, { hash = '', ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, permissions: ['clipboard-read', 'clipboard-write'], ...options });
  const page = await context.newPage();
  const said = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && said.push(message.text()));
  page.on('pageerror', (error) => said.push(error.message));
  page.on('dialog', (dialog) => { said.push(`a dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on('request', (request) => request.url().startsWith('file:') || said.push(`a request: ${request.url()}`));
  await page.goto(pathToFileURL(file(name)).href + hash);
  await page.waitForSelector('.plot svg');
  await page.evaluate(() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(go, 60)))));
  return { page, said, close: () => context.close() };
}

async function accessible(page, name) {
  await page.evaluate(axe);
  // A button that has just been pressed says so for a while.
  await page.waitForFunction(() => ![...document.querySelectorAll('.copy')].some((one) => one.textContent === 'Copied'));
  const { violations } = await page.evaluate(() => window.axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }));
  const told = violations.map((one) => `${one.id}: ${one.help}\n${one.nodes.slice(0, 4).map((node) => `  ${node.html}\n  ${node.failureSummary}`).join('\n')}`);
  assert.deepEqual(told, [], `axe on ${name}:\n${told.join('\n')}`);
}

const base = '#multi%3At_wx_recommend_log_test';

try {
  {
    const { page, said, close } = await open('table.html');
    await picture(page, 'light.png', { fullPage: true });

    // The worst of all sections stands first, with a link to it.
    const chips = await page.locator('.chips').first().locator('.chip').allInnerTexts();
    assert.match(chips[0], /^▲ 3 of 4 plans refused$/);
    assert.match(chips[1], /^▲ \d+ changes?: stored rows become unreadable$/);
    assert.equal(await page.locator('.chip.good').count(), 0, 'nothing is green beside a refused plan');
    for (const chip of await page.locator('.chip a').all()) {
      assert.ok(await page.evaluate((id) => document.getElementById(id), (await chip.getAttribute('href')).slice(1)), await chip.innerText());
    }
    assert.match(await page.locator('section[id$="/growth"]').innerText(), /family cf1 is compressed[\s\S]*--disk-ratio/);
    done('the worst of plans, changes and simulations stands first');

    // A day is equally wide in all regions, whatever other predicates have bounds there.
    const drawn = (name) => page.getByRole('slider', { name: `Ranges of ${name}`, exact: true }).locator('path.range').getAttribute('d');
    const wide = [...(await drawn('day')).matchAll(/h([\d.]+)v/g)].map(([, width]) => Number(width));
    assert.equal(wide.length, 16);
    assert.ok(Math.max(...wide) - Math.min(...wide) < 0.3, `widths of one day: ${wide}`);
    assert.ok(Math.min(...wide) > 10, `too narrow: ${wide}`);
    done('one scale in all regions');

    // A perfect plan has no condition that does not narrow.
    const text = await page.locator('.plan').first().innerText();
    assert.ok(!text.includes('Conditions that do not narrow') && /About the ranges[\s\S]*salt_unbound/.test(text), text);
    done('what does not narrow, apart from what is said about the ranges');

    // Bounds by keyboard, against what `explain` says.
    const branches = JSON.parse(saltplan('explain', schema, day, '--output-format', 'json')).branches;
    const lane = page.getByRole('slider', { name: 'Ranges of day', exact: true });
    const inspector = page.locator('.inspector').first();
    await lane.focus();
    await page.keyboard.press('Home');
    for (const [at, branch] of branches.entries()) {
      const text = await inspector.innerText();
      assert.ok(text.includes(`range ${at + 1} of ${branches.length}`), text);
      for (const bound of [branch.start, branch.stop]) {
        assert.ok(text.includes(bound.text) && text.replaceAll(' ', '').includes(bound.hex), `${text}\n${JSON.stringify(bound)}`);
      }
      assert.ok((await lane.getAttribute('aria-valuetext')).includes(branch.start.text));
      await page.keyboard.press('ArrowRight');
    }
    assert.equal(await lane.getAttribute('aria-valuenow'), String(branches.length));
    done('the bounds of every range by keyboard, as explain prints them');

    // Hover: the drawing of the sixth region has the sixth range in its middle.
    const box = await lane.boundingBox();
    await page.mouse.move(box.x + (box.width / 16) * 5.5, box.y + 12);
    assert.match(await inspector.innerText(), /range 6 of 16/);
    const points = page.getByRole('slider', { name: 'Ranges of users', exact: true });
    await points.focus();
    assert.match(await inspector.innerText(), /point read 1 of 6[\s\S]*one key/);
    const regions = page.getByRole('slider', { name: /^Regions of/ });
    await regions.focus();
    await page.keyboard.press('End');
    assert.match(await inspector.innerText(), /region 16 of 16[\s\S]*015[\s\S]*the end of the table/);
    done('hover and focus on ranges, point reads and regions');

    await lane.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('tr.aimed'));
    assert.ok(page.url().endsWith('/plan/day/range/1'));
    done('Enter on a range goes to its line');

    // Filter
    const shown = () => page.locator('.plan:visible h4').allInnerTexts();
    await page.keyboard.press('/');
    await page.keyboard.type('users');
    assert.deepEqual(await shown(), ['users']);
    assert.match(await page.locator('#matches').innerText(), /^\d+ of \d+$/);
    await page.locator('#filter').fill('no such thing');
    assert.deepEqual(await shown(), []);
    assert.ok(await page.locator('section[id$="/plans"] .none').isVisible());
    await page.locator('#filter').press('Escape');
    assert.equal((await shown()).length, 4);
    done('the filter');

    // Copy, against what `plan` prints.
    for (const engine of ['tez', 'mr']) {
      const plan = page.locator('.plan').first();
      await plan.locator('summary', { hasText: `SQL for ${engine}` }).click();
      await plan.getByRole('button', { name: `Copy the SQL of day for ${engine}` }).click();
      await page.waitForFunction(() => document.getElementById('said').textContent.startsWith('copied'));
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), saltplan('plan', schema, day, '--engine', engine));
      assert.equal(await plan.locator('pre code').nth(engine === 'tez' ? 0 : 1).innerText().then((text) => text.trimEnd()), saltplan('plan', schema, day, '--engine', engine).trimEnd());
    }
    done('the copied SQL is what plan prints, byte for byte');

    // Before and after
    assert.match(await page.locator('section[id$="/changes"]').innerText(), /key[\s\S]*write/);
    const compared = await page.locator('.plan').first().innerText();
    assert.match(compared, /\+ 16 ranges new, − 16 ranges removed/);
    assert.match(compared, /bytes of SQL for tez\s+[\d,]+\s+[\d,]+/);
    done('before and after');

    // Audit and rule texts
    const finding = page.locator('.finding').first();
    await finding.locator('summary').click();
    await finding.getByText('Learned from').waitFor();
    assert.match(await page.locator('.line.marked').first().innerText(), /^11\s+cf1/);
    done('findings at their lines, rule texts fold out');

    // Simulations
    const load = page.locator('section[id$="/load"]');
    assert.match(await load.locator('.picture svg > title').textContent(), /^Puts per region of/);
    assert.equal(await load.locator('.picture rect[fill="#d55e00"]').count(), 0, 'no region of an even load stands out');
    await load.getByText('The figures as a table').click();
    // The table is made when the list opens, which the click does not wait for.
    await load.locator('tbody tr').first().waitFor();
    assert.equal(await load.locator('tbody tr').count(), 16);
    assert.match(await page.locator('section[id$="/growth"] .picture').innerText(), /Regions[\s\S]*Stored in files/);
    done('pictures of load and growth, with their figures');

    // The content security policy: an injected script does not run.
    await page.evaluate(() => { const made = document.createElement('script'); made.textContent = 'window.hacked = 1'; document.body.append(made); });
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(said.filter((text) => /Content Security Policy/.test(text)).length, 1);
    said.splice(0, said.length, ...said.filter((text) => !/Content Security Policy/.test(text)));
    done('the policy stops other scripts');

    await accessible(page, 'the light page');
    assert.deepEqual(said, []);
    await close();
    done('light, axe finds nothing, the console is empty');
  }
  {
    const { page, said, close } = await open('plain.html');
    const text = await page.locator('.space').first().innerText();
    assert.ok(text.includes('Point at a region') && !text.includes('Point at a range') && text.includes('--predicate'), text);
    assert.ok(!text.includes('point read'), 'a legend of what is not drawn');
    await picture(page, 'plain.png');
    assert.deepEqual(said, []);
    await close();
    const column = await open('column.html');
    const changes = column.page.locator('section[id$="/changes"] ul.changes > li');
    assert.equal(await changes.count(), 1);
    assert.match(await changes.first().innerText(), /^\S+ \+ column goods17/);
    assert.ok((await changes.first().innerText()).split('\n').filter(Boolean).length <= 4, await changes.first().innerText());
    assert.match((await column.page.locator('.chips').first().innerText()), /1 change(?!s)/);
    await picture(column.page, 'column.png', { fullPage: true });
    await accessible(column.page, 'an added column');
    await column.close();
    done('a page without a predicate; an added column is one entry');
  }
  {
    const { page, said, close } = await open('table.html', { hash: `${base}/plan/day/range/12` });
    assert.ok(await page.locator('tr.aimed').isVisible());
    assert.match(await page.locator('tr.aimed').innerText(), /^12\s/);
    assert.match(await page.locator('.inspector').first().innerText(), /range 12 of 16/);
    assert.deepEqual(said, []);
    await close();
    done('a deep link opens a range');
  }
  {
    const { page, said, close } = await open('table.html', { colorScheme: 'dark' });
    const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number));
    assert.ok((await back()).every((part) => part < 60));
    await picture(page, 'dark.png', { fullPage: true });
    await accessible(page, 'the dark page');
    await page.locator('#theme').click();
    assert.ok((await back()).every((part) => part > 200));
    await page.locator('#theme').click();
    assert.ok((await back()).every((part) => part < 60));
    assert.deepEqual(said, []);
    await close();
    done('dark, by the system and by the button, axe finds nothing');
  }
  for (const [name, width] of [['narrow', 380], ['tablet', 768]]) {
    const { page, said, close } = await open('table.html', { viewport: { width, height: 800 } });
    const wide = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide[0] <= wide[1], `the page is wider than its window: ${wide}`);
    await page.locator('.plan summary').first().click();
    await picture(page, `${name}.png`, { fullPage: true });
    await accessible(page, name);
    assert.deepEqual(said, []);
    await close();
    done(`a window of ${width} pixels, axe finds nothing`);
  }
  {
    const { page, said, close } = await open('table.html', { colorScheme: 'dark' });
    const pdf = await page.pdf({ path: join(pictures, 'print.pdf'), format: 'A4' });
    assert.ok(pdf.length > 20_000);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    assert.ok(!(await page.locator('nav').isVisible()) && !(await page.locator('#filter').isVisible()));
    assert.ok(await page.locator('.plan').first().locator('table.ranges').isVisible());
    assert.deepEqual(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
    await picture(page, 'print.png', { fullPage: true });
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    assert.ok(!(await page.locator('.plan').first().locator('table.ranges').isVisible()));
    assert.deepEqual(said, []);
    await close();
    done('print: light, without controls, short lists unfolded');
  }
  {
    const { page, said, close } = await open('queries.html');
    const [first, second] = await page.locator('section#queries article').all();
    const whole = saltplan('rewrite', '--schemas', queries.calls, queries.users, '--hivevar', 'day=20200406');
    assert.equal(await first.locator('pre').nth(0).evaluate((one) => one.textContent.replace(/1(?=trace\.calls c )/, '')), readFileSync(queries.users, 'utf8').replace('${day}', '20200406'));
    assert.equal(await first.locator('mark.cut').innerText(), '1trace.calls');
    const put = await first.locator('ins').evaluate((one) => one.lastChild.textContent);
    assert.ok(put.startsWith('(') && put.endsWith(')') && whole.includes(put), put);
    await first.getByRole('button', { name: /^Copy the rewritten/ }).click();
    await page.waitForFunction(() => document.getElementById('said').textContent.startsWith('copied'));
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), whole);
    assert.match(await first.innerText(), /1 table narrowed[\s\S]*2 point reads[\s\S]*used, WHERE: c\.opera_day = 20200406[\s\S]*not used: c\.row_id = u\.id – u\.id belongs to another table/);
    assert.match(await second.innerText(), /1 table read as a whole[\s\S]*is left[\s\S]*window\.hacked=4[\s\S]*U\+202E/);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    await page.locator('#filter').fill('users.sql');
    assert.ok((await first.isVisible()) && !(await second.isVisible()));
    await page.locator('#filter').press('Escape');
    await page.evaluate(() => scrollTo(0, 0));
    await picture(page, 'queries.png', { fullPage: true });
    await accessible(page, 'queries');
    assert.deepEqual(said, []);
    await close();
    const narrow = await open('queries.html', { viewport: { width: 380, height: 800 }, colorScheme: 'dark' });
    const wide = await narrow.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide[0] <= wide[1], `the page is wider than its window: ${wide}`);
    await picture(narrow.page, 'queries_narrow.png', { fullPage: true });
    await accessible(narrow.page, 'queries in a narrow window');
    await narrow.close();
    done('a query beside the query with its ranges, parts marked, copied byte for byte');
  }
  {
    const { page, said, close } = await open('jobs.html');
    for (const [name, engine] of [['day_20200406', 'mr'], ['tez', 'tez'], ['later', 'mr'], ['own', 'mr'], ['whole', 'mr']]) {
      const plan = page.locator('section[id$="/plans"] .plan', { has: page.getByRole('heading', { name, exact: true }) });
      assert.deepEqual(await plan.locator('summary').filter({ hasText: 'SQL for' }).count(), 1, name);
      await plan.locator('summary', { hasText: `SQL for ${engine}` }).click();
      await page.evaluate(() => { document.getElementById('said').textContent = ''; });
      await plan.getByRole('button', { name: `Copy the SQL of ${name} for ${engine}` }).click();
      await page.waitForFunction(() => document.getElementById('said').textContent.startsWith('copied'));
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), readFileSync(file(`sql/${name}.sql`), 'utf8'), name);
      assert.equal(await plan.locator('.told.warm', { hasText: 'refuse' }).count(), 0, `${name} is not refused`);
    }
    const plan = (name) => page.locator('.plan', { has: page.getByRole('heading', { name, exact: true }) });
    assert.match(await plan('own').locator('pre').first().innerText(), /-- of our own/);
    assert.match(await plan('dear').innerText(), /16 scans[\s\S]*max_scans: 16/);
    assert.equal(await plan('shell').locator('summary', { hasText: 'SQL' }).count(), 0);
    assert.match(await plan('shell').innerText(), /16 ranges with their bounds/);
    assert.match(await plan('later').innerText(), /not known before the statement runs/);
    const query = await plan('users').locator('pre').nth(1).evaluate((one) => one.textContent);
    assert.match(query, /^[\s\S]*SELECT assert_true[\s\S]*c\.opera_day = \$\{day\}/);
    assert.equal(await plan('users').locator('mark.cut').count(), 1);
    assert.deepEqual(said, []);
    await close();
    done('jobs with their own engine, shape, templates and limits: the SQL is what build writes');
  }
  {
    const { page, said, close } = await open('odd.html');
    for (const fold of await page.locator('details').all()) await fold.evaluate((one) => { one.open = true; });
    await page.waitForTimeout(100);
    const text = await page.evaluate(() => document.body.innerText);
    assert.ok(text.includes('<script>window.hacked=1</script>') && text.includes('U+202E'), text);
    assert.ok(!/[\u202e\u0007]/.test(text));
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.locator('img, b:has-text("‮"), script').count(), 2, 'the two scripts of the page');
    await page.locator('.plot').nth(1).focus();
    await picture(page, 'odd.png', { fullPage: true });
    await accessible(page, 'odd texts');
    assert.deepEqual(said, []);
    await close();
    done('odd texts are text');
  }
  {
    const times = [];
    for (let run = 0; run < (sampled ? 1 : 3); run++) {
      const { page, said, close } = await open('large.html');
      times.push(await page.evaluate(() => new Promise((told) => {
        const entry = performance.getEntriesByType('paint').find((one) => one.name === 'first-contentful-paint');
        told(Math.max(entry.startTime, performance.getEntriesByType('navigation')[0].loadEventEnd));
      })));
      if (run === 0) {
        assert.match(await page.locator('.chips').first().innerText(), new RegExp(`${large.regions} regions`));
        const lane = page.getByRole('slider', { name: 'Ranges of days' });
        await lane.focus();
        await page.keyboard.press('End');
        assert.match(await page.locator('.inspector').first().innerText(), new RegExp(`range ${large.ranges} of ${large.ranges}`));
        await picture(page, 'large.png');
        const before = Date.now();
        await page.locator('summary', { hasText: `${large.ranges} ranges` }).click();
        // The list is filled when the element has opened, which is an event of its own.
        await page.locator('table.ranges tbody tr').nth(99).waitFor({ state: 'attached', timeout: 60_000 });
        assert.equal(await page.locator('table.ranges tbody tr').count(), 100);
        await page.getByRole('button', { name: 'Zoom in' }).click();
        assert.ok(Date.now() - before < 30_000);
      }
      assert.deepEqual(said, []);
      await close();
    }
    const best = Math.min(...times);
    // On a quiet machine it is below a second; a busy one must not fail the run.
    assert.ok(best < 10_000, `it took ${times} ms to open`);
    done(`${large.regions} regions and ${large.ranges} ranges in ${(statSync(file('large.html')).size / 1024).toFixed(0)} KiB open in ${best.toFixed(0)} ms`);
  }
  if (!sampled) console.log(`pictures: ${pictures}`);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
