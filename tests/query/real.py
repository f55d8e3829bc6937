"""Answers to questions of docs/query.md on the shared samples, which real programs wrote: (number, inputs, rows, words of the question that stand for others)."""
import gzip
import tarfile
from collections import Counter, defaultdict
from math import fsum
from os.path import normpath
from statistics import median

from database import FUNCTION, LOOP, Database
from files import Callgrind, Samples, folded, label_costs


def of_callgrind(data):
    """A C program under Valgrind."""
    path = data / "callgrind" / "sortsum.callgrind"
    c = Callgrind(path)
    files, folders = Counter(), Counter()
    for (file, _), cost in c.lines.items():
        source = normpath(file)  # as paths of several inputs are compared
        files[source] += cost
        folders[source[:source.rfind("/") + 1]] += cost
    called = Counter(b for (a, b), n in c.calls.items()).most_common(1)[0][0]
    return [
        (1, [path], sorted(((n, v) for (_, _, n), v in c.places.items() if v), key=lambda r: (-r[1], r[0])), {}),
        (2, [path], sorted(((normpath(f), n, v) for (f, n), v in c.lines.items() if v), key=lambda r: (-r[2], r[0], r[1])), {}),
        (3, [path], sorted(((f, v) for f, v in files.items() if v), key=lambda r: (-r[1], r[0])), {}),
        (4, [path], sorted(((a, n) for (a, b), n in c.calls.items() if b == called), key=lambda r: (-r[1], r[0])), {"is_prime": called.replace("'", "''")}),
        (16, [path], [(sum(v for n, v in c.functions.items() if n.startswith("_dl_")),)], {"^(is|count)_": "^_dl_"}),
        (27, [path], sorted(folders.items(), key=lambda r: (-r[1], r[0])), {}),
    ]


def of_folded(data):
    """Stacks of a program with threads and recursion, as stackcollapse-perf.pl wrote them, and of a Java server."""
    path, java = data / "exchange" / "folded" / "crew.folded", data / "exchange" / "folded" / "fg-vertx-all.folded.gz"
    stacks = stacks_of(path.read_text())
    deepest = Counter()
    for stack in stacks:
        for name, n in Counter(stack.split(";")).items():
            deepest[name] = max(deepest[name], n)
    recursive = {n: d for n, d in deepest.items() if d > 1}
    servers = stacks_of(gzip.decompress(java.read_bytes()).decode())
    return [
        (5, [path], sorted((s, n) for s, n in stacks.items() if "start" in s and "recurse" not in s), {"parse": "start", "lex": "recurse"}),
        (5, [java], sorted(((s, n) for s, n in servers.items() if "system_call" in s and "flush" not in s), key=lambda r: r[0].encode()), {"parse": "system_call", "lex": "flush"}),
        (6, [path], [(max(len(s.split(";")) for s in stacks),)], {}),
        (6, [java], [(max(len(s.split(";")) for s in servers),)], {}),
        (17, [path], sorted((n,) for n in recursive), {}),
        (28, [path], sorted(recursive.items(), key=lambda r: (-r[1], r[0])), {}),
    ]


def stacks_of(text):
    out = Counter()
    for line in text.splitlines():
        stack, n = line.rsplit(" ", 1)
        out[stack] += int(n)
    return out


def of_runs(data):
    """Two recordings of one program; and stacks of two programs, which share some functions of the kernel."""
    a, b = data / "exchange" / "perf" / "fp-default.perf.txt", data / "exchange" / "perf" / "flat.perf.txt"
    runs = [Samples(a), Samples(b)]
    was, now = [Counter({n: v for (n,), v in run.sums(4).items()}) for run in runs]
    grown = [(n, was[n], now[n]) for n in runs[0].functions & runs[1].functions if now[n] > 1.05 * was[n]]
    noise = [(n, [run.sums(4)[n,] for run in runs if n in run.functions]) for n in runs[0].functions | runs[1].functions]
    c, d = data / "exchange" / "folded" / "crew.folded", data / "exchange" / "folded" / "fg-java-all.folded"
    one, other = folded(stacks_of(c.read_text()))[1], folded(stacks_of(d.read_text()))[1]
    only = [("before", n, t) for n, t in one.items() if n not in other] + [("after", n, t) for n, t in other.items() if n not in one]
    return [
        (8, [a, b], sorted(((n, len(v), min(v), max(v), median(v)) for n, v in noise if max(v) > min(v)), key=lambda r: (r[2] - r[3], r[0])), {}),
        (9, [f"before={c}", f"after={d}"], sorted(only, key=lambda r: (-r[2], r[1].encode())), {}),
        (10, [f"before={a}", f"after={b}"], sorted(grown, key=lambda r: (r[1] - r[2], r[0])), {}),
    ]


