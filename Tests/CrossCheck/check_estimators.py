"""Holds every global estimator against scipy, scikit-learn and statsmodels on the same pairs.

    check_estimators.py PATH/TO/fathom            exit 1 where they disagree

Runs `fathom evaluate` on the committed sample, on tiny frames whose optimum can be found by brute force, and on
real recordings where they are at hand; takes scale and shift from frames.csv and computes the pairs itself, with
the functions of Tests/Reference. Anchors are the definition's: position (2i+1)n/(2m) in the order of (x, y).
A deviation is the largest difference of two lines over the pairs' x, relative to the largest |y|.
"""

import argparse
import csv
import os
import subprocess
import sys
import tempfile
import warnings
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Reference"))
import depth_reference as reference  # noqa: E402
import independent  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
METHODS = (
    "ols wls huber tukey lad truncated-l1 theil-sen lmeds trimmed ransac lo-ransac median-scale".split()
)
# Largest deviation that counts as agreement, and why it is not smaller.
TOLERANCES = {
    "ols": 1e-10,  # round-off
    "wls": 1e-10,
    "huber": 1e-5,  # 1.4826 here, 1/0.67449 in statsmodels: 1.5e-6 of the scale
    "tukey": 1e-5,
    "lad": 1e-9,  # of the objective: the minimum need not be unique
    "truncated-l1": 1e-9,  # of the objective
    "theil-sen": 1e-10,
    "median-scale": 1e-12,
    "lmeds": 1e-9,  # against brute force on small frames
    "trimmed": 1e-9,
}


@dataclass
class Tally:
    """Comparisons of one kind, and the worst of them."""

    tolerance: float
    count: int = 0
    largest: float = 0.0
    where: str = ""
    failures: list[str] = field(default_factory=list)

    def add(self, where: str, deviation: float) -> None:
        self.count += 1
        if not deviation <= self.largest:
            self.largest, self.where = deviation, where
        if not deviation <= self.tolerance:
            self.failures.append(f"{where}: {deviation:.3g}, at most {self.tolerance:.3g}")


@dataclass
class Pairs:
    """What a fit sees."""

    x: np.ndarray
    y: np.ndarray
    confidence: np.ndarray
    depth: np.ndarray

    @property
    def magnitude(self) -> float:
        return float(np.abs(self.y).max())

    def deviation(self, a: tuple[float, float], b: tuple[float, float]) -> float:
        ends = np.array([self.x.min(), self.x.max()])
        return float(np.abs((a[0] - b[0]) * ends + a[1] - b[1]).max()) / self.magnitude


def pairs_of(frame: reference.Frame, form: str, minimum_confidence: int) -> Pairs:
    r, depth, confidence = reference.lidar_pairs(frame, minimum_confidence)
    x, y = reference.to_form(form, r, depth)
    return Pairs(x, y, confidence, depth)


def write_small(path: Path) -> None:
    """Frames of 20 pairs, a quarter of them wrong: small enough for brute force."""
    generator = np.random.default_rng(20)
    frames = 12
    disparity = generator.uniform(0.3, 1.6, (frames, 4, 5))
    relative = (disparity - 0.1) / 0.5 * (1 + 0.02 * generator.standard_normal(disparity.shape))
    depth = 1 / disparity
    wrong = generator.random(disparity.shape) < 0.25
    depth[wrong] = generator.uniform(0.3, 3.5, wrong.sum())
    with h5py.File(path, "w") as file:
        file.attrs["format"], file.attrs["version"] = "fathom", 1
        scene = file.create_group("scenes/small")
        scene["lidar/depth"] = depth.astype("f4")
        scene["relative/values"] = relative.astype("f4")
        scene["relative/values"].attrs["kind"] = "disparity"


def evaluate(fathom: Path, data: Path, folder: Path, *options: str) -> list[dict]:
    """Rows of the fitted methods, with or without a truth to score them."""
    methods = ",".join(f"{m}@{form}" for m in METHODS for form in reference.FORMS)
    output = folder / f"run{len(list(folder.iterdir()))}"
    command = [fathom, "evaluate", data, "--methods", methods, "--output", output, "--quiet", *options]
    subprocess.run(command, check=True)
    with open(output / "frames.csv", newline="", encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if "@" in row["method"] and row["scale"]]


def frames_of(data: Path, rows: list[dict]):
    """(scene, frame, its rows), reading each frame once."""
    grouped = defaultdict(list)
    for row in rows:
        grouped[row["scene"], row["frame"]].append(row)
    for (scene, label), group in grouped.items():
        index = reference.frame_labels(data, scene).index(label)
        yield reference.read_frame(data, scene, index), f"{data.stem}/{scene}/{label}", group


