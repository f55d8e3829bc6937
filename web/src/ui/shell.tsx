// The frame of the page: tabs, search, filters, warnings above; the screen; the selection at the side; a line below.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { bytes, cancel, connection, forget, get, useApi, waiting, type Ask } from "../core/client";
import { copy, save, toast, toasts } from "../core/copy";
import { count, human, percent, plural } from "../core/format";
import { shared, signal, useSignals } from "../core/live";
import { wrong } from "../core/match";
import { change, failure, input, loadSession, metric, other, overview, session, whyNot } from "../core/session";
import { exactly } from "../core/act";
import {
    addFilter,
    chips,
    FILTER_KINDS,
    dropFilter,
    go,
    goInput,
    has,
    open,
    param,
    resetFilters,
    screen,
    SCREENS,
    setMetric,
    theme,
    token,
    type Screen,
} from "../core/state";
import { dropMenu, Message, Pick, sentence, typed, type Item } from "./parts";

export const TITLES = Object.fromEntries(SCREENS.map((s) => [s, s[0]!.toUpperCase() + s.slice(1)])) as Record<Screen, string>;

/** What the screen says below: rows shown, and the line that prints the same. */
export const status = signal<{ text: string; command: string }>({ text: "", command: "" });
export function useStatus(text: string, command = ""): void {
    useEffect(() => {
        status.value = { text, command };
    }, [text, command]);
}

export const dialog = shared<"" | "help" | "palette" | "open">("");

function Tabs(): JSX.Element {
    return (
        <nav aria-label="Screens" class="tabs">
            {SCREENS.map((s, i) => {
                const why = s === "overview" || s === "problems" || (s === "compare" && (session.value?.inputs.length ?? 0) > 1) ? "" : whyNot(s);
                return (
                    <button
                        key={s}
                        data-tab={s}
                        aria-current={screen.value === s ? "page" : undefined}
                        class={why ? "lacks" : ""}
                        title={why ? sentence(why) : i < 9 ? `${TITLES[s]} (${i + 1})` : TITLES[s]}
                        onClick={() => open(s)}
                    >
                        {TITLES[s]}
                    </button>
                );
            })}
        </nav>
    );
}

function Metrics(): JSX.Element | null {
    const o = overview.value;
    if (!o || !o.info.metrics.length) return null;
    const list = o.info.metrics.map((m) => ({ value: m.name, label: m.name })),
        now = metric.value;
    if (now && !list.some((m) => m.value === now)) list.unshift({ value: now, label: now });
    return <Pick label="Metric" hidden value={now} options={list} onChange={(v) => setMetric(v === o.metric && !has("metric") ? "" : v)} />;
}

interface Found {
    matching: number;
    matched?: number | null;
    metrics: { total: number }[];
}
function Search(): JSX.Element {
    const q = param("q"),
        bad = wrong(q),
        ref = useRef<HTMLInputElement>(null),
        timer = useRef(0);
    const found = useApi<Found & Record<string, unknown>>(q && !bad && overview.value && !whyNot("table") ? "search" : null, { q });
    const share = found.data?.matched,
        says = !q
            ? ""
            : bad
              ? bad
              : found.error
                ? found.error.message
                : found.data
                  ? `${plural(found.data.matching, "function")}${share === undefined || share === null ? "" : `, ${percent(share, found.data.metrics[0]?.total)}`}`
                  : "";
    return (
        <div class="search" role="search">
            <input
                id="search"
                ref={ref}
                type="search"
                placeholder="Find name or /regex/"
                aria-label="Search functions"
                value={typed(ref.current, q)}
                spellcheck={false}
                aria-invalid={Boolean(bad)}
                onInput={(e) => {
                    const v = e.currentTarget.value;
                    clearTimeout(timer.current);
                    timer.current = window.setTimeout(() => go({ q: v, match: null }, true), 120);
                }}
                onKeyDown={(e) => {
                    if (e.key === "Enter") {
                        go({ q: e.currentTarget.value }, true);
                        dispatchEvent(new CustomEvent("assay-match", { detail: e.shiftKey ? -1 : 1 }));
                    }
                    if (e.key === "Escape") {
                        if (e.currentTarget.value) go({ q: null }, true);
                        e.currentTarget.value = "";
                        e.currentTarget.blur();
                    }
                }}
            />
            <span class={`found ${bad ? "error" : "dim"}`} role="status" aria-live="polite" id="found">
                {says}
            </span>
            {q && !bad && (
                <button
                    class="plain"
                    title="Only stacks with a match"
                    onClick={() => {
                        addFilter("focus", q.startsWith("/") ? q.replace(/^\/|\/$/g, "") : `(?i)${q.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`);
                        go({ q: null }, true);
                    }}
                >
                    filter
                </button>
            )}
        </div>
    );
}

