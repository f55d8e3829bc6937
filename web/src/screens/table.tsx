// Functions, files, folders, modules, lines or streams, with self, total and calls of every metric.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { acts, menuOf, type Target } from "../core/act";
import { bytes, useApi, type Ask } from "../core/client";
import { heatScale } from "../core/color";
import { figure, type Columns } from "../core/columns";
import { copy, toast } from "../core/copy";
import { parse, type Formula } from "../core/formula";
import { base, count, exact, human, PER_SECOND, percent, place, plural, type Num } from "../core/format";
import { rowKeys, useCommands } from "../core/keys";
import { escapeRegex, matcher, wrong } from "../core/match";
import { usePages } from "../core/pages";
import { metric, overview, shownMetric } from "../core/session";
import { addFilter, comparing, go, has, open, param, select, selected, setting, flag, bound, asked } from "../core/state";
import { dragging, dropMenu, Failed, Field, Nothing, openMenu, Pick, shown, Tick } from "../ui/parts";
import { saveAs, useStatus } from "../ui/shell";
import { Rows, useWindow } from "../ui/virtual";

const BY = [
    "function=functions",
    "file=files",
    "directory=folders",
    "module=modules",
    "class=classes",
    "line=lines",
    "address=addresses",
    "stream=streams",
];
const KINDS = ["", "internal", "opcode", "placeholder", "include", "class"],
    SHARES = [99.7, 98, 95, 90, 82, 68, 50, 26];
const HEIGHT = 28;
const columnSetting = setting("columns", "self,self%,total,total%,calls"),
    metricSetting = setting("table-metrics", ""),
    formulaSetting = setting("formulas", ""),
    unitSetting = setting("unit", "natural"),
    widthSetting = setting("widths", "{}");
const ALL = ["self", "self%", "total", "total%", "calls", "self/call", "total/call"];

interface Column {
    id: string;
    title: string;
    sort: string;
    metric: number;
    text: (d: Columns, r: number) => string;
    exact: (d: Columns, r: number) => string;
    value: (d: Columns, r: number) => Num;
    bar?: boolean;
}

const formulaTexts = (): string[] => formulaSetting.value.split("\n").filter(Boolean);

/** A time in a fixed unit, where one was chosen. */
const inUnit = (v: Num, unit: string, how: string): string =>
    v === undefined || v === null
        ? ""
        : how in PER_SECOND && unit in PER_SECOND
          ? `${((Number(v) / PER_SECOND[unit]!) * PER_SECOND[how]!).toFixed(3)} ${how}`
          : how === "exact"
            ? exact(v)
            : human(v, unit);

function columnsOf(d: Columns, ids: string[], formulas: { name: string; run: Formula }[]): Column[] {
    const m = d.metrics.length,
        list: Column[] = [];
    // Coverage has no cost, but counts of calls.
    (m ? d.metrics : [{ name: "", unit: "", total: 0 }]).forEach((x, k) => {
        const head = m > 1 ? `${x.name} ` : "";
        for (const id of ids) {
            const what = id.startsWith("total") ? "total" : "self";
            if ((id.startsWith("total") && !d.total) || (id === "calls" ? k : !m) || (id.includes("call") && !d.calls?.some(Number))) continue;
            const raw = (t: Columns, r: number): Num => (id === "calls" ? t.calls[r] : figure(t[what], r, m, k)),
                per = id.endsWith("/call"),
                share = id.endsWith("%");
            const value = (t: Columns, r: number): Num => {
                const v = raw(t, r);
                return per ? (v === undefined || !Number(t.calls[r]) ? undefined : Number(v) / Number(t.calls[r])) : v;
            };
            list.push({
                id: id === "calls" ? id : `${id}-${k}`,
                title: id === "calls" ? "calls" : head + id,
                sort: id === "calls" ? "calls" : what,
                metric: k,
                value,
                bar: share,
                text: (t, r) =>
                    id === "calls" ? count(t.calls[r]) : share ? percent(raw(t, r), x.total) : inUnit(value(t, r), x.unit, unitSetting.value),
                exact: (t, r) =>
                    id === "calls" ? count(t.calls[r]) : `${exact(value(t, r), x.unit)}${share ? ` of ${exact(x.total, x.unit)}` : ""}`,
            });
        }
    });
    for (const f of formulas) {
        const value = (t: Columns, r: number): Num =>
            f.run(
                t.metrics.map((_, k) => Number(figure(t.self, r, m, k) ?? NaN)),
                t.metrics.map((x) => x.total),
            );
        list.push({
            id: f.name,
            title: f.name,
            sort: "",
            metric: 0,
            value,
            text: (t, r) => human(value(t, r)),
            exact: (t, r) => String(value(t, r)),
        });
    }
    return list;
}

