// The call graph as a picture: layers by distance, the largest in the middle; edges as thick as their cost.
import type { JSX } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { menuOf } from "../core/act";
import { useApi } from "../core/client";
import { box, hash, hueOf } from "../core/color";
import type { Columns } from "../core/columns";
import { save } from "../core/copy";
import { base, count, human, percent } from "../core/format";
import { input, unit } from "../core/session";
import { has, isDark, param, select, selected } from "../core/state";
import { Blocks, dragging, Failed, Nothing, openMenu, shown } from "../ui/parts";
import { saveSvg, useStatus } from "../ui/shell";

const W = 170,
    H = 44,
    GAP_X = 24,
    GAP_Y = 64;
interface Place {
    x: number;
    y: number;
}

/** Layers: a function stands below all that call it, except where that would go round; within a layer by the mean place of the callers. */
function layout(d: Columns, right: boolean): { at: Place[]; width: number; height: number } {
    const n = d.rows,
        from = d.edge_from as Uint32Array,
        to = d.edge_to as Uint32Array,
        layer = new Int32Array(n),
        incoming = new Int32Array(n),
        outs: number[][] = Array.from({ length: n }, () => []);
    for (let e = 0; e < from.length; e++)
        if (from[e] !== to[e]) {
            outs[from[e]!]!.push(to[e]!);
            incoming[to[e]!]!++;
        }
    const order = Array.from({ length: n }, (_, i) => i).sort((x, y) => Number(d.total[y]) - Number(d.total[x])),
        state = new Uint8Array(n),
        round = new Set<number>(),
        done: number[] = [];
    // The server sends few functions, so that this does not nest deeply.
    const visit = (x: number): void => {
        state[x] = 1;
        for (const y of outs[x]!)
            if (!state[y]) visit(y);
            else if (state[y] === 1) round.add(x * n + y);
        state[x] = 2;
        done.push(x);
    };
    for (const i of [...order.filter((i) => !incoming[i]), ...order]) if (!state[i]) visit(i);
    for (const x of done.reverse()) for (const y of outs[x]!) if (!round.has(x * n + y)) layer[y] = Math.max(layer[y]!, layer[x]! + 1);
    const rows: number[][] = [],
        across = right ? H + 20 : W + GAP_X,
        along = right ? W + 1.5 * GAP_Y : H + GAP_Y;
    for (const i of order) (rows[layer[i]!] ??= []).push(i);
    const at: Place[] = Array.from({ length: n }, () => ({ x: 0, y: 0 })),
        widest = Math.max(...rows.map((r) => r.length)) * across;
    rows.forEach((row, l) => {
        const mean = (i: number): number => {
            let s = 0,
                k = 0;
            for (let e = 0; e < from.length; e++)
                if (to[e] === i && layer[from[e]!]! < l) {
                    s += at[from[e]!]![right ? "y" : "x"];
                    k++;
                }
            return k ? s / k : widest / 2;
        };
        if (l > 0) row.sort((x, y) => mean(x) - mean(y));
        const first = (widest - row.length * across) / 2;
        row.forEach((i, k) => {
            const a = first + k * across + 12,
                b = l * along + 16;
            at[i] = right ? { x: b, y: a } : { x: a, y: b };
        });
    });
    const deep = rows.length * along;
    return { at, width: right ? deep : widest, height: right ? widest + 24 : deep };
}

const dot = (d: Columns): string =>
    [
        "digraph calls {",
        "  node [shape=box];",
        ...Array.from({ length: d.rows }, (_, i) => `  n${i} [label=${JSON.stringify(`${d.names[d.name[i]]}\n${human(d.total[i], unit.value)}`)}];`),
        ...Array.from(d.edge_from as Uint32Array, (f, e) => `  n${f} -> n${d.edge_to[e]} [label=${JSON.stringify(count(d.edge_calls[e]))}];`),
        "}",
        "",
    ].join("\n");

