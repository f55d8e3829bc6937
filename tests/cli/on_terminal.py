"""Runs a command on a terminal of its own: on_terminal.py [--columns N] COMMAND...

Prints what the terminal got, with escape characters as ESC and line ends as they are in a file, and ends with the command's exit code (or 128 plus the
signal, as a shell does)."""
import fcntl, os, pty, struct, sys, termios

def main():
    args, columns = sys.argv[1:], 80
    if args[0] == "--columns":
        columns, args = int(args[1]), args[2:]
    pid, fd = pty.fork()
    if pid == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        os.execvp(args[0], args)
    data = b""
    while True:
        try:
            more = os.read(fd, 65536)
        except OSError:
            break
        if not more:
            break
        data += more
    status = os.waitpid(pid, 0)[1]
    sys.stdout.buffer.write(data.replace(b"\r\n", b"\n").replace(b"\x1b", b"ESC"))
    sys.stdout.flush()
    sys.exit(128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))

main()
