"""Recomputes every number of a report and compares its formats with each other.

    python check_report.py RUN [--data FILE.h5 …]     RUN is a folder that fathom evaluate wrote

- report_tables.py: the tables of report.json, every cell, from frames.csv (means over frames, then scenes; paired differences; medians of fits; ranks;
  counts), from objects.csv, or, where neither holds it, from the table's own CSV; ends of intervals from summary.csv and its likes; texts are the
  numbers rounded; `isBest` marks what verdict.json says leads a column, and nothing else
- report_verdict.py: verdict.json, all that sentences, bold numbers and charts are made from
- report_formats.py: report.md, report.html and report.tex hold the stored tables, sentences and pictures, and no other number
- here: errors of the gallery's frames; figures/*.csv, every point that is drawn; with --data, checksums of the data and the sizes of their maps

A table or a figure that the script does not know is a failure: whatever is new needs a check. Pooled means cannot be made from frames; there values
are only compared with summary.csv, scenes.csv and pairwise.csv.
"""

import argparse
import hashlib
import pathlib
import re
import sys

import numpy as np
import pandas as pd
from report_formats import check_formats
from report_run import HEADLINE, Check, Run, missing, times
from report_tables import NONE, check_tables, rounds, scale_of
from report_verdict import check_verdict


def check_gallery(run, check):
    for block in [block for kind, block in run.blocks() if kind == "gallery"]:
        errors, columns = [], ["abs_rel", "mae_m", "rmse_m", "bias_m", "coverage"]
        for frame in block["frames"]:
            name, _, numbers = frame["caption"].partition(": ")
            scene, _, label = frame["title"].rpartition("/")
            values = pd.concat([run.frames[m] for m in run.ids(name)]).loc[(scene, label), columns]
            errors.append(values.abs_rel)
            shown = re.findall(r"(?<=[A-Za-z] )[−\d.E]+(?= )", numbers)
            check.same(len(shown), len(columns), f"gallery, {frame['title']}, numbers")
            for text, column in zip(shown, columns):
                check.numbers += 1
                check.true(rounds(text, values[column] * scale_of(run, column)), f"gallery, {frame['title']}: {column} is not {text}")
        everything = run.without_thin(run.values(name, "abs_rel"))
        # Frames without a relative map show no fusion, and stand back where there are others.
        bare = pd.MultiIndex.from_frame(run.rows[run.rows.status == "no_relative"][["scene", "frame"]])
        fused = everything[~everything.index.isin(bare)].dropna()
        everything = fused if len(fused) else everything
        check.same(errors, sorted(errors, reverse=True), "gallery, frames from worst to best")
        check.close(errors[0], everything.max(), "gallery, error of the worst frame")
        check.close(errors[-1], everything.min() if len(errors) > 1 else errors[-1], "gallery, error of the best frame")


# Figures: each function gives what a row of the figure's CSV must hold as y, low and high


def shown_method(series):
    return re.sub(r" \((baseline|oracle)\)$", "", series)


def method_points(column):
    def expected(run, row):
        found = run.estimate(shown_method(row.series) if row.kind == "reference" else row.category, column)
        return [times(v, scale_of(run, column)) for v in (found[:1] + (None, None) if row.kind == "reference" else found)]

    return expected


def gain_point(run, row):
    found = run.compare(row.category, run.baseline, "fallback")
    return [times(found[key], 100 / found["reference"]) for key in ("difference", "low", "high")]


def cumulative_point(run, row):
    table = run.csv("cumulative")
    own = table[(table.method == shown_method(row.series)) & np.isclose(table.error_m * run.metre, row.x, rtol=1e-9)].iloc[0]
    return [times(v, 100) for v in (own.share, own.low, own.high)]


def delivered(run, method):
    """The coverage, refused frames as zero."""
    scored = run.rows[run.rows.coverage.notna()].set_index(["scene", "frame"]).index.unique()
    own = run.frames[method].coverage
    own = own[own.index.isin(scored)].fillna(0)
    return own.groupby(level="scene").mean().mean() if run.mode == "scene" else own.mean()


