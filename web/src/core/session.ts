// What is open: inputs, their overview, and which screens they allow. Loaded once and kept fresh while files are being read.
import { computed, effect, shared } from "./live";
import { forget, get, post, Refusal, type Ask } from "./client";
import { filters, goInput, has, param, params } from "./state";

export interface Input {
    id: number;
    path: string;
    name: string;
    format: string;
    size: number;
    modified: string | number;
    state: "waiting" | "reading" | "ready" | "failed";
    done: number;
    total: number;
    error?: string | { message: string } | null;
    changed?: boolean;
}
export interface Session {
    version: string;
    exported: boolean;
    inputs: Input[];
    a: number;
    b: number | null;
    folder: string | null;
    state?: string;
    limits: { boxes: number; rows: number; upload: number };
    left_out: string | null;
    opened?: number;
}
export interface Stream {
    label?: string;
    name?: string;
    id?: unknown;
    ids?: unknown;
    totals?: Record<string, number>;
}
export interface Info {
    path: string;
    format: string;
    version?: string;
    producer?: string;
    shapes?: string[];
    metrics: { name: string; unit: string; total: number; default?: boolean; description?: string }[];
    counts: Record<string, number>;
    attributes: Record<string, string>;
    warnings: { rule?: string; severity: string; message: string; offset?: number; line?: number; count?: number }[];
    streams?: Stream[];
}
export interface Overview {
    info: Info;
    metric: string;
    functions: number;
    shown?: number;
    listed?: number;
    kinds?: { name: string; self: number }[];
    screens: { name: string; ok: boolean; why: string }[];
    problems: { errors: number; warnings: number };
    command: string;
}

export const session = shared<Session | null>(null);
export const overview = shared<Overview | null>(null);
export const failure = shared<Refusal | null>(null);

export const input = computed(() => {
    const s = session.value;
    if (!s) return null;
    const id = Number(param("a", String(s.a)).split(",")[0]);
    return s.inputs.find((i) => i.id === id) ?? null;
});
export const other = computed(() => session.value?.inputs.find((i) => i.id === Number(param("b"))) ?? null);
export const unit = computed(() => unitOf(metric.value));
export const metric = computed(() => param("metric", overview.value?.metric ?? ""));
export const unitOf = (name: string): string => overview.value?.info.metrics.find((m) => m.name === name)?.unit ?? "";
export const whyNot = (name: string): string => {
    const s = overview.value?.screens.find((x) => x.name === name);
    return s && !s.ok ? s.why || "this file has no data for it" : "";
};

let asked = "";
async function loadOverview(): Promise<void> {
    const own: Ask = has("a") ? {} : { a: session.value!.a },
        key = JSON.stringify(filters.value);
    asked = key;
    try {
        const answer = await get<Omit<Overview, "info"> & { info: { files: Info[] } }>("overview", own);
        if (asked !== key) return;
        overview.value = { ...answer, info: answer.info.files[0]! };
        failure.value = null;
    } catch (e) {
        if (asked === key) {
            failure.value = e instanceof Refusal ? e : new Refusal((e as Error).message, 0);
        }
    }
}

/** Where the command line asked the page to begin. */
function begin(s: Session): void {
    const state = new URLSearchParams(s.state ?? "");
    if (s.b) {
        state.set("a", String(s.a));
        state.set("b", String(s.b));
    }
    if (String(state)) {
        history.replaceState(null, "", `#${state}`);
        dispatchEvent(new HashChangeEvent("hashchange"));
    }
}

let next = 0;
export async function loadSession(): Promise<void> {
    try {
        const s = await get<Session>("session", {}, false);
        const first = session.value === null;
        session.value = s;
        failure.value = null;
        if (first && !location.hash.slice(1)) begin(s);
        const shownNow = [...param("a", String(s.a)).split(","), param("b")];
        const is = (state: string): boolean => s.inputs.some((i) => i.state === state && (state === "reading" || shownNow.includes(String(i.id))));
        clearTimeout(next);
        // Now and then also when all is read: a file may change on disk.
        if (!s.exported) next = window.setTimeout(() => void loadSession(), is("reading") ? 250 : is("waiting") ? 1000 : 5000);
    } catch (e) {
        failure.value = e instanceof Refusal ? e : new Refusal((e as Error).message, 0);
    }
}

export async function change(key: string, body: BodyInit | null = null): Promise<void> {
    const s = await post<Session>(key, body);
    session.value = s;
    forget();
    if (s.opened) goInput({ a: s.opened, b: null, s: "overview" });
    setTimeout(loadSession, 250);
    await loadOverview();
}

export function start(): void {
    let last = "",
        lastInputs = "";
    effect(() => {
        const key = JSON.stringify(filters.value),
            inputs = `${param("a")} ${param("b")}`;
        if (session.value && key !== last) {
            last = key;
            // What is known of one file says nothing of another.
            if (inputs !== lastInputs) overview.value = null;
            lastInputs = inputs;
            void loadOverview();
            if (session.value.inputs.some((i) => i.state === "waiting")) next = window.setTimeout(() => void loadSession(), 250);
        }
    });
    effect(() => {
        const o = overview.value,
            i = input.value;
        params.value;
        const name = i?.name ?? "";
        document.title = o ? `${program(o) || name} - ${name} - assay` : "assay";
    });
    void loadSession();
}

/** The metric to ask tables for; coverage is counted by line, its functions have calls. */
export const shownMetric = (): string => (whyNot("flame") && !whyNot("coverage") ? "" : metric.value);

/** The program that was measured, where the file says. */
export function program(o: Overview): string {
    const a = o.info.attributes ?? {};
    return a.cmd ?? a.command ?? a.program ?? a.application ?? a["program-name"] ?? a.invoke ?? "";
}
