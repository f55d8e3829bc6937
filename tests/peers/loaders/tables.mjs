// Reads Parquet files with three programs that share no code with assay and says what each finds: rows, and of every column how many values there are and their sum (of texts, their bytes).
// NaN counts as no value, for SQLite, which the figures are compared with, has NULL in its place.
// Input: a line with the path of a folder; output: a line of JSON for it. The modules are looked for in $PEER_MODULES.
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { createRequire } from 'node:module';

const modules = process.env.PEER_MODULES;
const require = createRequire(path.join(modules, 'x.js'));

const total = (values) => {
    const found = values.filter((v) => v !== null && v !== undefined && !Number.isNaN(v));
    if (typeof found[0] === 'string') return [found.length, String(found.reduce((a, v) => a + Buffer.byteLength(v), 0))];
    if (typeof found[0] === 'bigint') return [found.length, String(found.reduce((a, v) => a + v, 0n))];
    return [found.length, found.length ? Number(found.reduce((a, v) => a + v, 0)) : null];
};

const readers = {};
const offer = async (name, make) => {
    try {
        readers[name] = await make();
    } catch (e) {
        console.error(`${name}: ${String(e.message).split('\n')[0]}`);
    }
};

await offer('hyparquet', async () => {
    const h = await import(path.join(modules, 'hyparquet/src/index.js'));
    const { compressors } = await import(path.join(modules, 'hyparquet-compressors/src/index.js'));
    return async (file) => {
        const b = fs.readFileSync(file);
        const data = b.buffer.slice(b.byteOffset, b.byteOffset + b.length);
        const names = h.parquetMetadata(data).schema.slice(1).map((s) => s.name);
        const rows = await h.parquetReadObjects({ file: data, compressors });
        return { rows: rows.length, columns: Object.fromEntries(names.map((n) => [n, total(rows.map((r) => r[n]))])) };
    };
});

await offer('arrow', async () => {
    const parquet = require('parquet-wasm');
    const arrow = require('apache-arrow');
    return async (file) => {
        const t = arrow.tableFromIPC(parquet.readParquet(new Uint8Array(fs.readFileSync(file))).intoIPCStream());
        return { rows: t.numRows, columns: Object.fromEntries(t.schema.fields.map((f) => [f.name, total([...t.getChild(f.name)])])) };
    };
});

await offer('duckdb', async () => {
    const { DuckDBInstance } = require('@duckdb/node-api');
    const db = await (await DuckDBInstance.create(':memory:')).connect();
    const ask = async (sql) => (await db.runAndReadAll(sql)).getRowsJson();
    return async (file) => {
        const from = `'${file.replaceAll("'", "''")}'`;
        const types = await ask(`describe select * from ${from}`);
        const number = ([n, t]) => (t === 'DOUBLE' ? `case when isnan("${n}") then null else "${n}" end` : `"${n}"`);
        const sums = types.map(([n, t]) => `count(${number([n, t])}), sum(${t === 'VARCHAR' ? `strlen("${n}")` : number([n, t])})`);
        const [row] = await ask(`select count(*), ${sums.join(', ')} from ${from}`);
        return { rows: Number(row[0]), columns: Object.fromEntries(types.map(([n], i) => [n, [Number(row[2 * i + 1]), row[2 * i + 2]]])) };
    };
});

for await (const folder of readline.createInterface({ input: process.stdin })) {
    const out = { folder, readers: Object.keys(readers), tables: {} };
    for (const file of fs.readdirSync(folder).sort()) {
        const found = (out.tables[file.replace(/\.parquet$/, '')] = {});
        for (const [name, read] of Object.entries(readers)) {
            try {
                found[name] = await read(path.join(folder, file));
            } catch (e) {
                found[name] = { error: String(e.message).split('\n')[0] };
            }
        }
    }
    process.stdout.write(JSON.stringify(out) + '\n');
}
process.exit(0);
