// Drawing of boxes on a canvas: flame graphs and their minimap. x and w of a box are shares of the whole width, so an older answer can be drawn at a new
// zoom until the next one is here.
import { box, diffColor, fixed, hash, hueOf, ink, kindOf } from "../core/color";
import type { Columns } from "../core/columns";
import { percent, shortName, signed } from "../core/format";
import type { Fits } from "../core/match";
import { isDark } from "../core/state";

export const ROW = 18;
export interface Look {
    from: number;
    to: number;
    width: number;
    top: number;
    height: number;
    up: boolean;
    levels: number;
    unit: string;
    whole: number;
    colorBy: string;
    q: string;
    fits: Fits | null;
    chosen: number;
    hover: number;
    keepEnd: boolean;
    short: boolean;
}
const KIND = ["function", "entry", "inlined", "loop", "line", "instruction", "other"];
export const kindName = (k: number): string => KIND[k] ?? "";

const FONT = "12px system-ui, sans-serif";
/** Widths of the characters of ASCII: measuring each label would take longer than drawing it. */
const widths = new Float32Array(128);
/** Text of the size of labels, in the middle of its line. */
export function forText(ctx: CanvasRenderingContext2D): void {
    ctx.font = FONT;
    ctx.textBaseline = "middle";
    for (let i = 32; i < 127 && !widths[126]; i++) widths[i] = ctx.measureText(String.fromCharCode(i)).width;
}
/** As much of the text as fits, with an ellipsis at the end or at the front. */
export function fit(text: string, room: number, keepEnd = false): string {
    const n = text.length;
    let used = 0,
        i = 0;
    for (; i < n; i++) {
        used += widths[text.charCodeAt(keepEnd ? n - 1 - i : i)] || 12;
        if (used > room) break;
    }
    if (i === n) return text;
    const kept = Math.max(0, i - 1);
    return kept < 2 ? "" : keepEnd ? `…${text.slice(n - kept)}` : `${text.slice(0, kept)}…`;
}

/** Where level 0 is: at the top, or at the bottom of all levels. */
export const rowOf = (level: number, look: { up: boolean; levels: number }): number => (look.up ? look.levels - 1 - level : level);

