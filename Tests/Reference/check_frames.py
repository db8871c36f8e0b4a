"""Recomputes `frames.csv` of a run folder with the numpy reference and compares every cell.

    check_frames.py RUN_DIR DATA.h5 [DATA.h5 ...] [--tolerance 1e-5] [--methods spec,ols@depth]

Numbers agree when |a - b| <= tolerance * max(|a|, |b|), or within an absolute floor of 1e-9:
errors that are exactly zero in one summation order are some 1e-16 in another, and 1e-9 (a
nanometre) is still far below what Float32 depth resolves at 0.1 m (7e-9 m). Further rules:

* `spec` and `shipped` are specified operation by operation in Float32, so their scale and
  shift must be equal as Float32 numbers (`--no-exact-float32` applies the tolerance instead).
* `bias_m` is a difference of large sums: its floor is tolerance * mae_m.
* A delta may lie anywhere between its values with the threshold lowered and raised by a
  relative 1e-6: rounding decides pixels that close to the threshold.
* Empty cells must agree. `oracle` without any truth may be `too_few_pairs` (pairs 0) or
  `no_truth`: both read the rule "the first that applies".

Not compared: space, reason, inliers, rank, condition, spread, and methods the reference does
not have (named in the summary). Ends with 1 on any disagreement.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import argparse
import csv
import sys
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import depth_reference as reference
import run_tables
from depth_reference import F32

ABSOLUTE_FLOOR = 1e-9
DELTA_MARGIN = 1e-6
NUMBERS = ("pairs", "scale", "shift") + reference.METRIC_COLUMNS


@dataclass
class Tally:
    """What was compared for one method, and how far apart it was."""

    frames: int = 0
    solved: int = 0
    cells: int = 0
    largest: float = 0.0
    where: str = ""
    disagreements: list[str] = field(default_factory=list)

    def number(self, where: str, deviation: float) -> None:
        self.cells += 1
        if deviation > self.largest:
            self.largest, self.where = deviation, where

    def merge(self, other: Tally) -> None:
        self.frames += other.frames
        self.solved += other.solved
        self.cells += other.cells
        self.disagreements += other.disagreements
        if other.largest > self.largest:
            self.largest, self.where = other.largest, other.where


def scenes_of(paths: list[Path]) -> dict[str, tuple[Path, str]]:
    """Scene name in the run -> (file, scene name in the file)."""
    names = {path: reference.scene_names(path) for path in paths}
    count = Counter(name for scenes in names.values() for name in scenes)
    return {
        (f"{path.stem}/{name}" if count[name] > 1 else name): (path, name)
        for path, scenes in names.items()
        for name in scenes
    }


def rows_by_frame(
    run: Path, scenes: dict[str, tuple[Path, str]], methods: set[str]
) -> tuple[dict[tuple[str, int], dict[str, dict]], list[str], set[str]]:
    """Rows keyed by (scene, frame index) and method; problems; methods that are not covered."""
    with open(run / "frames.csv", newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        rows, columns = list(reader), reader.fieldnames or []
    problems = [f"column {c} is missing" for c in ("status",) + NUMBERS if c not in columns]
    labels = {name: reference.frame_labels(*where) for name, where in scenes.items()}
    result: dict = defaultdict(dict)
    uncovered, seen = set(), Counter()
    for row in rows:
        scene, label, method = row["scene"], row["frame"], row["method"]
        if method not in methods:
            uncovered.add(method)
            continue
        if label not in labels.get(scene, []):
            problems.append(f"{scene} {label} {method}: no such scene or frame in the data")
            continue
        # A frame_id need not be unique: the n-th row of a label is the n-th frame of that name.
        occurrence = seen[scene, label, method]
        seen[scene, label, method] += 1
        indices = [i for i, text in enumerate(labels[scene]) if text == label]
        if occurrence >= len(indices):
            problems.append(f"{scene} {label} {method}: more rows than frames of that name")
            continue
        result[scene, indices[occurrence]][method] = row
    counts = Counter(method for by_method in result.values() for method in by_method)
    for method, count in counts.items():
        if count != len(result):
            problems.append(f"{method}: rows for {count} of {len(result)} frames of the run")
    return result, problems, uncovered


def parse(text: str) -> float | None:
    return None if text == "" else float(text)


def relative_deviation(a: float, b: float, floor: float = 0.0) -> float:
    """|a - b| / max(|a|, |b|), and 0 within the floors."""
    difference = abs(a - b)
    if difference <= max(floor, ABSOLUTE_FLOOR):
        return 0.0
    return difference / max(abs(a), abs(b)) if difference == difference else float("inf")


def compare_cell(
    column: str, found: float, expected: dict, tolerance: float, exact_float32: bool
) -> tuple[float, bool]:
    """(deviation, agreement) of one number that exists on both sides."""
    wanted = expected[column]
    if column == "pairs":
        return relative_deviation(found, wanted), found == wanted
    if exact_float32 and column in ("scale", "shift"):
        return relative_deviation(found, wanted), F32(found) == F32(wanted)
    if column.startswith("delta"):
        if expected["delta_low"][column] - 1e-12 <= found <= expected["delta_high"][column] + 1e-12:
            return 0.0, True
    floor = tolerance * expected["mae_m"] if column == "bias_m" else 0.0
    deviation = relative_deviation(found, wanted, floor)
    return deviation, deviation <= tolerance


def compare_row(
    where: str, method: str, row: dict, expected: dict, has_truth: bool, options
) -> Tally:
    tally = Tally(frames=1, solved=int(expected["status"] == "ok"))
    tolerance = options.huber_tolerance if method.startswith("huber") else options.tolerance
    exact = options.exact_float32 and method in ("spec", "shipped")
    open_status = method.startswith("oracle") and not has_truth
    if open_status and {row["status"], expected["status"]} <= {"no_truth", "too_few_pairs"}:
        return tally
    tally.cells += 1
    if row["status"] != expected["status"]:
        tally.disagreements.append(
            f"{where}: status {row['status']!r}, expected {expected['status']!r}"
        )
        return tally
    for column in NUMBERS:
        if column not in row:
            continue
        found, wanted = parse(row[column]), expected[column]
        if found is None or wanted is None:
            tally.cells += 1
            if found is not wanted:
                tally.disagreements.append(f"{where} {column}: {found}, expected {wanted}")
            continue
        deviation, agrees = compare_cell(column, found, expected, tolerance, exact)
        tally.number(f"{where} {column}", deviation)
        if not agrees:
            tally.disagreements.append(
                f"{where} {column}: {found!r}, expected {wanted!r} (relative {deviation:.2e})"
            )
    return tally


def check_frame(task: tuple) -> dict[str, Tally]:
    """All rows of one frame, in a worker process."""
    scene, (path, name), index, rows, options = task
    frame = reference.read_frame(path, name, index)
    evaluator = reference.FrameEvaluator(frame)
    return {
        method: compare_row(
            f"{scene}/{frame.label}",
            method,
            row,
            evaluator.row(method, DELTA_MARGIN),
            evaluator.has_truth,
            options,
        )
        for method, row in rows.items()
    }


def print_summary(tallies: dict[str, Tally], shown: int) -> None:
    header = f"{'method':<16}{'frames':>7}{'solved':>7}{'cells':>8}{'differ':>7}"
    print(f"{header}  {'largest':>9}  where")
    for method in reference.ALL_METHODS:
        if method in tallies:
            t = tallies[method]
            counts = f"{t.frames:>7}{t.solved:>7}{t.cells:>8}{len(t.disagreements):>7}"
            print(f"{method:<16}{counts}  {t.largest:>9.2e}  {t.where}")
    for method, tally in tallies.items():
        for line in tally.disagreements[:shown]:
            print(f"DIFFERS {method}: {line}")
        if len(tally.disagreements) > shown:
            print(f"        {method}: and {len(tally.disagreements) - shown} more")


def check_means(run: Path) -> list[str]:
    """Recomputes scenes.csv from frames.csv and summary.csv from those means; to 1e-9 relative."""

    def table(name: str) -> list[dict]:
        return run_tables.rows(run, name)

    def mean(values: list) -> float | None:
        present = [float(v) for v in values if v not in ("", None)]
        return sum(present) / len(present) if present else None

    problems = []

    def compare(where: str, written: str, expected: float | None) -> None:
        same = (written == "") == (expected is None)
        if same and expected is not None:
            same = abs(float(written) - expected) <= 1e-9 * abs(expected) + 1e-12
        if not same:
            problems.append(f"{where}: {written!r}, recomputed {expected!r}")

    frames, means = table("frames.csv"), defaultdict(dict)
    for row in table("scenes.csv"):
        key = (row["scene"], row["method"])
        own = [r for r in frames if (r["scene"], r["method"]) == key]
        for column in reference.METRIC_COLUMNS:
            means[key][column] = mean([r[column] for r in own])
            compare(f"scenes.csv {key} {column}", row[column], means[key][column])
    for row in table("summary.csv"):
        for column in reference.METRIC_COLUMNS:
            values = [m[column] for (_, method), m in means.items() if method == row["method"]]
            compare(f"summary.csv {row['method']} {column}", row[column], mean(values))
    return problems


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare frames.csv with the numpy reference.")
    parser.add_argument("run", type=Path, help="run folder holding frames.csv")
    parser.add_argument("data", type=Path, nargs="+", help="the data sets of the run")
    parser.add_argument("--tolerance", type=float, default=1e-5, help="relative (1e-5)")
    parser.add_argument(
        "--huber-tolerance", type=float, default=1e-4, help="for huber, which iterates (1e-4)"
    )
    parser.add_argument("--methods", help="comma-separated ids; default all the reference has")
    parser.add_argument(
        "--exact-float32",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="scale and shift of spec and shipped equal as Float32",
    )
    parser.add_argument("--jobs", type=int, default=1, help="worker processes (1)")
    parser.add_argument("--shown", type=int, default=5, help="differences printed per method (5)")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    methods = set(options.methods.split(",")) if options.methods else set(reference.ALL_METHODS)
    if unknown := methods - set(reference.ALL_METHODS):
        print(f"the reference has no method {', '.join(sorted(unknown))}", file=sys.stderr)
        return 64
    scenes = scenes_of(options.data)
    rows, problems, uncovered = rows_by_frame(options.run, scenes, methods)
    tasks = [
        (scene, scenes[scene], index, by_method, options)
        for (scene, index), by_method in sorted(rows.items())
    ]
    tallies: dict[str, Tally] = defaultdict(Tally)
    with ProcessPoolExecutor(options.jobs) as pool:
        for result in pool.map(check_frame, tasks):
            for method, tally in result.items():
                tallies[method].merge(tally)
    problems += check_means(options.run)
    print_summary(tallies, options.shown)
    for problem in problems:
        print(f"PROBLEM {problem}")
    if uncovered:
        print(f"not covered: {', '.join(sorted(uncovered))}")
    if not rows:
        print("PROBLEM no row to compare")
        return 1
    differ = sum(len(t.disagreements) for t in tallies.values())
    cells = sum(t.cells for t in tallies.values())
    print(f"{cells} cells of {len(rows)} frames compared, {differ} differ")
    return 1 if differ or problems else 0


if __name__ == "__main__":
    sys.exit(main())
