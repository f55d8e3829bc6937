#!/usr/bin/env python3
"""A timeline in a real browser: functions stand where their time is, zoom, depth, search and keys work, nothing is asked of the network. Skipped without
chromium, node and playwright-core (./dev test installs them).

ASSAY_BROWSER_PICTURES=DIR keeps pictures of what was seen."""
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from browser import look, need_browser  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import Tally, assay, run, said  # noqa: E402

# Xdebug's text, innermost calls first, in 10 ns. What main calls takes 100, 300, 400; main itself 200. A name that is markup.
PROFILE = """version: 1
creator: xdebug 3.2.0 (PHP 8.2.0)
cmd: /app/x.php
part: 1
positions: line

events: Time_(10ns)

fl=(1) /app/x.php
fn=(1) read<&">
5 100

fl=(1)
fn=(2) is_prime
9 200

fl=(1)
fn=(3) count_primes
12 100
cfl=(1)
cfn=(2)
calls=1 0 0
13 200

fl=(1)
fn=(4) sum_up
20 400

fl=(1)
fn=(5) {main}

summary: 1000

0 200
cfl=(1)
cfn=(1)
calls=1 0 0
2 100
cfl=(1)
cfn=(3)
calls=1 0 0
3 300
cfl=(1)
cfn=(4)
calls=1 0 0
4 400

"""
AT_2 = [('read<&">', 0, 0.1), ("count_primes", 0.1, 0.4), ("sum_up", 0.4, 0.8), ("{main}", 0.8, 1)]
AT_3 = [('read<&">', 0, 0.1), ("is_prime", 0.1, 0.3), ("count_primes", 0.3, 0.4), ("sum_up", 0.4, 0.8), ("{main}", 0.8, 1)]


def places(runs, plot):
    """(function, begin, end) as shares of the plot, of what is in sight."""
    return [(r["name"], round(max(0, r["from"]) / plot, 3), round(min(plot, r["to"]) / plot, 3)) for r in runs]


def within(want, low, high):
    """The same of a part of the time."""
    return [(n, round(max(0, (a - low) / (high - low)), 3), round(min(1, (b - low) / (high - low)), 3)) for n, a, b in want if b > low and a < high]


def near(got, want):
    return [g[0] for g in got] == [w[0] for w in want] and all(abs(x - y) < 0.006 for g, w in zip(got, want) for x, y in zip(g[1:], w[1:]))


def check(tally, seen):
    plot = seen["plot"]
    tally.equal(seen["problems"], [], "no message on the console")
    tally.equal(seen["requests"], [], "no request leaves")
    tally.check(seen["ground-light"] != seen["ground-dark"], "light and dark differ")
    tally.check(near(places(seen["all"], plot), AT_2), "functions stand where their time is", places(seen["all"], plot))
    tally.check(all(r["quarters"] == "q4" for r in seen["all"]), "all of it is busy")
    tally.check(seen["axis"][:2] == ["0", "1 us"] and seen["axis"][-1] == "10 us", "the axis", seen["axis"])
    tally.equal(seen["legend"], ["sum_up", "count_primes", "{main}", 'read<&">', "idle"], "the legend, longest first")
    tally.equal(seen["figures"], ["40.00%", "30.00%", "20.00%", "10.00%", "0.00%"], "shares")
    tally.equal(seen["names"], ['read<&">', "count_primes", "sum_up", "{main}"], "names in the rows")
    tally.check(seen["tip"][0] == "count_primes" or seen["tip"][0] == "sum_up", "what is pointed at", seen["tip"])
    tally.check("{main}" in seen["tip"] and any("to" in line and "us" in line for line in seen["tip"]), "its stack and times", seen["tip"])
    tally.check(seen["said"].startswith(seen["tip"][0]), "the same in a line", seen["said"])
    tally.equal(seen["band"], 1, "a drag shows what it takes")
    tally.check(near(places(seen["dragged"], plot), within(AT_2, 0.25, 0.5)), "a drag zooms", places(seen["dragged"], plot))
    tally.check(seen["draggedAxis"][0] == "2.5 us" and seen["draggedAxis"][-1] == "5.0 us", "and the axis with it", seen["draggedAxis"])
    tally.check(near(places(seen["back"], plot), AT_2), "Escape goes back")
    name = seen["tip"][0] if seen["tip"] else ""
    a, b = next(((a, b) for n, a, b in AT_2 if n == name), (0, 1))
    low, high = max(0, a - (b - a) * 0.1), b + (b - a) * 0.1
    tally.check(near(places(seen["clicked"], plot), within(AT_2, low, high)), "a click zooms to the run", places(seen["clicked"], plot))
    tally.check(near(places(seen["keyed"], plot), within(AT_2, 0.15, 0.85)), "keys zoom", places(seen["keyed"], plot))
    tally.check(near(places(seen["reset"], plot), AT_2), "all is shown again")
    tally.equal([r["name"] for r in seen["searched"] if r["opacity"] == "1"], ["count_primes"], "search dims what does not fit")
    tally.check("1 function here, 30.00%" in seen["found"], "and says how much it is", seen["found"])
    tally.check(all(r["opacity"] == "1" for r in seen["cleared"]), "Escape ends the search")
    tally.check(near(places(seen["deeper"], plot), AT_3) and seen["depth"] == "depth 3 of 3", "+ goes deeper", places(seen["deeper"], plot), seen["depth"])
    tally.check([r["name"] for r in seen["shallow"]] == ["{main}"] and seen["depthLess"] == "depth 1 of 3", "the button goes up", seen["shallow"], seen["depthLess"])
    tally.equal([r["name"] for r in seen["picked"] if r["opacity"] == "1"], ["sum_up"], "a click on the legend picks a function")


