"""The estimators as other people's libraries, or brute force, compute them. Lines are (slope, intercept)."""

from itertools import combinations

import numpy as np
import statsmodels.api as sm
from scipy import optimize, sparse, stats
from sklearn.linear_model import LinearRegression, RANSACRegressor

MAD_TO_SIGMA = 1.4826


def anchor_indices(x, y, limit, weights=None):
    """Evenly spaced in the order of (x, y, weight)."""
    order = np.lexsort((y, x) if weights is None else (weights, y, x))
    n = len(order)
    if n > limit:
        order = order[(2 * np.arange(limit) + 1) * n // (2 * limit)]
    return order


def anchors(x, y, limit):
    order = anchor_indices(x, y, limit)
    return x[order], y[order]


def weighted_median(values, weights):
    """Where the cumulated weight passes half of the total; the mean of two where it is half exactly."""
    order = np.argsort(values)
    values, shares = values[order], np.cumsum(weights[order]) / np.sum(weights)
    at = int(np.searchsorted(shares, 0.5 - 1e-12))
    if shares[at] <= 0.5 + 1e-12 and at + 1 < len(values):
        return (values[at] + values[at + 1]) / 2
    return values[at]


def residuals(line, x, y):
    return y - (line[0] * x + line[1])


def least_squares(x, y, weights=None):
    """LAPACK on centred columns; its own error at an offset would otherwise exceed the tolerance."""
    root = np.sqrt(np.ones_like(x) if weights is None else weights)
    mx, my = np.average(x, weights=root**2), np.average(y, weights=root**2)
    solution = np.linalg.lstsq(np.column_stack([(x - mx) * root, root]), (y - my) * root, rcond=None)[0]
    return float(solution[0]), float(my + solution[1] - solution[0] * mx)


_least_absolute = {}


def least_absolute(x, y, weights=None):
    """The line of least Σ w|e|; solved once for the same observations, which several estimators start from."""
    key = (x.tobytes(), y.tobytes(), None if weights is None else weights.tobytes())
    if key not in _least_absolute:
        _least_absolute[key] = _solve_least_absolute(x, y, weights)
    return _least_absolute[key]


def _solve_least_absolute(x, y, weights):
    """The linear programme min Σ w·t, |y − αx − β| ≤ t, by HiGHS, in scaled variables."""
    n = len(x)
    (mx, sx), (my, sy) = (x.mean(), x.std()), (y.mean(), y.std())
    u, v = (x - mx) / sx, (y - my) / sy
    design = sparse.csr_matrix(np.column_stack([u, np.ones(n)]))
    eye = sparse.identity(n, format="csr")
    constraints = sparse.vstack([sparse.hstack([design, -eye]), sparse.hstack([-design, -eye])])
    cost = np.concatenate([[0, 0], np.ones(n) if weights is None else weights / weights.mean()])
    bounds = [(None, None)] * 2 + [(0, None)] * n
    result = optimize.linprog(cost, constraints, np.concatenate([v, -v]), bounds=bounds, method="highs")
    slope = result.x[0] * sy / sx
    return float(slope), float(my + result.x[1] * sy - slope * mx)


def sigma_of(line, x, y, weights=None):
    """σ̂ = 1.4826·median|e|"""
    sizes = np.abs(residuals(line, x, y))
    return MAD_TO_SIGMA * (np.median(sizes) if weights is None else weighted_median(sizes, weights))


def m_estimate(x, y, weights, norm, start, sigma=None):
    """Reweighting with statsmodels' weight function and prior weights, which its RLM does not take.

    The scale follows the residuals unless it is given.
    """
    line, before = start, None
    for _ in range(500):
        scale = sigma or sigma_of(line, x, y, weights)
        before, line = line, least_squares(x, y, weights * norm.weights(residuals(line, x, y) / scale))
        if np.abs(np.subtract(line, before)).max() < 1e-13 * np.abs(line).max():
            break
    return line


def huber(x, y, weights):
    norm = sm.robust.norms.HuberT(1.345)
    if weights is not None:
        return m_estimate(x, y, weights, norm, least_squares(x, y, weights))
    fit = sm.RLM(y, np.column_stack([x, np.ones_like(x)]), M=norm).fit(maxiter=500, tol=1e-11, conv="coefs")
    return tuple(fit.params)


def tukey(x, y, weights):
    """From the L1 line on 4096 anchors, whose scale is kept."""
    chosen = anchor_indices(x, y, 4096, weights)
    norm = sm.robust.norms.TukeyBiweight(4.685)
    start = least_absolute(x[chosen], y[chosen], None if weights is None else weights[chosen])
    if weights is not None:
        return m_estimate(x, y, weights, norm, start, sigma_of(start, x, y, weights))
    model = sm.RLM(y, np.column_stack([x, np.ones_like(x)]), M=norm)
    fit = model.fit(maxiter=500, tol=1e-11, conv="coefs", update_scale=False, start_params=np.array(start))
    return tuple(fit.params)


def theil_sen(x, y, weights):
    """scipy's slopes; with weights, the median of all slopes of the anchors, each of weight w_i·w_j."""
    if weights is None:
        slope = stats.theilslopes(*reversed(anchors(x, y, 1500))).slope
        return float(slope), float(np.median(y - slope * x))
    chosen = anchor_indices(x, y, 1500, weights)
    ax, ay, aw = x[chosen], y[chosen], weights[chosen]
    i, j = np.triu_indices(len(ax), 1)
    i, j = i[ax[j] != ax[i]], j[ax[j] != ax[i]]
    slope = weighted_median((ay[j] - ay[i]) / (ax[j] - ax[i]), aw[i] * aw[j])
    return float(slope), float(weighted_median(y - slope * x, weights))


def median_scale(x, y, weights):
    used = x != 0
    ratios = y[used] / x[used]
    return float(np.median(ratios) if weights is None else weighted_median(ratios, weights[used])), 0.0


LINES = {
    "ols": least_squares,
    "wls": least_squares,
    "huber": huber,
    "tukey": tukey,
    "theil-sen": theil_sen,
    "median-scale": median_scale,
}


def objectives(method, line, x, y, weights=None):
    """Our objective and the least that is known, on the anchors that define it."""
    chosen = anchor_indices(x, y, 4096, weights)
    ax, ay, aw = x[chosen], y[chosen], np.ones(len(chosen)) if weights is None else weights[chosen]
    exact = least_absolute(ax, ay, None if weights is None else aw)
    if method == "lad":
        return tuple((aw * np.abs(residuals(a, ax, ay))).sum() for a in (line, exact))
    limit = 2.5 * sigma_of(exact, x, y, weights)

    def total(candidate):
        return (aw * np.minimum(np.abs(residuals(candidate, ax, ay)), limit)).sum()

    # Every line through two of at most 512 anchors; the best of them on all anchors.
    fewer = anchor_indices(x, y, 512, weights)
    sx, sy, sw = x[fewer], y[fewer], np.ones(len(fewer)) if weights is None else weights[fewer]
    best, least = exact, np.inf
    for i in range(len(sx) - 1):
        run = sx[i + 1 :] - sx[i]
        slopes = (sy[i + 1 :][run != 0] - sy[i]) / run[run != 0]
        if not len(slopes):
            continue
        shifts = sy[i] - slopes * sx[i]
        sums = np.minimum(np.abs(sy - (slopes[:, None] * sx + shifts[:, None])), limit) @ sw
        k = int(sums.argmin())
        if sums[k] < least:
            best, least = (slopes[k], shifts[k]), sums[k]
    return total(line), total(best)


def reweighted(line, x, y, sigma, weights=None):
    # Those that bound a strip lie on its border, on which side must not depend on rounding.
    inside = np.abs(residuals(line, x, y)) <= 2.5 * sigma
    return least_squares(x[inside], y[inside], None if weights is None else weights[inside])


def brute_lmeds(x, y, weights=None):
    """Every slope between two pairs, with the middle of its shortest half."""
    w = np.ones_like(x) if weights is None else weights
    slopes = [(y[j] - y[i]) / (x[j] - x[i]) for i, j in combinations(range(len(x)), 2)]
    half, middle, slope = min((*narrowest_half(slope, x, y, w), slope) for slope in slopes)
    sigma = MAD_TO_SIGMA * (1 + 5 / (len(x) - 2)) * half
    return reweighted((slope, middle), x, y, sigma, weights)


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


def narrowest_half(slope, x, y, weights):
    """(half width, middle) of the narrowest strip of a slope that holds more than half of the weight."""
    offsets = y - slope * x
    order = np.argsort(offsets)
    offsets, sums = offsets[order], np.concatenate([[0], np.cumsum(weights[order])])
    # For every first observation the first one with which more than half is inside.
    last = np.searchsorted(sums[1:], sums[:-1] + sums[-1] / 2 * (1 + 1e-12), side="right")
    first = np.flatnonzero(last < len(offsets))
    widths = offsets[last[first]] - offsets[first]
    k = int(widths.argmin())
    return widths[k] / 2, offsets[first[k]] + widths[k] / 2


def kept(line, x, y, weights):
    """What the half of the weight that a line fits best keeps of every weight."""
    order = np.argsort(np.abs(residuals(line, x, y)))
    sums = np.cumsum(weights[order])
    result = np.empty_like(weights)
    result[order] = np.clip(sums[-1] / 2 - (sums - weights[order]), 0, weights[order])
    return result


def searched_line(method, x, y, weights):
    """A search like Fathom's: 300 slopes for `lmeds`, C-steps from 30 lines for `trimmed`, on 1024 anchors."""
    chosen = anchor_indices(x, y, 1024, weights)
    ax, ay, aw = x[chosen], y[chosen], weights[chosen]
    generator = np.random.default_rng(5)
    i, j = generator.integers(0, len(ax), (2, 300))
    i, j = i[ax[i] != ax[j]], j[ax[i] != ax[j]]
    slopes = (ay[j] - ay[i]) / (ax[j] - ax[i])
    if method == "lmeds":
        half, middle, slope = min((*narrowest_half(slope, ax, ay, aw), slope) for slope in slopes)
        return reweighted((slope, middle), x, y, MAD_TO_SIGMA * half, weights)
    lines = []
    for slope, row in list(zip(slopes, i, strict=True))[:30]:
        line = (slope, ay[row] - slope * ax[row])
        for _ in range(10):
            line = least_squares(ax, ay, kept(line, ax, ay, aw))
        lines.append(line)
    best = min(lines, key=lambda line: criterion("trimmed", line, ax, ay, aw))
    variance = criterion("trimmed", best, x, y, weights) / (weights.sum() / 2)
    # 0.143 is what the middle half of a normal leaves of its variance.
    return reweighted(best, x, y, np.sqrt(variance / 0.1426), weights)


def criterion(method, line, x, y, weights):
    """Median of |e|, or Σ w·e² over the best half."""
    if method == "lmeds":
        return weighted_median(np.abs(residuals(line, x, y)), weights)
    return float((kept(line, x, y, weights) * residuals(line, x, y) ** 2).sum())


def in_space(form, unit, values):
    """Fitted values as depth ("m") or disparity ("/m"); as they are where the threshold has no unit."""
    with np.errstate(divide="ignore", over="ignore"):
        depth = {"depth": values, "log": np.exp(values)}.get(form)
        if depth is None:
            depth = np.where(values > 0, 1 / values, np.inf)
        return depth if unit == "m" else 1 / depth


class Threshold:
    """Residuals and limit of one threshold mode."""

    def __init__(self, text, form, x, y, weights):
        self.x, self.y, self.form, self.unit = x, y, form, None
        if text == "target-mad":
            self.limit = float(np.median(np.abs(y - np.median(y))))
        elif text.endswith("mad"):
            chosen = anchor_indices(x, y, 4096, weights)
            ax, ay, aw = x[chosen], y[chosen], None if weights is None else weights[chosen]
            self.limit = float(text[:-3]) * sigma_of(least_absolute(ax, ay, aw), ax, ay, aw)
        else:
            self.unit = "/m" if text.endswith("/m") else "m"
            self.limit = float(text.removesuffix(self.unit))

    def sizes(self, line):
        fitted = line[0] * self.x + line[1]
        if self.unit is None:
            return np.abs(self.y - fitted)
        difference = in_space(self.form, self.unit, self.y) - in_space(self.form, self.unit, fitted)
        return np.where(np.isfinite(difference), np.abs(difference), np.inf)

    def score(self, line, weights):
        """MSAC: Σ w·min(e², T²)."""
        return float((weights * np.minimum(self.sizes(line), self.limit) ** 2).sum())

    def inliers(self, line):
        return self.sizes(line) <= self.limit


def drawn_lines(threshold, weights, runs, trials):
    """The best of random two-point lines by score, refitted on its inliers; one line per run."""
    lines = []
    x, y = threshold.x, threshold.y
    for seed in range(runs):
        generator = np.random.default_rng(seed)
        best, least = None, np.inf
        for i, j in generator.integers(0, len(x), (trials, 2)):
            if x[i] == x[j]:
                continue
            slope = (y[j] - y[i]) / (x[j] - x[i])
            line = (slope, y[i] - slope * x[i])
            score = threshold.score(line, weights)
            if score < least:
                best, least = line, score
        inside = threshold.inliers(best)
        lines.append(least_squares(x[inside], y[inside], weights[inside]))
    return lines


def sklearn_lines(x, y, threshold, runs):
    """scikit-learn's RANSAC; without a threshold it takes the MAD of the target."""
    lines = []
    for seed in range(runs):
        model = RANSACRegressor(LinearRegression(), residual_threshold=threshold, random_state=seed)
        model.fit(x[:, None], y)
        lines.append((float(model.estimator_.coef_[0]), float(model.estimator_.intercept_)))
    return lines
