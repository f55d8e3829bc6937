#!/usr/bin/env python3
"""Self and total of functions, which `top` takes straight from stacks where no more is wanted: random stacks against a plain count, as speedscope and as pprof writes
them, and every sample of the shared data against the tree, which a filter asks for."""
import json
import math
import random
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import SHARED, Tally, assay, has_shared, said  # noqa: E402

AREAS = ("chrome", "firefox", "folded", "otlp", "perf", "perf-data", "pprof", "pprof-legacy", "speedscope", "v8")
ALL = ("--ignore", "nothing has this name")
LARGEST = 300_000


def rows(tally, path, *more):
    result = assay("top", "--json", "--limit", "0", *more, path)
    if not tally.check(result.returncode == 0, f"{path.name}: top {' '.join(more)}", said(result)):
        return None
    return json.loads(result.stdout)


def key(row):
    return tuple(str(row.get(k)) for k in ("name", "file", "line", "module"))


def figures(doc):
    """Of the functions that cost something: a filter leaves the others out."""
    all_rows = ((key(row), {(k, m): v for k in ("self", "total") for m, v in row[k].items()}) for row in doc["rows"])
    return sorted((k, v) for k, v in all_rows if any(v.values()))


def same(a, b):
    return all(k == l and v.keys() == w.keys() and all(math.isclose(v[m], w[m], rel_tol=1e-12) for m in v) for (k, v), (l, w) in zip(a, b)) and len(a) == len(b)


def speedscope(rng, kind):
    """A file, and what each function has: name -> [self, total]. Some stacks are empty, many functions call themselves, some stacks come again with blanks."""
    names = [f"f{i // 2}" for i in range(12)]  # two frames of a name are one function
    want, profiles = {}, []
    for p in range(3):
        known = [[rng.randrange(len(names)) for _ in range(rng.randrange(9))] for _ in range(30)] + [[rng.randrange(len(names)) for _ in range(300)]]
        samples = [rng.choice(known) for _ in range(rng.choice((5, 400)))]
        weights = [rng.randrange(1, 50) if kind == "whole" else rng.randrange(-9, 90) / 4 for _ in samples]
        for stack, weight in zip(samples, weights):
            for name in {names[f] for f in stack}:
                want.setdefault(name, [0, 0])[1] += weight
            if stack:
                want[names[stack[-1]]][0] += weight
        profiles.append((p, samples, weights))
    frames = json.dumps({"frames": [{"name": name} for name in names]})
    texts = []
    for p, samples, weights in profiles:
        stacks = ",".join(json.dumps(s, separators=(", ", ":") if rng.random() < 0.2 else (",", ":")) for s in samples)
        texts.append(f'{{"type":"sampled","name":"p{p}","unit":"none","startValue":0,"endValue":1,"samples":[{stacks}],"weights":{json.dumps(weights)}}}')
    head = '"$schema":"https://www.speedscope.app/file-format-schema.json"'
    parts = [head, f'"shared":{frames}', f'"profiles":[{",".join(texts)}]']
    if rng.random() < 0.5:
        parts.reverse()
    return "{" + ",".join(parts) + "}", want, sum(sum(w) for _, _, w in profiles)


def generated(tally, folder):
    rng = random.Random(27)
    for number in range(24):
        kind = "whole" if number % 3 else "parts"
        text, want, total = speedscope(rng, kind)
        path = folder / f"{number}.speedscope.json"
        path.write_text(text, encoding="utf-8")
        for more in ((), ALL):
            doc = rows(tally, path, *more)
            got = {row["name"]: [row["self"]["weight"], row["total"]["weight"]] for row in doc["rows"]} if doc else {}
            tally.check(got == want, f"{path.name}: top {' '.join(more)}", (got, want))
            tally.check(doc and (more or math.isclose(doc["total"], total)), f"{path.name}: the whole", doc and doc["total"])
        if kind == "whole":
            written = folder / f"{number}.pb"
            result = assay("convert", path, "--to", "pprof", "-o", written)
            tally.check(result.returncode == 0, f"{path.name} as pprof", said(result))
            for more in ((), ALL):
                doc = rows(tally, written, *more)
                got = {row["name"]: [row["self"]["weight"], row["total"]["weight"]] for row in doc["rows"]} if doc else {}
                tally.check(got == want, f"{written.name}: top {' '.join(more)}", (got, want))


def samples(tally):
    for area in AREAS:
        for path in sorted((SHARED / "data/exchange" / area).iterdir()):
            if not path.is_file() or path.name == "expected.json" or path.stat().st_size > LARGEST or assay("top", path).returncode != 0:
                continue
            plain = rows(tally, path)
            tree = rows(tally, path, *ALL) if figures(plain) else None
            if tree:
                tally.check(same(figures(plain), figures(tree)), f"{area}/{path.name}: top, and top of the tree", (figures(plain)[:3], figures(tree)[:3]))


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory() as work:
        generated(tally, Path(work))
    if has_shared():
        samples(tally)
    tally.finish()


if __name__ == "__main__":
    main()
