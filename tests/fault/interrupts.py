#!/usr/bin/env python3
"""One signal ends every verb that writes a file or a store, at once, whatever it is at: reading, analysing or writing. Nothing is left behind.

Each verb is interrupted at several moments of its own run, on an input that takes it a while. From the signal to the end it may use 100 ms of CPU
time; how long that takes on the clock depends on what else the machine does, so that bound is generous.
"""
import os
import random
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import ASSAY, Tally  # noqa: E402

OLD = b"what was there before\n"
MOMENTS = 2  # of each verb
CPU, CLOCK = 0.1, 3.0
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
DIRECTORIES = ("html", "hpcdb")
TWICE = 60


def chain(path, functions):
    """Functions that call each other in a chain, and others across it: short to read, long to follow."""
    lines = ["# callgrind format", "events: Ir"]
    for i in range(functions):
        lines += [f"fl=({i % 97}) file_{i % 97}.c", f"fn=({i}) function_{i}", f"{i} {i % 7 + 1}"]
        for callee in {i + 1, i + 2, min(i * 2 + 1, functions)}:
            if callee < functions:
                lines += [f"cfn=({callee}) function_{callee}", "calls=3 1", f"{i} {functions - i}"]
    path.write_text("\n".join(lines) + "\n")


def coverage(path, files):
    rows = "".join(f"DA:{n},{n % 3}\nBRDA:{n},0,0,{n % 2}\nBRDA:{n},0,1,1\n" for n in range(1, 400))
    with open(path, "w") as out:
        for i in range(files):
            out.write(f"SF:src/folder_{i % 50}/file_{i}.c\nFN:1,f{i}\nFNDA:1,f{i}\n{rows}end_of_record\n")


def stacks(path, count):
    with open(path, "w") as out:
        for i in range(count):
            names, x = ["main"], i
            while x:
                names.append(f"f{x % 37}_{len(names)}")
                x //= 9
            out.write(";".join(names) + f" {i % 91 + 1}\n")


def samples(path, count):
    """The trace of a thread, as HPCToolkit writes it."""
    with open(path, "wb") as out:
        out.write(b"HPCRUN-trace______01.01b" + struct.pack(">Q", 4))
        for i in range(count):
            out.write(struct.pack(">QI", 1700000000000000000 + i * 5000, i * 7919 % 60000 + 1))


def jobs(cost, lines, tree, trace):
    """Verbs on a call graph, coverage, calling contexts, and contexts over time."""
    yield from [("top", cost), ("tree", "--estimate", cost), ("callers", "function_7000", cost), ("flame", "--estimate", cost), ("info", cost), ("check", "--deep", cost),
                ("dump", cost), ("annotate", cost), ("diff", cost, cost), ("merge", "--to", "callgrind", cost, cost)]
    yield from [("convert", "--to", to, cost) for to in ("callgrind", "nytprof", "nytprof-tlv", "webgrind", "folded", "dot", "mermaid", "csv")]
    yield from [("top", lines), ("diff", lines, lines), ("annotate", lines), ("check", "--deep", lines), ("dump", lines), ("merge", "--to", "lcov", lines, lines)]
    yield from [("convert", "--to", to, lines) for to in ("lcov", "html", "cobertura", "jacoco", "clover", "istanbul", "coveralls", "assay-json", "gcovr-json")]
    yield from [("top", tree), ("tree", tree), ("callers", "f7_3", tree), ("flame", tree), ("diff", "--by", "context", tree, tree), ("merge", "--to", "folded", tree, tree)]
    yield from [("convert", "--to", to, tree) for to in ("hpcdb", "hpcrun", "folded", "callgrind")]
    yield from [("timeline", trace), ("info", trace), ("check", "--deep", trace), ("dump", trace)]


def usual():
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)


def content(target):
    return {str(p.relative_to(target)): p.read_bytes() for p in target.rglob("*") if p.is_file()} if target.is_dir() else target.read_bytes()


def cpu_of(pid):
    """Seconds of CPU time that a process has used, or None when it has ended."""
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return None


def interrupt(args, moment, how, **more):
    """Runs, and sends the signal after `moment` seconds of CPU time. The status, and seconds of CPU time and on the clock from then on; None when
    the work was done before."""
    process = subprocess.Popen([ASSAY, *args], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=usual, **more)
    used = 0.0
    while used is not None and used < moment:
        time.sleep(0.001)
        used = cpu_of(process.pid) if process.returncode is None else None
        if used is not None and os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            used = None
    begin, before = time.monotonic(), used
    if used is not None:
        os.kill(process.pid, how)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if used is None or process.returncode >= 0:
        return None
    return process.returncode, usage.ru_utime + usage.ru_stime - before, time.monotonic() - begin


def length_of(args, **more):
    """Seconds of CPU time that the work takes when it is left alone."""
    process = subprocess.Popen([ASSAY, *args], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more)
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    return usage.ru_utime + usage.ru_stime


