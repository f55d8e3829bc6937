// Streams over time: each lane a rank or thread, each colour the function at a chosen depth. The server samples for the pixels that are here.
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { menuOf } from "../core/act";
import { get, useApi } from "../core/client";
import { toast } from "../core/copy";
import { box, fixed, hash, hueOf, ink, kindOf } from "../core/color";
import type { Columns } from "../core/columns";
import { count, human, PER_SECOND, percent, plural } from "../core/format";
import { useCommands } from "../core/keys";
import { matcher, type Fits } from "../core/match";
import { addFilter, go, isDark, param, params, put, select } from "../core/state";
import { FlameChart, prepare } from "../flame/chart";
import { fit, forText } from "../flame/draw";
import { dragging, Field, Failed, openMenu, sentence, shown, tip, useSize, TipRows } from "../ui/parts";
import { saveAs, useStatus } from "../ui/shell";
import { ticks } from "../ui/plot";

const LABEL = 140,
    AXIS = 24;
/** Colour of a function: its hue is that of its name, since lanes rarely differ in module. */
const colorOf = (name: string): string => {
    const k = kindOf(name);
    return k ? fixed(k) : box(hueOf(name), hash(name) >>> 8);
};

/** What each name of an answer is painted with, as pixels; 0 = idle. What a search does not find is pale. */
function palette(d: Columns, fits: Fits | null): Uint32Array {
    const high = (d.names.length >> 10) + 1,
        strip = new OffscreenCanvas(1024, high).getContext("2d", { willReadFrequently: true })!;
    d.names.forEach((name, i) => {
        strip.globalAlpha = fits && !fits(name) ? 0.25 : 1;
        strip.fillStyle = i ? colorOf(name) : fixed("idle");
        strip.fillRect(i & 1023, i >> 10, 1, 1);
    });
    return new Uint32Array(strip.getImageData(0, 0, 1024, high).data.buffer);
}

const boxOf = (left: number, top: number, right: number, bottom: number): string =>
    `left:${left}px;top:${top}px;width:${right - left}px;height:${bottom - top}px`;

