"""Compares the local methods with numpy and scipy: every pixel of one frame's maps, and the metrics of data sets.

    check_local.py PATH/TO/fathom [DATA.h5 ...]     exit 1 where they disagree

- maps: those that `fathom bench --export` writes of its frame, pixel by pixel; `lwlr` also against the regression
  solved at each pixel itself, without the grid
- metrics: every metric column of `fathom evaluate`, and the global line, on the committed sample, on real recordings
  where they are at hand, and on further files; one frame of a scene, at most six of a file
"""

import argparse
import csv
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Reference"))
import check_frames  # noqa: E402
import depth_reference as reference  # noqa: E402
import local_reference as local  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
# Largest relative difference of a pixel: Float32 resolves 6e-8, and the maps of the coefficients are Float32 too.
MAP_TOLERANCE = 2e-6
# The grid widens the Gaussian by 3 % and interpolates: 99 % of the pixels are this close to the exact regression.
GRID_TOLERANCE = 0.01
# Of a metric. `residual` multiplies by an exp in Float32, whose last bit (2e-7 m) is 2e-5 of a median error of 1 cm.
METRIC_TOLERANCE = {"guided": 1e-5, "lwlr": 1e-5, "knn-affine": 1e-5, "residual": 1e-4}
FRAMES_OF_A_FILE = 6


def exported_frame(folder: Path) -> reference.Frame:
    return reference.Frame(
        lidar=np.fromfile(folder / "lidar.f32", "f4").reshape(192, 256),
        confidence=np.fromfile(folder / "confidence.u8", "u1").reshape(192, 256),
        relative=np.fromfile(folder / "relative.f32", "f4").reshape(392, 518),
    )


def compare_maps(fathom: Path, problems: list[str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        command = [fathom, "bench", "--only", "spec", "--repetitions", "3", "--quiet", "--export", name]
        subprocess.run(command, check=True)
        frame = exported_frame(Path(name))
        ours = {m: np.fromfile(Path(name) / f"{m}.f32", "f4").reshape(392, 518) for m in local.MAPS}
    anchors = local.anchors_of(frame)
    line = local.global_line(anchors, "disparity")
    print(f"{'map of':<22}{'pixels':>8}{'largest':>10}{'allowed':>9}")

    def report(what, deviation, tolerance):
        print(f"{what:<22}{len(deviation):>8}{deviation.max():>10.2e}{tolerance:>9.0e}")
        if not deviation.max() <= tolerance:
            problems.append(f"map of {what}: {deviation.max():.3g}, at most {tolerance:.3g}")

    for method in local.MAPS:
        theirs = local.MAPS[method](frame, "disparity", anchors, line)
        if (np.isnan(theirs) != np.isnan(ours[method])).any():
            problems.append(f"map of {method}: other pixels are missing")
        report(method, np.abs(ours[method] / theirs - 1)[np.isfinite(theirs)], MAP_TOLERANCE)
    pixels = np.random.default_rng(1).integers(0, frame.relative.shape, (400, 2))
    exact = local.lwlr_exact(frame, "disparity", anchors, line, pixels)
    deviation = np.sort(np.abs(ours["lwlr"][tuple(pixels.T)] / exact - 1))
    report("lwlr without a grid", deviation[: int(0.99 * len(deviation))], GRID_TOLERANCE)


def compare_metrics(fathom: Path, data: Path, tallies: dict, problems: list[str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        command = [fathom, "evaluate", data, "--methods", ",".join(local.MAPS), "--frames", "0:1", "--no-objects"]
        subprocess.run([*command, "--output", f"{name}/run", "--quiet"], check=True)
        with open(f"{name}/run/frames.csv", newline="", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if row["method"] in local.MAPS]
    frames = list(dict.fromkeys((row["scene"], row["frame"]) for row in rows))[:FRAMES_OF_A_FILE]
    for scene, label in frames:
        frame = reference.read_frame(data, scene, reference.frame_labels(data, scene).index(label))
        own = [row for row in rows if (row["scene"], row["frame"]) == (scene, label)]
        if frame.relative is None or own[0]["status"] not in ("ok", "no_truth"):
            continue
        evaluator = reference.FrameEvaluator(frame)
        anchors = local.anchors_of(frame)
        for row in own:
            method, form = row["method"], row["space"]
            line = local.global_line(anchors, form)
            fusion = reference.Fusion(
                "ok", len(anchors.index), *line, local.MAPS[method](frame, form, anchors, line)
            )
            expected = evaluator.row_of(fusion, check_frames.DELTA_MARGIN)
            tolerance = METRIC_TOLERANCE[method]
            options = SimpleNamespace(tolerance=tolerance, huber_tolerance=tolerance, exact_float32=False)
            where = f"{data.stem}/{scene}/{label}"
            tally = check_frames.compare_row(where, method, row, expected, evaluator.has_truth, options)
            tallies.setdefault(method, check_frames.Tally()).merge(tally)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("fathom", type=Path)
    parser.add_argument("data", type=Path, nargs="*", help="further data sets")
    options = parser.parse_args()
    fathom, problems, tallies = options.fathom.resolve(), [], {}
    compare_maps(fathom, problems)
    real = Path(os.environ.get("FATHOM_REAL_DATA", ROOT.parent / "shared/data")) / "real-indoor.h5"
    data = [ROOT / "Datasets/sample.h5", *options.data]
    if real.exists():
        data.append(real)
    else:
        print("skipped: the real recordings are absent; set FATHOM_REAL_DATA to their folder")
    for path in data:
        compare_metrics(fathom, path, tallies, problems)
    print(f"{'metrics of':<22}{'frames':>8}{'cells':>6}{'largest':>10}{'allowed':>9}  where")
    for method, t in tallies.items():
        print(f"{method:<22}{t.frames:>8}{t.cells:>6}{t.largest:>10.2e}{METRIC_TOLERANCE[method]:>9.0e}  {t.where}")
        problems += [f"{method}: {line}" for line in t.disagreements]
    problems += [f"{m}: no metrics were compared" for m in local.MAPS if m not in tallies]
    print("\n".join(f"DIFFERS {line}" for line in problems[:40]) or "all agree")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
