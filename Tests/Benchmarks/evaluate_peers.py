"""What people write instead of `fathom evaluate`: three fusions of every frame and eighteen metrics each, timed by stage.

    evaluate_peers.py DATA.h5 numpy|numba

numpy: h5py, OpenCV's resize and numpy on one thread. numba: the same reading, one parallel compiled loop over the pixels on every
core. Both compare all predictions with all truth from 0.1 to 10 m: no bins, no intervals, no tables, no report. Prints JSON:
seconds by stage, versions, how many maps were scored, and the mean of each metric by method, for `evaluate_speed.py` to compare with Fathom's.
"""

import json
import os
import sys
import time

if len(sys.argv) > 2 and sys.argv[2] == "numpy":
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"

import boundary  # noqa: E402
import cv2  # noqa: E402
import h5py  # noqa: E402
import numpy as np  # noqa: E402

METRICS = [
    "abs_rel", "sq_rel_m", "rmse_m", "rmse_log", "log10", "silog", "mae_m", "median_ae_m", "p90_ae_m", "p95_ae_m", "bias_m",
    "delta_0_5", "delta_1", "delta_2", "delta_3", "irmse_per_m", "sq_rel_kitti", "boundary_f1",
]  # fmt: skip


def centres(lidar, shape):
    """The LiDAR's pixel centres in a map of another resolution, for cv2.remap."""
    v, u = np.mgrid[: lidar.shape[0], : lidar.shape[1]].astype(np.float32)
    return (u + 0.5) * shape[1] / lidar.shape[1] - 0.5, (v + 0.5) * shape[0] / lidar.shape[0] - 0.5


def fused(lidar, confidence, relative):
    """Depth maps of lidar-bilinear, and of least squares in disparity and in logarithms: all solve on these networks."""
    good = (confidence >= 2) & (lidar > 0.1) & (lidar < 4)
    x, y = relative_at_lidar(relative, lidar)[good].astype(np.float64), lidar[good].astype(np.float64)
    inverse, logs = np.polyfit(x, 1 / y, 1), np.polyfit(np.log(x), np.log(y), 1)
    disparity = relative * np.float32(inverse[0]) + np.float32(inverse[1])
    return {
        "lidar-bilinear": lidar,
        "ols@disparity": np.where(disparity > 0, 1 / disparity, np.nan).astype(np.float32),
        "ols@log": np.exp(logs[1] + logs[0] * np.log(relative, dtype=np.float64)).astype(np.float32),
    }


