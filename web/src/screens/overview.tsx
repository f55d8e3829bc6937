// The first screen: what the file is, what it has in total, where the cost goes, what is wrong with it, and what it cannot show.
import type { JSX } from "preact";
import { useApi } from "../core/client";
import type { Columns } from "../core/columns";
import { base, count, counted, exact, human, percent, plural, rate } from "../core/format";
import { hueOf } from "../core/color";
import { input, metric, other, overview, program, session, type Overview as Data } from "../core/session";
import { go, open } from "../core/state";
import { FlameChart } from "../flame/chart";
import { sentence, Wait } from "../ui/parts";
import { TITLES, useStatus } from "../ui/shell";
import { Top } from "../ui/top";

const list = (v: unknown): string => (Array.isArray(v) ? [...new Set(v)].join(", ") : String(v));
const HIDDEN = /^(cmd|command|version|creator|events|positions|summary|totals|part)$/;

function Facts({ o }: { o: Data }): JSX.Element {
    const { info } = o,
        i = input.value,
        attributes = Object.entries(info.attributes ?? {}).filter(([k]) => !HIDDEN.test(k));
    const facts: [string, string][] = [
        ["file", info.path],
        ["format", `${info.format}${info.version ? ` ${info.version}` : ""}`],
        ["written by", info.producer ?? ""],
        ["command", list(program(o))],
        ["size", i?.size ? human(i.size, "bytes") : ""],
    ];
    return (
        <section class="card">
            <h2>File</h2>
            <dl class="facts">
                {facts
                    .filter(([, v]) => v)
                    .map(([k, v]) => (
                        <>
                            <dt>{k}</dt>
                            <dd>{v}</dd>
                        </>
                    ))}
            </dl>
            {attributes.length > 0 && (
                <details>
                    <summary>{count(attributes.length)} more from the file</summary>
                    <dl class="facts">
                        {attributes.slice(0, 200).map(([k, v]) => (
                            <>
                                <dt>{k}</dt>
                                <dd>{list(v)}</dd>
                            </>
                        ))}
                    </dl>
                </details>
            )}
        </section>
    );
}

function Totals({ o }: { o: Data }): JSX.Element | null {
    const all = o.info.metrics;
    if (!all.length) return null;
    return (
        <section class="card">
            <h2>Totals</h2>
            <table class="plain-table">
                <tbody>
                    {all.slice(0, 40).map((m) => (
                        <tr key={m.name} class={m.name === metric.value ? "on" : ""} data-metric={m.name}>
                            <td>
                                <button class="plain" onClick={() => go({ metric: m.name })}>
                                    {m.name}
                                </button>
                                {o.problems.errors > 0 && (
                                    <a
                                        href="#"
                                        class="touched"
                                        title="errors were found in this file: the figure may be too small"
                                        aria-label="see Problems"
                                        onClick={(e) => {
                                            e.preventDefault();
                                            open("problems");
                                        }}
                                    >
                                        !
                                    </a>
                                )}
                            </td>
                            <td class="n" title={exact(m.total, m.unit)}>
                                {o.problems.errors > 0 ? "at least " : ""}
                                {human(m.total, m.unit)}
                            </td>
                        </tr>
                    ))}
                </tbody>
            </table>
        </section>
    );
}

/** Kinds of functions as a bar, where the format tells them apart. */
function Kinds({ o }: { o: Data }): JSX.Element | null {
    const list = o.kinds ?? [],
        all = list.reduce((x, k) => x + k.self, 0),
        parts = list.map((k) => ({ ...k, share: percent(k.self, all), hue: { "--hue": String(hueOf(k.name)) } }));
    if (parts.length < 2) return null;
    return (
        <section class="card">
            <h2>Kinds of functions, by self</h2>
            <div class="kinds" role="img" aria-label={parts.map((k) => `${k.name} ${k.share}`).join(", ")}>
                {parts.map((k) => (
                    <span key={k.name} style={{ width: k.share, ...k.hue }} title={`${k.name} ${k.share}`} />
                ))}
            </div>
            <p class="legend">
                {parts.map((k) => (
                    <span key={k.name} data-kind={k.name}>
                        <i style={k.hue} />
                        {k.name} {k.share}
                    </span>
                ))}
            </p>
        </section>
    );
}

