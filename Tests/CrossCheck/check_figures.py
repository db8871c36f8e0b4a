"""Recomputes what figures are drawn of from the pixels: the distribution of errors and the intervals by bin. check_report.py holds figures
against the tables.

    check_figures.py RUN DATA.h5 [DATA.h5 ...]

- cumulative.csv: share of the truth pixels below each limit, with scenes, frames and interval, of `lidar-bilinear` and of
  every form of `ols` in the run
- ranges.csv, confidence.csv: intervals of `abs_rel` and `mae_m` of the same methods

For runs whose means are over frames, then scenes. Values to 1e-9 relative. Exit 1 where a cell differs.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Reference"))
import depth_reference as reference  # noqa: E402
import run_tables  # noqa: E402
from check_frames import rows_by_frame, scenes_of  # noqa: E402
from check_structure import Cells, frame_bins, method_map  # noqa: E402
from statistics_reference import interval, possible  # noqa: E402

RAW = "lidar-bilinear"
LIMITS = [m * 10.0**e for e in (0, 1, 2, 3) for m in (1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8)]
LIMITS = np.array([float(f"{x:g}e-3") for x in LIMITS] + [10.0])
BIN_ERRORS = {"abs_rel": lambda d, g: np.abs(d - g) / g, "mae_m": lambda d, g: np.abs(d - g)}


class Check:
    def __init__(self, run, data):
        self.run, self.scenes, self.cells = run, scenes_of(data), Cells()
        self.seed = json.loads((run / "run.json").read_text())["seed"]

    def table(self, name):
        return run_tables.rows(self.run, name)

    def compare(self, kind, where, written, expected):
        self.cells.compare(kind, where, written, None if expected is None else float(expected))

    def interval(self, kind, where, row, columns, scenes, metric):
        """Both ends, from one value per scene."""
        names = list(scenes)
        ends = interval(np.array([scenes[n] for n in names]), names, self.seed, possible(metric))[:2]
        for column, value in zip(columns, ends):
            self.compare(kind, where, row[column], value)

    # --- from the pixels ---

    def pixels(self):
        rows, problems, _ = rows_by_frame(self.run, self.scenes, set(reference.ALL_METHODS))
        self.cells.problems += [p for p in problems if "frames of the run" not in p]
        shares, bins = defaultdict(lambda: defaultdict(list)), defaultdict(lambda: defaultdict(list))
        for scene, index in sorted(rows):
            methods = {m: r for m, r in rows[scene, index].items() if m == RAW or m.startswith("ols@")}
            frame = reference.read_frame(*self.scenes[scene], index)
            if frame.truth is None:
                continue
            selected, numbers = reference.in_truth_range(frame.truth), frame_bins(frame)
            g = frame.truth[selected].astype(float)
            for method, row in methods.items():
                if row["status"] != "ok":
                    continue
                raster = (
                    reference.baseline(frame, method).at_truth
                    if method == RAW
                    else reference.sample_at_centres(method_map(frame, method, row), frame.truth.shape)
                )
                d = raster[selected].astype(float)
                valid = np.isfinite(d) & (d > 0)
                if not valid.any():
                    continue
                error = np.sort(np.abs(d[valid] - g[valid]))
                shares[method][scene].append(np.searchsorted(error, LIMITS, side="left") / len(g))
                for table, number in numbers.items():
                    for bin in np.unique(number[valid]):
                        inside = valid & (number == bin)
                        values = {k: f(d[inside], g[inside]).mean() for k, f in BIN_ERRORS.items()}
                        bins[table, method, int(bin)][scene].append(values)
        self.check_cumulative(shares)
        self.check_bins(bins)

    def check_cumulative(self, shares):
        written = defaultdict(list)
        for row in self.table("cumulative.csv"):
            written[row["method"]].append(row)
        for method, scenes in shares.items():
            means = {name: np.mean(frames, axis=0) for name, frames in scenes.items()}
            if len(written[method]) != len(LIMITS):
                self.cells.problems.append(f"cumulative.csv {method}: {len(written[method])} rows")
            for k, row in enumerate(written[method]):
                where = f"{method} {row['error_m']}"
                self.compare("cumulative.csv limits", where, row["error_m"], LIMITS[k])
                self.compare(
                    "cumulative.csv", where, row["share"], np.mean([m[k] for m in means.values()])
                )
                self.compare("cumulative.csv counts", where, row["scenes"], len(scenes))
                self.compare("cumulative.csv counts", where, row["frames"], sum(map(len, scenes.values())))
                own = {name: m[k] for name, m in means.items()}
                self.interval("cumulative.csv intervals", where, row, ("low", "high"), own, "coverage")

    def check_bins(self, bins):
        for table in ("ranges", "confidence"):
            for row in self.table(f"{table}.csv"):
                number = round(float(row["from_m"]) / 0.5) if table == "ranges" else int(row["confidence"])
                scenes = bins.get((table, row["method"], number))
                for metric in BIN_ERRORS if scenes else ():
                    own = {name: np.mean([f[metric] for f in frames]) for name, frames in scenes.items()}
                    self.interval(
                        f"{table}.csv intervals", f"{row['method']} {number} {metric}", row,
                        (f"{metric}_low", f"{metric}_high"), own, metric,
                    )  # fmt: skip


def main():
    if len(sys.argv) < 3:
        print(__doc__)
        return 64
    check = Check(Path(sys.argv[1]), [Path(p) for p in sys.argv[2:]])
    check.pixels()
    for column, count in check.cells.count.items():
        print(f"{column:<28}{count:>7} cells  {check.cells.worst[column]:.1e}")
    for problem in check.cells.problems[-20:]:
        print(f"DIFFERS {problem}")
    print(f"{sum(check.cells.count.values())} cells compared, {len(check.cells.problems)} differ")
    return 1 if check.cells.problems or not check.cells.count else 0


if __name__ == "__main__":
    sys.exit(main())
