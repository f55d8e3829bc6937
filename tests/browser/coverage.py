#!/usr/bin/env python3
"""The coverage site in a real browser: its figures are those of the command, its controls work, nothing is asked of the network, text is
readable in light and dark. Needs chromium, node and playwright-core (./dev test installs them); skipped without.

ASSAY_BROWSER_PICTURES=DIR keeps pictures of what was seen."""
import json
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from browser import look, need_browser  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import Tally, assay, said  # noqa: E402

READABLE = 4.5  # contrast that WCAG asks of text
INFO = """TN:
SF:lib/demo.c
FN:3,main
FN:7,<b>"odd"&name
FNDA:2,main
FNDA:0,<b>"odd"&name
DA:3,2
DA:4,2
BRDA:4,0,0,2
BRDA:4,0,1,0
DA:5,0
DA:7,0
DA:8,1
end_of_record
SF:lib/</script><script>alert(1)</script>.c
DA:1,1
end_of_record
SF:main.c
DA:1,1
DA:2,1
end_of_record
"""
DEMO_C = """/* <script>alert("text is text")</script> & more */

int main(void) {
    if (a < b)
\t\treturn 1;
}
static void odd(void) {
    x();
"""


def percent(hit, total):
    """As the command rounds: two digits, never to all or nothing."""
    if not total:
        return "-"
    share = 100.0 * hit / total
    return f"{share:.2f}%" if hit in (0, total) else f"{min(max(share, 0.01), 99.99):.2f}%"


def figures(counts, kinds):
    out = []
    for kind in kinds:
        hit, total = counts.get(f"{kind}_hit", 0), counts.get(kind, 0)
        out += ([""] if kind == "lines" else []) + [percent(hit, total), f"{hit} / {total}" if total else "-"]
    return out


def check_site(tally, name, seen, counts):
    if not tally.check(isinstance(seen, dict), f"{name}: the browser got through", seen):
        return
    kinds = ("lines", "functions", "branches")
    demo = "lib/demo.c"
    tally.equal(seen["problems"], [], f"{name}: no message on the console")
    tally.equal(seen["requests"], [], f"{name}: no request leaves")
    tally.equal(seen["total"], ["Total"] + figures(counts, kinds), f"{name}: the sums are those of info")
    tally.equal(seen["rows"].get(demo, [])[1:], figures({"lines": 5, "lines_hit": 3, "functions": 2, "functions_hit": 1, "branches": 2, "branches_hit": 1}, kinds),
                f"{name}: the row of a file")
    tally.equal(len(seen["all"]), 3, f"{name}: every file is listed")
    tally.equal(seen["byLines"], sorted(seen["byLines"]), f"{name}: sorted by share of lines")
    tally.equal(seen["filtered"], [demo], f"{name}: the filter")
    tally.equal(seen["none"], [], f"{name}: a filter that matches nothing")
    tally.equal(seen["notWhole"], [demo], f"{name}: files that are not wholly covered")
    check_file(tally, name, seen)
    for c in seen["contrast"]:
        tally.check(c["ratio"] >= READABLE, f"{name}: {c['what']} is readable in {c['scheme']}", c)
    tally.check(seen["themeSwaps-light"] and seen["themeSwaps-dark"], f"{name}: the theme can be swapped")
    tally.check(seen["help"], f"{name}: the list of keys opens")


def check_file(tally, name, seen):
    states = {row[0]: row[1:] for row in seen["lines"]}
    text = DEMO_C.split("\n")
    want = {3: ("h", "2"), 4: ("p", "2"), 5: ("m", "0"), 7: ("m", "0"), 8: ("h", "1"), 1: ("", ""), 2: ("", "")}
    tally.equal(seen["path"], "lib/demo.c", f"{name}: the file's page says which it is")
    for line, (state, hits) in want.items():
        row = states.get(f"L{line}", ["?"] * 4)
        tally.equal((row[0], row[1], row[3]), (state, hits, text[line - 1]), f"{name}: line {line}")
    tally.equal(states.get("L4", [""] * 4)[2], "+-", f"{name}: branches of line 4")
    tally.equal((seen["firstMiss"], seen["lastMiss"]), ("L4", "L7"), f"{name}: keys go from miss to miss")
    tally.equal(seen["hitAfterHiding"], 0, f"{name}: hit lines can be hidden")


def main():
    need_browser()
    tally = Tally()
    pictures = os.environ.get("ASSAY_BROWSER_PICTURES")
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "lib").mkdir()
        (work / "lib/demo.c").write_text(DEMO_C)
        (work / "demo.info").write_text(INFO)
        info = json.loads(assay("info", "--json", work / "demo.info").stdout)["files"][0]["counts"]
        for name, args, page in (("folder", ["-o", work / "site"], "site/index.html"), ("single file", ["-o", work / "site.html"], "site.html")):
            made = assay("convert", "demo.info", "--to", "html", "--source-root", ".", *args, cwd=work)
            if tally.check(made.returncode == 0, f"{name}: is written", said(made)):
                check_site(tally, name, look("coverage.js", (work / page).as_uri(), pictures), info)
    tally.finish()


if __name__ == "__main__":
    main()
