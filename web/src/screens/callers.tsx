// One function: who calls it, whom it calls, and the neighbourhood as a picture.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { acts, menuOf } from "../core/act";
import { useApi } from "../core/client";
import { count, exact, human, percent, place, plural } from "../core/format";
import { useCommands } from "../core/keys";
import { metric, unit } from "../core/session";
import { go, has, param, select, selected, flag } from "../core/state";
import { Blocks, Choice, dropMenu, Field, Message, openMenu, shown, Tick, Wait } from "../ui/parts";
import { functionId, saveAs, useStatus } from "../ui/shell";
import { Top } from "../ui/top";
import { Graph } from "./graph";

interface Row {
    depth: number;
    name: string;
    file: string | null;
    line: number | null;
    module: string | null;
    site?: { file: string | null; line: number | null } | null;
    sites?: number;
    total: Record<string, number>;
    calls: number;
    recursion?: boolean;
}
interface One {
    name: string;
    file: string | null;
    line: number | null;
    module: string | null;
    self: Record<string, number>;
    total: Record<string, number>;
    calls: number;
    callers: Row[];
    callees: Row[];
    callers_left_out: number;
    callees_left_out: number;
}
interface Data {
    metric: string;
    total: number;
    found: number;
    rows: One[];
    command: string;
}

function List({ title, list, one, d, left, none }: { title: string; list: Row[]; one: One; d: Data; left: number; none: string }): JSX.Element {
    const m = d.metric,
        deep = list.some((r) => r.depth > 1),
        most = Math.max(1e-300, ...list.map((r) => r.total[m] ?? 0));
    return (
        <section class="side-list" data-list={title.split(" ")[0]!.toLowerCase()}>
            <h2>{title}</h2>
            {list.length === 0 ? (
                <p class="dim">{none}</p>
            ) : (
                <table class="plain-table">
                    <thead>
                        <tr>
                            <th class="n">total</th>
                            <th class="n">of all</th>
                            <th class="n">of it</th>
                            <th class="n">calls</th>
                            <th class="n">per call</th>
                            {deep && <th class="n">distance</th>}
                            <th>function</th>
                        </tr>
                    </thead>
                    <tbody>
                        {list.map((r, i) => (
                            <tr
                                key={i}
                                onContextMenu={(e) => {
                                    e.preventDefault();
                                    openMenu(
                                        e.clientX,
                                        e.clientY,
                                        r.name,
                                        menuOf({ name: r.name, file: r.file ?? "", line: r.line ?? 0, module: r.module ?? "" }),
                                    );
                                }}
                            >
                                <td class="n bar">
                                    <i style={{ width: `${(100 * (r.total[m] ?? 0)) / most}%` }} />
                                    <span title={exact(r.total[m], unit.value)}>{human(r.total[m], unit.value)}</span>
                                </td>
                                <td class="n dim">{percent(r.total[m], d.total)}</td>
                                <td class="n dim">{percent(r.total[m], one.total[m])}</td>
                                <td class="n">{r.calls ? count(r.calls) : ""}</td>
                                <td class="n dim">{r.calls ? human((r.total[m] ?? 0) / r.calls, unit.value) : ""}</td>
                                {deep && <td class="n dim">{r.depth}</td>}
                                <td class="name" style={{ paddingLeft: `${6 + (r.depth - 1) * 14}px` }}>
                                    <button class="plain" title={r.name} onClick={() => select(r.name, r.file ?? "")}>
                                        <bdi>{shown(r.name)}</bdi>
                                    </button>
                                    {r.recursion && (
                                        <em class="badge" title="it calls itself: nested calls are counted in the outer one">
                                            recursion
                                        </em>
                                    )}{" "}
                                    {r.site?.line ? (
                                        <button
                                            class="plain dim"
                                            title={`the call: ${r.site.file}:${r.site.line}`}
                                            onClick={() => go({ s: "source", path: r.site!.file, line: r.site!.line })}
                                        >
                                            @ {place(r.site.file ?? "", r.site.line)}
                                            {(r.sites ?? 1) > 1 ? ` and ${r.sites! - 1} more` : ""}
                                        </button>
                                    ) : null}
                                </td>
                            </tr>
                        ))}
                    </tbody>
                </table>
            )}
            {left > 0 && <p class="dim">{count(left)} more, smaller</p>}
        </section>
    );
}

/** Which function? The most expensive ones to begin with. */
function Chooser(): JSX.Element {
    return (
        <div class="scroll callers">
            <Field label="Name" value={param("pick")} onChange={(v) => go({ pick: v }, true)} placeholder="part of a name" />
            <Top by="function" sort="total" title="Which function?" rows={30} match={param("pick")} />
        </div>
    );
}

