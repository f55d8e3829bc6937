// view.js PLAYWRIGHT CHROMIUM ADDRESS STEPS PID: opens a page of assay view and times each step, from the event to the frame after the last change.
// view.js PLAYWRIGHT CHROMIUM speedscope FOLDER FILE: the same of speedscope, served from loopback. Prints JSON.
"use strict";
const { chromium } = require(process.argv[2]);
const fs = require("node:fs"), http = require("node:http"), path = require("node:path");
const [, , , browserPath, address, given, file] = process.argv;

/* In the page: what is under way, and the longest task. */
const watch = () => {
  const u = (window.underway = { asked: 0, changed: 0, at: 0, task: 0 }), ask = window.fetch;
  window.fetch = async (...a) => { u.asked++; try { const r = await ask(...a); await r.clone().arrayBuffer(); return r; } finally { u.asked--; u.at = performance.now(); } };
  new MutationObserver(() => { u.changed++; u.at = performance.now(); }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  new PerformanceObserver((l) => { for (const e of l.getEntries()) u.task = Math.max(u.task, e.duration); }).observe({ entryTypes: ["longtask"] });
};
/* The time of the last change, once nothing has changed for eight frames. */
const quiet = (page) => page.evaluate(() => new Promise((done) => {
  const u = window.underway;
  let still = 0, last = -1;
  const frame = () => {
    still = u.asked || u.changed !== last || document.querySelector(".blocks, [aria-busy=true], .old") ? 0 : still + 1;
    last = u.changed;
    still >= 8 ? done(u.at) : requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}));
const STEPS = {
  overview: "#s=overview", flame: "#s=flame", "bottom-up": "#s=flame&view=bottom-up", table: "#s=table", "table-sort": "#s=table&sort=total", tree: "#s=tree", callers: "#s=callers", source: "#s=source",
  streams: "#s=streams", timeline: "#s=timeline", coverage: "#s=coverage", "coverage-sort": "#s=coverage&csort=missed", folders: "#s=coverage&cby=directory", search: "#s=flame&q=a",
  "flame-zoom": async (p) => { await p.focus(".flame-box"); await p.keyboard.press("ArrowDown"); await p.keyboard.press("Enter"); },
  "table-end": async (p) => { await p.focus(".grid"); await p.keyboard.press("End"); }, "coverage-end": async (p) => { await p.focus(".grid"); await p.keyboard.press("End"); },
  "tree-open": async (p) => { await p.focus(".tree"); await p.keyboard.press("Home"); await p.keyboard.press("ArrowDown"); await p.keyboard.press("ArrowRight"); },
  "timeline-zoom": async (p) => { await p.focus(".time-box"); await p.keyboard.press("+"); }, "timeline-deeper": async (p) => { await p.keyboard.press("."); }, "timeline-stack": async (p) => { await p.keyboard.press("ArrowDown"); },
};
async function heap(page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("HeapProfiler.collectGarbage");
  return page.evaluate(() => performance.memory.usedJSHeapSize);
}

/* Seconds of CPU: of the page's thread, and of the server. A loaded machine does not change them. */
async function cpu(cdp, pid) {
  const page = (await cdp.send("Performance.getMetrics")).metrics.find((m) => m.name === "TaskDuration").value, stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\)/, "").split(" ");
  return { page: 1000 * page, server: 10 * (Number(stat[12]) + Number(stat[13])) };
}

async function ours(page) {
  const steps = {}, cost = {}, cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.addInitScript(watch);
  await page.goto(address);
  await page.waitForSelector(".headline .number");
  const first = await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done(performance.now())))), firstCost = await cpu(cdp, file);
  await quiet(page);
  for (const name of JSON.parse(given)) {
    const step = STEPS[name], before = await cpu(cdp, file), begun = await page.evaluate(() => performance.now());
    typeof step === "string" ? await page.evaluate((h) => { location.hash = h.slice(1); }, step) : await step(page);
    steps[name] = Math.max(0, (await quiet(page)) - begun);
    const after = await cpu(cdp, file);
    cost[name] = { page: after.page - before.page, server: after.server - before.server };
  }
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
  console.log(JSON.stringify(address === "speedscope" ? await speedscope(page) : await ours(page)));
  await browser.close();
})().catch((e) => { console.error(e); process.exit(1); });