def coverage_point(run, row):
    """x is the coverage with refused frames as zero."""
    name = shown_method(row.series)
    if missing(row.y):
        return [run.mean(name, "mae_m"), None, None]
    names = [m for m in run.methods if not missing(run.mean(m, "mae_m"))] if name.endswith(" other methods") else [name]
    for method in names:
        share = delivered(run, method)
        if run.mode == "pooled" or abs(100 * share - row.x) <= 1e-9 * row.x + 1e-12:
            value = run.metre * run.mean(method, "mae_m")
            if len(names) == 1 or abs(value - row.y) <= 1e-9 * value:
                return [value, None, None]
    return [None, None, None]


def bin_point(run, own):
    row = own.iloc[0] if len(own) else {}
    return [times(row.get("mae_m" + end), run.metre) for end in ("", "_low", "_high")]


def range_point(run, row):
    own = run.csv("ranges")
    return bin_point(run, own[(own.method == shown_method(row.series)) & np.isclose((own.from_m + own.to_m) / 2, row.x)])


def confidence_point(run, row):
    own = run.csv("confidence", confidence=str)
    return bin_point(run, own[(own.method == shown_method(row.series)) & (own.confidence == row.category)])


def sparsification_point(run, row):
    name, _, way = row.series.rpartition(", ")
    column = {"by confidence": "by_confidence", "by error (ideal)": "by_error", "at random": "random"}[way]
    table = run.csv("sparsification")
    return [100 * table[(table.method == name) & np.isclose(100 * table.removed_share, row.x)].iloc[0][column], None, None]


def object_point(column):
    return lambda run, row: [times(v, scale_of(run, column)) for v in run.objects.estimate(column, ("all", "all", row.category, row.series))]


def scene_cell(run, row):
    method = shown_method(row.column)
    if run.mode == "pooled":
        return times(run.csv("scenes").set_index(["scene", "method"]).abs_rel_measured.get((row.row, method)), 100)
    own = run.frames[method].abs_rel_measured
    return times(own[own.index.get_level_values(0) == row.row].mean(), 100)


def strip_frames(run, series):
    """AbsRel of a method in the order of frames.csv, whatever the form of its fit, in per cent."""
    table = run.csv("frames")
    return [100 * value for value in table[table.method.isin(run.ids(shown_method(series)))].abs_rel.dropna()]


def strip_point(run, row):
    return [None if missing(row.y) else min(strip_frames(run, row.series), key=lambda value: abs(value - row.y)), None, None]


FIGURES = {
    "error-over-time": strip_point, "mae-by-method": method_points(HEADLINE), "abs-rel-by-method": method_points("abs_rel"),
    "gain-by-method": gain_point, "cumulative-error": cumulative_point, "coverage-error": coverage_point, "error-by-range": range_point,
    "error-by-confidence": confidence_point, "sparsification": sparsification_point, "objects-placement": object_point("placement_cm"),
    "objects-iou": object_point("iou"), "error-by-scene": scene_cell,
}  # fmt: skip