/** The colour of each box, and that of its text. */
function painter(d: Columns, look: Look): (r: number) => readonly [string, string] {
    const { before, after } = d,
        modules = new Set<number>(d.module as Uint32Array),
        byModule = look.colorBy === "module" || (look.colorBy === "auto" && modules.size > 1),
        text = ink();
    if (before && after) {
        let most = 1e-300;
        for (let r = 0; r < d.rows; r++) if (d.level[r] > 0 || d.rows === 1) most = Math.max(most, Math.abs(Number(after[r]) - Number(before[r])));
        return (r) => diffColor((Number(after[r]) - Number(before[r])) / most);
    }
    return (r) => {
        const name = d.names[d.name[r]]!,
            module = d.names[d.module[r]] ?? "",
            special = kindOf(name),
            kernel = /\.ko$|^\[?kernel|vmlinux/.test(module);
        const by =
            look.colorBy === "kind"
                ? kindName(d.kind[r])
                : look.colorBy === "file" && d.file
                  ? d.names[d.file[r]]!
                  : byModule
                    ? module
                    : look.colorBy === "cost"
                      ? ""
                      : name;
        const hue = look.colorBy === "cost" ? 70 - 50 * Math.min(1, (5 * Number(d.self[r])) / (look.whole || 1)) : hueOf(by);
        return [special ? fixed(special) : kernel ? fixed("kernel") : box(hue, hash(name) >>> 8), text];
    };
}

/** Boxes of one colour, whatever is in sight of them; matches of a search are apart. */
interface Group {
    fill: string;
    text: string;
    matches: boolean;
    rows: number[];
}
const known = new WeakMap<Columns, { key: string; groups: Group[] }>();
/** By colour, because changing it costs more than a rectangle; once for each answer and look. */
function groupsOf(d: Columns, look: Look): Group[] {
    const key = `${look.colorBy} ${isDark.value} ${look.q}`,
        had = known.get(d);
    if (had?.key === key) return had.groups;
    const paint = painter(d, look),
        more = [fixed("more"), ink()] as const,
        groups = new Map<string, Group>(),
        colors = new Map<number, readonly [string, string]>(),
        matching = new Map<number, boolean>();
    for (let r = 0; r < d.rows; r++) {
        const name = d.name[r],
            same = d.before || look.colorBy === "cost" ? r : name * 8 + d.kind[r];
        let color = d.more[r] ? more : colors.get(same),
            matches = !d.more[r] && matching.get(name);
        if (!color) colors.set(same, (color = paint(r)));
        if (matches === undefined) matching.set(name, (matches = Boolean(look.fits?.(d.names[name]!))));
        const [fill, text] = matches ? [fixed("match"), ink()] : color,
            group = groups.get(fill);
        if (group) group.rows.push(r);
        else groups.set(fill, { fill, text, matches, rows: [r] });
    }
    const list = [...groups.values()];
    known.set(d, { key, groups: list });
    return list;
}

const BADGES: Record<number, string> = { 2: "i ", 3: "⟳ " };

export function drawBoxes(ctx: CanvasRenderingContext2D, d: Columns, look: Look): void {
    const scale = look.width / (look.to - look.from),
        first = Math.floor(look.top / ROW) - 1,
        last = Math.ceil((look.top + look.height) / ROW),
        { x: xs, w: ws, level } = d;
    forText(ctx);
    for (const group of groupsOf(d, look)) {
        const wide: number[] = [];
        ctx.globalAlpha = look.fits && !group.matches ? 0.35 : 1;
        ctx.fillStyle = group.fill;
        for (const r of group.rows) {
            const row = rowOf(level[r], look),
                left = (xs[r] - look.from) * scale,
                right = left + ws[r] * scale;
            if (row < first || row > last || right < 0 || left > look.width) continue;
            const x = Math.max(0, left),
                w = Math.min(look.width, right) - x,
                y = row * ROW - look.top;
            ctx.fillRect(x, y, Math.max(w - (w > 3 ? 1 : 0), 0.6), ROW - 1);
            if (w > (group.matches ? 3 : 28)) wide.push(r, x, y, w);
        }
        ctx.fillStyle = group.text;
        ctx.strokeStyle = ink();
        ctx.lineWidth = 1;
        for (let i = 0; i < wide.length; i += 4) {
            const [r, x, y, w] = wide.slice(i, i + 4) as [number, number, number, number],
                more = d.more[r];
            if (group.matches) ctx.strokeRect(x + 0.5, y + 0.5, w - 2, ROW - 2);
            if (w <= 28) continue;
            const name = d.names[d.name[r]]!,
                share =
                    w > 150 && !more
                        ? d.before
                            ? signed(Number(d.after[r]) - Number(d.before[r]), look.unit)
                            : percent(d.total[r], look.whole)
                        : "",
                label = more ? `${more} more` : (BADGES[d.kind[r]] ?? "") + (look.short ? shortName(name) : name);
            ctx.fillText(fit(label, w - 8 - (share ? 58 : 0), look.keepEnd), x + 4, y + ROW / 2);
            if (share) {
                ctx.textAlign = "right";
                ctx.fillText(share, x + w - 5, y + ROW / 2);
                ctx.textAlign = "left";
            }
        }
    }
    ctx.globalAlpha = 1;
    ctx.strokeStyle = ink();
    for (const [r, width] of [
        [look.hover, 1],
        [look.chosen, 2],
    ] as const) {
        if (r < 0 || r >= d.rows) continue;
        const x = Math.max(0, (xs[r] - look.from) * scale),
            w = Math.min(look.width, (xs[r] + ws[r] - look.from) * scale) - x,
            y = rowOf(level[r], look) * ROW - look.top;
        if (w <= 0) continue;
        ctx.lineWidth = width;
        ctx.strokeRect(x + width / 2, y + width / 2, Math.max(1, w - width - 1), ROW - 1 - width);
    }
}

/** All of it, small: one pixel row or two for each level. */
export function drawMap(ctx: CanvasRenderingContext2D, d: Columns, look: Look, height: number): void {
    const step = Math.min(3, height / Math.max(1, look.levels)),
        high = Math.max(0.6, step - (step > 2 ? 0.5 : 0)),
        { x, w, level } = d;
    for (const { fill, matches, rows } of groupsOf(d, look)) {
        ctx.fillStyle = matches ? ink() : fill;
        for (const r of rows)
            ctx.fillRect(x[r] * look.width, look.up ? height - (level[r] + 1) * step : level[r] * step, Math.max(0.5, w[r] * look.width), high);
    }
}
