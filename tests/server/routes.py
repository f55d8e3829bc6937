#!/usr/bin/env python3
"""Every route of `assay view` over loopback, on a sample of each system: its figures are those that the verbs print with --json."""
import base64
import gzip
import itertools
import json
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))
from client import Viewer, decode  # noqa: E402
from support import ASSAY, FIXTURES, SHARED, Tally, assay, has_shared  # noqa: E402


def verb(*args):
    return json.loads(assay(*map(str, args)).stdout)


def figure(answer, column, row, k):
    return answer[column][row * len(answer["metrics"]) + k]


def rows_of(answer, total=True, by="function"):
    """The rows of a table as `top --json` has them."""
    names, rows = answer["names"], []
    for i in range(answer["rows"]):
        row = {"name": names[answer["file" if by == "line" else "name"][i]], "line": answer["line"][i], "calls": answer["calls"][i]}
        for kind in ("self", "total") if total else ("self",):
            row[kind] = {m["name"]: figure(answer, kind, i, k) for k, m in enumerate(answer["metrics"])}
        rows.append(row)
    return rows


def check_overview(tally, viewer, path, name):
    tally.equal(viewer.get("overview")["info"], verb("info", "--json", path), f"{name}: overview is what info prints")


def check_table(tally, viewer, path, name):
    for by in ("function", "file", "line"):
        status, got = viewer.ask("table", by=by, count=0)
        printed = assay("top", "--json", "-n", "0", *(["--by", by] if by != "function" else []), str(path))
        if printed.returncode != 0:
            tally.check(status == 422, f"{name}: table by {by} is refused as top is", got)
            continue
        want = json.loads(printed.stdout)
        has_total = bool(want["rows"]) and "total" in want["rows"][0] and "total" in got
        for row in want["rows"] if by == "line" else []:  # the page has file and line apart, and the function besides
            row["name"] = row["file"] or ""
        keys = ("name", "self", "total", "calls") if has_total else ("name", "self", "calls")
        tally.equal([{k: r[k] for k in keys} for r in rows_of(got, has_total, by)], [{k: r.get(k) for k in keys} for r in want["rows"]], f"{name}: table by {by}")
        tally.check(got["command"].startswith("assay top "), f"{name}: command", got["command"])
    window = viewer.get("table", **{"from": 1, "count": 2})
    tally.equal(rows_of(window, False), rows_of(viewer.get("table", count=0), False)[1:3], f"{name}: a window of the table")


def check_chosen(tally, viewer, path, name):
    """Kinds of functions by webgrind's rules, which are stated here again; rows that make up a share."""
    rows = verb("top", "--json", "-n", "0", path)
    metric, kinds = rows["metric"], {}
    for row in rows["rows"]:
        n = row["name"]
        kind = "internal" if "php::" in n else "include" if re.match("(include|require)(_once)?::", n) else "class" if "->" in n or "::" in n else "procedural"
        kinds.setdefault(kind, []).append((row["self"][metric], n))
    overview = viewer.get("overview")
    tally.equal({k["name"]: k["self"] for k in overview["kinds"]}, {k: sum(s for s, _ in v) for k, v in kinds.items()}, f"{name}: cost by kind of function")
    own = viewer.get("table", own=1, count=0)
    tally.equal(sorted(own["names"][n] for n in own["name"]), sorted(n for k, v in kinds.items() if k != "internal" for _, n in v), f"{name}: without internal functions")
    part = viewer.get("table", own=1, share=90, sort="name", count=0)
    whole, some = own["self_sum"], [figure(part, "self", i, part["key"]) for i in range(part["rows"])]
    tally.check(sum(some) == part["self_sum"] >= 0.9 * whole > sum(some) - min(some) and part["rows"] < own["rows"], f"{name}: the fewest rows that make up 90 %", some, whole)
    least = viewer.get("overview", min=10)
    tally.equal((least["shown"], least["listed"]), (len([r for r in rows["rows"] if r["self"][metric] >= 0.1 * rows["total"]]), len(rows["rows"])), f"{name}: functions of at least 10 %")


