// One function, one context or the whole, over all ranks, threads or parts: plotted, sorted, as a histogram, with what is far out named.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useApi, type Ask } from "../core/client";
import type { Columns } from "../core/columns";
import { count, exact, human, percent, plural } from "../core/format";
import { useCommands } from "../core/keys";
import { overview, unit } from "../core/session";
import { dropFilter, go, has, params, param, selected } from "../core/state";
import { Choice, Field, Nothing, shown, Tick, Wait } from "../ui/parts";
import { functionId, saveSvg, useStatus } from "../ui/shell";
import { Plot } from "../ui/plot";

const BINS = 24;

export function Streams(): JSX.Element {
    const s = selected.value,
        of = param("of", s ? "function" : "all"),
        as = param("as", "plot"),
        [id, setId] = useState<number | null>(null),
        only = param("stream-match").toLowerCase();
    useEffect(() => {
        setId(null);
        if (s && of === "function") functionId(s.name, s.file).then(setId, () => setId(0));
    }, [s?.name, s?.file, of]);
    const ready = of === "all" || !s || id !== null,
        ask: Ask = { stream: "", ...(of === "function" && id ? { func: id } : {}) },
        answer = useApi<Columns>(ready ? "streams" : null, ask),
        d = answer.data;
    const column = d ? (d.total ?? d.self) : null,
        rows =
            d && column
                ? Array.from({ length: d.rows }, (_, i) => ({
                      i,
                      stream: d.stream[i] as number,
                      label: d.names[d.name[i]] || overview.value?.info.streams?.[i]?.name || `stream ${i + 1}`,
                      v: Number(column[i]),
                      self: Number(d.self?.[i] ?? column[i]),
                  }))
                : [],
        sorted = [...rows].sort((x, y) => x.v - y.v);
    const chosen = params.value.getAll("stream"),
        sortBy = param("ssort", "order"),
        list = (
            sortBy === "value" ? [...sorted].reverse() : sortBy === "name" ? [...rows].sort((x, y) => (x.label < y.label ? -1 : 1)) : rows
        ).filter((r) => !only || r.label.toLowerCase().includes(only));
    const sum = rows.reduce((x, r) => x + r.v, 0),
        outlier = d && d.outlier !== undefined && d.outlier !== null ? rows.find((r) => r.stream === d.outlier) : undefined;
    const pick = (n: number): void => go({ stream: n + 1, id: null, x: null, row: null });
    const tick = (n: number, on: boolean): void => {
        const name = String(n + 1);
        if (on) {
            const next = new URLSearchParams(params.value);
            next.append("stream", name);
            location.hash = String(next);
        } else dropFilter("stream", name);
    };
    useCommands("Streams", [
        { title: "Plot, sorted, histogram", keys: ["v"], run: () => go({ as: as === "plot" ? "sorted" : as === "sorted" ? "histogram" : null }) },
    ]);
    useStatus(d ? `${plural(rows.length, "stream")}, ${human(sum, unit.value)} in all` : "", d?.command);
    const low = sorted[0]?.v ?? 0,
        high = sorted.at(-1)?.v ?? 0,
        bins = new Array<number>(Math.min(BINS, Math.max(1, rows.length))).fill(0),
        wide = (high - low) / bins.length || 1;
    for (const r of rows) bins[Math.min(bins.length - 1, Math.floor((r.v - low) / wide))]!++;
    return (
        <div class="screen">
            <div class="tools">
                <Choice
                    label="Of"
                    value={of}
                    options={[
                        {
                            value: "function",
                            label: s ? shown(s.name).slice(0, 40) : "the selected function",
                            ...(s ? {} : { why: "no function is selected" }),
                        },
                        "all=the whole",
                    ]}
                    onChange={(v) => go({ of: v })}
                />
                <Choice
                    label="As"
                    value={as}
                    options={["plot=in order", "sorted", "histogram"]}
                    onChange={(v) => go({ as: v === "plot" ? null : v })}
                />
                <span id="stream-filter">
                    <Field
                        label="Streams with"
                        value={param("stream-match")}
                        onChange={(v) => go({ "stream-match": v }, true)}
                        onEnter={(v) => {
                            const r = rows.find((x) => x.label.toLowerCase().includes(v.toLowerCase()));
                            if (v && r) pick(r.i);
                        }}
                    />
                </span>
                <span class="grow" />
                <button onClick={() => saveSvg(document.querySelector(".plot svg")!)}>SVG</button>
                {has("stream") && <button onClick={() => go({ stream: null })}>All streams</button>}
            </div>
            <Wait answer={answer}>
                {(a) =>
                    !rows.length ? (
                        <Nothing what="No stream has any of it" />
                    ) : (
                        <div class="scroll streams">
                            <dl class="big" id="statistics">
                                {(
                                    [
                                        ["minimum", a.min],
                                        ["mean", a.mean],
                                        ["maximum", a.max],
                                        ["deviation", a.deviation],
                                    ] as const
                                ).map(([k, v]) => (
                                    <div key={k}>
                                        <dt>{k}</dt>
                                        <dd title={exact(v as number, unit.value)} data-stat={k} data-value={String(v)}>
                                            {human(v as number, unit.value)}
                                        </dd>
                                    </div>
                                ))}
                                <div>
                                    <dt title="maximum / mean - 1: what waiting for the slowest costs">imbalance</dt>
                                    <dd data-stat="imbalance" data-value={String(a.imbalance)}>
                                        {a.imbalance === null || a.imbalance === undefined ? "-" : percent(a.imbalance, 1)}
                                    </dd>
                                </div>
                                {outlier && (
                                    <div>
                                        <dt>most in</dt>
                                        <dd>
                                            <button class="plain link" onClick={() => pick(outlier.i)}>
                                                {outlier.label}
                                            </button>
                                        </dd>
                                    </div>
                                )}
                            </dl>
                            {as === "histogram" ? (
                                <Plot
                                    kind="bars"
                                    label="Histogram of streams"
                                    labels={bins.map((_, i) => human(low + i * wide, unit.value))}
                                    series={[{ name: "streams", values: bins }]}
                                    format={(v) => count(Math.round(v))}
                                />
                            ) : (
                                <Plot
                                    kind={rows.length > 60 || as === "plot" ? "points" : "bars"}
                                    label="Value by stream"
                                    unit={unit.value}
                                    labels={(as === "sorted" ? sorted : rows).map((r) => r.label)}
                                    series={[{ name: "total", values: (as === "sorted" ? sorted : rows).map((r) => r.v) }]}
                                    marked={outlier ? (as === "sorted" ? sorted : rows).indexOf(outlier) : -1}
                                    onPick={(i) => pick((as === "sorted" ? sorted : rows)[i]!.i)}
                                />
                            )}
                            <table class="plain-table" id="stream-list">
                                <thead>
                                    <tr>
                                        <th />
                                        <th>
                                            <button class="plain" onClick={() => go({ ssort: "name" })}>
                                                stream
                                            </button>
                                        </th>
                                        <th class="n">
                                            <button class="plain" onClick={() => go({ ssort: "value" })}>
                                                value
                                            </button>
                                        </th>
                                        <th class="n">of all</th>
                                        <th class="n">self</th>
                                    </tr>
                                </thead>
                                <tbody>
                                    {list.slice(0, 500).map((r) => (
                                        <tr key={r.i} data-stream={r.label} class={chosen.includes(String(r.i + 1)) ? "on" : ""}>
                                            <td>
                                                <Tick
                                                    label=""
                                                    title="add up with the others that are ticked"
                                                    on={chosen.includes(String(r.i + 1))}
                                                    onChange={(on) => tick(r.i, on)}
                                                />
                                            </td>
                                            <td class="name">
                                                <button class="plain" onClick={() => pick(r.i)} title="only this one">
                                                    {r.label}
                                                </button>
                                            </td>
                                            <td class="n bar">
                                                <i style={{ width: `${high ? (100 * r.v) / high : 0}%` }} />
                                                <span title={exact(r.v, unit.value)}>{human(r.v, unit.value)}</span>
                                            </td>
                                            <td class="n dim">{percent(r.v, sum)}</td>
                                            <td class="n">{human(r.self, unit.value)}</td>
                                        </tr>
                                    ))}
                                </tbody>
                            </table>
                            {list.length > 500 && <p class="dim">{count(list.length - 500)} more; type above to find them.</p>}
                        </div>
                    )
                }
            </Wait>
        </div>
    );
}