def of_samples(data):
    """What perf script printed of a program with several threads."""
    path = data / "exchange" / "perf" / "fp-default.perf.txt"
    s = Samples(path)
    seconds, there = Counter(), Counter()
    for row in s.rows:
        seconds[row[2] // 10**9] += row[3]
    busiest = min(seconds, key=lambda k: (-seconds[k], k))
    for row in s.rows:
        if row[2] // 10**9 == busiest:
            there[row[4]] += row[3]
    by, threads = s.sums(4, 0), sorted({r[0] for r in s.rows})
    alike = defaultdict(list)
    for t in threads:
        alike[min((-by[n, t], n) for n in {r[4] for r in s.rows})[1]].append(t)
    return [
        (21, [path], sorted(((n, len(t), ",".join(map(str, t))) for n, t in alike.items()), key=lambda r: (-r[1], r[0])), {"rank": "thread"}),
        (22, [path], sorted(there.items(), key=lambda r: (-r[1], r[0])), {}),
        (26, [path], sorted(((t, c, n) for (t, c), n in s.sums(0, 1).items()), key=lambda r: (-r[2], r[0])), {}),
    ]


def of_labels(data):
    """A profile with labels of several kinds."""
    path = data / "exchange" / "pprof" / "labels-rich.pb.gz"
    return [(23, [path], sorted(label_costs(path, "cpu", "endpoint").items(), key=lambda r: -r[1]), {})]


def unpack(data, folder, name):
    with tarfile.open(data / "hpcdb" / f"{name}.tar.gz") as archive:
        archive.extractall(folder / "databases")
    return folder / "databases" / name


def of_ranks(data, folder):
    """LAMMPS on four ranks with six threads each, measured by HPCToolkit: self cost of functions is what the database has of them as wholes."""
    path = unpack(data, folder, "lmp-openmp")
    db, streams, threads = Database(path), [], Counter()
    for ids, values in db.values():
        own = defaultdict(list)
        for number, _, scope, value in values:
            c = db.contexts.get(number)
            if scope == "function" and c and c.lexical == FUNCTION:
                own[c.function].append(value)
            if scope == "point":
                threads[ids["thread"]] += value
        streams.append((ids, {f: fsum(v) for f, v in own.items()}))
    measured = sum(1 for _, own in streams if own)
    spread, ranks = [], defaultdict(Counter)
    for f in sorted({f for _, own in streams for f in own}):
        costs = [own.get(f, 0) for _, own in streams]
        worst, mean = max(range(len(costs)), key=lambda i: (costs[i], -i)), fsum(costs) / measured
        ids = streams[worst][0]
        spread.append((db.names[f], costs[worst], costs[worst] / mean - 1, (costs[worst] - mean) * measured, ids["rank"], ids["thread"]))
    for ids, own in streams:
        for f, v in own.items():
            ranks[ids["rank"]][db.names[f]] += v
    alike = defaultdict(list)
    for rank in sorted(ranks):
        alike[min((-v, n) for n, v in ranks[rank].items())[1]].append(rank)
    return [
        (20, [path], sorted(spread, key=lambda r: (-r[3], r[0]))[:10], {}),
        (21, [path], sorted(((n, len(t), ",".join(map(str, t))) for n, t in alike.items()), key=lambda r: (-r[1], r[0])), {}),
        (26, [path], sorted(((t, None, n) for t, n in threads.items()), key=lambda r: (-r[2], r[0])), {}),
    ]


def of_loops(data, folder):
    """A program of loops: what the database has of each loop with everything in it."""
    path = unpack(data, folder, "loops-cputime")
    db, cost = Database(path), defaultdict(list)
    for _, values in db.values():
        for number, metric, scope, value in values:
            c = db.contexts.get(number)
            if c and c.lexical == LOOP and (metric, scope) == ("CPUTIME (sec)", "execution"):
                cost[number].append(value)
    rows = [(db.contexts[n].file, db.contexts[n].line or None, fsum(v)) for n, v in cost.items()]
    return [(29, [path], sorted(rows, key=lambda r: (-r[2], r[0], r[1])), {})]


def real_answers(data, folder):
    return of_callgrind(data) + of_folded(data) + of_runs(data) + of_samples(data) + of_labels(data) + of_ranks(data, folder) + of_loops(data, folder)
