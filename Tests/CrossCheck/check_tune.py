"""Recomputes a search of `fathom tune`: every metric of configurations by evaluations of their own, and every choice, held-out
gain and interval from the losses, with numpy and scipy.

    check_tune.py FATHOM DATA.h5 [--configurations N]

The search runs on all pixels and pairs here, so that its numbers must be those of `fathom evaluate` to 1e-7.
"""
import argparse
import csv
import math
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from scipy import stats

GRID = """
methods: [ols, wls, lad, ols@log]
min-confidence: [0, 1, 2]
max-depth: [1.5, 2.5, 4, 8]
min-depth: [0.1, 0.9]
min-pairs: [20, 25000]
position-mapping: [corners, centres]
"""
# As the configuration file of `evaluate` calls them.
AXES = ["methods", "min-confidence", "min-depth", "max-depth", "min-pairs", "position-mapping"]
TOLERANCE = 1e-7


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def number(text):
    return float(text) if text else math.nan


def agrees(a, b, tolerance=TOLERANCE):
    return (math.isnan(a) and math.isnan(b)) or abs(a - b) <= tolerance * max(1.0, abs(a), abs(b))


def run(*command):
    subprocess.run([str(part) for part in command], check=True)


def evaluated(fathom, data, row, folder):
    """Means over scenes of one configuration, without and with the raw LiDAR for refused frames."""
    flags = [f"--{axis}={row[axis.replace('-', '_')]}" for axis in AXES]
    run(fathom, "evaluate", data, *flags, "--no-objects", "--output", folder, "--overwrite", "--quiet")
    family = row["methods"].split("@")[0]
    frames = rows(folder / "frames.csv")
    own = [r for r in frames if r["method"].split("@")[0] == family]
    raw = {(r["scene"], r["frame"]): r for r in frames if r["method"] == "lidar-bilinear"}
    columns = [name for name in own[0] if name in row]
    result = {}
    for column in columns:
        if column in AXES or column in ("scene", "frame", "method", "space", "configuration", "scenes"):
            continue
        solved, fallback = {}, {}
        for r in own:
            is_solved = r["status"] == "ok" and number(r["coverage"]) > 0
            value = number(r[column]) if is_solved else math.nan
            stand_in = number(raw[r["scene"], r["frame"]][column])
            if column == "coverage":
                stand_in = 0.0
            solved.setdefault(r["scene"], []).append(value)
            fallback.setdefault(r["scene"], []).append(stand_in if math.isnan(value) else value)

        def mean(scenes):
            kept = [np.array(v)[~np.isnan(v)] for v in scenes.values()]
            means = [v.mean() for v in kept if v.size]
            return float(np.mean(means)) if means else math.nan

        result[column], result[column + "_fallback"] = mean(solved), mean(fallback)
    return result


def choice(losses, coverage, changes, scenes, candidates):
    """Least mean loss among what covers as much as the reference; then the fewest changes within one paired standard error."""
    floor = coverage[0, scenes].mean() - 0.001
    usable = [
        c for c in candidates if np.isfinite(losses[c, scenes]).all() and coverage[c, scenes].mean() >= floor
    ]
    means = {c: losses[c, scenes].mean() for c in usable}
    best = min(usable, key=lambda c: (means[c], changes[c], c))
    near = []
    for c in usable:
        difference = losses[c, scenes] - losses[best, scenes]
        error = stats.sem(difference) if len(scenes) > 1 and c != best else 0.0
        # A difference of rounding decides nothing.
        if means[c] - means[best] <= error + 1e-12 * abs(means[best]):
            near.append(c)
    return best, min(near, key=lambda c: (changes[c], means[c], c))


