"""Links, headings, tables, code and commands of Markdown pages: what check_docs.py checks and stage_site.py copies."""

import dataclasses
import pathlib
import re
import shlex
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
CODE = re.compile(r"(`+)(.+?)\1")
FENCE = re.compile(r"^\s*(```+|~~~+)\s*(\S*)")


def lines(path):
    """Every line of a page as (number, text, language); language is None outside of fenced blocks."""
    fence, language = None, None
    for number, text in enumerate(path.read_text().splitlines(), 1):
        found = FENCE.match(text)
        if found and fence is None:
            fence, language = found[1], found[2]
        elif found and text.strip() == fence:
            fence, language = None, None
        else:
            yield number, text, language


def blocks(path):
    """(language, text) of every fenced block."""
    last, inside = 0, []
    for number, text, language in [*lines(path), (0, "", None)]:
        # A line that is skipped between two of one language opened or closed a fence.
        if inside and (language is None or number != last + 1):
            yield inside[0][1], "".join(line + "\n" for line, _ in inside)
            inside = []
        if language is not None:
            inside.append((text, language))
        last = number


DELIMITER = re.compile(r"\s*:?-+:?\s*")


@dataclasses.dataclass
class Table:
    """Rows of cells that follow each other, the head and the delimiter row among them."""

    line: int
    rows: list

    @property
    def has_delimiter(self):
        return all(DELIMITER.fullmatch(cell) for cell in self.rows[1])


def cells(row):
    """The cells of a row; a bar is part of a cell only with a backslash before it, in code, too."""
    inner = row.strip().removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return re.split(r"(?<!\\)\|", inner)


def tables(path):
    """Every table outside of code, and rows that belong to none."""
    table = None
    for number, text, language in lines(path):
        is_row = language is None and text.lstrip().startswith("|")
        if table and (not is_row or number != table.line + len(table.rows)):
            yield table
            table = None
        if is_row:
            table = table or Table(number, [])
            table.rows.append(cells(text))
    if table:
        yield table


def links(path):
    """(line, target) of every link and picture outside of code."""
    for number, text, language in lines(path):
        if language is None:
            for found in LINK.finditer(CODE.sub("", text)):
                yield number, found[1]


def anchor(heading):
    """The anchor that GitHub gives to a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.strip().rstrip("#").strip()).lower()
    return re.sub(r"\s", "-", re.sub(r"[^\w\- ]", "", text))


def anchors(path):
    """All anchors of a page; equal headings are numbered, as GitHub does."""
    seen = {}
    for _, text, language in lines(path):
        found = re.match(r"#{1,6}\s+(.*)", text) if language is None else None
        if found:
            name = anchor(found[1])
            count = seen.get(name, 0)
            seen[name] = count + 1
            yield f"{name}-{count}" if count else name
        if language is None:
            yield from re.findall(r"<a (?:id|name)=\"([^\"]+)\"", text)


def split(line):
    """The words of a line of shell; none where no shell reads it."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    try:
        return list(lexer)
    except ValueError:
        return []


def commands(path):
    """(line, words) of every line of a fenced block that calls fathom; lines that end with a backslash are joined."""
    start, pending = 0, ""
    for number, text, language in lines(path):
        if language is None or language not in ("", "sh", "bash", "shell", "console"):
            pending = ""
            continue
        if not pending:
            start = number
        pending += text.strip().removeprefix("$ ")
        if pending.endswith("\\"):
            pending = pending[:-1] + " "
            continue
        words = []
        for word in [*split(pending), ";"]:
            if word and set(word) <= set(";|&()"):
                if words and re.fullmatch(r"(\S*/)?fathom", words[0]):
                    yield start, words
                words = []
            else:
                words.append(word)
        pending = ""


def tracked():
    """Files of the repository, also those that are not yet committed, as resolved paths."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    return [ROOT / name for name in names.split("\0") if name and (ROOT / name).exists()]
