// Talks to a YAML language server over stdio, as an editor does.
// Usage: node check.mjs SERVER ROOT

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [server, root] = process.argv.slice(2);
const TIMEOUT = 60_000;

class Client {
  constructor(process) {
    this.process = process;
    this.buffer = Buffer.alloc(0);
    this.nextId = 1;
    this.answers = new Map();
    this.diagnostics = new Map();
    process.stdout.on("data", (data) => this.receive(data));
  }

  receive(data) {
    this.buffer = Buffer.concat([this.buffer, data]);
    for (;;) {
      const end = this.buffer.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = Number(/Content-Length: (\d+)/i.exec(this.buffer.subarray(0, end).toString())[1]);
      if (this.buffer.length < end + 4 + length) return;
      const message = JSON.parse(this.buffer.subarray(end + 4, end + 4 + length).toString());
      this.buffer = this.buffer.subarray(end + 4 + length);
      this.handle(message);
    }
  }

  handle(message) {
    if (message.method === "textDocument/publishDiagnostics") {
      this.diagnostics.get(message.params.uri)?.(message.params.diagnostics);
    } else if (message.method === "workspace/configuration") {
      this.send({ id: message.id, result: message.params.items.map(({ section }) => settings[section] ?? null) });
    } else if (message.method && message.id !== undefined) {
      this.send({ id: message.id, result: null });
    } else if (this.answers.has(message.id)) {
      const { resolve, reject } = this.answers.get(message.id);
      message.error ? reject(new Error(message.error.message)) : resolve(message.result);
    }
  }

  send(message) {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.process.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  request(method, params) {
    const id = this.nextId++;
    this.send({ id, method, params });
    return new Promise((resolve, reject) => this.answers.set(id, { resolve, reject }));
  }

  notify(method, params) {
    this.send({ method, params });
  }

  // Opens a text and waits for what the server says about it.
  open(uri, text) {
    const answer = new Promise((resolve) => this.diagnostics.set(uri, resolve));
    this.notify("textDocument/didOpen", { textDocument: { uri, languageId: "yaml", version: 1, text } });
    return answer;
  }
}

// The schema store on the net is not used.
const settings = { yaml: { validate: true, completion: true, hover: true, schemaStore: { enable: false } } };
settings["[yaml]"] = {};
settings.editor = {};
settings.files = {};

const child = spawn(process.execPath, [server, "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
const timer = setTimeout(() => fail(new Error("the language server does not answer")), TIMEOUT);

function fail(error) {
  console.error(error);
  child.kill();
  process.exit(1);
}

const client = new Client(child);
const examples = join(root, "schemas/examples");
const read = (name) => readFileSync(join(examples, name), "utf8");
// Texts that are not on disk, next to the examples, so that the modeline's relative path finds the
// schema.
const uriOf = (name) => pathToFileURL(join(examples, name)).href;

async function examplesAreClean() {
  const files = readdirSync(examples).filter((name) => name.endsWith(".yaml"));
  assert.ok(files.length >= 11);
  for (const name of files) {
    assert.deepEqual(await client.open(uriOf(name), read(name)), [], name);
  }
  console.log(`${files.length} examples: no errors`);
}

async function wrongKeysAreFlagged() {
  const text = read("md5_nibble_day.yaml").replace("first_hex_digits", "first_hex_digit");
  const found = await client.open(uriOf("wrong-key.yaml"), text);
  const line = text.split("\n").findIndex((content) => content.includes("first_hex_digit:"));
  const messages = found.map(({ message }) => message).join("\n");
  assert.match(messages, /first_hex_digit is not allowed/);
  assert.match(messages, /Missing property "first_hex_digits"/);
  assert.ok(found.every(({ range }) => range.start.line === line), JSON.stringify(found));
  console.log("a wrong key: flagged at its line");
}

async function saltsAreOffered() {
  const head = read("md5_nibble_day.yaml").split("\n")[0];
  const text = `${head}\nsaltplan: 1\nkey:\n  salt:\n    \n  fields: []\n`;
  const uri = uriOf("salts.yaml");
  await client.open(uri, text);
  const answer = await client.request("textDocument/completion", {
    textDocument: { uri },
    position: { line: 4, character: 4 },
  });
  const labels = (answer.items ?? answer).map(({ label }) => label);
  for (const salt of ["md5", "java_hash", "modulo", "random"]) {
    assert.ok(labels.includes(salt), `${salt} is not offered: ${labels}`);
  }
  console.log(`completion under salt: ${labels.join(", ")}`);
}

async function keysAreExplained() {
  const name = "md5_nibble_day.yaml";
  const text = read(name);
  const lines = text.split("\n");
  const line = lines.findIndex((content) => content.includes("first_hex_digits"));
  const uri = uriOf("hover.yaml");
  await client.open(uri, text);
  const answer = await client.request("textDocument/hover", {
    textDocument: { uri },
    position: { line, character: lines[line].indexOf("first_hex_digits") + 2 },
  });
  const shown = JSON.stringify(answer?.contents ?? "");
  assert.match(shown, /32 hex digits/);
  console.log("hover: the description of the key");
}

try {
  const capabilities = { textDocument: { publishDiagnostics: {}, completion: { completionItem: { snippetSupport: true } }, hover: {} }, workspace: { configuration: true } };
  await client.request("initialize", { processId: process.pid, rootUri: pathToFileURL(root).href, capabilities });
  client.notify("initialized", {});
  client.notify("workspace/didChangeConfiguration", { settings });
  await examplesAreClean();
  await wrongKeysAreFlagged();
  await saltsAreOffered();
  await keysAreExplained();
  clearTimeout(timer);
  child.kill();
  process.exit(0);
} catch (error) {
  fail(error);
}
