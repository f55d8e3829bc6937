#!/usr/bin/env python3
"""A file that shrinks, grows or is replaced while it is read, at every moment: the answer is that of the file before or after, or it says what happened.

  changes.py CHANGER.so
"""
import gzip
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import ASSAY, FIXTURES, SOURCE, Tally, assay, run, said  # noqa: E402

MOMENTS = 5  # of each way to read a file, from the first time to the last
WORDS = {"shrink": (b"shrank while it was being read",), "grow": (b"changed while it was being read", b"F-3"), "touch": (b"changed while it was being read", b"F-3")}
SYSTEM = 4


def texts():
    """Several blocks long, with names that hardly compress."""
    dice = random.Random(3)
    cost, rows = ["events: Ir"], []
    for i in range(26000):
        name = "%020x%020x" % (dice.getrandbits(80), dice.getrandbits(80))
        cost += [f"fl=(1) a.c\nfn=({i + 1}) {name}", f"{i + 1} {i % 89}"]
        rows.append(f"SF:{name}.c\n" + "".join(f"DA:{n},{n * i % 97}\n" for n in range(1, 12)) + "end_of_record\n")
    return "\n".join(cost) + "\n", "".join(rows[:12000])


def inputs(tmp):
    """Name, the input, which file of it changes, verbs."""
    cost, rows = texts()
    all_verbs = (("check",), ("dump",), ("top",), ("info", "--json"))
    files = {"cost.callgrind": cost.encode(), "cost.callgrind.gz": gzip.compress(cost.encode(), 1), "rows.info": rows.encode()}
    for name, data in files.items():
        (tmp / name).write_bytes(data)
    result = assay("convert", tmp / "cost.callgrind", "--to", "nytprof", "-o", tmp / "cost.nytprof")
    if result.returncode != 0:
        raise SystemExit(said(result))
    yield "callgrind", "cost.callgrind", "cost.callgrind", all_verbs + (("convert", "--to", "folded", "--estimate"), ("convert", "--to", "callgrind"))
    yield "gzip", "cost.callgrind.gz", "cost.callgrind.gz", all_verbs + (("convert", "--to", "callgrind"),)
    yield "nytprof", "cost.nytprof", "cost.nytprof", all_verbs + (("convert", "--to", "callgrind"), ("convert", "--to", "nytprof"))
    yield "lcov", "rows.info", "rows.info", (("check",), ("dump",), ("info", "--json"), ("convert", "--to", "lcov"), ("convert", "--to", "cobertura"))
    for fixture in ("04.00b.hpcrun", "demo.webgrind", "demo.nytprof-tlv", "demo.cov", "demo.jacoco.exec"):
        if (FIXTURES / fixture).is_file():
            shutil.copy(FIXTURES / fixture, tmp / fixture)
            yield fixture, fixture, fixture, (("check",), ("dump",), ("info", "--json"))
    subprocess.run([sys.executable, SOURCE / "bench" / "make_hpcdb.py", tmp / "db", "--values", "130000", "--contexts", "6000", "--metrics", "1"], stdout=subprocess.DEVNULL,
                   check=True)
    deep = (("check", "--deep"), ("dump",), ("top",), ("tree", "--hot-path"), ("convert", "--to", "folded"))
    for part in ("meta.db", "profile.db", "cct.db"):
        yield f"hpcdb, {part}", "db", f"db/{part}", deep


def ask(verb, path, **env):
    result = run(ASSAY, *verb, path, env={**os.environ, **env}, timeout=120)
    return result.returncode, result.stdout.replace(str(path).encode(), b"INPUT"), result.stderr


def count(changer, verb, path, file):
    out, into = os.pipe()
    subprocess.run([ASSAY, *verb, str(path)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=[into], check=False,
                   env={**os.environ, "LD_PRELOAD": changer, "CHANGE_FILE": str(file), "CHANGE_COUNT_FD": str(into)})
    os.close(into)
    with os.fdopen(out) as told:
        return int(told.read().split()[-1])


def moments(n):
    return sorted({1, 2, n} | {1 + i * (n - 1) // (MOMENTS - 1) for i in range(MOMENTS)} & set(range(1, n + 1)))


def one(tally, changer, tmp, label, name, changed, verb):
    source, copy = tmp / name, tmp / "now" / name
    file = tmp / "now" / changed

    def fresh():
        shutil.rmtree(tmp / "now", ignore_errors=True)
        (tmp / "now").mkdir()
        (shutil.copytree if source.is_dir() else shutil.copy2)(source, copy)

    fresh()
    before = ask(verb, copy)
    reads = count(changer, verb, copy, file)
    tally.check(reads > 0, f"{label}: {' '.join(verb)} reads {changed}")
    told = 0
    for how, words in WORDS.items():
        for at in moments(reads):
            fresh()
            env = {"LD_PRELOAD": changer, "CHANGE_FILE": str(file), "CHANGE_AT": str(at), "CHANGE_HOW": how}
            code, out, err = ask(verb, copy, **env)
            says = any(w in out + err for w in words)
            told += says
            # nothing said: it was read before or after as a whole, and a file that was only touched is the same
            ok = code in (0, 1, 2, 3, SYSTEM) and (says or (code, out) in (before[:2], ask(verb, copy)[:2]))
            tally.check(ok, f"{label}: {' '.join(verb)}, {how} at read {at} of {reads}", f"exit {code}", out[:300], err[:300])
    tally.check(told > 0, f"{label}: {' '.join(verb)} says it")


def main():
    tally = Tally()
    changer = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        tmp = Path(name)
        for label, path, changed, verbs in inputs(tmp):
            for verb in verbs:
                one(tally, changer, tmp, label, path, changed, verb)
    tally.finish()


if __name__ == "__main__":
    main()
