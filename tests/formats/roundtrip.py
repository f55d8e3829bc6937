#!/usr/bin/env python3
"""What we write is read back the same, by us and by the original tools.

  callgrind -> callgrind                       totals, counts and every row of `top`
  callgrind -> webgrind 7 -> callgrind -> webgrind 7   the same bytes the second time
  callgrind -> callgrind, callgrind_annotate   reads the same totals and the same rows from both
"""
import json
import re
import shutil
import struct
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import FIXTURES, SHARED, Tally, assay, has_shared, read_bytes, run, said  # noqa: E402

KEPT = ("functions", "files", "modules", "calls", "edges", "lines", "parts")
ANNOTATED_AT_LEAST = 10


def samples():
    """(path, facts or None) of every sound callgrind text."""
    found = [(p, None) for p in sorted(FIXTURES.iterdir()) if re.search(r"\.(callgrind|xdebug)$", p.name)]
    if has_shared():
        folder = SHARED / "data" / "callgrind"
        expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
        found += [(folder / name, want) for name, want in expected.items() if want.get("format") == "callgrind" and want.get("ok")]
    return found


def convert(tally, source, target, out, label, *options):
    result = assay("convert", source, "--to", target, "-o", out, *options)
    return tally.check(result.returncode == 0, f"{label}: converts to {target}", said(result))


def facts(path):
    info = json.loads(assay("info", "--json", path).stdout)["files"][0]
    metrics = info["metrics"]
    rows = []
    if metrics:
        rows = json.loads(assay("top", "--json", "--metric", metrics[0]["name"], "--limit", "1000000", path).stdout)["rows"]
    rows = sorted(json.dumps({k: r.get(k) for k in ("name", "file", "module", "self", "total", "calls")}, sort_keys=True) for r in rows)
    return {m["name"]: m["total"] for m in metrics}, {k: v for k, v in info["counts"].items() if k in KEPT}, rows


def same_facts(tally, before, after, label):
    for what, a, b in zip(("totals", "counts"), before, after):
        tally.equal(b, a, f"{label}: {what} are kept")
    lost, new = set(before[2]) - set(after[2]), set(after[2]) - set(before[2])
    tally.check(before[2] == after[2], f"{label}: rows of top are kept", "lost:", *sorted(lost)[:3], "new:", *sorted(new)[:3])


def callgrind_to_callgrind(tally, path, tmp):
    before = facts(path)
    for options in ([], ["--no-ids", "--no-relative"]):
        label = " ".join([path.name, *options])
        if convert(tally, path, "callgrind", tmp / "out.callgrind", label, *options):
            same_facts(tally, before, facts(tmp / "out.callgrind"), label)


def losses(tally, source, target, out, label):
    """Converts; the kinds of what was lost, or None when it failed."""
    result = assay("convert", source, "--to", target, "-o", out, "--json")
    if not tally.check(result.returncode == 0, f"{label}: converts to {target}", said(result)):
        return None
    return {loss["kind"] for loss in json.loads(result.stdout)["losses"]}


def records(data):
    """(functions, headers) of a version 7 file: for each number (file, name, the four figures, called-from records, sub call records)."""
    _, headers, count = struct.unpack_from("<3I", data)
    functions = []
    for at in struct.unpack_from(f"<{count}I", data, 12):
        line, self_cost, inclusive, times, a, b = struct.unpack_from("<6I", data, at)
        calls = [struct.unpack_from("<4I", data, at + 24 + 16 * i) for i in range(a + b)]
        file, name = data[at + 24 + 16 * (a + b):].split(b"\n", 2)[:2]
        functions.append((file, name, (line, self_cost, inclusive, times), calls[:a], calls[a:]))
    return functions, data[headers:]


def contents(data):
    """The same without numbers: functions and calls by their names, in no order."""
    functions, headers = records(data)
    place = lambda number: functions[number][:2]
    figures = {f[:3] for f in functions}
    called = sorted((f[:2], place(n), line, count, cost) for f in functions for n, line, count, cost in f[3])
    calls = sorted((f[:2], place(n), line, count, cost) for f in functions for n, line, count, cost in f[4])
    return figures, called, calls, headers


