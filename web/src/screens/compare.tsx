// Two inputs, row by row: A, B, difference, ratio; new and gone functions.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { menuOf } from "../core/act";
import { useApi } from "../core/client";
import { diffColor } from "../core/color";
import { figure, type Columns } from "../core/columns";
import { count, exact, human, percent, place, plural, rate, signed } from "../core/format";
import { rowKeys, useCommands } from "../core/keys";
import { usePages } from "../core/pages";
import { input, other, session, whyNot } from "../core/session";
import { comparing, go, goInput, has, open, param, select, flag } from "../core/state";
import { Choice, Failed, Field, Message, Nothing, openMenu, Pick, Scale, shown, Tick, Wait } from "../ui/parts";
import { swap, useStatus } from "../ui/shell";
import { Rows, useWindow } from "../ui/virtual";

const HEIGHT = 28,
    STATES = ["", "new", "gone"];

function ChooseB(): JSX.Element {
    const s = session.value!,
        others = s.inputs.filter((i) => i.id !== input.value?.id);
    return (
        <Message title="Compare with which file?">
            {others.length ? (
                <ul>
                    {others.map((i) => (
                        <li key={i.id}>
                            <button class="plain link" onClick={() => goInput({ a: input.value?.id ?? s.a, b: i.id })}>
                                {i.name}
                            </button>{" "}
                            <span class="dim">{i.format}</span>
                        </li>
                    ))}
                </ul>
            ) : (
                <p>
                    Only one file is open. Start <code>assay view A B</code>, or drop another file on this page.
                </p>
            )}
        </Message>
    );
}

type Numbers = Record<string, number>;
export interface CoverageDiff {
    rows: { path: string; before: Numbers; after: Numbers; categories: Numbers }[];
    before: Numbers;
    after: Numbers;
    categories: Numbers;
    command?: string;
}
/** genhtml's names for what became of a line. */
const LETTERS: Record<string, string> = {
    U: "uncovered",
    L: "lost",
    G: "gained",
    C: "covered",
    E: "excluded",
    D: "deleted",
    N: "new",
    B: "baseline",
    I: "included",
};
const wordsOf = (c: string): string => [...c].map((x, i) => (i === 2 && x === "C" ? (/^[LG]/.test(c) ? "coverage" : "code") : LETTERS[x])).join(" ");

/** Coverage of two reports, file by file: rates, and the lines in each category. */
export function Categories({ d }: { d: CoverageDiff }): JSX.Element {
    const used = Object.keys(d.categories ?? {}).filter((c) => d.categories[c]),
        row = (name: JSX.Element | string, r: { before: Numbers; after: Numbers; categories: Numbers }): JSX.Element => (
            <tr key={name} data-categories={JSON.stringify(r.categories)}>
                {[r.before, r.after].map((x, i) => (
                    <td class="n" key={i} title={`${count(x?.lines_hit)} of ${count(x?.lines)}`}>
                        {rate(x?.lines_hit, x?.lines)}
                    </td>
                ))}
                {used.map((c) => (
                    <td class="n" key={c}>
                        {r.categories[c] || ""}
                    </td>
                ))}
                <td class="name">{name}</td>
            </tr>
        );
    return (
        <div class="scroll">
            <table class="plain-table" id="categories">
                <thead>
                    <tr>
                        <th class="n">A</th>
                        <th class="n">B</th>
                        {used.map((c) => (
                            <th class="n" key={c} title={wordsOf(c)}>
                                {c}
                            </th>
                        ))}
                        <th>file</th>
                    </tr>
                </thead>
                <tbody>
                    {row("all", d)}
                    {d.rows.map((r) =>
                        row(
                            <button class="plain" onClick={() => open("source", { path: r.path, a: param("b"), b: null })}>
                                {r.path}
                            </button>,
                            r,
                        ),
                    )}
                </tbody>
            </table>
            {used.length > 0 && <p class="dim">{used.map((c) => `${c}: ${wordsOf(c)}`).join("; ")}</p>}
            {!d.rows.length && <Nothing what="No difference" />}
        </div>
    );
}
export function CoverageCompare(): JSX.Element {
    const answer = useApi<CoverageDiff>("coverage-diff");
    useStatus("", answer.data?.command);
    return <Wait answer={answer}>{(d) => <Categories d={d} />}</Wait>;
}

export function Compare(): JSX.Element {
    if (!comparing.value)
        return (
            <div class="scroll">
                <ChooseB />
            </div>
        );
    return whyNot("flame") && !whyNot("coverage") ? <CoverageCompare /> : <Differences />;
}

