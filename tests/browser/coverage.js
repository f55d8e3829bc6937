// coverage.js PLAYWRIGHT CHROMIUM URL [PICTURES]: opens a coverage site as a person does and prints, as JSON, what was seen there.
"use strict";
const { chromium } = require(process.argv[2]);
const [, , , browserPath, url, pictures] = process.argv;

const luminance = (rgb) => {
  const [r, g, b] = rgb.match(/[\d.]+/g).slice(0, 3).map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a, b) => {
  const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
  return (x + 0.05) / (y + 0.05);
};

// Text and what it stands on, of each kind of text there is.
const colours = (page, selectors) =>
  page.evaluate((list) => list.flatMap((s) => {
    const e = document.querySelector(s);
    if (!e) return [];
    let under = e;
    while (under && /rgba\(0, 0, 0, 0\)|transparent/.test(getComputedStyle(under).backgroundColor)) under = under.parentElement;
    return [{ what: s, text: getComputedStyle(e).color, ground: under ? getComputedStyle(under).backgroundColor : "rgb(255, 255, 255)" }];
  }), selectors);

const shownFiles = (page) => page.$$eval("#tree tbody tr.file", (rows) => rows.filter((r) => !r.hidden).map((r) => r.querySelector("a").title));
const cells = (page, selector) => page.$eval(selector, (row) => Array.from(row.cells, (c) => c.textContent));

async function overview(page, seen) {
  seen.title = await page.title();
  seen.total = await cells(page, "#tree thead tr.total");
  seen.rows = Object.fromEntries(await page.$$eval("#tree tbody tr.file", (rows) => rows.map((r) => [r.querySelector("a").title, Array.from(r.cells, (c) => c.textContent)])));
  seen.all = await shownFiles(page);
  await page.click("#tree th[data-key='2']");
  await page.click("text=flat");
  seen.byLines = await page.$$eval("#tree tbody tr.file", (rows) => rows.map((r) => parseFloat(r.cells[2].dataset.v)));
  await page.click("text=flat");
  await page.keyboard.press("/");
  await page.keyboard.type("demo");
  seen.filtered = await shownFiles(page);
  await page.fill("input[type=search]", "nothing is called this");
  seen.none = await shownFiles(page);
  await page.fill("input[type=search]", "");
  await page.click("text=< 100 %");
  seen.notWhole = await shownFiles(page);
  await page.click("[data-under='Infinity']");
  await page.evaluate(() => document.activeElement.blur());
}

async function file(page, seen) {
  await page.click("#tree a[title='lib/demo.c']");
  await page.waitForSelector("#source");
  seen.path = await page.$eval("h1:visible", (h) => h.textContent);
  seen.sums = await page.$$eval(".sums tr", (rows) => rows.map((r) => Array.from(r.cells, (c) => c.textContent)));
  seen.lines = await page.$$eval("#source tr", (rows) => rows.map((r) => [r.id, r.className, r.cells[1].textContent, r.cells[2].textContent, r.cells[3].textContent]));
  await page.keyboard.press("n");
  seen.firstMiss = await page.$eval("#source tr.at", (r) => r.id);
  await page.keyboard.press("p");
  seen.lastMiss = await page.$eval("#source tr.at", (r) => r.id);
  await page.keyboard.press("1");
  seen.hitAfterHiding = await page.$$eval("#source tr.h", (rows) => rows.filter((r) => r.offsetHeight > 0).length);
  await page.keyboard.press("1");
  await page.keyboard.press("?");
  seen.help = await page.$eval("dialog", (d) => d.open);
  await page.keyboard.press("Escape");
}

(async () => {
  const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu"] });
  const seen = { problems: [], requests: [], contrast: [] };
  for (const scheme of ["light", "dark"]) {
    const page = await browser.newPage({ colorScheme: scheme, viewport: { width: 1200, height: 800 } });
    page.on("console", (m) => seen.problems.push(m.text()));
    page.on("pageerror", (e) => seen.problems.push(String(e)));
    page.on("request", (r) => { if (!/^(file|data|blob):/.test(r.url())) seen.requests.push(r.url()); });
    await page.goto(url);
    if (scheme === "light") await overview(page, seen);
    const look = async (name, selectors) => {
      for (const c of await colours(page, selectors)) seen.contrast.push({ ...c, scheme, ratio: contrast(c.text, c.ground) });
      if (pictures) await page.screenshot({ path: `${pictures}/${name}-${scheme}.png` });
    };
    await look("overview", ["body", ".origin", "#tree a", ".pc.hi", ".pc.mid", ".pc.lo", ".of", "#tree th", ".tools button", "footer"]);
    const before = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.keyboard.press("t");
    const after = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    seen[`themeSwaps-${scheme}`] = before !== after;
    await page.keyboard.press("t");
    await file(page, scheme === "light" ? seen : {});
    await look("file", ["#source tr.h td:nth-child(4)", "#source tr.m td:nth-child(4)", "#source tr.m td:nth-child(2)", "#source tr.p td:nth-child(4)", "#source td:first-child", ".b i", ".b b"]);
    await page.keyboard.press("u");
    await page.waitForSelector("#tree:visible");
    await page.close();
  }
  await browser.close();
  console.log(JSON.stringify(seen));
})().catch((e) => { console.error(e); process.exit(1); });
