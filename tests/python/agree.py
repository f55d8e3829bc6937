#!/usr/bin/env python3
"""One number, three ways to it: for every sample of the shared data and every fixture, what C (results.c, outcomes.c), the Python package and the command say of it is
the same, row by row and to the last digit. What one of them refuses the others refuse too, with the same sentence.

  agree.py RESULTS_PROGRAM OUTCOMES_PROGRAM [PART]     only samples whose path contains PART
"""
import json
import math
import os
import re
import sys
import tempfile
from pathlib import Path

import outcomes
from bindings import assay
from support import FIXTURES, SHARED, Tally, assay as command, has_shared, run

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "query"))
from listing import all_samples  # noqa: E402

KINDS = assay.results.KINDS


def ask(*args):
    """What the command prints as JSON, and what it says when it fails."""
    r = command(*args)
    text = r.stdout.decode("utf-8", "surrogateescape")
    return (json.loads(text) if text.strip() and r.returncode in (0, 1) else None), r.stderr.decode("utf-8", "surrogateescape")


def python(function, *args, **options):
    """The answer of the package, or its exception."""
    try:
        return function(*args, **options), None
    except assay.AssayError as e:
        return None, e


# ---- as C prints it ----

def text(value):
    return "" if value is None else value.split("\0")[0]


def shown(value):
    return "%.17g" % value if isinstance(value, float) else str(value)


def columns_of(table, *members):
    """Columns of figures in the order of the metrics."""
    about = table.about
    return [[table[m if name == about["metric"] else f"{m} {name}"].tolist() for name in about["metrics"]] for m in members if m in table]


def top_lines(t):
    fields = [t[name].tolist() for name in ("name", "file", "line", "calls", "cycle", "members")]
    cost = [c for member in columns_of(t, "self", "total") for c in member]
    yield "\t".join(["columns", *map(text, t.about["metrics"])])
    for row in zip(*fields, *cost):
        yield "\t".join(["row", text(row[0]), text(row[1]), *map(shown, row[2:])])


def view_lines(t):
    fields = [t[name].tolist() for name in ("depth", "kind", "name", "file", "line", "site_line", "calls", "has_self")]
    cost = [c for member in columns_of(t, "self", "total") for c in member]
    yield "\t".join(["columns", *map(text, t.about["metrics"])])
    for depth, kind, name, file, line, site, calls, has_self, *more in zip(*fields, *cost):
        yield "\t".join(["row", str(depth), str(KINDS.index(kind)), text(name), text(file), str(line), str(site), str(calls), str(int(has_self)), *map(shown, more)])


def caller_lines(found):
    names = found.about["metrics"]
    yield "\t".join(["columns", *map(text, names)])
    for b in found:
        yield "\t".join(["row", text(b.name), str(b.calls), *(shown(b.self[n]) for n in names), *(shown(b.total[n]) for n in names)])
        for what, side in (("caller", b.callers), ("callee", b.callees)):
            cost = [side["total" if n == found.about["metric"] else f"total {n}"].tolist() for n in names]
            fields = [side[n].tolist() for n in ("depth", "name", "line", "sites", "calls", "flags")]
            for depth, name, line, sites, calls, flags, *more in zip(*fields, *cost):
                yield "\t".join([what, str(depth), text(name), str(line), str(sites), str(calls), str(flags & 1), *map(shown, more)])


def path_lines(t):
    for depth, name, own, total in zip(*(t[n].tolist() for n in ("depth", "name", "self", "total"))):
        yield f"row\t{depth}\t{text(name)}\t{shown(own % 2**64 if isinstance(own, int) else own)}\t{shown(total % 2**64 if isinstance(total, int) else total)}"


def chart_lines(c):
    for name, own, total, streams in zip(*(c.functions[n].tolist() for n in ("name", "self", "total", "streams"))):
        yield f"row\t{text(name)}\t{own % 2**64}\t{total % 2**64}\t{streams}"
    labels = c.streams["label"].tolist()
    for line, depth, first, last, time, name in zip(*(c.boxes[n].tolist() for n in ("stream", "depth", "from", "to", "time", "name"))):
        yield f"box\t{text(labels[line])}\t{depth}\t{first - c.begin}\t{last - c.begin}\t{time}\t{text(name)}"


