// What check found in the file, with the bytes around each place.
import type { JSX } from "preact";
import { useApi } from "../core/client";
import { figure, type Columns } from "../core/columns";
import { count, percent, plural } from "../core/format";
import { rowKeys, useCommands } from "../core/keys";
import { input, shownMetric, whyNot } from "../core/session";
import { go, has, param } from "../core/state";
import { Message, sentence, Wait } from "../ui/parts";
import { useStatus } from "../ui/shell";

interface Finding {
    rule: string;
    severity: string;
    message: string;
    offset?: number;
    line?: number;
    count?: number;
}
interface Data {
    files: { path: string; format: string; ok: boolean; errors: number; warnings: number; findings: Finding[] }[];
    command?: string;
}
interface Bytes {
    offset: number;
    size: number;
    at: number;
    hex: string;
    first?: number;
    lines?: string[];
}

function Dump({ b, offset }: { b: Bytes; offset: number | null }): JSX.Element {
    const bytes = b.hex?.match(/../g) ?? [],
        rows: string[][] = [];
    for (let i = 0; i < bytes.length; i += 16) rows.push(bytes.slice(i, i + 16));
    if (b.lines?.length)
        return (
            <pre class="hex" aria-label="lines around the place">
                {b.lines.map((l, i) => {
                    const n = b.first! + i,
                        text = l;
                    return (
                        <div key={i} class={n === Number(param("fl")) ? "on" : ""}>
                            <span class="dim">{String(n).padStart(8)} </span>
                            {text}
                        </div>
                    );
                })}
            </pre>
        );
    return (
        <pre class="hex" aria-label="bytes around the place">
            {rows.map((row, i) => {
                const at = b.at + 16 * i;
                return (
                    <div key={i}>
                        <span class="dim">{at.toString(16).padStart(8, "0")} </span>
                        {row.map((h, k) => (
                            <span key={k} class={at + k === offset ? "on" : ""} data-marked={at + k === offset ? "" : undefined}>
                                {h}
                                {k === 7 ? "  " : " "}
                            </span>
                        ))}
                        {" ".repeat((16 - row.length) * 3)}{" "}
                        <span class="dim">
                            {row
                                .map((h) => {
                                    const c = parseInt(h, 16);
                                    return c >= 32 && c < 127 ? String.fromCharCode(c) : ".";
                                })
                                .join("")}
                        </span>
                    </div>
                );
            })}
        </pre>
    );
}

/** How much of the cost is in code without names, by module. */
function Nameless(): JSX.Element | null {
    const d = useApi<Columns>(whyNot("callers") ? null : "table", {
            match: "/^<unknown|^0x|\\+0x[0-9a-f]+$/",
            count: 1000,
            metrics: shownMetric(),
        }).data,
        sums = new Map<string, number>();
    for (let r = 0; d && r < d.rows; r++) {
        const m = d.names[d.module[r]] || "no module";
        sums.set(m, (sums.get(m) ?? 0) + Number(figure(d.self, r, d.metrics.length) ?? 0));
    }
    const list = [...sums].filter(([, v]) => v).sort((x, y) => y[1] - x[1]);
    if (!list.length) return null;
    return (
        <section class="card" id="nameless">
            <h2>Cost without names</h2>
            <table class="plain-table">
                <tbody>
                    {list.slice(0, 30).map(([m, v]) => (
                        <tr key={m}>
                            <td class="n">{percent(v, d!.metrics[0]?.total)}</td>
                            <td class="name">{m}</td>
                        </tr>
                    ))}
                </tbody>
            </table>
        </section>
    );
}

export function Problems(): JSX.Element {
    const answer = useApi<Data>("problems"),
        file = answer.data?.files[0],
        at = has("fo") ? Number(param("fo")) : null,
        line = has("fl") ? Number(param("fl")) : null,
        row = Number(param("f", "-1"));
    const bytes = useApi<Bytes>(
        at !== null || line !== null ? "bytes" : null,
        { a: input.value?.id, offset: line === null ? at : null, line },
        false,
    );
    const choose = (i: number): void => {
        const f = file?.findings[i];
        if (f) go({ f: i, fo: f.offset ?? null, fl: f.line ?? null }, true);
    };
    useCommands("Problems", rowKeys(row, file?.findings.length ?? 0, choose));
    useStatus(file ? `${plural(file.errors, "error")}, ${plural(file.warnings, "warning")}` : "", answer.data?.command);
    return (
        <Wait answer={answer}>
            {() =>
                !file || !file.findings.length ? (
                    <Message title="Nothing was found">
                        <p class="sentence">{file ? `${input.value?.name} is a complete ${file.format} file as far as assay can tell.` : ""}</p>
                        <Nameless />
                    </Message>
                ) : (
                    <div class="split">
                        <div class="scroll">
                            <table class="plain-table findings">
                                <thead>
                                    <tr>
                                        <th>rule</th>
                                        <th>severity</th>
                                        <th class="n">where</th>
                                        <th>what</th>
                                    </tr>
                                </thead>
                                <tbody>
                                    {file.findings.map((f, i) => (
                                        <tr key={i} data-finding={f.rule} class={i === row ? "on" : ""} onClick={() => choose(i)}>
                                            <td>
                                                <code>{f.rule}</code>
                                            </td>
                                            <td class={f.severity === "error" ? "error" : f.severity === "warning" ? "warning" : "dim"}>
                                                {f.severity}
                                            </td>
                                            <td class="n">
                                                <button class="plain link" onClick={() => choose(i)}>
                                                    {f.line !== undefined
                                                        ? `line ${count(f.line)}`
                                                        : f.offset !== undefined
                                                          ? `byte ${count(f.offset)}`
                                                          : "the file"}
                                                </button>
                                            </td>
                                            <td class="what">
                                                {sentence(f.message)}
                                                {f.count && f.count > 1 ? <span class="dim"> {count(f.count)} times</span> : null}
                                            </td>
                                        </tr>
                                    ))}
                                </tbody>
                            </table>
                            <Nameless />
                        </div>
                        {row >= 0 &&
                            (bytes.error ? (
                                <p class="note">{sentence(bytes.error.message)}</p>
                            ) : bytes.data ? (
                                <Dump b={bytes.data} offset={at} />
                            ) : null)}
                    </div>
                )
            }
        </Wait>
    );
}
