"""Compares a committed export with its run, and executes its notebook again.

    python check_notebook.py FATHOM RUN EXPORT

1. The notebook is valid, imports nothing but pandas, matplotlib and the standard library, and computes nothing: no call that
   averages, sums or fits, no arithmetic but on places and counts, and by the factor of a unit.
2. `fathom export` of the run, without what the repository does not hold of it, gives the same tables, dictionary and cells:
   to rounding, because the run may have been made again on another processor than the committed export. The repository does
   not keep the tables a second time.
3. All cells run from top to bottom in a fresh kernel in a copy, with the outputs that are stored: words to the letter,
   numbers to rounding, pictures but for how their letters are drawn.
4. Every table of that fresh export is the run's to the byte, and every column and metric is documented.
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


def is_change_of_unit(node):
    """A multiplication by the factor of a unit."""
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and ast.unparse(node.right) == "factor"


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
                if not (all(map(is_layout, sides)) or is_change_of_unit(node) or isinstance(node.op, ast.Add) and any(map(is_text_or_list, sides))):
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


def check_execution(export, whole, scratch):
    """Runs the committed cells beside the tables of a whole export."""
    copy = scratch / "executed"
    shutil.copytree(whole, copy)
    shutil.copy(export / "analysis.ipynb", copy)
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
    # The repository does not keep the tables a second time.
    names, others = (
        sorted(path.name for path in folder.iterdir() if path.is_file()) for folder in (export, again))
    if names != others:
        fail(f"holds other files than an export of {run}: {set(names) ^ set(others)}; run make notebook")
    for name in names:
        if name != "analysis.ipynb" and (found := differences(export / name, again / name, sources=[run])):
            fail(f"{name} is not that of {run}: {found[0]}; run make notebook")
    stored, made = (nbformat.read(folder / "analysis.ipynb", as_version=4) for folder in (export, again))
    if [(cell.id, cell.source) for cell in stored.cells] != [(cell.id, cell.source) for cell in made.cells]:
        fail(f"analysis.ipynb has other cells than an export of {run}; run make notebook")
    check_outputs(stored, made)
    return copy, again


def with_data_of(export, run, folder):
    """A copy of an export that names the data of a run: simulated data name the build that made them, so their digest follows it."""
    digests = [[entry["sha256"] for entry in json.loads((place / "run.json").read_text())["inputs"]] for place in (export, run)]
    shutil.copytree(export, folder)
    for path in folder.iterdir():
        if path.suffix in {".json", ".md", ".ipynb"}:
            text = path.read_text(encoding="utf-8")
            for old, new in zip(*digests):
                text = text.replace(old, new).replace(old[:12], new[:12])
            path.write_text(text, encoding="utf-8")
    return folder


def read(path):
    return pd.read_csv(path, dtype=str, keep_default_na=False)


def check_tables(run, export):
    """The tables of the export are the run's own, to the byte."""
    names = sorted(path.name for path in (export / "tables").glob("*.csv"))
    for name in names:
        if (export / "tables" / name).read_bytes() != (run / name).read_bytes():
            fail(f"tables/{name} is not that of the run")
    return names


def check_dictionary(export):
    dictionary, entries = json.loads((export / "tables.json").read_text(encoding="utf-8")), 0
    tables = {table["file"]: table for table in dictionary["tables"]}
    metrics = {metric["id"]: metric for metric in dictionary["metrics"]}
    for path in sorted((export / "tables").glob("*.csv")):
        table, columns = read(path), tables[path.name]["columns"]
        if list(table.columns) != [column["id"] for column in columns]:
            fail(f"tables.json has other columns than {path.name}")
        if len(table) != tables[path.name]["rows"]:
            fail(f"tables.json counts other rows than {path.name} has")
        for column in columns:
            cells, where = table[column["id"]], f"{path.name}, {column['id']}"
            if not column["meaning"]:
                fail(f"tables.json does not say what {where} is")
            if (cells == "").any() and not column["missing"]:
                fail(f"tables.json does not say why {where} may be empty")
            if column["type"] != "text" and pd.to_numeric(cells[cells != ""], errors="coerce").isna().any():
                fail(f"{where} is not a number")
        for metric in table["metric"].unique() if "metric" in table else []:
            if not metrics.get(metric, {}).get("definition"):
                fail(f"tables.json does not define the metric {metric} of {path.name}")
        entries += len(columns)
    return entries + len(metrics)


