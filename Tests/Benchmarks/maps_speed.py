"""Times `fathom evaluate --prediction … --truth …` beside a lean loop in numpy, and in torch where it is installed.

    python maps_speed.py FATHOM [IMAGES]

654 images of 640×480 are made here: truth in 16-bit PNG of millimetres, one network's depth in .npy. The loops read the same files and
compute every metric that `frames.csv` holds of such a run, in the manner of torchmetrics: image by image, mean over images. They
are run in turns with the command, three times each, and the fastest counts. The means must agree to 1e-6, and no metric of the run may
be missing in the loops, else nothing is printed. The command also writes the tables by range and at steps, statistics and the page.
"""
import csv
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import boundary
import cv2
import numpy

COLUMNS = [
    "abs_rel", "sq_rel_m", "rmse_m", "rmse_log", "log10", "silog", "mae_m", "median_ae_m", "p90_ae_m", "p95_ae_m", "bias_m",
    "delta_1", "delta_2", "delta_3", "irmse_per_m", "delta_0_5", "delta_103", "delta_105", "imae_per_km", "scale_error",
    "sq_rel_kitti", "irmse_per_km", "boundary_f1",
]
THRESHOLDS = [1.25, 1.25**2, 1.25**3]
MORE_THRESHOLDS = [1.25**0.5, 1.03, 1.05]


def make(folder, count):
    random = numpy.random.default_rng(0)
    y, x = numpy.mgrid[0:480, 0:640].astype(numpy.float32)
    for part in ("truth", "net"):
        (folder / part).mkdir()
    for index in range(count):
        wave = numpy.sin(x / random.uniform(30, 90) + index) + numpy.cos(y / random.uniform(30, 90))
        depth = 3 + 0.8 * wave + random.normal(0, 0.01, x.shape).astype(numpy.float32)
        left, top = random.integers(0, 400), random.integers(0, 300)
        depth[top : top + 150, left : left + 200] *= 0.6  # Something that stands in front.
        counts = numpy.round(depth * 1000).astype(numpy.uint16)
        counts[random.random(x.shape) < 0.05] = 0
        cv2.imwrite(str(folder / f"truth/{index:04}.png"), counts)
        noise = random.normal(1.02, 0.03, x.shape).astype(numpy.float32)
        numpy.save(folder / f"net/{index:04}.npy", (depth * noise).astype(numpy.float32))


def read(folder, name):
    counts = cv2.imread(str(folder / f"truth/{name}.png"), cv2.IMREAD_UNCHANGED)
    return counts, numpy.load(folder / f"net/{name}.npy")


def with_numpy(folder, names):
    rows = []
    for name in names:
        counts, depth = read(folder, name)
        truth = counts.astype(numpy.float64) * 0.001
        known = (truth > 0.1) & (truth <= 10)
        g, d = truth[known], depth[known].astype(numpy.float64)
        error = d - g
        size, square, logs = numpy.abs(error), error * error, numpy.log(d) - numpy.log(g)
        ratio = numpy.maximum(d / g, g / d)
        inverse = 1 / d - 1 / g
        median, p90, p95 = numpy.quantile(size, [0.5, 0.9, 0.95])
        irmse = numpy.sqrt((inverse * inverse).mean())
        truth[~known] = numpy.nan
        rows.append([
            (size / g).mean(), (square / g).mean(), numpy.sqrt(square.mean()), numpy.sqrt((logs * logs).mean()),
            numpy.abs(logs).mean() / numpy.log(10), 100 * logs.std(), size.mean(), median, p90, p95, error.mean(),
            *((ratio < threshold).mean() for threshold in THRESHOLDS), irmse,
            *((ratio < threshold).mean() for threshold in MORE_THRESHOLDS), 1000 * numpy.abs(inverse).mean(),
            abs(numpy.median(g) / numpy.median(d) - 1), (square / (g * g)).mean(), 1000 * irmse,
            boundary.f1(depth.astype(numpy.float64), truth),
        ])
    return numpy.mean(rows, axis=0)


