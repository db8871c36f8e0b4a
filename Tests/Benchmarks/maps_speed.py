"""Times `fathom evaluate --prediction … --truth …` beside a lean loop in numpy, and in torch where it is installed.

    python maps_speed.py FATHOM [IMAGES]

654 images of 640×480 are made here: truth in 16-bit PNG of millimetres, one network's depth in .npy. The loops read the same files and
compute the pixel metrics that every row of `frames.csv` holds, in the manner of torchmetrics: image by image, mean over images. They
are run in turns with the command, three times each, and the fastest counts. The means must agree to 1e-6, else nothing is printed.
"""
import csv
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import cv2
import numpy

COLUMNS = [
    "abs_rel", "sq_rel_m", "rmse_m", "rmse_log", "log10", "silog", "mae_m", "median_ae_m", "p90_ae_m", "p95_ae_m", "bias_m",
    "delta_1", "delta_2", "delta_3", "irmse_per_m",
]


def make(folder, count):
    random = numpy.random.default_rng(0)
    y, x = numpy.mgrid[0:480, 0:640].astype(numpy.float32)
    for part in ("truth", "net"):
        (folder / part).mkdir()
    for index in range(count):
        wave = numpy.sin(x / random.uniform(30, 90) + index) + numpy.cos(y / random.uniform(30, 90))
        depth = 3 + 0.8 * wave + random.normal(0, 0.01, x.shape).astype(numpy.float32)
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
        median, p90, p95 = numpy.quantile(size, [0.5, 0.9, 0.95])
        rows.append([
            (size / g).mean(), (square / g).mean(), numpy.sqrt(square.mean()), numpy.sqrt((logs * logs).mean()),
            numpy.abs(logs).mean() / numpy.log(10), 100 * logs.std(), size.mean(), median, p90, p95, error.mean(),
            *((ratio < 1.25**power).mean() for power in (1, 2, 3)), numpy.sqrt(((1 / d - 1 / g) ** 2).mean()),
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
            order = size.sort().values
            quantiles = []
            for share in (0.5, 0.9, 0.95):
                place = share * (len(order) - 1)
                low = int(place)
                quantiles.append(torch.lerp(order[low], order[min(low + 1, len(order) - 1)], place - low))
            rows.append(torch.stack([
                (size / g).mean(), (square / g).mean(), square.mean().sqrt(), (logs * logs).mean().sqrt(),
                logs.abs().mean() / numpy.log(10), 100 * logs.std(correction=0), size.mean(), *quantiles, error.mean(),
                *((ratio < 1.25**power).double().mean() for power in (1, 2, 3)), ((1 / d - 1 / g) ** 2).mean().sqrt(),
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
