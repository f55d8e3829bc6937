"""What the tests of the Python package share: the package on the path, with the library of this build."""
import importlib.util
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import BUILD, FIXTURES, SOURCE  # noqa: E402

os.environ.setdefault("ASSAY_LIBRARY", str(BUILD / "src" / "libassay.so.0"))
sys.path.insert(0, str(SOURCE / "python"))
import assay  # noqa: E402

# Names that examples in docstrings and docs/python.md use.
EXAMPLES = {"DEMO": FIXTURES / "demo.callgrind", "OTHER": FIXTURES / "demo-cache.callgrind", "COVERAGE": FIXTURES / "demo.info", "STACKS": FIXTURES / "demo.folded",
            "DAMAGED": FIXTURES / "killed.nytprof", "CALLS": FIXTURES / "demo.xdebug"}


def has(module):
    return importlib.util.find_spec(module) is not None


def anonymous():
    """Bytes of memory that belong to this process alone."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("RssAnon"):
            return int(line.split()[1]) * 1024
    return 0


__all__ = ["assay", "EXAMPLES", "has", "anonymous"]
