"""What `fathom evaluate` says of three networks whose σ is known: the first table of docs/uncertainty.md.

    python honesty_table.py FATHOM

The networks share one map. Its error is normal, with a deviation of 1 to 6 % of the depth at each pixel. One states that deviation, one half of it,
and one the same values in reverse order: the most certain pixels get the largest.
"""

import csv
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

SCENES, SHAPE, SEED = 20, (60, 80), 5603
COLUMNS = {
    "coverage_95": (100, "{:.1f}"), "factor_95": (1, "{:.2f}"), "calibration_slope": (1, "{:.2f}"),
    "explained_share": (100, "{:.0f}"), "negative_log_score": (1, "{:.2f}"),
}  # fmt: skip


def main():
    fathom = str(pathlib.Path(sys.argv[1]).resolve())
    rng = np.random.default_rng(SEED)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for scene in range(SCENES):
            truth = rng.uniform(1, 6, SHAPE)
            deviation = truth * rng.uniform(0.01, 0.06, SHAPE)
            order, reverse = np.sort(deviation, axis=None), np.argsort(np.argsort(deviation, axis=None))
            maps = {
                "truth": truth, "map": truth + deviation * rng.standard_normal(SHAPE), "right": deviation,
                "too-sure": deviation / 2, "wrong-order": order[::-1][reverse].reshape(SHAPE),
            }  # fmt: skip
            for name, values in maps.items():
                (folder / name).mkdir(exist_ok=True)
                np.save(folder / name / f"{scene:02}.npy", values.astype(np.float32))
        command = [fathom, "evaluate", "--truth", folder / "truth", "--output", folder / "run", "--quiet", "--no-gallery", "--no-figures"]
        networks = ["right", "too-sure", "wrong-order"]
        for name in networks:
            command += ["--prediction", f"{name}:metric={folder / 'map'}", "--prediction-deviation", f"{name}={folder / name}"]
        subprocess.run(command, check=True)
        with open(folder / "run" / "deviation_summary.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))[1:]
        found = {(row[0], row[1]): float(row[2]) for row in rows if row[2]}
        for name in networks:
            cells = [form.format(times * found[f"stored:{name}", column]) for column, (times, form) in COLUMNS.items()]
            print(f"| {name.replace('-', ' ')} | " + " | ".join(cells) + " |")
        report = (folder / "run" / "report.md").read_text(encoding="utf-8")
        print("\n".join(line for line in report.splitlines() if "σ" in line and line.startswith("- ")))


if __name__ == "__main__":
    main()
