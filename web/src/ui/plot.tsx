// Small charts: points, bars and lines over a number of places. Values come ready; nothing is computed here but pixels.
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { human } from "../core/format";
import { useSize } from "./parts";

export interface Series {
    name: string;
    values: number[];
    hue?: number;
}
interface Props {
    series: Series[];
    labels: string[];
    unit?: string;
    kind: "points" | "bars" | "lines";
    height?: number;
    from?: number;
    to?: number;
    format?: (v: number) => string;
    onPick?: (i: number) => void;
    marked?: number;
    label: string;
}

/** Round steps between two numbers. */
export function ticks(from: number, to: number, about = 5): number[] {
    const raw = (to - from || 1) / about,
        power = 10 ** Math.floor(Math.log10(raw)),
        step = ([1, 2, 5, 10].find((s) => s * power >= raw) ?? 10) * power,
        list: number[] = [];
    for (let v = Math.ceil(from / step) * step; v <= to + step * 1e-9 && list.length < 50; v += step) list.push(Number(v.toPrecision(12)));
    return list;
}

export function Plot({ series, labels, unit = "", kind, height = 300, from, to, format, onPick, marked = -1, label }: Props): JSX.Element {
    const ref = useRef<HTMLDivElement>(null),
        width = useSize(ref)[0] || 600,
        [hover, setHover] = useState(-1),
        n = labels.length,
        left = 64,
        right = 12,
        top = 12,
        bottom = 28,
        print = format ?? ((v: number) => human(v, unit));
    const all = series.flatMap((s) => s.values).filter(Number.isFinite),
        low = from ?? Math.min(0, ...all),
        high = to ?? (Math.max(...all, low) * 1.05 || 1),
        plot = Math.max(10, width - left - right),
        x = (i: number): number => left + ((i + 0.5) * plot) / Math.max(1, n),
        y = (v: number): number => top + (height - top - bottom) * (1 - (v - low) / (high - low || 1)),
        each = plot / Math.max(1, n);
    const at = (e: { clientX: number }): number =>
            Math.max(0, Math.min(n - 1, Math.floor((e.clientX - ref.current!.getBoundingClientRect().left - left) / each))),
        most = Math.max(1, Math.round(n / 8));
    return (
        <div class="plot" ref={ref}>
            <svg
                width={width}
                height={height}
                role="img"
                aria-label={label}
                onMouseMove={(e) => setHover(at(e))}
                onMouseLeave={() => setHover(-1)}
                onClick={(e) => onPick?.(at(e))}
                data-points={n}
            >
                {ticks(low, high).map((v) => (
                    <g key={v}>
                        <line x1={left} x2={width - right} y1={y(v)} y2={y(v)} class="axis" />
                        <text x={left - 8} y={y(v) + 4} class="tick" text-anchor="end">
                            {print(v)}
                        </text>
                    </g>
                ))}
                {labels.map(
                    (t, i) =>
                        i % most === 0 && (
                            <text key={i} x={x(i)} y={height - 8} class="tick" text-anchor="middle">
                                {t.length > 16 ? `…${t.slice(-15)}` : t}
                            </text>
                        ),
                )}
                {series.map((s, k) => {
                    const c = `var(--${["link", "ring", "good"][k % 3]})`;
                    if (kind === "lines")
                        return (
                            <g key={k}>
                                <polyline
                                    fill="none"
                                    stroke={c}
                                    stroke-width="2"
                                    points={s.values.map((v, i) => (Number.isFinite(v) ? `${x(i)},${y(v)}` : "")).join(" ")}
                                />
                                {s.values.map(
                                    (v, i) => Number.isFinite(v) && <circle key={i} cx={x(i)} cy={y(v)} r={i === hover ? 5 : 3} fill={c} />,
                                )}
                            </g>
                        );
                    if (kind === "bars")
                        return (
                            <g key={k}>
                                {s.values.map((v, i) => (
                                    <rect
                                        key={i}
                                        x={x(i) - each * 0.42}
                                        width={Math.max(1, each * 0.84)}
                                        y={y(Math.max(v, 0))}
                                        height={Math.max(0, y(low) - y(v))}
                                        fill={c}
                                        opacity={hover < 0 || hover === i ? 1 : 0.7}
                                    />
                                ))}
                            </g>
                        );
                    return (
                        <g key={k}>
                            {s.values.map((v, i) => (
                                <circle
                                    key={i}
                                    data-point={i}
                                    cx={x(i)}
                                    cy={y(v)}
                                    r={i === hover || i === marked ? 6 : Math.max(2, Math.min(4, each / 2))}
                                    class={i === marked ? "marked" : ""}
                                    fill={c}
                                />
                            ))}
                        </g>
                    );
                })}
                {hover >= 0 && <line x1={x(hover)} x2={x(hover)} y1={top} y2={height - bottom} class="cross" />}
            </svg>
            <p class="readout" role="status">
                {hover >= 0 ? (
                    <>
                        <b>{labels[hover]}</b>{" "}
                        {series.map((s) => `${series.length > 1 ? `${s.name} ` : ""}${print(s.values[hover] ?? NaN)}`).join(", ")}
                    </>
                ) : (
                    " "
                )}
            </p>
            {series.length > 1 && (
                <p class="legend">
                    {series.map((s, k) => (
                        <span key={s.name}>
                            <i style={{ background: `var(--${["link", "ring", "good"][k % 3]})` }} />
                            {s.name}
                        </span>
                    ))}
                </p>
            )}
        </div>
    );
}
