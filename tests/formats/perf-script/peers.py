#!/usr/bin/env python3
"""What perf records here, compared row by row with what perf report says of it, and stack by stack with what the collapse scripts make of it."""
import json
import re
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from support import Tally, assay, run, said  # noqa: E402

PROGRAM = r"""
#define _GNU_SOURCE
#include <pthread.h>
#define KEEP __attribute__((noinline)) static
static volatile unsigned long sink;
KEEP unsigned long leaf(unsigned long x) { for (int i = 0; i < 2000; i++) x = x * 31 + (x >> 7); return x; }
KEEP unsigned long inner(int depth) { unsigned long x = depth ? inner(depth - 1) + 1 : 0; for (int i = 0; i < 2500; i++) x += leaf(x); return x; }
static void *work(void *name) { pthread_setname_np(pthread_self(), name); sink += inner(3); return 0; }
int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, work, "worker 1");
    pthread_create(&t[1], 0, work, "a:b/2");
    sink += inner(2);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
"""
EVENTS = ("cpu-clock", "task-clock")


def record(tally, work):
    """The path of perf.data, or None where perf or a compiler is missing, or may not record."""
    if not shutil.which("perf") or not shutil.which("gcc"):
        return tally.skip("peers of perf-script", "no perf or no gcc here")
    (work / "prog.c").write_text(PROGRAM, encoding="utf-8")
    made = run("gcc", "-O1", "-g", "-fno-omit-frame-pointer", "-o", work / "prog", work / "prog.c", "-lpthread")
    if not tally.check(made.returncode == 0, "the program builds", said(made)):
        return None
    data = work / "perf.data"
    events = [x for e in EVENTS for x in ("-e", e)]
    recorded = run("perf", "record", "-q", *events, "-F", "499", "-g", "-o", data, work / "prog", cwd=work)
    if recorded.returncode or not data.exists():
        return tally.skip("peers of perf-script", "perf may not record here")
    return data


def by_report(tally, data, path, event):
    """perf report: own periods of functions, exact, and shares with everything below, to a hundredth of a percent."""
    out = run("perf", "report", "-i", data, "--stdio", "--children", "-g", "none", "--percent-limit", "0", "-F", "overhead_children,period,symbol", "-t", "|")
    section = next((s for s in out.stdout.decode().split("# Samples:") if f"of event '{event}'" in s), "")
    want = {}
    for line in section.splitlines():
        match = re.match(r"\s*([\d.]+)%\s*\|\s*(\d+)\s*\|\[.\] (.*?)\s*$", line)
        if match:
            want[match[3]] = (float(match[1]), int(match[2]))
    tally.check(want, f"{event}: perf report has rows", said(out))
    top = json.loads(assay("top", "--json", "--metric", event, "--limit", "1000000", path).stdout)
    # perf report lists functions of other events with nothing of this one only in some versions
    rows = {r["name"]: (r["total"][event], r["self"][event]) for r in top["rows"] if r["total"][event]}
    tally.equal(sorted(rows), sorted(k for k, v in want.items() if v[0]), f"{event}: the functions of perf report")
    for name in rows.keys() & want.keys():
        total, own = rows[name]
        tally.equal(own, want[name][1], f"{event}: own period of {name}")
        share = 100 * total / top["total"]
        tally.check(abs(share - want[name][0]) <= 0.0051, f"{event}: share of {name}", share, want[name][0])


def by_collapsing(tally, script, path, event):
    """The stacks of blank-separated blocks, as the collapse scripts take them, but with whole periods and without the name of the thread."""
    want = Counter()
    for block in script.split("\n\n"):
        head, *frames = block.strip("\n").split("\n")
        match = re.search(r"(\d+) +(\S+): *$", head)
        if not match or match[2] != event or not frames:
            continue
        names = [re.sub(r"\+0x[0-9a-f]+$", "", re.sub(r" \([^()]*\)$", "", f.split(None, 1)[1])) for f in frames]
        want[";".join(reversed(names))] += int(match[1])
    result = assay("convert", path, "--to", "folded", "--metric", event, "-o", "-")
    got = {line.rsplit(" ", 1)[0]: int(line.rsplit(" ", 1)[1]) for line in result.stdout.decode().splitlines()}
    tally.check(want and got == dict(want), f"{event}: the stacks", f"{got}\n{dict(want)}")


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        data = record(tally, work)
        if data:
            script = run("perf", "script", "-i", data).stdout
            path = work / "prog.perf"
            path.write_bytes(script)
            for event in EVENTS:
                by_report(tally, data, path, event)
                by_collapsing(tally, script.decode(), path, event)
            streams = json.loads(assay("info", "--json", path).stdout)["files"][0]["counts"]["streams"]
            tally.equal(streams, 3, "threads")
    tally.finish()


if __name__ == "__main__":
    main()
