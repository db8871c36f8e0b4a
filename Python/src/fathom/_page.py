"""A run as text and as HTML."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from html import escape
from mimetypes import guess_type

from ._report import Frame, Report


def text(report: Report) -> str:
    """What the command prints: caveat, sentences, findings, table."""
    width = max((len(label) for label in report.sentences), default=0)
    lines = [report.caveat, *(f"{label:{width}}  {line}" for label, line in report.sentences.items())]
    lines += [f"- {line}" for line in report.findings]
    return "\n".join([*(line for line in lines if line), *_table(report)])


def _table(report: Report) -> list[str]:
    if not report.columns:
        return []
    rows = [report.columns, *([cell.value for cell in row] for row in report.rows)]
    widths = [max(len(row[index]) for row in rows) for index in range(len(report.columns))]
    lines = [
        "  ".join(
            cell.rjust(width) if index else cell.ljust(width) for index, (cell, width) in enumerate(zip(row, widths))
        )
        for row in rows
    ]
    return ["", *(line.rstrip() for line in lines)]


def html(report: Report) -> str:
    """The same for a notebook, with the pictures of some frames inside."""
    parts = [f"<h4>{escape(report.title)}</h4>"]
    if report.caveat:
        parts.append(f"<p><strong>{escape(report.caveat)}</strong></p>")
    parts += [f"<p><strong>{escape(label)}.</strong> {escape(line)}</p>" for label, line in report.sentences.items()]
    parts.append(_list(report.findings))
    if report.columns:
        head = "".join(f"<th>{escape(column)}</th>" for column in report.columns)
        rows = "".join(f"<tr>{''.join(f'<td>{escape(cell.text)}</td>' for cell in row)}</tr>" for row in report.rows)
        parts.append(f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>")
    parts += [_figure(frame) for frame in report.frames]
    return "".join(parts)


def _list(lines: Iterable[str]) -> str:
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<ul>{items}</ul>" if items else ""


def _figure(frame: Frame) -> str:
    pictures = "".join(
        f'<img src="data:{guess_type(picture.path.name)[0]};base64,{base64.b64encode(picture.path.read_bytes()).decode()}" '
        f'alt="{escape(picture.alternative)}" title="{escape(picture.role)}" style="width:23%;margin-right:1%">'
        for picture in frame.pictures
        if picture.path.is_file()
    )
    words = f"{frame.rank}: {frame.title}. {frame.caption}"
    return (
        f'<figure style="margin:1em 0">{pictures}<figcaption>{escape(words)}</figcaption></figure>' if pictures else ""
    )
