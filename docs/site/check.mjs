// The built site in a real browser, in a window of 1,400 pixels: no code block is cut off, copy buttons copy what a reader
// wants to run, the menu has the titles of the pages, and the first page begins with its picture in light and dark.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [home, executablePath, site] = process.argv.slice(2);
const { chromium } = createRequire(join(home, 'package.json'))('playwright-core');
const browser = await chromium.launch({ executablePath, headless: true, args: ['--no-sandbox', '--disable-gpu',
  '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'] });
const address = (page) => pathToFileURL(join(resolve(site), page)).href;
const done = (what) => console.log(`ok: ${what}`);

// What the test itself takes for the commands of a console: `$ ` begins one, a backslash at the end continues it.
const typed = /(?:^|\n)\$ ((?:[^\n]*\\\n)*[^\n]*)/g;
const commands = (text) => [...text.matchAll(typed)].map((match) => match[1]).join('\n');

const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
// The clipboard of a page from a file cannot be read, so the text is taken where the theme hands it over.
await context.addInitScript(() => {
  document.execCommand = () => { window.copied = document.activeElement?.value ?? String(getSelection()); return true; };
});
const page = await context.newPage();
const errors = [];
page.on('pageerror', (error) => errors.push(String(error)));

let blocks = 0;
let consoles = 0;
const cutOff = [];
const titles = [];
const pages = readdirSync(site).filter((name) => name.endsWith('.html') && name !== '404.html');
for (const name of pages) {
  await page.goto(address(name));
  const codes = await page.$$eval('.md-content pre > code', (all) => all.map((code) => ({
    isConsole: code.closest('.language-console') !== null,
    text: code.textContent.replace(/\n+$/, ''),
    isCut: code.scrollWidth > code.clientWidth || code.parentElement.scrollWidth > code.parentElement.clientWidth,
  })));
  blocks += codes.length;
  if (codes.some((code) => code.isCut)) cutOff.push(`${name}: ${codes.filter((code) => code.isCut).length}`);
  if (codes.length > 0) {
    await page.waitForFunction((count) => document.querySelectorAll('.md-content [data-clipboard-target]').length === count, codes.length);
    const copied = await page.$$eval('.md-content [data-clipboard-target]', (all) => all.map((button) => {
      window.copied = undefined;
      button.click();
      return window.copied;
    }));
    for (const [at, code] of codes.entries()) {
      const expected = code.isConsole ? commands(code.text) : code.text;
      assert.equal(copied[at]?.trimEnd(), expected.trimEnd(), `${name}: the button of block ${at + 1}`);
      consoles += code.isConsole;
    }
  }
  const [title, entry] = await page.evaluate(() => [
    document.querySelector('h1').firstChild.parentElement.innerText.replace('¶', '').trim(),
    document.querySelector('.md-nav--primary a.md-nav__link--active .md-ellipsis')?.innerText.trim(),
  ]);
  if (name !== 'index.html' && title !== entry) titles.push(`${name}: "${title}" is "${entry}" in the menu`);
}
assert.deepEqual(cutOff, [], 'code blocks that scroll sideways at 1,400 pixels');
assert.ok(blocks > 300 && consoles > 60, `only ${blocks} blocks, ${consoles} of them consoles`);
done(`none of ${blocks} code blocks in ${pages.length} pages is cut off at 1,400 pixels`);
done(`every copy button copies its block, those of ${consoles} consoles only the commands`);
assert.deepEqual(titles, []);
done('the menu has the titles of the pages');

for (const colorScheme of ['light', 'dark']) {
  const first = await browser.newPage({ colorScheme, viewport: { width: 390, height: 844 } });
  await first.goto(address('index.html'));
  const shown = await first.$$eval('.md-content img', (all) => all.filter((image) => image.offsetWidth > 0 && image.naturalWidth > 0)
    .map((image) => ({ name: image.getAttribute('src').split('#')[0], right: image.getBoundingClientRect().right })));
  assert.deepEqual(shown.map((image) => image.name), [`one-day-${colorScheme}.svg`]);
  assert.ok(shown[0].right <= 390, 'the picture is wider than a narrow screen');
  await first.close();
}
done('the picture of the first page is there in light and dark, on a narrow screen, too');
assert.deepEqual(errors, []);
await browser.close();