function Inputs(): JSX.Element | null {
    const s = session.value;
    if (!s) return null;
    const many = s.inputs.length > 1,
        list = s.inputs.map((i) => ({ value: String(i.id), label: i.name }));
    return (
        <span class="inputs">
            {many && (
                <Pick
                    label="A"
                    value={param("a", String(s.a))}
                    options={[
                        ...list,
                        ...(s.inputs.length < 9 && !s.exported
                            ? [{ value: s.inputs.map((i) => i.id).join(","), label: `all ${s.inputs.length} merged` }]
                            : []),
                    ]}
                    onChange={(v) => goInput({ a: v })}
                />
            )}
            {many && (
                <Pick
                    label="B"
                    value={param("b")}
                    options={["=compare with...", ...list]}
                    onChange={(v) => goInput({ a: param("a", String(s.a)), b: v })}
                />
            )}
            {other.value && (
                <button title="Swap A and B (x)" onClick={swap}>
                    ⇄
                </button>
            )}
        </span>
    );
}
export const swap = (): void => {
    if (has("b")) goInput({ a: param("b"), b: param("a", String(session.value?.a ?? 1)) });
};

function AddFilter(): JSX.Element {
    const [kind, setKind] = useState(""),
        hint = FILTER_KINDS.find(([k]) => k === kind);
    if (!kind)
        return (
            <button
                class="add"
                onClick={(e) =>
                    dropMenu(
                        e,
                        "Add a filter",
                        FILTER_KINDS.map(([k, label, what]): Item => ({ label: `${label}: ${what}`, run: () => setKind(k) })),
                    )
                }
            >
                + filter
            </button>
        );
    return (
        <form
            class="adding"
            onSubmit={(e) => {
                e.preventDefault();
                const v = new FormData(e.currentTarget).get("v") as string;
                if (v) addFilter(kind, v);
                setKind("");
            }}
        >
            <label>
                {hint![1]}{" "}
                <input
                    name="v"
                    autofocus
                    ref={(el) => el?.focus()}
                    placeholder={hint![2]}
                    aria-label={`${hint![1]}: ${hint![2]}`}
                    onKeyDown={(e) => {
                        if (e.key === "Escape") {
                            e.stopPropagation();
                            setKind("");
                        }
                    }}
                />
            </label>
            <button>Add</button>
            <button type="button" class="plain" onClick={() => setKind("")}>
                Cancel
            </button>
        </form>
    );
}

const READABLE: Record<string, string> = { min: "at least" };
function Chips(): JSX.Element {
    const o = overview.value,
        m = o?.info.metrics.find((x) => x.name === metric.value),
        whole = (o?.info as unknown as { whole?: number } | undefined)?.whole;
    return (
        <div class="chips" role="group" aria-label="Filters">
            {chips.value.map(([k, v]) => (
                <span class="chip" key={`${k}=${v}`} data-chip={`${k}=${v}`}>
                    <b>{READABLE[k] ?? k}</b>{" "}
                    <code>
                        {v.replace(/^\^(.*)\$$/, "$1").replace(/\\(.)/g, "$1")}
                        {k === "min" ? " %" : ""}
                    </code>
                    <button aria-label={`Remove the filter ${k} ${v}`} onClick={() => dropFilter(k, v)}>
                        ×
                    </button>
                </span>
            ))}
            <AddFilter />
            {chips.value.length > 1 && (
                <button class="plain" onClick={resetFilters}>
                    reset
                </button>
            )}
            <span class="grow" />
            {m && (
                <span class="whole" title={`${m.name}: ${count(m.total)}`}>
                    {(o!.problems.errors > 0 ? "at least " : "") + human(m.total, m.unit)}
                    {whole !== undefined && whole !== m.total ? ` (${percent(m.total, whole)} of ${human(whole, m.unit)})` : ""}{" "}
                    <span class="dim">{m.name}</span>
                </span>
            )}
        </div>
    );
}

