"""Writes golden/statistics.json: answers of scipy and statsmodels that the Swift tests are compared with.

    python make_statistics_golden.py          writes the file
    python make_statistics_golden.py --check  fails where the file is not what these packages say
"""

import json
import pathlib
import sys

import numpy as np
import pandas as pd
from scipy import special, stats
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower

from statistics_reference import interval, interval_of, wilcoxon

PATH = pathlib.Path(__file__).parent / "golden" / "statistics.json"


def floats(values):
    return [float(v) for v in np.ravel(values)]


def distributions():
    z = np.linspace(-8, 8, 33)
    p = np.concatenate([10.0 ** -np.arange(1, 15), np.linspace(0.05, 0.95, 19), 1 - 10.0 ** -np.arange(2, 8)])
    chi2 = [(x, k) for x in (0.01, 0.5, 1, 3, 7.5, 20, 60, 150) for k in (1, 2, 3, 7, 20, 40)]
    f = [(x, a, b) for x in (0.05, 0.5, 1, 2.5, 10, 80) for a, b in ((1, 4), (2, 8), (7, 35), (9, 99), (30, 5))]
    q = [(x, k) for x in (0.2, 1, 2.5, 3.5, 5, 8) for k in (2, 3, 5, 8, 12, 40)]
    return {
        "normal_cdf": [[float(x), float(special.ndtr(x))] for x in z],
        "normal_ppf": [[float(x), float(special.ndtri(x))] for x in p],
        "chi2_sf": [[x, k, float(stats.chi2.sf(x, k))] for x, k in chi2],
        "f_sf": [[x, a, b, float(stats.f.sf(x, a, b))] for x, a, b in f],
        "studentized_range_sf": [[x, k, float(stats.studentized_range.sf(x, k, np.inf))] for x, k in q],
        "studentized_range_isf": [
            [a, k, float(stats.studentized_range.isf(a, k, np.inf))] for a in (0.1, 0.05, 0.01) for k in (2, 3, 5, 8, 20)
        ],
    }


def signed_ranks(rng):
    cases = []
    for n in (2, 3, 5, 6, 8, 12):
        cases.append(("normal", rng.normal(0.3, 1, n)))
        cases.append(("ties and zeros", np.round(rng.normal(0.4, 1.2, n))))
    cases += [("all zero", np.zeros(5)), ("one sign", np.arange(1.0, 8)), ("one not zero", np.array([0, 0, 0, 2.0]))]
    cases += [("counted", np.round(rng.normal(0.5, 2, n), 1)) for n in (18, 25)]
    cases += [("approximate", np.round(rng.normal(0.3, 2, n), 1)) for n in (26, 60)]
    return [{"name": f"{name}, {len(d)} scenes", "differences": floats(d), "p": float(wilcoxon(d))} for name, d in cases]


def intervals(rng):
    """Means of errors, of differences and of shares: what each can be decides on which side an interval is long."""
    cases = []
    for n in (4, 5, 6, 8, 9, 10, 20):
        for name, possible, d in (
            ("errors", [0, None], rng.gamma(1.5, 0.02, n)),
            ("differences, tied", [None, None], np.round(rng.normal(0, 1, n)) / 8),
            ("differences", [None, None], -rng.gamma(1.5, 0.02, n)),
            ("shares", [0, 1], rng.beta(8, 2, n)),
        ):
            scenes = [f"room-{i:02}" for i in range(n)]
            ends = interval(d, scenes, n, (-np.inf if possible[0] is None else 0, possible[1] or np.inf))
            cases.append({"name": f"{name}, {n} scenes", "scenes": scenes, "seed": n, "values": floats(d),
                          "possible": possible, "interval": floats(ends)})
    for n in (4, 7, 12):
        sums = rng.gamma(4, 0.25, n)
        weights = rng.integers(1, 9, n)
        scenes = [f"hall-{i:02}" for i in range(n)]
        ends = interval_of([np.column_stack([sums, weights])], scenes, n, root=True, possible=(0, np.inf))
        cases.append({"name": f"root of a ratio, {n} scenes", "scenes": scenes, "seed": n, "values": floats(sums),
                      "weights": floats(weights), "possible": [0, None], "interval": floats(ends)})
    return cases


