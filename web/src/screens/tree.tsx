// The call tree: top-down, bottom-up or flat; children are asked for when a row is opened.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { here, menuOf, type Target } from "../core/act";
import { get, Refusal, useApi, type Ask } from "../core/client";
import { heatScale } from "../core/color";
import { figure, type Columns } from "../core/columns";
import { copy, toast } from "../core/copy";
import { base, count, exact, human, percent, place, signed } from "../core/format";
import { rowKeys, useCommands } from "../core/keys";
import { matcher } from "../core/match";
import { overview } from "../core/session";
import { comparing, filters, go, has, open, param, select, setting, bound } from "../core/state";
import { Choice, Failed, Field, Nothing, openMenu, Pick, shown, Tick } from "../ui/parts";
import { useStatus } from "../ui/shell";
import { Rows, useWindow } from "../ui/virtual";

interface Node {
    path: string;
    parent: Node | null;
    depth: number;
    d: Columns;
    r: number;
    kids: Node[] | null;
    open: boolean;
    /** The same row of B, where two inputs are compared; a row that only B has is its own. */
    b?: { d: Columns; r: number; path: string };
    onlyB?: boolean;
}
const HEIGHT = 24,
    shareOf = setting("tree-share", "all"),
    detailSetting = setting("tree-detail", "sites");
const KIND = ["", "", "inlined", "loop", "line", "instruction", "", "module", "file", "call"];

const nameOf = (n: Node): string => n.d.names[n.d.name[n.r]]!;
const fileOf = (n: Node): string => n.d.names[n.d.file?.[n.r] ?? 0] ?? "";
const totalOf = (n: Node): number => Number(figure(n.d.total ?? n.d.self, n.r, n.d.metrics.length) ?? 0);
const totalB = (n: Node): number => (n.b ? Number(figure(n.b.d.total, n.b.r, n.b.d.metrics.length) ?? 0) : 0),
    totalA = (n: Node): number => (n.onlyB ? 0 : totalOf(n));
const canOpen = (n: Node): unknown => n.d.more[n.r] || n.b?.d.more[n.b.r];
const selfOf = (n: Node): number => Number(figure(n.d.self, n.r, n.d.metrics.length) ?? 0);
const targetOf = (n: Node): Target => {
    const stack: string[] = [];
    for (let a: Node | null = n; a; a = a.parent) if (a.d.func[a.r]) stack.unshift(nameOf(a));
    return {
        name: nameOf(n),
        file: fileOf(n),
        line: n.d.line?.[n.r] ?? 0,
        module: n.d.names[n.d.module?.[n.r] ?? 0] ?? "",
        stack,
        place: Boolean(n.d.func[n.r]) && !has("root") && !has("view"),
    };
};

/** What a row is called: a loop or a line has no name of its own. */
function Label({ n }: { n: Node }): JSX.Element {
    const d = n.d,
        r = n.r,
        kind = KIND[d.kind[r]] ?? "",
        name = nameOf(n),
        file = fileOf(n),
        line = d.line?.[r] ?? 0,
        site = d.site_line?.[r] ?? 0,
        siteFile = d.names[d.site_file?.[r] ?? 0] ?? "",
        module = d.names[d.module?.[r] ?? 0] ?? "",
        parent = n.parent ? n.parent.d.names[n.parent.d.module?.[n.parent.r] ?? 0] : "";
    const where = place(file, line),
        to =
            (f: string, l: number) =>
            (e: Event): void => {
                e.stopPropagation();
                open("source", { path: f, line: l || null });
            };
    return (
        <>
            <bdi class={kind === "line" || kind === "loop" ? "place" : ""}>
                {kind === "loop" ? `loop at ${where}` : kind === "line" ? where : kind === "file" || kind === "module" ? name || where : shown(name)}
            </bdi>
            {kind === "inlined" && (
                <em class="badge" title="inlined">
                    i
                </em>
            )}
            {kind === "loop" && <em class="badge">loop</em>}
            {where && kind !== "line" && kind !== "loop" && kind !== "file" && kind !== "module" && (
                <button class="plain dim" tabIndex={-1} title={`${file}:${line}`} onClick={to(file, line)}>
                    {where}
                </button>
            )}
            {site > 0 && (
                <button class="plain dim" tabIndex={-1} title={`called at ${siteFile || file}:${site}`} onClick={to(siteFile || file, site)}>
                    from :{site}
                </button>
            )}
            {module && module !== parent && kind !== "module" && (overview.value!.info.counts.modules ?? 0) > 1 && (
                <span class="dim">[{base(module)}]</span>
            )}
        </>
    );
}

