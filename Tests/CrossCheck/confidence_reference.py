"""Thresholds on stated standard deviations and confidences, and the pixels that they keep, in numpy (domain §3, `deviation_retained.csv`)."""

import numpy as np

POINTS, MEAN_POINTS = 50, 200
WANTED = [1, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5]


def sparsified(e, doubt):
    """Mean |e| when 0 … 99 % of the most doubtful pixels are removed; of those with equal doubt the expected mean."""
    levels, where = np.unique(doubt, return_inverse=True)
    expected = (np.bincount(where, np.abs(e)) / np.bincount(where))[np.sort(where)]
    n = len(e)
    return np.array([expected[: n - step * n // 100].mean() for step in range(100)])


def order_scores(e, doubt):
    """AUSE and AURG of |e|, metres, and the share of the ideal order's gain."""
    own, best = sparsified(e, doubt), sparsified(e, np.abs(e))
    ause, aurg = np.trapezoid(own - best, dx=0.01), np.trapezoid(own[0] - own, dx=0.01)
    return {"ause_deviation_m": ause, "aurg_deviation_m": aurg, "explained_share": aurg / (ause + aurg)}


def curve(e, doubt):
    """Of a frame: doubts, the share of the pixels up to them and the sum of their |e| by pixel of the frame, and whether every doubt is there."""
    order = np.argsort(doubt, kind="stable")
    sorted_doubts, sums, n = doubt[order], np.cumsum(np.abs(e)[order]), len(e)
    ends = np.flatnonzero(np.append(np.diff(sorted_doubts) != 0, True))
    exact = len(ends) <= POINTS
    if not exact:
        kept = []
        for end in ends:
            if end == n - 1 or (end + 1) * (POINTS - 1) >= len(kept) * n:
                kept.append(end)
        ends = np.array(kept)
    return sorted_doubts[ends], (ends + 1) / n, sums[ends] / n, exact


def kept(own, limits):
    """[limits, 2]: share and error up to each limit."""
    x, shares, errors, exact = own
    if exact:
        place = np.searchsorted(x, limits, side="right")
        return np.column_stack([np.append(0, v)[place] for v in (shares, errors)])
    return np.column_stack([np.interp(limits, x, v, left=0) for v in (shares, errors)])


def all_limits(curves):
    limits = np.unique(np.concatenate([own[0] for own in curves]))
    if len(limits) <= MEAN_POINTS:
        return limits, True
    return limits[np.arange(MEAN_POINTS) * (len(limits) - 1) // (MEAN_POINTS - 1)], False


def mean_curve(curves):
    limits, whole = all_limits(curves)
    shares, errors = np.mean([kept(own, limits) for own in curves], axis=0).T
    return limits, shares, errors, whole and all(own[3] for own in curves)


def retained(scenes):
    """For each threshold: what is wanted, the largest doubt that is kept, and for each scene the share and the error of its kept pixels."""
    limits, _ = all_limits(scenes)
    found = np.array([kept(own, limits) for own in scenes])
    rows, last = [], None
    for wanted in WANTED:
        def first(share):
            return len(limits) - 1 if wanted == 1 else int(np.argmax(share >= wanted - 1e-9))  # noqa: B023

        place = first(found[:, :, 0].mean(axis=0))
        if place == last:
            continue
        last = place
        others = [np.delete(np.arange(len(scenes)), s) if len(scenes) > 1 else [0] for s in range(len(scenes))]
        held = np.array([found[s, first(found[o, :, 0].mean(axis=0))] for s, o in enumerate(others)])
        rows.append((wanted, None if wanted == 1 else limits[place], held))
    return rows
