"""Times the fusion of one frame in numpy on one core: the yardstick for `fathom bench`.

    fusion_numpy.py [--lidar F32 --confidence U8 --relative F32] [--repetitions 50]

The three raw files (little-endian, row-major, no header) hold one LiDAR map, its confidence and
one relative map; without them the same kind of frame is generated. Prints one JSON object,
stage to median milliseconds:

    spec_pairs, spec_fit, spec_apply   the app's fusion, Float32, vectorised
    ols_pairs, ols_fit, ols_apply      pixel centres, Double, numpy.linalg.lstsq on [x 1], disparity
    ols_fit_centred                    the same line from centred sums
    metrics                            AbsRel, MAE, RMSE, delta < 1.25 of the map sampled at the truth
    *_total                            pairs + fit + apply

The work is what a careful numpy user would write. Position tables depend on the sizes only and
are built outside the timing; a fair comparison does the same on the other side. `spec_fit` uses
numpy's own pairwise sums; the app's running sums, which decide its result, are
`spec_fit_running`. Medians, after three runs to warm up.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse
import ctypes
import json
import sys
import time
from collections.abc import Callable
from statistics import median

import numpy as np

F32 = np.float32


def size(text: str) -> tuple[int, int]:
    width, height = (int(part) for part in text.lower().split("x"))
    return height, width


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Time depth fusion in numpy on one core.")
    parser.add_argument("--lidar", help="raw float32 metres")
    parser.add_argument("--confidence", help="raw uint8")
    parser.add_argument("--relative", help="raw float32 disparity")
    parser.add_argument("--lidar-size", type=size, default=(192, 256), metavar="256x192")
    parser.add_argument("--relative-size", type=size, default=(392, 518), metavar="518x392")
    parser.add_argument("--truth-size", type=size, default=(1440, 1920), metavar="1920x1440")
    parser.add_argument("--repetitions", type=int, default=50, help="at least 30 (50)")
    options = parser.parse_args()
    given = [options.lidar, options.confidence, options.relative]
    if any(given) and not all(given):
        parser.error("--lidar, --confidence and --relative belong together")
    return options


def scene_depth(shape: tuple[int, int]) -> np.ndarray:
    """A tilted floor with a box in front of it, 0.9 to 3.6 m, at any resolution."""
    v, u = (np.arange(n)[:, None] / n + 0.5 / n for n in shape)
    u = u.T
    depth = 3.4 - 1.8 * v + 0.2 * np.sin(9 * u) * np.cos(7 * v)
    return np.where((np.abs(u - 0.45) < 0.13) & (np.abs(v - 0.55) < 0.2), 1.2 + 0.3 * u, depth)


def frame(options: argparse.Namespace) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    if options.lidar:
        lidar = np.fromfile(options.lidar, "<f4").reshape(options.lidar_size)
        confidence = np.fromfile(options.confidence, np.uint8).reshape(options.lidar_size)
        return lidar, confidence, np.fromfile(options.relative, "<f4").reshape(options.relative_size)
    random = np.random.default_rng(7)
    lidar = scene_depth(options.lidar_size) + random.normal(0, 0.008, options.lidar_size)
    confidence = random.choice(
        np.array([0, 1, 2], dtype=np.uint8), options.lidar_size, p=[0.05, 0.1, 0.85]
    )
    relative = (1 / scene_depth(options.relative_size) - 0.1) / 0.9
    relative += random.normal(0, 0.01, options.relative_size)
    return lidar.astype(F32), confidence, relative.astype(F32)


class Sampler:
    """Bilinear sampling of a map on a fixed grid, rows first; positions and weights are tables."""

    def __init__(self, y: np.ndarray, x: np.ndarray, source: tuple[int, int], dtype: type):
        x, y = np.clip(x, 0, source[1] - 1), np.clip(y, 0, source[0] - 1)
        self.x0, self.y0 = x.astype(int), y.astype(int)
        self.x1 = np.minimum(self.x0 + 1, source[1] - 1)
        self.y1 = np.minimum(self.y0 + 1, source[0] - 1)
        self.fx = (x - self.x0).astype(dtype)
        self.fy = (y - self.y0).astype(dtype)[:, None]

    @classmethod
    def at_centres(cls, shape: tuple[int, int], source: tuple[int, int]) -> Sampler:
        y, x = ((np.arange(n) + 0.5) * m / n - 0.5 for n, m in zip(shape, source, strict=True))
        return cls(y, x, source, np.float64)

    @classmethod
    def at_corners(cls, shape: tuple[int, int], source: tuple[int, int]) -> Sampler:
        y, x = (
            np.arange(n, dtype=F32) / F32(n - 1) * F32(m - 1)
            for n, m in zip(shape, source, strict=True)
        )
        return cls(y, x, source, F32)

    def __call__(self, values: np.ndarray) -> np.ndarray:
        rows = values[self.y0] * (1 - self.fy) + values[self.y1] * self.fy
        return rows[:, self.x0] * (1 - self.fx) + rows[:, self.x1] * self.fx


def pairs(
    lidar: np.ndarray, confidence: np.ndarray, relative: np.ndarray, sampler: Sampler
) -> tuple[np.ndarray, np.ndarray]:
    r = sampler(relative)
    keep = (confidence >= 2) & (lidar > 0.1) & (lidar < 4) & (r > 0) & np.isfinite(r)
    return r[keep], lidar[keep]


def sums_line(x: np.ndarray, y: np.ndarray, total: Callable) -> tuple:
    n = F32(len(x))
    sx, sy, sxy, sxx = total(x), total(y), total(x * y), total(x * x)
    denominator = n * sxx - sx * sx
    return (n * sxy - sx * sy) / denominator, (sy * sxx - sx * sxy) / denominator


def running_total(values: np.ndarray) -> np.float32:
    return np.cumsum(values, dtype=F32)[-1]


def lstsq_line(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.linalg.lstsq(np.column_stack([x, np.ones_like(x)]), y, rcond=None)[0]


def centred_line(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    mean_x, mean_y = x.mean(), y.mean()
    x = x - mean_x
    slope = (x @ (y - mean_y)) / (x @ x)
    return slope, mean_y - slope * mean_x


def apply_depth(relative: np.ndarray, scale, shift) -> np.ndarray:
    return np.clip(relative * F32(scale) + F32(shift), F32(0.01), F32(100))


def apply_disparity(relative: np.ndarray, scale: float, shift: float) -> np.ndarray:
    disparity = np.maximum(relative * F32(scale) + F32(shift), F32(0.01))
    return np.maximum(F32(1) / disparity, F32(0.01))


def metrics(depth: np.ndarray, truth: np.ndarray, sampler: Sampler) -> tuple[float, ...]:
    d = sampler(depth)
    known = (truth > 0.1) & (truth <= 10) & np.isfinite(d) & (d > 0)
    d, g = d[known], truth[known]
    error = np.abs(d - g)
    ratio = np.maximum(d / g, g / d)
    return (
        float(np.mean(error / g)),
        float(np.mean(error)),
        float(np.sqrt(np.mean(error * error))),
        float(np.count_nonzero(ratio < 1.25) / known.size),
    )


def timed(repetitions: int, work: Callable, *values):
    """(result, median milliseconds) after three runs to warm up."""
    for _ in range(3):
        result = work(*values)
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        work(*values)
        times.append(time.perf_counter() - start)
    return result, 1e3 * median(times)


def keep_freed_pages() -> None:
    """Tells glibc's malloc to reuse the pages of freed arrays instead of returning them.

    By default that depends on which blocks happened to be freed before, and fresh pages cost more
    than the arithmetic: the same `ols_apply` took 0.2 or 1.1 ms. Numpy gets the favourable state.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return  # another C library: its allocator as it is
    trim_threshold, mmap_threshold = -1, -3  # M_TRIM_THRESHOLD, M_MMAP_THRESHOLD of malloc.h
    mallopt(mmap_threshold, 28 * 2**20)  # above one Double map of the truth; 32 MiB is the limit
    mallopt(trim_threshold, 2**30)


