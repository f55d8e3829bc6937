#!/usr/bin/env python3
"""The tables of `assay query` say what the other verbs say, for every sample: self costs add up to the total of their metric, and the tables of the analysis have the figures that
`--json` prints. Samples are those of the shared data, and the fixtures.
   samples.py [PART]     only those whose path contains PART"""
import json
import math
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parent)]
from listing import all_samples  # noqa: E402
from support import FIXTURES, SHARED, Tally, assay, has_shared  # noqa: E402

LARGE = 4 << 20  # bytes; larger samples are compared by sums alone
MOST_ROWS = 60000


def loads(text):
    return json.loads(text.decode("utf-8", "surrogatepass"))


def query(path, sql):
    """Rows as tuples, or None when the statement fails."""
    r = assay("query", "--format", "json", "--no-progress", path, sql)
    if r.returncode != 0:
        return None, r.stderr.decode("utf-8", "replace")
    return [tuple(row.values()) for row in loads(r.stdout)["rows"]], ""


def report(verb, *args):
    r = assay(verb, "--json", "--no-progress", *args)
    return loads(r.stdout) if r.stdout.strip() and r.returncode in (0, 1) else None


def real(v):
    """Integers of 2^63 and more are reals in SQL."""
    return float(v) if isinstance(v, int) and v >= 1 << 63 else v


def same(a, b):
    """Equal; sums of doubles depend on the order in which SQL adds them up."""
    return a == b or (isinstance(a, float) or isinstance(b, float)) and math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)


def digits(v):
    """Sums of doubles in another order may differ in the last digits."""
    return float(f"{v:.12g}") if isinstance(v, float) else v


def check_sums(tally, path, label, metrics):
    """In one of the tables that hold self cost, the sum is the total that `info` prints, to the last digit of integers."""
    sums = {}
    for table, where in (("top", "true"), ("cost", "true"), ("line_cost", "level = 'line'"), ("value", "scope = 'point'"), ("event", "true")):
        column = {"value": "value", "event": "weight"}.get(table, "self")
        rows, why = query(path, f"select metric, total({column}), sum({column}) from {table} where {where} group by metric")
        for name, as_real, exact in rows or []:
            sums.setdefault(name, []).append((table, exact if isinstance(exact, int) else as_real))
    stored, _ = query(path, "select metric, total(value), count(*) from value where scope = 'execution' and node in (select id from node where parent is null) group by metric")
    for name, value, _ in stored or []:
        sums.setdefault(name, []).append(("value of roots", value))
    formulas, _ = query(path, "select name from metric where formula is not null or has_stated")
    counted, _ = query(path, "select 'hits', ifnull(sum(hits), 0) from cov_line where ifnull(flags, '') not like '%excluded%' union all select 'stmt_count', sum(hits) from (select distinct stream, file, line, hits from line_cost "
                       "where level = 'line') union all select 'sub_calls', sum(calls) from (select distinct stream, function, calls from function_cost)")
    for name, value in counted or []:
        sums.setdefault(name, []).append(("counts", value))
    for m in metrics:
        if (m["name"],) in (formulas or []):
            continue
        got = sums.get(m["name"], [])
        if not m["total"] and not got:
            continue
        said = report("top", "--limit", "1", "--metric", m["name"], path) if not any(same(real(m["total"]), v) for _, v in got) else None
        total = said["total"] if said and said.get("metric") == m["name"] else m["total"]  # info does not look inside the code of GPUs
        tally.check(any(same(real(total), v) for _, v in got), f"{label}: self costs of {m['name']} add up to its total", m["total"], got)


def figures(rows, kind):
    """What a row of --json says, as many tuples as it has metrics."""
    out = Counter()
    for r in rows:
        for metric, value in r.get(kind, {}).items():
            out[(r["name"], metric, real(value))] += 1
    return out