function Differences(): JSX.Element {
    const by = param("diffby", "function"),
        sort = param("dsort", "change"),
        which = param("which", "all"),
        pages = usePages("diff", {
            by: by === "function" ? "" : by,
            sort,
            which: which === "all" ? "" : which,
            normalise: has("normalise"),
            match: param("match"),
        }),
        d = pages.first,
        win = useWindow(pages.matching, HEIGHT),
        [row, setRow] = useState(-1);
    pages.need(win.from, win.to);
    const m = d?.metrics.length ?? 1,
        x = d?.metrics[0],
        k = Math.max(0, d?.metrics.findIndex((y) => y.name === d.metric) ?? 0),
        u = d?.metrics[k]?.unit ?? x?.unit ?? "",
        what = param("dwhat", "self");
    const value = (t: Columns, r: number, side: "before" | "after"): number | undefined => {
        const v = figure(t[`${side}_${what}`] ?? t[`${side}_self`], r, m, k);
        return v === undefined ? undefined : Number(v);
    };
    const change = (t: Columns, r: number): number => (value(t, r, "after") ?? 0) - (value(t, r, "before") ?? 0);
    const most = d ? Math.max(1e-300, ...Array.from({ length: Math.min(d.rows, 200) }, (_, r) => Math.abs(change(d, r)))) : 1;
    const a = d?.metrics[k]?.before_total ?? 0,
        b = d?.metrics[k]?.after_total ?? 0;
    const choose = (n: number): void => {
        const p = pages.at(n);
        if (p) {
            setRow(n);
            win.reveal(n);
            select(p.page.names[p.page.name[p.r]]!, p.page.names[p.page.file?.[p.r] ?? 0] ?? "", {}, true);
        }
    };
    useCommands("Compare", rowKeys(row, pages.matching, choose));
    useStatus(d ? `${plural(pages.matching, by)}${d.same ? `, ${count(d.same)} without a change` : ""}` : "", d?.command);
    return (
        <div class="screen">
            <div class="tools">
                <Choice
                    label="By"
                    value={by}
                    options={["function=functions", "line=lines", "context=call paths"]}
                    onChange={(v) => go({ diffby: v === "function" ? null : v })}
                />
                <Choice label="Which" value={which} options={["all", "new", "gone"]} onChange={(v) => go({ which: v === "all" ? null : v })} />
                <Pick
                    label="Sort"
                    value={sort}
                    options={["change=largest change", "rise", "fall", "before=A", "after=B", "name"]}
                    onChange={(v) => go({ dsort: v === "change" ? null : v })}
                />
                <Choice label="Cost" value={what} options={["self", "total"]} onChange={(v) => go({ dwhat: v === "self" ? null : v })} />
                <Tick label="normalise" title="as if both took the same in all" {...flag("normalise")} />
                <Field label="Rows with" value={param("match")} onChange={(v) => go({ match: v }, true)} />
                <button onClick={() => open("flame")}>Flame graph</button>
                <button onClick={swap} title="x">
                    Swap
                </button>
            </div>
            <div class="note versus">
                <span>
                    <b>A</b> {input.value?.name} {has("normalise") ? "100 %" : human(a, u)}
                </span>
                <span>
                    <b>B</b> {other.value?.name} {has("normalise") ? "100 %" : human(b, u)}
                </span>
                <span id="change">
                    {has("normalise")
                        ? "normalised to equal totals"
                        : `${signed(b - a, u)} (${a ? `${b >= a ? "+" : ""}${percent(b - a, a)}` : "-"}): B takes ${b > a ? "more" : b < a ? "less" : "the same"}`}
                </span>
                <span class="grow" />
                <Scale />
            </div>
            {pages.error && !d ? (
                <Failed error={pages.error} />
            ) : d && !pages.matching ? (
                <Nothing what={which === "all" ? "No difference" : `Nothing is ${which}`} />
            ) : (
                <div
                    class={`grid diff ${pages.busy ? "old" : ""}`}
                    ref={win.ref}
                    role="grid"
                    aria-label="Differences"
                    aria-rowcount={pages.matching}
                    tabIndex={0}
                    data-scroll
                >
                    <div class="thead" role="row">
                        {["A", "B", "difference", "ratio"].map((t) => (
                            <span key={t} role="columnheader" class="n">
                                {t}
                            </span>
                        ))}
                        <span role="columnheader">{by}</span>
                    </div>
                    <Rows space={win.space} offset={win.offset}>
                        {Array.from({ length: Math.max(0, win.to - win.from) }, (_, i) => {
                            const n = win.from + i,
                                p = pages.at(n);
                            if (!p) return <div class="tr" key={n} />;
                            const t = p.page,
                                r = p.r,
                                va = value(t, r, "before"),
                                vb = value(t, r, "after"),
                                c = change(t, r),
                                [fill, ink] = diffColor(c / most),
                                name = t.names[t.name[r]]!,
                                file = t.names[t.file?.[r] ?? 0] ?? "",
                                state = STATES[t.state?.[r] ?? 0];
                            return (
                                <div
                                    key={n}
                                    class={`tr ${n === row ? "on" : ""}`}
                                    role="row"
                                    aria-selected={n === row}
                                    data-name={name}
                                    onClick={() => choose(n)}
                                    onContextMenu={(e) => {
                                        e.preventDefault();
                                        openMenu(
                                            e.clientX,
                                            e.clientY,
                                            name,
                                            menuOf({ name, file, line: t.line?.[r] ?? 0, module: t.names[t.module?.[r] ?? 0] ?? "" }),
                                        );
                                    }}
                                >
                                    <span role="gridcell" class="n" title={exact(va, u)}>
                                        {state === "new" ? "" : human(va, u)}
                                    </span>
                                    <span role="gridcell" class="n" title={exact(vb, u)}>
                                        {state === "gone" ? "" : human(vb, u)}
                                    </span>
                                    <span
                                        role="gridcell"
                                        class={`n delta ${state ? "dashed" : ""}`}
                                        style={{ background: fill, color: ink }}
                                        title={exact(c, u)}
                                    >
                                        {signed(c, u)}
                                    </span>
                                    <span role="gridcell" class="n dim">
                                        {va && vb !== undefined
                                            ? `${(vb / va).toFixed(2)}×`
                                            : state === "new"
                                              ? "new"
                                              : state === "gone"
                                                ? "gone"
                                                : ""}
                                    </span>
                                    <span role="gridcell" class="name">
                                        <bdi title={name}>{shown(name)}</bdi> <span class="dim">{place(file, t.line?.[r] ?? 0)}</span>
                                        {state && <em class="badge">{state}</em>}
                                    </span>
                                </div>
                            );
                        })}
                    </Rows>
                </div>
            )}
        </div>
    );
}
