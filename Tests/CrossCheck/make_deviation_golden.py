"""Factors for stated standard deviations, in numpy and scipy: golden/deviation.json, and how often they hold.

    python make_deviation_golden.py [--check | --simulate]

Scores of 60 scenes (two confidence levels, two ranges, 30 cells of 12 pixels) come from a generator that the Swift test repeats. The factors are
recomputed on the same grid of |z|, from sorted scores instead of histograms, with and without cells. `--simulate` draws 1,000 data sets for
each number of scenes and prints the mean coverage of a new scene.
"""

import json
import sys
from pathlib import Path

import numpy as np
from scipy import stats

PATH = Path(__file__).parent / "golden/deviation.json"
MASK = (1 << 64) - 1
PER_SCENE = 360


def splitmix(seed):
    """Steele, Lea & Flood 2014; uniform in [0, 1) from the upper 53 bits."""
    state = seed
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        yield ((z ^ (z >> 31)) >> 11) * 2.0**-53


def scenes(count):
    """Of each scene its pixels' error, σ, cell (0 to 3: level 1 or 2, depth 0.7 or 1.2 m)."""
    u = splitmix(56)
    found = []
    for _ in range(count):
        level = np.exp2(2 * next(u) - 1)
        rows = [(next(u), next(u), next(u)) for _ in range(PER_SCENE)]
        a, b, c = np.array(rows).T
        cell = (4 * b).astype(int)
        sigma = 0.01 * (1 + cell)
        # A heavy tail, another width in each cell and scene.
        error = sigma * level * (1 + cell) / 2 * (a - 0.5) / (1.02 - c)
        found.append((error, sigma, cell))
    return found


def up(values):
    """On the grid of 2^(k/64): the next value above."""
    return np.ceil(64 * np.log2(values))


def smallest(scores, needed):
    """Smallest t on the grid with Σ over scenes of the share of scores ≤ t at least `needed`."""
    grid = np.unique(np.concatenate(scores))
    held = sum(np.searchsorted(np.sort(s), grid, side="right") / len(s) for s in scores)
    return grid[np.argmax(held >= needed - 1e-9)]


def fit(data, p):
    n = len(data)
    fewest = int(np.ceil(p / (1 - p) - 1e-9))
    scores = [up(np.abs(e) / s) for e, s, _ in data]
    cells = [c for _, _, c in data]
    shape = np.zeros(4)
    learners = range(n)
    if n >= 3 * fewest:
        shapers = [i for i in range(n) if i % 3 == 1]
        learners = [i for i in range(n) if i % 3 != 1]
        shape = np.array([smallest([scores[i][cells[i] == c] for i in shapers], p * len(shapers)) for c in range(4)])
    relative = [scores[i] - shape[cells[i]] for i in learners]
    factors = [smallest(relative, p * (len(relative) + more)) for more in (1, 0)]
    quantile = stats.norm.ppf((1 + p) / 2)
    return 2 ** ((shape + factors[0]) / 64) / quantile, 2 ** ((factors[0] - factors[1]) / 64)


def summary(data):
    n = len(data)
    p = next(p for p in (0.95, 0.9, 0.8) if n >= np.ceil(p / (1 - p) - 1e-9))
    quantile = stats.norm.ppf((1 + p) / 2)
    scale, reserve = fit(data, p)

    def coverage(i, scale):
        e, s, c = data[i]
        return (np.abs(e) / s <= quantile * scale[c]).mean()

    after = [coverage(i, fit(data[:i] + data[i + 1 :], p)[0]) for i in range(n)]
    return {
        "scenes": n, "coverage": p, "scales": scale.tolist(), "reserve": reserve,
        "before": float(np.mean([coverage(i, np.ones(4)) for i in range(n)])), "after": float(np.mean(after)),
        "deviationBefore": float(np.mean([s.mean() for _, s, _ in data])),
        "deviationAfter": float(np.mean([(s * scale[c]).mean() for _, s, c in data])),
    }  # fmt: skip


def simulate():
    rng = np.random.default_rng(56)
    print("| scenes | coverage wanted | with the reserve | without |\n| ---: | ---: | ---: | ---: |")
    for n in (4, 12, 20, 40, 57, 100):
        p = next(p for p in (0.95, 0.9, 0.8) if n >= np.ceil(p / (1 - p) - 1e-9))
        held = []
        for _ in range(1000):
            # Student's t with 3 degrees of freedom, a scale of its own in each scene; the last scene is the new one.
            level = np.exp(rng.normal(0, 0.5, n + 1))
            scores = [np.abs(rng.standard_t(3, 200)) * s for s in level]
            limits = [smallest([up(s) for s in scores[:n]], p * (n + more)) for more in (1, 0)]
            held.append([2 * stats.t.cdf(2 ** (k / 64) / level[n], 3) - 1 for k in limits])
        mean, error = np.mean(held, axis=0), np.std(held, axis=0) / np.sqrt(1000)
        print(f"| {n} | {p:.0%} | " + " | ".join(f"{100 * m:.1f} ± {200 * e:.1f} %" for m, e in zip(mean, error)) + " |")


def main():
    if "--simulate" in sys.argv:
        return simulate()
    golden = [summary(scenes(60)[:n]) for n in (12, 24, 60)]
    if "--check" not in sys.argv:
        PATH.write_text(json.dumps(golden, indent=1) + "\n")
        return
    stored = json.loads(PATH.read_text())
    for a, b in zip(golden, stored, strict=True):
        if a.keys() != b.keys() or not all(np.allclose(a[k], b[k], rtol=1e-10, atol=0) for k in a):
            sys.exit(f"{PATH} is not what the installed packages say: run {Path(__file__).name}")
    print("deviation.json agrees with numpy and scipy")


main()