def check_top(tally, path, label):
    said = report("top", "--limit", "0", path)
    if not said or "rows" not in said or said.get("metric") == "coverage":
        return
    rows, why = query(path, "select name, metric, self, total, calls from top")
    tally.check(rows is not None, f"{label}: top answers", why)
    rows = rows or []
    names = Counter(r["name"] for r in said["rows"])
    if len(names) * 50 < len(rows) and len(rows) > MOST_ROWS:
        return
    for i, kind in ((2, "self"), (3, "total")):
        mine = Counter((r[0], r[1], r[i]) for r in rows if r[1] is not None)
        want = figures(said["rows"], kind)
        tally.check(mine == want, f"{label}: {kind} of top is that of --json", list((mine - want).items())[:3], list((want - mine).items())[:3])
    calls = Counter((r[0], r[4]) for r in rows if r[1] is None or r[1] == rows[0][1])
    want = Counter((r["name"], r["calls"]) for r in said["rows"])
    tally.check(calls == want, f"{label}: calls of top are those of --json", list((calls - want).items())[:3], list((want - calls).items())[:3])


STATS = ("groups", "measured", "min", "mean", "max", "stddev", "imbalance", "lost")


def check_streams(tally, path, label):
    """stream_top is what `top --stream` prints of single streams, and the sums of spread are its columns."""
    rows, why = query(path, "select stream, name, metric, self from stream_top")
    tally.check(rows is not None, f"{label}: stream_top answers", why)
    for stream in sorted({r[0] for r in rows or []} - {0})[:2]:
        said = report("top", "--limit", "0", "--stream", f"{stream}", path)
        if not said or not said.get("rows") or len(rows) > MOST_ROWS:
            continue  # a call graph that does not tell streams apart, beside a tree that does
        want = Counter((r["name"], metric, digits(real(value))) for r in said["rows"] for metric, value in r["self"].items() if value)
        mine = Counter((r[1], r[2], digits(r[3])) for r in rows if r[0] == stream and r[3])
        tally.check(mine == want, f"{label}: stream_top of stream {stream} is what top --stream lists", list((mine - want).items())[:3], list((want - mine).items())[:3])
    spread, why = query(path, "select s.function, s.metric, s.sum, s.max, s.present, count(*), total(t.self), max(t.self) from spread s join stream_top t on t.profile = s.profile and t.function = s.function and "
                        "t.metric = s.metric group by 1, 2")
    said = report("top", "--limit", "0", "--stats=stream", path)
    if said and said.get("rows") and len(said["rows"]) < MOST_ROWS and "over" in said:
        want = Counter((r["name"], *(real(r["stats"]["self"].get(k)) for k in STATS)) for r in said["rows"] if r.get("stats") and r["stats"]["self"] and (r["stats"]["self"]["max"] or r["stats"]["self"]["min"]))
        columns, _ = query(path, f"select name, present, streams, min, mean, max, stddev, imbalance, lost from spread where metric = '{said['metric'].replace(chr(39), chr(39) * 2)}'")
        mine = Counter(columns or [])
        tally.check(mine == want, f"{label}: spread is what top --stats lists", list((mine - want).items())[:3], list((want - mine).items())[:3])
    odd = [r for r in spread or [] if not (same(r[2], r[6]) and r[4] == r[5] and (r[3] == r[7] or r[7] < 0))]
    tally.check(spread is not None and not odd, f"{label}: spread sums up stream_top", why, odd[:3])


def check_tree(tally, path, label):
    said = report("tree", "--contexts", "--limit", "0", path)
    if not said or not said.get("rows") or len(said["rows"]) > MOST_ROWS:
        return
    rows, why = query(path, "select name, metric, self, total, kind from tree")
    tally.check(rows is not None, f"{label}: tree answers", why)
    want = Counter()
    for r in said["rows"]:
        if r["kind"] not in ("function", "inlined"):
            continue
        for metric, total in r["total"].items():
            want[(r["name"], metric, real(total))] += 1
    mine = Counter((r[0], r[1], r[3]) for r in rows or [] if r[4] in ("function", "inlined") and r[0] is not None)
    missing = want - mine
    tally.check(not missing, f"{label}: totals of tree are those of --json", list(missing.items())[:3], list((mine - want).items())[:3])


