"""Holds `auto` against the raw LiDAR and the other methods on sensors and networks that Fathom's own simulator does not have (worlds.py).

    foreign_table.py FATHOM OUTPUT.csv [--seed N]… [--scenes N] [--truth WIDTHxHEIGHT] [--largest ROWS] [--law WORDS] [--data FOLDER]

A row for each law. Errors are those at the pixels that the LiDAR measures, means over frames; ratios to the raw LiDAR are means over scenes.
Seeds below 100 are for development. Those of docs/auto.md, 501 and 502, are looked at when a version is done, and nothing is chosen by them.
"""

import argparse
import csv
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np

from worlds import LAWS, scene_of

METHODS = "lidar-bilinear,smoothed,image-guided,ols,lad,lwlr,guided,residual,auto"
RAW, COLUMNS = "lidar-bilinear", ["mae_m_measured", "rmse_m_measured"]
UNSEEN = [501, 502]


def written(path, law, seeds, scenes, truth, largest):
    """A data set of a law."""
    with h5py.File(path, "w") as file:
        file.attrs["format"], file.attrs["version"] = "fathom", 1
        for seed in seeds:
            for number in range(scenes):
                arrays, camera = scene_of(law, seed, number, truth, largest)
                group = file.create_group(f"scenes/seed-{seed}-{number:02d}")
                for name, (values, attributes) in arrays.items():
                    options = {"chunks": (1, *values.shape[1:]), "compression": "gzip", "compression_opts": 1} if values.ndim > 2 else {}
                    group.create_dataset(name, data=values, **options).attrs.update(attributes)
                group["camera"].attrs.update(camera)


def evaluated(fathom, data, folder):
    """By scene and method the means over frames of both errors; a frame that a method refuses is the raw LiDAR's."""
    subprocess.run(
        [fathom, "evaluate", str(data), "--methods", METHODS, "--no-objects", "--output", str(folder), "--overwrite", "--quiet"],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(folder / "frames.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    raw = {(row["scene"], row["frame"]): row for row in rows if row["method"] == RAW and row[COLUMNS[0]]}
    found = {}
    for row in rows:
        key = (row["scene"], row["frame"])
        if key in raw:
            found.setdefault(row["scene"], {}).setdefault(row["method"].split("@")[0], []).append(
                [float(row[column] or raw[key][column]) for column in COLUMNS])
    return {scene: {name: np.mean(values, 0) for name, values in by.items()} for scene, by in found.items()}


def row_of(law, by_scene):
    """One row of the table."""
    ratios = {
        method: np.array([by[method] / by[RAW] for by in by_scene.values()])
        for method in next(iter(by_scene.values())) if method not in (RAW, "spec")}
    auto = ratios.pop("auto")
    best = min(ratios, key=lambda name: ratios[name][:, 0].mean())
    # Of a mean over scenes that are drawn independently.
    interval = 1.96 * auto.std(0, ddof=1) / np.sqrt(len(auto)) if len(auto) > 1 else [np.nan, np.nan]
    return {
        "law": law, "scenes": len(by_scene),
        "auto_mae_ratio": f"{auto[:, 0].mean():.3f}", "mae_interval": f"{interval[0]:.3f}",
        "auto_rmse_ratio": f"{auto[:, 1].mean():.3f}", "rmse_interval": f"{interval[1]:.3f}",
        "worst_scene_mae": f"{auto[:, 0].max():.3f}", "worst_scene_rmse": f"{auto[:, 1].max():.3f}",
        "best_other": best, "best_other_mae_ratio": f"{ratios[best][:, 0].mean():.3f}",
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fathom")
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--seed", type=int, action="append", help="may be repeated; 501 and 502 without it")
    parser.add_argument("--scenes", type=int, default=4, help="of each law and seed")
    parser.add_argument("--truth", default="480x360")
    parser.add_argument("--largest", type=int, default=480, help="rows of the largest sensor")
    parser.add_argument("--law", default="", help="only laws whose name holds these words")
    parser.add_argument("--data", type=pathlib.Path, help="keep the data sets in this folder")
    options = parser.parse_args()
    width, height = map(int, options.truth.split("x"))
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.data or pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for number, law in enumerate(LAWS):
            if options.law not in law:
                continue
            data = folder / f"law-{number:02d}.h5"
            if not data.exists():
                written(data, law, options.seed or UNSEEN, options.scenes, (height, width), options.largest)
            if options.fathom == "-":
                continue
            rows.append(row_of(law, evaluated(options.fathom, data, pathlib.Path(scratch) / "run")))
            print("| " + " | ".join(str(value) for value in rows[-1].values()) + " |", flush=True)
    if rows:
        with open(options.output, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    sys.exit(main())
