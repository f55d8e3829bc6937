"""Feeds a pipe until the progress bar appears on the terminal, for a minute at most. The bar must come, and be erased at the end."""
import os, pty, subprocess, time

HEAD = b"# callgrind format\nevents: Ir\nfl=a.c\nfn=f\n"
LINES = b"1 1\n" * 4096

master, slave = pty.openpty()
p = subprocess.Popen([os.environ["ASSAY"], "info", "-"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=slave)
os.close(slave)
os.set_blocking(master, False)
p.stdin.write(HEAD)
seen = b""
end = time.monotonic() + 60
while time.monotonic() < end:
    p.stdin.write(LINES)
    try:
        seen += os.read(master, 65536)
    except BlockingIOError:
        pass
    if b"MB" in seen:
        break
p.stdin.close()
p.wait()
os.set_blocking(master, True)
try:
    while more := os.read(master, 65536):
        seen += more
except OSError:
    pass
print("bar" if b"MB" in seen else "no bar", "erased" if seen.endswith(b"\r\x1b[K") else "not erased" if seen else "")
