#!/usr/bin/env python3
"""Statistics over streams against an independent reader of databases and an independent reckoning:

- the cost of every context in every stream (`tree --by context,stream`) is what profile.db has;
- `tree --stats` is what Python's statistics make of these values; in databases of 'hpcprof -M stats' it is what the file stores, and the stored values and the
  computed ones agree;
- `top --stats` is what they make of one run of `top --stream` for each stream;
- `top --by rank` adds up, and names the slowest rank first."""
import collections
import json
import math
import re
import statistics
import struct
import sys
import tarfile
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from support import FIXTURES, SHARED, Tally, assay, has_shared, said  # noqa: E402

U = struct.unpack_from
LOOP = 1
FIGURES = ("min", "mean", "max", "stddev", "cv", "imbalance", "lost")


def near(a, b, scale=0.0):
    if a is None or b is None:
        return a == b
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=max(scale * 1e-9, 1e-300))


class Database:
    """Just enough of a database: contexts with their kinds, metrics with their ids, values by profile."""

    def __init__(self, folder):
        self.meta = (folder / "meta.db").read_bytes()
        self.profile = (folder / "profile.db").read_bytes()
        sections = [U("<QQ", self.meta, 16 + 16 * i) for i in range(8)]
        self.read_metrics(sections[2][1])
        self.lexical = {}
        self.read_tree(sections[3][1])
        self.read_profiles()

    def text(self, at):
        return self.meta[at : self.meta.index(0, at)].decode("utf-8", "replace")

    def read_metrics(self, at):
        first, count, size, scope_size, stat_size = U("<QIBBB", self.meta, at)
        self.scopes, self.stats = collections.defaultdict(dict), collections.defaultdict(dict)
        for i in range(count):
            name, scopes, stats, scope_count, stat_count = U("<QQQHH", self.meta, first + i * size)
            for k in range(scope_count):
                scope, number = U("<QH", self.meta, scopes + k * scope_size)
                self.scopes[self.text(name)][self.text(U("<Q", self.meta, scope)[0])] = number
            for k in range(stat_count):
                scope, formula, combine, number = U("<QQBxH", self.meta, stats + k * stat_size)
                self.stats[self.text(name)][self.text(U("<Q", self.meta, scope)[0]), self.text(formula), combine] = number

    def read_tree(self, at):
        first, count, size = U("<QHB", self.meta, at)
        for i in range(count):
            length, children, number = U("<QQI", self.meta, first + i * size)
            self.lexical[number] = 0
            todo = [(children, children + length)] if length else []
            while todo:
                here, end = todo.pop()
                while here < end:
                    length, children, number, _, relation, lexical, words = U("<QQIBBBB", self.meta, here)
                    self.lexical[number] = LOOP if lexical == LOOP and relation == 0 else 0
                    if length:
                        todo.append((children, children + length))
                    here += 32 + 8 * words

    def read_profiles(self):
        first, count, size = U("<QIB", self.profile, U("<Q", self.profile, 24)[0])
        self.values = []  # by profile: {(context, metric id): value}
        for i in range(count):
            value_count, values, context_count, _, contexts = U("<QQIIQ", self.profile, first + i * size)
            pairs = list(struct.iter_unpack("<Hd", self.profile[values : values + 10 * value_count]))
            starts = list(struct.iter_unpack("<IQ", self.profile[contexts : contexts + 12 * context_count]))
            ends = [start for _, start in starts[1:]] + [value_count]
            self.values.append({(c, m): v for (c, start), end in zip(starts, ends) for m, v in pairs[start:end]})

    def self_scope(self, metric, context):
        scopes = self.scopes[metric]
        return "lex_aware" if self.lexical[context] == LOOP and "lex_aware" in scopes else "function"

    def figures(self, metric, profile):
        """(self, total) of each context that has any, of one profile."""
        scopes, values = self.scopes[metric], self.values[profile]
        pairs = []
        for context in self.lexical:
            own = values.get((context, scopes[self.self_scope(metric, context)]), 0.0)
            total = values.get((context, scopes["execution"]), 0.0)
            if own or total:
                pairs.append((own, total))
        return sorted(pairs)

    def stored(self, metric, scope):
        """(groups, min, max, mean) of each context in a scope, where all of these are stored. (hpcprof stores the sum in place of the squares.)"""
        forms = {"count": ("1", 0), "sum": ("$$", 0), "squares": ("($$^2)", 0), "min": ("$$", 1), "max": ("$$", 2)}
        numbers = {key: self.stats[metric].get((scope, *form)) for key, form in forms.items()}
        if None in numbers.values():
            return None
        found = []
        for context in self.lexical:
            x = {key: self.values[0].get((context, number), 0.0) for key, number in numbers.items()}
            if x["count"]:
                found.append((context, (x["count"], x["min"], x["max"], x["sum"] / x["count"])))
        return found

    def stored_self(self, metric):
        """The same of self cost: that of loops is another scope."""
        scopes = {s: self.stored(metric, s) for s in ("function", "lex_aware")}
        if None in scopes.values():
            return None
        return sorted(x for s, found in scopes.items() for c, x in found if self.self_scope(metric, c) == s)


