#!/usr/bin/env python3
"""The static library for others: all objects as one, in which names that are not public are local.

  archive.py OUTPUT CORE COMPILER...
"""
import os
import subprocess
import sys

output, core, *compiler = sys.argv[1:]
joined = output + ".o"
subprocess.run([*compiler, "-r", "-nostdlib", "-Wl,--whole-archive", core, "-Wl,--no-whole-archive", "-o", joined], check=True)
subprocess.run([os.environ.get("OBJCOPY", "objcopy"), "--localize-hidden", joined], check=True)
if os.path.exists(output):
    os.unlink(output)
subprocess.run([os.environ.get("AR", "ar"), "rcsD", output, joined], check=True)
os.unlink(joined)
