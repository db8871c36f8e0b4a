#!/usr/bin/env python3
"""Words that a reader stumbles over, in every text file of the repository: check_words.py

words.csv holds each phrase (a regular expression) and what to write instead. Only files that the program makes from the sources are
skipped. Prints each place; exit 1 where there is one."""
import csv, re, subprocess, sys
from pathlib import Path
ROOT = Path(__file__).resolve().parent.parent.parent
TABLE = Path(__file__).resolve().parent / "words.csv"
MADE = ("Reports/", "Notebooks-export/", "Tests/Lint/words.csv")

def main():
    with open(TABLE, newline="") as file:
        rules = [(re.compile(rule["phrase"], re.I), rule["instead"]) for rule in csv.DictReader(file)]
    names = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True,
                           check=True).stdout.split("\0")
    files = places = 0
    for name in names:
        if not name or name.startswith(MADE) or not (ROOT / name).is_file() or b"\0" in (data := (ROOT / name).read_bytes()):
            continue
        files += 1
        for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
            for pattern, instead in rules:
                for match in pattern.finditer(line):
                    places += 1
                    print(f"{name}:{number}: '{match[0]}'; write: {instead}: {line.strip()[:150]}")
    print(f"{len(rules)} phrases, {files} files: {places} places" if places else f"{len(rules)} phrases, {files} files: none")
    sys.exit(bool(places))

if __name__ == "__main__":
    main()
