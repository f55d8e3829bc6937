// view.js PLAYWRIGHT CHROMIUM ADDRESS STEPS PID: opens a page of assay view and times each step, from the event to the frame after the last change.
// view.js PLAYWRIGHT CHROMIUM speedscope FOLDER FILE: the same of speedscope, served from loopback. Prints JSON.
"use strict";
const { chromium } = require(process.argv[2]);
const fs = require("node:fs"), http = require("node:http"), path = require("node:path");
const [, , , browserPath, address, given, file] = process.argv;

/* In the page: what is under way, the longest task, and marks in the trace: "event NAME" when a step is done, "painted" after each frame that shows a change. */
const watch = () => {
  const u = (window.underway = { asked: 0, changed: 0, begun: 0, painted: 0, task: 0 }), ask = window.fetch, canvas = CanvasRenderingContext2D.prototype, port = new MessageChannel();
  const mark = (name) => { performance.mark(name); return performance.now(); };
  const over = (promise) => promise.finally(() => { u.asked--; });
  window.fetch = async (...a) => {
    u.asked++;
    const r = await ask(...a).catch((e) => { u.asked--; throw e; });
    for (const name of ["arrayBuffer", "text", "json"]) { const read = r[name].bind(r); r[name] = () => over(read()); }
    return r;
  };
  for (const name of ["fillRect", "putImageData"]) { const draw = canvas[name]; canvas[name] = function (...a) { u.changed++; return draw.apply(this, a); }; }
  new MutationObserver(() => { u.changed++; }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  new PerformanceObserver((l) => { for (const e of l.getEntries()) u.task = Math.max(u.task, e.duration); }).observe({ entryTypes: ["longtask"] });
  for (const name of ["keydown", "pointerdown"]) addEventListener(name, () => { u.begun = mark(`event ${u.step}`); }, true);
  u.go = (hash) => { u.begun = mark(`event ${u.step}`); location.hash = hash; };
  let shown = 0;
  port.port1.onmessage = () => { u.painted = mark("painted"); };
  const frame = () => { if (u.changed !== shown) port.port2.postMessage(0); shown = u.changed; requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
};
/* Milliseconds from the event to the frame with the last change, once nothing has changed for eight frames. What the page says is still being read is not waited for. */
const quiet = (page) => page.evaluate(() => new Promise((done) => {
  const u = window.underway;
  let still = 0, last = -1;
  const frame = () => {
    const busy = document.querySelector(".blocks, [aria-busy=true], .old") || (u.asked && !document.querySelector("[data-partial]"));
    still = busy || u.changed !== last ? 0 : still + 1;
    last = u.changed;
    if (still < 8) return requestAnimationFrame(frame);
    performance.mark("quiet");
    done(Math.max(0, u.painted - u.begun));
  };
  requestAnimationFrame(frame);
}));
/* One key, in the part of the page that has the focus then. */
const key = (name, where) => async (p) => { if (where) await p.focus(where); await quiet(p); await p.keyboard.press(name); };
const STEPS = {
  overview: "#s=overview", flame: "#s=flame", "bottom-up": "#s=flame&view=bottom-up", table: "#s=table", "table-sort": "#s=table&sort=total", tree: "#s=tree", callers: "#s=callers", source: "#s=source",
  streams: "#s=streams", timeline: "#s=timeline", coverage: "#s=coverage", "coverage-sort": "#s=coverage&csort=missed", folders: "#s=coverage&cby=directory", search: "#s=flame&q=a",
  "flame-select": key("ArrowDown", ".flame-box"), "flame-zoom": key("Enter"), "flame-out": key("0"), "table-end": key("End", ".grid"), "coverage-end": key("End", ".grid"),
  "tree-down": key("ArrowDown", ".tree"), "tree-open": key("ArrowRight"), metric: key("]"),
  "timeline-zoom": key("+", ".time-box"), "timeline-deeper": key("."), "timeline-stack": key("ArrowDown"), "timeline-range": key("+"),
  "source-lines": (p) => p.waitForFunction(() => !document.querySelector("[data-partial]") && document.querySelector("[data-line]"), undefined, { timeout: 120000 }),
};
async function heap(page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("HeapProfiler.collectGarbage");
  return page.evaluate(() => performance.memory.usedJSHeapSize);
}

/* Milliseconds of CPU of all threads that the server has had, as far as they were seen: those of connections end. */
const threads = new Map();
function served(pid) {
  for (const t of fs.readdirSync(`/proc/${pid}/task`)) try { threads.set(t, Number(fs.readFileSync(`/proc/${pid}/task/${t}/schedstat`, "utf8").split(" ")[0]) / 1e6); } catch { /* it has ended */ }
  return [...threads.values()].reduce((sum, t) => sum + t, 0);
}
/* Milliseconds of CPU of the page's thread for each step, from its event to the last frame that it changed. A loaded machine does not change them. */
function spent(trace) {
  const marks = JSON.parse(trace).traceEvents.filter((e) => e.cat === "blink.user_timing" && e.tts && /^(event .*|painted|quiet)$/.test(e.name)).sort((x, y) => x.ts - y.ts), steps = {};
  let step = null;
  for (const m of marks)
    if (m.name.startsWith("event ")) steps[m.name.slice(6)] = step = { from: m.tts, to: m.tts };
    else if (m.name === "quiet") step = null;
    else if (step) step.to = m.tts;
  return steps;
}

async function ours(page, browser) {
  const steps = {}, cost = {}, cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.addInitScript(watch);
  await page.goto(address);
  await page.waitForSelector(".headline .number");
  const first = await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done(performance.now()))));
  const firstCost = 1000 * (await cdp.send("Performance.getMetrics")).metrics.find((m) => m.name === "TaskDuration").value;
  await quiet(page);
  await browser.startTracing(page, { categories: ["blink.user_timing"] });
  for (const name of JSON.parse(given)) {
    const step = STEPS[name.replace("-again", "")], before = served(file);
    await page.evaluate((name) => { window.underway.step = name; }, name);
    typeof step === "string" ? await page.evaluate((h) => window.underway.go(h), step.slice(1)) : await step(page);
    steps[name] = await quiet(page);
    cost[name] = { server: served(file) - before };
  }
  const pages = spent(await browser.stopTracing());
  for (const name of Object.keys(steps)) cost[name].page = pages[name] ? (pages[name].to - pages[name].from) / 1000 : 0;
  return { first, firstCost, steps, cost, heap: await heap(page), task: await page.evaluate(() => window.underway.task) };
}