def relative_changes(export):
    """Differences in per cent of what a method is compared with: the one thing that the report draws and no table holds."""
    pairs = pd.read_csv(export / "tables" / "pairwise.csv").dropna(subset="difference")
    ends = pairs[["difference", "low", "high"]].to_numpy().T
    return np.concatenate([(100 * ends / pairs["value_b"].to_numpy()).ravel(), (-100 * ends / pairs["value_a"].to_numpy()).ravel()])


def check_figures(run, export):
    """Every number that the report draws as y or value is one of the tables', as it is, in per cent or, of metres and centimetres, in
    millimetres."""
    found = [pd.to_numeric(pd.Series(read(path).to_numpy().ravel()), errors="coerce") for path in (export / "tables").glob("*.csv")]
    numbers = pd.concat(found).dropna().to_numpy()
    numbers = np.concatenate([numbers, 10 * numbers, 100 * numbers, 1000 * numbers, relative_changes(export)])
    numbers = np.unique(numbers[np.isfinite(numbers)])
    drawn = 0
    for path in sorted((run / "figures").glob("*.csv")):
        figure = read(path)
        if "kind" in figure:
            # The share of a frame's pixels with truth is of its maps; check_report.py holds it between 0 and 1.
            figure = figure[figure["kind"] != "shade"]
        for column in [name for name in ("y", "value", "low", "high") if name in figure]:
            values = pd.to_numeric(figure[column], errors="coerce").dropna()
            after = np.searchsorted(numbers, values).clip(1, len(numbers) - 1)
            nearest = np.minimum(np.abs(numbers[after] - values), np.abs(numbers[after - 1] - values))
            # A change is a small difference of two means, whose own rounding is larger in it.
            strange = values[nearest > 1e-7 * values.abs().clip(lower=1e-12)].tolist()
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
    """Points of a figure of the report, lengths as it shows them and shares as the tables; none where there is no such figure."""
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
            "error-by-range", lines(drawn["ranges"][0], middle), report_points(run, "error-by-range"))
    if "confidence" in drawn:
        compared += compare_points(
            "error-by-confidence", lines(drawn["confidence"][1], lambda level: level[0]),
            report_points(run, "error-by-confidence", x="category"))
    if "cumulative" in drawn:
        found = lines(drawn["cumulative"][0])
        expected = report_points(run, "cumulative-error", scale=1e-2)
        # The report ends the curves where all are flat.
        compared += compare_points("cumulative-error", found, expected, is_whole=False)
        methods = [{method for method, _ in points} for points in (found, expected)]
        if expected and methods[0] != methods[1]:
            fail(f"the notebook draws the curves of {sorted(methods[0])}, the report those of {sorted(methods[1])}")
    # Where all methods cover the same, the report has no such chart.
    if "coverage" in drawn and (run / "figures/coverage-error.csv").exists():
        axis = drawn["coverage"][0]
        expected = report_points(run, "coverage-error", x_scale=1e-2)
        # Methods beyond a number share a series.
        named = {key: value for key, value in expected.items() if not key[0].endswith(" other methods")}
        compared += compare_points("coverage-error", dots(axis, axis.texts), named, is_whole=named == expected)
    for place, (name, scale) in enumerate([("mae-by-method", 1), ("abs-rel-by-method", 1e-2)]):
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
        named = with_data_of(export, run, scratch / "named")
        committed, fresh = check_regenerated(str(pathlib.Path(fathom).resolve()), run, named, scratch)
        tables = check_tables(committed, fresh)
        pictures = check_execution(named, fresh, scratch)
        entries = check_dictionary(fresh)
        drawn = check_figures(run, fresh)
        same = check_charts(run, fresh)
    if len(tables) < 10 or pictures < 6:
        fail(f"too little was compared: {tables}, {pictures} pictures")
    print(
        f"{export}: {len(tables)} tables are the run's, {entries} entries of the dictionary, "
        f"{pictures} pictures as stored, {drawn} numbers of the report's figures, {same} points of charts that both draw")


main()
