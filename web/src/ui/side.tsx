// The panel of the selection: this context, all contexts of the function, its stack, and what can be done.
import type { JSX } from "preact";
import { acts, menuOf } from "../core/act";
import { useApi } from "../core/client";
import { figure, type Columns } from "../core/columns";
import { exact, human, percent, place, plural } from "../core/format";
import { metric, overview } from "../core/session";
import { param, screen, select, selected, setting } from "../core/state";
import type { Context } from "../flame/chart";
import { escapeRegex } from "../core/match";
import { dragging, dropMenu, shown } from "./parts";
import { Top } from "./top";

const width = setting("side", "280"),
    shut = setting("side-shut", "");

function Splitter(): JSX.Element {
    const down = (e: PointerEvent): void => {
        const from = e.clientX,
            was = Number(width.value);
        dragging((m) => {
            width.value = String(Math.max(200, Math.min(480, was + from - m.clientX)));
        });
    };
    return (
        <div
            class="splitter"
            role="separator"
            aria-orientation="vertical"
            aria-label="Width of the panel"
            tabIndex={0}
            aria-valuenow={Number(width.value)}
            aria-valuemin={200}
            aria-valuemax={480}
            onPointerDown={down}
            onDblClick={() => {
                shut.value = "1";
            }}
            onKeyDown={(e) => {
                const step = e.key === "ArrowLeft" ? 20 : e.key === "ArrowRight" ? -20 : 0;
                if (step) {
                    e.preventDefault();
                    width.value = String(Math.max(200, Math.min(480, Number(width.value) + step)));
                }
            }}
        />
    );
}

function Selection({ name, file }: { name: string; file: string }): JSX.Element {
    const id = Number(param("id")),
        onFlame = screen.value === "flame" && param("view") !== "butterfly",
        context = useApi<Context>(onFlame && id ? "context" : null, { view: param("view", "top-down"), id });
    const all = useApi<Columns>("table", { by: "function", match: `/^${escapeRegex(name).replace(/\\\//g, "/")}$/`, count: 20 }),
        d = all.data;
    let r = 0;
    if (d)
        for (let k = 0; k < d.rows; k++)
            if (d.names[d.name[k]] === name && (!file || d.names[d.file[k]] === file)) {
                r = k;
                break;
            }
    const m = d?.metrics.length ?? 0,
        has = d && d.rows > 0,
        at = has ? (d.names[d.file[r]] ?? "") : file,
        line = has ? d.line[r] : 0,
        module = has ? (d.names[d.module[r]] ?? "") : "",
        c = context.data,
        t = { name, file: at, line, module };
    return (
        <>
            <h2 class="fn">
                <bdi>{shown(name)}</bdi>
            </h2>
            <p class="dim small">
                {at ? (
                    <button class="plain link" title={at} onClick={() => acts.source(t)}>
                        {place(at, line)}
                    </button>
                ) : (
                    "place not recorded"
                )}
                {module ? ` [${module.replace(/^.*\//, "")}]` : ""}
            </p>
            {c?.figures && (
                <section>
                    <h3>This context</h3>
                    <dl class="figures">
                        {c.figures.slice(0, 12).map((f) => (
                            <>
                                <dt>{f.metric}</dt>
                                <dd title={`${exact(f.self, f.unit)} self, ${exact(f.total, f.unit)} total`}>
                                    <span>{human(f.self, f.unit)}</span>
                                    <span>{human(f.total, f.unit)}</span>
                                    <span class="dim">
                                        {f.metric === metric.value
                                            ? percent(f.total, overview.value!.info.metrics.find((x) => x.name === f.metric)?.total)
                                            : ""}
                                    </span>
                                </dd>
                            </>
                        ))}
                    </dl>
                    {c.calls ? <p class="small">{plural(c.calls, "call")}</p> : null}
                </section>
            )}
            {has && (
                <section id="all-contexts">
                    <h3>The function, everywhere</h3>
                    <div class="heads">
                        <span>self</span>
                        <span>total</span>
                        <span>of all</span>
                    </div>
                    <dl class="figures">
                        {d.metrics.slice(0, 12).map((x, k) => (
                            <>
                                <dt>{x.name}</dt>
                                <dd title={`${exact(figure(d.self, r, m, k), x.unit)} self, ${exact(figure(d.total, r, m, k), x.unit)} total`}>
                                    <span>{human(figure(d.self, r, m, k), x.unit)}</span>
                                    <span>{human(figure(d.total, r, m, k), x.unit)}</span>
                                    <span class="dim">{percent(figure(d.total ?? d.self, r, m, k), x.total)}</span>
                                </dd>
                            </>
                        ))}
                    </dl>
                    {d.calls && Number(d.calls[r]) > 0 && <p class="small">{plural(d.calls[r], "call")}</p>}
                </section>
            )}
            <p class="row">
                <button onClick={() => acts.focus(t)}>Focus</button>
                <button onClick={() => acts.callers(t)}>Callers</button>
                <button onClick={(e) => dropMenu(e, name, menuOf(t))} aria-label="More actions">
                    More ▾
                </button>
            </p>
            {c?.stack && c.stack.length > 1 && (
                <section>
                    <h3>Stack</h3>
                    <ol class="stack">
                        {[...c.stack].reverse().map((f, i) => (
                            <li key={i}>
                                <button
                                    class="plain"
                                    aria-current={f.id === id ? "true" : undefined}
                                    title={f.name}
                                    onClick={() => select(f.name, "", { id: f.id }, true)}
                                >
                                    <bdi>{shown(f.name)}</bdi>
                                </button>
                            </li>
                        ))}
                    </ol>
                </section>
            )}
        </>
    );
}

export function Side(): JSX.Element {
    const s = selected.value;
    if (shut.value)
        return (
            <button
                class="side-open"
                aria-label="Open the panel"
                title="Open the panel"
                onClick={() => {
                    shut.value = "";
                }}
            >
                ‹
            </button>
        );
    return (
        <>
            <Splitter />
            <aside aria-label="Selection" style={{ width: `${width.value}px` }} data-scroll>
                <button
                    class="plain close"
                    aria-label="Close the panel"
                    onClick={() => {
                        shut.value = "1";
                    }}
                >
                    ×
                </button>
                {s ? <Selection name={s.name} file={s.file} /> : <p class="dim">Select a function to see its figures.</p>}
                {screen.value !== "table" && (
                    <Top by="function" sort="self" title="Functions by self" pick={(name, file) => select(name, file, { id: null })} />
                )}
            </aside>
        </>
    );
}
