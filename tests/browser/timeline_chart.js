// timeline_chart.js PLAYWRIGHT CHROMIUM URL [PICTURES]: opens a flame chart as a person does and prints, as JSON, what was seen there.
"use strict";
const { chromium } = require(process.argv[2]);
const [, , , browserPath, url, pictures] = process.argv;

/* What is drawn: the name of the function, its row, and where it begins and ends in pixels. */
const boxes = (page) => page.evaluate(() => {
  const data = JSON.parse(document.getElementById("data").textContent), view = document.getElementById("rows").viewBox.baseVal, found = [];
  document.querySelectorAll(".layer path").forEach((path) => {
    for (const m of path.getAttribute("d").matchAll(/M(\d+) ([\d.]+)h(\d+)/g)) {
      const x = (column) => (column - view.x) / view.width * data.plot;
      found.push({ name: data.functions[+path.parentNode.dataset.f][0], row: Math.floor(m[2] / data.pitch), from: x(+m[1]), to: x(+m[1] + +m[3]),
        opacity: getComputedStyle(path.parentNode).opacity });
    }
  });
  return found.filter((r) => r.to > 0 && r.from < data.plot).sort((a, b) => a.row - b.row || a.from - b.from);
});
const texts = (page, selector) => page.$$eval(selector, (list) => list.map((e) => e.textContent));

(async () => {
  const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu"] });
  const seen = { problems: [], requests: [] };
  const still = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await still.goto(url);
  seen.still = await texts(still, "#names text");
  const page = await browser.newPage({ viewport: { width: 1240, height: 700 } });
  page.on("console", (m) => seen.problems.push(m.text()));
  page.on("pageerror", (e) => seen.problems.push(String(e)));
  page.on("request", (r) => { if (!/^(file|data|blob):/.test(r.url())) seen.requests.push(r.url()); });
  await page.goto(url);
  const box = await page.$eval("#rows", (r) => { const n = (k) => +r.getAttribute(k); return { x: n("x"), y: n("y"), width: n("width"), height: n("height") }; });
  const at = (share, row) => [box.x + box.width * share, box.y + 18 * row + 8];
  seen.plot = box.width;
  seen.all = await boxes(page);
  seen.names = await texts(page, "#names text");
  seen.legend = await texts(page, "#legend .entry text:last-child");
  await page.mouse.move(...at(0.2, 2));
  seen.tip = await texts(page, "#tip text");
  if (pictures) await page.screenshot({ path: `${pictures}/chart-tip.png` });
  await page.mouse.click(...at(0.2, 2));
  seen.clicked = await boxes(page);
  await page.keyboard.press("0");
  await page.keyboard.press("/");
  await page.keyboard.type("prime");
  await page.keyboard.press("Enter");
  seen.searched = await boxes(page);
  await browser.close();
  console.log(JSON.stringify(seen));
})().catch((e) => { console.error(e); process.exit(1); });
