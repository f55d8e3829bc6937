#!/usr/bin/env python3
"""Every figure of the NYTProf data against what Devel::NYTProf, or an independent reader, made of the same files.

  figures.py MODEL

MODEL is nytprof_model (model.c). Counts and ticks are exact, seconds within 1e-7 absolute or 1e-6 relative, as the README of the data says.
Also: the command on files of this format passes check-facts.py, and every uncompressed 5.0 file is rewritten byte for byte.
"""
import gzip
import json
import math
import re
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from support import FIXTURES, SHARED, Tally, assay, check_facts, has_shared, run, said  # noqa: E402

DATA = SHARED / "data" / "nytprof"
KINDS = {"perl": 0, "xsub": 1, "opcode": 2}


def name_of(text):
    """Names are decoded as UTF-8 if valid, else as Latin-1."""
    raw = (text or "").encode("utf-8", "surrogateescape")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def near(a, b):
    return math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-7)


def all_near(got, want):
    return len(got) == len(want) and all(near(a, b) for a, b in zip(got, want))


def load(program, path):
    result = run(program, path)
    return json.loads(result.stdout.decode("utf-8", "surrogatepass")) if result.returncode == 0 else None


def sub_totals(model):
    """By name: calls, inclusive, exclusive, recursive time, depth, summed over the call sites."""
    names = [""] + [name_of(s[0]) for s in model["subs"]]
    totals = defaultdict(lambda: [0, 0.0, 0.0, 0.0, 0])
    for caller, callee, file, line, calls, incl, excl, reci, depth in model["arcs"]:
        t = totals[names[callee]]
        t[0] += calls
        t[1] += incl
        t[2] += excl
        t[3] += reci
        t[4] = max(t[4], depth)
    return totals


def line_table(model, level):
    table = defaultdict(lambda: [0, 0])
    for lv, file, line, hits, ticks, _ in model["lines"]:
        if lv == level:
            table[file, line][0] += hits
            table[file, line][1] += ticks
    return sorted([f, n, h, t] for (f, n), (h, t) in table.items())


def compare_files(tally, name, model, detail):
    want = [[f["name"], f["eval_fid"], f["eval_line"], f["flags"], f["src_lines"]] for f in detail["files"]]
    lines = lambda s: len((s or "").split("\n")) - (not s or s.endswith("\n"))
    got = [[name_of(f[0]), *f[1:4], lines(f[4])] for f in model["files"]]
    if name == "api-raw.nytprof":  # saved lines with gaps: the original counts those that are there, the text has empty ones between them
        want, got = [f[:4] for f in want], [f[:4] for f in got]
    tally.equal(got, want, f"{name}: files, evals, flags, number of source lines")


def compare_subs(tally, name, model, detail):
    names = [""] + [name_of(s[0]) for s in model["subs"]]
    subs = {name_of(s[0]): s for s in model["subs"]}
    totals, sites = sub_totals(model), defaultdict(lambda: [0, 0.0, 0.0, 0.0, 0, set()])
    for caller, callee, file, line, calls, incl, excl, reci, depth in model["arcs"]:
        site = sites[names[callee], file, line]
        for i, v in enumerate((calls, incl, excl, reci)):
            site[i] += v
        site[4] = max(site[4], depth)
        site[5].add(names[caller])
    wrong = []
    for s in detail["subs"]:
        got, total = subs.get(s["name"]), totals[s["name"]]
        if not got or got[1] != KINDS[s["kind"]] or (s["first"] is not None and got[3:5] != [s["first"], s["last"]]):
            wrong.append((s["name"], got, s["kind"], s["first"], s["last"]))
        if total[0] != s["calls"] or total[4] != s["depth"] or not all_near(total[1:4], [s["incl"], s["excl"], s["reci"]]):
            wrong.append((s["name"], total, [s[k] for k in ("calls", "incl", "excl", "reci", "depth")]))
        for c in s["callers"]:
            site = sites.pop((s["name"], c["fid"], c["line"]), None)
            if not site or site[0] != c["calls"] or site[4] != c["depth"] or not all_near(site[1:4], [c["incl"], c["excl"], c["reci"]]) or sorted(site[5]) != c["by"]:
                wrong.append((s["name"], c, site))
    tally.check(not wrong and not sites, f"{name}: every sub and call site", *wrong[:5], *list(sites)[:3])


