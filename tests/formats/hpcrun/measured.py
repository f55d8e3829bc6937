#!/usr/bin/env python3
"""Measurement directories: rows as the databases have them that the original made, and what happens to files that are damaged or at odds."""
import gzip
import json
import math
import sys
import tarfile
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parent))
from support import SHARED, Tally, assay, has_shared, said  # noqa: E402
import measurements as make  # noqa: E402

DATA = SHARED / "data" / "hpcrun"


def top(path, *options):
    result = assay("top", "--json", "--limit", "1000000", *options, path)
    return (json.loads(result.stdout)["rows"] if result.returncode == 0 else []), result


def matches(row, want, keys):
    path = want.get("file") or ""
    path = path[3:] if path.startswith("src/") else path
    return (not path or row.get("file") == path) and all(
        math.isclose(row[k].get(m) or 0, v, rel_tol=1e-9, abs_tol=1e-9) for k in keys for m, v in want[k].items())


def compare(tally, label, path, facts, *options):
    rows, result = top(path, *options)
    tally.check(rows, f"{label}: top", said(result))
    for want in facts["top"]:
        same = [r for r in rows if r["name"] == want["name"]]
        tally.check(any(matches(r, want, ("self", "total")) for r in same), f"{label}: {want['name']}", want, *same)


def databases(tally):
    facts = json.loads((DATA / "demo" / "expected.json").read_text())
    compare(tally, "demo by DWARF", DATA / "demo" / "demo.m", facts["demo.d"], "-R", f"/tmp/demo/hpcdemo={DATA}/demo")
    compare(tally, "demo by structure file", DATA / "demo" / "demo-struct.m", facts["demo-struct.d"], "--foreign")
    compare(tally, "ranks", DATA / "demo" / "ranks.m", facts["ranks.d"], "--foreign")
    with tempfile.TemporaryDirectory() as tmp:
        for name, entry in json.loads((DATA / "meas" / "expected.json").read_text()).items():
            stem = name.removesuffix(".tar.gz")
            with tarfile.open(DATA / "meas" / name) as t:
                t.extractall(tmp)
            compare(tally, stem, Path(tmp, stem + ".m"), entry["members"][stem + ".d"], "--foreign")


# ---- directories of our own ----


def names(rows):
    return {r["name"]: r for r in rows}


def symbols(tally, tmp):
    folder = make.write_all(tmp / "symbols", [make.Profile(), make.Profile(thread=1)])
    rows, result = top(folder, "--foreign")
    have = names(rows)
    tally.equal(sorted(have), ["libnone.so+0x40", "main", "small", "work"], "functions by structure file")
    tally.equal([have["work"]["self"]["CPUTIME (sec)"], have["small"]["self"]["CPUTIME (sec)"], have["main"]["self"]["CPUTIME (sec)"]], [1.0, 3.0, 0],
                "self of function, inlined function and caller")
    tally.equal([have["work"]["total"]["INS"], have["main"]["total"]["INS"]], [600, 600], "total, value times period")
    tally.equal(have["small"]["file"], "/opt/app/src/small.h", "the inlined function's file")
    rows, result = top(folder, "--no-symbols")
    tally.equal(sorted(names(rows)), ["app+0x1012", "app+0x2004", "app+0x2014", "libnone.so+0x40"], "--no-symbols: module and offset")
    single = names(top(folder / (make.Profile().stem() + ".hpcrun"))[0])
    tally.check("app+0x2014" in single, "a single file: module and offset", single.keys())


def findings(folder):
    result = assay("check", "--json", folder)
    files = json.loads(result.stdout)["files"] if result.stdout else []
    return [(f["rule"], f["severity"], f["message"]) for doc in files for f in doc["findings"]], result


def plant(tally, tmp, rule, words, change, extra=None, severity=None):
    folder = tmp / f"{rule}-{abs(hash(words))}"
    one, two = make.Profile(), make.Profile(thread=1)
    change(one, two)
    make.write_all(folder, [one, two])
    if extra:
        extra(folder)
    found, result = findings(folder)
    tally.check(any(r == rule and words in m and severity in (None, s) for r, s, m in found), f"{rule}: {words}", said(result), *found)