def check_saved(tally, viewer, path, name, work):
    for to in ("folded", "callgrind", "speedscope"):
        made = assay("convert", "--to", to, "--focus", "fib", "-o", work / to, path)
        status, _, data = viewer.raw(f"/api/convert?to={to}&focus=fib")
        tally.check(made.returncode == 0 and status == 200 and data == (work / to).read_bytes(), f"{name}: saved as {to} with a filter", status, data[:200])


def check_change(tally, work):
    """A change of the sources: what patch and diff say of it."""
    diff = b"--- a/src/a.c\n+++ b/src/a.c\n@@ -3,0 +4,1 @@\n+x\n"
    (work / "c.diff").write_bytes(diff)
    for i, hits in enumerate(((1, 1, 0, 1), (1, 1, 2, 0))):
        (work / f"{i}.info").write_text("SF:src/a.c\n" + "".join(f"DA:{n},{h}\n" for n, h in zip((1, 3, 4, 5), hits)) + "end_of_record\n")
    files = [work / "0.info", work / "1.info"]
    with Viewer(ASSAY, *files) as viewer:
        for params, command in (({}, ["patch", files[0]]), ({"b": 2}, ["diff", *files])):
            status, got = viewer.ask("change", method="POST", body=diff, **params)
            want = verb(*command, "--json", "--diff", work / "c.diff")
            tally.equal((status, {**got["report"], "diff_name": ""}), (200, {**want, "diff_name": ""}), f"a change: {command[0]}")
        status, got = viewer.ask("change", method="POST", body=b"nothing")
        tally.check(status == 422 and "diff" in got["error"]["message"], "what is no diff is refused with a sentence", got)


