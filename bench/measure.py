"""Runs one program and says what it took: CPU seconds, wall seconds, peak memory, exit code."""
import os
import select
import signal
import subprocess
import time

POLL_S = 0.005


class Run:
    """`cpu` and `wall` in seconds, memory in bytes; `timed_out` when it was stopped."""

    def __init__(self, cpu, wall, code, anon, rss, max_rss, timed_out):
        self.cpu, self.wall, self.code = cpu, wall, code
        self.anon, self.rss, self.max_rss, self.timed_out = anon, rss, max_rss, timed_out


def cores_for(count):
    """The last cores this process may use: the first ones tend to serve interrupts. None where cores cannot be chosen."""
    if not hasattr(os, "sched_getaffinity"):
        return None
    return set(sorted(os.sched_getaffinity(0))[-count:])


def run(argv, cores=None, watch=False, timeout=None, stdout=subprocess.DEVNULL):
    """`watch` polls the memory, which costs a little time on another core. Raises OSError where the program cannot be started."""
    pin = (lambda: os.sched_setaffinity(0, cores)) if cores else None
    begin = time.monotonic()
    with subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.DEVNULL, preexec_fn=pin) as child:
        anon, rss, timed_out = wait_for(child.pid, watch, None if timeout is None else begin + timeout)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.monotonic() - begin
        child.returncode = os.waitstatus_to_exitcode(status)
    return Run(usage.ru_utime + usage.ru_stime, wall, child.returncode, anon, rss, usage.ru_maxrss * 1024, timed_out)


def wait_for(pid, watch, deadline):
    """Until the program ends, or is ended at the deadline; its largest anonymous and whole memory when watched."""
    anon = rss = 0
    timed_out = False
    handle = os.pidfd_open(pid)
    try:
        while True:
            step = POLL_S if watch else None
            if deadline is not None:
                left = max(0.0, deadline - time.monotonic())
                step = left if step is None else min(step, left)
            if select.select([handle], [], [], step)[0]:
                return anon, rss, timed_out
            if deadline is not None and not timed_out and time.monotonic() >= deadline:
                signal.pidfd_send_signal(handle, signal.SIGKILL)
                timed_out, deadline = True, None
            if watch:
                now = memory_of(pid)
                anon, rss = max(anon, now.get("RssAnon", 0)), max(rss, now.get("VmHWM", 0))
    finally:
        os.close(handle)


def memory_of(pid):
    try:
        with open("/proc/%d/status" % pid, encoding="ascii", errors="replace") as status:
            rows = (line.split() for line in status)
            return {row[0][:-1]: int(row[1]) * 1024 for row in rows if row and row[0] in ("RssAnon:", "VmHWM:")}
    except (OSError, ValueError):
        return {}
