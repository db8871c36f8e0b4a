"""The estimators as other people's libraries, or brute force, compute them. Lines are (slope, intercept)."""

from itertools import combinations

import numpy as np
import statsmodels.api as sm
from scipy import optimize, sparse, stats
from sklearn.linear_model import LinearRegression, RANSACRegressor

MAD_TO_SIGMA = 1.4826


def anchors(x, y, limit):
    """Evenly spaced in the order of (x, y)."""
    order = np.lexsort((y, x))
    n = len(order)
    if n > limit:
        order = order[(2 * np.arange(limit) + 1) * n // (2 * limit)]
    return x[order], y[order]


def residuals(line, x, y):
    return y - (line[0] * x + line[1])


def least_squares(x, y, weights=None):
    """LAPACK on centred columns; its own error at an offset would otherwise exceed the tolerance."""
    root = np.sqrt(np.ones_like(x) if weights is None else weights)
    mx, my = np.average(x, weights=root**2), np.average(y, weights=root**2)
    solution = np.linalg.lstsq(np.column_stack([(x - mx) * root, root]), (y - my) * root, rcond=None)[0]
    return float(solution[0]), float(my + solution[1] - solution[0] * mx)


def least_absolute(x, y):
    """The linear programme min Σ t, |y − αx − β| ≤ t, by HiGHS, in scaled variables."""
    n = len(x)
    (mx, sx), (my, sy) = (x.mean(), x.std()), (y.mean(), y.std())
    u, v = (x - mx) / sx, (y - my) / sy
    design = sparse.csr_matrix(np.column_stack([u, np.ones(n)]))
    eye = sparse.identity(n, format="csr")
    constraints = sparse.vstack([sparse.hstack([design, -eye]), sparse.hstack([-design, -eye])])
    cost = np.concatenate([[0, 0], np.ones(n)])
    bounds = [(None, None)] * 2 + [(0, None)] * n
    result = optimize.linprog(cost, constraints, np.concatenate([v, -v]), bounds=bounds, method="highs")
    slope = result.x[0] * sy / sx
    return float(slope), float(my + result.x[1] * sy - slope * mx)


def huber(x, y, _):
    design = np.column_stack([x, np.ones_like(x)])
    fit = sm.RLM(y, design, M=sm.robust.norms.HuberT(1.345)).fit(maxiter=500, tol=1e-11, conv="coefs")
    return tuple(fit.params)


def tukey(x, y, _):
    """From the L1 line on 4096 anchors, whose scale is kept."""
    design = np.column_stack([x, np.ones_like(x)])
    model = sm.RLM(y, design, M=sm.robust.norms.TukeyBiweight(4.685))
    start = np.array(least_absolute(*anchors(x, y, 4096)))
    fit = model.fit(maxiter=500, tol=1e-11, conv="coefs", update_scale=False, start_params=start)
    return tuple(fit.params)


def theil_sen(x, y, _):
    slope = stats.theilslopes(*reversed(anchors(x, y, 1500))).slope
    return float(slope), float(np.median(y - slope * x))


LINES = {
    "ols": lambda x, y, _: least_squares(x, y),
    "wls": least_squares,
    "huber": huber,
    "tukey": tukey,
    "theil-sen": theil_sen,
    "median-scale": lambda x, y, _: (float(np.median(y[x != 0] / x[x != 0])), 0.0),
}


def objectives(method, line, x, y):
    """Our objective and the least that is known, on the anchors that define it."""
    ax, ay = anchors(x, y, 4096)
    exact = least_absolute(ax, ay)
    if method == "lad":
        return np.abs(residuals(line, ax, ay)).sum(), np.abs(residuals(exact, ax, ay)).sum()
    limit = 2.5 * MAD_TO_SIGMA * np.median(np.abs(residuals(exact, x, y)))

    def total(candidate):
        return np.minimum(np.abs(residuals(candidate, ax, ay)), limit).sum()

    # Every line through two of at most 512 anchors; the best of them on all anchors.
    sx, sy = anchors(x, y, 512)
    best, least = exact, np.inf
    for i in range(len(sx) - 1):
        run = sx[i + 1 :] - sx[i]
        slopes = (sy[i + 1 :][run != 0] - sy[i]) / run[run != 0]
        if not len(slopes):
            continue
        shifts = sy[i] - slopes * sx[i]
        sums = np.minimum(np.abs(sy - (slopes[:, None] * sx + shifts[:, None])), limit).sum(axis=1)
        k = int(sums.argmin())
        if sums[k] < least:
            best, least = (slopes[k], shifts[k]), sums[k]
    return total(line), total(best)


def reweighted(line, x, y, sigma):
    inside = np.abs(residuals(line, x, y)) <= 2.5 * sigma
    return least_squares(x[inside], y[inside])


def brute_lmeds(x, y):
    """Every slope between two pairs, with the middle of its shortest half."""
    h = len(x) // 2 + 1
    best = (np.inf, 0.0, 0.0)
    for i, j in combinations(range(len(x)), 2):
        slope = (y[j] - y[i]) / (x[j] - x[i])
        offsets = np.sort(y - slope * x)
        widths = offsets[h - 1 :] - offsets[: len(x) - h + 1]
        k = int(widths.argmin())
        best = min(best, (widths[k] / 2, slope, (offsets[k] + offsets[k + h - 1]) / 2))
    sigma = MAD_TO_SIGMA * (1 + 5 / (len(x) - 2)) * best[0]
    return reweighted(best[1:], x, y, sigma)


def brute_trimmed(x, y):
    """Least squares on every subset of ⌊(n+3)/2⌋ pairs."""
    n = len(x)
    h = (n + 3) // 2
    subsets = np.array(list(combinations(range(n), h)))
    xs, ys = x[subsets], y[subsets]
    dx = xs - xs.mean(axis=1, keepdims=True)
    dy = ys - ys.mean(axis=1, keepdims=True)
    slopes = (dx * dy).sum(axis=1) / (dx * dx).sum(axis=1)
    sums = ((dy - slopes[:, None] * dx) ** 2).sum(axis=1)
    k = int(sums.argmin())
    line = (slopes[k], ys[k].mean() - slopes[k] * xs[k].mean())
    q = stats.norm.ppf((1 + h / n) / 2)
    consistency = 1 - 2 * q * stats.norm.pdf(q) / (h / n)
    return reweighted(line, x, y, np.sqrt(sums[k] / h / consistency))


BRUTE_FORCE = {"lmeds": brute_lmeds, "trimmed": brute_trimmed}


def sklearn_lines(x, y, threshold, runs):
    """scikit-learn's RANSAC; without a threshold it takes the MAD of the target."""
    lines = []
    for seed in range(runs):
        model = RANSACRegressor(LinearRegression(), residual_threshold=threshold, random_state=seed)
        model.fit(x[:, None], y)
        lines.append((float(model.estimator_.coef_[0]), float(model.estimator_.intercept_)))
    return lines


def msac_scores(line, x, y):
    """Σ min(e², T²) of a line, and the least of ten scikit-learn runs with T = 2.5σ̂ of the L1 line."""
    ax, ay = anchors(x, y, 4096)
    threshold = 2.5 * MAD_TO_SIGMA * np.median(np.abs(residuals(least_absolute(ax, ay), ax, ay)))

    def score(candidate):
        return np.minimum(residuals(candidate, x, y) ** 2, threshold**2).sum()

    return score(line), min(map(score, sklearn_lines(x, y, threshold, 10)))
