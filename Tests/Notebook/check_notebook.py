"""Holds a committed export against its run, and executes its notebook again.

    python check_notebook.py FATHOM RUN EXPORT

1. The notebook is valid, imports nothing but pandas, matplotlib and the standard library, and computes nothing: no call that
   averages, sums or fits, no arithmetic but on places and counts.
2. `fathom export` of the run, without what the repository does not hold of it, gives the same tables, dictionary and cells:
   to rounding, because the run may have been made again on another processor than the committed export.
3. All cells run from top to bottom in a fresh kernel in a copy, with the outputs that are stored: words to the letter,
   numbers to rounding, pictures but for how their letters are drawn.
4. Numbers of every table of that fresh export are, digit by digit, those of the run's CSV files, found here by pandas, and every
   column and metric is documented.
5. What the report draws (figures/*.csv of the run) is in the tables.
6. The notebook draws what the report draws: the same methods, bins and values in the charts of both.
"""

import ast
import base64
import contextlib
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import matplotlib
import matplotlib.image
import matplotlib.pyplot as plt
import nbclient
import nbformat
import numpy as np
import pandas as pd

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Committed"))
from check_committed import differences, texts_agree  # noqa: E402

NOT_COMMITTED = ["objects.csv", "timing.csv"]
COMPUTES = {
    "mean", "median", "sum", "std", "var", "sem", "quantile", "agg", "aggregate", "apply", "groupby", "pivot_table", "corr", "cov",
    "cumsum", "cumprod", "diff", "pct_change", "rolling", "expanding", "ewm", "interpolate", "eval", "transform", "sub", "div",
    "mul", "pow", "abs", "round", "describe", "dot", "rank",
}  # fmt: skip


def fail(words):
    sys.exit(f"{sys.argv[3]}: {words}")


def is_layout(node):
    """A number, a count or a place: what arithmetic may be done with."""
    if isinstance(node, ast.BinOp):
        return is_layout(node.left) and is_layout(node.right)
    if isinstance(node, ast.IfExp):
        return is_layout(node.body) and is_layout(node.orelse)
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "len"
    return isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and node.id in ("place", "low"))


def is_text_or_list(node):
    """What + joins."""
    if isinstance(node, ast.BinOp):
        return is_text_or_list(node.left) or is_text_or_list(node.right)
    if isinstance(node, ast.IfExp):
        return is_text_or_list(node.body) or is_text_or_list(node.orelse)
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    return isinstance(node, (ast.JoinedStr, ast.List))


def check_source(notebook):
    nbformat.validate(notebook)
    ids = [cell.id for cell in notebook.cells]
    if len(set(ids)) < len(ids) or not all(ids):
        fail(f"cell ids are not unique: {ids}")
    allowed = set(sys.stdlib_module_names) | {"pandas", "matplotlib"}
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        for node in ast.walk(ast.parse(cell.source)):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module]
            for name in names:
                if name.split(".")[0] not in allowed:
                    fail(f"cell {cell.id} imports {name}")
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in COMPUTES:
                fail(f"cell {cell.id} computes: {ast.unparse(node)}")
            if isinstance(node, (ast.BinOp, ast.AugAssign)) and not isinstance(node.op, (ast.BitAnd, ast.BitOr)):
                sides = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.value]
                if not (all(map(is_layout, sides)) or isinstance(node.op, ast.Add) and any(map(is_text_or_list, sides))):
                    fail(f"cell {cell.id} computes: {ast.unparse(node)}")
        for output in cell.outputs:
            if output.get("name") == "stderr" or output.output_type == "error":
                fail(f"cell {cell.id} says {output.get('text', output.get('evalue'))}")
            if " at 0x" in str(output.get("text", "")) + str(output.get("data", {}).get("text/plain", "")):
                fail(f"cell {cell.id} shows the address of an object")


def same_picture(a, b):
    first, second = (matplotlib.image.imread(io.BytesIO(base64.b64decode(text))) for text in (a, b))
    return first.shape == second.shape and float(np.abs(first - second).mean()) < 0.002