def check_history(tally, work):
    """Reports of a coverage store, as cov log has them."""
    repo = work / "repo"
    (repo / "src").mkdir(parents=True)
    (repo / "src/a.c").write_text("int f(void)\n{\n    return 1;\n}\n")
    git = ["git", "-C", repo, "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for command in (["init", "-q", "."], ["add", "-A"], ["commit", "-qm", "one"]):
        subprocess.run([*git, *command], check=True, capture_output=True)
    made = [assay("cov", "-C", repo, "init")]
    for i in range(5):
        (work / "h.info").write_text(f"SF:src/a.c\nDA:1,{int(i > 0)}\nDA:3,{int(i > 1)}\nDA:4,{i}\nend_of_record\n")
        made.append(assay("cov", "-C", repo, "import", work / "h.info"))
    tally.check(all(m.returncode == 0 for m in made), "a store with five reports", [m.stderr for m in made])
    log = json.loads(assay("cov", "-C", repo, "log", "--json").stdout)
    with Viewer(ASSAY, repo / ".git/.covdata") as viewer:
        points = viewer.get("history")["points"]
    want = [(r["report"], r["stats"]["lines"]["visited"], r["stats"]["lines"]["relevant"]) for r in log["reports"]]
    tally.equal([(p["id"], p["lines_hit"], p["lines"]) for p in points], want, "history has the reports of cov log")
    tally.equal([p["lines_hit"] for p in points], [3, 3, 3, 2, 0], "lines that were hit, newest first")


def open_tree(viewer, **params):
    """All rows, opened one by one, depth first as the verb prints them: (depth, name, self, total, calls)."""
    rows = []

    def visit(path):
        answer = viewer.get("tree", path=path, count=0, **params)
        for i in range(answer["rows"]):
            rows.append((answer["depth"][i], answer["names"][answer["name"][i]], answer["self"][i] if answer["has_self"][i] else None, answer["total"][i], answer["calls"][i]))
            below = f"{path}/{answer['position'][i]}" if path else str(answer["position"][i])
            if answer["more"][i]:
                visit(below)

    visit("")
    return rows, viewer.get("tree", **params)["metric"]


def check_tree(tally, viewer, path, name):
    for view in ("top-down", "bottom-up", "flat"):
        args = [] if view == "top-down" else ["--" + view]
        got, metric = open_tree(viewer, view=view, detail="functions")
        want = verb("tree", "--json", "--functions", *args, "-n", "0", path)["rows"]
        seen = [(r["depth"], r["name"], r["self"][metric] if r.get("self") else None, r["total"][metric], r["calls"]) for r in want]
        tally.equal([(d, n, t, c) for d, n, _, t, c in got], [(d, n, t, c) for d, n, _, t, c in seen], f"{name}: tree {view}")


def check_flame(tally, viewer, path, name):
    """Boxes are the contexts by function, and each level is as wide as what is on it."""
    got = viewer.get("flame", width=0)
    metric = got["metric"]
    want = verb("tree", "--json", "--functions", "-n", "0", path)["rows"]
    boxes = sorted((got["level"][i] + 1, got["names"][got["name"][i]], got["total"][i]) for i in range(got["rows"]))
    plain = [(r["depth"], r["name"].strip("<>") if r["kind"] == "entry" else r["name"] or "<unknown>", r["total"][metric]) for r in want]
    tally.equal([b for b in boxes if b[2]], sorted(p for p in plain if p[2]), f"{name}: flame has all contexts")
    widest = max(got["root_total"], 1e-300)
    tally.check(all(abs(got["w"][i] - got["total"][i] / widest) < 1e-9 for i in range(got["rows"]) if got["total"][i] > 0), f"{name}: widths are shares")
    inside = all(not p or (got["x"][i] >= got["x"][p - 1] - 1e-9 and got["x"][i] + got["w"][i] <= got["x"][p - 1] + got["w"][p - 1] + 1e-6) for i, p in enumerate(got["parent"]))
    tally.check(inside, f"{name}: boxes stand on their parents")
    small = viewer.get("flame", width=8)
    tally.check(small["rows"] <= got["rows"] and all(w * 8 >= 0.5 or m for w, m in zip(small["w"], small["more"])), f"{name}: nothing is narrower than half a pixel")


def check_callers(tally, viewer, path, name):
    top = viewer.get("table", count=3)
    for i in range(top["rows"]):
        function = top["names"][top["name"][i]]
        want = verb("callers", "--json", "-n", "100", function, path)
        tally.equal(viewer.get("callers", function=function)["report"], want, f"{name}: callers of {function}")
    graph = viewer.get("graph", node=0, edge=0, nodes=500)
    figures = {(graph["names"][graph["name"][i]]): (graph["self"][i], graph["calls"][i]) for i in range(graph["rows"])}
    rows = {r["name"]: (r["self"][graph["metric"]], r["calls"]) for r in verb("top", "--json", "-n", "0", path)["rows"]}
    tally.check(all(figures.get(k) == v for k, v in rows.items() if list(rows).count(k) == 1 and k in figures), f"{name}: nodes of the graph are those of top", figures, rows)


def check_source(tally, viewer, path, name):
    status, listed = viewer.ask("sources", count=0)
    printed = assay("annotate", "--json", "-n", "0", str(path))
    if printed.returncode != 0:
        tally.check(status == 422 or not listed["rows"], f"{name}: sources are refused as annotate is", listed)
        return
    want = json.loads(printed.stdout)["sources"]
    tally.equal(listed["path"], [f["file"] for f in want], f"{name}: sources are those of annotate")
    for number, source in zip(listed["id"], want):
        got = viewer.get("source", id=number)
        rows = [{"line": got["line"][i], "calls": got["calls"][i]} for i in range(got["rows"])]
        lines = [r for r in source["lines"]]
        tally.equal([r["line"] for r in rows if r["line"]], [r["line"] for r in lines if r.get("line")], f"{name}: lines of {source['file']}")
        if "self" in got:
            key = [m["name"] for m in got["metrics"]]
            seen = [{k: figure(got, "self", i, n) for n, k in enumerate(key)} for i in range(got["rows"]) if got["has_cost"][i]]
            tally.equal(seen, [{k: r["self"].get(k, 0) for k in key} for r in lines if r.get("self")], f"{name}: cost of lines of {source['file']}")
        hits = [got["hits"][i] for i in range(got["rows"]) if got["has_hits"][i]]
        tally.equal(hits, [r["hits"] for r in lines if r.get("hits") is not None], f"{name}: hits of {source['file']}")


def check_timeline(tally, viewer, path, name):
    printed = assay("timeline", "--json", "--depth", "2", str(path))
    status, got = viewer.ask("timeline", depth=2, columns=100)
    if printed.returncode != 0:
        tally.check(status == 422, f"{name}: the timeline is refused as the verb does", status, got)
        return
    want = json.loads(printed.stdout)
    tally.equal((got["recorded"], got["idle"], got["deepest"]), (want["time"], want["idle"], want["deepest"]), f"{name}: timeline, totals")
    rows = [(got["names"][got["share_name"][i]], got["share_time"][i]) for i in range(len(got["share_name"]))]
    tally.equal(rows, [(r["name"], r["time"]) for r in want["rows"]][:len(rows)], f"{name}: timeline, functions of the window")
    stack = viewer.get("stack", lane=0, at=got["begin"])
    tally.check(not stack["node"] or stack["frames"], f"{name}: stack at the beginning", stack)


def check_problems(tally, viewer, path, name):
    tally.equal(viewer.get("problems")["report"], verb("check", "--json", "--all", path), f"{name}: problems are what check finds")


def check_reports(tally, viewer, path, name):
    for form, option in (("csv", "--csv"), ("markdown", "--markdown"), ("json", "--json")):
        status, got = viewer.ask("report", verb="top", form=form, limit=0)
        text = got if isinstance(got, bytes) else json.dumps(got)
        want = assay("top", option, "-n", "0", str(path)).stdout
        tally.equal((status, json.loads(text) if form == "json" else text.decode()), (200, json.loads(want) if form == "json" else want.decode()), f"{name}: report top {form}")


def check_filters(tally, viewer, path, name):
    top = viewer.get("table", count=1)
    function = top["names"][top["name"][0]]
    pattern = "^" + "".join("\\" + c if c in "\\^$.[]|()?*+{}" else c for c in function) + "$"
    for key in ("focus", "ignore", "hide"):
        printed = assay("top", "--json", "-n", "0", f"--{key}", pattern, str(path))
        status, got = viewer.ask("table", count=0, **{key: pattern})
        if printed.returncode != 0:
            tally.check(status != 200, f"{name}: --{key} is refused", got)
            continue
        want = [{k: r[k] for k in ("name", "self", "calls")} for r in json.loads(printed.stdout)["rows"]]
        tally.equal([{k: r[k] for k in ("name", "self", "calls")} for r in rows_of(got, False)], want, f"{name}: table with {key}")
        tally.check(f"--{key}" in got["command"], f"{name}: the command says --{key}", got["command"])
    found = viewer.get("search", q="/" + pattern + "/")
    focused = verb("top", "--json", "--focus", pattern, path)
    tally.equal(found["matched"], focused["total"], f"{name}: search says what top --focus says")


def check_context(tally, viewer, path, name):
    flame = viewer.get("flame", width=0)
    for i in range(min(flame["rows"], 5)):
        got = viewer.get("context", id=flame["id"][i])
        tally.equal((got["name"], got["figures"][0]["total"], len(got["stack"])), (flame["names"][flame["name"][i]], flame["total"][i], flame["level"][i] + 1), f"{name}: context {i}")


def check_streams(tally, viewer, path, name):
    info = verb("info", "--json", path)["files"][0]
    status, got = viewer.ask("streams")
    if len(info.get("streams", [])) < 1 or status == 422:
        tally.check(status in (200, 422), f"{name}: streams", got)
        return
    want = [s.get("total") for s in info["streams"]]
    tally.equal([got["self"][i] for i in range(got["rows"])][:len(want)], want, f"{name}: streams have the totals of info")
    values = got.get("total") or got["self"]
    tally.check(abs(got["mean"] - sum(values) / len(values)) <= 1e-9 * max(1, abs(got["mean"])) and got["max"] == max(values) and got["min"] == min(values), f"{name}: mean and ends")
    measured = sum(1 for v in got["self"] if v)
    if measured:  # of --stats: docs/streams.md
        tally.check(abs(got["imbalance"] - (max(values) * measured / sum(values) - 1)) <= 1e-9 * max(1, got["imbalance"]), f"{name}: imbalance", got["imbalance"], measured)
        status, said = viewer.ask("report", verb="top", form="json", by="stream")
        stats = json.loads(said)["stats"] if isinstance(said, bytes) else said.get("stats") if status == 200 else None
        if stats and stats.get("imbalance") is not None:
            tally.check(abs(stats["imbalance"] - got["imbalance"]) <= 1e-9 * max(1, got["imbalance"]), f"{name}: the imbalance of top --by stream", stats, got["imbalance"])
    check_functions_over_streams(tally, viewer, name)


def check_functions_over_streams(tally, viewer, name):
    """What streams have of a function adds up to what the table has of it, wherever a file keeps its costs."""
    table = viewer.get("table", by="function", count=5)
    for i in range(table["rows"]):
        status, got = viewer.ask("streams", func=table["func"][i])
        for kind in ("self", "total"):
            if status == 200 and kind in got and len(got[kind]) > 1:
                want = figure(table, kind, i, 0)
                tally.check(abs(sum(got[kind]) - want) <= 1e-9 * abs(want), f"{name}: {kind} of function {i} over streams", sum(got[kind]), want)


def check_coverage(tally, viewer, path, name):
    for by, sort in itertools.product(("file", "directory"), ("lines", "functions", "branches", "missed", "name")):
        want = verb("top", "--json", "--by", by, "--sort", sort, "-n", "0", path)
        got = viewer.get("coverage", by=by, sort=sort, count=0)
        tally.equal({k: got["whole"][k] for k in ("lines", "lines_hit", "branches")}, {k: want["total"][k] for k in ("lines", "lines_hit", "branches")}, f"{name}: coverage of all")
        if by == "file":
            tally.equal(got["missing"], [r["missing"] for r in want["rows"]], f"{name}: missed lines by {sort}")
        rows = [(got["path"][i], got["lines"][i], got["lines_hit"][i], got["functions"][i], got["functions_hit"][i], got["branches"][i], got["branches_hit"][i]) for i in range(got["rows"])]
        seen = [(r.get("name") or r.get("path"), r["lines"], r["lines_hit"], r["functions"], r["functions_hit"], r["branches"], r["branches_hit"])
                for r in want["rows"]]
        tally.equal(rows, seen, f"{name}: coverage by {by} and {sort}")


def check_diff(tally, before, after):
    with Viewer(ASSAY, "--compare", before, after) as viewer:
        tally.equal(viewer.get("session")["b"], 2, "two files are compared")
        got = viewer.get("diff", b=2, count=0)
        want = verb("diff", "--json", "-n", "0", before, after)
        rows = [(got["names"][got["name"][i]], got["before_self"][i], got["after_self"][i], got["before_total"][i], got["after_total"][i]) for i in range(got["rows"])]
        metric = got["metric"]
        seen = [(r["name"], *(r[side][kind][metric] for kind in ("self", "total") for side in ("before", "after"))) for r in want["rows"]]
        tally.equal(rows, seen, "rows of diff")
        gone = viewer.get("diff", b=2, which="gone", count=0)
        tally.equal(sorted(gone["names"][n] for n in gone["name"]), sorted(r["name"] for r in want["rows"] if r["state"] == "gone"), "functions that are gone")
        tally.equal(viewer.get("coverage-diff", b=2)["report"], verb("diff", "--json", before, after), "the report of diff")
        merged = viewer.get("table", a="1,2", count=0)
        tally.check(merged["metrics"][0]["total"] == sum(verb("info", "--json", p)["files"][0]["metrics"][0]["total"] for p in (before, after)), "two inputs merged")


def boxes_of(answer, *columns):
    return {answer["names"][answer["name"][i]]: tuple(answer[c][i] for c in columns) for i in range(answer["rows"])}


def check_shapes(tally, tmp):
    """Flame graphs of two inputs, around a function, without recursion, over time; figures by hand."""
    before, after, deep = (Path(tmp) / n for n in ("before.folded", "after.folded", "deep.folded"))
    before.write_text("a;b 3\na;c 4\n")
    after.write_text("a;b 5\na;d 4\n")
    deep.write_text("a;f;f;g 3\na;f;h;f;g 4\na;f 1\nz;f;g 2\n")
    with Viewer(ASSAY, before, after) as viewer:
        got = viewer.get("flame", b=2)
        tally.equal(boxes_of(got, "before", "after", "total"), {"a": (7, 9, 10), "b": (3, 5, 2), "c": (4, 0, 4), "d": (0, 4, 4)}, "a flame graph of two inputs: what grew and shrank, added up")
        tally.equal(got["root_total"], 10, "and its width")
    with Viewer(ASSAY, deep) as viewer:
        kept = viewer.get("flame")
        direct = viewer.get("flame", recursion="direct")
        none = viewer.get("flame", recursion="all")
        tally.equal((kept["deepest"], direct["deepest"], none["deepest"]), (5, 5, 3), "recursion is folded")
        tally.equal((direct["root_total"], none["root_total"]), (10, 10), "and nothing is lost")
        levels = sorted((none["level"][i], none["names"][none["name"][i]], none["self"][i], none["total"][i]) for i in range(none["rows"]) if not none["more"][i])
        tally.equal(levels, [(0, "a", 0, 8), (0, "z", 0, 2), (1, "f", 0, 2), (1, "f", 1, 8), (2, "g", 2, 2), (2, "g", 7, 7)], "what a folded call calls stands below the outer one")
        table = viewer.get("table", count=0)
        func = table["func"][[table["names"][n] for n in table["name"]].index("f")]
        down, up = viewer.get("flame", function=func), viewer.get("flame", function=func, view="bottom-up")
        tally.equal((down["root_total"], up["root_total"]), (10, 10), "around a function: both sides have its total")
        callers = sorted((up["names"][up["name"][i]], up["total"][i]) for i in range(up["rows"]) if up["level"][i] == 1 and up["total"][i])
        tally.equal(callers, [("a", 8), ("z", 2)], "its callers")
    with Viewer(ASSAY, FIXTURES / "demo.xdebug") as viewer:
        got, chart = viewer.get("flame", order="time"), verb("timeline", "--json", FIXTURES / "demo.xdebug")
        tally.equal((got["from"], got["to"], got["x"][0], got["w"][0]), (chart["window"]["from"], chart["window"]["to"], 0, 1), "a flame graph over time")
        tally.check(all(p == 0 or got["level"][p - 1] == got["level"][i] - 1 for i, p in enumerate(got["parent"])), "boxes stand on the level above")


def check_folder(tally, tmp):
    folder = Path(tmp) / "runs"
    folder.mkdir()
    for n in ("demo.folded", "demo.callgrind", "demo.xdebug"):
        (folder / n).write_bytes((FIXTURES / n).read_bytes())
    (folder / "notes.txt").write_text("nothing to see\n")
    with Viewer(ASSAY, folder) as viewer:
        tally.equal(sorted(i["name"] for i in viewer.get("session")["inputs"]), ["demo.callgrind", "demo.folded", "demo.xdebug"], "a folder stands for its files")
        (folder / "demo2.folded").write_text("a;b 3\n")
        status, session = viewer.ask("rescan", method="POST")
        tally.equal((status, session["inputs"][3]["name"], len(session["inputs"])), (200, "demo2.folded", 4), "rescan finds a new file")
        tally.equal(viewer.get("flame", a=4)["root_total"], 3, "which can be shown")
        (folder / "demo2.folded").write_text("a;b 3\na;c 4\n")
        tally.check(viewer.get("session")["inputs"][3]["changed"], "a file that changed is told")
        viewer.ask("reload", method="POST", a=4)
        tally.equal(viewer.get("flame", a=4)["root_total"], 7, "and read again")


def check_export(tally, tmp, path):
    out = Path(tmp) / "page.html"
    done = assay("view", "--export", str(out), str(path))
    page = out.read_text()
    stored = re.search(r'<script type="application/octet-stream" id="assay-data">([A-Za-z0-9+/=]+)</script>', page)
    tally.check(done.returncode == 0 and stored, f"{path.name}: exported", done.stderr)
    data = decode(gzip.decompress(base64.b64decode(stored[1])))
    body = bytes(data["body"])
    answers = {k: body[int(a):int(b)] for k, a, b in zip(data["key"], data["begin"], data["begin"][1:])}
    session = json.loads(answers["session"])
    tally.check(session["exported"] and "0.01 %" in session["left_out"], f"{path.name}: the page says what it left out", session)
    with Viewer(ASSAY, path) as viewer:
        live = viewer.get("table", by="function", count=0, min=0.01)
        kept = decode(answers["table?by=function&count=0"])
        tally.equal((kept["name"], kept["names"], kept["self"]), (live["name"], live["names"], live["self"]), f"{path.name}: the exported table is the live one")
    tally.check("http://" not in re.sub(r"http://www\.w3\.org/\S+", "", page.split("<script>")[0].replace("http-equiv", "")), f"{path.name}: nothing is loaded from elsewhere")


def check_masked(tally, tmp):
    """Without the names of folders, wherever they stand: files, commands, names of closures."""
    out = Path(tmp) / "masked.html"
    for path in (FIXTURES / "demo.xdebug", FIXTURES / "demo.nytprof", FIXTURES / "demo.v8-cpuprofile"):
        done = assay("view", "--export", str(out), "--no-paths", "--no-sources", str(path))
        stored = re.search(r'id="assay-data">([A-Za-z0-9+/=]+)<', out.read_text())
        tally.check(done.returncode == 0 and stored, f"{path.name}: exported without paths", done.stderr)
        data = decode(gzip.decompress(base64.b64decode(stored[1])))
        body = bytes(data["body"])
        tally.check(b"/tmp" not in body and b"/demo/" not in body and str(path.parent).encode() not in body, f"{path.name}: no folder is in it", re.findall(rb".{20}/tmp.{20}", body)[:3])
        answers = {k: body[int(a):int(b)] for k, a, b in zip(data["key"], data["begin"], data["begin"][1:])}
        tally.check("names of folders" in json.loads(answers["session"])["left_out"], f"{path.name}: the page says so")
        with Viewer(ASSAY, path) as viewer:
            live, kept = viewer.get("table", by="function", count=0, min=0.01), decode(answers["table?by=function&count=0"])
        files = {Path(live["names"][f]).name for f in live["file"]}
        tally.equal({Path(kept["names"][f]).name for f in kept["file"]}, files, f"{path.name}: files keep their names")
        tally.equal(kept["self"], live["self"], f"{path.name}: and their figures")


COST = [FIXTURES / n for n in ("demo.xdebug", "demo.callgrind", "demo.nytprof", "demo.nytprof-tlv", "demo.folded")]
CHECKS = [check_overview, check_table, check_tree, check_flame, check_callers, check_source, check_timeline, check_problems, check_reports, check_filters, check_context, check_streams]
COVERAGE = [FIXTURES / "demo.info", FIXTURES / "demo.cobertura.xml", FIXTURES / "demo.cov"]


def run(tally, path, checks):
    with Viewer(ASSAY, path) as viewer:
        for check in checks:
            try:
                check(tally, viewer, path, path.name)
            except (AssertionError, KeyError, ValueError) as problem:
                tally.check(False, f"{path.name}: {check.__name__}", repr(problem)[:1000])


def check_no_sources(tally, tmp):
    """Sources go into an exported page unless they are not wanted; the page says so."""
    pages = []
    for options in ([], ["--no-sources"]):
        out = Path(tmp) / "sources.html"
        made = assay("view", *options, "--export", str(out), str(FIXTURES / "demo.nytprof"))
        stored = decode(gzip.decompress(base64.b64decode(re.search(r'id="assay-data">([^<]+)<', out.read_text())[1])))
        pages.append((made.returncode, any(k.startswith("source?") for k in stored["key"]), b"length($a) <=> length($b)" in bytes(stored["body"])))
    tally.equal(pages, [(0, True, True), (0, False, False)], "an exported page with and without sources")


def check_partial(tally, tmp):
    """The first question of a large call graph: calls by line and files by the cost of their functions, while the cost of lines has yet to be read."""
    path = Path(tmp) / "large.callgrind"
    costs = "".join(f"{n} {n % 7 + 1}\n" for n in range(10, 1010))
    path.write_text("events: Ir\nfl=cheap.c\nfn=cheap\n1 5\ncfi=dear.c\ncfn=dear\ncalls=2 10\n3 600\nfl=dear.c\nfn=dear\n" + costs * 1500)
    with Viewer(ASSAY, path) as viewer:
        listed, got = viewer.get("sources", now=1), viewer.get("source", now=1, path="cheap.c")
        tally.check(listed["partial"] and listed["path"] == ["dear.c", "cheap.c"], "large: files by the cost of their functions", listed)
        tally.equal((got["partial"], got["line"], got["calls"], got["in_calls"], "self" in got), (True, [3], [2], [600], False), "large: calls by line are known at once")
        whole, exact = viewer.get("sources"), viewer.get("source", path="cheap.c")
        tally.equal((whole["partial"], whole["path"], exact["line"], exact["self"], exact["calls"]), (False, ["dear.c", "cheap.c"], [1, 3], [5, 0], [0, 2]), "large: then the cost of lines")
        dear = viewer.get("source", now=1, path="dear.c")
        tally.equal((dear["partial"], dear["self"]), (False, [1500 * (n % 7 + 1) for n in range(10, 1010)]), "large: and nothing is asked for again")


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory() as tmp:
        made = [Path(tmp) / "demo.webgrind", Path(tmp) / "app.db"]
        assay("convert", str(FIXTURES / "demo.xdebug"), "--to", "webgrind", "-o", str(made[0]))
        assay("convert", str(FIXTURES / "app.m"), "--to", "hpcdb", "-o", str(made[1]))
        for path in [*COST, FIXTURES / "app.m", *made]:
            run(tally, path, CHECKS)
        if has_shared():
            with tarfile.open(SHARED / "data" / "hpcdb" / "lmp-openmp.tar.gz") as archive:
                archive.extractall(tmp)
            with Viewer(ASSAY, Path(tmp) / "lmp-openmp") as viewer:  # its costs stand at hidden contexts
                check_functions_over_streams(tally, viewer, "lmp-openmp")
        for path in COVERAGE:
            run(tally, path, [check_overview, check_source, check_problems, check_coverage])
        check_diff(tally, FIXTURES / "demo.callgrind", FIXTURES / "demo-plain.callgrind")
        with Viewer(ASSAY, FIXTURES / "demo.xdebug") as viewer:
            check_chosen(tally, viewer, FIXTURES / "demo.xdebug", "demo.xdebug")
            check_saved(tally, viewer, FIXTURES / "demo.xdebug", "demo.xdebug", Path(tmp))
        (Path(tmp) / "coverage").mkdir()
        check_change(tally, Path(tmp) / "coverage")
        check_history(tally, Path(tmp) / "coverage")
        check_folder(tally, tmp)
        check_shapes(tally, tmp)
        check_masked(tally, tmp)
        for path in (FIXTURES / "demo.xdebug", FIXTURES / "demo.nytprof"):
            check_export(tally, tmp, path)
        check_no_sources(tally, tmp)
        check_partial(tally, tmp)
    tally.finish()


if __name__ == "__main__":
    main()