def expected(values, measured):
    """What is said of the values of those that have a row."""
    mean, most, total = statistics.fmean(values), max(values), math.fsum(values)
    deviation = statistics.pstdev(values)
    return {"groups": len(values), "measured": measured, "min": min(values), "mean": mean, "max": most, "stddev": deviation,
            "cv": deviation / mean if mean else None, "imbalance": most * measured / total - 1 if total else None, "lost": most * measured - total}


def same(got, want):
    scale = abs(want["max"]) * want["measured"]
    return got["groups"] == want["groups"] and got["measured"] == want["measured"] and all(
        near(got[k], want[k], 10 if k in ("cv", "imbalance") else scale) for k in FIGURES)


class Check:
    def __init__(self, tally, name, folder):
        self.tally, self.name, self.folder = tally, name, folder

    def ask(self, *arguments):
        result = assay(*arguments, "--json", self.folder)
        if not self.tally.check(result.returncode == 0, f"{self.name}: {' '.join(arguments)}", said(result)):
            return None
        return json.loads(result.stdout)

    def contexts(self, by="stream", kinds=("self", "total")):
        """`tree --stats` against what its own values give; returns the values and the rows."""
        values, rows = self.ask("tree", "--contexts", "--by", f"context,{by}"), self.ask("tree", "--contexts", f"--stats={by}")
        if not values or not rows:
            return None, None
        cells = collections.defaultdict(list)
        for row, group, own, total in values["values"]:
            cells[row].append((own, total, group))
        measured = len({group for _, group, _, _ in values["values"]})
        wrong = []
        for i, row in enumerate(rows["rows"]):
            for k, kind in enumerate(("self", "total")):
                got = row["stats"][kind]
                if kind not in kinds:
                    continue
                if cells[i] and not same(got, expected([c[k] for c in cells[i]], measured)):
                    wrong.append((i, kind, got, expected([c[k] for c in cells[i]], measured)))
                if cells[i] and got["max"] and got["slowest"] != values["groups"][min(c[2] for c in cells[i] if c[k] == max(d[k] for d in cells[i]))]:
                    wrong.append((i, kind, "slowest", got["slowest"]))
        self.tally.check(not wrong, f"{self.name}: statistics of contexts over {by}", *wrong[:3])
        return values, rows

    def functions(self, streams):
        """`top --stats` against `top --stream`, stream by stream."""
        whole = self.ask("top", "--stats", "--limit", "0")
        if not whole:
            return
        metric, cells, measured = whole["metric"], collections.defaultdict(list), 0
        key = lambda r: (r["name"], r["file"], r["line"], r["module"])  # noqa: E731
        doubles = {k for k, n in collections.Counter(map(key, whole["rows"])).items() if n > 1}
        for stream in streams:
            one = self.ask("top", "--stream", stream, "--metric", metric, "--limit", "0")
            if not one:
                return
            measured += any(r["total"][metric] or r["self"][metric] for r in one["rows"])
            for r in one["rows"]:
                if r["self"][metric] or r["total"][metric]:
                    cells[key(r)].append((r["self"][metric], r["total"][metric]))
        wrong = []
        for r in whole["rows"]:
            for k, kind in enumerate(("self", "total")):
                values = cells[key(r)]
                if values and key(r) not in doubles and not same(r["stats"][kind], expected([v[k] for v in values], measured)):
                    wrong.append((key(r), kind, r["stats"][kind], expected([v[k] for v in values], measured)))
        self.tally.check(not wrong, f"{self.name}: statistics of functions", *wrong[:3])
        lost = [r["stats"]["self"]["lost"] for r in whole["rows"] if r["stats"]["self"]["groups"]]
        self.tally.check(lost == sorted(lost, reverse=True), f"{self.name}: sorted by lost time")

    def ranks(self, by):
        answer = self.ask("top", "--by", by, "--limit", "0")
        if not answer:
            return
        costs = [r["total"][answer["metric"]] for r in answer["rows"]]
        self.tally.check(costs == sorted(costs, reverse=True), f"{self.name}: {by}s by cost")
        self.tally.check(near(math.fsum(costs), answer["total"]) if by == "stream" else True, f"{self.name}: {by}s add up", math.fsum(costs), answer["total"])
        if any(costs):
            want = expected([c for c in costs if c], sum(1 for c in costs if c))
            self.tally.check(same(answer["stats"], want), f"{self.name}: statistics of {by}s", answer["stats"], want)


