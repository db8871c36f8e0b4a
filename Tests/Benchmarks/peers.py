"""What other people's libraries take for the estimators and local methods, on one core, and why some come close.

A peer gets the very pairs that Fathom's "fit alone" gets, in arrays of its liking, and does the fit alone; where Fathom
chooses anchors or a threshold first, that is Fathom's time and the peer gets them ready, unless its text says so.
"""

import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import statsmodels.api as sm
from scipy import stats
from sklearn.linear_model import (
    HuberRegressor, LinearRegression, QuantileRegressor, RANSACRegressor, TheilSenRegressor,
)

for folder in ("CrossCheck", "Reference"):
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / folder))
import depth_reference as reference  # noqa: E402
import independent  # noqa: E402
import local_reference as local  # noqa: E402

try:
    import cv2

    cv2.setNumThreads(1)
except ImportError:
    cv2 = None

MAXIMUM_TRIALS = 1000


@dataclass
class Peer:
    """One row: which of ours, which other program does it, and why that may come near."""

    method: str
    name: str
    work: object
    repetitions: int = 5
    reason: str = ""


def milliseconds(peer: Peer) -> float:
    """The least of the repetitions, which other load on the machine disturbs least; one more to warm up."""
    peer.work()
    times = []
    for _ in range(peer.repetitions):
        start = time.process_time()
        peer.work()
        times.append(time.process_time() - start)
    return 1e3 * min(times)


def lmeds(x, y, trials):
    """Two-point lines with the middle of their shortest half, all slopes at once, then reweighted least squares."""
    generator = np.random.default_rng(1)
    i, j = generator.integers(0, len(x), (2, trials))
    with np.errstate(invalid="ignore", divide="ignore"):
        slopes = (y[j] - y[i]) / (x[j] - x[i])
    slopes = slopes[np.isfinite(slopes)]
    offsets = np.sort(y - slopes[:, None] * x, axis=1)
    h = len(x) // 2 + 1
    widths = offsets[:, h - 1 :] - offsets[:, : len(x) - h + 1]
    best, start = np.unravel_index(widths.argmin(), widths.shape)
    middle = (offsets[best, start] + offsets[best, start + h - 1]) / 2
    return independent.reweighted((slopes[best], middle), x, y, 1.4826 * widths[best, start] / 2)


def trimmed(x, y, starts):
    """FAST-LTS: two C-steps on every start at once, all of them on the best ten."""
    generator = np.random.default_rng(1)
    i, j = generator.integers(0, len(x), (2, starts))
    with np.errstate(invalid="ignore", divide="ignore"):
        slopes = (y[j] - y[i]) / (x[j] - x[i])
    lines = np.stack([slopes, y[i] - slopes * x[i]], 1)[np.isfinite(slopes)]
    h = (len(x) + 3) // 2

    def step(lines):
        squares = (y - (lines[:, :1] * x + lines[:, 1:])) ** 2
        kept = np.argpartition(squares, h - 1, axis=1)[:, :h]
        xs, ys = x[kept], y[kept]
        dx, dy = xs - xs.mean(1, keepdims=True), ys - ys.mean(1, keepdims=True)
        slope = (dx * dy).sum(1) / (dx * dx).sum(1)
        return np.stack([slope, ys.mean(1) - slope * xs.mean(1)], 1), ((dy - slope[:, None] * dx) ** 2).sum(1)

    lines, _ = step(lines)
    lines, sums = step(lines)
    lines = lines[np.argsort(sums)[:10]]
    for _ in range(10):
        lines, sums = step(lines)
    return lines[sums.argmin()]


def similarity(x, y, method, **options):
    """OpenCV's robust 2-D similarity through two points, which is a line where one coordinate is 0."""
    zero = np.zeros_like(x)
    source, target = np.stack([x, zero], 1).astype("f4"), np.stack([y, zero], 1).astype("f4")
    return lambda: cv2.estimateAffinePartial2D(
        source, target, method=method, maxIters=MAXIMUM_TRIALS, confidence=0.99, **options)


