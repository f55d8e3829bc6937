// Flame graphs: top-down, bottom-up, over time, and around one function.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Ask } from "../core/client";
import type { Columns } from "../core/columns";
import { count, human, percent } from "../core/format";
import { useCommands } from "../core/keys";
import { overview, whyNot } from "../core/session";
import { addFilter, comparing, go, has, param, selected, setting, bound } from "../core/state";
import { FlameChart, pointer } from "../flame/chart";
import { Blocks, Choice, dropMenu, Field, Message, Pick, Scale, Tick } from "../ui/parts";
import { functionId, saveAs, useStatus } from "../ui/shell";

const up = setting("flip", ""),
    colorBy = setting("color", "auto"),
    keepEnd = setting("keep-end", "");
const TARGETS = ["folded", "pprof", "speedscope", "callgrind"];
const rangeOf = (text: string): [number, number] => {
    const [a, b] = text.split("..").map(Number);
    return a !== undefined && b !== undefined && a < b ? [a, b] : [0, 1];
};

/** Around one function: its callers above, its callees below. */
function Butterfly(): JSX.Element {
    const s = selected.value,
        [id, setId] = useState<number | null>(null),
        [bad, setBad] = useState("");
    useEffect(() => {
        setId(null);
        if (s) functionId(s.name, s.file).then(setId, (e: Error) => setBad(e.message));
    }, [s?.name, s?.file]);
    if (!s)
        return (
            <Message title="No function is selected">
                <p>
                    Select one in the table, the tree or the flame graph, then press <kbd>b</kbd>.
                </p>
            </Message>
        );
    if (bad)
        return (
            <Message title="That did not work" tone="bad">
                <p>{bad}</p>
            </Message>
        );
    if (id === null) return <Blocks />;
    return (
        <div class="butterfly">
            <FlameChart key={`up${id}`} ask={{ view: "bottom-up", function: id }} up colorBy={colorBy.value} label={`Callers of ${s.name}`} />
            <h2 class="mid">
                <bdi>{s.name}</bdi>
            </h2>
            <FlameChart key={`down${id}`} ask={{ view: "top-down", function: id }} colorBy={colorBy.value} label={`Callees of ${s.name}`} />
        </div>
    );
}

