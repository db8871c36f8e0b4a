"""Writes golden/wall.json: distances, budgets and decisions of two simulated walls, by numpy and scipy, that a Swift test is compared with.

    python make_wall_golden.py          writes the file
    python make_wall_golden.py --check  fails where the file is not what these packages say

Planes are fitted by scipy's trust-region solver, every frame by itself; sensitivities are finite differences. Monte Carlo
draws numpy's random numbers.
"""

import json
import pathlib
import sys

import numpy as np
from scipy import optimize, stats

PATH = pathlib.Path(__file__).parent / "golden" / "wall.json"
WIDTH, HEIGHT, FRAMES = 32, 24, 24
FX, CX, CY = 28.0, 16.0, 12.0
TILES = (6, 5)
TAPE, FOCAL, CENTRE = 0.0015, 0.004, 0.006
WALLS = [  # distance, yaw, pitch, what was taped
    (1.0, 0.10, -0.05, 1.001),
    (2.0, -0.08, 0.12, 1.999),
]
# Distances and standard deviations: near a law, and far from one.
LAWS = [[(1.0, 0.0031), (2.0, 0.0052), (3.0, 0.0074)], [(0.5, 0.004), (1.0, 0.0045), (1.5, 0.009), (2.5, 0.011)]]
# Of placements at repeated distances: taped distance, day, error and standard uncertainty by its frames, mm.
REPEATED = [
    (1, 0, 3.1, 0.2), (1, 0, 4.0, 0.3), (1, 0, 2.2, 0.2), (1, 1, 9.0, 0.4), (2, 0, 7.5, 0.5), (2, 0, 9.1, 0.4),
    (2, 1, 2.0, 0.3), (2, 1, 3.5, 0.6), (2, 2, 12.0, 0.5), (3, 1, 5.0, 0.7),
]
SCALE, OFFSET, LIMIT = 0.004, 0.02, 0.006


def uniforms(seed, count):
    """Splitmix64, as its authors published it."""
    mask, state, values = (1 << 64) - 1, seed, []
    for _ in range(count):
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        values.append(((z ^ (z >> 31)) >> 11) / 2**53)
    return np.array(values)


def rays():
    x = (np.arange(WIDTH) + 0.5 - CX) / FX
    y = (np.arange(HEIGHT) + 0.5 - CY) / FX
    gx, gy = np.meshgrid(x, y)
    return np.stack([gx.ravel(), gy.ravel(), np.ones(WIDTH * HEIGHT)], axis=1)


def frames(index):
    distance, yaw, pitch, _ = WALLS[index]
    normal = np.array([np.sin(yaw) * np.cos(pitch), np.sin(pitch), np.cos(yaw) * np.cos(pitch)])
    truth = distance / (rays() @ normal)
    pattern = 0.004 * (uniforms(1, truth.size) - 0.5)
    noise = uniforms(10 + index, FRAMES * (truth.size + 1)).reshape(FRAMES, truth.size + 1) - 0.5
    depth = OFFSET + (1 + SCALE) * truth + pattern * truth + 0.02 * truth * noise[:, 1:] + 0.004 * noise[:, :1]
    return depth.astype(np.float32).astype(float)


def plane(depth):
    r = rays()
    start = np.linalg.lstsq(r, 1 / depth, rcond=None)[0]
    found = optimize.least_squares(lambda p: 1 / (r @ p) - depth, start, xtol=1e-15, ftol=1e-15, gtol=1e-15)
    return found.x


def distance(p):
    return 1 / np.linalg.norm(p)


