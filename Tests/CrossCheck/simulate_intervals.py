"""Which interval over few scenes holds its level, and how wide it is; prints the tables of docs/statistics.md, some minutes.

    python simulate_intervals.py

Errors are not negative, differences can be. Of each candidate: the least coverage over 4, 5, 6, 8 and 20 scenes for each kind of scenes, and
the median width, as a multiple of Student's and as a mean over the kinds, at 4, 8 and 20. 10,000 data sets a cell, 1,000 resamples each.
"""

import functools

import numpy as np
from scipy import stats

from statistics_reference import tails

SCENES = [4, 5, 6, 8, 20]
DATA_SETS, RESAMPLES = 10_000, 1_000


def normal(rng, shape):
    return 1 + 0.25 * rng.standard_normal(shape), 1


def skewed(rng, shape):
    return np.exp(0.7 * rng.standard_normal(shape)), np.exp(0.7**2 / 2)


def unequal_spread(rng, shape):
    return np.abs(1 + 0.1 * rng.standard_normal(shape) * np.exp(0.7 * rng.standard_normal(shape))), 1


def one_in_ten(rng, shape):
    factor = np.where(rng.random(shape) < 0.1, 3, 1)
    return factor * np.maximum(0.05, 1 + 0.4 * rng.standard_normal(shape)), 1.2


def one_in_five(rng, shape):
    z = rng.standard_normal(shape)
    return np.abs(1 + np.where(rng.random(shape) < 0.2, 3 + z, 0.5 * z)), 0.8 * stats.foldnorm.mean(2, scale=0.5) + 0.8


KINDS = [normal, skewed, unequal_spread, one_in_ten, one_in_five]


class Sample:
    """Data sets of n scenes: [data set, scene]; resampled only where a candidate asks for it."""

    def __init__(self, values, rng):
        self.values, self.rng = values, rng
        self.n = values.shape[1]
        self.mean = values.mean(1)
        self.away = values - self.mean[:, None]
        self.error = values.std(1, ddof=1) / np.sqrt(self.n)
        self.skewness = stats.skew(values, axis=1)

    def student(self, tail=0.025):
        return stats.t.isf(tail, self.n - 1) * np.ones(len(self.mean))

    @functools.cached_property
    def pivots(self):
        """Quantiles of (mean* - mean)/error* over resamples: 0.975, and -0.025, both at most three times Student's."""
        counts = self.rng.multinomial(self.n, np.ones(self.n) / self.n, RESAMPLES).T
        parts = []
        for away, error in zip(np.split(self.away, 20), np.split(self.error, 20)):
            mean = away @ counts / self.n
            own = np.sqrt(np.maximum(0, away**2 @ counts / self.n - mean**2) / (self.n - 1))
            known = own > 1e-6 * error[:, None]
            parts.append(np.nanquantile(np.where(known, mean / np.where(known, own, 1), np.nan), [0.975, 0.025], axis=1))
        high, low = np.hstack(parts)
        return np.clip([high, -low], 0, 3 * self.student())


def student(s):
    return s.student(), s.student()


def johnson(s):
    shift = s.skewness * (1 + 2 * s.student() ** 2) / (6 * np.sqrt(s.n))
    return s.student() - shift, s.student() + shift


def johnson_outer(s):
    return np.maximum(johnson(s), s.student())


def hall(s):
    a = s.skewness / np.sqrt(s.n)
    a = np.where(np.abs(a) < 1e-6, 1e-6, a)

    def inverse(y):
        return 3 / a * (np.cbrt(1 + a * (y - a / 6)) - 1)

    return inverse(s.student()), -inverse(-s.student())


def cox(s):
    """Of lognormal values; the ends as distances from the mean in standard errors."""
    logs = np.log(np.maximum(1e-9, s.values))
    centre, variance = logs.mean(1), logs.var(1, ddof=1)
    reach = s.student() * np.sqrt(variance / s.n + variance**2 / (2 * (s.n + 1)))
    ends = np.exp(centre + variance / 2 + np.array([[-1], [1]]) * reach)
    return (s.mean - ends[0]) / s.error, (ends[1] - s.mean) / s.error


def bootstrap_t(s):
    return s.pivots


def bootstrap_outer(s):
    return np.maximum(s.pivots, s.student())


def bootstrap_outer_from_eight(s):
    return bootstrap_outer(s) if s.n >= 8 else s.pivots


def equal(tail):
    return lambda s: (s.student(tail), s.student(tail))


def long_above(tail):
    return lambda s: (s.student(0.05 - tail), s.student(tail))


def printed(possible):
    return lambda s: stats.t.isf(tails(s.mean, s.error * np.sqrt(s.n), s.skewness, possible), s.n - 1)


