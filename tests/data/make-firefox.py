#!/usr/bin/env python3
"""Writes demo.firefox-profile.json, and small files for the fuzz corpus: the same program in the layouts of several versions.

    make-firefox.py demo.firefox-profile.json
    make-firefox.py --corpus FOLDER"""
import json
import sys
from pathlib import Path

STRINGS = ["main", "work", "small", "paint", "/opt/demo/demo", "https://example.org", "https://example.org/app.js", "Paint", "Load", "Log", "seen"]
# func, line, depth of inlining; stacks: frame, prefix
FRAMES = [(0, 12, 0), (1, 20, 0), (2, 5, 1), (3, 7, 0), (1, 21, 0)]
STACKS = [(0, None), (1, 0), (2, 1), (3, 0), (4, 0), (1, 4)]


def table(**columns):
    return {"length": len(next(iter(columns.values()))), **columns}


def stack_table(version):
    rows = table(frame=[f for f, _ in STACKS])
    if version >= 66:
        rows["prefixOffset"] = [0 if p is None else i - p for i, (_, p) in enumerate(STACKS)]
    else:
        rows["prefix"] = [p for _, p in STACKS]
    if version < 53:
        rows["category"] = [0] * len(STACKS)
    return rows


def tables(version):
    n = len(FRAMES)
    frames = table(func=[f for f, _, _ in FRAMES], line=[line for _, line, _ in FRAMES], address=[-1] * n, category=[0] * n, subcategory=[0] * n)
    funcs = table(name=[0, 1, 2, 3], isJS=[False, False, False, True], relevantForJS=[False] * 4, resource=[0, 0, 0, 1], lineNumber=[None, None, None, 3],
                  columnNumber=[None, None, None, 9])
    resources = table(name=[4, 5], host=[None, None], type=[1, 3])
    if version >= 40:
        frames["inlineDepth"] = [depth for _, _, depth in FRAMES]
    if version >= 58:
        funcs["source"] = [None, None, None, 0]
    else:
        funcs["fileName"] = [None, None, None, 6]
    if version >= 70:
        frames["lib"] = [-1 if f == 3 else 0 for f, _, _ in FRAMES]
    elif version >= 41:
        resources["lib"] = [0, None]
    else:
        resources["lib"] = [0]
    return {"stackTable": stack_table(version), "frameTable": frames, "funcTable": funcs, "resourceTable": resources}


def libs():
    return [{"arch": "x86_64", "name": "demo", "path": "/opt/demo/demo", "debugName": "demo", "debugPath": "", "breakpadId": "0123456789ABCDEF0", "codeId": "0123abcd"}]


def samples(version, stacks, times, weights=None, kind="samples"):
    deltas = version >= 50
    rows = table(stack=stacks)
    rows["timeDeltas" if deltas else "time"] = [round(t - (times[i - 1] if i else 0), 6) for i, t in enumerate(times)] if deltas else times
    if version >= 29:
        rows.update(weightType=kind, weight=weights)
    elif weights:
        rows["duration"] = weights
    return rows


def markers(version):
    name, data = [7, 8, 8, 9], [{"type": "Layout", "rows": 3}, None, None, {"type": "Log", "name": "ready", "text": 10, "late": True, "by": {"a": [1.5, None]}}]
    if version < 30:
        data = [{"type": "Layout", "startTime": 1, "endTime": 2.5}, {"type": "tracing", "interval": "start"}, {"type": "tracing", "interval": "end"}, None]
        return table(name=name, time=[1, 2, 4, 5], data=data)
    return table(name=name, startTime=[1, 2, None, 5], endTime=[2.5, None, 4, None], phase=[1, 2, 3, 0], category=[1, 0, 0, 0], data=data)


def threads(version):
    pid = "7" if version >= 47 else 7
    main = {"name": "demo", "pid": pid, "tid": 7, "isMainThread": True, "processType": "default", "processName": "demo",
            "samples": samples(version, [2, 1, None, 3, 2, 5], [0.5, 1.5, 2.5, 3.25, 4.5, 5.5]), "markers": markers(version)}
    other = {"name": "helper", "pid": pid, "tid": 8, "isMainThread": False, "processType": "default",
             "samples": samples(version, [3, 2], [1, 2], [2, 3]), "markers": table(name=[], startTime=[], endTime=[], phase=[], category=[], data=[])}
    if version >= 29:
        main["nativeAllocations"] = {**table(stack=[1, 2, 1], time=[1, 2, 3], weight=[64, 32, -64]), "weightType": "bytes"}
    for thread in (main, other):
        if version < 60:
            thread.update(tables(version))
        if version < 56:
            thread["stringArray"] = STRINGS
        if version < 41:
            thread["libs"] = libs()
    return [main, other]


def counters(version):
    rows = table(time=[1, 3, 5], number=[2, 0, 1], count=[100, -20, 60])
    counter = {"name": "malloc", "category": "Memory", "description": "memory", "pid": "7" if version >= 47 else 7, "mainThreadIndex": 0}
    counter.update({"samples": rows} if version >= 48 else {"sampleGroups": [{"id": 0, "samples": rows}] if version >= 26 else {"id": 0, "samples": rows}})
    if version >= 62:
        counter["display"] = {"graphType": "line-accumulated", "unit": "bytes", "label": "Memory"}
    return [counter]


def profile(version):
    meta = {"interval": 1, "startTime": 1000.5, "product": "demo", "processType": 0, "stackwalk": 1, "version": 36}
    if version:
        meta["preprocessedProfileVersion"] = version
    if version >= 12:
        meta["categories"] = [{"name": "Other", "color": "grey", "subcategories": ["Other"]}, {"name": "Layout", "color": "purple", "subcategories": ["Other"]}]
    if version >= 33:
        meta["markerSchema"] = [{"name": "Log", "fields" if version >= 55 else "data": [{"key": "text", "format": "unique-string"}, {"key": "by", "format": "string"}]}]
    doc = {"meta": meta, "threads": threads(version)}
    if version >= 41:
        doc["libs"] = libs()
    if version >= 24:
        doc["counters"] = counters(version)
    if version >= 56:
        doc["shared"] = {"stringArray": STRINGS}
    if version >= 58:
        doc["shared"]["sources"] = table(id=[None], filename=[6])
    if version >= 60:
        doc["shared"].update(tables(version))
    return doc


def text(doc):
    return json.dumps(doc, separators=(",", ":"))


def corpus(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for version in (0, 24, 41, 56, 58, 66, 70):
        (folder / f"v{version}").write_text(text(profile(version)) + "\n", encoding="utf-8")
    broken = profile(70)
    broken["shared"]["stackTable"]["prefixOffset"][1] = 5
    (folder / "prefix").write_text(text(broken), encoding="utf-8")
    broken = profile(70)
    del broken["shared"]["stackTable"]["frame"][0]
    (folder / "short-column").write_text(text(broken), encoding="utf-8")
    broken = profile(70)
    broken["threads"][0]["samples"]["stack"][0] = 99
    (folder / "stack-range").write_text(text(broken), encoding="utf-8")
    (folder / "truncated").write_text(text(profile(70))[:2000], encoding="utf-8")
    ordered = profile(70)
    (folder / "shared-first").write_text(text({key: ordered[key] for key in ("shared", "libs", "threads", "counters", "meta")}), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1] == "--corpus":
        corpus(Path(sys.argv[2]))
    else:
        Path(sys.argv[1]).write_text(text(profile(70)) + "\n", encoding="utf-8")