def placement(index):
    maps = frames(index)
    mean = maps.mean(axis=0)
    r, p = rays(), plane(mean)
    step = 1e-6
    gradient = np.array([(distance(p + step * e) - distance(p - step * e)) / (2 * step) for e in np.eye(3)])
    jacobian = np.stack([(1 / (r @ (p + step * e)) - 1 / (r @ (p - step * e))) / (2 * step) for e in np.eye(3)], axis=1)
    weights = gradient @ np.linalg.pinv(jacobian)
    column, row = np.arange(mean.size) % WIDTH, np.arange(mean.size) // WIDTH
    tile = row * TILES[1] // HEIGHT * TILES[0] + column * TILES[0] // WIDTH
    residual = mean - 1 / (r @ p)
    pattern = np.bincount(tile, weights * residual, minlength=TILES[0] * TILES[1])
    by_frame = np.stack([np.bincount(tile, weights * (m - mean), minlength=TILES[0] * TILES[1]) for m in maps])
    series = np.array([distance(plane(m)) for m in maps])
    deviation = series - series.mean()
    correlation = (FRAMES * (deviation[:-1] @ deviation[1:]) / (deviation @ deviation) + 1) / (FRAMES - 3)
    correlation = min(0.99, max(0, correlation))
    effective = max(2, FRAMES * (1 - correlation) / (1 + correlation))
    frame_variance = series.var(ddof=1) * (FRAMES - 1) / FRAMES / (effective - 1)
    epsilon = 1e-6
    focal = (distance(p * [1 + epsilon, 1 + epsilon, 1]) - distance(p * [1 - epsilon, 1 - epsilon, 1])) / (2 * epsilon)
    centre = [
        (distance(p + [0, 0, epsilon * p[k]]) - distance(p - [0, 0, epsilon * p[k]])) / (2 * epsilon) for k in (0, 1)
    ]
    return {
        "distance": distance(p),
        "axis": 1 / p[2],
        "tilt": float(np.degrees(np.arccos(p[2] * distance(p)))),
        "deviation": series.std(ddof=1),
        "effective": effective,
        "noise": float(np.sqrt(maps.var(axis=0, ddof=1).mean())),
        "plane": p,
        "frame_variance": frame_variance,
        "pattern": pattern,
        "pattern_noise": by_frame.var(axis=0, ddof=1).sum() / effective,
        "focal": focal,
        "centre": centre,
    }


def budget(placements, c, taped):
    c, taped = np.array(c), np.array(taped)
    tape = TAPE * np.linalg.norm(taped)
    parts = np.array([ck**2 * p["frame_variance"] for ck, p in zip(c, placements)])
    frame_freedom = parts.sum() ** 2 / sum(v**2 / (p["effective"] - 1) for v, p in zip(parts, placements))
    tiles = TILES[0] * TILES[1]
    joint = sum(ck * p["pattern"] for ck, p in zip(c, placements))
    pattern = joint @ joint * tiles / (tiles - 3) - sum(ck**2 * p["pattern_noise"] for ck, p in zip(c, placements))
    pattern = max(0, pattern)
    focal = FOCAL * abs(sum(ck * p["focal"] for ck, p in zip(c, placements)))
    centre = CENTRE * np.linalg.norm([sum(ck * p["centre"][k] for ck, p in zip(c, placements)) for k in (0, 1)])
    variance = tape**2 + parts.sum() + pattern + focal**2 + centre**2
    freedom = variance**2 / (parts.sum() ** 2 / frame_freedom + pattern**2 / (tiles - 3))
    factor = stats.t.ppf(0.975, freedom)
    return {
        "contributions": [tape, float(np.sqrt(parts.sum())), float(np.sqrt(pattern)), 0.0, focal, float(centre)],
        "combined": float(np.sqrt(variance)), "freedom": float(freedom), "factor": float(factor),
        "expanded": float(factor * np.sqrt(variance)),
    }


def trials(placements, taped, figure, pattern, count=2_000_000):
    """Ends of the interval with 95 % of the results, where all inputs are drawn (JCGM 101)."""
    rng = np.random.default_rng(5)
    focal, x, y = rng.normal(0, [[FOCAL], [CENTRE], [CENTRE]], (3, count))
    measured, distances = [], []
    for p, d in zip(placements, taped):
        u, v, w = p["plane"]
        plane = np.stack([u * (1 + focal), v * (1 + focal), w + u * x + v * y])
        frames = np.sqrt(p["frame_variance"]) * rng.standard_t(p["effective"] - 1, count)
        measured.append(1 / np.linalg.norm(plane, axis=0) + frames)
        distances.append(d + rng.normal(0, TAPE, count))
    results = figure(np.array(measured), np.array(distances))
    results += pattern * rng.standard_t(TILES[0] * TILES[1] - 3, count)
    return [float(end) for end in np.quantile(results, [0.025, 0.975])]


def slope(m, d):
    centred = d - d.mean(axis=0)
    return (centred * m).sum(axis=0) / (centred**2).sum(axis=0)


def law(points):
    """σ² = a² + (b·d)² by gamma regression: the roots of its estimating equations; the covariance by its sensitivity."""
    d, sigma = np.array(points).T
    x = np.stack([np.ones(len(d)), d**2], axis=1)

    def equations(parameters):
        fit = x @ np.exp(parameters)
        return x.T @ ((sigma**2 - fit) / fit**2) * 1e-6

    parameters = np.exp(optimize.root(equations, np.log([1e-6, 1e-6]), tol=1e-14).x)
    fit = x @ parameters
    scatter = np.sum((sigma**2 / fit - 1) ** 2) / (len(d) - 2)
    covariance = np.linalg.inv(x.T @ (x / fit[:, None] ** 2)) * max(scatter, 2 / (TILES[0] * TILES[1] - 3))
    gain = np.diag(0.5 / np.sqrt(parameters))
    return {"a": float(np.sqrt(parameters[0])), "b": float(np.sqrt(parameters[1])), "covariance": (gain @ covariance @ gain).tolist()}


