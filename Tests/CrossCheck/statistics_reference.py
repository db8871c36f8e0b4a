"""The statistics of domain §4 written again with numpy and scipy: what check_statistics.py compares a run with.

Nothing here is shared with the Swift code but the definition of the random stream, so that the same resamples can be
drawn and intervals compared to rounding instead of to Monte Carlo error.
"""

import functools

import numpy as np
from scipy import stats

MASK = (1 << 64) - 1
DRAWN = 10_000


class SplitMix64:
    """Steele, Lea, Flood 2014, seeded by FNV-1a over the parts of a stream's name."""

    def __init__(self, seed, *parts):
        digest = 0xCBF29CE484222325 ^ seed
        for part in parts:
            for byte in part.encode():
                digest = ((digest ^ byte) * 0x100000001B3) & MASK
            digest = ((digest ^ 0xFF) * 0x100000001B3) & MASK
        self.state = digest
        self.state = self.next()

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)


_counts = {}


def resample_counts(scenes, seed):
    """How often each scene is in each of 10,000 resamples: [resample, scene]."""
    key = (tuple(scenes), seed)
    if key not in _counts:
        n = len(scenes)
        stream = SplitMix64(seed, "bootstrap", "\x1f".join(scenes))
        draws = np.array([(stream.next() * n) >> 64 for _ in range(DRAWN * n)]).reshape(DRAWN, n)
        _counts[key] = np.stack([(draws == i).sum(axis=1) for i in range(n)], axis=1).astype(float)
    return _counts[key]


def interval(values, scenes, seed, possible=(-np.inf, np.inf)):
    """low, high, bca_low, bca_high of the mean, on Fathom's own resamples."""
    return interval_of([np.column_stack([values, np.ones(len(scenes))])], scenes, seed, possible=possible)


def possible(column):
    """Values that a metric's mean can have: "delta_1_measured"."""
    if column.startswith(("bias", "aurg")):
        return (-np.inf, np.inf)
    return (0, 1 if column.startswith(("coverage", "delta_", "boundary_f1")) else np.inf)


def interval_of(sides, scenes, seed, root=False, possible=(-np.inf, np.inf)):
    """The same of a ratio of sums over scenes, its root, or the difference of two: per side a sum and a weight by scene.

    None for fewer than four scenes.
    """
    n = len(scenes)
    if n < 4:
        return [None] * 4
    sides = [np.asarray(side, float) for side in sides]

    def statistic(counts):
        rates = [(counts @ side[:, 0]) / (counts @ side[:, 1]) for side in sides]
        values = [np.sqrt(rate) if root else rate for rate in rates]
        return values[0] - values[1] if len(values) == 2 else values[0]

    replicates = statistic(resample_counts(scenes, seed))
    estimate = statistic(np.ones((1, n)))[0]
    tolerance = 1e-12 * np.abs(replicates).max()
    if np.ptp(replicates) <= tolerance:
        return np.repeat(estimate, 4)
    jackknife = statistic(1 - np.eye(n))
    error = jackknife.std() * np.sqrt(n - 1)
    # The relative spread of a root is half of that of what it is the root of.
    parts = tails(estimate, (2 if root else 1) * error * np.sqrt(n), -stats.skew(jackknife), possible)
    reaches = stats.t.isf(parts, n - 1) * error
    ends = np.clip([estimate - reaches[0], estimate + reaches[1]], *possible)
    return np.concatenate([ends, bca_of(replicates, estimate, jackknife, tolerance)])


def tails(estimate, deviation, skewness, possible):
    """Probabilities beyond the low and the high end, of one data set or of many."""
    if np.isinf(possible).all():
        side = np.clip(skewness / 0.15, -1, 1)
        return np.array([0.025 + 0.021 * np.minimum(0, side), 0.025 - 0.021 * np.maximum(0, side)])
    distances = np.maximum([estimate - possible[0], possible[1] - estimate], 1e-300)
    side = np.subtract(*np.minimum(1, deviation / (0.4 * distances)))
    return np.array([0.025 + 0.021 * side, 0.025 - 0.021 * side])


def bca_of(replicates, estimate, jackknife, tolerance):
    equal = np.abs(replicates - estimate) <= tolerance
    share = ((replicates < estimate) & ~equal).mean() + equal.mean() / 2
    bias = stats.norm.ppf(share)
    d = jackknife.mean() - jackknife
    acceleration = (d**3).sum() / (6 * (d**2).sum() ** 1.5)
    z = bias + stats.norm.ppf([0.025, 0.975])
    return np.quantile(replicates, stats.norm.cdf(bias + z / (1 - acceleration * z)))


def wilcoxon(differences):
    """Two-sided p: by all flips of signs up to 25 scenes, above by scipy's normal approximation.

    scipy enumerates the flips up to 8 scenes, beyond which it takes seconds a test; from there they are counted here.
    """
    return _wilcoxon(tuple(float(d) for d in differences))


@functools.cache
def _wilcoxon(differences):
    d = np.asarray(differences, float)
    if not np.any(d):
        return 1.0
    if len(d) > 25:
        return stats.wilcoxon(d, zero_method="pratt", method="approx", correction=False).pvalue
    if len(d) <= 8:
        # All 2^n flips; zeros only repeat every one of them.
        method = stats.PermutationMethod(n_resamples=np.inf, batch=1 << 12)
        ranked = stats.wilcoxon(d, zero_method="pratt", method=method)
        return float(ranked.pvalue)
    return exhaustive_wilcoxon(d)


def exhaustive_wilcoxon(d):
    """The same by counting, for more scenes than scipy can enumerate in reasonable time."""
    ranks = np.rint(2 * stats.rankdata(np.abs(d))).astype(int)[d != 0]
    observed = int(np.rint(2 * stats.rankdata(np.abs(d))).astype(int)[d > 0].sum())
    ways = {0: 1}
    for rank in ranks:
        step = dict(ways)
        for total, number in ways.items():
            step[total + int(rank)] = step.get(total + int(rank), 0) + number
        ways = step
    below = sum(number for total, number in ways.items() if total <= observed)
    above = sum(number for total, number in ways.items() if total >= observed)
    return min(1.0, 2 * min(below, above) / 2 ** len(ranks))
