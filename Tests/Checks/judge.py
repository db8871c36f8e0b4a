"""The checks that take too long for every change: which sources each judges, and that it passed with these.

    judge.py                     exit 1 where the sources of a check are not those with which it passed
    judge.py --run [CHECK,…]     runs these checks, by default those whose sources changed, and writes the line of each that passes
    judge.py --all [--full]      runs every check; --full with all cases and seeds where the table has a longer command
    judge.py --sources CHECK     the files that count

checks.csv has a line for each check: what is run, what is run in full (empty: the same), minutes of the last run, its sources, why
these, and their digest when it last passed. The digest is of the names and contents of the files and of the command, so it is the same on
every machine. Sources are words:

    NAME+       a target of Package.swift and all targets that it depends on, with Package.swift; and with Packaging/swift-packages.csv
                where one of them uses another package
    NAME        a target's own files
    A/*.py      files of the repository by a pattern; * also matches /
    -NAME       without this target
    @GROUP      the targets of a group of groups.csv; -@GROUP: without them

Pages in Markdown count nowhere. A word that matches nothing is an error, so a renamed module or file cannot be missed. A check that
fails loses its digest. Needs Python, git and Swift's package manager.
"""

import argparse
import csv
import dataclasses
import fnmatch
import hashlib
import io
import json
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = pathlib.Path(__file__).with_name("checks.csv")
GROUPS = pathlib.Path(__file__).with_name("groups.csv")
COLUMNS = ["check", "run", "full", "minutes", "sources", "why", "digest"]
MANIFEST, PACKAGES = "Package.swift", "Packaging/swift-packages.csv"


class Wrong(Exception):
    """What is wrong with the table, in words for its author."""


@dataclasses.dataclass(frozen=True)
class Target:
    folder: str
    # Names of targets, and of packages outside.
    needs: tuple


class Sources:
    """The files of the repository and the targets that they belong to."""

    def __init__(self, targets, files, groups):
        self.targets, self.files, self.groups = targets, files, groups

    def closure(self, name):
        """A target, what it depends on, and whether any of it comes from outside."""
        found, outside, open_names = set(), False, [name]
        while open_names:
            name = open_names.pop()
            if name in found:
                continue
            if name not in self.targets:
                outside = True
                continue
            found.add(name)
            open_names += self.targets[name].needs
        return found, outside

    def named(self, word):
        """The targets that a word names: one, or those of a group."""
        names = self.groups.get(word[1:]) if word.startswith("@") else [word]
        if names is None:
            raise Wrong(f"there is no group {word}")
        for name in names:
            if name not in self.targets:
                raise Wrong(f"{word}: Package.swift has no target {name}")
        return names

    def of(self, row):
        """Paths that count for a check, sorted."""
        try:
            return self.paths(row["sources"])
        except Wrong as wrong:
            raise Wrong(f"{row['check']}: {wrong}") from None

    def paths(self, words):
        """Paths that words name, sorted."""
        wanted, left_out, paths = set(), [], set()
        for word in words.split():
            if word.startswith("-"):
                left_out.append((word, set(self.named(word[1:]))))
            elif "/" in word or word in self.files:
                matching = {path for path in self.files if fnmatch.fnmatchcase(path, word)}
                if not matching:
                    raise Wrong(f"no file matches {word}")
                paths |= matching
            elif word.endswith("+"):
                found, outside = self.closure(*self.named(word[:-1]))
                wanted |= found
                paths |= {MANIFEST, PACKAGES} if outside else {MANIFEST}
            else:
                wanted |= set(self.named(word))
        if useless := [word for word, names in left_out if not names & wanted]:
            raise Wrong(f"what is excluded was not there: {', '.join(useless)}")
        wanted -= set().union(*(names for _, names in left_out))
        folders = tuple(self.targets[name].folder + "/" for name in wanted)
        paths |= {path for path in self.files if path.startswith(folders)} if folders else set()
        if absent := paths - set(self.files):
            raise Wrong(f"{', '.join(sorted(absent))}: not in the repository")
        return sorted(path for path in paths if not path.endswith(".md"))

    def digest(self, row):
        lines = [row["run"], *(f"{path} {self.files[path]}" for path in self.of(row))]
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def targets_of(package):
    """Targets by their names, from what `swift package dump-package` says."""
    found = {}
    for target in package["targets"]:
        needs = tuple(name for needed in target["dependencies"] for name, *_ in needed.values())
        tests = "Tests" if target["type"] == "test" else "Sources"
        found[target["name"]] = Target(target.get("path") or f"{tests}/{target['name']}", needs)
    return found


