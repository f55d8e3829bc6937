#!/usr/bin/env python3
"""Nothing that a program does with the package ends the interpreter: objects that are released in every order, cycles of garbage, threads, damaged files, wrong use.
A crash would be a signal, so each group runs in a process of its own and has to come back with its count.

  safety.py            all groups
  safety.py GROUP      one of them, in this process
"""
import copy
import gc
import itertools
import os
import pickle
import random
import sys
import tempfile
import threading
from pathlib import Path

from bindings import EXAMPLES, anonymous, assay
from support import FIXTURES, SHARED, SOURCE, Tally, has_shared, run

DEMO, OTHER, COVERAGE, STACKS, CALLS = (str(EXAMPLES[n]) for n in ("DEMO", "OTHER", "COVERAGE", "STACKS", "CALLS"))


def raises(tally, label, kinds, function, *args, **options):
    """It raises one of these, and nothing else."""
    try:
        got = function(*args, **options)
        tally.check(False, label, f"no exception, but {got!r}"[:300])
    except Exception as e:  # noqa: B902
        tally.check(isinstance(e, kinds), label, type(e).__name__, e)


# ---- objects in every order ----

def made():
    """One of each kind that points into memory of the library, with what it must say."""
    p = assay.read(DEMO, want="all")
    top, annotate = p.top(), p.annotate()
    column = top["self"]
    return [
        (p, lambda x: x.metrics[0].total == 34701), (top, lambda x: x["self"][0] == 27803), (column, lambda x: x.tolist()[0] == 27803),
        (memoryview(column.data), lambda x: x[0] == 27803), (annotate, lambda x: len(x) == 2), (p.callers("is_prime"), lambda x: x[0].callers["name"][0] == "count_primes"),
    ]


def orders(tally):
    """Whatever goes first, the rest is still right."""
    count = len(made())
    for order in itertools.permutations(range(count)):
        if order[0] > order[-1]:
            continue  # half of the orders
        things = made()
        is_right = True
        for gone in order:
            things[gone] = None
            is_right &= all(thing is None or thing[1](thing[0]) for thing in things)
        if not is_right:
            tally.check(False, f"released in the order {order}")
    gc.collect()
    tally.check(True, f"{count} objects released in every order")
    p = assay.read(DEMO)
    names, top = p.strings, p.top()
    p.close()
    tally.equal((top["name"][0], len(names.tolist()) > 10, top["file"].tolist()[0]), ("is_prime", True, "/tmp/demo/demo.c"), "what was made of it outlives a closed profile")
    table = p_of_nothing()
    tally.equal(table["name"].tolist()[:1], ["is_prime"], "a column outlives the name of its profile")


def copies(tally):
    """Two owners of one pointer would free it twice."""
    p, b = assay.read(DEMO), assay.build()
    twins = [copy.copy(p), copy.deepcopy(p), copy.copy(p.top()), copy.deepcopy(p.top()), copy.deepcopy(p.top()["self"])]
    tally.equal((twins[0].top()["self"][0], twins[1].top()["self"][0], twins[3]["self"][0]), (27803, 27803, 27803), "copies of profiles and tables")
    other = copy.copy(b)
    b.seal()
    raises(tally, "a copy of a builder that was sealed", assay.ClosedError, other.metric, "m")
    raises(tally, "sealing it again", assay.ClosedError, other.seal)
    del twins, other
    for thing in (p, assay.Query(DEMO), p.annotate()):
        raises(tally, f"pickling {type(thing).__name__}", TypeError, pickle.dumps, thing)
    gc.collect()
    tally.equal(p.top()["self"][0], 27803, "the profile is still there")


def endings(tally):
    """A program may end with everything still in use, also inside a call."""
    code = """
import assay, sys, threading
p = assay.read(sys.argv[1], want="all")
t, a, q, b = p.top(), p.annotate(), assay.Query(p), assay.build()
view, stream, array = memoryview(t["self"].data), t.__arrow_c_stream__(), t["self"].__arrow_c_array__()
loop = [p, t, a, q, b]; loop.append(loop); t.about["loop"] = loop
threading.Thread(target=lambda: [p.tree() for _ in range(10**6)], daemon=True).start()
print(t["self"][0])
"""
    for _ in range(5):
        result = run(sys.executable, "-c", code, DEMO, env={**os.environ, "PYTHONPATH": str(SOURCE / "python")})
        tally.check(result.returncode == 0 and result.stdout == b"27803\n", "a program that ends in the middle", result.returncode, result.stdout, result.stderr.decode()[-800:])
        tally.equal(result.stderr, b"", "and says nothing")
    piped = run(sys.executable, "-c", "import assay; p = assay.read('/dev/stdin'); print(p.top()['name'][0], p.tree()['name'][0], p.name)", input=Path(DEMO).read_bytes(),
                env={**os.environ, "PYTHONPATH": str(SOURCE / "python")})
    tally.equal(piped.stdout.decode().split()[0], "is_prime", "a pipe is read once")


