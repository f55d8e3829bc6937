// Small parts that every screen uses: messages, choices, names, tooltips, menus.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { retries, type Answer, type Refusal } from "../core/client";
import { diffScale } from "../core/color";
import { shared, signal, useSignals } from "../core/live";
import { modal } from "../core/keys";
import { exact, human, percent, shortName, type Num } from "../core/format";
import { chips, resetFilters, shortNames } from "../core/state";

export const shown = (name: string): string => (shortNames.value === "short" ? shortName(name) : name) || "(no name)";

/** A figure with its unit; the exact value on hover. */
export const Figure = ({ value, unit }: { value: Num; unit?: string }): JSX.Element => <span title={exact(value, unit)}>{human(value, unit)}</span>;
export const Share = ({ part, whole, of = "of all" }: { part: Num; whole: Num; of?: string }): JSX.Element => (
    <span class="dim" title={`${percent(part, whole)} ${of}`}>
        {percent(part, whole)}
    </span>
);

export function Message({ title, children, tone = "" }: { title: string; children?: ComponentChildren; tone?: string }): JSX.Element {
    return (
        <div class={`message ${tone}`} role={tone === "bad" ? "alert" : "status"}>
            <h2>{title}</h2>
            {children}
        </div>
    );
}
export function Failed({ error }: { error: Refusal }): JSX.Element {
    const lacks = error.status === 422;
    return (
        <Message title={lacks ? "This file cannot show that" : "That did not work"} tone={lacks ? "" : "bad"}>
            <p class="sentence">{sentence(error.message)}</p>
            {!lacks && (
                <p>
                    <button
                        onClick={() => {
                            retries.value++;
                        }}
                    >
                        Retry
                    </button>
                </p>
            )}
        </Message>
    );
}
/** The server's sentences begin in lower case, unless with the name of a file, and have no full stop. */
export const sentence = (text: string): string =>
    (/^[\w-]+[./]/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1)) + (/[.!?]$/.test(text) ? "" : ".");

export function Nothing({ what = "Nothing matches the filters" }: { what?: string }): JSX.Element {
    return (
        <Message title={what}>
            {chips.value.length > 0 && (
                <p>
                    {chips.value.map(([k, v]) => `${k} ${v}`).join(", ")} <button onClick={resetFilters}>Reset filters</button>
                </p>
            )}
        </Message>
    );
}

/** What stands in place of an answer: grey blocks at first, the reason when there is none. */
export function Wait<T>({ answer, children }: { answer: Answer<T>; children: (data: T) => ComponentChildren }): JSX.Element {
    if (answer.error && !answer.data) return <Failed error={answer.error} />;
    if (!answer.data) return <Blocks />;
    return <div class={`wait ${answer.busy ? "old" : ""}`}>{children(answer.data)}</div>;
}

export interface Option {
    value: string;
    label: string;
    why?: string;
}
/** Options in short: a value that says itself what it means, or "value=label". */
type Options = (Option | string)[];
const full = (list: Options): Option[] =>
    list.map((o) => {
        if (typeof o !== "string") return o;
        const [value, label] = o.split("=") as [string, string?];
        return { value, label: label ?? value };
    });
/** A row of buttons of which one is pressed. */
export function Choice({
    label,
    value,
    options,
    onChange,
}: {
    label: string;
    value: string;
    options: Options;
    onChange: (v: string) => void;
}): JSX.Element {
    return (
        <span class="choice" role="group" aria-label={label}>
            {full(options).map((o) => (
                <button
                    key={o.value}
                    aria-pressed={o.value === value}
                    disabled={Boolean(o.why)}
                    title={o.why ?? ""}
                    onClick={() => onChange(o.value)}
                >
                    {o.label}
                </button>
            ))}
        </span>
    );
}
export function Pick({
    label,
    value,
    options,
    onChange,
    hidden = false,
}: {
    label: string;
    value: string;
    options: Options;
    onChange: (v: string) => void;
    hidden?: boolean;
}): JSX.Element {
    return (
        <label class="pick">
            <span class={hidden ? "sr" : "dim"}>{label}</span>
            <select aria-label={label} value={value} onChange={(e) => onChange(e.currentTarget.value)}>
                {full(options).map((o) => (
                    <option key={o.value} value={o.value} disabled={Boolean(o.why)}>
                        {o.label}
                    </option>
                ))}
            </select>
        </label>
    );
}
export const Tick = ({
    label,
    on,
    onChange,
    title = "",
}: {
    label: string;
    on: boolean;
    onChange: (on: boolean) => void;
    title?: string;
}): JSX.Element => (
    <label class="tick" title={title}>
        <input type="checkbox" checked={on} onChange={(e) => onChange(e.currentTarget.checked)} />
        {label}
    </label>
);

