// A source file with what was measured in its lines: hits, calls, self, total; coverage and branches beside cost; what each line calls.
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { useApi } from "../core/client";
import { heatScale } from "../core/color";
import { figure, type Columns } from "../core/columns";
import { toast } from "../core/copy";
import { base, count, exact, human, percent, plural } from "../core/format";
import { highlighter, type Token } from "../core/highlight";
import { rowKeys, useCommands } from "../core/keys";
import { input, loadSession, overview, session, shownMetric, unit, unitOf, whyNot } from "../core/session";
import { go, has, param, select, selected } from "../core/state";
import { Blocks, dropMenu, Failed, Field, Message, Pick, sentence, shown } from "../ui/parts";
import { useStatus } from "../ui/shell";
import { Rows, useWindow } from "../ui/virtual";
import { Unfolded } from "./table";

const HEIGHT = 20,
    STATES = ["", "hit", "part", "missed", "excluded", ""];
const WORDS = ["", "covered", "partly covered", "missed", "excluded", "unknown"];

/** Files with something measured, by cost; a box to find one. */
function Chooser({ path }: { path: string }): JSX.Element {
    const [text, setText] = useState(""),
        answer = useApi<Columns>("sources", { match: text, count: 200, now: true }),
        d = answer.data,
        list = (d?.path as string[] | undefined) ?? [];
    return (
        <details class="settings-box chooser">
            <summary>
                <bdi>{path ? base(path) : "choose a file"}</bdi>
            </summary>
            <div class="settings">
                <Field label="Path" value={text} onChange={setText} placeholder="part of a path" now />
                <ul>
                    {list.slice(0, 200).map((p, i) => (
                        <li key={i}>
                            <button
                                class="plain"
                                title={p}
                                aria-current={p === path ? "true" : undefined}
                                onClick={(e) => {
                                    e.currentTarget.closest("details")!.open = false;
                                    go({ path: p, line: null });
                                }}
                            >
                                <bdi>{p}</bdi>
                            </button>
                        </li>
                    ))}
                </ul>
            </div>
        </details>
    );
}

function Missing({ d }: { d: Columns }): JSX.Element {
    const [from, setFrom] = useState(String(d.path).replace(/\/[^/]*$/, "")),
        [to, setTo] = useState("");
    return (
        <div class="missing">
            <p>
                <b>Source not found.</b> The figures are shown without text. Places that were tried:
            </p>
            <ul>
                {(d.tried as string[]).map((t) => (
                    <li key={t}>
                        <code>{t}</code>
                    </li>
                ))}
            </ul>
            <form
                class="row"
                onSubmit={(e) => {
                    e.preventDefault();
                    go({ map: `${from}=${to}` });
                }}
            >
                <label>
                    Paths below <input value={from} aria-label="recorded folder" onInput={(e) => setFrom(e.currentTarget.value)} />
                </label>
                <label>
                    are in{" "}
                    <input
                        value={to}
                        placeholder="/folder/on/this/machine"
                        aria-label="folder on this machine"
                        onInput={(e) => setTo(e.currentTarget.value)}
                    />
                </label>
                <button>Map</button>
            </form>
        </div>
    );
}

/** What calls cost may be measured in another unit than what lines cost. */
const callUnit = (d: Columns): string => unitOf((d.call_metrics as string[])[0] ?? "") || d.metrics[0]?.unit || "";

function Callees({ d, r }: { d: Columns; r: number }): JSX.Element {
    const list: JSX.Element[] = [],
        u = callUnit(d),
        m = d.callee_total ? Math.max(1, Math.round(d.callee_total.length / Math.max(1, d.callee_func.length))) : 1;
    for (let c = d.callee_begin[r]; c < d.callee_begin[r + 1]; c++)
        list.push(
            <div key={c}>
                ⇒ {plural(d.callee_calls[c], "call")} to{" "}
                <button class="plain link" onClick={() => select(d.names[d.callee_name[c]]!, "", { s: "callers" })}>
                    <bdi>{shown(d.names[d.callee_name[c]]!)}</bdi>
                </button>{" "}
                {human(figure(d.callee_total, c, m), u)}{" "}
                <span class="dim">
                    {percent(figure(d.callee_total, c, m), d.metrics[0]?.total)}
                    {Number(d.callee_calls[c]) ? `, ${human(Number(figure(d.callee_total, c, m) ?? 0) / Number(d.callee_calls[c]), u)} each` : ""}
                </span>
            </div>,
        );
    return <div class="under callees">{list}</div>;
}

