#!/usr/bin/env python3
"""What the server of `assay view` refuses, and what it bounds: docs/view.md, "Who can see it". Everything here happens on loopback."""
import contextlib
import http.client
import os
import signal
import socket
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))
from client import Viewer, decode  # noqa: E402
from support import ASSAY, FIXTURES, Tally  # noqa: E402

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def talk(viewer, text, wait=5):
    """What the server says to these bytes: the status, or None when it hangs up; and all of it."""
    with socket.create_connection(("127.0.0.1", viewer.port), timeout=wait) as s:
        data = b""
        try:
            s.sendall(text.encode("latin-1") if isinstance(text, str) else text)
            while chunk := s.recv(65536):
                data += chunk
                if b"\r\n\r\n" in data and b"Content-Length: 0" in data:
                    break
        except (TimeoutError, ConnectionError, BrokenPipeError):
            pass
    return (int(data.split()[1]) if data.startswith(b"HTTP/") else None), data


def request(viewer, target="/api/session", host=None, method="GET", more="", token=True):
    host = f"127.0.0.1:{viewer.port}" if host is None else host
    lines = [f"{method} {target} HTTP/1.1", *([f"Host: {host}"] if host else []), *([f"X-Assay: {viewer.token}"] if token else []), "Connection: close"]
    return "\r\n".join(lines) + "\r\n" + more + "\r\n"


def check_token(tally, viewer):
    wrong = viewer.token[:-1] + ("0" if viewer.token[-1] != "0" else "1")
    for token, label in ((None, "no token"), ("", "an empty token"), (wrong, "a wrong token"), (viewer.token + "0", "a longer token"), (viewer.token[:-1], "a shorter token")):
        status, _, data = viewer.raw("/api/session", headers={} if token is None else {"X-Assay": token}, token=False)
        tally.check(status == 401 and not data, f"{label} is refused", status, data)
    status, _, _ = viewer.raw(f"/api/session?t={viewer.token}", token=False)
    tally.equal(status, 401, "a token in the query does not help")
    status, _, _ = viewer.raw("/api/session", headers={"Cookie": f"assay={viewer.token}"}, token=False)
    tally.equal(status, 401, "a cookie does not help")
    status, headers, data = viewer.raw("/", token=False)
    tally.check(status == 200 and viewer.token.encode() not in data and "Set-Cookie" not in headers, "the page itself needs no token and does not contain it")


def check_host(tally, viewer):
    for host in (f"127.0.0.1:{viewer.port}", f"localhost:{viewer.port}", f"LOCALHOST:{viewer.port}", f"[::1]:{viewer.port}"):
        tally.equal(talk(viewer, request(viewer, host=host))[0], 200, f"Host: {host}")
    for host in ("127.0.0.1", "localhost", f"127.0.0.1.evil.example:{viewer.port}", f"evil.example:{viewer.port}", f"127.0.0.1.:{viewer.port}", f"127.0.0.1:{viewer.port + 1}",
                 f"localhost.:{viewer.port}", f"127.0.0.1:{viewer.port}@evil.example", f"0.0.0.0:{viewer.port}", f"127.1:{viewer.port}"):
        tally.equal(talk(viewer, request(viewer, host=host))[0], 403, f"Host: {host} is refused")
    tally.equal(talk(viewer, request(viewer, host=""))[0], 400, "a request without a Host is refused")
    double = request(viewer, more=f"Host: 127.0.0.1:{viewer.port}\r\n")
    tally.check(talk(viewer, double)[0] in (400, 403), "two Hosts are refused")


def check_origin(tally, viewer):
    own = f"http://127.0.0.1:{viewer.port}"
    for origin, want in ((own, 200), (f"http://localhost:{viewer.port}", 200), ("http://evil.example", 403), ("null", 403), (own + ".evil.example", 403),
                         (f"https://127.0.0.1:{viewer.port}", 403), (f"http://127.0.0.1:{viewer.port + 1}", 403)):
        tally.equal(talk(viewer, request(viewer, more=f"Origin: {origin}\r\n"))[0], want, f"Origin: {origin}")
    for site, want in (("same-origin", 200), ("none", 200), ("cross-site", 403), ("same-site", 403)):
        tally.equal(talk(viewer, request(viewer, more=f"Sec-Fetch-Site: {site}\r\n"))[0], want, f"Sec-Fetch-Site: {site}")
    _, headers, _ = viewer.raw("/api/session", headers={"Origin": own})
    tally.check(not any(h.lower().startswith("access-control") for h in headers), "no CORS header is ever sent")


