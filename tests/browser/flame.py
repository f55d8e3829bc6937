#!/usr/bin/env python3
"""A flame graph in a real browser: boxes are as wide as their share, zoom, search and keys work, nothing is asked of the network. Skipped without
chromium, node and playwright-core (./dev test installs them).

ASSAY_BROWSER_PICTURES=DIR keeps pictures of what was seen."""
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from browser import look, need_browser  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import ASSAY, Tally, run, said  # noqa: E402

# 28 in all; a name that is markup, and one that no box shows whole
STACKS = """main;read <&"input"> 3
main;sort_all 2
main;sort_all;compare 12
main;sort_all;compare;a_function_whose_name_is_much_too_long_for_the_box_that_it_has_in_this_picture_whatever_the_font 4
main;sum_up 7
"""
SHARES = {"all": 28, "main": 28, "sort_all": 18, "compare": 16, "sum_up": 7, 'read <&"input">': 3}
USABLE = 1180


def named(boxes):
    return {b["title"].rsplit(" (", 1)[0]: b for b in boxes}


def check(tally, seen):
    tally.equal(seen["problems"], [], "no message on the console")
    tally.equal(seen["requests"], [], "no request leaves")
    tally.check(seen["ground-light"] != seen["ground-dark"], "light and dark differ")
    everything = named(seen["all"])
    tally.equal(len(everything), 7, "a box for each context")
    for name, cost in SHARES.items():
        tally.check(abs(everything[name]["width"] - USABLE * cost / 28) < 0.1, f"{name}: its width", everything.get(name))
        tally.check(f"{100 * cost / 28:.2f}%" in everything[name]["title"], f"{name}: its percentage", everything[name]["title"])
    tally.check(all(len(b["text"]) * 7 <= b["width"] for b in seen["all"] if b["text"]), "labels fit their boxes")
    zoomed = named(seen["zoomed"])
    tally.check(abs(zoomed["sort_all"]["width"] - USABLE) < 0.1 and "sum_up" not in zoomed, "a click zooms", zoomed)
    tally.check(abs(zoomed["compare"]["width"] - USABLE * 16 / 18) < 0.1, "what is inside grows with it", zoomed["compare"])
    tally.equal([(b["title"], round(b["width"], 2)) for b in seen["reset"]], [(b["title"], round(b["width"], 2)) for b in seen["all"]], "all is shown again")
    tally.equal([b["title"].split(" ")[0] for b in seen["searched"] if b["found"]], ["compare"], "search marks what fits")
    tally.equal(seen["found"], "1 boxes, 57.14%", "search says how much it is")
    tally.equal(seen["cleared"], 0, "Escape ends the search")
    tally.check(seen["walked"].startswith("sort_all "), "keys walk up the widest", seen["walked"])
    tally.check(abs(named(seen["walkedZoom"])["sort_all"]["width"] - USABLE) < 0.1, "Enter zooms")


def main():
    need_browser()
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "in.folded").write_text(STACKS)
        made = run(ASSAY, "flame", work / "in.folded", "-o", work / "flame.svg")
        if tally.check(made.returncode == 0, "the picture is written", said(made)):
            seen = look("flame.js", (work / "flame.svg").as_uri(), os.environ.get("ASSAY_BROWSER_PICTURES"))
            if tally.check(isinstance(seen, dict), "the browser got through", seen):
                check(tally, seen)
    tally.finish()


if __name__ == "__main__":
    main()