function CoverageTotals({ o }: { o: Data }): JSX.Element | null {
    const works = o.screens.find((s) => s.name === "coverage")?.ok,
        answer = useApi<Columns>(works ? "coverage" : null, { by: "file", count: 1 });
    if (!works) return null;
    return (
        <section class="card">
            <h2>Coverage</h2>
            <Wait answer={answer}>
                {(d) => (
                    <table class="plain-table rates" data-rates>
                        <tbody>
                            {["lines", "functions", "branches", "conditions"].map((what) => {
                                const all = Number((d.whole as any)?.[what] ?? 0),
                                    hit = Number((d.whole as any)?.[`${what}_hit`] ?? 0);
                                return (
                                    all > 0 && (
                                        <tr key={what}>
                                            <td>{what}</td>
                                            <td class="meter">
                                                <i style={{ width: `${(100 * hit) / all}%` }} />
                                            </td>
                                            <td class="n">
                                                <b>{rate(hit, all)}</b>
                                            </td>
                                            <td class="n dim">
                                                {count(hit)} of {count(all)}
                                            </td>
                                        </tr>
                                    )
                                );
                            })}
                        </tbody>
                    </table>
                )}
            </Wait>
            <p>
                <button class="plain link" onClick={() => open("coverage")}>
                    files and folders
                </button>
            </p>
        </section>
    );
}

function StreamList({ o }: { o: Data }): JSX.Element | null {
    const all = o.info.streams ?? [],
        n = o.info.counts.streams ?? o.info.counts.parts ?? all.length;
    if (n < 2 || !all.length) return null;
    return (
        <section class="card">
            <h2>{count(n)} streams</h2>
            <p class="dim">All are added up unless some are chosen.</p>
            <p>
                <button class="plain link" onClick={() => open("streams")}>
                    compare them
                </button>
            </p>
        </section>
    );
}

export function Overview(): JSX.Element {
    const o = overview.value!,
        can = (name: string): boolean => o.screens.find((s) => s.name === name)?.ok ?? false,
        m = o.info.metrics.find((x) => x.name === metric.value),
        lacks = o.screens.filter((s) => !s.ok && s.name in TITLES && !(s.name === "compare" && (session.value?.inputs.length ?? 0) > 1));
    useStatus(
        `${o.info.format}${o.listed ? `, ${o.shown === o.listed ? "" : `${count(o.shown)} of `}${plural(o.listed, "function")}` : ""}`,
        o.command,
    );
    return (
        <div class="scroll overview">
            <div class="headline">
                <div class="number" title={m ? exact(m.total, m.unit) : ""}>
                    {m ? (o.problems.errors > 0 ? "at least " : "") + human(m.total, m.unit) : base(o.info.path)}
                </div>
                <div class="dim">
                    {m ? `${m.name} in ${list(program(o)) || base(o.info.path)}` : o.info.format}
                    {other.value ? `, compared with ${other.value.name}` : ""}
                </div>
                <ul class="counts">
                    {Object.entries(o.info.counts)
                        .filter(([, v]) => v)
                        .slice(0, 12)
                        .map(([k, v]) => (
                            <li key={k}>
                                <b title={count(v)}>{human(v)}</b> <span>{counted(v, k.replace(/_/g, " "))}</span>
                            </li>
                        ))}
                </ul>
            </div>
            {can("flame") && (
                <section class="card wide small-flame">
                    <h2>Where it goes</h2>
                    <FlameChart ask={{ view: "top-down", order: "heavy" }} height={190} small onOpen={() => open("flame")} />
                </section>
            )}
            <div class="cards">
                {can("table") && <Top by="function" sort="self" title="Functions by self" />}
                {can("table") && <Top by="function" sort="total" title="Functions by total" />}
                <CoverageTotals o={o} />
                {can("table") && o.info.counts.files !== 0 && !can("coverage") && <Top by="file" sort="self" title="Files by self" />}
                {can("table") && (o.info.counts.modules ?? 0) > 1 && <Top by="module" sort="self" title="Modules by self" />}
                <Kinds o={o} />
                <StreamList o={o} />
                <Totals o={o} />
                <Facts o={o} />
                {lacks.length > 0 && (
                    <section class="card" id="lacks">
                        <h2>What this file cannot show</h2>
                        <dl class="facts">
                            {lacks.map((s) => (
                                <>
                                    <dt>{TITLES[s.name as keyof typeof TITLES]}</dt>
                                    <dd>{sentence(s.why || "no data for it")}</dd>
                                </>
                            ))}
                        </dl>
                    </section>
                )}
            </div>
        </div>
    );
}