def bands(index):
    """Noise over time by angle of incidence: beginning of the band in degrees, pixels, noise, ends of its interval."""
    maps, r = frames(index), rays()
    p = plane(maps.mean(axis=0))
    angle = np.degrees(np.arccos(r @ p / np.linalg.norm(p) / np.linalg.norm(r, axis=1)))
    column, row = np.arange(len(r)) % WIDTH, np.arange(len(r)) // WIDTH
    tile = row * TILES[1] // HEIGHT * TILES[0] + column * TILES[0] // WIDTH
    variance, rows = maps.var(axis=0, ddof=1), []
    for start in range(0, 90, 10):
        chosen = (start <= angle) & (angle < start + 10)
        count, tiles = int(chosen.sum()), len(np.unique(tile[chosen]))
        if count < 50 or tiles < 3:
            continue
        mean = variance[chosen].mean()
        parts = np.bincount(tile[chosen], variance[chosen] - mean) / count
        reach = stats.t.ppf(0.975, tiles - 1) * np.sqrt(parts @ parts * tiles / (tiles - 1))
        rows.append([start, count, *(float(np.sqrt(v)) for v in (mean, mean - reach, mean + reach))])
    return rows


def components():
    """Standard deviations and degrees of freedom between placements and days: sums of squares are quadratic forms y'Qy,
    and their expectations tr(Q·V)."""
    distance, day, error, u = np.array(REPEATED).T

    def projection(labels):
        x = (labels[:, None] == np.unique(labels)[None, :]).astype(float)
        return x @ np.linalg.pinv(x)

    cell = distance * 10 + day
    same = (cell[:, None] == cell[None, :]).astype(float)
    cells, distances = projection(cell), projection(distance)
    one = np.eye(len(error))
    q, frames = one - cells, np.diag(u**2)
    placement = (error @ q @ error - np.trace(q @ frames)) / np.trace(q)
    r = cells - distances
    between = (error @ r @ error - np.trace(r @ (frames + placement * one))) / np.trace(r @ same)
    return [[float(np.sqrt(v)) / 1000, float(np.trace(m))] for v, m in ((placement, q), (between, r))]


def golden():
    placements = [placement(k) for k in range(2)]
    m, d = np.array([p["distance"] for p in placements]), np.array([w[3] for w in WALLS])
    c = (d - d.mean()) / ((d - d.mean()) ** 2).sum()
    gain = float(c @ m)
    error = float(m[1] - m[0] - d[1] + d[0])
    both = budget(placements, [-1, 1], [-1, 1])
    probability = stats.t.cdf((LIMIT - error) / both["combined"], both["freedom"])
    probability -= stats.t.cdf((-LIMIT - error) / both["combined"], both["freedom"])
    scale = budget(placements, c, gain * c)
    both["trials"] = trials(placements, d, lambda m, d: m[1] - m[0] - d[1] + d[0], both["contributions"][2])
    scale["trials"] = trials(placements, d, lambda m, d: slope(m, d) - 1, scale["contributions"][2])
    kept = ("distance", "axis", "tilt", "deviation", "effective", "noise")
    return {
        "placements": [{key: float(p[key]) for key in kept} for p in placements],
        "range": {"value": error, **both},
        "scale": {"value": gain - 1, **scale},
        "probability": float(probability),
        "laws": [law(points) for points in LAWS],
        "components": components(),
        "bands": bands(0),
    }


def keep(values, path):
    # Finite differences of what a solver found: BLAS decides the seventh digit.
    text = json.dumps(values, indent=1) + "\n"
    if "--check" in sys.argv[1:]:
        if not path.is_file():
            sys.exit(f"{path} does not exist")
        ours, theirs = (np.array(numbers(json.loads(t))) for t in (text, path.read_text(encoding="utf-8")))
        if ours.shape != theirs.shape or not np.allclose(ours, theirs, rtol=2e-6, atol=1e-12):
            sys.exit(f"{path} is not what these packages say; run without --check")
    else:
        path.write_text(text, encoding="utf-8")


def numbers(value):
    if isinstance(value, dict):
        return [n for key in sorted(value) for n in numbers(value[key])]
    return [n for part in value for n in numbers(part)] if isinstance(value, list) else [value]


if __name__ == "__main__":
    keep(golden(), PATH)
