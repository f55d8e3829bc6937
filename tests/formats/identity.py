#!/usr/bin/env python3
"""What `convert --to webgrind:N` writes against the files that the original programs wrote from the same text: the same bytes.

Where the originals have faults that are not copied, the files must differ; the list says why. Version 4: all bytes are the same but the
links between calls and invocations, which the originals book wrongly for repeated and recursive calls; ours must be consistent instead.
"""
import json
import struct
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import SHARED, Tally, assay, has_shared, read_bytes, said  # noqa: E402

DIFFERS = {
    "gen.xd2.v7php": "names with '(n)' inside are mangled",
    "many.xd2.v7php": "names with '(n)' inside are mangled",
    "append2.xdebug.v7cpp": "ids of the second run are taken for those of the first",
    "crlf.xdebug.v7php": "CR stays in headers",
    "crlf.xdebug.v7cpp": "CR becomes part of names",
    "overflow.xdebug.v7cpp": "reading stops at the first figure above 2147483647",
    "collide.xdebug.v7php": "keys of different call records collide",
    "longlines.xdebug.v7cpp": "keys of different call records collide",
}
OPTIONS = {"overflow.xdebug.v7php": ["--wrap"], "overflow.xdebug.v7cpp": ["--wrap"]}
NOBODY = 0xFFFFFFFF


class V4:
    """A version 4 file taken apart, by section 3.2 of the notes."""

    def __init__(self, data):
        self.data = data
        self.version, self.headers_at, count = struct.unpack_from("<3I", data)
        self.functions = []
        for at in struct.unpack_from(f"<{count}I", data, 12):
            totals = struct.unpack_from("<4I", data, at)
            invocations = [struct.unpack_from("<8I", data, at + 16 + 32 * i) for i in range(totals[3])]
            end = at + 16 + 32 * totals[3]
            names = data[end:self.headers_at].split(b"\n", 2)[:2]
            self.functions.append((at, totals, invocations, names))
            self.calls_at = end + sum(len(n) + 1 for n in names)
        self.calls = [struct.unpack_from("<4I", data, at) for at in range(self.calls_at, self.headers_at, 16)] if count else []

    def without_links(self):
        functions = [(at, totals, [(i[0], i[1], i[6], i[7]) for i in invocations], names) for at, totals, invocations, names in self.functions]
        return self.version, self.headers_at, functions, [(c[0], c[2], c[3]) for c in self.calls], self.data[self.headers_at:]

    def link_faults(self):
        """Calls whose callee says otherwise, and invocations that are called twice; and the number of roots."""
        faults, called = [], set()
        for f, (_, _, invocations, _) in enumerate(self.functions):
            for q, (_, _, _, _, _, _, k, address) in enumerate(invocations):
                first = (address - self.calls_at) // 16
                for g, i, line, cost in self.calls[first:first + k]:
                    if (g, i) in called or self.functions[g][2][i][2:6] != (cost, f, q, line):
                        faults.append((f, q, g, i))
                    called.add((g, i))
        everybody = [(f, q) for f, fn in enumerate(self.functions) for q in range(len(fn[2]))]
        roots = [(f, q) for f, q in everybody if self.functions[f][2][q][3] == NOBODY]
        if set(roots) != set(everybody) - called:
            faults.append("invocations without caller are not those that nobody calls")
        return faults, len(roots)


def compare_v4(tally, name, got, original, want):
    ours, theirs = V4(got), V4(original)
    tally.equal(ours.without_links(), theirs.without_links(), f"{name}: all but the links")
    faults, roots = ours.link_faults()
    tally.equal(faults[:5], [], f"{name}: calls and invocations agree")
    tally.equal(roots, want["facts"]["tree"]["roots"], f"{name}: roots")


def compare(tally, name, want, folder, out):
    source = next(p for suffix in ("", ".gz") if (p := folder / (want["facts"]["made_from"] + suffix)).exists())
    result = assay("convert", source, "--to", f"webgrind:{want['version']}", "-o", out, *OPTIONS.get(name, []))
    if not tally.check(result.returncode == 0, f"{name}: converts", said(result)):
        return
    got, original = out.read_bytes(), read_bytes(folder / name)
    if name in DIFFERS:
        tally.check(got != original, f"{name}: differs, because in the original {DIFFERS[name]}")
    elif want["version"] == "4":
        compare_v4(tally, name, got, original, want)
    else:
        first = next((i for i, (a, b) in enumerate(zip(got, original)) if a != b), min(len(got), len(original)))
        tally.check(got == original, f"{name}: the same bytes", f"{len(got)} bytes, original {len(original)}; first difference at {first}")


def main():
    tally = Tally()
    folder = SHARED / "data" / "webgrind"
    if not has_shared():
        tally.skip("identity", f"no shared data in {SHARED}")
        tally.finish()
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as tmp:
        for name, want in expected.items():
            if "made_from" in want.get("facts", {}):
                compare(tally, name, want, folder, Path(tmp) / "out.webgrind")
    tally.finish()


if __name__ == "__main__":
    main()
