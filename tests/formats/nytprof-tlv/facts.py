#!/usr/bin/env python3
"""Chunked NYTProf streams of the shared data against the facts that an independent reader computed.

check-facts.py compares what it knows of; here the rest of expected.json is compared: every finding with rule and place, the verdict of strict reading, chunks,
lines, calls, call sites, files, processes and attributes. The records come from `dump`, the sums from `info`. Streams as the specification has them must come
out of a rewrite byte for byte.
"""
import json
import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from support import SHARED, Tally, assay, check_facts, has_shared, said  # noqa: E402

# The expectation takes microseconds for a pid: these two streams have them before the pids, as the notes say.
MICROS = {"pyn-108-d4749f5.nytprof": (5265, 5264), "pyn-113-86568ea.nytprof": (5669, 5668)}
WARNINGS = {"T07", "T11", "T12", "T21", "T23", "T24", "T30", "T31", "T32", "T33", "T35"}
SITES = re.compile(r"^\w{8,}   fid (\d+) line (\d+) sid (\d+) inc_ticks (\d+) exc_ticks (\d+)$", re.M)
COSTS = re.compile(r"^\w{8,}   fid (\d+) line (\d+) calls (\d+) inc_ticks (\d+) exc_ticks (\d+)$", re.M)
CALLS = re.compile(r"^\w{8,}   caller_sid (\d+) callee_sid (\d+) calls (\d+) ticks (\d+) sub_ticks (\d+)$", re.M)
FILES = re.compile(r'^\w{8,}   fid (\d+) flags (\w+) size (\d+) mtime (\d+) path "(.*)"$', re.M)
SUBS = re.compile(r'^\w{8,}   sid (\d+) fid (\d+) first (\d+) last (\d+) name "(.*)"$', re.M)
EVENTS = re.compile(r"^\w{8,}   fid (\d+) line (\d+) nanoseconds (\d+)$", re.M)
CHUNKS = re.compile(r"^(\w{8,}) chunk (\S+?)(?: pairs| events| of the C extension)? (?:length (\d+)|without a length)$", re.M)


def all_cases(tally, folder):
    """All cases, and every broken file named with rule and place."""
    text = check_facts(folder).stdout.decode("utf-8", "replace")
    cases, placed = re.search(r"(\d+) of (\d+) cases pass", text), re.search(r"(\d+) of (\d+) broken files named", text)
    if not tally.check(cases and placed, f"check-facts {folder.name}", text[-500:]):
        return
    wrong = re.findall(r"^\./(\S+):\n((?:    .*\n)+)", text, re.M)
    for name, complaint in wrong:
        tally.equal(complaint.strip(), "no complaint", f"{name}: check-facts")
    tally.equal(int(cases[1]), int(cases[2]), f"{folder.name}: cases")
    tally.equal(placed[1], placed[2], f"{folder.name}: broken files named with rule and place")


def numbers(pattern, dump):
    return [[int(n) for n in groups] for groups in pattern.findall(dump)]


def added(records):
    """Records of equal first two numbers are one, with the sums of the others."""
    sums = {}
    for a, b, *figures in records:
        sums[a, b] = [x + y for x, y in zip(sums.get((a, b), [0] * len(figures)), figures)]
    return [[*key, *figures] for key, figures in sorted(sums.items())]


def shown(text):
    """A text as the dump shows it."""
    return "".join(c if c >= " " else f"\\x{ord(c):02x}" for c in text)


def compare_records(tally, name, facts, dump):
    chunks = [[token, int(off, 16), int(length) if length else 16 if token == "P" else 0] for off, token, length in CHUNKS.findall(dump)]
    tally.equal(chunks, facts["chunk_list"], f"{name}: chunks")
    lines = added(numbers(COSTS, dump))
    if "lines" in facts:
        tally.equal(lines, facts["lines"], f"{name}: lines")
    best = sorted(lines, key=lambda r: (-r[4], r[:2]))[:10]
    top = [[r["fid"], r["line"], r["calls"], r["inclusive"], r["exclusive"]] for r in facts.get("top_lines", [])]
    tally.equal(best[:len(top)], top, f"{name}: top lines")
    if "edges" in facts:
        tally.equal(added(numbers(CALLS, dump)), facts["edges"], f"{name}: calls")
    tally.equal(numbers(SITES, dump), facts.get("call_sites", []), f"{name}: call sites")
    subs = [[s[k] for k in ("sid", "fid", "first", "last")] + [s["name"]] for s in facts.get("subs", [])]
    tally.equal([[int(n) for n in s[:4]] + [s[4]] for s in SUBS.findall(dump)], subs, f"{name}: subs with lines")
    ns = numbers(EVENTS, dump)
    got = {"events": len(ns), "lines": len({(f, l) for f, l, _ in ns}), "ns": sum(n for *_, n in ns)} if ns else None
    tally.equal(got, facts.get("d_events"), f"{name}: events of D")


