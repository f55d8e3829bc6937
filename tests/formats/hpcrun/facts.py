#!/usr/bin/env python3
"""Profiles and traces of the shared data against the facts that an independent reader computed: figures, rules and places by
check-facts.py, and the members of `facts` that are special to these formats."""
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from support import SHARED, Tally, assay, check_facts, has_shared, said  # noqa: E402

KINDS = (".hpcrun", ".hpctrace", ".hpcrun-flat")
COUNTS = ("negative_ids", "retained_ids", "nonzero_nodes", "stored_values", "not_unwound", "first", "last", "first_context", "last_context", "descents")


def general(tally, folder, only):
    result = check_facts(folder, "--only", only)
    text = result.stdout.decode("utf-8", "replace")
    for found in re.finditer(r"(\d+) of (\d+) (cases pass|broken files named)", text):
        good, total = int(found[1]), int(found[2])
        tally.add(good, total - good)
        if good < total:
            print(f"FAILED {folder.name} {only}: {text[-3000:]}")
    tally.check("cases pass" in text, f"check-facts {folder.name}", said(result))


def one(tally, name, facts, info):
    for key in COUNTS:
        if key in facts and info["counts"].get(key) is not None:
            tally.equal(info["counts"][key], facts[key], f"{name}: {key}")
    attributes = info["attributes"]
    firsts = {}
    for key, value in facts.get("properties", []):
        firsts.setdefault(key, value)
    for key, value in firsts.items():
        got = attributes.get(key)
        tally.equal(got[0] if isinstance(got, list) else got, value, f"{name}: property {key[:40]}")
    metrics = {m["name"]: m for m in info["metrics"]}
    for metric, formula in facts.get("formula_metrics", {}).items():
        tally.equal(metrics[metric].get("formula"), formula, f"{name}: formula of {metric}")
    if "hidden_metrics" in facts:
        shows = {m: attributes.get(f"metric.{m}.show", "1") for m in metrics}
        tally.equal(sorted(m for m in shows if shows[m] == "0"), sorted(facts["hidden_metrics"]), f"{name}: hidden metrics")
        tally.equal(sorted(m for m in shows if shows[m] == "4"), sorted(facts["invisible_metrics"]), f"{name}: invisible metrics")
    if "relation_metrics" in facts:
        tally.equal(sum(f"metric.{m}.relation" in attributes for m in metrics), facts["relation_metrics"], f"{name}: relation metrics")
    if "flags" in facts:
        tally.equal(int(attributes["flags"]), facts["flags"], f"{name}: flags")
    if len(facts.get("epochs", [])) == 1:
        epoch = facts["epochs"][0]
        for key, attribute in (("flags", "epoch.flags"), ("granularity", "epoch.granularity"), ("ra_distance", "epoch.ra-distance")):
            tally.equal(int(attributes[attribute]), epoch[key], f"{name}: {key} of the epoch")


def special(tally, folder):
    for name, want in json.loads((folder / "expected.json").read_text(encoding="utf-8")).items():
        if not name.endswith(KINDS) or "facts" not in want:
            continue
        result = assay("info", "--json", folder / name)
        if tally.check(result.returncode == 0, f"{name}: info", said(result)):
            one(tally, name, want["facts"], json.loads(result.stdout)["files"][0])


def main():
    tally = Tally()
    if not has_shared():
        tally.skip("hpcrun", f"no shared data in {SHARED}")
        tally.finish()
    for part in ("seed", "historic", "files", "demo", "damaged"):
        folder = SHARED / "data" / "hpcrun" / part
        general(tally, folder, ".hpcrun")
        if part in ("historic", "files", "damaged"):
            general(tally, folder, ".hpctrace")
        if part != "damaged":
            special(tally, folder)
    tally.finish()


if __name__ == "__main__":
    main()