def compare(a, b):
    return len(a) == len(b) and all(near(x, y) for p, q in zip(a, b) for x, y in zip(p, q))


def database(tally, name, folder):
    check, db = Check(tally, name, folder), Database(folder)
    # the self cost of loops that is stored is not always that of the threads: hpcdb.md of the notes, 4.1; and its minimum leaves out zeros
    values, rows = check.contexts(kinds=("total",) if any(len(s) > len(db.scopes[m]) for m, s in db.stats.items()) else ("self", "total"))
    if not values:
        return
    metric = values["metric"]
    by_group = collections.defaultdict(list)
    for _, group, own, total in values["values"]:
        by_group[group].append((own, total))
    got = sorted(sorted(pairs) for pairs in by_group.values())
    want = sorted(filter(None, (db.figures(metric, i) for i in range(1, len(db.values)))))
    if "lex_aware" not in db.scopes[metric]:  # then the self cost of loops is not in the file
        got, want = ([[(0, total) for _, total in sorted(pairs, key=lambda p: p[1])] for pairs in x] for x in (got, want))
        got, want = sorted(got), sorted(want)
    tally.check(len(got) == len(want) and all(compare(a, b) for a, b in zip(got, want)), f"{name}: values by context and stream",
                *[x for x in zip(got, want) if not compare(*x)][:2])
    total = db.stored(metric, "execution")
    for kind, stored in (("total", sorted(x for _, x in total) if total else None), ("self", db.stored_self(metric))):
        if stored:
            figures = sorted((s["groups"], s["min"], s["max"], s["mean"]) for s in (r["stats"][kind] for r in rows["rows"]) if s["groups"])
            tally.check(compare(figures, stored), f"{name}: what 'hpcprof -M stats' stored, {kind}", *[p for p in zip(figures, stored) if not compare([p[0]], [p[1]])][:3])
            print(f"{name}: {len(stored)} contexts, {kind}")
    check.ranks("stream")
    kinds = json.loads(assay("info", "--json", folder).stdout)["files"][0]["streams"]
    if any("RANK" in s["name"] for s in kinds):
        check.contexts("rank")
        check.ranks("rank")
    names = [s["name"] for s in kinds]
    if len(names) <= 8 and len(set(names)) == len(names):
        check.functions([f"^{re.escape(n)}$" for n in names])


def fixtures(tally):
    """Files of other formats, as far as they have a few streams: functions alone, by one run for each stream."""
    done = 0
    for path in sorted(FIXTURES.iterdir()):
        result = assay("info", "--json", path)
        files = json.loads(result.stdout)["files"] if result.returncode == 0 else []
        names = [s["name"] for f in files for s in f.get("streams", [])]
        if not 2 <= len(names) <= 8 or len(set(names)) < len(names) or assay("top", "--stats", path).returncode:
            continue
        Check(tally, path.name, path).functions([f"^{re.escape(n)}$" for n in names])
        done += 1
    tally.check(done >= 4, "fixtures with streams", done)


def main():
    tally = Tally()
    fixtures(tally)
    if not has_shared():
        tally.skip("statistics", "no shared data")
        tally.finish()
    with tempfile.TemporaryDirectory() as temporary:
        for i, packed in enumerate(sorted((SHARED / "data/hpcdb").glob("*.tar.gz")) + sorted((SHARED / "data/hpcrun/meas").glob("*.tar.gz"))):
            if packed.name.startswith(("bad-", "draft-")):
                continue
            folder = Path(temporary) / str(i)
            with tarfile.open(packed) as tar:
                tar.extractall(folder)
            for meta in sorted(folder.rglob("meta.db")):
                if (meta.parent / "profile.db").exists():
                    database(tally, f"{packed.name} {meta.parent.name}", meta.parent)
        for meta in sorted((SHARED / "data/hpcrun/demo").glob("*.d/meta.db")):
            database(tally, f"demo {meta.parent.name}", meta.parent)
    tally.finish()


if __name__ == "__main__":
    main()
