"""Every method on every synthetic preset and on the real recordings: Reports/results.csv and the table of docs/methods.md.

    python results_table.py FATHOM [--real FOLDER]     from the top of the repository; `make results` does it

The number is the L1 error (MAE) on the pixels that the LiDAR measures, mean over frames, then scenes, with the 95 %
interval over scenes from summary.csv. A method that takes the form of each scene's kind has one row; where that mixes
forms there is a mean and no interval. Recordings that are absent keep the columns that the table had.
"""

import argparse
import csv
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Reference"))
import run_tables  # noqa: E402

PRESETS = ["demo", "phone", "large", "outliers", "flat-wall", "few-pairs"]
RECORDINGS = ["real-indoor", "iphone-stray"]
METHODS = (
    "lidar-nearest lidar-bilinear smoothed image-guided spec shipped ols wls huber tukey lad truncated-l1 theil-sen lmeds trimmed ransac "
    "lo-ransac median-scale lwlr knn-affine guided residual auto oracle"
).split()
COLUMN = "mae_m_measured"
FIELDS = ["data", "method", "scenes", "frames", "frames_solved", COLUMN, COLUMN + "_low", COLUMN + "_high", "truth", "fathom"]
START, END = "<!-- results: make results -->", "<!-- end of results -->"


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def number(text):
    return float(text) if text else None


def rows_of(run, data, version, truth):
    """One row per method of a run."""
    scenes, summary = read(run / "scenes.csv"), {r["method"]: r for r in run_tables.rows(run, "summary.csv")}
    for method in METHODS:
        own = [r for r in scenes if r["method"].partition("@")[0] == method]
        scored = [r for r in own if r[COLUMN]]
        forms = {r["method"] for r in own}
        row = dict.fromkeys(FIELDS, "") | {"data": data, "method": method, "truth": truth, "fathom": version}
        row["scenes"] = len(scored)
        row["frames"] = sum(int(r["frames"]) for r in own)
        row["frames_solved"] = sum(int(r["frames_solved"]) for r in own)
        if scored:
            row[COLUMN] = repr(sum(float(r[COLUMN]) for r in scored) / len(scored))
        if len(forms) == 1:
            of_all = summary[forms.pop()]
            row |= {COLUMN + end: of_all[COLUMN + end] for end in ("_low", "_high")}
        yield row


def millimetres(value):
    if value is None:
        return ""
    value *= 1000
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def cell(row, full):
    value = number(row[COLUMN])
    if value is None:
        return "–"
    text = millimetres(value)
    if row[COLUMN + "_low"]:
        text += f" [{millimetres(number(row[COLUMN + '_low']))}, {millimetres(number(row[COLUMN + '_high']))}]"
    if int(row["frames_solved"]) < int(full["frames_solved"]):
        text += f" ({row['frames_solved']}/{full['frames_solved']})"
    return text + ("†" if row["scenes"] != full["scenes"] else "")


def table(rows):
    data = [d for d in PRESETS + RECORDINGS if any(r["data"] == d for r in rows)]
    cells = {(r["data"], r["method"]): r for r in rows}
    lines = ["| method | " + " | ".join(data) + " |", "| --- |" + " --- |" * len(data)]
    # The best in bold, and all that differ from it by rounding only: oracles are not candidates.
    best = {}
    for d in data:
        full = cells[d, "lidar-bilinear"]
        values = [
            (number(cells[d, m][COLUMN]), m)
            for m in METHODS
            if m != "oracle" and cells[d, m][COLUMN] and all(cells[d, m][k] == full[k] for k in ("scenes", "frames_solved"))
        ]
        least = min(values)[0] if values else 0
        best[d] = {m for value, m in values if value <= least * (1 + 1e-6)}
    for method in METHODS:
        texts = [cell(cells[d, method], cells[d, "lidar-bilinear"]) for d in data]
        texts = [f"**{t}**" if method in best[d] else t for d, t in zip(data, texts)]
        lines.append(f"| `{method}` | " + " | ".join(texts) + " |")
    counts = []
    for d in data:
        scenes, frames = (int(cells[d, "lidar-bilinear"][k]) for k in ("scenes", "frames_solved"))
        counts.append(f"{scenes} scene{'s'[: scenes != 1]}, {frames} frames")
    lines.insert(2, "| | " + " | ".join(counts) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fathom")
    parser.add_argument("--real", default="../shared/data")
    parser.add_argument("--methods", default=",".join(METHODS), help="run these, and keep the rows of the others")
    parser.add_argument("--only-table", action="store_true", help="draw the table from results.csv, run nothing")
    arguments = parser.parse_args()
    target, page = pathlib.Path("Reports/results.csv"), pathlib.Path("docs/methods.md")
    if arguments.only_table:
        return draw(page, read(target))
    version = subprocess.run([arguments.fathom, "--version"], check=True, capture_output=True, text=True).stdout.splitlines()[0]
    methods = arguments.methods.split(",")
    known = read(target) if target.exists() else []
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for data in PRESETS + RECORDINGS:
            path = folder / f"{data}.h5" if data in PRESETS else pathlib.Path(arguments.real) / f"{data}.h5"
            if data in PRESETS:
                subprocess.run([arguments.fathom, "synthesize", path, "--preset", data, "--quiet"], check=True)
            elif not path.exists():
                print(f"skipped: {path} is absent")
                rows += [r for r in known if r["data"] == data]
                continue
            run = folder / data
            subprocess.run(
                [arguments.fathom, "evaluate", path, "--methods", ",".join(methods), "--output", run]
                + ["--no-objects", "--no-gallery", "--no-figures", "--no-diagnosis", "--quiet"],
                check=True, stdout=subprocess.DEVNULL,
            )  # fmt: skip
            found = rows_of(run, data, version, "render" if data in PRESETS else "sensor")
            kept = {r["method"]: r for r in known if r["data"] == data and r["method"] not in methods}
            rows += [kept.get(r["method"], r) for r in found]
            print(f"{data}: done", flush=True)
            if data in PRESETS:
                path.unlink()
    with open(target, "w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    draw(page, rows)


def draw(page, rows):
    """Puts the table between its marks."""
    text = page.read_text()
    head, _, rest = text.partition(START)
    _, _, tail = rest.partition(END)
    if not tail:
        sys.exit(f"{page} has no {START} … {END}")
    page.write_text(f"{head}{START}\n\n{table(rows)}\n\n{END}{tail}")


if __name__ == "__main__":
    main()