/** Called-from and calls of a row, unfolded below it. */
interface Side {
    name: string;
    file: string | null;
    calls: number;
    total: Record<string, number>;
    site?: { file: string | null; line: number | null };
}
export function Unfolded({ name }: { name: string }): JSX.Element {
    const answer = useApi<{ rows: { callers: Side[]; callees: Side[] }[]; metric: string }>("callers", { function: name, limit: 8 }),
        d = answer.data?.rows[0];
    const side = (title: string, list: Side[]): JSX.Element => (
        <div>
            <h3>{title}</h3>
            {list.length === 0 && <p class="dim">{title === "Called from" ? "called by the host" : "no calls"}</p>}
            <table>
                <tbody>
                    {list.map((c, i) => (
                        <tr key={i}>
                            <td class="n">{human(c.total[answer.data!.metric] ?? Object.values(c.total)[0], unitName())}</td>
                            <td class="n dim">{plural(c.calls, "call")}</td>
                            <td>
                                <button class="plain" onClick={() => select(c.name, c.file ?? "")}>
                                    <bdi>{shown(c.name)}</bdi>
                                </button>{" "}
                                {c.site?.line ? (
                                    <button class="plain dim" onClick={() => open("source", { path: c.site!.file, line: c.site!.line })}>
                                        @ {c.site.line}
                                    </button>
                                ) : null}
                            </td>
                        </tr>
                    ))}
                </tbody>
            </table>
        </div>
    );
    return (
        <div class="unfolded">
            {answer.error ? (
                <p>{answer.error.message}</p>
            ) : d ? (
                <>
                    {side("Called from", d.callers)}
                    {side("Calls", d.callees)}
                </>
            ) : (
                <p class="dim">reading</p>
            )}
        </div>
    );
}
const unitName = (): string => overview.value?.info.metrics.find((m) => m.name === metric.value)?.unit ?? "";

