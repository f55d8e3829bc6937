// view.js PLAYWRIGHT CHROMIUM SAMPLES PICTURES: opens the page of each sample as a person does and prints, as JSON, what was seen there.
// SAMPLES is a JSON list of {name, url, walks}; a walk is the name of one of the functions in `walks` below.
"use strict";
const { chromium } = require(process.argv[2]);
const { spawn } = require("child_process");
const [, , , browserPath, samplesText, pictures] = process.argv;
const SCREENS = ["overview", "flame", "table", "tree", "callers", "source", "timeline", "streams", "compare", "coverage", "problems"];

/* Runs in the page before its script: counts what is under way there, so that no test has to guess how long something takes. */
const watch = () => {
  const under = (window.underway = { asked: 0, timers: new Set(), changed: 0 }), ask = window.fetch, set = window.setTimeout, clear = window.clearTimeout;
  window.fetch = async (...a) => { under.asked++; try { const r = await ask(...a); await r.clone().arrayBuffer(); return r; } finally { under.asked--; } };
  window.setTimeout = (f, ms = 0, ...a) => { const id = set(() => { under.timers.delete(id); f(...a); }, ms); if (ms < 1000) under.timers.add(id); return id; };
  window.clearTimeout = (id) => { under.timers.delete(id); clear(id); };
  new MutationObserver(() => { under.changed++; }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
};
/* Nothing is asked, no timer runs, nothing grey stands in place of an answer, and four frames went by in which nothing changed. */
const settled = async (page) => {
  await page.evaluate(() => new Promise((done, fail) => {
    const u = window.underway, begin = performance.now();
    let quiet = 0, last = -1;
    const frame = () => {
      quiet = u.asked || u.timers.size || u.changed !== last || document.querySelector(".blocks, [aria-busy=true], .old") ? 0 : quiet + 1;
      last = u.changed;
      if (quiet >= 4) done();
      else if (performance.now() - begin > 20000) fail(new Error(`not settled: asked ${u.asked}, timers ${u.timers.size}`));
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }));
};
const go = async (page, hash) => { await page.evaluate((h) => { location.hash = h; }, hash); await settled(page); };
const hashOf = (page) => page.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.slice(1))));
const texts = (page, selector) => page.$$eval(selector, (list) => list.map((e) => e.textContent));
const rows = (page) => page.$$eval(".grid .tr[data-row]", (list) => list.map((r) => ({ name: r.querySelector(".name bdi").textContent, cells: Object.fromEntries([...r.querySelectorAll("[data-col]")].map((c) => [c.dataset.col, { text: c.textContent, exact: c.title }])) })));
const treeRows = (page) => page.$$eval(".tree .tr", (list) => list.map((r) => ({ name: r.dataset.name, level: +r.getAttribute("aria-level"), open: r.getAttribute("aria-expanded"), cells: [...r.querySelectorAll("[role=gridcell]")].slice(0, 4).map((c) => c.textContent), exact: [...r.querySelectorAll("[role=gridcell]")].map((c) => c.title) })));
const boxes = (page) => page.$$eval(".flame-box [role=treeitem]", (list) => list.map((b) => ({ name: b.textContent, label: b.getAttribute("aria-label"), level: +b.dataset.level, x: +b.dataset.x, w: +b.dataset.w, total: b.dataset.total, more: +b.dataset.more, chosen: b.getAttribute("aria-selected") === "true" })));

/* Every screen once: what it says, whether its tab is dimmed, and what has no name for a screen reader. */
async function screens(page, name, seen, of = SCREENS, input = "") {
  seen.screens = {};
  for (const s of of) {
    await go(page, `s=${s}${input}`);
    seen.screens[s] = await page.evaluate((s) => ({
      why: document.querySelector(`[data-tab=${s}].lacks`)?.title ?? "", text: document.querySelector("main").innerText.slice(0, 4000), bad: [...document.querySelectorAll(".message.bad")].map((m) => m.innerText),
      nameless: [...document.querySelectorAll("button, input, select, [role=tree], [role=grid], [role=treegrid]")].filter((e) => !(e.textContent.trim() || e.getAttribute("aria-label") || e.title || e.labels?.length)).map((e) => e.outerHTML.slice(0, 120)),
      wide: document.documentElement.scrollWidth > innerWidth,
    }), s);
    if (pictures && /^(xdebug|hpcrun|lcov)$/.test(name)) await page.screenshot({ path: `${pictures}/${name}-${s}.png` });
  }
}

