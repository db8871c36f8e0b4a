"""Every protocol preset against numpy, on a small data set made here.

    python check_protocols.py FATHOM          FATHOM is the command

The data have what tells protocols apart: truth of 640x480 nearer than 0.1 m and farther than 10 and 80 m, holes,
scenes of different length, a prediction that leaves the limits. Metrics, crops, alignments (numpy.linalg.lstsq), limits
and averages are written from the sources that the presets name; `protocols.csv` of `--protocol-diff` and the tables of
`--protocol NAME` must agree in every cell, and stored predictions with their definition.
"""

import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Reference"))
import depth_reference as reference  # noqa: E402
import run_tables  # noqa: E402

TOLERANCE = 5e-7  # squares are added in single precision; alignments: lstsq on raw columns against centred ones
METRICS = ["coverage", "abs_rel", "sq_rel_m", "mae_m", "rmse_m", "rmse_log", "log10", "silog", "delta_1", "delta_2", "delta_3"]
METHODS = ["lidar-nearest", "lidar-bilinear", "ols@disparity", "stored:metric", "stored:relative"]


def fractions(rows, columns):
    return lambda h, w: (slice(int(rows[0] * h), int(rows[1] * h)), slice(int(columns[0] * w), int(columns[1] * w)))


def whole(h, w):
    return slice(0, h), slice(0, w)


def nyu(h, w):
    return slice(45, 471), slice(41, 601)


# name: truth range (low, high, high included), crop, alignment, limits, what is resized other than depth, mean over
PRESETS = {
    "fathom": ((0.1, 10, True), whole, None, None, False, "scenes"),
    "arkitscenes": ((0.01, np.inf, False), whole, None, None, "truth", "images"),
    "nyu-eigen": ((1e-3, 10, False), nyu, None, (1e-3, 10), False, "images"),
    "kitti-eigen": ((1e-3, 80, False), fractions((0.3324324, 0.91351351), (0.0359477, 0.96405229)), None, (1e-3, 80), "disparity", "images"),
    "kitti-garg": ((1e-3, 80, False), fractions((0.40810811, 0.99189189), (0.03594771, 0.96405229)), None, (1e-3, 80), "disparity", "images"),
    "marigold": ((1e-3, 10, False), whole, "depth", (1e-3, 10), False, "images"),
    "marigold-nyu": ((1e-3, 10, False), nyu, "depth", (1e-3, 10), False, "images"),
    "moge-disparity": ((0, np.inf, False), whole, "disparity", "largest truth", False, "images"),
    "monodepth2": ((1e-3, 80, False), fractions((0.40810811, 0.99189189), (0.03594771, 0.96405229)), "median", (1e-3, 80), "disparity", "images"),
    "marigold-disparity": ((1e-3, 10, False), whole, "disparity from 0.001", (1e-3, 10), False, "images"),
    "depthcrafter": ((1e-3, 70, False), whole, "disparity from 0.001 over scene", (1e-3, 70), False, "scenes"),
    "diode": ((0, np.inf, False), whole, None, None, False, "images"),
    "moge-scale": ((0, np.inf, False), whole, "absolute scale", None, False, "images"),
    "moge-affine": ((0, np.inf, False), whole, "absolute", None, False, "images"),
    "depth-anything-v2": ((1e-3, 20, True), whole, None, None, False, "images"),
    "zoedepth-outdoor": ((1e-3, 80, False), fractions((0.40810811, 0.99189189), (0.03594771, 0.96405229)), None, (1e-3, 80), False, "images"),
    "ibims-1": ((0, 10, False), nyu, None, (0, 10), False, "images"),
    "ddad": ((0, 200, False), whole, None, (0, 200), False, "images"),
    "marigold-kitti": ((1e-5, 80, False), fractions((0.3324324, 0.91351351), (0.0359477, 0.96405229)), "depth", (1e-5, 80), False, "images"),
    "marigold-eth3d": ((1e-5, np.inf, False), whole, "depth", (1e-5, np.inf), False, "images"),
    "marigold-diode": ((0, np.inf, False), whole, "depth", (0.6, 350), False, "images"),
    "ultralytics": ((1e-3, 100, False), whole, "median", (1e-3, 100), False, "images"),
    "ultralytics-log": ((1e-3, 100, False), whole, "log", (1e-3, 100), False, "images"),
}


