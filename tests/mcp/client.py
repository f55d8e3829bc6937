"""A client of `assay mcp` that can send any bytes: a line for each message, answers by their ids."""
import contextlib
import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import ASSAY  # noqa: E402

VERSION = "2025-11-25"


class Server:
    """One session; it ends with the block, and tells then how the server ended."""

    def __init__(self, *folders, options=(), runtime=None, begin=True):
        env = {**os.environ, "XDG_RUNTIME_DIR": str(runtime)} if runtime else {k: v for k, v in os.environ.items() if k not in ("XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "HOME")}
        self.process = subprocess.Popen([ASSAY, "mcp", *options, *map(str, folders)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
        self.pending = b""
        self.last = 0
        if begin:
            self.begin()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self, wait=20):
        """Ends the input; the status of the server."""
        if self.process.stderr.closed:
            return self.process.returncode
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        try:
            self.process.wait(wait)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return "killed"
        self.said = self.process.stderr.read()
        for stream in (self.process.stdout, self.process.stderr):
            stream.close()
        return self.process.returncode

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, method, params=None, **more):
        message = {"jsonrpc": "2.0", **more, "method": method}
        if params is not None:
            message["params"] = params
        self.write(json.dumps(message).encode() + b"\n")

    def line(self, wait=20):
        """The next line that the server writes, None when none comes in time."""
        until = time.monotonic() + wait
        while b"\n" not in self.pending:
            if not select.select([self.process.stdout], [], [], max(0, until - time.monotonic()))[0]:
                return None
            data = os.read(self.process.stdout.fileno(), 65536)
            if not data:
                return None
            self.pending += data
        line, _, self.pending = self.pending.partition(b"\n")
        return line

    def answer(self, wait=20):
        line = self.line(wait)
        return None if line is None else json.loads(line.decode("utf-8"))

    def ask(self, method, params=None):
        self.last += 1
        self.send(method, params, id=self.last)
        return self.answer()

    def raw(self, data):
        """What is answered to one line of any bytes."""
        self.write(data + b"\n")
        return self.answer()

    def begin(self, version=VERSION):
        answer = self.ask("initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}})
        self.send("notifications/initialized")
        return answer

    def call(self, tool, **arguments):
        """(text, is it an error) of a tool's answer."""
        answer = self.ask("tools/call", {"name": tool, "arguments": arguments})
        if not answer or "result" not in answer:
            return repr(answer), "refused"
        return answer["result"]["content"][0]["text"], answer["result"]["isError"]
