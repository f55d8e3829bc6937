// Keys: one list for the whole page and one for the screen that is shown. `?` prints both, the palette offers both.
import { signal } from "./live";
import { useEffect } from "preact/hooks";

export interface Command {
    title: string;
    /** As printed in the help: "Ctrl+K", "Shift+F10", "f", "w" (the first one by its position on the keyboard when `code` is set). */
    keys?: string[];
    code?: string;
    run: (e?: KeyboardEvent) => void;
    /** Not offered in the palette, because it needs a pointer or a row. */
    quiet?: boolean;
}

export const pageCommands: Command[] = [];
export const screenCommands = signal<{ title: string; list: Command[] }[]>([]);

/** Commands of a screen or a part of it, as long as that is shown. */
export function useCommands(title: string, list: Command[]): void {
    const entry = { title, list };
    useEffect(() => {
        screenCommands.value = [...screenCommands.value.filter((x) => x.title !== title), entry];
        return () => {
            screenCommands.value = screenCommands.value.filter((x) => x !== entry);
        };
    });
}

/** Up, down, page, first, last: the same in every list. */
export function rowKeys(row: number, rows: number, choose: (n: number) => void): Command[] {
    const to = (n: number) => (): void => {
        if (rows) choose(Math.max(0, Math.min(rows - 1, n)));
    };
    return (
        [
            ["Row below", ["ArrowDown"], row + 1],
            ["Row above", ["ArrowUp"], row - 1],
            ["Page down", ["PageDown"], row + 20],
            ["Page up", ["PageUp"], row - 20],
            ["First row", ["Home"], 0],
            ["Last row", ["End"], rows - 1],
        ] as const
    ).map(([title, keys, n]) => ({ title, keys: [...keys], run: to(n), quiet: true }));
}

const typing = (e: KeyboardEvent): boolean => {
    const t = e.target as HTMLElement;
    return (
        t.isContentEditable ||
        t.tagName === "TEXTAREA" ||
        t.tagName === "SELECT" ||
        (t.tagName === "INPUT" && !["checkbox", "radio", "range", "button", "file"].includes((t as HTMLInputElement).type))
    );
};

const named = (e: KeyboardEvent): string => {
    const key = e.key === " " ? "Space" : e.key,
        plain = key.length === 1;
    return (
        (e.ctrlKey || e.metaKey ? "Ctrl+" : "") +
        (e.altKey ? "Alt+" : "") +
        (e.shiftKey && !plain ? "Shift+" : "") +
        (e.ctrlKey && plain ? key.toUpperCase() : key)
    );
};

/** Whether a modal part (dialog, menu) is open: it takes the keys itself. */
export const modal = signal(0);

export function listen(): void {
    addEventListener("keydown", (e) => {
        if (e.defaultPrevented || modal.value) return;
        const name = named(e),
            lists = [...screenCommands.value.flatMap((s) => s.list).reverse(), ...pageCommands];
        if (typing(e) && !name.startsWith("Ctrl+K") && name !== "Escape") return;
        // Letters that stand for places (w a s d) go by the place of the key, so that they work on every keyboard layout.
        const found =
            lists.find((c) => c.code && c.code === e.code && !e.ctrlKey && !e.metaKey && !e.altKey && !e.shiftKey) ??
            lists.find((c) => c.keys?.slice(c.code ? 1 : 0).includes(name));
        if (!found) return;
        e.preventDefault();
        found.run(e);
    });
}
