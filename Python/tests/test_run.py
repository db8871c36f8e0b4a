import csv
import json
import math
import shutil
from pathlib import Path

import pandas as pd
import pytest

import fathom

REPORTS = Path(__file__).resolve().parents[2] / "Reports" / "kept"
RUNS = ["demo", "demo-tuned", "demo-calibration"]


@pytest.mark.parametrize("name", RUNS)
def test_every_cell_is_that_of_the_file(name):
    run = fathom.load(REPORTS / name)
    defined = {
        Path(table["file"]).stem: table for table in json.loads((REPORTS / name / "tables.json").read_text())["tables"]
    }
    assert set(run) == {stem for stem in defined if (REPORTS / name / f"{stem}.csv").exists()} and len(run) >= 3
    for stem, frame in run.items():
        assert len(frame) == defined[stem]["rows"]
        with open(REPORTS / name / f"{stem}.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        for column in defined[stem]["columns"]:
            kind, values = column["type"], frame[column["id"]]
            assert str(values.dtype) == {"text": "string", "integer": "Int64", "number": "float64"}[kind]
            for cell, value in zip([row[column["id"]] for row in rows], values, strict=True):
                if cell == "":
                    assert pd.isna(value)
                elif kind == "text":
                    assert value == cell
                else:
                    assert value == (int if kind == "integer" else float)(cell)


def test_manifest_verdict_and_definitions(tmp_path):
    run = fathom.load(REPORTS / "demo")
    assert run.manifest["tool"] == "fathom" and run.verdict["ranking"]["best"] == "auto"
    assert {metric["id"] for metric in run.definitions["metrics"]} >= {"mae_m", "abs_rel"}
    assert fathom.load(REPORTS / "demo-tuned").verdict["configurations"] > 0
    # A folder of a version that stored none.
    shutil.copytree(REPORTS / "demo-tuned", tmp_path / "older", ignore=shutil.ignore_patterns("verdict.json"))
    assert fathom.load(tmp_path / "older").verdict is None
    assert "frames" in repr(run)


def test_means_are_those_of_the_summary():
    run = fathom.load(REPORTS / "demo")
    summary = run["summary"]
    for support in ("all", "measured"):
        means = run.means(support)
        rows = summary[(summary["statistic"] == "mean") & (summary["support"] == support)]
        assert list(means.index) == list(rows["method"].unique())
        for row in rows.itertuples():
            value = means.loc[row.method, row.metric]
            assert value == row.value or (math.isnan(value) and math.isnan(row.value))
    with pytest.raises(ValueError, match=r"no summary\.csv"):
        fathom.load(REPORTS / "demo-tuned").means()


def test_text_has_no_protecting_apostrophe(tmp_path):
    shutil.copytree(REPORTS / "demo", tmp_path / "run")
    path = tmp_path / "run/methods.csv"
    lines = path.read_text().splitlines()
    names = ["'=cmd()", "''@x", "'plain", "None", "＝wide", "'＝wide", r"a\u{1b}b", r"\u{5c}u{1b}"]
    path.write_text("\n".join([lines[0], *(",".join([name, *lines[1].split(",")[1:]]) for name in names)]) + "\n")
    read = fathom.load(tmp_path / "run")["methods"].iloc[:, 0]
    assert list(read) == ["=cmd()", "'@x", "'plain", "None", "＝wide", "＝wide", "a\x1bb", r"\u{1b}"]


def test_what_is_no_run_is_named(tmp_path):
    with pytest.raises(ValueError, match="the command did not write it"):
        fathom.load(tmp_path)
    with pytest.raises(FileNotFoundError, match="is not a folder"):
        fathom.load(tmp_path / "absent")
    with pytest.raises(KeyError):
        fathom.load(REPORTS / "demo")["no-such-table"]