function Settings({ d }: { d: Columns | null }): JSX.Element {
    const on = columnSetting.value.split(","),
        [formula, setFormula] = useState(""),
        [bad, setBad] = useState(""),
        metrics = overview.value?.info.metrics ?? [],
        shownMetrics = metricSetting.value ? metricSetting.value.split("\n") : [];
    const add = (): void => {
        try {
            parse(formula.replace(/^.*=/, ""));
            formulaSetting.value = [...formulaTexts(), formula].join("\n");
            setFormula("");
            setBad("");
        } catch (e) {
            setBad((e as Error).message);
        }
    };
    return (
        <details class="settings-box">
            <summary>Columns</summary>
            <div class="settings">
                <fieldset>
                    <legend>Columns</legend>
                    {ALL.map((c) => (
                        <span key={c}>
                            <Tick
                                label={c}
                                on={on.includes(c)}
                                onChange={(v) => {
                                    columnSetting.value = (v ? [...on, c] : on.filter((x) => x !== c)).join(",");
                                }}
                            />
                            {on.includes(c) && (
                                <button
                                    class="plain"
                                    aria-label={`move ${c} to the front`}
                                    title="to the front"
                                    onClick={() => {
                                        columnSetting.value = [c, ...on.filter((x) => x !== c)].join(",");
                                    }}
                                >
                                    ⇤
                                </button>
                            )}
                        </span>
                    ))}
                </fieldset>
                {metrics.length > 1 && (
                    <fieldset>
                        <legend>Metrics side by side</legend>
                        {metrics.slice(0, 24).map((m) => (
                            <Tick
                                key={m.name}
                                label={m.name}
                                on={shownMetrics.includes(m.name)}
                                onChange={(v) => {
                                    metricSetting.value = (v ? [...shownMetrics, m.name] : shownMetrics.filter((x) => x !== m.name)).join("\n");
                                }}
                            />
                        ))}
                    </fieldset>
                )}
                <fieldset>
                    <legend>Formula</legend>
                    <input
                        value={formula}
                        placeholder="name = $0 / $1"
                        aria-label="formula"
                        onInput={(e) => setFormula(e.currentTarget.value)}
                        onKeyDown={(e) => {
                            if (e.key === "Enter") add();
                        }}
                    />
                    <button onClick={add}>Add</button>
                    {bad && (
                        <span class="error" role="alert">
                            {bad}
                        </span>
                    )}
                    <span class="dim">
                        $0, $1, ... self of the metrics shown ({d?.metrics.map((m, k) => `$${k} ${m.name}`).join(", ")}), @0 the total
                    </span>
                    {formulaTexts().map((f) => (
                        <span class="chip" key={f}>
                            <code>{f}</code>
                            <button
                                aria-label={`remove ${f}`}
                                onClick={() => {
                                    formulaSetting.value = formulaTexts()
                                        .filter((x) => x !== f)
                                        .join("\n");
                                }}
                            >
                                ×
                            </button>
                        </span>
                    ))}
                </fieldset>
                <Pick label="Unit" {...bound(unitSetting)} options={["natural", "exact", "s", "ms", "us"]} />
            </div>
        </details>
    );
}

