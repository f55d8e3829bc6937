// A flame graph: canvas for the eye, a tree of real elements for everybody else, both of the same answer.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { here, menuOf, type Target } from "../core/act";
import { get, useApi, type Ask } from "../core/client";
import type { Columns } from "../core/columns";
import { base, count, exact, human, percent, signed } from "../core/format";
import { matcher } from "../core/match";
import { metric } from "../core/session";
import { isDark, param, select, shortNames } from "../core/state";
import { dragging, Failed, Nothing, openMenu, shown, tip, useSize, TipRows } from "../ui/parts";
import { drawBoxes, drawMap, kindName, ROW, rowOf, type Look } from "./draw";

type Range = [number, number];
export interface Context {
    name: string;
    file?: string;
    line?: number;
    module?: string;
    stack?: { id: number; name: string }[];
    figures?: { metric: string; unit: string; self: number; total: number }[];
    calls?: number;
    function?: { self: number | Record<string, number>; total: number | Record<string, number>; calls: number };
}
interface Props {
    ask: Ask;
    zoom?: Range;
    onZoom?: (r: Range, replace: boolean) => void;
    height?: number;
    small?: boolean;
    up?: boolean;
    map?: boolean;
    colorBy?: string;
    keepEnd?: boolean;
    onOpen?: () => void;
    onAnswer?: (d: Columns) => void;
    label?: string;
}
/** Where the pointer is, as a share of the width: keys zoom there. */
export const pointer = { at: 0.5 };
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const clampRange = ([a, b]: Range): Range => {
    const w = Math.min(1, Math.max(1e-12, b - a)),
        from = Math.max(0, Math.min(1 - w, a));
    return [from, from + w];
};

/** A canvas as large as its element, sharp on every screen. */
function prepare(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
    const dpr = devicePixelRatio || 1,
        w = Math.round(width * dpr),
        h = Math.round(height * dpr);
    if (canvas.width !== w || canvas.height !== h) {
        canvas.width = w;
        canvas.height = h;
    }
    const ctx = canvas.getContext("2d")!;
    ctx.setTransform(dpr, 0, 0, dpr, 0, 0);
    ctx.clearRect(0, 0, width, height);
    return ctx;
}
export { prepare };

/** What stands in the tooltip of a box. */
function Tipped({ d, r, more }: { d: Columns; r: number; more: Context | null }): JSX.Element {
    const u = d.metrics[0]?.unit,
        name = d.names[d.name[r]]!;
    if (d.more[r])
        return (
            <>
                <b>{count(d.more[r])} smaller boxes</b>
                <div>
                    {human(d.total[r], u)}, {percent(d.total[r], d.metrics[0]?.total)} together; double-click to see them
                </div>
            </>
        );
    const rows: [string, ComponentChildren][] = [
        ["self", `${human(d.self[r], u)}  ${percent(d.self[r], d.metrics[0]?.total)}`],
        ["total", `${human(d.total[r], u)}  ${percent(d.total[r], d.metrics[0]?.total)}`],
    ];
    if (d.before)
        rows.push(
            ["A", human(d.before[r], u)],
            ["B", human(d.after[r], u)],
            [
                "change",
                `${signed(Number(d.after[r]) - Number(d.before[r]), u)} (takes ${Number(d.after[r]) > Number(d.before[r]) ? "more" : Number(d.after[r]) < Number(d.before[r]) ? "less" : "the same"})`,
            ],
        );
    if (d.calls && Number(d.calls[r])) rows.push(["calls", count(d.calls[r])]);
    for (const f of more?.figures ?? []) if (f.metric !== metric.value) rows.push([f.metric, `${human(f.self, f.unit)} / ${human(f.total, f.unit)}`]);
    if (more?.file) rows.push(["file", `${more.file}${more.line ? `:${more.line}` : ""}`]);
    if (d.module && d.names[d.module[r]]) rows.push(["module", base(d.names[d.module[r]]!)]);
    return (
        <>
            <b>{name || "(no name)"}</b>
            {d.kind[r] > 0 && d.kind[r] < 6 && <em> {kindName(d.kind[r])}</em>}
            <TipRows rows={rows} />
        </>
    );
}

