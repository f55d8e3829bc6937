// The first rows of a table as a card: where the cost goes, at a glance.
import type { JSX } from "preact";
import { useApi } from "../core/client";
import { heatScale } from "../core/color";
import { figure, type Columns } from "../core/columns";
import { base, count, exact, human, percent, place } from "../core/format";
import { shownMetric, unit } from "../core/session";
import { open, selected } from "../core/state";
import { Nothing, shown, Wait } from "./parts";

interface Props {
    by: string;
    sort: string;
    title: string;
    match?: string;
    rows?: number;
    /** What a click on a function does; without it, its callers are shown. */
    pick?: (name: string, file: string) => void;
}
export function Top({ by, sort, title, match, rows = 10, pick }: Props): JSX.Element {
    const answer = useApi<Columns>("table", { by, sort, match, count: rows, metrics: shownMetric() });
    return (
        <section class="card top10">
            <h2>{title}</h2>
            <Wait answer={answer}>
                {(d) => {
                    const column = (sort === "total" && d.total) || d.self,
                        values = Array.from({ length: d.rows }, (_, r) => Number(figure(column, r, d.metrics.length) ?? 0)),
                        whole = d.metrics[0]?.total ?? 0,
                        heat = heatScale(values),
                        most = Math.max(...values, 1e-300);
                    if (!d.rows) return <Nothing />;
                    return (
                        <>
                            <table class="plain-table" data-top={`${by}-${sort}`}>
                                <tbody>
                                    {values.map((v, r) => {
                                        const name = d.names[d.name[r]]!,
                                            file = d.names[d.file[r]] ?? "",
                                            where = by === "function" ? place(file, d.line[r]) : "";
                                        return (
                                            <tr key={r} class={by === "function" && name === selected.value?.name ? "on" : ""}>
                                                <td class="n bar" data-heat={heat(v)}>
                                                    <i style={{ width: `${(100 * v) / most}%` }} />
                                                    <span title={exact(v, unit.value)}>{human(v, unit.value)}</span>
                                                </td>
                                                <td class="n dim">{percent(v, whole)}</td>
                                                <td class="name">
                                                    <button
                                                        class="plain"
                                                        title={name}
                                                        onClick={() =>
                                                            by !== "function"
                                                                ? open("table", { by, match: name })
                                                                : pick
                                                                  ? pick(name, file)
                                                                  : open("callers", { fn: name, ff: file, pick: null })
                                                        }
                                                    >
                                                        <bdi>{by === "function" ? shown(name) : base(name)}</bdi>
                                                    </button>{" "}
                                                    <span class="dim">{where}</span>
                                                </td>
                                            </tr>
                                        );
                                    })}
                                </tbody>
                            </table>
                            <p>
                                <button class="plain link" onClick={() => open("table", { by, sort: sort === "self" ? null : sort })}>
                                    {d.matching > d.rows ? `all ${count(d.matching)}` : "as a table"}
                                </button>
                            </p>
                        </>
                    );
                }}
            </Wait>
        </section>
    );
}
