#!/usr/bin/env python3
"""Which files `assay mcp` opens: those below the folders it was given and no others, wherever links lead; and handles, which every command takes in place of a file."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from client import Server  # noqa: E402
from support import ASSAY, FIXTURES, Tally, run, said  # noqa: E402

PROFILE = "# callgrind format\nevents: Ir\nfl={source}\nfn=main\n1 10\n2 20\n"


def layout(tmp):
    """served/ with profiles and sources; secret.* beside it, in a folder whose name begins like it."""
    served, outside = Path(tmp, "served"), Path(tmp, "served-not")
    (served / "sub").mkdir(parents=True)
    outside.mkdir()
    secret = outside / "secret.c"
    secret.write_text("the SECRET of line one\nthe SECRET of line two\n")
    (outside / "out.callgrind").write_text(PROFILE.format(source="a.c"))
    (served / "a.c").write_text("int open_one;\nint open_two;\n")
    (served / "in.callgrind").write_text(PROFILE.format(source="a.c"))
    (served / "steal.callgrind").write_text(PROFILE.format(source=secret))
    (served / "linked.callgrind").write_text(PROFILE.format(source="linked.c"))
    (served / "linked.c").symlink_to(secret)
    (served / "sub/near.callgrind").symlink_to("../in.callgrind")
    (served / "far.callgrind").symlink_to(outside / "out.callgrind")
    (served / "away").symlink_to(outside)
    (served / "gone").symlink_to(outside / "not-there")
    shutil.copytree(FIXTURES / "app.m", served / "app.m")
    shutil.copytree(FIXTURES / "app.m", served / "bad.m")
    (served / "bad.m/extra").symlink_to(secret)
    return served, outside


def check_folders(tally, tmp):
    served, outside = layout(tmp)
    outer = [outside / "out.callgrind", "../served-not/out.callgrind", "sub/../../served-not/out.callgrind", "far.callgrind", "away/out.callgrind", "away", "gone", "..", "/", "/etc/passwd",
             outside / "not-there", f"{served}/../served-not/secret.c", "/proc/self/environ", "a" * 5000, "nothing"]
    with Server(served) as s:
        for path in outer:
            for tool, more in (("top", {}), ("open", {}), ("diff", {"after": "in.callgrind"})):
                text, is_error = s.call(tool, file=str(path), **more)
                tally.check(is_error is True and "below the folders that are served" in text and "SECRET" not in text, f"{tool} {str(path)[:60]} is refused", text)
        text, is_error = s.call("diff", file="in.callgrind", after=str(outside / "out.callgrind"))
        tally.check(is_error is True, "the second file of diff is refused, too", text)
        for path in ("in.callgrind", served / "in.callgrind", "sub/near.callgrind", "./sub/../in.callgrind"):
            text, is_error = s.call("top", file=str(path))
            tally.check(is_error is False and "main" in text, f"{path} is served", text)
        text, is_error = s.call("top", file="bad.m")
        tally.check(is_error is True and "a link that leads out" in text, "a directory with a link that leads out", text)
        text, is_error = s.call("top", file="app.m")
        tally.check(is_error is False, "a directory without", text)
        text, _ = s.call("open")
        tally.check("in.callgrind" in text and "app.m" in text and "far.callgrind" not in text and "bad.m" in text and "sub/" in text, "the listing", text)
        for name, shown in (("in", "int open_one"), ("steal", None), ("linked", None)):
            text, is_error = s.call("annotate", file=f"{name}.callgrind")
            tally.check(is_error is False and "SECRET" not in text and (shown is None or shown in text), f"annotate {name}: sources inside only", text)
    Path(tmp, "link").symlink_to(served)
    with Server(Path(tmp, "link"), outside) as s:
        tally.check(s.call("top", file="in.callgrind")[1] is False and s.call("top", file="out.callgrind")[1] is False and s.call("top", file="far.callgrind")[1] is False,
                    "a folder may be a link, and there may be several")


def handle(s, path):
    text, _ = s.call("open", file=str(path))
    found = re.match(r"handle: (f[1-9]\d*)\n", text)
    return found.group(1) if found else None


def command(runtime, cwd, *args):
    return run(ASSAY, *args, cwd=cwd, stdin=subprocess.DEVNULL, env={**os.environ, "XDG_RUNTIME_DIR": str(runtime), "LC_ALL": "C.UTF-8"})


VERBS = [["info"], ["check"], ["dump"], ["top"], ["tree"], ["callers", "main"], ["annotate"], ["flame", "--text"], ["merge", "--to", "callgrind"], ["convert", "--to", "folded"], ["summary"]]


def check_handles(tally, tmp):
    runtime = Path(tmp, "run")
    runtime.mkdir(mode=0o700)
    paths = [FIXTURES / name for name in ("demo.callgrind", "demo-plain.callgrind", "demo.info", "demo-2x.info")]
    with Server(FIXTURES, runtime=runtime) as s:
        one, two, info, after = [handle(s, p) for p in paths]
        tally.equal(handle(s, paths[0]), one, "a file has one handle")
        tally.check(s.call("top", file=one)[0] == s.call("top", file=str(paths[0]))[0], "the server takes it for the file")
    kept = runtime / "assay/handles"
    tally.equal((oct(kept.stat().st_mode & 0o777), oct(kept.parent.stat().st_mode & 0o777)), ("0o600", "0o700"), "only the user sees them")
    with Server(FIXTURES, runtime=runtime) as s:
        tally.equal(handle(s, paths[0]), one, "a later server gives the same")
    with Server(FIXTURES / "app.m", runtime=runtime) as s:
        tally.check(s.call("top", file=one)[1] is True, "a handle opens nothing outside the folders")
    for verb in VERBS:
        args = [] if verb == ["summary"] else verb
        by_path, by_handle = (command(runtime, tmp, *args, p, *(["-o", "-"] if "--to" in verb else [])) for p in (paths[0], one))
        tally.check(by_path.stdout == by_handle.stdout and by_path.stdout and by_path.returncode == by_handle.returncode, f"assay {' '.join(verb)} {one}", said(by_handle))
    pairs = [(["diff"], paths[:2], (one, two)), (["diff", "--base"], paths[:2], (one, two)), (["annotate"], (paths[0], paths[2]), (one, info)), (["top"], paths[2:], (info, after)),
             (["patch", "--diff", FIXTURES.parent / "mcp/change.diff"], paths[2:3], (info,)), (["view", "--export", "-"], paths[2:3], (info,))]
    if b"sqlite" in run(ASSAY, "--version").stdout:
        pairs += [(["query"], (paths[0], "select count(*) from top"), (one, "select count(*) from top")),
                  (["query"], (f"x={paths[0]}", "select name from profile"), (f"x={one}", "select name from profile"))]
    for verb, files, handles in pairs:
        by_path, by_handle = (command(runtime, tmp, *verb, *which) for which in (files, handles))
        tally.check(by_path.stdout == by_handle.stdout and by_path.stdout and by_path.returncode == by_handle.returncode, f"assay {verb} {handles}", said(by_path), said(by_handle))
    tally.check(command(runtime, tmp, "top", "f999999").returncode == 3 and command(runtime, tmp, "top", "f0").returncode == 3, "a handle that nobody gave is a file that is not there")
    Path(tmp, one).write_text("own;file 5\n")
    tally.check(b"own" in command(runtime, tmp, "top", one).stdout, "a file of that name comes first")
    with Server(FIXTURES, options=["--no-handles"], runtime=Path(tmp, "none")) as s:
        tally.check(handle(s, paths[0]) == "f1" and s.call("top", file="f1")[1] is False and not Path(tmp, "none").exists(), "--no-handles writes nothing")


def check_hostile_folder(tally, tmp):
    """What others could have put where handles are kept is not trusted, and not written to."""
    victim = Path(tmp, "victim")
    text = "1 " + str(FIXTURES / "demo.info") + "\n"

    def plant_link(run_dir):
        Path(tmp, "elsewhere").mkdir(mode=0o700, exist_ok=True)
        (run_dir / "assay").symlink_to(Path(tmp, "elsewhere"))

    def plant_open(run_dir):
        (run_dir / "assay").mkdir()
        (run_dir / "assay").chmod(0o777)
        (run_dir / "assay/handles").write_text(text)

    def plant_file_link(run_dir):
        (run_dir / "assay").mkdir(mode=0o700)
        victim.write_text(text)
        victim.chmod(0o600)
        (run_dir / "assay/handles").symlink_to(victim)
        (run_dir / "assay/handles.new").symlink_to(victim)

    def plant_other(run_dir):
        (run_dir / "assay").mkdir(mode=0o700)
        os.chown(run_dir / "assay", 65534, 65534)

    def plant_file(run_dir):
        (run_dir / "assay").write_text("no folder")

    plants = [plant_link, plant_open, plant_file_link, plant_file] + ([plant_other] if os.geteuid() == 0 else [])
    for plant in plants:
        run_dir = Path(tmp, plant.__name__)
        run_dir.mkdir(mode=0o700)
        plant(run_dir)
        tally.equal(command(run_dir, tmp, "top", "f1").returncode, 3, f"{plant.__name__}: not believed")
        with Server(FIXTURES, runtime=run_dir) as s:
            name = handle(s, FIXTURES / "demo.callgrind")
            tally.check(name and s.call("top", file=name)[1] is False, f"{plant.__name__}: the server has handles of its own", name)
    tally.equal(victim.read_text(), text, "a file behind a link is as it was")
    tally.equal(list(Path(tmp, "elsewhere").iterdir()), [], "so is a folder")
    for relative in ("run", "", "/nothing/here"):
        tally.equal(command(relative, tmp, "top", "f1").returncode, 3, f"XDG_RUNTIME_DIR={relative!r}")


def check_damaged(tally, tmp):
    runtime = Path(tmp, "damaged")
    (runtime / "assay").mkdir(parents=True, mode=0o700)
    kept = runtime / "assay/handles"
    good = f"7 {FIXTURES / 'demo.info'}\n"
    for label, text in {"no lines": "\n\n\n", "no path": "3\n4 \n5 x\n", "large": "99999999999999999999 /x\n4294967296 /x\n", "zero": "0 /x\nf3 /x\n", "a byte 0": "3 /a\0b\n", "cut": "9 /tmp/cut"}.items():
        kept.write_text(text + ("\n" if text.endswith("cut") else "") + good)
        kept.chmod(0o600)
        tally.check(command(runtime, tmp, "info", "f7").returncode == 0 and command(runtime, tmp, "info", "f3").returncode == 3, f"a file with lines that are none ({label})")
    kept.write_text(good + "8 /no/end")
    with Server(FIXTURES, runtime=runtime) as s:
        tally.equal(handle(s, FIXTURES / "demo.callgrind"), "f8", "a line without its end is none")
    kept.write_bytes(b"x" * (9 << 20))
    tally.equal(command(runtime, tmp, "info", "f7").returncode, 3, "a file of 9 MB")
    kept.unlink()
    kept.mkdir()
    tally.equal(command(runtime, tmp, "info", "f7").returncode, 3, "a folder in its place")


def check_many(tally, tmp):
    runtime, folder = Path(tmp, "many"), Path(tmp, "files")
    runtime.mkdir(mode=0o700)
    folder.mkdir()
    for i in range(1100):
        (folder / f"p{i:04}.folded").write_text("a;b 1\n")

    def work(n):
        with Server(folder, runtime=runtime) as s:
            return [handle(s, folder / f"p{i:04}.folded") for i in range(n * 20, n * 20 + 20)]

    with ThreadPoolExecutor(6) as pool:
        given = [h for hs in pool.map(work, range(6)) for h in hs]
    tally.check(None not in given and len(set(given)) == 120, "servers at the same time give different handles", sorted(given))
    kept = runtime / "assay/handles"
    kept.write_text("".join(f"{i + 1} {folder / f'p{i:04}.folded'}\n" for i in range(1000)))
    with Server(folder, runtime=runtime) as s:
        tally.equal([handle(s, folder / f"p{i:04}.folded") for i in (1000, 1001)], ["f1001", "f1002"], "the next numbers")
    tally.equal(len(kept.read_text().splitlines()), 1000, "a thousand are kept")
    tally.check([command(runtime, tmp, "info", f"f{i}").returncode for i in (1, 2, 3, 1002)] == [3, 3, 0, 0], "the oldest go first")
    tally.equal(sorted(p.name for p in kept.parent.iterdir()), ["handles"], "nothing else is left there")


def main():
    tally = Tally()
    for check in (check_folders, check_handles, check_hostile_folder, check_damaged, check_many):
        with tempfile.TemporaryDirectory() as tmp:
            check(tally, os.path.realpath(tmp))
    tally.finish()


if __name__ == "__main__":
    main()