def p_of_nothing():
    return assay.read(DEMO).top()


class Watcher:
    """Looks at memory of the library from its finalizer, which the collector calls in any order."""
    seen = []

    def __init__(self, view):
        self.view, self.me = view, self

    def __del__(self):
        Watcher.seen.append(self.view[0])


def cycles(tally):
    """Garbage that refers to itself, with finalizers that still read columns."""
    for _ in range(200):
        p = assay.read(DEMO, want="top")
        top = p.top()
        for watcher in (Watcher(top["self"].data), Watcher(top["self"]), Watcher(p.table("functions")["name"])):
            watcher.more = [p, top, watcher]
            top.about["watcher"] = watcher
        del p, top, watcher
    gc.collect()
    tally.equal((len(Watcher.seen), set(Watcher.seen)), (600, {27803, "(below main)"}), "finalizers of dead cycles see what was there")


def leaks(tally):
    """Memory comes back: a thousand reads do not grow it."""
    def work():
        p = assay.read(OTHER, want="all")
        memoryview(p.top()["self"].data).tolist()
        p.tree(), p.callers("main"), list(p.annotate()), p.query("select * from top"), p.flame_svg(), p.top().__arrow_c_stream__()
    for _ in range(60):
        work()
    gc.collect()
    before = anonymous()
    for _ in range(300):
        work()
    gc.collect()
    grown = anonymous() - before
    tally.check(grown < 4 << 20, "300 rounds leave nothing behind", f"{grown >> 10} KiB more")
    tally.equal((len(assay._arrow._live), len(assay._arrow._held)), (0, 0), "Arrow structures that nobody took are released")


# ---- threads ----

def threads(tally):
    """One profile, many threads; objects that belong to one thread at a time are shared, too."""
    p, q = assay.read(CALLS, want="all"), assay.Query(DEMO)
    annotate, problems, want = p.annotate(), [], p.top().count
    b = assay.build()
    metric = b.metric("m")

    def work(n):
        try:
            for i in range(40):
                assert p.top()["self"][0] > 0 and p.top().count == want
                assert p.tree(limit=5).count == 5
                assert annotate[i % len(annotate)].lines.count >= 0
                assert q("select count(*) as n from top")["n"][0] == 12
                b.cost(b.function(f"f{n % 7}"), {metric: 1})
                with assay.read(DEMO, want="top") as mine:
                    assert mine.top()["self"][0] == 27803
        except Exception as e:  # noqa: B902
            problems.append(e)

    several = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for t in several:
        t.start()
    for t in several:
        t.join()
    tally.equal(problems, [], "eight threads on the same objects")
    tally.equal(b.seal().metrics[0].total, 320, "a builder that eight threads fill")
    shared = assay.read(DEMO)
    closers = [threading.Thread(target=lambda: (shared.closed or shared.close())) for _ in range(4)]
    users = [threading.Thread(target=lambda: [use(shared) for _ in range(50)]) for _ in range(4)]
    for t in users + closers:
        t.start()
    for t in users + closers:
        t.join()
    tally.check(shared.closed, "closed by one thread while others use it")


def use(p):
    try:
        p.top()["self"].tolist()
    except assay.ClosedError:
        pass


# ---- files ----

def hostile_paths():
    """Damaged samples, and fixtures cut and flipped at places that a fixed seed chooses."""
    if has_shared():
        for folder in ("hpcrun/damaged", "nytprof/broken", "coverage/broken", "cov/broken", "hpcdb/damaged", "exchange/damaged"):
            yield from (p for p in sorted((SHARED / "data" / folder).rglob("*")) if p.is_file())
        yield from sorted((SHARED / "data" / "callgrind").glob("bad-*"))
    yield from sorted(p for p in FIXTURES.iterdir() if p.suffix not in (".md", ".sh"))