def check_outputs(stored, made):
    pictures = 0
    for cell, again in zip(stored.cells, made.cells, strict=True):
        outputs, others = cell.get("outputs", []), again.get("outputs", [])
        others = [output for output in others if output.get("name") != "stderr"]
        if len(outputs) != len(others):
            fail(f"cell {cell.id} has {len(outputs)} outputs, executed again {len(others)}")
        for output, other in zip(outputs, others):
            if not texts_agree(output.get("text") or "", other.get("text") or ""):
                fail(f"cell {cell.id} prints {other.get('text')!r}, stored is {output.get('text')!r}")
            data, again_data = output.get("data", {}), other.get("data", {})
            if data.keys() != again_data.keys():
                fail(f"cell {cell.id} shows {sorted(again_data)}, stored is {sorted(data)}")
            for kind, content in data.items():
                if kind == "image/png":
                    pictures += 1
                    if not same_picture(content, again_data[kind]):
                        fail(f"cell {cell.id} draws another picture than the stored one")
                elif not texts_agree(content, again_data[kind]):
                    fail(f"cell {cell.id} shows another {kind} than the stored one")
    return pictures


def check_execution(export, scratch):
    copy = scratch / "executed"
    shutil.copytree(export, copy)
    stored = nbformat.read(export / "analysis.ipynb", as_version=4)
    fresh = nbformat.read(copy / "analysis.ipynb", as_version=4)
    for cell in fresh.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    nbclient.NotebookClient(
        fresh, timeout=600, kernel_name="python3", coalesce_streams=True, resources={"metadata": {"path": str(copy)}},
        extra_arguments=["--log-level=40"],
    ).execute()
    return check_outputs(stored, fresh)


def check_regenerated(fathom, run, export, scratch):
    copy, again = scratch / run.name, scratch / "again"
    shutil.copytree(run, copy, ignore=shutil.ignore_patterns(*NOT_COMMITTED))
    subprocess.run(
        [fathom, "export", str(copy), "--output", str(again), "--python", sys.executable, "--quiet"], check=True)
    names = sorted(str(path.relative_to(export)) for path in export.rglob("*") if path.is_file())
    others = sorted(str(path.relative_to(again)) for path in again.rglob("*") if path.is_file())
    if names != others:
        fail(f"holds other files than an export of {run}: {set(names) ^ set(others)}; run make notebook")
    for name in names:
        if name != "analysis.ipynb" and (found := differences(export / name, again / name, sources=[copy])):
            fail(f"{name} is not that of {run}: {found[0]}; run make notebook")
    stored, made = (nbformat.read(folder / "analysis.ipynb", as_version=4) for folder in (export, again))
    if [(cell.id, cell.source) for cell in stored.cells] != [(cell.id, cell.source) for cell in made.cells]:
        fail(f"analysis.ipynb has other cells than an export of {run}; run make notebook")
    check_outputs(stored, made)
    return copy, again


def read(path):
    return pd.read_csv(path, dtype=str, keep_default_na=False)


class Tables:
    """The tables of the export, and the cells of the run that they must be."""

    def __init__(self, run, export):
        self.run, self.export, self.compared = run, export, {}

    def tidy(self, name):
        return read(self.export / "tables" / f"{name}.csv")

    def stored(self, name):
        return read(self.run / f"{name}.csv")

    def require(self, table, where, found, expected):
        self.compared[table] = self.compared.get(table, 0) + 1
        if found != expected:
            fail(f"{table} {where}: {found!r}, the run has {expected!r}")

    def wide(self, name, source, keys):
        """Rows of a wide table, renamed or not, in the run's order."""
        tidy, stored = self.tidy(name), self.stored(source)
        self.require(name, "rows", len(tidy), len(stored))
        for column, original in keys.items():
            self.require(name, column, tidy[column].tolist(), stored[original].tolist())

    def long(self, name, source, keys, parts, fixed=None):
        """Every row of a long table is a cell of the wide one, and no cell with a value is left out."""
        tidy, stored = self.tidy(name), self.stored(source).set_index(keys, drop=False)
        if not stored.index.is_unique:
            fail(f"{source}.csv has rows of equal {keys}")
        fixed = fixed or (lambda row: "")
        for row in tidy.to_dict("records"):
            key = tuple(row[k] for k in keys)
            line = stored.loc[key if len(keys) > 1 else key[0]]
            stem = row["metric"] + fixed(row)
            for part, suffix in parts.items():
                column = stem + suffix
                self.require(name, f"{key} {column}", row[part], line[column] if column in line else "")
        return tidy, stored

    def complete(self, name, tidy, stored, measures):
        filled = sum(int((stored[measure] != "").sum()) for measure in measures)
        self.require(name, "values", len(tidy), filled)


