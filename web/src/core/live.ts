// Signals and the page: what is shared is watched once, at the top, and drawn from there; what changes with every movement of the pointer is watched by
// the part that shows it. A value knows who read it and runs them again when it changes: thirty lines in place of a package.
import { useEffect, useState } from "preact/hooks";

export interface Signal<T> {
    value: T;
}
type Run = () => void;
let reader: Run | null = null,
    changes = 0;

export function signal<T>(value: T): Signal<T> {
    const readers = new Set<Run>();
    return {
        get value() {
            if (reader) readers.add(reader);
            return value;
        },
        set value(v) {
            if (v === value) return;
            value = v;
            changes++;
            for (const run of [...readers]) {
                readers.delete(run);
                run();
            }
        },
    };
}
/** Made again when something has changed since. */
export function computed<T>(make: () => T): { readonly value: T } {
    let made: T,
        at = -1;
    return {
        get value() {
            if (reader || at !== changes) {
                made = make();
                at = changes;
            }
            return made;
        },
    };
}
/** Runs now and whenever something that it read changes; what it gives back ends that. */
export function effect(run: Run): Run {
    let over = false;
    const again = (): void => {
        if (over) return;
        const before = reader;
        reader = again;
        try {
            run();
        } finally {
            reader = before;
        }
    };
    again();
    return () => {
        over = true;
    };
}

const watched: Signal<unknown>[] = [];
/** A signal on which the whole page may depend. */
export function shared<T>(value: T): Signal<T> {
    const s = signal(value);
    watched.push(s as Signal<unknown>);
    return s;
}
/** Draws the calling component again when one of these changes. */
export function useSignals(list: Signal<any>[] = watched): void {
    const [, bump] = useState(0);
    useEffect(
        () =>
            effect(() => {
                for (const s of list) s.value;
                bump((x) => x + 1);
            }),
        [],
    );
}
