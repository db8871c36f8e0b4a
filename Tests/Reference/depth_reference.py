"""Independent reference of Fathom's fusion methods and depth metrics, in numpy.

Written from the specification alone, so that an agreement with the Swift package means two
readings of the same text agree. Clarity before speed: nothing here is shared with the package.

Conventions
    Arrays are `[row, column]`. Depth is metres. Image coordinates are continuous: the centre of
    column i lies at i + 1/2, so a map of width w is sampled for column x of a map of width W at
    (x + 1/2) * w / W - 1/2 (edges clamped).
    Missing values are NaN inside this module. A result that does not exist is `None`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import h5py
import numpy as np

F32 = np.float32

MINIMUM_PAIRS = 20
LIDAR_RANGE = (F32(0.1), F32(4.0))  # metres, compared in the data's own type: 0.1 stored is 0.1
TRUTH_RANGE = (F32(0.1), F32(10.0))  # protocol `fathom`: 0.1 < g <= 10
DEPTH_CLAMP = (0.01, 100.0)  # metres
DEGENERATE_SPREAD = 1e-6  # sd(x) / max|x| below this solves nothing
HUBER_TUNING = 1.345
MAD_TO_SIGMA = 1.4826

FORMS = ("depth", "disparity", "log")
FITTED = ("ols", "wls", "huber", "oracle")
BASELINES = ("lidar-nearest", "lidar-bilinear")
ALL_METHODS = BASELINES + ("spec", "shipped") + tuple(f"{m}@{f}" for m in FITTED for f in FORMS)

DELTA_THRESHOLDS = {"delta_0_5": 1.25**0.5, "delta_1": 1.25, "delta_2": 1.25**2, "delta_3": 1.25**3}
MAIN_METRICS = (
    "abs_rel", "sq_rel_m", "rmse_m", "rmse_log", "log10", "silog", "mae_m", "median_ae_m",
    "p90_ae_m", "p95_ae_m", "bias_m", "delta_0_5", "delta_1", "delta_2", "delta_3", "irmse_per_m",
)  # fmt: skip
SUPPORT_METRICS = ("abs_rel", "mae_m", "rmse_m", "delta_1")
METRIC_COLUMNS = (
    ("coverage",)
    + MAIN_METRICS
    + tuple(f"{m}_measured" for m in SUPPORT_METRICS)
    + tuple(f"{m}_filled" for m in SUPPORT_METRICS)
)


# --- Reading ------------------------------------------------------------------------------------


@dataclass
class Frame:
    """One frame of a schema-1 file. Arrays as stored (float32), nothing filtered."""

    lidar: np.ndarray
    confidence: np.ndarray | None = None
    relative: np.ndarray | None = None
    truth: np.ndarray | None = None
    scene: str = ""
    label: str = ""  # frame_id, or the index where there is none


def scene_names(path: str | Path) -> list[str]:
    with h5py.File(path, "r") as file:
        _require_schema(file)
        return sorted(file["scenes"])


def frame_labels(path: str | Path, scene: str) -> list[str]:
    """The `frame` column of every frame of a scene, in order."""
    with h5py.File(path, "r") as file:
        group = file["scenes"][scene]
        if "frame_id" in group:
            return [t.decode() if isinstance(t, bytes) else str(t) for t in group["frame_id"][...]]
        return [str(i) for i in range(group["lidar/depth"].shape[0])]


def read_frame(path: str | Path, scene: str, index: int) -> Frame:
    with h5py.File(path, "r") as file:
        _require_schema(file)
        group = file["scenes"][scene]
        confidence = group["lidar/confidence"][index] if "lidar/confidence" in group else None
        return Frame(
            lidar=_depth(group, "lidar/depth", index),
            confidence=confidence,
            relative=_values(group, "relative/values", index),
            truth=_depth(group, "truth/depth", index),
            scene=scene,
            label=frame_labels(path, scene)[index],
        )


def read_frames(path: str | Path, scene: str) -> Iterator[Frame]:
    for index in range(len(frame_labels(path, scene))):
        yield read_frame(path, scene, index)


def _require_schema(file: h5py.File) -> None:
    name = file.attrs.get("format")
    name = name.decode() if isinstance(name, bytes) else name
    if name != "fathom" or int(file.attrs.get("version", 0)) != 1:
        raise ValueError(f"{file.filename}: not a schema-1 fathom file")


def _values(group: h5py.Group, name: str, index: int) -> np.ndarray | None:
    if name not in group:
        return None
    dataset = group[name]
    values = dataset[index]
    if values.dtype.kind == "u":  # uint16 with `scale`
        return (values.astype(np.float64) * float(dataset.attrs["scale"])).astype(F32)
    return values.astype(F32)


def _depth(group: h5py.Group, name: str, index: int) -> np.ndarray | None:
    if name not in group:
        return None
    kind = group[name].attrs.get("kind", "planar")
    kind = kind.decode() if isinstance(kind, bytes) else kind
    if kind != "planar":
        raise NotImplementedError(f"{group.name}/{name}: kind {kind!r}, only planar is handled")
    return _values(group, name, index)


# --- Sampling -----------------------------------------------------------------------------------


def centre_positions(count: int, source_count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Per target pixel: lower neighbour, upper neighbour, weight of the upper one.

    Multiply, then divide: where the exact position is a whole pixel, so is the computed one, and
    a neighbour that has no weight gets none from rounding.
    """
    position = (np.arange(count) + 0.5) * source_count / count - 0.5
    position = np.clip(position, 0, source_count - 1)
    lower = np.floor(position).astype(int)
    return lower, np.minimum(lower + 1, source_count - 1), position - lower