INTERVAL = {"value": "", "low": "_low", "high": "_high"}
FIT = ["scene", "frame", "method", "space", "status", "reason", "pairs", "inliers", "scale", "shift", "rank", "condition", "spread"]


def check_tables(run, export):
    tables = Tables(run, export)
    solved = ["scene", "method", "space", "frames", "frames_solved"]
    metrics = [column for column in tables.stored("scenes").columns if column not in solved]
    tables.wide("frames", "frames", {key: key for key in FIT})
    tables.complete("frame_metrics", *tables.long("frame_metrics", "frames", ["scene", "frame", "method"], {"value": ""}), metrics)
    tables.wide("scene_methods", "scenes", {key: key for key in solved})
    tables.complete("scene_metrics", *tables.long("scene_metrics", "scenes", ["scene", "method"], {"value": ""}), metrics)
    tables.wide("methods", "summary", {key: key for key in ["method", "space", "scenes", "frames", "frames_solved"]})
    plain = {"percentile_low": "_percentile_low", "percentile_high": "_percentile_high"}
    tables.complete(
        "summary", *tables.long("summary", "summary", ["method"], INTERVAL | plain), metrics + ["coverage_all_frames"])
    check_comparisons(tables)
    for name in ["pairwise", "ranks", "cumulative", "diagnosis"]:
        if (run / f"{name}.csv").exists() and len(tables.stored(name)):
            columns = tables.stored(name).columns
            tables.wide(name, name, {"metric" if column == "column" else column: column for column in columns})
    for name, keys in [("ranges", ["from_m", "to_m"]), ("confidence", ["confidence"])]:
        tidy, stored = tables.long(name, name, ["method"] + keys, INTERVAL)
        ends = [column for column in stored.columns if column.endswith(("_low", "_high"))]
        counts = ["space", "scenes", "frames", "pixels"]
        tables.complete(name, tidy, stored, [c for c in stored.columns if c not in ["method"] + keys + counts + ends])
    check_sparsification(tables)
    if (run / "object_summary.csv").exists():
        keys = ["by", "bin", "depth", "method"]
        tidy, stored = tables.long("object_summary", "object_summary", keys, INTERVAL)
        ends = [column for column in stored.columns if column.endswith(("_low", "_high"))]
        tables.complete(
            "object_summary", tidy, stored,
            [c for c in stored.columns if c not in keys + ["objects", "boxed", "scenes"] + ends])
    if (run / "detections.csv").exists():
        tables.complete(
            "detections", *tables.long("detections", "detections", ["by", "class"], INTERVAL), ["precision", "recall"])
    return tables.compared


def check_comparisons(tables):
    baseline = json.loads((tables.run / "run.json").read_text())["baseline"]
    infixes = {(baseline, "solved"): "", (baseline, "fallback"): "_fallback"}
    if baseline != "spec":
        infixes |= {("spec", "solved"): "_spec", ("spec", "fallback"): "_spec_fallback"}
    infix = lambda row: infixes[row["reference"], row["form"]]
    parts = {"difference": "_difference", "p": "_p", "p_adjusted": "_p_adjusted"}
    parts |= {end: f"_difference_{end}" for end in ["low", "high", "percentile_low", "percentile_high"]}
    tidy, stored = tables.long("comparisons", "summary", ["method"], parts, infix)
    measures = [column for column in stored.columns if column.endswith("_difference")]
    tables.complete("comparisons", tidy, stored, measures)


def check_sparsification(tables):
    tidy, stored = tables.tidy("sparsification"), tables.stored("sparsification").set_index(["method", "removed_share"])
    for row in tidy.to_dict("records"):
        expected = stored.loc[(row["method"], row["removed_share"]), row["order"]]
        tables.require("sparsification", (row["method"], row["removed_share"], row["order"]), row["abs_rel_left"], expected)
    tables.require("sparsification", "rows", len(tidy), 3 * len(stored))