function Strips(): JSX.Element {
    const o = overview.value,
        i = input.value,
        s = session.value,
        list: JSX.Element[] = [];
    const reading = s?.inputs.filter((x) => x.state === "reading") ?? [];
    if (connection.value === "lost")
        list.push(
            <div class="strip old" role="alert" key="lost">
                No connection to assay. What you see was read before it ended.{" "}
                <button
                    onClick={() => {
                        connection.value = "";
                        forget();
                        void loadSession();
                    }}
                >
                    Retry
                </button>
            </div>,
        );
    if (i?.changed)
        list.push(
            <div class="strip old" role="status" key="changed">
                {i.name} has changed on disk. <button onClick={() => void change(`reload?a=${i.id}`)}>Reload</button>
            </div>,
        );
    if (reading.length)
        list.push(
            <div class="strip" role="status" key="reading">
                Reading {reading.map((x) => x.name).join(", ")}{" "}
                <progress max={1} value={reading[0]!.total ? reading[0]!.done / reading[0]!.total : 0} />
            </div>,
        );
    if (s?.left_out)
        list.push(
            <div class="strip" role="status" key="left">
                {sentence(s.left_out)}
            </div>,
        );
    if (o && o.problems.errors + o.problems.warnings > 0) {
        const first = o.info.warnings?.[0];
        list.push(
            <div class="strip warn" role="status" key="warn" id="warnings">
                <b>
                    !{" "}
                    {[o.problems.errors && plural(o.problems.errors, "error"), o.problems.warnings && plural(o.problems.warnings, "warning")]
                        .filter(Boolean)
                        .join(", ")}
                </b>
                <span class="cut">{first ? first.message : ""}</span>
                <span class="grow" />
                {screen.value !== "problems" && (
                    <button class="plain" onClick={() => open("problems")}>
                        Show
                    </button>
                )}
            </div>,
        );
    }
    return <>{list}</>;
}

const THEMES = ["system", "light", "dark"];
export const nextTheme = (): void => {
    theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % 3]!;
    toast(`theme: ${theme.value === "system" ? "as the system" : theme.value}`);
};

/** An answer as a file. */
export const saveAs = (route: string, ask: Ask, kind: string): Promise<void> =>
    bytes(route, ask).then(
        (b) => save(b, `${input.value?.name ?? "assay"}.${kind}`),
        (e: Error) => toast(e.message, true),
    );

/** A drawing as a file. */
export function saveSvg(svg: Element): void {
    const made = svg.cloneNode(true) as Element;
    for (const [k, v] of Object.entries({ xmlns: "http://www.w3.org/2000/svg", "font-family": "system-ui, sans-serif", "font-size": "12" }))
        made.setAttribute(k, v);
    save(new Blob([made.outerHTML], { type: "image/svg+xml" }), `${input.value?.name ?? "assay"}.svg`);
}

function Loading(): JSX.Element {
    useSignals([waiting]);
    const on = waiting.value > 0,
        [long, setLong] = useState(false);
    useEffect(() => {
        setLong(false);
        const t = on ? setTimeout(() => setLong(true), 1000) : 0;
        return () => clearTimeout(t);
    }, [on]);
    return (
        <>
            <div class={`loading ${on ? "on" : ""}`} role="progressbar" aria-label="waiting for an answer" aria-hidden={!on} />
            {on && long && (
                <div class="strip" role="status">
                    Working...{" "}
                    <button id="cancel" onClick={cancel}>
                        Cancel
                    </button>
                </div>
            )}
        </>
    );
}

