"""Every internal link, anchor, table and `fathom …` command of the documentation holds, and programs in Swift are the one that is built.

    python3 Tests/Docs/check_docs.py [FATHOM]

Without FATHOM (a path of the command) the commands are not checked. A command holds if its subcommand exists and the full help of
it names every option. Words in capitals, DATA.h5 for instance, stand for the reader's own. A table holds if a delimiter row follows
its head, all its rows have as many cells, and no blank line divides it. A Swift program on a page that begins as that of docs/example,
which `make example` builds and runs, has the same text. Needs nothing but Python.
"""

import re
import subprocess
import sys
import urllib.parse

from pages import ROOT, anchors, blocks, commands, links, tables, tracked

CHECKED = re.compile(r"(README|CHANGELOG|CONTRIBUTING)\.md|(docs|Datasets)/.*\.md|Reports/README\.md|(Tests/[^/]+/|Tests/)README\.md")


def check_links(pages, files):
    known, folders = {}, {parent for file in files for parent in file.parents}
    for page in pages:
        for line, target in links(page):
            where = f"{page.relative_to(ROOT)}:{line}"
            if re.match(r"[a-z][a-z0-9+.-]*:", target):
                continue
            name, _, fragment = urllib.parse.unquote(target).partition("#")
            path = (page.parent / name).resolve() if name else page
            if path not in files and path not in folders:
                yield f"{where}: the link {target} leads to no file of the repository"
            elif fragment and path.suffix == ".md":
                if path not in known:
                    known[path] = set(anchors(path))
                if fragment not in known[path]:
                    yield f"{where}: {path.relative_to(ROOT)} has no heading for #{fragment}"


def check_tables(pages):
    count = 0
    for page in pages:
        last = None
        for table in tables(page):
            where = f"{page.relative_to(ROOT)}:{table.line}"
            count += 1
            if len(table.rows) < 2 or not table.has_delimiter:
                divided = last and last.line + len(last.rows) + 1 == table.line
                yield f"{where}: " + (
                    "a blank line divides these rows from their table" if divided else "no delimiter row (| --- |) follows the head of the table"
                )
            wide = len(table.rows[0])
            for offset, row in enumerate(table.rows):
                if len(row) != wide:
                    yield f"{page.relative_to(ROOT)}:{table.line + offset}: {len(row)} cells, and the table's head has {wide}"
            last = table
    if count == 0:
        yield "no table was found in any page: the check itself is broken"
    else:
        print(f"{count} tables looked at")


EXAMPLE = ROOT / "docs/example/Sources/best-method/main.swift"
# Pages that show the example; others may.
SHOWING = ["README.md", "docs/library.md", "Sources/FathomRuns/FathomRuns.docc/FathomRuns.md"]


def check_example(pages):
    """The program of the pages is the one that is built and run."""
    program = EXAMPLE.read_text()
    first = "\n".join(program.splitlines()[:2])
    for page in {*pages, *(ROOT / name for name in SHOWING)}:
        name = str(page.relative_to(ROOT))
        shown = [text for language, text in blocks(page) if language == "swift" and text.startswith(first)]
        if name in SHOWING and not shown:
            yield f"{name}: the program of {EXAMPLE.relative_to(ROOT)} is not there"
        for text in shown:
            if text != program:
                yield f"{name}: its Swift program is not that of {EXAMPLE.relative_to(ROOT)}, which `make example` builds"


class Help:
    """What the command's own help says, asked once for each subcommand."""

    def __init__(self, fathom):
        self.fathom, self.options = fathom, {}
        section = self.ask("--help").partition("SUBCOMMANDS:")[2]
        self.subcommands = set(re.findall(r"^  ([a-z][a-z-]*)", section, re.M)) | {"help"}

    def ask(self, *arguments):
        return subprocess.run([self.fathom, *arguments], capture_output=True, text=True).stdout

    def of(self, subcommand):
        if subcommand not in self.options:
            # `--help-all` where the subcommand has it: `--help` may leave options out.
            text = self.ask("help", subcommand) + self.ask(subcommand, "--help-all")
            self.options[subcommand] = set(re.findall(r"(?<![\w-])(--?[A-Za-z][\w-]*)", text))
        return self.options[subcommand]


def check_commands(pages, fathom):
    told, count = Help(fathom), 0
    for page in pages:
        for line, (_, *words) in commands(page):
            where = f"{page.relative_to(ROOT)}:{line}: fathom {' '.join(words)}"
            count += 1
            subcommand = next((w for w in words if not w.startswith("-")), None)
            if subcommand is None:
                allowed = {"--help", "--version", "-h"}
            elif subcommand in told.subcommands:
                allowed = told.of(subcommand)
            elif re.fullmatch(r"[A-Z]+|…", subcommand):
                continue
            else:
                yield f"{where}: there is no subcommand {subcommand}"
                continue
            for word in words:
                option = word.partition("=")[0]
                if re.fullmatch(r"--?[A-Za-z][\w-]*", option) and option not in allowed:
                    yield f"{where}: {subcommand} has no option {option}"
    if count == 0:
        yield "no command was found in any page: the check itself is broken"
    else:
        print(f"{count} commands are those of {fathom}")


def main():
    files = set(tracked())
    pages = sorted(f for f in files if CHECKED.fullmatch(str(f.relative_to(ROOT))))
    faults = [*check_links(pages, files), *check_tables(pages), *check_example(pages)]
    print(f"links of {len(pages)} pages looked at")
    if len(sys.argv) > 1:
        faults += check_commands(pages, sys.argv[1])
    print(*faults, sep="\n", file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
