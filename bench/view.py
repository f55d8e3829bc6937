#!/usr/bin/env python3
"""bench/view.py [--mb 200] [--only NAME]: the page of `assay view` on large files, in chromium: first picture, interactions, heap of the page, memory of the
server; and speedscope (npm) beside it where build/peers has it. Prints rows for README.md. Needs what tests/web/view.py needs.

"read" is what the server takes until it has answered the first questions; everything else is measured after that. "first picture" is from the start of the
navigation to the frame after the first figures are there. A step is one key or one change of the address, up to the frame that shows its last change: CPU of the page's thread in
between (marks in the browser's trace carry it), of all threads of the server, and the clock, which on a busy machine says several times as much. Memory is the largest RssAnon, of the server from its start to the end of the walk, and of the commands that answer the same
questions of the same file, each for itself."""
import argparse
import json
import os
import shutil
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench"))
from inputs import Inputs  # noqa: E402
from measure import POLL_S, memory_of, run  # noqa: E402

PLAYWRIGHT = Path(os.environ.get("ASSAY_BROWSER") or ROOT / "build/browser/node_modules") / "playwright-core"
SPEEDSCOPE = ROOT / "build/peers/node_modules/speedscope/dist/release"
# What is looked at: the screens, in order. `mb` is of the input at --mb 200.
FLAME = ["flame", "flame-select", "flame-zoom", "flame-out"]
TREE = ["tree", "tree-down", "tree-open"]
TABLE = ["table", "table-sort", "table-end"]
JOBS = {
    "database": ("hpcdb-1m", 200, [*FLAME, "bottom-up", *TABLE, *TREE, "callers", "streams", "search", "overview"]),
    "values": ("hpcdb", 200, [*FLAME, *TABLE, *TREE, "streams", "search", "overview"]),
    "callgrind": ("valgrind", 200, ["source", "source-lines", *FLAME, *TABLE, *TREE, "callers", "source-again", "search", "overview"]),
    "trace": ("hpcdb-traces", 200, ["timeline", "timeline-zoom", "timeline-deeper", "timeline-stack", "timeline-range", "table", "flame", "overview"]),
    "coverage": ("lcov", 200, ["coverage", "coverage-sort", "coverage-end", "folders", "source", "overview"]),
    "folded": ("folded", 20, [*FLAME, *TABLE, *TREE, "search", "overview"]),
}


# What commands print of the same questions; NAME = a function of the file.
VERBS = {
    "database": [["top"], ["flame", "-o", os.devnull], ["flame", "--bottom-up", "-o", os.devnull], ["tree"], ["tree", "--bottom-up"], ["callers", "NAME"], ["top", "--focus", "a"]],
    "values": [["top"], ["flame", "-o", os.devnull], ["tree"]],
    "callgrind": [["top"], ["flame", "--estimate", "-o", os.devnull], ["tree", "--bottom-up"], ["callers", "NAME"], ["annotate"]],
    "trace": [["top"], ["timeline"], ["timeline", "--time", "25%..75%"], ["top", "--time", "25%..75%"]],
    "coverage": [["top"], ["top", "--by", "directory"], ["annotate"]],
    "folded": [["top"], ["flame", "-o", os.devnull], ["tree"], ["callers", "NAME"]],
}