def main() -> int:
    options = arguments()
    keep_freed_pages()
    lidar, confidence, relative = frame(options)
    repetitions = max(30, options.repetitions)
    corners = Sampler.at_corners(lidar.shape, relative.shape)
    centres = Sampler.at_centres(lidar.shape, relative.shape)
    stages: dict[str, float] = {}

    def run(name: str, work: Callable, *values):
        result, stages[name] = timed(repetitions, work, *values)
        return result

    x, y = run("spec_pairs", pairs, lidar, confidence, relative, corners)
    scale, shift = run("spec_fit", sums_line, x, y, np.sum)
    run("spec_fit_running", sums_line, x, y, running_total)
    run("spec_apply", apply_depth, relative, scale, shift)
    r, d = run("ols_pairs", pairs, lidar, confidence, relative, centres)
    target = 1 / d.astype(np.float64)
    scale, shift = run("ols_fit", lstsq_line, r, target)
    run("ols_fit_centred", centred_line, r, target)
    depth = run("ols_apply", apply_disparity, relative, scale, shift)
    truth = scene_depth(options.truth_size).astype(F32)
    at_truth = Sampler.at_centres(truth.shape, depth.shape)
    run("metrics", metrics, depth, truth, at_truth)
    for method in ("spec", "ols"):
        parts = (stages[f"{method}_{stage}"] for stage in ("pairs", "fit", "apply"))
        stages[f"{method}_total"] = sum(parts)
    print(json.dumps({name: round(value, 4) for name, value in stages.items()}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
