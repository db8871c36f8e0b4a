"""How often `fathom fuse` is right about itself: the share of pixels whose error is at most 1.96 standard deviations.

    python coverage_table.py FATHOM [--method auto,lidar-bilinear] [--preset demo=3x2 …] [--seed 5203] [--data NAME FILE…]

Each data set is made by `fathom synthesize` with a seed that nothing was developed on. The truth is read at the nearest pixel. Prints a table of
Markdown: pooled over pixels, the same after the median of a frame's relative error is removed, which is its bias and shows in no frame; as spread over
scenes, and the share of those between 0.92 and 0.97; away from depth steps, and near them (more than 10 % of the depth within 5x5 pixels of the truth's map).
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np
from scipy.ndimage import maximum_filter, minimum_filter

PRESETS = ["sample=4x1", "demo=2x1", "phone=2x1", "noise-law=8x1", "zoo=12x1"]


def frames(data, fused):
    """(scene, depth, deviation, truth, near a step) of each fused frame, as lists of pixels."""
    for scene in fused["scenes"]:
        maps, truths = fused[f"scenes/{scene}/fused"], data[f"scenes/{scene}/truth/depth"]
        for index in range(len(maps["depth"])):
            depth, deviation, truth = maps["depth"][index], maps["deviation"][index], truths[index]
            rows = ((np.arange(depth.shape[0]) + 0.5) / depth.shape[0] * truth.shape[0]).astype(int)
            columns = ((np.arange(depth.shape[1]) + 0.5) / depth.shape[1] * truth.shape[1]).astype(int)
            known = np.where(truth > 0, truth, np.nan)
            steps = maximum_filter(truth, 5) - minimum_filter(truth, 5) > 0.1 * truth
            true, step = known[np.ix_(rows, columns)], steps[np.ix_(rows, columns)]
            usable = np.isfinite(depth) & np.isfinite(deviation) & np.isfinite(true)
            if usable.any():
                yield scene, depth[usable], deviation[usable], true[usable], step[usable]


def share(values):
    return f"{values.mean():.3f}" if len(values) else "–"


def row(name, method, files):
    """A line of the table: of data sets and what was fused of them, as one."""
    found = []
    for path, fused in files:
        with h5py.File(path) as read, h5py.File(fused) as maps:
            found += [(f"{path}/{scene}", *rest) for scene, *rest in frames(read, maps)]
    z = [(depth - true) / deviation for _, depth, deviation, true, _ in found]
    inside, steps = np.concatenate([np.abs(v) <= 1.96 for v in z]), np.concatenate([f[4] for f in found])
    unbiased = np.concatenate([np.abs(depth / np.median(depth / true) - true) <= 1.96 * deviation for _, depth, deviation, true, _ in found])
    scenes = {}
    for frame, values in zip(found, z):
        scenes.setdefault(frame[0], []).append(np.abs(values) <= 1.96)
    covered = np.array([np.concatenate(parts).mean() for parts in scenes.values()])
    pooled = np.concatenate(z)
    spread = 1.4826 * np.median(np.abs(pooled - np.median(pooled)))
    relative = np.median(np.concatenate([f[2] / f[1] for f in found]))
    error = np.median(np.abs(np.concatenate([(f[1] - f[3]) / f[3] for f in found])))
    return (
        f"| {name} | `{method}` | {len(covered)} | {share(inside)} | {share(unbiased)} | {np.median(covered):.3f} ({covered.min():.3f}–{covered.max():.3f}) | {100 * ((covered >= 0.92) & (covered <= 0.97)).mean():.0f} | "
        f"{share(inside[~steps])} | {share(inside[steps])} | {spread:.2f} | {100 * relative:.2f} | {100 * error:.2f} |"
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fathom")
    parser.add_argument("--method", default="auto,lidar-bilinear,image-guided,ols,lwlr,knn-affine,guided,residual")
    parser.add_argument("--preset", nargs="*", default=PRESETS)
    parser.add_argument("--seed", default="5203")
    parser.add_argument("--data", nargs="+", help="a name, and data sets that make a row together; without presets then")
    parser.add_argument("--keep", help="folder in which data sets stay and are found again")
    given = parser.parse_args()
    fathom = str(Path(given.fathom).resolve())
    print("| data | method | scenes | covered | without bias | median of scenes (range) | scenes in 0.92–0.97, % | away from steps | at steps | spread of z | median σ, % | median error, % |")
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(given.keep or folder)
        sets = [(given.data[0], [Path(path) for path in given.data[1:]])] if given.data else []
        for words in [] if given.data else given.preset:
            name, _, counts = words.partition("=")
            scenes, _, count = counts.partition("x")
            data = place / f"{name}-{given.seed}-{counts}.h5"
            if not data.exists():
                options = ["--preset", name, "--scenes", scenes, "--frames", count, "--seed", given.seed]
                subprocess.run([fathom, "synthesize", data, *options, "--quiet"], check=True)
            sets.append((f"{name}, seed {given.seed}", [data]))
        for name, paths in sets:
            for method in given.method.split(","):
                files = [(path, place / f"{path.stem}-{method}-fused.h5") for path in paths]
                for path, fused in files:
                    subprocess.run([fathom, "fuse", path, "--method", method, "--output", fused, "--overwrite", "--quiet"], check=True)
                print(row(name, method, files), flush=True)
                for _, fused in files:
                    fused.unlink()



if __name__ == "__main__":
    sys.exit(main())
