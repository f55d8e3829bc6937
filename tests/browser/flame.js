// flame.js PLAYWRIGHT CHROMIUM URL [PICTURES]: opens a flame graph as a person does and prints, as JSON, what was seen there.
"use strict";
const { chromium } = require(process.argv[2]);
const [, , , browserPath, url, pictures] = process.argv;

const boxes = (page) => page.$$eval("#boxes > g", (list) => list.filter((g) => !g.classList.contains("gone")).map((g) => {
  const r = g.children[1].getBBox();
  return { title: g.children[0].textContent, x: r.x, y: r.y, width: r.width, text: g.children[2].textContent, found: g.classList.contains("found") };
}));

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
    if (pictures) await page.screenshot({ path: `${pictures}/flame-${scheme}.png` });
    if (scheme === "light") {
      seen.all = await boxes(page);
      await page.click("#boxes > g:nth-child(3) rect");
      seen.zoomed = await boxes(page);
      if (pictures) await page.screenshot({ path: `${pictures}/flame-zoomed.png` });
      await page.click("#reset");
      seen.reset = await boxes(page);
      await page.keyboard.press("/");
      await page.keyboard.type("comp");
      await page.keyboard.press("Enter");
      seen.searched = await boxes(page);
      seen.found = await page.textContent("#found");
      await page.keyboard.press("Escape");
      seen.cleared = (await boxes(page)).filter((b) => b.found).length;
      await page.mouse.move(1, 1);
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("ArrowUp");
      seen.walked = await page.textContent("#said");
      await page.keyboard.press("Enter");
      seen.walkedZoom = await boxes(page);
    }
    await page.close();
  }
  await browser.close();
  console.log(JSON.stringify(seen));
})().catch((e) => { console.error(e); process.exit(1); });