def rules(tally, tmp):
    clean, result = findings(make.write_all(tmp / "clean", [make.Profile(), make.Profile(thread=1)]))
    tally.equal((clean, result.returncode), ([], 0), "a sound directory has no finding")
    stem = make.Profile().stem()
    nothing = lambda a, b: None  # noqa: E731
    plant(tally, tmp, "HRW09", "does not have", lambda a, b: a.trace.append((make.START + 20, 999)))
    plant(tally, tmp, "HRW09", "outside the times", nothing, lambda f: (f / f"{stem}.hpctrace").write_bytes(
        make.Profile().trace_bytes() + (make.START + 10**9).to_bytes(8, "big") + (11).to_bytes(4, "big")))
    plant(tally, tmp, "HRW09", "out of order", lambda a, b: a.trace.reverse())
    plant(tally, tmp, "HRW09", "is missing", nothing, lambda f: (f / f"{stem}.hpctrace").unlink())
    plant(tally, tmp, "HRW09", "without the profile", nothing, lambda f: (f / f"{stem}.hpcrun").unlink())
    plant(tally, tmp, "HRW11", "not in the directory", lambda a, b: a.modules.append((3, "vdso/abc.vdso")))
    plant(tally, tmp, "HRW14", "described differently", lambda a, b: b.metrics.__setitem__(1, ("INS", "other words", 1, 100, 0, 1, "")))
    log = "SUMMARY: samples: 100 (recorded: 90, blocked: 8, errant: 2, trolled: 0, yielded: 0),\n"
    plant(tally, tmp, "HRW16", "blocked 8", nothing, lambda f: (f / f"{stem}.log").write_text(log), "warning")
    plant(tally, tmp, "HRC06", "app-000000-001", nothing, lambda f: (f / f"{make.Profile(thread=1).stem()}.hpcrun").write_bytes(b"HPCRUN-profile____04.00b"))
    plant(tally, tmp, "HRS05", "structs/app.hpcstruct", nothing, lambda f: (f / "structs/app.hpcstruct").write_text(make.STRUCTURE.replace("{[0x1000-0x1010)}", "0x1000")))


def unreadable(tally, tmp):
    folder = make.write_all(tmp / "unreadable", [make.Profile(), make.Profile(thread=1)])
    bad = folder / f"{make.Profile(thread=1).stem()}.hpcrun"
    bad.write_bytes(gzip.compress(bad.read_bytes()))
    compressed, result = findings(folder)
    tally.equal((compressed, result.returncode), ([], 0), "a compressed profile is as good as a plain one")
    limited = assay("check", "--max-output", "1000", folder)
    tally.check(limited.returncode == 1 and b"HRW17" in limited.stdout and bad.name.encode() in limited.stdout, "HRW17: cannot be read", said(limited), limited.stdout)


def damaged_file(tally, tmp):
    folder = make.write_all(tmp / "damaged", [make.Profile(), make.Profile(thread=1)])
    bad = folder / f"{make.Profile(thread=1).stem()}.hpcrun"
    bad.write_bytes(b"no profile at all")
    rows, result = top(folder, "--foreign")
    tally.equal(names(rows)["small"]["self"]["CPUTIME (sec)"] if rows else None, 1.5, "the sound profile is used")
    info = json.loads(assay("info", "--json", folder).stdout)["files"][0]
    tally.check(any(bad.name in w["message"] for w in info["warnings"]), "the damaged profile is named", info["warnings"])
    strict = assay("top", "--strict", folder)
    tally.check(strict.returncode == 3 and bad.name.encode() in strict.stderr, "--strict refuses and names it", said(strict))
    empty = tmp / "empty"
    empty.mkdir()
    tally.equal(assay("info", empty).returncode, 3, "a folder without measurements is no format")