def check_figures(run, check):
    for method in run.methods if run.mode == "scene" else []:
        check.close(run.summary.loc[method].get("coverage_all_frames"), delivered(run, method), f"summary.csv, coverage of all frames, {method}")
    named = sorted(block["name"] for kind, block in run.blocks() if kind == "figure")
    for kind, drawings in (("csv", named), ("svg", sorted(named + [f"{name}.narrow" for name in named]))):
        check.same(sorted(p.stem for p in run.folder.glob(f"figures/*.{kind}")), drawings, f"figures, {kind}")
    for name in named:
        if name not in FIGURES:
            check.faults.append(f"figure {name}: not known to this script; it needs a check")
            continue
        table = run.csv(f"figures/{name}", category=str, row=str, column=str, series=str, mark=str)
        check.true(len(table) > 0, f"figure {name}: nothing is drawn")
        for row in table.itertuples():
            if "column" in table.columns:
                check.close(row.value, FIGURES[name](run, row), f"figure {name}, {row.row}, {row.column}")
                continue
            if getattr(row, "kind", None) == "shade":
                check.true(missing(row.y) or 0 <= row.y <= 1, f"figure {name}, {row.series}, x = {row.x}: {row.y} is not a share")
                continue
            for key, value in zip(("y", "low", "high"), FIGURES[name](run, row)):
                expected = value if key in table.columns else None
                check.close(getattr(row, key, None), expected, f"figure {name}, {row.series}, x = {row.x}, {key}")
        if name == "error-by-scene":
            check_marks(table, check)
        if name == "error-over-time":
            for series, own in table[table.kind == "data"].groupby("series", sort=False):
                drawn, every = list(own.y.dropna()), strip_frames(run, series)
                # Of very many, the worst of every stretch.
                for place, (a, b) in enumerate(zip(drawn, every) if len(drawn) == len(every) else []):
                    check.close(a, b, f"figure {name}, {series}, frame {place}")
        if name in ("cumulative-error", "error-by-range", "error-by-confidence"):
            ranked = run.complete("mae_m") | {run.baseline, "spec", "shipped"} | {m for m in run.methods if m.startswith("stored:")}
            check.same(sorted(set(map(shown_method, table.series)) - ranked), [], f"figure {name}, methods that are not to be ranked")


def check_marks(table, check):
    """The lowest of a scene, oracles aside, and all that differ from it by rounding only."""
    candidates = table[~table.column.str.endswith("(oracle)") & table.value.notna()]
    for scene, own in candidates.groupby("row", sort=False):
        equal = list(own[own.value <= own.value.min() * (1 + 1e-6)].column)
        check.same(list(own[own.mark.notna()].column), equal if len(own) > 1 else [], f"figure error-by-scene, mark of {scene}")


def check_data(run, files, check):
    """Checksums, which the report states, and the sizes of the maps."""
    stated = (run.folder / "report.json").read_text()
    sums = {entry["sha256"]: entry["file"] for entry in run.manifest["inputs"]}
    check.same([file for digest, file in sums.items() if digest not in stated], [], "data whose checksum is not stated")
    for file in files:
        check.true(hashlib.sha256(pathlib.Path(file).read_bytes()).hexdigest() in sums, f"data: the checksum of {file} is another")
        check_sizes(run, file, len(files) > 1, check)


def check_sizes(run, file, is_prefixed, check):
    import h5py

    table = next(block for kind, block in run.blocks() if kind == "table" and block["id"] == "data")["table"]
    heads = [column["title"] for column in table["columns"]]
    rows = {row[0]["text"]: dict(zip(heads, (cell["text"] for cell in row))) for row in table["rows"]}
    with h5py.File(file) as data:
        for scene, group in data["scenes"].items():
            prefixed = f"{pathlib.Path(file).stem}/{scene}"
            row = rows.get(prefixed if is_prefixed and prefixed in rows else scene)
            if row is None:
                check.notes.append(f"{scene} of {file} is not in the run")
                continue
            for path, head in (("lidar/depth", "LiDAR"), ("relative/values", "relative"), ("truth/depth", "truth")):
                shape = f"{group[path].shape[-1]}×{group[path].shape[-2]}" if path in group else NONE
                check.same(row.get(head, NONE), shape, f"data, {scene}, {path}")
            check.same(row["confidence"], "yes" if "lidar/confidence" in group else "no", f"data, {scene}, confidence")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", metavar="RUN")
    parser.add_argument("--data", nargs="*", default=[], metavar="FILE")
    options = parser.parse_args()
    run, check = Run(options.run), Check()
    check.same(sorted(run.frames), sorted(run.methods), "methods of frames.csv and summary.csv")
    for part in (check_tables, check_formats, check_verdict, check_gallery, check_figures):
        part(run, check)
    check_data(run, options.data, check)
    for line in [f"note: {note}" for note in check.notes] + check.faults[:40]:
        print(line)
    if check.faults:
        sys.exit(f"{len(check.faults)} of {check.numbers} numbers and {check.texts} texts differ")
    print(f"{check.numbers} numbers of {check.tables} tables agree, and {check.texts} texts in every format")


if __name__ == "__main__":
    main()
