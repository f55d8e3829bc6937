#!/usr/bin/env python3
"""The official client of the Model Context Protocol over `assay mcp`: it begins a session, lists the tools, calls each on a real file, asks for what is refused, and
ends. What a tool answers is what the verb prints of the same file. Skipped without node and npm's @modelcontextprotocol/sdk."""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from peer import has  # noqa: E402
from support import ASSAY, FIXTURES, SHARED, SKIP, SOURCE, Tally, assay  # noqa: E402

LOADER = Path(__file__).resolve().parent / "loaders/mcp.mjs"
PATCH = "--- a/src/gate.cpp\n+++ b/src/gate.cpp\n@@ -6,0 +7,1 @@\n+    return later(gate);\n"
ENDLESS = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n"


def modules():
    """Where the package is, or None."""
    places = [os.environ.get("MCP_MODULES", ""), str(SOURCE / "build/peers/node_modules")]
    return next((p for p in places if p and (Path(p) / "@modelcontextprotocol/sdk/package.json").is_file()), None)


def session(folder, calls, where, runtime):
    env = {**os.environ, "MCP_MODULES": where, "XDG_RUNTIME_DIR": runtime}
    result = subprocess.run(["node", LOADER, ASSAY, "mcp", folder], input=json.dumps(calls).encode(), capture_output=True, env=env, timeout=120, check=False)
    return json.loads(result.stdout) if result.returncode == 0 else result


def call(name, **arguments):
    return {"name": name, "arguments": arguments}


def verbs(tally, where, runtime):
    """Each tool, and the verb that says the same."""
    f, info = str(FIXTURES / "demo.callgrind"), str(FIXTURES / "demo-2x.info")
    bounds = ["--foreign", "--symbols", FIXTURES]
    cases = [
        (call("top", file=f), ["top", "--limit", "20", *bounds, f]),
        (call("top", file="demo.callgrind", limit=2, sort="total"), ["top", "--limit", "2", "--sort", "total", f]),
        (call("tree", file=f, hot_path=True), ["tree", "--limit", "60", "--hot-path", f]),
        (call("callers", file=f, function="is_prime"), ["callers", "--limit", "20", "is_prime", f]),
        (call("annotate", file=info, missing=True), ["annotate", "--missing", "--source-root", FIXTURES, info]),
        (call("diff", file=f, after=str(FIXTURES / "demo-plain.callgrind")), ["diff", "--limit", "20", f, FIXTURES / "demo-plain.callgrind"]),
    ]
    if b"sqlite" in assay("--version").stdout:
        cases.append((call("query", files=[f], sql="select name, self from top order by self desc"), ["query", f, "select name, self from top order by self desc"]))
    found = session(FIXTURES, [c for c, _ in cases], where, runtime)
    if not tally.check(isinstance(found, dict), "the session", found):
        return
    tally.equal([t["name"] for t in found["tools"]], ["open", "top", "tree", "callers", "annotate", "diff"] + (["query"] if len(cases) > 6 else []), "tools")
    tally.check(found["bytes"] < 4096, f"definitions of {found['bytes']} bytes")
    tally.check(found["server"]["name"] == "assay" and "open" in found["instructions"] and found["capabilities"] == {"tools": {}}, "the server says what it is", found["server"])
    tally.check(found["closed"] < 1500, f"it ends by itself when it is closed ({found['closed']} ms; a signal would come after 2 s)")
    for (asked, verb), got in zip(cases, found["answers"]):
        want = assay(*verb).stdout.decode()
        tally.check(got.get("isError") is False and want and got["text"] == want, f"{asked['name']} {asked['arguments']}: what `assay {verb[0]}` prints", got, want)


def refusals(tally, where, runtime):
    calls = [call("open", file="demo.info"), call("diff", file="demo-2x.info", patch=PATCH), call("top", file="/etc/passwd"), call("top", file="../../README.md"), call("nothing"),
             call("top", file="demo.callgrind", limit="; rm -rf /"), call("top", file="demo.callgrind\0"), call("top", file="a" * 100000), call("top", file={"deep": [[[]]]})]
    found = session(FIXTURES, calls, where, runtime)
    if not tally.check(isinstance(found, dict), "the session", found):
        return
    opened, patch, *rest = found["answers"]
    tally.check(opened["isError"] is False and opened["text"].startswith("handle: f1\n") and "lcov" in opened["text"], "open", opened)
    tally.check(patch["isError"] is False and "gate.cpp" in patch["text"] and " 7" in patch["text"], "diff with a patch: the new line that no test runs", patch)
    tally.equal([a.get("error", a.get("isError")) for a in rest], [True, True, -32602, True, -32602, True, True], "what is refused, and how")
    tally.check(all("root:" not in a.get("text", "") for a in rest), "nothing of another file is told", rest)


def cancelling(tally, where, runtime):
    if b"sqlite" not in assay("--version").stdout:
        tally.skip("cancelling", "built without SQLite")
        return
    found = session(FIXTURES, [{**call("query", files=["demo.callgrind"], sql=ENDLESS), "cancel": True}, call("top", file="demo.callgrind", limit=1)], where, runtime)
    tally.check(isinstance(found, dict) and "is_prime" in found["answers"][1].get("text", "") and found["answers"][0]["error"] != "was not cancelled", "a call is cancelled, the next one answered", found)


def real_files(tally, where, runtime):
    """Files of the original programs, all of them read by open, top and tree."""
    for area in ("callgrind", "coverage/lcov", "coverage/cobertura", "exchange/pprof", "webgrind"):
        folder = SHARED / "data" / area
        names = sorted(p.name for p in folder.iterdir() if p.is_file() and p.suffix not in (".json", ".md", ".sh", ".py") and p.stat().st_size < 1 << 20)[:6] if folder.is_dir() else []
        if not names:
            tally.skip(f"files of {area}", "there are none here")
            continue
        found = session(folder, [call("open")] + [call(tool, file=name) for name in names for tool in ("open", "top")], where, runtime)
        if tally.check(isinstance(found, dict), f"{area}: the session", found):
            tally.check(found["answers"][0]["isError"] is False, f"{area}: the listing", found["answers"][0])
            for name, opened, top in zip(names, found["answers"][1::2], found["answers"][2::2]):
                print(f"{area}/{name}: open {opened.get('isError')}, top {top.get('isError')}")
                ours = assay("top", "--limit", "20", "--foreign", "--symbols", folder, "--source-root", folder, folder / name)
                tally.equal(top.get("isError"), ours.returncode >= 2, f"{area}/{name}: top")


def main():
    tally = Tally()
    where = modules()
    if not has(tally, "the official client", "node") or not where:
        print("no @modelcontextprotocol/sdk (build/peers, or $MCP_MODULES): skipped")
        sys.exit(SKIP)
    with tempfile.TemporaryDirectory() as runtime:
        for check in (verbs, refusals, cancelling, real_files):
            check(tally, where, runtime)
    tally.finish()


if __name__ == "__main__":
    main()