CHART = [("{main}", 0, 0, 1), ('read<&">', 1, 0, 0.1), ("count_primes", 1, 0.1, 0.4), ("sum_up", 1, 0.4, 0.8), ("is_prime", 2, 0.1, 0.3)]


def check_chart(tally, seen):
    plot = seen["plot"]
    drawn = [(r["name"], r["row"], round(r["from"] / plot, 3), round(r["to"] / plot, 3)) for r in seen["all"]]
    tally.equal((seen["problems"], seen["requests"]), ([], []), "chart: no message, no request")
    tally.equal([d[:2] for d in drawn], [w[:2] for w in CHART], "chart: a box for each call, below its caller")
    tally.check(all(abs(x - y) < 0.002 for d, w in zip(drawn, CHART) for x, y in zip(d[2:], w[2:])), "chart: where its time is", drawn)
    tally.equal(seen["names"], ["{main}", 'read<&">', "count_primes", "sum_up", "is_prime"], "chart: names")
    tally.equal(seen["legend"], ["sum_up", "{main}", "is_prime", "count_primes", 'read<&">', "idle"], "chart: functions by self time")
    tally.equal(seen["still"], seen["names"], "chart: the same names without the script")
    tally.check(seen["tip"][0] == "is_prime" and seen["tip"][-3:] == ["{main}", "\u21b3 count_primes", "\u21b3 is_prime"], "chart: what is pointed at", seen["tip"])
    tally.check([r["name"] for r in seen["clicked"]] == ["{main}", 'read<&">', "count_primes", "is_prime"], "chart: a click zooms", seen["clicked"])
    tally.equal([r["name"] for r in seen["searched"] if r["opacity"] == "1"], ["count_primes", "is_prime"], "chart: search")


def main():
    need_browser()
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "in.xdebug").write_text(PROFILE)
        made = assay("timeline", "--depth", "2", work / "in.xdebug", "-o", work / "timeline.svg")
        if tally.check(made.returncode == 0, "the picture is written", said(made)):
            seen = look("timeline.js", (work / "timeline.svg").as_uri(), os.environ.get("ASSAY_BROWSER_PICTURES"))
            if tally.check(isinstance(seen, dict), "the browser got through", seen):
                check(tally, seen)
        made = assay("timeline", work / "in.xdebug", "-o", work / "chart.svg")
        if tally.check(made.returncode == 0, "the flame chart is written", said(made)):
            seen = look("timeline_chart.js", (work / "chart.svg").as_uri(), os.environ.get("ASSAY_BROWSER_PICTURES"))
            if tally.check(isinstance(seen, dict), "the browser got through the chart", seen):
                check_chart(tally, seen)
    tally.finish()


if __name__ == "__main__":
    main()
