// flame.js PLAYWRIGHT CHROMIUM URL [PICTURES]: opens a flame graph as a person does and prints, as JSON, what was seen there.
"use strict";
const { chromium } = require(process.argv[2]);
const [, , , browserPath, url, pictures] = process.argv;
const name = url.replace(/.*\/|\.svg$/g, "");

const boxes = (page) => page.$$eval("#boxes > g", (list) => list.filter((g) => !g.classList.contains("gone")).map((g) => {
  const r = g.children[1].getBBox();
  const kind = g.getAttribute("class").split(" ").filter((c) => !/^(at|above|gone|found)$/.test(c)).join(" ");
  return { title: g.children[0].textContent, x: r.x, y: r.y, width: r.width, text: g.children[2] ? g.children[2].textContent : "", found: g.classList.contains("found"), kind };
}));

// the smallest contrast of a text with what is behind it, as WCAG counts it
const contrast = (page) => page.evaluate(() => {
  const channels = (colour) => colour.match(/[\d.]+/g).slice(0, 3).map((v) => v / 255).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  const light = (colour) => channels(colour).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const fill = (e) => light(getComputedStyle(e).fill);
  const pairs = [...document.querySelectorAll("#boxes > g")].filter((g) => g.children[2]).map((g) => [fill(g.children[2]), fill(g.children[1])]);
  const ground = fill(document.querySelector(".ground"));
  document.querySelectorAll(".head, .said, .button").forEach((t) => pairs.push([fill(t), ground]));
  return Math.min(...pairs.map(([a, b]) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)));
});

async function use(page, seen) {
  seen.all = await boxes(page);
  seen.subject = await page.textContent("#subject");
  seen.legend = await page.evaluate(() => {
    const g = document.getElementById("legend");
    return g && { text: g.textContent, fills: [...g.querySelectorAll("rect")].map((r) => getComputedStyle(r).fill) };
  });
  await page.click("#boxes > g:nth-child(3) rect");
  seen.zoomed = await boxes(page);
  if (pictures) await page.screenshot({ path: `${pictures}/${name}-zoomed.png` });
  await page.click("#reset");
  seen.reset = await boxes(page);
  await page.keyboard.press("/");
  await page.keyboard.type("comp");
  await page.keyboard.press("Enter");
  seen.searched = await boxes(page);
  seen.found = await page.textContent("#found");
  await page.mouse.move(1, 1);
  await page.keyboard.press("n");
  seen.next = await page.textContent("#said");
  await page.keyboard.press("Escape");
  seen.cleared = (await boxes(page)).filter((b) => b.found).length;
}

async function walk(page, seen) {
  for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowUp");
  seen.walked = await page.textContent("#said");
  await page.keyboard.press("Enter");
  seen.walkedZoom = await boxes(page);
  seen.tabbed = [];
  for (let i = 0; i < 2; i++) {
    do await page.keyboard.press("Tab"); while (await page.evaluate(() => document.activeElement === document.documentElement));
    seen.tabbed.push(await page.evaluate(() => document.activeElement.id));
  }
  await page.focus("#reset");
  await page.keyboard.press("Enter");
  seen.tabbedReset = await boxes(page);
  await page.keyboard.press("i");
  seen.turned = await boxes(page);
  await page.keyboard.press("i");
  await page.setViewportSize({ width: 400, height: 300 });
  await page.waitForFunction(() => document.documentElement.getAttribute("width") === "400");
  seen.narrow = await boxes(page);
  if (pictures) await page.screenshot({ path: `${pictures}/${name}-narrow.png` });
}

(async () => {
  const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu"] });
  const seen = { problems: [], requests: [] };
  for (const scheme of ["light", "dark"]) {
    const page = await browser.newPage({ colorScheme: scheme, viewport: { width: 1240, height: 400 } });
    page.on("console", (m) => seen.problems.push(m.text()));
    page.on("pageerror", (e) => seen.problems.push(String(e)));
    page.on("request", (r) => { if (!/^(file|data|blob):/.test(r.url())) seen.requests.push(r.url()); });
    await page.goto(url);
    seen[`ground-${scheme}`] = await page.$eval(".ground", (r) => getComputedStyle(r).fill);
    seen[`contrast-${scheme}`] = await contrast(page);
    if (pictures) await page.screenshot({ path: `${pictures}/${name}-${scheme}.png` });
    if (scheme === "light") {
      await use(page, seen);
      await page.reload();
      await walk(page, seen);
    }
    await page.close();
  }
  await browser.close();
  console.log(JSON.stringify(seen));
})().catch((e) => { console.error(e); process.exit(1); });
