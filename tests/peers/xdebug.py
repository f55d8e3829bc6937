#!/usr/bin/env python3
"""Row by row: Xdebug's text by webgrind's arithmetic, and by the calls and blocks themselves.

webgrind sums up for each function name: blocks (invocations), their own cost, and that with all calls made from them (inclusive, every level of a
recursion); for each name, caller and line of the call: how many, and what they cost. assay's webgrind:7 has the same, and so have self and calls of `top`; its
total counts recursion once (docs/formats/callgrind.md). With ASSAY_PEERS_LARGE=1 also phpcs and composer; with ASSAY_PEER_WEBGRIND=FOLDER, where webgrind was
unpacked, also the bytes that its own preprocessor writes.
"""
import json
import os
import shutil
import struct
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

sys.path[1:1] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[1] / "formats")]
from peer import LARGE, PROGRAMS, has, quietly, same_rows  # noqa: E402
from support import Tally, assay, said  # noqa: E402
from xdebug_totals import blocks_of, exact, named  # noqa: E402

PREPROCESS = """
class Webgrind_Config { static $proxyFunctions = []; static function getBinaryPreprocessor() { return ''; } }
require $argv[1] . '/library/Preprocessor.php';
Webgrind_Preprocessor::parse($argv[2], $argv[3]);
"""


def webgrind_figures(path):
    """name -> [invocations, self, inclusive]; (name, caller, line) -> [calls, cost]: by the lines of the text, the first event."""
    names, functions, calls = {}, defaultdict(lambda: [0, 0, 0]), defaultdict(lambda: [0, 0])
    function = callee = None
    with open(path, encoding="utf-8", errors="surrogateescape") as text:
        for line in text:
            key, _, rest = line.rstrip("\n").partition("=")
            if key == "fn":
                function = named(names, rest)
                functions[function][0] += 1
            elif key == "cfn":
                callee = named(names, rest)
            elif line[:1].isdigit():
                number, cost = map(int, line.split()[:2])
                functions[function][2] += cost
                if callee is None:
                    functions[function][1] += cost
                else:
                    calls[callee, function, number][0] += 1
                    calls[callee, function, number][1] += cost
                callee = None
    return dict(functions), dict(calls)


def preprocessed(path):
    """The same of webgrind's file, version 7; called-from records and sub call records of each function."""
    data = path.read_bytes()

    def numbers(at, count):
        return struct.unpack_from(f"<{count}I", data, at)

    _, _, count = numbers(0, 3)
    records = []
    for at in numbers(12, count):
        _, own, inclusive, entered, callers, callees = numbers(at, 6)
        links = [numbers(at + 24 + 16 * i, 4) for i in range(callers + callees)]
        file_end = data.index(b"\n", at + 24 + 16 * len(links))
        name = data[file_end + 1:data.index(b"\n", file_end + 1)].decode("utf-8", "surrogateescape")
        records.append((name, [entered, own, inclusive], links[:callers], links[callers:]))
    names = [name for name, *_ in records]
    called_from = {(name, names[f], line): [n, cost] for name, _, links, _ in records for f, line, n, cost in links}
    sub_calls = {(names[f], name, line): [n, cost] for name, _, _, links in records for f, line, n, cost in links}
    return {name: figures for name, figures, *_ in records}, called_from, sub_calls


def compare(tally, label, path, folder):
    functions, calls = webgrind_figures(path)
    made = folder / "made.webgrind"
    result = assay("convert", "--to", "webgrind:7", "-o", made, path)
    if tally.check(result.returncode == 0, f"{label}: is preprocessed", said(result)):
        got, called_from, sub_calls = preprocessed(made)
        same_rows(tally, got, functions, f"{label}: invocations, self and inclusive of each function")
        same_rows(tally, called_from, calls, f"{label}: callers of each function, by line")
        same_rows(tally, sub_calls, calls, f"{label}: callees of each function, by line")
        webgrind = os.environ.get("ASSAY_PEER_WEBGRIND")
        if webgrind:
            quietly("php", "-r", PREPROCESS, webgrind, path, folder / "original", cwd=folder)
            tally.check((folder / "original").read_bytes() == made.read_bytes(), f"{label}: the bytes that webgrind writes")

    ours = defaultdict(lambda: [0, 0])
    totals = {}
    for row in json.loads(assay("top", "--json", "--limit", "0", path).stdout)["rows"]:
        ours[row["name"]][0] += row["calls"]
        ours[row["name"]][1] += next(iter(row["self"].values()))
        totals[row["file"], row["name"]] = next(iter(row["total"].values()))
    same_rows(tally, ours, {name: figures[:2] for name, figures in functions.items()}, f"{label}: calls and self of each function in `top`")
    known = exact(blocks_of(path))
    if tally.check(known, f"{label}: calls and blocks match"):
        same_rows(tally, totals, dict(known[0]), f"{label}: total of each function, recursion counted once")


def programs(tally, folder):
    for name in ("requests.php", "included.php"):
        shutil.copy(PROGRAMS / name, folder)
    yield "requests.php", [folder / "requests.php"]
    if not LARGE:
        return
    if has(tally, "phpcs", "phpcs"):
        yield "phpcs", [shutil.which("phpcs"), "--standard=PSR12", folder, *sorted(Path("/usr/share/php/Composer/Util").glob("*.php"))[:4]]
    if has(tally, "composer", "composer"):
        yield "composer", [shutil.which("composer"), "--no-interaction", "list"]


def main():
    tally = Tally()
    if has(tally, "Xdebug", "php"):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name).resolve()
            options = ["xdebug.mode=profile", f"xdebug.output_dir={folder}", "xdebug.profiler_output_name=out.xdebug", "xdebug.use_compression=0"]
            for label, command in programs(tally, folder):
                path = folder / "out.xdebug"
                path.unlink(missing_ok=True)
                quietly("php", *[word for option in options for word in ("-d", option)], *command, cwd=folder, COMPOSER_ALLOW_XDEBUG="1", COMPOSER_HOME=str(folder))
                if path.exists():
                    compare(tally, f"Xdebug, {label}", path, folder)
                else:
                    tally.skip(f"Xdebug, {label}", "PHP wrote no profile; Debian's package is php-xdebug")
    tally.finish()


if __name__ == "__main__":
    main()
