"""Recomputes a run that pools pixels (`--aggregation pooled`) from the pixels themselves and compares every cell.

    check_pooled.py RUN DATA.h5 [DATA.h5 ...]

- scenes.csv, summary.csv: every column over all pixels of a scene, or of all scenes; quantiles, which Fathom takes from
  logarithmic bins of 0.34 %, against the exact ones
- ranges.csv, confidence.csv: the same by bin
- intervals, differences and tests of summary.csv: scenes are resampled, their pixels pooled; to 1e-6 relative

Maps are made with the numpy reference from the scale and shift of frames.csv. Exit 1 where a cell differs.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
from statsmodels.stats.multitest import multipletests

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Reference"))
import depth_reference as reference  # noqa: E402
import run_tables  # noqa: E402
from check_frames import rows_by_frame, scenes_of  # noqa: E402
from check_structure import frame_bins, method_map  # noqa: E402
from statistics_reference import interval_of, possible, wilcoxon  # noqa: E402

RAW = "lidar-bilinear"
SUFFIXES = ("_low", "_high", "_bca_low", "_bca_high")
ROOTS = {"rmse_m", "rmse_log", "irmse_per_m", "irmse_per_km"}
QUANTILES = {"median_ae_m": 0.5, "p90_ae_m": 0.9, "p95_ae_m": 0.95}
# Width of one of 4096 bins from 0.1 mm to 100 m; what is smaller counts as up to 0.1 mm.
BIN = np.log(100 / 1e-4) / 4096
IMAGES_ONLY = ("boundary_f1", "temporal_abs_rel", "flicker_m", "ause", "aurg")
SUPPORTS = {"": None, "_measured": True, "_filled": False}
BIN_COLUMNS = ("coverage", "abs_rel", "mae_m", "rmse_m", "bias_m", "delta_1")


def pixel_sums(d, g):
    """Column → (sum, weight) over one set of pixels; a column without a value is absent."""
    if len(g) == 0:
        return {}
    valid = np.isfinite(d) & (d > 0)
    truth, predicted = len(g), int(valid.sum())
    sums = {"coverage": (predicted, truth)}
    d, g = d[valid], g[valid]
    if predicted == 0:
        return sums
    error, log_error = d - g, np.log(d) - np.log(g)
    terms = {
        "abs_rel": np.abs(error) / g, "sq_rel_m": error**2 / g, "rmse_m": error**2, "rmse_log": log_error**2,
        "log10": np.abs(log_error) / np.log(10), "mae_m": np.abs(error), "bias_m": error,
        "irmse_per_m": (1 / d - 1 / g) ** 2, "irmse_per_km": (1000 / d - 1000 / g) ** 2,
        "sq_rel_kitti": (error / g) ** 2, "mean_log_error": log_error,
    }  # fmt: skip
    sums.update({name: (term.sum(), predicted) for name, term in terms.items()})
    ratio = np.maximum(d / g, g / d)
    for name, threshold in reference.DELTA_THRESHOLDS.items():
        sums[name] = (int((ratio < threshold).sum()), truth)
    return sums


class Pixels:
    """Sums and errors of every row of the run, from the data."""

    def __init__(self, folder, data):
        self.scene_files = scenes_of(data)
        rows, _, uncovered = rows_by_frame(folder, self.scene_files, set(reference.ALL_METHODS))
        if uncovered:
            sys.exit(f"check_pooled.py: the reference has no {', '.join(sorted(uncovered))}")
        self.sums, self.errors, self.bins, self.ran = {}, {}, defaultdict(list), set()
        for (scene, index), by_method in sorted(rows.items()):
            frame = reference.read_frame(*self.scene_files[scene], index)
            evaluator = reference.FrameEvaluator(frame)
            bins = frame_bins(frame) if evaluator.has_truth else {}
            for method, row in by_method.items():
                self.ran.add((scene, index, method))
                if row["status"] == "ok":
                    self.add((scene, index, method), method, row, frame, evaluator, bins)

    def add(self, key, method, row, frame, evaluator, bins):
        if method in reference.BASELINES:
            fusion = evaluator.fusion(method)
        else:
            fusion = reference.Fusion("ok", depth_map=method_map(frame, method, row))
        d, g = evaluator.prediction(fusion), evaluator.truth
        self.sums[key] = {}
        for suffix, measured in SUPPORTS.items():
            inside = np.ones(len(g), bool) if measured is None else evaluator.measured == measured
            for column, value in pixel_sums(d[inside], g[inside]).items():
                self.sums[key][column + suffix] = value
        with np.errstate(invalid="ignore"):
            valid = np.isfinite(d) & (d > 0)
        self.errors[key] = np.abs(d - g)[valid]
        for table, numbers in bins.items():
            for number in np.unique(numbers):
                inside = numbers == number
                self.bins[method, table, int(number)].append(pixel_sums(d[inside], g[inside]))


class Check:
    def __init__(self):
        self.count, self.worst, self.faults = defaultdict(int), defaultdict(float), []

    def close(self, kind, what, written, expected, tolerance=1e-6, floor=1e-15):
        found = None if written == "" else float(written)
        if found is None and expected is None:
            return
        self.count[kind] += 1
        if found is None or expected is None:
            self.faults.append(f"{what}: {found}, expected {expected}")
            return
        difference = abs(found - expected)
        deviation = 0.0 if difference <= floor else difference / max(abs(found), abs(expected))
        self.worst[kind] = max(self.worst[kind], deviation)
        if not deviation <= tolerance:
            self.faults.append(f"{what}: {found!r}, expected {expected!r}")


def is_root(column):
    return column.split("_measured")[0].split("_filled")[0] in ROOTS


def ratio(column, total, weight):
    """The pooled value of sums that were added up."""
    value = total / weight
    return np.sqrt(value) if is_root(column) else value


def pooled(parts, column):
    """A column over the pixels of several rows; None where none has a value."""
    present = [part[column] for part in parts if column in part]
    return ratio(column, *np.sum(present, axis=0)) if present else None


class Run:
    def __init__(self, folder, data):
        self.folder = Path(folder)
        self.manifest = json.loads((self.folder / "run.json").read_text())
        if not self.manifest["protocol"]["aggregation"].startswith("pooled"):
            sys.exit("check_pooled.py: the run does not pool pixels")
        self.scenes = [scene["name"] for scene in self.manifest["scenes"]]
        self.methods = [row["method"] for row in self.table("summary.csv")]
        self.pixels, self.check = Pixels(self.folder, data), Check()

    def table(self, name):
        return run_tables.rows(self.folder, name)

    def keys(self, method, scene=None):
        return [k for k in self.pixels.sums if k[2] == method and scene in (None, k[0])]

    def check_values(self):
        for name in ("scenes.csv", "summary.csv"):
            for row in self.table(name):
                keys = self.keys(row["method"], row.get("scene"))
                parts = [self.pixels.sums[k] for k in keys]
                where = f"{name} {row.get('scene', '')} {row['method']}"
                for column in IMAGES_ONLY:
                    self.check.close("empty", f"{where} {column}", row.get(column, ""), None)
                for column in ["coverage", *reference.METRIC_COLUMNS[1:], "sq_rel_kitti", "irmse_per_km"]:
                    self.check_value(f"{where} {column}", row[column], column, keys, parts)

    def check_value(self, where, written, column, keys, parts):
        if column in QUANTILES:
            errors = [self.pixels.errors[k] for k in keys if len(self.pixels.errors[k])]
            exact = np.quantile(np.concatenate(errors), QUANTILES[column]) if errors else None
            self.check.close("quantiles", where, written, exact, tolerance=BIN, floor=1e-4 * (1 + BIN))
        elif column == "silog":
            square, mean = pooled(parts, "rmse_log"), pooled(parts, "mean_log_error")
            value = None if square is None else 100 * np.sqrt(max(0, square**2 - mean**2))
            self.check.close("silog", where, written, value, tolerance=1e-6)
        else:
            # A bias is a difference of sums of the size of the mean absolute error.
            floor = 1e-9 * pooled(parts, "mae_m") if column == "bias_m" and parts else 1e-15
            self.check.close("means", where, written, pooled(parts, column), floor=floor)

    def check_bins(self):
        expected = dict(self.pixels.bins)
        for table in ("ranges", "confidence"):
            for row in self.table(f"{table}.csv"):
                key = "confidence" if table == "confidence" else "from_m"
                number = round(float(row[key]) / (1 if table == "confidence" else 0.5))
                parts = expected.pop((row["method"], table, number), [])
                for column in BIN_COLUMNS:
                    value = pooled(parts, column)
                    floor = 1e-9 * (pooled(parts, "mae_m") or 0) if column == "bias_m" else 1e-15
                    self.check.close("bins", f"{table} {row['method']} {number} {column}", row[column], value, floor=floor)
        self.check.faults += [f"no row for {key}" for key in expected]

    # --- resampling ---

    def sides(self, methods, column, form):
        """Per scene with a common frame: [side, (sum, weight)]."""
        totals = {}
        frames = dict.fromkeys(k[:2] for k in self.pixels.ran)
        for frame in frames:
            if not all((*frame, m) in self.pixels.ran for m in methods):
                continue
            parts = [self.pixels.sums.get((*frame, m), {}).get(column) for m in methods]
            if form == "fallback":
                stand_in = self.pixels.sums.get((*frame, RAW), {}).get(column)
                parts = [stand_in if p is None else p for p in parts]
            if None not in parts:
                totals[frame[0]] = totals.get(frame[0], 0) + np.array(parts, float)
        scenes = [s for s in self.scenes if s in totals]
        return scenes, np.array([totals[s] for s in scenes])

    def compare(self, methods, column, form):
        """Value or difference, interval and p."""
        scenes, totals = self.sides(methods, column, form)
        if not scenes:
            return {}

        def statistic(counts):
            values = [ratio(column, counts @ totals[:, i, 0], counts @ totals[:, i, 1]) for i in range(len(methods))]
            return values[0] - values[1] if len(values) == 2 else values[0]

        n = len(scenes)
        result = {"value": statistic(np.ones((1, n)))[0]}
        if n > 1:
            sides = [totals[:, i] for i in range(len(methods))]
            bounds = possible(column) if len(methods) == 1 else (-np.inf, np.inf)
            result["interval"] = interval_of(sides, scenes, self.manifest["seed"], is_root(column), bounds)
            if len(methods) == 2:
                result["p"] = wilcoxon(statistic(np.eye(n)))
        return result

    def check_intervals(self):
        summary = {row["method"]: row for row in self.table("summary.csv")}
        skipped = (*IMAGES_ONLY, *QUANTILES, "silog")
        for method, row in summary.items():
            for column in [c[:-4] for c in row if c.endswith("_low") and "_difference" not in c and "_bca" not in c]:
                result = {} if column in skipped else self.compare([method], column, "solved")
                for suffix, value in zip(SUFFIXES, result.get("interval", [None] * 4)):
                    self.check.close("intervals", f"{method} {column}{suffix}", row[column + suffix], value, floor=1e-9)
        for other, infix in ((self.manifest["baseline"], ""), ("spec", "_spec")):
            for form, tail in (("solved", ""), ("fallback", "_fallback")):
                for column in [f"{c}_measured" for c in reference.SUPPORT_METRICS]:
                    self.check_family(summary, other, form, column, column + infix + tail)

    def check_family(self, summary, other, form, column, stem):
        results = {m: self.compare([m, other], column, form) for m in self.methods if m != other}
        tested = [r for r in results.values() if "p" in r]
        if tested:
            for result, p in zip(tested, multipletests([r["p"] for r in tested], method="holm")[1]):
                result["p_adjusted"] = p
        for method, result in results.items():
            row, what = summary[method], f"{method} {stem}"
            self.check.close("differences", what, row[f"{stem}_difference"], result.get("value"), floor=1e-9)
            for suffix, value in zip(SUFFIXES, result.get("interval", [None] * 4)):
                self.check.close("differences", what + suffix, row[f"{stem}_difference{suffix}"], value, floor=1e-9)
            for key in ("p", "p_adjusted"):
                self.check.close("tests", f"{what} {key}", row[f"{stem}_{key}"], result.get(key))


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    run = Run(sys.argv[1], [Path(p) for p in sys.argv[2:]])
    run.check_values()
    run.check_bins()
    run.check_intervals()
    for kind, count in run.check.count.items():
        print(f"{kind:<12}{count:>7} cells  {run.check.worst[kind]:.1e}")
    for fault in run.check.faults[:20]:
        print(f"DIFFERS {fault}")
    total = sum(run.check.count.values())
    if run.check.faults or not total:
        sys.exit(f"{len(run.check.faults)} of {total} pooled cells differ")
    print(f"{total} pooled cells agree")


main()
