#!/usr/bin/env python3
"""Places in Sources that look into the words of an error, whose wording is not promised: check_decisions.py

What follows from an error is decided by its kind, case or number (FathomError.Kind, SystemFault, errno). A comparison of its words with
others, or a search in them, ends this with 1, unless decisions.csv says of its file how many there are and why nothing else tells."""
import csv, re, sys
from pathlib import Path
ROOT = Path(__file__).resolve().parent.parent.parent
TABLE = Path(__file__).resolve().parent / "decisions.csv"
NAME = r"\b(?:reason|words|message|fault|error|failure|issue|advice)[?!]?(?:\.(?:reason|words|message|description|advice|localizedDescription)[?!]?)*(?:\.lowercased\(\))?"
SEARCH = r"(?:hasPrefix|hasSuffix|contains|firstRange|ranges|starts|firstMatch|wholeMatch|matches)"
# A search for a text, not one with a condition or for a case (`.isHeld`).
RULES = [re.compile(NAME + r"\." + SEARCH + r"\((?!where:|\.|\$)"),
         re.compile(NAME + r"\.has(?:Prefix|Suffix)\("),
         re.compile(r"\b(?:description|message)\.prefix \{"),
         re.compile(r"\b(?:reason|message|description) (?:==|!=) \"")]

def places(path):
    return [f"{path.relative_to(ROOT)}:{number}: {line.strip()[:120]}"
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
            if not line.lstrip().startswith("//") and any(rule.search(line) for rule in RULES)]

def main():
    with open(TABLE, newline="") as file:
        allowed = {row["file"]: int(row["places"]) for row in csv.DictReader(file)}
    found = {str(path.relative_to(ROOT)): places(path) for path in sorted((ROOT / "Sources").rglob("*.swift"))}
    faults = [place for name, lines in found.items() if len(lines) > allowed.get(name, 0) for place in lines]
    faults += [f"{name}: {count} places in {TABLE.name}, {len(found.get(name, []))} in it" for name, count in allowed.items()
               if len(found.get(name, [])) < count]
    print("\n".join(faults) or f"{sum(allowed.values())} places look into words, none new")
    if faults:
        print("decide by a kind, a case or a number, and make the words from it")
    sys.exit(bool(faults))

if __name__ == "__main__":
    main()