export function Graph({ func, whole }: { func: number; whole: boolean }): JSX.Element {
    const answer = useApi<Columns>("graph", {
            ...(whole ? {} : { func, up: param("up", "1"), down: param("down", "1") }),
            node: param("node", "0.5"),
            edge: param("edge", "0.1"),
            nodes: param("nodes"),
        }),
        right = has("right"),
        d = answer.data,
        svg = useRef<SVGSVGElement>(null);
    const plan = useMemo(() => (d && d.rows ? layout(d, right) : null), [d, right]),
        [view, setView] = useState<{ x: number; y: number; k: number } | null>(null),
        s = selected.value;
    useStatus(
        d
            ? `${count(d.rows)} of ${count(d.functions)} functions, ${count(d.edge_from?.length ?? 0)} of ${count(d.edges ?? d.edge_from?.length)} calls`
            : "",
        d?.command,
    );
    if (answer.error) return <Failed error={answer.error} />;
    if (!d) return <Blocks />;
    if (!plan) return <Nothing />;
    const wide = Math.max(plan.width, 1300),
        high = Math.max(plan.height, 640),
        now = view ?? { x: plan.width / 2 - wide / 2, y: 0, k: 1 },
        most = Math.max(1e-300, ...Array.from(d.edge_total as Float64Array, Number)),
        total = d.metrics[0]?.total;
    const zoom = (f: number): void => setView({ ...now, k: Math.max(0.1, Math.min(10, now.k * f)) });
    const drag = (e: PointerEvent): void => {
        if (e.button !== 0) return;
        const b = svg.current!.getBoundingClientRect(),
            per = wide / now.k / b.width;
        dragging((m) => setView({ ...now, x: now.x - (m.clientX - e.clientX) * per, y: now.y - (m.clientY - e.clientY) * per }));
    };
    const boxed = `${now.x} ${now.y} ${wide / now.k} ${high / now.k}`,
        dark = isDark.value,
        line = dark ? "#66707d" : "#868e98";
    const edges = Array.from(d.edge_from as Uint32Array, (f, e) => {
        const a = plan.at[f]!,
            b = plan.at[d.edge_to[e]]!,
            self = f === d.edge_to[e],
            [x1, y1, x2, y2] = right ? [a.x + W, a.y + H / 2, b.x, b.y + H / 2] : [a.x + W / 2, a.y + H, b.x + W / 2, b.y],
            bend = GAP_Y / 2,
            back = right ? b.x <= a.x : b.y <= a.y;
        const path = self
            ? `M${a.x + W} ${a.y + 12} c24 -8 24 28 0 20`
            : back
              ? right
                  ? `M${a.x + W / 2} ${a.y + H} C${a.x} ${a.y + H + 40} ${b.x + W} ${b.y + H + 40} ${b.x + W / 2} ${b.y + H}`
                  : `M${a.x + W} ${a.y + H / 2} C${a.x + W + 40} ${a.y} ${b.x + W + 40} ${b.y + H} ${b.x + W} ${b.y + H / 2}`
              : right
                ? `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`
                : `M${x1} ${y1} C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`;
        return (
            <g key={e} class="edge">
                <path
                    d={path}
                    fill="none"
                    stroke={line}
                    stroke-width={1 + (6 * Number(d.edge_total[e])) / most}
                    opacity={0.75}
                    marker-end="url(#tip)"
                >
                    <title>{`${d.names[d.name[f]]} calls ${d.names[d.name[d.edge_to[e]]]}: ${count(d.edge_calls[e])} calls, ${human(d.edge_total[e], unit.value)}`}</title>
                </path>
                {!self && !back && d.rows < 40 && (
                    <text x={(x1 + x2) / 2} y={(y1 + y2) / 2} class="edge-text">
                        {human(d.edge_total[e], unit.value)}
                        {Number(d.edge_calls[e]) ? `, ${count(d.edge_calls[e])}×` : ""}
                    </text>
                )}
            </g>
        );
    });
    const nodes = plan.at.map((p, i) => {
        const name = d.names[d.name[i]]!,
            module = d.names[d.module[i]] ?? "";
        return (
            <g
                key={i}
                class={`node ${s?.name === name ? "on" : ""}`}
                data-name={name}
                transform={`translate(${p.x} ${p.y})`}
                tabIndex={0}
                role="button"
                aria-label={`${name}, total ${human(d.total[i], unit.value)}`}
                onClick={() => select(name)}
                onKeyDown={(e) => {
                    if (e.key === "Enter") select(name);
                }}
                onContextMenu={(e) => {
                    e.preventDefault();
                    openMenu(e.clientX, e.clientY, name, menuOf({ name, module }));
                }}
            >
                <title>{`${name}\nself ${human(d.self[i], unit.value)}, total ${human(d.total[i], unit.value)}, ${count(d.calls[i])} calls${module ? `\n${module}` : ""}`}</title>
                <rect width={W} height={H} rx="4" fill={box(hueOf(module || name), hash(name) >>> 8)} />
                <text x="8" y="18" class="node-name">
                    {cut(shown(name), 22)}
                </text>
                <text x="8" y="35" class="node-figure">
                    {human(d.total[i], unit.value)} {percent(d.total[i], total)}
                </text>
            </g>
        );
    });
    return (
        <div class="graph">
            <div class="graph-tools">
                <button onClick={() => zoom(1.25)} aria-label="Zoom in">
                    +
                </button>
                <button onClick={() => zoom(0.8)} aria-label="Zoom out">
                    −
                </button>
                <button onClick={() => setView(null)}>All</button>
                <button onClick={() => saveSvg(svg.current!)}>SVG</button>
                <button onClick={() => save(new Blob([dot(d)], { type: "text/vnd.graphviz" }), `${base(input.value?.name ?? "calls")}.dot`)}>
                    DOT
                </button>
            </div>
            <svg
                ref={svg}
                viewBox={boxed}
                role="group"
                aria-label={`Call graph of ${d.rows} functions`}
                onPointerDown={drag}
                onWheel={(e) => {
                    e.preventDefault();
                    zoom(e.deltaY < 0 ? 1.15 : 0.87);
                }}
            >
                <defs>
                    <marker id="tip" markerUnits="userSpaceOnUse" markerWidth="9" markerHeight="8" refX="8" refY="4" orient="auto">
                        <path d="M0 0L9 4L0 8z" fill={line} />
                    </marker>
                </defs>
                {edges}
                {nodes}
            </svg>
            {view && (
                <svg class="bird" viewBox={`${plan.width / 2 - wide / 2} 0 ${wide} ${high}`} aria-hidden="true">
                    {plan.at.map((p, i) => (
                        <rect key={i} x={p.x} y={p.y} width={W} height={H} />
                    ))}
                    <rect class="frame" x={now.x} y={now.y} width={wide / now.k} height={high / now.k} />
                </svg>
            )}
        </div>
    );
}
const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
