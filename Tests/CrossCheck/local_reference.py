"""The local methods `guided`, `lwlr`, `knn-affine` and `residual` in numpy and scipy, from their definitions.

Nothing is shared with the package: windows are scipy.ndimage filters, neighbours come from a k-d tree, local fits are
solved as matrices. What decides a value beyond rounding is taken from the definitions: the LiDAR's noise from its
second differences, at most 7.4, 2.37 and 0.59 % by confidence, cells of half a standard deviation, Gaussians cut at three, ridges and tunings as stated.
"""

from dataclasses import dataclass

import depth_reference as reference
import numpy as np
from scipy import ndimage, stats
from scipy.spatial import cKDTree

MAD_TO_SIGMA = 1.4826
DEVIATIONS = np.array([0.074, 0.0237, 0.0059], dtype="f4")
SMALLEST_DEVIATION = 1e-4
CLAMP = (0.01, 100.0)


def biweight(u):
    return np.clip(1 - u**2, 0, None) ** 2


def to_depth(form, fitted):
    with np.errstate(divide="ignore"):
        depth = fitted if form == "depth" else np.where(fitted > 0, 1 / fitted, np.inf)
    return np.where(np.isnan(fitted), np.nan, np.clip(depth, *CLAMP)).astype("f4")


@dataclass
class Anchors:
    """Every return above 0.1 m with a relative value above 0."""

    shape: tuple[int, int]
    index: np.ndarray
    relative: np.ndarray
    depth: np.ndarray
    deviation: np.ndarray

    @property
    def weight(self):
        return (self.deviation.min() / self.deviation).astype(float) ** 2

    @property
    def row(self):
        return self.index // self.shape[1]

    @property
    def column(self):
        return self.index % self.shape[1]


# Mean of the lower half of |N(0, 1)|.
LOWER_HALF = 4 * (stats.norm.pdf(0) - stats.norm.pdf(stats.norm.ppf(0.75)))
FEWEST = 300


# Parts of the range, differences that a level's own noise counts for in that of a part, and how much larger a part's may be than the level's.
BINS, PRIOR, CLUTTER = 3, 2000, 3


def lower_half(sizes):
    """Deviation of a normal distribution whose lower half of sizes has this mean, for second differences."""
    values = np.sort(sizes)
    below = values[values < np.median(values)]
    half = len(values) / 2
    mean = (below.sum() + (half - len(below)) * np.median(values)) / half
    return mean / LOWER_HALF / np.sqrt(6)


