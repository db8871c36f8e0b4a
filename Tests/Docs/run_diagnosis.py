"""Runs the example of docs/commands/diagnose.md, and compares what it prints with the page.

    python3 Tests/Docs/run_diagnosis.py PATH/TO/fathom

Datasets/demo.h5 must be there. The page's blocks are a program and its output; of that every line before the first that leaves something out ("…")
must be printed, in this order.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from pages import ROOT

PAGE = ROOT / "docs/commands/diagnose.md"


def blocks(text):
    """The first two blocks of code of the section."""
    section = text.split("\n## An example\n", 1)[1]
    parts = section.split("\n```\n")
    return parts[1], parts[3]


def main():
    fathom = Path(sys.argv[1]).resolve()
    program, shown = blocks(PAGE.read_text())
    expected = [line for line in shown.split("\n…", 1)[0].splitlines() if line]
    with tempfile.TemporaryDirectory(prefix="fathom-") as name:
        folder = Path(name)
        (folder / "Datasets").mkdir()
        (folder / "Reports").mkdir()
        shutil.copy(ROOT / "Datasets/demo.h5", folder / "Datasets/demo.h5")
        script = program.replace(".venv/bin/python3", sys.executable).replace("\nfathom ", f"\n{fathom} ")
        done = subprocess.run(["bash", "-euc", script], cwd=folder, capture_output=True, text=True)
        if done.returncode != 0 or not expected:
            sys.exit(f"{PAGE.name}: the example ends with {done.returncode}: {done.stderr}")
        printed = iter(done.stdout.splitlines())
        for line in expected:
            if line not in printed:
                sys.exit(f"{PAGE.name}: the example does not print '{line}':\n{done.stdout[:2000]}")
    print(f"the example of {PAGE.relative_to(ROOT)} prints what the page shows: {len(expected)} lines")


if __name__ == "__main__":
    main()