def everything(p):
    for name in p.tables:
        p.table(name).count
    for verb in ("top", "tree", "annotate", "timeline", "stats", "paths", "coverage", "flame_svg", "info", "values", "graph"):
        try:
            got = getattr(p, verb)()
            if verb == "annotate":
                got = [s.lines.count for s in got]
            if isinstance(got, assay.Table):
                got.__arrow_c_stream__(), got._repr_html_(), list(got.rows())
        except assay.AssayError:
            pass
    p._repr_html_(), p.warnings, p.attributes, p.counts


def damaged(tally):
    chance, count, refused = random.Random(31), 0, 0
    with tempfile.TemporaryDirectory() as tmp:
        for path in hostile_paths():
            inputs = [path]
            if path.is_file() and path.stat().st_size < 200_000 and path.is_relative_to(FIXTURES):
                data = path.read_bytes()
                for n in range(3):
                    bad = bytearray(data[:chance.randrange(len(data) + 1)] if n == 0 else data)
                    for _ in range(0 if n == 0 or not bad else 5):
                        bad[chance.randrange(len(bad))] = chance.randrange(256)
                    inputs.append(Path(tmp, f"{n}-{path.name}"))
                    inputs[-1].write_bytes(bad)
            for one in inputs:
                count += 1
                try:
                    everything(assay.read(one, want="all", max_memory=1 << 30))
                    assay.check(one)
                except assay.AssayError as e:
                    refused += 1
                    assert str(e) and e.code in {k.code for k in assay.errors.BY_CODE.values()}, repr(e)
    tally.check(count > 100 and refused > 20, f"{count} damaged files, {refused} of them refused", count, refused)


# ---- wrong use ----

def wrong(tally):
    p, b = assay.read(DEMO), assay.build()
    closed = assay.read(DEMO)
    closed.close()
    closed.close()
    for name in ("top", "tree", "metrics", "strings", "warnings", "info", "annotate"):
        raises(tally, f"{name} of a closed profile", assay.ClosedError, lambda: getattr(closed, name)() if callable(getattr(closed, name)) else None)
    raises(tally, "diff with a closed profile", assay.ClosedError, p.diff, closed)
    raises(tally, "merging a closed profile", assay.ClosedError, assay.merge, [p, closed])
    for value in (5, None, 1.5, [], object(), p):
        raises(tally, f"reading {type(value).__name__}", TypeError, assay.read, value)
        raises(tally, f"diff with {type(value).__name__}", TypeError, p.diff, value) if value is not p else None
        raises(tally, f"a metric that is {type(value).__name__}", TypeError, p.top, metric=value) if value is not None else None
    for options in ({"limit": -1}, {"limit": 2 ** 64}, {"depth": 2 ** 32}):
        raises(tally, f"top with {options}", OverflowError, p.top, **options)
    for options in ({"limit": "3"}, {"limit": 1.0}, {"cycles": 1}, {"least": "x"}):
        raises(tally, f"top with {options}", TypeError, p.top, **options)
    for options in ({"by": "x"}, {"sort": "x"}, {"metric": "x"}, {"least": 101}, {"least": float("nan")}):
        raises(tally, f"top with {options}", assay.UsageError, p.top, **options)
    raises(tally, "a NUL in a path", ValueError, assay.read, "a\0b")
    raises(tally, "an option that is none", TypeError, assay.read, DEMO, nothing=1)
    raises(tally, "a format that is none", assay.AssayError, assay.read, DEMO, format="nothing")
    raises(tally, "a filter that is none", TypeError, assay.read, DEMO, filter="main")
    raises(tally, "a filter with an option that is none", TypeError, assay.Filter, nothing=1)
    raises(tally, "a want that is none", assay.UsageError, assay.read, DEMO, want="nothing")
    raises(tally, "a table that is none", assay.UsageError, p.table, "nothing")
    raises(tally, "a verb that is none", assay.UsageError, p.report, "nothing")
    raises(tally, "a function that is none", assay.UsageError, p.callers, "nothing")
    raises(tally, "SQL that is none", assay.UsageError, p.query, "nothing")
    raises(tally, "SQL that writes", assay.UsageError, p.query, "create table x(y)")
    raises(tally, "a source that is none", (IndexError, KeyError), lambda: p.annotate()[99])
    raises(tally, "a row that is none", IndexError, lambda: p.top()["self"][99])
    raises(tally, "a name that is none", IndexError, lambda: p.top()["name"][99])
    raises(tally, "a string that is none", IndexError, lambda: p.strings[10 ** 6])
    raises(tally, "nothing to merge", assay.UsageError, assay.merge, [])
    raises(tally, "writing into a column", TypeError, lambda: memoryview(p.top()["self"].data).__setitem__(0, 1))
    raises(tally, "a format without extension", assay.UsageError, p.write, "/tmp/x.nothing")
    raises(tally, "a format that is only read", assay.AssayError, p.convert, "gprof-text")
    raises(tally, "progress that raises", ZeroDivisionError, big_read, lambda done, total: 1 / 0)
    raises(tally, "progress that cancels", assay.Cancelled, big_read, lambda done, total: True)
    tally.equal(p.values(stream=4_000_000_000).count, 0, "values of a stream that is none")
    tally.equal(p.tree(limit=1, depth=2 ** 32 - 1).count, 1, "the deepest depth there is")
    tally.equal(pickle.loads(pickle.dumps(p.top()))["self"].tolist(), p.top()["self"].tolist(), "a table can be pickled")
    error = pickle.loads(pickle.dumps(assay.Damaged("x", path="f", offset=3, rule="R1")))
    tally.equal((str(error), error.rule, error.offset), ("f: offset 3: x", "R1", 3), "an exception can be pickled")
    odd = assay.build()
    metric = odd.metric(b"m\xff", b"\xfe")
    odd.cost(odd.function(b"f\xfd", file=b"a\xfc.c"), {metric: 1})
    odd = odd.seal()
    row = next(odd.top().rows())
    tally.equal([os.fsencode(t) for t in (row["name"], row["file"], odd.top().about["metric"], odd.top().about["unit"])], [b"f\xfd", b"a\xfc.c", b"m\xff", b"\xfe"],
                "names that are not UTF-8 come back as they were")
    everything(odd)
    builders(tally, b)


