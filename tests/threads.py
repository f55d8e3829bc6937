#!/usr/bin/env python3
"""What is printed and written is the same bytes with one thread and with several. The inputs are cut into tiny pieces, so that small samples have many.
   Several files are the same, too: shown in order, whichever of them cannot be read.
   threads.py --all: every verb on every sample with 1, 2, 3 and 8 threads, in place of some verbs on fixtures with 1 and 3."""
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from support import FIXTURES, SHARED, Tally, assay, has_shared, said  # noqa: E402

ALL = "--all" in sys.argv[1:]
THREADS = (2, 3, 8) if ALL else (3,)
PIECES = ("40", "60", "80", "100", "250", "6000") if ALL else ("40", "60", "100", "250")
SHORT_VERBS = (["info", "--json"], ["top", "--json", "--limit", "0"], ["check", "--json"])
LONG_VERBS = (["dump"], ["info", "--json", "--strict"], ["tree", "--estimate", "--json"], ["flame", "--estimate"],
              ["callers", "main", "--json"], ["annotate", "--json"], ["timeline", "--json"], ["diff", "--json"])
MANY_VERBS = (["info"], ["info", "--json", "--strict"], ["info", "--brief", "--sort", "name"], ["info", "--fail-under", "50"], ["info", "--focus", "nowhere"],
              ["check"], ["check", "--json"], ["check", "--junit"], ["top", "--json"], ["top", "--csv"], ["top", "--metric", "Ir + Ir"], ["tree", "--estimate"], ["callers", "main"],
              ["annotate", "--json"], ["timeline"], ["flame"], [])
TARGETS = ("assay-json", "webgrind:7", "webgrind:4", "lcov", "callgrind", "folded")
AREAS = ("callgrind", "coverage", "exchange", "webgrind", "nytprof", "hpcrun")
SIZE_MOST = 100_000
READ_AHEAD = (".callgrind", ".xdebug", ".cachegrind", ".info", ".folded", ".perf-script", ".xml", ".hpcrun")  # formats of which pieces are made, and trees
HEAD = "# callgrind format\nversion: 1\ncreator: callgrind-3.19\npositions: line\nevents: Ir\n\n"
BLOCKS = "".join(f"ob=({n % 3}) o{n % 3}\nfl=({n}) f{n}.c\nfn=({n}) f{n}\n{n} 10\n+3 4\n-1 2\n\n" if n < 5 else f"fn=({n % 5})\n{n} 7\n* 3\ncfn=({(n + 1) % 5})\ncalls=2 +4\n+1 9\n\n"
                 for n in range(40))
XDEBUG = "version: 1\ncreator: xdebug 3.1.6 (PHP 8.2.7)\ncmd: a.php\npart: 1\npositions: line\n\nevents: Time_(10ns) Memory_(bytes)\n\n" + "".join(
    f"fl=({n % 4 + 1}){f' f{n}.php' if n < 4 else ''}\nfn=({n % 7 + 1}){f' g{n}' if n < 7 else ''}\n{n} {n * 3} 5\n" + (f"cfl=({(n - 1) % 4 + 1})\ncfn=({(n - 1) % 7 + 1})\ncalls=1 0 0\n{n} 9 5\n" if n % 3 else "") + "\n"
    for n in range(60))
RECORDS = "".join(f"TN:t{n % 3}\nSF:/src/{n % 9}.c\nFN:1,f{n}\nFNDA:{n},f{n}\nDA:1,{n}\nDA:{n + 2},0\nBRDA:3,0,{n % 4},-\nLF:2\nLH:1\nend_of_record\n" for n in range(50))
COBERTURA = "<?xml version='1.0'?>\n<coverage version='1'><sources><source>/s</source></sources><packages><package name='p'><classes>\n"
CLASSES = "".join(f"<class name='c{n}' filename='f{n % 9}.c'><methods><method name='m{n}' signature='()'><lines><line number='1' hits='{n}'/></lines></method></methods>\n<lines>"
                  f"<line number='1' hits='{n}'/>\n<line number='{n + 2}' hits='1' branch='true' condition-coverage='50% (1/2)'/></lines>\n</class>\n" for n in range(40)) + "</classes></package></packages></coverage>\n"
