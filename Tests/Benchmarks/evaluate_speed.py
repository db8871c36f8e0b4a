"""Runs `fathom evaluate` and what people write instead on the same file, one after the other, and shows both by stage.

    evaluate_speed.py PATH/TO/fathom [DATA.h5] [--scenes 4] [--frames 10]

Without a file, one is simulated: truth of 1920×1440, gzip. Fathom's time is that of the whole command on every core, with
intervals, tables, objects, diagnosis, charts, gallery and pages, and again without what the peers do not do either; a peer's is
reading, fusing and scoring alone, see `evaluate_peers.py`. That both do the same is checked: of every method as many maps must be
scored, and every metric of the peer must agree. Fathom also computes bins by range, confidence and step, curves and intervals.
"""

import argparse
import csv
import importlib.util
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

METHODS = "lidar-bilinear,ols@disparity,ols@log"
BARE = ["--no-objects", "--no-diagnosis", "--no-gallery", "--no-figures"]


def fathom_run(fathom: Path, data: Path, output: Path, options: list) -> tuple[float, dict]:
    """Seconds, and seconds by stage."""
    start = time.perf_counter()
    command = [fathom, "evaluate", data, "--methods", METHODS, "--output", output, "--quiet", "--no-cache", *options]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    seconds = time.perf_counter() - start
    rows = list(csv.DictReader((output / "timing.csv").open()))
    stages = {row["item"].removesuffix("_seconds"): float(row["value"]) for row in rows if row["item"].endswith("_seconds")}
    stages.pop("total", None)
    return seconds, stages


def peer_run(data: Path, kind: str) -> dict:
    script = Path(__file__).with_name("evaluate_peers.py")
    return json.loads(subprocess.run([sys.executable, script, data, kind], check=True, capture_output=True).stdout)


def difference(output: Path, peer: dict) -> str | None:
    """What a peer does otherwise than the run: the number of maps of a method, or a metric of it."""
    rows = list(csv.DictReader((output / "frames.csv").open()))
    for method, theirs in peer["means"].items():
        ours = [row for row in rows if row["method"] == method and row["mae_m"]]
        if len(ours) != peer["counts"][method]:
            return f"{method}: it scores {peer['counts'][method]} maps, and fathom {len(ours)}"
        for metric, value in theirs.items():
            own = sum(float(row[metric]) for row in ours) / len(ours)
            # A bias is small beside the errors that make it.
            if abs(own - value) > 1e-4 * max(abs(value), theirs["mae_m"] if metric == "bias_m" else 1e-3):
                return f"{method}: {metric} is {value} here, and {own} there"
    return None


def stages_text(stages: dict) -> str:
    return ", ".join(f"{name} {seconds:.2f}" for name, seconds in stages.items())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fathom", type=Path)
    parser.add_argument("data", nargs="?", type=Path)
    parser.add_argument("--scenes", type=int, default=4)
    parser.add_argument("--frames", type=int, default=10)
    options = parser.parse_args()
    fathom = options.fathom.resolve()
    missing = [name for name in ("cv2", "h5py", "numba", "numpy") if importlib.util.find_spec(name) is None]
    if missing:
        requirements = Path(__file__).with_name("requirements.txt")
        print(f"the peers need {', '.join(missing)}: run '{sys.executable} -m pip install -r {requirements}'", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = options.data
        if data is None:
            data = folder / "large.h5"
            size = ["--scenes", str(options.scenes), "--frames", str(options.frames)]
            subprocess.run([fathom, "synthesize", data, "--preset", "large", *size, "--quiet"], check=True)
        whole = fathom_run(fathom, data, folder / "whole", [])
        # Of the largest child so far: the peers come later.
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        boxes = fathom_run(fathom, data, folder / "boxes", ["--box-methods", "all"])
        bare = fathom_run(fathom, data, folder / "bare", BARE)
        rows = []
        for kind in ("numpy", "numba"):
            peer = peer_run(data, kind)
            seconds = sum(peer["seconds"].values())
            rows.append((kind, seconds, peer))
            other = difference(folder / "bare", peer)
            if other:
                print(f"{kind} does something else: {other}", file=sys.stderr)
                return 1
        print(f"{METHODS}, {data.name}")
        print(f"fathom, everything      {whole[0]:7.2f} s  ({stages_text(whole[1])}; {memory:.0f} MB)")
        print(f"  with all box methods  {boxes[0]:7.2f} s  ({stages_text(boxes[1])})")
        print(f"fathom, scoring alone   {bare[0]:7.2f} s  ({stages_text(bare[1])})")
        for kind, seconds, peer in rows:
            versions = ", ".join(f"{name} {version}" for name, version in peer["versions"].items())
            print(
                f"{kind:<23} {seconds:7.2f} s  ({stages_text(peer['seconds'])}; {versions}): "
                f"{seconds / whole[0]:.1f}x of everything, {seconds / boxes[0]:.1f}x with all box methods, {seconds / bare[0]:.1f}x of scoring alone"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
