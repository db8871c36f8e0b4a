"""Runs the commands of tutorials as they stand: run_tutorial.py FATHOM PAGE…

Each page's blocks of `sh` run in one empty folder, one after the other; the first that fails ends with its output.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

fathom = Path(sys.argv[1]).resolve()
for page in map(Path, sys.argv[2:]):
    blocks = re.findall(r"^```sh\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
    if not blocks:
        sys.exit(f"{page}: it has no commands")
    with tempfile.TemporaryDirectory() as folder:
        programs = Path(folder) / "programs"
        programs.mkdir()
        (programs / "fathom").symlink_to(fathom)
        (programs / "python3").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        (programs / "python3").chmod(0o755)
        work = Path(folder) / "work"
        work.mkdir()
        path = f"{programs}:{os.environ['PATH']}"
        for block in blocks:
            done = subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=work, env={**os.environ, "PATH": path},
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if done.returncode:
                sys.exit(f"{page}: this ended with {done.returncode}:\n{block}\n{done.stdout}")
    print(f"{page}: {len(blocks)} blocks of commands ran")
