"""What view.py expects of the walks in points.js: single points of docs/view.md, with the figures of the command."""
import json
import re
from pathlib import Path

from support import FIXTURES, assay

CXX = "std::vector<int, std::allocator<int> >::push_back(int const&)"


def number(text):
    match = re.match(r"-?[\d,.]+(?:e[+-]?\d+)?", text or "")
    return float(match.group().replace(",", "")) if match else None


def top(file, *options):
    return json.loads(assay("top", "--json", "--limit", "0", *options, file).stdout)


def prepare(work):
    """A call graph with a cycle, inlined code and a long source; names of C++."""
    (work / "cxx.folded").write_text(f"main;{CXX} 3\n")
    (work / "instr.callgrind").write_text("positions: instr line\nevents: Ir\nfl=a.cc\nfn=ns::Box<int>::get(int)\n0x401136 1 100\n0x40113a 2 30\nfn=Cart::add\n0x401300 9 7\nfn=main\n0x401400 20 7\n")
    spans = [("A", 1, n) for n in range(3)] + [("B", 2, 0)] + [("C", 3, n) for n in range(2)]
    (work / "busy.json").write_text(json.dumps({"traceEvents": [{"name": f"f{name}", "ph": "X", "pid": 1, "tid": tid, "ts": 10 * n, "dur": 5} for name, tid, n in spans]}))
    source = work / "big.c"
    source.write_text("".join(f"int line_{n};\n" for n in range(1, 49999)) + "/* the last line but one */\nint end;\n")
    lines = "\n".join(f"{n} 5" for n in range(100, 50000, 100))
    (work / "graph.callgrind").write_text(
        f"events: Ir\nfl={source}\nfn=main\n1 10\ncfn=ping\ncalls=1 3\n2 340\nfn=ping\n3 100\nfi={work}/util.h\n7 40\nfe={source}\ncfn=pong\ncalls=4 5\n4 700\n"
        f"fn=pong\n5 200\ncfn=ping\ncalls=3 3\n6 500\nfn=long\n{lines}\n")
    return []


def check_points(tally, seen, work):
    file, second = FIXTURES / "demo.xdebug", FIXTURES / "demo2.xdebug"
    data = top(file)
    metrics = list(data["rows"][0]["self"])
    units = seen["units"]
    tally.equal([r[0] for r in units["before"]], [r[0] for r in units["after"]], "a unit does not change the order")
    tally.check(all(t.endswith(" ms") and abs(float(t[:-3]) - number(e) * 1e-5) < 0.0006 for _, t, e in units["after"]), "a fixed unit", units["after"][:2])
    tally.equal([number(e) for e in units["second"]], [r["self"][metrics[1]] for r in data["rows"]], "two metrics side by side")
    first = data["rows"][0]
    tally.equal((seen["toSource"]["hash"].get("s"), seen["toSource"]["hash"].get("line")), ("source", str(first["line"])), "a name leads to its source")
    want = [(r["name"], r["self"][metrics[0]]) for r in top(file, "--focus-self", "^count_primes$")["rows"]]
    tally.equal([(n, number(e)) for n, e in seen["selfOnly"]["rows"]], want, "the key S is --focus-self")
    tally.check(seen["selfOnly"]["hash"].get("focus-self") == "^count_primes$", "it is in the address", seen["selfOnly"]["hash"])
    place = seen["oneRow"]["hash"].get("hide-path", "")
    whole = json.loads(assay("tree", "--json", "--functions", file).stdout)["rows"]
    left = json.loads(assay("tree", "--json", "--functions", "--hide-path", place, file).stdout)["rows"]
    below, above = place.split(";")[-1], place.split(";")[:-1]
    tally.check(len(above) == 1 and [r["name"] for r in whole if r["depth"] == 1] == above, "M names a place from the outermost function on", place)
    tally.check(any(r["name"] == below and r["depth"] == 2 for r in whole) and not any(r["name"] == below and r["depth"] == 2 for r in left), "it is gone there", below, left[:3])
    tally.check(seen["oneBox"].get("hide-path", "").startswith(above[0] + ";"), "M on a box", seen["oneBox"])
    tally.check("hide-path" not in seen["noPlace"], "a row of a table is no place", seen["noPlace"])
    for key, option in (("c", "--collapse"), ("F", "--show-from"), ("m", "--hide"), ("Delete", "--ignore")):
        want = [(r["name"], r["self"][metrics[0]]) for r in top(file, option, "^count_primes$")["rows"]]
        tally.equal([(n, number(e)) for n, e in seen["byKeys"][key]["rows"]], want, f"the key {key} is {option}")
    want = [(r["name"], r["self"][metrics[0]]) for r in top(file, "--file", "!php:internal")["rows"]]
    own = sum(r["self"][metrics[0]] for r in data["rows"] if r["file"] != "php:internal")
    tally.equal([(n, number(e)) for n, e in seen["others"]], want, "all but a file")
    tally.equal(sum(s for _, s in want), own, "they are the rest")
    below = seen["below"]
    called = json.loads(assay("callers", "--json", below["row"], file).stdout)["rows"][0]["callees"]
    tally.check(below["hash"].get("rootname") == below["row"] and below["rows"] == [[r["name"], 1] for r in called], "Enter shows only what is below a row", below)
    tally.equal(seen["belowLeft"], "", "Escape shows all again")
    tally.equal(seen["foundInTree"], "is_prime", "a search opens closed rows")
    parents = seen["ofParent"]
    tally.check("of parent" in parents["heads"] and sum(s for level, s in parents["shares"] if level == 2) <= 100.01, "shares of the parent", parents)
    tally.check(len(set(seen["colors"])) == 1, "a function has one colour in all files", seen["colors"])
    tally.equal((seen["beside"]["hash"].get("fn"), seen["beside"]["chosen"], seen["beside"]["row"]), (data["rows"][1]["name"],) * 3, "a table beside the picture, one selection")
    names = [{r["name"] for r in top(f)["rows"]} for f in (file, second)]
    tally.equal((set(seen["newOnly"]), set(seen["goneOnly"])), (names[1] - names[0], names[0] - names[1]), "new and gone functions")
    one, other = seen["swapped"]
    turned = {n: d.replace("+", "\0").replace("-", "+").replace("\0", "-") for n, d in one.items() if d}
    tally.check(turned and all(other[n] == d for n, d in turned.items() if n in other and re.search(r"[1-9]", d)), "x turns all signs", one, other)