def check_dictionary(export):
    dictionary = read(export / "dictionary.csv")
    listed = set(zip(dictionary["table"], dictionary["column"], dictionary["metric"]))
    for path in sorted((export / "tables").glob("*.csv")):
        table = read(path)
        for column in table.columns:
            if (path.stem, column, "") not in listed:
                fail(f"dictionary.csv does not describe {path.stem}.{column}")
            missing = dictionary[(dictionary["table"] == path.stem) & (dictionary["column"] == column)].iloc[0]["missing"]
            if (table[column] == "").any() and not missing:
                fail(f"dictionary.csv does not say why {path.stem}.{column} may be empty")
        for metric in table["metric"].unique() if "metric" in table else []:
            if (path.stem, "metric", metric) not in listed:
                fail(f"dictionary.csv does not describe the metric {metric} of {path.stem}")
    unknown = dictionary[dictionary["definition"].str.contains("not known") | (dictionary["definition"] == "")]
    if len(unknown):
        fail(f"dictionary.csv does not define {unknown[['table', 'column', 'metric']].to_numpy().tolist()}")
    return len(dictionary)


def relative_changes(export):
    """Differences in per cent of what a method is held against: the one thing that the report draws and no table holds."""
    pairs = pd.read_csv(export / "tables" / "pairwise.csv").dropna(subset="difference")
    ends = pairs[["difference", "low", "high"]].to_numpy().T
    return np.concatenate([(100 * ends / pairs["value_b"].to_numpy()).ravel(), (-100 * ends / pairs["value_a"].to_numpy()).ravel()])


def check_figures(run, export):
    """Every number that the report draws as y or value is one of the tables', as it is, in per cent or in millimetres."""
    found = [pd.to_numeric(pd.Series(read(path).to_numpy().ravel()), errors="coerce") for path in (export / "tables").glob("*.csv")]
    numbers = pd.concat(found).dropna().to_numpy()
    numbers = np.concatenate([numbers, 100 * numbers, 1000 * numbers, relative_changes(export)])
    numbers = np.unique(numbers[np.isfinite(numbers)])
    drawn = 0
    for path in sorted((run / "figures").glob("*.csv")):
        figure = read(path)
        for column in [name for name in ("y", "value", "low", "high") if name in figure]:
            values = pd.to_numeric(figure[column], errors="coerce").dropna()
            after = np.searchsorted(numbers, values).clip(1, len(numbers) - 1)
            nearest = np.minimum(np.abs(numbers[after] - values), np.abs(numbers[after - 1] - values))
            strange = values[nearest > 1e-9 * values.abs().clip(lower=1e-12)].tolist()
            if strange:
                fail(f"{path.name} draws {column} = {strange[:3]}, which no table holds")
            drawn += len(values)
    return drawn


def drawings(export):
    """What the notebook's cells draw, by their ids: the figures, each as a list of axes."""
    matplotlib.use("Agg")
    found, here = {}, os.getcwd()
    plt.close("all")
    names = {"display": lambda *_: None}
    os.chdir(export)
    try:
        for cell in nbformat.read("analysis.ipynb", as_version=4).cells:
            if cell.cell_type == "code":
                plt.show = lambda: found.setdefault(cell.id, []).append(plt.gcf().axes)
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(compile(cell.source, cell.id, "exec"), names)
    finally:
        os.chdir(here)
    return found


def point(method, x, scale=1.0):
    """What a drawn value is found by: its method and its place, a number or the name of a category."""
    return (method, x if isinstance(x, str) else round(float(x) * scale, 9))


def lines(axis, x=lambda place: place):
    """Points of the lines that have a name."""
    return {
        point(line.get_label(), x(place)): value
        for line in axis.lines if not line.get_label().startswith("_")
        for place, value in zip(line.get_xdata(orig=True), line.get_ydata(orig=True)) if not pd.isna(value)
    }


def dots(axis, names, x=lambda dot: dot.get_xdata()[0], y=lambda dot: dot.get_ydata()[0]):
    """Points that are drawn one by one, with their names in the same order."""
    single = [line for line in axis.lines if len(line.get_xdata()) == 1]
    return {point(name.get_text(), x(dot)): float(y(dot)) for dot, name in zip(single, names, strict=True)}


def middle(bin):
    low, high = map(float, bin.split("–"))
    return (low + high) / 2


