// Numbers as the command prints them: three significant digits with a unit, percent with two decimals (src/base/number_human.c has the same rules).
export type Num = number | bigint | null | undefined;

export const PER_SECOND: Record<string, number> = {
    ns: 1e9,
    "10ns": 1e8,
    "100ns": 1e7,
    us: 1e6,
    ms: 1e3,
    s: 1,
    sec: 1,
    seconds: 1,
    milliseconds: 1e3,
    microseconds: 1e6,
    nanoseconds: 1e9,
};

/** Three significant digits; a tie goes to the even digit, as in the command. */
function round(v: number): number {
    const [digits, exp] = v.toExponential(20).split("e") as [string, string];
    return Number(/^.{4}50*$/.test(digits) && "02468".includes(digits[3]!) ? `${digits.slice(0, 4)}e${exp}` : v.toExponential(2));
}
const exponent = (v: number): number => (v === 0 ? 0 : Number(v.toExponential(2).split("e")[1]));
/** The same as text, never with an exponent. */
const three = (v: number): string => round(v).toFixed(Math.max(0, 2 - exponent(round(v))));
const scientific = (v: number): string =>
    round(v)
        .toExponential(2)
        .replace(/e([+-])(\d)$/, "e$10$2");

function plain(v: number, word: string): string {
    const exp = exponent(round(v)),
        digits = v < 1000 && v === Math.floor(v) ? String(v) : exp < -3 || exp > 14 ? scientific(v) : three(v);
    return word ? `${digits} ${word}` : digits;
}

function thousands(v: number, words: string[]): string {
    const exp = exponent(round(v));
    if (exp < 3) return plain(v, words[0]!);
    const scale = Math.floor(exp / 3);
    return `${(round(v) / 10 ** (3 * scale)).toFixed(2 - (exp % 3))} ${words[scale]}`;
}

function time(v: number, perSecond: number): string {
    const s = v / perSecond;
    if (s < 0.9995) return thousands(v * (1e9 / perSecond), ["ns", "us", "ms"]);
    if (s < 999.5) return `${three(s)} s`;
    return s >= 1e15 ? `${scientific(s)} s` : `${Math.floor(s + 0.5)} s`;
}

function bytes(v: number): string {
    const words = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let scale = 0;
    for (; v >= 1023.5 && scale < 6; scale++) v /= 1024;
    if (v >= 999.5 && v < 1024) return `${Math.floor(v + 0.5)} ${words[scale]}`;
    return scale === 0 || v >= 1024 ? plain(v, words[scale]!) : `${three(v)} ${words[scale]}`;
}

export function human(value: Num, unit = ""): string {
    if (value === null || value === undefined) return "";
    const v = Number(value),
        size = Math.abs(v),
        sign = v < 0 ? "-" : "";
    if (!Number.isFinite(v)) return "-";
    if (unit in PER_SECOND) return sign + time(size, PER_SECOND[unit]!);
    if (unit === "bytes" || unit === "B") return sign + bytes(size);
    return sign + (size >= 999.5e18 ? plain(size, "") : thousands(size, ["", "K", "M", "G", "T", "P", "E"]));
}

export function percent(part: Num, whole: Num): string {
    if (part === null || part === undefined || whole === null || whole === undefined) return "";
    const p = (100 * Number(part)) / Number(whole);
    if (!Number.isFinite(p)) return "-";
    const hundredths = Math.round(Math.abs(p) * 100);
    if (p !== 0 && hundredths === 0) return p > 0 ? "<0.01%" : ">-0.01%";
    return `${p < 0 ? "-" : ""}${(hundredths / 100).toFixed(2)}%`;
}

/** Coverage: never rounded up to 100 % or down to 0 %. */
export function rate(hit: Num, total: Num, decimals = 1): string {
    const h = Number(hit),
        t = Number(total);
    if (!t) return "-";
    for (let d = decimals; ; d++) {
        const text = ((100 * h) / t).toFixed(d);
        if (d > 12 || !((Number(text) === 0 && h) || (Number(text) === 100 && h !== t))) return `${text}%`;
    }
}

/** Exact, with separators, for tooltips. */
export function exact(value: Num, unit = ""): string {
    if (value === null || value === undefined) return "";
    const text =
        typeof value === "bigint"
            ? value.toLocaleString("en")
            : Number.isFinite(value)
              ? value.toLocaleString("en", { maximumFractionDigits: 17 })
              : "-";
    return unit && unit !== "count" ? `${text} ${unit}` : text;
}

export const signed = (value: Num, unit = ""): string => (Number(value) > 0 ? "+" : "") + human(value, unit);
export const count = (n: Num): string => (n === null || n === undefined ? "" : n.toLocaleString("en"));
export const plural = (n: Num, one: string, many = `${one}s`): string => `${count(n)} ${Number(n) === 1 ? one : many}`;

/** The name of a count as it reads behind its number: "1 metric", "2 metrics". */
export const counted = (n: number, names: string): string =>
    n === 1 ? names.replace(/ies\b|(?<=ch|ss)es\b|s\b/, (end) => (end === "ies" ? "y" : "")) : names;

export const base = (path: string): string => path.replace(/\/+$/, "").replace(/^.*\//, "") || path;
export const place = (file: string, line: number): string => (file ? base(file) + (line ? `:${line}` : "") : "");

/** Template arguments of long C++ names are left out: std::vector<...>. */
export function shortName(name: string): string {
    if (name.length < 24 || !name.includes("<") || /operator\s*</.test(name)) return name;
    let depth = 0,
        out = "";
    for (const c of name) {
        if (c === "<" && (depth || /\w$/.test(out))) depth++ || (out += "<...");
        else if (c === ">" && depth > 0 && --depth === 0) {
            out += ">";
            continue;
        } else if (depth === 0) out += c;
    }
    return depth === 0 ? out : name;
}
