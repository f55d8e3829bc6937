// The state of the page is its address: everything after '#', as parameters. Whoever changes the state changes the address; reload, back, forward and
// bookmarks work because there is nothing else.
import { computed, effect, shared } from "./live";

export const SCREENS = ["overview", "flame", "table", "tree", "callers", "source", "timeline", "streams", "compare", "coverage", "problems"] as const;
export type Screen = (typeof SCREENS)[number];

/** Names of functions are regular expressions, paths are patterns; a path with '!' in front means all others. */
export const FILTER_KINDS: [string, string, string][] = [
    ["focus", "Focus", "regular expression: only stacks with a match"],
    ["ignore", "Ignore", "regular expression: drop stacks with a match"],
    ["focus-self", "Self only", "regular expression: only their self cost"],
    ["hide", "Hide", "regular expression: take functions out of stacks"],
    ["hide-path", "Hide one place", "main;run;step: from the outermost on"],
    ["collapse", "Collapse", "regular expression: take out what functions call"],
    ["show", "Show", "regular expression: only these functions"],
    ["show-from", "Show from", "regular expression: stacks begin here"],
    ["file", "File", "src/**/*.c, or !test for the others"],
    ["module", "Module", "libc.so*, or !libc.so* for the others"],
    ["stream", "Stream", "number, range or name"],
    ["tag-focus", "Label", "key=value"],
    ["tag-ignore", "Without label", "key=value"],
    ["tag-root", "Label as root", "key"],
    ["tag-leaf", "Label as leaf", "key"],
    ["time", "Time", "1.5s..2s or 10%..20%"],
    ["min", "Minimum", "percent"],
];
/** Parameters that the server takes in every route: which input, and what of it. */
export const CHIPS = [...FILTER_KINDS.map(([k]) => k), "recursion"];
const FILTERS = [...CHIPS, "a", "b", "metric", "coverage"];

/** The token of the address that the command printed; kept for this tab only and never left in the address. */
export const token = { value: "" };

const read = (): URLSearchParams => {
    const given = new URLSearchParams(location.hash.slice(1));
    if (given.has("t")) {
        token.value = given.get("t")!;
        try {
            sessionStorage.setItem("assay", token.value);
        } catch {
            /* a page opened from a file has no storage */
        }
        given.delete("t");
        history.replaceState(null, "", `#${given}`);
    } else {
        try {
            token.value = sessionStorage.getItem("assay") ?? "";
        } catch {
            /* as above */
        }
    }
    return given;
};

export const params = shared(read());
addEventListener("hashchange", () => {
    params.value = read();
});
addEventListener("popstate", () => {
    params.value = read();
});

export const param = (name: string, otherwise = ""): string => params.value.get(name) ?? otherwise;
export const has = (name: string): boolean => params.value.has(name);
export const screen = computed<Screen>(() => {
    const s = param("s", "overview") as Screen;
    return SCREENS.includes(s) ? s : "overview";
});

type Changes = Record<string, string | number | null | undefined>;

/** Changes parameters (null and "" remove them). `replace`: without a step in the history, for what changes while a pointer moves. */
export function go(changes: Changes, replace = false): void {
    const next = new URLSearchParams(params.value);
    for (const [k, v] of Object.entries(changes)) v === null || v === undefined || v === "" ? next.delete(k) : next.set(k, String(v));
    put(next, replace);
}
export function put(next: URLSearchParams, replace = false): void {
    if (String(next) === String(params.value)) return;
    history[replace ? "replaceState" : "pushState"](null, "", `#${next}`);
    params.value = next;
}

/** What belongs to one input or one filter set and is dropped when that changes: ids, zoom. */
const LOCAL = { id: null, x: null, root: null, row: null, top: null };

export function addFilter(kind: string, value: string): void {
    const next = new URLSearchParams(params.value);
    if (["time", "min", "recursion"].includes(kind)) next.set(kind, value);
    else if (!next.getAll(kind).includes(value)) next.append(kind, value);
    for (const k of Object.keys(LOCAL)) next.delete(k);
    put(next);
}
export function dropFilter(kind: string, value: string): void {
    const kept = [...params.value].filter(([k, v]) => !(k === kind && v === value) && !(k in LOCAL));
    put(new URLSearchParams(kept));
}
export function resetFilters(): void {
    put(new URLSearchParams([...params.value].filter(([k]) => !CHIPS.includes(k) && !(k in LOCAL))));
}
export const chips = computed(() => [...params.value].filter(([k]) => CHIPS.includes(k)));
export const goInput = (changes: Changes): void => go({ ...LOCAL, fn: null, ff: null, path: null, metric: null, ...changes });
export const setMetric = (name: string): void => go({ metric: name, id: null });

/** The filters as the server takes them. */
export const filters = computed(() => [...params.value].filter(([k]) => FILTERS.includes(k)));
export const comparing = computed(() => has("b"));

/** The function that is selected, by name and file: an address stays good for the next recording of a program. */
export const selected = computed(() => (has("fn") ? { name: param("fn"), file: param("ff") } : null));
export const select = (name: string, file = "", more: Changes = {}, replace = false): void => go({ fn: name, ff: file, ...more }, replace);
export const open = (s: Screen, more: Changes = {}): void => go({ s, ...more });

// ---- what is kept between visits ----

const kept = (key: string): string | null => {
    try {
        return localStorage.getItem(`assay-${key}`);
    } catch {
        return null;
    }
};
export function setting(key: string, otherwise: string) {
    const s = shared(kept(key) ?? otherwise);
    effect(() => {
        const v = s.value;
        try {
            v === otherwise ? localStorage.removeItem(`assay-${key}`) : localStorage.setItem(`assay-${key}`, v);
        } catch {
            /* not kept */
        }
    });
    return s;
}
export const theme = setting("theme", "system");
export const shortNames = setting("names", "short");
const dark = matchMedia("(prefers-color-scheme: dark)"),
    systemDark = shared(dark.matches);
dark.addEventListener("change", () => {
    systemDark.value = dark.matches;
});
export const isDark = computed(() => theme.value === "dark" || (theme.value === "system" && systemDark.value));

// ---- controls of the address and of settings: what they show, and what they change ----

export const flag = (name: string) => ({ on: has(name), onChange: (v: boolean): void => go({ [name]: v ? 1 : null }) });
export const asked = (name: string) => ({ value: param(name), onChange: (v: string): void => go({ [name]: v }) });
export const bound = (s: { value: string }) => ({
    value: s.value,
    onChange: (v: string): void => {
        s.value = v;
    },
});
