// What the build puts in for <elements>: shorter than the automatic runtime, under names that no local variable has.
export { h as $h, Fragment as $F } from "preact";
// And for what is written often; build.mjs puts these names in the place of the long ones, also here.
const { Math: math, Number: number, String: string } = globalThis;
export const $max = math.max,
    $min = math.min,
    $round = math.round,
    $floor = math.floor,
    $ceil = math.ceil,
    $abs = math.abs,
    $Number = number,
    $String = string;
