#!/usr/bin/env python3
"""Every number of the original files, as `assay dump` shows it, against the facts that an independent program computed.

Compared: header address, the first function addresses, header lines, the number and figures of each listed function, its first four called-from and sub
call records, and in version 4 the invocations that have no caller.
"""
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from support import SHARED, Tally, assay, has_shared, said  # noqa: E402

LINE = re.compile(r'^[0-9a-f]{8,} ( *)(\w+)(?:\[(\d+)\])?(?: (\d+|".*"))?$', re.S)
FIELDS = {"self": ("summed_self_cost", "total_self_cost"), "total": ("summed_inclusive_cost", "total_inclusive_self_cost")}
NOBODY = 0xFFFFFFFF


def text(quoted):
    """A string as the dump shows it, back to bytes."""
    raw = re.sub(rb"\\x([0-9a-f]{2})", lambda m: bytes([int(m[1], 16)]), quoted[1:-1].encode())
    return raw.decode("utf-8", "surrogateescape")


def parse(dump):
    """{name: number} of the head, the addresses, the headers, and for each function its fields and items."""
    head, addresses, headers, functions = {}, [], [], []
    owner = item = head
    for line in dump.splitlines():
        indent, name, index, value = LINE.match(line).groups()
        value = text(value) if value and value[0] == '"' else value and int(value)
        if name == "function_addresses":
            addresses.append(value)
        elif name == "headers":
            headers.append(value)
        elif name == "functions":
            owner = {"invocations": [], "called_from_information": [], "sub_call_information": []}
            functions.append(owner)
        elif name == "subcalls":
            owner = {}
        elif index is not None:
            item = {}
            owner[name].append(item)
        else:
            (item if len(indent) >= 4 else owner)[name] = value
    return head, addresses, headers, functions


def calls(function, kind):
    return [[c["function_number"], c["line"], c["call_count"], c["summed_call_cost"]] for c in function[kind][:4]]


def compare_function(tally, label, row, function):
    tally.equal((function["function_name"], function["file_name"]), (row["name"], row["file"]), f"{label}: names")
    tally.equal(function["invocation_count"], row["calls"], f"{label}: invocations")
    for key, names in FIELDS.items():
        tally.equal([function[n] for n in names if n in function], list(row[key].values()), f"{label}: {key}")
    if "line" in row:
        tally.equal(function["line_number"], row["line"], f"{label}: line")
    if "total_call_cost" in row:
        tally.equal(function["total_call_cost"], row["total_call_cost"], f"{label}: call cost")
    if "called_from" in row:
        tally.equal(calls(function, "called_from_information"), row["called_from"], f"{label}: called from")
    if "sub_calls" in row:
        tally.equal(calls(function, "sub_call_information"), row["sub_calls"], f"{label}: sub calls")


def compare(tally, name, want, path):
    result = assay("dump", path)
    if not tally.check(result.returncode == 0, f"{name}: dumps", said(result)):
        return
    head, addresses, headers, functions = parse(result.stdout.decode("utf-8", "surrogateescape"))
    facts = want["facts"]
    tally.equal(str(head["version_number"]), want["version"], f"{name}: version")
    tally.equal(head["header_address"], facts["header_address"], f"{name}: header address")
    tally.equal(addresses[:len(facts["function_addresses"])], facts["function_addresses"], f"{name}: first function addresses")
    tally.equal(headers, facts["headers"], f"{name}: header lines")
    for row in want["top"]:
        compare_function(tally, f"{name}: function {row['number']}", row, functions[row["number"]])
    if "roots_as_stored" in facts:
        roots = sum(i["function"] == NOBODY for f in functions for i in f["invocations"])
        tally.equal(roots, facts["roots_as_stored"], f"{name}: invocations without caller")


def main():
    tally = Tally()
    folder = SHARED / "data" / "webgrind"
    if not has_shared():
        tally.skip("records", f"no shared data in {SHARED}")
        tally.finish()
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    for name, want in expected.items():
        if "facts" in want:
            compare(tally, name, want, folder / name)
    tally.finish()


if __name__ == "__main__":
    main()
