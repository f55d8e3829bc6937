#!/usr/bin/env python3
"""Filters of cost against a reckoning of their own over folded stacks.

What --focus, --ignore, --focus-self, --hide, --hide-path, --collapse, --show and --show-from leave is worked out here from the stacks of the whole file and compared, stack by stack, with those of the filtered
one. Streams and halves of time must add up to the whole; the time of a window is reckoned from the samples that `dump` prints. Code of a module
is compared with `top`, and what `top --focus` says of an exact tree with the stacks.
"""
import json
import math
import re
import sys
import tarfile
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import FIXTURES, SHARED, Tally, assay, has_shared  # noqa: E402

DATA = SHARED / "data"
FILES = [
    "nytprof/real/pod2text-z6.nytprof", "nytprof/real/recur-z6.nytprof", "nytprof/real/oo-raw-calls2.nytprof",
    "callgrind/shop.xdebug", "callgrind/recurse.xdebug", "callgrind/gen.xdebug",
    "webgrind/shop.xd2.v4", "webgrind/recurse.xd2.v4",
    "exchange/folded/async-profiler.folded", "exchange/folded/ss-recursion.folded", "exchange/folded/fg-iperf-tid.folded",
    "hpcrun/demo/demo-struct.m", "hpcrun/demo/ranks.m",
]
DATABASES = ["small", "cpi-mpi", "loops-cputime", "lmp-openmp", "recursion-cudapc", "inline"]


def folded(path, *options):
    """{stack: cost}"""
    found = {}
    done = assay("convert", path, "--to", "folded", *options)
    if done.returncode != 0:
        raise SystemExit(f"{path} {options}: {done.stderr.decode()}")
    for line in done.stdout.decode("utf-8", "surrogateescape").splitlines():
        stack, cost = line.rsplit(" ", 1)
        found[tuple(stack.split(";"))] = float(cost) if "." in cost or "e" in cost else int(cost)
    return found


def same(a, b):
    """Whole numbers agree, fractions but for the order in which they were added up."""
    if isinstance(a, int) and isinstance(b, int):
        return a == b
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=2e-6)  # six digits behind the point are written


def compare(tally, got, want, label):
    wrong = [(s, got.get(s), want.get(s)) for s in got.keys() | want.keys() if not same(got.get(s, 0), want.get(s, 0))]
    tally.check(not wrong, label, f"{len(wrong)} stacks differ, for example {wrong[:2]}")


def expect(stacks, focus=None, ignore=None, focus_self=None, collapse=None, hide=None, hide_path=None, show=None, show_from=None):
    left = {}
    for stack, cost in stacks.items():
        if focus and not any(re.search(focus, f) for f in stack):
            continue
        if ignore and any(re.search(ignore, f) for f in stack):
            continue
        if focus_self and not re.search(focus_self, stack[-1]):
            continue
        place = tuple(hide_path.split(";")) if hide_path else None
        if place and stack[:len(place)] == place and not (hide and re.search(hide, place[-1])):
            stack = stack[:len(place) - 1] + stack[len(place):]
            if not stack:
                continue
        if collapse:
            first = next((i for i, f in enumerate(stack) if re.search(collapse, f)), len(stack))
            stack = stack[:first + 1]
        if hide:
            stack = tuple(f for f in stack if not re.search(hide, f))
        if show:
            stack = tuple(f for f in stack if re.search(show, f))
        if show_from:
            first = next((i for i, f in enumerate(stack) if re.search(show_from, f)), len(stack))
            stack = stack[first:]
        if stack:
            left[stack] = left.get(stack, 0) + cost
    return left


