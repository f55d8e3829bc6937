#!/usr/bin/env python3
"""The protocol of `assay mcp`, against its specification (modelcontextprotocol.io, JSON-RPC 2.0): what begins a session, what is refused and with which code, what
is cancelled, what ends it; and the bounds of an answer."""
import contextlib
import json
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from client import VERSION, Server  # noqa: E402
from support import FIXTURES, Tally, assay  # noqa: E402

ENDLESS = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n"
CALLGRIND = FIXTURES / "demo.callgrind"


def has_sql():
    return b"sqlite" in assay("--version").stdout


def code(answer):
    return (answer or {}).get("error", {}).get("code")


def check_begin(tally):
    for version, want in ((VERSION, VERSION), ("2025-06-18", "2025-06-18"), ("2025-03-26", "2025-03-26"), ("2024-11-05", "2024-11-05"), ("1999-01-01", VERSION)):
        with Server(FIXTURES, begin=False) as s:
            result = s.begin(version)["result"]
            tally.equal(result["protocolVersion"], want, f"version for {version}")
    tally.check(result["capabilities"] == {"tools": {}} and result["serverInfo"]["name"] == "assay", "tools and nothing else", result)
    with Server(FIXTURES, begin=False) as s:
        tally.equal(code(s.ask("tools/list")), -32600, "tools/list before initialize")
        tally.equal(s.ask("ping"), {"jsonrpc": "2.0", "id": 2, "result": {}}, "ping before initialize")
        tally.equal(code(s.ask("initialize", {})), -32602, "initialize without a version")
        s.begin()
        tally.equal(code(s.begin()), -32600, "initialize again")
        tally.equal(code(s.ask("resources/list")), -32601, "a method that is not there")
        tally.equal(code(s.ask("tools/list", {"cursor": "x"})), -32602, "a cursor that was never given out")
        for name in ("nothing", "", "dump", "open\x00"):
            tally.equal(code(s.ask("tools/call", {"name": name, "arguments": {}})), -32602, f"tool {name!r}")
        tally.equal(code(s.ask("tools/call", {"arguments": {}})), -32602, "a call without a name")
        tally.equal(s.ask("ping")["result"], {}, "and goes on")


def check_definitions(tally):
    with Server(FIXTURES) as s:
        tools = s.ask("tools/list", {})["result"]["tools"]
    want = ["open", "top", "tree", "callers", "annotate", "diff"] + (["query"] if has_sql() else [])
    tally.equal([t["name"] for t in tools], want, "the tools")
    size = len(json.dumps(tools, separators=(",", ":")))
    tally.check(size < 4096, f"their definitions take less than 4 KB ({size} bytes)")
    for t in tools:
        schema = t["inputSchema"]
        tally.check(schema["type"] == "object" and set(schema["required"]) <= set(schema["properties"]) and t["annotations"]["readOnlyHint"] is True, f"{t['name']}: its schema", t)


MALFORMED = [
    (b"x", -32700, "no JSON"),
    (b"{", -32700, "cut"),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping"', -32700, "cut later"),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping"} x', -32700, "something behind"),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":1,"method":"ping"}', -32700, "two on a line"),
    (b'"text"', -32700, "a string"),
    (b"\x1f\x8b\x08\x00\x00\x00\x00\x00", -32700, "gzip"),
    (b"(\xb5/\xfd", -32700, "zstd"),
    (b"\xff\xfe{\x00}\x00", -32700, "UTF-16"),
    (b"\xef\xbb\xbf{}", -32700, "a byte order mark"),
    (b"[" * 100000, -32700, "deep nesting"),
    (b'{"a":' * 5000 + b"1" + b"}" * 5000, -32700, "deep objects"),
    (b"[]", -32600, "an empty array"),
    (b"[1]", -32600, "an array with a number"),
    (b"{}", -32600, "an empty object"),
    (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600, "another version"),
    (b'{"id":1,"method":"ping"}', -32600, "no version"),
    (b'{"jsonrpc":"2.0","id":1}', -32600, "no method"),
    (b'{"jsonrpc":"2.0","id":1,"method":7}', -32600, "a method that is a number"),
    (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, "an id that is null"),
    (b'{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}', -32600, "an id that is an object"),
    (b'{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', -32600, "two ids"),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping","method":"ping"}', -32600, "two methods"),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', -32602, "params that are an array"),
    (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"top","arguments":7}}', -32602, "arguments that are a number"),
    (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"top","arguments":{"file":"a","file":"b"}}}', -32602, "an argument twice"),
    (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"top","arguments":{"file":"a\\u0000b"}}}', -32602, "a character U+0000"),
    (b'{"method":"tools/call","params":{"name":"top","arguments":{"file":"a\\u0000b"}},"jsonrpc":"2.0","id":41}', -32602, "the same with the id behind it"),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping","x":"' + b"a" * (5 << 20) + b'"}', -32700, "a line of 5 MB"),
]


