// What can be done with a function, wherever it is shown: the same items in every menu, the same keys on every screen.
import { get } from "./client";
import { copy, toast } from "./copy";
import { escapeRegex } from "./match";
import { addFilter, open, select, selected } from "./state";
import type { Command } from "./keys";

export interface Target {
    name: string;
    file?: string;
    line?: number;
    module?: string;
    /** Functions from the outermost on; where they lead to one place of the call tree, `place` is true. */
    stack?: string[];
    place?: boolean;
}
export const exactly = (name: string): string => `^${escapeRegex(name).replace(/\\\//g, "/")}$`;

/** What was chosen last in a tree or flame graph: its place there. */
export const here: { value: Target | null } = { value: null };

export const acts = {
    focus: (t: Target): void => addFilter("focus", exactly(t.name)),
    ignore: (t: Target): void => addFilter("ignore", exactly(t.name)),
    hide: (t: Target): void => addFilter("hide", exactly(t.name)),
    self: (t: Target): void => addFilter("focus-self", exactly(t.name)),
    place: (t: Target): void => {
        if (t.place && t.stack) addFilter("hide-path", t.stack.map((n) => n.replaceAll(";", "\\;")).join(";"));
        else toast("choose a place in a top-down view first", true);
    },
    from: (t: Target): void => addFilter("show-from", exactly(t.name)),
    collapse: (t: Target): void => addFilter("collapse", exactly(t.name)),
    callers: (t: Target): void => open("callers", { fn: t.name, ff: t.file }),
    source: (t: Target): void => open("source", { fn: t.name, ff: t.file, path: t.file, line: t.line || null }),
    butterfly: (t: Target): void => open("flame", { fn: t.name, ff: t.file, view: "butterfly", x: null, id: null }),
};

export function menuOf(t: Target): { label: string; key?: string; run: () => void; why?: string }[] {
    return [
        { label: "Focus: only stacks with it", key: "f", run: () => acts.focus(t) },
        { label: "Ignore: drop stacks with it", key: "Delete", run: () => acts.ignore(t) },
        { label: "Self: only its own cost", key: "S", run: () => acts.self(t) },
        { label: "Hide: merge into its caller", key: "m", run: () => acts.hide(t) },
        ...(t.place ? [{ label: "Hide it here only", key: "M", run: () => acts.place(t) }] : []),
        { label: "Collapse: without what it calls", key: "c", run: () => acts.collapse(t) },
        { label: "Show from: stacks begin with it", key: "F", run: () => acts.from(t) },
        { label: "Only its module", key: "C", run: () => addFilter("module", t.module!), ...(t.module ? {} : { why: "the module is not known" }) },
        { label: "Only its file", run: () => addFilter("file", t.file!), ...(t.file ? {} : { why: "the file is not known" }) },
        { label: "Callers and callees", key: "5", run: () => acts.callers(t) },
        { label: "Callers above, callees below", key: "b", run: () => acts.butterfly(t) },
        { label: "Source", key: "6", run: () => acts.source(t), ...(t.file ? {} : { why: "the file is not known" }) },
        {
            label: "Over all streams",
            key: "8",
            run: () => {
                select(t.name, t.file);
                open("streams");
            },
        },
        { label: "Copy name", key: "y", run: () => void copy(t.name, "copied") },
        ...(t.stack ? [{ label: "Copy stack", run: () => void copy(t.stack!.join("\n"), "copied") }] : []),
    ];
}

const onSelected = (run: (t: Target) => void) => (): void => {
    const s = selected.value;
    if (s) run(s);
};
export const selectionCommands: Command[] = [
    { title: "Focus on the selected function", keys: ["f"], run: onSelected(acts.focus) },
    { title: "Drop stacks with the selected function", keys: ["Delete"], run: onSelected(acts.ignore) },
    { title: "Only the self cost of the selected function", keys: ["S"], run: onSelected(acts.self) },
    { title: "Merge the selected function into its callers", keys: ["m"], run: onSelected(acts.hide) },
    {
        title: "The same, but only in its place in this tree",
        keys: ["M"],
        run: onSelected((t) => acts.place(here.value?.name === t.name ? here.value : t)),
    },
    { title: "Take out what the selected function calls", keys: ["c"], run: onSelected(acts.collapse) },
    { title: "Begin stacks with the selected function", keys: ["F"], run: onSelected(acts.from) },
    {
        title: "Only the module of the selected function",
        keys: ["C"],
        run: onSelected(async ({ name }) => {
            const d = await get("table", { match: `/${exactly(name)}/`, count: 1 }),
                module = d.rows ? d.names[d.module[0]] : "";
            if (module) addFilter("module", module);
        }),
    },
    { title: "Callers above, callees below", keys: ["b"], run: onSelected(acts.butterfly) },
    { title: "Copy the name", keys: ["y"], run: onSelected((t) => void copy(t.name)) },
];