def check_distance(tally, seen, work):
    near, far = seen["distances"]
    want = json.loads(assay("callers", "--json", "--depth", "4", "is_prime", FIXTURES / "demo.xdebug").stdout)["rows"][0]["callers"]
    tally.equal(far, [[r["name"], r["depth"]] for r in want], "callers of callers, with their distance")
    tally.check(len(far) > near, "there are more of them", near, far)
    site = json.loads(assay("callers", "--json", "is_prime", FIXTURES / "demo.xdebug").stdout)["rows"][0]["callers"][0]["site"]
    tally.check(seen["site"].startswith(f"@ {Path(site['file']).name}:{site['line']}"), "the line of a call", seen["site"], site)
    tally.equal((seen["siteShown"].get("s"), seen["siteShown"].get("line")), ("source", str(site["line"])), "it leads to the source")
    still, moved, zoomed = seen["graphViews"]
    tally.check(moved[0] < still[0] and abs(moved[2] - still[2]) < 1e-6 and zoomed[2] < moved[2] and seen["bird"] == 1, "the graph moves and zooms, with a small overview", seen["graphViews"])


def check_graph(tally, seen, work):
    file = work / "graph.callgrind"
    cycles, plain = top(file, "--cycles"), top(file)
    metric = plain["metric"]
    got = {n: (number(s), number(t)) for n, s, t in seen["cycleRows"]}
    want = {r["name"]: (r["self"][metric], r["total"][metric]) for r in cycles["rows"]}
    tally.equal(got, want, "cycles as one row")
    tally.check(any("cycle" in n for n in got) and not any("cycle" in n for n in seen["plainRows"]), "only where they are asked for", got, seen["plainRows"])
    off, on, again = seen["treeCycles"]
    row = next(r for r in cycles["rows"] if r["name"] == "<cycle 1>")
    tally.check(not off and not again and len(on) == 1 and seen["cyclesHash"].get("cycles") == "1", "cycles in the tree, on and off", seen["treeCycles"])
    tally.equal([(number(s), number(t)) for _, s, t in on], [(row["self"][metric], row["total"][metric])], "the figures of top --cycles")
    tally.check(" --cycles" in seen["cyclesCommand"], "the command says so", seen["cyclesCommand"])
    tally.check("1 line inlined" in seen["inlined"], "code of other files", seen["inlined"])
    tally.check(seen["endAfter"] < 1000 * slack() and seen["rowsThere"] < 200, "50,000 lines: the last one within a second", seen["endAfter"], seen["rowsThere"])
    tally.equal(seen["foundLine"], "49999", "a text is found in the file")
    tally.equal(seen["chooser"], [f"{work}/util.h"], "files are chosen by part of a path")


def slack():
    """How much longer things may take on this machine now: bounds are for an idle one."""
    import os
    return max(1, os.getloadavg()[0] / (os.cpu_count() or 1))


