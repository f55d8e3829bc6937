#!/usr/bin/env python3
"""Old profiles as `go tool pprof -raw` reads them: self and total of every address, for every metric, are those of `assay top`. Without Go nothing is compared."""
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from support import FIXTURES, SHARED, SOURCE, Tally, assay, has_shared, said  # noqa: E402

# Files whose stacks pprof shows by other names than their addresses, or does not read.
SYMBOLIC = {"java.cpu", "java.heap", "java-cpu", "java-heap"}


def raw(path):
    """(metric names, {metric: {address: [self, total]}}) by the Go tool."""
    with tempfile.TemporaryDirectory() as home:
        env = {"PATH": "/usr/bin:/bin:/usr/local/go/bin", "HOME": home, "PPROF_BINARY_PATH": home}
        result = subprocess.run(["go", "tool", "pprof", "-symbolize=none", "-raw", path], capture_output=True, timeout=60, env=env, check=False)
    if result.returncode:
        return None
    text = result.stdout.decode("utf-8", "replace")
    _, _, rest = text.partition("Samples:\n")
    samples, _, rest = rest.partition("Locations\n")
    head, *lines = samples.splitlines()
    address = {m.group(1): m.group(2) for m in re.finditer(r"^ +(\d+): (0x[0-9a-f]+)", rest, re.M)}
    names = [re.sub(r"/.*", "", n) for n in head.split()]
    figures = {n: defaultdict(lambda: [0, 0]) for n in names}
    for line in lines:
        match = re.match(r"^ *((?:-?\d+ +)*-?\d+):([\d ]*)$", line)
        if not match:
            continue
        values = [int(v) for v in match.group(1).split()]
        stack = [address[n] for n in match.group(2).split()]
        for name, value in zip(names, values):
            figures[name][stack[0]][0] += value
            for frame in set(stack):
                figures[name][frame][1] += value
    return names, figures


def compare(tally, path):
    there = raw(path)
    if there is None:
        tally.skip(path.name, "the Go tool does not read it")
        return
    names, figures = there
    result = assay("top", "--json", "--metric", names[0], "--limit", "0", path)
    if not tally.check(result.returncode == 0, f"top {path.name}", said(result)):
        return
    rows = {r["name"]: r for r in json.loads(result.stdout)["rows"]}
    for name in names:
        want = {a: tuple(v) for a, v in figures[name].items()}
        got = {a: (r["self"][name], r["total"][name]) for a, r in rows.items() if a}  # it drops empty stacks
        tally.check(got == want, f"{path.name}: {name}", sorted(got.items() ^ want.items())[:20])


def main():
    tally = Tally()
    if not shutil.which("go"):
        tally.skip("old profiles by go tool pprof", "no Go")
        tally.finish()
        return
    files = [FIXTURES / "demo.pprof-legacy", FIXTURES / "demo.pprof-legacy.heap", *sorted((SOURCE / "tests/fuzz/corpus/pprof-legacy").iterdir())]
    if has_shared():
        files += [p for p in sorted((SHARED / "data/exchange/pprof-legacy").iterdir()) if p.suffix != ".json"]
    for path in files:
        if path.name not in SYMBOLIC:
            compare(tally, path)
    tally.finish()


if __name__ == "__main__":
    main()
