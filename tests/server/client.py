"""A viewer and a client for it: what the tests of tests/server and tests/web share."""
import gzip
import http.client
import json
import re
import signal
import struct
import subprocess
from urllib.parse import urlencode

TYPES = {"u8": "B", "u16": "H", "u32": "I", "f32": "f", "f64": "d", "u64": "Q", "i64": "q"}


def decode(data):
    """Columns: the header, with each column as a list."""
    assert data[:4] == b"ASC1", data[:40]
    length = struct.unpack_from("<I", data, 4)[0]
    assert (8 + length) % 8 == 0
    head = json.loads(data[8:8 + length])
    for c in head["columns"]:
        at, count = c["at"], c["count"]
        assert at % 8 == 0 and at + c["bytes"] <= len(data), c
        if c["type"] == "str":
            offsets, base = struct.unpack_from(f"<{count + 1}I", data, at), at + 4 * (count + 1)
            head[c["name"]] = [data[base + a:base + b].decode() for a, b in zip(offsets, offsets[1:])]
        else:
            head[c["name"]] = list(struct.unpack_from(f"<{count}{TYPES[c['type']]}", data, at))
    return head


class Viewer:
    """`with Viewer(ASSAY, FILE...) as v: v.get("table", by="file")`"""

    def __init__(self, assay, *args, env=None):
        self.process = subprocess.Popen([assay, "view", "--no-open", *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
        self.address = self.process.stdout.readline().strip()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/#t=([0-9a-f]{32})", self.address)
        if not found:
            raise RuntimeError(f"no address: {self.address!r} {self.process.communicate()[1]}")
        self.port, self.token = int(found[1]), found[2]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        """The exit status after ^C."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            self.errors = self.process.communicate(timeout=20)[1]
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        return self.process.returncode

    def raw(self, target, method="GET", headers=None, body=None, token=True):
        """Status, headers, bytes."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent = {"X-Assay": self.token} if token else {}
        connection.request(method, target, body=body, headers={**sent, **(headers or {})})
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        if answer.getheader("Content-Encoding") == "gzip":
            data = gzip.decompress(data)
        return answer.status, dict(answer.getheaders()), data

    def ask(self, route, method="GET", body=None, **params):
        """Status and what came back, decoded."""
        query = urlencode([(k, v) for k, v in params.items()], doseq=True)
        status, headers, data = self.raw(f"/api/{route}" + (f"?{query}" if query else ""), method, body=body)
        kind = headers.get("Content-Type", "")
        return status, decode(data) if kind == "application/vnd.assay.columns" else json.loads(data) if kind == "application/json" else data

    def get(self, route, **params):
        status, answer = self.ask(route, **params)
        assert status == 200, (route, params, status, answer)
        return answer