def merged(tally, tmp):
    """Two profiles that differ in the type of a metric, a partial unwind and code right below the root."""
    one, two = make.Profile(), make.Profile(thread=1)
    two.metrics[1] = ("INS", "instructions", 2, 100, 0, 1, "")
    two.values = {11: {1: 0.5}}
    one.nodes += [(20, 4, 1, 0x2004), (22, 2, 1, 0x1000)]
    one.values.update({20: {1: 2}, 22: {1: 4}})
    folder = make.write_all(tmp / "merged", [one, two])
    info = json.loads(assay("info", "--json", folder).stdout)["files"][0]
    totals = {m["name"]: m["total"] for m in info["metrics"]}
    tally.equal(totals["INS"], 100 * (3 + 1 + 2 + 4) + 50.0, "whole and real numbers of one metric add up")
    tally.equal(info["counts"]["contexts"], 18, "contexts are counted in each profile")
    tally.check(any(w["rule"] == "HRW07" for w in info["warnings"]), "code below the root is named", info["warnings"])
    have = names(top(folder, "--foreign")[0])
    tally.equal(have["work"]["self"]["INS"], 550.0, "a function on complete and partial paths")


def kernel(tmp, name, *more, **options):
    folder = make.write_kernel(tmp / name, *more, **options)
    return {r["name"]: (r["self"]["GINS"], r["total"]["GINS"]) for r in top(folder, "--foreign")[0]}


def gpu(tally, tmp):
    """Call paths inside kernels, rebuilt from the calls of the structure file. Figures by hand."""
    two = [make.procedure(1, "kernel", [(0x10, 2), (0x20, 3)]), make.procedure(2, "f", [(0x10, 4)]), make.procedure(3, "g", [(0x10, 4)]), make.procedure(4, "leaf", [])]
    # The calls of leaf were sampled 3 times in f and once in g: 12 samples are 9 and 3; every sampled launch stands for two.
    have = kernel(tmp, "paths", two, {0x210: 3, 0x310: 1, 0x400: 12})
    tally.equal({k: have.get(k) for k in ("kernel", "f", "g", "leaf")}, {"kernel": (0, 32), "f": (6, 24), "g": (2, 8), "leaf": (24, 24)}, "samples by path")
    have = kernel(tmp, "even", two, {0x400: 12}, seen=0)
    tally.equal({k: have.get(k) for k in ("kernel", "f", "g", "leaf")}, {"kernel": (0, 12), "f": (0, 6), "g": (0, 6), "leaf": (12, 12)}, "no call sampled: equal parts")
    recursive = [make.procedure(1, "kernel", [(0x10, 2)]), make.procedure(2, "f", [(0x10, 3)]), make.procedure(3, "g", [(0x10, 2), (0x20, 3)])]
    have = kernel(tmp, "recursive", recursive, {0x200: 1, 0x300: 2}, seen=0)
    tally.equal({k: have.get(k) for k in ("kernel", "f", "g")}, {"kernel": (0, 3), "f": (1, 1), "g": (2, 2)}, "recursion: each is called by who calls any")
    have = kernel(tmp, "never", two, {0x400: 12}, launched=0, seen=0)
    tally.equal((have.get("leaf"), have.get("<unknown function>")), ((12, 12), (0, 12)), "a kernel that was not launched: callers are unknown")
    tower = [make.procedure(i, f"f{i}", [(0x10, i + 1), (0x20, i + 1)]) for i in range(1, 12)] + [make.procedure(12, "leaf", [])]
    have = kernel(tmp, "tower", tower, {0xc00: 8})
    tally.equal((have.get("leaf"), have.get("<unknown function>")), ((8, 8), (0, 8)), "2048 ways are too many")


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory() as tmp:
        for test in (symbols, rules, unreadable, damaged_file, merged, gpu):
            test(tally, Path(tmp))
    if has_shared():
        databases(tally)
    else:
        tally.skip("databases of the original", "no shared data")
    tally.finish()


if __name__ == "__main__":
    main()
