"""Whether data can show a fault at three standard errors, by something that knows the right recording and the fault.

It holds the right and the broken recording against each other, frame by frame: the mean difference of a cost over its
standard error over frames, by Student's t. No statistic of the command is used."""

import numpy as np
from scipy import stats

LEAST = 3.0
"""Standard errors."""


def carried(r, i, j, step):
    """Costs of frame i carried into frame j, by quarters of the image: min(|ln z/d|, 0.1), and 0.07 where nothing lands."""
    fx, fy, cx, cy = r.camera()
    height, width = r.lidar.shape[1:]
    v, u = np.mgrid[0:height:step, 0:width:step] + 0.5
    depth = r.lidar[i][::step, ::step]
    with np.errstate(invalid="ignore", divide="ignore"):
        known = np.isfinite(depth) & (depth > 0)
        z = depth[known]
        points = np.stack([(u[known] - cx) / fx * z, (v[known] - cy) / fy * z, z, np.ones_like(z)])
        poses = r.opencv_poses
        x, y, z, _ = np.linalg.inv(poses[j]) @ poses[i] @ points
        column, row = np.floor(x / z * fx + cx), np.floor(y / z * fy + cy)
        inside = (z > 0) & (column >= 0) & (column < width) & (row >= 0) & (row < height)
        column, row, z = column[inside].astype(int), row[inside].astype(int), z[inside]
        target = r.lidar[j][row, column]
        cost = np.full(int(known.sum()), 0.07)
        met = np.where(target > 0, np.minimum(np.abs(np.log(z / target)), 0.1), 0.07)
        cost[np.flatnonzero(inside)] = np.where(np.isfinite(met), met, 0.07)
    return cost.mean() if len(cost) else np.nan


def motion(r):
    step = max(1, r.lidar.shape[2] // 64)
    rows = []
    for i in range(r.frames):
        others = [j for s in (1, 2, 5) for j in (i - s, i + s) if 0 <= j < r.frames]
        rows.append(np.nanmean([carried(r, i, j, step) for j in others]) if others else np.nan)
    return np.array(rows)


def steps(r):
    """Cost of depths that change from frame to frame: the median |ln| of a pixel's depths in neighbours."""
    with np.errstate(invalid="ignore", divide="ignore"):
        d = np.log(np.where(r.lidar > 0, r.lidar, np.nan)[:, ::8, ::8])
    return np.nanmedian(np.abs(np.diff(d, axis=0)).reshape(len(d) - 1, -1), axis=1)


def on(maps, shape):
    rows = np.arange(shape[0]) * maps.shape[1] // shape[0]
    columns = np.arange(shape[1]) * maps.shape[2] // shape[1]
    return maps[:, rows][:, :, columns]


def blocks(values):
    """Means over 3 × 3 blocks of every frame, so that one frame has more than one vote."""
    parts = [b for row in np.array_split(values, 3, axis=1) for b in np.array_split(row, 3, axis=2)]
    return np.array([np.nanmean(b.reshape(len(b), -1), axis=1) for b in parts]).T.ravel()


def truth(r):
    with np.errstate(invalid="ignore", divide="ignore"):
        d = np.log(np.where(r.lidar > 0, r.lidar, np.nan) / on(np.where(r.truth > 0, r.truth, np.nan), r.lidar.shape[1:]))
    return blocks(np.minimum(np.abs(d), 0.25))


def relative(r):
    rows = []
    for depth, other in zip(r.lidar[:, ::4, ::4], on(r.relative, r.lidar.shape[1:])[:, ::4, ::4]):
        for a, b in zip(np.array_split(depth, 4), np.array_split(other, 4)):
            known = np.isfinite(a) & (a > 0) & np.isfinite(b)
            rho = stats.spearmanr(a[known], b[known])[0] if known.sum() > 30 else np.nan
            rows.append(1 - rho if r.relative_kind == "depth" else 1 + rho)
    return np.array(rows)


def confidence(r):
    with np.errstate(invalid="ignore", divide="ignore"):
        d = np.log(np.where(r.lidar > 0, r.lidar, np.nan))
    rough = np.minimum(np.abs(np.diff(d, axis=2)), 0.1)
    high = r.confidence[:, :, 1:] >= 2
    return np.array([np.nanmean(x[h]) - np.nanmean(x[~h]) if h.any() and not h.all() else np.nan
                     for x, h in zip(rough, high)])


COSTS = {"motion": motion, "break": motion, "steps": steps, "truth": truth, "relative": relative, "confidence": confidence}


def shows(kind, right, broken, known):
    """Standard errors by which the broken recording costs more; infinite for facts of the numbers.

    - known: costs of the right recording, kept between faults."""
    if kind.judge == "numbers":
        return np.inf
    if kind.judge not in known:
        known[kind.judge] = COSTS[kind.judge](right)
    difference = COSTS[kind.judge](broken) - known[kind.judge]
    difference = difference[np.isfinite(difference)]
    if kind.judge == "break":
        difference = difference[np.abs(difference) > 1e-9]
    if len(difference) < 3:
        return 0.0
    if kind.judge == "steps":
        # Single steps: against the largest of a right recording.
        return 9.0 if difference.max() > 3 * np.nanmax(known["steps"]) else 0.0
    error = difference.std(ddof=1) / np.sqrt(len(difference))
    t = difference.mean() / max(error, 1e-9)
    return float(np.clip(stats.norm.isf(stats.t.sf(t, len(difference) - 1)), -9, 9))
