// Drawing of boxes on a canvas: flame graphs and their minimap. x and w of a box are shares of the whole width, so an older answer can be drawn at a new
// zoom until the next one is here.
import { box, diffColor, fixed, hash, hueOf, ink, kindOf } from "../core/color";
import type { Columns } from "../core/columns";
import { percent, shortName, signed } from "../core/format";
import type { Fits } from "../core/match";

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
    fits: Fits | null;
    chosen: number;
    hover: number;
    same: number;
    keepEnd: boolean;
    short: boolean;
    small: boolean;
}
const KIND = ["function", "entry", "inlined", "loop", "line", "instruction", "other"];
export const kindName = (k: number): string => KIND[k] ?? "";

const widths = new Map<string, Float32Array>();
function charWidths(ctx: CanvasRenderingContext2D): Float32Array {
    let table = widths.get(ctx.font);
    if (!table) {
        table = new Float32Array(128);
        for (let i = 32; i < 127; i++) table[i] = ctx.measureText(String.fromCharCode(i)).width;
        widths.set(ctx.font, table);
    }
    return table;
}
/** As much of the text as fits, with an ellipsis at the end or at the front. */
function fit(ctx: CanvasRenderingContext2D, text: string, room: number, keepEnd: boolean): string {
    const table = charWidths(ctx),
        n = text.length;
    let used = 0,
        i = 0;
    for (; i < n; i++) {
        used += table[text.charCodeAt(keepEnd ? n - 1 - i : i)] || 12;
        if (used > room) break;
    }
    if (i === n) return text;
    const kept = Math.max(0, i - 1);
    return kept < 2 ? "" : keepEnd ? `…${text.slice(n - kept)}` : `${text.slice(0, kept)}…`;
}

/** Where level 0 is: at the top, or at the bottom of all levels. */
export const rowOf = (level: number, look: { up: boolean; levels: number }): number => (look.up ? look.levels - 1 - level : level);

interface Paint {
    fill: string;
    text: string;
}
function painter(d: Columns, look: Look): (r: number) => Paint {
    const { before, after } = d,
        modules = new Set<number>(d.module as Uint32Array),
        byModule = look.colorBy === "module" || (look.colorBy === "auto" && modules.size > 1),
        cache = new Map<number, Paint>();
    if (before && after) {
        let most = 1e-300;
        for (let r = 0; r < d.rows; r++) if (d.level[r] > 0 || d.rows === 1) most = Math.max(most, Math.abs(Number(after[r]) - Number(before[r])));
        return (r) => {
            const [fill, text] = diffColor((Number(after[r]) - Number(before[r])) / most);
            return { fill, text };
        };
    }
    return (r) => {
        const key = d.name[r] * 8 + d.kind[r],
            known = cache.get(key);
        if (known) return known;
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
        const made = { fill: special ? fixed(special) : kernel ? fixed("kernel") : box(hue, hash(name) >>> 8), text: ink() };
        cache.set(key, made);
        return made;
    };
}

const BADGES: Record<number, string> = { 2: "i ", 3: "⟳ " };

export function drawBoxes(ctx: CanvasRenderingContext2D, d: Columns, look: Look, colors: { line: string; page: string }): number {
    const scale = look.width / (look.to - look.from),
        paint = painter(d, look),
        first = Math.floor(look.top / ROW) - 1,
        last = Math.ceil((look.top + look.height) / ROW);
    let drawn = 0;
    ctx.font = "12px system-ui, sans-serif";
    ctx.textBaseline = "middle";
    for (let r = 0; r < d.rows; r++) {
        const row = rowOf(d.level[r], look);
        if (row < first || row > last) continue;
        const left = (d.x[r] - look.from) * scale,
            right = left + d.w[r] * scale;
        if (right < 0 || left > look.width) continue;
        const x = Math.max(0, left),
            w = Math.min(look.width, right) - x,
            y = row * ROW - look.top,
            name = d.names[d.name[r]]!,
            more = d.more[r],
            matches = look.fits !== null && !more && look.fits(name);
        const p = more ? { fill: fixed("more"), text: ink() } : paint(r);
        drawn++;
        ctx.globalAlpha = look.fits && !matches ? 0.35 : 1;
        ctx.fillStyle = matches ? fixed("match") : p.fill;
        ctx.fillRect(x, y, Math.max(w - (w > 3 ? 1 : 0), 0.6), ROW - 1);
        if (w > 28) {
            ctx.fillStyle = matches ? ink() : p.text;
            const diff = d.before && !more ? ` ${signed(Number(d.after[r]) - Number(d.before[r]), look.unit)}` : "",
                share = w > 150 && !more ? diff || percent(d.total[r], look.whole) : "",
                room = w - 8 - (share ? 58 : 0);
            const label = more ? `${more} more` : (BADGES[d.kind[r]] ?? "") + (look.short ? shortName(name) : name);
            ctx.fillText(fit(ctx, label, room, look.keepEnd), x + 4, y + ROW / 2);
            if (share) {
                ctx.textAlign = "right";
                ctx.fillText(share, x + w - 5, y + ROW / 2);
                ctx.textAlign = "left";
            }
        }
        if (look.fits) ctx.globalAlpha = 1;
        if (matches && w > 3) {
            ctx.strokeStyle = ink();
            ctx.lineWidth = 1;
            ctx.strokeRect(x + 0.5, y + 0.5, w - 2, ROW - 2);
        }
    }
    ctx.globalAlpha = 1;
    for (const [r, width] of [
        [look.hover, 1],
        [look.chosen, 2],
    ] as const) {
        if (r < 0 || r >= d.rows) continue;
        const x = Math.max(0, (d.x[r] - look.from) * scale),
            w = Math.min(look.width, (d.x[r] + d.w[r] - look.from) * scale) - x,
            y = rowOf(d.level[r], look) * ROW - look.top;
        if (w <= 0) continue;
        ctx.strokeStyle = colors.line;
        ctx.lineWidth = width;
        ctx.strokeRect(x + width / 2, y + width / 2, Math.max(1, w - width - 1), ROW - 1 - width);
    }
    return drawn;
}

/** All of it, small: one pixel row or two for each level. */
export function drawMap(ctx: CanvasRenderingContext2D, d: Columns, look: Look, height: number): void {
    const step = Math.min(3, height / Math.max(1, look.levels)),
        paint = painter(d, look);
    for (let r = 0; r < d.rows; r++) {
        const y = look.up ? height - (d.level[r] + 1) * step : d.level[r] * step,
            matches = look.fits?.(d.names[d.name[r]]!);
        ctx.fillStyle = d.more[r] ? fixed("more") : matches ? ink() : paint(r).fill;
        ctx.fillRect(d.x[r] * look.width, y, Math.max(0.5, d.w[r] * look.width), Math.max(0.6, step - (step > 2 ? 0.5 : 0)));
    }
}
