#!/usr/bin/env python3
"""What `go tool pprof` says of profiles that assay converted: self and total of every function, by name, are those of `assay top`. Of call graphs, whose stacks
are estimated, the self figures alone are compared. Skipped without Go."""
import json
import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from peer import has, quietly, same_rows  # noqa: E402
from support import FIXTURES, SKIP, Tally, assay, said  # noqa: E402

# name, is it a call graph
INPUTS = [("demo.folded", False), ("demo.xdebug", False), ("demo.nytprof", False), ("demo.experiment.xml", False), ("app.m", False), ("demo.pprof", False),
          ("demo.callgrind", True)]
ROW = re.compile(r"^\s*(-?[\d.]+)\S*\s+\S+%\s+\S+%\s+(-?[\d.]+)\S*\s+\S+%\s+(.*?)(?: \((?:partial-)?inline\))?$")


def theirs(tally, path, folder, unit):
    result = quietly("go", "tool", "pprof", "-symbolize=none", "-top", "-nodecount=100000", "-nodefraction=0", "-edgefraction=0", "-trim=false", f"-unit={unit}", path,
                     cwd=folder, HOME=str(folder))
    tally.check(result.returncode == 0, f"{path.name}: go tool pprof reads it", said(result))
    rows = {}
    for line in result.stdout.decode(errors="surrogateescape").splitlines():
        m = ROW.match(line)
        if m:
            self, total = rows.get(m[3], (0, 0))
            rows[m[3]] = (self + round(float(m[1])), total + round(float(m[2])))
    return rows


def ours(tally, path):
    result = assay("top", "--json", "--limit", "0", path)
    tally.check(result.returncode == 0, f"{path.name}: assay top", said(result))
    found = json.loads(result.stdout)
    rows = {}
    for row in found["rows"]:
        metric = found["metric"]
        # code without a name is called by its module there
        name = f"[{Path(row['module']).name}]" if row["name"].startswith("0x") else row["name"]
        self, total = rows.get(name, (0, 0))
        rows[name] = (self + round(row["self"].get(metric, 0)), total + round(row["total"].get(metric, 0)))
    return rows


def main():
    tally = Tally()
    if not has(tally, "pprof", "go"):
        return SKIP
    with tempfile.TemporaryDirectory() as tmp:
        folder = Path(tmp)
        for name, is_graph in INPUTS:
            out = folder / f"{name}.pb.gz"
            result = assay("convert", FIXTURES / name, "--to", "pprof", "-o", out)
            if not tally.check(result.returncode == 0, f"{name}: is converted", said(result)):
                continue
            again = ours(tally, out)
            got = theirs(tally, out, folder, "nanoseconds" if b"nanoseconds" in assay("dump", out).stdout else "count")
            pick = (lambda rows: {k: v[0] for k, v in rows.items() if v[0]}) if is_graph else (lambda rows: {k: v for k, v in rows.items() if v[1]})
            same_rows(tally, pick(again), pick(got), name)
    tally.finish()
    return 0


if __name__ == "__main__":
    sys.exit(main())
