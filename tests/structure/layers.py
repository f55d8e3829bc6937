#!/usr/bin/env python3
"""Who may include whom: data flows in one direction (docs/architecture.md), and the public headers stand alone."""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import SOURCE, Tally  # noqa: E402

# Each layer may include those before it, and itself.
LAYERS = ["base", "model", "analysis", "symbols", "formats", "store", "query", "report", "top", "server", "mcp", "cli", "mpi"]
# The same for the rooms of src/analysis.
ROOMS = ["sources", "coverage", "core", "streams", "merge", "select", "views", "callers", "paths", "timeline", "annotate", "diff", "results", "tables"]
# What formats may share.
SHARED = ["coverage", "coarse", "callgraph", "stacks"]
INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<(assay/[^>]+)>)', re.M)


def layer(path):
    """Of a file below src; those that stand in src itself (registry, api) are the layer 'top'."""
    parts = Path(path).parts
    return parts[0] if len(parts) > 1 else "top"


def fault(path, included):
    """Why a file of src may not include this, or None."""
    if included.startswith("assay/"):
        return None
    mine, its = layer(path), layer(included)
    if its not in LAYERS:
        return "is no layer; include by the path from src"
    if mine in ("cli", "mpi") and its not in ("base", "cli", "mpi"):
        return "the command includes public headers, base and its own"
    if LAYERS.index(its) > LAYERS.index(mine):
        return f"{its} comes after {mine}"
    if mine == its == "analysis" and ROOMS.index(Path(included).parts[1]) > ROOMS.index(Path(path).parts[1]):
        return f"{Path(included).parts[1]} comes after {Path(path).parts[1]}"
    if mine == its == "formats" and len(Path(included).parts) > 2 and Path(included).parts[1] not in (*SHARED, Path(path).parts[1]):
        return "formats do not include each other"
    return None


def includes(path):
    return [a or b for a, b in INCLUDE.findall(path.read_text(encoding="utf-8"))]


def main():
    tally = Tally()
    src, public = SOURCE / "src", SOURCE / "include"
    for path in sorted(src.rglob("*.[ch]")):
        name = path.relative_to(src)
        tally.check(layer(name) in LAYERS, f"src/{name}: its folder is a layer")
        tally.check(layer(name) != "analysis" or name.parts[1] in ROOMS, f"src/{name}: is in a room of src/analysis")
        faults = [f"{i}: {why}" for i in includes(path) if (why := fault(name, i))]
        missing = [i for i in includes(path) if not any((base / i).exists() for base in (src, public))]
        tally.check(not faults and not missing, f"src/{name}: includes only what comes before it", *faults, *[f"{i}: no such header" for i in missing])
    for path in sorted(public.rglob("*.h")):
        wrong = [i for i in includes(path) if not (i.startswith("assay/") and (public / i).exists())]
        tally.check(not wrong, f"{path.relative_to(SOURCE)}: includes only public headers", *wrong)
    tally.finish()


if __name__ == "__main__":
    main()