def report_points(run, name, x="x", x_scale=1.0, scale=1.0):
    """Points of a figure of the report, in the units of the tables; none where there is no such figure."""
    path = run / "figures" / f"{name}.csv"
    if not path.exists():
        return {}
    figure = pd.read_csv(path, dtype={"category": str}, keep_default_na=False, na_values=[""])
    figure = figure[figure["kind"] == "data"].dropna(subset="y")
    methods = figure["series"].str.replace(r" \((baseline|oracle)\)$", "", regex=True)
    return {point(method, place, x_scale): value * scale for method, place, value in zip(methods, figure[x], figure["y"])}


def compare_points(name, found, expected, is_whole=True):
    """Every point of the report is drawn in the notebook, which draws no other ones where it draws the whole."""
    for key, value in expected.items():
        if key not in found:
            fail(f"the notebook does not draw {key}, as {name} of the report does")
        if not np.isclose(found[key], value, rtol=1e-9, atol=1e-15):
            fail(f"the notebook draws {key} as {found[key]}, {name} of the report as {value}")
    if more := sorted(set(found) - set(expected)) if expected and is_whole else []:
        fail(f"the notebook draws {more[:3]}, which {name} of the report leaves out")
    return len(expected)


def check_charts(run, export):
    """Charts that both have show the same methods, places and values."""
    drawn = {cell: figures[0] for cell, figures in drawings(export).items()}
    compared = 0
    if "ranges" in drawn:
        compared += compare_points(
            "error-by-range", lines(drawn["ranges"][0], middle), report_points(run, "error-by-range", scale=1e-3))
    if "confidence" in drawn:
        compared += compare_points(
            "error-by-confidence", lines(drawn["confidence"][1], lambda level: level[0]),
            report_points(run, "error-by-confidence", x="category", scale=1e-3))
    if "cumulative" in drawn:
        found = lines(drawn["cumulative"][0])
        expected = report_points(run, "cumulative-error", x_scale=1e-3, scale=1e-2)
        # The report ends the curves where all are flat.
        compared += compare_points("cumulative-error", found, expected, is_whole=False)
        methods = [{method for method, _ in points} for points in (found, expected)]
        if expected and methods[0] != methods[1]:
            fail(f"the notebook draws the curves of {sorted(methods[0])}, the report those of {sorted(methods[1])}")
    if "coverage" in drawn:
        axis = drawn["coverage"][0]
        expected = report_points(run, "coverage-error", x_scale=1e-2, scale=1e-3)
        # Methods beyond a number share a series.
        named = {key: value for key, value in expected.items() if not key[0].endswith(" other methods")}
        compared += compare_points("coverage-error", dots(axis, axis.texts), named, is_whole=named == expected)
    for place, (name, scale) in enumerate([("mae-by-method", 1e-3), ("abs-rel-by-method", 1e-2)]):
        if "error" in drawn:
            axis = drawn["error"][place]
            found = dots(axis, axis.get_yticklabels(), x=lambda _: "", y=lambda dot: dot.get_xdata()[0])
            points = report_points(run, name, x="category", scale=scale)
            expected = {(method, ""): value for (_, method), value in points.items() if isinstance(method, str)}
            # Of many methods the report leaves out those with the largest errors.
            compared += compare_points(name, found, expected, is_whole=False)
    if compared < 20:
        fail(f"only {compared} points of charts were compared")
    return compared


def main():
    fathom, run, export = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    check_source(nbformat.read(export / "analysis.ipynb", as_version=4))
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        committed, fresh = check_regenerated(str(pathlib.Path(fathom).resolve()), run, export, scratch)
        compared = check_tables(committed, fresh)
        pictures = check_execution(export, scratch)
        entries = check_dictionary(fresh)
        drawn = check_figures(run, fresh)
        same = check_charts(run, fresh)
    short = {name: count for name, count in compared.items() if count < 3}
    if short or pictures < 6:
        fail(f"too little was compared: {short}, {pictures} pictures")
    print(
        f"{export}: {sum(compared.values())} cells of {len(compared)} tables are the run's, {entries} entries of the dictionary, "
        f"{pictures} pictures as stored, {drawn} numbers of the report's figures, {same} points of charts that both draw")


main()