/** What a text box shows: what is being typed there, else what the state has. */
export const typed = (box: HTMLInputElement | null, value: string): string => (box && document.activeElement === box ? box.value : value);

/** A text box that tells what was typed when typing pauses. */
export function Field({
    label,
    value,
    onChange,
    width = "12em",
    placeholder = "",
    bad = "",
    now = false,
    onEnter,
}: {
    label: string;
    value: string;
    onChange: (v: string) => void;
    width?: string;
    placeholder?: string;
    bad?: string;
    now?: boolean;
    onEnter?: (v: string) => void;
}): JSX.Element {
    const timer = useRef(0),
        box = useRef<HTMLInputElement>(null),
        put = (v: string): void => {
            clearTimeout(timer.current);
            onChange(v);
        };
    return (
        <label class="pick">
            <span class="dim">{label}</span>
            <input
                ref={box}
                value={typed(box.current, value)}
                placeholder={placeholder}
                style={{ width }}
                spellcheck={false}
                aria-label={label}
                aria-invalid={Boolean(bad)}
                title={bad}
                onInput={(e) => {
                    const v = e.currentTarget.value;
                    clearTimeout(timer.current);
                    timer.current = window.setTimeout(() => onChange(v), now ? 0 : 250);
                }}
                onKeyDown={(e) => {
                    if (e.key === "Enter") {
                        put(e.currentTarget.value);
                        onEnter?.(e.currentTarget.value);
                    }
                    if (e.key === "Escape") {
                        e.stopPropagation();
                        e.currentTarget.blur();
                    }
                }}
            />
            {bad && (
                <span class="error" role="alert">
                    {bad}
                </span>
            )}
        </label>
    );
}