# Text that threads decode, and what stands in its middle: state that goes on from one piece to the next, and damage, of which the place is told.
PLANTED = {
    "callgrind": (HEAD, BLOCKS, ("", "fn=(77)\n5 5\n\n", "fn=(2) other\n5 5\n\n", "fn=(2) f2\n5 5\n\n", "fn=(3)\n+5 5\n\n", "fn=(3)\n5 5\ncfn=(1)\ncalls=1 5\n\n",
                                 "fn=(3)\n5 5\ncob=(1)\ncfi=(2)\n\n", "fn=(3)\n5 5\njump=3 7\n5\n\n", "fn=(3)\n5 5\njfi=(1)\n\n", "fn=(3)\n5 five\n\n", "fi=(1)\n9 9\n\n",
                                 "part: 2\nevents: Ir Dr\n\nfn=(9) nine\n1 2 3\n\n", "fn=(3)\n5 18446744073709551615\n\n", "fn=(3)\n1 9223372036854775807\n+1 9223372036854775807\n\n",
                                 "totals: 5\n\n", "fn=(3)\n-9 5\n\n", "fn=\0\n5 5\n\n", "# a comment\n\n", "fn=(3)\n5 5\ncalls=1 5\n5 5\n\n", "fn=plain\n5 5\n\nfn=plain\n2000000 5\n\n",
                                 "fn=(3)\n5 5\ncfn=(1)\ncalls=0 5\n5 5\n\n", "fn=unused\n\nfn=(3)\n5 5\ncfn=lost\n\n", "fn=(3)\n5 5\njfn=(88) late\njump=3 7\n5\n\nfn=(3)\n5 5\ncfn=(88)\n\n",
                                 "fn=(3)\n5 5\ncfn=(89) much\ncalls=1 1\n5 9223372036854775807\n\n",
                                 "fn=(3)\n5 5\ncfn=(4) four\ncalls=1 1\n5 6\ncfn=(4)\ncalls=1 1\n5 7\n\n", "fn=(3)\n5 5\n+1 -7\n+1 3\n\n",
                                 "fn=(3)\n5 5\ncob=(1)\ncfi=(4)\ncfn=(3)\ncalls=1 1\n5 6\n\n", "fn=(90) late\nfi=(1)\n5 5\nfe=(4)\n7 5\n\n",
                                 "fn=(3)\n5 5\ncfn=(1)\ncalls=999999999999999999 1\n5 999999999999999999\n\n" * 20)),
    "xdebug": (XDEBUG, XDEBUG[XDEBUG.rindex("fl=(1)"):] * 30, ("", "summary: 1 2\n\n", "fl=(9)\nfn=(2)\n1 2 3\n\n", "fl=(1)\nfn=(2)\n1 2\n\n", "fl=(1)\nfn=(2)\ncalls=1 0 0\n\n")),
    "info": ("", RECORDS, ("", "\ufeffSF:x.c\nDA:1,1\nend_of_record\n", "DA:4,4\n", "end_of_record\n", "SF:x.c\nDA:1,-5\nend_of_record\n", "SF:x.c\nDA:one,1\nend_of_record\n",
                           "SF:x.c\nDA:1,1\nSF:y.c\nDA:1,1\nend_of_record\n", "SF:/src/1.c\nFNDA:9,f1\nend_of_record\n", "# a comment\n\n", "SF:\nDA:1,1\nend_of_record\n",
                           "SF:x.c\nFNL:0,1,9\nFNA:0,3,leader\nend_of_record\n", "TN:new\n", "SF:x.c\nMCDC:1,2,t,1,0,a\nend_of_record\n", "SF:x.c\nDA:1,1,sum\nend_of_record\n")),
    "cobertura.xml": (COBERTURA, CLASSES, ("", "<!-- a > b -->", "<![CDATA[ <x> ]]>", "<x y='a>b'/>", "a > b", "<x>", "</classes>", "</classes></package><package name='q'><classes>", "&boom;", "\xff",
                                           "<class filename='f3.c'><lines><line number='1' hits='x'/><line number='2' hits='-1'/><line hits='1'/></lines></class>",
                                           "<class><lines><line number='1' hits='1'/></lines></class>", "</classes></package></packages></coverage>", "<?x y?>", "<!DOCTYPE x>", "\r\n", "<")),
    "folded": ("", "".join(f"a;b{n % 5};c{n % 7} {n}\n" for n in range(80)), ("", "\ufeffa;b 5\n", "a;b\n", "# a comment\n", "a;b 1.5\n", "a;b 3 4\n", "\n", "a;b 9223372036854775807\n",
                                                                          "a;b 99999999999999999999\n", "a;b;; 5\n")),
}


