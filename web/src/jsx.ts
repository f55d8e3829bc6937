// What the build puts in for <elements>: shorter than the automatic runtime, under names that no local variable has.
export { h as $h, Fragment as $F } from "preact";
