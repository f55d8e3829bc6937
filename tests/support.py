"""What the Python tests share: where things are, the command, and the count at the end.

Environment (set by tests/meson.build): ASSAY = the command, ASSAY_SOURCE = the repository, ASSAY_BUILD = the build folder,
ASSAY_SHARED = the shared data (default: ../shared beside the repository), ASSAY_STANDBY_MODULE = standby.so (without it each run starts anew).
"""
import atexit
import contextlib
import gzip
import importlib.util
import io
import os
import select
import socket
import struct
import subprocess
import sys
import threading
from pathlib import Path

SOURCE = Path(os.environ.get("ASSAY_SOURCE") or Path(__file__).resolve().parents[1])
BUILD = Path(os.environ.get("ASSAY_BUILD") or SOURCE / "build")
ASSAY = os.environ.get("ASSAY") or str(BUILD / "src" / "assay")
SHARED = Path(os.environ.get("ASSAY_SHARED") or SOURCE.parent / "shared")
FIXTURES = SOURCE / "tests" / "data"
SKIP = 77  # exit status that meson counts as skipped


class Tally:
    """Counts single tests and tells what failed."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def check(self, ok, label, *detail):
        if ok:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED {label}")
            for line in "\n".join(str(d) for d in detail).split("\n")[:30]:
                print(f"    {line}")
        return ok

    def equal(self, got, want, label):
        return self.check(got == want, label, f"got      {got!r}"[:2000], f"expected {want!r}"[:2000])

    def add(self, passed, failed, skipped=0):
        self.passed += passed
        self.failed += failed
        self.skipped += skipped

    def skip(self, label, why, count=1):
        self.skipped += count
        print(f"skipped {label}: {why}")

    def finish(self):
        print(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped")
        sys.stdout.flush()
        if self.failed:
            sys.exit(1)
        sys.exit(0 if self.passed else SKIP)


def run(*args, **kwargs):
    kwargs.setdefault("capture_output", True)
    return subprocess.run([str(a) for a in args], **kwargs)


class Standby:
    """The command, loaded once and forked for each run (standby.c): the same as starting it, five times as fast."""
    LONGEST = 100_000  # bytes of a message
    own = threading.local()

    def __init__(self, module):
        self.socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.environment = {**os.environ, "LD_PRELOAD": module, "ASSAY_STANDBY": f"{theirs.fileno()}:{ASSAY}"}
        self.process = subprocess.Popen([ASSAY], env=self.environment, pass_fds=[theirs.fileno()])
        theirs.close()
        atexit.register(self.close)

    def close(self):
        self.socket.close()
        self.process.wait()

    @classmethod
    def of_this_thread(cls):
        if not hasattr(cls.own, "it"):
            module = os.environ.get("ASSAY_STANDBY_MODULE")
            cls.own.it = cls(module) if module and "LD_PRELOAD" not in os.environ else None
        return cls.own.it

    def message(self, args, cwd, env):
        variables = [f"{k}={v}" for k, v in env.items()]
        words = [str(cwd or ""), *args, *variables]
        return struct.pack("=II", len(args), len(variables)) + b"".join(os.fsencode(w) + b"\0" for w in words)

    def run(self, args, message):
        out, err = os.pipe(), os.pipe()
        socket.send_fds(self.socket, [message], [out[1], err[1]])
        os.close(out[1])
        os.close(err[1])
        said = read_all(out[0], err[0])
        status = os.waitstatus_to_exitcode(struct.unpack("=i", self.socket.recv(4))[0])
        return subprocess.CompletedProcess(args, status, *said)


def read_all(*fds):
    """What comes out of pipes until their ends; closes them."""
    parts, poll = {fd: [] for fd in fds}, select.poll()
    for fd in fds:
        poll.register(fd, select.POLLIN)
    left = len(fds)
    while left:
        for fd, _ in poll.poll():
            parts[fd].append(os.read(fd, 1 << 18))
            if not parts[fd][-1]:
                poll.unregister(fd)
                os.close(fd)
                left -= 1
    return [b"".join(parts[fd]) for fd in fds]


def assay(*args, **kwargs):
    """Runs the command, as subprocess.run does."""
    args = [ASSAY, *map(str, args)]
    env = kwargs.get("env", os.environ)
    standby = Standby.of_this_thread() if not set(kwargs) - {"cwd", "env"} and "LD_PRELOAD" not in env else None
    message = standby.message(args, kwargs.get("cwd"), env) if standby else b""
    if not 0 < len(message) < Standby.LONGEST:
        return run(*args, **kwargs)
    return standby.run(args, message)


def facts_checker():
    """check-facts.py of the shared data as a module, asking the command that is ready."""
    spec = importlib.util.spec_from_file_location("check_facts", SHARED / "tools" / "check-facts.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def ask(case, *args):
        r = assay(*args, case.path)
        return r.returncode, r.stdout, r.stderr.decode("utf-8", "replace").strip()
    module.Case.run = ask
    return module


def check_facts(*args):
    """Runs check-facts.py, as subprocess.run does."""
    module, out, before, status = facts_checker(), io.StringIO(), sys.argv, 0
    sys.argv = ["check-facts.py", *map(str, args), "--assay", ASSAY, "-v"]
    try:
        with contextlib.redirect_stdout(out):
            module.main()
    except SystemExit as e:
        status = e.code or 0
    finally:
        sys.argv = before
    return subprocess.CompletedProcess(args, status, out.getvalue().encode(), b"")


def has_shared():
    return (SHARED / "data").is_dir()


def read_bytes(path):
    """The bytes of a file, unpacked where it is gzip."""
    data = Path(path).read_bytes()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def said(result):
    """Exit status and the end of what a command said, for messages."""
    return f"exit {result.returncode}: {result.stderr.decode('utf-8', 'replace').strip()[-600:]}"
