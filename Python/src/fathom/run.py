"""What the command wrote, as pandas has it."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from ._metrics import METRICS, near
from ._page import html, text
from ._report import Report, Verdict
from ._temporary import TemporaryFolder

_MANIFESTS = ("run.json", "tune.json", "calibration.json", "compare.json", "replay.json", "diagnosis.json")
_STORED = "stored:"
_TYPES = {"text": "string", "integer": "Int64", "number": "float64"}
# Text that a spreadsheet would calculate is stored with an apostrophe in front, and what cannot be seen by its code: \u{1b}.
_PROTECTED = re.compile(r"'+[=+\-@\t\r\n＝＋－＠]")


_CODE = re.compile(r"\\u\{([0-9a-f]{1,5}|10[0-9a-f]{4})\}")


def _unprotected(text: str) -> str:
    return _CODE.sub(lambda code: chr(int(code[1], 16)), text[1:] if _PROTECTED.match(text) else text)


class Run(Mapping[str, pd.DataFrame]):
    """A folder that the command wrote: a mapping of the name of a table to its DataFrame.

        run["frames"]   # frames.csv: a row for each scene, frame and method

    The types of the columns are those of tables.json: text is `string`, integers are `Int64`, numbers are `float64`. A value that
    does not exist is missing. Lengths are metres unless the column's name says otherwise; `definitions` has every unit.
    """

    folder: Path
    """Where the command wrote it."""
    manifest: dict[str, Any]
    """What determines the numbers: version, options, seed, inputs. run.json, tune.json, calibration.json and so on."""
    verdict: Verdict | None
    """What the run shows: the values of verdict.json, described in docs/verdict.md, and `sentences`; None where the command writes
    none."""
    definitions: dict[str, Any]
    """tables.json: of every column its type, unit and meaning, of every metric its direction and definition."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        if not self.folder.is_dir():
            raise FileNotFoundError(f"{self.folder} is not a folder")
        names = [name for name in _MANIFESTS if (self.folder / name).is_file()]
        if not names:
            raise ValueError(f"{self.folder} holds none of {', '.join(_MANIFESTS)}: the command did not write it")
        self.manifest = self._json(names[0])
        self._report = Report(self._json("report.json") if (self.folder / "report.json").is_file() else {}, self.folder)
        values = self._json("verdict.json") if (self.folder / "verdict.json").is_file() else None
        self.verdict = None if values is None else Verdict(values, self._report)
        self.definitions = self._json("tables.json") if (self.folder / "tables.json").is_file() else {"tables": []}
        self._tables = {
            Path(table["file"]).stem: table
            for table in self.definitions["tables"]
            if (self.folder / table["file"]).is_file()
        }
        self._frames: dict[str, pd.DataFrame] = {}
        # Of a run without a folder of its own, and of one whose maps were arrays: removed with this object.
        self._temporary: tuple[TemporaryFolder, ...] = ()
        self._selected: list[str] | None = None

    def _json(self, name: str) -> dict[str, Any]:
        values: dict[str, Any] = json.loads((self.folder / name).read_text(encoding="utf-8"))
        return values

    def __getitem__(self, name: str) -> pd.DataFrame:
        if name not in self._tables:
            raise KeyError(f"no table is called {name!r}: {near(name, self._tables)}")
        if name not in self._frames:
            self._frames[name] = self._read(self._tables[name])
        return self._frames[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)

    def __repr__(self) -> str:
        return f"Run({str(self.folder)!r}: {', '.join(self)})"

    def __str__(self) -> str:
        """What the run says, and its first table, as the command prints them."""
        return text(self._report) or repr(self)

    def _repr_html_(self) -> str:
        """What a notebook shows: what the run says, its first table, and pictures of some frames."""
        return html(self._report)

    def show(self) -> None:
        """Shows the answer, the table and some frames in a notebook; elsewhere prints the answer and the table."""
        notebook = sys.modules.get("IPython")
        if notebook is not None and getattr(notebook.get_ipython(), "kernel", None) is not None:
            notebook.display.display(self)
        else:
            print(self)

    def _read(self, table: dict[str, Any]) -> pd.DataFrame:
        types = {column["id"]: _TYPES[column["type"]] for column in table["columns"]}
        frame = pd.read_csv(
            self.folder / table["file"],
            dtype={name: "object" if kind == "float64" else kind for name, kind in types.items()},
            keep_default_na=False,
            na_values=[""],
        )
        for name in [str(name) for name in frame]:
            if types.get(name) == "float64":
                # Python's own reading is exact; that of older pandas is not.
                frame[name] = frame[name].astype("float64")
            elif types.get(name) == "string":
                frame[name] = frame[name].map(_unprotected, na_action="ignore").astype("string")
        return frame

    def means(self, support: str = "all") -> pd.DataFrame:
        """Means over the scenes: a row for each method, a column for each metric, of a run of `evaluate`.

        support: which truth pixels count: "all"; with a LiDAR also "measured" (where it measures) or "filled" (where it does not).
        Units are in the names of the metrics (`mae_m` is metres) or none (`abs_rel`).

        Raises KeyError for pixels that the run does not tell apart."""
        if "summary" not in self:
            raise ValueError(f"{self.folder} has no summary.csv: means are of runs of evaluate")
        summary = self["summary"]
        means = summary[summary["statistic"] == "mean"]
        rows = means[means["support"] == support]
        if rows.empty:
            raise KeyError(f"no support is called {support!r}: {near(support, means['support'].unique())}")
        table = rows.pivot(index="method", columns="metric", values="value")
        order = (list(rows["method"].unique()), list(rows["metric"].unique()))
        return table.reindex(index=order[0], columns=order[1]).rename_axis(index="method", columns=None)

    def metrics(
        self, names: Iterable[str] | None = None, *, method: str | None = None, support: str = "all"
    ) -> dict[str, float]:
        """Means over the scenes as a flat dictionary, as loggers take it: `{"mae_m": 0.05, …}` of one method, `{"mynet/mae_m": …}` of
        several. What the run cannot tell is NaN.

        names: of metrics. Default: those that `evaluate` was asked for, else all.
        method: only this one; "stored:mynet" may be called "mynet".
        support: as in `means`.

        Raises KeyError for names that are not known."""
        table = self.means(support)
        rows = {_short(row, table.index): row for row in table.index}
        if method is not None:
            row = method if method in table.index else rows.get(method)
            if row is None:
                raise KeyError(f"no method is called {method!r}: {near(method, rows)}")
            rows = {"": row}
        asked = [names] if isinstance(names, str) else list(names or self._selected or table.columns)
        for name in asked:
            if name not in table.columns and name not in METRICS:
                raise KeyError(f"no metric is called {name!r}: {near(name, table.columns)}")
        values = table.reindex(columns=asked)
        if len(rows) == 1:
            return {name: float(values.loc[row, name]) for row in rows.values() for name in asked}
        return {f"{short}/{name}": float(values.loc[row, name]) for short, row in rows.items() for name in asked}


def _short(method: str, methods: Iterable[str]) -> str:
    """A network without the word in front that tells it from the methods of the command."""
    short = method.removeprefix(_STORED)
    return method if short in methods else short


def load(run: str | os.PathLike[str]) -> Run:
    """Reads a folder that `fathom evaluate`, `tune`, `calibrate`, `compare`, `replay` or `diagnose` wrote. A table is read when it
    is first asked for."""
    return Run(run)