def names(stacks):
    """Functions worth asking for: the dearest by itself, the most frequent, one in the middle of the deepest stack."""
    by_self, seen = {}, {}
    for stack, cost in stacks.items():
        by_self[stack[-1]] = by_self.get(stack[-1], 0) + cost
        for frame in set(stack):
            seen[frame] = seen.get(frame, 0) + 1
    deepest = max(stacks, key=lambda s: (len(s), s))
    frequent = max((n for n in seen if seen[n] < len(stacks)), key=lambda n: (seen[n], n), default=deepest[-1])
    return sorted({max(by_self, key=lambda n: (by_self[n], n)), frequent, deepest[len(deepest) // 2]})


def check_stacks(tally, path, label):
    whole = folded(path)
    chosen = [re.escape(n) for n in names(whole)]
    asked = [{kind: name} for kind in ("focus", "ignore", "hide") for name in chosen]
    asked += [{"focus": chosen[0], "hide": chosen[-1]}, {"focus": chosen[-1], "ignore": chosen[0]}, {"hide": "|".join(chosen)}, {"hide": "."},
              {"focus": ".", "hide": "[aeiou]"}, {"ignore": "^[^a-z]"}]
    deepest = max(whole, key=lambda s: (len(s), s))
    places = [";".join(deepest[:n]) for n in sorted({1, 2, (len(deepest) + 1) // 2, len(deepest)}) if n <= len(deepest)]
    asked += [{"focus_self": name} for name in chosen] + [{"hide_path": place} for place in places]
    asked += [{"focus_self": chosen[0], "focus": chosen[-1]}, {"focus_self": "|".join(chosen), "hide_path": places[-1]}]
    asked += [{"collapse": name} for name in chosen]
    asked += [{"collapse": chosen[0], "hide": chosen[0]}, {"collapse": "|".join(chosen), "focus": chosen[-1]}, {"collapse": ".", "ignore": chosen[-1]}]
    exact = [f"^{n}$" for n in chosen]  # these look at paths, too
    asked += [{kind: name} for kind in ("show", "show_from") for name in exact]
    asked += [{"show": "|".join(exact)}, {"hide": exact[0], "show": "|".join(exact)}, {"hide": exact[0], "show_from": "|".join(exact)},
              {"focus": chosen[-1], "show": "|".join(exact), "show_from": exact[0]}, {"collapse": chosen[0], "show_from": "|".join(exact)}]
    for filters in asked:
        options = [word for kind, text in filters.items() for word in ("--" + kind.replace("_", "-"), text)]
        compare(tally, folded(path, *options), expect(whole, **filters), f"{label} {' '.join(options)}")


def check_streams(tally, path, label):
    count = json.loads(assay("info", "--json", path).stdout)["files"][0]["counts"].get("streams", 0)
    if count < 2:
        return
    whole, parts = folded(path), {}
    for i in range(1, count + 1):
        for stack, cost in folded(path, "--stream", str(i)).items():
            parts[stack] = parts.get(stack, 0) + cost
    compare(tally, parts, whole, f"{label}: streams one by one")
    compare(tally, folded(path, "--stream", f"1-{count}"), whole, f"{label}: all streams")


def samples(path):
    """Lists of (time, whether busy), one for each line of the trace, as the file has them."""
    lines = []
    for text in assay("dump", path).stdout.decode("utf-8", "replace").splitlines():
        if re.match(r"trace\.db \w+\s+CTH\[", text):
            lines.append([])
        sample = re.match(r"trace\.db \w+\s+Elem timestamp=(\d+) ctxId=(\d+)", text)
        if sample:
            lines[-1].append((int(sample[1]), sample[2] != "0"))
    return lines


def busy(lines, begin, end):
    return sum(max(0, min(b, end) - max(a, begin)) for line in lines for (a, is_busy), (b, _) in zip(line, line[1:]) if is_busy)


def check_time(tally, path, label):
    lines = samples(path)
    first, last = min(t for line in lines for t, _ in line), max(t for line in lines for t, _ in line)
    half = first + round((last - first) / 2)
    for option, begin, end in (("..", first, last), ("..50%", first, half), ("50%..", half, last), ("100ms..300ms", first + 10**8, first + 3 * 10**8)):
        total = json.loads(assay("top", "--json", "--time", option, path).stdout)["total"]
        tally.equal(total, busy(lines, begin, end), f"{label}: --time {option}")
    parts = folded(path, "--time", "..50%")
    for stack, cost in folded(path, "--time", "50%..").items():
        parts[stack] = parts.get(stack, 0) + cost
    compare(tally, parts, folded(path, "--time", ".."), f"{label}: two halves of the time")


def rows(path, *options):
    return json.loads(assay("top", "--json", "--limit", "0", *options, path).stdout)["rows"]


def check_modules(tally, path, label):
    """Self cost of the functions of a module, and nothing else; that of all others."""
    before = rows(path)
    module = max({r["module"] for r in before if r["module"]}, key=lambda m: sum(r["module"] == m for r in before))
    for without in ("", "!"):
        after = {(r["name"], r["file"], r["line"]): r["self"] for r in rows(path, "--module", without + re.sub(r"([*?\[\\])", r"\\\1", module))}
        for row in before:
            own = after.get((row["name"], row["file"], row["line"]), {})
            for metric, value in row["self"].items():
                want = value if (row["module"] == module) != bool(without) else 0
                ok = math.isclose(own.get(metric, 0), want, rel_tol=1e-9, abs_tol=1e-9)
                tally.check(ok, f"{label} --module {without}{module}: {row['name']}", own, row)


def check_top(tally, path, label, name):
    """Graph formats that also tell the tree: totals of what is left are exact."""
    left = expect(folded(path), focus=re.escape(name))
    table = {r["name"]: next(iter(r["total"].values())) for r in rows(path, "--focus", re.escape(name))}
    for function in {f for stack in left for f in stack}:
        tally.equal(table.get(function), sum(c for s, c in left.items() if function in s), f"{label} --focus {name}: total of {function}")


def main():
    tally = Tally()
    check_stacks(tally, FIXTURES / "app.m", "app.m")
    if not has_shared():
        tally.skip("samples", "there is no shared data")
        tally.finish()
    for name in FILES:
        check_stacks(tally, DATA / name, name)
        check_streams(tally, DATA / name, name)
    for name in ("callgrind/shop.xdebug", "callgrind/recurse.xdebug", "webgrind/shop.xd2.v4"):
        check_top(tally, DATA / name, name, names(folded(DATA / name))[0])
    check_modules(tally, DATA / "hpcrun/demo/demo-struct.m", "demo-struct.m")
    with tempfile.TemporaryDirectory(prefix="assay-select-") as folder:
        for name in DATABASES:
            with tarfile.open(DATA / "hpcdb" / f"{name}.tar.gz") as tar:
                tar.extractall(folder)
            check_stacks(tally, Path(folder) / name, name)
            check_streams(tally, Path(folder) / name, name)
        check_time(tally, Path(folder) / "small", "small")
    tally.finish()


if __name__ == "__main__":
    main()