def check_malformed(tally):
    with Server(FIXTURES) as s:
        for line, want, label in MALFORMED:
            answer = s.raw(line)
            tally.check(code(answer) == want and answer["jsonrpc"] == "2.0" and "result" not in answer and "id" in answer, f"{label}: {want}", answer)
            tally.check(b'"id":41' not in line or answer["id"] == 41, f"{label}: the id", answer)
        quiet = (b"", b"  ", b"\r", b'{"jsonrpc":"2.0","method":"nothing/known"}', b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}',
                 b'{"jsonrpc":"2.0","method":"notifications/cancelled"}', b'{"jsonrpc":"2.0","method":"ping","params":[]}', b'{"jsonrpc":"2.0","id":5,"result":{}}')
        for line in quiet:
            s.write(line + b"\n")
        tally.equal(s.raw(b'{"jsonrpc":"2.0","id":"\\u00e9 7","method":"ping"}\r'), {"jsonrpc": "2.0", "id": "é 7", "result": {}}, "notifications, responses and empty lines are not answered")
        tally.equal(s.raw(b'{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping","params":{"_meta":{"progressToken":[1,{"a":[]}]}}}')["id"], 12345678901234567890, "an id comes back as it was")
        s.write(b'[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"},7,{"jsonrpc":"2.0","id":2,"method":"ping"}]\n')
        got = [s.answer() for _ in range(3)]
        tally.equal([(a["id"], code(a)) for a in got], [(1, None), (None, -32600), (2, None)], "the messages of an array are answered one by one")
        s.write(b'{"jsonrpc":"2.0",')
        time.sleep(0.05)
        tally.equal(s.raw(b'"id":3,"method":"ping"}')["id"], 3, "a line may come in parts")
        tally.equal(s.end(), 0, "and the server ends well")


ARGUMENTS = [
    ("top", {}, "needs 'file'"),
    ("top", {"file": 7}, "no file '7'"),
    ("top", {"file": {"a": 1}}, "'file' is a string"),
    ("top", {"file": ["demo.callgrind", "demo.xdebug"]}, "takes one value"),
    ("top", {"file": ""}, None),
    ("top", {"file": "demo.callgrind", "wrong": 1}, "no argument 'wrong'"),
    ("top", {"file": "demo.callgrind", "limit": -1}, None),
    ("top", {"file": "demo.callgrind", "limit": 1.5}, None),
    ("top", {"file": "demo.callgrind", "limit": True}, "'limit' is a number"),
    ("top", {"file": "demo.callgrind", "sort": "--output=/tmp/x"}, None),
    ("top", {"file": "demo.callgrind", "metric": "nothing"}, None),
    ("top", {"file": "demo.callgrind", "focus": "("}, None),
    ("top", {"file": "demo.callgrind", "skip": "x"}, "'skip'"),
    ("top", {"file": "demo.callgrind", "skip": 10 ** 30}, "'skip'"),
    ("top", {"file": "-"}, "no file"),
    ("top", {"file": "make.sh"}, None),
    ("tree", {"file": "demo.callgrind", "hot_path": "yes"}, "true or false"),
    ("callers", {"file": "demo.callgrind", "function": "nothing_like_it"}, "lists the functions"),
    ("diff", {"file": "demo.callgrind"}, "'after' or 'patch'"),
    ("diff", {"file": "demo.info", "after": "demo-2x.info", "patch": ""}, "'after' or 'patch'"),
    ("diff", {"file": "demo.info", "patch": "no diff at all"}, None),
    ("open", {"file": "demo.callgrind", "arguments": {"deep": [[[]]]}}, "no argument"),
]


def check_arguments(tally):
    with Server(FIXTURES) as s:
        for tool, arguments, part in ARGUMENTS:
            text, is_error = s.call(tool, **arguments)
            tally.check(is_error is True and (part is None or part in text), f"{tool} {arguments}: an error of the tool", text, is_error)
        text, is_error = s.call("top", file="demo.callgrind", limit="3", metric=None)
        tally.check(is_error is False and "is_prime" in text, "a number may be a string, null is nothing", text)
        tally.equal(code(s.ask("tools/call", {"name": "top", "arguments": {f"a{i}": 1 for i in range(100)}})), -32602, "a hundred arguments")


def check_bounds(tally):
    """Nothing is lost or told twice: the pieces of a cut answer are the answer."""
    with Server(FIXTURES, options=["--max-answer", "1K"]) as small, Server(FIXTURES, options=["--max-answer", "1M"]) as large:
        for tool, arguments in (("annotate", {"file": "demo.nytprof"}), ("callers", {"file": "demo.xdebug", "function": "."}), ("open", {})):
            whole, _ = large.call(tool, **arguments)
            skip, pieces = 0, []
            for _ in range(200):
                text, _ = small.call(tool, **arguments, **({"skip": skip} if skip else {}))
                tally.check(len(text.encode()) <= 1200, f"{tool}: an answer of {len(text.encode())} bytes")
                lines = text.splitlines()
                more = lines[-1].startswith("... ") and int(lines[-1].split("skip ")[1].split(",")[0])
                pieces += lines[:-1] if more else lines
                if not more:
                    break
                skip = more
            tally.check(len(pieces) > 10 and skip, f"{tool}: it was cut")
            tally.equal(pieces, whole.splitlines(), f"{tool}: the pieces are the whole")
        text, _ = small.call("tree", file="demo.xdebug", skip=100000)
        tally.equal(text, "(no more lines)\n", "skip beyond the end")