export function Table(): JSX.Element {
    const by = param("by", "function"),
        sort = param("sort", "self"),
        byMetric = param("by_metric"),
        match = param("match"),
        bad = wrong(match),
        known = new Set(overview.value?.info.metrics.map((m) => m.name)),
        extra = metricSetting.value.split("\n").filter((m) => known.has(m) && m !== metric.value);
    const pages = usePages(bad ? null : "table", {
            by,
            sort,
            by_metric: byMetric,
            up: has("up"),
            match,
            not: has("not"),
            cycles: has("cycles"),
            own: has("own"),
            share: param("share"),
            then: param("then"),
            metrics: [shownMetric(), ...extra].filter(Boolean).join(","),
        }),
        d = pages.first;
    const formulas = useMemo(
        () =>
            formulaTexts().flatMap((f) => {
                try {
                    return [{ name: /^(.*?)=/.exec(f)?.[1]?.trim() ?? f, run: parse(f.replace(/^.*=/, "")) }];
                } catch {
                    return [];
                }
            }),
        [formulaSetting.value],
    );
    const columns = d ? columnsOf(d, columnSetting.value.split(","), by === "function" ? formulas : []) : [];
    const [row, setRow] = useState(-1),
        [openRow, setOpenRow] = useState(-1),
        win = useWindow(pages.matching, HEIGHT),
        grid = useRef<HTMLDivElement>(null);
    pages.need(win.from, win.to);
    const heats = useMemo(
        () =>
            d
                ? columns.map((c) => {
                      const v = Array.from({ length: d.rows }, (_, r) => Number(c.value(d, r) ?? 0));
                      return { scale: heatScale(v), most: Math.max(...v, 1e-300) };
                  })
                : [],
        [d, columns.map((c) => c.id).join()],
    );
    const fits = matcher(param("q")),
        hasQ = Boolean(param("q"));
    const target = (n: number): Target | null => {
        const p = pages.at(n);
        return p
            ? {
                  name: p.page.names[p.page.name[p.r]]!,
                  file: p.page.names[p.page.file?.[p.r] ?? 0] ?? "",
                  line: p.page.line?.[p.r] ?? 0,
                  module: p.page.names[p.page.module?.[p.r] ?? 0] ?? "",
              }
            : null;
    };
    const choose = (n: number): void => {
        if (n < 0 || n >= pages.matching) return;
        setRow(n);
        win.reveal(n);
        const t = target(n);
        if (t && by === "function") select(t.name, t.file, {}, true);
    };
    useEffect(() => {
        setRow(-1);
        setOpenRow(-1);
        if (win.ref.current) win.ref.current.scrollTop = 0;
    }, [by, sort, match]);
    // The selection of another screen: its row, where it is in the first window.
    useEffect(() => {
        if (d && selected.value && row < 0)
            for (let r = 0; r < d.rows; r++)
                if (d.names[d.name[r]] === selected.value.name) {
                    setRow(r);
                    win.reveal(r);
                    break;
                }
    }, [d]);
    useEffect(() => {
        const walk = (e: Event): void => {
            const step = (e as CustomEvent<number>).detail;
            for (let n = row + step; n >= 0 && n < pages.matching; n += step) {
                const t = target(n);
                if (!t) break;
                if (fits(t.name)) {
                    choose(n);
                    return;
                }
            }
            toast("no further match in what is loaded");
        };
        addEventListener("assay-match", walk);
        return () => removeEventListener("assay-match", walk);
    });
    const tableOf = (n: number): string => {
        const p = pages.at(n);
        return p ? [target(n)!.name, ...columns.map((c) => c.text(p.page, p.r))].join("\t") : "";
    };
    const ask = (form: string): Ask => ({ verb: "top", form, limit: 0, by: by === "function" ? "" : by, sort }),
        keep = (form: string) => (): void => void saveAs("report", ask(form), form === "markdown" ? "md" : form);
    const copyAs = (form: string) => (): void =>
        void bytes("report", ask(form)).then(
            async (b) => copy(await b.text(), `copied as ${form}`),
            (e: Error) => toast(e.message, true),
        );
    useCommands("Table", [
        ...rowKeys(row, pages.matching, choose),
        { title: "Unfold callers and callees of the row", keys: ["ArrowRight"], run: () => setOpenRow(row), quiet: true },
        { title: "Fold", keys: ["ArrowLeft"], run: () => setOpenRow(-1), quiet: true },
        {
            title: "Source of the row",
            keys: ["Enter"],
            run: () => {
                const t = target(row);
                if (t) acts.source(t);
            },
            quiet: true,
        },
        {
            title: "Menu of the row",
            keys: ["Shift+F10", "ContextMenu"],
            run: () => {
                const t = target(row);
                if (t) openMenu(300, 240, t.name, menuOf(t));
            },
            quiet: true,
        },
        {
            title: "Copy the row",
            keys: ["Ctrl+C"],
            run: () => {
                if (row >= 0 && !getSelection()?.toString()) void copy(tableOf(row), "copied the row");
            },
        },
        { title: "Save as CSV", run: keep("csv") },
        { title: "Save as JSON", run: keep("json") },
        { title: "Save as Markdown", run: keep("markdown") },
    ]);
    useStatus(
        d
            ? `${pages.matching === d.all || d.all === undefined ? "" : `${count(pages.matching)} of `}${plural(d.all ?? pages.matching, by === "directory" ? "folder" : by, BY.find((b) => b.startsWith(by))!.replace(/.*=/, ""))}${d.self_sum !== undefined ? `, self ${human(d.self_sum, d.metrics[d.key]!.unit)}, ${percent(d.self_sum, d.metrics[d.key]!.total)} of the whole` : ""}${d.left_out ? `, ${count(d.left_out)} below the minimum` : ""}`
            : "",
        d?.command,
    );
    const sortBy = (c: Column): void =>
        go({
            sort: c.sort === "self" ? null : c.sort,
            by_metric: c.metric ? d!.metrics[c.metric]!.name : null,
            up: sort === c.sort && !has("up") ? "1" : null,
            then: sort === c.sort ? param("then") : sort,
        });
    const widths: Record<string, number> = JSON.parse(widthSetting.value),
        setWidth = (id: string, w?: number): void => {
            widthSetting.value = JSON.stringify({ ...widths, [id]: w });
        };
    const pixels = columns.map((c) => widths[c.id] ?? (c.bar ? 88 : Math.max(92, 8 * c.title.length + 24))),
        style = {
            gridTemplateColumns: `minmax(180px, 1fr) ${pixels.map((w) => `${w}px`).join(" ")}`,
            minWidth: `${pixels.reduce((x, w) => x + w, 220)}px`,
        },
        foldAt = openRow;
    return (
        <div class="screen">
            <div class="tools">
                <Pick label="Rows" value={by} options={BY} onChange={(v) => go({ by: v === "function" ? null : v, match: null, sort: null })} />
                <Field label="Rows with" value={match} placeholder="name or /regex/" bad={bad} onChange={(v) => go({ match: v }, true)} />
                <Tick label="not" title="rows that do not match" {...flag("not")} />
                {by === "function" && <Tick label="hide internal" title="functions of the language itself" {...flag("own")} />}
                <Pick label="Rows that make up" {...asked("share")} options={["=all", ...SHARES.map((v) => `${v}=${v} % of self`)]} />
                {by === "function" && <Tick label="cycles" title="functions that call each other as one row" {...flag("cycles")} />}
                <Settings d={d} />
                <span class="grow" />
                <button
                    onClick={(e) =>
                        dropMenu(e, "Table", [
                            ...["CSV", "JSON", "Markdown"].flatMap((f) => [
                                { label: `Copy as ${f}`, run: copyAs(f.toLowerCase()) },
                                { label: `Save as ${f}`, run: keep(f.toLowerCase()) },
                            ]),
                        ])
                    }
                >
                    Export ▾
                </button>
            </div>
            {comparing.value && (
                <p class="note">
                    Figures of A.{" "}
                    <button class="plain link" onClick={() => open("compare")}>
                        Compare
                    </button>{" "}
                    has the differences, row by row.
                </p>
            )}
            {pages.error && !d ? (
                <Failed error={pages.error} />
            ) : d && !pages.matching ? (
                <Nothing what={match ? "No row matches" : "Nothing matches the filters"} />
            ) : (
                <div
                    class={`grid ${pages.busy ? "old" : ""}`}
                    ref={(el) => {
                        (win.ref as { current: HTMLDivElement | null }).current = el;
                        grid.current = el;
                    }}
                    role="grid"
                    aria-label={`${by} by ${sort}`}
                    aria-rowcount={pages.matching}
                    tabIndex={0}
                    data-scroll
                >
                    <div class="thead" role="row" style={style}>
                        <span role="columnheader" class="name" aria-sort={sort === "name" ? (has("up") ? "descending" : "ascending") : "none"}>
                            <button class="plain" onClick={() => go({ sort: "name", up: sort === "name" && !has("up") ? 1 : null })}>
                                {by === "directory" ? "folder" : by}
                            </button>
                        </span>
                        {columns.map((c) => (
                            <span
                                key={c.id}
                                role="columnheader"
                                class="n"
                                aria-sort={
                                    c.sort && sort === c.sort && !c.bar && (byMetric || d!.metric) == d!.metrics[c.metric]?.name
                                        ? has("up")
                                            ? "ascending"
                                            : "descending"
                                        : "none"
                                }
                            >
                                <button class="plain" disabled={!c.sort} onClick={() => sortBy(c)}>
                                    {c.title}
                                </button>
                                <i
                                    class="grip"
                                    title="Drag: width; double click: as before"
                                    onPointerDown={(e) => {
                                        const x = e.clientX,
                                            w = e.currentTarget.parentElement!.offsetWidth;
                                        dragging((m) => setWidth(c.id, Math.max(48, w + m.clientX - x)));
                                    }}
                                    onDblClick={() => setWidth(c.id)}
                                />
                            </span>
                        ))}
                    </div>
                    <Rows space={win.space} offset={win.offset}>
                        {Array.from({ length: win.to - win.from }, (_, i) => {
                            const n = win.from + i,
                                p = pages.at(n);
                            if (!p) return <div class="tr" key={n} style={style} />;
                            const t = target(n)!,
                                kind = KINDS[p.page.kind?.[p.r] ?? 0],
                                where =
                                    by === "function" || by === "address"
                                        ? place(t.file!, t.line!)
                                        : by === "line" && t.file
                                          ? `[${shown(t.file)}]`
                                          : "";
                            return (
                                <>
                                    <div
                                        class={`tr ${n === row ? "on" : ""} ${hasQ && fits(t.name) ? "match" : ""}`}
                                        key={n}
                                        role="row"
                                        aria-rowindex={n + 1}
                                        aria-selected={n === row}
                                        data-row={n}
                                        style={style}
                                        onClick={() => choose(n)}
                                        onDblClick={() => setOpenRow(openRow === n ? -1 : n)}
                                        onContextMenu={(e) => {
                                            e.preventDefault();
                                            choose(n);
                                            openMenu(
                                                e.clientX,
                                                e.clientY,
                                                t.name,
                                                by === "function"
                                                    ? menuOf(t)
                                                    : [
                                                          {
                                                              label: `Only this ${by}`,
                                                              run: () =>
                                                                  by === "class"
                                                                      ? addFilter("focus-self", `^${escapeRegex(t.name)}(::|->|\\.)`)
                                                                      : addFilter(by === "module" || by === "stream" ? by : "file", t.name),
                                                              ...(by === "line" || by === "address" ? { why: "there is no such filter" } : {}),
                                                          },
                                                          { label: "Copy name", run: () => void copy(t.name) },
                                                      ],
                                            );
                                        }}
                                    >
                                        <span class="name" role="gridcell" title={t.name + (t.module ? ` [${t.module}]` : "")}>
                                            {by === "function" && (
                                                <button
                                                    class="plain fold"
                                                    tabIndex={-1}
                                                    aria-label={openRow === n ? "fold" : "unfold"}
                                                    aria-expanded={openRow === n}
                                                    onClick={(e) => {
                                                        e.stopPropagation();
                                                        setOpenRow(openRow === n ? -1 : n);
                                                    }}
                                                >
                                                    {openRow === n ? "▾" : "▸"}
                                                </button>
                                            )}
                                            <button
                                                class="plain"
                                                tabIndex={-1}
                                                onClick={(e) => {
                                                    if (by === "function" && t.file) {
                                                        e.stopPropagation();
                                                        acts.source(t);
                                                    } else if (by === "file") {
                                                        e.stopPropagation();
                                                        open("source", { path: t.name, line: null });
                                                    }
                                                }}
                                            >
                                                <bdi>{by === "function" ? shown(t.name) : t.name}</bdi>
                                            </button>{" "}
                                            <span class="dim">
                                                {where}
                                                {kind && <em> {kind}</em>}
                                                {p.page.cycle?.[p.r] ? ` (cycle ${p.page.cycle[p.r]})` : ""}
                                                {by === "function" && (overview.value!.info.counts.modules ?? 0) > 1 && t.module
                                                    ? ` [${base(t.module)}]`
                                                    : ""}
                                            </span>
                                        </span>
                                        {columns.map((c, k) => {
                                            const v = Number(c.value(p.page, p.r) ?? 0),
                                                h = heats[k];
                                            return (
                                                <span
                                                    key={c.id}
                                                    role="gridcell"
                                                    class={`n ${c.bar ? "bar" : ""}`}
                                                    data-col={c.id}
                                                    data-heat={c.bar && h ? h.scale(v) : undefined}
                                                    title={c.exact(p.page, p.r)}
                                                >
                                                    {c.bar && h && <i style={{ width: `${Math.min(100, (100 * v) / h.most)}%` }} />}
                                                    <span>{c.text(p.page, p.r)}</span>
                                                </span>
                                            );
                                        })}
                                    </div>
                                    {n === foldAt && (
                                        <div class="under">
                                            <Unfolded name={t.name} />
                                        </div>
                                    )}
                                </>
                            );
                        })}
                    </Rows>
                </div>
            )}
        </div>
    );
}
