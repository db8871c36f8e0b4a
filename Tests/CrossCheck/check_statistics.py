"""Recomputes the intervals and tests of a run from its frames.csv and compares every cell.

    python check_statistics.py RUN            RUN is a folder that fathom evaluate wrote (aggregation over scenes)

- intervals: on the same resamples, to 1e-9 relative; and from eight scenes on against scipy.stats.bootstrap on 50,000
  of its own, within Monte Carlo error
- Wilcoxon: scipy's permutation of signs (up to 8 scenes) or a count of all sign flips; above 25 scenes scipy's
  approximation
- Holm: statsmodels' multipletests
- Friedman: scipy's friedmanchisquare; Nemenyi: scipy's studentized_range
"""

import json
import pathlib
import sys

import numpy as np
import pandas as pd
from scipy import stats
from statsmodels.stats.multitest import multipletests

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Reference"))
import run_tables  # noqa: E402
from statistics_reference import interval, possible, wilcoxon  # noqa: E402

MEASURED = ["abs_rel_measured", "mae_m_measured", "rmse_m_measured", "delta_1_measured"]
HEADLINE = ["mae_m_measured", "abs_rel_measured"]
SUFFIXES = ["_low", "_high", "_bca_low", "_bca_high"]
RAW = "lidar-bilinear"


class Check:
    """Counts comparisons and keeps the worst deviation."""

    def __init__(self):
        self.count, self.worst, self.faults = 0, 0.0, []

    def close(self, value, expected, what, tolerance=1e-9, floor=1e-12):
        self.count += 1
        missing, absent = value is None or pd.isna(value), expected is None or pd.isna(expected)
        if missing or absent:
            if missing != absent:
                self.faults.append(f"{what}: {value}, expected {expected}")
            return
        deviation = abs(value - expected) / (abs(expected) + floor / tolerance)
        self.worst = max(self.worst, deviation)
        if not deviation <= tolerance:
            self.faults.append(f"{what}: {value!r}, expected {expected!r}")


class Run:
    def __init__(self, folder):
        folder = pathlib.Path(folder)
        self.manifest = json.loads((folder / "run.json").read_text())
        if self.manifest["protocol"]["aggregation"] != "scene":
            sys.exit("check_statistics.py: only means over scenes are recomputed")
        frames = pd.read_csv(folder / "frames.csv", dtype={"frame": str, "scene": str})
        frames = frames[frames.status != "unreadable"]
        self.scenes = list(dict.fromkeys(frames.scene))
        self.methods = list(dict.fromkeys(frames.method))
        self.frames = {m: g.set_index(["scene", "frame"]) for m, g in frames.groupby("method")}
        self.summary = pd.read_csv(run_tables.text(folder, "summary.csv")).set_index("method")
        self.pairwise = pd.read_csv(run_tables.text(folder, "pairwise.csv"))
        self.ranks = pd.read_csv(run_tables.text(folder, "ranks.csv")) if (folder / "ranks.csv").exists() else None
        self.seed = self.manifest["seed"]

    def scene_means(self, *columns):
        """Means per scene, in the run's order, of frames that have every one of the columns."""
        table = pd.concat(columns, axis=1, keys=range(len(columns))).dropna()
        means = table.groupby(level="scene", sort=False).mean()
        return means.reindex([s for s in self.scenes if s in means.index]), len(table)

    def values(self, method, column, form):
        values = self.frames[method][column]
        if form == "fallback":
            values = values.fillna(self.frames[RAW][column].reindex(values.index))
        return values


def check_values(run, check):
    columns = [c[: -len("_low")] for c in run.summary.columns if c.endswith("_low") and c[:-4] in run.frames[RAW]]
    for method in run.methods:
        for column in columns:
            means, _ = run.scene_means(run.frames[method][column])
            row = run.summary.loc[method]
            check.close(row[column], means[0].mean() if len(means) else None, f"{method} {column}")
            expected = interval(means[0], list(means.index), run.seed, possible(column))
            for suffix, value in zip(SUFFIXES, expected):
                check.close(row[column + suffix], value, f"{method} {column}{suffix}")


def compare(run, first, second, column, form):
    """scenes, frames, values, difference, interval, p of one pair."""
    means, frames = run.scene_means(run.values(first, column, form), run.values(second, column, form))
    if not len(means):
        return {"scenes": 0, "frames": 0}
    # What only Float32 rounding tells apart is equal.
    close = (means[0] - means[1]).abs() <= 1e-6 * means.abs().max(axis=1)
    means[1] = means[1].where(~close, means[0])
    result = {"scenes": len(means), "frames": frames, "value_a": means[0].mean(), "value_b": means[1].mean()}
    result["difference"] = result["value_a"] - result["value_b"]
    if len(means) > 1:
        differences = (means[0] - means[1]).to_numpy()
        result["interval"] = interval(differences, list(means.index), run.seed)
        result["p"] = wilcoxon(differences)
        result["differences"] = differences
    return result


def adjusted(results):
    tested = [r for r in results if "p" in r]
    if tested:
        for result, p in zip(tested, multipletests([r["p"] for r in tested], method="holm")[1]):
            result["p_adjusted"] = p