def big_read(progress):
    data = b"a;b;c 1\n" * 4_000_000
    return assay.read_bytes(data, progress=progress)


def builders(tally, b):
    """Ids out of range, of other kinds, in every call: an exception now or when it is sealed."""
    metric = b.metric("m")
    raises(tally, "a value that is too large", OverflowError, b.cost, 0, {metric: 2 ** 64})
    raises(tally, "a value that is negative", OverflowError, b.cost, 0, {metric: -1})
    raises(tally, "a metric of another builder", assay.UsageError, b.cost, 0, {metric + 7: 1})
    raises(tally, "two lines, one hit", assay.UsageError, b.cover, "a.c", [1, 2], [1])
    chance, sealed = random.Random(7), 0
    for _ in range(400):
        b = assay.build()
        m = b.metric("m", type=chance.choice(["u64", "i64", "f64"]))

        def some(most=4):
            return chance.choice([0, 1, chance.randrange(most), 2 ** 32 - 1, 77])
        steps = [
            lambda: b.function("f", file=some(), module=some(), line=some()), lambda: b.file("f", module=some()), lambda: b.context(some(), some(), calls=1, file=some()),
            lambda: b.cost(some(), {m: 1}, file=some(), stream=some()), lambda: b.call(some(), some(), 1, {m: 2}, file=some(), stream=some()),
            lambda: b.value(some(), m, 3, stream=some()), lambda: b.cover(some(), some(9), 1), lambda: b.cover_function(some(), 2), lambda: b.cover_branch(some(), 1, "0", "1", 2),
            lambda: b.stream("s", RANK=1), lambda: b.attribute("k", "v", stream=some()),
        ]
        for _ in range(chance.randrange(12)):
            chance.choice(steps)()
        try:
            everything(b.seal())
            sealed += 1
        except assay.AssayError:
            pass
        raises(tally, "a builder that was sealed", assay.ClosedError, b.metric, "n")
    tally.check(20 < sealed < 400, "some of them could be sealed", sealed)


GROUPS = {f.__name__: f for f in (orders, cycles, copies, leaks, threads, damaged, wrong, endings)}


def main():
    tally = Tally()
    if len(sys.argv) > 1:
        GROUPS[sys.argv[1]](tally)
        tally.finish()
    for name in GROUPS:
        result = run(sys.executable, __file__, name, env={**os.environ, "PYTHONFAULTHANDLER": "1"})
        text = result.stdout.decode("utf-8", "replace")
        tally.check(result.returncode == 0, f"{name}: exit {result.returncode}", text[-3000:], result.stderr.decode("utf-8", "replace")[-3000:])
        print(name, text.strip().split("\n")[-1])
    tally.finish()


if __name__ == "__main__":
    main()
