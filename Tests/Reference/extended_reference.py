"""Metrics of maps without a LiDAR: stricter deltas, iMAE, normals, scale, errors of a stereo camera's disparity.

Written from their definitions, without the Swift sources:

- delta at 1.03 and 1.05, strict; the denominator are the truth pixels, so that a missing prediction is in none
- iMAE of KITTI's depth completion, 1/km
- normals by central differences of the points z·K⁻¹(u, v, 1), pixel centres at half numbers; a pixel needs its four neighbours in both
  maps; the angle by atan2. Mean, median and shares below 11.25, 22.5 and 30 degrees, strict: the numbers of
  baegwangbin/DSINE@acfb813 `utils/utils.py` `compute_normal_metrics`, whose own normals of depth are made otherwise
- scale error |s − 1| with s = median(g)/median(d), both over the predicted truth pixels
- disparity f·B/d: end-point error of the predicted pixels; bad-τ as of Middlebury and D1 as of KITTI 2015's devkit (`ABS_THRESH` 3.0,
  `REL_THRESH` 0.05), a missing prediction being an outlier
"""

from __future__ import annotations

import numpy as np

NAMES = (
    "delta_103", "delta_105", "imae_per_km", "normal_mean_deg", "normal_median_deg", "normal_11", "normal_22",
    "normal_30", "scale_error", "epe_px", "bad_1", "bad_2", "bad_4", "d1_all",
)  # fmt: skip


def known(depth: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        return np.isfinite(depth) & (depth > 0)


def normals(depth: np.ndarray, camera: tuple[float, float, float, float]) -> tuple[np.ndarray, np.ndarray]:
    """Unit normals [h, w, 3] and where they exist."""
    fx, fy, cx, cy = camera
    height, width = depth.shape
    rays = np.stack(
        np.broadcast_arrays(
            (np.arange(width)[None, :] + 0.5 - cx) / fx, (np.arange(height)[:, None] + 0.5 - cy) / fy, 1.0
        ),
        axis=-1,
    )
    valid = known(depth)
    points = np.where(valid[..., None], depth[..., None] * rays, np.nan)
    result = np.full(points.shape, np.nan)
    along = (points[1:-1, 2:] - points[1:-1, :-2]) / 2
    down = (points[2:, 1:-1] - points[:-2, 1:-1]) / 2
    crossed = np.cross(along, down)
    with np.errstate(invalid="ignore", divide="ignore"):
        result[1:-1, 1:-1] = crossed / np.linalg.norm(crossed, axis=-1, keepdims=True)
    return result, np.isfinite(result).all(axis=-1)


def metrics(
    predicted: np.ndarray,
    truth: np.ndarray,
    counts: np.ndarray,
    camera: tuple[float, float, float, float] | None = None,
    baseline: float | None = None,
    plain: np.ndarray | None = None,
) -> dict[str, float | None]:
    """Every metric of a frame; None where there is none.

    predicted and truth are maps of one resolution, `counts` tells which truth pixels the protocol takes, `plain` is the prediction
    before an alignment (the same where there is none).
    """
    values: dict[str, float | None] = dict.fromkeys(NAMES)
    valid = known(predicted) & counts
    if not valid.any():
        return values
    d, g = predicted[valid].astype(np.float64), truth[valid].astype(np.float64)
    total = int(counts.sum())
    ratio = np.maximum(d / g, g / d)
    values["delta_103"] = np.count_nonzero(ratio < 1.03) / total
    values["delta_105"] = np.count_nonzero(ratio < 1.05) / total
    values["imae_per_km"] = 1000 * np.mean(np.abs(1 / d - 1 / g))
    own = predicted if plain is None else plain
    own_valid = known(own) & counts
    if own_valid.any():
        true, made = np.median(truth[own_valid].astype(float)), np.median(own[own_valid].astype(float))
        values["scale_error"] = abs(true / made - 1)
    if camera is not None:
        (found, has_found), (expected, has_expected) = normals(predicted, camera), normals(truth, camera)
        both = counts & has_found & has_expected
        if both.any():
            a, b = found[both], expected[both]
            angles = np.degrees(np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), (a * b).sum(axis=-1)))
            values["normal_mean_deg"], values["normal_median_deg"] = np.mean(angles), np.median(angles)
            for name, limit in (("normal_11", 11.25), ("normal_22", 22.5), ("normal_30", 30.0)):
                values[name] = np.mean(angles < limit)
    if camera is not None and baseline is not None:
        product = camera[0] * baseline
        disparity = product / g
        error = np.abs(product / d - disparity)
        missing = total - len(d)
        values["epe_px"] = np.mean(error)
        for name, limit in (("bad_1", 1), ("bad_2", 2), ("bad_4", 4)):
            values[name] = (np.count_nonzero(error > limit) + missing) / total
        values["d1_all"] = (np.count_nonzero((error > 3) & (error > 0.05 * disparity)) + missing) / total
    return {name: None if value is None else float(value) for name, value in values.items()}
