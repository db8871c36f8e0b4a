"""Recomputes a calibration from the HDF5 file: tables in numpy, the noise model and its check by scipy's optimiser; and, from the tables, what it
concludes (calibration_verdict.py).

    check_calibration.py FATHOM [DATA.h5 ...]

Errors, means and counts are compared with every DATA. The noise model is compared with data of the preset noise-law, where every pixel is kept,
so that scipy sees the same ones: the maximum of the likelihood by L-BFGS-B, intervals by leaving scenes out with full refits, shares of the left-out
scenes. Ends with 1 where something differs.
"""

import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np
from calibration_verdict import check_verdict
from scipy import optimize, stats

STATISTICS = ["coverage", "bias_m", "mae_m", "p95_ae_m", "rmse_m", "median_rel"]
faults = []
checked = 0


def compare(what, found, expected, tolerance):
    global checked
    checked += 1
    if found == "" or expected is None:
        if not (found == "" and expected is None):
            faults.append(f"{what}: {found!r} instead of {expected!r}")
    elif not abs(float(found) - expected) <= tolerance:
        faults.append(f"{what}: {found} instead of {expected}")


def count(found):
    """Faults, and a None for every value that agrees."""
    global checked
    for fault in found:
        checked += 1
        if fault:
            faults.append(fault)


def table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def truth_at_lidar(truth, shape, ratio, low, high):
    """Bilinear at pixel centres, edges clamped; NaN where there is none."""

    def axis(n, m):
        p = np.clip((np.arange(n) + 0.5) * m / n - 0.5, 0, m - 1)
        lower = np.floor(p).astype(int)
        weight = p - lower
        return lower, np.where(weight > 0, lower + 1, lower), weight

    top, bottom, wy = axis(shape[0], truth.shape[0])
    left, right, wx = axis(shape[1], truth.shape[1])
    corners = [truth[np.ix_(r, c)] for r in (top, bottom) for c in (left, right)]
    known = np.all([np.isfinite(c) & (c > 0) for c in corners], axis=0)
    stack = np.array(corners, dtype=float)
    with np.errstate(invalid="ignore"):
        smooth = stack.max(axis=0) <= ratio * stack.min(axis=0)
        upper = stack[0] * (1 - wx) + stack[1] * wx
        lower = stack[2] * (1 - wx) + stack[3] * wx
        depth = upper * (1 - wy[:, None]) + lower * wy[:, None]
        inside = (depth.astype(np.float32) > np.float32(low)) & (depth.astype(np.float32) <= np.float32(high))
    return np.where(known & smooth & inside, depth, np.nan)


def frames(path, plan, names):
    """Level, true depth and error of the pixels with truth, frame by frame."""
    with h5py.File(path) as file:
        for name in names:
            scene = file["scenes"][name]
            result = []
            for index in range(scene["lidar/depth"].shape[0]):
                lidar = scene["lidar/depth"][index].astype(float)
                levels = scene["lidar/confidence"][index] if "lidar/confidence" in scene else np.full(lidar.shape, 2)
                depth = truth_at_lidar(
                    scene["truth/depth"][index], lidar.shape, plan["stepRatio"], plan["minTruth"], plan["maxTruth"])
                use = np.isfinite(depth) & (levels <= 2)
                measured = np.where((lidar > 0) & np.isfinite(lidar), lidar, np.nan)
                result.append((levels[use], depth[use], (measured - depth)[use]))
            yield name, result


def frame_values(depth, error):
    back = ~np.isnan(error)
    values = dict.fromkeys(STATISTICS)
    values["coverage"] = back.mean()
    if back.any():
        e, d = error[back], depth[back]
        values |= {
            "bias_m": e.mean(), "mae_m": abs(e).mean(), "p95_ae_m": np.quantile(abs(e), 0.95),
            "rmse_m": np.sqrt((e**2).mean()), "median_rel": np.median(abs(e) / d)}
    return values


def check_levels(run, scenes):
    for row in table(run / "levels.csv"):
        per_scene = {s: [] for s in STATISTICS}
        pixels = returns = 0
        for _, scene in scenes:
            per_frame = {s: [] for s in STATISTICS}
            for levels, depth, error in scene:
                use = np.ones(len(levels), bool)
                if row["confidence"] != "all":
                    use &= levels == int(row["confidence"])
                if row["from_m"]:
                    bins = np.maximum(0, np.ceil(depth / 0.5) - 1)
                    use &= bins == round(float(row["from_m"]) / 0.5)
                pixels += use.sum()
                returns += (~np.isnan(error[use])).sum()
                if use.any():
                    for key, value in frame_values(depth[use], error[use]).items():
                        if value is not None:
                            per_frame[key].append(value)
            for key, values in per_frame.items():
                if values:
                    per_scene[key].append(np.mean(values))
        what = f"{run.name}: levels.csv, {row['confidence']}, {row['from_m']}"
        compare(what + ", pixels", row["pixels"], pixels, 0)
        compare(what + ", returns", row["returns"], returns, 0)
        for key, values in per_scene.items():
            compare(f"{what}, {key}", row[key], np.mean(values) if values else None, 1e-9)