/** Follows a pointer that was pressed until it is let go. */
export function dragging(move: (e: PointerEvent) => void, done?: (e: PointerEvent) => void): void {
    const end = (e: PointerEvent): void => {
        removeEventListener("pointermove", move);
        removeEventListener("pointerup", end);
        done?.(e);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
}

/** Width and height of an element, as long as it is there. */
export function useSize(ref: { current: HTMLElement | null }): [number, number] {
    const [size, setSize] = useState<[number, number]>([0, 0]);
    useLayoutEffect(() => {
        const el = ref.current!,
            see = (): void => setSize((s) => (s[0] === el.clientWidth && s[1] === el.clientHeight ? s : [el.clientWidth, el.clientHeight])),
            watch = new ResizeObserver(see);
        see();
        watch.observe(el);
        return () => watch.disconnect();
    }, []);
    return size;
}

/** Grey, in place of what is not here yet. */
export const Blocks = (): JSX.Element => (
    <div class="blocks" aria-busy="true" aria-label="reading">
        <i />
        <i />
        <i />
        <i />
    </div>
);

/** What the colours of a difference mean. */
export const Scale = (): JSX.Element => (
    <span class="scale">
        takes less
        {diffScale()
            .slice(0, 7)
            .map((c) => (
                <i key={c} style={{ background: c }} />
            ))}
        takes more
    </span>
);

// ---- the menu ----

export interface Item {
    label: string;
    key?: string;
    run: () => void;
    why?: string;
}
export const menu = shared<{ x: number; y: number; title: string; items: Item[]; back: HTMLElement | null } | null>(null);
export function openMenu(x: number, y: number, title: string, items: Item[]): void {
    menu.value = { x, y, title, items, back: document.activeElement as HTMLElement | null };
}
/** A menu that drops from a button. */
export const dropMenu = (e: Event, title: string, items: Item[]): void => {
    const r = (e.currentTarget as HTMLElement).getBoundingClientRect();
    openMenu(r.left, r.bottom + 2, title, items);
};

export function Menu(): JSX.Element | null {
    const m = menu.value,
        ref = useRef<HTMLDivElement>(null);
    useEffect(() => {
        if (!m || !ref.current) return;
        modal.value++;
        const el = ref.current,
            r = el.getBoundingClientRect();
        el.style.left = `${Math.max(4, Math.min(m.x, innerWidth - r.width - 4))}px`;
        el.style.top = `${Math.max(4, Math.min(m.y, innerHeight - r.height - 4))}px`;
        el.querySelector<HTMLElement>("[role=menuitem]:not(:disabled)")?.focus();
        return () => {
            modal.value--;
        };
    }, [m]);
    if (!m) return null;
    const close = (): void => {
        menu.value = null;
        m.back?.focus?.();
    };
    const move = (e: KeyboardEvent): void => {
        const list = [...ref.current!.querySelectorAll<HTMLElement>("[role=menuitem]:not(:disabled)")],
            at = list.indexOf(document.activeElement as HTMLElement);
        const to = e.key === "ArrowDown" ? at + 1 : e.key === "ArrowUp" ? at - 1 : e.key === "Home" ? 0 : e.key === "End" ? -1 : null;
        if (e.key === "Escape" || e.key === "Tab") {
            e.preventDefault();
            close();
        }
        if (to !== null) {
            e.preventDefault();
            list.at(to % list.length)?.focus();
        }
    };
    return (
        <div
            class="veil"
            onPointerDown={(e) => {
                if (e.target === e.currentTarget) close();
            }}
            onContextMenu={(e) => {
                e.preventDefault();
                close();
            }}
        >
            <div class="menu" role="menu" aria-label={m.title} ref={ref} onKeyDown={move}>
                <div class="menu-head">{m.title}</div>
                {m.items.map((i) => (
                    <button
                        role="menuitem"
                        key={i.label}
                        disabled={Boolean(i.why)}
                        title={i.why ?? ""}
                        onClick={() => {
                            close();
                            i.run();
                        }}
                    >
                        <span>{i.label}</span>
                        {i.key && <kbd>{i.key}</kbd>}
                    </button>
                ))}
            </div>
        </div>
    );
}

// ---- the tooltip of canvases ----

export const tip = signal<{ x: number; y: number; lines: ComponentChildren } | null>(null);
export const TipRows = ({ rows }: { rows: [string, ComponentChildren][] }): JSX.Element => (
    <table>
        <tbody>
            {rows.map(([k, v]) => (
                <tr key={k}>
                    <td>{k}</td>
                    <td>{v}</td>
                </tr>
            ))}
        </tbody>
    </table>
);
export function Tip(): JSX.Element | null {
    useSignals([tip]);
    const t = tip.value,
        ref = useRef<HTMLDivElement>(null);
    useEffect(() => {
        if (!t || !ref.current) return;
        const el = ref.current,
            r = el.getBoundingClientRect();
        el.style.left = `${t.x + r.width + 20 > innerWidth ? Math.max(4, t.x - r.width - 12) : t.x + 14}px`;
        el.style.top = `${t.y + r.height + 26 > innerHeight ? Math.max(4, t.y - r.height - 12) : t.y + 20}px`;
    });
    return (
        t && (
            <div class="tip" ref={ref} role="tooltip">
                {t.lines}
            </div>
        )
    );
}

/** A dialog: Escape closes it, the focus goes back to where it was. */
export function Dialog({
    title,
    onClose,
    children,
    wide = false,
}: {
    title: string;
    onClose: () => void;
    children: ComponentChildren;
    wide?: boolean;
}): JSX.Element {
    const ref = useRef<HTMLDialogElement>(null),
        back = useRef(document.activeElement as HTMLElement | null);
    useEffect(() => {
        modal.value++;
        ref.current?.showModal();
        return () => {
            modal.value--;
            back.current?.focus?.();
        };
    }, []);
    return (
        <dialog
            ref={ref}
            class={wide ? "wide" : ""}
            aria-label={title}
            onClose={onClose}
            onClick={(e) => {
                if (e.target === ref.current) onClose();
            }}
        >
            <header>
                <h2>{title}</h2>
                <button class="plain" aria-label="Close" onClick={onClose}>
                    ×
                </button>
            </header>
            <div class="body">{children}</div>
        </dialog>
    );
}