def check_names(tally):
    """Whatever bytes names have, an answer is UTF-8 without control characters or lone surrogates."""
    with tempfile.TemporaryDirectory() as tmp:
        Path(tmp, "p.folded").write_bytes(b"main;\xff\xfe\x1b[31m\xed\xa0\x80;ok\xe2\x82\xac 3\n")
        with Server(tmp) as s:
            s.send("tools/call", {"name": "tree", "arguments": {"file": "p.folded"}}, id=9)
            line = s.line()
            text = json.loads(line.decode("utf-8"))["result"]["content"][0]["text"]
            tally.check("ok€" in text and "\x1b" not in text and text.encode("utf-8") and b"\\ud" not in line, "names that are not UTF-8", text)


def check_cancel(tally):
    if not has_sql():
        tally.skip("cancelling", "built without SQLite")
        return
    with Server(FIXTURES) as s:
        arguments = {"name": "query", "arguments": {"files": ["demo.callgrind"], "sql": ENDLESS}}
        for number in (100, 101, 102):
            s.send("tools/call", arguments, id=number)
        tally.equal(s.ask("ping")["result"], {}, "a ping is answered while a call is at work")
        for number in (101, 100, 102):
            s.send("notifications/cancelled", {"requestId": number, "reason": "test"})
        began = time.monotonic()
        text, is_error = s.call("top", file="demo.callgrind", limit=1)
        tally.check(is_error is False and time.monotonic() - began < 10, "what is cancelled ends, and has no answer", text)
        s.send("tools/call", arguments, id="text")
        s.send("notifications/cancelled", {"requestId": "text"})
        tally.equal(s.ask("ping")["id"], s.last, "an id that is a string is cancelled, too")
        for number in range(200, 240):
            s.send("tools/call", arguments, id=number)
        busy = [s.answer() for _ in range(6)]
        tally.check(all(code(a) == -32000 for a in busy), "too many calls are refused", busy)
        began = time.monotonic()
        tally.equal(s.end(), 0, "the end of the input ends the server with calls under way")
        tally.check(time.monotonic() - began < 8, f"in a moment ({time.monotonic() - began:.1f} s)")
    with Server(FIXTURES, options=["--max-seconds", "1"]) as s:
        text, is_error = s.call("query", files=["demo.callgrind"], sql=ENDLESS)
        tally.check(is_error is True, "a statement has a longest time", text)
        text, is_error = s.call("query", files=["demo.callgrind"], sql="attach '/etc/passwd' as x")
        tally.check(is_error is True, "a statement only reads", text)


def check_end(tally):
    requests = [{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}},
                {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "top", "arguments": {"file": str(CALLGRIND), "limit": 1}}}]
    for _ in range(5):  # a busy machine may need more than the second that calls have then
        result = assay("mcp", FIXTURES, input="\n".join(map(json.dumps, requests)).encode())
        answers = [json.loads(line) for line in result.stdout.splitlines()]
        if len(answers) == 2:
            break
    tally.check(result.returncode == 0 and [a["id"] for a in answers] == [1, 2] and "is_prime" in answers[1]["result"]["content"][0]["text"],
                "what came before the end of the input is answered, the last line without its end included", result)
    s = Server(FIXTURES)
    s.process.stdout.close()
    s.process.stdout = open(os.devnull, "rb")  # noqa: SIM115
    with contextlib.suppress(BrokenPipeError):  # it has noticed already
        s.send("ping", id=1)
    tally.equal(s.end(), 4, "a client that does not read any more ends the server")
    with Server(FIXTURES) as s:
        s.process.terminate()
        tally.equal(s.process.wait(20), -15, "so does a signal")
    for wrong in ("nothing-there", CALLGRIND):
        result = assay("mcp", wrong, input=b"")
        tally.check(result.returncode in (2, 3) and result.stderr and not result.stdout, f"a folder that is none: {wrong}", result)


def check_flood(tally):
    """A client that asks and does not read: what waits for it is bounded, and nothing is lost."""
    with Server(FIXTURES) as s:
        count = 3000
        pid = os.fork()
        if pid == 0:
            for i in range(count):
                s.send("tools/list", {}, id=1000 + i)
            os._exit(0)
        time.sleep(0.3)
        ids = [s.answer()["id"] for _ in range(count)]
        os.waitpid(pid, 0)
        tally.equal(ids, list(range(1000, 1000 + count)), "all answers come, in order")


def main():
    tally = Tally()
    for check in (check_begin, check_definitions, check_malformed, check_arguments, check_bounds, check_names, check_cancel, check_end, check_flood):
        check(tally)
    tally.finish()


if __name__ == "__main__":
    main()
