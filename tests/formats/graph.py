#!/usr/bin/env python3
"""Trees of calling contexts become call graphs: `top` of what is written says what `top` of the input said, and so does callgrind_annotate.

Self is compared for every function and metric, total too unless a function is below itself by way of others. Callgrind tells functions
apart by object, file and name only, so rows that agree in these are added; their totals are left out where there are several.
"""
import json
import re
import shutil
import sys
import tarfile
import tempfile
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import FIXTURES, SHARED, Tally, assay, has_shared, run, said  # noqa: E402

NANOSECONDS = 1000000000
TARGETS = ("webgrind:7", "webgrind:6", "webgrind:5", "nytprof", "nytprof-tlv")
STATED = {"times", "contexts", "streams", "calls", "units", "fractions", "attributes", "damaged"}


def samples():
    found = [FIXTURES / "app.m", FIXTURES / "04.00b.hpcrun", FIXTURES / "02.00b.hpcrun", FIXTURES / "01.00.hpcrun-flat"]
    if has_shared():
        demo = SHARED / "data" / "hpcrun" / "demo"
        found += sorted([*demo.glob("*.m"), *demo.glob("*.d")])
    return found


def event(name):
    """(name, factor) of a metric in callgrind text."""
    seconds = name.endswith(" (sec)")
    return re.sub(r"\s", "_", name[:-5] + "(ns)" if seconds else name), NANOSECONDS if seconds else 1


def rows(path, is_tree):
    """{(module, file, name): [self, total, rows]}, figures by metric as whole numbers."""
    table = {}
    for row in json.loads(assay("top", "--json", "--limit", "1000000", path).stdout)["rows"]:
        key = (row.get("module"), row.get("file"), row["name"])
        at = table.setdefault(key, [{}, {}, 0])
        at[2] += 1
        for sums, figures in zip(at, (row["self"], row["total"])):
            for name, value in figures.items():
                metric, factor = event(name) if is_tree else (name, 1)
                sums[metric] = sums.get(metric, 0) + int((Decimal(value) * factor).quantize(Decimal(1), ROUND_HALF_UP))
    return table


def same_figures(tally, before, after, label, with_totals):
    for key, (own, total, count) in before.items():
        if not tally.check(key in after, f"{label}: {key} is there"):
            continue
        tally.equal(after[key][0], own, f"{label}: self of {key}")
        if count == 1 and with_totals:
            tally.equal(after[key][1], total, f"{label}: total of {key}")
    for key in after.keys() - before.keys():
        tally.check(key[:2] == (None, None), f"{label}: {key} is new, but no function")


def annotated(tally, path, before, label):
    """Self costs that callgrind_annotate prints, against the tree's: by file and name, the object is only shown."""
    result = run("callgrind_annotate", "--threshold=100", "--show-percs=no", "--auto=no", path)
    text = result.stdout.decode("utf-8", "surrogateescape")
    tally.check(result.returncode == 0 and not result.stderr, f"{label}: callgrind_annotate has nothing to say", said(result))
    events = re.search(r"^Events shown:\s+(.*)$", text, re.M).group(1).split()
    want, got = {}, {}
    for (_, file, name), (own, _, _) in before.items():
        sums = want.setdefault(f"{file or ''}:{name}", [0] * len(events))
        want[f"{file or ''}:{name}"] = [a + own[e] for a, e in zip(sums, events)]
    for line in text.split("file:function", 1)[-1].split("\n\n", 1)[0].split("\n"):
        cells = line.split(None, len(events))
        if len(cells) > len(events) and re.match(r"[\d,.]+$", cells[0]):
            figures = [0 if c == "." else int(c.replace(",", "")) for c in cells[:-1]]
            got[re.sub(r" \[[^\]]*\]\s*$", "", cells[-1])] = figures
    want = {k: v for k, v in want.items() if any(v)}
    tally.equal({k: got.get(k) for k in want}, want, f"{label}: callgrind_annotate reads the same self costs")
    totals = re.search(r"^(.*?)\s+PROGRAM TOTALS", text, re.M).group(1).split()
    sums = [sum(v[i] for k, v in got.items()) for i in range(len(events))]
    tally.equal([0 if c == "." else int(c.replace(",", "")) for c in totals], sums, f"{label}: PROGRAM TOTALS")