def _interpolate(values: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    y0, y1, fy = centre_positions(shape[0], values.shape[0])
    x0, x1, fx = centre_positions(shape[1], values.shape[1])
    across = values[:, x0] * (1 - fx) + values[:, x1] * fx
    return across[y0] * (1 - fy)[:, None] + across[y1] * fy[:, None]


def sample_at_centres(values: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """`values` (NaN or infinite = missing) bilinearly at the pixel centres of a `shape` image.

    A sample is missing as soon as a missing neighbour has weight: the interpolated indicator of
    missing pixels is then positive.
    """
    known = np.isfinite(values)
    samples = _interpolate(np.where(known, values, 0).astype(np.float64), shape)
    if not known.all():
        samples[_interpolate((~known).astype(np.float64), shape) > 0] = np.nan
    return samples


def sample_nearest(values: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """Column floor((2x + 1) * w / (2 W)), rows alike, in integers."""
    rows = (2 * np.arange(shape[0]) + 1) * values.shape[0] // (2 * shape[0])
    columns = (2 * np.arange(shape[1]) + 1) * values.shape[1] // (2 * shape[1])
    return values[np.ix_(rows, columns)].astype(np.float64)


def returns(lidar: np.ndarray) -> np.ndarray:
    """LiDAR depth in float64 with NaN where there is no return (0, negative, non-finite)."""
    with np.errstate(invalid="ignore"):
        return np.where(np.isfinite(lidar) & (lidar > 0), lidar, np.nan).astype(np.float64)


# --- The fusion as the app has it, literally in Float32 -----------------------------------------


@dataclass
class Fusion:
    """What a method gave for one frame. `depth_map` exists only where it solved the frame."""

    status: str
    pairs: int | None = None
    scale: float | None = None
    shift: float | None = None
    depth_map: np.ndarray | None = None  # float32, size of the relative map
    at_truth: np.ndarray | None = None  # baselines: float64, already at the truth's pixels
    details: dict = field(default_factory=dict)


def sequential_sum(values: np.ndarray) -> np.float32:
    """Running Float32 sum in order. `np.sum` adds in pairs; an accumulation cannot."""
    return np.cumsum(values, dtype=F32)[-1] if values.size else F32(0)


def float32_bilinear(values: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The app's `bilinearSample` on a grid x × y: every product and sum rounded to Float32."""
    height, width = values.shape
    x0, y0 = x.astype(int), y.astype(int)
    x1, y1 = np.minimum(x0 + 1, width - 1), np.minimum(y0 + 1, height - 1)
    fx, fy = (x - x0.astype(F32))[None, :], (y - y0.astype(F32))[:, None]
    one = F32(1)
    with np.errstate(invalid="ignore", over="ignore"):
        v00, v10 = values[np.ix_(y0, x0)], values[np.ix_(y0, x1)]
        v01, v11 = values[np.ix_(y1, x0)], values[np.ix_(y1, x1)]
        samples = v00 * (one - fx) * (one - fy)
        samples = samples + v10 * fx * (one - fy)
        samples = samples + v01 * (one - fx) * fy
        samples = samples + v11 * fx * fy
    assert samples.dtype == F32
    return samples


def float32_line(x: np.ndarray, y: np.ndarray) -> tuple[np.float32, np.float32] | None:
    """The app's `leastSquaresFit`; None where the denominator is at most 1e-10 in size."""
    n = F32(len(x))
    with np.errstate(all="ignore"):
        sum_x, sum_y = sequential_sum(x), sequential_sum(y)
        sum_xy, sum_x2 = sequential_sum(x * y), sequential_sum(x * x)
        denominator = n * sum_x2 - sum_x * sum_x
        if not abs(denominator) > F32(1e-10):
            return None
        scale = (n * sum_xy - sum_x * sum_y) / denominator
        shift = (sum_y * sum_x2 - sum_x * sum_xy) / denominator
    return scale, shift


def spec(frame: Frame) -> Fusion:
    """The fusion as first written down."""
    if frame.relative is None:
        return Fusion("no_relative")
    lidar, relative = frame.lidar, frame.relative
    (h, w), (rh, rw) = lidar.shape, relative.shape
    x = np.arange(w, dtype=F32) / F32(w - 1) * F32(rw - 1)
    y = np.arange(h, dtype=F32) / F32(h - 1) * F32(rh - 1)
    r = float32_bilinear(relative, x, y)
    with np.errstate(invalid="ignore"):
        keep = np.isfinite(lidar) & (lidar > LIDAR_RANGE[0]) & (lidar < LIDAR_RANGE[1])
        keep &= np.isfinite(r) & (r > 0)
    if frame.confidence is not None:
        keep &= frame.confidence >= 2
    pairs = int(keep.sum())
    if pairs < MINIMUM_PAIRS:
        return Fusion("too_few_pairs", pairs)
    scale, shift = float32_line(r[keep], lidar[keep]) or (F32(1), F32(0))
    if not (scale > F32(0.01) and scale < F32(100) and np.isfinite(shift)):
        return Fusion("rejected_scale", pairs, float(scale), float(shift))
    with np.errstate(invalid="ignore", over="ignore"):
        depth = scale * relative + shift
        depth = np.maximum(F32(0.01), np.minimum(depth, F32(100)))
    depth[~np.isfinite(relative)] = F32(0.01)
    return Fusion("ok", pairs, float(scale), float(shift), depth)


def shipped(frame: Frame) -> Fusion:
    """The fusion as the published app has it."""
    if frame.relative is None:
        return Fusion("no_relative")
    lidar, relative = frame.lidar, frame.relative
    (h, w), (rh, rw) = lidar.shape, relative.shape
    if frame.confidence is None:
        return Fusion("too_few_pairs", 0)
    x = np.arange(w, dtype=F32) * F32(rw) / F32(w)
    y = np.arange(h, dtype=F32) * F32(rh) / F32(h)
    r = float32_bilinear(relative, x, y)
    with np.errstate(invalid="ignore"):
        keep = np.isfinite(lidar) & (lidar >= LIDAR_RANGE[0]) & (lidar <= LIDAR_RANGE[1])
        keep &= (frame.confidence >= 2) & np.isfinite(r) & (r > F32(1e-6))
    pairs = int(keep.sum())
    if pairs < MINIMUM_PAIRS:
        return Fusion("too_few_pairs", pairs)
    line = float32_line(r[keep], lidar[keep])
    if line is None:
        return Fusion("degenerate", pairs)
    scale, shift = line
    if not (F32(1e-4) < abs(scale) < F32(1000) and np.isfinite(shift)):
        return Fusion("rejected_scale", pairs, float(scale), float(shift))
    with np.errstate(invalid="ignore", over="ignore"):
        depth = np.maximum(F32(0.01), scale * relative + shift)
    depth[~np.isfinite(relative)] = F32(0.01)
    return Fusion("ok", pairs, float(scale), float(shift), depth)


# --- Fitted methods -----------------------------------------------------------------------------


@dataclass
class Line:
    slope: float
    intercept: float
    rank: int
    singular_values: np.ndarray  # of the (weighted) design matrix [x 1]
    iterations: int = 0
    sigma: float | None = None


def fit_line(x: np.ndarray, y: np.ndarray, weights: np.ndarray | None = None) -> Line:
    """Weighted least squares y = slope x + intercept by LAPACK's gelsd (minimum norm)."""
    root = np.ones_like(x) if weights is None else np.sqrt(weights)
    design = np.column_stack([x * root, root])
    (slope, intercept), _, rank, singular = np.linalg.lstsq(design, y * root, rcond=None)
    return Line(float(slope), float(intercept), int(rank), singular)


def fit_huber(
    x: np.ndarray, y: np.ndarray, tolerance: float = 1e-10, max_iterations: int = 1000
) -> Line:
    """Huber's M-estimate by iteratively reweighted least squares from the OLS line.

    Scale and weights are renewed in every step: sigma = 1.4826 median|residual| (deviation about
    zero, as statsmodels' RLM), threshold k = 1.345 sigma, weight min(1, k / |residual|). Ends
    when no coefficient moves by more than `tolerance` of the larger one.
    """
    line = fit_line(x, y)
    for iteration in range(1, max_iterations + 1):
        size = np.abs(y - (line.slope * x + line.intercept))
        sigma = MAD_TO_SIGMA * float(np.median(size))
        line.sigma = sigma
        if sigma == 0:  # more than half of the points lie on the line
            return line
        threshold = HUBER_TUNING * sigma
        weights = np.minimum(1.0, threshold / np.maximum(size, np.finfo(float).tiny))
        previous, line = line, fit_line(x, y, weights)
        line.iterations, line.sigma = iteration, sigma
        change = max(abs(line.slope - previous.slope), abs(line.intercept - previous.intercept))
        if change <= tolerance * max(abs(line.slope), abs(line.intercept)):
            break
    return line


def to_form(form: str, r: np.ndarray, depth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The pair (x, y) in which the form is a line."""
    if form == "depth":
        return r, depth
    if form == "disparity":
        return r, 1 / depth
    return np.log(r), np.log(depth)


def apply_form(form: str, relative: np.ndarray, scale: float, shift: float) -> np.ndarray:
    """Depth map of the size of the relative map, clamped, float32; missing is NaN."""
    near, far = DEPTH_CLAMP
    r = relative.astype(np.float64)
    missing = ~np.isfinite(r)
    with np.errstate(all="ignore"):
        if form == "log":
            missing |= r <= 0
            depth = np.exp(scale * np.log(r) + shift)
        elif form == "depth":
            depth = scale * r + shift
        else:
            disparity = scale * r + shift
            depth = np.where(disparity <= 1 / far, far, 1 / disparity)
        depth = np.clip(depth, near, far)
    depth[missing] = np.nan
    return depth.astype(F32)


def lidar_pairs(frame: Frame, minimum_confidence: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(r, depth, confidence) of the selected LiDAR pixels, float64, row by row."""
    lidar = frame.lidar
    confidence = frame.confidence
    if confidence is None:
        confidence = np.full(lidar.shape, 2, dtype=np.uint8)
    r = sample_at_centres(frame.relative, lidar.shape)
    with np.errstate(invalid="ignore"):
        keep = np.isfinite(lidar) & (lidar > LIDAR_RANGE[0]) & (lidar < LIDAR_RANGE[1])
        keep &= (confidence >= minimum_confidence) & (r > 0)
    return r[keep], lidar[keep].astype(np.float64), confidence[keep]


def truth_pairs(frame: Frame) -> tuple[np.ndarray, np.ndarray]:
    """(r, truth) at every truth pixel of the protocol range that has a relative value above 0."""
    if frame.truth is None:
        return np.empty(0), np.empty(0)
    r = sample_at_centres(frame.relative, frame.truth.shape)
    with np.errstate(invalid="ignore"):
        keep = in_truth_range(frame.truth) & (r > 0)
    return r[keep], frame.truth[keep].astype(np.float64)


def fitted(frame: Frame, method: str, form: str) -> Fusion:
    """`ols`, `wls`, `huber` on the LiDAR or `oracle` on the truth, in one of the three forms."""
    if frame.relative is None:
        return Fusion("no_relative")
    weights = None
    if method == "oracle":
        r, depth = truth_pairs(frame)
    else:
        r, depth, confidence = lidar_pairs(frame, minimum_confidence=1 if method == "wls" else 2)
        if method == "wls":
            weights = np.array([0.0, 0.05, 1.0])[np.minimum(confidence, 2)]
    pairs = len(r)
    if pairs < MINIMUM_PAIRS:
        return Fusion("too_few_pairs", pairs)
    x, y = to_form(form, r, depth)
    largest = float(np.max(np.abs(x)))
    spread = float(np.std(x)) / largest if largest > 0 else 0.0
    if spread < DEGENERATE_SPREAD:
        return Fusion("degenerate", pairs, details={"spread": spread})
    line = fit_huber(x, y) if method == "huber" else fit_line(x, y, weights)
    if line.rank < 2:
        return Fusion("degenerate", pairs, details={"spread": spread})
    details = {"spread": spread, "rank": line.rank, "iterations": line.iterations}
    depth_map = apply_form(form, frame.relative, line.slope, line.intercept)
    return Fusion("ok", pairs, line.slope, line.intercept, depth_map, details=details)


def baseline(frame: Frame, method: str) -> Fusion:
    """The raw LiDAR at the truth's pixels; every return counts, whatever its confidence."""
    if frame.truth is None:
        return Fusion("ok")  # nothing to compare with: `evaluate` turns this into no_truth
    sample = sample_nearest if method == "lidar-nearest" else sample_at_centres
    return Fusion("ok", at_truth=sample(returns(frame.lidar), frame.truth.shape))


def fuse(frame: Frame, method: str) -> Fusion:
    if method in BASELINES:
        return baseline(frame, method)
    if method == "spec":
        return spec(frame)
    if method == "shipped":
        return shipped(frame)
    name, _, form = method.partition("@")
    if name not in FITTED or form not in FORMS:
        raise ValueError(f"unknown method {method!r}")
    return fitted(frame, name, form)


# --- Metrics ------------------------------------------------------------------------------------


def in_truth_range(truth: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        return np.isfinite(truth) & (truth > TRUTH_RANGE[0]) & (truth <= TRUTH_RANGE[1])


def delta_share(d: np.ndarray, g: np.ndarray, threshold: float, pixels: int) -> float:
    """Share of `pixels` truth pixels with max(d/g, g/d) below the threshold, strictly."""
    return int(np.count_nonzero(np.maximum(d / g, g / d) < threshold)) / pixels


def pixel_metrics(d: np.ndarray, g: np.ndarray) -> dict:
    """Every main metric and the coverage over one support: predictions `d` at truth pixels `g`.

    A prediction that is not finite or not above 0 is missing: it lowers `coverage`, counts as a
    miss in the deltas and is excluded from all other means. Without any valid pixel nothing has a
    value but the coverage, and without a truth pixel not even that.
    """
    values: dict = dict.fromkeys(("coverage",) + MAIN_METRICS)
    pixels = len(g)
    if pixels == 0:
        return values
    d, g = d.astype(np.float64), g.astype(np.float64)
    with np.errstate(invalid="ignore"):
        valid = np.isfinite(d) & (d > 0)
    values["coverage"] = int(np.count_nonzero(valid)) / pixels
    d, g = d[valid], g[valid]
    if len(d) == 0:
        return values
    error = d - g
    size = np.abs(error)
    log_error = np.log(d) - np.log(g)
    median, p90, p95 = np.quantile(size, [0.5, 0.9, 0.95], method="linear")
    values.update(
        abs_rel=np.mean(size / g),
        sq_rel_m=np.mean(error**2 / g),
        rmse_m=np.sqrt(np.mean(error**2)),
        rmse_log=np.sqrt(np.mean(log_error**2)),
        log10=np.mean(np.abs(np.log10(d) - np.log10(g))),
        # mean(e²) − mean(e)² without its cancellation
        silog=100 * np.std(log_error),
        mae_m=np.mean(size),
        median_ae_m=median,
        p90_ae_m=p90,
        p95_ae_m=p95,
        bias_m=np.mean(error),
        irmse_per_m=np.sqrt(np.mean((1 / d - 1 / g) ** 2)),
    )
    for name, threshold in DELTA_THRESHOLDS.items():
        values[name] = delta_share(d, g, threshold, pixels)
    return {k: None if v is None else float(v) for k, v in values.items()}


def all_metrics(d: np.ndarray, g: np.ndarray, measured: np.ndarray) -> dict:
    """The metric columns of `frames.csv`: all truth pixels, the measured ones, the filled ones."""
    row = pixel_metrics(d, g)
    for suffix, support in (("measured", measured), ("filled", ~measured)):
        part = pixel_metrics(d[support], g[support])
        row.update({f"{m}_{suffix}": part[m] for m in SUPPORT_METRICS})
    return row


def deltas_with_moved_thresholds(
    d: np.ndarray, g: np.ndarray, measured: np.ndarray, margin: float
) -> dict:
    """The delta columns with every threshold moved by a relative `margin`."""
    with np.errstate(invalid="ignore"):
        valid = np.isfinite(d) & (d > 0)
    result = {}
    supports = [("", np.ones_like(measured)), ("_measured", measured), ("_filled", ~measured)]
    for suffix, support in supports:
        keep = valid & support
        pixels = int(np.count_nonzero(support))
        for name in DELTA_THRESHOLDS if suffix == "" else ("delta_1",):
            threshold = DELTA_THRESHOLDS[name] * (1 + margin)
            share = delta_share(d[keep], g[keep], threshold, pixels) if keep.any() else None
            result[name + suffix] = share
    return result


# --- One row of frames.csv ----------------------------------------------------------------------


class FrameEvaluator:
    """Scores methods on one frame; what all methods share is computed once."""

    def __init__(self, frame: Frame):
        self.frame = frame
        self._fusions: dict[str, Fusion] = {}
        self.selected = None if frame.truth is None else in_truth_range(frame.truth)
        if self.has_truth:
            raw = sample_at_centres(returns(frame.lidar), frame.truth.shape)
            self.truth = frame.truth[self.selected].astype(np.float64)
            self.measured = np.isfinite(raw[self.selected])

    @property
    def has_truth(self) -> bool:
        return self.selected is not None and bool(self.selected.any())

    def fusion(self, method: str) -> Fusion:
        if method not in self._fusions:
            self._fusions[method] = fuse(self.frame, method)
        return self._fusions[method]

    def raster(self, fusion: Fusion) -> np.ndarray:
        """The method's depth at every truth pixel; NaN where it has none."""
        if fusion.at_truth is not None:
            return fusion.at_truth
        return sample_at_centres(fusion.depth_map, self.frame.truth.shape)

    def prediction(self, fusion: Fusion) -> np.ndarray:
        """The same at the truth pixels in range only."""
        return self.raster(fusion)[self.selected]

    def row(self, method: str, delta_margin: float = 0.0) -> dict:
        """Status, pairs, scale, shift and every metric column; None is an empty cell.

        With a `delta_margin` two more entries, `delta_low` and `delta_high`, hold the delta columns
        with thresholds lowered and raised by that relative margin: what rounding may decide.
        """
        return self.row_of(self.fusion(method), delta_margin)

    def row_of(self, fusion: Fusion, delta_margin: float = 0.0) -> dict:
        """The same for a result from elsewhere."""
        row: dict = dict.fromkeys(METRIC_COLUMNS)
        row.update(
            status=fusion.status, pairs=fusion.pairs, scale=fusion.scale, shift=fusion.shift
        )
        if fusion.status != "ok":
            return row
        if not self.has_truth:
            row["status"] = "no_truth"
            return row
        d = self.prediction(fusion)
        row.update(all_metrics(d, self.truth, self.measured))
        if delta_margin:
            for key, margin in (("delta_low", -delta_margin), ("delta_high", delta_margin)):
                row[key] = deltas_with_moved_thresholds(d, self.truth, self.measured, margin)
        return row


def evaluate(frame: Frame, methods: Iterable[str] = ALL_METHODS) -> dict[str, dict]:
    evaluator = FrameEvaluator(frame)
    return {method: evaluator.row(method) for method in methods}
