"""Recomputes the metrics of whole images and of neighbouring frames, and the tables by bin, and compares every cell.

    check_structure.py RUN_DIR DATA.h5 [DATA.h5 ...]

- frames.csv: `boundary_f1`, `ause`, `aurg`, `sq_rel_kitti`, `irmse_per_km`; on posed scenes `temporal_abs_rel` of each
  frame with the one before, and `flicker_m` of each frame with both neighbours
- ranges.csv, confidence.csv, sparsification.csv: mean over the frames of a scene, then over scenes

Maps are made from the scale and shift that the run wrote, so that metrics are compared and not fits (check_frames.py
compares those): 1e-6 relative, because squares are added in single precision. Ends with 1 on any disagreement.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import depth_reference as reference
import run_tables
import structure_reference as structure
from check_frames import rows_by_frame, scenes_of

TOLERANCE, FLOOR = 1e-6, 1e-15
BIN_METRICS = ("coverage", "abs_rel", "median_rel", "mae_m", "rmse_m", "bias_m", "delta_1")
CURVES = ("by_confidence", "by_error", "random")


@dataclass
class Cells:
    """Comparisons by column, and the worst deviation of each."""

    count: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    worst: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    problems: list[str] = field(default_factory=list)

    def compare(
        self, column: str, where: str, written: str, expected: float | None, floor: float = FLOOR
    ) -> None:
        found = None if written == "" else float(written)
        if found is None and expected is None:
            return
        self.count[column] += 1
        if found is None or expected is None:
            self.problems.append(f"{where} {column}: {found}, expected {expected}")
            return
        difference = abs(found - expected)
        deviation = 0.0 if difference <= floor else difference / max(abs(found), abs(expected))
        self.worst[column] = max(self.worst[column], deviation)
        if not deviation <= TOLERANCE:
            self.problems.append(f"{where} {column}: {found!r}, expected {expected!r} ({deviation:.1e})")


def method_map(frame: reference.Frame, method: str, row: dict) -> np.ndarray | None:
    """The map behind a row of frames.csv; NaN where it has no value."""
    if method in reference.BASELINES:
        return reference.returns(frame.lidar)
    if row["status"] not in ("ok", "no_truth") or frame.relative is None or row["scale"] == "":
        return None
    if method in ("spec", "shipped"):
        return reference.fuse(frame, method).depth_map
    form = method.partition("@")[2]
    return reference.apply_form(form, frame.relative, float(row["scale"]), float(row["shift"]))


def image_values(
    frame: reference.Frame, raster: np.ndarray, bins: dict
) -> tuple[dict, structure.Curves | None, dict]:
    """Columns of a whole image, its sparsification, and scores by (table, bin)."""
    selected = reference.in_truth_range(frame.truth)
    g, d = frame.truth[selected].astype(np.float64), raster[selected]
    valid = np.isfinite(d) & (d > 0)
    values = structure.kitti_forms(d[valid], g[valid])
    values["boundary_f1"] = structure.boundary_f1(
        raster, np.where(selected, frame.truth, np.nan).astype(np.float64)
    )
    curves = None
    if "confidence" in bins:
        errors = np.abs(d[valid] - g[valid]) / g[valid]
        curves = structure.sparsification(errors, bins["confidence"][valid])
    values["ause"] = curves.ause if curves else None
    values["aurg"] = curves.aurg if curves else None
    scores = {}
    for table, numbers in bins.items():
        for number in np.unique(numbers):
            inside = numbers == number
            part = reference.pixel_metrics(d[inside], g[inside])
            kept = inside & valid
            size = np.abs(d[kept] - g[kept]) / g[kept]
            part["median_rel"] = float(np.median(size)) if len(size) else None
            scores[table, int(number)] = {"pixels": int(inside.sum()), **part}
    return values, curves, scores


def frame_bins(frame: reference.Frame) -> dict:
    """Bin of every truth pixel in range, per table; (0, 0.5] m is bin 0."""
    selected = reference.in_truth_range(frame.truth)
    bins = {"ranges": np.ceil(frame.truth[selected].astype(np.float64) / 0.5).astype(int) - 1}
    if frame.confidence is not None:
        levels = structure.confidence_at(frame.confidence, frame.truth.shape)
        bins["confidence"] = levels[selected].astype(int)
    return bins


class Run:
    def __init__(self, folder: Path, data: list[Path]):
        self.folder, self.scenes = folder, scenes_of(data)
        self.rows, self.problems, _ = rows_by_frame(folder, self.scenes, set(reference.ALL_METHODS))
        # A method that runs in scenes of one kind only has fewer rows; check_frames.py judges that.
        self.cells = Cells()
        self.scores: dict = defaultdict(lambda: defaultdict(list))
        self.curves: dict = defaultdict(lambda: defaultdict(list))

    def check(self) -> None:
        views: dict = {}
        for scene, index in sorted(self.rows):
            path, name = self.scenes[scene]
            frame = reference.read_frame(path, name, index)
            camera = structure.read_camera(path, name, index)
            bins = frame_bins(frame) if frame.truth is not None else {}
            for method, row in self.rows[scene, index].items():
                depth = method_map(frame, method, row)
                if row["status"] == "ok":
                    self.check_image(scene, method, row, frame, depth, bins)
                if depth is not None and camera is not None and not method.startswith("oracle"):
                    views[scene, index, method] = structure.View(depth, *camera)
                self.check_neighbours(scene, index, method, views)
            for key in [k for k in views if k[:2] == (scene, index - 2)]:
                del views[key]

    def check_image(
        self, scene: str, method: str, row: dict, frame: reference.Frame, depth: np.ndarray, bins: dict
    ) -> None:
        if method in reference.BASELINES:
            raster = reference.baseline(frame, method).at_truth
        else:
            raster = reference.sample_at_centres(depth, frame.truth.shape)
        values, curves, scores = image_values(frame, raster, bins)
        for column in structure.COLUMNS:
            # AURG is a difference of areas of the size of the mean error, and may be near zero.
            floor = TOLERANCE * curves.by_confidence[0] if column == "aurg" and curves else FLOOR
            self.cells.compare(column, f"{scene}/{row['frame']} {method}", row[column], values[column], floor)
        for (table, number), part in scores.items():
            self.scores[method, table, number][scene].append(part)
        if curves and not method.startswith("oracle"):
            self.curves[method][scene].append(curves)

    def check_neighbours(self, scene: str, index: int, method: str, views: dict) -> None:
        """The temporal error belongs to the later of two frames, flicker to the middle one of three."""

        def view(i: int) -> structure.View | None:
            return views.get((scene, i, method))

        temporal = None
        if view(index) and view(index - 1):
            temporal = structure.temporal_abs_rel(view(index - 1), view(index))
        self.compare_cell(scene, index, method, "temporal_abs_rel", temporal)
        if view(index) and view(index - 1) and view(index - 2):
            value = structure.flicker(view(index - 2), view(index - 1), view(index))
            self.compare_cell(scene, index - 1, method, "flicker_m", value)
        elif (scene, index - 1) in self.rows:
            self.compare_cell(scene, index - 1, method, "flicker_m", None)

    def compare_cell(self, scene: str, index: int, method: str, column: str, value: float | None) -> None:
        row = self.rows.get((scene, index), {}).get(method)
        if row is not None and column in row:
            self.cells.compare(column, f"{scene}/{row['frame']} {method}", row[column], value)

    # --- tables ---

    def table(self, name: str) -> list[dict] | None:
        if not (self.folder / name).exists():
            return None
        return [r for r in run_tables.rows(self.folder, name) if r["method"] in reference.ALL_METHODS]

    def check_bins(self) -> None:
        expected = dict(self.scores)
        for table in ("ranges", "confidence"):
            for row in self.table(f"{table}.csv") or []:
                number = int(row["confidence"]) if table == "confidence" else round(float(row["from_m"]) / 0.5)
                scenes = expected.pop((row["method"], table, number), None)
                where = f"{table}.csv {row['method']} {number}"
                if scenes is None:
                    self.problems.append(f"{where}: no such bin")
                    continue
                counts = {
                    "scenes": len(scenes),
                    "frames": sum(map(len, scenes.values())),
                    "pixels": sum(part["pixels"] for frames in scenes.values() for part in frames),
                }
                for column, value in counts.items():
                    self.cells.compare(f"{table}.csv counts", where, row[column], value)
                for column in BIN_METRICS:
                    value = scene_mean(scenes, lambda part, column=column: part[column])
                    self.cells.compare(f"{table}.csv", f"{where} {column}", row[column], value)
        self.problems += [f"no row for {key}" for key in expected]

    def check_sparsification(self) -> None:
        rows = self.table("sparsification.csv")
        if rows is None:
            return
        steps = defaultdict(list)
        for row in rows:
            steps[row["method"]].append(row)
        if set(steps) != set(self.curves):
            self.problems.append(f"sparsification.csv has {sorted(steps)}, expected {sorted(self.curves)}")
        for method, own in steps.items():
            scenes = self.curves.get(method, {})
            if len(own) != len(structure.REMOVED):
                self.problems.append(f"sparsification.csv {method}: {len(own)} rows")
            for step, row in enumerate(own):
                where = f"sparsification.csv {method} {row['removed_share']}"
                self.cells.compare("removed_share", where, row["removed_share"], step / 100)
                self.cells.compare("sparsification.csv counts", where, row["scenes"], len(scenes))
                for column in CURVES:
                    value = scene_mean(scenes, lambda c, column=column: getattr(c, column)[step])
                    self.cells.compare("sparsification.csv", f"{where} {column}", row[column], value)


def scene_mean(scenes: dict, value) -> float | None:
    """Mean over scenes of the mean over those of their frames that have a value."""

    def mean(values: list) -> float | None:
        present = [v for v in values if v is not None]
        return sum(present) / len(present) if present else None

    return mean([mean([value(part) for part in frames]) for frames in scenes.values()])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("run", type=Path)
    parser.add_argument("data", type=Path, nargs="+")
    options = parser.parse_args()
    manifest = json.loads((options.run / "run.json").read_text())
    run = Run(options.run, options.data)
    run.check()
    if not manifest["protocol"]["aggregation"].startswith("pooled"):
        run.check_bins()
        run.check_sparsification()
    problems = run.cells.problems + [p for p in run.problems if "frames of the run" not in p]
    for column, count in run.cells.count.items():
        print(f"{column:<28}{count:>7} cells  {run.cells.worst[column]:.1e}")
    for problem in problems[-20:]:
        print(f"DIFFERS {problem}")
    print(f"{sum(run.cells.count.values())} cells compared, {len(problems)} differ")
    return 1 if problems or not run.cells.count else 0


if __name__ == "__main__":
    sys.exit(main())
