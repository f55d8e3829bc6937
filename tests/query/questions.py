#!/usr/bin/env python3
"""The questions of docs/query.md, each run, and its rows compared with what is found here in the files themselves: text that is taken apart line by line, never our own tables."""
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import ASSAY, FIXTURES, SOURCE, Tally, assay  # noqa: E402

QUESTION = re.compile(r"^\*\*(\d+)\. (.*?)\*\*.*?^```sql\n(.*?)^```", re.M | re.S)
CALLGRIND = FIXTURES / "demo.callgrind"
BEFORE = {"main;read;parse;lex": 40, "main;read;parse": 25, "main;read": 7, "main;parse;lex": 3, "main;write;parse;emit;parse": 9, "main;gone": 11, "main": 2}
AFTER = {"main;read;parse;lex": 42, "main;read;parse": 30, "main;read": 7, "main;parse;lex": 4, "main;write;parse;emit;parse": 9, "main;fresh": 6, "main": 2}


# ---- what is in the files ----

class Callgrind:
    """Self cost of one event by function and by line, and calls."""

    def __init__(self, path, event=0):
        names, self.functions, self.lines, self.calls = {}, Counter(), Counter(), Counter()
        file = function = callee = where = None
        line = 0
        in_call = False

        def name(kind, text):
            m = re.match(r"\((\d+)\)(?: (.*))?$", text)
            if not m:
                return text
            if m[2]:
                names[kind, m[1]] = m[2]
            return names[kind, m[1]]

        for text in path.read_text().splitlines():
            m = re.match(r"(fl|fi|fe|fn|cfn|cfi|cfl|ob|cob|calls)=(.*)", text)
            if m:
                key, value = m[1], m[2].strip()
                if key == "fn":
                    function, where = name("fn", value), file
                elif key == "fl":
                    file = where = name("fl", value)
                elif key in ("fi", "fe"):
                    where = name("fl", value)
                elif key == "cfn":
                    callee = name("fn", value)
                elif key in ("cfi", "cfl"):
                    name("fl", value)
                elif key in ("ob", "cob"):
                    name("ob", value)
                elif key == "calls":
                    self.calls[function, callee] += int(value.split()[0])
                    in_call = True
                continue
            m = re.match(r"(\+|-|\*)?(\d+)?((?: \d+)*)$", text)
            if not m or not text or function is None:
                continue
            line = line if m[1] == "*" else line + int(m[2]) if m[1] == "+" else line - int(m[2]) if m[1] == "-" else int(m[2])
            costs = m[3].split()
            cost = int(costs[event]) if event < len(costs) else 0
            if in_call:
                in_call = False
                continue
            self.functions[function] += cost
            self.lines[where, line] += cost


def folded(stacks):
    """Self and total of each function."""
    own, total = Counter(), Counter()
    for stack, n in stacks.items():
        frames = stack.split(";")
        own[frames[-1]] += n
        for name in set(frames):
            total[name] += n
    return own, total


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


def gcov_hits(path):
    """Executions of each line that has code."""
    found = re.findall(r"^ *(\d+)\*?: *(\d+):", path.read_text(), re.M)
    return {int(line): int(hits) for hits, line in found if int(line)}


def of_misses(folder):
    """Instructions that miss the first level, beside what gcov counted in the same program."""
    profile, report = FIXTURES / "demo-cache.callgrind", FIXTURES / "demo.gcov"
    events = re.search(r"^events: (.*)", profile.read_text(), re.M)[1].split()
    cost, hits = Callgrind(profile, events.index("I1mr")).lines, gcov_hits(report)
    rows = [(n, v, hits[n]) for (file, n), v in cost.items() if v and hits.get(n) and file.endswith("/demo.c")]
    return {19: ([profile, report], sorted(rows, key=lambda r: (-r[1] / r[2], r[0])))}


class Samples:
    """What `perf script` printed: (thread, command, nanoseconds, weight, function), the innermost function of each sample."""

    def __init__(self, path):
        self.rows = []
        for block in path.read_text().split("\n\n"):
            lines = block.strip("\n").splitlines()
            m = re.match(r"(\S+)\s+(?:\d+/)?(\d+)\s+(\d+)\.(\d{6}):\s+(\d+) ([\w-]+):", lines[0]) if lines else None
            if m:
                self.rows.append((int(m[2]), m[1], (int(m[3]) * 1000000 + int(m[4])) * 1000, int(m[5]), re.sub(r"\+0x[0-9a-f]+$", "", lines[1].split()[1])))

    def sums(self, *columns):
        out = Counter()
        for row in self.rows:
            out[tuple(row[c] for c in columns)] += row[3]
        return out


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
        worst = max(costs, key=lambda t: costs[t])
        spread.append((name, sum(costs.values()), costs[worst], worst))
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
        20: ([path], sorted(spread, key=lambda r: (r[1] / 3 - r[2], r[0]))),
        21: ([path], sorted(((n, len(t), ",".join(map(str, t))) for n, t in alike.items()), key=lambda r: (-r[1], r[0]))),
        22: ([path], sorted(there.items(), key=lambda r: (-r[1], r[0]))),
        24: ([CALLGRIND, real], sorted(shared, key=lambda r: -r[2])),
        26: ([path], sorted(((t, c, n) for (t, c), n in s.sums(0, 1).items()), key=lambda r: (-r[2], r[0]))),
    }