def check_exact(method: str, line, pairs: Pairs, where: str, tallies, small: bool) -> None:
    """Estimators with one right answer."""
    tally = tallies[method]
    if method in ("lad", "truncated-l1"):
        ours, best = independent.objectives(method, line, pairs.x, pairs.y)
        tally.add(where, max(0.0, ours / best - 1))
    elif method in ("lmeds", "trimmed"):
        if small:
            tally.add(where, pairs.deviation(line, independent.BRUTE_FORCE[method](pairs.x, pairs.y)))
    elif method in independent.LINES:
        weights = np.array([0, 0.05, 1])[pairs.confidence] if method == "wls" else None
        tally.add(where, pairs.deviation(line, independent.LINES[method](pairs.x, pairs.y, weights)))


def check_sampled(method: str, line, pairs: Pairs, where: str, tallies) -> None:
    """RANSAC: our MSAC score against the best of ten runs of scikit-learn under the same threshold."""
    ours, theirs = independent.msac_scores(line, pairs.x, pairs.y)
    tallies[f"{method} score"].add(where, ours / theirs - 1)


def check_target_mad(row: dict, pairs: Pairs, where: str, tallies) -> None:
    """scikit-learn's default: our line lies among those of its runs with other seeds."""
    line = (float(row["scale"]), float(row["shift"]))
    lines = independent.sklearn_lines(pairs.x, pairs.y, threshold=None, runs=12)
    spread = max(pairs.deviation(a, b) for a in lines for b in lines)
    nearest = min(pairs.deviation(line, other) for other in lines)
    tallies["ransac target-mad"].add(where, nearest / max(spread, 1e-3))


def compare(fathom: Path) -> int:
    tallies = {method: Tally(tolerance) for method, tolerance in TOLERANCES.items()}
    tallies["ransac score"] = Tally(0.1)  # the refit of one run against the best of ten
    tallies["lo-ransac score"] = Tally(0.01)
    tallies["ransac target-mad"] = Tally(1.0)  # in units of the spread of scikit-learn's own runs
    tallies["weights by range"] = Tally(1e-10)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        small = folder / "small.h5"
        write_small(small)
        data = [(small, ()), (ROOT / "Datasets/sample.h5", ("--frames", "0:1"))]
        real = Path(os.environ.get("FATHOM_REAL_DATA", ROOT.parent / "shared/data")) / "real-indoor.h5"
        if real.exists():
            data.append((real, ("--frames", "0:2")))
        else:
            print("skipped: the real recordings are absent; set FATHOM_REAL_DATA to their folder")
        for path, options in data:
            for frame, where, rows in frames_of(path, evaluate(fathom, path, folder, *options)):
                for row in rows:
                    method, form = row["method"].split("@")
                    pairs = pairs_of(frame, form, 1 if method == "wls" else 2)
                    line = (float(row["scale"]), float(row["shift"]))
                    place = f"{where} {form}"
                    if method in ("ransac", "lo-ransac"):
                        if path != small and form == "disparity":
                            check_sampled(method, line, pairs, place, tallies)
                    else:
                        check_exact(method, line, pairs, place, tallies, path == small)
            if path == small:
                continue
            for frame, where, rows in frames_of(
                path, evaluate(fathom, path, folder, "--inlier-threshold", "target-mad", *options)
            ):
                for row in rows:
                    if row["method"].startswith("ransac@"):
                        form = row["method"].split("@")[1]
                        check_target_mad(row, pairs_of(frame, form, 2), f"{where} {form}", tallies)
            ranged = evaluate(fathom, path, folder, "--weights", "range", "--range-sigma", "0.01,0.02", *options)
            for frame, where, rows in frames_of(path, ranged):
                for row in rows:
                    method, form = row["method"].split("@")
                    if method != "ols":
                        continue
                    pairs = pairs_of(frame, form, 2)
                    slope = {"depth": 1, "disparity": 1 / pairs.depth**2, "log": 1 / pairs.depth}[form]
                    variance = (0.01**2 + (0.02 * pairs.depth) ** 2) * slope**2
                    other = independent.least_squares(pairs.x, pairs.y, 1 / variance)
                    line = (float(row["scale"]), float(row["shift"]))
                    tallies["weights by range"].add(f"{where} {form}", pairs.deviation(line, other))
    print(f"{'what':<20}{'compared':>9}{'differ':>7}{'largest':>11}{'allowed':>9}  where")
    for name, t in tallies.items():
        print(f"{name:<20}{t.count:>9}{len(t.failures):>7}{t.largest:>11.2e}{t.tolerance:>9.0e}  {t.where}")
    failures = [f"DIFFERS {name}: {line}" for name, t in tallies.items() for line in t.failures]
    failures += [f"DIFFERS {name}: nothing was compared" for name, t in tallies.items() if not t.count]
    print("\n".join(failures[:40]) or "all agree")
    return 1 if failures else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("fathom", type=Path)
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    return compare(options.fathom.resolve())


if __name__ == "__main__":
    sys.exit(main())