const walks = {
  screens: async (page, sample, seen) => screens(page, sample.name, seen),
  // Inputs of every other format: the screens that have something to show, and why the others have not.
  every: async (page, sample, seen) => {
    const names = await page.evaluate(() => [...document.querySelectorAll('[aria-label="A"] option')].map((o) => [o.value, o.textContent]).filter(([id]) => !id.includes(",")));
    seen.every = {};
    for (const [id, name] of names) {
      await go(page, `s=overview&a=${id}`);
      const lacking = await page.$$eval(".tabs .lacks", (l) => l.map((b) => [b.dataset.tab, b.title])), one = (seen.every[name] = { lacking });
      await screens(page, "", one, SCREENS.filter((s) => !lacking.some(([tab]) => tab === s) && s !== "compare"), `&a=${id}`);
    }
  },
  // A large call graph: what is known of a source before the cost of its lines is, and then that.
  partial: async (page, sample, seen) => {
    const lines = () => page.$$eval(".code .tr[data-line]", (list) => list.map((r) => [+r.dataset.line, ...[...r.querySelectorAll("[role=gridcell]")].slice(0, 5).map((c) => c.title || c.textContent)]));
    let hold;
    const held = new Promise((done) => { hold = done; });
    await page.route((url) => url.pathname === "/api/source" && !url.searchParams.has("now"), (r) => hold(r));
    await page.evaluate(() => { location.hash = "s=source&a=2"; });
    await page.waitForSelector("#partial");
    await page.waitForFunction(() => [...document.querySelectorAll(".code .tr [title]")].some((c) => /^\d/.test(c.title)));
    seen.note = await page.textContent("#partial");
    seen.partial = { lines: await lines(), heads: await texts(page, ".code .thead [role=columnheader]") };
    await (await held).continue();
    await page.waitForFunction(() => !document.querySelector("[data-partial]"));
    await settled(page);
    seen.whole = { lines: await lines(), heads: await texts(page, ".code .thead [role=columnheader]"), notes: (await page.$$("#partial")).length };
    await page.unrouteAll();
  },
  figures: async (page, sample, seen) => {
    await go(page, "s=overview");
    seen.title = await page.title();
    seen.metrics = await page.$$eval("[data-metric]", (list) => list.map((r) => ({ name: r.dataset.metric, text: r.querySelector(".n").textContent, exact: r.querySelector(".n").title })));
    seen.top = await page.$$eval('[data-top="function-self"] tr', (list) => list.map((r) => r.querySelector("bdi").textContent));
    seen.command = await page.$eval("#copy-command", (b) => b.dataset.command).catch(() => "");
    await go(page, "s=table");
    seen.table = await rows(page);
    seen.foot = await page.textContent(".foot .cut");
    seen.tableCommand = await page.$eval("#copy-command", (b) => b.dataset.command).catch(() => "");
  },
  tree: async (page, sample, seen) => {
    for (const view of ["top-down", "bottom-up", "flat"]) { await go(page, `s=tree${view === "top-down" ? "" : `&view=${view}`}`); seen[`tree-${view}`] = await treeRows(page); }
    await go(page, "s=flame");
    seen.flame = await boxes(page);
    seen.flameFoot = await page.textContent(".foot .cut");
    await go(page, "s=flame&view=bottom-up");
    seen["flame-bottom-up"] = await boxes(page);
  },
  keys: async (page, sample, seen) => {
    const press = async (...keys) => { for (const k of keys) { await page.keyboard.press(k); await settled(page); } };
    await go(page, "s=overview");
    await page.click("main");
    seen.byKey = [];
    for (const k of ["2", "3", "4", "9", "1"]) { await press(k); seen.byKey.push((await hashOf(page)).s); }
    await press("?");
    seen.help = await page.$$eval("dialog tr", (l) => l.length);
    await press("Escape");
    seen.helpClosed = (await page.$$("dialog")).length;
    await press("Control+k");
    await page.keyboard.type("go to tree");
    await press("Enter");
    seen.palette = (await hashOf(page)).s;
    await go(page, "s=table");
    await page.focus(".grid");
    await press("ArrowDown", "ArrowDown");
    seen.selected = (await hashOf(page)).fn;
    await press("4");
    seen.selectedOnTree = await page.$eval("aside .fn", (e) => e.textContent).catch(() => "");
    await press("f");
    seen.focused = await hashOf(page);
    seen.focusedRows = await treeRows(page);
    await page.goBack();
    await settled(page);
    seen.back = await hashOf(page);
    await page.keyboard.press("/");
    await page.keyboard.type("zzz1");
    await settled(page);
    seen.typed = await hashOf(page);
    await page.keyboard.press("Escape");
    await go(page, "s=flame");
    await page.focus(".flame-box");
    await press("ArrowDown");
    seen.down = (await boxes(page)).find((b) => b.chosen);
    await press("Enter");
    await settled(page);
    seen.zoomed = await hashOf(page);
    await press("Escape");
    seen.unzoomed = await hashOf(page);
    await press("i");
    seen.inverted = (await hashOf(page)).view;
    await page.focus(".flame-box");
    await press("+");
    seen.plus = (await hashOf(page)).x;
    await press("0");
    seen.zero = (await hashOf(page)).x ?? "";
    await press("Shift+F10");
    seen.menu = await page.$$eval("[role=menu] [role=menuitem]", (l) => l.length);
    await press("Escape");
    seen.menuClosed = (await page.$$("[role=menu]")).length;
    await go(page, "s=tree");
    await page.focus(".tree");
    await press("Home", "ArrowRight", "ArrowRight");
    seen.opened = (await treeRows(page)).length;
    seen.active = await page.$eval(".tree", (t) => t.getAttribute("aria-activedescendant"));
    await press("*");
    await settled(page);
    seen.hot = (await treeRows(page)).map((r) => r.name);
    await press("i");
    seen.treeInverted = (await hashOf(page)).view;
  },
  address: async (page, sample, seen) => {
    const state = "s=table&sort=total&focus=fib&focus=prime&min=1";
    await go(page, state);
    seen.before = { rows: await rows(page), chips: await texts(page, "[data-chip]"), hash: await hashOf(page) };
    await page.reload();
    await settled(page);
    seen.after = { rows: await rows(page), chips: await texts(page, "[data-chip]"), hash: await hashOf(page) };
    await page.click('[data-chip="focus=fib"] button');
    await settled(page);
    seen.dropped = { rows: await rows(page), chips: await texts(page, "[data-chip]") };
    await page.goBack();
    await settled(page);
    seen.returned = await texts(page, "[data-chip]");
    await page.click(".thead [role=columnheader]:nth-child(2) button");
    await settled(page);
    seen.sorted = await page.$eval(".thead [role=columnheader]:nth-child(2)", (h) => h.getAttribute("aria-sort"));
    await page.click(".thead [role=columnheader]:nth-child(2) button");
    await settled(page);
    seen.resorted = { sort: await page.$eval(".thead [role=columnheader]:nth-child(2)", (h) => h.getAttribute("aria-sort")), rows: await rows(page) };
    await go(page, "s=table&match=%2F(%2F");
    seen.badPattern = await texts(page, ".error");
    await go(page, "s=table&match=%2F%5Ecount%2F");
    seen.matched = (await rows(page)).map((r) => r.name);
    await go(page, "s=table&match=%2F%5Ecount%2F&not=1");
    seen.notMatched = (await rows(page)).map((r) => r.name);
  },
  looks: async (page, sample, seen) => {
    await go(page, "s=flame");
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.emulateMedia({ colorScheme: "light" });
    seen.light = await ground();
    await page.emulateMedia({ colorScheme: "dark" });
    await settled(page);
    seen.dark = await ground();
    if (pictures) for (const s of ["overview", "flame", "table", "tree"]) { await go(page, `s=${s}`); await page.screenshot({ path: `${pictures}/${sample.name}-${s}-dark.png` }); }
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    for (const width of [900, 420]) {
      await page.setViewportSize({ width, height: 700 });
      seen[`wide${width}`] = {};
      for (const s of SCREENS) { await go(page, `s=${s}`); seen[`wide${width}`][s] = await page.evaluate(() => document.documentElement.scrollWidth); if (pictures && width === 900 && s === "flame") await page.screenshot({ path: `${pictures}/${sample.name}-${s}-900.png` }); }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  },
  compare: async (page, sample, seen) => {
    await go(page, "s=compare&a=1&b=2");
    seen.diff = await page.$$eval(".diff .tr[data-name]", (list) => list.map((r) => ({ name: r.dataset.name, cells: [...r.querySelectorAll("[role=gridcell]")].slice(0, 3).map((c) => c.title || c.textContent) })));
    seen.legend = await page.textContent(".scale");
    await go(page, "s=flame&a=1&b=2");
    seen.diffBoxes = await boxes(page);
    if (pictures) await page.screenshot({ path: `${pictures}/${sample.name}-flame-compare.png` });
  },
  callers: async (page, sample, seen) => {
    await go(page, "s=callers&fn=fib");
    for (const side of ["callers", "callees"]) seen[side] = await page.$$eval(`[data-list=${side}] tbody tr`, (list) => list.map((r) => ({ name: r.querySelector("bdi").textContent, total: r.querySelector(".bar span").title, calls: r.children[3].textContent })));
    seen.it = await page.$$eval("#it dd", (list) => list.map((d) => d.title || d.textContent));
    await page.click("[data-list=callers] tbody bdi");
    await settled(page);
    seen.walked = (await hashOf(page)).fn;
    await page.goBack();
    await settled(page);
    seen.walkedBack = (await hashOf(page)).fn;
    await go(page, "s=callers&as=graph&whole=1&node=0&edge=0");
    seen.nodes = await page.$$eval(".node", (l) => l.map((n) => n.dataset.name));
    await go(page, "s=callers&as=graph&whole=1&node=20");
    seen.bigNodes = await page.$$eval(".node", (l) => l.map((n) => n.dataset.name));
    seen.graphFoot = await page.textContent(".foot .cut");
    if (pictures) await page.screenshot({ path: `${pictures}/${sample.name}-graph.png` });
  },
  coverage: async (page, sample, seen) => {
    await go(page, "s=coverage");
    seen.rates = await page.$$eval("#totals [data-what]", (l) => Object.fromEntries(l.map((d) => [d.dataset.what, d.querySelector("small").textContent])));
    seen.files = await page.$$eval(".tr[data-path]", (l) => l.map((r) => r.dataset.path));
    await go(page, "s=coverage&cby=directory");
    seen.folders = await page.$$eval(".tr[data-path]", (l) => l.map((r) => r.dataset.path));
    await go(page, "s=source");
    seen.lines = await page.$$eval(".code .tr[data-line]", (l) => l.map((r) => ({ line: +r.dataset.line, state: r.dataset.state, hits: r.children[0].textContent, branches: r.children[1]?.getAttribute("aria-label") ?? "" })));
    seen.noSource = await page.$$eval(".missing li", (l) => l.map((e) => e.textContent));
  },
  streams: async (page, sample, seen) => {
    await go(page, "s=streams");
    seen.stats = await page.$$eval("[data-stat]", (l) => Object.fromEntries(l.map((d) => [d.dataset.stat, +d.dataset.value])));
    seen.labels = await page.$$eval("[data-stream]", (l) => l.map((r) => r.dataset.stream));
    seen.points = await page.$$eval("[data-point]", (l) => l.length);
    await page.click("[data-stream] td.name button");
    await settled(page);
    seen.only = await hashOf(page);
    seen.onlyTotal = await page.getAttribute(".whole", "title");
    await go(page, "s=timeline");
    seen.lanes = await page.$$eval("[data-lane]", (l) => l.map((r) => r.dataset.lane));
    seen.shares = await page.$$eval("#shares tr", (l) => l.map((r) => r.innerText.split(/\s*\n\s*|\t/).filter(Boolean)));
    await page.focus(".time-box");
    await page.keyboard.press("+");
    await settled(page);
    seen.zoomedTime = (await hashOf(page)).time ?? "";
    await page.keyboard.press("0");
    await settled(page);
    seen.allTime = (await hashOf(page)).time ?? "";
  },
  more: async (page, sample, seen) => {
    await go(page, "s=table");
    await page.click(".settings-box summary");
    await page.click('.settings-box label:has-text("self/call")');
    await page.fill('[aria-label="formula"]', "twice = 2 * $0 / @0");
    await page.keyboard.press("Enter");
    await page.fill('[aria-label="formula"]', "$0 /");
    await page.keyboard.press("Enter");
    seen.badFormula = await texts(page, ".settings-box .error");
    await settled(page);
    seen.columns = await rows(page);
    await page.reload();
    await settled(page);
    seen.columnsKept = (await rows(page))[0].cells;
    await page.click(".fold");
    await page.waitForSelector(".unfolded tr");
    seen.unfolded = await texts(page, ".unfolded h3");
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await settled(page);
    await go(page, "s=flame");
    seen.levels = +(await page.getAttribute(".flame-box", "data-levels"));
    await page.focus(".flame-box");
    await page.keyboard.press("r");
    await settled(page);
    seen.collapsed = +(await page.getAttribute(".flame-box", "data-levels"));
    seen.collapsedRoot = (await boxes(page))[0];
    await go(page, "s=flame&view=butterfly&fn=fib");
    seen.butterfly = await page.$$eval(".flame-box", (l) => l.map((b) => [b.getAttribute("aria-label"), +b.dataset.boxes]));
    await go(page, "s=overview");
    await page.click("main");
    await page.keyboard.press("]");
    await settled(page);
    seen.secondMetric = { name: (await hashOf(page)).metric, number: await page.getAttribute(".headline .number", "title") };
    await go(page, "s=flame&q=prime");
    await settled(page);
    seen.found = await page.textContent("#found");
    await go(page, "s=tree&view=flat");
    const before = await treeRows(page);
    await page.click('button:has-text("flatten")');
    await settled(page);
    seen.flattened = [before.map((r) => r.name), (await treeRows(page)).map((r) => r.name)];
  },
  // The pointer on the flame graph: double click, wheel, minimap, tooltip, menu, and the panel of the selection.
  pointer: async (page, sample, seen) => {
    await go(page, "s=flame");
    const box = await page.locator(".flame-box").boundingBox(), all = await boxes(page), second = all.find((b) => b.level === 1), at = async (b) => ({ x: box.x + (b.x + b.w / 2) * box.width, y: box.y + (b.level + 0.5) * 18 });
    const p = await at(second);
    await page.mouse.move(p.x, p.y);
    await page.waitForFunction((name) => document.querySelector(".tip")?.innerText.startsWith(name) && /file/.test(document.querySelector(".tip").innerText), second.name);
    seen.tip = await page.$eval(".tip", (t) => ({ name: t.querySelector("b").textContent, rows: Object.fromEntries([...t.querySelectorAll("tr")].map((r) => [...r.children].map((c) => c.textContent))) }));
    await page.keyboard.press("+");
    await settled(page);
    const zoomed = await page.evaluate(() => document.querySelector(".flame-box").dataset.zoom.split("..").map(Number));
    seen.kept = Math.abs(zoomed[0] + ((p.x - box.x) / box.width) * (zoomed[1] - zoomed[0]) - (second.x + second.w / 2));
    await page.keyboard.press("0");
    await settled(page);
    await page.mouse.dblclick(p.x, p.y);
    await settled(page);
    seen.doubled = { x: (await hashOf(page)).x, boxes: (await boxes(page)).slice(0, 2), second };
    await page.keyboard.press("0");
    await settled(page);
    await page.mouse.move(p.x, p.y);
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -300);
    await page.keyboard.up("Control");
    await settled(page);
    seen.wheel = (await hashOf(page)).x ?? "";
    await go(page, "s=flame");
    const map = await page.locator(".minimap").boundingBox();
    await page.mouse.move(map.x + 0.2 * map.width, map.y + 10);
    await page.mouse.down();
    await page.mouse.move(map.x + 0.4 * map.width, map.y + 10, { steps: 4 });
    await page.mouse.up();
    await settled(page);
    seen.minimap = (await hashOf(page)).x;
    await go(page, "s=flame");
    await page.mouse.click(p.x, p.y);
    await settled(page);
    seen.panel = { name: await page.textContent("aside .fn"), heads: await texts(page, "aside h3"), stack: await texts(page, "aside .stack bdi") };
    await page.mouse.click(p.x, p.y, { button: "right" });
    seen.items = await texts(page, "[role=menu] [role=menuitem] span");
    await page.click('[role=menuitem]:has-text("Focus")');
    await settled(page);
    seen.focusedByMenu = await hashOf(page);
    await go(page, "s=flame&order=name");
    seen.byName = (await boxes(page)).filter((b) => b.level === 1 && !b.more).map((b) => b.name);
    await go(page, "s=flame");
    seen.byWeight = (await boxes(page)).filter((b) => b.level === 1 && !b.more).map((b) => b.w);
    await go(page, "s=flame&order=time");
    seen.overTime = await boxes(page);
    await go(page, "s=flame&q=prime");
    await page.focus("#search");
    seen.matchesWalked = [];
    for (const key of ["Enter", "Enter", "Shift+Enter"]) { await page.keyboard.press(key); await settled(page); seen.matchesWalked.push((await hashOf(page)).fn); }
    await go(page, "s=flame&q=%2F%28%2F");
    seen.badSearch = await page.textContent("#found");
    await page.evaluate(() => localStorage.setItem("assay-flip", "1"));
    await page.reload();
    await settled(page);
    await go(page, "s=flame");
    seen.flipped = await page.getAttribute('button:has-text("flip")', "aria-pressed");
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await settled(page);
    const saved = async (menu, item) => { await page.click(menu); const [file] = await Promise.all([page.waitForEvent("download"), page.click(`[role=menuitem]:has-text("${item}")`)]); return require("node:fs").readFileSync(await file.path(), "utf8"); };
    await go(page, "s=flame&focus=fib");
    seen.folded = await saved('button:has-text("Export")', "Profile as folded");
    await go(page, "s=flame");
    seen.svg = await saved('button:has-text("Export")', "Picture as SVG");
    await go(page, "s=table");
    seen.csv = await saved('button:has-text("Export")', "Save as CSV");
  },
  // What webgrind's users do with a table; the tree of two files; the graph.
  chosen: async (page, sample, seen) => {
    await go(page, "s=overview&min=10");
    seen.atLeast = await page.textContent(".foot .cut");
    await go(page, "s=overview");
    seen.kinds = await texts(page, "[data-kind]");
    await go(page, "s=table&own=1");
    seen.own = (await rows(page)).map((r) => r.name);
    await go(page, "s=table&own=1&share=90");
    seen.share = { rows: (await rows(page)).map((r) => r.name), foot: await page.textContent(".foot .cut") };
    await go(page, "s=table");
    seen.words = await page.$$eval(".grid .tr[data-row]", (l) => l.map((r) => [r.querySelector("bdi").textContent, r.querySelector("em")?.textContent.trim() ?? ""]));
    await page.click('.thead [role=columnheader]:has-text("calls") button');
    await settled(page);
    seen.byCalls = { hash: await hashOf(page), rows: (await rows(page)).map((r) => r.name) };
    const grip = await page.locator(".grip").first().boundingBox(), wide = () => page.$eval(".thead [role=columnheader]:nth-child(2)", (h) => h.offsetWidth), before = (await go(page, "s=table"), await wide());
    await page.mouse.move(grip.x + 3, grip.y + 5);
    await page.mouse.down();
    await page.mouse.move(grip.x + 63, grip.y + 5, { steps: 3 });
    await page.mouse.up();
    await page.reload();
    await settled(page);
    seen.wider = (await wide()) - before;
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await settled(page);
    await go(page, "s=tree&a=1&b=2");
    seen.twoTrees = { heads: await texts(page, ".tree .thead [role=columnheader]"), rows: await treeRows(page) };
    await go(page, "s=callers&as=graph&whole=1&node=0&edge=0&nodes=4");
    seen.fewNodes = (await page.$$(".node")).length;
    await go(page, "s=callers&as=graph&whole=1&node=0&edge=0");
    const places = () => page.$$eval(".node", (l) => Object.fromEntries(l.map((n) => [n.dataset.name, n.getAttribute("transform").match(/[\d.]+/g).map(Number)])));
    seen.downwards = await places();
    await go(page, "s=callers&as=graph&whole=1&node=0&edge=0&right=1");
    seen.rightwards = await places();
    const [file] = await Promise.all([page.waitForEvent("download"), page.click('.graph-tools button:has-text("DOT")')]);
    seen.dot = require("node:fs").readFileSync(await file.path(), "utf8");
    await go(page, "s=flame&a=1,2");
    seen.mergedTotal = await page.getAttribute(".whole", "title");
    await go(page, "s=table&fn=fib");
    await page.keyboard.press("Control+o");
    seen.files = await page.$$eval(".files tbody tr", (l) => l.map((r) => [...r.children].map((c) => c.textContent.trim())));
    await page.setInputFiles("#file", { name: "dropped.folded", mimeType: "text/plain", buffer: Buffer.from("a;b 3\na;c 4\n") });
    await page.waitForFunction(() => document.querySelector(".file")?.innerText.includes("dropped"));
    await settled(page);
    seen.handed = { total: await page.getAttribute(".headline .number", "title"), title: await page.title(), hash: await hashOf(page), lacks: await page.$eval("[data-tab=source]", (t) => t.className) };
    await page.keyboard.press("Control+o");
    await page.setInputFiles("#file", { name: "letter.txt", mimeType: "text/plain", buffer: Buffer.from("Dear all,\nthis is no profile.\n") });
    await page.waitForFunction(() => /cannot be shown/.test(document.querySelector("main")?.innerText) || document.querySelector(".toasts .bad"));
    seen.noProfile = await page.evaluate(() => document.querySelector("main").innerText + [...document.querySelectorAll(".toasts .bad")].map((t) => t.innerText));
    seen.refused = `/api/overview?a=${(await hashOf(page)).a}`; // the browser's own word for it may come later
  },
  source: async (page, sample, seen) => {
    await go(page, "s=source");
    await page.click('[data-line="4"] .fold');
    await page.waitForSelector(".under .unfolded tr");
    seen.callersOfFib = await page.$eval(".unfolded", (u) => u.innerText);
    await page.click('[data-line="6"] .fold');
    await page.waitForSelector(".callees");
    seen.calleesOf6 = await page.$eval(".callees", (u) => u.innerText);
    seen.evals = await page.$eval(".evals", (e) => [e.innerText, e.closest("[data-line]").dataset.line]);
    await page.click(".evals");
    await page.click("[role=menuitem]");
    await settled(page);
    seen.evalShown = { path: (await hashOf(page)).path, siblings: await texts(page, ".evals") };
    await go(page, "s=source&line=18");
    seen.lineOn = await page.$eval(".code .tr.on", (r) => r.dataset.line);
    await go(page, "s=source");
    await page.focus(".code");
    await page.keyboard.press("J");
    await settled(page);
    seen.hottest = await page.$eval(".code .tr.on", (r) => [r.dataset.line, r.querySelector("[data-heat]")?.dataset.heat]);
    await go(page, "s=source&q=wantarray");
    await page.keyboard.press("g");
    await page.keyboard.type("13");
    await page.keyboard.press("Enter");
    await settled(page);
    seen.gone = await page.$eval(".code .tr.on", (r) => r.dataset.line);
  },
  timeline: async (page, sample, seen) => {
    await go(page, "s=timeline&depth=1");
    seen.depth1 = await page.$$eval("[data-lane]", (l) => l.map((r) => [...new Set([...r.querySelectorAll("[role=gridcell]")].map((c) => c.textContent))]));
    await page.focus(".time-box");
    await page.keyboard.press("End");
    await settled(page);
    seen.leaves = (await hashOf(page)).depth;
    const box = await page.locator(".time-box canvas").boundingBox();
    await page.mouse.click(box.x + 140 + 0.75 * (box.width - 140), box.y + 40);
    await settled(page);
    seen.stack = await texts(page, "#stack bdi");
    seen.column = await texts(page, "#column td.n");
    seen.oneLane = await page.$$eval(".one-lane .flame-box", (l) => l.map((b) => [b.getAttribute("aria-label"), +b.dataset.boxes]));
    await page.click("#stack li:nth-child(2) button");
    await settled(page);
    seen.depth2 = (await hashOf(page)).depth;
    await go(page, "s=timeline");
    await page.mouse.move(box.x + 140 + 0.5 * (box.width - 140), box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + 140 + 0.75 * (box.width - 140), box.y + 42, { steps: 4 });
    await page.mouse.up();
    await settled(page);
    seen.range = await hashOf(page);
    await page.keyboard.press("3");
    await settled(page);
    seen.rangeTable = (await rows(page)).map((r) => [r.name, r.cells["self-0"]?.exact ?? ""]);
    await page.goBack();
    await settled(page);
    await page.goBack();
    await settled(page);
    seen.rangeUndone = (await hashOf(page)).time ?? "";
    await go(page, "s=streams");
    await page.keyboard.press("t");
    await page.waitForTimeout(80);
    await page.keyboard.type("001");
    await page.keyboard.press("Enter");
    await settled(page);
    seen.byKey = (await hashOf(page)).stream;
    await go(page, "s=streams&stream=1&stream=2");
    seen.bothTotal = await page.getAttribute(".whole", "title");
    await go(page, "s=streams&as=histogram");
    seen.bars = (await page.$$(".plot rect")).length;
  },
  change: async (page, sample, seen) => {
    await go(page, "s=coverage&cby=change");
    await page.setInputFiles("#diff", { name: "c.diff", mimeType: "text/plain", buffer: Buffer.from(sample.diff) });
    await page.waitForSelector("#patch");
    seen.patch = { rate: await page.$eval("[data-what=change] small", (e) => e.textContent), rows: await page.$$eval("#patch tr", (l) => l.map((r) => r.innerText.split(/\t/))) };
    await go(page, "s=coverage&cby=change&a=1&b=2");
    await page.setInputFiles("#diff", { name: "c.diff", mimeType: "text/plain", buffer: Buffer.from(sample.diff) });
    await page.waitForSelector("#categories");
    seen.categories = await page.$eval("#categories tbody tr", (r) => JSON.parse(r.dataset.categories));
    await go(page, "s=compare&a=1&b=2");
    seen.compared = await page.$eval("#categories tbody tr", (r) => JSON.parse(r.dataset.categories));
    await go(page, "s=coverage&cby=untested&a=1&cost=3");
    seen.untested = await texts(page, "#untested bdi");
    await page.click("#untested button");
    await settled(page);
    seen.bothGutters = { hash: await hashOf(page), heads: await texts(page, ".code .thead [role=columnheader]") };
  },
  history: async (page, sample, seen) => {
    await go(page, "s=coverage&cby=history");
    seen.points = (await page.$$(".plot circle")).length;
    seen.reports = await page.$$eval("#history tbody tr", (l) => l.map((r) => [r.querySelector("code").textContent, r.children[2].title]));
  },
  // The end of the server, and its return on the same port; a wait that takes long.
  gone: async (page, sample, seen) => {
    await go(page, "s=table");
    process.kill(sample.pid, "SIGINT");
    await page.waitForFunction(async (u) => fetch(u).then(() => false, () => true), sample.url.replace(/#.*/, ""));
    await page.evaluate(() => { location.hash = "s=tree"; });
    await page.waitForSelector(".strip.old");
    seen.lost = await page.textContent(".strip.old");
    const again = spawn(sample.again.command[0], sample.again.command.slice(1), { env: { ...process.env, ...sample.again.env }, stdio: ["ignore", "pipe", "ignore"] });
    try {
      const address = await new Promise((done) => again.stdout.once("data", (d) => done(String(d).trim())));
      await page.click(".strip.old button");
      await settled(page);
      await page.waitForSelector(".tree .tr");
      seen.addresses = [sample.url, address];
      seen.stillLost = (await page.$$(".strip.old")).length;
      seen.backRows = (await treeRows(page)).length;
    } finally {
      again.kill("SIGINT");
      await new Promise((done) => again.once("exit", done));
    }
    seen.problems.length = 0;
  },
  slow: async (page, sample, seen) => {
    await go(page, "s=table");
    const before = (await rows(page)).length;
    let held = null;
    await page.route("**/api/flame?**", (r) => { held = r; });
    await page.evaluate(() => { location.hash = "s=flame"; });
    await page.waitForSelector(".loading.on");
    seen.bar = true;
    await page.waitForSelector("#cancel");
    await page.click("#cancel");
    await page.waitForFunction(() => !document.querySelector(".loading.on"));
    seen.cancelled = before > 0 && held !== null;
    await page.unroute("**/api/flame?**");
    await page.reload();
    await settled(page);
  },
  // Text on every box, in both themes: contrast by the formula of WCAG, from the pixels of the canvas.
  contrast: async (page, sample, seen) => {
    seen.contrast = [];
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await go(page, "s=flame&q=");
      await settled(page);
      seen.contrast.push(await page.evaluate(() => {
        const from = document.querySelector(".flame-box canvas"), c = Object.assign(document.createElement("canvas"), { width: from.width, height: from.height }), x = c.getContext("2d", { willReadFrequently: true }), dpr = devicePixelRatio, lum = (p) => { const f = [...p].slice(0, 3).map((v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * f[0] + 0.7152 * f[1] + 0.0722 * f[2]; };
        let worst = 99;
        x.drawImage(from, 0, 0);
        for (const b of document.querySelectorAll(".flame-box [role=treeitem]")) {
          const left = +b.dataset.x * c.width + 4 * dpr, wide = Math.min(+b.dataset.w * c.width - 8 * dpr, 160 * dpr), top = (+b.dataset.level * 18 + 2) * dpr;
          if (wide < 60 * dpr || top + 14 * dpr > c.height) continue;
          const d = x.getImageData(left, top, wide, 14 * dpr).data;
          let low = 9, high = -1;
          for (let i = 0; i < d.length; i += 4) { const l = lum(d.subarray(i, i + 3)); if (l < low) low = l; if (l > high) high = l; }
          worst = Math.min(worst, (high + 0.05) / (low + 0.05));
        }
        return worst;
      }));
    }
    await page.emulateMedia({ colorScheme: "light" });
    await go(page, "s=table");
    seen.tabbed = await page.evaluate(async () => { const list = [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")].filter((e) => e.offsetParent && e.tabIndex >= 0 && !e.disabled), bad = []; for (const e of list) { e.focus({ focusVisible: true }); if (document.activeElement !== e) continue; const s = getComputedStyle(e); if (parseFloat(s.outlineWidth) < 2 || s.outlineStyle === "none") bad.push(e.outerHTML.slice(0, 80)); } return { n: list.length, bad }; });
  },
  pictures: async (page, sample, seen) => {
    await page.setViewportSize({ width: 1120, height: 640 });
    for (const [name, hash, key] of sample.pictures) {
      await page.emulateMedia({ colorScheme: name.endsWith("-dark") ? "dark" : "light" });
      await go(page, hash);
      if (key) { await page.keyboard.press(key); await settled(page); }
      await settled(page);
      if (pictures) await page.screenshot({ path: `${pictures}/view-${name}.png` });
    }
    seen.taken = sample.pictures.length;
  },
  exported: async (page, sample, seen) => {
    seen.rows = (await go(page, "s=table"), await rows(page));
    await go(page, "s=table&sort=name");
    seen.byName = (await rows(page)).map((r) => r.name);
    await go(page, "s=flame");
    seen.boxes = await boxes(page);
    await go(page, "s=tree");
    seen.tree = await treeRows(page);
    seen.strips = await texts(page, ".strip");
  },
  damaged: async (page, sample, seen) => {
    await go(page, "s=table");
    seen.strip = await page.textContent("#warnings").catch(() => "");
    await page.click("#warnings button");
    await settled(page);
    seen.findings = await page.$$eval("[data-finding]", (l) => l.map((r) => r.dataset.finding));
    await page.click("[data-finding]");
    await settled(page);
    seen.marked = await page.$$eval("[data-marked]", (l) => l.map((e) => e.textContent.trim()));
    if (pictures) await page.screenshot({ path: `${pictures}/${sample.name}-problems.png` });
    await go(page, "s=overview");
    seen.atLeast = await page.textContent(".headline .number").catch(() => "");
  },
  hostile: async (page, sample, seen) => {
    seen.shown = {};
    for (const s of ["overview", "table", "tree", "callers"]) {
      await go(page, `s=${s}`);
      seen.shown[s] = await page.evaluate(() => ({ text: document.body.innerText.includes("<img src=x"), images: document.querySelectorAll("main img, main script").length }));
    }
    seen.fired = await page.evaluate(() => window.fired === true);
  },
};

Object.assign(walks, require("./points.js")({ go, hashOf, settled, texts, rows, treeRows, boxes }));

/* One sample in a window of its own. */
async function look(browser, sample) {
  const seen = { problems: [], requests: [], times: {} }, context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: "light", acceptDownloads: true }), page = await context.newPage(), origin = sample.url.startsWith("file:") ? sample.url : new URL(sample.url).origin;
  page.setDefaultTimeout(20000);
  await page.addInitScript(watch);
  page.on("console", (m) => { if (seen.problems.length < 20) seen.problems.push(`${m.text()} ${m.location().url}`); });
  page.on("pageerror", (e) => { if (seen.problems.length < 20) seen.problems.push(String(e)); });
  page.on("request", (r) => { if (!r.url().startsWith(origin) && !/^(data|blob):/.test(r.url())) seen.requests.push(r.url()); });
  let walk = "open";
  try {
    await page.goto(sample.url);
    await settled(page);
    seen.tokenGone = !(await page.evaluate(() => location.hash.includes("t=")));
    for (walk of sample.walks) { const begun = Date.now(); await walks[walk](page, sample, seen); seen.times[walk] = Date.now() - begun; }
  } catch (e) { seen.failed = `${walk}: ${String(e.stack).slice(0, 800)}`; }
  await context.close();
  seen.problems = seen.problems.filter((p) => !(seen.refused && p.includes("status of 422") && p.endsWith(seen.refused)));
  return seen;
}

(async () => {
  const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] }), all = {};
  const left = JSON.parse(samplesText), work = async () => { for (let s = left.shift(); s; s = left.shift()) all[s.name] = await look(browser, s); };
  await Promise.all([work(), work(), work()]);
  console.log(JSON.stringify(all));
  await browser.close();
})().catch((e) => { console.error(e); process.exit(1); });
