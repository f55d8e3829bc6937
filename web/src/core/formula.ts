// Derived columns: $0 is the value of the first metric in a row, @0 its total; + - * / ^ ( ) and a few functions. Errors name the place.
export type Formula = (values: number[], totals: number[]) => number;
/** What Math has, and a choice. */
const callOf = (name: string): unknown =>
    name === "if" ? (c: number, x = 0, y = 0) => (c ? x : y) : Object.hasOwn(Math, name) && Math[name as "min"];

export function parse(text: string): Formula {
    let at = 0;
    const fail = (what: string): never => {
        throw new Error(`${what}, at character ${at + 1}`);
    };
    const blank = (): void => {
        while (text[at] === " ") at++;
    };
    const take = (c: string): boolean => {
        blank();
        if (text[at] !== c) return false;
        at++;
        return true;
    };
    const binary = (next: () => Formula, ops: Record<string, (x: number, y: number) => number>) => (): Formula => {
        let left = next();
        for (;;) {
            blank();
            const op = ops[text[at] ?? ""];
            if (!op) return left;
            at++;
            const l = left,
                r = next();
            left = (v, t) => op(l(v, t), r(v, t));
        }
    };
    const atom = (): Formula => {
        blank();
        if (take("(")) {
            const inner = sum();
            if (!take(")")) fail("expected ')'");
            return inner;
        }
        if (take("-")) {
            const inner = atom();
            return (v, t) => -inner(v, t);
        }
        const m = /^([$@])(\d+)|^\d+(\.\d*)?(e[+-]?\d+)?|^[a-z]+\d*/i.exec(text.slice(at));
        if (!m) return fail(at < text.length ? `'${text[at]}' was not expected` : "the formula ends too early");
        at += m[0].length;
        if (m[1]) {
            const k = Number(m[2]),
                from = m[1] === "$";
            return (v, t) => (from ? v : t)[k] ?? NaN;
        }
        if (/^\d/.test(m[0])) {
            const n = Number(m[0]);
            return () => n;
        }
        const call = callOf(m[0].toLowerCase());
        if (typeof call !== "function" || !take("(")) return fail(`'${m[0]}' is not a function`);
        const args = [sum()];
        while (take(",")) args.push(sum());
        if (!take(")")) fail("expected ')'");
        return (v, t): number => call(...args.map((a) => a(v, t)));
    };
    const power = binary(atom, { "^": Math.pow }),
        product = binary(power, { "*": (x, y) => x * y, "/": (x, y) => x / y }),
        sum: () => Formula = binary(product, { "+": (x, y) => x + y, "-": (x, y) => x - y });
    const all = sum();
    blank();
    if (at < text.length) fail(`'${text[at]}' was not expected`);
    return all;
}