export function Header(): JSX.Element {
    const i = input.value;
    return (
        <header class="top">
            <div class="topbar">
                <a
                    class="brand"
                    href="#"
                    onClick={(e) => {
                        e.preventDefault();
                        open("overview");
                    }}
                >
                    assay
                </a>
                <button
                    class="plain file"
                    title={i ? `${i.path}: open another file (Ctrl+O)` : "Open a file"}
                    onClick={() => {
                        dialog.value = "open";
                    }}
                >
                    {i?.name ?? "no file"}
                    {other.value ? ` ⇄ ${other.value.name}` : ""} ▾
                </button>
                <Tabs />
                <span class="grow" />
                <button
                    class="icon"
                    aria-label="Commands (Ctrl+K)"
                    title="Commands (Ctrl+K)"
                    onClick={() => {
                        dialog.value = "palette";
                    }}
                >
                    ⌘
                </button>
                <button class="icon" aria-label={`Theme: ${theme.value}`} title={`Theme: ${theme.value}`} onClick={nextTheme}>
                    {theme.value === "dark" ? "☾" : theme.value === "light" ? "☀" : "◐"}
                </button>
                <button
                    class="icon"
                    aria-label="Keys (?)"
                    title="Keys (?)"
                    onClick={() => {
                        dialog.value = "help";
                    }}
                >
                    ?
                </button>
            </div>
            <div class="topbar two">
                <Metrics />
                <Search />
                <Inputs />
            </div>
            <Chips />
            <Strips />
            <Loading />
        </header>
    );
}

export function Footer(): JSX.Element {
    useSignals([status]);
    const s = status.value;
    return (
        <footer class="foot">
            <span class="cut">{s.text}</span>
            <span class="grow" />
            <button class="plain" id="copy-link" title="Copy the address of this page" onClick={() => void link()}>
                copy link
            </button>
            {s.command && (
                <button
                    class="plain"
                    id="copy-command"
                    title={s.command}
                    data-command={s.command}
                    onClick={() => void copy(s.command, "copied the command")}
                >
                    copy as command
                </button>
            )}
        </footer>
    );
}
/** The address with the secret in it: without, another tab could not ask the server. */
const link = async (): Promise<void> => {
    const here = location.href.replace(/#.*/, ""),
        rest = location.hash.slice(1);
    await copy(`${here}#${token.value ? `t=${token.value}&` : ""}${rest}`, "copied the link");
};

export const Toasts = (): JSX.Element => (
    <div class="toasts" role="status" aria-live="polite">
        {toasts.value.map((t) => (
            <div key={t.id} class={t.bad ? "bad" : ""}>
                {t.text}
            </div>
        ))}
    </div>
);

export function NoAnswer(): JSX.Element | null {
    const f = failure.value;
    if (connection.value === "token")
        return (
            <Message title="This tab has no key" tone="bad">
                <p>Open the address that assay printed, or paste it here:</p>
                <form
                    onSubmit={(e) => {
                        e.preventDefault();
                        const v = new FormData(e.currentTarget).get("t") as string,
                            t = /t=([^&]+)/.exec(v)?.[1] ?? v;
                        location.hash = `t=${t}`;
                        location.reload();
                    }}
                >
                    <input name="t" aria-label="address or key" /> <button>Open</button>
                </form>
            </Message>
        );
    if (!f || overview.value) return null;
    return (
        <Message title={input.value ? `${input.value.name} cannot be shown` : "No answer"} tone="bad">
            <p class="sentence">{sentence(f.message)}</p>
            <p>
                <button
                    onClick={() => {
                        forget();
                        void loadSession();
                    }}
                >
                    Retry
                </button>{" "}
                <button
                    onClick={() => {
                        dialog.value = "open";
                    }}
                >
                    Open another file
                </button>
            </p>
        </Message>
    );
}

/** The function behind a name: its number, for the routes that want one. */
export async function functionId(name: string, file: string): Promise<number> {
    const found = await get("search", { q: `/${exactly(name)}/`, names: 1 });
    for (let i = 0; i < found.rows; i++)
        if (found.names[found.name[i]] === name && (!file || !found.file || found.names[found.file[i]] === file)) return found.func[i];
    return found.rows ? found.func[0] : 0;
}
