#!/usr/bin/env python3
"""The command against the facts of one exchange format.

  exchange_facts.py FOLDER

FOLDER is a folder of data/exchange in the shared data; its files, and those of the folder `broken` that are of its format, must all pass check-facts.py, and the
broken ones must be named with their place. What the folder `convert` has of them as folded stacks must come out byte for byte.
"""
import json
import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import SHARED, Tally, assay, check_facts, has_shared, said  # noqa: E402


def all_pass(tally, folder):
    result = check_facts(folder)
    text = result.stdout.decode("utf-8", "replace")
    for what in (r"(\d+) of (\d+) cases pass", r"(\d+) of (\d+) broken files named"):
        match = re.search(what, text)
        if match:
            good, total = map(int, match.groups())
            tally.add(good, total - good)
    tally.check(result.returncode == 0, f"facts of {folder.name}", text[-3000:])


def broken(tally, formats):
    """The broken files of these formats, in a folder of their own."""
    source = SHARED / "data/exchange/broken"
    facts = {k: v for k, v in json.loads((source / "expected.json").read_text(encoding="utf-8")).items() if v.get("format") in formats}
    with tempfile.TemporaryDirectory() as work:
        for name in facts:
            (Path(work) / name).symlink_to(source / name)
        (Path(work) / "expected.json").write_text(json.dumps(facts), encoding="utf-8")
        if facts:
            all_pass(tally, Path(work))


def unwound(tally, folder, facts):
    """Stacks that perf unwinds with the files given; with whatever else this machine has there may be more."""
    for name, want in facts.items():
        stacks = want.get("facts", {}).get("unwound") if isinstance(want, dict) else None
        if stacks:
            result = assay("convert", "--foreign", folder / name, "--to", "folded", "-o", "-")
            got = {k: int(v) for k, v in (line.rsplit(" ", 1) for line in result.stdout.decode().splitlines())}
            tally.equal(got, stacks, f"{name}: stacks that are unwound")


def conversions(tally, folder):
    own = folder / "convert"
    source = own if own.exists() else SHARED / "data/exchange/convert"
    for name, want in json.loads((source / "expected.json").read_text(encoding="utf-8")).items():
        path = (source / want["source"]).resolve()
        if path.parent != folder.resolve():
            continue
        result = assay("convert", path, "--to", want["to"], "--metric", want["metric"], "-o", "-")
        tally.check(result.stdout == (source / name).read_bytes(), f"{path.name} as {want['to']}, {want['metric']}", said(result))


def main():
    tally = Tally()
    if not has_shared():
        tally.skip("the facts of exchange formats", "no shared data")
        tally.finish()
        return
    folder = SHARED / "data/exchange" / sys.argv[1]
    all_pass(tally, folder)
    facts = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    broken(tally, {v["format"] for v in facts.values() if isinstance(v, dict) and "format" in v})
    conversions(tally, folder)
    unwound(tally, folder, facts)
    tally.finish()


if __name__ == "__main__":
    main()
