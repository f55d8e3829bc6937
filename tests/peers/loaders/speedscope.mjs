// speedscope.mjs FILE: what speedscope's own importer (npm speedscope) makes of a file, as JSON: for each profile its name and the rows of its functions.
// The package is one bundled script for a page. Its importer is found by the name under which it is exported, while the script runs without a page.
import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import { createRequire } from 'node:module';

const home = path.dirname(createRequire(path.join(process.env.SPEEDSCOPE_MODULES, 'x')).resolve('speedscope/package.json'));
const folder = path.join(home, 'dist/release');
const script = fs.readdirSync(folder).find((name) => /^speedscope-.*\.js$/.test(name));
const anything = new Proxy(function () {}, {
  get: (_, key) => (key === Symbol.toPrimitive ? () => '' : key === 'then' ? undefined : anything),
  apply: () => anything,
  construct: () => anything,
  set: () => true,
});
const quiet = { log() {}, warn() {}, error() {}, debug() {} };
const page = { console: quiet, TextDecoder, TextEncoder, setTimeout, clearTimeout, performance, URL, WebAssembly, atob, document: anything, localStorage: anything, history: anything, Image: anything,
  FileReader: anything, navigator: { platform: '', userAgent: '' }, location: { hash: '', search: '', href: 'file:///', protocol: 'file:' }, requestAnimationFrame() {}, addEventListener() {},
  removeEventListener() {}, matchMedia: () => ({ matches: false, addListener() {}, addEventListener() {} }), devicePixelRatio: 1, HTMLElement: class {}, Element: class {} };
page.window = page.self = page.globalThis = page;
const found = {};
page.seen = (name, get) => { found[name] = get; };
process.on('unhandledRejection', () => {});
vm.createContext(page);
vm.runInContext('{ const define = Object.defineProperty; Object.defineProperty = (o, k, d) => { if (d && d.get && /^importProfile/.test(k)) seen(k, d.get); return define(o, k, d); }; }', page);
try {
  vm.runInContext(fs.readFileSync(path.join(folder, script), 'utf8'), page);
} catch (e) {
  if (!found.importProfilesFromArrayBuffer) throw e; // it fails for want of a page, after the importer was made
}
await new Promise((done) => setImmediate(() => setTimeout(done, 50)));
const bytes = fs.readFileSync(process.argv[2]);
const group = await found.importProfilesFromArrayBuffer()(path.basename(process.argv[2]), bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
if (!group) {
  console.log('null');
  process.exit(0);
}
const profiles = group.profiles.map((p) => {
  const rows = [];
  p.forEachFrame((f) => rows.push({ name: f.name, self: f.getSelfWeight(), total: f.getTotalWeight() }));
  return { name: p.getName(), unit: p.getWeightUnit(), total: p.getTotalNonIdleWeight(), rows };
});
console.log(JSON.stringify(profiles));
process.exit(0);
