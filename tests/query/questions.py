#!/usr/bin/env python3
"""The questions of docs/query.md, each run, and its rows compared with what is found in the files themselves: bytes and text that are taken apart here (files.py, database.py), never what
assay prints. First on fixtures and on files that the test makes or records, then on the shared samples (real.py)."""
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from math import isclose
from pathlib import Path
from statistics import median

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parent)]
from files import Callgrind, Samples, folded, gcov_hits, label_costs  # noqa: E402
from real import real_answers  # noqa: E402
from support import ASSAY, FIXTURES, SHARED, SOURCE, Tally, assay, has_shared  # noqa: E402

QUESTION = re.compile(r"^\*\*(\d+)\. (.*?)\*\*.*?^```sql\n(.*?)^```", re.M | re.S)
CALLGRIND = FIXTURES / "demo.callgrind"
BEFORE = {"main;read;parse;lex": 40, "main;read;parse": 25, "main;read": 7, "main;parse;lex": 3, "main;write;parse;emit;parse": 9, "main;gone": 11, "main": 2}
AFTER = {"main;read;parse;lex": 42, "main;read;parse": 30, "main;read": 7, "main;parse;lex": 4, "main;write;parse;emit;parse": 9, "main;fresh": 6, "main": 2}


# ---- files that are made here ----

def write_folded(path, stacks):
    path.write_text("".join(f"{stack} {n}\n" for stack, n in stacks.items()))
    return path


class Coverage:
    """A report of demo.c by two tests, made here: its lines are those that the profile has cost in, some of them missed."""

    def __init__(self, folder, profile):
        self.source = "/tmp/demo/demo.c"
        numbers = sorted(line for (file, line), cost in profile.lines.items() if file == self.source and cost)
        self.hits = {"one": {n: (0 if n % 5 == 1 else 3) for n in numbers}, "two": {n: (2 if n % 3 == 0 and n % 5 != 1 else 0) for n in numbers}}
        self.branches = {numbers[1]: (1, 2), numbers[4]: (2, 2), numbers[-3]: (0, 2)}
        self.functions = {"is_prime": (10, 14), "count_primes": (16, 20), "fold": (31, 36)}
        self.path = folder / "tests.info"
        text = ""
        for test, hits in self.hits.items():
            text += f"TN:{test}\nSF:{self.source}\n"
            text += "".join(f"FN:{a},{b},{name}\nFNDA:1,{name}\n" for name, (a, b) in self.functions.items())
            text += "".join(f"BRDA:{line},0,{k},{int(k < hit)}\n" for line, (hit, all_of) in self.branches.items() for k in range(all_of))
            text += "".join(f"DA:{n},{h}\n" for n, h in hits.items()) + "end_of_record\n"
        self.path.write_text(text)
        self.lines = {n: sum(h[n] for h in self.hits.values()) for n in numbers}


# ---- the answers, by number: inputs, and rows as they have to be ----

def of_callgrind(folder):
    c = Callgrind(CALLGRIND)
    by_file = Counter()
    for (file, _), cost in c.lines.items():
        by_file[file] += cost
    kind = sum(cost for name, cost in c.functions.items() if re.match(r"(is|count)_", name))
    return {
        1: ([CALLGRIND], sorted(((n, v) for n, v in c.functions.items() if v), key=lambda r: (-r[1], r[0]))),
        2: ([CALLGRIND], sorted(((f, n, v) for (f, n), v in c.lines.items() if v), key=lambda r: (-r[2], r[0], r[1]))),
        3: ([CALLGRIND], sorted(((f, v) for f, v in by_file.items() if v), key=lambda r: (-r[1], r[0]))),
        4: ([CALLGRIND], sorted(((a, n) for (a, b), n in c.calls.items() if b == "is_prime"), key=lambda r: (-r[1], r[0]))),
        16: ([CALLGRIND], [(kind,)]),
    }


