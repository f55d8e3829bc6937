#!/usr/bin/env python3
"""Recordings of real programs of Debian: what a generator cannot know of them is in the file. Exits with 77 when the program or its profiler is not installed.

  record.py --style phpcs --mb 10 --out FILE      Xdebug's text of phpcs (php-codesniffer, php-xdebug), which looks at its own sources
  record.py --style perltidy --mb 10 --out FILE   NYTProf's stream of perltidy (perltidy, libdevel-nytprof-perl), which formats its own source

The length comes near what is asked for: it follows from that of the sources. Times are those of the recording.
"""
import argparse
import glob
import os
import shutil
import subprocess
import sys
import tempfile

MISSING = 77
PHP_SOURCES, PHP_GROWTH = "/usr/share/php/PHP/CodeSniffer/src", 240  # bytes of text for each byte of PHP
PERL_SOURCES, PERL_GROWTH = "/usr/share/perl5/Perl/Tidy", 330


def sources(folder, pattern, enough):
    """Sources in the order of their names, again and again until there is enough; the last one is shorter. Raises OSError."""
    paths = sorted(p for p in glob.glob(os.path.join(folder, "**", pattern), recursive=True))
    if not paths:
        raise FileNotFoundError(folder)
    while enough > 0:
        for path in paths:
            with open(path, "rb") as file:
                text = file.read()
            if enough < len(text):
                text = text[:text.rfind(b"\n", 0, max(1, int(enough))) + 1]
            if enough <= 0 or not text:
                return
            enough -= len(text)
            yield text


def phpcs(folder, mb):
    names = []
    for i, text in enumerate(sources(PHP_SOURCES, "*.php", mb * 1e6 / PHP_GROWTH)):
        names.append(os.path.join(folder, "%05d.php" % i))
        with open(names[-1], "wb") as file:
            file.write(text)
    settings = {"xdebug.mode": "profile", "xdebug.output_dir": folder, "xdebug.profiler_output_name": "out", "xdebug.use_compression": "0", "memory_limit": "-1"}
    return ["php", *(word for key, value in settings.items() for word in ("-d", "%s=%s" % (key, value))), shutil.which("phpcs"), "-q", "--standard=PSR2", *names], {}


def perltidy(folder, mb):
    path = os.path.join(folder, "in.pl")
    with open(path, "wb") as file:
        file.writelines(sources(PERL_SOURCES, "*.pm", mb * 1e6 / PERL_GROWTH))
    return ["perl", "-d:NYTProf", shutil.which("perltidy"), "-q", "-se", path, "-o", path + ".out"], {"NYTPROF": "compress=0:file=" + os.path.join(folder, "out")}


STYLES = {"phpcs": (phpcs, ("php", "phpcs")), "perltidy": (perltidy, ("perl", "perltidy"))}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--style", choices=STYLES, required=True)
    parser.add_argument("--mb", type=float, default=10)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    prepare, programs = STYLES[options.style]
    lacking = [name for name in programs if not shutil.which(name)]
    if lacking:
        print("record.py: not installed: %s" % " ".join(lacking), file=sys.stderr)
        return MISSING
    with tempfile.TemporaryDirectory(dir=os.path.dirname(os.path.abspath(options.out))) as folder:
        try:
            argv, settings = prepare(folder, options.mb)
        except OSError as why:
            print("record.py: no sources: %s" % why, file=sys.stderr)
            return MISSING
        subprocess.run(argv, env={**os.environ, **settings}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)  # both find mistakes, and say so
        made = os.path.join(folder, "out")
        if not os.path.isfile(made) or os.path.getsize(made) < 1000:
            print("record.py: nothing was recorded: is the profiler installed?", file=sys.stderr)
            return MISSING
        os.replace(made, options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