def sample(tally, path, tmp, with_totals=True):
    out = tmp / "out.callgrind"
    result = assay("convert", path, "--to", "callgrind", "-o", out, "--json")
    if not tally.check(result.returncode == 0, f"{path.name}: converts to callgrind", said(result)):
        return None
    losses = {loss["kind"]: loss["count"] for loss in json.loads(result.stdout)["losses"]}
    tally.check("contexts" in losses and not losses.keys() - STATED, f"{path.name}: names what is lost", losses)
    before = rows(path, True)
    same_figures(tally, before, rows(out, False), path.name, with_totals)
    check = assay("check", "--json", out)
    findings = [f for f in json.loads(check.stdout)["files"][0]["findings"] if f["severity"] != "info"]
    tally.equal((check.returncode, findings), (0, []), f"{path.name}: check finds nothing wrong")
    strict = assay("convert", "--strict", path, "--to", "callgrind", "-o", tmp / "strict")
    tally.check(strict.returncode != 0 and not (tmp / "strict").exists(), f"{path.name}: --strict refuses", said(strict))
    return before


def databases(tally, tmp):
    """Those that hpcprof and others wrote, of every kind of program. `recursive_functions` of the facts says whether totals can be told."""
    folder = SHARED / "data" / "hpcdb"
    for name, want in json.loads((folder / "expected.json").read_text(encoding="utf-8")).items():
        if not want.get("ok") or "recursive_functions" not in want.get("facts", {}):
            continue
        with tempfile.TemporaryDirectory(dir=tmp) as inside:
            for archive in sorted(folder.glob(name)):
                with tarfile.open(archive) as t:
                    t.extractall(inside)
            sample(tally, next(Path(inside).iterdir()), tmp, want["facts"]["recursive_functions"] == 0)


def other_targets(tally, path, tmp):
    for target in TARGETS:
        out = tmp / "out.other"
        result = assay("convert", path, "--to", target, "-o", out)
        if tally.check(result.returncode == 0, f"{path.name}: converts to {target}", said(result)):
            read = assay("top", "--json", out)
            names = {r["name"] for r in json.loads(read.stdout)["rows"]} if read.returncode == 0 else set()
            tally.check(names, f"{path.name}: {target} has functions", said(read))


def chosen_metric(tally, tmp):
    """Of a target with one metric: by the name that the input has, in microseconds because such a target counts in 32 bits."""
    for metric, unit in (("CPUTIME (sec)", 1000000), ("INS", 1)):
        result = assay("convert", FIXTURES / "app.m", "--to", "webgrind:7", "--metric", metric, "-o", tmp / "one.webgrind")
        if not tally.check(result.returncode == 0, f"webgrind of {metric}", said(result)):
            continue
        before, after = ({r["name"]: r for r in json.loads(assay("top", "--json", p).stdout)["rows"]} for p in (FIXTURES / "app.m", tmp / "one.webgrind"))
        for name, row in before.items():
            want = [row[k][metric] * unit for k in ("self", "total")]
            tally.equal([list(after[name][k].values())[0] for k in ("self", "total")], want, f"webgrind of {metric}: {name}")


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        tmp = Path(folder)
        for path in samples():
            before = sample(tally, path, tmp)
            if before and shutil.which("callgrind_annotate"):
                annotated(tally, tmp / "out.callgrind", before, path.name)
            other_targets(tally, path, tmp)
        chosen_metric(tally, tmp)
        if has_shared():
            databases(tally, tmp)
    if not shutil.which("callgrind_annotate"):
        tally.skip("callgrind_annotate", "it is not installed")
    if not has_shared():
        tally.skip("shared samples", f"no shared data in {SHARED}")
    tally.finish()


if __name__ == "__main__":
    main()
