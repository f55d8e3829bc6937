#!/usr/bin/env python3
"""Merging the parts of a run gives the run; merging runs gives what the original tool makes of them.

Callgrind: parts against the file that has them all, threads against their sum. HPCToolkit: the profiles of threads against the directory of them.
NYTProf: every sub and line against nytprofmerge. Two orders of any inputs give the same bytes. 2,000 inputs need no more memory than a few.
Missing tools and shared data are skipped.
"""
import json
import posixpath
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import ASSAY, FIXTURES, SHARED, Tally, assay, has_shared, run, said  # noqa: E402

DATA = SHARED / "data"
NYTPROF = (("oo-z6", "oo-raw-calls2"), ("recur-z6", "recur-raw-calls0"), ("words-z6", "words-subs0"))
MANY = 2000


def merge(tally, out, *inputs, to=()):
    result = assay("merge", *inputs, "-o", out, *to)
    tally.check(result.returncode == 0, f"merge of {[Path(i).name for i in inputs][:4]}", said(result))
    return out


def functions(path, *more):
    """{(name, file, module): (calls, self, total)}; functions of one name and place in several streams are one row."""
    rows = json.loads(assay("top", "--json", "--limit", "0", *more, path).stdout)["rows"]
    return {(r["name"], r["file"], r["module"]): (r["calls"], r["self"], r["total"]) for r in rows}


def seconds(path):
    """Time of all statements."""
    facts = json.loads(assay("info", "--json", path).stdout)["files"][0]
    return next(m["total"] for m in facts["metrics"] if m["name"] == "stmt_ticks") / float(facts["attributes"]["ticks_per_sec"])


def lines(path):
    sources = json.loads(assay("annotate", "--json", "--limit", "0", path).stdout)["sources"]
    rows = {(s["file"], r["line"]): (r.get("hits", 0), r.get("self", {}), r.get("calls", 0)) for s in sources for r in s["lines"]}
    return {k: v for k, v in rows.items() if any(v)}


def near(a, b):
    return a.keys() == b.keys() and all(abs(a[k] - b[k]) <= 1e-9 * max(1e-6, abs(a[k])) for k in a)


def added(paths):
    """Calls and self cost over several files; a file that is spelled in two ways is one, as docs/merge.md says."""
    sums = {}
    for path in paths:
        for (name, file, module), (calls, self, _) in functions(path).items():
            key = (name, file and posixpath.normpath(file), module)
            before = sums.get(key, (0, {e: 0 for e in self}))
            sums[key] = (before[0] + calls, {e: before[1][e] + self[e] for e in self})
    return sums


def check_callgrind(tally, work):
    folder = DATA / "callgrind"
    parts = [folder / "parts.callgrind.1", folder / "parts.callgrind.2", folder / "parts.callgrind"]
    ours, whole = functions(merge(tally, work / "parts.callgrind", *parts)), functions(folder / "parts-comb.callgrind")
    tally.equal({k: v[:2] for k, v in ours.items()}, {k: v[:2] for k, v in whole.items()}, "callgrind: parts give self and calls of the whole run")
    threads = [folder / f"threads.callgrind-0{n}" for n in (1, 2, 3)]
    want, got = added(threads), added([merge(tally, work / "threads.callgrind", *threads)])
    tally.equal({k: (got.get(k), want.get(k)) for k in got.keys() | want.keys() if got.get(k) != want.get(k)}, {}, "callgrind: threads add up")


def check_hpcrun(tally, work):
    folder = DATA / "hpcrun" / "demo" / "demo.m"
    threads = sorted(folder.glob("*.hpcrun"))
    alone = merge(tally, work / "threads.folded", *threads, to=("--to", "folded")).read_text().split("\n")
    total = {json.dumps(sorted(m["total"] for m in json.loads(assay("info", "--json", p).stdout)["files"][0]["metrics"])) for p in threads}
    tally.check(len(threads) > 1 and len(total) >= 1, "hpcrun: several threads")
    stacks = {}
    for path in threads:
        for line in merge(tally, work / "one.folded", path, to=("--to", "folded")).read_text().split("\n")[:-1]:
            stack, _, value = line.rpartition(" ")
            stacks[stack] = stacks.get(stack, 0) + float(value)
    got = {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in alone[:-1]}
    tally.check(got.keys() == stacks.keys() and all(abs(got[k] - stacks[k]) <= 1e-9 * abs(stacks[k]) + 1 for k in got), "hpcrun: contexts of threads add up", got, stacks)