class Times:
    """What was measured of all interrupts."""

    def __init__(self, tally):
        self.tally, self.cpu, self.clock = tally, [], []

    def take(self, result, how, label):
        status, cpu, clock = result
        self.tally.equal(status, -how, f"{label}: ends by it")
        self.tally.check(cpu <= CPU, f"{label}: at once", f"{cpu * 1000:.0f} ms of CPU time")
        self.tally.check(clock <= CLOCK, f"{label}: at once on the clock", f"{clock:.1f} s")
        self.cpu.append(cpu)
        self.clock.append(clock)

    def say(self):
        for what, list_ in (("CPU time", self.cpu), ("on the clock", self.clock)):
            print(f"{len(list_)} interrupts, {what}: median {statistics.median(list_) * 1000:.0f} ms, longest {max(list_) * 1000:.0f} ms")


def one_verb(tally, times, args, chance):
    is_dir = any(a in DIRECTORIES for a in args)
    name = " ".join(str(a).split("/")[-1] for a in args)
    with tempfile.TemporaryDirectory() as whole:
        length = length_of([*args, "-o", Path(whole) / "target"])
        for _ in range(MOMENTS):
            how, moment = chance.choice(SIGNALS), chance.random() * length
            with tempfile.TemporaryDirectory() as folder:
                target = Path(folder) / "target"
                if not is_dir:
                    target.write_bytes(OLD)
                result = interrupt([*args, "-o", target], moment, how)
                if result is None:
                    continue
                label = f"{name} after {moment:.2f} s, signal {how.name}"
                times.take(result, how, label)
                rest = sorted(os.listdir(folder))
                tally.check(rest in ([], ["target"]), f"{label}: leaves nothing behind", rest)
                as_it_was = not target.exists() if is_dir else content(target) == OLD
                tally.check(as_it_was or content(target) == content(Path(whole) / "target"), f"{label}: the target is as it was, or whole")


def git(repository, *args):
    subprocess.run(["git", "-C", repository, "-c", "user.name=a", "-c", "user.email=a@b", *args], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def imports(tally, times, folder, chance):
    """An import that is interrupted leaves no temporary file and no lock, and the next one goes through."""
    repository = Path(folder) / "repository"
    repository.mkdir()
    git(repository, "init", "-q")
    for i in range(600):
        path = repository / f"src/folder_{i % 50}/file_{i}.c"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"int f{i};\n" * 400)
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "one")
    if subprocess.run([ASSAY, "cov", "init"], cwd=repository, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0:
        print("skipped: imports, without libgit2")
        return
    report = Path(folder) / "imported.info"
    coverage(report, 600)
    empty = Path(folder) / "empty"
    store = repository / ".git/.covdata"
    shutil.copytree(store, empty)
    args = ["cov", "import", str(report)]
    length = length_of(args, cwd=repository)
    for _ in range(4 * MOMENTS):
        shutil.rmtree(store)
        shutil.copytree(empty, store)
        how, moment = chance.choice(SIGNALS), chance.random() * length
        result = interrupt(args, moment, how, cwd=repository)
        if result is None:
            continue
        label = f"cov import after {moment:.2f} s, signal {how.name}"
        times.take(result, how, label)
        rest = [str(p.relative_to(store)) for p in store.rglob("*") if p.name.startswith("tmp-") or (p.name.endswith(".lock") and p.name != "gc.lock")]
        tally.equal(rest, [], f"{label}: leaves nothing behind")
        again = subprocess.run([ASSAY, *args], cwd=repository, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        tally.check(again.returncode == 0, f"{label}: the next one goes through", again.stderr)


def two_at_once(tally, folder, cost):
    """Two signals back to back, as timeout(1) sends them: the second one must not get ahead of the handler of the first."""
    left, before = [], set(os.listdir(folder))
    for _ in range(TWICE):
        process = subprocess.Popen([ASSAY, "tree", "--estimate", cost, "-o", Path(folder) / "twice"], stderr=subprocess.DEVNULL, preexec_fn=usual)
        while set(os.listdir(folder)) == before and process.poll() is None:
            time.sleep(0.001)
        for _ in range(2):
            os.kill(process.pid, signal.SIGTERM)
        process.wait()
        left += [name for name in set(os.listdir(folder)) - before if name != "twice"]
        for name in set(os.listdir(folder)) - before:
            os.remove(Path(folder) / name)
    tally.equal(left, [], "two signals at once leave nothing behind")


def main():
    tally = Tally()
    times = Times(tally)
    seed = int(os.environ.get("ASSAY_INTERRUPTS_SEED", random.randrange(1 << 30)))
    print(f"ASSAY_INTERRUPTS_SEED={seed}")
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        cost, lines, tree, trace = (Path(folder) / name for name in ("cost.callgrind", "lines.info", "tree.folded", "thread.hpctrace"))
        chain(cost, 40000)
        coverage(lines, 700)
        stacks(tree, 60000)
        samples(trace, 200000)
        for args in jobs(cost, lines, tree, trace):
            one_verb(tally, times, args, chance)
        if shutil.which("git"):
            imports(tally, times, folder, chance)
        tally.check(len(times.cpu) > 50, "most were interrupted", len(times.cpu))
        times.say()
        two_at_once(tally, folder, cost)
        before = os.listdir(folder)
        result = subprocess.run(["timeout", "0.3", ASSAY, "tree", "--estimate", cost, "-o", Path(folder) / "out"], timeout=60, stderr=subprocess.DEVNULL)
        tally.check(result.returncode in (0, 124) and set(os.listdir(folder)) - set(before) <= {"out"}, "timeout needs one signal", result.returncode, os.listdir(folder))
    tally.finish()


if __name__ == "__main__":
    main()
