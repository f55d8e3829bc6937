// Coverage: totals, files and folders with bars, the history of a store, and what is hot but untested.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { keyOf, post, useApi } from "../core/client";
import { figure, type Columns } from "../core/columns";
import { count, human, percent, plural, rate } from "../core/format";
import { toast } from "../core/copy";
import { rowKeys, useCommands } from "../core/keys";
import { wrong } from "../core/match";
import { usePages } from "../core/pages";
import { comparing, go, has, open, param, flag } from "../core/state";
import { session, unit } from "../core/session";
import { Choice, Failed, Field, Nothing, Pick, sentence, Tick, Wait } from "../ui/parts";
import { useStatus } from "../ui/shell";
import { Plot } from "../ui/plot";
import { Rows, useWindow } from "../ui/virtual";
import { Categories, CoverageCompare, type CoverageDiff } from "./compare";

const HEIGHT = 28,
    WHAT = ["lines", "functions", "branches", "conditions"];
/** In words, because colour alone says nothing to some. */
const grade = (hit: number, all: number): string =>
    !all ? "" : hit === all ? "all" : hit / all >= 0.9 ? "high" : hit / all >= 0.75 ? "medium" : "low";

function Totals({ total }: { total: Record<string, number> }): JSX.Element {
    return (
        <dl class="big" id="totals">
            {WHAT.map(
                (w) =>
                    Number(total?.[w]) > 0 && (
                        <div key={w} data-what={w}>
                            <dt>{w}</dt>
                            <dd>
                                {rate(total[`${w}_hit`], total[w])}{" "}
                                <small>
                                    {count(Number(total[`${w}_hit`]))} of {count(Number(total[w]))}
                                </small>
                            </dd>
                        </div>
                    ),
            )}
        </dl>
    );
}

/** The longest folder that all paths have in common; it is printed once. */
export function prefixOf(paths: string[]): string {
    let p = paths[0]?.replace(/[^/]*$/, "") ?? "";
    for (const x of paths) while (p && !x.startsWith(p)) p = p.replace(/[^/]*\/$/, "");
    return p;
}

interface Point {
    id: string;
    time: number | string;
    branch?: string;
    message?: string;
    [k: string]: unknown;
}
function History(): JSX.Element {
    const answer = useApi<{ points: Point[]; command?: string }>("history", {}, true);
    useStatus(answer.data ? plural(answer.data.points.length, "report") : "", answer.data?.command);
    return (
        <Wait answer={answer}>
            {(d) => {
                const points = [...d.points].reverse(),
                    share = (p: Point, w: string): number => (Number(p[w]) ? (100 * Number(p[`${w}_hit`])) / Number(p[w]) : NaN),
                    series = WHAT.filter((w) => points.some((p) => Number(p[w]) > 0)).map((w) => ({
                        name: w,
                        values: points.map((p) => share(p, w)),
                    })),
                    all = series.flatMap((s) => s.values).filter(Number.isFinite);
                const when = (t: number | string): string => {
                    const x = new Date(typeof t === "number" ? t * 1000 : t);
                    return Number.isNaN(x.getTime()) ? String(t) : x.toISOString().slice(0, 10);
                };
                return points.length ? (
                    <div class="scroll">
                        <Plot
                            kind="lines"
                            label="Coverage over time"
                            labels={points.map((p) => when(p.time))}
                            series={series}
                            from={Math.max(0, Math.floor((Math.min(...all) - 2) / 5) * 5)}
                            to={100}
                            format={(v) => `${v.toFixed(1)}%`}
                        />
                        <table class="plain-table" id="history">
                            <thead>
                                <tr>
                                    <th>report</th>
                                    <th>date</th>
                                    <th class="n">lines</th>
                                    <th class="n">functions</th>
                                    <th class="n">branches</th>
                                    <th>message</th>
                                </tr>
                            </thead>
                            <tbody>
                                {d.points.map((p) => (
                                    <tr key={p.id}>
                                        <td>
                                            <code>{p.id.slice(0, 10)}</code>
                                        </td>
                                        <td>{when(p.time)}</td>
                                        {WHAT.slice(0, 3).map((w) => (
                                            <td key={w} class="n" title={`${count(Number(p[`${w}_hit`] ?? 0))} of ${count(Number(p[w] ?? 0))}`}>
                                                {rate(Number(p[`${w}_hit`] ?? 0), Number(p[w] ?? 0))}
                                            </td>
                                        ))}
                                        <td class="what">{p.message}</td>
                                    </tr>
                                ))}
                            </tbody>
                        </table>
                    </div>
                ) : (
                    <Nothing what="No reports yet" />
                );
            }}
        </Wait>
    );
}