def planted(tmp):
    for name, (head, body, middles) in PLANTED.items():
        border = "\n\n" if "\n\n" in body else "end_of_record\n" if name == "info" else "</class>\n" if name.endswith("xml") else "\n"
        half = body.index(border, len(body) // 2) + len(border)
        for number, middle in enumerate(middles):
            for end in ("", "cut"):
                path = tmp / f"{number}{end}.{name}"
                path.write_text(head + body[:half] + middle + body[half:len(body) - (7 if end else 0)])
                yield path


def samples(tmp):
    yield from planted(tmp)
    for path in sorted(FIXTURES.iterdir()):
        if path.is_file() and path.suffix not in (".c", ".sh", ".md") and (ALL or any(end in path.name for end in READ_AHEAD)):
            yield path
    if has_shared() and (ALL or os.environ.get("ASSAY_STANDBY_MODULE")):  # not where each run starts anew, as under sanitizers
        for path in sorted(p for area in AREAS for p in (SHARED / "data" / area).rglob("*")):
            wanted = ALL or path.name.endswith(READ_AHEAD)
            if path.is_file() and wanted and path.stat().st_size < SIZE_MOST and path.suffix not in (".md", ".py"):
                yield path


def runs(path):
    for verb in SHORT_VERBS + (LONG_VERBS if ALL else ()):
        yield [*verb, *[path] * (2 if verb[0] == "diff" else 1)]
    for target in TARGETS if ALL else TARGETS[:2]:
        yield ["convert", path, "--to", target, "-o", "-"]
    if ALL or path.suffix == ".info":
        yield ["merge", path, path, "--to", "lcov", "-o", "-"]
        yield ["merge", "--strict", FIXTURES / "demo.info", path, FIXTURES / "demo.cobertura.xml", path, "--to", "cobertura", "-o", "-"]


def several(tmp):
    """Runs over many files, and the text that comes in on standard input."""
    empty, cut, wrong, directory = tmp / "empty", tmp / "cut.info", tmp / "wrong.callgrind", tmp / "directory"
    empty.write_text("")
    cut.write_text(RECORDS[:-15])
    wrong.write_text(HEAD + BLOCKS + "fn=(3)\n5 five\n\n" * 40)
    directory.mkdir()
    good = [FIXTURES / name for name in ("demo.info", "demo.callgrind", "demo.cobertura.xml", "demo.folded")]
    mixed = [good[0], wrong, tmp / "missing", good[1], cut, empty, directory, "-", *good[2:], *good * 3, wrong, tmp / "gone"]
    for files in (good * 4, mixed, [*mixed, "-"]):
        for verb in MANY_VERBS:
            yield [*verb, *files], RECORDS
    for most in ("1", "20k", "200k", "2M"):
        yield ["info", "--max-memory", most, *good * 2, wrong], None
        yield ["check", "--max-memory", most, *good * 2, wrong], None
    for first, second in ((good[0], good[0]), (good[0], cut), (tmp / "missing", good[0]), (good[1], wrong), (good[0], empty)):
        yield ["diff", "--json", first, second], None
        yield ["diff", second, "--base", first], None


def ways(args):
    """Threads and lengths of pieces: all lengths where pieces are made, each with one of the numbers of threads."""
    lengths = PIECES if any(str(arg).endswith(READ_AHEAD) for arg in args) else PIECES[:1]
    return {(threads, lengths[0]) for threads in THREADS} | {(THREADS[i % len(THREADS)], length) for i, length in enumerate(lengths)}


def outcome(args, threads, piece, text=None):
    given = {"input": text.encode()} if text else {}
    result = assay(*args[:1], "-j", threads, *args[1:], env={**os.environ, "ASSAY_PIECE": piece, "ASSAY_HASH_SEED": "1"}, **given)
    return (result.returncode, result.stdout, result.stderr), result


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory() as tmp:
        for args in (args for path in samples(Path(tmp)) for args in runs(path)):
            wanted, first = outcome(args, 1, PIECES[0])
            for threads, piece in ways(args):
                got, result = outcome(args, threads, piece)
                tally.check(got == wanted and got[0] in (0, 1, 2, 3, 4), f"-j {threads}, pieces of {piece}: {' '.join(map(str, args))}", said(first), said(result))
        for args, text in several(Path(tmp)):
            wanted, first = outcome(args, 1, PIECES[-1], text)
            for threads in (2, 3, 8):
                got, result = outcome(args, threads, PIECES[-1], text)
                tally.check(got == wanted, f"-j {threads}: {' '.join(map(str, args))}", said(first), said(result))
    tally.finish()


if __name__ == "__main__":
    main()