def estimators(x, y) -> list[Peer]:
    column, design = x[:, None], np.column_stack([x, np.ones_like(x)])
    ax, ay = independent.anchors(x, y, 4096)
    tx, ty = independent.anchors(x, y, 1500)
    lx, ly = independent.anchors(x, y, 1024)
    a_design = np.column_stack([ax, np.ones_like(ax)])

    def l1_threshold():
        fit = sm.QuantReg(ay, a_design).fit(q=0.5)
        return 2.5 * 1.4826 * np.median(np.abs(fit.resid))

    given = l1_threshold()

    def ransac(threshold):
        return RANSACRegressor(
            LinearRegression(), residual_threshold=threshold, max_trials=MAXIMUM_TRIALS, random_state=0
        ).fit(column, y)

    compiled = "OpenCV is compiled C++ too, in Float32"
    few_trials = (
        "a handful of trials suffices on this frame, so neither side searches much; most of Fathom's time is the L1 "
        "line on 4096 anchors that sets the threshold and the LAPACK refit"
    )
    peers = [
        Peer("ols", "numpy.linalg.lstsq", lambda: np.linalg.lstsq(design, y, rcond=None), 20,
             "both are LAPACK on a 49,152 × 2 matrix: its factorisation is most of the time on both sides"),
        Peer("huber", "sklearn HuberRegressor",
             lambda: HuberRegressor(epsilon=1.345, alpha=0).fit(column, y), 10,
             "it finds the scale by L-BFGS within the objective; Fathom takes an exact "
             "median of 49,152 residuals in each step and iterates to 1e-7 of the scale"),
        Peer("huber", "statsmodels RLM HuberT", lambda: sm.RLM(y, design, M=sm.robust.norms.HuberT()).fit()),
        Peer("tukey", "statsmodels RLM bisquare",
             lambda: sm.RLM(y, design, M=sm.robust.norms.TukeyBiweight()).fit()),
        Peer("lad", "statsmodels QuantReg, same anchors", lambda: sm.QuantReg(ay, a_design).fit(q=0.5), 20,
             "it reweights to 1e-6 and is not exact; Fathom's time also holds choosing the 4096 anchors, a sort of all "
             "pairs, which this peer gets ready"),
        Peer("lad", "statsmodels QuantReg, all pairs", lambda: sm.QuantReg(y, design).fit(q=0.5)),
        Peer("lad", "sklearn QuantileRegressor (HiGHS), same anchors",
             lambda: QuantileRegressor(quantile=0.5, alpha=0, solver="highs").fit(ax[:, None], ay), 3),
        Peer("lad", "scipy linprog (HiGHS), same anchors", lambda: independent.least_absolute(ax, ay), 3),
        Peer("truncated-l1", "numpy, every line through two of 512 anchors",
             lambda: independent.objectives("truncated-l1", (0, 0), x, y), 1),
        Peer("theil-sen", "scipy theilslopes, same anchors", lambda: stats.theilslopes(ty, tx)),
        Peer("theil-sen", "sklearn TheilSenRegressor", lambda: TheilSenRegressor(random_state=0).fit(column, y), 1),
        Peer("lmeds", f"numpy, {MAXIMUM_TRIALS} samples of the same anchors",
             lambda: lmeds(lx, ly, MAXIMUM_TRIALS), 5,
             "numpy sorts in compiled batches; Fathom's time also holds choosing the anchors and a LAPACK refit of all pairs"),
        Peer("trimmed", "numpy FAST-LTS, 300 starts on the same anchors", lambda: trimmed(lx, ly, 300), 5,
             "numpy partitions in compiled batches; Fathom goes on to C-steps on all 49,152 pairs"),
        Peer("ransac", "sklearn RANSACRegressor + QuantReg threshold", lambda: ransac(l1_threshold()), 5, few_trials),
        Peer("ransac", "sklearn RANSACRegressor, threshold given", lambda: ransac(given), 20,
             f"{few_trials}; this peer gets the threshold ready"),
        Peer("ransac", "sklearn RANSACRegressor, target-mad", lambda: ransac(None), 20,
             "its default threshold needs no fit and lets nearly every pair in; Fathom does more work here"),
        Peer("lo-ransac", "sklearn RANSACRegressor + QuantReg threshold", lambda: ransac(l1_threshold()), 5,
             "scikit-learn has no local optimisation: it does less"),
        Peer("median-scale", "numpy.median", lambda: np.median(y / x), 20,
             "one division and one selection; numpy's introselect is compiled too"),
    ]
    if cv2 is not None:
        peers += [
            Peer("lmeds", "OpenCV LMEDS, all pairs", similarity(x, y, cv2.LMEDS), 5, compiled),
            Peer("ransac", "OpenCV RANSAC, threshold given",
                 similarity(x, y, cv2.RANSAC, ransacReprojThreshold=given), 5, compiled),
        ]
    return peers


def local_methods(frame) -> list[Peer]:
    """Anchors, fit and map on both sides."""
    def numpy_map(method):
        def work():
            anchors = local.anchors_of(frame)
            return local.MAPS[method](frame, "disparity", anchors, local.global_line(anchors, "disparity"))
        return work

    common = "both sides pass over arrays; numpy and scipy filters are compiled too"
    peers = [
        Peer("guided", "numpy and scipy, the same weighted filter", numpy_map("guided"), 5,
             f"{common}, and Fathom keeps Double and weights"),
        Peer("residual", "numpy and scipy, the same field", numpy_map("residual"), 5, common),
        Peer("lwlr", "numpy and scipy, the same grid", numpy_map("lwlr"), 5, common),
        Peer("knn-affine", "numpy and scipy's k-d tree", numpy_map("knn-affine"), 2,
             "the search for neighbours is compiled on both sides"),
    ]
    if cv2 is not None:
        height, width = frame.relative.shape
        valid = (frame.lidar > 0) & np.isfinite(frame.lidar)
        disparity = np.where(valid, 1 / np.where(valid, frame.lidar, 1), 0).astype("f4")
        smoothness = float((0.05 * frame.relative.std()) ** 2)

        def opencv():
            source = cv2.resize(disparity, (width, height), interpolation=cv2.INTER_LINEAR)
            fitted = cv2.ximgproc.guidedFilter(frame.relative, source, 16, smoothness)
            return 1 / np.clip(fitted, 0.01, 100)

        peers.insert(1, Peer(
            "guided", "OpenCV guidedFilter at 518×392", opencv, 20,
            "OpenCV's is compiled, Float32 and without weights, and it skips Fathom's global line"))
    return peers


def pairs_of(frame):
    """The pairs of Fathom's "all pairs" and "fit alone", in disparity."""
    r = reference.sample_at_centres(frame.relative, frame.lidar.shape).ravel()
    depth = frame.lidar.ravel().astype(float)
    keep = (depth > np.float32(0.1)) & (depth < 1000) & (r > 0)
    return reference.to_form("disparity", r[keep], depth[keep])