def compare_returns(tally, name, want, model, detail):
    """The tree of the returns gives the same figures as the call sites, where the data says that it must."""
    tps = float(want["facts"]["attributes"]["ticks_per_sec"])
    for shape in ("tree", "whole"):
        rows = {name_of(r[0]): r[1:] for r in model[shape] if r[1]}
        returns = {k: [v["calls"], v["excl_ticks"]] for k, v in detail["returns"].items()}
        tally.check(all(k in rows and rows[k][0] == c and near(rows[k][2], e) for k, (c, e) in returns.items()) and len(rows) == len(returns),
                    f"{name}: calls and exclusive ticks of the {shape}")
        if want["facts"].get("rebuilt_from_returns_equals_callers"):
            wrong = [(s["name"], rows.get(s["name"]), s["incl"]) for s in detail["subs"] if s["calls"] and not near(rows[s["name"]][1] / tps, s["incl"])]
            tally.check(not wrong, f"{name}: inclusive time of the {shape} is that of the call sites", *wrong[:3])


def compare_facts(tally, name, want, model):
    facts, counts = want["facts"], model["counts"]
    events = {k[7:]: v for k, v in counts.items() if k.startswith("events.")}
    tally.equal(events, facts["events"], f"{name}: events of each kind")
    for key in ("total_stmts_measured", "total_stmts_discounted"):
        if key in facts.get("derived", {}):
            tally.equal(counts[key], facts["derived"][key], f"{name}: {key}")
    for key in ("negative_ticks", "deflate_tag_offset", "inflated_bytes", "bytes_after_zlib_end"):
        if facts.get(key) is not None:
            tally.equal(counts.get(key, 0), facts[key], f"{name}: {key}")
    values = {name_of(k): name_of(v) for s, k, v in model["attributes"] if s == 0}
    for key, value in facts.get("attributes", {}).items():
        tally.equal(values.get(key), value, f"{name}: attribute {key}")
    for key, value in facts.get("options", {}).items():
        tally.equal(values.get("!" + key), value, f"{name}: option {key}")
    if "comments" in facts:
        tally.equal([name_of(v) for _, k, v in model["attributes"] if k == "#"], facts["comments"], f"{name}: comments")
    if "pids" in facts:
        pids = [[float(v) for _, k, v in model["attributes"] if k == key] for key in ("pid", "ppid", "start")]
        tally.equal(pids[:2], [[p["pid"] for p in facts["pids"]], [p["ppid"] for p in facts["pids"]]], f"{name}: processes")
        tally.check(all(abs(a - p["start"]) < 1e-5 for a, p in zip(pids[2], facts["pids"])), f"{name}: starts of processes")


def real(tally, program):
    expected = json.loads((DATA / "real/expected.json").read_text(encoding="utf-8"))
    details = json.loads(gzip.decompress((DATA / "real/detail.json.gz").read_bytes()))
    for name, want in expected.items():
        model = load(program, DATA / "real" / name)
        if not tally.check(model, f"{name}: can be read"):
            continue
        compare_facts(tally, name, want, model)
        detail = details.get(name)
        if not detail:
            continue
        compare_files(tally, name, model, detail)
        tally.equal(line_table(model, 0), sorted(detail["lines"]), f"{name}: every line, calls and ticks")
        for level, key in ((1, "block"), (2, "sub")):
            tally.equal(line_table(model, level), sorted(detail["levels"].get(key, [])), f"{name}: every {key}, calls and ticks")
        compare_subs(tally, name, model, detail)
        if detail["returns"]:
            compare_returns(tally, name, want, model, detail)


def old(tally, program):
    for name, want in json.loads((DATA / "old/expected.json").read_text(encoding="utf-8")).items():
        model = load(program, DATA / "old" / name)
        if not tally.check(model, f"{name}: can be read"):
            continue
        compare_facts(tally, name, want, model)
        totals = sub_totals(model)
        wrong = [(r, totals[r["name"]]) for r in want["top"]
                 if totals[r["name"]][0] != r["calls"] or not all_near(totals[r["name"]][1:3], [r["total"]["sub_time"], r["self"]["sub_time"]])]
        tally.check(not wrong, f"{name}: subs", *wrong[:3])