def check_nytprof(tally, work):
    if not shutil.which("nytprofmerge"):
        tally.skip("nytprofmerge", "it is not installed")
        return
    for pair in NYTPROF:
        inputs = [DATA / "nytprof" / "real" / f"{n}.nytprof" for n in pair]
        tool = work / "tool.nytprof"
        run("nytprofmerge", "-o", tool, *inputs)
        ours = merge(tally, work / "ours.nytprof", *inputs)
        got, want = functions(ours), functions(tool)
        tally.equal(sorted(got), sorted(want), f"{pair[0]}: the subs of nytprofmerge")
        wrong = [k for k in got if k in want and not (got[k][0] == want[k][0] and near(got[k][1], want[k][1]) and near(got[k][2], want[k][2]))]
        tally.equal(wrong, [], f"{pair[0]}: calls, exclusive and inclusive time of each sub")
        got, want, sums = lines(ours), lines(tool), [lines(i) for i in inputs]
        differ = {k for k in got.keys() | want.keys() if got.get(k) != want.get(k)}
        # A discount that is pending at the end of one run counts for the first statement of the next in what nytprofmerge writes: one statement less.
        less = {k for k in differ if want[k][0] + 1 == got[k][0] == sum(s[k][0] for s in sums if k in s) and want[k][1:] == got[k][1:]}
        tally.check(differ == less and len(less) <= 1, f"{pair[0]}: statements, ticks and calls of {len(got)} lines", sorted(differ - less))
    slow = DATA / "nytprof" / "real"
    clocks = {}
    for path in sorted(slow.glob("*.nytprof")):
        clocks.setdefault(json.loads(assay("info", "--json", path).stdout)["files"][0]["attributes"].get("ticks_per_sec"), path)
    if len(clocks) > 1:
        both = merge(tally, work / "x.nytprof", *clocks.values(), to=("--to", "nytprof"))
        want = sum(seconds(path) for path in clocks.values())
        tally.check(abs(seconds(both) - want) <= 1e-6 * want, "ticks of different clocks are added as time", seconds(both), want)


def check_order(tally, work):
    pairs = [(DATA / "callgrind" / a, DATA / "callgrind" / b, "callgrind") for a, b in (("sortsum.callgrind", "shapes.callgrind"), ("shop.xdebug", "recurse.xdebug"))]
    pairs += [(DATA / "nytprof" / "real" / f"{a}.nytprof", DATA / "nytprof" / "real" / f"{b}.nytprof", "nytprof") for a, b in NYTPROF]
    for a, b, to in pairs:
        one, other = merge(tally, work / "ab", a, b, to=("--to", to)), merge(tally, work / "ba", b, a, to=("--to", to))
        tally.check(one.read_bytes() == other.read_bytes(), f"{a.name}, {b.name}: the same bytes in the other order")


def peak(*args):
    """Peak of resident memory of a command, in KiB."""
    code = "import resource, subprocess, sys; r = subprocess.run(sys.argv[1:]).returncode; print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(r)"
    result = run(sys.executable, "-c", code, ASSAY, *args)
    return result.returncode, int(result.stdout.split()[-1])


def check_many(tally, work):
    """Small files of which each names the same functions: the result is as large as that of two."""
    text = (FIXTURES / "demo.callgrind").read_text()
    for i in range(MANY):
        (work / f"many-{i}.callgrind").write_text(text)
    inputs = [work / f"many-{i}.callgrind" for i in range(MANY)]
    few, most = peak("merge", *inputs[:2], "-o", work / "few.callgrind"), peak("merge", *inputs, "-o", work / "many.callgrind")
    tally.check(few[0] == most[0] == 0, f"{MANY} inputs", few, most)
    tally.check(most[1] < few[1] + 8 * 1024, f"{MANY} inputs need no more memory than two", few, most)
    once = functions(inputs[0])
    tally.equal(functions(work / "many.callgrind"), {k: (MANY * c, *({e: MANY * v for e, v in x.items()} for x in (s, t))) for k, (c, s, t) in once.items()},
                f"{MANY} inputs: as much of everything")


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="assay-merge-") as folder:
        work = Path(folder)
        check_many(tally, work)
        if has_shared():
            check_callgrind(tally, work)
            check_hpcrun(tally, work)
            check_nytprof(tally, work)
            check_order(tally, work)
        else:
            tally.skip("merge of samples", "no shared data")
    tally.finish()


if __name__ == "__main__":
    main()
