#!/usr/bin/env python3
"""Coverage that we write, read by other programs: lcov and genhtml take our lcov files, gcovr our Cobertura, and each counts what we count.

Needs lcov (Debian: lcov); gcovr reads Cobertura from version 7 on (Debian 12 has 5.2, which does not: then that part is skipped).
"""
import json
import re
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import FIXTURES, SHARED, Tally, assay, has_shared, run, said  # noqa: E402

FIXED = ("demo.info", "demo.cobertura.xml", "demo-2x.info", "demo.clover.xml", "demo.sonarqube.xml", "demo.gcov.json")
SHARED_FILES = ("lcov/calc-a.lcov116.info", "lcov/shapes-a.lcov25.info", "lcov/cart-a.nyc.info", "cobertura/inventory-a.coveragepy65.xml", "cobertura/cart-a.nyc.xml",
                "jacoco/bank-a.jacoco.xml", "clover/money-A.phpunit96.clover.xml", "sonarqube/shapes-a.gcovr52.sonar.xml")
# gcovr stumbles over relative names: files with whole paths only.
ABSOLUTE = ("calc-a.lcov116.info", "shapes-a.lcov25.info")
KINDS = ("lines", "functions", "branches")


def samples():
    found = [FIXTURES / name for name in FIXED]
    if has_shared():
        found += [SHARED / "data" / "coverage" / name for name in SHARED_FILES]
    return found


def counts(path):
    """kind -> (hit, all) as assay counts them; kinds of which there is nothing are left out, as lcov does."""
    got = json.loads(assay("info", "--json", path).stdout)["files"][0]["counts"]
    return {kind: (got[kind + "_hit"], got[kind]) for kind in KINDS if got[kind]}


def rates(text):
    """The same from lines such as "  lines......: 84.6% (66 of 78 lines)"."""
    rows = re.findall(r"^\s*(lines|functions|branches)\.+: \S+% \((\d+) of (\d+)", text, re.M)
    return {kind: (int(hit), int(whole)) for kind, hit, whole in rows}


def written(tally, path, target, out):
    result = assay("convert", path, "--to", target, "-o", out)
    return tally.check(result.returncode == 0, f"{path.name}: is written as {target}", said(result))


def with_lcov(tally, path, folder):
    out = folder / "out.info"
    if not written(tally, path, "lcov:1", out):
        return
    result = run("lcov", "--rc", "lcov_branch_coverage=1", "--summary", out)
    if tally.check(result.returncode == 0, f"{path.name}: lcov reads it", said(result)):
        tally.equal(rates((result.stdout + result.stderr).decode()), counts(path), f"{path.name}: lcov counts the same")


def with_genhtml(tally, path, folder):
    out, pages = folder / "out.info", folder / "pages"
    if not written(tally, path, "lcov:1", out):
        return
    result = run("genhtml", "--branch-coverage", "--ignore-errors", "source", "-o", pages, out)
    if tally.check(result.returncode == 0, f"{path.name}: genhtml reads it", said(result)):
        tally.equal(rates(result.stdout.decode()), counts(path), f"{path.name}: genhtml counts the same")
    shutil.rmtree(pages, ignore_errors=True)


def with_gcovr(tally, path, folder):
    out = folder / "out.xml"
    if not written(tally, path, "cobertura", out):
        return
    result = run("gcovr", "--root", ".", "--filter", ".*", "--cobertura-add-tracefile", out, "--json-summary", cwd=folder)
    if not tally.check(result.returncode == 0, f"{path.name}: gcovr reads it", said(result)):
        return
    got, want = json.loads(result.stdout), counts(path)
    for kind, name in (("lines", "line"), ("branches", "branch")):
        tally.equal((got[name + "_covered"], got[name + "_total"]), want.get(kind, (0, 0)), f"{path.name}: gcovr counts the same {kind}")


def gcovr_reads_cobertura():
    return shutil.which("gcovr") and b"cobertura-add-tracefile" in run("gcovr", "--help").stdout


def main():
    tally = Tally()
    gcovr = gcovr_reads_cobertura()
    if not gcovr:
        tally.skip("gcovr", "not there, or older than 7: it reads no Cobertura")
    if not shutil.which("lcov") or not shutil.which("genhtml"):
        tally.skip("lcov", "not installed")
        tally.finish()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path in samples():
            with_lcov(tally, path, folder)
            if gcovr and path.name in ABSOLUTE:
                with_gcovr(tally, path, folder)
        for path in samples()[:2] + samples()[-2:]:
            with_genhtml(tally, path, folder)
    tally.finish()


if __name__ == "__main__":
    main()