def blob(data):
    """The name that git gives to these contents."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


def files_of(root):
    """Every file that is committed or could be, as it is now, with git's name for its contents."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=root, capture_output=True, check=True
    ).stdout.decode()
    found = {}
    for path in filter(None, listed.split("\0")):
        place = root / path
        if place.is_symlink():
            found[path] = blob(os.readlink(place).encode())
        elif place.is_file():
            found[path] = blob(place.read_bytes())
    return found


def groups_of(text):
    return {row["group"]: row["targets"].split() for row in csv.DictReader(io.StringIO(text))}


def sources(root=ROOT):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("FATHOM_")}
    dumped = subprocess.run(["swift", "package", "dump-package"], cwd=root, env=environment, capture_output=True, check=True)
    return Sources(targets_of(json.loads(dumped.stdout)), files_of(root), groups_of(GROUPS.read_text(encoding="utf-8")))


def read(text):
    rows = list(csv.DictReader(io.StringIO(text)))
    if not rows or list(rows[0]) != COLUMNS:
        raise Wrong(f"the columns are not {', '.join(COLUMNS)}")
    names = [row["check"] for row in rows]
    for row in rows:
        if names.count(row["check"]) > 1:
            raise Wrong(f"two lines are called {row['check']}")
        if None in row or not all(row[name] for name in ("run", "sources", "why")):
            raise Wrong(f"{row['check']}: the line is incomplete")
    return rows


def written(rows):
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def stale(rows, known):
    return [row["check"] for row in rows if row["digest"] != known.digest(row)]


def judge(rows, names, full, known, save, run, clock=time.monotonic):
    """Runs checks and brings their lines up to date.

    known: gives the sources as they are now; save: stores the rows after each check; run: the exit code of a command.
    Returns the names of those that did not pass."""
    failed = []
    for row in (row for row in rows if row["check"] in names):
        before, start = known().digest(row), clock()
        command = full and row["full"] or row["run"]
        print(f"{row['check']}: {command}", flush=True)
        if run(command):
            row["digest"] = ""
            failed.append(row["check"])
        elif known().digest(row) != before:
            print(f"{row['check']}: its sources changed while it ran", file=sys.stderr)
            failed.append(row["check"])
        else:
            row["digest"] = before
            if not full:
                row["minutes"] = str(max(1, round((clock() - start) / 60)))
        save(rows)
    return failed


def exit_code(command):
    """The exit code of a check. It is not part of the `make` that may run this one: `make -n` of a check would pass whatever it finds."""
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES")}
    return subprocess.run(["bash", "-c", command], cwd=ROOT, env=environment).returncode


def save(rows):
    unfinished = TABLE.with_suffix(".partial")
    unfinished.write_text(written(rows), encoding="utf-8")
    unfinished.replace(TABLE)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--run", nargs="?", const="", metavar="CHECK,…")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--sources", metavar="CHECK")
    options = parser.parse_args()
    try:
        rows = read(TABLE.read_text(encoding="utf-8"))
        now = sources()
        old = stale(rows, now)
        asked = set(filter(None, (options.run or "").split(","))) | ({options.sources} if options.sources else set())
        if unknown := asked - {row["check"] for row in rows}:
            raise Wrong(f"there is no check {', '.join(sorted(unknown))}: {', '.join(row['check'] for row in rows)}")
        if options.sources:
            print(*(path for row in rows if row["check"] == options.sources for path in now.of(row)), sep="\n")
        elif options.all or options.run is not None:
            names = {row["check"] for row in rows} if options.all else asked or set(old)
            failed = judge(rows, names, options.full, sources, save, exit_code)
            if failed:
                sys.exit(f"did not pass: {', '.join(failed)}")
            print(f"{len(names)} checks passed")
        elif old:
            minutes = sum(int(row["minutes"] or 0) for row in rows if row["check"] in old)
            sys.exit(f"Not judged since their sources changed: {', '.join(old)}. Run `make judge` ({minutes} minutes) and commit Tests/Checks/checks.csv.")
        else:
            print(f"{len(rows)} long checks passed with these sources")
    except Wrong as wrong:
        sys.exit(f"Tests/Checks: {wrong}")


if __name__ == "__main__":
    main()
