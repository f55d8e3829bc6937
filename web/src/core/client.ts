// Asks the server, or the data inside an exported page. One way for all screens: what was asked is known by its key, former answers are kept for a
// while, a newer question of the same screen cancels the older one, and waiting is shown after 150 ms.
import { useEffect, useRef, useState } from "preact/hooks";
import { decode, type Columns } from "./columns";
import { shared, signal } from "./live";
import { filters, token } from "./state";

/** An exported page answers itself: core/exported.ts. */
const inside = (globalThis as { assayAnswer?: (key: string) => Promise<unknown> }).assayAnswer;

export type Ask = Record<string, string | number | boolean | string[] | null | undefined>;

/** A refusal in a sentence: what the server said, or that there is none. */
export class Refusal extends Error {
    constructor(
        message: string,
        readonly status: number,
        readonly code = "",
        readonly hint = "",
    ) {
        super(message);
    }
}

export const waiting = signal(0);
const running = new Set<AbortController>();
/** Gives up what is being asked; what is shown stays. */
export const cancel = (): void => running.forEach((a) => a.abort());
export const connection = shared<"" | "lost" | "token">("");
export const retries = shared(0);

const pairs = (ask: Ask): [string, string][] =>
    Object.entries(ask).flatMap(([k, v]): [string, string][] =>
        v === null || v === undefined || v === "" || v === false
            ? []
            : Array.isArray(v)
              ? v.map((x): [string, string] => [k, x])
              : [[k, v === true ? "1" : String(v)]],
    );

/** The key of a question: its route and parameters in order. */
export function keyOf(route: string, ask: Ask, withState: boolean): string {
    const own = pairs(ask),
        state = withState ? filters.value.filter(([k]) => !(k in ask)) : [];
    const seen = [...state, ...own].sort((x, y) => (x[0] < y[0] ? -1 : x[0] > y[0] ? 1 : 0));
    return route + (seen.length ? "?" + seen.map(([k, v]) => `${k}=${encodeURIComponent(v)}`).join("&") : "");
}

async function ask(key: string, abort?: AbortSignal, post?: BodyInit | null): Promise<Response> {
    let answer: Response;
    try {
        answer = await fetch(`/api/${key}`, {
            headers: { "X-Assay": token.value },
            cache: "no-store",
            ...(abort ? { signal: abort } : {}),
            ...(post === undefined ? {} : { method: "POST", body: post }),
        });
    } catch (e) {
        if ((e as Error).name === "AbortError") throw e;
        connection.value = "lost";
        throw new Refusal("no connection to assay: it has ended, or the port is not forwarded any more", 0, "connection");
    }
    if (answer.status === 401) connection.value = "token";
    else connection.value = "";
    if (answer.ok) return answer;
    let error: { message?: string; code?: string; hint?: string } = {};
    try {
        error = (await answer.json()).error ?? {};
    } catch {
        /* an empty body */
    }
    throw new Refusal(error.message ?? `the server answered ${answer.status}`, answer.status, error.code, error.hint);
}

// Answers that were given lately, so that going back takes no time. Limited by size, not by number: an answer can be 64 bytes or a megabyte.
const CACHE_BYTES = 24 << 20,
    cache = new Map<string, { data: unknown; size: number }>();
let cached = 0;
function remember(key: string, data: unknown, size: number): void {
    cache.set(key, { data, size });
    cached += size;
    for (const [k, v] of cache) {
        if (cached <= CACHE_BYTES) break;
        cache.delete(k);
        cached -= v.size;
    }
}
export function forget(): void {
    cache.clear();
    cached = 0;
    retries.value++;
}

/** What a verb of the command says comes wrapped, with the line that prints it. */
const plain = (data: any): unknown => (data?.report ? { ...data.report, command: data.command } : data);

async function fetchKey(key: string, abort?: AbortSignal): Promise<unknown> {
    if (inside) return plain(await inside(key));
    const known = cache.get(key);
    if (known) return known.data;
    const answer = await ask(key, abort),
        columns = (answer.headers.get("Content-Type") ?? "").includes("columns");
    if (columns) {
        const buf = await answer.arrayBuffer(),
            data = decode(buf);
        remember(key, data, buf.byteLength);
        return data;
    }
    const text = await answer.text(),
        data = plain(JSON.parse(text));
    if (!key.startsWith("session")) remember(key, data, text.length * 2);
    return data;
}

/** One question, outside of a screen. */
export const get = <T = Columns>(route: string, params: Ask = {}, withState = true, abort?: AbortSignal): Promise<T> =>
    fetchKey(keyOf(route, params, withState), abort) as Promise<T>;
export const post = async <T>(key: string, body: BodyInit | null = null): Promise<T> => plain(await (await ask(key, undefined, body)).json()) as T;
/** The bytes of an answer, for files to save. */
export const bytes = async (route: string, params: Ask): Promise<Blob> => {
    if (inside) throw new Refusal("not in an exported page", 0, "exported");
    return (await ask(keyOf(route, params, true))).blob();
};

export interface Answer<T> {
    data: T | null;
    error: Refusal | null;
    busy: boolean;
    key: string;
}

/** The answer to a question that changes with the state. The former answer stays until the next one is here. `route` null: nothing is asked; `isAhead`:
 * nobody waits for it. */
export function useApi<T = Columns>(route: string | null, params: Ask = {}, withState = true, isAhead = false): Answer<T> {
    const key = route === null ? "" : keyOf(route, params, withState),
        again = retries.value;
    const known = key && !inside ? (cache.get(key)?.data as T | undefined) : undefined;
    const [state, setState] = useState<Answer<T>>({ data: known ?? null, error: null, busy: Boolean(key) && !known, key });
    const last = useRef("");
    useEffect(() => {
        if (!key) {
            setState({ data: null, error: null, busy: false, key });
            return;
        }
        const abort = new AbortController();
        let late = 0,
            isWaiting = false;
        last.current = key;
        running.add(abort);
        if (!cache.has(key)) {
            setState((s) => ({ ...s, busy: true, error: null }));
            if (!isAhead)
                late = window.setTimeout(() => {
                    isWaiting = true;
                    waiting.value++;
                }, 150);
        }
        const done = (): void => {
            clearTimeout(late);
            running.delete(abort);
            if (isWaiting) {
                isWaiting = false;
                waiting.value--;
            }
        };
        fetchKey(key, abort.signal).then(
            (data) => {
                done();
                if (last.current === key) setState({ data: data as T, error: null, busy: false, key });
            },
            (e: Error) => {
                done();
                const given = e.name === "AbortError";
                if (last.current === key)
                    setState((s) => ({
                        data: given || (e instanceof Refusal && e.status === 0) ? s.data : null,
                        error: given ? null : e instanceof Refusal ? e : new Refusal(e.message, 0),
                        busy: false,
                        key,
                    }));
            },
        );
        return () => {
            abort.abort();
            done();
        };
    }, [key, again]);
    return known && state.key !== key ? { data: known, error: null, busy: false, key } : state;
}