export function Tree(): JSX.Element {
    const view = param("view", "top-down"),
        sort = param("sort"),
        root = param("root"),
        levels = Number(param("flatten")),
        ask: Ask = { view, detail: detailSetting.value === "sites" ? "" : detailSetting.value, sort, cycles: has("cycles") },
        key = JSON.stringify([ask, filters.value]);
    const valid = ["top-down", "bottom-up", "flat"].includes(view),
        both = comparing.value,
        askB: Ask = { ...ask, a: param("b"), b: "" },
        first = useApi<Columns>(valid ? "tree" : null, { ...ask, path: root, count: 1000 }),
        firstB = useApi<Columns>(valid && both ? "tree" : null, { ...askB, count: 1000 });
    const [roots, setRoots] = useState<Node[] | null>(null),
        [chosen, setChosen] = useState(0),
        [, bump] = useState(0),
        again = (): void => bump((x) => x + 1),
        win = useRef<ReturnType<typeof useWindow> | null>(null);
    const nodesOf = (d: Columns | null, parent: Node | null, other?: Columns | null): Node[] => {
        const make = (d: Columns, r: number, path: string): Node => ({
            path,
            parent,
            depth: parent ? parent.depth + 1 : 0,
            d,
            r,
            kids: null,
            open: false,
        });
        const below = (path: string, d: Columns, r: number): string => `${path ? `${path}/` : ""}${d.position[r]}`,
            list = Array.from({ length: d?.rows ?? 0 }, (_, r) => make(d!, r, below(parent?.path ?? root, d!, r)));
        // Rows of two inputs are the same when name, kind and lines are.
        const keyIn = (d: Columns, r: number): string => [d.names[d.name[r]], d.kind[r], d.line[r], d.site_line[r]].join(),
            mine = new Map(list.map((n) => [keyIn(n.d, n.r), n]));
        for (let r = 0; r < (other?.rows ?? 0); r++) {
            const b = { d: other!, r, path: below(parent?.b?.path ?? "", other!, r) },
                n = mine.get(keyIn(other!, r));
            if (n) n.b = b;
            else list.push({ ...make(other!, r, `b${b.path}`), b, onlyB: true });
        }
        return other ? list.sort((x, y) => Math.max(totalA(y), totalB(y)) - Math.max(totalA(x), totalB(x))) : list;
    };
    useEffect(() => {
        if (!valid) go({ view: null }, true);
    }, [valid]);
    useEffect(() => {
        if (!first.data || (both && !firstB.data)) return;
        let made = nodesOf(first.data, null, both ? firstB.data : null);
        void (async () => {
            // Flattened: in place of the first rows what is below them.
            for (let k = 0; k < levels; k++) {
                await Promise.all(made.map((n) => expand(n, true)));
                made = made
                    .flatMap((n) => (n.kids?.length ? n.kids.map((c) => ({ ...c, parent: null, depth: 0 })) : [n]))
                    .sort((x, y) => selfOf(y) - selfOf(x));
            }
            setRoots(made);
            setChosen(0);
            // The row that the address names is opened again, level by level.
            let list = made,
                last: Node | null = null;
            for (const wanted = param("row"); wanted;) {
                const n = list.find((x) => x.path === wanted || wanted.startsWith(`${x.path}/`));
                if (!n) break;
                last = n;
                if (n.path === wanted) break;
                if (!n.kids) await expand(n, true).catch(() => undefined);
                list = n.kids ?? [];
            }
            for (let k: Node | null = last?.parent ?? null; k; k = k.parent) k.open = true;
            if (!last && made.length === 1 && made[0]!.d.more[0]) await expand(made[0]!).catch(() => undefined);
            const at = last ? visible(made).indexOf(last) : 0;
            setChosen(Math.max(0, at));
            again();
            if (at > 0) win.current?.reveal(at);
        })();
    }, [first.data, firstB.data, key, levels]);
    const expand = async (n: Node, quietly = false): Promise<void> => {
        if (!n.kids) {
            const [d, other] = await Promise.all([
                !n.onlyB && n.d.more[n.r] ? get("tree", { ...ask, path: n.path, count: 1000 }) : null,
                n.b?.d.more[n.b.r] ? get("tree", { ...askB, path: n.b.path, count: 1000 }) : null,
            ]);
            if (d || other) n.kids = nodesOf(d, n, other);
        }
        if (!quietly) {
            n.open = Boolean(n.kids?.length);
            again();
        }
    };
    const tryExpand = (n: Node): void => {
        expand(n).catch((e: Error) => toast(e instanceof Refusal ? e.message : String(e), true));
    };
    const visible = (list: Node[] | null): Node[] => {
        const out: Node[] = [],
            stack = [...(list ?? [])].reverse();
        for (let n = stack.pop(); n; n = stack.pop()) {
            out.push(n);
            if (n.open && n.kids) for (let i = n.kids.length - 1; i >= 0; i--) stack.push(n.kids[i]!);
        }
        return out;
    };
    const rows = visible(roots),
        w = useWindow(rows.length, HEIGHT),
        now = rows[Math.min(chosen, rows.length - 1)] ?? null,
        d = first.data,
        m = d?.metrics[0],
        unit = m?.unit ?? "";
    win.current = w;
    const whole = m?.total ?? 0,
        heat = useMemo(() => heatScale(rows.slice(0, 400).map((n) => Number(figure(n.d.self, n.r, n.d.metrics.length) ?? 0))), [rows.length, d]);
    const choose = (i: number): void => {
        const n = rows[Math.max(0, Math.min(rows.length - 1, i))];
        if (!n) return;
        setChosen(rows.indexOf(n));
        here.value = targetOf(n);
        w.reveal(rows.indexOf(n));
        go({ row: n.path, ...(n.d.func?.[n.r] ? { fn: nameOf(n), ff: fileOf(n) } : {}) }, true);
    };
    const close = (n: Node): void => {
        if (n.open) {
            n.open = false;
            again();
        } else if (n.parent) choose(rows.indexOf(n.parent));
    };
    const hotPath = async (): Promise<void> => {
        // The largest child, as long as it has the given share of its parent.
        const least = (Number(param("threshold", "50")) || 50) / 100;
        let n = now ?? rows[0];
        for (let step = 0; n && step < 500; step++) {
            await expand(n);
            const kids: Node[] = n.kids ?? [],
                best: Node | null = kids.reduce<Node | null>((x, k) => (!x || totalOf(k) > totalOf(x) ? k : x), null);
            if (!best || totalOf(best) < least * totalOf(n)) break;
            n = best;
        }
        const list = visible(roots),
            at = n ? list.indexOf(n) : -1;
        if (at >= 0) {
            setChosen(at);
            again();
            setTimeout(() => win.current?.reveal(at));
            if (n) select(nameOf(n), fileOf(n), { row: n.path }, true);
        }
    };
    const find = async (step: number): Promise<void> => {
        const fits = matcher(param("q"));
        for (let i = chosen + step; i >= 0 && i < rows.length; i += step) if (fits(nameOf(rows[i]!))) return choose(i);
        // Below closed rows: opened along the heaviest ways, up to a limit.
        let asked = 0;
        const queue = rows.filter((n) => !n.kids && n.d.more[n.r]).sort((x, y) => totalOf(y) - totalOf(x));
        while (queue.length && asked++ < 60) {
            const n = queue.shift()!;
            await expand(n, true).catch(() => undefined);
            const hit = n.kids?.find((k) => fits(nameOf(k)));
            if (hit) {
                for (let a: Node | null = hit.parent; a; a = a.parent) a.open = true;
                again();
                const at = visible(roots).indexOf(hit);
                setChosen(at);
                setTimeout(() => win.current?.reveal(at));
                return;
            }
            queue.push(...(n.kids ?? []).filter((k) => k.d.more[k.r]));
            queue.sort((x, y) => totalOf(y) - totalOf(x));
        }
        const at = rows.findIndex((n) => fits(nameOf(n)));
        toast(at >= 0 ? "from the top" : "no match in the open part of the tree");
        if (at >= 0) choose(at);
    };
    useEffect(() => {
        const walk = (e: Event): void => void find((e as CustomEvent<number>).detail);
        addEventListener("assay-match", walk);
        return () => removeEventListener("assay-match", walk);
    });
    const zoom = (n: Node | null): void => go({ root: n?.path ?? null, rootname: n ? nameOf(n) : null, row: null });
    const onNow = (run: (n: Node) => void) => (): void => {
        if (now) run(now);
    };
    const flatten = (step: number): void => go({ flatten: Math.max(0, Math.min(3, levels + step)) || null, row: null });
    const setView = (v: string): void => go({ view: v === "top-down" ? null : v, root: null, rootname: null, row: null, id: null, flatten: null });
    useCommands("Tree", [
        ...rowKeys(chosen, rows.length, choose),
        {
            title: "Open, then to the first child",
            keys: ["ArrowRight"],
            run: onNow((n) => (n.open ? choose(chosen + 1) : tryExpand(n))),
            quiet: true,
        },
        { title: "Close, then to the parent", keys: ["ArrowLeft"], run: onNow(close), quiet: true },
        { title: "Open the heaviest path", keys: ["*"], run: () => void hotPath() },
        { title: "Show only what is below the row", keys: ["Enter"], run: onNow((n) => zoom(n)), quiet: true },
        {
            title: "Show all again",
            keys: ["Escape"],
            run: () => {
                if (root) zoom(null);
            },
            quiet: true,
        },
        { title: "Invert: bottom-up or top-down", keys: ["i"], run: () => setView(view === "bottom-up" ? "top-down" : "bottom-up") },
        {
            title: "Menu of the row",
            keys: ["Shift+F10", "ContextMenu"],
            run: onNow((n) => openMenu(300, 240, nameOf(n), menuOf(targetOf(n)))),
            quiet: true,
        },
        {
            title: "Copy the row",
            keys: ["Ctrl+C"],
            run: onNow((n) => {
                if (!getSelection()?.toString())
                    void copy([nameOf(n), figure(n.d.self, n.r, n.d.metrics.length), totalOf(n)].join("\t"), "copied the row");
            }),
        },
        { title: "Flatten one level", run: () => flatten(1) },
        { title: "Unflatten one level", run: () => flatten(-1) },
    ]);
    useStatus(
        d
            ? `${count(rows.length)} rows open${d.children > d.rows ? `, the first ${count(d.rows)} of ${count(d.children)}` : ""}${d.estimated ? ", estimated" : ""}`
            : "",
        d?.command,
    );
    const share = (n: Node): string => (shareOf.value === "parent" && n.parent ? percent(totalOf(n), totalOf(n.parent)) : percent(totalOf(n), whole)),
        fits = matcher(param("q")),
        hasQ = has("q");
    return (
        <div class="screen">
            <div class="tools">
                <Choice label="View" value={view} options={["top-down", "bottom-up", "flat"]} onChange={setView} />
                <button title="open the heaviest path from the row (*)" onClick={() => void hotPath()}>
                    Hot path
                </button>
                <Field
                    label="at least %"
                    width="3.5em"
                    value={param("threshold", "50")}
                    onChange={(v) => go({ threshold: v === "50" ? null : v }, true)}
                />
                <Pick label="Sort" value={sort} options={["=by default", ...["self", "total", "calls", "name"]]} onChange={(v) => go({ sort: v })} />
                <Pick
                    label="Detail"
                    {...bound(detailSetting)}
                    options={["sites=lines and loops", "functions=functions only", "contexts=as in the file"]}
                />
                <Choice label="Share" {...bound(shareOf)} options={["all=of all", "parent=of parent"]} />
                {!overview.value!.info.shapes?.includes("tree") && (
                    <Tick
                        label="cycles"
                        title="functions that call each other as one row"
                        on={has("cycles")}
                        onChange={(v) => go({ cycles: v ? 1 : null, row: null, root: null })}
                    />
                )}
                {view === "flat" && (
                    <span class="choice" role="group" aria-label="Flatten">
                        <button onClick={() => flatten(1)} title="what is below the first rows takes their place">
                            flatten
                        </button>
                        <button disabled={!levels} onClick={() => flatten(-1)}>
                            unflatten
                        </button>
                    </span>
                )}
                {root && <button onClick={() => zoom(null)}>× only below {shown(param("rootname"))}</button>}
            </div>
            {(d?.estimated ?? false) && (
                <p class="note" id="estimated">
                    Estimated: this file has calls but no call stacks, so the cost of a callee is shared out among its callers by their calls.
                </p>
            )}
            {first.error && !roots ? (
                <Failed error={first.error} />
            ) : roots && !rows.length ? (
                <Nothing />
            ) : (
                <div
                    class={`grid tree ${first.busy ? "old" : ""}`}
                    ref={w.ref}
                    role="treegrid"
                    aria-label={`Call tree, ${view}`}
                    aria-rowcount={rows.length}
                    tabIndex={0}
                    aria-activedescendant={now ? `node-${now.path}` : undefined}
                    data-scroll
                >
                    <div class="thead" role="row">
                        {(both
                            ? ["total in A", "total in B", "difference", "ratio"]
                            : ["self", "self%", "total", shareOf.value === "parent" ? "of parent" : "total%"]
                        ).map((h) => (
                            <span role="columnheader" class="n" key={h}>
                                {h}
                            </span>
                        ))}
                        {d?.calls && (
                            <span role="columnheader" class="n">
                                calls
                            </span>
                        )}
                        <span role="columnheader" class="name">
                            name
                        </span>
                    </div>
                    <Rows space={w.space} offset={w.offset}>
                        {rows.slice(w.from, w.to).map((n, i) => {
                            const at = w.from + i,
                                mm = n.d.metrics.length,
                                self = n.d.has_self && !n.d.has_self[n.r] ? undefined : figure(n.d.self, n.r, mm),
                                total = figure(n.d.total, n.r, mm);
                            return (
                                <div
                                    key={n.path}
                                    id={`node-${n.path}`}
                                    data-path={n.path}
                                    class={`tr ${at === chosen ? "on" : ""} ${hasQ && fits(nameOf(n)) ? "match" : ""}`}
                                    role="row"
                                    aria-level={n.depth + 1}
                                    aria-expanded={canOpen(n) ? n.open : undefined}
                                    aria-selected={at === chosen}
                                    data-name={nameOf(n)}
                                    onClick={() => choose(at)}
                                    onDblClick={() => (n.open ? close(n) : tryExpand(n))}
                                    onContextMenu={(e) => {
                                        e.preventDefault();
                                        choose(at);
                                        openMenu(e.clientX, e.clientY, shown(nameOf(n)), [
                                            { label: "Show only what is below", key: "Enter", run: () => zoom(n) },
                                            { label: "Open the heaviest path", key: "*", run: () => void hotPath() },
                                            ...menuOf(targetOf(n)),
                                        ]);
                                    }}
                                >
                                    {both ? (
                                        <>
                                            {[totalA(n), totalB(n)].map((v, k) => (
                                                <span role="gridcell" class="n" key={k} title={exact(v, unit)}>
                                                    {(k ? n.b : !n.onlyB) ? human(v, unit) : "-"}
                                                </span>
                                            ))}
                                            <span role="gridcell" class="n" title={exact(totalB(n) - totalA(n), unit)}>
                                                {signed(totalB(n) - totalA(n), unit)}
                                            </span>
                                            <span role="gridcell" class="n dim">
                                                {n.onlyB ? "new" : n.b ? `${human(totalB(n) / totalA(n))}x` : "gone"}
                                            </span>
                                        </>
                                    ) : (
                                        <>
                                            <span role="gridcell" class="n" title={exact(self, unit)} data-heat={heat(Number(self ?? 0))}>
                                                {human(self, unit)}
                                            </span>
                                            <span role="gridcell" class="n dim">
                                                {percent(self, whole)}
                                            </span>
                                            <span role="gridcell" class="n" title={exact(total, unit)}>
                                                {human(total, unit)}
                                            </span>
                                            <span role="gridcell" class="n bar">
                                                <i style={{ width: `${Math.min(100, (100 * totalOf(n)) / (whole || 1))}%` }} />
                                                <span>{share(n)}</span>
                                            </span>
                                        </>
                                    )}
                                    {d?.calls && (
                                        <span role="gridcell" class="n dim">
                                            {Number(n.d.calls[n.r]) ? count(n.d.calls[n.r]) : ""}
                                        </span>
                                    )}
                                    <span
                                        role="gridcell"
                                        class="name"
                                        title={nameOf(n)}
                                        style={{ paddingLeft: `${Math.min(n.depth, 60) * 14 + (n.depth > 60 ? 8 : 0)}px` }}
                                    >
                                        <button
                                            class="plain fold"
                                            tabIndex={-1}
                                            aria-hidden={!canOpen(n)}
                                            aria-label={n.open ? "close" : "open"}
                                            onClick={(e) => {
                                                e.stopPropagation();
                                                if (n.open) close(n);
                                                else tryExpand(n);
                                            }}
                                        >
                                            {canOpen(n) ? (n.open ? "▾" : "▸") : ""}
                                        </button>
                                        <Label n={n} />
                                    </span>
                                </div>
                            );
                        })}
                    </Rows>
                </div>
            )}
        </div>
    );
}