def make_data(path):
    """Scenes of 3 and 1 frames: a tilted floor with a box, LiDAR with noise and holes, a noisy disparity map."""
    rng = np.random.default_rng(11)
    with h5py.File(path, "w") as file:
        file.attrs["format"], file.attrs["version"] = "fathom", 1
        for scene, count in (("long", 3), ("short", 1)):
            group = file.create_group(f"scenes/{scene}")
            v, u = np.mgrid[0:480, 0:640] / 480
            truth = np.stack([1.2 + 0.3 * k + 2.5 * v + 0.7 * u + (0.8 if scene == "short" else 0) for k in range(count)])
            truth[:, 100:200, 150:300] -= 0.6
            truth[:, :8] = 0.05
            truth[:, 8:20] = 14 + 3 * u[8:20]
            truth[:, 20:24, :200] = 120
            truth[:, 60:90, 400:500] = np.nan
            truth = truth.astype("f4")
            filled = np.nan_to_num(truth, nan=3)
            lidar = filled[:, 5::10, 5::10] * (1 + 0.01 * rng.standard_normal((count, 48, 64)))
            lidar[rng.random(lidar.shape) < 0.05] = 0
            relative = 0.4 / filled[:, 4::8, 4::8] + 0.1 + 0.002 * rng.standard_normal((count, 60, 80))
            metric = 1.15 * filled[:, 1::2, 1::2] + 0.2 + 0.05 * rng.standard_normal((count, 240, 320))
            metric[:, 30:40, 30:60] = np.nan
            metric[:, 41:50, 30:60] = 300
            metric[:, 51:60, 30:60] = -1
            for name, values, attributes in (
                ("lidar/depth", lidar, {"units": "m"}),
                ("relative/values", relative, {"kind": "disparity"}),
                ("truth/depth", truth, {"units": "m", "independence": "render"}),
                ("predictions/metric/depth", metric, {"kind": "metric"}),
                ("predictions/relative/depth", 2 * relative[:, :, ::-1] - 0.1, {"kind": "disparity"}),
            ):
                dataset = group.create_dataset(name, data=values.astype("f4"), compression="gzip")
                for key, value in attributes.items():
                    dataset.attrs[key] = value


def prediction(path, frame, index, method):
    """The map (float64, NaN = missing) and how it is sampled."""
    if method in reference.BASELINES:
        return reference.returns(frame.lidar), reference.sample_nearest if method == "lidar-nearest" else reference.sample_at_centres
    if method.startswith("stored:"):
        with h5py.File(path) as file:
            stored = file[f"scenes/{frame.scene}/predictions/{method[7:]}/depth"][index]
        if method == "stored:metric":
            return stored.astype(float), reference.sample_at_centres
        fusion = reference.fitted(reference.Frame(lidar=frame.lidar, relative=stored), "ols", "disparity")
    else:
        fusion = reference.fuse(frame, method)
    return fusion.depth_map.astype(float), reference.sample_at_centres


def meet(depth, sample, truth, shape, rules):
    """Prediction (NaN where it is missing) and truth at the pixels that count."""
    (low, high, closed), crop, _, _, resized, _ = rules
    if resized == "truth":
        rows = np.arange(shape[0]) * truth.shape[0] // shape[0]
        columns = np.arange(shape[1]) * truth.shape[1] // shape[1]
        truth = truth[np.ix_(rows, columns)]
    if resized == "disparity":
        with np.errstate(invalid="ignore", divide="ignore"):
            near = np.where((depth > 0) & np.isfinite(depth), np.float32(1) / depth.astype("f4"), np.nan)
            depth = 1 / sample(near.astype(float), truth.shape)
    else:
        depth = sample(depth, truth.shape)
    counts = np.zeros(truth.shape, bool)
    counts[crop(*truth.shape)] = True
    with np.errstate(invalid="ignore"):
        counts &= np.isfinite(truth) & (truth > np.float32(low))
        counts &= truth <= np.float32(high) if closed else truth < np.float32(high)
        d, g = depth[counts], truth[counts].astype(float)
        d[~(np.isfinite(d) & (d > 0))] = np.nan
    return d, g


def weighted_median(values, weights):
    """Its place among the values."""
    order = np.argsort(values)
    total = np.cumsum(weights[order])
    return order[np.searchsorted(total, total[-1] / 2)]


def absolute_line(x, y, w):
    """Scale and shift of least Σ w|y − αx − β|: for a slope the best line goes through a weighted median, and what is left is convex."""

    def rises(scale):
        rest = y - scale * x
        pixel = weighted_median(rest, w)
        return np.sum(w * (x - x[pixel]) * np.sign(rest - rest[pixel])) < 0

    start = np.polyfit(x, y, 1)[0]
    width = abs(start) / 4
    low, high = start - width, start + width
    while rises(low):
        low -= width
    while not rises(high):
        high += width
    for _ in range(34):  # to 1e-11 of the slope
        middle = (low + high) / 2
        low, high = (low, middle) if rises(middle) else (middle, high)
    rest = y - (low + high) / 2 * x
    return (low + high) / 2, rest[weighted_median(rest, w)]


def line(d, g, alignment):
    """Scale and shift of the alignment."""
    known = ~np.isnan(d)
    if alignment == "median":
        return np.median(g[known]) / np.median(d[known]), 0
    if alignment == "absolute scale":
        return (g[known] / d[known])[weighted_median(g[known] / d[known], d[known] / g[known])], 0
    if alignment == "absolute":
        return absolute_line(d[known], g[known], 1 / g[known])
    if alignment == "log":
        return np.polyfit(np.log(d[known]), np.log(g[known]), 1)
    forward = (lambda z: z) if alignment == "depth" else (lambda z: 1 / z)
    design = np.column_stack([forward(d[known]), np.ones(known.sum())])
    return np.linalg.lstsq(design, forward(g[known]), rcond=None)[0]


