"""What the repository keeps of the runs that `make demo reports` makes, compared with the fresh ones.

    kept_reports.py          exit 1 where a fresh run differs from what is kept
    kept_reports.py --write  keeps the fresh runs instead

The runs themselves, Reports/demo, demo-tuned and demo-calibration, are not committed. Kept are

    Reports/headline.csv     the values of HEADLINES, to six digits: compared to 1e-5, or to a unit of the sixth digit
    Reports/kept/RUN         its tables, tables.json, verdict.json and manifest, the manifest without the digests of files that are not
                             kept: examples that tests and readers open. Compared are the columns and numbers of rows of each table,
                             the words of tables.json, and words and numbers (1e-5) of verdict.json
    PICTURES                 copies of charts that the documentation shows: there and well-formed

So another processor, or a change of last digits, makes no file new; a changed value shows as a changed line of headline.csv.
Needs nothing but Python.
"""

import csv
import io
import json
import pathlib
import re
import shutil
import sys
import tempfile

from check_committed import Tolerance, differences, malformed, table_differences

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOLERANCE = Tolerance(relative=1e-5, is_rounded=True)
# Each run, and the manifest that says what it is of.
RUNS = {"demo": "run.json", "demo-tuned": "tune.json", "demo-calibration": "calibration.json"}
# Tables that are long, or hold times.
NOT_KEPT = {"objects.csv", "timing.csv", "tune.csv", "losses.csv"}
PICTURES = {"demo-tuned/figures/sensitivity-max-depth.svg": "demo-tuning.svg"}
SHOWN = {"abs_rel", "mae_m", "rmse_m", "delta_1", "bias_m", "coverage_all_frames"}
# run, table, columns that name a row, which rows, columns of values
HEADLINES = [
    ("demo", "summary.csv", ["method", "metric", "support"], {"statistic": {"mean"}, "metric": SHOWN}, ["value"]),
    ("demo", "object_summary.csv", ["depth", "method", "metric"],
     {"by": {"all"}, "bin": {"all"}, "metric": {"placement_cm", "iou"}}, ["value"]),
    ("demo", "detections.csv", ["metric"], {"by": {"all"}}, ["value"]),
    ("demo-tuned", "verdicts.csv", ["varied"], {}, ["loss_reference", "loss_nested", "gain"]),
    ("demo-calibration", "noise.csv", ["confidence", "parameter"], {}, ["value"]),
    ("demo-calibration", "correction.csv", [], {}, ["scale", "offset_m"]),
    ("demo-calibration", "registration.csv", ["scene"], {"scene": {"all scenes"}}, ["x_px", "y_px"]),
    ("demo-calibration", "gain.csv", ["method", "metric", "support"], {}, ["without", "with"]),
]  # fmt: skip


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def six_digits(text):
    try:
        return f"{float(text):.6g}"
    except ValueError:
        return text


def headline(reports):
    """The table of headline values of the runs in a folder."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["run", "table", "row", "column", "value"])
    for run, table, names, chosen, columns in HEADLINES:
        found = [row for row in rows(reports / run / table) if all(row[key] in values for key, values in chosen.items())]
        if not found:
            raise ValueError(f"{run}/{table} has no row of {chosen}")
        for row in found:
            for column in columns:
                writer.writerow([run, table, " ".join(row[name] for name in names), column, six_digits(row[column])])
    return out.getvalue()


def tables(folder):
    return sorted(path for path in folder.glob("*.csv") if path.name not in NOT_KEPT)


def shape(path):
    """A table's columns, and how many rows it has."""
    with open(path, newline="", encoding="utf-8") as file:
        lines = list(csv.reader(file))
    return lines[0], len(lines) - 1


def without_digests(text):
    """A manifest without the record of its files, as whoever takes some of them away must leave it."""
    bare = re.sub(r'  "digests" : \{[^{}]*\},?\n', "", text)
    if "digests" in json.loads(bare):
        raise ValueError("the manifest's record of its files is not where it was")
    return bare


def faults(reports, scratch):
    """What differs between the fresh runs of a folder and what it keeps."""
    found = []
    fresh = scratch / "headline.csv"
    fresh.write_text(headline(reports), encoding="utf-8")
    committed = reports / "headline.csv"
    found += [f"headline.csv: {words}" for words in table_differences(committed, fresh, TOLERANCE)]
    for run, manifest in RUNS.items():
        kept, made = reports / "kept" / run, reports / run
        names = {path.name for path in tables(kept)}, {path.name for path in tables(made)}
        if names[0] != names[1]:
            found.append(f"{run}: other tables {sorted(names[0] ^ names[1])}")
        for name in sorted(names[0] & names[1]):
            a, b = shape(kept / name), shape(made / name)
            if a != b:
                found.append(f"{run}/{name}: {b[1]} rows of {len(b[0])} columns instead of {a[1]} of {len(a[0])}, or other columns")
        for name in ("tables.json", "verdict.json"):
            found += [f"{run}/{name}: {words}" for words in differences(kept / name, made / name, TOLERANCE)]
        if not (kept / manifest).is_file():
            found.append(f"{run}/{manifest}: is not kept")
    for source, name in PICTURES.items():
        for path in (reports / source, reports / name):
            found += [f"{path.name}: {words}" for words in (malformed(path) if path.is_file() else ["is not there"])]
    return found


def write(reports):
    (reports / "headline.csv").write_text(headline(reports), encoding="utf-8")
    shutil.rmtree(reports / "kept", ignore_errors=True)
    for run, manifest in RUNS.items():
        kept = reports / "kept" / run
        kept.mkdir(parents=True)
        for path in [*tables(reports / run), reports / run / "tables.json", reports / run / "verdict.json"]:
            shutil.copy(path, kept / path.name)
        text = (reports / run / manifest).read_text(encoding="utf-8")
        (kept / manifest).write_text(without_digests(text), encoding="utf-8")
    for source, name in PICTURES.items():
        shutil.copy(reports / source, reports / name)


def main():
    reports = ROOT / "Reports"
    absent = [run for run, manifest in RUNS.items() if not (reports / run / manifest).is_file()]
    if absent:
        sys.exit(f"Reports/{absent[0]} is not there: make demo reports")
    if sys.argv[1:] == ["--write"]:
        write(reports)
        return
    with tempfile.TemporaryDirectory() as scratch:
        found = faults(reports, pathlib.Path(scratch))
    for words in found[:40]:
        print(words)
    if found:
        sys.exit(f"{len(found)} differences from what Reports keeps. Where they are meant: make keep, and commit it with the change.")
    print("The runs of the demonstration have the kept headline values, tables and verdicts.")


if __name__ == "__main__":
    main()
