#!/usr/bin/env python3
"""Coverage objects and stores against facts that independent tools computed.

  facts.py COV_FACTS

Every field of every object of the shared data, its id, and that writing it again gives the same bytes; the verdict on every damaged object; what
the stores hold and what is wrong with them, rule by rule and object by object.
"""
import gzip
import json
import re
import sys
import tarfile
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from support import ASSAY, SHARED, Tally, assay, check_facts, has_shared, run, said  # noqa: E402

DATA = SHARED / "data" / "cov"
# Rules that the reference checker of the data does not have.
NOT_IN_REFERENCE = {"S20", "S21"}




def shape(want):
    """The facts of an object as the helper prints them."""
    fact = {k: v for k, v in want.items() if k not in ("framing", "stored_bytes", "strings", "entries", "oid_ok", "dialect", "warnings", "oid")}
    if "strings" in want:
        fact["strings"] = [want["strings"]["offset"], want["strings"]["size"]]
    if isinstance(want.get("entries"), dict):
        fact["array"] = [want["entries"][k] for k in ("offset", "size", "count")]
    elif "entries" in want:
        fact["entries"] = want["entries"]
    return fact


def ask(helper, paths):
    result = run(helper, *paths)
    return {o["path"]: o for o in json.loads(result.stdout)}


def check_object(tally, label, got, want, oid):
    if want.get("ok") is False:
        tally.check(not got["ok"], f"{label}: is damaged")
        return
    tally.equal(got.get("object"), shape(want), f"{label}: every field")
    tally.equal(got.get("oid"), oid, f"{label}: id")
    tally.check(got.get("same"), f"{label}: written again it has the same bytes")


def single_objects(tally, helper):
    for folder, options in (("objects", ()), ("spec", ("--spec",))):
        expected = json.loads((DATA / folder / "expected.json").read_text(encoding="utf-8"))
        paths = {str(DATA / folder / name): name for name in expected}
        found = {Path(o["path"]).name: o for o in json.loads(run(helper, *options, *paths).stdout)}
        for name, want in expected.items():
            oid = want.get("oid") or want.get("facts", {}).get("oid")
            check_object(tally, f"{folder}/{name}", found[name], want.get("object", want), oid)


def damaged(tally):
    for name, want in json.loads((DATA / "damaged" / "expected.json").read_text(encoding="utf-8")).items():
        result = assay("check", "--json", DATA / "damaged" / name)
        found = [(f["rule"], f.get("offset")) for f in json.loads(result.stdout)["files"][0]["findings"]]
        if want["ok"]:
            rules = {rule for rule, _ in found}
            tally.check(result.returncode == 0 or rules & {"C30", "C31"}, f"{name}: is sound", said(result))
            tally.check(set(want.get("rules", [])) <= rules, f"{name}: warnings", found)
        else:
            tally.check(result.returncode == 1 and (want["rule"], want["offset"]) in found, f"{name}: {want['rule']} at {want['offset']}", found)


def about(finding):
    """(rule, what it is about): an object, a reference or a path."""
    for key in ("object", "ref", "path"):
        if key in finding:
            return finding["rule"], finding[key]
    return finding["rule"], None


def ours(finding):
    what = re.match(r"(?:object )?(.*?): ", finding["message"])
    return finding["rule"], what.group(1) if what else None


def unpack(archive, folder):
    with tarfile.open(archive) as tar:
        tar.extractall(folder)


def stores(tally, helper):
    for name, want in json.loads((DATA / "stores" / "expected.json").read_text(encoding="utf-8")).items():
        with tempfile.TemporaryDirectory() as folder:
            unpack(DATA / "stores" / want["archive"], folder)
            store = Path(folder) / want["store"]
            result = assay("check", "--json", "-v", store)
            found = Counter(ours(f) for f in json.loads(result.stdout)["files"][0]["findings"] if f["rule"] not in NOT_IN_REFERENCE)
            tally.equal(found, Counter(about(f) for f in want["findings"]), f"{name}: findings")
            facts = DATA / "stores" / f"{name}.objects.json.gz"
            if facts.exists():
                objects(tally, helper, name, store, json.load(gzip.open(facts, "rt", encoding="utf-8")))
            if "counts" in want:
                attributes(tally, name, store, want["facts"])


def objects(tally, helper, label, store, facts):
    paths = [str(store / "objects/coverage" / oid[:2] / oid[2:]) for oid in facts]
    found = ask(helper, paths)
    for path, (oid, want) in zip(paths, facts.items()):
        check_object(tally, f"{label} {oid[:12]}", found[path], want, oid)


def attributes(tally, label, store, facts):
    got = json.loads(assay("info", "--json", store).stdout)["files"][0]["attributes"]
    tally.equal(got["HEAD"], facts["HEAD"], f"{label}: HEAD")
    tally.equal(got["tip"], facts["tip"], f"{label}: tip")
    tally.equal({k: v for k, v in got.items() if k.startswith("refs/")}, facts["refs"], f"{label}: references")
    history = got["history"] if isinstance(got["history"], list) else [got["history"]]
    tally.equal(history, facts["history"], f"{label}: history")


def replay(tally):
    """The imports that the original program made, one after another: the same ids of all objects."""
    steps = DATA / "stores" / "replay-edge.json.gz"
    result = run(sys.executable, DATA / "run-golden.py", "--target", f"{ASSAY} cov", "--replay", steps, "--report-args=--exact", "--now-env", "SOURCE_DATE_EPOCH", "-v")
    tally.check(result.returncode == 0, "imports give the ids of the original", said(result), result.stdout.decode())


def main():
    tally = Tally()
    if not has_shared():
        tally.skip("facts of cov", "no shared data")
        tally.finish()
    helper = sys.argv[1]
    result = check_facts("cov")
    tally.check(result.returncode == 0, "check-facts.py cov", said(result), result.stdout.decode())
    single_objects(tally, helper)
    damaged(tally)
    stores(tally, helper)
    replay(tally)
    tally.finish()


if __name__ == "__main__":
    main()