def score(d, g, fit, rules):
    _, _, alignment, limits, _, _ = rules
    known = ~np.isnan(d)
    with np.errstate(invalid="ignore", divide="ignore"):
        if alignment in ("depth", "median", "absolute", "absolute scale"):
            d = fit[0] * d + fit[1]
        elif alignment == "log":
            d = np.exp(fit[0] * np.log(d) + fit[1])
        elif alignment:
            fitted = fit[0] / d + fit[1]
            if "0.001" in alignment:
                fitted = np.maximum(fitted, 1e-3)
            d = np.where(fitted > 0, 1 / fitted, np.where(known, np.inf, np.nan))
        if limits == "largest truth":
            d = np.minimum(d, g.max())
        elif limits:
            d = np.clip(d, *limits)
    d[~known] = np.nan
    return reference.pixel_metrics(d, g)


def averages(rows, over):
    """rows: scene -> list of metrics per frame."""
    def mean(values):
        values = [v for v in values if v is not None]
        return sum(values) / len(values) if values else None
    if over == "images":
        return {m: mean([r[m] for frames in rows.values() for r in frames]) for m in METRICS}
    return {m: mean([mean([r[m] for r in frames]) for frames in rows.values()]) for m in METRICS}


def expected(path, method, rules):
    rows, alignment = {}, rules[2]
    for scene in reference.scene_names(path):
        pixels = []
        for index, frame in enumerate(reference.read_frames(path, scene)):
            depth, sample = prediction(path, frame, index, method)
            pixels.append(meet(depth, sample, frame.truth, frame.relative.shape, rules))
        fits = [line(d, g, alignment) if alignment else None for d, g in pixels]
        if alignment and alignment.endswith("over scene"):
            fits = [line(*(np.concatenate(part) for part in zip(*pixels, strict=True)), alignment)] * len(pixels)
        rows[scene] = [score(d, g, fit, rules) for (d, g), fit in zip(pixels, fits, strict=True)]
    return averages(rows, rules[-1])


def steps(name):
    """Rules on the way from fathom to a preset: resampling, range, crop, alignment, limits, mean."""
    rules, target = list(PRESETS["fathom"]), PRESETS[name]
    yield tuple(rules)
    for part in (4, 0, 1, 2, 3, 5):
        if rules[part] != target[part]:
            rules[part] = target[part]
            yield tuple(rules)


def main(fathom):
    faults, cells, worst = [], 0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        data, run = f"{folder}/data.h5", f"{folder}/run"
        make_data(data)

        def evaluate(*options):
            subprocess.run([fathom, "evaluate", data, "--methods", ",".join(METHODS), "--output", run, "--overwrite", "--no-objects", "--quiet", *options], check=True, stdout=subprocess.DEVNULL)

        def compare(found, wanted, what):
            nonlocal cells, worst
            for metric in METRICS:
                cells += 1
                text, value = found[metric], wanted[metric]
                if (text == "") != (value is None):
                    faults.append(f"{what} {metric}: {text!r}, expected {value!r}")
                elif value is not None:
                    deviation = abs(float(text) - value) / max(abs(value), 1e-3)
                    worst = max(worst, deviation)
                    if not deviation <= TOLERANCE:
                        faults.append(f"{what} {metric}: {text}, expected {value!r}")

        evaluate("--protocol-diff")
        table = run_tables.rows(run, "protocols.csv")
        cache = {}
        for name in PRESETS:
            path = list(steps(name))
            for number, rules in enumerate(path):
                for method in METHODS:
                    key = (method, rules)
                    if key not in cache:
                        cache[key] = expected(data, method, rules)
                    rows = [r for r in table if (r["protocol"], r["step"], r["method"]) == (name, str(number), method)]
                    if len(rows) != 1:
                        faults.append(f"{name}, step {number}, {method}: {len(rows)} rows")
                        continue
                    compare(rows[0], cache[key], f"protocols.csv {name} step {number} {method}")
            last = {r["step"] for r in table if r["protocol"] == name and r["complete"] == "yes"}
            if last != {str(len(path) - 1)}:
                faults.append(f"{name}: complete at {last}, expected {len(path) - 1}")
        for name, rules in PRESETS.items():
            evaluate("--protocol", name)
            summary = {r["method"]: r for r in run_tables.rows(run, "summary.csv")}
            for method in METHODS:
                compare(summary[method], cache[(method, rules)], f"summary.csv {name} {method}")
    print(f"protocols: {cells} cells, worst relative deviation {worst:.1e}, {len(faults)} faults")
    for fault in faults[:20]:
        print("  " + fault)
    return 1 if faults else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
