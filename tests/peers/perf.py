#!/usr/bin/env python3
"""What perf records here of three programs, read by assay and by perf itself: own period and share with everything below of each function, as perf report has them, and
every stack, as perf script prints them and the collapse scripts add them up. And the same recording through perf script's text: assay must make the same profile of both."""
import json
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from peer import has, quietly, same_rows  # noqa: E402
from support import Tally, assay, said  # noqa: E402

KEEP = "#define KEEP __attribute__((noinline)) static\nstatic volatile unsigned long sink;\n"
SPIN = "KEEP unsigned long spin(unsigned long x) { for (int i = 0; i < 3000; i++) x = x * 31 + (x >> 7); return x; }\n"
PROGRAMS = {
    # deep and mutual recursion
    "recursion": KEEP + SPIN + r"""
KEEP unsigned long odd(int n);
KEEP unsigned long even(int n) { unsigned long x = n ? odd(n - 1) + 1 : spin(n); sink += x; return x; }
KEEP unsigned long odd(int n) { unsigned long x = n ? even(n - 1) + spin(n) : 0; sink += x; return x; }
KEEP unsigned long fib(int n) { unsigned long x = n < 2 ? 1 : fib(n - 1); sink += x; x += n < 2 ? 0 : fib(n - 2); sink += x; return x; }
int main(void) { for (int i = 0; i < 60; i++) { sink += even(20 + i % 7); sink += fib(20); } return 0; }
""",
    # threads with names, memory, several events
    "threads": "#define _GNU_SOURCE\n#include <pthread.h>\n#include <sys/mman.h>\n" + KEEP + SPIN + r"""
KEEP void touch(int pages) { char *p = mmap(0, pages * 4096L, 3, 34, -1, 0); for (int i = 0; i < pages; i++) p[i * 4096L] = 1; sink += p[0]; munmap(p, pages * 4096L); }
KEEP void work(int n) { for (int i = 0; i < n; i++) { sink += spin(i); if (i % 50 == 0) touch(40); } sink++; }
static void *run(void *name) { pthread_setname_np(pthread_self(), name); work(4000); sink++; return 0; }
int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, run, "worker 1");
    pthread_create(&t[1], 0, run, "a:b/2");
    work(3000);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return 0;
}
""",
    # a child that goes on under another name, and one that becomes another program
    "family": "#define _GNU_SOURCE\n#include <sys/prctl.h>\n#include <sys/wait.h>\n#include <unistd.h>\n" + KEEP + SPIN + r"""
KEEP void child(void) { for (int i = 0; i < 5000; i++) sink += spin(i); sink++; }
KEEP void parent(void) { for (int i = 0; i < 7000; i++) sink += spin(i); sink++; }
int main(int argc, char **argv)
{
    if (fork() == 0) { prctl(PR_SET_NAME, "other:name 9"); child(); _exit(0); }
    if (fork() == 0) { child(); execl(argv[1], argv[1], (char *)0); _exit(127); }
    parent();
    while (wait(0) > 0) {}
    return argc == 9;
}
""",
}
EVENTS = {"recursion": ("cpu-clock:u",), "threads": ("cpu-clock:u", "task-clock:u", "page-faults:u"), "family": ("cpu-clock:u",)}


def record(tally, work, name):
    """The path of the recording; None = perf may not record here."""
    (work / f"{name}.c").write_text(PROGRAMS[name], encoding="utf-8")
    made = quietly("gcc", "-O1", "-g", "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls", "-o", name, f"{name}.c", "-lpthread", cwd=work)
    if not tally.check(made.returncode == 0, f"{name} builds", said(made)):
        return None
    data = work / f"{name}.perf.data"
    events = [x for event in EVENTS[name] for x in ("-e", event)]
    done = quietly("perf", "record", "-q", "-N", *events, "-F", "1999", "-g", "-o", data, work / name, work / "recursion", cwd=work)
    if done.returncode or not data.exists():
        return tally.skip(f"{name} under perf", "perf may not record here")
    return data


def key_of(module, symbol):
    """perf report has a row for each address that has no name, and knows files by their base names."""
    return module.rsplit("/", 1)[-1].replace("[unknown]", ""), "[unknown]" if re.fullmatch(r"0x[0-9a-f]+|[0-9a-f]{16}", symbol) else symbol


