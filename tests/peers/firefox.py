#!/usr/bin/env python3
"""What the Firefox Profiler says of profiles that assay converted: self and total of every function by kind of weight, through its own command (npm
@firefox-devtools/profiler-cli), are those of `assay top`. Of call graphs, whose stacks are estimated, the self figures alone are compared. Skipped without it."""
import json
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from peer import has, same_rows  # noqa: E402
from support import BUILD, FIXTURES, SKIP, Tally, assay, said  # noqa: E402

CLI = BUILD / "peers" / "node_modules" / "@firefox-devtools" / "profiler-cli" / "dist" / "profiler-cli.js"
# name, is it a call graph
INPUTS = [("demo.firefox-profile.json", False), ("demo.folded", False), ("demo.xdebug", False), ("demo.nytprof", False), ("demo.experiment.xml", False),
          ("app.m", False), ("demo.pprof", False), ("demo.perf-script", False), ("demo.speedscope.json", False), ("demo.callgrind", True)]


class Session:
    """The command answers through a program that it starts, which is ended with the session."""

    def __init__(self, folder, path):
        self.env = {**os.environ, "PROFILER_CLI_SESSION_DIR": str(folder)}
        started = self.run("load", path)
        text = started.stdout + started.stderr
        found = re.search(r"pid (\d+)", text)
        self.pid, self.said = int(found[1]) if found else 0, text

    def run(self, *args):
        return subprocess.run(["node", str(CLI), *map(str, args)], capture_output=True, text=True, env=self.env, timeout=120, check=False)

    def ask(self, *args):
        """On a busy machine it takes a while until the program answers."""
        end = time.monotonic() + 60
        while True:
            result = self.run(*args, "--json")
            if result.returncode == 0 and result.stdout.lstrip().startswith("{"):
                return json.loads(result.stdout)
            if time.monotonic() > end:
                raise RuntimeError((result.stderr or result.stdout).strip()[:300] + " / " + self.said[:300])

    def close(self):
        self.run("stop", "--all")
        if self.pid:
            try:
                os.kill(self.pid, signal.SIGTERM)
            except ProcessLookupError:
                pass


def theirs(session):
    rows = {}
    for thread in [t for process in session.ask("profile", "info", "--all")["processes"] for t in process["threads"]]:
        found = session.ask("thread", "functions", "--thread", thread["threadHandle"], "--limit", "100000", "--include-idle")
        for row in found["functions"]:
            key = (found["weightType"], row["name"], row.get("library") or "")
            self, total = rows.get(key, (0, 0))
            rows[key] = (self + row["selfSamples"], total + row["totalSamples"])
    return rows


def ours(tally, path):
    result = assay("top", "--json", "--limit", "0", path)
    tally.check(result.returncode == 0, f"{path.name}: assay top", said(result))
    rows = {}
    for row in json.loads(result.stdout)["rows"]:
        for kind in ("samples", "tracing-ms", "bytes"):
            key = (kind, row["name"], row["module"] if row["module"] and row["module"] != row["name"] else "")  # they do not say one thing twice
            if kind in row["self"]:
                rows[key] = (row["self"][kind], row["total"][kind])
    return rows


def close(a, b):
    return all(math.isclose(x, y, rel_tol=1e-9, abs_tol=1e-9) for x, y in zip(a, b))


def compare(tally, folder, name, is_graph):
    out = folder / f"{name}.json"
    result = assay("convert", FIXTURES / name, "--to", "firefox-profile", "-o", out)
    if not tally.check(result.returncode == 0, f"{name}: is converted", said(result)):
        return
    with tempfile.TemporaryDirectory(prefix="fx", dir="/tmp") as short:  # it makes sockets there, whose paths must be short
        session = Session(short, out)
        try:
            got = theirs(session)
        except (RuntimeError, KeyError, subprocess.TimeoutExpired) as error:
            tally.check(False, f"{name}: the profiler reads it", error)
            return
        finally:
            session.close()
    pick = (lambda rows: {k: (v[0],) for k, v in rows.items() if v[0]}) if is_graph else (lambda rows: {k: v for k, v in rows.items() if v[1]})
    same_rows(tally, pick(ours(tally, out)), pick(got), name, close)


def main():
    tally = Tally()
    if not has(tally, "the Firefox Profiler", "node") or not CLI.is_file():
        return SKIP
    with tempfile.TemporaryDirectory() as tmp:
        for name, is_graph in INPUTS:
            compare(tally, Path(tmp), name, is_graph)
    tally.finish()
    return 0


if __name__ == "__main__":
    sys.exit(main())