def of_folded(folder):
    a, b = write_folded(folder / "a.folded", BEFORE), write_folded(folder / "b.folded", AFTER)
    runs = [write_folded(folder / f"run-{i:02}.folded", {s: n + (i * 7 % 5 if s.endswith("lex") else 0) for s, n in BEFORE.items()}) for i in range(1, 51)]
    texts = [{s: int(n) for s, n in (line.rsplit(" ", 1) for line in run.read_text().splitlines())} for run in runs]
    own = [folded(text)[0] for text in texts]
    lex = [o["lex"] for o in own]
    spread = [(n, [o[n] for o in own]) for n in folded(BEFORE)[1]]
    (was, was_total), (now, now_total) = folded(BEFORE), folded(AFTER)
    only = [("before", n, t) for n, t in was_total.items() if n not in now_total] + [("after", n, t) for n, t in now_total.items() if n not in was_total]
    grown = [(n, was[n], now[n]) for n in was_total if n in now_total and now[n] > 1.05 * was[n]]
    recursive = sorted({f for s in BEFORE for f in s.split(";") if s.split(";").count(f) > 1})
    return {
        5: ([a], sorted((s, n) for s, n in BEFORE.items() if "parse" in s and "lex" not in s)),
        6: ([a], [(max(len(s.split(";")) for s in BEFORE),)]),
        7: (runs, [(str(r), n, n - lex[i - 1] if i else None) for i, (r, n) in enumerate(zip(runs, lex))]),
        8: (runs, sorted(((n, len(v), min(v), max(v), median(v)) for n, v in spread if max(v) > min(v)), key=lambda r: (r[2] - r[3], r[0]))),
        9: ([f"before={a}", f"after={b}"], sorted(only, key=lambda r: (-r[2], r[1]))),
        10: ([f"before={a}", f"after={b}"], sorted(grown, key=lambda r: (r[1] - r[2], r[0]))),
        17: ([a], [(n,) for n in recursive]),
    }


def of_coverage(folder):
    c = Callgrind(CALLGRIND)
    v = Coverage(folder, c)
    both = [CALLGRIND, v.path]
    cost = {n: x for (f, n), x in c.lines.items() if f == v.source and x}
    untested = {name: sum(1 for n, h in v.lines.items() if a <= n <= b and not h) for name, (a, b) in v.functions.items()}
    alone = defaultdict(int)
    for n in cost:
        tests = [t for t, hits in v.hits.items() if hits.get(n)]
        if len(tests) == 1:
            alone[tests[0]] += 1
    missed = [(v.source, sum(1 for h in v.lines.values() if not h), len(v.lines))]
    return {
        11: (both, sorted(((n, c.functions[n], k) for n, k in untested.items() if k and c.functions[n]), key=lambda r: (-r[1], r[0]))),
        12: (both, [(sum(x for n, x in cost.items() if not v.lines[n]),)]),
        13: (both, sorted(((n, cost[n], hit, every) for n, (hit, every) in v.branches.items() if hit < every and n in cost), key=lambda r: -r[1])),
        14: (both, sorted(alone.items(), key=lambda r: (-r[1], r[0]))),
        15: ([v.path], missed),
    }


def of_misses(folder):
    """Instructions that miss the first level, beside what gcov counted in the same program."""
    profile, report = FIXTURES / "demo-cache.callgrind", FIXTURES / "demo.gcov"
    events = re.search(r"^events: (.*)", profile.read_text(), re.M)[1].split()
    cost, hits = Callgrind(profile, events.index("I1mr")).lines, gcov_hits(report)
    rows = [(n, v, hits[n]) for (file, n), v in cost.items() if v and hits.get(n) and file.endswith("/demo.c")]
    return {19: ([profile, report], sorted(rows, key=lambda r: (-r[1] / r[2], r[0])))}


