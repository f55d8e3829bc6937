#!/usr/bin/env python3
"""The Debian packages, installed into a Debian that has nothing but what apt needs: what they depend on is what their control files say.

  clean_root.py FOLDER      with the packages (./dev package)

Needs root, mmdebstrap and a network; skipped without.
"""
import os
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import readme  # noqa: E402
from support import FIXTURES, SOURCE, Tally, run, said  # noqa: E402

QUIET = ("-qq", "-y", "-o", "Dpkg::Use-Pty=0", "--no-install-recommends")
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", "COLUMNS": "80", "NO_COLOR": "1", "HOME": "/tmp"}


class Root:
    """A folder with a Debian in it."""

    def __init__(self, folder):
        self.folder = folder

    def make(self):
        result = run("mmdebstrap", "--quiet", "--mode=root", "--variant=apt", "bookworm", self.folder)
        if result.returncode != 0:
            return said(result)
        shutil.copyfile("/etc/resolv.conf", self.folder / "etc/resolv.conf")
        result = self.run("apt-get", "-qq", "update")
        return said(result) if result.returncode != 0 else None

    def run(self, *args, cwd="/"):
        return run("env", "-C", cwd, *args, env=ENVIRONMENT, preexec_fn=lambda: (os.chroot(self.folder), os.chdir("/")))

    def install(self, tally, folder, *names):
        debs = [next(folder.glob(f"{name}_*.deb")) if not name.startswith("debian:") else name[7:] for name in names]
        for deb in debs:
            if isinstance(deb, Path):
                shutil.copy(deb, self.folder / "tmp")
        result = self.run("apt-get", *QUIET, "install", *(f"/tmp/{deb.name}" if isinstance(deb, Path) else deb for deb in debs))
        return tally.check(result.returncode == 0, f"{' '.join(names)}: installs", said(result), result.stdout.decode()[-1500:])


def first_example(tally, root):
    """The README's first command, whose output is in the README."""
    block = readme.BLOCK.search((SOURCE / "README.md").read_text(encoding="utf-8"))[1]
    command, want = readme.commands(block)[0]
    tally.equal(command, "assay demo.xdebug", "the README's first example")
    shutil.copy(FIXTURES / "demo.xdebug", root.folder / "tmp")
    result = root.run("sh", "-c", command, cwd="/tmp")
    out = result.stdout.decode().splitlines()
    tally.check(result.returncode == 0 and readme.matches(out, want), f"{command}: prints what the README says", said(result), *out)


def command(tally, root, folder):
    if not root.install(tally, folder, "assay"):
        return
    first_example(tally, root)
    for path in ("share/man/man1/assay-top.1.gz", "share/bash-completion/completions/assay", "share/zsh/vendor-completions/_assay", "share/fish/vendor_completions.d/assay.fish"):
        tally.check((root.folder / "usr" / path).exists(), f"assay: has {path}")
    result = root.run("assay", "cov", "init", cwd="/tmp")
    tally.check(result.returncode != 0 and b"libgit2" in result.stderr, "assay: says which recommended package a command misses", said(result))


def programs(tally, root, folder):
    """Compiled with no -dev package but this one."""
    if not root.install(tally, folder, "libassay-dev", "libassay0", "debian:gcc", "debian:libc6-dev", "debian:pkg-config"):
        return
    shutil.copy(SOURCE / "examples" / "hot.c", root.folder / "tmp")
    shutil.copy(FIXTURES / "demo.callgrind", root.folder / "tmp")
    listed = root.run("dpkg-query", "-W", "-f", "${Package}\n").stdout.decode().split()
    tally.equal([p for p in listed if p.endswith("-dev") and p not in ("libc6-dev", "libcrypt-dev", "libnsl-dev", "libtirpc-dev", "linux-libc-dev") and not p.startswith("libgcc")],
                ["libassay-dev"], "libassay-dev: needs no other -dev package")
    result = root.run("sh", "-c", "gcc -Wall -Werror -o hot hot.c $(pkg-config --cflags --libs assay) && ./hot demo.callgrind", cwd="/tmp")
    tally.check(result.returncode == 0 and b"is_prime" in result.stdout, "libassay-dev: an example builds and runs", said(result), result.stdout.decode())
    tally.check((root.folder / "usr/share/man/man3/assay_top.3.gz").exists(), "libassay-dev: has the man pages of the headers")


def python(tally, root, folder):
    if not root.install(tally, folder, "python3-assay"):
        return
    result = root.run("python3", "-c", "import assay; p = assay.read('/tmp/demo.callgrind'); print(p.top()['name'][0], p.metrics[0].total)")
    tally.check(result.stdout.decode().split() == ["is_prime", "34701"], "python3-assay: reads a profile", said(result), result.stdout.decode())


def purged(tally, root):
    result = root.run("dpkg", "--purge", "assay", "python3-assay", "libassay-dev", "libassay0", "assay-doc")
    left = [str(p.relative_to(root.folder)) for top in ("usr", "etc", "var/lib/assay") for p in (root.folder / top).rglob("*assay*")]
    tally.check(result.returncode == 0 and not left, "purging the packages leaves nothing", said(result), *left)


def main():
    tally = Tally()
    folder = Path(sys.argv[1])
    if os.geteuid() != 0 or not shutil.which("mmdebstrap"):
        tally.skip("clean root", "needs root and mmdebstrap")
        tally.finish()
    with tempfile.TemporaryDirectory() as tmp:
        root = Root(Path(tmp) / "root")
        trouble = root.make()
        if trouble:
            tally.skip("clean root", trouble)
            tally.finish()
        command(tally, root, folder)
        programs(tally, root, folder)
        python(tally, root, folder)
        root.install(tally, folder, "assay-doc")
        tally.check((root.folder / "usr/share/doc/assay-doc/docs/library.md").exists() or (root.folder / "usr/share/doc/assay/docs/library.md").exists(), "assay-doc: has the guide")
        purged(tally, root)
    tally.finish()


if __name__ == "__main__":
    main()