export function Source(): JSX.Element {
    const path = param("path") || selected.value?.file || "",
        sources = useApi<Columns>(path ? null : "sources", { count: 1, now: true }),
        first = (sources.data?.path as string[] | undefined)?.[0] ?? "";
    // Of a large call graph the cost of each line has to be read first: until then what is known without.
    const coverage = param("coverage"),
        ask = { path: path || first, map: has("map") ? [param("map")] : [] },
        quick = useApi<Columns>(ask.path ? "source" : null, { ...ask, now: true }),
        exactly = useApi<Columns>(quick.data?.partial ? "source" : null, ask, true, true),
        answer = quick.data?.partial && exactly.data ? exactly : quick,
        d = answer.data,
        partial = Boolean(d?.partial),
        reading = input.value,
        m = d?.metrics.length || 1,
        u = d?.metrics[0]?.unit ?? unit.value,
        total = d?.metrics[0]?.total ?? 0;
    useEffect(() => {
        if (!partial) return;
        const again = setInterval(() => void loadSession(), 1000);
        return () => clearInterval(again);
    }, [partial]);
    // Functions that begin in this file; lines of other files that are theirs: inlined code; texts that its lines evaluate.
    const file = d ? String(d.path) : "",
        heads = useApi<Columns>(file && !whyNot("callers") ? "table" : null, { match: file, count: 1000, metrics: shownMetric() }).data,
        inlined = useApi<Columns>(heads?.rows && d?.self && (overview.value?.info.counts.lines ?? 0) < 1e5 ? "table" : null, {
            by: "line",
            count: 1000,
        }).data,
        evals = useApi<Columns>(file ? "sources" : null, { match: "(eval ", count: 1000, now: true }).data,
        headAt = new Map<number, number>(),
        funcs = new Set<number>(),
        evalAt = new Map<number, string[]>(),
        foreign: number[] = [];
    for (let r = 0; heads && r < heads.rows; r++)
        if (heads.names[heads.file[r]] === file) {
            headAt.set(heads.line[r], r);
            funcs.add(heads.func[r]);
        }
    for (let r = 0; inlined && r < inlined.rows; r++)
        if (
            funcs.has(inlined.func[r]) &&
            inlined.file[r] &&
            inlined.names[inlined.file[r]] !== file &&
            !/^\(eval/.test(inlined.names[inlined.file[r]]!)
        )
            foreign.push(r);
    for (const p of (evals?.path as string[] | undefined) ?? []) {
        const [, of, at] = /^\(eval \d+\)\[(.*):(\d+)\]$/.exec(p) ?? [],
            n = of && (file === of || file.endsWith(`/${of}`)) ? Number(at) : p.replace(/\d+\)/, "") === file.replace(/\d+\)/, "") ? 1 : 0;
        if (n && p !== file) evalAt.set(n, [...(evalAt.get(n) ?? []), p]);
    }
    const [opened, setOpened] = useState(-1),
        line = Number(param("line")),
        win = useWindow(d?.rows ?? 0, HEIGHT);
    const tokens = useMemo((): Token[][] => {
        if (!d?.text) return [];
        const h = highlighter(String(d.path));
        return (d.text as string[]).map((t) => h.line(t));
    }, [d]);
    const self = (r: number): number => Number(figure(d?.self, r, m) ?? 0),
        any = (column: unknown): boolean => Boolean((column as Uint8Array | undefined)?.some((x) => x)),
        hasCost = partial || any(d?.has_cost),
        hasHits = any(d?.has_hits),
        hasCalls = any(d?.calls),
        hasBranches = any(d?.branches),
        inCalls = hasCost && Boolean(d?.in_calls),
        hasTotal = hasCost && Boolean(d?.total),
        every = Array.from({ length: d?.rows ?? 0 }, (_, r) => r);
    const heat = useMemo(() => heatScale(every.map(self)), [d]);
    const rowOf = (l: number): number => (d ? (d.line as Uint32Array).indexOf(l) : -1);
    const show = (r: number): void => {
        if (d && r >= 0) {
            win.reveal(Math.min(d.rows - 1, r + 6));
            win.reveal(Math.max(0, r - 6));
            go({ line: d.line[r] || null }, true);
        }
    };
    useEffect(() => {
        if (d && line) {
            const r = rowOf(line);
            if (r >= 0) {
                win.reveal(Math.min(d.rows - 1, r + 8));
                win.reveal(Math.max(0, r - 8));
            }
        }
    }, [d]);
    const hot = useMemo(
            () =>
                every
                    .filter((r) => self(r) > 0)
                    .sort((x, y) => self(y) - self(x))
                    .slice(0, 200),
            [d],
        ),
        missed = useMemo(() => every.filter((r) => d!.state?.[r] === 3 || d!.state?.[r] === 2), [d]);
    const nextHot = (step: number): void => {
        const now = hot.indexOf(rowOf(line)),
            to = now + step;
        if (!hot.length) return;
        if (to < 0 || to >= hot.length) toast("from the top");
        show(hot[(to + hot.length) % hot.length]!);
    };
    const nextMissed = (step: number): void => {
        if (!missed.length) {
            toast("nothing is missed");
            return;
        }
        const now = rowOf(line),
            to = step > 0 ? missed.find((r) => r > now) : [...missed].reverse().find((r) => now < 0 || r < now);
        if (to === undefined) toast("from the top");
        show(to ?? (step > 0 ? missed[0]! : missed.at(-1)!));
    };
    const find = (step: number): void => {
        const q = param("q").toLowerCase(),
            text = (d?.text as string[] | undefined) ?? [];
        if (!q) return;
        for (let i = 1; i <= text.length; i++) {
            const r = (Math.max(0, rowOf(line)) + step * i + text.length * 2) % text.length;
            if (text[r]!.toLowerCase().includes(q)) return show(r);
        }
        toast("not in this file");
    };
    useEffect(() => {
        const walk = (e: Event): void => find((e as CustomEvent<number>).detail);
        addEventListener("assay-match", walk);
        return () => removeEventListener("assay-match", walk);
    });
    useCommands("Source", [
        { title: "Next: missed line, or hot line where nothing is missed", keys: ["j"], run: () => (missed.length ? nextMissed(1) : nextHot(1)) },
        { title: "Previous missed or hot line", keys: ["k"], run: () => (missed.length ? nextMissed(-1) : nextHot(-1)) },
        { title: "Next hottest line", keys: ["J"], run: () => nextHot(1) },
        { title: "Previous hottest line", keys: ["K"], run: () => nextHot(-1) },
        ...rowKeys(line ? rowOf(line) : -1, d?.rows ?? 0, show),
        { title: "What the line calls", keys: ["ArrowRight", "Enter"], run: () => setOpened(rowOf(line)), quiet: true },
        { title: "Fold", keys: ["ArrowLeft"], run: () => setOpened(-1), quiet: true },
        { title: "Go to a line", keys: ["g"], run: () => document.querySelector<HTMLElement>("#goto input")?.focus() },
    ]);
    const hits = d?.state
        ? { missed: missed.filter((r) => d.state[r] === 3).length, all: (d.state as Uint8Array).filter((s) => s > 0 && s < 4).length }
        : null;
    useStatus(
        d
            ? `${plural(d.rows, "line")}${
                  hasCost && !partial
                      ? `, self ${human(
                            every.reduce((x, r) => x + self(r), 0),
                            u,
                        )}`
                      : ""
              }${hits && hits.all ? `, ${count(hits.missed)} of ${count(hits.all)} missed` : ""}`
            : "",
        d?.command,
    );
    if (!path && sources.error) return <Failed error={sources.error} />;
    if (!path && sources.data && !first)
        return (
            <Message title="No source">
                <p>This file names no source files.</p>
            </Message>
        );
    const others = session.value?.inputs.filter((i) => String(i.id) !== param("a", String(session.value?.a))) ?? [];
    const columns = (
            [
                hasHits && ["hits", 64],
                hasBranches && ["branches", 72],
                hasCost && [partial ? "function" : "self", 84],
                hasCost && ["self%", 66],
                hasTotal && ["total", 84],
                inCalls && ["in calls", 84],
                hasCalls && ["calls", 64],
                ["line", 60],
                ["source"],
            ] as (false | [string, number?])[]
        ).filter((c) => c !== false),
        style = { gridTemplateColumns: columns.map(([, w]) => (w ? `${w}px` : "minmax(300px, 1fr)")).join(" ") };
    const branchText = (r: number): string => {
        const all = d!.branches[r],
            hit = d!.branches_hit[r];
        return all > 6 ? `${hit}/${all}` : "+".repeat(hit) + (reached(r) ? "-" : "#").repeat(all - hit);
    };
    const reached = (r: number): boolean => !d!.has_hits[r] || d!.hits[r] > 0n,
        branchWords = (r: number): string =>
            d!.branches[r] ? `${d!.branches_hit[r]} of ${d!.branches[r]} branches taken${reached(r) ? "" : ", not reached"}` : "";
    return (
        <div class="screen" data-partial={partial || undefined}>
            <div class="tools">
                <Chooser path={d ? String(d.path) : path} />
                <span class="dim cut">{d?.found ? String(d.found) : d?.found === "" ? "source stored in the file" : ""}</span>
                {hot.length > 0 && (
                    <span class="choice" role="group" aria-label="Hot lines">
                        <button onClick={() => nextHot(-1)} title="former hot line (K)">
                            ↑ hot
                        </button>
                        <button onClick={() => nextHot(1)} title="next hottest line (J)">
                            ↓ hot
                        </button>
                    </span>
                )}
                {hasHits && (
                    <span class="choice" role="group" aria-label="Missed lines">
                        <button onClick={() => nextMissed(-1)} title="previous missed line (k)">
                            ↑ missed
                        </button>
                        <button onClick={() => nextMissed(1)} title="next missed line (j)">
                            ↓ missed
                        </button>
                    </span>
                )}
                <span id="goto">
                    <Field
                        label="Line"
                        width="4.5em"
                        value={line ? String(line) : ""}
                        onChange={(v) => {
                            const r = rowOf(Number(v));
                            if (r >= 0) show(r);
                        }}
                    />
                </span>
                {foreign.length > 0 && (
                    <button
                        id="inlined"
                        onClick={(e) =>
                            dropMenu(
                                e,
                                "Code of other files in these functions",
                                foreign.slice(0, 40).map((r) => ({
                                    label: `${base(inlined!.names[inlined!.file[r]]!)}:${inlined!.line[r]} in ${inlined!.names[inlined!.name[r]]}, ${human(figure(inlined!.self, r, inlined!.metrics.length), u)}`,
                                    run: () => go({ path: inlined!.names[inlined!.file[r]]!, line: inlined!.line[r] }),
                                })),
                            )
                        }
                    >
                        {plural(foreign.length, "line")} inlined from elsewhere ▾
                    </button>
                )}
                {others.length > 0 && (
                    <Pick
                        label="Coverage from"
                        value={coverage}
                        options={["=this file", ...others.map((i) => ({ value: String(i.id), label: i.name }))]}
                        onChange={(v) => go({ coverage: v })}
                    />
                )}
            </div>
            {answer.error && !d ? (
                <Failed error={answer.error} />
            ) : !d ? (
                <Blocks />
            ) : (
                <>
                    {partial && (
                        <p class="note" role="status" id="partial">
                            {exactly.error
                                ? sentence(exactly.error.message)
                                : `Reading the cost of lines (${percent(reading?.done, reading?.total)}). Until then: functions and calls.`}
                        </p>
                    )}
                    {d.found === null && <Missing d={d} />}
                    <div class="code-row">
                        <div
                            class={`grid code ${answer.busy ? "old" : ""}`}
                            ref={win.ref}
                            tabIndex={0}
                            role="grid"
                            aria-label={`Source of ${d.path}`}
                            aria-rowcount={d.rows}
                            data-scroll
                        >
                            <div class="thead" role="row" style={style}>
                                {columns.map(([name]) => (
                                    <span key={name} class={name === "source" ? "" : "n"} role="columnheader">
                                        {name}
                                    </span>
                                ))}
                            </div>
                            <Rows space={win.space} offset={win.offset}>
                                {Array.from({ length: Math.max(0, win.to - win.from) }, (_, i) => {
                                    const r = win.from + i,
                                        n = d.line[r],
                                        state = d.state?.[r] ?? 0,
                                        cost = Boolean(d.has_cost?.[r]),
                                        calls = d.callee_begin && d.callee_begin[r + 1] > d.callee_begin[r],
                                        at = headAt.get(n) ?? -1,
                                        head = at < 0 ? "" : heads!.names[heads!.name[at]]!,
                                        own = partial
                                            ? at < 0
                                                ? undefined
                                                : figure(heads!.self, at, heads!.metrics.length)
                                            : cost
                                              ? figure(d.self, r, m)
                                              : undefined,
                                        texts = evalAt.get(n);
                                    return (
                                        <>
                                            <div
                                                key={r}
                                                class={`tr ${n && n === line ? "on" : ""}`}
                                                role="row"
                                                data-line={n}
                                                data-state={WORDS[state]}
                                                style={style}
                                                onClick={() => go({ line: n || null }, true)}
                                            >
                                                {hasHits && (
                                                    <span role="gridcell" class={`n gutter ${STATES[state]}`} title={WORDS[state]}>
                                                        {d.has_hits[r] ? count(d.hits[r]) : state === 4 ? "excl." : ""}
                                                    </span>
                                                )}
                                                {hasBranches && (
                                                    <span role="gridcell" class="n" title={branchWords(r)} aria-label={branchWords(r)}>
                                                        {d.branches[r] ? `[${branchText(r)}]` : ""}
                                                    </span>
                                                )}
                                                {hasCost && (
                                                    <>
                                                        <span
                                                            role="gridcell"
                                                            class="n"
                                                            data-heat={cost && !partial ? heat(self(r)) : undefined}
                                                            title={exact(own, u)}
                                                        >
                                                            {human(own, u)}
                                                        </span>
                                                        <span role="gridcell" class="n dim">
                                                            {percent(own, partial ? heads?.metrics[0]?.total : total)}
                                                        </span>
                                                        {hasTotal && (
                                                            <span role="gridcell" class="n">
                                                                {cost && human(figure(d.total, r, m), u)}
                                                            </span>
                                                        )}
                                                        {inCalls && (
                                                            <span role="gridcell" class="n">
                                                                {cost && human(figure(d.in_calls, r, d.call_metrics.length), callUnit(d))}
                                                            </span>
                                                        )}
                                                    </>
                                                )}
                                                {hasCalls && (
                                                    <span role="gridcell" class="n dim">
                                                        {Number(d.calls[r]) ? count(d.calls[r]) : ""}
                                                    </span>
                                                )}
                                                <span role="gridcell" class="n dim">
                                                    {n || "?"}
                                                    {calls || head ? (
                                                        <button
                                                            class="plain fold"
                                                            tabIndex={-1}
                                                            aria-label={head ? `callers of ${head}` : `calls of line ${n}`}
                                                            aria-expanded={opened === r}
                                                            onClick={(e) => {
                                                                e.stopPropagation();
                                                                setOpened(opened === r ? -1 : r);
                                                            }}
                                                        >
                                                            {opened === r ? "▾" : "▸"}
                                                        </button>
                                                    ) : null}
                                                </span>
                                                <span role="gridcell" class="text">
                                                    <pre>
                                                        {(tokens[r] ?? []).map(([k, t], j) =>
                                                            k ? (
                                                                <span key={j} class={`t-${k}`}>
                                                                    {t}
                                                                </span>
                                                            ) : (
                                                                t
                                                            ),
                                                        )}
                                                    </pre>
                                                    {texts && (
                                                        <button
                                                            class="plain link evals"
                                                            onClick={(e) =>
                                                                dropMenu(
                                                                    e,
                                                                    "Evaluated texts",
                                                                    texts.map((p) => ({ label: p, run: () => go({ path: p, line: null }) })),
                                                                )
                                                            }
                                                        >
                                                            {plural(texts.length, "eval")}
                                                        </button>
                                                    )}
                                                </span>
                                            </div>
                                            {opened === r && head && (
                                                <div class="under">
                                                    <Unfolded name={head} />
                                                </div>
                                            )}
                                            {opened === r && calls && <Callees d={d} r={r} />}
                                        </>
                                    );
                                })}
                            </Rows>
                        </div>
                        {d.rows > 60 && <Strip d={d} onPick={show} heat={(r) => heat(self(r))} />}
                    </div>
                </>
            )}
        </div>
    );
}

/** The whole file beside the code: where it is hot, where it is missed. */
function Strip({ d, onPick, heat }: { d: Columns; onPick: (r: number) => void; heat: (r: number) => number }): JSX.Element {
    const parts = 120,
        marks = useMemo(() => {
            const worst = new Array<number>(parts).fill(0),
                kinds = new Array<string>(parts).fill("");
            for (let r = 0; r < d.rows; r++) {
                const k = Math.floor((r * parts) / d.rows),
                    h = heat(r);
                if (d.state?.[r] === 3) kinds[k] = "missed";
                if (h > worst[k]!) worst[k] = h;
            }
            return worst.map((h, i) => ({ h, kind: kinds[i]! }));
        }, [d]);
    return (
        <div
            class="filestrip"
            aria-hidden="true"
            onClick={(e) => {
                const b = e.currentTarget.getBoundingClientRect();
                onPick(Math.floor(((e.clientY - b.top) / b.height) * d.rows));
            }}
        >
            {marks.map((x, i) => (
                <i key={i} class={x.kind} data-heat={x.h > 1 ? x.h : undefined} />
            ))}
        </div>
    );
}
