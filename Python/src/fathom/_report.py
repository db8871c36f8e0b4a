"""What the page of a run says, read from report.json."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

# A sentence has **bold** and `code`; a mark behind a backslash is a letter.
_MARKS = re.compile(r"\\([\\`*])|`([^`]*)`|(\*\*)")
# The page does not know where it is. A word behind "=" is the reader's own folder.
_ITS_FOLDER = re.compile(r"(?<!=)\bFOLDER\b")
_EXPLANATION = "; FOLDER is the folder of this page"


class Picture(NamedTuple):
    """A picture of a frame."""

    role: str
    path: Path
    alternative: str


class Frame(NamedTuple):
    """A frame of the gallery."""

    rank: str
    title: str
    caption: str
    pictures: list[Picture]


class Cell(NamedTuple):
    """A cell of a table: its value, and with an interval behind it."""

    value: str
    text: str


class Report:
    """The parts of a page that a notebook and a terminal show; all are empty where the run has none."""

    title: str
    caveat: str
    sentences: dict[str, str]
    """By their label: "Measured", "Answer", "Where", "Next"."""
    findings: list[str]
    """What is said of each method, and of what it states of its own errors."""
    columns: list[str]
    rows: list[list[Cell]]
    """The first table of results."""
    frames: list[Frame]
    """The first frame of each rank: worst, median, best."""

    def __init__(self, values: Mapping[str, Any], folder: str | os.PathLike[str]) -> None:
        self.title, self.caveat = plain(values.get("title") or ""), plain(values.get("caveat") or "")
        self._folder = Path(folder)
        self.sentences, self.findings, self.columns, self.rows = {}, [], [], []
        frames: dict[str, Frame] = {}
        for section, block in _blocks(values):
            if "answer" in block:
                self.sentences = {line["label"]: self._sentence(line["text"]) for line in block["answer"]["lines"]}
            elif "list" in block and section in ("answer", "deviation"):
                self.findings += [plain(line) for line in block["list"]]
            elif "table" in block and block["table"].get("role") == "result" and not self.columns:
                table = block["table"]["table"]
                self.columns = [plain(column["title"]) for column in table["columns"]]
                self.rows = [[_cell(cell) for cell in row] for row in table["rows"]]
            elif "gallery" in block:
                for frame in block["gallery"]["frames"]:
                    frames.setdefault(frame["rank"], self._frame(frame))
        self.frames = list(frames.values())

    def _sentence(self, marked: str) -> str:
        sentence = plain(marked)
        if _EXPLANATION not in sentence:
            return sentence
        return _ITS_FOLDER.sub(lambda _: str(self._folder), sentence.replace(_EXPLANATION, ""))

    def _frame(self, frame: Mapping[str, Any]) -> Frame:
        pictures = [
            Picture(picture["role"], self._folder / picture["file"], plain(picture["alt"]))
            for picture in frame["pictures"]
        ]
        return Frame(frame["rank"], plain(frame["title"]), plain(frame.get("caption") or ""), pictures)


class Verdict(dict[str, Any]):
    """The values of verdict.json by their keys, and what they say in words."""

    sentences: dict[str, str]
    """By their label, in their order: "Measured", "Answer", "Where", "Next"."""
    findings: list[str]
    """What is said of each method, and of what it states of its own errors."""

    def __init__(self, values: Mapping[str, Any], report: Report) -> None:
        super().__init__(values)
        self.sentences, self.findings = report.sentences, report.findings

    def __str__(self) -> str:
        return "\n".join(self.sentences.values()) or repr(self)


def plain(sentence: str) -> str:
    """A sentence without its marks."""
    return _MARKS.sub(lambda mark: mark[1] or mark[2] or "", sentence)


def _cell(cell: Mapping[str, Any]) -> Cell:
    text = plain(cell.get("text") or "")
    return Cell(text.removesuffix(cell.get("interval") or "").strip(), text)


def _blocks(values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every block with the name of its section."""
    for section in values.get("sections", []):
        for block in section.get("blocks", []):
            yield section["id"], block
