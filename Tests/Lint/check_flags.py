#!/usr/bin/env python3
"""Flags of the command in the text of the libraries below it: check_flags.py

A library names an option, in a Wording as \\(option: "output") and in a command line as \\(flag: "output"); how it is spelled stands in
OptionName alone. A text of Sources outside of the command's own modules that spells a flag, "--output" or "--\\(name)", ends this with 1."""
import re, sys
from pathlib import Path
ROOT = Path(__file__).resolve().parent.parent.parent
COMMAND = {"fathom", "FathomCommandLine", "FathomDataCommands", "FathomRunCommands"}
# Flags of other programs, and variables of style sheets.
OTHERS = re.compile(r"h5repack --high=2|var\(--|style=\"--columns: |; --(characters: |head-)")
FLAG = re.compile(r"(?<![\w-])--(?:[a-z]|\\\()")
# A comment, a text over several lines, or a text; the first that begins counts.
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|(#*)"""(?P<lines>.*?)"""\1|"(?P<line>(?:\\\((?:[^()"]|"[^"\n]*"|\([^()]*\))*\)|\\.|[^"\\\n])*)"', re.S)

def places(text):
    """Lines of the texts that spell a flag."""
    for token in TOKEN.finditer(text):
        said = token["lines"] or token["line"] or ""
        if FLAG.search(OTHERS.sub("", said)):
            yield text.count("\n", 0, token.start()) + 1

def main():
    found = []
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        name = path.relative_to(ROOT)
        if name.parts[1] not in COMMAND:
            lines = path.read_text(encoding="utf-8")
            found += [f"{name}:{number}: {lines.splitlines()[number - 1].strip()[:150]}" for number in places(lines)]
    print("\n".join(found) or "no library spells a flag of the command")
    if found:
        print('Name the option: \\(option: "output") in a Wording, \\(flag: "output") in a command line.')
    sys.exit(bool(found))

if __name__ == "__main__":
    main()