def friedman(rng):
    cases = []
    for n, k in ((5, 3), (6, 9), (12, 5), (7, 4)):
        table = rng.normal(0, 1, (n, k)) + np.linspace(0, 1, k)
        if n == 7:
            table = np.round(table)
        chi2, p = stats.friedmanchisquare(*table.T)
        ranks = stats.rankdata(table, axis=1).mean(axis=0)
        f = (n - 1) * chi2 / (n * (k - 1) - chi2)
        scale = np.sqrt(k * (k + 1) / (12 * n))
        cases.append(
            {"errors": table.tolist(), "mean_ranks": floats(ranks), "chi2": float(chi2), "p": float(p), "f": float(f),
             "f_p": float(stats.f.sf(f, k - 1, (k - 1) * (n - 1))),
             "critical_difference": float(stats.studentized_range.isf(0.05, k, np.inf) * scale),
             "nemenyi_first_last": float(stats.studentized_range.sf(abs(ranks[0] - ranks[-1]) / scale, k, np.inf))})
    return cases


def holm(rng):
    cases = [rng.uniform(0, 0.2, m) for m in (1, 2, 5, 9)] + [np.array([0.03125] * 6 + [1.0, 0.5])]
    return [{"p": floats(p), "adjusted": floats(multipletests(p, method="holm")[1])} for p in cases]


def powers():
    """Of the two-sided one-sample t test at 5 %, and the scenes that it needs for 80 %."""
    test = TTestPower()
    cases = [(e, n) for e in (0.05, 0.3, 1.0, 2.5, 6.0) for n in (2, 4, 5, 8, 20, 100)]
    # Far out statsmodels has no answer.
    powers = [(e, n, float(test.power(e, n, 0.05))) for e, n in cases]
    found = [(e, np.ceil(test.solve_power(e, alpha=0.05, power=0.8))) for e in (0.05, 0.1, 0.3, 0.7, 1.0, 1.5)]
    return {
        "t_power": [list(case) for case in powers if np.isfinite(case[2])],
        "t_scenes": [[e, float(max(4, n))] for e, n in found],
        "chi2_isf": [[a, k, float(stats.chi2.isf(a, k))] for a in (0.975, 0.5, 0.025, 1e-6) for k in (1, 3, 5, 11, 40)],
    }


def components(rng):
    """Between, within and per frame; with two or three frames a scene those of the nested analysis of variance."""
    cases = []
    for scenes, frames in ((6, 2), (8, 3)):
        values = rng.normal(20, 4, scenes)[:, None] + rng.normal(0, 2, (scenes, frames))
        table = pd.DataFrame({"y": values.ravel(), "scene": np.repeat(np.arange(scenes), frames)})
        between, within = anova_lm(ols("y ~ C(scene)", table).fit())["mean_sq"]
        cases.append((values, np.sqrt(max(0, between - within) / frames), np.sqrt(within), np.sqrt(within)))
    # Frames that depend on each other, of unequal numbers: batches of floor(sqrt(n)).
    ragged = []
    for n in (9, 20, 31, 12, 5):
        noise = rng.normal(0, 1, n)
        ragged.append(20 + 3 * rng.normal() + np.convolve(noise, [1, 0.7, 0.4])[:n])
    means = np.array([v.mean() for v in ragged])
    within = np.sqrt(sum(((v - v.mean()) ** 2).sum() for v in ragged) / sum(len(v) - 1 for v in ragged))
    squares, freedom = 0.0, 0
    for v in ragged:
        length = int(np.sqrt(len(v)))
        batches = v[: len(v) // length * length].reshape(-1, length).mean(axis=1)
        squares += length * ((batches - batches.mean()) ** 2).sum()
        freedom += len(batches) - 1
    long = squares / freedom
    between = np.sqrt(max(0, means.var(ddof=1) - long * np.mean([1 / len(v) for v in ragged])))
    cases.append((ragged, between, within, np.sqrt(long)))
    return [{"values": [floats(v) for v in values], "components": floats(found)} for values, *found in cases]


def main():
    rng = np.random.default_rng(20)
    golden = {**distributions(), "wilcoxon": signed_ranks(rng), "intervals": intervals(np.random.default_rng(8)), "friedman": friedman(rng),
              "holm": holm(rng), **powers(), "components": components(np.random.default_rng(55))}
    text = json.dumps(golden, indent=1) + "\n"
    if "--check" not in sys.argv:
        PATH.write_text(text)
        return
    if not same(json.loads(PATH.read_text()), json.loads(text)):
        sys.exit(f"{PATH} is not what the installed packages say: run {pathlib.Path(__file__).name}")
    print("statistics.json agrees with scipy and statsmodels")


def same(a, b):
    """Equal but for rounding, which may differ between processors."""
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, float) or isinstance(b, float):
        return bool(np.isclose(a, b, rtol=1e-11, atol=1e-14))
    return a == b


main()