def check_targets(tally, viewer):
    for target in (f"http://127.0.0.1:{viewer.port}/api/session", "http://evil.example/api/session", f"//127.0.0.1:{viewer.port}/api/session", "*", "api/session", "/api/session#x",
                   "/api\\session"):
        tally.check(talk(viewer, request(viewer, target=target))[0] in (400, None), f"target {target} is refused")
    for target in ("/../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/api/../../etc/passwd", "/app.js/../../etc/passwd", "/app.js%00", "/.", "/index.html", "/api", "/API/session", "/api/",
                   "/api/session/"):
        status, data = talk(viewer, request(viewer, target=target))
        tally.check(status in (400, 404) and b"root:" not in data, f"target {target} is not found", status)
    for method in ("PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "get"):
        tally.check(talk(viewer, request(viewer, method=method))[0] in (400, 405, 501, None), f"{method} is refused")
    tally.equal(talk(viewer, request(viewer, method="POST", more="Content-Length: 0\r\n"))[0], 405, "POST of what is read is refused")
    tally.equal(viewer.raw("/api/rescan")[0], 405, "GET of what changes something is refused")


def check_sources(tally, viewer):
    """Only what the file names can be read, however it is asked for."""
    for query in ("path=/etc/passwd", "path=../../../../etc/passwd", "id=4000000000", "path=/etc/passwd&map=/tmp=/etc"):
        status, _, data = viewer.raw(f"/api/source?{query}")
        tally.check(status in (400, 422) and b"root:x" not in data, f"source?{query} shows nothing", status, data[:200])


def check_parameters(tally, viewer):
    for query in ("by=nothing", "nothing=1", "from=-1", "from=1e99", "count=5000", "from=1&from=2", "min=nan", "min=101", "a=0", "a=99", "a=1,,2", "a=" + "1," * 40 + "1", "b=x", "%zz=1",
                  "by=%", "focus=%00", "focus=%ff", "match=/(/", "time=5..1", "x" * 7000 + "=1", "&".join(f"focus={i}" for i in range(300))):
        status, _, data = viewer.raw(f"/api/table?{query}")
        tally.check(status in (400, 414, 422) and (not data or b'"error"' in data), f"table?{query[:40]} is refused with a sentence", status, data[:200])


def check_size(tally, viewer):
    tally.check(talk(viewer, request(viewer, target="/api/session?" + "a" * 60000))[0] in (400, 414, 431, None), "a request line of 60 KB is refused")
    tally.check(talk(viewer, request(viewer, more="X-Filler: " + "a" * 100000 + "\r\n"))[0] in (400, 413, 431, None), "headers of 100 KB are refused")
    tally.check(talk(viewer, request(viewer, target="/api/open?name=x", method="POST", more=f"Content-Length: {1 << 30}\r\n"))[0] in (413, None), "a body of 1 GB is refused")
    tally.check(talk(viewer, request(viewer, more="Content-Length: 10\r\n") + "0123456789")[0] == 400, "a GET with a body is refused")
    both = request(viewer, target="/api/open?name=x", method="POST", more="Content-Length: 3\r\nTransfer-Encoding: chunked\r\n") + "1\r\na\r\n0\r\n\r\n"
    tally.check(talk(viewer, both)[0] in (400, None), "length and chunks together are refused")
    status, answer = viewer.ask("open", method="POST", body=b"a;b 3\n", name="../../dropped.folded")
    tally.check(status == 200 and answer["inputs"][-1]["name"] == "dropped.folded", "a dropped file is opened by its name only", answer)
    shown = viewer.get("flame", a=answer["opened"])
    tally.equal((shown["root_total"], [shown["names"][n] for n in shown["name"]]), (3, ["a", "b"]), "and shown")


def check_answers(tally, viewer):
    for target in ("/", "/app.js", "/app.css", "/favicon.svg", "/api/session", "/api/nothing", "/nothing"):
        _, headers, _ = viewer.raw(target)
        tally.check(all(headers.get(k) == v for k, v in HEADERS.items()), f"{target} has the headers", headers)
        policy = headers.get("Content-Security-Policy", "")
        tally.check("default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy, f"{target} has a policy", policy)
    _, headers, data = viewer.raw("/api/table?count=0", headers={"Accept-Encoding": "gzip"})
    tally.check(decode(data)["rows"] > 0, "answers can be compressed")


def check_connections(tally, viewer):
    """A thousand connections at once: those in excess are not served, and the server goes on."""
    sockets, refused = [], 0
    for _ in range(1000):
        s = socket.socket()
        s.settimeout(2)
        try:
            s.connect(("127.0.0.1", viewer.port))
            sockets.append(s)
        except OSError:
            refused += 1
    threads = len(os.listdir(f"/proc/{viewer.process.pid}/task"))
    tally.check(threads < 40, "the number of threads is bounded", threads)
    for s in sockets:
        s.close()
    deadline = time.time() + 20
    status = None
    while status != 200 and time.time() < deadline:
        try:
            status = viewer.raw("/api/session")[0]
        except OSError:
            time.sleep(0.2)
    tally.equal(status, 200, "the server answers afterwards")


def check_slow(tally, viewer):
    """A client that sends a byte now and then is cut after ten seconds; others are served meanwhile."""
    text, began, cut = request(viewer).encode(), time.time(), None
    with socket.create_connection(("127.0.0.1", viewer.port), timeout=5) as s:
        for i in range(40):
            try:
                s.sendall(text[i:i + 1])
                s.settimeout(0.5)
                if s.recv(100) == b"":
                    cut = time.time() - began
                    break
            except TimeoutError:
                continue
            except OSError:
                cut = time.time() - began
                break
        tally.check(cut is not None and 8 < cut < 16, "a slow request is cut", cut)
    tally.equal(viewer.raw("/api/session")[0], 200, "others are served")


def check_two(tally):
    """Two viewers at once: each has its own port and token."""
    with Viewer(ASSAY, FIXTURES / "demo.folded") as one, Viewer(ASSAY, FIXTURES / "demo.folded") as two:
        tally.check(one.port != two.port and one.token != two.token, "two viewers differ")
        tally.equal(two.raw("/api/session", headers={"X-Assay": one.token}, token=False)[0], 401, "the token of one does not open the other")
    with Viewer(ASSAY, FIXTURES / "demo.folded") as one:
        try:
            Viewer(ASSAY, "--port", one.port, FIXTURES / "demo.folded").end()
            tally.check(False, "a port that is taken is an error")
        except RuntimeError as problem:
            tally.check("cannot listen" in str(problem), "a port that is taken is an error", problem)


def check_end(tally):
    """^C ends it while requests run, quickly and without a trace."""
    with Viewer(ASSAY, FIXTURES / "demo.xdebug") as viewer:
        def ask():
            with contextlib.suppress(OSError, http.client.HTTPException):
                for _ in range(50):
                    viewer.ask("flame")

        threads = [threading.Thread(target=ask, daemon=True) for _ in range(4)]
        for thread in threads:
            thread.start()
        began = time.time()
        tally.equal(viewer.end(), -signal.SIGINT, "^C ends it")
        tally.check(time.time() - began < 5, "at once")


def check_names(tally):
    """Names that look like markup come back as they are, and harm nothing in an exported page."""
    nasty = "</script><img src=x onerror=alert(1)>"
    with tempfile.TemporaryDirectory() as tmp:
        path = Path(tmp) / f"a{'<b>'}.folded"
        path.write_text(f"main;{nasty} 3\nmain;\xffraw 2\n", encoding="latin-1")
        with Viewer(ASSAY, path) as viewer:
            got = viewer.get("table", count=0)
            names = [got["names"][n] for n in got["name"]]
            tally.check(nasty in names and "\\xffraw" in names, "names are text", names)
        out = Path(tmp) / "page.html"
        os.system(f"{ASSAY} view --export '{out}' '{path}'")
        page = out.read_text()
        tally.check(nasty not in page and "<b>.folded" not in page, "an exported page has no name as markup")
        tally.equal(page.count("</script>"), 3, "and just its own scripts")


def check_kept_token(tally):
    """With --port the token is that of the last server, from a file that nobody else can read; what others could have written or read is not used."""
    with tempfile.TemporaryDirectory() as folder, socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
        s.close()
        kept, env = Path(folder) / f"assay-view-{port}", {**os.environ, "XDG_RUNTIME_DIR": folder}

        def token():
            with Viewer(ASSAY, "--port", str(port), FIXTURES / "demo.folded", env=env) as viewer:
                return viewer.token

        first = token()
        tally.equal((kept.read_text(), kept.stat().st_mode & 0o777), (first, 0o600), "the token of a port is kept, for its owner only")
        tally.equal(token(), first, "the next server on that port has it again")
        kept.chmod(0o644)
        tally.check(token() != first and kept.read_text() == first, "one that others can read is not used")
        kept.unlink()
        other = Path(folder) / "other"
        other.write_text("0" * 32)
        other.chmod(0o600)
        kept.symlink_to(other)
        tally.check(token() != "0" * 32 and other.read_text() == "0" * 32, "nor is one behind a link")
        kept.unlink()
        kept.write_text("no token")
        kept.chmod(0o600)
        tally.equal(token(), kept.read_text(), "one that is damaged is made anew")
        with Viewer(ASSAY, FIXTURES / "demo.folded", env=env) as viewer:
            tally.check(viewer.token != kept.read_text() and len(list(Path(folder).iterdir())) == 2, "without --port each server has its own")


def main():
    tally = Tally()
    with Viewer(ASSAY, FIXTURES / "demo.xdebug") as viewer:
        for check in (check_token, check_host, check_origin, check_targets, check_sources, check_parameters, check_size, check_answers, check_slow, check_connections):
            check(tally, viewer)
    check_two(tally)
    check_end(tally)
    check_names(tally)
    check_kept_token(tally)
    tally.finish()


if __name__ == "__main__":
    main()