def source_lines(sources):
    for s in sources:
        t = s.lines
        yield f"source\t{text(s.path)}"
        yield "\t".join(["columns", *map(text, t.about["metrics"])])
        called = [0] * t.count
        for row in s.callees["row"]:
            called[row] += 1
        cost = [c for member in columns_of(t, "self", "total") for c in member]
        fields = [t[n].tolist() for n in ("line", "state", "hits", "branches", "branches_hit", "has_cost", "calls")]
        for i, (line, state, hits, branches, branches_hit, has_cost, calls) in enumerate(zip(*fields)):
            more = [shown(c[i]) for c in cost] if has_cost else []
            state = assay.results.STATES.index(state)
            yield "\t".join(map(str, ["row", line, state, int(hits is not None), hits or 0, branches, branches_hit, has_cost, calls, called[i], *more]))


def same_as_c(tally, label, program, p, function):
    """Every mode of results.c against the same question in Python."""
    said = run(program, "all", p.name, function).stdout.decode("utf-8", "surrogateescape")
    found = re.split(r"^# (table|lines|files|cycles|tree|bottom-up|flat|hot-path|callers|paths|chart|annotate)\n", said, flags=re.M)
    parts = dict(zip(found[1::2], found[2::2]))
    ways = {
        "table": lambda: top_lines(p.top()), "lines": lambda: top_lines(p.top(by="line")), "files": lambda: top_lines(p.top(by="file")),
        "cycles": lambda: top_lines(p.top(cycles=True)), "tree": lambda: view_lines(p.tree(limit=10000)),
        "bottom-up": lambda: view_lines(p.tree("bottom-up", limit=10000)), "flat": lambda: view_lines(p.tree("flat", limit=10000)),
        "hot-path": lambda: view_lines(p.tree("hot-path", limit=10000)), "callers": lambda: caller_lines(p.callers(function)),
        "paths": lambda: path_lines(p.paths()), "chart": lambda: chart_lines(p.timeline()), "annotate": lambda: source_lines(p.annotate()),
    }
    for mode, ask_python in ways.items():
        if p._is_coverage() and mode in ("table", "lines", "files", "cycles"):
            continue  # top of coverage is a table of files
        try:
            got = "".join(f"{line}\n" for line in ask_python())
        except assay.AssayError as e:
            got = f"error\t{e.code}\n"
        want = parts.get(mode, "")
        if want.startswith("error\t"):  # the sentence depends on what was read
            want = "\t".join(want.split("\t")[:2])
        want += "\n" if want and not want.endswith("\n") else ""
        differ = next(((a, b) for a, b in zip(got.split("\n"), want.split("\n")) if a != b), ("", ""))
        tally.check(got == want, f"{label}: C and Python: {mode}", "python " + repr(differ[0])[:600], "c      " + repr(differ[1])[:600])


# ---- as the command prints it ----

def figures(table, i, member):
    about = table.about
    return {n: table[member if n == about["metric"] else f"{member} {n}"][i] for n in about["metrics"]}


def refused(tally, label, want, got, problem, said):
    """Both say no, or the library says with an answer that has nothing in it what the command says with a sentence."""
    is_empty = not got or isinstance(got, assay.Table) and not got.about.get("metrics")
    tally.check(want is None and (problem is not None or is_empty), f"{label}: both refuse it", repr(problem), said[:300])


def top_rows(p, t):
    """Where the place is part of the identity, the command shows it with the file."""
    shown_at = {f["id"]: f":{f['line']}" + (f":{f['column']}" if f.get("column") else "") for f in p._verb("top").table("functions").rows() if f.get("function_flags", 0) >> 31}
    own, total = (columns_of(t, member) for member in ("self", "total"))
    names = t.about["metrics"]
    fields = [t[n].tolist() for n in ("name", "file", "line", "module", "calls", "function")]
    for i, (name, file, line, module, calls, function) in enumerate(zip(*fields)):
        yield {"name": name, "file": file + shown_at.get(function, "") if file else file, "line": line or None, "module": module, "calls": calls, "self": dict(zip(names, (c[i] for c in own[0]))) if own else {},
               "total": dict(zip(names, (c[i] for c in total[0]))) if total else {}}


