// timeline.js PLAYWRIGHT CHROMIUM URL [PICTURES]: opens a timeline as a person does and prints, as JSON, what was seen there.
"use strict";
const { chromium } = require(process.argv[2]);
const [, , , browserPath, url, pictures] = process.argv;

/* What is drawn of the layer that is seen: the name of the function, its row, and where it begins and ends in pixels. */
const runs = (page) => page.evaluate(() => {
  const data = JSON.parse(document.getElementById("data").textContent), rows = document.getElementById("rows"), view = rows.viewBox.baseVal, found = [];
  document.querySelectorAll(".layer.seen path").forEach((path) => {
    for (const m of path.getAttribute("d").matchAll(/M(\d+) ([\d.]+)h(\d+)/g)) {
      const x = (column) => (column - view.x) / view.width * data.plot;
      found.push({ name: data.functions[+path.parentNode.dataset.f][0], row: Math.floor(m[2] / data.pitch), from: x(+m[1]), to: x(+m[1] + +m[3]),
        opacity: getComputedStyle(path.parentNode).opacity, quarters: path.getAttribute("class") });
    }
  });
  return found.filter((r) => r.to > 0 && r.from < data.plot).sort((a, b) => a.row - b.row || a.from - b.from);
});
const texts = (page, selector) => page.$$eval(selector, (list) => list.filter((e) => e.style.display !== "none").map((e) => e.textContent));

(async () => {
  const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu"] });
  const seen = { problems: [], requests: [] };
  for (const scheme of ["light", "dark"]) {
    const page = await browser.newPage({ colorScheme: scheme, viewport: { width: 1240, height: 700 } });
    const picture = async (name) => { if (pictures) await page.screenshot({ path: `${pictures}/timeline-${name}.png` }); };
    page.on("console", (m) => seen.problems.push(m.text()));
    page.on("pageerror", (e) => seen.problems.push(String(e)));
    page.on("request", (r) => { if (!/^(file|data|blob):/.test(r.url())) seen.requests.push(r.url()); });
    await page.goto(url);
    seen[`ground-${scheme}`] = await page.$eval(".ground", (r) => getComputedStyle(r).fill);
    await picture(scheme);
    if (scheme === "light") {
      const box = await page.$eval("#rows", (r) => { const n = (k) => +r.getAttribute(k); return { x: n("x"), y: n("y"), width: n("width"), height: n("height") }; });
      const at = (share, rowShare) => [box.x + box.width * share, box.y + box.height * (rowShare || 0.5)];
      seen.plot = box.width;
      seen.all = await runs(page);
      seen.axis = await texts(page, "#axis text");
      seen.legend = await texts(page, "#legend .entry text:last-child");
      seen.figures = await texts(page, "#legend .entry .figure");
      seen.names = await texts(page, "#names text");
      await page.mouse.move(...at(0.4));
      seen.tip = await texts(page, "#tip text");
      seen.said = await page.textContent("#said");
      await picture("tip");
      await page.mouse.move(...at(0.25));
      await page.mouse.down();
      await page.mouse.move(...at(0.5));
      seen.band = (await page.$$("#band")).length;
      await page.mouse.up();
      seen.dragged = await runs(page);
      seen.draggedAxis = await texts(page, "#axis text");
      await picture("zoomed");
      await page.keyboard.press("Escape");
      seen.back = await runs(page);
      await page.mouse.click(...at(0.4));
      seen.clicked = await runs(page);
      await page.keyboard.press("0");
      await page.keyboard.press("w");
      seen.keyed = await runs(page);
      await page.click("#reset");
      seen.reset = await runs(page);
      await page.keyboard.press("/");
      await page.keyboard.type("primes");
      await page.keyboard.press("Enter");
      seen.searched = await runs(page);
      seen.found = await page.textContent("#found");
      await picture("searched");
      await page.keyboard.press("Escape");
      seen.cleared = await runs(page);
      await page.keyboard.press("+");
      seen.deeper = await runs(page);
      seen.depth = await page.textContent("#depth");
      await picture("deeper");
      await page.keyboard.press("-");
      await page.click("#less");
      seen.depthLess = await page.textContent("#depth");
      seen.shallow = await runs(page);
      await page.click("#more");
      await page.click("#legend .entry:first-child");
      seen.picked = await runs(page);
    }
    await page.close();
  }
  await browser.close();
  console.log(JSON.stringify(seen));
})().catch((e) => { console.error(e); process.exit(1); });
