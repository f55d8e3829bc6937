// Rows of which only those in sight exist. The height of the whole is limited, because browsers stop at some ten million pixels: beyond that, scrolling
// goes by share.
import type { ComponentChildren, JSX, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

const MOST = 8_000_000;

export interface Window {
    from: number;
    to: number;
}
export function useWindow(
    rows: number,
    height: number,
): { ref: RefObject<HTMLDivElement | null>; from: number; to: number; space: number; offset: number; reveal: (row: number) => void } {
    const ref = useRef<HTMLDivElement>(null),
        [view, setView] = useState({ top: 0, high: 600 });
    const space = Math.min(rows * height, MOST),
        scale = space > view.high ? (rows * height - view.high) / (space - view.high) : 1;
    useLayoutEffect(() => {
        const el = ref.current;
        if (!el) return;
        const see = (): void =>
            setView((v) => (v.top === el.scrollTop && v.high === el.clientHeight ? v : { top: el.scrollTop, high: el.clientHeight }));
        see();
        el.addEventListener("scroll", see, { passive: true });
        const watch = new ResizeObserver(see);
        watch.observe(el);
        return () => {
            el.removeEventListener("scroll", see);
            watch.disconnect();
        };
    }, [rows === 0]);
    useEffect(() => {
        const el = ref.current;
        if (el) setView({ top: el.scrollTop, high: el.clientHeight });
    }, [rows]);
    const at = view.top * scale,
        from = Math.max(0, Math.floor(at / height) - 4),
        to = Math.min(rows, Math.ceil((at + view.high) / height) + 4);
    const reveal = (row: number): void => {
        const el = ref.current;
        if (!el) return;
        const y = row * height,
            now = el.scrollTop * scale,
            head = el.querySelector<HTMLElement>(".thead")?.offsetHeight ?? 0;
        if (y < now) el.scrollTop = y / scale;
        else if (y + height + head > now + el.clientHeight) el.scrollTop = (y + height + head - el.clientHeight) / scale;
    };
    return { ref, from, to, space, offset: view.top + (from * height - at), reveal };
}

/** The area for the rows between head and foot. */
export const Rows = ({ space, offset, children }: { space: number; offset: number; children: ComponentChildren }): JSX.Element => (
    <div class="space" style={{ height: `${space}px` }} role="presentation">
        <div style={{ transform: `translateY(${offset}px)` }} role="presentation">
            {children}
        </div>
    </div>
);