/** Lines that cost much and that no test has run: cost of one input, coverage of another. */
function HotUntested(): JSX.Element {
    const inputs = session.value?.inputs ?? [],
        mine = param("a", String(session.value?.a)),
        cost = param("cost") || String(inputs.find((i) => String(i.id) !== mine)?.id ?? ""),
        lines = useApi<Columns>(cost ? "table" : null, { a: cost, b: "", by: "line", count: 1000 }),
        files = useApi<Columns>("coverage", { by: "file", count: 0 });
    const chooser = (
        <Pick
            label="Cost from"
            value={cost}
            options={inputs.filter((i) => String(i.id) !== mine).map((i) => ({ value: String(i.id), label: i.name }))}
            onChange={(v) => go({ cost: v })}
        />
    );
    if (!cost) return <Nothing what="Only coverage is open: start assay view with a profile, too" />;
    return (
        <div class="scroll">
            {chooser}
            <Wait answer={lines}>
                {(d) => {
                    const missing = new Map<string, Set<number>>(),
                        c = files.data,
                        m = d.metrics.length,
                        ends = (path: string): Set<number> | undefined => {
                            for (const [k, v] of missing) if (k === path || k.endsWith(`/${path}`) || path.endsWith(`/${k}`)) return v;
                            return undefined;
                        };
                    if (c?.missing) for (let i = 0; i < c.rows; i++) missing.set(c.path[i], linesOf(c.missing[i]));
                    const rows = Array.from({ length: d.rows }, (_, r) => r).filter((r) => {
                        const f = d.names[d.file?.[r] ?? 0] || d.names[d.name[r]]!.replace(/:\d+$/, "");
                        return ends(f)?.has(d.line[r]);
                    });
                    return rows.length ? (
                        <table class="plain-table" id="untested">
                            <tbody>
                                {rows.slice(0, 200).map((r) => {
                                    const f = d.names[d.file?.[r] ?? 0] || d.names[d.name[r]]!.replace(/:\d+$/, ""),
                                        v = figure(d.self, r, m);
                                    return (
                                        <tr key={r}>
                                            <td class="n">{human(v, unit.value || d.metrics[0]?.unit)}</td>
                                            <td class="n dim">{percent(v, d.metrics[0]?.total)}</td>
                                            <td class="name">
                                                <button
                                                    class="plain"
                                                    onClick={() => go({ s: "source", a: cost, coverage: mine, path: f, line: d.line[r] })}
                                                >
                                                    <bdi>
                                                        {f}:{d.line[r]}
                                                    </bdi>
                                                </button>
                                            </td>
                                        </tr>
                                    );
                                })}
                            </tbody>
                        </table>
                    ) : (
                        <Nothing what="No hot line is untested" />
                    );
                }}
            </Wait>
        </div>
    );
}
interface Patch extends Partial<CoverageDiff> {
    total_num_lines: number;
    total_num_violations: number;
    src_stats: Record<string, { covered_lines: number[]; violation_lines: number[] }>;
    unmatched?: string[];
}
/** What a change of the sources means: its lines, or, with two reports, what became of every line. */
function Change(): JSX.Element {
    const [d, setD] = useState<Patch | null>(null),
        hit = d ? d.total_num_lines - d.total_num_violations : 0;
    useStatus("", d?.command);
    return (
        <div class="scroll">
            <p class="row">
                <label class="pick">
                    A diff of the sources, as git diff writes it{" "}
                    <input
                        id="diff"
                        type="file"
                        onChange={(e) => {
                            const f = e.currentTarget.files?.[0];
                            if (f)
                                post<Patch>(keyOf("change", {}, true), f).then(setD, (x: Error) => {
                                    setD(null);
                                    toast(x.message, true);
                                });
                        }}
                    />
                </label>
            </p>
            {d?.categories ? (
                <Categories d={d as unknown as CoverageDiff} />
            ) : d ? (
                <>
                    <dl class="big">
                        <div data-what="change">
                            <dt>new lines</dt>
                            <dd>
                                {rate(hit, d.total_num_lines)}{" "}
                                <small>
                                    {count(hit)} of {count(d.total_num_lines)}
                                </small>
                            </dd>
                        </div>
                    </dl>
                    <table class="plain-table" id="patch">
                        <tbody>
                            {Object.entries(d.src_stats).map(([path, s]) => (
                                <tr key={path}>
                                    <td class="n">{rate(s.covered_lines.length, s.covered_lines.length + s.violation_lines.length)}</td>
                                    <td class="name">
                                        <button class="plain" onClick={() => open("source", { path, line: s.violation_lines[0] })}>
                                            <bdi>{path}</bdi>
                                        </button>
                                    </td>
                                    <td>{s.violation_lines.length ? `not covered: ${s.violation_lines.join(", ")}` : ""}</td>
                                </tr>
                            ))}
                        </tbody>
                    </table>
                </>
            ) : null}
        </div>
    );
}

