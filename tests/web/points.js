// Walks of view.js that go through single points of docs/view.md, one by one. `tools` are the helpers of view.js.
"use strict";
module.exports = ({ go, hashOf, settled, texts, rows, treeRows, boxes }) => {
  const commandOf = (page) => page.$eval("#copy-command", (b) => b.dataset.command);
  const press = async (page, ...keys) => { for (const k of keys) { await page.keyboard.press(k); await settled(page); } };
  const chosenRow = (page) => page.$eval(".tree .tr.on", (r) => r.dataset.name).catch(() => "");
  const colorOf = (page, name) => page.evaluate((name) => {
    const box = [...document.querySelectorAll(".flame-box [role=treeitem]")].find((b) => b.textContent === name), from = document.querySelector(".flame-box canvas"), dpr = devicePixelRatio;
    const c = Object.assign(document.createElement("canvas"), { width: from.width, height: from.height }), x = c.getContext("2d");
    x.drawImage(from, 0, 0);
    return [...x.getImageData(+box.dataset.x * c.width + 2 * dpr, (+box.dataset.level * 18 + 2) * dpr, 1, 1).data].join();
  }, name);
  return {
    // Units, several metrics, names that lead to the source, the filters of a key, the tree's zoom and search.
    points: async (page, sample, seen) => {
      await go(page, "s=table");
      const first = await rows(page);
      await page.click(".settings-box summary");
      await page.selectOption('.settings-box [aria-label="Unit"]', "ms");
      await page.click('.settings-box fieldset:has-text("side by side") label:nth-of-type(2)');
      await settled(page);
      const fixed = await rows(page);
      seen.units = { before: first.map((r) => [r.name, r.cells["self-0"].text]), after: fixed.map((r) => [r.name, r.cells["self-0"].text, r.cells["self-0"].exact]), second: fixed.map((r) => r.cells["self-1"]?.exact) };
      await page.evaluate(() => localStorage.clear());
      await page.reload();
      await settled(page);
      await page.click('.grid .tr[data-row="0"] .name button:not(.fold)');
      await settled(page);
      seen.toSource = { hash: await hashOf(page), on: await texts(page, ".code .tr.on [data-n], .code .tr.on").catch(() => []) };
      // Self only; and one place of the tree, by its row and by its box.
      await go(page, "s=table&fn=count_primes");
      await press(page, "S");
      seen.selfOnly = { hash: await hashOf(page), rows: (await rows(page)).map((r) => [r.name, r.cells["self-0"].exact]) };
      await go(page, "s=tree");
      await page.focus(".tree");
      await press(page, "Home", "ArrowRight", "ArrowDown", "M");
      seen.oneRow = { hash: await hashOf(page), tree: (await treeRows(page)).map((r) => [r.name, r.cells[0]]) };
      await go(page, "s=flame");
      await page.focus(".flame-box");
      await press(page, "Home", "ArrowDown", "M");
      seen.oneBox = await hashOf(page);
      await go(page, "s=table&fn=count_primes");
      await press(page, "M");
      seen.noPlace = await hashOf(page);
      seen.byKeys = {};
      for (const key of ["c", "F", "m", "Delete"]) {
        await go(page, "s=table&fn=count_primes");
        await page.click(".grid");
        await go(page, "s=table&fn=count_primes");
        await press(page, key);
        seen.byKeys[key] = { hash: await hashOf(page), rows: (await rows(page)).map((r) => [r.name, r.cells["self-0"].exact]) };
      }
      await go(page, "s=table&file=!php:internal");
      seen.others = (await rows(page)).map((r) => [r.name, r.cells["self-0"].exact]);
      await go(page, "s=tree");
      await page.focus(".tree");
      await press(page, "Home", "ArrowRight", "ArrowDown");
      const row = await chosenRow(page);
      await press(page, "Enter");
      seen.below = { row, hash: await hashOf(page), rows: (await treeRows(page)).map((r) => [r.name, r.level]) };
      await press(page, "Escape");
      seen.belowLeft = (await hashOf(page)).root ?? "";
      await go(page, "s=tree&q=is_prime");
      await page.focus("#search");
      await press(page, "Enter");
      seen.foundInTree = await chosenRow(page);
      await go(page, "s=tree");
      await page.click('button:has-text("of parent")');
      await page.focus(".tree");
      await press(page, "Home", "ArrowRight");
      seen.ofParent = { heads: await texts(page, ".tree .thead [role=columnheader]"), shares: (await treeRows(page)).map((r) => [r.level, parseFloat(r.cells[3])]) };
      await page.evaluate(() => localStorage.clear());
      await page.reload();
      await settled(page);
      seen.colors = [];
      for (const a of [1, 2]) { await go(page, `s=flame&a=${a}`); seen.colors.push(await colorOf(page, "fib")); }
      await go(page, "s=flame");
      await page.click('aside .top10 tbody tr:nth-child(2) button');
      await settled(page);
      seen.beside = { hash: await hashOf(page), chosen: (await boxes(page)).find((b) => b.chosen)?.name, row: await page.$eval("aside .top10 tr.on bdi", (e) => e.textContent) };
      await go(page, "s=compare&a=1&b=2&which=new");
      seen.newOnly = await page.$$eval(".diff .tr[data-name]", (l) => l.map((r) => r.dataset.name));
      await go(page, "s=compare&a=1&b=2&which=gone");
      seen.goneOnly = await page.$$eval(".diff .tr[data-name]", (l) => l.map((r) => r.dataset.name));
      await go(page, "s=compare&a=1&b=2");
      const deltas = () => page.$$eval(".diff .tr[data-name]", (l) => Object.fromEntries(l.map((r) => [r.dataset.name, r.querySelector(".delta")?.textContent.trim()])));
      const one = await deltas();
      await page.keyboard.press("x");
      await settled(page);
      seen.swapped = [one, await deltas()];
    },
    // Callers at a distance, the line of a call, the picture of the graph under the pointer.
    distance: async (page, sample, seen) => {
      await go(page, "s=callers&fn=is_prime");
      const near = await page.$$eval("[data-list=callers] tbody tr", (l) => l.length);
      await page.click('button:has-text("up to 4 away")');
      await settled(page);
      seen.distances = [near, await page.$$eval("[data-list=callers] tbody tr", (l) => l.map((r) => [r.querySelector("bdi").textContent, +r.children[5].textContent]))];
      await go(page, "s=callers&fn=is_prime");
      seen.site = await page.$eval("[data-list=callers] button.dim", (b) => b.textContent);
      await page.click("[data-list=callers] button.dim");
      await settled(page);
      seen.siteShown = await hashOf(page);
      await go(page, "s=callers&as=graph&whole=1&node=0&edge=0");
      const view = () => page.$eval(".graph > svg:not(.bird)", (s) => s.getAttribute("viewBox").split(" ").map(Number)), box = await page.locator(".graph > svg:not(.bird)").boundingBox();
      seen.graphViews = [await view()];
      await page.mouse.move(box.x + 30, box.y + box.height - 40);
      await page.mouse.down();
      await page.mouse.move(box.x + 130, box.y + box.height - 40, { steps: 3 });
      await page.mouse.up();
      await settled(page);
      seen.graphViews.push(await view());
      await page.mouse.wheel(0, -200);
      await settled(page);
      seen.graphViews.push(await view());
      seen.bird = (await page.$$(".bird .frame")).length;
    },
    // A call graph: cycles, code of other files, a source of 50,000 lines.
    graph: async (page, sample, seen) => {
      await go(page, "s=table&cycles=1");
      seen.cycleRows = (await rows(page)).map((r) => [r.name, r.cells["self-0"].exact, r.cells["total-0"]?.exact]);
      await go(page, "s=table");
      seen.plainRows = (await rows(page)).map((r) => r.name);
      // Cycles in the tree: on and off by the tick; flat, where their figures are exact.
      const cycleNames = async () => (await treeRows(page)).map((r) => [r.name, r.exact[0], r.exact[2]]).filter(([name]) => name.startsWith("<cycle"));
      await go(page, "s=tree&view=bottom-up");
      seen.treeCycles = [await cycleNames()];
      await page.click('.tools label:has-text("cycles")');
      await settled(page);
      seen.treeCycles.push(await cycleNames());
      seen.cyclesHash = await hashOf(page);
      seen.cyclesCommand = await commandOf(page);
      await page.click('.tools label:has-text("cycles")');
      await settled(page);
      seen.treeCycles.push(await cycleNames());
      await go(page, "s=source");
      seen.inlined = await page.$eval("#inlined", (b) => b.textContent).catch(() => "");
      await page.focus(".code");
      const begun = Date.now();
      await page.keyboard.press("End");
      await page.waitForSelector('.code .tr[data-line="50000"]');
      seen.endAfter = Date.now() - begun;
      seen.rowsThere = (await page.$$(".code .tr[data-line]")).length;
      await go(page, "s=source&q=the+last+line+but+one");
      await page.focus("#search");
      await press(page, "Enter");
      seen.foundLine = await page.$eval(".code .tr.on", (r) => r.dataset.line);
      await page.click(".chooser summary");
      await page.fill('.chooser [aria-label="Path"], .chooser input', "util");
      await settled(page);
      seen.chooser = await texts(page, ".chooser li bdi");
    },
    // Missed lines, functions by count, files by pattern.
    missed: async (page, sample, seen) => {
      await go(page, "s=source");
      await page.focus(".code");
      await press(page, "j");
      seen.missedLine = await page.$eval(".code .tr.on", (r) => [+r.dataset.line, r.dataset.state]);
      await go(page, "s=coverage");
      await page.click('button:has-text("Functions")');
      await settled(page);
      seen.covFunctions = (await rows(page)).map((r) => [r.name, r.cells.calls?.text ?? r.cells["self-0"]?.text]);
      await go(page, "s=coverage&counts=missed");
      seen.missedCounts = await texts(page, ".grid .tr [role=gridcell], .grid .tr span");
      await go(page, "s=coverage&missed=1");
      seen.uncoveredOnly = { text: await page.textContent("main"), foot: await page.textContent(".foot .cut") };
      await go(page, "s=coverage&file=!src");
      seen.noFiles = await page.textContent("main");
    },
    // The minimap of the timeline, lanes by name.
    lanes: async (page, sample, seen) => {
      await go(page, "s=timeline");
      const map = await page.locator(".time-map").boundingBox(), drag = async (from, to) => { await page.mouse.move(map.x + from * map.width, map.y + 10); await page.mouse.down(); await page.mouse.move(map.x + to * map.width, map.y + 10, { steps: 4 }); await page.mouse.up(); await settled(page); return (await hashOf(page)).time; };
      seen.mapped = [await drag(0.2, 0.5), await drag(0.3, 0.5)];
      await go(page, "s=timeline&stream=THREAD+1");
      seen.lanesByName = await page.$$eval("[data-lane]", (l) => l.map((r) => r.dataset.lane));
    },
    // Lanes of at least so many spans, and all again.
    busy: async (page, sample, seen) => {
      const lanes = () => page.$$eval("[data-lane]", (l) => l.map((r) => r.dataset.lane)), least = async (n) => { await page.fill('.tools [aria-label^="at least"]', n); await page.keyboard.press("Enter"); await settled(page); return lanes(); };
      await go(page, "s=timeline");
      seen.busyLanes = [await lanes(), await least("2"), await hashOf(page)];
      seen.busyLanes.push(await least(""));
    },
    // Rows by class and by address, chosen in the list of rows.
    groups: async (page, sample, seen) => {
      await go(page, "s=table");
      seen.groups = {};
      for (const by of ["class", "address"]) {
        await page.selectOption('.tools [aria-label="Rows"]', by);
        await settled(page);
        seen.groups[by] = { rows: (await rows(page)).map((r) => [r.name, r.cells["self-0"].exact]), foot: await page.textContent(".foot .cut"), command: await commandOf(page) };
      }
    },
    // Formats of other profilers: every screen, the figures, and labels as filters.
    labels: async (page, sample, seen) => {
      await go(page, "s=tree&tag-root=endpoint");
      seen.rooted = (await treeRows(page)).filter((r) => r.level === 1).map((r) => [r.name, r.exact[2]]);
      await go(page, "s=table&tag-focus=endpoint%3D%2Fcart");
      seen.labelled = { total: await page.getAttribute(".whole", "title"), chips: await texts(page, "[data-chip]") };
    },
    names: async (page, sample, seen) => {
      await go(page, "s=table");
      seen.short = await page.$$eval(".grid .tr[data-row] .name bdi", (l) => l.map((b) => [b.textContent, b.closest("[title]")?.title]));
      // What is pasted is opened.
      await page.evaluate(() => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", "a;b 3");
        document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
      });
      await page.waitForFunction(() => document.title.includes("pasted"));
      await settled(page);
      seen.pasted = { total: await page.getAttribute(".whole", "title"), hash: await hashOf(page) };
      await go(page, `s=flame&a=${seen.pasted.hash.a}`);
      seen.pasted.boxes = (await boxes(page)).map((b) => b.name);
    },
    // What is needed now and then: the facts of a file, labels cut at the front, the width of the panel, the menu of a lane.
    seldom: async (page, sample, seen) => {
      await go(page, "s=overview");
      seen.facts = await page.$$eval(".facts dt", (l) => Object.fromEntries(l.map((d) => [d.textContent, d.nextElementSibling.textContent])));
      await page.evaluate(() => {
        const draw = CanvasRenderingContext2D.prototype.fillText;
        window.written = [];
        CanvasRenderingContext2D.prototype.fillText = function (...a) { window.written.push(a[0]); return draw.apply(this, a); };
      });
      await go(page, "s=flame");
      const cut = async () => { const list = await page.evaluate(() => window.written.filter((t) => t.includes("…"))); await page.evaluate(() => { window.written = []; }); return list; };
      seen.cutAtEnd = await cut();
      await page.click('.tools label:has-text("keep the end")');
      await settled(page);
      seen.cutAtFront = await cut();
      await page.click('.tools label:has-text("keep the end")');
      const width = () => page.$eval("[role=separator]", (s) => +s.getAttribute("aria-valuenow"));
      seen.widths = [await width()];
      await page.focus("[role=separator]");
      await press(page, "ArrowLeft", "ArrowLeft");
      seen.widths.push(await width());
      await page.reload();
      await settled(page);
      seen.widths.push(await width());
      await page.dblclick("[role=separator]");
      await settled(page);
      seen.shut = [(await page.$$(".side-open")).length, (await page.$$("aside")).length];
      await page.evaluate(() => localStorage.clear());
      await page.reload();
      await go(page, "s=table");
      await page.click('.grid .tr[data-row]:has(bdi:text-is("{main}")) .fold');
      await settled(page);
      seen.host = await page.textContent(".unfolded");
      await go(page, "s=timeline");
      seen.rule = await page.textContent(".foot .cut");
      const lane = await page.locator(".time-box canvas").boundingBox();
      await page.mouse.click(lane.x + lane.width / 2, lane.y + 34, { button: "right" });
      await settled(page);
      seen.laneMenu = await texts(page, "[role=menuitem], .menu button");
      await page.keyboard.press("Escape");
    },
  };
};