export function Flame(): JSX.Element {
    const view = param("view", "top-down"),
        order = param("order", "heavy"),
        zoom = rangeOf(param("x")),
        [d, setD] = useState<Columns | null>(null),
        time = whyNot("timeline");
    const onZoom = (r: [number, number], replace: boolean): void =>
        go({ x: r[0] <= 0 && r[1] >= 1 ? null : r.map((v) => Number(v.toPrecision(12))).join("..") }, replace);
    const setView = (v: string): void => go({ view: v === "top-down" ? null : v, x: null, id: null });
    const ask: Ask = { view, order: order === "heavy" ? "" : order };
    const picture = (): Promise<void> =>
        saveAs("report", { verb: "flame", form: "svg", "bottom-up": view === "bottom-up", icicle: !up.value }, "svg");
    useCommands("Flame graph", [
        { title: "Invert: bottom-up or top-down", keys: ["i"], run: () => setView(view === "bottom-up" ? "top-down" : "bottom-up") },
        {
            title: "Root on top or at the bottom",
            keys: ["v"],
            run: () => {
                up.value = up.value ? "" : "1";
            },
        },
        { title: "Reset the zoom", keys: ["0"], run: () => go({ x: null }) },
        { title: "Zoom in", keys: ["+", "="], run: () => zoomBy(0.6) },
        { title: "Zoom out", keys: ["-"], run: () => zoomBy(1 / 0.6) },
        { title: "Pan left", code: "KeyA", keys: ["a"], run: () => pan(-0.2), quiet: true },
        { title: "Pan right", code: "KeyD", keys: ["d"], run: () => pan(0.2), quiet: true },
        { title: "Scroll up", code: "KeyW", keys: ["w"], run: () => scroll(-90), quiet: true },
        { title: "Scroll down", code: "KeyS", keys: ["s"], run: () => scroll(90), quiet: true },
        { title: "Caller, callee, neighbours (in the picture)", keys: ["Arrows"], run: () => undefined, quiet: true },
        {
            title: "One zoom back",
            keys: ["Escape"],
            run: () => {
                if (has("x")) history.back();
                else (document.activeElement as HTMLElement)?.blur();
            },
            quiet: true,
        },
        { title: "Save the picture as SVG", run: () => void picture() },
    ]);
    const zoomBy = (f: number): void => {
        const was = zoom[1] - zoom[0],
            w = Math.min(1, was * f),
            a = Math.max(0, Math.min(1 - w, zoom[0] + (was - w) * pointer.at));
        onZoom([a, a + w], true);
    };
    const pan = (s: number): void => {
        const w = zoom[1] - zoom[0],
            a = Math.max(0, Math.min(1 - w, zoom[0] + w * s));
        onZoom([a, a + w], true);
    };
    const scroll = (by: number): void => {
        document.querySelector(".flame-box")?.scrollBy(0, by);
    };
    useStatus(
        d
            ? `${count(d.rows)} boxes, ${human(d.metrics[0]?.total, d.metrics[0]?.unit)}${zoom[1] - zoom[0] < 1 ? `, ${percent(zoom[1] - zoom[0], 1)} of it in sight` : ""}`
            : "",
        d?.command,
    );
    return (
        <div class="screen">
            <div class="tools">
                <Choice label="View" value={view} options={["top-down", "bottom-up", "butterfly=around a function"]} onChange={setView} />
                {view !== "butterfly" && (
                    <Choice
                        label="Order"
                        value={order}
                        options={[
                            "heavy",
                            "name",
                            { value: "time", label: "time", ...(time || view === "bottom-up" ? { why: time || "only top-down" } : {}) },
                        ]}
                        onChange={(v) => go({ order: v === "heavy" ? null : v, x: null, id: null })}
                    />
                )}
                <button
                    aria-pressed={Boolean(up.value)}
                    title="root at the bottom (v)"
                    onClick={() => {
                        up.value = up.value ? "" : "1";
                    }}
                >
                    flip
                </button>
                <Pick label="Colour" {...bound(colorBy)} options={["auto=automatic", "module", "file", "function", "kind", "cost=self cost"]} />
                <Pick
                    label="Recursion"
                    value={param("recursion")}
                    options={["=shown", "direct=direct collapsed", "all=collapsed"]}
                    onChange={(v) => go({ recursion: v, id: null, x: null })}
                />
                <Field label="Minimum %" width="4em" value={param("min")} onChange={(v) => (v ? addFilter("min", v) : go({ min: null }))} />
                <Tick
                    label="keep the end"
                    title="cut long names at the front"
                    on={Boolean(keepEnd.value)}
                    onChange={(v) => {
                        keepEnd.value = v ? "1" : "";
                    }}
                />
                <span class="grow" />
                <button
                    onClick={(e) =>
                        dropMenu(e, "Save", [
                            { label: "Picture as SVG", run: () => void picture() },
                            ...TARGETS.map((to) => ({ label: `Profile as ${to}`, run: () => void saveAs("convert", { to }, to) })),
                        ])
                    }
                >
                    Export ▾
                </button>
            </div>
            {(d?.estimated ?? false) && (
                <p class="note" id="estimated">
                    Estimated: this file has calls but no call stacks, so the cost of a callee is shared out among its callers by their calls.
                </p>
            )}
            {comparing.value && (
                <p class="note legend">
                    <span class="dim">{overview.value ? "B against A:" : ""}</span>
                    <Scale />
                </p>
            )}
            {view === "butterfly" ? (
                <Butterfly />
            ) : (
                <FlameChart
                    key={`${view}${order}`}
                    ask={ask}
                    zoom={zoom}
                    onZoom={onZoom}
                    map
                    up={Boolean(up.value)}
                    colorBy={colorBy.value}
                    keepEnd={Boolean(keepEnd.value)}
                    onAnswer={setD}
                />
            )}
        </div>
    );
}