def by_report(tally, data, event):
    """Own periods, exact, and shares with everything below, to a hundredth of a percent (of what has no name only own periods: perf does not add those up)."""
    out = quietly("perf", "report", "-i", data, "--stdio", "--children", "-g", "none", "--percent-limit", "0", "-F", "overhead_children,period,dso,symbol", "-t", "|", cwd=data.parent)
    section = next((s for s in out.stdout.decode().split("# Samples:") if f"of event '{event}'" in s), "")
    own, share = Counter(), {}
    for line in section.splitlines():
        match = re.match(r"\s*([\d.]+)%\s*\|\s*(\d+)\s*\|(.*?)\s*\|\[.\] (.*?)\s*$", line)
        if match and (float(match[1]) or int(match[2])):
            own[key_of(match[3].strip(), match[4])] += int(match[2])
            share[key_of(match[3].strip(), match[4])] = float(match[1])
    top = json.loads(assay("top", "--json", "--metric", event, "--limit", "1000000", data).stdout)
    rows = {key_of(r["module"] or "", r["name"]): r for r in top["rows"] if r["total"][event]}
    same_rows(tally, {k: r["self"][event] for k, r in rows.items()}, dict(own), f"{data.stem} {event}: own periods")
    named = {k: v for k, v in share.items() if k[1] != "[unknown]"}
    ours = {k: 100 * r["total"][event] / top["total"] for k, r in rows.items() if k[1] != "[unknown]"}
    same_rows(tally, ours, named, f"{data.stem} {event}: shares", lambda a, b: abs(a - b) <= 0.0051)


def by_script(tally, data, script, event):
    """What stackcollapse-perf does with the blocks of perf script, but with whole periods and without the name of the thread."""
    want = Counter()
    for block in script.split("\n\n"):
        head, *frames = block.strip("\n").split("\n")
        match = re.search(r"(\d+) +(\S+): *$", head)
        if not match or match[2] != event or not frames:
            continue
        names = [re.sub(r"\+0x[0-9a-f]+$", "", re.sub(r" \([^()]*\)$", "", f.split(None, 1)[1])) for f in frames]
        want[";".join(reversed(names))] += int(match[1])
    result = assay("convert", data, "--to", "folded", "--metric", event, "-o", "-")
    got = {line.rsplit(" ", 1)[0]: int(line.rsplit(" ", 1)[1]) for line in result.stdout.decode().splitlines()}
    same_rows(tally, got, dict(want), f"{data.stem} {event}: stacks")


def by_text(tally, data, path, event):
    """The two formats of one recording: the same rows, streams and times."""
    ours, theirs = (json.loads(assay("top", "--json", "--metric", event, "--limit", "1000000", p).stdout) for p in (data, path))
    rows = [{(key_of(r["module"] or "", r["name"])): (r["self"], r["total"]) for r in t["rows"]} for t in (ours, theirs)]
    same_rows(tally, *rows, f"{data.stem} {event}: rows of both formats")
    times = [sorted(times_of(p)) for p in (data, path)]
    tally.check(len(times[0]) > 1, f"{data.stem}: there are threads")
    tally.equal(times[0], times[1], f"{data.stem}: threads with number and times of their samples")


def times_of(path):
    table = assay("query", "--format", "csv", path, "select s.label, count(*), min(e.time), max(e.time) from event e join stream s on s.id = e.stream group by s.id")
    return table.stdout.decode().splitlines()


def main():
    tally = Tally()
    if has(tally, "programs under perf", "perf", "gcc"):
        with tempfile.TemporaryDirectory() as folder:
            for name in PROGRAMS:
                data = record(tally, Path(folder), name)
                if not data:
                    break
                script = quietly("perf", "script", "-i", data, "--no-inline", "-F", "comm,pid,tid,time,period,event,ip,sym,symoff,dso", "--ns", cwd=folder).stdout
                path = data.with_suffix(".txt")
                path.write_bytes(script)
                for event in EVENTS[name]:
                    by_report(tally, data, event)
                    by_script(tally, data, script.decode(), event)
                    by_text(tally, data, path, event)
    tally.finish()


if __name__ == "__main__":
    main()