def relative_at_lidar(relative, lidar):
    return cv2.remap(relative, *centres(lidar, relative.shape), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def metrics_numpy(depth, truth):
    d = cv2.resize(depth, truth.shape[::-1], interpolation=cv2.INTER_LINEAR)
    known = (truth > 0.1) & (truth <= 10)
    valid = known & np.isfinite(d) & (d > 0)
    count = int(known.sum())
    map, known = np.where(valid, d, np.nan).astype(np.float64), np.where(known, truth, np.nan).astype(np.float64)
    d, g = map[valid], known[valid]
    e = d - g
    a, log, ratio = np.abs(e), np.log(d) - np.log(g), np.maximum(d / g, g / d)
    median, p90, p95 = np.percentile(a, [50, 90, 95])
    square = np.mean(log * log)
    return [
        np.mean(a / g), np.mean(e * e / g), np.sqrt(np.mean(e * e)), np.sqrt(square), np.mean(np.abs(log)) / np.log(10),
        100 * np.sqrt(max(0, square - np.mean(log) ** 2)), np.mean(a), median, p90, p95, np.mean(e),
        *(np.sum(ratio < 1.25**power) / count for power in (0.5, 1, 2, 3)), np.sqrt(np.mean((1 / d - 1 / g) ** 2)),
        np.mean(e * e / (g * g)), boundary.f1(map, known),
    ]  # fmt: skip


def numba_metrics():
    import numba

    ratios = boundary.RATIOS

    @numba.njit(parallel=True, fastmath=True, cache=False)
    def sums(depth, truth, errors, map):
        rows = truth.shape[0]
        totals = np.zeros((rows, 15))
        fy, fx = depth.shape[0] / truth.shape[0], depth.shape[1] / truth.shape[1]
        for i in numba.prange(rows):
            y = min(max((i + 0.5) * fy - 0.5, 0), depth.shape[0] - 1)
            top = int(y)
            bottom, wy = min(top + 1, depth.shape[0] - 1), y - top
            for j in range(truth.shape[1]):
                errors[i, j], map[i, j] = -1, np.nan
                g = truth[i, j]
                if not (g > 0.1 and g <= 10):
                    continue
                totals[i, 0] += 1
                x = min(max((j + 0.5) * fx - 0.5, 0), depth.shape[1] - 1)
                left = int(x)
                right, wx = min(left + 1, depth.shape[1] - 1), x - left
                upper = depth[top, left] * (1 - wx) + depth[top, right] * wx
                lower = depth[bottom, left] * (1 - wx) + depth[bottom, right] * wx
                d = upper * (1 - wy) + lower * wy
                if not (d > 0 and d < np.inf):
                    continue
                e, log = d - g, np.log(d / g)
                a, ratio = abs(e), max(d / g, g / d)
                errors[i, j], map[i, j] = a, d
                totals[i, 1] += 1
                totals[i, 2] += a / g
                totals[i, 3] += e * e / g
                totals[i, 4] += e * e
                totals[i, 5] += log * log
                totals[i, 6] += abs(log)
                totals[i, 7] += log
                totals[i, 8] += a
                totals[i, 9] += e
                totals[i, 10] += ratio < 1.25**0.5
                totals[i, 11] += ratio < 1.25
                totals[i, 12] += (ratio < 1.25**2) + 1e6 * (ratio < 1.25**3)
                totals[i, 13] += (1 / d - 1 / g) ** 2
                totals[i, 14] += e * e / (g * g)
        return totals

    @numba.njit(inline="always")
    def exceeded(ratio):
        count = 0
        while count < 10 and ratio > ratios[count]:
            count += 1
        return count

    @numba.njit(parallel=True, cache=False)
    def steps(map, truth):
        height, width = map.shape
        tables = np.zeros((height, 2, 2, 11, 11), np.int64)
        for i in numba.prange(height):
            for j in range(width):
                for axis in range(2):
                    y, x = i + axis, j + 1 - axis
                    if y == height or x == width or not (0.1 < truth[i, j] <= 10 and 0.1 < truth[y, x] <= 10):
                        continue
                    ratio, true_ratio = map[y, x] / map[i, j], truth[y, x] / truth[i, j]
                    if max(ratio, 1 / ratio, true_ratio, 1 / true_ratio) > 1.05:
                        tables[i, axis, 0, exceeded(ratio), exceeded(true_ratio)] += 1
                        tables[i, axis, 1, exceeded(1 / ratio), exceeded(1 / true_ratio)] += 1
        return tables

    def f1(map, truth):
        # For each direction, pairs that exceed a ratio in the map and in the truth, in one and in the other.
        tables = steps(map, truth).sum(axis=0).reshape(4, 11, 11)[:, ::-1, ::-1]
        both = tables.cumsum(axis=1).cumsum(axis=2)[:, ::-1, ::-1]
        found, there = both[:, 1:, 0], both[:, 0, 1:]
        both = np.diagonal(both, axis1=1, axis2=2)[:, 1:]
        return boundary.mean_f1((both / np.maximum(there, 1)).mean(axis=0), (both / np.maximum(found, 1)).mean(axis=0))

    def metrics(depth, truth):
        errors, map = np.empty(truth.shape, np.float32), np.empty(truth.shape, np.float64)
        rows = sums(depth, truth, errors, map)
        t, n, third = rows.sum(axis=0), rows[:, 1].sum(), np.floor(rows[:, 12] / 1e6)
        median, p90, p95 = np.percentile(errors[errors >= 0], [50, 90, 95])
        two = (rows[:, 12] - 1e6 * third).sum()
        return [
            t[2] / n, t[3] / n, np.sqrt(t[4] / n), np.sqrt(t[5] / n), t[6] / n / np.log(10),
            100 * np.sqrt(max(0, t[5] / n - (t[7] / n) ** 2)), t[8] / n, median, p90, p95, t[9] / n,
            t[10] / t[0], t[11] / t[0], two / t[0], third.sum() / t[0], np.sqrt(t[13] / n), t[14] / n, f1(map, truth),
        ]  # fmt: skip

    flat = np.full((8, 8), 2, np.float32)
    metrics(flat, flat)  # compiles, outside the timing
    return metrics, numba.__version__


def main() -> int:
    path, kind = sys.argv[1], sys.argv[2]
    versions = {"numpy": np.__version__, "OpenCV": cv2.__version__, "h5py": h5py.__version__}
    metrics = metrics_numpy
    if kind == "numba":
        metrics, versions["numba"] = numba_metrics()
    else:
        cv2.setNumThreads(1)
    seconds = {"read": 0.0, "fuse": 0.0, "score": 0.0}
    values: dict[str, list] = {}
    with h5py.File(path) as file:
        for scene in file["scenes"].values():
            for index in range(scene["truth/depth"].shape[0]):
                start = time.perf_counter()
                lidar, confidence = scene["lidar/depth"][index], scene["lidar/confidence"][index]
                relative, truth = scene["relative/values"][index], scene["truth/depth"][index]
                read = time.perf_counter()
                maps = fused(lidar, confidence, relative)
                fuse = time.perf_counter()
                for method, depth in maps.items():
                    values.setdefault(method, []).append(metrics(depth, truth))
                seconds["read"] += read - start
                seconds["fuse"] += fuse - read
                seconds["score"] += time.perf_counter() - fuse
    means = {method: dict(zip(METRICS, np.mean(rows, axis=0).tolist())) for method, rows in values.items()}
    counts = {method: len(rows) for method, rows in values.items()}
    print(json.dumps({"seconds": seconds, "versions": versions, "means": means, "counts": counts}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
