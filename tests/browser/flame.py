#!/usr/bin/env python3
"""Flame graphs in a real browser: boxes are as wide as their share, zoom, search and keys work, a difference has its legend and an estimate says so, nothing
is asked of the network. Skipped without chromium, node and playwright-core (./dev test installs them).

ASSAY_BROWSER_PICTURES=DIR keeps pictures of what was seen."""
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from browser import look, need_browser  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import Tally, assay, said  # noqa: E402

# 28 in total; a name that is markup with parentheses, and one that no box shows whole
MARKUP = 'read <&"input">(1)'
STACKS = f"""main;{MARKUP} 3
main;sort_all 2
main;sort_all;compare 12
main;sort_all;compare;a_function_whose_name_is_much_too_long_for_the_box_that_it_has_in_this_picture_whatever_the_font 4
main;sum_up 7
"""
SHARES = {"all": 28, "main": 28, "sort_all": 18, "compare": 16, "sum_up": 7, MARKUP: 3}
AFTER = "main;sort_all 2\nmain;sort_all;compare 20\nmain;sort_all;swap 3\nmain;sum_up 5\n"
GRAPH = "events: Ir\nfn=main\n1 10\ncfn=a\ncalls=1 0\n2 30\ncfn=b\ncalls=1 0\n3 60\nfn=a\n5 10\ncfn=c\ncalls=1 0\n6 20\nfn=b\n8 20\ncfn=c\ncalls=1 0\n9 40\nfn=c\n12 60\n"
USABLE = 1240 - 20  # the window of flame.js, without the edges


def named(boxes):
    return {b["title"].split("\n")[0]: b for b in boxes}


def near(a, b):
    return abs(a - b) < 0.1


def check(tally, seen):
    everything = named(seen["all"])
    tally.equal(len(everything), 7, "a box for each context")
    for name, cost in SHARES.items():
        tally.check(near(everything[name]["width"], USABLE * cost / 28), f"{name}: its width", everything.get(name))
        tally.check(f"{100 * cost / 28:.2f}% of total" in everything[name]["title"], f"{name}: its percentage", everything[name]["title"])
    tally.check(all(len(b["text"]) * 7 <= b["width"] for b in seen["all"] if b["text"]), "labels fit their boxes")
    zoomed = named(seen["zoomed"])
    tally.check(near(zoomed["sort_all"]["width"], USABLE) and "sum_up" not in zoomed, "a click zooms", zoomed)
    tally.check(near(zoomed["compare"]["width"], USABLE * 16 / 18), "what is inside grows with it", zoomed["compare"])
    tally.check(near(zoomed["main"]["width"], USABLE), "what is below stays in sight", zoomed["main"])
    tally.equal([(b["title"], round(b["width"], 2)) for b in seen["reset"]], [(b["title"], round(b["width"], 2)) for b in seen["all"]], "all is shown again")
    tally.equal([b["title"].split("\n")[0] for b in seen["searched"] if b["found"]], ["compare"], "search marks what matches")
    tally.equal(seen["found"], "1 box, 57.14% of total", "search says how much it is")
    tally.check(seen["next"].startswith("compare "), "n goes to the next match", seen["next"])
    tally.equal(seen["cleared"], 0, "Escape ends the search")
    tally.check(seen["walked"].startswith("sort_all ") and "64.29% of its caller" in seen["walked"], "keys walk up the widest", seen["walked"])
    tally.check(near(named(seen["walkedZoom"])["sort_all"]["width"], USABLE), "Enter zooms")
    tally.equal(seen["tabbed"], ["reset", "search"], "Tab reaches the buttons")
    tally.check(near(named(seen["tabbedReset"])["sort_all"]["width"], USABLE * 18 / 28), "Enter on 'show all' shows all")
    above = {n: b["y"] for n, b in everything.items()}
    turned = {n: b["y"] for n, b in named(seen["turned"]).items()}
    tally.check(above["main"] > above["sort_all"] and turned["main"] < turned["sort_all"], "i flips it", (above, turned))
    tally.check(near(named(seen["narrow"])["main"]["width"], 400 - 20), "it fits a small window", named(seen["narrow"])["main"])


def check_difference(tally, seen):
    boxes = named(seen["all"])
    for name, after, kind in (("main", 30, "m0"), ("compare", 20, "m4"), ("swap", 3, "m3 new"), ("sum_up", 5, "l3")):
        tally.equal(boxes[name]["kind"], kind, f"{name}: its colour")
        tally.check(near(boxes[name]["width"], USABLE * after / 30), f"{name}: as wide as after", boxes[name])
    tally.check(boxes["compare"]["text"].startswith("+8 "), "the change stands before the name", boxes["compare"]["text"])
    tally.check("self 12 to 20 (+8, +66.7%), 57.14% to 66.67% of total" in boxes["compare"]["title"], "before, after and change", boxes["compare"]["title"])
    tally.check(len(set(seen["legend"]["fills"])) == 9, "a legend of nine colours", seen["legend"])
    for text in ("costs less, -8", "+8, costs more", "1 new", "2 gone, 25.00% of before"):
        tally.check(text in seen["legend"]["text"], f"the legend says: {text}", seen["legend"]["text"])


def picture(tally, work, name, *args):
    made = assay("flame", *args, "-o", work / name)
    if not tally.check(made.returncode == 0, f"{name} is written", said(made)):
        return None
    seen = look("flame.js", (work / name).as_uri(), os.environ.get("ASSAY_BROWSER_PICTURES"))
    if not tally.check(isinstance(seen, dict), f"the browser got through {name}", seen):
        return None
    tally.equal(seen["problems"], [], f"{name}: no message on the console")
    tally.equal(seen["requests"], [], f"{name}: no request leaves")
    tally.check(seen["ground-light"] != seen["ground-dark"], f"{name}: light and dark differ")
    tally.check(min(seen["contrast-light"], seen["contrast-dark"]) >= 4.5, f"{name}: its texts can be read", (seen["contrast-light"], seen["contrast-dark"]))
    return seen


def main():
    need_browser()
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        for name, text in (("in.folded", STACKS), ("after.folded", AFTER), ("graph.callgrind", GRAPH)):
            (work / name).write_text(text)
        seen = picture(tally, work, "flame.svg", work / "in.folded")
        if seen:
            check(tally, seen)
        seen = picture(tally, work, "diff.svg", "--diff", work / "in.folded", work / "after.folded")
        if seen:
            check_difference(tally, seen)
        seen = picture(tally, work, "estimate.svg", "--estimate", work / "graph.callgrind")
        if seen:
            tally.check("estimated from a call graph" in seen["subject"], "the estimate says what it is", seen["subject"])
    tally.finish()


if __name__ == "__main__":
    main()
