// The page of assay view. State: core/state.ts (the address); data: core/client.ts; screens: screens/.
import "./order";
import "./style/base.css";
import "./style/shell.css";
import "./style/screens.css";
import { Component, render, type ComponentChildren, type JSX } from "preact";
import { selectionCommands } from "./core/act";
import type { Refusal } from "./core/client";
import { copy } from "./core/copy";
import { listen, pageCommands, type Command } from "./core/keys";
import { effect, useSignals } from "./core/live";
import { metric, overview, session, start, whyNot } from "./core/session";
import { go, goInput, has, isDark, open, param, resetFilters, screen, SCREENS, type Screen } from "./core/state";
import { Callers } from "./screens/callers";
import { Compare } from "./screens/compare";
import { Coverage } from "./screens/coverage";
import { Flame } from "./screens/flame";
import { Overview } from "./screens/overview";
import { Problems } from "./screens/problems";
import { Source } from "./screens/source";
import { Streams } from "./screens/streams";
import { Table } from "./screens/table";
import { Timeline } from "./screens/timeline";
import { Tree } from "./screens/tree";
import { Dialogs, openFile } from "./ui/dialogs";
import { Blocks, Failed, Menu, Message, sentence, tip, Tip } from "./ui/parts";
import { dialog, Footer, Header, nextTheme, NoAnswer, status, swap, TITLES, Toasts } from "./ui/shell";
import { Side } from "./ui/side";

const VIEWS: Record<Screen, () => JSX.Element> = {
    overview: Overview,
    flame: Flame,
    table: Table,
    tree: Tree,
    callers: Callers,
    source: Source,
    timeline: Timeline,
    streams: Streams,
    compare: Compare,
    coverage: Coverage,
    problems: Problems,
};
const WITH_SIDE: Screen[] = ["flame", "tree", "table"];
/** Screens that say themselves what is missing, because something can be done about it there. */
const ALWAYS: Screen[] = ["overview", "problems", "compare"];

/** A mistake in one screen is said there; the others go on. */
class Guard extends Component<{ children: ComponentChildren }, { error?: Error }> {
    override componentDidCatch(error: Error): void {
        reportError(error);
        this.setState({ error });
    }
    override render(): ComponentChildren {
        const { error } = this.state;
        return error ? <Failed error={error as Refusal} /> : this.props.children;
    }
}

function App(): JSX.Element {
    useSignals();
    const s = screen.value,
        why = ALWAYS.includes(s) ? "" : whyNot(s),
        View = VIEWS[s],
        blocked = NoAnswer();
    return (
        <>
            <Header />
            <main id="main" class={WITH_SIDE.includes(s) && !why ? "sided" : ""} aria-label={TITLES[s]} tabIndex={-1}>
                {blocked ??
                    (why ? (
                        <Message title={`${TITLES[s]}: not for this file`}>
                            <p class="sentence">{sentence(why)}</p>
                        </Message>
                    ) : overview.value ? (
                        <Guard key={s}>
                            <View />
                        </Guard>
                    ) : (
                        <Blocks />
                    ))}
                {WITH_SIDE.includes(s) && !why && overview.value && <Side />}
            </main>
            <Footer />
            <Toasts />
            <Menu />
            <Tip />
            <Dialogs />
        </>
    );
}

const nextMetric = (step: number): void => {
    const list = overview.value?.info.metrics.map((m) => m.name) ?? [],
        at = list.indexOf(metric.value);
    if (list.length) go({ metric: list[(at + step + list.length) % list.length], id: null });
};
/** The next or former stream; none of all streams is before the first. */
const nextStream = (step: number): void => {
    const all = overview.value?.info.counts.streams ?? overview.value?.info.streams?.length ?? 0,
        now = Number(param("stream")) || 0,
        to = (now + step + all + 1) % (all + 1);
    if (all > 1) go({ stream: to || null, id: null, x: null });
};
const focusSearch = (): void => {
    const el = document.getElementById("search") as HTMLInputElement | null;
    el?.focus();
    el?.select();
};

const page: Command[] = [
    ...SCREENS.map((s, i): Command => ({ title: `Go to ${TITLES[s]}`, ...(i < 9 ? { keys: [String(i + 1)] } : {}), run: () => open(s) })),
    { title: "Search", keys: ["/", "Ctrl+F"], run: focusSearch },
    {
        title: "Next match (in the search box)",
        keys: ["Enter"],
        run: () => {
            if (has("q")) dispatchEvent(new CustomEvent("assay-match", { detail: 1 }));
        },
        quiet: true,
    },
    {
        title: "Previous match",
        keys: ["Shift+Enter"],
        run: () => {
            if (has("q")) dispatchEvent(new CustomEvent("assay-match", { detail: -1 }));
        },
        quiet: true,
    },
    {
        title: "Commands",
        keys: ["Ctrl+K", ">"],
        run: () => {
            dialog.value = "palette";
        },
        quiet: true,
    },
    {
        title: "Keys and settings",
        keys: ["?"],
        run: () => {
            dialog.value = "help";
        },
    },
    {
        title: "Open a file",
        keys: ["Ctrl+O"],
        run: () => {
            dialog.value = "open";
        },
    },
    ...selectionCommands,
    {
        title: "Collapse all recursion, or show it again",
        keys: ["r"],
        run: () => go({ recursion: param("recursion") === "all" ? null : "all", id: null, x: null }),
    },
    {
        title: "Collapse direct recursion, or show it again",
        keys: ["R"],
        run: () => go({ recursion: param("recursion") === "direct" ? null : "direct", id: null, x: null }),
    },
    { title: "Next metric", keys: ["]"], run: () => nextMetric(1) },
    { title: "Previous metric", keys: ["["], run: () => nextMetric(-1) },
    { title: "Next stream", keys: ["n"], run: () => nextStream(1) },
    { title: "Previous stream", keys: ["p"], run: () => nextStream(-1) },
    {
        title: "Choose a stream",
        keys: ["t"],
        run: () => {
            open("streams");
            setTimeout(() => document.querySelector<HTMLElement>("#stream-filter input")?.focus(), 50);
        },
    },
    { title: "Swap A and B", keys: ["x"], run: swap },
    { title: "Compare with nothing", run: () => goInput({ b: null, a: param("a") }) },
    { title: "Reset all filters", run: resetFilters },
    { title: "Undo the last step", keys: ["Ctrl+Z"], run: () => history.back() },
    { title: "Redo", keys: ["Ctrl+Y"], run: () => history.forward() },
    { title: "Copy as command", keys: ["Y"], run: () => void copy(status.value.command, "copied the command") },
    { title: "Change the theme", run: nextTheme },
    {
        title: "Close or go one step back",
        keys: ["Escape"],
        run: () => {
            tip.value = null;
            if (document.activeElement instanceof HTMLElement && document.activeElement !== document.body) document.activeElement.blur();
        },
    },
];
pageCommands.push(...page);

effect(() => {
    document.documentElement.dataset.theme = isDark.value ? "dark" : "light";
});
listen();
addEventListener("dragover", (e) => {
    e.preventDefault();
});
addEventListener("drop", (e) => {
    e.preventDefault();
    const f = e.dataTransfer?.files[0];
    if (f) void openFile(f);
});
addEventListener("paste", (e) => {
    const text = (e as ClipboardEvent).clipboardData?.getData("text/plain");
    if (text && !(e.target as HTMLElement).closest("input, textarea") && /\S \d+\s*$/.test(text) && session.value && !session.value.exported)
        void openFile(new File([text], "pasted.folded"));
});
start();
render(<App />, document.getElementById("app")!);
