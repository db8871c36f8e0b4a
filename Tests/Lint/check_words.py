#!/usr/bin/env python3
"""Words that a reader stumbles over, in sources and pages, against how many there were: check_words.py [--write] [--show PHRASE]

words.csv holds each phrase (a regular expression), what to write instead, and how many places may still have it. A change that adds one
ends this with 1; --show prints a phrase's places; --write lowers the numbers to today's, and never raises them."""
import csv, re, subprocess, sys
from pathlib import Path
ROOT = Path(__file__).resolve().parent.parent.parent
TABLE = Path(__file__).resolve().parent / "words.csv"
READ = re.compile(r"(Sources/.*\.(swift|c|h|js|py|yaml)|docs/.*\.(md|swift)|Python/.*\.(py|md)|README\.md|CONTRIBUTING\.md|Datasets/.*\.md)$")

def main():
    with open(TABLE, newline="") as file:
        rules = list(csv.DictReader(file))
    names = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True,
                           check=True).stdout.splitlines()
    found = {rule["phrase"]: [] for rule in rules}
    phrases = [(rule["phrase"], re.compile(rule["phrase"], re.I)) for rule in rules]
    for name in filter(READ.match, names):
        if (ROOT / name).is_file():
            for number, line in enumerate((ROOT / name).read_text(encoding="utf-8").splitlines(), 1):
                for phrase, pattern in phrases:
                    found[phrase] += [f"{name}:{number}: {line.strip()[:150]}"] * len(pattern.findall(line))
    if "--show" in sys.argv[1:]:
        phrase = sys.argv[-1]
        if phrase not in found:
            sys.exit(f"--show takes a phrase of {TABLE.name}, as it stands there")
        return print("\n".join(found[phrase]))
    more = [rule for rule in rules if len(found[rule["phrase"]]) > int(rule["places"])]
    for rule in more:
        places = found[rule["phrase"]]
        print(f"'{rule['phrase']}': {len(places)} places, {rule['places']} before; write: {rule['instead']}; all are shown by --show")
    if "--write" in sys.argv[1:]:
        for rule in rules:
            rule["places"] = min(int(rule["places"]), len(found[rule["phrase"]]))
        with open(TABLE, "w", newline="") as file:
            writer = csv.DictWriter(file, ["phrase", "instead", "places"], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rules)
    if not more:
        print(f"{len(rules)} phrases, {sum(map(len, found.values()))} places left, none new")
    sys.exit(bool(more))

if __name__ == "__main__":
    main()