export function FlameChart(props: Props): JSX.Element {
    const { ask, zoom = [0, 1], onZoom, small = false, up = false, map = false, colorBy = "auto", keepEnd = false } = props;
    const box = useRef<HTMLDivElement>(null),
        canvas = useRef<HTMLCanvasElement>(null),
        mini = useRef<HTMLCanvasElement>(null);
    const size = useSize(box),
        [asked, setAsked] = useState<Range>(zoom),
        [hover, setHover] = useState(-1),
        [chosen, setChosen] = useState(0),
        [top, setTop] = useState(0);
    const seen = useRef<Range>(zoom),
        drag = useRef<{ x: number; y: number; range: Range; top: number; moved: boolean } | null>(null),
        hovering = useRef(0),
        moved = useRef(0),
        sight = useRef<HTMLElement>(null);
    const width = Math.max(1, Math.round(size[0])),
        isPart = asked[0] > 0 || asked[1] < 1,
        part: Ask = isPart ? { from: asked[0], to: asked[1] } : {};
    const answer = useApi<Columns>(size[0] ? "flame" : null, { ...ask, ...part, width, levels: 2000 }),
        rest = useApi<Columns>(map && isPart ? "flame" : null, { ...ask, width, levels: 2000 }),
        whole = isPart ? rest : answer,
        d = answer.data;
    let levels = 1;
    if (d) for (let r = 0; r < d.rows; r++) if (d.level[r] >= levels) levels = d.level[r] + 1;
    const wantedName = param("fn"),
        wantedId = Number(param("id")),
        q = param("q"),
        fits = q ? matcher(q) : null,
        look: Look = {
            from: seen.current[0],
            to: seen.current[1],
            width,
            top,
            height: size[1],
            up,
            levels,
            unit: ask.order === "time" ? "ns" : (d?.metrics[0]?.unit ?? ""),
            whole: (ask.order === "time" || d?.before ? Number(d?.root_total) : d?.metrics[0]?.total) || 1,
            colorBy,
            q,
            fits,
            chosen: small || (!wantedName && !wantedId) ? -1 : chosen,
            hover,
            keepEnd,
            short: shortNames.value === "short",
        };

    const draw = (): void => {
        const el = canvas.current;
        if (!el || !size[0]) return;
        const ctx = prepare(el, size[0], size[1]);
        look.from = seen.current[0];
        look.to = seen.current[1];
        if (d) drawBoxes(ctx, d, look);
        if (sight.current) {
            const w = look.to - look.from;
            sight.current.style.cssText = w < 1 ? `left:${100 * look.from}%;width:max(2px,${100 * w}%)` : "display:none";
        }
    };
    const drawn = useRef(draw);
    drawn.current = draw;
    useLayoutEffect(draw, [d, ...size, top, up, levels, colorBy, q, look.chosen, hover, keepEnd, look.short, isDark.value, small]);
    useLayoutEffect(() => {
        const m = whole.data;
        if (!mini.current || !m || !size[0]) return;
        let all = 1;
        for (let r = 0; r < m.rows; r++) all = Math.max(all, m.level[r] + 1);
        drawMap(prepare(mini.current, size[0], 48), m, { ...look, levels: all }, 48);
    }, [whole.data, size[0], up, colorBy, q, isDark.value]);
    useEffect(() => {
        if (d) props.onAnswer?.(d);
    }, [d]);
    // Root at the bottom: begin there.
    useEffect(() => {
        if (up && box.current) box.current.scrollTop = box.current.scrollHeight;
    }, [up, levels]);
    // Moves to the new range in a few frames, and asks for what can be seen there: at once, or when the wheel rests.
    useEffect(() => {
        const start = seen.current,
            began = performance.now();
        if (start[0] === zoom[0] && start[1] === zoom[1]) return;
        let frame = 0;
        const later = setTimeout(() => setAsked(zoom), began - moved.current < 150 ? 60 : 0);
        moved.current = began;
        const step = (now: number): void => {
            const t = calm.matches || drag.current ? 1 : Math.min(1, (now - began) / 60),
                ease = t * (2 - t);
            seen.current = t < 1 ? [start[0] + (zoom[0] - start[0]) * ease, start[1] + (zoom[1] - start[1]) * ease] : zoom;
            drawn.current();
            if (t < 1) frame = requestAnimationFrame(step);
        };
        frame = requestAnimationFrame(step);
        return () => {
            cancelAnimationFrame(frame);
            clearTimeout(later);
        };
    }, [zoom[0], zoom[1]]);
    useEffect(() => {
        if (!d || small) return;
        let found = -1;
        for (let r = 0; r < d.rows && found < 0; r++)
            if (wantedId ? d.id[r] === wantedId : wantedName && d.names[d.name[r]] === wantedName) found = r;
        setChosen(found < 0 ? 0 : found);
    }, [d, wantedName, wantedId]);

    const hit = (e: { clientX: number; clientY: number }): number => {
        if (!d || !canvas.current) return -1;
        const b = canvas.current.getBoundingClientRect(),
            x = seen.current[0] + ((e.clientX - b.left) / width) * (seen.current[1] - seen.current[0]),
            row = Math.floor((e.clientY - b.top + top) / ROW),
            near = (1.5 / width) * (seen.current[1] - seen.current[0]);
        let best = -1;
        for (let r = 0; r < d.rows; r++)
            if (rowOf(d.level[r], look) === row && d.x[r] - near <= x && x < d.x[r] + d.w[r] + near) {
                if (d.x[r] <= x && x < d.x[r] + d.w[r]) return r;
                best = r;
            }
        return best;
    };
    const stackOf = (r: number): number[] => {
        const list: number[] = [];
        for (let at = r; at >= 0; at = d!.parent[at] - 1) list.unshift(at);
        return list;
    };
    const target = (r: number): Target => ({
        name: d!.names[d!.name[r]]!,
        file: d!.file ? d!.names[d!.file[r]]! : "",
        module: d!.module ? d!.names[d!.module[r]]! : "",
        stack: stackOf(r).map((x) => d!.names[d!.name[x]]!),
        place: !ask.id && !up && ask.view === "top-down" && ask.order !== "time" && !ask.function && Boolean(d!.func[r]),
    });
    const choose = (r: number): void => {
        if (!d || r < 0 || r >= d.rows) return;
        setChosen(r);
        here.value = target(r);
        const y = rowOf(d.level[r], look) * ROW,
            el = box.current!;
        if (y < el.scrollTop) el.scrollTop = y;
        else if (y + ROW > el.scrollTop + el.clientHeight) el.scrollTop = y + ROW - el.clientHeight;
        if (!d.more[r]) select(d.names[d.name[r]]!, target(r).file, { id: d.id[r] }, true);
    };
    const zoomTo = (r: number, replace = false): void => {
        if (d && r >= 0) {
            tip.value = null;
            onZoom?.(clampRange([d.x[r], d.x[r] + d.w[r]]), replace);
        }
    };
    const by = (factor: number, at = 0.5): void => {
        const [a, b] = zoom,
            c = a + (b - a) * at,
            w = (b - a) * factor;
        onZoom?.(clampRange([c - w * at, c + w * (1 - at)]), true);
    };
    const pan = (share: number): void => {
        const w = (zoom[1] - zoom[0]) * share;
        onZoom?.(clampRange([zoom[0] + w, zoom[1] + w]), true);
    };
    const describe = (e: PointerEvent, r: number, more: Context | null): void => {
        tip.value = { x: e.clientX, y: e.clientY, lines: <Tipped d={d!} r={r} more={more} /> };
    };
    const over = (e: PointerEvent): void => {
        const g = drag.current;
        if (g) {
            if (Math.abs(e.clientX - g.x) + Math.abs(e.clientY - g.y) > 4) {
                g.moved = true;
                tip.value = null;
            }
            if (g.moved) {
                const w = g.range[1] - g.range[0],
                    dx = ((g.x - e.clientX) / width) * w;
                if (w < 1) onZoom?.(clampRange([g.range[0] + dx, g.range[1] + dx]), true);
                box.current!.scrollTop = g.top + g.y - e.clientY;
            }
            return;
        }
        const r = hit(e);
        pointer.at = (e.clientX - canvas.current!.getBoundingClientRect().left) / width;
        clearTimeout(hovering.current);
        if (r !== hover) setHover(r);
        if (r < 0) {
            tip.value = null;
            return;
        }
        describe(e, r, null);
        if (d!.id[r] && !d!.before)
            hovering.current = setTimeout(() => {
                get<Context>("context", { view: ask.view as string, id: d!.id[r] }).then(
                    (c) => {
                        if (tip.value) describe(e, r, c);
                    },
                    () => undefined,
                );
            }, 150);
    };
    const wheel = (e: WheelEvent): void => {
        if (small) return;
        const b = canvas.current!.getBoundingClientRect(),
            at = (e.clientX - b.left) / width;
        if (e.ctrlKey || e.metaKey) {
            e.preventDefault();
            by(Math.exp(Math.sign(e.deltaY) * Math.min(0.5, Math.abs(e.deltaY) / 200)), at);
        } else if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) {
            e.preventDefault();
            pan((e.deltaX || e.deltaY) / width);
        }
    };
    const near = (r: number, key: string): number => {
        if (!d || r < 0) return 0;
        const deeper = (key === "ArrowDown") !== up;
        if (key === "ArrowUp" || key === "ArrowDown") {
            if (!deeper) return Math.max(r, 0) && d.parent[r] ? d.parent[r] - 1 : r;
            let best = -1;
            for (let k = r + 1; k < d.rows; k++) if (d.parent[k] === r + 1 && (best < 0 || d.w[k] > d.w[best])) best = k;
            return best < 0 ? r : best;
        }
        let best = -1;
        for (let k = 0; k < d.rows; k++)
            if (
                k !== r &&
                d.level[k] === d.level[r] &&
                (key === "ArrowRight" ? d.x[k] > d.x[r] && (best < 0 || d.x[k] < d.x[best]) : d.x[k] < d.x[r] && (best < 0 || d.x[k] > d.x[best]))
            )
                best = k;
        return best < 0 ? r : best;
    };
    const key = (e: KeyboardEvent): void => {
        if (e.ctrlKey || e.altKey || e.metaKey || small) return;
        if (e.key.startsWith("Arrow")) choose(near(chosen, e.key));
        else if (e.key === "Enter") {
            if (q) dispatchEvent(new CustomEvent("assay-match", { detail: e.shiftKey ? -1 : 1 }));
            else zoomTo(chosen);
        } else if (e.key === "ContextMenu" || (e.key === "F10" && e.shiftKey)) menuAt(chosen, 0, 0);
        else if (e.key === "Home") choose(0);
        else return;
        e.preventDefault();
    };
    const menuAt = (r: number, x: number, y: number): void => {
        if (!d || r < 0 || d.more[r]) return;
        const b = canvas.current!.getBoundingClientRect();
        choose(r);
        openMenu(
            x || b.left + Math.max(0, (d.x[r] - zoom[0]) / (zoom[1] - zoom[0])) * width + 8,
            y || b.top + rowOf(d.level[r], look) * ROW - top + ROW,
            shown(d.names[d.name[r]]!),
            [{ label: "Zoom to it", key: "Enter", run: () => zoomTo(r) }, ...menuOf(target(r))],
        );
    };
    useEffect(() => {
        if (small) return;
        const walk = (e: Event): void => {
            if (!d || !fits) return;
            const step = (e as CustomEvent<number>).detail,
                matches: number[] = [];
            for (let r = 0; r < d.rows; r++) if (!d.more[r] && fits(d.names[d.name[r]]!)) matches.push(r);
            if (matches.length) choose(matches[(matches.indexOf(chosen) + step + matches.length * 2) % matches.length]!);
        };
        addEventListener("assay-match", walk);
        return () => removeEventListener("assay-match", walk);
    });
    useEffect(() => {
        const el = box.current!;
        el.addEventListener("wheel", wheel, { passive: false });
        return () => el.removeEventListener("wheel", wheel);
    });
    useEffect(
        () => () => {
            tip.value = null;
        },
        [],
    );

    const mapDrag = (e: PointerEvent): void => {
        const b = mini.current!.getBoundingClientRect(),
            at = (x: number): number => Math.max(0, Math.min(1, (x - b.left) / b.width)),
            first = at(e.clientX),
            w = zoom[1] - zoom[0],
            inside = w < 1 && first > zoom[0] && first < zoom[1],
            was = zoom;
        dragging((m) => {
            const x = at(m.clientX);
            if (inside) onZoom?.(clampRange([was[0] + x - first, was[1] + x - first]), true);
            else if (Math.abs(x - first) > 0.003) onZoom?.(clampRange([Math.min(x, first), Math.max(x, first)]), true);
        });
    };
    const path = d && chosen >= 0 && chosen < d.rows ? stackOf(chosen) : [],
        kids: number[] = [];
    if (d && path.length) for (let r = chosen + 1; r < d.rows && kids.length < 50; r++) if (d.parent[r] === chosen + 1) kids.push(r);
    const item = (r: number): JSX.Element => (
        <div
            role="treeitem"
            key={r}
            id={`box-${r}`}
            aria-level={d!.level[r] + 1}
            aria-selected={r === chosen}
            aria-expanded={path.includes(r)}
            data-level={d!.level[r]}
            data-x={d!.x[r]}
            data-w={d!.w[r]}
            data-id={d!.id[r]}
            data-more={d!.more[r]}
            data-total={String(d!.total[r])}
            aria-label={`${d!.more[r] ? `${d!.more[r]} smaller boxes` : d!.names[d!.name[r]]}, ${percent(d!.total[r], look.whole)}, ${human(d!.total[r], look.unit)}`}
        >
            {d!.more[r] ? `${d!.more[r]} more` : d!.names[d!.name[r]]}
        </div>
    );
    const height = props.height ? { height: `${Math.min(props.height, levels * ROW + 2)}px` } : {};
    return (
        <div class={`flame-chart ${props.height ? "" : "fill"}`}>
            {map && (
                <div class="minimap" onPointerDown={mapDrag} aria-hidden="true">
                    <canvas ref={mini} />
                    <i ref={sight} />
                </div>
            )}
            {answer.error && !d && <Failed error={answer.error} />}
            {d && d.rows === 0 && <Nothing />}
            <div
                class={`flame-box ${answer.busy && !d ? "first" : ""}`}
                ref={box}
                style={height}
                tabIndex={0}
                role="tree"
                aria-label={props.label ?? "Flame graph"}
                aria-activedescendant={d ? `box-${chosen}` : undefined}
                data-levels={levels}
                data-boxes={d?.rows ?? 0}
                data-zoom={zoom.join("..")}
                data-scroll
                onScroll={(e) => setTop(e.currentTarget.scrollTop)}
                onKeyDown={key}
                onPointerMove={over}
                onPointerLeave={() => {
                    clearTimeout(hovering.current);
                    pointer.at = 0.5;
                    setHover(-1);
                    tip.value = null;
                }}
                onPointerDown={(e) => {
                    if (e.button === 0 && e.pointerType !== "touch") {
                        drag.current = { x: e.clientX, y: e.clientY, range: zoom, top: box.current!.scrollTop, moved: false };
                        box.current!.setPointerCapture(e.pointerId);
                    }
                }}
                onPointerUp={(e) => {
                    const g = drag.current;
                    drag.current = null;
                    if (g && !g.moved) {
                        const r = hit(e);
                        if (props.onOpen) props.onOpen();
                        else if (r >= 0) choose(r);
                    }
                }}
                onDblClick={(e) => zoomTo(hit(e))}
                onContextMenu={(e) => {
                    if (!small) {
                        e.preventDefault();
                        menuAt(hit(e), e.clientX, e.clientY);
                    }
                }}
            >
                <div class="flame-space" style={{ height: `${Math.max(levels * ROW, 1)}px` }}>
                    <canvas ref={canvas} style={{ width: `${size[0]}px`, height: `${size[1]}px` }} aria-hidden="true" />
                </div>
                <div class="sr">{d && [...path, ...kids].map(item)}</div>
            </div>
            <div class="sr" role="status" aria-live="polite">
                {d && chosen > 0 && chosen < d.rows
                    ? `${d.names[d.name[chosen]]}, ${percent(d.total[chosen], look.whole)}, ${exact(d.total[chosen], look.unit)}`
                    : ""}
            </div>
        </div>
    );
}
