#!/usr/bin/env python3
"""Recomputes the multi-view reference of `fathom calibrate --truth multiview` with numpy, and with it frames.csv.

check_multiview.py FATHOM DATA.h5 [SCENE]
"""

import csv
import subprocess
import sys
import tempfile

import h5py
import numpy as np

REACH, MOST_VIEWS, FEWEST_VIEWS, SPREAD = 30, 24, 6, 0.02
SURFACE, COVERAGE = 0.05, 0.25
TOLERANCE = 2e-6  # of Float32 depths


def intrinsics(scene, shape):
    k, (width, height) = scene["camera/intrinsics"][:], scene["camera"].attrs["image_size"]
    k = k if k.ndim == 2 else k[0]
    rows, columns = shape
    return k[0, 0] * columns / width, k[1, 1] * rows / height, k[0, 2] * columns / width, k[1, 2] * rows / height


def warped(depth, confidence, motion, camera):
    """Bilinear splats with a z-buffer over their footprints; NaN where nothing fell."""
    fx, fy, cx, cy = camera
    height, width = depth.shape
    usable = (depth > 0) & np.isfinite(depth) & (confidence >= 2)
    row, column = np.nonzero(usable)
    z = depth[usable]
    p = motion @ np.stack([(column + 0.5 - cx) / fx * z, (row + 0.5 - cy) / fy * z, z, np.ones_like(z)])
    p = p[:3, p[2] > 0]
    u, v = p[0] / p[2] * fx + cx - 0.5, p[1] / p[2] * fy + cy - 0.5
    left, top = np.floor(u).astype(int), np.floor(v).astype(int)
    near, splats = np.full(height * width, np.inf), []
    for dy in (0, 1):
        for dx in (0, 1):
            share = (u - left if dx else 1 - (u - left)) * (v - top if dy else 1 - (v - top))
            x, y = left + dx, top + dy
            inside = (x >= 0) & (x < width) & (y >= 0) & (y < height) & (share > 0)
            index = (y * width + x)[inside]
            splats.append((index, share[inside], p[2][inside]))
            front = share[inside] >= COVERAGE
            np.minimum.at(near, index[front], p[2][inside][front])
    total, weight = np.zeros(height * width), np.zeros(height * width)
    for index, share, z in splats:
        kept = z <= near[index] * (1 + SURFACE)
        np.add.at(total, index[kept], (share * z)[kept])
        np.add.at(weight, index[kept], share[kept])
    with np.errstate(all="ignore"):
        return np.where(weight >= COVERAGE, total / weight, np.nan).astype(np.float32)


def medians(scene):
    depth = scene["lidar/depth"][:].astype(float)
    confidence = scene["lidar/confidence"][:]
    poses = scene["camera/world_from_camera"]
    flip = np.diag([1.0, -1, -1, 1]) if poses.attrs["convention"] == "arkit" else np.eye(4)
    world = poses[:] @ flip
    camera = intrinsics(scene, depth.shape[1:])
    count = len(depth)
    for i in range(count):
        around = [k for k in range(max(0, i - REACH), min(count, i + REACH + 1)) if k != i]
        if len(around) > MOST_VIEWS:
            around = [around[(2 * k + 1) * len(around) // (2 * MOST_VIEWS)] for k in range(MOST_VIEWS)]
        inverse = np.linalg.inv(world[i])
        views = np.array([warped(depth[k], confidence[k], inverse @ world[k], camera) for k in around])
        with np.errstate(all="ignore"):
            middle = np.nanmedian(views, 0)
            spread = np.nanmedian(abs(views - middle), 0)
            known = (np.isfinite(views).sum(0) >= FEWEST_VIEWS) & (spread < SPREAD * middle)
        truth = np.where(known, middle, np.nan).reshape(depth.shape[1:])
        scored = np.isfinite(truth) & (truth > 0.1) & (truth <= 10) & (depth[i] > 0)
        error = abs(depth[i] - truth) / truth
        yield [error[scored & (confidence[i] == level)] for level in range(3)]


def main():
    fathom, data = sys.argv[1:3]
    with h5py.File(data) as file, tempfile.TemporaryDirectory() as folder:
        name = sys.argv[3] if len(sys.argv) > 3 else sorted(file["scenes"])[0]
        subprocess.run(
            [fathom, "calibrate", data, "--truth", "multiview", "--scenes", name, "--output", folder + "/run",
             "--no-figures", "--quiet"], check=True)
        with open(folder + "/run/frames.csv") as lines:
            rows = list(csv.DictReader(lines))
        import warnings
        warnings.simplefilter("ignore", RuntimeWarning)  # pixels that no view sees
        worst, compared = 0.0, 0
        for row, errors in zip(rows, medians(file["scenes"][name]), strict=True):
            for level, values in enumerate(errors):
                found = int(row[f"returns_{level}"])
                # A pixel whose views just agree may fall on either side in another precision.
                if abs(found - len(values)) > 2 + 0.001 * len(values):
                    sys.exit(f"{name} {row['frame']}: {found} pixels at confidence {level}, numpy has {len(values)}")
                if row[f"median_rel_{level}"]:
                    worst = max(worst, abs(float(row[f"median_rel_{level}"]) - float(np.median(values))))
                    compared += 1
        limit = TOLERANCE if compared else 0
        if not compared or worst > limit:
            sys.exit(f"{name}: medians differ by up to {worst:.2g}, at most {limit:.2g} is rounding")
    print(f"multi-view reference of {name}: {compared} medians as numpy's, largest difference {worst:.1e}")


if __name__ == "__main__":
    main()