def compare_files(tally, name, facts, dump):
    named = {int(f[0]): [int(f[1], 0), int(f[2]), int(f[3]), f[4]] for f in FILES.findall(dump)}
    want = {f["fid"]: [f["flags"], f["size"], f["mtime"], shown(f["path"])] for f in facts.get("files", []) if "path" in f}
    tally.equal(named, want, f"{name}: files")


def last(value):
    return value[-1] if isinstance(value, list) else value


def compare_info(tally, name, facts, info):
    """The banner, and what an A chunk says."""
    attributes = {k: last(v) for k, v in info["attributes"].items()}
    for key, value in facts.get("attributes", {}).items():
        tally.equal(attributes.get(key), value, f"{name}: :{key}")
    for key, value in facts.get("options", {}).items():
        tally.equal(attributes.get("!" + key), value, f"{name}: !{key}")
    for key, value in facts.get("a_chunk", {}).items():
        tally.equal(attributes.get("A." + key), value, f"{name}: {key} of A")
    comments = info["attributes"].get("#", [])
    tally.equal(comments if isinstance(comments, list) else [comments], facts.get("comments", []), f"{name}: comments")
    for key in ("banner_bytes", "ticks_per_sec"):
        if key in facts:
            tally.equal(info["counts"].get(key), facts[key], f"{name}: {key}")
    compare_process(tally, name, facts.get("process"), attributes)


def compare_process(tally, name, process, attributes):
    if process:
        pids = MICROS.get(name, (process["pid"], process["ppid"]))
        tally.equal((attributes["pid"], attributes["ppid"]), tuple(str(p) for p in pids), f"{name}: process")
    if process and name not in MICROS:
        tally.check(abs(float(attributes["start"]) - process["time"]) < 1e-6, f"{name}: start", attributes["start"])


def compare_verdicts(tally, name, want, path):
    got = json.loads(assay("check", "--json", path).stdout)["files"][0]["findings"]
    found = [(f["rule"], f["offset"]) for f in got]
    tally.equal(found, [(f["code"], f["offset"]) for f in want["findings"]], f"{name}: findings")
    for f in got:
        tally.equal(f["severity"], "warning" if f["rule"] in WARNINGS else "error", f"{name}: severity of {f['rule']}")
    strict = assay("info", "--strict", path)
    tally.equal(strict.returncode == 0, want["strict"]["ok"], f"{name}: strict reading")
    if not want["strict"]["ok"]:
        message = strict.stderr.decode("utf-8", "replace")
        tally.check(f"({want['strict']['code']})" in message and f"offset {want['strict']['offset']}:" in message, f"{name}: strict names the first error", message)
    lenient = assay("info", "--json", path)
    tally.equal(lenient.returncode == 0, want["lenient"]["ok"], f"{name}: lenient reading")
    return json.loads(lenient.stdout)["files"][0] if lenient.returncode == 0 else None


def compare_rewrite(tally, name, want, path, out):
    """Without any finding it is as the specification says."""
    result = assay("convert", path, "--to", "nytprof-tlv", "-o", out)
    if tally.check(result.returncode == 0, f"{name}: is rewritten", said(result)) and not want["findings"]:
        tally.check(out.read_bytes() == path.read_bytes(), f"{name}: a rewrite gives the same bytes")


def compare_generation(tally, name, want, path):
    """Streams without a banner, and experiments: the generation is named, and lines are read where there are chunks."""
    facts = want["facts"]
    info = json.loads(assay("info", "--json", path).stdout)["files"][0]
    tally.check(re.fullmatch(r"5\.0 G[01289]", info["version"]), f"{name}: version {info['version']}")
    dump = assay("dump", path).stdout.decode("utf-8", "replace")
    if "lines" in facts:
        compare_records(tally, name, facts, dump)
        tally.equal([f[4] for f in FILES.findall(dump)], [facts["path"]], f"{name}: path")
    compare_process(tally, name, facts.get("process"), info["attributes"])


def main():
    tally = Tally()
    if not has_shared():
        tally.skip("nytprof-tlv", f"no shared data in {SHARED}")
        tally.finish()
    with tempfile.TemporaryDirectory() as tmp:
        for folder in (SHARED / "data" / "nytprof" / "tlv", SHARED / "data" / "nytprof" / "pynytprof"):
            all_cases(tally, folder)
            for name, want in json.loads((folder / "expected.json").read_text(encoding="utf-8")).items():
                path = folder / name
                if want["format"] != "nytprof-tlv":
                    compare_generation(tally, name, want, path)
                    continue
                info = compare_verdicts(tally, name, want, path)
                if info:
                    dump = assay("dump", path).stdout.decode("utf-8", "replace")
                    compare_records(tally, name, want["facts"], dump)
                    compare_files(tally, name, want["facts"], dump)
                    compare_info(tally, name, want["facts"], info)
                    compare_rewrite(tally, name, want, path, Path(tmp) / "out")
    tally.finish()


if __name__ == "__main__":
    main()