def check_references(run, check):
    for reference, infix in ((run.manifest["baseline"], ""), ("spec", "_spec")):
        if reference not in run.methods or (infix and reference == run.manifest["baseline"]):
            continue
        for form, tail in (("solved", ""), ("fallback", "_fallback")):
            for column in MEASURED:
                stem = column + infix + tail
                others = [m for m in run.methods if m != reference]
                results = [compare(run, m, reference, column, form) for m in others]
                adjusted(results)
                for method, result in zip(others, results):
                    row, what = run.summary.loc[method], f"{method} {stem}"
                    check.close(row[stem + "_difference"], result.get("difference"), what)
                    for suffix, value in zip(SUFFIXES, result.get("interval", [None] * 4)):
                        check.close(row[f"{stem}_difference{suffix}"], value, what + suffix)
                    check.close(row[stem + "_p"], result.get("p"), what + "_p")
                    check.close(row[stem + "_p_adjusted"], result.get("p_adjusted"), what + "_p_adjusted")


def check_pairs(run, check):
    expected_rows = len(run.methods) * (len(run.methods) - 1) // 2 * len(HEADLINE) * 2
    if len(run.pairwise) != expected_rows:
        check.faults.append(f"pairwise.csv has {len(run.pairwise)} rows, expected {expected_rows}")
    for (column, form), rows in run.pairwise.groupby(["column", "form"], sort=False):
        results = [compare(run, r.method_a, r.method_b, column, form) for r in rows.itertuples()]
        adjusted(results)
        for row, result in zip(rows.to_dict("records"), results):
            what = f"pair {row['method_a']} {row['method_b']} {column} {form}"
            for key in ("scenes", "frames", "value_a", "value_b", "difference", "p", "p_adjusted"):
                check.close(row[key], result.get(key), f"{what} {key}")
            ends = result.get("interval", [None] * 4)
            for key, value in zip(("low", "high", "bca_low", "bca_high"), ends):
                check.close(row[key], value, f"{what} {key}")


def check_scipy_bootstrap(run, check):
    """The same intervals by scipy, on resamples of its own: equal up to Monte Carlo error.

    Only from eight scenes on. Below, a resample often holds every scene once; its mean equals the estimate but for
    rounding, which scipy takes at its word (at four scenes that moves 9 % of the resamples to one side), and the ends
    jump between the few values that there are.
    """
    rng = np.random.default_rng(0)
    for row in run.pairwise.to_dict("records"):
        if row["form"] != "solved" or RAW not in (row["method_a"], row["method_b"]) or not row["scenes"] >= 8:
            continue
        differences = compare(run, row["method_a"], row["method_b"], row["column"], "solved")["differences"]
        if np.ptp(differences) == 0:
            continue
        found = stats.bootstrap(
            (differences,), np.mean, n_resamples=50_000, batch=10_000, method="BCa", rng=rng).confidence_interval
        # A third of a standard error: wide enough for the Monte Carlo error of both, narrow enough to find a
        # wrong formula. The exact comparison is that on the same resamples.
        tolerance = 0.35 * differences.std() / np.sqrt(len(differences))
        for key, value in zip(("bca_low", "bca_high"), found):
            check.count += 1
            if abs(row[key] - value) > tolerance:
                check.faults.append(f"scipy BCa {row['method_a']} {row['method_b']} {key}: {row[key]}, {value}")


def check_ranks(run, check):
    if run.ranks is None:
        return
    for column, rows in run.ranks.groupby("column", sort=False):
        tables = [run.scene_means(run.values(m, column, "fallback"))[0][0] for m in rows.method]
        table = pd.concat(tables, axis=1).dropna().to_numpy()
        n, k = table.shape
        table = np.vectorize(lambda v: float(f"{v:.5e}"))(table)
        ranks = stats.rankdata(table, axis=1).mean(axis=0)
        chi2, p = stats.friedmanchisquare(*table.T)
        rest = n * (k - 1) - chi2
        f = (n - 1) * chi2 / rest if rest > 1e-12 * n * k else np.inf
        scale = np.sqrt(k * (k + 1) / (12 * n))
        critical = stats.studentized_range.isf(0.05, k, np.inf) * scale
        for index, row in enumerate(rows.to_dict("records")):
            what = f"ranks {column} {row['method']}"
            nemenyi = stats.studentized_range.sf(abs(ranks[index] - ranks.min()) / scale, k, np.inf)
            for key, value in (
                ("mean_rank", ranks[index]), ("friedman_chi2", chi2), ("friedman_p", p), ("scenes", n), ("methods", k),
                ("critical_difference", critical), ("nemenyi_p_best", nemenyi),
            ):
                check.close(row[key], value, f"{what} {key}")
            if np.isfinite(f):
                check.close(row["iman_davenport_f"], f, f"{what} F")
                check.close(row["iman_davenport_p"], stats.f.sf(f, k - 1, (k - 1) * (n - 1)), f"{what} F p", floor=1e-25)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    run, check = Run(sys.argv[1]), Check()
    for part in (check_values, check_references, check_pairs, check_scipy_bootstrap, check_ranks):
        before = check.count
        part(run, check)
        print(f"{part.__name__}: {check.count - before} cells")
    for fault in check.faults[:20]:
        print(fault)
    if check.faults:
        sys.exit(f"{len(check.faults)} of {check.count} cells differ")
    print(f"{check.count} cells agree; largest relative deviation {check.worst:.1e}")


if __name__ == "__main__":
    main()
