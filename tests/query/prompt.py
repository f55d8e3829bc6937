#!/usr/bin/env python3
"""The prompt of `assay query` on a terminal: a pseudo-terminal here types, and looks at what appears."""
import os
import pty
import re
import select
import signal
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import ASSAY, FIXTURES, Tally, assay  # noqa: E402

ESCAPES = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\r|\x07")


class Terminal:
    def __init__(self, home, *args, **env):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(HOME=str(home), TERM="dumb", PAGER="cat", LC_ALL="C.UTF-8", **env)
            os.environ.pop("XDG_STATE_HOME", None)
            os.execv(ASSAY, [ASSAY, "query", *map(str, args)])
        self.seen = b""

    def until(self, text, seconds=60):
        """What appears up to and with `text`, without escapes; "" = it does not come."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            plain = ESCAPES.sub(b"", self.seen)
            if text in plain:
                self.seen = plain[plain.index(text) + len(text):]
                return plain[:plain.index(text)].decode("utf-8", "replace")
            if select.select([self.fd], [], [], 0.2)[0]:
                try:
                    self.seen += os.read(self.fd, 65536)
                except OSError:
                    break
        return ""

    def ask(self, text):
        os.write(self.fd, text.encode() + b"\n")
        return self.until(b"assay> ")

    def end(self):
        while select.select([self.fd], [], [], 10)[0]:
            try:
                if not os.read(self.fd, 65536):
                    break
            except OSError:
                break
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory() as home:
        t = Terminal(home, FIXTURES / "demo.callgrind")
        tally.check(t.until(b"assay> "), "it asks", t.seen)
        said = t.ask("select name, self from top limit 1;")
        tally.check("is_prime" in said and "27803" in said, "a statement is answered", said)
        os.write(t.fd, b"select 6 *\n")
        t.until(b"...> ")
        tally.check("42" in t.ask("7;"), "a statement may have several lines")
        tally.check("no such table: functions; did you mean 'function'?" in t.ask("select * from functions;"), "a mistake is told, and it goes on")
        tally.check("may not attach" in t.ask("attach 'x' as x;"), "what is refused is refused here too")
        said = t.ask(".tables")
        tally.check("cov_line" in said and "what each function costs" in said, ".tables", said)
        said = t.ask(".schema top")
        tally.check("self_share" in said and "cov_line" not in said, ".schema TABLE", said)
        t.ask(".format csv")
        tally.check("is_prime,27803" in t.ask("select name, self from top limit 1;"), ".format")
        t.ask(".timer on")
        tally.check(re.search(r"\d\.\d{3} s", t.ask("select 1;")), ".timer")
        tally.check("hot-untested" in t.ask(".named"), ".named lists questions")
        tally.check(".quit" in t.ask(".help"), ".help")
        tally.check("there is no command '.foo'" in t.ask(".foo"), "a command that does not exist")
        tally.check("there is no table 'x'" in t.ask(".schema x"), "a table that does not exist")
        os.write(t.fd, b"select 1 +\n")
        t.until(b"...> ")
        os.write(t.fd, b"\x03")
        tally.check("^C" in t.until(b"assay> "), "^C drops a statement that is being typed", t.seen)
        tally.check("42" in t.ask("select 42;"), "and the next one is answered")
        os.write(t.fd, b"with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c;\n")
        time.sleep(1)
        os.kill(t.pid, signal.SIGINT)
        tally.check("interrupted" in t.until(b"assay> "), "^C ends a statement that runs")
        tally.check("is_prime,27803" in t.ask("select name, self from top limit 1;"), "and the next one is answered")
        if "libedit" in assay("--version").stdout.decode():
            os.write(t.fd, b"select name, self_sh\t from top limit 1;\n")  # completion draws the line anew
            tally.check(t.until(b"is_prime,0.801"), "the Tab key completes a column", t.seen)
            t.until(b"assay> ")
            os.write(t.fd, b".sch\ttop\n")
            tally.check("self_share" in t.until(b"example:"), "a command", t.seen)
            t.until(b"assay> ")
            os.write(t.fd, b"sel\t\t")
            names = t.until(b"self_share").split()
            tally.check("select" in names and names.count("self") == 1, "names are listed once, with words of SQL", names)
            os.write(t.fd, b"\x03")
            t.until(b"^C")
            t.until(b"assay> ")
            os.write(t.fd, "select 'caf\u00e9' || 'teria' as word;\n".encode())
            tally.check(t.until("caf\u00e9teria".encode()), "text that is not ASCII can be typed", t.seen)
            t.until(b"assay> ")
        os.write(t.fd, b".quit\n")
        tally.equal(t.end(), 0, "it ends")
        if "libedit" in assay("--version").stdout.decode():
            history = Path(home, ".assay-query-history")
            tally.check(history.exists() and history.stat().st_mode & 0o077 == 0, "the history is the user's own")
    with tempfile.TemporaryDirectory() as home:
        Path(home, "libedit.so.2").write_text("not a library\n")
        t = Terminal(home, FIXTURES / "demo.callgrind", LD_LIBRARY_PATH=home)
        tally.check(t.until(b"assay> ") and "42" in t.ask("select 6 * 7;"), "where libedit is not installed lines are read as they come", t.seen)
        os.write(t.fd, b".quit\n")
        tally.equal(t.end(), 0, "it ends, too")
    r = assay("query", FIXTURES / "demo.callgrind")
    tally.check(r.returncode == 2 and b"needs FILE... and a statement" in r.stderr, "without a terminal it does not ask", r.stderr)
    tally.finish()


if __name__ == "__main__":
    main()
