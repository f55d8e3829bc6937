#!/usr/bin/env python3
"""Counts the tests in the log of `meson test`.

  count.py testlog.json

A test is something that can fail by itself and has a name: a function of a cmocka program, a case of the command tests ("N cases passed, N failed"), or any other
program. One that goes over many files or rows and ends with "N passed, N failed[, N skipped]" is one test with that many checks. Prints a line for each program on
stderr, with its output where it failed, and "PASSED FAILED SKIPPED CHECKS LEFT_OUT" on stdout: tests, then the checks inside of them, and how many were skipped.
"""
import json
import re
import sys

CASES = re.compile(r"^(\d+) cases passed, (\d+) failed(?:, (\d+) skipped)?$", re.M)
CHECKS = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$", re.M)
CMOCKA = {
    "passed": re.compile(r"^\[  PASSED  \] (\d+) test", re.M),
    "failed": re.compile(r"^\[  FAILED  \] \w*?:? ?(\d+) test", re.M),
    "skipped": re.compile(r"^\[  SKIPPED \] \w*?:? ?(\d+) test", re.M),
}
FINE = ("OK", "EXPECTEDFAIL")


def by_name(text):
    """[passed, failed, skipped] tests of a program that has several, or None."""
    cases = CASES.findall(text)
    if cases:
        return [int(n or 0) for n in cases[-1]]
    if CMOCKA["passed"].search(text):
        return [sum(int(n) for n in CMOCKA[key].findall(text)) for key in ("passed", "failed", "skipped")]
    return None


def counts(entry):
    text = entry.get("stdout", "") + "\n" + entry.get("stderr", "")
    is_fine, is_skipped = entry["result"] in FINE, entry["result"] == "SKIP"
    tests, checks = by_name(text), CHECKS.findall(text)
    if tests and not is_skipped:
        if not is_fine and tests[1] == 0:
            tests[1] = 1  # it died, ran out of time, or a sanitizer spoke up after the last test
        return [*tests, sum(tests[:2]), 0]
    passed, failed, skipped = [int(n or 0) for n in checks[-1]] if checks else (int(is_fine), 0, 0)
    return [int(is_fine), int(not is_fine and not is_skipped), int(is_skipped), passed + failed, skipped]


def main():
    total = [0] * 5
    with open(sys.argv[1], encoding="utf-8") as log:
        entries = [json.loads(line) for line in log if line.strip()]
    if not entries:
        sys.exit("no test has run")
    for entry in entries:
        one = counts(entry)
        total = [a + b for a, b in zip(total, one)]
        print(f"{'FAIL' if one[1] else 'ok':4} {entry['name']}: {one[0]} passed, {one[1]} failed, {one[2]} skipped, {one[3]} checks ({entry['duration']:.1f} s)", file=sys.stderr)
        if one[1]:
            text = (entry.get("stdout", "") + entry.get("stderr", "")).rstrip()
            print(f"  result {entry['result']}, exit {entry.get('returncode')}:", file=sys.stderr)
            print("\n".join("    " + line for line in text.split("\n")[-80:]), file=sys.stderr)
    print(*total)


if __name__ == "__main__":
    main()