def salvage(tally, program):
    """What is left of broken files: all events before the fault, and the calls from the returns."""
    for name, want in json.loads((DATA / "broken/expected.json").read_text(encoding="utf-8")).items():
        left, model = want["salvage"], load(program, DATA / "broken" / name)
        if not left["events_total"]:
            continue
        if not tally.check(model, f"{name}: can be read"):
            continue
        events = {k[7:]: v for k, v in model["counts"].items() if k.startswith("events.")}
        if "MALFORMED" in left["events"]:  # the independent reader's own kind
            left["events"]["ATTRIBUTE"] += left["events"].pop("MALFORMED")
        tally.equal(events, left["events"], f"{name}: events before the fault")
        lines = line_table(model, 0)
        tally.equal([len(lines), sum(x[2] for x in lines), sum(x[3] for x in lines)], [left["lines"], left["stmts"], left["ticks"]],
                    f"{name}: lines, statements and ticks before the fault")
        tally.equal(model["counts"]["files"], left["files"], f"{name}: files")
        if left["subs_from_callers"] or not left["rebuilt"]:
            continue
        totals = sub_totals(model)
        for r in left["rebuilt"]:
            got = totals[r["name"]]
            ticks = [x * 1e7 for x in got[1:4]]
            tally.check(got[0] == r["calls"] and got[4] == r["depth"] and all_near(ticks, [r["incl_ticks"], r["excl_ticks"], r["reci_ticks"]]),
                        f"{name}: {r['name']} from the returns", got, r)


def command(tally):
    for part in ("real/", "old/", "broken/"):
        result = check_facts(DATA / part)
        text = result.stdout.decode("utf-8", "replace")
        for what in (r"(\d+) of (\d+) cases pass", r"(\d+) of (\d+) broken files named"):
            match = re.search(what, text)
            if match:
                good, total = map(int, match.groups())
                tally.add(good, total - good)
                if good < total:
                    print(f"FAILED {part}: {match.group(0)}\n{text[-3000:]}")
            else:
                tally.check(part != "broken/" and "cases" not in what, f"check-facts.py on {part}", text[-500:], said(result))


def rewriting(tally):
    with tempfile.TemporaryDirectory() as tmp:
        out, again = Path(tmp) / "out", Path(tmp) / "again"
        for path in sorted((DATA / "real").glob("*.nytprof")):
            data = path.read_bytes()
            if not data.startswith(b"NYTProf 5 0\n"):
                continue
            result = assay("convert", path, "--to", "nytprof:5.0", "-o", out)
            if not tally.check(result.returncode == 0, f"{path.name}: rewritten", said(result)):
                continue
            if b"\n#Compressed at level " not in data:
                tally.check(out.read_bytes() == data, f"{path.name}: rewritten byte for byte")
            assay("convert", path, "--to", "nytprof:5.0z", "-o", again)
            plain = out.read_bytes()
            assay("convert", again, "--to", "nytprof:5.0", "-o", out)
            tally.check(out.read_bytes() == plain, f"{path.name}: the same through compression")


def elsewhere(tally):
    """Seconds become whole nanoseconds in callgrind text and whole microseconds in webgrind files."""
    rows = lambda path, metric: {r["name"]: r["self"][metric] for r in json.loads(assay("top", "--json", "--limit", "100000", path).stdout)["rows"]}  # noqa: E731
    with tempfile.TemporaryDirectory() as tmp:
        want = rows(FIXTURES / "demo.nytprof", "sub_time")
        for target, metric, unit in (("callgrind", "sub_time_(ns)", 1e-9), ("webgrind:7", "Time", 1e-6)):
            out = Path(tmp) / metric
            result = assay("convert", FIXTURES / "demo.nytprof", "--to", target, "-o", out)
            if tally.check(result.returncode == 0 and b"loss: units" in result.stderr, f"demo.nytprof as {target}", said(result)):
                got = rows(out, metric)
                far = [(n, v, got.get(n)) for n, v in want.items() if v and abs(got.get(n, 0) * unit - v) > 0.6 * unit]
                tally.check(not far, f"demo.nytprof as {target}: self of every sub", *far)


def main():
    tally = Tally()
    elsewhere(tally)
    if not has_shared():
        tally.skip("nytprof", f"no shared data in {SHARED}")
        tally.finish()
    real(tally, sys.argv[1])
    old(tally, sys.argv[1])
    salvage(tally, sys.argv[1])
    command(tally)
    rewriting(tally)
    tally.finish()


if __name__ == "__main__":
    main()
