// A script of its own, which only exported pages have. Such a page has its answers inside: an element with base64 of gzip of columns (key, begin, type, body). Where the exact question is not there, the
// answer is cut out of a larger one: a window of a table, the children of a row, a part of a flame graph.
import { decode, type Columns } from "./columns";
import { matcher } from "./match";

const element = document.getElementById("assay-data")!;

interface Stored {
    keys: Map<string, number>;
    begin: Float64Array;
    type: string[];
    body: Uint8Array;
}
let stored: Promise<Stored> | null = null;
const decoded = new Map<string, unknown>();

async function unpack(): Promise<Stored> {
    const text = atob(element.textContent!.trim()),
        bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
    element.textContent = "";
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const all = decode(await new Response(stream).arrayBuffer());
    return { keys: new Map((all.key as string[]).map((k, i) => [k, i])), begin: all.begin, type: all.type, body: all.body };
}

const refuse = (what: string): never => {
    throw new Error(what);
};

function lookUp(s: Stored, key: string): unknown {
    if (decoded.has(key)) return decoded.get(key);
    const i = s.keys.get(key);
    if (i === undefined) return undefined;
    const part = s.body.slice(s.begin[i]!, s.begin[i + 1]!),
        data = s.type[i]!.includes("columns") ? decode(part.buffer as ArrayBuffer) : JSON.parse(new TextDecoder().decode(part));
    decoded.set(key, data);
    return data;
}

const PARTS = new Set(["metrics", "columns"]);
/** The rows of a table in another order: every column that has a value (or several) for each row. */
function pick(from: Columns, rows: ArrayLike<number>, counted = from.rows): Columns {
    const out: Columns = { ...from, rows: rows.length };
    for (const [name, column] of Object.entries(from)) {
        const length = (column as ArrayLike<unknown> | null)?.length;
        if (PARTS.has(name) || name === "names" || typeof column !== "object" || length === undefined || !counted || length % counted || length === 0)
            continue;
        const each = length / counted;
        if (Array.isArray(column)) {
            out[name] = Array.from(rows, (r) => column[r]);
            continue;
        }
        const made = new (column.constructor as { new (n: number): Float64Array })(rows.length * each),
            source = column as Float64Array;
        for (let i = 0; i < rows.length; i++) for (let k = 0; k < each; k++) made[i * each + k] = source[rows[i]! * each + k]!;
        out[name] = made;
    }
    return out;
}

function tableWindow(all: Columns, q: URLSearchParams): Columns {
    const m = all.metrics.length,
        key = q.get("sort") ?? "self",
        by = Math.max(
            0,
            all.metrics.findIndex((x) => x.name === (q.get("by_metric") ?? q.get("metric") ?? all.metric)),
        );
    const column = (key === "total" && all.total) || all.self,
        value = (r: number): number => Number(key === "calls" ? all.calls[r] : column[r * m + by]);
    const fits = matcher(q.get("match") ?? ""),
        not = q.has("not"),
        sign = q.has("up") ? -1 : 1;
    let rows = Array.from({ length: all.rows }, (_, r) => r);
    if (q.get("match")) rows = rows.filter((r) => (fits(all.names[all.name[r]]!) || fits(all.names[all.file[r]]!)) !== not);
    rows.sort(
        (x, y) => (key === "name" ? sign * (all.names[all.name[x]]! < all.names[all.name[y]]! ? -1 : 1) : sign * (value(y) - value(x))) || x - y,
    );
    const from = Number(q.get("from") ?? 0),
        count = Number(q.get("count") ?? 200);
    return { ...pick(all, rows.slice(from, count ? from + count : undefined)), from, matching: rows.length, all: all.rows };
}

/** Children of a row: in the answer they are known by number; in the question by positions from the root. */
function treeChildren(all: Columns, q: URLSearchParams): Columns {
    const ids = all.id as Uint32Array,
        parents = all.parent as Uint32Array;
    let at = 0;
    for (const position of (q.get("path") ?? "").split("/").filter(Boolean).map(Number)) {
        const r = ids.findIndex((_, i) => parents[i] === at && all.position[i] === position);
        if (r < 0) break;
        at = ids[r]!;
    }
    const rows: number[] = [];
    for (let r = 0; r < all.rows; r++) if (parents[r] === at) rows.push(r);
    return { ...pick(all, rows), from: 0, children: rows.length };
}

function flamePart(all: Columns, q: URLSearchParams): Columns {
    const from = Number(q.get("from") ?? 0),
        to = Number(q.get("to") ?? 1),
        least = (to - from) / (2 * Number(q.get("width") || 1e9)),
        rows: number[] = [],
        place = new Uint32Array(all.rows);
    for (let r = 0; r < all.rows; r++) if (all.w[r] >= least && all.x[r] < to && all.x[r] + all.w[r] > from) place[r] = rows.push(r);
    const part = pick(all, rows);
    part.parent = Uint32Array.from(part.parent as Uint32Array, (p: number) => (p ? place[p - 1]! : 0));
    return part;
}

/** The answer to a question, by its key. */
async function answer(key: string): Promise<unknown> {
    const s = await (stored ??= unpack()),
        exactly = lookUp(s, key);
    if (exactly !== undefined) return exactly;
    const [route, query] = key.split("?") as [string, string?],
        q = new URLSearchParams(query);
    const larger = (k: string): Columns | undefined => lookUp(s, k) as Columns | undefined;
    const session = lookUp(s, "session") as { left_out?: string };
    if (route === "table" || route === "coverage" || route === "sources") {
        const all = larger(route === "sources" ? "sources" : `${route}?by=${q.get("by") ?? (route === "table" ? "function" : "file")}&count=0`);
        if (all && route === "table") return tableWindow(all, q);
        if (all) return all;
    }
    if (route === "tree") {
        const all = larger(`tree?all=1&view=${q.get("view") ?? "top-down"}`);
        if (all) return treeChildren(all, q);
    }
    if (route === "flame" && !q.has("function") && q.get("order") !== "time") {
        const all = larger(`flame?view=${q.get("view") ?? "top-down"}&width=0`);
        if (all) return flamePart(all, q);
    }
    if (route === "source" && q.has("id")) {
        const one = larger(`source?id=${q.get("id")}`);
        if (one) return one;
    }
    if (route === "timeline") for (const k of s.keys.keys()) if (k.startsWith("timeline")) return lookUp(s, k);
    const bare = lookUp(s, route);
    return bare !== undefined && route !== "streams" ? bare : refuse(`not in an exported page${session?.left_out ? `: ${session.left_out}` : ""}`);
}
(globalThis as { assayAnswer?: typeof answer }).assayAnswer = answer;