class Peak(threading.Thread):
    """The largest anonymous memory of a process while it runs, in MB."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.over, self.most = pid, threading.Event(), 0
        self.start()

    def run(self):
        while not self.over.wait(POLL_S):
            self.most = max(self.most, memory_of(self.pid).get("RssAnon", 0) / 2**20)

    def end(self):
        self.over.set()
        self.join()
        return self.most


def largest_verb(assay, path, verbs):
    """The command with the largest peak, and that."""
    name = json.loads(subprocess.run([assay, "top", "--json=short", "-n", "1", path], capture_output=True, text=True).stdout)["rows"][0].get("name", "")
    return max((run([assay, *(name if word == "NAME" else word for word in verb), path], watch=True).anon / 2**20, verb[0] + (" --time" if "--time" in verb else "")) for verb in verbs)


def spent(pid):
    """Seconds of CPU."""
    stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")


def wait_until_read(address, pid):
    """Seconds of CPU until the server has read the file and answered what the first screens ask."""
    base, token = address.split("#t=")
    for route in ("overview", "table?count=10", "flame?width=1280", "timeline?columns=900"):
        try:
            urllib.request.urlopen(urllib.request.Request(f"{base}api/{route}", headers={"X-Assay": token}), timeout=600).read()
        except urllib.error.HTTPError:
            pass
    return spent(pid)


def look(script, *args):
    result = subprocess.run([shutil.which("node"), ROOT / "bench" / script, PLAYWRIGHT, shutil.which("chromium"), *map(str, args)], capture_output=True, text=True, timeout=900)
    if result.returncode != 0:
        sys.exit(result.stderr[-2000:])
    return json.loads(result.stdout)


def measure(assay, path, steps):
    server = subprocess.Popen([assay, "view", "--no-open", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    peak = Peak(server.pid)
    try:
        address = server.stdout.readline().strip()
        read = wait_until_read(address, server.pid)
        seen = look("view.js", address, json.dumps(steps), server.pid)
        seen.update(read=read, server=peak.end())
        return seen
    finally:
        peak.end()
        server.terminate()
        server.wait(30)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mb", type=float, default=200)
    parser.add_argument("--only")
    parser.add_argument("--assay", default=str(ROOT / "build/src/assay"))
    options = parser.parse_args()
    inputs = Inputs(str(ROOT), options.assay, 1)
    print("| input | read, CPU s | first picture, CPU ms (wall s) | slowest steps, CPU ms of page + server (wall ms) | median step, CPU ms | page heap MB | server MB | largest verb MB | load |\n"
          "|---|---:|---:|---|---:|---:|---:|---|---:|")
    for name, (kind, mb, steps) in JOBS.items():
        if options.only and options.only != name:
            continue
        path = inputs.path(kind, mb * options.mb / 200)
        seen = measure(options.assay, path, steps)
        most, verb = largest_verb(options.assay, path, VERBS[name])
        late = seen["cost"].pop("source-lines", None)  # nobody waits for it
        cost = sorted(((c["page"] + c["server"], step) for step, c in seen["cost"].items()), reverse=True)
        slow = ", ".join(f"{step} {seen['cost'][step]['page']:.0f} + {seen['cost'][step]['server']:.0f} ({seen['steps'][step]:.0f})" for _, step in cost[:2])
        print(f"| {name}: `{kind}`, {mb * options.mb / 200:g} MB | {seen['read']:.2f} | {seen['firstCost']:.0f} ({seen['first'] / 1000:.2f}) | {slow} | {cost[len(cost) // 2][0]:.0f} "
              f"| {seen['heap'] / 1e6:.1f} | {seen['server']:.0f} | {most:.0f}, `{verb}` | {os.getloadavg()[0]:.1f} |", flush=True)
        after = f"; cost of lines {seen['steps']['source-lines'] / 1000:.1f} s after Source was opened" if late else ""
        print(f"<!-- {name}, page + server (wall): " + ", ".join(f"{k} {c['page']:.0f} + {c['server']:.0f} ({seen['steps'][k]:.0f})" for k, c in seen["cost"].items()) + f" ms; longest task {seen['task']:.0f} ms{after} -->", flush=True)
        if name == "folded" and SPEEDSCOPE.exists():
            peer = look("view.js", "speedscope", SPEEDSCOPE, path)
            print(f"| the same in speedscope (npm) | | ({peer['first'] / 1000:.2f}) | ({max(peer['steps'].values()):.0f}), another view | | {peer['heap'] / 1e6:.1f} | | | {os.getloadavg()[0]:.1f} |", flush=True)


if __name__ == "__main__":
    main()