def of_samples(folder):
    """Five samples that perf took, and a file of three threads in the same form."""
    real = FIXTURES / "demo.perf-script"
    path, text = folder / "threads.perf-script", ""
    work = [(101, 10, "solve"), (101, 10, "solve"), (101, 11, "wait"), (102, 10, "solve"), (102, 11, "wait"), (102, 11, "wait"), (103, 10, "solve"), (103, 12, "solve"), (103, 12, "pack")]
    for i, (thread, second, name) in enumerate(work):
        text += f"app 100/{thread} {second}.{i:06}: {1000 + i} cycles: \n\t 40{i}0 {name}+0x{i + 1:x} (/bin/app)\n\t 1000 main+0x9 (/bin/app)\n\n"
    path.write_text(text)
    s, perf, instructions = Samples(path), Samples(real), Callgrind(CALLGRIND).functions
    by = s.sums(4, 0)
    spread = []
    for name in {r[4] for r in s.rows}:
        costs = {t: by[name, t] for t in (101, 102, 103)}
        worst, mean = max(costs, key=lambda t: costs[t]), sum(costs.values()) / 3
        spread.append((name, costs[worst], costs[worst] / mean - 1, (costs[worst] - mean) * 3, None, worst))
    alike = defaultdict(list)
    for t in (101, 102, 103):
        alike[max({r[4] for r in s.rows}, key=lambda name: by[name, t])].append(t)
    seconds = Counter()
    for row in s.rows:
        seconds[row[2] // 10**9] += row[3]
    busiest = min(seconds, key=lambda k: (-seconds[k], k))
    there = Counter()
    for row in s.rows:
        if row[2] // 10**9 == busiest:
            there[row[4]] += row[3]
    shared = [(name, instructions[name], cost) for (name,), cost in perf.sums(4).items() if instructions.get(name)]
    return {
        20: ([path], sorted(spread, key=lambda r: (-r[3], r[0]))),
        21: ([path], sorted(((n, len(t), ",".join(map(str, t))) for n, t in alike.items()), key=lambda r: (-r[1], r[0]))),
        22: ([path], sorted(there.items(), key=lambda r: (-r[1], r[0]))),
        24: ([CALLGRIND, real], sorted(shared, key=lambda r: -r[2])),
        26: ([path], sorted(((t, c, n) for (t, c), n in s.sums(0, 1).items()), key=lambda r: (-r[2], r[0]))),
    }


def of_labels(folder):
    path = FIXTURES / "demo.pprof"
    return {23: ([path], sorted(label_costs(path, "cpu", "endpoint").items(), key=lambda r: -r[1]))}


def of_folders(folder):
    path = folder / "folders.callgrind"
    path.write_text("events: Ir\nfl=src/a/x.c\nfn=f\n1 10\n2 5\nfl=src/a/y.c\nfn=g\n1 7\nfl=src/b/z.c\nfn=h\n3 40\nfl=top.c\nfn=main\n1 1\n")
    cost = Counter()
    for (file, _), v in Callgrind(path).lines.items():
        cost[file[:file.rfind("/") + 1]] += v
    return {27: ([path], sorted(cost.items(), key=lambda r: (-r[1], r[0])))}


def of_recursion(folder):
    path = write_folded(folder / "deep.folded", {**BEFORE, "main;parse;lex;parse;lex;parse": 4})
    deepest = Counter()
    for line in path.read_text().splitlines():
        for name, n in Counter(line.rsplit(" ", 1)[0].split(";")).items():
            deepest[name] = max(deepest[name], n)
    return {28: ([path], sorted(((n, d) for n, d in deepest.items() if d > 1), key=lambda r: (-r[1], r[0])))}


def of_store(folder):
    """Three commits with their coverage in a store; what the store gives back is read by SQL, what went into it is counted here."""
    repository = folder / "repository"
    (repository / "src").mkdir(parents=True)
    env = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}

    def run(*args):
        r = subprocess.run([str(a) for a in args], cwd=repository, env=env, capture_output=True, check=False)
        assert r.returncode == 0, (args, r.stderr)

    run("git", "init", "-q", "-b", "main")
    run(ASSAY, "cov", "init")
    counts = [{1: 1, 2: 0, 3: 0}, {1: 2, 2: 1, 3: 0, 4: 0}, {1: 2, 2: 1, 3: 4, 4: 0}]
    for i, lines in enumerate(counts):
        (repository / "src" / "a.c").write_text("".join(f"line {n} {i};\n" for n in lines))
        run("git", "add", ".")
        run("git", "commit", "-q", "-m", f"step {i}")
        info = repository / "coverage.info"
        info.write_text(f"SF:{repository}/src/a.c\n" + "".join(f"DA:{n},{h}\n" for n, h in lines.items()) + "end_of_record\n")
        run(ASSAY, "cov", "import", info)
        info.unlink()
    inputs = []
    for revision in ("HEAD~2", "HEAD~1", "HEAD"):
        inputs.append(folder / f"{revision}.info")
        run(ASSAY, "cov", "export", "--to", "lcov", "-o", inputs[-1], revision)
    hit = [sum(1 for h in lines.values() if h) for lines in counts]
    return {30: (inputs, [(str(p), hit[i], len(counts[i]), hit[i] - hit[i - 1] if i else None) for i, p in enumerate(inputs)])}


PROGRAM = """#include <stdlib.h>
static int tested(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) sum += i;
    return sum;
}
static int untested(int n)
{
    int sum = 1;
    for (int i = 0; i < n; i++) {
        if (i % 7 == 3)
            sum ^= i;
    }
    return sum;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 10;
    if (n > 100)
        return untested(n) == tested(3);
    return tested(n) == 0;
}
"""


