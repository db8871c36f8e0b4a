"""What LiDAR maps say about themselves: recordings beside simulated ones, for docs/zoo.md.

    python sensor_table.py FILE.h5…

A row per file (all scenes with a confidence map, and all others, together). No truth is used, so that recordings and simulations are read in the same way:
shares of confidence; noise against the plane through two neighbours 7 pixels away at confidence 2 by range, as `auto` reads it; the
width of depth steps; the noise in time at up to 1/25 s between frames; and the distance at which neighbours differ as far ones do.
"""

import pathlib
import sys

import h5py
import numpy as np

RANGES = ((0.3, 1), (1, 2), (2, 4))
STEP, FAR = 7, 14
# Mean of the lower half of the sizes of a standard normal, times the deviation of a second difference.
SCALE = 0.324662830869303 * np.sqrt(6)
FEWEST = 2000


def second_differences(lidar, step):
    """|1/d₋ − 2/d₀ + 1/d₊|·d₀ along rows, NaN beside the map."""
    result = np.full(lidar.shape, np.nan)
    near = 1 / lidar
    middle = slice(step, -step)
    result[:, middle] = np.abs(near[:, : -2 * step] - 2 * near[:, middle] + near[:, 2 * step :]) * lidar[:, middle]
    return result


def noise(sizes):
    sizes = np.sort(sizes[np.isfinite(sizes)])
    return sizes[: len(sizes) // 2].mean() / SCALE if len(sizes) >= FEWEST else None


def edge_widths(lidar):
    """Pixels in which a step along a row goes from a tenth to nine tenths: places where ln d changes by 0.15 and more within 8 pixels that are level before and after."""
    logs, widths = np.log(lidar), []
    for row in logs[::4]:
        for start in range(4, len(row) - 16, 4):
            window = row[start - 4 : start + 16]
            if not np.isfinite(window).all():
                continue
            before, after = np.median(window[:4]), np.median(window[-4:])
            height = after - before
            if abs(height) < 0.15 or np.ptp(window[:4]) > 0.02 or np.ptp(window[-4:]) > 0.02:
                continue
            share = (window - before) / height
            # One step, not two.
            if np.diff(share).min() < -0.1:
                continue
            low, high = (np.interp(level, np.maximum.accumulate(share) + 1e-9 * np.arange(20), np.arange(20)) for level in (0.1, 0.9))
            widths.append(high - low)
    return widths


def in_time(before, now, after):
    """Second difference in time: what moves evenly cancels."""
    return np.abs(before - 2 * now + after) / now


def row(path):
    levels, by_range, near, far, temporal, widths = [], [[] for _ in RANGES], [], [], [], []
    with h5py.File(path) as file:
        for scene in file["scenes"].values():
            depth = scene["lidar/depth"][:].astype(float)
            depth[~(depth > 0)] = np.nan
            confidence = scene["lidar/confidence"][:] if "lidar/confidence" in scene else None
            time = scene["time"][:] if "time" in scene else None
            for k in range(0, len(depth), max(1, len(depth) // 8)):
                lidar = depth[k]
                best = np.ones(lidar.shape, bool) if confidence is None else confidence[k] >= 2
                if confidence is not None:
                    levels.append(confidence[k].ravel())
                step = max(1, round(STEP * lidar.shape[1] / 256))
                sizes = second_differences(lidar, step)
                for found, (low, high) in zip(by_range, RANGES, strict=True):
                    found.append(sizes[best & (lidar >= low) & (lidar < high)])
                near.append(second_differences(lidar, 1)[best])
                far.append(second_differences(lidar, max(1, round(FAR * lidar.shape[1] / 256)))[best])
                widths += edge_widths(lidar)
                if time is not None and 0 < k < len(depth) - 1 and time[k + 1] - time[k - 1] <= 0.08:
                    temporal.append(in_time(depth[k - 1], lidar, depth[k + 1])[best])
    def percent(sizes):
        value = noise(np.concatenate(sizes)) if sizes else None
        return "–" if value is None else f"{100 * value:.2f}"
    shares = "–"
    if levels:
        counts = np.bincount(np.minimum(np.concatenate(levels), 2), minlength=3)
        shares = " / ".join(f"{100 * c / counts.sum():.0f}" for c in counts[::-1])
    width = f"{np.median(widths):.1f} ({len(widths)})" if len(widths) >= 20 else "–"
    # One pixel away as a share of far away: 1 where the errors of pixels are independent.
    ratio = noise(np.concatenate(near)) / noise(np.concatenate(far))
    return [pathlib.Path(path).stem, shares, *(percent(found) for found in by_range), width, percent(temporal), f"{ratio:.2f}"]


def main():
    print("| data | confidence 2 / 1 / 0, % | noise 0.3–1 m, % | 1–2 m | 2–4 m | width of steps, pixels (steps) | noise in time, % | 1 pixel / 14 pixels |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    with np.errstate(invalid="ignore", divide="ignore"):
        for path in sys.argv[1:]:
            print("| " + " | ".join(row(path)) + " |")


main()
