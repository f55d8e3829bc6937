// A long table, asked for in windows: only the rows in sight are here.
import { useEffect, useRef, useState } from "preact/hooks";
import { get, keyOf, Refusal, retries, waiting, type Ask } from "./client";
import type { Columns } from "./columns";

const SIZE = 200;
export interface Pages {
    /** The header and rows of the first window, or null until it is here. */
    first: Columns | null;
    error: Refusal | null;
    busy: boolean;
    matching: number;
    /** Where row n is: its window and its number there. */
    at: (row: number) => { page: Columns; r: number } | null;
    need: (from: number, to: number) => void;
}

export function usePages(route: string | null, ask: Ask): Pages {
    const key = route === null ? "" : keyOf(route, ask, true),
        again = retries.value;
    const held = useRef({ key: "", pages: new Map<number, Columns>(), asked: new Set<number>(), first: null as Columns | null }),
        [, bump] = useState(0),
        [error, setError] = useState<Refusal | null>(null),
        [busy, setBusy] = useState(false);
    const load = (n: number, h: typeof held.current): void => {
        if (h.asked.has(n)) return;
        h.asked.add(n);
        let late =
            n === 0
                ? window.setTimeout(() => {
                      late = -1;
                      waiting.value++;
                  }, 150)
                : 0;
        const done = (): void => {
            if (late === -1) waiting.value--;
            else clearTimeout(late);
        };
        get(route!, { ...ask, from: n * SIZE, count: SIZE }).then(
            (d) => {
                done();
                h.pages.set(n, d);
                if (n === 0) {
                    h.first = d;
                }
                if (pending.current === h || held.current === h) {
                    if (n === 0) {
                        held.current = h;
                        setBusy(false);
                        setError(null);
                    }
                    bump((x) => x + 1);
                }
            },
            (e: Error) => {
                done();
                h.asked.delete(n);
                if (pending.current === h) {
                    setError(e instanceof Refusal ? e : new Refusal(e.message, 0));
                    setBusy(false);
                }
            },
        );
    };
    const pending = useRef(held.current);
    useEffect(() => {
        if (!key) return;
        const h = { key, pages: new Map<number, Columns>(), asked: new Set<number>(), first: null };
        pending.current = h;
        setBusy(true);
        load(0, h);
    }, [key, again]);
    const h = held.current;
    return {
        first: h.first,
        error,
        busy,
        matching: (h.first?.matching as number | undefined) ?? h.first?.rows ?? 0,
        at: (row) => {
            const page = h.pages.get(Math.floor(row / SIZE)),
                r = row % SIZE;
            return page && r < page.rows ? { page, r } : null;
        },
        need: (from, to) => {
            if (h.first && h.key === key) for (let n = Math.floor(from / SIZE); n * SIZE < to; n++) load(n, h);
        },
    };
}
