"""Every internal link, anchor and `fathom …` command of the documentation holds.

    python3 Tests/Docs/check_docs.py [FATHOM]

Without FATHOM (a path of the command) the commands are not checked. A command holds if its subcommand exists and the full help of
it names every option. Words in capitals, DATA.h5 for instance, stand for the reader's own. Needs nothing but Python.
"""

import re
import subprocess
import sys
import urllib.parse

from pages import ROOT, anchors, commands, links, tracked

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
    faults = list(check_links(pages, files))
    print(f"links of {len(pages)} pages looked at")
    if len(sys.argv) > 1:
        faults += check_commands(pages, sys.argv[1])
    print(*faults, sep="\n", file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
