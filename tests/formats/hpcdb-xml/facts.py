#!/usr/bin/env python3
"""Databases of before 2022 in the shared data against the facts that an independent reader computed, and what comes of them when they are converted
to today's database: the total of every metric, self and total of every function and the number of samples stay, to the six digits that the document has."""
import json
import math
import re
import sys
import tarfile
import tempfile
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from support import SHARED, Tally, assay, check_facts, has_shared, said  # noqa: E402

DIGITS = 2e-5
# A thread file is missing: what is written is what is left. No calling context at all: nothing to write.
NOT_CONVERTED = ("warn-thread-missing", "no-contexts")


def by_check_facts(tally):
    result = check_facts("hpcdb-xml")
    text = result.stdout.decode("utf-8", "replace")
    for found in re.finditer(r"(\d+) of (\d+) (cases pass|broken files named)", text):
        good, total = int(found[1]), int(found[2])
        tally.add(good, total - good)
        if good < total:
            print(f"FAILED hpcdb-xml: {text[-3000:]}")
    tally.check("cases pass" in text, "check-facts hpcdb-xml", said(result))


def near(a, b, whole):
    return math.isclose(a, b, rel_tol=DIGITS, abs_tol=DIGITS * abs(whole))


def functions(path, metric):
    """Copies of sources lie in ./src of the old database; the new one has their own paths."""
    sums = defaultdict(lambda: [0, 0])
    for r in json.loads(assay("top", "--json", "--metric", metric, "--limit", "1000000", path).stdout)["rows"]:
        row = sums[r["name"], re.sub(r"^\./src/", "/", r.get("file") or ""), r.get("module")]
        row[0] += r["self"][metric]
        row[1] += r["total"][metric]
    return sums


def converted(tally, name, old, new):
    result = assay("convert", old, "--to", "hpcdb", "-o", new)
    if not tally.check(result.returncode == 0, f"{name}: convert", said(result)):
        return
    result = assay("check", "--deep", "--json", new)
    bad = [f for f in json.loads(result.stdout)["files"][0]["findings"] if f["severity"] != "info"]
    tally.equal(bad, [], f"{name}: what was written is sound")
    before, after = (json.loads(assay("info", "--json", p).stdout)["files"][0] for p in (old, new))
    totals = {m["name"]: m["total"] for m in after["metrics"]}
    for m in before["metrics"]:
        tally.check(near(m["total"], totals.get(m["name"], math.nan), 0) or m["total"] == totals.get(m["name"]), f"{name}: total of {m['name']}", m, totals.get(m["name"]))
    tally.equal(after["counts"]["samples"], before["counts"]["samples"], f"{name}: samples")
    for m in [m for m in before["metrics"] if m["total"]][:2]:
        was, now = functions(old, m["name"]), functions(new, m["name"])
        wrong = {f: (was[f], now[f]) for f in set(was) | set(now) if not all(near(a, b, m["total"]) for a, b in zip(was[f], now[f]))}
        tally.equal(wrong, {}, f"{name}: self and total of every function, {m['name']}")


def main():
    tally = Tally()
    folder = SHARED / "data" / "hpcdb-xml"
    if not has_shared() or not folder.is_dir():
        tally.skip("hpcdb-xml", "no shared data")
        tally.finish()
    by_check_facts(tally)
    for archive in sorted(folder.glob("*.tar.gz")):
        name = archive.name[:-7]
        if name.startswith("bad-") or name in NOT_CONVERTED:
            continue
        with tempfile.TemporaryDirectory() as tmp:
            with tarfile.open(archive) as t:
                t.extractall(tmp)
            converted(tally, name, Path(tmp) / name, Path(tmp) / "today")
    tally.finish()


if __name__ == "__main__":
    main()