def coverage_rows(t):
    names = [n for n in t if n not in ("file", "missing")]
    for row in t.rows():
        yield {"name" if n == "path" else n: row[n] for n in names} | {"missing": row["missing"]}


def plain(value):
    """As JSON has it: no number is null."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    return [plain(v) for v in value] if isinstance(value, list) else value


def same_rows(tally, label, got, want, keys):
    got, want = ([{k: row.get(k) or "" if k == "name" else plain(row.get(k)) for k in keys} for row in rows] for rows in (got, want))  # no name, and an empty one
    differ = [(g, w) for g, w in zip(got, want) if g != w]
    tally.check(len(got) == len(want) and not differ, f"{label}: the same rows", len(got), len(want), *map(str, differ[:1]))


def same_as_command(tally, label, p, path):
    want, said = ask("top", "--json", "--limit", "0", path)
    got, problem = python(p.top)
    if want is None or got is None:
        refused(tally, f"{label}: top", want, got, problem, said)
    elif "path" in got:
        named = set(want["rows"][0]) - {"percent"} if want["rows"] else set()
        same_rows(tally, f"{label}: coverage", coverage_rows(got), want["rows"], named)
        tally.equal({k: v for k, v in got.about["total"].items() if k in want["total"]}, {k: v for k, v in want["total"].items() if k != "percent"}, f"{label}: coverage in all")
    else:
        same_rows(tally, f"{label}: top", top_rows(p, got), want["rows"], ("name", "file", "line", "calls", "self", "total"))
        if got.about["metric"]:
            tally.equal(got.about["metric"], want["metric"], f"{label}: the metric of top")
    return got


def tree_rows(t):
    own, total = (columns_of(t, member)[0] for member in ("self", "total"))
    names = t.about["metrics"]
    fields = [t[n].tolist() for n in ("depth", "kind", "file", "line", "calls", "has_self", "site_line")]
    for i, (depth, kind, file, line, calls, has_self, site) in enumerate(zip(*fields)):
        yield {"depth": depth, "kind": kind, "file": file, "line": line or None, "calls": calls, "site": site or None, "total": dict(zip(names, (c[i] for c in total))),
               "self": dict(zip(names, (c[i] for c in own))) if has_self else dict.fromkeys(names)}


def trees(tally, label, p, path):
    want, said = ask("tree", "--json", path)
    got, problem = python(p.tree)
    if want is None or got is None:
        return refused(tally, f"{label}: tree", want, got, problem, said)
    rows = [{**row, "site": row["site"] and row["site"]["line"]} for row in want["rows"]]
    same_rows(tally, f"{label}: tree", tree_rows(got), rows, ("depth", "kind", "file", "line", "calls", "site", "self", "total"))


def callers(tally, label, p, path, function):
    want, said = ask("callers", "--json", "--limit", "0", function, path)
    got, problem = python(p.callers, function)
    if want is None or got is None:
        return refused(tally, f"{label}: callers", want, got, problem, said)
    rows = []
    for b in got:
        row = {"name": b.name, "calls": b.calls, "self": b.self, "total": b.total}
        for side in ("callers", "callees"):
            t = getattr(b, side)
            t.about |= {"metric": got.about["metric"], "metrics": got.about["metrics"]}
            row[side] = [[t["depth"][i], t["name"][i], t["sites"][i], t["calls"][i], figures(t, i, "total")] for i in range(t.count)]
        rows.append(row)
    wanted = [{**row, **{side: [[r[k] for k in ("depth", "name", "sites", "calls", "total")] for r in row[side]] for side in ("callers", "callees")}} for row in want["rows"]]
    same_rows(tally, f"{label}: callers", rows, wanted, ("name", "calls", "self", "total", "callers", "callees"))


def charts(tally, label, p, path):
    want, said = ask("timeline", "--json", "--limit", "0", path)
    got, problem = python(p.timeline)
    if want is None or got is None:
        return refused(tally, f"{label}: timeline", want, got, problem, said)
    f = got.functions
    same_rows(tally, f"{label}: functions over time", f.rows(), want["rows"], ("name", "self", "total", "streams"))
    labels = got.streams["label"].tolist()
    boxes = [[labels[b["stream"]], b["depth"], b["from"] - got.begin, b["to"] - got.begin, b["time"], b["name"]] for b in got.boxes.rows()]
    wanted = [[s["label"], b["depth"], b["from"], b["to"], b["time"], b["name"]] for s in want["streams"] for b in s["boxes"]]
    tally.check(boxes == wanted, f"{label}: boxes", len(boxes), len(wanted), *[(a, b) for a, b in zip(boxes, wanted) if a != b][:1])


def sources(tally, label, p, path):
    want, said = ask("annotate", "--json", "--limit", "0", path)
    got, problem = python(p.annotate)
    if want is None or got is None:
        return refused(tally, f"{label}: annotate", want, got, problem, said)
    rows = {}
    for s in got:
        t = s.lines
        names, own, total = t.about["metrics"], columns_of(t, "self"), columns_of(t, "total")
        lines = []
        for i, (line, state, hits, branches, hit, has_cost, calls) in enumerate(zip(*(t[n].tolist() for n in ("line", "state", "hits", "branches", "branches_hit", "has_cost", "calls")))):
            row = {"line": line} | ({"hits": hits} if hits is not None else {}) | ({"state": state} if state != "none" else {})
            row |= {"branches": branches, "branches_hit": hit} if branches else {}
            if has_cost:
                row |= {"calls": calls, "self": dict(zip(names, (c[i] for c in own[0]))) if own else {}}
                row |= {"total": dict(zip(names, (c[i] for c in total[0])))} if total else {}
            lines.append(row)
        rows[s.path] = lines
    keys = ("line", "hits", "state", "branches", "branches_hit", "calls", "self", "total")
    for s in want["sources"]:
        wanted = [{k: line[k] for k in keys if k in line} for line in s["lines"]]
        mine = [row for row in rows.get(s["file"], [])]
        tally.check(mine == wanted, f"{label}: lines of {s['file']}", *[(a, b) for a, b in zip(mine, wanted) if a != b][:1], len(mine), len(wanted))


def facts(tally, label, p, path):
    """Totals of metrics, and what a check finds."""
    want, _ = ask("info", "--json", path)
    info, problem = python(p.info)
    if want is not None and info is not None:
        want = want["files"][0]
        tally.equal({k: v for k, v in info.items() if k != "warnings"}, {k: v for k, v in want.items() if k != "warnings"}, f"{label}: info")
    want, said = ask("check", "--json", path)
    found, problem = python(assay.check, path)
    if want is None or found is None:
        return refused(tally, f"{label}: check", want, found, problem, said)
    want = want["files"][0]
    tally.equal((found.format, found.ok, found.errors, found.warnings), tuple(want[k] for k in ("format", "ok", "errors", "warnings")), f"{label}: check")
    tally.equal([(f.rule, f.severity, f.message) for f in found.findings], [(f["rule"], f["severity"], f["message"]) for f in want["findings"]], f"{label}: findings")


def pictures(tally, label, p, path):
    r = command("flame", path)
    svg, problem = python(p.flame_svg)
    if r.returncode or svg is None:
        return refused(tally, f"{label}: flame", None if r.returncode else r.stdout, svg, problem, r.stderr.decode("utf-8", "surrogateescape"))
    tally.check(svg.encode("utf-8", "surrogateescape") == r.stdout, f"{label}: the same flame graph", svg[:200], r.stdout[:200])


def questions(tally, label, p, path):
    r = command("query", "--format", "json", "--exact", path, "select metric, name, streams, sum, min, mean, max, stddev, imbalance, max_stream from spread")
    got, problem = python(p.stats)
    if r.returncode or got is None:
        return refused(tally, f"{label}: stats", None if r.returncode else r.stdout, got, problem, r.stderr.decode("utf-8", "surrogateescape"))
    want = json.loads(r.stdout)["rows"]
    same_rows(tally, f"{label}: stats", got.rows(), want, ("metric", "name", "streams", "sum", "min", "mean", "max", "stddev", "imbalance", "max_stream"))


def differences(tally, label, p, path, before, before_path):
    want, said = ask("diff", "--json", "--limit", "0", before_path, path)
    got, problem = python(before.diff, p)
    if want is None or got is None:
        return refused(tally, f"{label}: diff", want, got, problem, said)
    if "path" in got:
        words = list(got.about["categories"])
        rows = [{"path": r["path"], "old_path": r["old_path"], "before": r["before"], "after": r["after"], "after_hit": r["after_hit"], "by": {w: r[w] for w in words}}
                for r in got.rows() if r["path"] is None or r["old_path"] is None or any(r[w] for w in words if w not in ("CBC", "UBC"))]  # the command lists changes
        wanted = [{"path": r["path"], "old_path": r["old_path"], "before": r["before"]["lines"], "after": r["after"]["lines"], "after_hit": r["after"]["lines_hit"],
                   "by": r["categories"]} for r in want["rows"]]
        return same_rows(tally, f"{label}: coverage against {before_path.name}", rows, wanted, ("path", "old_path", "before", "after", "after_hit", "by"))
    names, rows = got.about["metrics"], []
    column = {(m, n): got[m if n == got.about["metric"] else f"{m} {n}"].tolist() for n in names for m in ("before_self", "after_self", "before_total", "after_total") if m in got}
    for i, row in enumerate(got.rows()):
        side = {w: {kind: {n: column[f"{w}_{kind}", n][i] for n in names if (f"{w}_{kind}", n) in column} for kind in ("self", "total")} | {"calls": row[f"{w}_calls"]}
                for w in ("before", "after")}
        rows.append({"name": row["name"], "file": row["file"], "state": row["state"], **side})
    same_rows(tally, f"{label}: against {before_path.name}", rows, want["rows"], ("name", "file", "state", "before", "after"))


def conversions(tally, label, p, path, tmp):
    """The bytes that the command writes."""
    for to in ("assay-json", "callgrind", "lcov"):
        r = command("convert", path, "--to", to, "-o", tmp / "command")
        got, problem = python(p.convert, to, tmp / "python")
        if r.returncode or problem:
            refused(tally, f"{label}: to {to}", None if r.returncode else r.stdout, got, problem, r.stderr.decode("utf-8", "surrogateescape"))
        else:
            tally.check((tmp / "command").read_bytes() == (tmp / "python").read_bytes(), f"{label}: the same {to}")


def one(tally, programs, path, label, tmp, last, is_converted):
    program, other = programs
    if (path / ".git" / ".covdata").is_dir():
        outcomes.stores(tally, other, label, path, tmp)
    p, problem = python(assay.read, path, want="top")
    if p is None:
        r = command("top", "--json", path)
        said = r.stderr.decode("utf-8", "surrogateescape")
        tally.check(r.returncode == 3 and problem.text[:60] in said, f"{label}: refused alike", problem, r.returncode, said)
        return last
    top = same_as_command(tally, label, p, path)
    names = [n for n in top["name"].tolist()[:1] if n and "\0" not in n] if top is not None and "name" in top else []
    for check in (trees, charts, sources, facts, pictures, questions):
        check(tally, label, p, path)
    if names:
        callers(tally, label, p, path, names[0])
    same_as_c(tally, label, program, p, names[0] if names else "main")
    before = last if last and last[1].parent == path.parent else None
    if before:
        differences(tally, label, p, path, *before)
    outcomes.files(tally, other, label, path, before and before[1], tmp)
    if is_converted:
        conversions(tally, label, p, path, tmp)
    return p, path


def main():
    tally = Tally()
    programs, part = sys.argv[1:3], sys.argv[3] if len(sys.argv) > 3 else ""
    if not has_shared():
        tally.skip("shared samples", f"no {SHARED}/data")
    with tempfile.TemporaryDirectory() as tmp:
        tmp, last = Path(tmp), None
        for n, path in enumerate(all_samples(FIXTURES, SHARED / "data" if has_shared() else None, tmp)):
            if part in str(path):
                base = SHARED / "data" if path.is_relative_to(SHARED) else FIXTURES if path.is_relative_to(FIXTURES) else tmp
                last = one(tally, programs, path, str(path.relative_to(base)), tmp, last, is_converted=n % 8 == 0 or bool(part))
    spent = os.times()
    print(f"{sum(spent[:4]):.0f} s of CPU")
    tally.finish()


if __name__ == "__main__":
    main()