def webgrind_twice(tally, path, tmp):
    first, text, second = tmp / "one.webgrind", tmp / "one.callgrind", tmp / "two.webgrind"
    lost = [losses(tally, *step, path.name) for step in ((path, "webgrind:7", first), (first, "callgrind", text), (text, "webgrind:7", second))]
    if None in lost:
        return
    a, b = first.read_bytes(), second.read_bytes()
    names = [f[:2] for f in records(a)[0]]
    if "saturated" in lost[0] or lost[1] or lost[2] or len(set(names)) < len(names):
        return  # it says so, or callgrind text cannot tell two functions of one name and file apart
    tally.check(contents(a) == contents(b), f"{path.name}: webgrind 7 by way of callgrind keeps every figure")
    # In Xdebug's text every function stands before its callers, and so in what is made of it: the order stays, too.
    if path.name.split(".")[1] == "xdebug" and names[-1][1] == b"{main}" and not has_forward_calls(a):
        tally.check(a == b, f"{path.name}: webgrind 7 by way of callgrind gives the same bytes")


def has_forward_calls(data):
    """Whether a function calls one with a higher number: recursion over several functions. Text then names the callee first."""
    return any(n > number for number, f in enumerate(records(data)[0]) for n, *_ in f[4])


ROW = re.compile(r"^\s*(-?[\d,.]+(?:\s+-?[\d,.]+)*)\s+(\S.*)$")


def annotated(path):
    """(totals, rows) of callgrind_annotate: what it prints for each file:function. The object behind it is that of whichever came last."""
    result = run("callgrind_annotate", "--threshold=100", "--show-percs=no", "--auto=no", path)
    text = result.stdout.decode("utf-8", "surrogateescape")
    totals = re.search(r"^(.*?)\s+PROGRAM TOTALS", text, re.M)
    table = text.split("file:function", 1)[-1].split("\n\n", 1)[0].split("\n")
    rows = []
    for line in table:
        match = ROW.match(line)
        if match:
            figures = ["0" if n == "." else n for n in match.group(1).split()]
            if set(figures) == {"0"}:
                continue  # it lists functions without cost that are only named, too
            rows.append((" ".join(figures), re.sub(r" \[[^\]]*\]$", "", match.group(2))))
    return totals and ["0" if n == "." else n for n in totals.group(1).split()], sorted(rows)


def annotate_agrees(tally, path, tmp):
    source = tmp / "source"
    source.write_bytes(read_bytes(path))
    if not convert(tally, path, "callgrind", tmp / "out.callgrind", path.name):
        return
    (want_totals, want_rows), (got_totals, got_rows) = annotated(source), annotated(tmp / "out.callgrind")
    tally.equal(got_totals, want_totals, f"{path.name}: PROGRAM TOTALS of callgrind_annotate")
    lost, new = set(want_rows) - set(got_rows), set(got_rows) - set(want_rows)
    tally.check(not lost and not new, f"{path.name}: rows of callgrind_annotate", "lost:", *sorted(lost)[:5], "new:", *sorted(new)[:5])


def main():
    tally = Tally()
    annotated_count = 0
    has_annotate = shutil.which("callgrind_annotate")
    with tempfile.TemporaryDirectory() as folder:
        tmp = Path(folder)
        for path, want in samples():
            callgrind_to_callgrind(tally, path, tmp)
            webgrind_twice(tally, path, tmp)
            # where that tool reads the original rightly
            if has_annotate and (want is None and path.suffix == ".callgrind" or want and want["facts"].get("annotate_self_entries_agree")):
                annotate_agrees(tally, path, tmp)
                annotated_count += 1
    if not has_annotate:
        tally.skip("callgrind_annotate", "it is not installed")
    elif has_shared():
        tally.check(annotated_count >= ANNOTATED_AT_LEAST, f"callgrind_annotate read {annotated_count} files")
    if not has_shared():
        tally.skip("shared samples", f"no shared data in {SHARED}")
    tally.finish()


if __name__ == "__main__":
    main()
