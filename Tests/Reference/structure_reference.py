"""Metrics of whole images and of neighbouring frames, in numpy: what depth_reference.py is for single pixels.

Written from the definitions: domain §3; ml-depth-pro `boundary_metrics.py` for the boundary F1; mono-uncertainty for the
sparsification curves; Video-Depth-Anything `eval_tae.py` for the temporal error.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np

import depth_reference as reference

COLUMNS = ("sq_rel_kitti", "irmse_per_km", "boundary_f1", "ause", "aurg")
FLICKER_POINTS = 2**15
TEMPORAL_COLUMNS = ("temporal_abs_rel", "flicker_m")
REMOVED = np.arange(100) / 100
MAD_TO_SIGMA = 1.4826


# --- KITTI's forms ------------------------------------------------------------------------------


def kitti_forms(d: np.ndarray, g: np.ndarray) -> dict:
    """Squared relative error with g² below, and the inverse-depth error in 1/km; d and g valid."""
    if len(d) == 0:
        return {"sq_rel_kitti": None, "irmse_per_km": None}
    per_km = 1000 / d - 1000 / g
    return {
        "sq_rel_kitti": float(np.mean(((d - g) / g) ** 2)),
        "irmse_per_km": float(np.sqrt(np.mean(per_km**2))),
    }


# --- Boundaries ---------------------------------------------------------------------------------


def boundary_f1(d: np.ndarray, g: np.ndarray) -> float | None:
    """Depth Pro's scale-invariant boundary F1 of two rasters; NaN or not above 0 is unknown.

    Per ratio t a foreground mask in each of four directions; recall and precision are means over the directions, with
    0 where a direction has nothing to find; F1 is averaged with weights proportional to t.
    """
    with np.errstate(invalid="ignore"):
        known = np.isfinite(d) & (d > 0) & np.isfinite(g) & (g > 0)
    steps = []  # (ratio in the prediction, ratio in the truth) of every known pair, per direction
    for axis in (0, 1):
        first = (slice(None),) * axis + (slice(None, -1),)
        second = (slice(None),) * axis + (slice(1, None),)
        both = known[first] & known[second]
        for a, b in ((first, second), (second, first)):
            found, true = d[b][both] / d[a][both], g[b][both] / g[a][both]
            step = (found > 1.05) | (true > 1.05)  # the rest is not a boundary at any ratio
            steps.append((found[step], true[step]))
    thresholds = np.linspace(1.05, 1.25, 10)
    if not any((truth > thresholds[0]).any() for _, truth in steps):
        return None  # the truth has no boundary: nothing to be scored
    scores = []
    for t in thresholds:
        hits = [(np.sum((p > t) & (q > t)), np.sum(p > t), np.sum(q > t)) for p, q in steps]
        recall = sum(both / max(wanted, 1) for both, _, wanted in hits) / 4
        precision = sum(both / max(found, 1) for both, found, _ in hits) / 4
        scores.append(2 * recall * precision / (recall + precision) if recall + precision else 0.0)
    return float(np.average(scores, weights=thresholds))


# --- Sparsification -----------------------------------------------------------------------------


def confidence_at(confidence: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """Level of the LiDAR pixel that holds the centre of every pixel of a `shape` image."""
    return reference.sample_nearest(confidence, shape)


@dataclass
class Curves:
    """Mean relative error of what is kept when 0, 1, … 99 % are removed."""

    by_confidence: np.ndarray
    by_error: np.ndarray

    @property
    def random(self) -> np.ndarray:
        return np.full(len(REMOVED), self.by_confidence[0])

    @property
    def ause(self) -> float:
        return float(np.trapezoid(self.by_confidence - self.by_error, REMOVED))

    @property
    def aurg(self) -> float:
        return float(np.trapezoid(self.random - self.by_confidence, REMOVED))


def sparsification(errors: np.ndarray, levels: np.ndarray) -> Curves | None:
    """Least confident first, and largest error first; of n pixels n − ⌊n·s/100⌋ stay.

    Within a level every pixel stands for the level's mean: the expectation over its orders.
    """
    n = len(errors)
    if n == 0:
        return None
    expected = np.empty(n)
    for level in np.unique(levels):
        expected[levels == level] = errors[levels == level].mean()
    kept = n - n * np.arange(100) // 100

    def means(ordered: np.ndarray) -> np.ndarray:
        return np.cumsum(ordered)[kept - 1] / kept

    return Curves(means(expected[np.argsort(-levels, kind="stable")]), means(np.sort(errors)))


# --- Neighbouring frames ------------------------------------------------------------------------


@dataclass
class View:
    """A depth map with its camera: normalised intrinsics (of an image 1 × 1) and a 4 × 4 pose in OpenCV axes."""

    depth: np.ndarray
    camera: np.ndarray
    world_from_camera: np.ndarray

    @property
    def pixels(self) -> np.ndarray:
        """K of this map's resolution."""
        h, w = self.depth.shape
        return np.diag([w, h, 1.0]) @ self.camera

    def points(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Homogeneous world points [4, n] of pixels."""
        z = self.depth[rows, columns].astype(np.float64)
        image = np.stack([columns + 0.5, rows + 0.5, np.ones(len(rows))])
        return self.world_from_camera @ np.vstack([np.linalg.solve(self.pixels, image) * z, np.ones(len(rows))])

    def project(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Image x, y and depth of world points; x and y mean nothing where the depth is not positive."""
        seen = (np.linalg.inv(self.world_from_camera) @ points)[:3]
        with np.errstate(all="ignore"):
            x, y, _ = self.pixels @ (seen / seen[2])
        return x, y, seen[2]

    @property
    def known(self) -> np.ndarray:
        with np.errstate(invalid="ignore"):
            return np.isfinite(self.depth) & (self.depth > 0)


def read_camera(path: Path, scene: str, index: int) -> tuple[np.ndarray, np.ndarray] | None:
    """Normalised K and pose in OpenCV axes; None where a frame cannot be compared with its neighbours."""
    with h5py.File(path, "r") as file:
        group = file["scenes"][scene]
        if "camera/intrinsics" not in group or "camera/world_from_camera" not in group:
            return None
        convention = group["camera/world_from_camera"].attrs.get("convention", "unknown")
        convention = convention.decode() if isinstance(convention, bytes) else convention
        if convention == "unknown":
            return None
        k = group["camera/intrinsics"][...]
        k = k[index] if k.ndim == 3 else k
        width, height = group["camera"].attrs["image_size"]
        pose = group["camera/world_from_camera"][index]
    # An ARKit camera looks along −z with y up: turned by half a turn about x it is OpenCV's.
    turn = np.diag([1.0, -1, -1, 1]) if convention == "arkit" else np.eye(4)
    return np.diag([1 / width, 1 / height, 1.0]) @ k, pose @ turn


def warped_error(source: View, target: View) -> float | None:
    """Mean |z − d|/d where the source's pixels, splatted to the nearest pixel, meet the target's map."""
    rows, columns = np.nonzero(source.known)
    x, y, z = target.project(source.points(rows, columns))
    h, w = target.depth.shape
    with np.errstate(invalid="ignore"):
        lands = (z > 0) & (x >= 0) & (y >= 0) & (x < w) & (y < h)
    buffer = np.full((h, w), np.inf)
    np.minimum.at(buffer, (np.floor(y[lands]).astype(int), np.floor(x[lands]).astype(int)), z[lands])
    both = np.isfinite(buffer) & target.known
    if not both.any():
        return None
    d = target.depth[both].astype(np.float64)
    return float(np.mean(np.abs(buffer[both] - d) / d))


def temporal_abs_rel(first: View, second: View) -> float | None:
    directions = [warped_error(first, second), warped_error(second, first)]
    present = [value for value in directions if value is not None]
    return sum(present) / len(present) if present else None


def flicker(before: View, now: View, after: View) -> float | None:
    """Standard deviation over time of the depth at a pixel, metres, from second differences.

    The surface point of every pixel is found in both neighbours and what they read there, bilinearly, is compared with
    its depth in their camera: e₋ and e₊. e₋ + e₊ is the second difference of three readings of one point, free of the
    camera's motion and of what changes steadily. For independent noise σ its deviation is √6·σ. Of a large map only every
    k-th column and row is looked at.
    """
    rows, columns = np.nonzero(now.known)
    step = max(1, int(np.sqrt(now.depth.size / FLICKER_POINTS)))
    looked = (rows % step == 0) & (columns % step == 0)
    rows, columns = rows[looked], columns[looked]
    points = now.points(rows, columns)
    total = np.zeros(len(rows))
    for neighbour in (before, after):
        x, y, z = neighbour.project(points)
        total += read_bilinearly(np.where(neighbour.known, neighbour.depth, np.nan), x, y, z > 0) - z
    size = np.abs(total[np.isfinite(total)])
    return float(MAD_TO_SIGMA / np.sqrt(6) * np.median(size)) if len(size) else None


def read_bilinearly(values: np.ndarray, x: np.ndarray, y: np.ndarray, valid: np.ndarray) -> np.ndarray:
    """NaN outside the outermost pixel centres and where a missing neighbour has weight."""
    h, w = values.shape
    with np.errstate(invalid="ignore"):
        u, v = x - 0.5, y - 0.5
        valid = valid & (u >= 0) & (v >= 0) & (u <= w - 1) & (v <= h - 1)
    u, v = np.where(valid, u, 0), np.where(valid, v, 0)
    left, top = np.floor(u).astype(int), np.floor(v).astype(int)
    result = np.where(valid, 0.0, np.nan)
    for row, share_y in ((top, 1 - (v - top)), (np.minimum(top + 1, h - 1), v - top)):
        for column, share_x in ((left, 1 - (u - left)), (np.minimum(left + 1, w - 1), u - left)):
            weight = share_x * share_y
            result += np.where(weight > 0, weight * values[row, column].astype(np.float64), 0.0)
    return result
