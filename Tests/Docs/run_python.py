"""Runs the Python of the pages that show the package fathom-depth: every block of a page, one after the other.

    python3 Tests/Docs/run_python.py

The package must be installed, and FATHOM_BINARY name the command. The blocks run in a folder of their own, in which Datasets and Reports
are those of the repository, and the arrays that the pages load are made of Datasets/sample.h5.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

from pages import ROOT, lines

PAGES = ["README.md", "docs/python.md", "Python/README.md"]


def arrays(folder):
    """truth.npy, mynet.npy, other.npy, lidar.npy, confidence.npy, relative.npy: the frames of both scenes."""
    names = {"truth": "truth/depth", "lidar": "lidar/depth", "confidence": "lidar/confidence", "relative": "relative/values"}
    with h5py.File(ROOT / "Datasets/sample.h5") as file:
        scenes = file["scenes"].values()
        stacks = {name: np.concatenate([scene[path][:] for scene in scenes]) for name, path in names.items()}
    stacks["mynet"], stacks["other"] = 1.03 * stacks["truth"], 1.05 * stacks["truth"]
    for name, stack in stacks.items():
        np.save(folder / f"{name}.npy", stack)


def program(page):
    """The blocks of a page as one program, every line at its number."""
    text = {number: line for number, line, language in lines(page) if language == "python"}
    return "\n".join(text.get(number, "") for number in range(1, max(text, default=0) + 1))


def main():
    with tempfile.TemporaryDirectory(prefix="fathom-") as name:
        folder = Path(name)
        arrays(folder)
        for shared in ("Datasets", "Reports"):
            (folder / shared).symlink_to(ROOT / shared)
        for page in PAGES:
            source = program(ROOT / page)
            if not source:
                sys.exit(f"{page} has no block of Python: the check itself is broken")
            script = folder / (Path(page).stem + ".py")
            script.write_text(source)
            done = subprocess.run([sys.executable, script], cwd=folder, capture_output=True, text=True)
            if done.returncode != 0:
                sys.exit(f"{page}: its Python fails (line numbers are the page's)\n{done.stderr}")
            print(f"the Python of {page} runs")


if __name__ == "__main__":
    main()
