#!/usr/bin/env python3
"""The page of `assay view` in a real browser: every screen on a sample of each system, figures as the command prints them, keys, the address, damaged and
hostile files, light and dark, small windows. Skipped without chromium, node and playwright-core (./dev test installs them).

Pictures of what was seen are written to build/pictures; with ASSAY_DOC_PICTURES=1 those of the documentation are renewed."""
import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "browser"))
import points  # noqa: E402
from browser import PLAYWRIGHT, need_browser  # noqa: E402
from support import ASSAY, BUILD, FIXTURES, SHARED, SOURCE, Tally, assay, run, said  # noqa: E402

DIFF = "--- a/src/a.c\n+++ b/src/a.c\n@@ -3,0 +4,1 @@\n+x\n"
HOSTILE = '<img src=x onerror="window.fired=true">'
# What is looked at in each sample; the walks are those of view.js.
SAMPLES = {
    "xdebug": (["demo.xdebug", "demo2.xdebug"], ["screens", "figures", "tree", "keys", "address", "callers", "more", "compare", "pointer", "contrast", "looks", "chosen", "points", "distance", "seldom"]),
    "callgrind": (["demo.callgrind"], ["screens", "figures"]),
    "graph": (["graph.callgrind"], ["graph"]),
    "instr": (["instr.callgrind"], ["groups"]),
    "busy": (["busy.json"], ["busy"]),
    "webgrind": (["webgrind"], ["screens", "figures"]),
    "hpcrun": (["app.m"], ["screens", "figures", "tree", "streams", "timeline", "lanes"]),
    "hpcdb": (["hpcdb"], ["screens", "figures", "tree"]),
    "nytprof": (["demo.nytprof"], ["screens", "figures", "tree", "source"]),
    "nytprof-tlv": (["demo.nytprof-tlv"], ["screens", "figures"]),
    "cov": (["demo.cov"], ["screens"]),
    "lcov": (["demo.info"], ["screens", "coverage", "missed"]),
    "pprof": (["demo.pprof"], ["screens", "figures", "labels"]),
    "cxx": (["cxx.folded"], ["names"]),
    "speedscope": (["demo.speedscope.json"], ["screens", "figures"]),
    "chrome-trace": (["demo.chrome-trace.json"], ["screens", "figures"]),
    "perf-data": (["demo.perf-data"], ["screens", "figures"]),
    "firefox": (["demo.firefox-profile.json"], ["screens", "figures"]),
    "cpuprofile": (["demo.v8-cpuprofile"], ["screens", "figures"]),
    "damaged": (["killed.nytprof"], ["damaged"]),
    "hostile": (["hostile.folded"], ["hostile"]),
    "change": (["before.info", "after.info", "hot.callgrind"], ["change"]),
    "store": (["repo/.git/.covdata"], ["history"]),
    "every": ([], ["every"]),  # every other format that can be read: prepare
    "partial": (["demo.folded", "big.callgrind"], ["partial"]),
    "slow": (["demo.folded"], ["slow"]),
    "gone": (["demo.folded"], ["gone"]),
}


# Formats of samples that are called otherwise, or that other samples are of.
FORMAT_OF = {"xdebug": "callgrind", "hpcrun": "hpcrun-measurements", "firefox": "firefox-profile", "cpuprofile": "v8-cpuprofile"}
VERLET = "LAMMPS_NS::Verlet::run(int) [liblammps.so.0]"
# Pictures for docs/view.md and README: (name, address, key), of databases of real programs and of the samples above.
REAL = {
    "lmp-openmp": [("overview", "s=overview", ""), ("flame", f"s=flame&fn={quote(VERLET)}", ""), ("flame-dark", f"s=flame&fn={quote(VERLET)}", ""), ("table", "s=table", ""), ("tree-dark", "s=tree", "*"),
                   ("graph", "s=callers&as=graph&whole=1&node=10&right=1", ""), ("streams", "s=streams&as=sorted", "")],
    "loops-perf-traced-2022": [("timeline", "s=timeline&lane=2&at=500000000", "")],
}
SMALL = {"xdebug": [("compare", "s=compare&a=1&b=2", ""), ("callers", "s=callers&fn=fib", "")], "lcov": [("coverage", "s=coverage", "")], "damaged": [("problems", "s=problems&f=0&fo=1199", "")],
         "nytprof": [("source", "s=source", "")]}


def real_samples(work, stack):
    """Databases of the shared data, where it is there."""
    for name, pictures in REAL.items():
        packed = SHARED / f"data/hpcdb/{name}.tar.gz"
        if packed.exists():
            with tarfile.open(packed) as tar:
                tar.extractall(work, filter="data") if hasattr(tarfile, "data_filter") else tar.extractall(work)
            yield {"name": name, **stack.enter_context(viewer([work / name])), "walks": ["pictures"], "pictures": pictures}


