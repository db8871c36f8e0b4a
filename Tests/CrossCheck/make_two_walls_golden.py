"""Writes golden/two_walls.json: the separation of two simulated faces with its budget, by numpy and scipy, that a Swift test is compared with.

    python make_two_walls_golden.py          writes the file
    python make_two_walls_golden.py --check  fails where the file is not what these packages say

Planes are fitted by scipy's trust-region solver, every frame by itself; sensitivities are finite differences, those of the intrinsics by
fits with other intrinsics.
"""

import pathlib

import numpy as np
from make_wall_golden import CENTRE, CX, CY, FOCAL, FRAMES, FX, HEIGHT, OFFSET, SCALE, TAPE, TILES, WIDTH, keep, uniforms
from scipy import optimize, stats

PATH = pathlib.Path(__file__).parent / "golden" / "two_walls.json"
# Distance, yaw, pitch; the face takes the columns from 20 on, and two columns on either side of the step are its margin.
FACES = [(1.8, 0.30, -0.05), (1.4, 0.33, -0.05)]
STEP, MARGIN, TAPED = 20, 2, 0.401


def rays(focal=FX, cx=CX, cy=CY):
    gx, gy = np.meshgrid((np.arange(WIDTH) + 0.5 - cx) / focal, (np.arange(HEIGHT) + 0.5 - cy) / focal)
    return np.stack([gx.ravel(), gy.ravel(), np.ones(WIDTH * HEIGHT)], axis=1)


COLUMN, ROW = np.arange(WIDTH * HEIGHT) % WIDTH, np.arange(WIDTH * HEIGHT) // WIDTH
PIXELS = [np.flatnonzero(COLUMN < STEP - MARGIN), np.flatnonzero(COLUMN >= STEP + MARGIN)]


def frames():
    depths = []
    for distance, yaw, pitch in FACES:
        normal = np.array([np.sin(yaw) * np.cos(pitch), np.sin(pitch), np.cos(yaw) * np.cos(pitch)])
        depths.append(distance / (rays() @ normal))
    truth = np.where(COLUMN < STEP, *depths)
    pattern = 0.02 * (uniforms(1, truth.size) - 0.5)
    noise = uniforms(12, FRAMES * (truth.size + 1)).reshape(FRAMES, truth.size + 1) - 0.5
    depth = OFFSET + (1 + SCALE) * truth + pattern * truth + 0.02 * truth * noise[:, 1:] + 0.02 * noise[:, :1]
    return depth.astype(np.float32).astype(float)


def planes(depth, r):
    found = []
    for pixels in PIXELS:
        rays_, z = r[pixels], depth[pixels]
        start = np.linalg.lstsq(rays_, 1 / z, rcond=None)[0]
        fit = optimize.least_squares(lambda p, a=rays_, b=z: 1 / (a @ p) - b, start, xtol=1e-15, ftol=1e-15, gtol=1e-15)
        found.append(fit.x)
    return np.concatenate(found)


def normal(p):
    return p / np.linalg.norm(p)


def separation(p, r):
    """Of the point of the face on the mean ray of its pixels from the wall, along the wall's normal."""
    ray = r[PIXELS[1]].mean(axis=0)
    point = ray / (ray @ p[3:])
    return abs(normal(p[:3]) @ point - 1 / np.linalg.norm(p[:3]))


def angle(p):
    return np.arccos(normal(p[:3]) @ normal(p[3:]))


def slope(function, p):
    step = 1e-6 * np.linalg.norm(p)
    return np.array([(function(p + step * e) - function(p - step * e)) / (2 * step) for e in np.eye(6)])


