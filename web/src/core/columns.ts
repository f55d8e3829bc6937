// Answers in columns: a header in JSON, then typed arrays (src/server/README.md has the layout).
export type Figures = Float64Array | BigUint64Array | BigInt64Array | Float32Array | Uint32Array | Uint16Array | Uint8Array;
export interface Metric {
    name: string;
    unit: string;
    total: number;
    is_sum?: boolean;
    before_total?: number;
    after_total?: number;
}

/** What every answer may have; the rest is by the names of the columns. */
export interface Columns {
    route: string;
    rows: number;
    command: string;
    metric: string;
    metrics: Metric[];
    whole: number;
    filtered?: string;
    estimated?: boolean;
    damaged?: number;
    names: string[];
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    [name: string]: any;
}

const ARRAYS = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array, f64: Float64Array, u64: BigUint64Array, i64: BigInt64Array };

/** Absolute times in nanoseconds have more digits than a number of JavaScript. */
const times = (key: string, value: unknown, context?: { source?: string }): unknown =>
    /^(begin|end|from|to)$/.test(key) && typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value) && context?.source
        ? BigInt(context.source)
        : value;

export function decode(buf: ArrayBuffer): Columns {
    if (buf.byteLength < 8 || new DataView(buf).getUint32(0, false) !== 0x41534331) throw new Error("the answer is not in columns");
    const text = new TextDecoder(),
        size = new DataView(buf).getUint32(4, true),
        head = JSON.parse(text.decode(new Uint8Array(buf, 8, size)), times);
    head.names = [""]; // of an answer without any
    for (const c of head.columns as { name: string; type: string; count: number; at: number }[]) {
        if (c.type !== "str") {
            head[c.name] = new ARRAYS[c.type as keyof typeof ARRAYS](buf, c.at, c.count);
            continue;
        }
        const offsets = new Uint32Array(buf, c.at, c.count + 1),
            first = c.at + 4 * (c.count + 1),
            list: string[] = [];
        for (let i = 0; i < c.count; i++) list.push(text.decode(new Uint8Array(buf, first + offsets[i]!, offsets[i + 1]! - offsets[i]!)));
        head[c.name] = list;
    }
    return head;
}

/** Metric k of row i of a column that has a value for each metric; undefined where the answer does not know it. */
export function figure(column: Figures | undefined, row: number, metrics: number, k = 0): number | bigint | undefined {
    const v = column?.[row * metrics + k];
    return typeof v === "number" && Number.isNaN(v) ? undefined : v;
}