/** "3-5, 9" as numbers. */
const linesOf = (text: string): Set<number> => {
    const s = new Set<number>();
    for (const part of (text ?? "").split(/[\s,]+/)) {
        const [a, b] = part.split("-").map(Number);
        if (a) for (let n = a; n <= (b || a) && n - a < 100000; n++) s.add(n);
    }
    return s;
};

function Files({ by }: { by: string }): JSX.Element {
    const sort = param("csort", "lines"),
        match = param("match"),
        bad = wrong(match),
        pages = usePages(bad ? null : "coverage", { by, sort, up: has("cup"), match }),
        d = pages.first,
        win = useWindow(pages.matching, HEIGHT),
        [row, setRow] = useState(-1),
        missedOnly = has("missed"),
        counts = param("counts") === "missed";
    pages.need(win.from, win.to);
    const shownWhat = WHAT.filter((w) => Number((d?.whole as any)?.[w]) > 0),
        prefix = d ? prefixOf((d.path as string[]).slice(0, 200)) : "";
    const choose = (n: number): void => {
        setRow(n);
        win.reveal(n);
    };
    const pathOf = (n: number): string => {
        const p = pages.at(n);
        return p ? (p.page.path as string[])[p.r]! : "";
    };
    const enter = (n: number): void => {
        const p = pathOf(n);
        if (p) by === "file" ? go({ s: "source", path: p, line: null }) : go({ cby: null, match: p });
    };
    useCommands("Coverage", [
        ...rowKeys(row, pages.matching, choose),
        { title: "Open the file or folder", keys: ["Enter"], run: () => enter(row), quiet: true },
    ]);
    const isComplete = (t: Columns, r: number): boolean => ["lines", "branches"].every((w) => t[w]?.[r] === t[`${w}_hit`]?.[r]),
        complete = Array.from({ length: d?.rows ?? 0 }, (_, r) => r).filter((r) => isComplete(d!, r)).length;
    useStatus(
        d
            ? `${plural(pages.matching, by === "file" ? "file" : "folder")}${missedOnly ? `, ${plural(complete, "complete file")} hidden` : ""}${prefix ? `, all below ${prefix}` : ""}`
            : "",
        d?.command,
    );
    const style = {
        gridTemplateColumns: `minmax(220px, 1fr) ${shownWhat.map(() => "120px 72px 110px").join(" ")} 64px`,
        minWidth: `${302 * shownWhat.length + 320}px`,
    };
    return (
        <>
            {d && <Totals total={d.whole as any} />}
            {d?.differs && typeof d.differs === "string" ? <p class="note">{sentence(d.differs)}</p> : null}
            <div class="tools">
                <Field label="Paths with" value={match} bad={bad} onChange={(v) => go({ match: v }, true)} placeholder="part or /regex/" />
                <Pick
                    label="Sort"
                    value={sort}
                    options={["lines", "functions", "branches", "missed", "name"].map((v) => ({
                        value: v,
                        label: v === "lines" ? "least covered" : v,
                    }))}
                    onChange={(v) => go({ csort: v === "lines" ? null : v })}
                />
                <Tick label="turned round" {...flag("cup")} />
                <Tick label="uncovered only" on={missedOnly} onChange={(v) => go({ missed: v ? 1 : null })} />
                <Tick label="missed counts" on={counts} onChange={(v) => go({ counts: v ? "missed" : null })} />
            </div>
            {pages.error && !d ? (
                <Failed error={pages.error} />
            ) : d && !pages.matching ? (
                <Nothing what="No file matches" />
            ) : (
                <div
                    class={`grid ${pages.busy ? "old" : ""}`}
                    ref={win.ref}
                    role="grid"
                    aria-label={`Coverage by ${by}`}
                    aria-rowcount={pages.matching}
                    tabIndex={0}
                    data-scroll
                >
                    <div class="thead" role="row" style={style}>
                        <span role="columnheader">{by === "file" ? "file" : "folder"}</span>
                        {shownWhat.map((w) => (
                            <>
                                <span role="columnheader">{w}</span>
                                <span role="columnheader" class="n">
                                    rate
                                </span>
                                <span role="columnheader" class="n">
                                    {counts ? "missed" : "hit"}
                                </span>
                            </>
                        ))}
                        <span role="columnheader">grade</span>
                    </div>
                    <Rows space={win.space} offset={win.offset}>
                        {Array.from({ length: Math.max(0, win.to - win.from) }, (_, i) => {
                            const n = win.from + i,
                                p = pages.at(n);
                            if (!p) return <div class="tr" key={n} style={style} />;
                            const path = (p.page.path as string[])[p.r]!,
                                hit = (w: string): number => Number(p.page[`${w}_hit`]?.[p.r] ?? 0),
                                all = (w: string): number => Number(p.page[w]?.[p.r] ?? 0);
                            if (missedOnly && isComplete(p.page, p.r))
                                return (
                                    <div class="tr done" key={n} style={style}>
                                        <span class="dim">{path.slice(prefix.length)} is complete</span>
                                    </div>
                                );
                            return (
                                <div
                                    key={n}
                                    class={`tr ${n === row ? "on" : ""}`}
                                    role="row"
                                    aria-selected={n === row}
                                    data-path={path}
                                    style={style}
                                    onClick={() => choose(n)}
                                    onDblClick={() => enter(n)}
                                >
                                    <span role="gridcell" class="name">
                                        <button class="plain" tabIndex={-1} title={path} onClick={() => enter(n)}>
                                            <bdi>{path.slice(prefix.length) || path}</bdi>
                                        </button>
                                    </span>
                                    {shownWhat.map((w) => (
                                        <>
                                            <span role="gridcell" class="meter">
                                                {all(w) > 0 && <i style={{ width: `${(108 * hit(w)) / all(w)}px` }} />}
                                            </span>
                                            <span role="gridcell" class="n">
                                                {rate(hit(w), all(w))}
                                            </span>
                                            <span role="gridcell" class="n dim">
                                                {!all(w) ? "" : counts ? count(all(w) - hit(w)) : `${count(hit(w))} / ${count(all(w))}`}
                                            </span>
                                        </>
                                    ))}
                                    <span role="gridcell" class={`grade ${grade(hit("lines"), all("lines"))}`}>
                                        {grade(hit("lines"), all("lines"))}
                                    </span>
                                </div>
                            );
                        })}
                    </Rows>
                </div>
            )}
        </>
    );
}

export function Coverage(): JSX.Element {
    const by = param("cby", "file"),
        several = (session.value?.inputs.length ?? 0) > 1;
    return (
        <div class="screen">
            <div class="tools">
                <Choice
                    label="Show"
                    value={by}
                    options={[
                        "file=files",
                        "directory=folders",
                        "history",
                        ...(several ? ["untested=hot and untested"] : []),
                        ...(comparing.value ? ["diff=difference"] : []),
                        "change",
                    ]}
                    onChange={(v) => go({ cby: v === "file" ? null : v, match: null })}
                />
                <span class="grow" />
                <button onClick={() => open("table", { by: null, sort: "calls" })}>Functions</button>
                <button onClick={() => open("source")}>Source</button>
            </div>
            {by === "history" ? (
                <History />
            ) : by === "untested" ? (
                <HotUntested />
            ) : by === "diff" ? (
                <CoverageCompare />
            ) : by === "change" ? (
                <Change />
            ) : (
                <Files key={by} by={by} />
            )}
        </div>
    );
}