def sparsification(error, levels):
    """Areas between the mean error by confidence and the oracle's, and between all and by confidence."""
    kept = [len(error) - k * len(error) // 100 for k in range(100)]
    oracle = np.cumsum(np.sort(error)) / np.arange(1, len(error) + 1)
    # Within a level every pixel is worth the level's mean.
    expected = np.concatenate([np.full((levels == c).sum(), error[levels == c].mean()) for c in (2, 1, 0) if (levels == c).any()])
    by_level = np.cumsum(expected) / np.arange(1, len(error) + 1)
    by_level, oracle = by_level[np.array(kept) - 1], oracle[np.array(kept) - 1]
    return np.trapezoid(by_level - oracle, dx=0.01), np.trapezoid(by_level[0] - by_level, dx=0.01)


def check_frames(run, scenes, fewest):
    rows = iter(table(run / "frames.csv"))
    order = {"2 < 1": [], "1 < 0": [], "2 < 1 < 0": []}
    for name, scene in scenes:
        for levels, depth, error in scene:
            row = next(rows)
            medians = {}
            for level in range(3):
                use = (levels == level) & ~np.isnan(error)
                enough = use.sum() >= fewest
                medians[level] = np.median(abs(error[use]) / depth[use]) if enough else None
                compare(f"{name}: median at {level}", row[f"median_rel_{level}"], medians[level], 1e-12)
            if row["ause"]:
                back = ~np.isnan(error)
                areas = sparsification(abs(error[back]) / depth[back], levels[back])
                compare(f"{name}: ause", row["ause"], areas[0], 1e-9)
                compare(f"{name}: aurg", row["aurg"], areas[1], 1e-9)
            for key in order:
                values = [medians[int(level)] for level in key.split(" < ")]
                if None not in values:
                    order[key].append(all(a < b for a, b in zip(values, values[1:])))
    for row in table(run / "monotonicity.csv"):
        compare(f"{run.name}: frames in order {row['order']}", row["frames_in_order"], sum(order[row["order"]]), 0)
        if row["sign_test_p"]:
            k, n = int(row["scenes_in_order"]), int(row["scenes"])
            compare("sign test", row["sign_test_p"], stats.binomtest(k, n).pvalue, 1e-12)
            interval = stats.binomtest(k, n).proportion_ci(method="exact")
            compare("share, low", row["share_low"], interval.low, 1e-9)
            compare("share, high", row["share_high"], interval.high, 1e-9)


def density(p, d, e):
    m0, m1, a, b, share = p
    return (1 - share) * stats.norm.pdf(e, m0 + m1 * d, np.sqrt(a + b * d**2)) + share / (2 * d)


def fit(d, e, start):
    """Maximum likelihood by a quasi-Newton method, in units that make the parameters alike."""
    unit = np.array([1e-2, 1e-2, start[2] or 1e-5, start[3] or 1e-5, 1e-2])
    found = optimize.minimize(
        lambda q: -np.log(density(q * unit, d, e)).mean(), np.array(start) / unit, method="L-BFGS-B",
        bounds=[(None, None), (None, None), (0, None), (0, None), (0, 0.9)],
        options={"ftol": 1e-15, "gtol": 1e-9, "maxiter": 2000})
    return found.x * unit


def check_noise(run, scenes):
    rows = {(int(r["confidence"]), r["parameter"]): r for r in table(run / "noise.csv")}
    coverage = table(run / "coverage.csv")
    pit = table(run / "pit.csv")
    for level in range(3):
        clusters = []
        for _, scene in scenes:
            parts = [(d[(c == level) & ~np.isnan(e)], e[(c == level) & ~np.isnan(e)]) for c, d, e in scene]
            clusters.append(tuple(np.concatenate(x) for x in zip(*parts)))
        d, e = (np.concatenate(x) for x in zip(*clusters))
        compare(f"pixels at {level}", rows[level, "a_m"]["pixels"], len(d), 0)
        names = ["bias_m", "bias_slope", "a_m", "b", "outlier_share"]
        own = np.array([float(rows[level, n]["value"]) for n in names])
        start = [0, 0, np.var(e) / 2, np.var(e) / 2 / np.mean(d**2), 0.01]
        best = fit(d, e, start)
        mine = own.copy()
        mine[2:4] **= 2
        # What counts is the likelihood; parameters follow within a small part of their interval.
        gain = np.log(density(best, d, e)).sum() - np.log(density(mine, d, e)).sum()
        compare(f"log-likelihood at {level}, lost", gain, 0, 1e-2)
        left_out = [
            fit(*(np.concatenate(x) for x in zip(*(clusters[:g] + clusters[g + 1:]))), best)
            for g in range(len(clusters))]
        t = stats.t.ppf(0.975, len(clusters) - 1)
        spread = np.sqrt((len(clusters) - 1) / len(clusters) * ((np.array(left_out) - best) ** 2).sum(axis=0))
        for index, name in enumerate(names[:4]):
            row = rows[level, name]
            ends = best[index] - t * spread[index], best[index] + t * spread[index]
            if index >= 2:
                ends = [np.sqrt(max(0, x)) for x in ends]
            width = ends[1] - ends[0]
            value = np.sqrt(best[index]) if index >= 2 else best[index]
            compare(f"{name} at {level}", row["value"], value, 0.02 * width)
            compare(f"{name} at {level}, low", row["value_low"], ends[0], 0.05 * width)
            compare(f"{name} at {level}, high", row["value_high"], ends[1], 0.05 * width)
        bins = np.maximum(0, np.ceil(d / 0.5) - 1)
        for row in table(run / "levels.csv"):
            if row["confidence"] == str(level) and row["from_m"]:
                inside = e[bins == round(float(row["from_m"]) / 0.5)]
                enough = len(inside) >= 20
                spread = 1.4826 * np.median(abs(inside - np.median(inside))) if enough else None
                compare(f"scale of {level} from {row['from_m']}", row["sigma_mad_m"], spread, 1e-9)
                compare(f"median of {level} from {row['from_m']}", row["bias_median_m"], np.median(inside) if enough else None, 1e-9)
        check_coverage(level, clusters, left_out, coverage, pit)


def check_coverage(level, clusters, left_out, coverage, pit):
    transforms, scaled = [], []
    for (d, e), p in zip(clusters, left_out):
        m0, m1, a, b, share = p
        sigma = np.sqrt(a + b * d**2)
        gaussian = stats.norm.cdf(e, m0 + m1 * d, sigma)
        transforms.append((1 - share) * gaussian + share * np.clip(0.5 + e / (2 * d), 0, 1))
        scaled.append(abs(e) / sigma)
    for row in (r for r in coverage if int(r["confidence"]) == level):
        nominal = float(row["nominal"])
        model = np.mean([np.mean(abs(p - 0.5) <= nominal / 2) for p in transforms])
        alone = np.mean([np.mean(z <= stats.norm.ppf(0.5 + nominal / 2)) for z in scaled])
        compare(f"coverage {nominal} at {level}", row["coverage"], model, 2e-3)
        compare(f"coverage {nominal} by a and b at {level}", row["noise_only_coverage"], alone, 2e-3)
    shares = np.mean([np.histogram(p, bins=20, range=(0, 1))[0] / len(p) for p in transforms], axis=0)
    for row, share in zip((r for r in pit if int(r["confidence"]) == level), shares):
        compare(f"pit from {row['from']} at {level}", row["share"], share, 2e-3)


def calibrate(fathom, data, folder):
    subprocess.run([fathom, "calibrate", data, "--output", folder, "--quiet"], check=True)
    manifest = json.loads((folder / "calibration.json").read_text())
    scenes = list(frames(data, manifest["plan"], [s["name"] for s in manifest["scenes"]]))
    check_levels(folder, scenes)
    check_frames(folder, scenes, manifest["plan"]["fewestForMedian"])
    check_conclusions(folder, scenes, manifest["plan"]["keptPixels"])
    return scenes


def check_conclusions(folder, scenes, most):
    """What the verdict says, from the tables; of `most` pixels a scene and level at most are kept for the noise model."""
    pixels = {level: [sum(((c == level) & ~np.isnan(e)).sum() for c, _, e in scene) for _, scene in scenes] for level in range(3)}
    count(check_verdict(folder, {level: max(counts) <= most for level, counts in pixels.items()}))


def check_multiview(fathom, work):
    """What is concluded of one scene without a truth of its own."""
    data = work / "sequence.h5"
    subprocess.run([fathom, "synthesize", data, "--preset", "sample", "--scenes", "1", "--frames", "10", "--quiet"], check=True)
    subprocess.run([fathom, "calibrate", data, "--truth", "multiview", "--output", work / "multiview", "--quiet", "--no-figures"], check=True)
    count(check_verdict(work / "multiview", dict.fromkeys(range(3), False)))


def main():
    fathom, *files = sys.argv[1:]
    with tempfile.TemporaryDirectory() as work:
        work = Path(work)
        law = work / "noise-law.h5"
        command = [fathom, "synthesize", law, "--preset", "noise-law", "--scenes", "10", "--seed", "5", "--quiet"]
        subprocess.run(command, check=True)
        check_noise(work / "law", calibrate(fathom, law, work / "law"))
        for index, file in enumerate(files):
            calibrate(fathom, file, work / f"data-{index}")
        check_multiview(fathom, work)
    for fault in faults[:20]:
        print(fault)
    print(f"calibration: {checked} values of {1 + len(files)} data sets, {len(faults)} differ")
    sys.exit(1 if faults else 0)


main()