def recorded(tally, folder, questions):
    """Questions about a profile and a coverage report of one program, recorded here."""
    if not all(map(shutil.which, ("gcc", "gcov", "valgrind"))):
        tally.skip("11, recorded", "there is no gcc, gcov or valgrind")
        return
    work = folder / "recorded"
    work.mkdir()
    (work / "app.c").write_text(PROGRAM)
    for args in (["gcc", "-g", "-O0", "--coverage", "-o", "tests", "app.c"], ["./tests", "20"], ["gcov", "--json-format", "tests-app.gcda"], ["gcc", "-g", "-O0", "-o", "app", "app.c"],
                 ["valgrind", "--tool=callgrind", "--callgrind-out-file=app.callgrind", "./app", "5000"]):
        r = subprocess.run(args, cwd=work, capture_output=True, check=False)
        if r.returncode not in (0, 1) or "gcov" in args[0] and r.returncode:
            tally.skip("11, recorded", f"{args[0]} says {r.stderr[-200:]}")
            return
    profile, report = work / "app.callgrind", next(work.glob("*.gcov.json.gz"))
    gcov = json.loads(gzip.decompress(report.read_bytes()))["files"][0]
    c, want = Callgrind(profile), []
    for f in gcov["functions"]:
        lines = [row["count"] for row in gcov["lines"] if f["start_line"] <= row["line_number"] <= f["end_line"]]
        if c.functions[f["name"]] and 0 in lines:
            want.append((f["name"], c.functions[f["name"]], lines.count(0)))
    want.sort(key=lambda row: (-row[1], row[0]))
    hits = {row["line_number"]: row["count"] for row in gcov["lines"]}
    untested = sum(v for (file, line), v in c.lines.items() if file.endswith("/app.c") and hits.get(line) == 0)
    tally.check(want and want[0][0] == "untested" and untested > 10000, "what the program spends most in is not tested", want, untested)
    for n, inputs, rows in ((11, [profile, report], want), (12, [profile, report], [(untested,)]), (15, [report], [(gcov["file"], list(hits.values()).count(0), len(hits))])):
        ask(tally, f"{n}. {questions[n][0]} (recorded here)", inputs, rows, questions[n][1])


def of_findings(folder):
    """Defects that are planted here, with the severity that docs/formats gives them, in files whose costs are counted here."""
    sick, cut, report = folder / "sick.callgrind", folder / "cut.callgrind", folder / "sick.info"
    sick.write_text("events: Ir\nfl=a.c\nfn=f\n1 10\n2 5\nbogus\n3 x\n\ntotals: 99\n")  # CG12, CG07, CG13
    cut.write_text("events: Ir\nfl=a.c\nfn=g\n5 7\nfn=f\n1 10\ncfn=g\ncalls=1 2\n")  # CG09
    report.write_text("SF:a.c\nDA:1,2\nDA:2,x\nLF:1\nLH:1\nend_of_record\n")  # LC-4
    return {
        18: ([sick, CALLGRIND, cut, report], sorted([(str(sick), "warning", 1), (str(sick), "error", 2), (str(cut), "error", 1), (str(report), "error", 1)])),
        25: ([sick, CALLGRIND, cut, report], [(str(sick), 3, 15), (str(cut), 1, 17), (str(report), 1, 2)]),
    }


def same(got, want):
    """Equal; sums of doubles in another order may differ in the last digits."""
    if len(got) != len(want):
        return False
    cells = [(a, b) for g, w in zip(got, want) for a, b in zip((len(g), *g), (len(w), *w))]
    return all(a == b or isinstance(a, float) and isinstance(b, float) and isclose(a, b, rel_tol=1e-12) for a, b in cells)


def ask(tally, label, inputs, want, sql):
    r = assay("query", "--format", "json", *inputs, sql)
    got = [tuple(row.values()) for row in json.loads(r.stdout)["rows"]] if r.returncode == 0 else r.stderr
    tally.check(bool(want) and isinstance(got, list) and same(got, want), label, got if not isinstance(got, list) else got[:6], want[:6])


def main():
    tally = Tally()
    questions = {int(n): (title, sql) for n, title, sql in QUESTION.findall((SOURCE / "docs" / "query.md").read_text(encoding="utf-8"))}
    tally.equal(sorted(questions), list(range(1, 31)), "there are thirty questions")
    asked = set()
    with tempfile.TemporaryDirectory() as tmp:
        answers = []
        for make in (of_callgrind, of_folded, of_coverage, of_findings, of_misses, of_samples, of_labels, of_folders, of_recursion):
            answers += [(n, *case, {"rank": "thread"} if n == 21 else {}) for n, case in make(Path(tmp)).items()]
        if shutil.which("git") and "libgit2" in assay("--version").stdout.decode():
            answers += [(n, *case, {}) for n, case in of_store(Path(tmp)).items()]
        else:
            tally.skip("30", "there is no git")
            asked.add(30)
        if has_shared():
            answers += real_answers(SHARED / "data", Path(tmp))
        else:
            tally.skip("29", "there is no shared data")
            asked.add(29)
        recorded(tally, Path(tmp), questions)
        for n, inputs, want, words in answers:
            title, sql = questions[n]
            for word, other in words.items():
                tally.check(word in sql, f"{n}: '{word}' is in the question")
                sql = sql.replace(word, other)
            ask(tally, f"{n}. {title} ({', '.join(Path(str(i)).name for i in inputs[:3])})", inputs, want, sql)
            asked.add(n)
    tally.equal(sorted(questions), sorted(asked), "every question of the document was asked")
    tally.finish()


if __name__ == "__main__":
    main()
