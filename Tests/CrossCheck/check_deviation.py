"""Recomputes what a run says of stated standard deviations, in numpy and scipy, from the maps themselves.

    check_deviation.py FATHOM

Writes maps of six networks and a truth, five scenes of two images: one whose σ is right, one too sure by 2, one in the wrong order, one
with negative, missing and zero σ, one whose σ are shares of its depth, and one of disparity, which is fitted to the truth. Two more state a confidence: as
`conf` beside the depth in .npz, with holes, and as three levels of 8 bits. Every number of deviation.csv, deviation_summary.csv with its intervals,
deviation_bins.csv, deviation_retained.csv and the tables of the report is compared to 1e-9. Exit 1 where one differs.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from confidence_reference import curve, mean_curve, order_scores, retained
from scipy import stats
from statistics_reference import interval, interval_of

SCENES, IMAGES, SHAPE = 5, 2, (30, 40)
EDGES = 2 ** (np.arange(321) / 16 - 8)
Z68 = stats.norm.cdf([-1, 1])
# Columns of the report's table.
SHOWN = ["coverage_50", "coverage_80", "coverage_95", "z_mean", "z_half_width", "mean_deviation_m", "calibration_slope", "crps_m",
         "negative_log_score", "ause_deviation_m", "explained_share", "factor_95"]  # fmt: skip
POSSIBLE = {
    **dict.fromkeys(["coverage_50", "coverage_80", "coverage_95", "unusable_share"], (0, 1)),
    **dict.fromkeys(["z_sd", "z_half_width", "crps_m", "mean_deviation_m", "ause_deviation_m"], (0, np.inf)),
    "explained_share": (-np.inf, 1),
}


def sparsified(e, order):
    """Mean of |e| when 0 … 99 % of the pixels are removed from the end of an order."""
    sorted_errors, n = np.abs(e)[order], len(e)
    return np.array([sorted_errors[: n - step * n // 100].mean() for step in range(100)])


def area(heights):
    return np.trapezoid(heights, dx=0.01)


def scores(d, g, sigma):
    """Scores, shares of the pixels by PIT and |z|, and groups of one image."""
    known = np.isfinite(d) & (d > 0)
    usable = known & np.isfinite(sigma) & (sigma > 0)
    e, s = (d - g)[usable], sigma[usable]
    z = e / s
    order = np.argsort(s, kind="stable")
    by_sigma, by_error = sparsified(e, order), sparsified(e, np.argsort(np.abs(e)))
    ause, aurg = area(by_sigma - by_error), area(by_sigma[0] - by_sigma)
    groups = np.split(order, np.arange(1, 10) * len(e) // 10)
    x, y = (np.array([np.sqrt((v[m] ** 2).mean()) for m in groups]) for v in (s, e))
    # scipy's Gaussian stands for density and distribution; the score's closed form is Gneiting & Raftery 2007, eq. 21.
    crps = s * (z * (2 * stats.norm.cdf(z) - 1) + 2 * stats.norm.pdf(z) - 1 / np.sqrt(np.pi))
    found = {f"coverage_{p}": (np.abs(z) <= stats.norm.ppf(0.5 + p / 200)).mean() for p in (50, 80, 95)}
    found |= {
        "z_mean": z.mean(), "z_sd": z.std(), "z_half_width": np.ptp(np.quantile(z, Z68)) / 2,
        "negative_log_score": -stats.norm.logpdf(g[usable], d[usable], s).mean(), "crps_m": crps.mean(),
        "mean_deviation_m": s.mean(), "calibration_slope": np.polyfit(x, y, 1)[0],
        "ause_deviation_m": ause, "aurg_deviation_m": aurg, "explained_share": aurg / (ause + aurg),
        "unusable_share": 1 - usable.sum() / known.sum(),
    }  # fmt: skip
    pit = np.histogram(stats.norm.cdf(g[usable], d[usable], s), np.linspace(0, 1, 21))[0] / len(e)
    multiples = np.histogram(np.abs(z), np.concatenate([[0], EDGES, [np.inf]]))[0] / len(e)
    return found, pit, multiples, np.stack([x, y]), int(usable.sum())


def confidence_scores(d, g, c):
    """Scores of the order alone of one image, and its curve."""
    usable = np.isfinite(c)
    found = order_scores((d - g)[usable], -c[usable]) | {"unusable_share": 1 - usable.mean()}
    return found, curve((d - g)[usable], -c[usable]), int(usable.sum())


def deviation_curve(d, g, sigma):
    usable = np.isfinite(d) & (d > 0) & np.isfinite(sigma) & (sigma > 0)
    return curve((d - g)[usable], sigma[usable])


def factor(wanted, multiples):
    held = np.cumsum(multiples)
    i = int(np.argmax(held >= wanted))
    edges = np.concatenate([[0], EDGES])
    z = edges[i] + (edges[i + 1] - edges[i]) * (wanted - (held[i] - multiples[i])) / multiples[i]
    return z / stats.norm.ppf((1 + wanted) / 2)


def fitted(disparity, sigma, g):
    """1/g = α·r + β by least squares, and σ times the derivative of 1/(α·r + β)."""
    scale, shift = np.polyfit(disparity.ravel(), 1 / g.ravel(), 1)
    depth = 1 / (scale * disparity + shift)
    return depth, sigma * np.abs(scale) * depth**2


def make(root):
    """Writes the maps. Returns the options, and by network what is scored of each image: depth, truth, σ."""
    rng = np.random.default_rng(56)
    kinds = {"right": "", "sure": "", "wrong": "", "holes": "", "shares": ":relative", "inverse": ""}
    images = {name: {} for name in [*kinds, "score", "levels"]}
    for scene in range(SCENES):
        for image in range(IMAGES):
            g = rng.uniform(1, 6, SHAPE).astype(np.float32)
            own = (0.02 * (1 + scene / 4) * g * rng.uniform(0.3, 2, SHAPE)).astype(np.float32)
            d = (g + own * rng.normal(size=SHAPE)).astype(np.float32)
            mirrored = np.empty_like(own)
            mirrored.ravel()[np.argsort(own.ravel())] = np.sort(own.ravel())[::-1]
            holes = own.copy()
            holes[0, :5], holes[1, :5], holes[2, :5] = np.nan, 0, -0.1
            gap = d.copy()
            gap[5, :7] = np.nan
            share = (own / d).astype(np.float32)
            disparity = (0.5 / g - 0.02 + 0.003 * rng.normal(size=SHAPE)).astype(np.float32)
            doubt = np.full(SHAPE, 0.003, np.float32) * rng.uniform(0.9, 1.1, SHAPE).astype(np.float32)
            maps = {
                "right": (d, own), "sure": (d, own / 2), "wrong": (d, mirrored), "holes": (gap, holes),
                "shares": (d, share), "inverse": (disparity, doubt),
            }  # fmt: skip
            place = f"scene{scene}/{image:03}.npy"
            for name, array in [("truth", g)] + [(n, m[0]) for n, m in maps.items()] + [("sigma-" + n, m[1]) for n, m in maps.items()]:
                path = root / name / place
                path.parent.mkdir(parents=True, exist_ok=True)
                np.save(path, array.astype(np.float32))
            score = (1 + 0.05 / own * rng.uniform(0.7, 1.3, SHAPE)).astype(np.float32)
            score[3, :6] = np.nan
            levels = np.digitize(own, [0.05, 0.1])
            for name, arrays in (("score", {"depth": d, "conf": score, "sky": levels}), ("levels", {"a": d})):
                path = root / name / place
                path.parent.mkdir(parents=True, exist_ok=True)
                np.savez(path.with_suffix(".npz"), **arrays)
            path = root / "levels-c" / place
            path.parent.mkdir(parents=True, exist_ok=True)
            np.save(path, (2 - levels).astype(np.uint8))
            for name, confidence in (("score", score), ("levels", 2 - levels)):
                arrays = (np.float64(v).ravel() for v in (d, g, confidence))
                images[name].setdefault(f"scene{scene}", []).append(tuple(arrays))
            for name, (depth, sigma) in maps.items():
                depth, sigma, truth = (np.float64(v.astype(np.float32)) for v in (depth, sigma, g))
                if name == "shares":
                    sigma = np.float64((share * d).astype(np.float32))
                if name == "inverse":
                    depth, sigma = fitted(depth, sigma, truth)
                    # A fitted map is limited to the range of the truth: 0.1 … 10 m.
                    depth = np.clip(depth, 0.1, 10)
                images[name].setdefault(f"scene{scene}", []).append((depth.ravel(), truth.ravel(), sigma.ravel()))
    options = ["--truth", str(root / "truth")]
    for name, unit in kinds.items():
        kind = "disparity" if name == "inverse" else "metric"
        options += ["--prediction", f"{name}:{kind}={root / name}"]
        options += ["--prediction-deviation", f"{name}{unit}={root / ('sigma-' + name)}"]
    options += ["--prediction", f"score:metric={root / 'score'}", "--prediction-confidence", f"score={root / 'score'}"]
    options += ["--prediction", f"levels:metric={root / 'levels'}", "--prediction-confidence", f"levels={root / 'levels-c'}"]
    return options, images


def compare_means(means, summary, name, close):
    """Means over scenes and their intervals. `means`: scores by scene; `summary`: rows by score; `close`: compares two numbers."""
    for score in means["scene0"]:
        values, row = [m[score] for m in means.values()], summary.loc[score]
        close(row["value"], np.mean(values), f"{name}, {score}")
        ends = interval(np.array(values), list(means), 0, POSSIBLE.get(score, (-np.inf, np.inf)))
        close(row["low"], ends[0], f"{name}, {score}, low")
        close(row["high"], ends[1], f"{name}, {score}, high")


def main(fathom):
    failures, count = [], 0

    def close(value, wanted, what):
        nonlocal count
        count += 1
        if not np.isclose(value, wanted, rtol=1e-9, atol=1e-12):
            failures.append(f"{what}: {value}, expected {wanted}")

    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        options, images = make(root)
        command = [fathom, "evaluate", *options, "--output", str(root / "run"), "--no-gallery", "--no-figures", "--quiet"]
        print(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        report = json.loads((root / "run" / "report.json").read_text())
        tables = {n: pd.read_csv(root / "run" / f"{n}.csv") for n in ("deviation", "deviation_summary", "deviation_bins", "deviation_retained")}
    rows = tables["deviation"].set_index(["method", "scene"])
    summary = tables["deviation_summary"].set_index(["method", "score"])
    bins = tables["deviation_bins"].set_index(["method", "order", "bin"])
    rest = tables["deviation_retained"].set_index("method")
    for name, scenes in images.items():
        method = "stored:" + name
        is_confidence = name in ("score", "levels")
        frames_curves = [[confidence_scores(*f)[1] if is_confidence else deviation_curve(*f) for f in frames] for frames in scenes.values()]
        own = rest.loc[method]
        expected = retained([mean_curve(curves) for curves in frames_curves])
        close(len(own), len(expected), f"{name}, thresholds")
        for (_, row), (wanted, limit, held) in zip(own.iterrows(), expected, strict=False):
            close(row["wanted_share"], wanted, f"{name}, wanted")
            if limit is not None:
                close(row["threshold"], -limit if is_confidence else limit, f"{name}, threshold of {wanted}")
            close(row["kept_share"], held[:, 0].mean(), f"{name}, kept of {wanted}")
            close(row["mean_error_m"], held[:, 1].sum() / held[:, 0].sum(), f"{name}, error of {wanted}")
            share = interval(held[:, 0], list(scenes), 0, (0, 1))
            error = interval_of([held[:, ::-1]], list(scenes), 0, possible=(0, np.inf))
            for end, column in ((0, "low"), (1, "high")):
                close(row["kept_share_" + column], share[end], f"{name}, kept of {wanted}, {column}")
                close(row[column], error[end], f"{name}, error of {wanted}, {column}")
        if is_confidence:
            means = {}
            for scene, frames in scenes.items():
                found = [confidence_scores(*frame) for frame in frames]
                means[scene] = {score: np.mean([f[0][score] for f in found]) for score in found[0][0]}
                row = rows.loc[method, scene]
                for score, value in means[scene].items():
                    close(row[score], value, f"{name}, {scene}, {score}")
                close(row["pixels"], sum(f[2] for f in found), f"{name}, {scene}, pixels")
                close(row[["coverage_95", "z_sd", "crps_m", "factor_95"]].notna().sum(), 0, f"{name}, scores of a scale")
            compare_means(means, summary.loc[method], name, close)
            continue
        means, curves = {}, []
        for scene, frames in scenes.items():
            found = [scores(*frame) for frame in frames]
            means[scene] = {score: np.mean([f[0][score] for f in found]) for score in found[0][0]}
            curves.append([np.mean([f[part] for f in found], axis=0) for part in (1, 2, 3)])
            row = rows.loc[method, scene]
            for score, value in means[scene].items():
                close(row[score], value, f"{name}, {scene}, {score}")
            close(row["pixels"], sum(f[4] for f in found), f"{name}, {scene}, pixels")
            for share, column in ((np.ptp(Z68), "factor_68"), (0.95, "factor_95")):
                close(row[column], factor(share, curves[-1][1]), f"{name}, {scene}, {column}")
        pit, multiples, groups = (np.mean([c[part] for c in curves], axis=0) for part in range(3))
        compare_means(means, summary.loc[method], name, close)
        for share, column in ((np.ptp(Z68), "factor_68"), (0.95, "factor_95")):
            close(summary.loc[method, column]["value"], factor(share, multiples), f"{name}, {column}")
        for number, share in enumerate(pit):
            close(bins.loc[method, "pit", number]["share"], share, f"{name}, PIT {number}")
        for number, (sigma, error) in enumerate(groups.T):
            row = bins.loc[method, "deviation", number]
            close(row["rms_deviation_m"], sigma, f"{name}, group {number}, σ")
            close(row["rms_error_m"], error, f"{name}, group {number}, error")
    section = next(s for s in report["sections"] if s["id"] == "deviation")
    table = next(b["table"]["table"] for b in section["blocks"] if "table" in b)
    for name, row in zip(images, table["rows"], strict=True):
        for score, cell in zip(SHOWN, row[1:], strict=True):
            if "value" not in cell and name in ("score", "levels"):
                continue
            stored = summary.loc["stored:" + name, score]
            scale = 1000 if score.endswith("_m") else 100 if score.startswith(("coverage", "explained")) else 1
            for end in ("value", "low", "high"):
                if end == "value" or end in cell:
                    close(cell[end], stored[end] * scale, f"{name}, {score} of the report, {end}")
    print("\n".join(failures[:20]) or f"{count} numbers of stated deviations agree to 1e-9")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main(sys.argv[1])