def check_verdicts(folder):
    table = rows(folder / "tune.csv")
    losses_table = rows(folder / "losses.csv")
    scenes = list(dict.fromkeys(r["scene"] for r in losses_table))
    losses = np.array([number(r["loss"]) for r in losses_table]).reshape(-1, len(scenes))
    coverage = np.array([number(r["coverage"]) for r in losses_table]).reshape(-1, len(scenes))
    changes = [int(r["changes"]) for r in table]
    labels = [[r[axis.replace("-", "_")] for axis in AXES] for r in table]
    count, faults, compared = len(scenes), [], 0

    def compare(name, found, expected, tolerance=TOLERANCE):
        nonlocal compared
        compared += 1
        if not agrees(number(str(found)), float(expected), tolerance):
            faults.append(f"{name}: {found}, numpy says {expected}")

    folds = rows(folder / "folds.csv")
    for verdict in rows(folder / "verdicts.csv"):
        varied = AXES if verdict["varied"] == "all" else verdict["varied"].split("+")
        candidates = [
            i for i, label in enumerate(labels)
            if all(a in varied or label[k] == labels[0][k] for k, a in enumerate(AXES))
        ]
        everything = np.arange(count)
        best, chosen = choice(losses, coverage, changes, everything, candidates)
        picks = [choice(losses, coverage, changes, np.delete(everything, s), candidates) for s in range(count)]
        held = [pick[1] for pick in picks]
        gains = np.array([losses[0, s] - losses[c, s] for s, c in enumerate(held)])
        nested = np.mean([losses[c, s] for s, c in enumerate(held)])
        folds_count = int(verdict["folds"])
        # Nadeau & Bengio 2003: choices from overlapping scenes are not independent.
        error = stats.sem(gains) * math.sqrt(1 + folds_count / (folds_count - 1))
        reach = stats.t.ppf(0.995, count - 1) * error
        name = verdict["varied"]
        compare(name + " best", verdict["best"], best)
        compare(name + " chosen", verdict["chosen"], chosen)
        compare(name + " gain", verdict["gain"], gains.mean())
        compare(name + " error", verdict["gain_standard_error"], error)
        compare(name + " low", verdict["gain_low_99"], gains.mean() - reach)
        compare(name + " high", verdict["gain_high_99"], gains.mean() + reach)
        compare(name + " nested", verdict["loss_nested"], nested)
        nested_best = np.mean([losses[pick[0], s] for s, pick in enumerate(picks)])
        compare(name + " optimism", verdict["optimism"], nested_best - losses[best].mean())
        change = chosen != 0 and count >= 5 and gains.mean() - reach > 0 and gains.mean() > error
        compare(name + " change", int(verdict["recommends_change"] == "true"), int(change))
        for row in (r for r in folds if r["varied"] == name):
            s = scenes.index(row["scene"])
            compare(f"{name} without {row['scene']}", row["configuration"], held[s])
            compare(f"{name} loss in {row['scene']}", row["loss"], losses[held[s], s])
    return compared, faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("fathom", type=pathlib.Path)
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--configurations", type=int, default=12, help="that are evaluated by themselves")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        (work / "grid.yaml").write_text(GRID, encoding="utf-8")
        run(arguments.fathom, "tune", arguments.data, "--grid", work / "grid.yaml", "--search-pixels", "all",
            "--search-pairs", "all", "--output", work / "tuned", "--quiet")
        table = rows(work / "tuned" / "tune.csv")
        step = max(1, len(table) // arguments.configurations)
        compared, faults = 0, []
        for row in table[::step]:
            for column, value in evaluated(arguments.fathom, arguments.data, row, work / "run").items():
                if column not in row:
                    continue
                compared += 1
                if not agrees(number(row[column]), value):
                    faults.append(f"configuration {row['configuration']} {column}: {row[column]}, evaluate says {value}")
        print(f"{compared} metrics of {len(table[::step])} of {len(table)} configurations against evaluations of their own")
        more, wrong = check_verdicts(work / "tuned")
        print(f"{more} choices, gains and intervals against numpy and scipy")
        # What is recommended is an evaluation's configuration as it is.
        run(arguments.fathom, "evaluate", arguments.data, "--config", work / "tuned" / "tuned.yaml", "--no-objects",
            "--output", work / "run", "--overwrite", "--quiet")
        for fault in faults + wrong:
            print("FAULT", fault)
        return 1 if faults or wrong or not compared or not more else 0


if __name__ == "__main__":
    sys.exit(main())
