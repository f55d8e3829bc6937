"""What the tests in a browser share: whether there is one, and a script run in it."""
import json
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import BUILD, SKIP, SOURCE, run, said  # noqa: E402

PLAYWRIGHT = BUILD / "browser/node_modules/playwright-core"


def need_browser():
    """Ends the test as skipped when anything is missing."""
    wanted = (("node", shutil.which("node")), ("chromium", shutil.which("chromium")), ("playwright-core", PLAYWRIGHT.exists()))
    missing = [what for what, there in wanted if not there]
    if missing:
        print(f"skipped: no {', '.join(missing)}")
        sys.exit(SKIP)


def look(script, url, pictures=None):
    """What the script saw, or a text that says why it saw nothing."""
    result = run(shutil.which("node"), SOURCE / "tests/browser" / script, PLAYWRIGHT, shutil.which("chromium"), url, *([pictures] if pictures else []), timeout=120)
    return json.loads(result.stdout) if result.returncode == 0 else said(result)
