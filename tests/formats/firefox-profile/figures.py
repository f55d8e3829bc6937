#!/usr/bin/env python3
"""Profiles of every version with random stacks: self and total of each function, as `top` has them, against a plain count over the samples; with a filter as
well, because then they come from the tree and not from the stack table."""
import json
import random
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from support import Tally, assay, said  # noqa: E402


def stacks(rng, count, frames):
    """(frame, prefix) with few functions, so that many of them call themselves."""
    return [(rng.randrange(frames), None if i == 0 or rng.random() < 0.1 else rng.randrange(i)) for i in range(count)]


def tables(version, rows, funcs, frames):
    stack = {"length": len(rows), "frame": [f for f, _ in rows]}
    if version >= 66:
        stack["prefixOffset"] = [0 if p is None else i - p for i, (_, p) in enumerate(rows)]
    else:
        stack["prefix"] = [p for _, p in rows]
    return {"stackTable": stack, "frameTable": {"length": len(frames), "func": frames},
            "funcTable": {"length": funcs, "name": list(range(funcs)), "resource": [-1] * funcs}, "resourceTable": {"length": 0, "name": []}}


def profile(rng, version):
    """The document, and what each function has: name -> [self, total]."""
    funcs, want, threads = 6, {}, []
    names = [f"f{i // 2}" for i in range(funcs)]  # two rows of a name are one function
    frames = [rng.randrange(funcs) for _ in range(9)]
    shared = tables(version, stacks(rng, 40, len(frames)), funcs, frames)
    for t in range(3):
        own = shared if version >= 60 else tables(version, stacks(rng, 30, len(frames)), funcs, frames)
        stack = own["stackTable"]
        count = rng.choice((2, 60))  # few samples and many are added up in different ways
        picked = [rng.choice([None] + list(range(stack["length"]))) for _ in range(count)]
        weights = [rng.randrange(-3, 9) for _ in picked] if t == 1 else None
        samples = {"stack": picked, "length": count, "time": list(range(count))}
        if weights:
            samples["weight" if version >= 29 else "duration"] = weights
        for i, row in enumerate(picked):
            path = []
            while row is not None:
                path.append(names[frames[stack["frame"][row]]])
                if "prefix" in stack:
                    row = stack["prefix"][row]
                else:
                    row = row - stack["prefixOffset"][row] if stack["prefixOffset"][row] else None
            value = weights[i] if weights else 1
            for name in set(path):
                want.setdefault(name, [0, 0])[1] += value
            if path:
                want[path[0]][0] += value
        thread = {"name": f"t{t}", "samples": samples}
        if version < 60:
            thread.update(own)
        if version < 56:
            thread["stringArray"] = names
        threads.append(thread)
    doc = {"meta": {"preprocessedProfileVersion": version, "categories": [{"name": "Other", "color": "grey"}]}, "threads": threads}
    if version >= 56:
        doc["shared"] = {"stringArray": names, **(shared if version >= 60 else {})}
    if rng.random() < 0.5:
        doc = dict(reversed(doc.items()))
    return doc, want


def deep():
    """One stack of 3000 functions, of which every other is the same, with a sample in each row: too deep to be walked one by one."""
    count, names = 3000, ["even", "odd"]
    rows = [(i % 2, i - 1 if i else None) for i in range(count)]
    doc = {"meta": {"preprocessedProfileVersion": 70, "categories": [{"name": "Other", "color": "grey"}]},
           "shared": {"stringArray": names, **tables(70, rows, 2, [0, 1])}, "threads": [{"name": "t", "samples": {"stack": list(range(count)), "length": count}}]}
    return doc, {"even": [count // 2, count], "odd": [count // 2, count - 1]}


def rows(tally, path, *more):
    result = assay("top", "--json", "--limit", "0", *more, path)
    if not tally.check(result.returncode == 0, f"top {' '.join(more)}", said(result)):
        return {}
    return {row["name"]: [row["self"]["samples"], row["total"]["samples"]] for row in json.loads(result.stdout)["rows"]}


def main():
    tally = Tally()
    rng = random.Random(27)
    with tempfile.TemporaryDirectory() as tmp:
        path = Path(tmp) / "x.json"
        doc, want = deep()
        path.write_text(json.dumps(doc), encoding="utf-8")
        tally.check(rows(tally, path) == want, "deep stacks", want)
        for version in range(1, 71):
            doc, want = profile(rng, version)
            path.write_text(json.dumps(doc), encoding="utf-8")
            tally.check(rows(tally, path) == want, f"version {version}: top", want)
            if version % 5 == 0:
                tally.check(rows(tally, path, "--ignore", "nothing") == want, f"version {version}: top of the tree", want)
                written = Path(tmp) / "written.json"
                result = assay("convert", path, "--to", "firefox-profile", "-o", written)
                tally.check(result.returncode == 0, f"version {version}: is written", said(result))
                tally.check(rows(tally, written) == want, f"version {version}: written and read again", want)
    tally.finish()


if __name__ == "__main__":
    main()