export function Callers(): JSX.Element {
    const s = selected.value,
        graph = param("as") === "graph",
        whole = has("whole"),
        depth = param("depth");
    const answer = useApi<Data>(s && !graph ? "callers" : null, {
            function: s?.name,
            depth,
            by_site: has("sites"),
            cycles: has("cycles"),
            limit: 100,
        }),
        d = answer.data,
        [id, setId] = useState<number | null>(null);
    useEffect(() => {
        setId(null);
        if (graph && s) functionId(s.name, s.file).then(setId, () => setId(0));
    }, [graph, s?.name, s?.file]);
    const one = d?.rows.find((r) => r.name === s?.name && (!s.file || r.file === s.file)) ?? d?.rows[0],
        m = d?.metric ?? metric.value;
    useCommands("Callers", [
        {
            title: "Up to the largest caller",
            keys: ["ArrowUp"],
            run: () => {
                const c = one?.callers[0];
                if (c) select(c.name, c.file ?? "");
            },
        },
        {
            title: "Down to the largest callee",
            keys: ["ArrowDown"],
            run: () => {
                const c = one?.callees[0];
                if (c) select(c.name, c.file ?? "");
            },
        },
        { title: "Back to the former function", keys: ["Backspace", "Escape"], run: () => history.back(), quiet: true },
        { title: "List or graph", keys: ["g"], run: () => go({ as: graph ? null : "graph" }) },
    ]);
    useStatus(one ? `${plural(one.callers.length, "caller")}, ${plural(one.callees.length, "callee")}` : "", d?.command);
    return (
        <div class="screen">
            <div class="tools">
                <Choice
                    label="Show"
                    value={graph ? "graph" : "list"}
                    options={["list", "graph"]}
                    onChange={(v) => go({ as: v === "graph" ? "graph" : null })}
                />
                {!graph && (
                    <>
                        <Choice
                            label="Depth"
                            value={depth || "1"}
                            options={["1=direct", "4=all, up to 4 away"]}
                            onChange={(v) => go({ depth: v === "1" ? null : v })}
                        />
                        <Tick label="each call site" {...flag("sites")} />
                        <Tick label="cycles" {...flag("cycles")} />
                    </>
                )}
                {graph && (
                    <>
                        <Choice
                            label="Part"
                            value={whole ? "whole" : "near"}
                            options={["near=its neighbourhood", "whole=the whole"]}
                            onChange={(v) => go({ whole: v === "whole" ? 1 : null })}
                        />
                        <Field label="levels up" width="3em" value={param("up", "1")} onChange={(v) => go({ up: v }, true)} />
                        <Field label="down" width="3em" value={param("down", "1")} onChange={(v) => go({ down: v }, true)} />
                        <Field label="nodes of at least %" width="3.5em" value={param("node", "0.5")} onChange={(v) => go({ node: v }, true)} />
                        <Field label="edges %" width="3.5em" value={param("edge", "0.1")} onChange={(v) => go({ edge: v }, true)} />
                        <Field label="at most" width="3.5em" value={param("nodes", "80")} onChange={(v) => go({ nodes: v }, true)} />
                        <Tick label="left to right" {...flag("right")} />
                    </>
                )}
                <span class="grow" />
                {s && (
                    <button
                        onClick={(e) =>
                            dropMenu(e, s.name, [
                                ...menuOf(s),
                                {
                                    label: "Save as JSON",
                                    run: () => void saveAs("report", { verb: "callers", form: "json", FUNCTION: s.name }, "json"),
                                },
                            ])
                        }
                    >
                        Actions ▾
                    </button>
                )}
            </div>
            {graph ? (
                whole || id !== null || !s ? (
                    <Graph func={whole ? 0 : (id ?? 0)} whole={whole || !s} />
                ) : (
                    <Blocks />
                )
            ) : !s ? (
                <Chooser />
            ) : (
                <Wait answer={answer}>
                    {() =>
                        !one ? (
                            <Message title="Not in this profile">
                                <p>
                                    No function is called <bdi>{s.name}</bdi> here.{" "}
                                    <button onClick={() => go({ fn: null, ff: null })}>Choose another</button>
                                </p>
                            </Message>
                        ) : (
                            <div class="scroll callers">
                                <List
                                    title="Callers"
                                    list={one.callers}
                                    one={one}
                                    d={d!}
                                    left={one.callers_left_out}
                                    none="Called by the host: nothing in the profile calls it."
                                />
                                <section class="it" id="it">
                                    <h2>
                                        <bdi>{one.name}</bdi>
                                    </h2>
                                    <p>
                                        {one.file ? (
                                            <button
                                                class="plain link"
                                                onClick={() => acts.source({ name: one.name, file: one.file!, line: one.line ?? 0 })}
                                            >
                                                {place(one.file, one.line ?? 0)}
                                            </button>
                                        ) : null}
                                        {one.module ? <span class="dim"> [{one.module}]</span> : null}
                                    </p>
                                    <dl class="big">
                                        <div>
                                            <dt>self</dt>
                                            <dd title={exact(one.self[m], unit.value)}>
                                                {human(one.self[m], unit.value)} <small>{percent(one.self[m], d!.total)}</small>
                                            </dd>
                                        </div>
                                        <div>
                                            <dt>total</dt>
                                            <dd title={exact(one.total[m], unit.value)}>
                                                {human(one.total[m], unit.value)} <small>{percent(one.total[m], d!.total)}</small>
                                            </dd>
                                        </div>
                                        {one.calls > 0 && (
                                            <div>
                                                <dt>calls</dt>
                                                <dd>{count(one.calls)}</dd>
                                            </div>
                                        )}
                                        {one.calls > 0 && (
                                            <div>
                                                <dt>total per call</dt>
                                                <dd>{human((one.total[m] ?? 0) / one.calls, unit.value)}</dd>
                                            </div>
                                        )}
                                    </dl>
                                </section>
                                <List title="Callees" list={one.callees} one={one} d={d!} left={one.callees_left_out} none="It calls nothing." />
                            </div>
                        )
                    }
                </Wait>
            )}
        </div>
    );
}