COMMON = {
    "Student's t": student,
    "bootstrap-t": bootstrap_t,
    "bootstrap-t, from 8 scenes on with Student's as a bound": bootstrap_outer_from_eight,
    "outer ends of bootstrap-t and Student's": bootstrap_outer,
    "Student's, moved by the skewness (Johnson 1978)": johnson,
    "outer ends of that and Student's": johnson_outer,
    "cubic transformation (Hall 1992)": hall,
}
ERRORS = COMMON | {
    "mean of a lognormal distribution (modified Cox)": cox,
    "Student's, 4 % and 1 %": long_above(0.01),
    "Student's, 4.6 % and 0.4 %": long_above(0.004),
    "Student's, 4.8 % and 0.2 %": long_above(0.002),
    "**Student's, from 2.5 % and 2.5 % to 4.6 % and 0.4 %, by spread over mean**": printed((0, np.inf)),
}
DIFFERENCES = COMMON | {
    "Student's, 1.5 % and 1.5 %": equal(0.015),
    "Student's, 0.4 % and 0.4 %": equal(0.004),
    "**Student's, 0.4 % on the side of the skew, else 2.5 %**": printed((-np.inf, np.inf)),
}


def held(s, mean, reach):
    pivot = (s.mean - mean) / s.error
    return ((pivot <= reach[0]) & (pivot >= -reach[1])).mean()


def table(candidates):
    rng = np.random.default_rng(55)
    coverage = {name: np.ones(len(KINDS)) for name in candidates}
    widths = {name: [] for name in candidates}
    for n in SCENES:
        wide = {name: [] for name in candidates}
        for k, kind in enumerate(KINDS):
            values, mean = kind(rng, (DATA_SETS, n))
            s = Sample(values, rng)
            for name, candidate in candidates.items():
                reach = candidate(s)
                coverage[name][k] = min(coverage[name][k], held(s, mean, reach))
                wide[name].append(np.median(np.sum(reach, axis=0) * s.error) / np.median(2 * s.student() * s.error))
        if n in (4, 8, 20):
            for name in candidates:
                widths[name].append(np.mean(wide[name]))
    print("| interval | " + " | ".join(k.__name__.replace("_", " ") for k in KINDS) + " | width at 4, 8, 20 |")
    print("|---|" + "---:|" * (len(KINDS) + 1))
    for name in candidates:
        cells = [f"{c:.3f}" for c in coverage[name]] + [", ".join(f"{w:.2f}" for w in widths[name])]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def jackknifed(sums, weights, root):
    """Of a ratio of sums or its root: estimate, standard error, skewness, by data set."""
    n = sums.shape[1]

    def value(a, b):
        return np.sqrt(a / b) if root else a / b

    left = value(sums.sum(1, keepdims=True) - sums, weights.sum(1, keepdims=True) - weights)
    return value(sums.sum(1), weights.sum(1)), left.std(1) * np.sqrt(n - 1), -stats.skew(left, axis=1)


def other_forms():
    """The two intervals that are printed, of statistics that are not a mean of independent values."""
    rng = np.random.default_rng(56)
    print("| statistic | as | " + " | ".join(map(str, SCENES)) + " |")
    print("|---|---|" + "---:|" * len(SCENES))

    def row(name, draw, factor=1):
        for kind, limit in (("error", 0), ("difference", -np.inf)):
            cells = []
            for n in SCENES:
                estimate, error, skewness, truth = draw(n)
                low, high = stats.t.isf(tails(estimate, factor * error * np.sqrt(n), skewness, (limit, np.inf)), n - 1)
                cells.append((np.abs(estimate - truth + (high - low) / 2 * error) <= (high + low) / 2 * error).mean())
            print(f"| {name} | {kind} | {' | '.join(f'{c:.3f}' for c in cells)} |", flush=True)

    def weighted(n, root):
        values = np.exp(0.5 * rng.standard_normal((DATA_SETS, n)))
        weights = np.exp(0.5 * rng.standard_normal((DATA_SETS, n)))
        truth = np.exp(0.5**2) if root else np.exp(0.5**2 / 2)
        return *jackknifed(weights * values ** (2 if root else 1), weights, root), truth

    def plain(values, truth):
        return *jackknifed(values, np.ones_like(values), False), truth

    def medians(n):
        scenes = np.exp(0.7 * rng.standard_normal((DATA_SETS, n, 1)))
        return plain(np.median(scenes * (1 + 0.3 * rng.standard_normal((DATA_SETS, n, 15))), axis=2), np.exp(0.7**2 / 2))

    def blocks(n, memory):
        frames = np.empty((DATA_SETS, n * 15))
        frames[:, 0] = rng.standard_normal(DATA_SETS)
        for i in range(1, n * 15):
            frames[:, i] = memory * frames[:, i - 1] + np.sqrt(1 - memory**2) * rng.standard_normal(DATA_SETS)
        return plain(1 + 0.4 * frames.reshape(DATA_SETS, n, 15).mean(2), 1)

    row("pooled mean, pixels and errors of scenes lognormal (0.5)", lambda n: weighted(n, False))
    row("pooled RMSE, the same", lambda n: weighted(n, True), 2)
    row("mean of the scenes' medians, scenes lognormal (0.7)", medians)
    row("blocks of 15 frames of one scene, correlation 0.5 from frame to frame", lambda n: blocks(n, 0.5))
    row("the same, correlation 0.9", lambda n: blocks(n, 0.9))


if __name__ == "__main__":
    print("errors\n")
    table(ERRORS)
    print("\ndifferences\n")
    table(DIFFERENCES)
    print("\nother statistics\n")
    other_forms()
