"""What the scripts of this folder share: tools that may be missing, commands whose output is of no interest, tables that must be equal row by row."""
import os
import shutil
import subprocess
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parent / "programs"
LARGE = bool(os.environ.get("ASSAY_PEERS_LARGE"))  # also programs that Debian has, which take minutes


def has(tally, label, *tools):
    missing = [tool for tool in tools if not shutil.which(tool)]
    if missing:
        tally.skip(label, "there is no " + ", ".join(missing))
    return not missing


def quietly(*args, cwd, **env):
    return subprocess.run([str(a) for a in args], cwd=cwd, capture_output=True, env={**os.environ, **env}, check=False)


def same_rows(tally, got, want, label, same=lambda a, b: a == b):
    """Two tables, key -> figures: the same keys, and of each key the same figures."""
    differ = [key for key in sorted(set(got) | set(want), key=str) if key not in got or key not in want or not same(got[key], want[key])]
    print(f"{label}: {len(want)} rows")
    tally.check(want, f"{label}: there are rows")
    tally.check(not differ, f"{label}: {len(differ)} of {len(want)} rows differ", "ours, theirs:", *[f"{key}: {got.get(key)}, {want.get(key)}" for key in differ[:8]])
