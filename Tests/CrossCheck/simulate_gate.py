"""How often the gate of fathom compare is tripped by noise, and how often it finds what is worse; some minutes.

    python simulate_gate.py

The rule written again with numpy: a method is worse where the 95 % interval of its scenes' differences lies above
the tolerance, and the share of swaps of the runs, scene by scene, in which any method's t statistic is as large is at most 5 %.
Up to 8 scenes all swaps are counted, above that 1000 are drawn. Each cell is a share of 2000 simulated comparisons.
"""

import itertools

import numpy as np
from scipy import stats

from statistics_reference import tails

rng = np.random.default_rng(2)
METHODS = [1, 10, 30]
SCENES = [5, 6, 8, 12]

# Differences by [comparison, scene, method]. The last is not noise of runs that are the same: most scenes are worse.
NOISE = {
    "normal": lambda shape: rng.standard_normal(shape),
    "Student's t, 3": lambda shape: rng.standard_t(3, size=shape),
    "two values": lambda shape: rng.choice([-1.0, 1.0], size=shape),
    "four values": lambda shape: rng.choice([-0.125, 0, 0, 0.125], size=shape),
    "scenes of unequal scale": lambda shape: rng.standard_normal(shape)
    * np.exp(rng.standard_normal((shape[0], shape[1], 1))),
    "skewed": lambda shape: np.exp(0.125) - np.exp(0.5 * rng.standard_normal(shape)),
}


def statistic(total, squares, n):
    mean = total / n
    variance = (squares - n * mean * mean) / (n - 1) / n
    with np.errstate(divide="ignore", invalid="ignore"):
        degenerate = np.where(mean == 0, 0, np.sign(mean) * np.inf)
        return np.where(variance > 1e-24 * n * mean * mean, mean / np.sqrt(np.maximum(variance, 0)), degenerate)


def gate(differences, tolerance=0.0):
    """Which methods are worse: [comparison, method]."""
    _, n, k = differences.shape
    mean = differences.mean(1)
    excess = differences - np.minimum(mean, tolerance)[:, None, :]
    squares = (excess**2).sum(1)
    observed = np.where(mean > tolerance, statistic(excess.sum(1), squares, n), 0)
    error = differences.std(1, ddof=1) / np.sqrt(n)
    with np.errstate(invalid="ignore"):
        skewness = np.nan_to_num(stats.skew(differences, axis=1))
    below = tails(0, 0, skewness, (-np.inf, np.inf))[0]
    is_beyond = mean - stats.t.isf(below, n - 1) * error > tolerance + 1e-12
    if n <= 8:
        swaps = np.array(list(itertools.product([1.0, -1.0], repeat=n)))
    else:
        swaps = np.vstack([np.ones(n), rng.choice([1.0, -1.0], size=(1000, n))])
    largest = np.full((len(differences), len(swaps)), -np.inf)
    for j in range(k):
        largest = np.maximum(largest, statistic(excess[:, :, j] @ swaps.T, squares[:, j : j + 1], n))
    chance = [(largest >= observed[:, j : j + 1] * (1 - 1e-9) - 1e-12).mean(1) for j in range(k)]
    return is_beyond & (np.stack(chance, 1) <= 0.05)


def share(draw, count=8, size=250):
    return f"{100 * np.mean([draw(size).mean() for _ in range(count)]):5.1f} %"


def main():
    print("noise alone: tripped with", ", ".join(map(str, METHODS)), "methods; with 10 that are worse by just the tolerance")
    for name, noise in NOISE.items():
        for n in SCENES:
            cells = [share(lambda m, k=k: gate(noise((m, n, k))).any(1)) for k in METHODS]
            cells.append(share(lambda m: gate(noise((m, n, 10)) + 0.5, 0.5).any(1)))
            print(f"{name}, {n} scenes: {'  '.join(cells)}", flush=True)
    print("one method of 10 worse by 1, 2, 3, 5 standard deviations of the scenes' differences: found")
    for n in SCENES:

        def found(size, worse):
            differences = rng.standard_normal((size, n, 10))
            differences[:, :, 0] += worse
            return gate(differences)[:, 0]

        print(f"{n} scenes: {'  '.join(share(lambda m, s=s: found(m, s)) for s in [1, 2, 3, 5])}", flush=True)


if __name__ == "__main__":
    main()
