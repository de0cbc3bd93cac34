// The page "Try it without installing": a schema and a predicate go to the planner, which is a WebAssembly module inside try-module.js, and what it
// answers is shown. Works in a page that was opened from a file; nothing is sent anywhere.
(() => {
  'use strict';
  const LIMIT_SECONDS = 20;
  const home = document.getElementById('try');
  if (!home) return;
  const folder = document.currentScript.src.replace(/[^/]*$/, '');

  // Runs in a worker: one request, one answer. The module is a WASI program that reads standard input and writes standard output.
  function worker() {
    let compiled;
    function answer(request) {
      const input = new TextEncoder().encode(request);
      const written = { 1: [], 2: [] };
      let at = 0;
      let memory;
      const view = () => new DataView(memory.buffer);
      const parts = (list, count) => Array.from({ length: count }, (_, index) => {
        const part = list + 8 * index;
        return new Uint8Array(memory.buffer, view().getUint32(part, true), view().getUint32(part + 4, true));
      });
      const zeros = (...places) => { places.forEach((place) => view().setUint32(place, 0, true)); return 0; };
      const wasi = {
        fd_read(file, list, count, read) {
          const before = at;
          for (const part of parts(list, count)) {
            const piece = input.subarray(at, at + part.length);
            part.set(piece);
            at += piece.length;
          }
          view().setUint32(read, at - before, true);
          return 0;
        },
        fd_write(file, list, count, wrote) {
          let bytes = 0;
          for (const part of parts(list, count)) {
            written[file]?.push(part.slice());
            bytes += part.length;
          }
          view().setUint32(wrote, bytes, true);
          return 0;
        },
        environ_sizes_get: zeros,
        args_sizes_get: zeros,
        environ_get: () => 0,
        args_get: () => 0,
        random_get(place, length) {
          for (let done = 0; done < length; done += 65536) crypto.getRandomValues(new Uint8Array(memory.buffer, place + done, Math.min(65536, length - done)));
          return 0;
        },
        clock_time_get(clock, precision, place) {
          view().setBigUint64(place, BigInt(Date.now()) * 1000000n, true);
          return 0;
        },
        fd_prestat_get: () => 8, // no such file: there are no folders
        proc_exit(code) { throw new Error(`exit code ${code}`); },
      };
      const notThere = 52; // no such function
      const functions = WebAssembly.Module.imports(compiled).map(({ name }) => [name, wasi[name] ?? (() => notThere)]);
      const instance = new WebAssembly.Instance(compiled, { wasi_snapshot_preview1: Object.fromEntries(functions) });
      memory = instance.exports.memory;
      const text = (file) => new TextDecoder().decode(new Uint8Array(written[file].flatMap((part) => [...part])));
      try {
        instance.exports._start();
      } catch (error) {
        throw new Error(text(2).trim() || String(error));
      }
      return text(1);
    }
    onmessage = ({ data }) => {
      try {
        if (data.module) compiled = new WebAssembly.Module(data.module);
        else postMessage({ answer: answer(data.request) });
      } catch (error) {
        postMessage({ error: error.message });
      }
    };
  }

  const el = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };
  const examples = el('select', { id: 'try-example' });
  const schema = el('textarea', { id: 'try-schema', rows: 18, spellcheck: 'false', autocomplete: 'off', wrap: 'off' });
  const predicate = el('input', { id: 'try-predicate', spellcheck: 'false', autocomplete: 'off' });
  const state = el('p', { id: 'try-state', role: 'status' }, 'Loading the planner …');
  const messages = el('pre', { id: 'try-messages', tabindex: 0, role: 'region', 'aria-label': 'Messages', hidden: '' });
  const page = el('iframe', { id: 'try-page', title: 'The table and its plan', sandbox: 'allow-scripts', allow: 'clipboard-write', hidden: '' });
  const ddl = el('pre', { id: 'try-ddl', tabindex: 0, role: 'region', 'aria-label': 'Statements that create the tables' });
  const ddlBox = el('details', { hidden: '' }, el('summary', {}, 'Statements that create the tables (ddl)'), ddl);
  home.replaceChildren(
    el('p', {}, el('label', { for: 'try-example' }, 'Example '), examples),
    el('p', {}, el('label', { for: 'try-schema' }, 'Schema'), schema),
    el('p', {}, el('label', { for: 'try-predicate' }, 'Predicate'), predicate),
    state, messages, page, ddlBox,
  );

  let module;
  let running;
  let waiting = false;

  // In pages from files the search of the theme has put its own worker in the place of the browser's; a new window has that one.
  const clean = el('iframe', { hidden: '' });
  document.body.append(clean);

  function start() {
    const source = `(${worker})()`;
    const made = new clean.contentWindow.Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
    made.postMessage({ module });
    return made;
  }

  // One request at a time; what was typed meanwhile is asked afterwards.
  let active;
  function ask() {
    if (running) { waiting = true; return; }
    active ??= start();
    running = setTimeout(() => {
      active.terminate();
      active = undefined;
      show({ error: `stopped after ${LIMIT_SECONDS} seconds` });
    }, LIMIT_SECONDS * 1000);
    const width = Math.max(60, Math.min(160, Math.floor(home.clientWidth / 8.2)));
    active.onmessage = ({ data }) => show(data);
    active.onerror = (event) => show({ error: event.message });
    active.postMessage({ request: JSON.stringify({ schema: schema.value, predicate: predicate.value, width }) });
    state.textContent = 'Planning …';
  }

  function show({ answer, error }) {
    clearTimeout(running);
    running = undefined;
    const shown = answer ? JSON.parse(answer) : { messages: `error: ${error}\n`, page: null, ddl: null };
    messages.textContent = shown.messages;
    messages.hidden = shown.messages === '';
    page.hidden = shown.page === null;
    if (shown.page !== null) page.srcdoc = shown.page;
    ddlBox.hidden = shown.ddl === null;
    ddl.textContent = shown.ddl ?? '';
    state.textContent = shown.page === null ? 'Not planned: see the message.' : 'Planned in this page; nothing was sent anywhere.';
    if (waiting) { waiting = false; ask(); }
  }

  let typing;
  const later = () => { clearTimeout(typing); typing = setTimeout(ask, 300); };
  schema.addEventListener('input', later);
  predicate.addEventListener('input', later);

  const loaded = el('script', { src: `${folder}try-module.js` });
  loaded.onerror = () => { state.textContent = 'This copy of the site was built without the planner: docs/site/module builds it.'; };
  loaded.onload = () => {
    const { planner, tables } = globalThis.saltplanTry;
    module = Uint8Array.from(atob(planner), (sign) => sign.charCodeAt(0));
    for (const [at, { name }] of tables.entries()) examples.append(el('option', { value: at }, name));
    const choose = () => {
      const chosen = tables[examples.value];
      schema.value = chosen.schema;
      predicate.value = chosen.predicate;
      ask();
    };
    examples.addEventListener('change', choose);
    choose();
  };
  document.head.append(loaded);
})();
