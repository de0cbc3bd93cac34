// The page that plans, opened from a file in a real browser: every example is planned, as the command plans it; mistakes have the command's
// messages; a hostile schema is text; nothing is requested from elsewhere.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [home, executablePath, site] = process.argv.slice(2);
const { chromium } = createRequire(join(home, 'package.json'))('playwright-core');
const browser = await chromium.launch({ executablePath, headless: true, args: ['--no-sandbox', '--disable-gpu',
  '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'] });
const done = (what) => console.log(`ok: ${what}`);

try {
  const page = await browser.newPage({ viewport: { width: 1400, height: 1200 } });
  const said = [];
  page.on('pageerror', (error) => said.push(error.message));
  page.on('request', (request) => /^(file|blob|data|about):/.test(request.url()) || said.push(`a request: ${request.url()}`));
  await page.goto(pathToFileURL(join(resolve(site), 'try.html')).href);
  const planned = () => page.waitForFunction(() => /^(Planned|Not planned)/.test(document.getElementById('try-state').textContent), null, { timeout: 120_000 });
  const ask = async (change) => {
    await page.evaluate(() => { document.getElementById('try-state').textContent = ''; });
    await change();
    await planned();
  };
  const shown = () => page.frameLocator('#try-page').locator('body');
  const messages = () => page.locator('#try-messages').textContent();
  await planned();

  const examples = await page.locator('#try-example option').allInnerTexts();
  assert.ok(examples.length >= 10, `${examples}`);
  for (const example of examples) {
    if (example !== examples[0]) await ask(() => page.selectOption('#try-example', { label: example }));
    assert.equal(await messages(), '', example);
    await shown().locator('.plan').first().waitFor();
    // Keys that a literal of Hive cannot contain have no SQL, with the reason.
    assert.match(await shown().locator('.plan').first().innerText(), /(range|point read)[\s\S]*(SQL for tez[\s\S]*SQL for mr|Hive literal cannot contain)/, example);
    assert.ok(!(await shown().innerText()).includes('reads the whole table'), example);
    assert.match(await page.locator('#try-ddl').textContent(), /create [\s\S]*CREATE/, example);
  }
  done(`${examples.length} examples are planned`);

  await ask(() => page.selectOption('#try-example', { label: 'md5_nibble_day' }));
  const slider = page.frameLocator('#try-page').getByRole('slider', { name: /^Ranges of/ });
  await slider.focus();
  await page.keyboard.press('Home');
  assert.match(await shown().locator('.inspector').first().innerText(), /range 1 of 16[\s\S]*00020200406/);
  await page.locator('#try-page').scrollIntoViewIfNeeded();
  await page.screenshot({ path: join(home, 'try.png') });
  done('the picture of the key space has the sixteen ranges of a day');

  await ask(() => page.fill('#try-predicate', 'opera_dya = 20200406'));
  assert.match(await messages(), /^error: [\s\S]*opera_dya = 20200406[\s\S]*\^\^\^[\s\S]*opera_day/);
  await ask(() => page.fill('#try-schema', 'saltplan: 1\nhbase: { tabel: x }\n'));
  assert.match(await messages(), /error: [\s\S]*--> schema\.yaml:2/);
  assert.ok(!(await page.locator('#try-page').isVisible()));
  done('mistakes have the messages of the command');

  const odd = '</script><script>parent.hacked=1;window.hacked=1</script><img src=x onerror=parent.hacked=2>';
  await ask(() => page.fill('#try-schema', `saltplan: 1\nhbase: { table: odd, families: { f: {} } }\nkey: { fields: [{ name: v, type: string, values: ["${odd}", b], then: "${odd}" }, { name: id, type: string }] }\ncolumns: [{ name: c, type: string, hbase: 'f:c' }]\n`));
  await ask(() => page.fill('#try-predicate', "v = 'b' AND c = '</pre><script>parent.hacked=3</script>'"));
  assert.equal(await messages(), '');
  assert.match(await shown().innerText(), /hacked=1/);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  done('a hostile schema is text');

  assert.deepEqual(said, []);
  done('nothing is requested from elsewhere, the page has no error');
} finally {
  await browser.close();
}
