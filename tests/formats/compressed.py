#!/usr/bin/env python3
"""Damage of compressed data, in every coverage format that is read as text, JSON, XML or binary: Z-1 where it ends early, Z-2 where it is not what was
compressed, and neither for the whole file."""
import gzip
import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import FIXTURES, Tally, assay, said  # noqa: E402

SAMPLES = ("demo.clover.xml", "demo.cobertura.xml", "demo.cov", "demo.covdir.json", "demo.coverage-py.json", "demo.coveralls.json", "demo.devel-cover.json", "demo.folded",
           "demo.gcov", "demo.gcov.json", "demo.gcovr.json", "demo.info", "demo.istanbul.json", "demo.jacoco.exec", "demo.jacoco.xml", "demo.llvm-cov.json", "demo.simplecov.json",
           "demo.sonarqube.xml", "demo.v8.json")


def rules(path, name):
    result = assay("check", "--json", "--from", name, path)
    return {f["rule"] for f in json.loads(result.stdout)["files"][0]["findings"]} if result.stdout else {said(result)}


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        for sample in SAMPLES:
            path = Path(folder) / f"{sample}.gz"
            path.write_bytes(gzip.compress((FIXTURES / sample).read_bytes(), mtime=0))
            whole = path.read_bytes()
            format_name = json.loads(assay("info", "--json", FIXTURES / sample).stdout)["files"][0]["format"]
            tally.check(not rules(path, format_name) & {"Z-1", "Z-2"}, f"{sample}: whole", rules(path, format_name))
            path.write_bytes(whole[:-8])  # without check sum and length: every byte of the text is there
            got = rules(path, format_name)
            tally.check("Z-1" in got and "Z-2" not in got, f"{sample}: cut", got)
            path.write_bytes(whole[:-8] + bytes([whole[-8] ^ 1]) + whole[-7:])  # the check sum
            got = rules(path, format_name)
            tally.check("Z-2" in got and "Z-1" not in got, f"{sample}: damaged", got)
    tally.finish()


if __name__ == "__main__":
    main()