def others():
    """A fixture of each format that is read and that no sample has."""
    known = {assay_format for name, (_, walks) in SAMPLES.items() if "screens" in walks for assay_format in [FORMAT_OF.get(name, name)]}
    files = [f for f in sorted(FIXTURES.iterdir()) if f.name.startswith("demo") or f.name[0].isdigit() or f.name == "report.cov-spec-object"]
    of = {}
    for file in json.loads(assay("info", "--json", *files).stdout)["files"]:
        of.setdefault(file["format"], Path(file["path"]))
    reads = [f["name"] for f in json.loads(assay("formats", "--json").stdout)["formats"] if "read" in f["can"]]
    return {name: of.get(name) for name in reads if name not in known}


def walks_of(name):
    return SAMPLES[name][1] if name in SAMPLES else ["exported"] if name == "exported" else ["pictures"]


# Cost of each line of a text that is large enough for its lines to be read apart from its functions.
REPEATED = 1500
BIG = {n: REPEATED * (n % 7 + 1) for n in range(5, 1005)}


def prepare(work):
    """The samples that are made of others."""
    (work / "big.src").write_text("".join(f"line {n}\n" for n in range(1, 1200)))
    (work / "big.callgrind").write_text(f"events: Ir\nfl={work}/big.src\nfn=hot\n" + "".join(f"{n} {n % 7 + 1}\n" for n in BIG) * REPEATED + "cfn=leaf\ncalls=3 1150\n3 700\nfn=leaf\n1150 700\n")
    (work / "hostile.folded").write_text(f"main;{HOSTILE} 7\nmain;b 3\n")
    for name, hits in (("before", (1, 1, 0, 1)), ("after", (1, 1, 2, 0))):
        (work / f"{name}.info").write_text("SF:src/a.c\n" + "".join(f"DA:{n},{h}\n" for n, h in zip((1, 3, 4, 5), hits)) + "end_of_record\n")
    (work / "change.diff").write_text(DIFF)
    (work / "hot.callgrind").write_text("events: Ir\nfl=src/a.c\nfn=f\n3 10\n4 90\n")
    repo = work / "repo"
    (repo / "src").mkdir(parents=True)
    (repo / "src/a.c").write_text("int f(void)\n{\n    return 1;\n}\n")
    git = ["git", "-C", repo, "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for command in (["init", "-q", "."], ["add", "-A"], ["commit", "-qm", "one"]):
        run(*git, *command)
    made = [assay("cov", "-C", repo, "init")]
    for i in range(5):
        (work / "h.info").write_text(f"SF:src/a.c\nDA:1,{int(i > 0)}\nDA:3,{int(i > 1)}\nDA:4,{i}\nend_of_record\n")
        made.append(assay("cov", "-C", repo, "import", work / "h.info"))
    made += [assay("convert", FIXTURES / "demo.xdebug", "--to", "webgrind", "-o", work / "webgrind"), assay("convert", FIXTURES / "app.m", "--to", "hpcdb", "-o", work / "hpcdb")]
    return [said(m) for m in made if m.returncode] + points.prepare(work)


def path_of(work, name):
    return work / name if (work / name).exists() else FIXTURES / name


@contextlib.contextmanager
def viewer(files, *options, **env):
    """The command, showing these files: its address and process, and how to start it again."""
    command = [str(ASSAY), "view", "--no-open", *options, *map(str, files)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={**os.environ, **env})
    try:
        yield {"url": server.stdout.readline().strip(), "pid": server.pid, "again": {"command": command, "env": env}}
    finally:
        server.terminate()
        server.wait(20)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def shown(work, name):
    """What `assay top` prints, row by row, and its JSON."""
    file = path_of(work, SAMPLES[name][0][0])
    data = json.loads(assay("top", "--json", "--limit", "20", file).stdout)
    info = json.loads(assay("info", "--json", file).stdout)["files"][0]
    text = assay("top", "--limit", "20", "--full-names", file).stdout.decode()
    return data, info, [re.split(r"\s{2,}", line.strip()) for line in text.split("\n") if re.search(r"%", line) and not line.startswith("filtered")]


def digits(text):
    """The number of a tooltip: '8,700 10ns of 22,486 10ns' -> 8700."""
    match = re.match(r"-?[\d,.]+(?:e[+-]?\d+)?", text.replace("\u00a0", ""))
    return float(match.group().replace(",", "")) if match else None


def check_figures(tally, name, seen, work):
    data, info, lines = shown(work, name)
    metric = data["metric"]
    tally.equal([m["name"] for m in seen["metrics"]], [m["name"] for m in info["metrics"]][:40], f"{name}: overview has every metric")
    for got, want in zip(seen["metrics"], info["metrics"]):
        tally.check(abs((digits(got["exact"]) or 0) - want["total"]) <= 1e-9 * abs(want["total"]), f"{name}: total of {want['name']}", got, want)
    rows = data["rows"][:len(seen["table"])]
    tally.equal([r["name"] for r in seen["table"]][:20], [r["name"] for r in rows][:20], f"{name}: the rows of the table are those of top")
    for got, want, line in zip(seen["table"], rows, lines[-len(data["rows"]):]):
        for column, key in (("self-0", "self"), ("total-0", "total")):
            if column in got["cells"] and want.get(key, {}).get(metric) is not None:
                tally.check(abs((digits(got["cells"][column]["exact"]) or 0) - want[key][metric]) <= 1e-9 * abs(want[key][metric]), f"{name}: {key} of {want['name']}", got, want)
        tally.check(got["cells"]["self-0"]["text"] == line[0] and got["cells"]["self%-0"]["text"] == line[1], f"{name}: {want['name']} is printed as the command prints it", got["cells"], line)
    tally.equal(seen["top"], [r["name"] for r in data["rows"][:10]], f"{name}: top ten of the overview")
    tally.check(seen["command"].startswith("assay ") and seen["tableCommand"].startswith("assay top"), f"{name}: copy as command", seen["command"], seen["tableCommand"])


def check_tree(tally, name, seen, work):
    file = path_of(work, SAMPLES[name][0][0])
    for view, option in (("top-down", []), ("bottom-up", ["--bottom-up"]), ("flat", ["--flat"])):
        data = json.loads(assay("tree", "--json", *option, file).stdout)
        got = seen[f"tree-{view}"]
        first = [r for r in data["rows"] if r["depth"] == 1]
        tally.equal([r["name"] for r in got if r["level"] == 1], [r["name"] or "" for r in first], f"{name}: first rows of the tree, {view}")
        for g, w in zip([r for r in got if r["level"] == 1], first):
            want = (w.get("total") or {}).get(data["metric"])
            if want is not None:
                tally.check(abs((digits(g["exact"][2]) or 0) - want) <= 1e-9 * abs(want), f"{name}: total of {w['name']}, {view}", g, want)
    self = json.loads(assay("tree", "--json", "--bottom-up", "--functions", file).stdout)
    first = [r["name"] for r in self["rows"] if r["depth"] == 1 and next(iter(r["self"].values()))]
    drawn = [b["name"] for b in seen["flame-bottom-up"] if b["level"] == (0 if name != "none" else 1)]
    tally.check(seen["flame"] and all(b["w"] <= 1.000001 for b in seen["flame"]), f"{name}: boxes", seen["flame"][:3])
    said_total = re.search(re.escape(self["metric"]) + r" (.*?)[,;]", assay("tree", "--bottom-up", "--functions", file).stdout.decode().split("\n")[0])
    tally.check(said_total and seen["flameFoot"].endswith(f"boxes, {said_total[1]}"), f"{name}: the picture says its total as the command does", seen["flameFoot"], said_total)
    tally.check(not drawn or drawn[0] in first, f"{name}: bottom-up begins with functions by self", drawn, first)


def check_screens(tally, name, seen):
    for screen, s in seen["screens"].items():
        tally.check(len(s["text"].strip()) > 10, f"{name}: {screen} says something", s["text"])
        tally.equal(s["bad"], [], f"{name}: {screen} without an error")
        tally.equal(s["nameless"], [], f"{name}: {screen}: every control has a name")
        tally.check(not s["wide"], f"{name}: {screen} does not scroll sideways")
        if s["why"]:
            tally.check("not for this file" in s["text"] or screen == "compare", f"{name}: {screen} says why it is empty", s["text"])


def check_every(tally, seen):
    for format_name, file in others().items():
        one = seen["every"].get(file.name if file else "")
        if tally.check(one, f"{format_name} is opened", file, list(seen["every"])):
            tally.check(all(len(why) > 10 for _, why in one["lacking"]), f"{format_name}: what is missing is said", one["lacking"])
            check_screens(tally, f"{format_name} ({file.name})", one)


def check_partial(tally, seen):
    want = [(n, BIG[n]) for n in sorted(BIG)]
    first = seen["partial"]
    if tally.check("Reading the cost of lines" in seen["note"] and first["heads"][0] == "function", "a source before the cost of its lines", seen["note"], first["heads"]):
        shown = {n: cells for n, *cells in first["lines"]}
        tally.equal({n: digits(c[0]) for n, c in shown.items() if re.match(r"\d", c[0])}, {5: sum(BIG.values())}, "what the function costs, at its first line")
        tally.check(shown[3][2] == "700", "what calls cost is known by line", shown)
    got = [(n, digits(cells[0])) for n, *cells in seen["whole"]["lines"] if n in BIG]
    tally.check(got and got == want[:len(got)], "then the cost of lines", got[:5], want[:5])
    tally.equal((seen["whole"]["heads"][0], seen["whole"]["notes"]), ("self", 0), "and no note")


def check_keys(tally, seen):
    tally.equal(seen["byKey"], ["flame", "table", "tree", "compare", "overview"], "keys 1 to 9 change the screen")
    tally.check(seen["help"] > 20 and seen["helpClosed"] == 0, "? lists the keys, Escape closes", seen["help"], seen["helpClosed"])
    tally.equal(seen["palette"], "tree", "a command of the palette")
    tally.check(seen["selected"] and seen["selectedOnTree"] == seen["selected"], "the selection is kept between screens", seen["selected"], seen["selectedOnTree"])
    tally.check(seen["focused"].get("focus", "").strip("^$").replace("\\", "") == seen["selected"], "f is a filter", seen["focused"])
    tally.check("focus" not in seen["back"], "Back takes it off", seen["back"])
    tally.check(seen["typed"].get("q") == "zzz1" and seen["typed"].get("s") == "tree", "keys do nothing while typing", seen["typed"])
    tally.check(seen["down"] and seen["down"]["level"] == 1, "Down goes to a callee", seen["down"])
    low, high = (float(v) for v in seen["zoomed"].get("x", "0..1").split(".."))
    tally.check(abs(high - low - seen["down"]["w"]) < 0.02, "Enter zooms to it", seen["zoomed"], seen["down"])
    tally.check("x" not in seen["unzoomed"], "Escape goes back", seen["unzoomed"])
    tally.check(seen["inverted"] == "bottom-up" and seen["treeInverted"] == "bottom-up", "i inverts")
    tally.check(".." in seen["plus"] and seen["zero"] == "", "+ zooms, 0 resets", seen["plus"], seen["zero"])
    tally.check(seen["menu"] > 8 and seen["menuClosed"] == 0, "Shift+F10 opens the menu", seen["menu"])
    tally.check(seen["opened"] > 1 and seen["active"].startswith("node-0/"), "arrows open and walk the tree", seen["opened"], seen["active"])
    hot = json.loads(assay("tree", "--hot-path", "--json", FIXTURES / "demo.xdebug").stdout)
    tally.check(all(r["name"] in seen["hot"] for r in hot["rows"] if r["name"]), "* opens the hot path", seen["hot"], [r["name"] for r in hot["rows"]])


def check_address(tally, seen):
    file = FIXTURES / "demo.xdebug"
    names = lambda *options: [r["name"] for r in json.loads(assay("top", "--json", "--limit", "0", *options, file).stdout)["rows"]]  # noqa: E731
    tally.equal(seen["after"], seen["before"], "a reload restores the state")
    tally.equal(len(seen["before"]["chips"]), 3, "three filters")
    tally.equal([r["name"] for r in seen["before"]["rows"]], names("--focus", "fib", "--focus", "prime", "--sort", "total", "--min", "1"), "filtered as the command filters")
    tally.equal([r["name"] for r in seen["dropped"]["rows"]], names("--focus", "prime", "--sort", "total", "--min", "1"), "one filter less")
    tally.equal(len(seen["returned"]), 3, "Back brings it back")
    tally.equal((seen["sorted"], seen["resorted"]["sort"]), ("descending", "ascending"), "a click on a head sorts, a second turns round")
    tally.check(any("parenthes" in t or "roup" in t for t in seen["badPattern"]), "a bad expression gives a sentence", seen["badPattern"])
    tally.check(set(seen["matched"]) | set(seen["notMatched"]) == set(names()) and seen["matched"] == ["count_primes"], "rows that match, rows that do not", seen["matched"])


def check_compare(tally, seen):
    data = json.loads(assay("diff", "--json", "--limit", "0", FIXTURES / "demo.xdebug", FIXTURES / "demo2.xdebug").stdout)
    metric = data["metric"] if "metric" in data else next(iter(data["rows"][0]["before"]))
    tally.check(seen["diff"], "compare has rows")
    tally.check("takes less" in seen["legend"] and "takes more" in seen["legend"], "the legend says what the colours mean", seen["legend"])
    tally.check({r["name"] for r in seen["diff"]} <= {r["name"] for r in data["rows"]}, "rows of compare are those of diff", metric)


def check_callers(tally, seen):
    data = json.loads(assay("callers", "--json", "fib", FIXTURES / "demo.xdebug").stdout)
    one, metric = data["rows"][0], data["metric"]
    for side in ("callers", "callees"):
        tally.equal([(r["name"], digits(r["total"]), r["calls"]) for r in seen[side]], [(r["name"], r["total"][metric], f"{r['calls']:,}") for r in one[side]], f"{side} of fib")
    tally.equal([digits(seen["it"][0]), digits(seen["it"][1])], [one["self"][metric], one["total"][metric]], "self and total of fib")
    tally.equal((seen["walked"], seen["walkedBack"]), (one["callers"][0]["name"], "fib"), "a click walks to a caller, Back returns")
    functions = {r["name"] for r in json.loads(assay("top", "--json", "--limit", "0", FIXTURES / "demo.xdebug").stdout)["rows"]}
    tally.equal(set(seen["nodes"]), functions, "the graph of the whole has every function")
    tally.check(set(seen["bigNodes"]) < functions and f"of {len(functions)} functions" in seen["graphFoot"], "nodes of at least 20 %", seen["bigNodes"], seen["graphFoot"])


def check_coverage(tally, seen):
    whole = json.loads(assay("top", "--json", FIXTURES / "demo.info").stdout)
    text = (FIXTURES / "demo.info").read_text()
    hits = {int(line): int(count) for line, count in re.findall(r"^DA:(\d+),(\d+)", text, re.M)}
    tally.equal(seen["rates"]["lines"], f"{sum(1 for n in hits.values() if n)} of {len(hits)}", "lines covered")
    tally.equal(seen["files"], sorted(set(re.findall(r"^SF:(.*)$", text, re.M))), "files of the report")
    tally.check(len(seen["folders"]) == 1, "folders of the report", seen["folders"], whole.get("verb"))
    got = {r["line"]: int(r["hits"].replace(",", "")) for r in seen["lines"] if r["hits"]}
    tally.equal(got, hits, "hits of each line are those of the DA records")
    tally.check(seen["noSource"], "places where the source was looked for")


def check_streams(tally, seen, work):
    info = json.loads(assay("info", "--json", FIXTURES / "app.m").stdout)["files"][0]
    totals = [s["total"] for s in info["streams"]]
    tally.equal((seen["stats"]["minimum"], seen["stats"]["maximum"]), (min(totals), max(totals)), "streams: minimum and maximum")
    tally.check(abs(seen["stats"]["mean"] - sum(totals) / len(totals)) < 1e-9 and seen["points"] == len(totals), "streams: mean, one point for each", seen["stats"])
    one = json.loads(assay("top", "--json", "--stream", "1", FIXTURES / "app.m").stdout)
    tally.check(seen["only"].get("stream") == "1" and abs(digits(seen["onlyTotal"].split(": ")[1]) - one["total"]) < 1e-9, "only one stream", seen["only"], seen["onlyTotal"])
    depth = json.loads(assay("timeline", "--json", "--by-stream", FIXTURES / "app.m").stdout)
    tally.check(len(seen["lanes"]) == 2 and seen["shares"], "a lane for each stream, functions of the window", seen["lanes"], seen["shares"], str(depth)[:200])
    tally.check(".." in seen["zoomedTime"] and seen["allTime"] == "", "+ zooms in time, 0 shows all", seen["zoomedTime"], seen["allTime"])


def check_more(tally, seen):
    data = json.loads(assay("top", "--json", "--limit", "0", FIXTURES / "demo.xdebug").stdout)
    metric, first = data["metric"], data["rows"][0]
    cells = seen["columns"][0]["cells"]
    tally.check(abs(digits(cells["self/call-0"]["exact"]) - first["self"][metric] / first["calls"]) < 1e-6, "self per call", cells)
    tally.check(abs(float(cells["twice"]["exact"]) - 2 * first["self"][metric] / data["total"]) < 1e-9, "a column by formula", cells)
    tally.check(any("character" in t for t in seen["badFormula"]), "a bad formula says where", seen["badFormula"])
    tally.equal(seen["columnsKept"], cells, "columns are kept")
    tally.equal(seen["unfolded"], ["Called from", "Calls"], "a row unfolds")
    tally.check(1 < seen["collapsed"] < seen["levels"], "r collapses recursion", seen["levels"], seen["collapsed"])
    tally.check([b[1] > 0 for b in seen["butterfly"]] == [True, True], "callers above, callees below", seen["butterfly"])
    info = json.loads(assay("info", "--json", FIXTURES / "demo.xdebug").stdout)["files"][0]["metrics"]
    tally.check(seen["secondMetric"]["name"] == info[1]["name"] and digits(seen["secondMetric"]["number"]) == info[1]["total"], "] shows the next metric", seen["secondMetric"])
    focused = json.loads(assay("top", "--json", "--focus", "prime", FIXTURES / "demo.xdebug").stdout)
    share = 100 * focused["total"] / data["total"]
    tally.equal(seen["found"], f"2 functions, {share:.2f}%", "search says how many and their share")
    tally.check(seen["flattened"][0] != seen["flattened"][1] and "fib" in seen["flattened"][1], "flatten puts functions in place of files", seen["flattened"])


def check_pointer(tally, seen, work):
    file = FIXTURES / "demo.xdebug"
    tree = json.loads(assay("tree", "--json", "--functions", file).stdout)
    metric, first = tree["metric"], next(r for r in tree["rows"] if r["depth"] == 2)
    rows, tip = seen["tip"]["rows"], seen["tip"]["name"]
    tally.check(tip == first["name"] and "self" in rows and rows["calls"] == f"{first['calls']:,}" and rows["file"].endswith(f":{first['line']}"), "the tooltip of a box", seen["tip"], first)
    tally.check(rows["total"].split("  ")[1] == f"{100 * first['total'][metric] / tree['total']:.2f}%", "its share", rows)
    tally.check(seen["kept"] < 0.01, "+ keeps the box under the pointer", seen["kept"])
    low, high = map(float, seen["doubled"]["x"].split(".."))
    tally.check(abs(low - seen["doubled"]["second"]["x"]) < 1e-6 and abs(high - low - seen["doubled"]["second"]["w"]) < 1e-6 and seen["doubled"]["boxes"][0]["level"] == 0, "a double click zooms, callers stay", seen["doubled"])
    tally.check(".." in seen["wheel"], "Ctrl+wheel zooms", seen["wheel"])
    low, high = map(float, seen["minimap"].split(".."))
    tally.check(abs(low - 0.2) < 0.01 and abs(high - 0.4) < 0.01, "a drag in the minimap chooses the part", seen["minimap"])
    tally.check(seen["panel"]["name"] == first["name"] and {"This context", "The function, everywhere", "Stack"} <= set(seen["panel"]["heads"]) and seen["panel"]["stack"] == [first["name"], "{main}"], "the panel of the selection", seen["panel"])
    for item in ("Focus", "Ignore", "Hide", "Source", "Callers", "Copy name", "Copy stack"):
        tally.check(any(item in i for i in seen["items"]), f"the menu of a box: {item}", seen["items"])
    tally.check("focus" in seen["focusedByMenu"], "an item of the menu works", seen["focusedByMenu"])
    tally.check(seen["byName"] == sorted(seen["byName"]) and len(seen["byName"]) > 2, "boxes by name", seen["byName"])
    tally.equal(seen["byWeight"], sorted(seen["byWeight"], reverse=True), "boxes by weight")
    tally.check(seen["overTime"] and seen["overTime"][0]["x"] == 0 and seen["overTime"][0]["name"] == "{main}", "boxes over time", seen["overTime"][:2])
    tally.check(len(set(seen["matchesWalked"])) == 2 and seen["matchesWalked"][0] == seen["matchesWalked"][2] and all("prime" in w for w in seen["matchesWalked"]), "Enter and Shift+Enter walk through matches", seen["matchesWalked"])
    tally.check("parenthes" in seen["badSearch"] or "roup" in seen["badSearch"], "a bad search gives a sentence", seen["badSearch"])
    tally.equal(seen["flipped"], "true", "the root can be at the bottom, also after a reload")
    assay("convert", "--to", "folded", "--focus", "fib", "-o", work / "x.folded", file)
    tally.equal(seen["folded"], (work / "x.folded").read_text(), "saved as folded stacks, with the filter")
    tally.equal(seen["svg"], assay("flame", "--icicle", file).stdout.decode(), "the picture is that of flame")
    tally.equal(seen["csv"], assay("top", "--csv", "-n", "0", "--sort", "self", file).stdout.decode(), "the table as CSV is that of top")


def check_chosen(tally, seen):
    files = [FIXTURES / "demo.xdebug", FIXTURES / "demo2.xdebug"]
    top = json.loads(assay("top", "--json", "--limit", "0", files[0]).stdout)
    metric, self_of = top["metric"], {r["name"]: r["self"][top["metric"]] for r in top["rows"]}
    large = [n for n, s in self_of.items() if s >= 0.1 * top["total"]]
    tally.check(f"{len(large)} of {len(self_of)} functions" in seen["atLeast"], "a minimum: how many functions of how many", seen["atLeast"])
    shares = [float(k.split()[-1].rstrip("%")) for k in seen["kinds"]]
    tally.check({k.split()[0] for k in seen["kinds"]} == {"procedural", "internal", "class"} and abs(sum(shares) - 100) < 0.02, "kinds of functions", seen["kinds"])
    own = {n for n in self_of if "php::" not in n}
    tally.equal(set(seen["own"]), own, "without internal functions")
    most = sorted((self_of[n] for n in own), reverse=True)
    picked = [self_of[n] for n in seen["share"]["rows"]]
    tally.check(picked == most[:len(picked)] and sum(picked) >= 0.9 * sum(most) > sum(picked[:-1]), "the functions that make up 90 %", seen["share"])
    tally.check(dict(seen["words"])["Basket->add"] == "class" and dict(seen["words"])["php::array_map"] == "internal", "kinds in words", seen["words"])
    by_calls = sorted(top["rows"], key=lambda r: (-r["calls"], -r["self"][metric]))
    tally.check(seen["byCalls"]["hash"].get("then") == "self" and seen["byCalls"]["rows"] == [r["name"] for r in by_calls], "equal rows keep the former order", seen["byCalls"])
    tally.check(40 < seen["wider"] < 80, "a column can be made wider and stays so", seen["wider"])
    trees = [json.loads(assay("tree", "--json", f).stdout)["rows"] for f in files]
    totals = [{r["name"]: r["total"][metric] for r in t if r["depth"] <= 2} for t in trees]
    got = {r["name"]: [digits(x) for x in r["exact"][:3]] for r in seen["twoTrees"]["rows"]}
    tally.check(seen["twoTrees"]["heads"][:3] == ["total in A", "total in B", "difference"] and set(got) == set(totals[0]) | set(totals[1]), "two files in one tree", seen["twoTrees"]["heads"], got)
    for name, (a, b, change) in got.items():
        tally.equal((a, b, change), (totals[0].get(name, 0), totals[1].get(name, 0), totals[1].get(name, 0) - totals[0].get(name, 0)), f"{name} in both")
    tally.equal(seen["fewNodes"], 4, "at most four nodes")
    tally.check(seen["downwards"]["{main}"][1] < seen["downwards"]["fib"][1] and seen["rightwards"]["{main}"][0] < seen["rightwards"]["fib"][0] and seen["rightwards"]["count_primes"][0] == seen["rightwards"]["fib"][0], "the graph goes down, or to the right")
    tally.equal(set(re.findall(r'label="([^"\\]+)', seen["dot"].split(" -> ")[0])), set(self_of), "DOT has the nodes of the picture")
    totals = [json.loads(assay("top", "--json", f).stdout)["total"] for f in files]
    tally.check(digits(seen["mergedTotal"].split(": ")[1]) == sum(totals), "two files merged", seen["mergedTotal"], totals)
    tally.check(len(seen["files"]) == 2 and all(len(f) >= 4 and re.search(r"\d{4}-\d\d-\d\d", f[3]) for f in seen["files"]), "the list of files: format, size, date", seen["files"])
    tally.check(digits(seen["handed"]["total"]) == 7 and "dropped.folded" in seen["handed"]["title"] and seen["handed"]["hash"].get("s") == "overview", "a file handed over is opened", seen["handed"])
    tally.check("No known format" in seen["noProfile"], "what is no profile gives a sentence", seen["noProfile"][:300])


def check_source(tally, seen):
    file = FIXTURES / "demo.nytprof"
    callers = json.loads(assay("callers", "--json", "main::fib", file).stdout)["rows"][0]
    tally.check(all(c["name"] in seen["callersOfFib"] for c in callers["callers"]) and "Called from" in seen["callersOfFib"], "callers at the head of a function", seen["callersOfFib"])
    tally.check("8 calls to" in seen["calleesOf6"] and "main::fib" in seen["calleesOf6"], "calls of a line", seen["calleesOf6"])
    tally.equal(seen["evals"], ["2 evals", "21"], "string evals at their line")
    tally.check(seen["evalShown"]["path"].startswith("(eval ") and seen["evalShown"]["siblings"] == ["1 eval"], "the text of an eval, with its siblings", seen["evalShown"])
    tally.equal((seen["lineOn"], seen["gone"]), ("18", "13"), "a line by its address, and by g")
    lines = json.loads(assay("annotate", "--json", "--all", file).stdout)["sources"][0]["lines"]
    hottest = max((r for r in lines if r.get("self")), key=lambda r: r["self"]["stmt_ticks"])["line"]
    tally.equal(seen["hottest"], [str(hottest), "5"], "J goes to the hottest line")


def check_timeline(tally, seen):
    file = FIXTURES / "app.m"
    data = json.loads(assay("timeline", "--json", "--depth", "1", file).stdout)
    tally.equal(seen["depth1"], [[data["rows"][r["row"]]["name"] for r in s["rows"]] for s in data["streams"]], "lanes at depth 1")
    tally.equal((seen["leaves"], seen["depth2"]), ("0", "2"), "End shows leaves, a click on a frame its depth")
    tally.check(len(seen["stack"]) > 2 and seen["column"] and abs(sum(float(p.rstrip("%")) for p in seen["column"]) - 100) < 0.1, "the stack under the cross-hair, all lanes at this time", seen["stack"], seen["column"])
    tally.check(seen["oneLane"] and seen["oneLane"][0][1] > 1 and "THREAD" in seen["oneLane"][0][0], "the stacks of one stream over time", seen["oneLane"])
    top = json.loads(assay("top", "--json", "--limit", "0", "--time", seen["range"]["time"], file).stdout)
    tally.equal([r[0] for r in seen["rangeTable"]], [r["name"] for r in top["rows"]], "a range filters the table as --time does")
    tally.equal(seen["rangeUndone"], "", "Back takes the range off")
    tally.check(seen["byKey"] == "2", "t, part of a name, Enter", seen["byKey"])
    whole = json.loads(assay("top", "--json", file).stdout)["total"]
    tally.check(abs(digits(seen["bothTotal"].split(": ")[1]) - whole) < 1e-9, "two streams are added up", seen["bothTotal"], whole)
    tally.check(seen["bars"] > 0, "a histogram", seen["bars"])


def check_change(tally, seen, work):
    files = [work / "before.info", work / "after.info"]
    patch = json.loads(assay("patch", "--json", "--diff", work / "change.diff", files[0]).stdout)
    tally.equal(seen["patch"]["rate"], f"{patch['total_num_lines'] - patch['total_num_violations']} of {patch['total_num_lines']}", "coverage of a change")
    tally.check("not covered: 4" in seen["patch"]["rows"][0][-1], "its lines", seen["patch"]["rows"])
    tally.equal(seen["categories"], json.loads(assay("diff", "--json", "--diff", work / "change.diff", *files).stdout)["categories"], "categories with a diff")
    tally.equal(seen["compared"], json.loads(assay("diff", "--json", *files).stdout)["categories"], "categories without one")
    tally.equal(seen["untested"], ["src/a.c:4"], "hot and untested")
    tally.check({"hits", "self"} <= set(seen["bothGutters"]["heads"]), "cost beside hits", seen["bothGutters"])


def check_exported(tally, seen):
    data = json.loads(assay("top", "--json", "--limit", "0", FIXTURES / "demo.xdebug").stdout)
    tally.equal([r["name"] for r in seen["rows"]], [r["name"] for r in data["rows"]], "exported: the table")
    tally.equal(seen["byName"], sorted(r["name"] for r in data["rows"]), "exported: another order")
    tally.check(seen["boxes"] and seen["tree"], "exported: flame graph and tree", seen["boxes"][:1], seen["tree"][:1])


def check(tally, name, seen, work):
    tally.check("failed" not in seen, f"{name}: the browser got through", seen.get("failed"))
    tally.equal(seen["problems"], [], f"{name}: no message on the console")
    tally.equal(seen["requests"], [], f"{name}: no request to another host")
    if "failed" in seen:
        return
    if "exported" in walks_of(name):
        check_exported(tally, seen)
        return
    tally.check(seen["tokenGone"], f"{name}: the secret is not left in the address")
    walks = walks_of(name)
    if "screens" in walks:
        check_screens(tally, name, seen)
    if "figures" in walks:
        check_figures(tally, name, seen, work)
    if "every" in walks:
        check_every(tally, seen)
    if "partial" in walks:
        check_partial(tally, seen)
    if "tree" in walks:
        check_tree(tally, name, seen, work)
    if "keys" in walks:
        check_keys(tally, seen)
    if "address" in walks:
        check_address(tally, seen)
    if "callers" in walks:
        check_callers(tally, seen)
    if "coverage" in walks:
        check_coverage(tally, seen)
    if "streams" in walks:
        check_streams(tally, seen, work)
    if "more" in walks:
        check_more(tally, seen)
    if "compare" in walks:
        check_compare(tally, seen)
    if "pointer" in walks:
        check_pointer(tally, seen, work)
    if "chosen" in walks:
        check_chosen(tally, seen)
    if "source" in walks:
        check_source(tally, seen)
    if "timeline" in walks:
        check_timeline(tally, seen)
    if "change" in walks:
        check_change(tally, seen, work)
    for walk in walks:
        if walk in points.CHECKS:
            points.CHECKS[walk](tally, seen, work)
    if "history" in walks:
        log = json.loads(assay("cov", "-C", work / "repo", "log", "--json").stdout)["reports"]
        want = [[r["report"][:10], f"{r['stats']['lines']['visited']} of {r['stats']['lines']['relevant']}"] for r in log]
        tally.check(seen["points"] == 5 and seen["reports"] == want, "the history of a store", seen["points"], seen["reports"], want)
    if "slow" in walks:
        tally.check(seen["bar"] and seen["cancelled"], "waiting is shown and can be cancelled")
    if "gone" in walks:
        tally.check("No connection" in seen["lost"], "the end of the server is said", seen["lost"])
        first, second = seen["addresses"]
        tally.check(seen["stillLost"] == 0 and seen["backRows"] > 0 and first == second, "Retry works once it is started again on its port", seen["addresses"], seen["backRows"])
    if "contrast" in walks:
        tally.check(min(seen["contrast"]) >= 4.5, "text on boxes can be read in both themes", seen["contrast"])
        tally.check(seen["tabbed"]["n"] > 20 and not seen["tabbed"]["bad"], "the focus is visible on every control", seen["tabbed"])
    if "looks" in walks:
        tally.check(seen["light"] != seen["dark"], "light and dark differ", seen["light"])
        for width in (900, 420):
            tally.equal({s: w for s, w in seen[f"wide{width}"].items() if w > width}, {}, f"nothing is cut off at {width} pixels")
    if name == "damaged":
        found = json.loads(assay("check", "--json", FIXTURES / "killed.nytprof").stdout)["files"][0]
        tally.check("2 errors" in seen["strip"] and seen["findings"] == [f["rule"] for f in found["findings"]], "a damaged file: the strip and the findings", seen["strip"], seen["findings"])
        byte = (FIXTURES / "killed.nytprof").read_bytes()[found["findings"][0]["offset"]]
        tally.equal(seen["marked"], [f"{byte:02x}"], "the byte of the finding is marked")
        tally.check(seen["atLeast"].startswith("at least"), "totals read 'at least'", seen["atLeast"])
    if name == "hostile":
        tally.check(not seen["fired"] and all(s["images"] == 0 for s in seen["shown"].values()) and seen["shown"]["table"]["text"], "markup in names is text", seen["shown"])


def main():
    need_browser()
    tally = Tally()
    pictures = Path(os.environ.get("ASSAY_BROWSER_PICTURES") or BUILD / "pictures")
    pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        work = Path(folder)
        tally.equal(prepare(work), [], "samples are made")
        samples = [{"name": name, "diff": DIFF, **stack.enter_context(viewer([path_of(work, f) for f in files] or [f for f in others().values() if f], *(["--port", str(free_port())] if name == "gone" else []), XDG_RUNTIME_DIR=folder)), "walks": walks + (["pictures"] if name in SMALL else []), "pictures": SMALL.get(name, [])}
                   for name, (files, walks) in SAMPLES.items()]
        samples += real_samples(work, stack)
        only = os.environ.get("ASSAY_BROWSER_ONLY", "").split(",")  # for whoever works on one screen
        made = assay("view", "--export", work / "page.html", FIXTURES / "demo.xdebug")
        if tally.check(made.returncode == 0, "a page is exported", said(made)):
            samples.append({"name": "exported", "url": (work / "page.html").as_uri(), "walks": ["exported"]})
        result = run(shutil.which("node"), Path(__file__).with_name("view.js"), PLAYWRIGHT, shutil.which("chromium"), json.dumps([s for s in samples if only == [""] or s["name"] in only]), pictures, timeout=400)
        if tally.check(result.returncode == 0, "the browser ran", said(result)):
            for name, seen in json.loads(result.stdout).items():
                if only != [""]:
                    print(name, seen["times"])
                check(tally, name, seen, work)
    for picture in pictures.glob("view-*.png") if os.environ.get("ASSAY_DOC_PICTURES") else []:
        shutil.copy(picture, SOURCE / "docs/pictures")
    tally.finish()


if __name__ == "__main__":
    main()