def check_callers(tally, path, label):
    said = report("callers", "--limit", "0", "--functions", "0", "(?s).*", path)
    if not said or not said.get("rows") or len(said["rows"]) > 3000:
        return
    rows, why = query(path, "select caller_name, callee_name, metric, total, calls from caller")
    tally.check(rows is not None, f"{label}: caller answers", why)
    want = Counter((c["name"], r["name"], metric, real(total), c["calls"]) for r in said["rows"] for c in r["callers"] for metric, total in c["total"].items())
    mine = Counter(r for r in rows or [] if r[2] is not None)
    tally.check(mine == want, f"{label}: caller is what callers --json lists", list((mine - want).items())[:3], list((want - mine).items())[:3])


def check_lines(tally, path, label):
    said = report("annotate", "--limit", "0", path)
    if not said or not said.get("sources"):
        return
    rows, why = query(path, "select f.path, l.line, l.metric, l.self, l.hits from line l left join file f on f.profile = l.profile and f.id = l.file")
    tally.check(rows is not None, f"{label}: line answers", why)
    want, hits = Counter(), Counter()
    for s in said["sources"]:
        for line in s["lines"]:
            for metric, value in line.get("self", {}).items():
                want[(s["file"], line["line"], metric, real(value))] += 1
            if line.get("hits") is not None:
                hits[(s["file"], line["line"], real(line["hits"]))] += 1
    mine = Counter(r[:4] for r in rows or [] if r[3] is not None and r[0] is not None)
    want = Counter({k: v for k, v in want.items() if k[0] is not None})
    tally.check(not want - mine, f"{label}: self of line is that of annotate --json", list((want - mine).items())[:3])
    mine = set((r[0], r[1], r[4]) for r in rows or [])
    lost = [k for k in hits if k not in mine]
    tally.check(not lost, f"{label}: hits of line are those of annotate --json", lost[:3])


def check_coverage(tally, path, label):
    said = report("top", "--limit", "0", path)
    if not said or said.get("metric") != "coverage" or said.get("by") != "file":
        return
    keys = ("lines", "lines_hit", "functions", "functions_hit", "branches", "branches_hit")
    rows, why = query(path, f"select f.path, {', '.join('c.' + k for k in keys)} from coverage c left join file f on f.profile = c.profile and f.id = c.file")
    want = Counter((r["name"], *(r.get(k, 0) for k in keys)) for r in said["rows"])
    mine = Counter(rows or [])
    tally.check(mine == want, f"{label}: coverage is what top --json lists", why, list((mine - want).items())[:3], list((want - mine).items())[:3])


def check_findings(tally, path, label):
    said = report("check", path)
    if not said or not said.get("files") or "findings" not in said["files"][0]:
        return
    rows, why = query(path, "select rule, severity, byte_offset, line, message from finding")
    want = Counter((f["rule"], f["severity"], f.get("offset"), f.get("line") or None, f["message"]) for f in said["files"][0]["findings"])
    if rows is None:
        return
    mine = Counter(rows)
    tally.check(mine == want, f"{label}: finding is what check --json lists", list((mine - want).items())[:2], list((want - mine).items())[:2])


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory() as tmp:
        wanted = sys.argv[1] if len(sys.argv) > 1 else ""
        for path in all_samples(FIXTURES, SHARED / "data" if has_shared() else None, Path(tmp)):
            if wanted not in str(path):
                continue
            label = path.name
            info = report("info", path)
            if not info or not info.get("files") or "metrics" not in info["files"][0]:
                continue
            check_findings(tally, path, label)
            check_sums(tally, path, label, info["files"][0]["metrics"])
            check_coverage(tally, path, label)
            if path.is_file() and path.stat().st_size > LARGE:
                continue
            check_top(tally, path, label)
            check_streams(tally, path, label)
            check_tree(tally, path, label)
            check_callers(tally, path, label)
            check_lines(tally, path, label)
    tally.finish()


if __name__ == "__main__":
    main()
