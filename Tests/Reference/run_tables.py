"""The tables of a run folder as checks need them: a row per subject, with a column per number.

A table with a row per metric becomes one with a column per metric, named as in frames.csv: `abs_rel_measured`, with `_low`, `_high`
and so on behind it; what a method is compared with is `abs_rel_measured_difference`, with `_fallback`, `_spec` and
`_spec_fallback` before it. A number that does not exist is an empty text.
"""

import csv
import io
import json
import pathlib

BINS = ["coverage", "abs_rel", "median_rel", "mae_m", "rmse_m", "bias_m", "delta_1"]
ENDS = ["low", "high", "bca_low", "bca_high"]
SUBJECTS = {
    "ranges": ["method", "space", "from_m", "to_m", "scenes", "frames", "pixels"],
    "confidence": ["method", "space", "confidence", "scenes", "frames", "pixels"],
    "steps": ["method", "space", "near_step", "scenes", "frames", "pixels"],
    "mask": ["method", "space", "id", "label", "scenes", "frames", "pixels"],
    "object_summary": ["by", "bin", "depth", "method", "objects", "boxed", "scenes"],
    "detections": ["by", "class", "matched", "spurious", "missed", "scenes"],
    "protocols": ["protocol", "step", "switch", "statement", "complete", "method", "oracle", "scenes", "frames"],
}


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def column(row):
    """A metric on its pixels as frames.csv calls it."""
    return row["metric"] + ("" if row.get("support", "all") == "all" else "_" + row["support"])


def rows(folder, name):
    """Rows of a table of the run: "summary.csv"."""
    folder, stem = pathlib.Path(folder), pathlib.Path(name).stem
    if stem == "summary":
        return filled(summary(folder))
    found = read(folder / f"{stem}.csv")
    if stem in SUBJECTS:
        # Pooled pixels have no median in a bin, and then no row has one.
        numbers = dict.fromkeys(BINS, "") if stem in ("ranges", "confidence", "steps", "mask") else {}
        return [numbers | row for row in filled(wide(found, SUBJECTS[stem]))]
    if stem == "sparsification":
        return filled(steps(found))
    if stem in ("pairwise", "ranks"):
        return [{**row, "column": column(row)} for row in found]
    return found


def text(folder, name):
    """The same as the text of a CSV file, for pandas."""
    found = rows(folder, name)
    with open(pathlib.Path(folder) / name, newline="", encoding="utf-8") as file:
        header = found[0].keys() if found else next(csv.reader(file))
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, header)
    writer.writeheader()
    writer.writerows(found)
    buffer.seek(0)
    return buffer


def filled(found):
    """Every row with the columns of all of them, in the order of their first appearance."""
    names = dict.fromkeys(name for row in found for name in row)
    return [{name: row.get(name, "") for name in names} for row in found]


def wide(found, subject):
    table = {}
    for row in found:
        own = table.setdefault(tuple(row[key] for key in subject), {key: row[key] for key in subject})
        own[column(row)] = row["value"]
        for end in ["low", "high", "change"]:
            if end in row and (row[end] or end == "change"):
                own[f"{column(row)}_{end}"] = row[end]
    return list(table.values())


def steps(found):
    table, subject = {}, ["method", "space", "removed_share", "scenes", "frames"]
    for row in found:
        own = table.setdefault((row["method"], row["removed_share"]), {key: row[key] for key in subject})
        own[row["order"]] = row["abs_rel_left"]
    return list(table.values())


def summary(folder):
    baseline = json.loads((folder / "run.json").read_text(encoding="utf-8"))["baseline"]
    with open(folder / "scenes.csv", newline="", encoding="utf-8") as file:
        metrics = [name for name in next(csv.reader(file)) if name not in ("scene", "method", "space", "frames", "frames_solved")]
    numbers = {name + end: "" for name in metrics for end in ["", *("_" + end for end in ENDS)]}
    methods = read(folder / "methods.csv")
    for reference in [name for name, method in [("", baseline), ("_spec", "spec")] if method in {row["method"] for row in methods}]:
        for stem in [name + reference + form for name in metrics if name.endswith("_measured") for form in ["", "_fallback"]]:
            numbers |= {f"{stem}_difference{end}": "" for end in ["", *("_" + end for end in ENDS)]}
            numbers |= {f"{stem}_p": "", f"{stem}_p_adjusted": ""}
    table = {row["method"]: row | numbers for row in methods}
    for row in read(folder / "summary.csv"):
        own = table[row["method"]]
        if row["statistic"] == "mean":
            own[column(row)] = row["value"]
            own |= {f"{column(row)}_{end}": row[end] for end in ENDS if row["low"]}
            continue
        form = "" if row["form"] == "solved" else "_fallback"
        for reference in [name for name, is_it in [("", baseline), ("_spec", "spec")] if is_it == row["reference"]]:
            stem = column(row) + reference + form
            own[f"{stem}_difference"] = row["value"]
            own |= {f"{stem}_difference_{end}": row[end] for end in ENDS}
            own |= {f"{stem}_p": row["p"], f"{stem}_p_adjusted": row["p_adjusted"]}
    return list(table.values())
