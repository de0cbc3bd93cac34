'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const get = (id) => document.getElementById(id);
  const number = (count) => Number(count).toLocaleString('en-US');
  const counted = (count, one, many) => `${number(count)} ${Number(count) === 1 ? one : many || one + 's'}`;

  // ---- Elements. Texts of the data only ever become text nodes.

  // Control characters and characters that change the writing direction are shown by their number.
  const SIGN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;
  const SIGNS = new RegExp(SIGN.source, 'g');
  const code = (sign) => 'U+' + sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  const plain = (text) => String(text).replace(SIGNS, (sign) => '<' + code(sign) + '>');

  function add(parent, child) {
    if (child === null || child === undefined || child === false) return;
    if (Array.isArray(child)) return child.forEach((one) => add(parent, one));
    if (child instanceof Node) return parent.append(child);
    const text = String(child);
    if (!SIGN.test(text)) return parent.append(text);
    let at = 0;
    for (const found of text.matchAll(SIGNS)) {
      parent.append(text.slice(at, found.index));
      parent.append(el('span', { class: 'sign' }, code(found[0])));
      at = found.index + 1;
    }
    parent.append(text.slice(at));
  }

  function el(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
      else made.setAttribute(key, value === true ? '' : value);
    }
    children.forEach((child) => add(made, child));
    return made;
  }

  function svg(name, attributes, ...children) {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
    children.forEach((child) => add(made, child));
    return made;
  }

  // Text between backquotes in a message is code.
  const prose = (text) => String(text).split(/`([^`]+)`/).map((part, at) => (at % 2 ? el('code', {}, part) : part));

  // ---- Packed lists and statements, written by pack.rs and sql.rs.

  function unpack(packed) {
    if (!packed) return [];
    if (Array.isArray(packed)) return packed;
    const list = (number) => {
      const texts = data.lists[number];
      return texts ? texts.slice(1).split(texts[0]) : [];
    };
    const prefix = packed.p || '', suffix = packed.s || '';
    if (packed.a === undefined) return list(packed.l).map((middle) => prefix + middle + suffix);
    const inner = list(packed.b);
    return list(packed.a).flatMap((one) => inner.map((other) => prefix + one + other + suffix)).slice(0, packed.n);
  }

  function unpackRuns(runs) {
    const values = [];
    for (let at = 0; at < (runs || []).length; at += 2) {
      for (let count = runs[at + 1]; count > 0; count--) values.push(runs[at]);
    }
    return values;
  }

  function unpackSql(parts) {
    const out = [];
    for (const part of parts) {
      if (typeof part === 'string') { out.push(part); continue; }
      const columns = part.t.filter((_, at) => at % 2).map(unpack);
      for (let time = 0; time < part.n; time++) {
        part.t.forEach((text, at) => out.push(at % 2 ? columns[(at - 1) / 2][time] : text));
      }
    }
    return out.join('');
  }

  // ---- Keys are texts with one character per byte, so that they compare like bytes in HBase.

  const bytesOf = (hex) => hex.replace(/../g, (pair) => String.fromCharCode(parseInt(pair, 16)));
  const unpackKeys = (packed) => (packed && packed.hex ? unpack(packed.hex).map(bytesOf) : unpack(packed));
  const hexOf = (key) => Array.from(key, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join(' ');
  // As the HBase shell prints them.
  const textOf = (key) => key.replace(/[^ -[\]-~]/g, (byte) => '\\x' + byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0'));

  function nextPrefix(key) {
    let keep = key.length;
    while (keep > 0 && key[keep - 1] === '\u00ff') keep--;
    return keep ? key.slice(0, keep - 1) + String.fromCharCode(key.charCodeAt(keep - 1) + 1) : null;
  }

  // How many of some ascending keys are less than or equal to a key.
  function countUpTo(keys, key) {
    let low = 0, high = keys.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (keys[middle] <= key) low = middle + 1; else high = middle;
    }
    return low;
  }

  function unpackRanges(packed) {
    if (!packed) return [];
    const starts = unpackKeys(packed.start), written = unpackKeys(packed.written);
    const kinds = unpackRuns(packed.stop), salts = unpackRuns(packed.salt), residuals = unpackRuns(packed.residual);
    let next = 0;
    return starts.map((start, at) => {
      const stop = [nextPrefix, (key) => key + '\u0000', () => null, () => written[next++]][kinds[at]](start);
      const residual = residuals[at];
      return {
        start, stop, isPoint: kinds[at] === 1, salt: start.slice(0, salts[at]),
        residual: residual === null || residual === undefined ? null : packed.residuals[residual],
      };
    });
  }

  const sameRange = (range) => range.start + '\u0100' + range.stop;

  // ---- Link targets

  const taken = new Set();
  function slug(...parts) {
    const base = parts.map((part) => encodeURIComponent(plain(part)).replace(/%20/g, '_')).join('/');
    let name = base;
    for (let at = 2; taken.has(name); at++) name = `${base}~${at}`;
    taken.add(name);
    return name;
  }

  const say = (text) => { get('said').textContent = plain(text); };
  const lazily = new WeakMap();

  // Content that is created when it is first shown.
  function folded(summary, fill, attributes) {
    const made = el('details', attributes, el('summary', {}, summary));
    const once = () => {
      if (!lazily.has(made)) return;
      lazily.delete(made);
      add(made, fill());
    };
    lazily.set(made, once);
    made.addEventListener('toggle', () => made.open && once());
    made.fill = once;
    return made;
  }

  // ---- What can be filtered

  const filtered = [];
  function filterable(element, ...texts) {
    filtered.push({ element, text: texts.flat(Infinity).filter(Boolean).join(' ').toLowerCase() });
    return element;
  }

  function filter() {
    const words = get('filter').value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { element, text } of filtered) {
      const fits = words.every((word) => text.includes(word));
      element.hidden = !fits;
      shown += fits;
    }
    get('matches').textContent = words.length ? `${number(shown)} of ${number(filtered.length)}` : '';
    for (const part of document.querySelectorAll('[data-filtered]')) {
      const inside = filtered.filter(({ element }) => part.contains(element));
      const none = part.querySelector('.none');
      none.hidden = !words.length || !inside.length || inside.some(({ element }) => !element.hidden);
    }
  }
  const none = () => el('p', { class: 'none faint', hidden: true }, 'Nothing here matches the filter.');

  // ---- The row key

  function keyFigure(table) {
    const example = table.example && bytesOf(table.example.key);
    const cuts = example ? table.example.cuts : [];
    const list = el('ul', { class: 'key' });
    const boxes = table.parts.filter((part) => part.role !== 'salt_input').concat(table.parts.filter((part) => part.role === 'salt_input'));
    for (const part of boxes) {
      const cut = cuts[table.parts.indexOf(part)];
      const bytes = cut && part.role !== 'salt_input' ? example.slice(cut[0], cut[1]) : null;
      const about = part.role === 'salt' ? `salt, ${part.encoding}` : part.encoding;
      const width = part.width === null ? 'any width' : counted(part.width, 'byte');
      const box = el('li', { class: part.role }, el('span', { class: 'name' }, part.name),
        el('span', { class: 'about' }, about),
        el('span', { class: 'about' }, part.role === 'salt_input' ? 'only an input of the salt' : width));
      if (bytes !== null) add(box, [el('span', { class: 'bytes' }, textOf(bytes)), el('span', { class: 'hex' }, hexOf(bytes))]);
      list.append(filterable(box, part.name, about));
      if (part.separator && part.role !== 'salt_input') {
        const separator = bytesOf(part.separator);
        list.append(el('li', { class: 'separator' }, el('span', { class: 'about' }, 'then'),
          el('span', {}, el('span', { class: 'bytes' }, textOf(separator)), el('span', { class: 'hex' }, hexOf(separator)))));
      }
    }
    const whole = example !== null && example !== undefined && el('p', { class: 'small faint' }, 'An example row: ',
      el('code', {}, textOf(example)), `, ${counted(example.length, 'byte')}`);
    return [list, whole];
  }

  // ---- The axis of keys: a column for each region. Inside a region, positions show the order of keys, not distances.

  class Axis {
    // The ranges give the scale; other ranges, of a version before, lie between them.
    constructor(regions, ranges, others) {
      this.keys = regions ? unpackKeys(regions.keys) : [];
      this.columns = this.keys.length + 1;
      this.each = regions ? regions.each : 1;
      this.count = regions ? regions.count : 1;
      this.places = new Map();
      this.scale(ranges);
      this.between(others);
    }

    // The bounds in order, each with its column and the salt of its range, which is null if the bound does not start with it.
    boundsOf(ranges) {
      const salts = new Map();
      const add = (key, salt) => salts.set(key, key.startsWith(salt) ? salt : null);
      for (const range of ranges) {
        add(range.start, range.salt);
        if (!range.isPoint && range.stop !== null && !salts.has(range.stop)) add(range.stop, range.salt);
      }
      const bounds = [...salts].map(([key, salt]) => ({ key, salt, column: countUpTo(this.keys, key) }));
      return bounds.sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0));
    }

    // All regions have one scale. If each salt has its own region, equal keys behind the salts have equal places.
    scale(ranges) {
      const bounds = this.boundsOf(ranges), columnOf = new Map(), saltOf = new Map();
      const isInside = ({ key, column }) => key !== (column ? this.keys[column - 1] : '');
      const inside = bounds.filter(isInside);
      const isSalted = inside.every(({ salt, column }) => {
        if (salt === null || (saltOf.has(column) && saltOf.get(column) !== salt) || (columnOf.has(salt) && columnOf.get(salt) !== column)) return false;
        saltOf.set(column, salt);
        columnOf.set(salt, column);
        return true;
      });
      const rest = ({ key, salt }) => key.slice(salt.length);
      const ranks = new Map();
      if (isSalted) [...new Set(inside.map(rest))].sort().forEach((one, at) => ranks.set(one, at + 1));
      const counts = new Map();
      let most = ranks.size;
      for (const bound of bounds) {
        const { key, column } = bound;
        if (!isInside(bound)) { this.places.set(key, column); continue; }
        const rank = isSalted ? ranks.get(rest(bound)) : (counts.get(column) || 0) + 1;
        counts.set(column, rank);
        most = Math.max(most, rank);
        this.places.set(key, [column, rank]);
      }
      for (const [key, place] of this.places) if (Array.isArray(place)) this.places.set(key, place[0] + place[1] / (most + 1));
    }

    // Bounds without a place are spread evenly between their neighbours.
    between(ranges) {
      const fresh = this.boundsOf(ranges).filter(({ key }) => !this.places.has(key));
      const known = [...this.places].sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
      const keys = known.map(([key]) => key);
      for (let at = 0; at < fresh.length;) {
        const { column, key } = fresh[at], next = countUpTo(keys, key);
        let behind = at;
        while (behind < fresh.length && fresh[behind].column === column && countUpTo(keys, fresh[behind].key) === next) behind++;
        const low = Math.max(column, next ? known[next - 1][1] : 0), high = Math.min(column + 1, next < known.length ? known[next][1] : Infinity);
        const isEdge = key === (column ? this.keys[column - 1] : '') ? 1 : 0;
        for (let step = at; step < behind; step++) this.places.set(fresh[step].key, low + ((high - low) * (step - at + 1 - isEdge)) / (behind - at + 1 - isEdge));
        at = behind;
      }
    }

    place(key) {
      if (key === null) return this.columns;
      const place = this.places.get(key);
      return place === undefined ? countUpTo(this.keys, key) : place;
    }

    // The first and the last column that a range touches.
    touched(range) {
      const first = countUpTo(this.keys, range.start);
      if (range.isPoint) return [first, first];
      if (range.stop === null) return [first, this.columns - 1];
      let last = countUpTo(this.keys, range.stop);
      if (last && this.keys[last - 1] === range.stop) last--;
      return [first, last];
    }

    name(column) {
      const first = column * this.each + 1, last = Math.min((column + 1) * this.each, this.count);
      return first === last ? `region ${number(first)}` : `regions ${number(first)} to ${number(last)}`;
    }

    names([first, last]) {
      const low = first * this.each + 1, high = Math.min((last + 1) * this.each, this.count);
      return low === high ? number(low) : `${number(low)} to ${number(high)}`;
    }

    bounds(column) {
      return { start: column ? this.keys[column - 1] : '', stop: column < this.keys.length ? this.keys[column] : null };
    }
  }

  const keyText = (key, isStop) => (key === null ? 'the end of the table' : key === '' ? 'the beginning of the table' : textOf(key) || (isStop ? '' : '(empty)'));

  function boundRows(name, key) {
    const rows = [el('dt', {}, name), el('dd', {}, el('code', {}, keyText(key)))];
    if (key) add(rows[1], [' ', el('span', { class: 'hex mono' }, hexOf(key))]);
    return rows;
  }

  // A drawing that is explored with a pointer or with the arrow keys. `find` gives the item at a place, `show` describes it.
  function explorable(label, size, { find, show, go, mark }) {
    const plot = el('div', { class: 'plot', role: 'slider', tabindex: 0, 'aria-label': plain(label), 'aria-valuemin': 1, 'aria-valuemax': Math.max(size, 1), 'aria-valuenow': 1, 'aria-valuetext': counted(size, 'item') });
    let at = -1;
    const choose = (next) => {
      at = Math.max(0, Math.min(size - 1, next));
      if (!size) return;
      plot.setAttribute('aria-valuenow', at + 1);
      plot.setAttribute('aria-valuetext', plain(show(at)));
      mark(at);
    };
    plot.addEventListener('pointermove', (event) => {
      const found = find(event.clientX - plot.getBoundingClientRect().left, event.clientY - plot.getBoundingClientRect().top);
      if (found >= 0 && found !== at) choose(found);
    });
    plot.addEventListener('pointerdown', (event) => {
      const found = find(event.clientX - plot.getBoundingClientRect().left, event.clientY - plot.getBoundingClientRect().top);
      if (found >= 0) choose(found);
    });
    plot.addEventListener('focus', () => choose(Math.max(at, 0)));
    plot.addEventListener('keydown', (event) => {
      const page = Math.max(1, Math.round(size / 10));
      const next = { ArrowRight: at + 1, ArrowUp: at + 1, ArrowLeft: at - 1, ArrowDown: at - 1, PageUp: at + page, PageDown: at - page, Home: 0, End: size - 1 }[event.key];
      if (next !== undefined) { event.preventDefault(); choose(next); }
      if (event.key === 'Enter' && go && at >= 0) go(at);
    });
    if (go) plot.addEventListener('dblclick', () => at >= 0 && go(at));
    plot.choose = choose;
    return plot;
  }

  const LEAST = 2.5;
  const box = (x, y, width, height) => `M${x.toFixed(1)} ${y}h${width.toFixed(1)}v${height}h${(-width).toFixed(1)}z`;
  const diamond = (x, y, half) => `M${x.toFixed(1)} ${y - half}l${half} ${half}l${-half} ${half}l${-half} ${-half}z`;

  // The columns of regions as a background.
  function columns(axis, width, height) {
    const one = width / axis.columns;
    let bands = '', edges = '';
    for (let at = 0; at < axis.columns; at++) {
      if (at % 2 && one >= 3) bands += box(at * one, 0, one, height);
      if (at && one >= 6) edges += `M${(at * one).toFixed(1)} 0v${height}`;
    }
    return { bands: svg('path', { d: bands, class: 'grid' }), edges: svg('path', { d: edges, class: 'edge' }) };
  }

  function spaceFigure(table, prefix) {
    const oldKeys = table.changes ? unpackKeys(table.changes.regions && table.changes.regions.keys) : [];
    const axis = new Axis(table.regions, table.plans.flatMap((plan) => plan.ranges), table.plans.flatMap((plan) => (plan.before ? plan.before.ranges : [])));
    const isMoved = table.changes && oldKeys.join('\u0100') !== axis.keys.join('\u0100');
    const inspector = el('div', { class: 'inspector' });
    const hasRanges = table.plans.some((plan) => plan.ranges.length);
    const idle = el('p', { class: 'faint' }, hasRanges
      ? 'Point at a range, or move the focus to a row and use the arrow keys: its exact bounds appear here. Enter jumps to its line in the plan.'
      : ['Point at a region, or move the focus to it and use the arrow keys: its exact bounds appear here.',
        table.plans.length ? '' : [' ', el('code', {}, '--predicate NAME=PREDICATE'), ' adds the ranges of a predicate.']]);
    inspector.append(idle);
    const scroll = el('div', { class: 'scroll lanes' });
    let zoom = 1;
    const drawers = [];
    const draw = () => {
      const room = Math.max(240, scroll.clientWidth - 30);
      const width = Math.max(room, Math.min(axis.columns * 15, 900)) * zoom;
      drawers.forEach((one) => one(width));
    };
    const tell = (title, rows) => inspector.replaceChildren(el('strong', {}, title), el('dl', {}, rows));

    // Regions
    {
      const frame = el('div', { class: 'lane' });
      let width = 1;
      const cursor = svg('rect', { class: 'chosen', x: 0, y: 1, width: 0, height: 16 });
      const plot = explorable(`Regions of ${table.name}`, axis.columns, {
        find: (x) => Math.floor((x / width) * axis.columns),
        mark: (at) => { cursor.setAttribute('x', (at * width) / axis.columns); cursor.setAttribute('width', width / axis.columns); },
        show: (at) => {
          const { start, stop } = axis.bounds(at);
          tell(`${axis.name(at)} of ${number(axis.count)}`, [boundRows('from', start), boundRows('to, not included', stop)]);
          return `${axis.name(at)}, from ${keyText(start)} to ${keyText(stop, true)}`;
        },
      });
      frame.append(el('div', { class: 'lane-name' }, el('span', {}, table.regions ? counted(axis.count, 'region') + ', split at' : 'One region: the schema does not say how the table is split')), plot);
      drawers.push((next) => {
        width = next;
        const one = width / axis.columns, letters = Math.max(0, ...axis.keys.slice(0, 200).map((key) => Math.min(textOf(key).length, 14)));
        const isUpright = one < letters * 6.7 + 8, height = axis.keys.length ? (isUpright ? 22 + letters * 6.7 : 36) : 20;
        const picture = svg('svg', { width, height, viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' });
        const { bands, edges } = columns(axis, width, 18);
        picture.append(bands, edges);
        const step = Math.max(1, Math.ceil((isUpright ? 14 : letters * 6.7 + 8) / one));
        for (let at = 1; at < axis.columns; at += step) {
          const x = at * one, key = axis.keys[at - 1], text = textOf(key);
          if (x > width - 12) break;
          const label = text.length > 14 ? text.slice(0, 13) + '…' : text;
          picture.append(svg('path', { d: `M${x} 0v20`, class: 'edge' }),
            svg('text', isUpright ? { x: 0, y: 0, transform: `translate(${x + 4} ${22}) rotate(90)` } : { x, y: 32, 'text-anchor': 'middle' }, label));
        }
        picture.append(cursor);
        plot.replaceChildren(picture);
      });
      scroll.append(frame);
    }

    table.plans.forEach((plan) => {
      const before = plan.before;
      const all = plan.ranges;
      const touched = new Set();
      for (const range of all) {
        const [first, last] = axis.touched(range);
        for (let at = first; at <= last; at++) touched.add(at);
      }
      const points = all.filter((range) => range.isPoint).length;
      let width = 1, middles = [];
      const top = 3, tall = 20, low = before ? 32 : 26;
      const cursor = svg('path', { class: 'chosen', d: '' });
      const left = (range) => (axis.place(range.start) / axis.columns) * width;
      const right = (range) => (range.isPoint ? left(range) : (axis.place(range.stop) / axis.columns) * width);
      const plot = explorable(`Ranges of ${plan.name}`, all.length, {
        find: (x) => {
          if (!all.length) return -1;
          let at = Math.min(all.length - 1, Math.max(0, countUpTo(middles, x)));
          const away = (index) => { const range = all[index]; return range ? Math.max(left(range) - x, x - right(range), 0) : Infinity; };
          const found = [at - 1, at, at + 1].sort((one, other) => away(one) - away(other))[0];
          return away(found) < 40 ? found : -1;
        },
        mark: (at) => {
          const x = left(all[at]), wide = Math.max(right(all[at]) - x, LEAST);
          cursor.setAttribute('d', all[at].isPoint ? diamond(x, top + tall / 2, 9) : box(x - 1.5, top - 2, wide + 3, tall + 4));
        },
        show: (at) => {
          const range = all[at];
          const names = axis.names(axis.touched(range));
          tell(`${plan.name}: ${range.isPoint ? 'point read' : 'range'} ${number(at + 1)} of ${number(plan.now.count)}`, [
            range.isPoint ? boundRows('one key', range.start) : [boundRows('from', range.start), boundRows('to, not included', range.stop)],
            el('dt', {}, /^[\d,]+$/.test(names) ? 'region' : 'regions'), el('dd', {}, names, range.salt ? ['; salt ', el('code', {}, textOf(range.salt))] : null,
              range.residual ? ['; rows are checked: ', el('code', {}, range.residual)] : null)]);
          return `${range.isPoint ? 'point read' : 'range'} ${at + 1}: ${range.isPoint ? textOf(range.start) : `from ${keyText(range.start)} to ${keyText(range.stop, true)}`}, region ${names}`;
        },
        go: (at) => { location.hash = `${plan.id}/range/${at + 1}`; },
      });
      const facts = plan.now.fault ? 'no plan' : plan.now.not_known ? 'known when the statement runs'
        : [plan.now.count > points || !points ? counted(plan.now.count - points, 'range') : null, points ? counted(points, 'point read') : null,
          plan.now.touched ? `${number(plan.now.touched[0])} of ${number(plan.now.touched[1])} regions` : null].filter(Boolean).join(', ');
      const was = before ? (before.now.fault ? '; before: no plan' : `; before: ${counted(before.now.count, 'range')}`) : '';
      const frame = el('div', { class: 'lane' }, el('div', { class: 'lane-name' },
        el('a', { href: '#' + plan.id }, plan.name), el('span', { class: 'faint' }, facts + was)), plot);
      drawers.push((next) => {
        width = next;
        const one = width / axis.columns;
        let band = '', bars = '', keys = '', old = '';
        for (const at of touched) band += box(at * one, 0, one, low);
        for (const range of all) {
          const x = left(range);
          if (range.isPoint) keys += diamond(x, top + tall / 2, all.length > 2000 ? 3 : 6);
          else bars += box(x, top, Math.max(right(range) - x, LEAST), tall);
        }
        middles = all.map((range) => (left(range) + right(range)) / 2);
        for (const range of before ? before.ranges : []) {
          const x = left(range);
          old += range.isPoint ? diamond(x, 28, 3) : box(x + 0.7, 25.5, Math.max(right(range) - x - 1.4, 1), 5);
        }
        let moved = '';
        if (isMoved) for (const key of oldKeys.slice(0, 2000)) moved += `M${((axis.place(key) / axis.columns) * width).toFixed(1)} 24v8`;
        const picture = svg('svg', { width, height: low, viewBox: `0 0 ${width} ${low}`, 'aria-hidden': 'true' });
        const { bands, edges } = columns(axis, width, low);
        picture.append(bands, svg('path', { d: band, class: 'touched' }), edges, svg('path', { d: bars, class: 'range' }),
          svg('path', { d: keys, class: 'point' }), svg('path', { d: old, class: 'old' }), svg('path', { d: moved, class: 'old-key' }), cursor);
        plot.replaceChildren(picture);
      });
      plan.plot = plot;
      scroll.append(filterable(frame, plan.name, plan.predicate, plan.now.summary));
    });

    const zoomed = el('output', {}, '1×');
    const setZoom = (next) => {
      zoom = Math.max(1, Math.min(64, next));
      zoomed.textContent = zoom + '×';
      draw();
    };
    const entry = (picture, text) => el('li', {}, svg('svg', { width: 18, height: 14, viewBox: '0 0 18 14', 'aria-hidden': 'true' }, picture), text);
    const legend = el('ul', { class: 'legend' }, hasRanges ? [
      entry(svg('path', { d: box(2, 1, 14, 12), class: 'range' }), 'range'),
      entry(svg('path', { d: diamond(9, 7, 6), class: 'point' }), 'point read'),
      entry(svg('path', { d: box(0, 0, 18, 14), class: 'touched' }), 'region that is read')] : entry(svg('path', { d: box(0, 0, 9, 14), class: 'grid' }), 'region'),
      table.changes ? entry(svg('path', { d: box(2, 4, 14, 6), class: 'old' }), 'before') : null,
      isMoved ? entry(svg('path', { d: 'M9 1v12', class: 'old-key' }), 'split key before') : null);
    const figure = el('div', { class: 'space' },
      el('div', { class: 'space-head' }, legend, el('div', { class: 'zoom' }, 'Zoom',
        el('button', { type: 'button', 'aria-label': 'Zoom out', onclick: () => setZoom(zoom / 2) }, '−'), zoomed,
        el('button', { type: 'button', 'aria-label': 'Zoom in', onclick: () => setZoom(zoom * 2) }, '+'))),
      scroll, inspector);
    new ResizeObserver(draw).observe(scroll);
    table.axis = axis;
    return [figure, el('p', { class: 'small faint' }, 'The columns are the regions in key order, all with the same width. Inside a region, positions show the order of keys, not distances; all regions have the same scale.')];
  }

  // ---- Plans

  function told(fault, isWarm) {
    return el('div', { class: isWarm ? 'told warm' : 'told' }, prose(fault.message), fault.help ? el('div', { class: 'small' }, 'help: ', prose(fault.help)) : null);
  }

  async function copy(text, what) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = el('textarea', { class: 'unseen', 'aria-hidden': 'true' });
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand('copy');
      area.remove();
    }
    say(`copied ${what}`);
  }

  function copyButton(label, text) {
    const button = el('button', { type: 'button', class: 'copy', 'aria-label': label, onclick: async () => {
      await copy(text(), label.replace(/^Copy /, ''));
      const set = (word) => {
        button.textContent = word;
        button.setAttribute('aria-label', label.replace(/^Copy/, word));
      };
      set('Copied');
      setTimeout(() => set('Copy'), 1500);
    } }, 'Copy');
    return button;
  }

  function statementPart(statement, plan) {
    if (statement.fault) return el('div', {}, el('h5', {}, `SQL for ${statement.engine}`), told(statement.fault));
    const facts = `SQL for ${statement.engine}: ${statement.shape}, ${counted(statement.scans, 'scan')} in ${counted(statement.jobs, 'job')}, ${counted(statement.lines, 'line')}, ${counted(statement.bytes, 'byte')}`;
    const note = statement.note ? told(statement.note) : null;
    const warnings = (statement.warnings || []).map((warning) => told(warning, warning.severity !== 'note'));
    if (!statement.sql) {
      return el('div', {}, el('p', {}, facts), note, warnings, el('p', { class: 'faint' }, 'It is too long for this page. ', el('code', {}, 'saltplan plan'), ' prints all of it.'));
    }
    return folded(facts, () => {
      const text = unpackSql(statement.sql);
      return [el('div', { class: 'sql-head' }, el('span', { class: 'small faint' }, 'The whole text, as the command prints it'), copyButton(`Copy the SQL of ${plain(plan.name)} for ${statement.engine}`, () => text)),
        note, warnings, el('pre', { tabindex: 0, role: 'region', 'aria-label': `SQL of ${plain(plan.name)} for ${statement.engine}` }, el('code', {}, text))];
    }, { class: 'sql', 'data-print': statement.lines <= 60 });
  }

  const ROWS = 100;

  function rangeTable(plan, axis, marks) {
    const hasSalt = plan.ranges.some((range) => range.salt), hasResidual = plan.ranges.some((range) => range.residual);
    const heads = ['#', hasSalt && 'salt', 'start row', 'stop row', 'regions', hasResidual && 'rows are checked', marks && 'change'].filter(Boolean);
    const body = el('tbody');
    const shown = (key, isStop) => [el('code', {}, keyText(key, isStop)), key ? el('span', { class: 'hex' }, hexOf(key)) : null];
    const row = (range, at) => el('tr', { id: `${plan.id}/range/${at + 1}` }, [
      ['#', number(at + 1), 'number'],
      hasSalt && ['salt', el('code', {}, textOf(range.salt))],
      ['start row', shown(range.start)],
      ['stop row', range.isPoint ? el('span', { class: 'faint' }, '(one key)') : shown(range.stop, true)],
      ['regions', axis.names(axis.touched(range))],
      hasResidual && ['rows are checked', range.residual ? el('code', {}, range.residual) : ''],
      marks && ['change', marks.has(sameRange(range)) ? '' : el('span', { class: 'more' }, '+ new')],
    ].filter(Boolean).map(([name, value, kind]) => el('td', { class: kind, 'data-name': name }, value)));
    let done = 0;
    const more = el('button', { type: 'button' });
    const fill = (until) => {
      const end = Math.min(plan.ranges.length, until);
      const rows = document.createDocumentFragment();
      for (; done < end; done++) rows.append(row(plan.ranges[done], done));
      body.append(rows);
      more.hidden = done >= plan.ranges.length;
      more.textContent = `Show ${number(Math.min(1000, plan.ranges.length - done))} more of ${number(plan.ranges.length - done)}`;
    };
    more.addEventListener('click', () => fill(done + 1000));
    fill(ROWS);
    plan.showRange = (wanted) => fill(Math.max(done, wanted));
    const left = plan.now.count - plan.ranges.length;
    return [el('div', { class: 'wrap', tabindex: 0, role: 'region', 'aria-label': `Ranges of ${plain(plan.name)}` },
      el('table', { class: 'ranges stack' }, el('thead', {}, el('tr', {}, heads.map((head) => el('th', { scope: 'col', class: head === '#' ? 'number' : null }, head)))), body)),
      more, left > 0 ? el('p', { class: 'faint' }, `${counted(left, 'more range')} are not on this page; saltplan explain --output-format json lists all.`) : null];
  }

  function comparison(plan, table) {
    const { now, before } = plan;
    if (before.now.fault) return told({ message: `There was no plan before: ${before.now.fault.message}` });
    const number2 = (value) => (value === null || value === undefined ? '–' : number(value));
    const rows = [];
    const row = (name, was, is) => {
      const difference = was === null || is === null || was === undefined || is === undefined ? '' : Number(is) - Number(was);
      const text = difference === '' ? '' : difference === 0 ? 'same' : (difference > 0 ? '+' : '−') + number(Math.abs(difference));
      rows.push(el('tr', {}, el('th', { scope: 'row' }, name), el('td', { class: 'number' }, number2(was)), el('td', { class: 'number' }, number2(is)), el('td', { class: difference ? 'number changed' : 'number faint' }, text)));
    };
    row('ranges and point reads', before.now.count, now.count);
    row('regions that are read', before.now.touched && before.now.touched[0], now.touched && now.touched[0]);
    row('salts that are read', before.now.salts && before.now.salts[0], now.salts && now.salts[0]);
    for (const statement of now.statements || []) {
      const was = (before.now.statements || []).find((other) => other.engine === statement.engine) || {};
      row(`jobs on ${statement.engine}`, was.jobs, statement.jobs);
      row(`bytes of SQL for ${statement.engine}`, was.bytes, statement.bytes);
    }
    const known = new Set(before.ranges.map(sameRange)), kept = new Set(plan.ranges.map(sameRange));
    const fresh = plan.ranges.filter((range) => !known.has(sameRange(range))).length;
    const gone = before.ranges.filter((range) => !kept.has(sameRange(range)));
    const same = fresh + gone.length === 0;
    const list = gone.length ? folded(`${counted(gone.length, 'range')} ${gone.length === 1 ? 'was' : 'were'} removed`, () => el('ul', { class: 'notes' },
      gone.slice(0, 200).map((range) => el('li', {}, el('span', { class: 'less' }, '− '), el('code', {}, textOf(range.start)), range.isPoint ? ' (one key)' : [' to ', el('code', {}, keyText(range.stop, true))])),
      gone.length > 200 ? el('li', {}, `${counted(gone.length - 200, 'more')} are not listed`) : null)) : null;
    const touched = (ranges) => new Set(ranges.flatMap((range) => { const [first, last] = table.axis.touched(range); return Array.from({ length: last - first + 1 }, (_, at) => first + at); }));
    const is = touched(plan.ranges), was = touched(before.ranges);
    const others = (some, rest) => [...some].filter((at) => !rest.has(at)).sort((one, other) => one - other).map((at) => table.axis.names([at, at]));
    const named = (names) => names.slice(0, 20).join(', ') + (names.length > 20 ? ` and ${number(names.length - 20)} more` : '');
    const fewer = others(was, is), further = others(is, was);
    const regions = fewer.length + further.length === 0 ? null : el('p', {}, 'Regions: ',
      [further.length ? `+ ${named(further)} now read` : null, fewer.length ? `− ${named(fewer)} no longer read` : null].filter(Boolean).join('; '), '.');
    const isCut = now.count > plan.ranges.length || before.now.count > before.ranges.length;
    return [el('h5', {}, 'Before and after'),
      el('div', { class: 'wrap' }, el('table', { class: 'plain' }, el('thead', {}, el('tr', {}, el('td', {}, ''), ['before', 'after', 'difference'].map((head) => el('th', { scope: 'col', class: 'number' }, head)))), el('tbody', {}, rows))),
      el('p', {}, same ? 'The ranges are the same, byte for byte.' : [el('span', { class: 'more' }, `+ ${counted(fresh, 'range')} new`), ', ', el('span', { class: 'less' }, `− ${counted(gone.length, 'range')} removed`), `, ${counted(plan.ranges.length - fresh, 'range')} as before.`],
        isCut ? ' Only the ranges of this page are compared.' : ''), regions, list];
  }

  // Whether `plan` or `build` prints no statement for it.
  function isRefused({ now }) {
    return Boolean(now.fault || now.refused || (now.statements.length && now.statements.every((statement) => statement.fault || statement.note)));
  }

  function planPart(plan, table) {
    const now = plan.now;
    const part = el('article', { class: 'plan', id: plan.id, tabindex: -1 },
      el('div', { class: 'plan-head' }, el('h4', {}, plan.name), el('a', { class: 'small', href: '#' + plan.id, 'aria-label': `Link to ${plain(plan.name)}` }, '#'),
        now.kind ? el('span', { class: now.kind === 'full_scan' ? 'badge warm' : 'badge' }, now.kind.replace('_', ' ')) : null,
        isRefused(plan) ? el('span', { class: 'badge warm' }, '▲ refused') : null),
      el('code', { class: 'predicate' }, plan.predicate));
    if (now.fault) {
      add(part, told({ message: `There is no plan: ${now.fault.message}`, help: now.fault.help }, true));
      if (plan.before) add(part, comparison(plan, table));
      return filterable(part, plan.name, plan.predicate, now.fault.message);
    }
    add(part, el('p', {}, now.summary));
    if (now.refused) add(part, told({ message: now.refused.message, help: now.refused.help }, true));
    now.warnings.forEach((warning) => add(part, told(warning, true)));
    if (now.not_known) add(part, told({ message: 'The keys are not known before the statement runs, because the scheduler fills in the parameters.' }));
    const unused = now.notes.filter(([name]) => ['not_used', 'no_pruning', 'unordered'].includes(name));
    const others = now.notes.filter((note) => !unused.includes(note));
    for (const [title, notes] of [['Conditions that do not narrow the ranges', unused], ['About the ranges', others]]) {
      if (notes.length) add(part, [el('h5', {}, title), el('ul', { class: 'notes' }, notes.map(([name, text]) => el('li', {}, prose(text), ' ', el('span', { class: 'badge' }, name))))]);
    }
    const residuals = now.ranges && now.ranges.residuals;
    if (residuals) {
      const list = (texts) => el('ul', { class: 'notes' }, texts.map((text) => el('li', {}, el('code', {}, text))));
      add(part, [el('h5', {}, 'Conditions that are checked row by row'), list(residuals.slice(0, 5)),
        residuals.length > 5 ? folded(`${counted(residuals.length - 5, 'more condition')}`, () => list(residuals.slice(5))) : null]);
    }
    const costs = now.statements.filter((statement) => !statement.fault);
    if (costs.length) {
      add(part, [el('h5', {}, 'What a statement costs'), el('div', { class: 'wrap' }, el('table', { class: 'plain' }, el('thead', {}, el('tr', {}, ['engine', 'shape'].map((head) => el('th', { scope: 'col' }, head)), ['scans', 'jobs', 'bytes of SQL'].map((head) => el('th', { scope: 'col', class: 'number' }, head)))),
        el('tbody', {}, costs.map((cost) => el('tr', {}, el('td', {}, cost.engine), el('td', {}, cost.shape), el('td', { class: 'number' }, number(cost.scans)), el('td', { class: 'number' }, number(cost.jobs)), el('td', { class: 'number' }, number(cost.bytes)))))))]);
    }
    if (plan.before) add(part, comparison(plan, table));
    if (plan.ranges.length) {
      const marks = plan.before && !plan.before.now.fault ? new Set(plan.before.ranges.map(sameRange)) : null;
      plan.list = folded(`${counted(now.count, 'range')} with ${now.count === 1 ? 'its' : 'their'} bounds`, () => rangeTable(plan, table.axis, marks), { 'data-print': now.count <= 40 });
      add(part, plan.list);
    }
    const faults = now.statements.map((statement) => statement.fault && statement.fault.message);
    if (faults.length && faults.every((fault) => fault && fault === faults[0])) add(part, [el('h5', {}, 'SQL'), told(now.statements[0].fault)]);
    else now.statements.forEach((statement) => add(part, statementPart(statement, plan)));
    return filterable(part, plan.name, plan.predicate, now.summary, now.notes);
  }

  // ---- Changes

  function changesPart(changes) {
    const classes = { data_loss: true, key: true, region: true };
    const side = (value) => (value === null ? el('span', { class: 'faint' }, 'nothing') : el('code', {}, value));
    const values = (parts) => el('ul', { class: 'notes' }, parts.map(([path, old, now]) => el('li', {}, path, ': ', old === null ? side(null) : el('span', { class: 'was' }, side(old)), ' → ', side(now))));
    const entries = changes.entries.map((entry) => filterable(el('li', {},
      el('span', { class: classes[entry.class] ? 'badge warm' : 'badge' }, entry.class), ' ', el('strong', {}, entry.headline || entry.path),
      entry.target ? el('div', { class: 'small' }, 'target: ', prose(entry.target)) : null,
      entry.consequence ? el('div', { class: 'small' }, prose(entry.consequence[0]), el('span', { class: 'faint' }, ` (${entry.consequence[1]})`)) : null,
      // The headline of a part that is added or removed says all of it.
      entry.headline ? (entry.parts.length > 1 ? folded(counted(entry.parts.length, 'place') + ' in the file', () => values(entry.parts), { 'data-print': false }) : null)
        : [values(entry.parts.slice(0, 1)), entry.parts.length > 1 ? folded(counted(entry.parts.length - 1, 'more place'), () => values(entry.parts.slice(1)), { 'data-print': false }) : null]),
    entry.class, entry.path, entry.headline, entry.parts));
    const heads = ['row', 'old key', 'new key', 'the old key reads as'];
    const rows = changes.evidence.map((cells) => el('tr', {}, cells.map((cell, at) => el('td', { 'data-name': heads[at] }, el('code', {}, cell)))));
    return [el('p', {}, 'Compared with ', el('code', {}, changes.base), entries.length ? '. The worst classes come first: ' : ': nothing changes.',
      entries.length ? el('span', { class: 'faint' }, 'key: stored rows can no longer be read; data_loss: HBase deletes stored cells; region: split keys change; mapping and query: printed statements change; cosmetic: nothing changes.') : null),
    el('ul', { class: 'changes' }, entries), none(),
    changes.more ? el('p', {}, `${counted(changes.more, 'more change')} are not listed.`) : null,
    rows.length ? [el('h4', { class: 'minor' }, 'Rows with their old and new keys'), el('div', { class: 'wrap', tabindex: 0, role: 'region', 'aria-label': 'Rows under both keys' }, el('table', { class: 'stack' }, el('thead', {}, el('tr', {}, heads.map((head) => el('th', { scope: 'col' }, head)))), el('tbody', {}, rows)))] : null];
  }

  // ---- Audit

  const SHAPES = { error: '✖', warning: '▲', note: '●' };
  const severity = (kind) => el('span', { class: kind === 'note' ? 'badge note' : 'badge warm' }, el('span', { 'aria-hidden': 'true' }, SHAPES[kind] + ' '), kind);

  function findingPart(finding, id) {
    const rule = data.rules[finding.rule];
    return filterable(el('div', { class: `finding ${finding.severity}`, id, tabindex: -1 },
      el('p', {}, severity(finding.severity), ' ', el('strong', {}, `${finding.rule} ${rule.name}`), ` at line ${finding.line}, column ${finding.column}`),
      el('p', {}, prose(finding.message), finding.label ? el('span', { class: 'faint' }, ` (${finding.label})`) : null),
      finding.help ? el('p', { class: 'small' }, 'help: ', prose(finding.help)) : null,
      finding.fix ? el('p', { class: 'small' }, 'fix: ', finding.fix) : null,
      folded(`What ${finding.rule} looks for, and why`, () => [el('p', {}, prose(rule.summary)), el('p', {}, prose(rule.why)), rule.learned ? el('p', { class: 'faint' }, 'Learned from: ' + rule.learned) : null,
        rule.corrected ? [el('p', {}, 'A corrected example:'), el('pre', { tabindex: 0, role: 'region', 'aria-label': `Example of ${finding.rule}` }, el('code', {}, rule.corrected))] : null], { 'data-print': false })),
    finding.rule, rule.name, finding.message, finding.severity);
  }

  function auditPart(table, prefix) {
    const { findings, text } = table.audit;
    const ids = findings.map((finding) => slug(prefix, 'audit', finding.rule));
    const list = el('ul', { class: 'found' }, findings.map((finding, at) => el('li', {}, severity(finding.severity), ' ', el('a', { href: '#' + ids[at] }, `${finding.rule}, line ${finding.line}`), ' ', prose(finding.message))));
    const byLine = new Map();
    findings.forEach((finding, at) => {
      const end = Math.min(finding.end_line, finding.line + 3);
      if (!byLine.has(end)) byLine.set(end, []);
      byLine.get(end).push([finding, ids[at]]);
    });
    const near = new Set(), marked = new Set();
    for (const finding of findings) {
      const end = Math.min(finding.end_line, finding.line + 3);
      for (let line = finding.line; line <= end; line++) marked.add(line);
      for (let line = finding.line - 3; line <= end + 3; line++) near.add(line);
    }
    const yaml = el('div', { class: 'yaml' });
    const line = (no, content) => el('div', { class: marked.has(no) ? 'line marked' : 'line' }, el('span', { class: 'no' }, no), el('code', {}, content));
    for (const [first, content] of text.pieces) {
      const lines = content.split('\n');
      let quiet = [];
      const flush = () => {
        if (!quiet.length) return;
        const run = quiet;
        quiet = [];
        if (run.length < 8) return run.forEach(([no, one]) => yaml.append(line(no, one)));
        yaml.append(folded(`lines ${run[0][0]} to ${run[run.length - 1][0]}`, () => run.map(([no, one]) => line(no, one)), { 'data-print': false }));
      };
      lines.forEach((one, at) => {
        const no = first + at;
        if (!near.has(no)) return quiet.push([no, one]);
        flush();
        yaml.append(line(no, one));
        (byLine.get(no) || []).forEach(([finding, id]) => yaml.append(findingPart(finding, id)));
      });
      flush();
    }
    const isWhole = text.pieces.length === 1 && text.pieces[0][0] === 1 && text.pieces[0][1].split('\n').length === text.lines;
    return [findings.length ? list : el('p', {}, 'No finding.'), none(),
      isWhole ? null : el('p', { class: 'small faint' }, `The schema has ${number(text.lines)} lines; only the lines around findings are shown.`), yaml];
  }

  // ---- Queries

  // The two versions of a query side by side. Replaced parts have the same number on both sides.
  function queryTexts(query) {
    const before = el('code'), after = el('code');
    let whole = '', places = 0;
    for (const part of query.parts) {
      if (typeof part === 'string') {
        add(before, part);
        add(after, part);
        whole += part;
        continue;
      }
      const [old, packed, length] = part;
      const number = old ? el('b', { class: 'place' }, ++places) : null;
      if (old) before.append(el('mark', { class: 'cut' }, number.cloneNode(true), old));
      const text = packed ? unpackSql(packed) : `( … ${counted(length, 'byte')}, too long for this page: saltplan rewrite prints them )`;
      after.append(el('ins', {}, number, text));
      whole = whole === null || !packed ? null : whole + text;
    }
    const side = (title, code, button) => el('div', {}, el('div', { class: 'sql-head' }, el('h4', { class: 'minor' }, title), button),
      el('pre', { tabindex: 0, role: 'region', 'aria-label': `${title}: ${plain(query.name)}` }, code));
    const button = whole === null ? null : copyButton(`Copy the rewritten ${plain(query.name)}`, () => whole);
    return el('div', { class: 'pair' }, side('As it is written', before), side('With its key ranges', after, button));
  }

  function queryPart(query) {
    const id = slug('query', query.name);
    const references = query.references || [];
    const [all, left] = query.counts || [0, 0];
    const part = el('article', { class: 'plan', id, tabindex: -1 },
      el('div', { class: 'plan-head' }, el('h3', { class: 'minor' }, query.name), el('a', { class: 'small', href: '#' + id, 'aria-label': `Link to ${plain(query.name)}` }, '#'),
        all > left ? el('span', { class: 'badge note' }, `${counted(all - left, 'table')} narrowed`) : null,
        left ? el('span', { class: 'badge warm' }, `▲ ${counted(left, 'table')} read as a whole`) : null));
    if (query.fault) {
      add(part, told({ message: `It was not rewritten: ${query.fault.message}`, help: query.fault.help }, true));
      return filterable(part, query.name, query.fault.message);
    }
    if (!references.length) add(part, el('p', {}, 'It reads no logical table of these schemas.'));
    let places = 0;
    const conditions = (one) => [
      one.used.map((used) => el('li', {}, one.pruned ? 'used, ' : 'could be used, ', used.place, ': ', el('code', {}, used.condition))),
      one.unused.map((unused) => el('li', {}, 'not used: ', el('code', {}, unused.condition), ' – ', prose(unused.reason)))];
    for (const one of references) {
      const where = el('span', { class: 'faint' }, ` at line ${one.line}, column ${one.column}`);
      add(part, one.pruned
        ? el('div', { class: 'told' }, el('b', { class: 'place' }, ++places), el('code', {}, one.table), where, ` reads ${one.reads.summary}`, el('div', { class: 'small faint' }, `costs ${one.reads.cost}`), el('ul', { class: 'notes small' }, conditions(one)))
        : el('div', { class: 'told warm' }, el('code', {}, one.table), where, ' is left: ', prose(one.left.reason), el('div', { class: 'small' }, 'help: ', prose(one.left.help)), el('ul', { class: 'notes small' }, conditions(one))));
    }
    if (all > references.length) add(part, el('p', { class: 'faint' }, `${counted(all - references.length, 'more place')} where it reads a table are not listed.`));
    query.notes.forEach((note) => add(part, told(note, note.severity !== 'note')));
    add(part, query.parts ? queryTexts(query) : el('p', { class: 'faint' }, `The query is too long for this page: ${counted(query.bytes[0], 'byte')}.`));
    return filterable(part, query.name, (query.parts || []).map((one) => (typeof one === 'string' ? one : one[0])), references.map((one) => one.table));
  }

  function queriesPart(queries) {
    const id = slug('queries');
    const part = el('section', { class: 'table', id, tabindex: -1, 'aria-label': 'Queries', 'data-filtered': true }, el('h2', {}, 'Queries'),
      el('p', { class: 'faint small' }, 'Queries on logical tables, and the same with the key ranges that their own conditions leave.'), queries.map(queryPart), none(), data.more_queries ? el('p', {}, `${counted(data.more_queries, 'more query', 'more queries')} are not in this page.`) : null);
    return [part, el('li', {}, el('a', { href: '#' + id }, 'Queries'))];
  }

  // ---- Load and growth

  // The picture is written by `picture/` of saltplan-simulate, as for `simulate --svg`; its texts are escaped there.
  function simulatedPart(simulated, name) {
    const drawn = document.importNode(new DOMParser().parseFromString(simulated.svg, 'image/svg+xml').documentElement, true);
    const heads = [['start row', null], [simulated.unit, 'number']].map(([text, style]) => el('th', { scope: 'col', class: style }, text));
    const table = folded('The figures as a table', () => [
      el('p', { class: 'small faint' }, `${counted(simulated.regions, 'region')}${simulated.regions > simulated.figures.length ? `; the first ${number(simulated.figures.length)} are listed` : ''}.`),
      el('div', { class: 'wrap', tabindex: 0, role: 'region', 'aria-label': `Figures of ${plain(name)}` }, el('table', {}, el('thead', {}, el('tr', {}, heads)),
        el('tbody', {}, simulated.figures.map(([start, value]) => el('tr', {}, el('td', {}, el('code', {}, start || '(first)')), el('td', { class: 'number' }, value)))))),
    ]);
    return [simulated.partial ? told({ message: 'The simulation was interrupted: the figures cover only a part of it.' }, true) : null,
      simulated.warnings.map((warning) => told(warning, true)),
      el('div', { class: 'scroll picture' }, drawn), table];
  }

  // ---- The page

  function prepare(table, prefix) {
    for (const plan of table.plans) {
      plan.id = slug(prefix, 'plan', plan.name);
      plan.ranges = unpackRanges(plan.now.ranges);
      if (plan.before) plan.before = { now: plan.before, ranges: unpackRanges(plan.before.ranges) };
    }
  }

  function tablePart(table) {
    const id = slug(table.name);
    prepare(table, table.name);
    const links = [];
    const part = el('section', { class: 'table', id, 'aria-label': plain(table.name) }, el('h2', {}, table.name));
    const chips = el('ul', { class: 'chips' }), ids = {};
    part.append(el('p', { class: 'faint small' }, 'from ', el('code', {}, table.file)), chips);
    const section = (name, title, content, isFiltered) => {
      const own = slug(table.name, name);
      links.push([own, title]);
      ids[name] = own;
      part.append(el('section', { id: own, tabindex: -1, 'aria-label': plain(title), 'data-filtered': isFiltered }, el('h3', {}, title), content));
    };
    section('key', 'Key space', [keyFigure(table), spaceFigure(table), none()], true);
    if (table.changes) section('changes', 'Changes', changesPart(table.changes), true);
    if (table.plans.length) {
      section('plans', 'Plans', [table.plans.map((plan) => planPart(plan, table)), none(),
        table.more_plans ? el('p', {}, `${counted(table.more_plans, 'more plan')} are not on this page.`) : null], true);
    }
    if (table.audit) section('audit', 'Audit', auditPart(table, table.name), true);
    if (table.load) section('load', 'Load', simulatedPart(table.load, table.name));
    if (table.growth) section('growth', 'Growth', simulatedPart(table.growth, table.name));
    // What each section says of the table; what is to be looked at comes first.
    const findings = table.audit ? table.audit.findings : [];
    const bad = findings.filter((finding) => finding.severity !== 'note').length;
    const refused = table.plans.filter(isRefused).length, changes = table.changes && table.changes.entries.length + table.changes.more;
    const worst = table.changes && ['key', 'data_loss', 'region'].find((one) => table.changes.entries.some((entry) => entry.class === one));
    const harm = { key: 'stored rows become unreadable', data_loss: 'stored cells are deleted', region: 'split keys change' };
    const said = [
      refused ? ['plans', `${number(refused)} of ${counted(table.plans.length, 'plan')} refused`] : null,
      worst ? ['changes', `${counted(changes, 'change')}: ${harm[worst]}`] : null,
      bad ? ['audit', `audit: ${counted(bad, 'finding')} to look at`] : null,
      ...[['load', table.load], ['growth', table.growth]].map(([name, one]) => one && (one.partial || one.warnings.length)
        ? [name, `${name}: ${one.partial ? 'interrupted' : counted(one.warnings.length, 'warning')}`] : null),
    ].filter(Boolean);
    add(chips, [
      said.map(([name, text]) => el('li', { class: 'chip warm' }, el('a', { href: '#' + ids[name] }, `▲ ${text}`))),
      el('li', { class: 'chip' }, table.regions ? counted(table.regions.count, 'region') : 'regions not described'),
      table.salts ? el('li', { class: 'chip' }, counted(table.salts, 'salt')) : null,
      table.plans.length && !refused ? el('li', { class: 'chip' }, counted(table.plans.length, 'plan')) : null,
      table.audit && !bad ? el('li', { class: said.length ? 'chip' : 'chip good' }, `${said.length ? '' : '✔ '}audit: no error, no warning`) : null,
      table.changes && !worst ? el('li', { class: 'chip' }, changes ? counted(changes, 'change') : 'nothing changes') : null,
    ]);
    const entries = links.map(([own, title]) => el('li', {}, el('a', { href: '#' + own }, title)));
    return [part, el('li', {}, el('a', { href: '#' + id }, table.name), el('ul', {}, entries))];
  }

  // Scrolls to the target of the hash, and unfolds what contains it.
  function follow() {
    const hash = location.hash.slice(1);
    if (!hash) return;
    const range = hash.match(/^(.*)\/range\/(\d+)$/);
    if (range) {
      const plan = data.tables.flatMap((table) => table.plans).find((one) => one.id === range[1]);
      const wanted = Number(range[2]);
      if (plan && plan.list && wanted >= 1 && wanted <= plan.ranges.length) {
        plan.list.fill();
        plan.list.open = true;
        plan.showRange(wanted);
        plan.plot.choose(wanted - 1);
      }
    }
    const target = get(hash);
    if (!target) return;
    if (target.closest('[hidden]') || target.querySelector('[hidden].plan')) { get('filter').value = ''; filter(); }
    for (let above = target; above; above = above.parentElement) if (above.tagName === 'DETAILS') { above.fill && above.fill(); above.open = true; }
    document.querySelectorAll('.aimed').forEach((one) => one.classList.remove('aimed'));
    target.classList.add('aimed');
    target.scrollIntoView({ block: range ? 'center' : 'start' });
    if (target.tabIndex === -1 && target.hasAttribute('tabindex')) target.focus({ preventScroll: true });
  }

  const themes = ['auto', 'light', 'dark'];
  function setTheme(theme) {
    if (theme === 'auto') delete document.documentElement.dataset.theme; else document.documentElement.dataset.theme = theme;
    get('theme').textContent = { auto: '◐ auto', light: '☀ light', dark: '☾ dark' }[theme];
    get('theme').setAttribute('aria-label', `Colours: ${theme}`);
    get('theme').dataset.theme = theme;
    // A page that was opened from a file may have no storage.
    try { localStorage.setItem('saltplan-theme', theme); } catch { /* the next visit starts with auto */ }
  }

  let stored = 'auto';
  try { stored = localStorage.getItem('saltplan-theme') || 'auto'; } catch { /* see above */ }
  setTheme(themes.includes(stored) ? stored : 'auto');
  get('theme').addEventListener('click', () => setTheme(themes[(themes.indexOf(get('theme').dataset.theme) + 1) % themes.length]));

  add(get('title'), data.title);
  add(get('made'), `Made by ${data.made_by}. This file loads nothing from the network.`);
  const list = el('ul');
  const main = get('main');
  for (const table of data.tables) {
    const [part, entry] = tablePart(table);
    main.append(part);
    list.append(entry);
  }
  if (data.queries.length) {
    const [part, entry] = queriesPart(data.queries);
    main.append(part);
    list.append(entry);
  }
  get('contents').append(list);
  get('filter').addEventListener('input', filter);
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) { event.preventDefault(); get('filter').focus(); }
    if (event.key === 'Escape' && document.activeElement === get('filter')) { get('filter').value = ''; filter(); }
  });
  let opened = [];
  addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('details[data-print]:not([open])')].filter((one) => one.dataset.print !== 'false');
    opened.forEach((one) => { one.fill && one.fill(); one.open = true; });
  });
  addEventListener('afterprint', () => opened.forEach((one) => { one.open = false; }));
  addEventListener('hashchange', follow);
  // By then the drawings have their sizes.
  requestAnimationFrame(() => requestAnimationFrame(follow));
})();