def fields(data):
    """Fields of a message of protobuf: number, and an integer or bytes."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            value |= (data[at] & 127) << shift
            shift += 7
            at += 1
            if data[at - 1] < 128:
                return value
    while at < len(data):
        tag = varint()
        if tag & 7 == 2:
            size = varint()
            at += size
            yield tag >> 3, data[at - size:at]
        else:
            yield tag >> 3, varint()


def numbers(data):
    out, value, shift = [], 0, 0
    for b in data:
        value |= (b & 127) << shift
        shift = shift + 7 if b > 127 else 0
        if b < 128:
            out.append(value)
            value = 0
    return out


def of_labels(folder):
    """The second value of each sample of profile.proto, by its label `endpoint`."""
    path = FIXTURES / "demo.pprof"
    data = path.read_bytes()
    data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    top = list(fields(data))
    strings = [v.decode() for n, v in top if n == 6]
    cost = Counter()
    for number, sample in top:
        if number != 2:
            continue
        values, label = [], None
        for n, v in fields(sample):
            if n == 2:
                values += numbers(v) if isinstance(v, bytes) else [v]
            elif n == 3:
                one = dict(fields(v))
                label = strings[one[2]] if strings[one[1]] == "endpoint" else label
        cost[label] += values[1]
    return {23: ([path], sorted(cost.items(), key=lambda r: -r[1]))}


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


def of_loops(folder):
    """What the tree prints of loops."""
    path = FIXTURES / "app.m"
    rows = json.loads(assay("tree", "--contexts", "--limit", "0", "--json", path).stdout)["rows"]
    want = [(r["file"], r["line"], r["total"]["CPUTIME (sec)"]) for r in rows if r["kind"] == "loop"]
    return {29: ([path], sorted(want, key=lambda r: (-r[2], r[0], r[1])))}


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


def recorded(tally, folder, sql):
    """Question 11 on a profile and a coverage report of one program, recorded here."""
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
    cost, want = Callgrind(profile).functions, []
    for f in gcov["functions"]:
        lines = [row["count"] for row in gcov["lines"] if f["start_line"] <= row["line_number"] <= f["end_line"]]
        if cost[f["name"]] and 0 in lines:
            want.append((f["name"], cost[f["name"]], lines.count(0)))
    r = assay("query", "--format", "json", profile, report, sql)
    got = [tuple(row.values()) for row in json.loads(r.stdout)["rows"]] if r.returncode == 0 else r.stderr
    want.sort(key=lambda row: (-row[1], row[0]))
    tally.check(want and want[0][0] == "untested" and got == want, "11. on what was recorded here", got, want)


def of_findings(folder):
    inputs = [FIXTURES / "killed.nytprof", CALLGRIND, FIXTURES / "aborted.xdebug"]
    count = Counter()
    for f in json.loads(assay("check", "--json", *inputs).stdout)["files"]:
        for finding in f["findings"]:
            count[f["path"], finding["severity"]] += 1
    totals = {f["path"]: f["metrics"][0]["total"] for f in json.loads(assay("info", "--json", *inputs).stdout)["files"]}
    each = Counter()
    for (path, _), n in count.items():
        each[path] += n
    return {
        18: (inputs, sorted((*k, n) for k, n in count.items())),
        25: (inputs, sorted(((p, n, totals[p]) for p, n in each.items()), key=lambda r: (-r[1], r[0]))),
    }


def main():
    tally = Tally()
    questions = {int(n): (title, sql) for n, title, sql in QUESTION.findall((SOURCE / "docs" / "query.md").read_text(encoding="utf-8"))}
    with tempfile.TemporaryDirectory() as tmp:
        answers = {}
        for make in (of_callgrind, of_folded, of_coverage, of_findings, of_misses, of_samples, of_labels, of_folders, of_recursion, of_loops):
            answers |= make(Path(tmp))
        if shutil.which("git") and "libgit2" in assay("--version").stdout.decode():
            answers |= of_store(Path(tmp))
        else:
            tally.skip("30", "there is no git")
            del questions[30]
        recorded(tally, Path(tmp), questions[11][1])
        tally.equal(sorted(questions), sorted(answers), "every question of the document has an answer here")
        for n, (title, sql) in sorted(questions.items()):
            inputs, want = answers[n]
            r = assay("query", "--format", "json", *inputs, sql)
            got = [tuple(row.values()) for row in json.loads(r.stdout)["rows"]] if r.returncode == 0 else r.stderr
            tally.check(bool(want) and got == want, f"{n}. {title}", got if not isinstance(got, list) else got[:6], want[:6])
    tally.finish()


if __name__ == "__main__":
    main()
