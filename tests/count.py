#!/usr/bin/env python3
"""Counts the single tests in the log of `meson test`.

  count.py testlog.json

Prints a line for each test program on stderr, with its output where it failed, and "PASSED FAILED SKIPPED" on stdout. A program that ends
with a line "N passed, N failed[, N skipped]" counts as that many tests, a cmocka program as many as it has, any other as one.
"""
import json
import re
import sys

SUMMARY = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$", re.M)
CMOCKA = {
    "passed": re.compile(r"^\[  PASSED  \] (\d+) test", re.M),
    "failed": re.compile(r"^\[  FAILED  \] \w*?:? ?(\d+) test", re.M),
    "skipped": re.compile(r"^\[  SKIPPED \] \w*?:? ?(\d+) test", re.M),
}
FINE = ("OK", "EXPECTEDFAIL")


def by_output(text):
    """(passed, failed, skipped) as the program itself tells, or None."""
    found = SUMMARY.findall(text)
    if found:
        return [int(n or 0) for n in found[-1]]
    if CMOCKA["passed"].search(text):
        return [sum(int(n) for n in CMOCKA[key].findall(text)) for key in ("passed", "failed", "skipped")]
    return None


def counts(entry):
    text = entry.get("stdout", "") + "\n" + entry.get("stderr", "")
    told = by_output(text)
    if entry["result"] == "SKIP":
        return [0, 0, sum(told) if told else 1]
    passed, failed, skipped = told or (1 if entry["result"] in FINE else 0, 0, 0)
    if entry["result"] not in FINE and failed == 0:
        failed = 1  # it died, ran out of time, or a sanitizer spoke up after the last test
    return [passed, failed, skipped]


def main():
    total = [0, 0, 0]
    with open(sys.argv[1], encoding="utf-8") as log:
        entries = [json.loads(line) for line in log if line.strip()]
    if not entries:
        sys.exit("no test has run")
    for entry in entries:
        one = counts(entry)
        total = [a + b for a, b in zip(total, one)]
        print(f"{'FAIL' if one[1] else 'ok':4} {entry['name']}: {one[0]} passed, {one[1]} failed, {one[2]} skipped ({entry['duration']:.1f} s)", file=sys.stderr)
        if one[1]:
            text = (entry.get("stdout", "") + entry.get("stderr", "")).rstrip()
            print(f"  result {entry['result']}, exit {entry.get('returncode')}:", file=sys.stderr)
            print("\n".join("    " + line for line in text.split("\n")[-80:]), file=sys.stderr)
    print(*total)


if __name__ == "__main__":
    main()