def roughness(lidar, levels, step):
    """Noise of d against the plane through two neighbours, by level: depths and deviations of three parts of the range; None for too few returns in line.

    Of a return of level 0 that has both, the row or the column counts, whichever neighbours are more alike."""
    lidar = np.where((lidar > 0) & np.isfinite(lidar), lidar, np.nan).astype("f4")
    with np.errstate(invalid="ignore"):
        near = np.float32(1) / lidar
        along = np.abs(near[:, : -2 * step] - 2 * near[:, step:-step] + near[:, 2 * step :]) * lidar[:, step:-step]
        down = np.abs(near[: -2 * step] - 2 * near[step:-step] + near[2 * step :]) * lidar[step:-step]
        triples = ((near[:, : -2 * step], near[:, step:-step], near[:, 2 * step :]), (near[: -2 * step], near[step:-step], near[2 * step :]))
        medians = [np.median(np.stack(three), axis=0) for three in triples]
        row_gap = np.abs(near[:, : -2 * step] - near[:, 2 * step :])[step:-step]
        column_gap = np.abs(near[: -2 * step] - near[2 * step :])[:, step:-step]
        takes_row = np.isnan(column_gap) | (row_gap <= column_gap)
    # Of the best returns every so many rows count.
    spacing = max(1, min(6, lidar.size // 8192))
    rows = np.arange(lidar.shape[0]) % spacing != 0
    along[(levels[:, step:-step] == 2) & rows[:, None]] = np.nan
    down[(levels[step:-step] == 2) & rows[step:-step, None]] = np.nan
    lowest = levels[step:-step, step:-step] == 0
    along[step:-step][lowest & ~takes_row] = np.nan
    down[:, step:-step][lowest & takes_row] = np.nan
    sizes = np.concatenate([along.ravel(), down.ravel()])
    medians = np.concatenate([part.ravel() for part in medians])
    own = np.concatenate([levels[:, step:-step].ravel(), levels[step:-step].ravel()])
    found = []
    for level in range(3):
        members = np.flatnonzero((own == level) & ~np.isnan(sizes))
        if len(members) < FEWEST:
            found.append(None)
            continue
        members = members[np.lexsort((sizes[members], medians[members]))]
        whole = lower_half(sizes[members].astype(float))
        points = []
        # Equal differences are of one part, the nearer one.
        changes = (np.diff(medians[members]) != 0) | (np.diff(sizes[members]) != 0)
        first = np.maximum.accumulate(np.where(np.r_[True, changes], np.arange(len(members)), 0))
        starts = [first[part * len(members) // BINS] for part in range(BINS)] + [len(members)]
        for start, end in zip(starts, starts[1:]):
            if start == end:
                continue
            noise = lower_half(sizes[members[start:end]].astype(float))
            noise = whole if noise > CLUTTER * whole else noise
            count = (end - start) * (spacing if level == 2 else 1)
            points.append((1 / float(medians[members[start + (end - start) // 2]]), np.sqrt((count * noise**2 + PRIOR * whole**2) / (count + PRIOR))))
        found.append(np.array(points[::-1]).T)
    return found


def noise_of(frame):
    """Deviation of every pixel's relative error."""
    standard = DEVIATIONS.astype(float)
    if frame.confidence is None:
        levels, step = np.full(frame.lidar.shape, 2), 1
    else:
        levels = np.minimum(frame.confidence, 2).astype(int)
        correlation = 5 * min(1, frame.lidar.shape[1] / 256)
        step = max(1, int(1.4 * correlation + 0.5))
    found = roughness(frame.lidar, levels, step)
    known = [level for level in range(3) if found[level] is not None]
    result = np.zeros(frame.lidar.shape)
    with np.errstate(divide="ignore"):
        depth = np.log(np.where(frame.lidar > 0, frame.lidar, 0).astype("f4"))
    for level in range(3):
        if not known:
            noise = np.full(frame.lidar.shape, standard[level])
        else:
            best = level if level in known else known[-1]
            depths, deviations = found[best]
            noise = np.interp(depth, np.log(depths), deviations * standard[level] / standard[best])
        result = np.where(levels == level, np.clip(noise, SMALLEST_DEVIATION, standard[level]), result)
    return result.astype("f4")


def anchors_of(frame):
    lidar = frame.lidar
    r = reference.sample_at_centres(frame.relative, lidar.shape).astype("f4")
    with np.errstate(invalid="ignore"):
        keep = np.isfinite(lidar) & (lidar > np.float32(0.1)) & (r > 0)
    deviation = noise_of(frame)
    index = np.flatnonzero(keep)
    return Anchors(lidar.shape, index, r.ravel()[index], lidar.ravel()[index], deviation.ravel()[index])


def straight_line(x, y, weights):
    mx, my = np.average(x, weights=weights), np.average(y, weights=weights)
    slope = np.sum(weights * (x - mx) * (y - my)) / np.sum(weights * (x - mx) ** 2)
    return slope, my - slope * mx


def global_line(anchors, form):
    """At most 12 steps of Huber's weights, then Tukey's, on relative residuals of at most 4096 anchors; 30 steps at most."""
    count = len(anchors.index)
    taken = np.arange(min(count, 4096)) * count // min(count, 4096)
    x, y = reference.to_form(form, anchors.relative[taken].astype(float), anchors.depth[taken].astype(float))
    prior = anchors.weight[taken] / y**2
    line = straight_line(x, y, prior)
    convex = True
    for step in range(30):
        convex = convex and step < 12
        sizes = np.abs((y - line[0] * x - line[1]) / y)
        sigma = MAD_TO_SIGMA * np.median(sizes)
        if convex:
            weights = prior * np.minimum(1, 1.345 * sigma / np.maximum(sizes, 1e-300))
        else:
            weights = prior * biweight(sizes / (4.685 * sigma))
        before, line = line, straight_line(x, y, weights)
        mean = np.average(x, weights=weights)
        spread = np.sqrt(np.average((x - mean) ** 2, weights=weights))
        level = (line[0] - before[0]) * mean + line[1] - before[1]
        if abs(line[0] - before[0]) * spread + abs(level) < (1e-4 if convex else 1e-8) * abs(np.average(y, weights=weights)):
            if not convex:
                break
            convex = False
    return line


@dataclass
class Problem:
    """What a line leaves at the anchors, over standardised regressors."""

    x: np.ndarray
    left: np.ndarray
    weight: np.ndarray
    full: float
    centre: float
    deviation: float


def problem_of(anchors, form, line, rejecting):
    x, y = reference.to_form(form, anchors.relative.astype(float), anchors.depth.astype(float))
    left = y - (line[0] * x + line[1])
    weight = anchors.weight / y**2
    if rejecting:
        sizes = np.abs(left / y)
        weight = weight * biweight(sizes / (3 * MAD_TO_SIGMA * np.median(sizes) + 2 * anchors.deviation))
    return Problem((x - x.mean()) / x.std(), left, weight, 1 / np.median(y) ** 2, x.mean(), x.std())


class Grid:
    """Cells of half the Gaussian's standard deviation (in LiDAR pixels) over the LiDAR raster."""

    def __init__(self, anchors, deviation):
        (height, width) = anchors.shape
        side = max(1, deviation / 2)
        self.shape = (int(np.ceil(height / side)), int(np.ceil(width / side)))
        rows, columns = (2 * anchors.row + 1) * self.shape[0] // (2 * height), (
            2 * anchors.column + 1) * self.shape[1] // (2 * width)
        self.cell = rows * self.shape[1] + columns
        self.pixels = height * width / (self.shape[0] * self.shape[1])
        self.kernels = [self.kernel(deviation * n / m) for n, m in zip(self.shape, anchors.shape, strict=True)]

    @staticmethod
    def kernel(deviation):
        reach = int(np.ceil(3 * deviation))
        taps = np.exp(-0.5 * (np.arange(-reach, reach + 1) / deviation) ** 2)
        return taps / taps.sum()

    def sums(self, values):
        """Gaussian-weighted sums of values at the anchors, one per cell; nothing comes from beyond the edges."""
        cells = np.bincount(self.cell, values, self.shape[0] * self.shape[1]).reshape(self.shape)
        for axis in (0, 1):
            cells = ndimage.correlate1d(cells, self.kernels[axis], axis=axis, mode="constant")
        return cells


def changing_line(frame, form, line, scale, level, centre):
    """α and β from place to place, both maps bilinear in Float32."""
    shape = frame.relative.shape
    r = frame.relative.astype(float)
    change = reference.sample_at_centres(scale.astype("f4"), shape)
    fitted = line[0] * r + line[1] + change * (r - centre) + reference.sample_at_centres(level.astype("f4"), shape)
    return to_depth(form, np.where(np.isfinite(r), fitted, np.nan))


def guided(frame, form, anchors, line, radius=8, smoothness=0.05):
    """The guided filter of He, Sun and Tang with weights, on the LiDAR's raster."""
    p = problem_of(anchors, form, (0, 0), rejecting=False)

    def window(raster):
        return ndimage.uniform_filter(raster, 2 * radius + 1, mode="constant") * (2 * radius + 1) ** 2

    def raster(values):
        result = np.zeros(anchors.shape)
        result.ravel()[anchors.index] = values
        return window(result)

    w, x, xx, y, xy = (
        raster(p.weight * v) for v in (1, p.x, p.x**2, p.left, p.x * p.left)
    )
    least = 1e-3 * p.full * min(1.0, anchors.weight.min())
    has = w > least
    with np.errstate(invalid="ignore", divide="ignore"):
        mx, my = x / w, y / w
        a = (xy / w - mx * my) / (np.maximum(0, xx / w - mx**2) + smoothness**2)
        b = my - a * mx
        total = window(np.where(has, w, 0))
        scale = window(np.where(has, w * a, 0)) / total / p.deviation
        level = window(np.where(has, w * b, 0)) / total
    scale = np.where(total > least, scale, line[0])
    level = np.where(total > least, level, line[0] * p.centre + line[1])
    return changing_line(frame, form, (0, 0), scale, level, p.centre)


def lwlr(frame, form, anchors, line, deviation=12.0, ridge=0.001):
    """Normal equations of the Gaussian-weighted line at every cell, a ridge on both coefficients."""
    p = problem_of(anchors, form, line, rejecting=True)
    grid = Grid(anchors, deviation)
    w, x, xx, y, xy = (grid.sums(p.weight * v) for v in (1, p.x, p.x**2, p.left, p.x * p.left))
    more = ridge * grid.pixels * p.full
    matrix = np.stack([np.stack([xx + more, x], -1), np.stack([x, w + more], -1)], -2)
    solution = np.linalg.solve(matrix, np.stack([xy, y], -1)[..., None])[..., 0]
    return changing_line(frame, form, line, solution[..., 0] / p.deviation, solution[..., 1], p.centre)


def lwlr_exact(frame, form, anchors, line, pixels, deviation=12.0, ridge=0.001):
    """The same without a grid, at some pixels: weights from each pixel's own distances."""
    p = problem_of(anchors, form, line, rejecting=True)
    height, width = anchors.shape
    depth = []
    cell_pixels = 2 * np.pi * deviation**2  # Σ of the Gaussian; a cell's kernel has the sum 1
    for row, column in pixels:
        v = (row + 0.5) * height / frame.relative.shape[0] - 0.5
        u = (column + 0.5) * width / frame.relative.shape[1] - 0.5
        square = (anchors.row - v) ** 2 + (anchors.column - u) ** 2
        w = p.weight * np.exp(-0.5 * square / deviation**2)
        design = np.stack([p.x, np.ones_like(p.x)], -1)
        normal = design.T @ (w[:, None] * design) + ridge * cell_pixels * p.full * np.eye(2)
        slope, level = np.linalg.solve(normal, design.T @ (w * p.left))
        r = float(frame.relative[row, column])
        fitted = line[0] * r + line[1] + slope * (r - p.centre) / p.deviation + level
        depth.append(to_depth(form, np.array(fitted)))
    return np.array(depth)


def knn_affine(frame, form, anchors, line, neighbours=5, ridge=0.001):
    """The line through the nearest anchors, weights 1/(distance + 0.01) and the noise's.

    Of equally far ones the nearer ring of pixels counts first, then the upper row, then the left column; of at most
    256 anchors just row and column.
    """
    p = problem_of(anchors, form, line, rejecting=False)
    height, width = frame.relative.shape
    v = (np.arange(height) + 0.5) * (anchors.shape[0] / height) - 0.5
    u = (np.arange(width) + 0.5) * (anchors.shape[1] / width) - 0.5
    places = np.stack(np.meshgrid(v, u, indexing="ij"), -1).reshape(-1, 2)
    count = min(neighbours, len(anchors.index))
    tree = cKDTree(np.stack([anchors.row, anchors.column], -1))
    # At most twelve are as near as the fifth: four around a corner of pixels, then eight.
    _, nearest = tree.query(places, k=min(count + 8, len(anchors.index)))
    rows, columns = anchors.row[nearest], anchors.column[nearest]
    square = (columns - places[:, 1:]) ** 2 + (rows - places[:, :1]) ** 2
    centre = np.clip(np.floor(places + 0.5), 0, np.array(anchors.shape) - 1)
    ring = np.maximum(np.abs(rows - centre[:, :1]), np.abs(columns - centre[:, 1:]))
    if len(anchors.index) <= 256:
        ring = 0 * ring
    order = np.lexsort((columns, rows, ring, square), axis=1)[:, :count]
    nearest = np.take_along_axis(nearest, order, axis=1)
    distance = np.sqrt(np.take_along_axis(square, order, axis=1))
    w = p.weight[nearest] / (distance + 0.01)
    w /= w.sum(axis=1, keepdims=True)
    x, y = p.x[nearest], p.left[nearest]
    mx, my = (w * x).sum(axis=1), (w * y).sum(axis=1)
    slope = (w * (x - mx[:, None]) * (y - my[:, None])).sum(axis=1)
    slope /= (w * (x - mx[:, None]) ** 2).sum(axis=1) + ridge
    r = frame.relative.astype(float).ravel()
    fitted = line[0] * r + line[1] + my + slope * ((r - p.centre) / p.deviation - mx)
    fitted[~np.isfinite(r)] = np.nan
    shape = frame.relative.shape
    return to_depth(form, fitted).reshape(shape)


def residual(frame, form, anchors, line, deviation=8.0):
    """Global line times exp of a locally linear, biweighted mean of ln(LiDAR/line)."""
    at_anchors = to_depth(form, line[0] * anchors.relative.astype(float) + line[1])
    logs = np.log(anchors.depth / at_anchors).astype(float)
    fine, coarse = Grid(anchors, deviation), Grid(anchors, 4 * deviation)

    def field(grid, weight, fallback):
        rows, columns = grid.shape
        y = (anchors.row + 0.5) * rows / anchors.shape[0] - 0.5 * rows
        x = (anchors.column + 0.5) * columns / anchors.shape[1] - 0.5 * columns
        y0 = (np.arange(rows) + 0.5 - 0.5 * rows)[:, None]
        x0 = (np.arange(columns) + 0.5 - 0.5 * columns)[None, :]
        s = {
            name: grid.sums(weight * value)
            for name, value in dict(
                w=1, x=x, y=y, xx=x * x, xy=x * y, yy=y * y, v=logs, xv=x * logs, yv=y * logs).items()
        }
        prior = 1e-4 * grid.pixels
        w = s["w"] + prior
        more = 0.1 * 4 * w
        dx, dy = s["x"] - x0 * s["w"], s["y"] - y0 * s["w"]
        xx = s["xx"] - 2 * x0 * s["x"] + x0**2 * s["w"] + more
        yy = s["yy"] - 2 * y0 * s["y"] + y0**2 * s["w"] + more
        xy = s["xy"] - x0 * s["y"] - y0 * s["x"] + x0 * y0 * s["w"]
        normal = np.stack(
            [np.stack([w, dx, dy], -1), np.stack([dx, xx, xy], -1), np.stack([dy, xy, yy], -1)], -2)
        right = np.stack(
            [s["v"] + prior * fallback, s["xv"] - x0 * s["v"], s["yv"] - y0 * s["v"]], -1)
        return np.linalg.solve(normal, right[..., None])[..., 0, 0].astype("f4")

    left = logs
    for _ in range(2):
        scale = MAD_TO_SIGMA * np.median(np.abs(left))
        weight = anchors.weight * biweight(left / (3 * scale + 2 * anchors.deviation))
        wide = reference.sample_at_centres(field(coarse, weight, 0), fine.shape)
        values = field(fine, weight, wide)
        left = logs - reference.sample_at_centres(values, anchors.shape).ravel()[anchors.index]
    r = frame.relative.astype(float)
    whole = to_depth(form, np.where(np.isfinite(r), line[0] * r + line[1], np.nan))
    ratio = np.exp(reference.sample_at_centres(values, r.shape).astype("f4"))
    return np.clip(whole * ratio, np.float32(CLAMP[0]), np.float32(CLAMP[1]))


MAPS = {
    "guided": guided,
    "lwlr": lwlr,
    "knn-affine": knn_affine,
    "residual": residual,
}