/* First picture: from the choice of the file to the frame after the first text on a canvas. */
async function speedscope(page) {
  const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
  const server = http.createServer((q, r) => fs.readFile(path.join(given, q.url === "/" ? "index.html" : q.url.split("?")[0]), (e, data) => { r.writeHead(e ? 404 : 200, { "Content-Type": types[path.extname(q.url)] ?? "text/html" }); r.end(data); }));
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  await page.addInitScript(() => {
    const draw = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (...a) { if (!window.drawn && window.chosen) requestAnimationFrame(() => { window.drawn ||= performance.now(); }); return draw.apply(this, a); };
    addEventListener("change", () => { window.chosen = performance.now(); }, true);
  });
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.waitForSelector("input[type=file]", { state: "attached" });
  await page.setInputFiles("input[type=file]", file);
  await page.waitForFunction(() => window.drawn, undefined, { timeout: 300000 });
  const first = await page.evaluate(() => window.drawn - window.chosen), steps = {};
  for (const key of ["2"]) {
    const begun = await page.evaluate(() => { window.drawn = 0; return performance.now(); });
    await page.keyboard.press(key);
    await page.waitForFunction(() => window.drawn, undefined, { timeout: 120000 });
    steps[key] = (await page.evaluate(() => window.drawn)) - begun;
  }
  server.close();
  return { first, steps, heap: await heap(page) };
}

(async () => {
  const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu", "--enable-precise-memory-info"] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(120000);
  console.log(JSON.stringify(address === "speedscope" ? await speedscope(page) : await ours(page, browser)));
  await browser.close();
})().catch((e) => { console.error(e); process.exit(1); });
