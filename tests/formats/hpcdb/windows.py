#!/usr/bin/env python3
"""A database too large to be kept in memory says the same through windows as one that is decompressed into memory, whole or damaged; and the
windows read hardly more than is there."""
import gzip
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests"))
from support import ASSAY, Tally, assay, said  # noqa: E402

PARTS = ("profile.db", "cct.db")
# contexts that fill a window several times over; hundreds in one window
SHAPES = {"long": ("--values", "600000", "--contexts", "60", "--metrics", "3"), "short": ("--values", "200000", "--contexts", "30000", "--metrics", "1")}
DAMAGES = 12
FEWEST_BYTES_IN_FILE = 1 << 20  # less is read whole at once, and tests nothing


def compress(folder, target):
    shutil.copytree(folder, target)
    for part in PARTS:
        (target / part).write_bytes(gzip.compress((folder / part).read_bytes(), 1, mtime=0))
    return target


def answers(folder, verbs):
    out = []
    for verb in verbs:
        result = assay(*verb, folder)
        name = str(folder).encode()
        out.append((result.returncode, result.stdout.replace(name, b"DB"), result.stderr.replace(name, b"DB")))
    return out


def compare(tally, name, folder, tmp, verbs):
    compressed = compress(folder, tmp / "compressed")
    for verb, plain, other in zip(verbs, answers(folder, verbs), answers(compressed, verbs)):
        tally.check(plain == other, f"{name}: {' '.join(verb)} through windows and in memory", f"{plain[0]} {plain[1][:600]!r}\n{other[0]} {other[1][:600]!r}")
    shutil.rmtree(compressed)
    return plain


def damaged(tally, name, folder, tmp):
    """Bytes of values, indices and lists changed: findings and their places stay those of memory."""
    dice = random.Random(7)
    found = 0
    for n in range(DAMAGES):
        target = tmp / "damaged"
        shutil.copytree(folder, target)
        for part in PARTS:
            data = bytearray((target / part).read_bytes())
            for _ in range(1 + n * 3):
                at = dice.randrange(64, len(data))
                data[at] ^= 1 << dice.randrange(8)
            (target / part).write_bytes(data)
        code, _, _ = compare(tally, f"{name}, damage {n}", target, tmp, (("check", "--deep"),))
        found += code == 1
        shutil.rmtree(target)
    tally.check(found > DAMAGES / 2, f"{name}: the damage is found", found)


def bytes_read(*args):
    """What the command read by system calls."""
    with subprocess.Popen([ASSAY, *map(str, args)], stdout=subprocess.DEVNULL) as process:
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        lines = Path(f"/proc/{process.pid}/io").read_text(encoding="ascii").splitlines()
    return int(dict(line.split(": ") for line in lines)["rchar"])


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory() as name:
        tmp = Path(name)
        for shape, options in SHAPES.items():
            folder = tmp / shape
            subprocess.run([sys.executable, ROOT / "bench" / "make_hpcdb.py", folder, *options], stdout=subprocess.DEVNULL, check=True)
            sizes = {part: (folder / part).stat().st_size for part in PARTS}
            tally.check(min(sizes.values()) > FEWEST_BYTES_IN_FILE, f"{shape}: large enough", sizes)
            compare(tally, shape, folder, tmp, (("info", "--json"), ("top",), ("tree", "--hot-path"), ("dump",), ("check", "--deep")))
            damaged(tally, shape, folder, tmp)
            result = assay("check", folder)
            tally.check(result.returncode == 0, f"{shape}: check", said(result))
            # profile.db by itself and beside cct.db, the list of contexts once more
            least = 2 * sizes["profile.db"] + sizes["cct.db"] + (folder / "meta.db").stat().st_size
            if Path("/proc/self/io").is_file():
                read = bytes_read("check", folder)
                tally.check(read < 1.5 * least, f"{shape}: nothing is read again and again", f"{read} of {least}")
    tally.finish()


if __name__ == "__main__":
    main()
