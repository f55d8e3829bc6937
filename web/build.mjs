// Builds the page: node build.mjs [FOLDER]. The result does not depend on when or where it is built: tests/web/bundle.py compares it with web/dist.
import { build } from "esbuild";
import { mkdirSync, readFileSync, writeFileSync, copyFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { minify } from "terser";

const LIMIT = 60 * 1024; // of script and style together, compressed; exported.js is only in exported pages
const here = dirname(fileURLToPath(import.meta.url)),
    out = process.argv[2] ?? join(here, "dist");
mkdirSync(out, { recursive: true });

const common = {
    absWorkingDir: here,
    outdir: out,
    bundle: true,
    minify: true,
    target: "es2022",
    charset: "utf8",
    format: "iife",
    tsconfigRaw: "{}",
    legalComments: "none",
    logLevel: "warning",
    define: { "process.env.NODE_ENV": '"production"' },
};
const short = Object.fromEntries(["max", "min", "round", "floor", "ceil", "abs"].map((name) => [`Math.${name}`, `$${name}`]));
await build({
    ...common,
    define: { ...common.define, ...short, Number: "$Number", String: "$String" },
    entryPoints: { app: "src/main.tsx" },
    jsx: "transform",
    jsxFactory: "$h",
    jsxFragment: "$F",
    inject: ["src/jsx.ts"],
});
await build({ ...common, entryPoints: { exported: "src/core/exported.ts" } });
// A second pass finds what a bundler leaves: 5 % of the compressed size.
for (const name of ["app.js", "exported.js"]) {
    const script = join(out, name);
    const { code } = await minify(readFileSync(script, "utf8"), {
        ecma: 2020,
        compress: {
            passes: 3,
            inline: 1,
            keep_fargs: false,

            reduce_vars: false,
            unsafe: true,
            unsafe_arrows: true,
            unsafe_comps: true,
        }, // unsafe: if built-in functions were replaced
        format: { ecma: 2020 },
    });
    writeFileSync(script, code);
}
for (const name of ["index.html", "favicon.svg"]) copyFileSync(join(here, "src", name), join(out, name));

const packages = ["preact"];
const notices = packages.map((name) => {
    const folder = join(here, "node_modules", name),
        { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, "LICENSE"), "utf8").trim()}\n`;
});
writeFileSync(join(out, "LICENSES.txt"), notices.join("\n" + "-".repeat(80) + "\n\n"));

const sizes = ["app.js", "app.css"].map((name) => gzipSync(readFileSync(join(out, name)), { level: 9 }).length),
    sum = sizes[0] + sizes[1];
console.log(`script ${sizes[0]} + style ${sizes[1]} = ${sum} of ${LIMIT} bytes, compressed`);
if (sum > LIMIT) {
    console.error(`the page is ${sum - LIMIT} bytes too large`);
    process.exit(1);
}