def with_torch(torch):
    def loop(folder, names):
        rows = []
        for name in names:
            counts, depth = read(folder, name)
            truth = torch.from_numpy(counts.astype(numpy.float64)) * 0.001
            known = (truth > 0.1) & (truth <= 10)
            g, d = truth[known], torch.from_numpy(depth)[known].double()
            error = d - g
            size, square, logs = error.abs(), error * error, d.log() - g.log()
            ratio = torch.maximum(d / g, g / d)
            inverse = 1 / d - 1 / g

            def quantiles(values, shares):
                order = values.sort().values
                for share in shares:
                    place = share * (len(order) - 1)
                    low = int(place)
                    yield torch.lerp(order[low], order[min(low + 1, len(order) - 1)], place - low)

            irmse = (inverse * inverse).mean().sqrt()
            truth[~known] = torch.nan
            wide = torch.from_numpy(depth).double()
            across = wide[:, 1:] / wide[:, :-1], truth[:, 1:] / truth[:, :-1]
            along = wide[1:] / wide[:-1], truth[1:] / truth[:-1]
            recalls, precisions, thresholds = 0, 0, torch.from_numpy(boundary.RATIOS)
            for step, true_step in (across, along):
                steps = torch.maximum(torch.maximum(step, 1 / step), torch.maximum(true_step, 1 / true_step)) > boundary.RATIOS[0]
                step, true_step = step[steps], true_step[steps]
                for sign in (1, -1):
                    found, there = torch.searchsorted(thresholds, step**sign), torch.searchsorted(thresholds, true_step**sign)

                    def beyond(counts):
                        return torch.bincount(counts, minlength=11).flip(0).cumsum(0)[:-1].flip(0)
                    both = beyond(torch.minimum(found, there))
                    recalls = recalls + both / beyond(there).clamp(min=1) / 4
                    precisions = precisions + both / beyond(found).clamp(min=1) / 4
            f1 = 2 * recalls * precisions / (recalls + precisions).clamp(min=1e-300)
            rows.append(torch.stack([
                (size / g).mean(), (square / g).mean(), square.mean().sqrt(), (logs * logs).mean().sqrt(),
                logs.abs().mean() / numpy.log(10), 100 * logs.std(correction=0), size.mean(),
                *quantiles(size, (0.5, 0.9, 0.95)), error.mean(),
                *((ratio < threshold).double().mean() for threshold in THRESHOLDS), irmse,
                *((ratio < threshold).double().mean() for threshold in MORE_THRESHOLDS), 1000 * inverse.abs().mean(),
                (next(quantiles(g, [0.5])) / next(quantiles(d, [0.5])) - 1).abs(), (square / (g * g)).mean(), 1000 * irmse,
                (thresholds * f1).sum() / thresholds.sum(),
            ]))
        return torch.stack(rows).mean(0).numpy()
    return loop


def with_fathom(command):
    def run(folder, _):
        subprocess.run(
            [command, "evaluate", "--prediction", f"net:metric={folder / 'net'}", "--truth", str(folder / "truth"),
             "--truth-scale", "0.001", "--output", str(folder / "run"), "--overwrite", "--no-figures", "--no-gallery", "--quiet"],
            check=True, stdout=subprocess.DEVNULL)
        with open(folder / "run/frames.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        given = list(rows[0])
        metrics = given[given.index("coverage") + 1:]
        missing = {name for name in metrics if rows[0][name]} - set(COLUMNS)
        assert not missing, f"the loops do not compute {missing}"
        return numpy.mean([[float(row[column]) for column in COLUMNS] for row in rows], axis=0)
    return run


def main():
    command, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 654
    loops = {"numpy": with_numpy, "fathom": with_fathom(command)}
    try:
        import torch
        loops["torch"] = with_torch(torch)
    except ImportError:
        print("torch is not installed: its loop is not timed")
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        make(folder, count)
        names = [f"{index:04}" for index in range(count)]
        seconds, means = {name: [] for name in loops}, {}
        for _ in range(3):
            for name, loop in loops.items():
                start = time.monotonic()
                means[name] = loop(folder, names)
                seconds[name].append(time.monotonic() - start)
        for name, values in means.items():
            assert numpy.allclose(values, means["numpy"], rtol=1e-6), (name, dict(zip(COLUMNS, values - means["numpy"])))
        for name, values in seconds.items():
            print(f"{name}: {count / min(values):.1f} images a second ({min(values):.2f} s, {min(seconds['numpy']) / min(values):.2f} × numpy)")
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        print(f"the largest process of fathom: {peak / 1024:.0f} MiB")


main()