def check_missed(tally, seen, work):
    text = (FIXTURES / "demo.info").read_text()
    hits, calls = {}, {}
    for line, count in re.findall(r"^DA:(\d+),(\d+)", text, re.M):
        hits[int(line)] = hits.get(int(line), 0) + int(count)
    for count, name in re.findall(r"^FNDA:(\d+),(.*)$", text, re.M):
        calls[name] = calls.get(name, 0) + int(count)
    missed = {n for n, count in hits.items() if not count} | {int(n) for n in re.findall(r"^BRDA:(\d+),\d+,\d+,[0-]$", text, re.M)}
    tally.equal(seen["missedLine"][0], min(missed), "j goes to the first missed line")
    want = sorted(((count, name) for name, count in calls.items()), reverse=True)
    tally.equal([(int(c.replace(",", "")), n) for n, c in seen["covFunctions"]], want, "functions by their count")
    tally.equal(seen["missedCounts"], ["demo.c", "", "100.0%", "0", "", "100.0%", "0", "", "50.0%", "2", "all"], "missed counts in place of hits")
    tally.check("demo.c" in seen["uncoveredOnly"]["text"] and "0 complete files hidden, all below src/" in seen["uncoveredOnly"]["foot"], "uncovered only: a branch that was missed is not complete", seen["uncoveredOnly"])
    tally.check("src/demo.c" not in seen["noFiles"], "files are left out by a pattern", seen["noFiles"][:200])


def check_lanes(tally, seen, work):
    spans = [[int(v) for v in re.findall(r"(\d+)ns", t)] for t in seen["mapped"]]
    tally.check(abs((spans[1][1] - spans[1][0]) - (spans[0][1] - spans[0][0])) <= 2 and spans[1][0] > spans[0][0], "the window of the minimap moves and keeps its length", seen["mapped"])
    tally.check(seen["lanesByName"] and all("THREAD 1" in n for n in seen["lanesByName"]), "lanes by name", seen["lanesByName"])


def check_busy(tally, seen, work):
    """Three threads with 3, 1 and 2 spans: prepare()."""
    every, busy, hash_of, again = seen["busyLanes"]
    tally.check(len(every) == 3 and again == every, "all lanes", every, again)
    tally.check(busy == [every[0], every[2]] and hash_of.get("least") == "2" and hash_of.get("stream"), "lanes of at least two spans", busy, hash_of)


def check_groups(tally, seen, work):
    """Two classes and what has none; four addresses, of two lines and of what was inlined: worked out from prepare()."""
    want = {"class": {"ns::Box<int>": 130.0, "Cart": 7.0, "<no class>": 7.0}, "address": {"0x401136": 100.0, "0x40113a": 30.0, "0x401300": 7.0, "0x401400": 7.0}}
    for by, rows in seen["groups"].items():
        tally.equal({n.split(" ")[0] if by == "address" else n: number(e) for n, e in rows["rows"]}, want[by], f"rows by {by}")
        tally.check(f"--by {by}" in rows["command"] and f"{by}es" in rows["foot"], f"command and foot of rows by {by}", rows)


def check_labels(tally, seen, work):
    file = FIXTURES / "demo.pprof"
    tree = json.loads(assay("tree", "--json", "--functions", "--tag-root", "endpoint", file).stdout)
    want = [[r["name"] or "<unknown>", r["total"][tree["metric"]]] for r in tree["rows"] if r["depth"] == 1]
    tally.equal(sorted([n, number(t)] for n, t in seen["rooted"]), sorted(want), "labels as roots")
    total = top(file, "--tag-focus", "endpoint=/cart")["total"]
    tally.check(number(seen["labelled"]["total"].split(": ")[1]) == total and len(seen["labelled"]["chips"]) == 1, "only samples with a label", seen["labelled"], total)


def check_names(tally, seen, work):
    short = dict(seen["short"])
    tally.check(short.get("std::vector<...>::push_back(int const&)") == CXX, "short names of C++, the whole one as a tooltip", seen["short"])
    tally.check(number(seen["pasted"]["total"].split(": ")[1]) == 3 and seen["pasted"]["boxes"] == ["a", "b"], "what is pasted is opened", seen["pasted"])


def check_seldom(tally, seen, work):
    info = json.loads(assay("info", "--json", FIXTURES / "demo.xdebug").stdout)["files"][0]
    tally.check({info["attributes"][k] for k in ("cmd", "creator")} <= set(seen["facts"].values()), "what the file says of itself", seen["facts"], info["attributes"])
    tally.check(seen["cutAtEnd"] and all(t.endswith("…") for t in seen["cutAtEnd"]) and seen["cutAtFront"] and all(t.startswith("…") for t in seen["cutAtFront"]), "labels are cut at the end, or at the front", seen["cutAtEnd"], seen["cutAtFront"])
    tally.check(seen["widths"] == [280, 320, 320] and seen["shut"] == [1, 0], "the panel keeps its width, and can be closed", seen["widths"], seen["shut"])
    tally.check("called by the host" in seen["host"], "who calls main", seen["host"])
    tally.check("took most of its time" in seen["rule"] and "Only this stream" in " ".join(seen["laneMenu"]), "the rule of painting, the menu of a lane", seen["rule"], seen["laneMenu"])


CHECKS = {"seldom": check_seldom, "points": check_points, "distance": check_distance, "graph": check_graph, "missed": check_missed, "lanes": check_lanes, "groups": check_groups, "busy": check_busy, "labels": check_labels, "names": check_names}