def tile_sums(gradient, p, r, residual):
    """Contributions of the tiles of each face to a value with this gradient."""
    sums = []
    for k, pixels in enumerate(PIXELS):
        own = p[3 * k : 3 * k + 3]
        jacobian = -(r[pixels] / (r[pixels] @ own)[:, None] ** 2)
        weights = gradient[3 * k : 3 * k + 3] @ np.linalg.pinv(jacobian)
        first = COLUMN[pixels].min()
        width = COLUMN[pixels].max() + 1 - first
        tile = ROW[pixels] * TILES[1] // HEIGHT * TILES[0] + (COLUMN[pixels] - first) * TILES[0] // width
        sums.append(np.bincount(tile, weights * residual[pixels], minlength=TILES[0] * TILES[1]))
    return sums


def golden():
    maps, r = frames(), rays()
    mean = maps.mean(axis=0)
    p = planes(mean, r)
    fitted = np.full(mean.size, np.nan)
    for k, pixels in enumerate(PIXELS):
        fitted[pixels] = 1 / (r[pixels] @ p[3 * k : 3 * k + 3])
        off = (mean - fitted)[pixels]
        assert abs(off).max() < 4 * 1.4826 * np.median(abs(off)), "a pixel would not be taken for its face"
    series = np.array([separation(planes(m, r), r) for m in maps])
    deviation = series - series.mean()
    correlation = (FRAMES * (deviation[:-1] @ deviation[1:]) / (deviation @ deviation) + 1) / (FRAMES - 3)
    correlation = min(0.99, max(0, correlation))
    effective = max(2, FRAMES * (1 - correlation) / (1 + correlation))
    frame_variance = series.var(ddof=1) * (FRAMES - 1) / FRAMES / (effective - 1)
    tiles = TILES[0] * TILES[1]
    gradient = slope(lambda q: separation(q, r), p)
    squares = np.array([(s @ s) * tiles / (tiles - 3) for s in tile_sums(gradient, p, r, mean - fitted)])
    pattern_freedom = squares.sum() ** 2 / (squares**2 / (tiles - 3)).sum()
    by_frame = np.stack([np.concatenate(tile_sums(gradient, p, r, m - mean)) for m in maps])
    pattern = max(0, squares.sum() - by_frame.var(axis=0, ddof=1).sum() / effective)
    tilt = tile_sums(slope(angle, p), p, r, mean - fitted)
    angle_deviation = np.sqrt(sum((s @ s) * tiles / (tiles - 3) for s in tilt))

    def refitted(**camera):
        other = rays(**camera)
        return separation(planes(mean, other), other)

    e = 1e-4
    focal = (refitted(focal=FX * (1 + e)) - refitted(focal=FX * (1 - e))) / (2 * e)
    centre = [(refitted(cx=CX + FX * e) - refitted(cx=CX - FX * e)) / (2 * e)]
    centre.append((refitted(cy=CY + FX * e) - refitted(cy=CY - FX * e)) / (2 * e))
    points = r[PIXELS[1]] * fitted[PIXELS[1]][:, None]
    ray = r[PIXELS[1]].mean(axis=0)
    reach = np.sqrt(((points - ray / (ray @ p[3:])) ** 2).sum(axis=1).mean() / 2)
    skew = np.sqrt(max(0, angle(p) ** 2 - (3 * angle_deviation) ** 2)) * reach
    parts = [TAPE, np.sqrt(frame_variance), np.sqrt(pattern), 0, FOCAL * abs(focal), CENTRE * np.linalg.norm(centre), skew]
    variance = float(np.sum(np.square(parts)))
    freedom = variance**2 / (frame_variance**2 / (effective - 1) + pattern**2 / pattern_freedom)
    factor = float(stats.t.ppf(0.975, freedom))
    return {
        "separation": separation(p, r),
        "angle": float(np.degrees(angle(p))),
        "angleDeviation": float(np.degrees(angle_deviation)),
        "deviation": float(series.std(ddof=1)),
        "effective": float(effective),
        "value": float(separation(p, r) - TAPED),
        "contributions": [float(part) for part in parts],
        "combined": float(np.sqrt(variance)),
        "freedom": float(freedom),
        "factor": factor,
        "expanded": factor * float(np.sqrt(variance)),
    }


if __name__ == "__main__":
    keep(golden(), PATH)
