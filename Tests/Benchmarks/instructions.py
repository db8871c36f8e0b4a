"""Holds the instructions that one build of `fathom` takes for fixed work against those of another build, in one run.

    instructions.py BEFORE AFTER

Instructions do not depend on the machine's other work. They are counted by valgrind's callgrind, which knows no AVX-512, on
single-threaded stages of `fathom bench`: of five repetitions those of three are taken off, so that two remain and neither start
nor the making of the frame counts. Fails where a stage takes more than a tenth more than before.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

STAGES = ["spec", "ols all pairs", "huber all pairs", "residual", "auto", "evaluate"]
LIMIT = 1.10


def stripped(fathom: str, folder: Path, name: str) -> Path:
    """Without debug information, which valgrind cannot read."""
    subprocess.run(["strip", "-o", folder / name, fathom], check=True)
    return folder / name


def instructions(fathom: Path, stage: str, repetitions: int, folder: Path) -> int:
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder / 'profile'}", fathom, "bench"]
    command += ["--only", stage, "--repetitions", str(repetitions)]
    result = subprocess.run(command, capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", result.stderr)
    if result.returncode != 0 or found is None:
        sys.exit(f"{fathom} bench --only '{stage}' fails under valgrind:\n{result.stderr[-2000:]}")
    return int(found[1])


def main() -> int:
    before, after = sys.argv[1:]
    worse = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        builds = [stripped(before, folder, "before"), stripped(after, folder, "after")]
        print(f"{'instructions of one repetition':32} {'before':>15} {'after':>15} {'ratio':>6}")
        for stage in STAGES:
            counts = [
                (instructions(build, stage, 5, folder) - instructions(build, stage, 3, folder)) / 2 for build in builds
            ]
            ratio = counts[1] / counts[0]
            print(f"{stage:32} {counts[0]:15,.0f} {counts[1]:15,.0f} {ratio:6.3f}", flush=True)
            if ratio > LIMIT:
                worse.append(f"{stage} takes {ratio:.2f} times as many instructions as before")
    for line in worse:
        print(line, file=sys.stderr)
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