interface Stack {
    label: string;
    from: number;
    to: number;
    event?: number;
    frames: { name: string; file?: string; line?: number }[];
}
export function Timeline(): JSX.Element {
    const ref = useRef<HTMLDivElement>(null),
        canvas = useRef<HTMLCanvasElement>(null),
        size = useSize(ref),
        [band, setBand] = useState<[number, number, number, number] | null>(null),
        depth = param("depth", "choose"),
        at = param("at"),
        lane = Number(param("lane"));
    const plot = Math.max(1, size[0] - LABEL),
        answer = useApi<Columns>(size[0] ? "timeline" : null, {
            depth,
            columns: Math.min(1200, Math.round(plot)),
            lanes: 400,
        }),
        d = answer.data;
    const each = (d?.lanes_each as number | undefined) || 1,
        lanes = ((d?.lane_label as string[] | undefined) ?? []).filter((_, i) => i % each === 0),
        high = lanes.length ? Math.max(6, Math.min(40, (size[1] - AXIS) / lanes.length)) : 20,
        epoch = BigInt(d ? d.begin : 0),
        since = (t: unknown): number => (d ? Number(BigInt(t as bigint) - epoch) : 0),
        from = since(d?.from),
        to = d ? since(d.to) : 1,
        end = d ? since(d.end) : 1,
        u = (d?.unit as string | undefined) ?? "ns",
        columns = Number(d?.drawn_columns) || Math.min(1200, Math.round(plot));
    // The runs of a lane follow one another; where each lane begins, once for each answer: there may be a hundred thousand.
    const begin = useMemo(() => {
        const made = new Uint32Array(lanes.length + 1);
        for (const l of (d?.lane as Uint32Array | undefined) ?? []) made[l + 1]!++;
        for (let i = 0; i < lanes.length; i++) made[i + 1]! += made[i]!;
        return made;
    }, [d]);
    const isIdle = (i: number): boolean => !d!.quarters[i],
        nameOf = (i: number): string => d!.names[d!.name[i]]!;
    /** The number of the run of a lane that fills a column, from 1; 0 = none. */
    const runIn = (l: number, c: number): number => {
        let low = begin[l]!,
            high = begin[l + 1]!;
        while (low < high) {
            const middle = (low + high) >> 1;
            d!.column[middle] <= c ? (low = middle + 1) : (high = middle);
        }
        return low > begin[l]! && c < columns ? low : 0;
    };
    const stack = useApi<Stack>(at && d ? "stack" : null, { lane: lane * each, at: at ? String(epoch + BigInt(Math.round(Number(at)))) : "" });
    const q = param("q"),
        fits = q ? matcher(q) : null,
        height = AXIS + lanes.length * high,
        timeAt = (x: number): number => from + ((to - from) * Math.max(0, Math.min(plot, x - LABEL))) / plot,
        xOf = (t: number): number => LABEL + ((t - from) / (to - from || 1)) * plot;
    useLayoutEffect(() => {
        const el = canvas.current;
        if (!el || !d || !size[0]) return;
        const ctx = prepare(el, size[0], height),
            text = ink();
        forText(ctx);
        ctx.fillStyle = isDark.value ? "#a3adba" : "#57606a";
        for (const t of ticks(from, to, 8)) {
            const x = xOf(t);
            ctx.fillText(human(t, u), x + 3, AXIS / 2);
            ctx.fillRect(x, 0, 1, AXIS);
        }
        // Lanes as pixels: a hundred thousand rectangles would take longer than all of them together.
        const scale = el.width / size[0],
            x0 = Math.round(LABEL * scale),
            wide = el.width - x0,
            y0 = Math.round(AXIS * scale),
            pixels = new ImageData(wide, Math.max(1, el.height - y0)),
            to32 = new Uint32Array(pixels.data.buffer),
            color = palette(d, fits),
            labels: [string, number, number][] = [];
        for (let l = 0; l < lanes.length; l++) {
            const top = Math.round(l * high * scale) * wide,
                bottom = Math.round(((l + 1) * high - 1) * scale) * wide;
            for (let i = begin[l]!; i < begin[l + 1]!; i++) {
                if (isIdle(i)) continue;
                const left = Math.round((d.column[i] / columns) * wide),
                    right = Math.min(wide, Math.max(left + 1, Math.round(((i + 1 < begin[l + 1]! ? d.column[i + 1] : columns) / columns) * wide)));
                for (let x = left; x < right; x++) to32[top + x] = color[d.name[i]]!;
                if (high > 13 && right - left > 50 * scale)
                    labels.push([fit(nameOf(i), (right - left) / scale - 8), LABEL + left / scale + 4, AXIS + (l + 0.5) * high]);
            }
            for (let y = top + wide; y < bottom; y += wide) to32.copyWithin(y, top, top + wide);
        }
        ctx.putImageData(pixels, x0, y0);
        ctx.fillStyle = text;
        for (const label of labels) ctx.fillText(...label);
        for (let i = 0; i < lanes.length; i += Math.ceil(14 / high)) ctx.fillText(fit(lanes[i]!, LABEL - 12, true), 4, AXIS + (i + 0.5) * high);
    }, [d, ...size, isDark.value, q]);
    const window = (a: number, b: number, replace = false): void => {
        const scale = 1e9 / (PER_SECOND[u] ?? 1e9),
            per = (v: number): string => `${Math.round(v * scale)}ns`;
        if (a <= 0 && b >= end) go({ time: null }, replace);
        else {
            const time = `${per(Math.max(0, a))}..${per(Math.min(end, b))}`;
            replace ? go({ time }, true) : addFilter("time", time);
        }
    };
    const zoom = (f: number): void => {
            const c = at ? Number(at) : (from + to) / 2,
                w = (to - from) * f;
            window(c - (c - from) * f, c - (c - from) * f + w);
        },
        pan = (s: number): void => {
            const w = to - from,
                a = Math.max(0, Math.min(end - w, from + w * s));
            window(a, a + w);
        };
    const laneAt = (e: { clientY: number }): number => {
            const b = canvas.current!.getBoundingClientRect();
            return Math.max(0, Math.min(lanes.length - 1, Math.floor((e.clientY - b.top - AXIS) / high)));
        },
        xAt = (e: { clientX: number }): number => e.clientX - canvas.current!.getBoundingClientRect().left;
    const runAt = (x: number, l: number): number => runIn(l, ((x - LABEL) / plot) * columns);
    const down = (e: PointerEvent): void => {
        if (e.button !== 0 || !d) return;
        const x0 = xAt(e),
            l = laneAt(e);
        let moved = false;
        tip.value = null;
        dragging(
            (m) => {
                const x = Math.max(LABEL, xAt(m));
                if (Math.abs(x - x0) > 4) {
                    moved = true;
                    setBand([Math.max(LABEL, Math.min(x0, x)), Math.max(x0, x), Math.min(l, laneAt(m)), Math.max(l, laneAt(m))]);
                }
            },
            (m) => {
                const to = laneAt(m),
                    r = runAt(x0, l),
                    name = r ? nameOf(r - 1) : "";
                setBand(null);
                if (!moved) return go({ at: Math.round(timeAt(x0)), lane: l || null, ...(name ? { fn: name, ff: "" } : {}) }, true);
                // Over several lanes, but not all: these streams, too.
                if (to !== l && Math.abs(to - l) + 1 < lanes.length)
                    go(
                        {
                            stream: `${d.lane_stream[Math.min(l, to) * each]}-${d.lane_stream[Math.min(d.streams, (Math.max(l, to) + 1) * each) - 1]}`,
                            lane: null,
                            at: null,
                        },
                        true,
                    );
                window(timeAt(Math.min(x0, xAt(m))), timeAt(Math.max(x0, xAt(m))));
            },
        );
    };
    const over = (e: PointerEvent): void => {
        if (!d || e.buttons) return;
        const x = xAt(e),
            l = laneAt(e),
            r = runAt(x, l);
        tip.value =
            r && x > LABEL
                ? {
                      x: e.clientX,
                      y: e.clientY,
                      lines: (
                          <>
                              <b>{isIdle(r - 1) ? "idle" : nameOf(r - 1)}</b>
                              <TipRows
                                  rows={[
                                      ["stream", lanes[l]],
                                      ["time", human(timeAt(x), u)],
                                  ]}
                              />
                          </>
                      ),
                  }
                : null;
    };
    useEffect(
        () => () => {
            tip.value = null;
        },
        [],
    );
    const step = (by: number): void => {
        const now = d?.depth ?? 1,
            most = d?.deepest ?? now;
        go({ depth: Math.max(1, Math.min(most, now + by)) });
    };
    useCommands("Timeline", [
        { title: "Zoom in", code: "KeyW", keys: ["w", "+", "="], run: () => zoom(0.5) },
        { title: "Zoom out", code: "KeyS", keys: ["s", "-"], run: () => zoom(2) },
        { title: "Earlier", code: "KeyA", keys: ["a", "ArrowLeft"], run: () => pan(-0.1) },
        { title: "Later", code: "KeyD", keys: ["d", "ArrowRight"], run: () => pan(0.1) },
        { title: "All of the time", keys: ["0", "Home"], run: () => go({ time: null }) },
        { title: "Deeper", keys: [".", "PageDown"], run: () => step(1) },
        { title: "Less deep", keys: [",", "PageUp"], run: () => step(-1) },
        { title: "Leaves", keys: ["End"], run: () => go({ depth: 0 }) },
        {
            title: "Lane below",
            keys: ["ArrowDown"],
            run: () => go({ lane: Math.min(lanes.length - 1, lane + 1), at: at || Math.round((from + to) / 2) }, true),
            quiet: true,
        },
        {
            title: "Lane above",
            keys: ["ArrowUp"],
            run: () => go({ lane: Math.max(0, lane - 1) || null, at: at || Math.round((from + to) / 2) }, true),
            quiet: true,
        },
        { title: "Save the picture as SVG", run: () => void picture() },
    ]);
    // Streams with enough samples are streams that are chosen: every screen has the same ones. Numbers next to each other are a range.
    const busyLanes = async (v: string): Promise<void> => {
        const next = new URLSearchParams(params.value),
            least = Number(v);
        next.delete("stream");
        next.delete("least");
        if (least > 0) {
            const all = await get("timeline", { stream: [], columns: 1, lanes: 1 }),
                kept = Array.from(all.lane_stream as Uint32Array).filter((_, i) => Number(all.lane_events[i]) >= least);
            if (!kept.length) return toast("no such lane", true);
            for (let i = 0; i < kept.length && kept.length < all.lane_stream.length; i++) {
                const first = kept[i]!;
                while (kept[i + 1] === kept[i]! + 1) i++;
                next.append("stream", first === kept[i] ? `${first}` : `${first}-${kept[i]}`);
            }
            next.set("least", v);
        }
        for (const k of ["lane", "at"]) next.delete(k);
        put(next);
    };
    const picture = (): Promise<void> => saveAs("report", { verb: "timeline", form: "svg", depth: depth === "choose" ? "" : depth }, "svg");
    useStatus(
        d
            ? `${plural(lanes.length, "lane")}${d.streams > lanes.length ? ` of ${plural(d.streams, "stream")}` : ""}, ${human(from, u)} to ${human(to, u)} of ${human(end, u)}${d.rule ? `; ${d.rule}` : ""}`
            : "",
        d?.command,
    );
    const shares = d?.share_name
            ? Array.from(d.share_name as Uint32Array, (n, i) => ({
                  name: d.names[n]!,
                  time: Number(d.share_time[i]),
              }))
            : [],
        sum = Number(d?.recorded);
    // What each lane does in the column of the cross-hair.
    const column = at ? Math.floor(((Number(at) - from) / (to - from || 1)) * columns) : -1,
        here = new Map<string, number>();
    for (let l = 0; at && l < lanes.length; l++) {
        const r = runIn(l, column),
            name = isIdle(r - 1) ? "idle" : nameOf(r - 1);
        if (r) here.set(name, (here.get(name) ?? 0) + 1);
    }
    const now = [...here].sort((x, y) => y[1] - x[1]),
        lanesHere = now.reduce((x, [, n]) => x + n, 0);
    // The lanes as elements; fewer of each where there are many, because the browser lays all of them out.
    const cellsOf = (l: number): JSX.Element[] => {
            const made: JSX.Element[] = [];
            for (let i = begin[l]!; i < begin[l + 1]! && made.length < (lanes.length > 20 ? 4 : 20); i++)
                isIdle(i) ||
                    made.push(
                        <span role="gridcell" key={i}>
                            {nameOf(i)}
                        </span>,
                    );
            return made;
        },
        twin = useMemo(
            () => (
                <div class="sr">
                    {lanes.slice(0, 100).map((l, i) => (
                        <div role="row" key={i} data-lane={l}>
                            <span role="rowheader">{l}</span>
                            {cellsOf(i)}
                        </div>
                    ))}
                </div>
            ),
            [d],
        );
    if (answer.error && !d) return <Failed error={answer.error} />;
    return (
        <div class="screen timeline">
            <div class="tools">
                <Field label="Depth" width="3.5em" value={d ? String(d.depth) : ""} onChange={(v) => go({ depth: v || null })} />
                <span class="choice" role="group" aria-label="Depth">
                    <button onClick={() => step(-1)}>−</button>
                    <button onClick={() => step(1)}>+</button>
                </span>
                <span class="dim">of {d ? count(d.deepest) : ""}</span>
                <Field label="Lanes with" value={param("stream")} onChange={(v) => go({ stream: v, least: null })} />
                <Field
                    label={`at least ${d?.is_spans ? "spans" : "samples"}`}
                    width="4em"
                    value={param("least")}
                    onChange={(v) => void busyLanes(v)}
                />
                <span class="choice" role="group" aria-label="Time">
                    <button onClick={() => zoom(0.5)}>zoom in</button>
                    <button onClick={() => zoom(2)}>out</button>
                    <button onClick={() => go({ time: null })}>all</button>
                </span>
                <span class="grow" />
                <span class="dim">Drag to choose a range.</span>
                <button onClick={() => void picture()}>SVG</button>
            </div>
            <Minimap end={end} from={from} to={to} onMove={window} />
            <div class="time-row">
                <div
                    class={`time-box ${answer.busy ? "old" : ""}`}
                    ref={ref}
                    tabIndex={0}
                    role="grid"
                    aria-label="Timeline"
                    data-lanes={lanes.length}
                    data-depth={d?.depth}
                    data-scroll
                >
                    <canvas
                        ref={canvas}
                        aria-hidden="true"
                        style={{ width: `${size[0]}px`, height: `${height}px` }}
                        onPointerDown={down}
                        onPointerMove={over}
                        onPointerLeave={() => {
                            tip.value = null;
                        }}
                        onContextMenu={(e) => {
                            e.preventDefault();
                            const r = runAt(xAt(e), laneAt(e)),
                                l = laneAt(e);
                            openMenu(e.clientX, e.clientY, lanes[l] ?? "", [
                                { label: "Only this stream", run: () => addFilter("stream", lanes[l]!) },
                                { label: "All streams", run: () => go({ stream: null }) },
                                ...(r ? menuOf({ name: nameOf(r - 1) }) : []),
                            ]);
                        }}
                    />
                    {at && <i style={boxOf(0, AXIS + lane * high, LABEL, AXIS + (lane + 1) * high)} />}
                    {column >= 0 && column < columns && <i class="at" style={boxOf(xOf(Number(at)), 0, xOf(Number(at)) + 1, height)} />}
                    {band && (
                        <i
                            style={boxOf(
                                band[0],
                                band[2] === band[3] ? 0 : AXIS + band[2] * high,
                                band[1],
                                band[2] === band[3] ? height : AXIS + (band[3] + 1) * high,
                            )}
                        />
                    )}
                    {twin}
                </div>
                <aside aria-label="At the cross-hair" data-scroll>
                    {at && (
                        <section>
                            <h3>
                                {lanes[lane]} at {human(Number(at), u)}
                            </h3>
                            {stack.error ? (
                                <p class="dim">{sentence(stack.error.message)}</p>
                            ) : (
                                <ol class="stack" id="stack">
                                    {stack.data?.frames.map((f, i) => (
                                        <li key={i}>
                                            <button
                                                class="plain"
                                                aria-current={i + 1 === d?.depth ? "true" : undefined}
                                                title={`depth ${i + 1}: ${f.name}`}
                                                onClick={() => go({ depth: i + 1 })}
                                            >
                                                <bdi>{shown(f.name)}</bdi>
                                            </button>
                                        </li>
                                    ))}
                                </ol>
                            )}
                            {lanes.length > 1 && (
                                <>
                                    <h3>All lanes at this time</h3>
                                    <table class="plain-table" id="column">
                                        <tbody>
                                            {now.slice(0, 12).map(([name, n]) => (
                                                <tr key={name}>
                                                    <td class="name">
                                                        <bdi>{shown(name)}</bdi>
                                                    </td>
                                                    <td class="n">{percent(n, lanesHere)}</td>
                                                </tr>
                                            ))}
                                        </tbody>
                                    </table>
                                </>
                            )}
                        </section>
                    )}
                    <section>
                        <h3>Functions in the window</h3>
                        <table class="plain-table" id="shares">
                            <tbody>
                                {shares.slice(0, 60).map((s) => (
                                    <tr key={s.name}>
                                        <td>
                                            <i class="dot" style={{ background: colorOf(s.name) }} />
                                        </td>
                                        <td class="name">
                                            <button class="plain" title={s.name} onClick={() => select(s.name, "", { q: s.name }, true)}>
                                                <bdi>{shown(s.name)}</bdi>
                                            </button>
                                        </td>
                                        <td class="n">{percent(s.time, sum)}</td>
                                    </tr>
                                ))}
                                {Number(d?.idle) > 0 && (
                                    <tr>
                                        <td>
                                            <i class="dot" style={{ background: fixed("idle") }} />
                                        </td>
                                        <td class="name dim">idle</td>
                                        <td class="n">{percent(d!.idle, sum)}</td>
                                    </tr>
                                )}
                            </tbody>
                        </table>
                    </section>
                </aside>
            </div>
            {at && d && (
                <div class="one-lane">
                    <FlameChart
                        key={lane}
                        ask={{ view: "top-down", order: "time", stream: String(d.lane_stream[lane * each]) }}
                        height={150}
                        label={`Stacks of ${lanes[lane]} over time`}
                    />
                </div>
            )}
        </div>
    );
}

/** All of the time, with the part in sight; dragging moves it. */
function Minimap({
    end,
    from,
    to,
    onMove,
}: {
    end: number;
    from: number;
    to: number;
    onMove: (a: number, b: number, replace?: boolean) => void;
}): JSX.Element {
    const ref = useRef<HTMLDivElement>(null),
        whole = end || 1;
    const down = (e: PointerEvent): void => {
        const b = ref.current!.getBoundingClientRect(),
            at = (x: number): number => (whole * Math.max(0, Math.min(b.width, x - b.left))) / b.width,
            first = at(e.clientX),
            inside = first > from && first < to && to - from < whole,
            dragTo = (m: PointerEvent): void => {
                const t = at(m.clientX);
                inside
                    ? onMove(from + t - first, to + t - first, true)
                    : Math.abs(t - first) > whole / 200 && onMove(Math.min(t, first), Math.max(t, first), true);
            };
        dragging(dragTo);
    };
    return (
        <div class="time-map" ref={ref} onPointerDown={down} aria-hidden="true">
            <i style={{ left: `${(100 * from) / whole}%`, width: `${Math.max(0.3, (100 * (to - from)) / whole)}%` }} />
        </div>
    );
}
