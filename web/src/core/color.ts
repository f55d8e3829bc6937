// Colours of boxes and lanes. A name has the same hue in every file and every run; text on a box is readable in both themes by construction.
import { isDark } from "./state";

export function hash(text: string): number {
    let h = 2166136261;
    for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
    h ^= h >>> 15;
    return Math.imul(h, 2246822519) >>> 0;
}
export const hueOf = (text: string): number => Math.round((hash(text) % 3600) / 10);

/** A box of that hue; `vary` makes neighbours of one hue differ a little in lightness. */
export function box(hue: number, vary: number): string {
    const l = (isDark.value ? 0.42 : 0.82) + ((vary % 100) / 100 - 0.5) * (isDark.value ? 0.08 : 0.1);
    return `oklch(${l.toFixed(3)} 0.085 ${hue})`;
}
const FIXED: Record<string, [string, string]> = {
    kernel: ["#c9ced6", "#4b525c"],
    unknown: ["#d9d2c7", "#4a443b"],
    idle: ["#e9ebee", "#2a2f36"],
    more: ["#e3e6ea", "#333942"],
    match: ["#ffe14d", "#8a6a00"],
};
export const fixed = (what: keyof typeof FIXED): string => FIXED[what]![isDark.value ? 1 : 0];
export const ink = (): string => (isDark.value ? "#ffffff" : "#1b1f24");
export const kindOf = (name: string): keyof typeof FIXED | "" =>
    /^(<unknown|\[unknown|<partial|\?\?)/.test(name) ? "unknown" : /^(<idle|<no activity|idle$)/i.test(name) ? "idle" : "";

// Takes less ... the same ... takes more, light and dark; the numbers are those of colours with white text on them.
const DIFF = ["#08529c #3f87c6 #9cc5e6 #dfe2e6 #f6c08a #e08a2e #a34a00 06", "#8cc4ff #4a90d9 #2f5a86 #3a414b #7a4a1c #c9741f #ffb066 234"];
/** The seven colours from "takes less" to "takes more", for a legend; then which have white text. */
export const diffScale = (): string[] => DIFF[isDark.value ? 1 : 0]!.split(" ");
/** Colour and text of a change, as a share (-1 .. 1) of the largest one. */
export function diffColor(share: number): readonly [string, string] {
    const scale = diffScale(),
        size = Math.abs(share),
        step = 3 + Math.sign(share) * (size < 0.01 ? 0 : size < 0.2 ? 1 : size < 0.6 ? 2 : 3);
    return [scale[step]!, scale[7]!.includes(String(step)) ? "#fff" : "#14171c"];
}

/** Steps 1 to 5 by the distance from the median in median deviations; zeros are left out, so that one hot row does not hide the second. */
export function heatScale(values: number[]): (v: number) => number {
    const list = values.filter((v) => v > 0).sort((x, y) => x - y),
        most = list.at(-1) ?? 0;
    if (!list.length) return () => 1;
    const median = list[list.length >> 1]!,
        deviations = list.map((v) => Math.abs(v - median)).sort((x, y) => x - y),
        mad = deviations[deviations.length >> 1]! || median || 1;
    // Steps of the distance, but no more than the share of the largest allows: where all rows are about the same, none is hot.
    return (v) => {
        const d = (v - median) / mad,
            share = v / most;
        return v <= 0
            ? 1
            : share === 1
              ? 5
              : Math.min(
                    d < 0.5 ? 1 : d < 1 ? 2 : d < 2 ? 3 : d < 8 ? 4 : 5,
                    share < 0.02 ? 1 : share < 0.1 ? 2 : share < 0.3 ? 3 : share < 0.6 ? 4 : 5,
                );
    };
}
