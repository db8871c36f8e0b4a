#!/usr/bin/env python3
"""What `fathom diagnose` says of right recordings, and of every kind of fault put into them.

usage: fault_kinds.py --fathom PATH --work FOLDER [--kinds PATTERN] [--recordings PATTERN] [--first-strength]
                      [--table docs.md] [--csv cases.csv] DATA.h5...

The data sets are those at hand; worlds of a simulator of its own come besides. One strength and kind after the other is
put into every recording, `diagnose --json` is run, and what it says is compared with what was done. A fault counts as
decidable where an oracle that knows it sees it at three standard errors (oracle.py)."""

import argparse
import csv
import fnmatch
import json
import subprocess
import sys
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import kinds
import oracle
import recordings


def diagnose(fathom, path):
    done = subprocess.run([fathom, "diagnose", path, "--json"], capture_output=True, text=True)
    try:
        scenes = json.loads(done.stdout)["scenes"]
    except (json.JSONDecodeError, KeyError):
        return None, done.stderr.strip().splitlines()[-1:]
    # What breaks the schema is said beside the findings.
    said = [{"test": "schema", "verdict": "contradicted", "summary": line,
             "supported": line.partition("it breaks the schema: ")[2]}
            for line in done.stderr.splitlines() if "it breaks the schema: " in line]
    return [f for s in scenes for f in s["findings"]] + said, []


def outcome(kind, findings, before):
    """named, seen (wrong, without one reading), wrong cause, confirmed, or open.

    - before: tests that call the right recording wrong: what they say is not news."""
    wrong = [f for f in findings if f["verdict"] in ("contradicted", "no-reading-fits") and f["test"] not in before]
    if any(f["verdict"] == "contradicted" and kind.is_named(f["test"], f.get("supported")) for f in wrong):
        return "named"
    if any(kind.is_named(f["test"], "no") and f["verdict"] == "no-reading-fits" for f in wrong):
        return "named"
    if any(f["verdict"] == "no-reading-fits" for f in wrong):
        return "seen"
    if wrong:
        return "wrong cause"
    confirmed = [f["test"] for f in findings if f["verdict"] == "confirmed" and f["test"] in kind.about]
    return "confirmed" if confirmed else "open"


ORDER = ["named", "seen", "wrong cause", "open", "confirmed"]


def run(arguments):
    work = Path(arguments.work)
    work.mkdir(parents=True, exist_ok=True)
    known = [r for path in arguments.data for r in recordings.read(path)] + list(recordings.worlds())
    known = [r for r in known if fnmatch.fnmatch(r.name, arguments.recordings)]
    chosen = [k for k in kinds.KINDS if fnmatch.fnmatch(k.id, arguments.kinds)]
    rows, alarms = [], []
    for position, right in enumerate(known):
        path = work / f"{position}.h5"
        right.write(path)
        base, said = diagnose(arguments.fathom, path)
        path.unlink()
        if base is None:
            print(f"{right.name}: {said}", file=sys.stderr)
            continue
        before = {f["test"] for f in base if f["verdict"] in ("contradicted", "no-reading-fits")}
        alarms += [(right.name, f["test"], f.get("supported"), f["summary"]) for f in base if f["test"] in before]
        costs = {}

        def case(job):
            number, (kind, strength) = job
            broken = kind.apply(right, strength)
            if broken is None:
                return None
            sigmas = oracle.shows(kind, right, broken, costs)
            file = work / f"{position}-{number}.h5"
            broken.write(file)
            findings, said = diagnose(arguments.fathom, file)
            file.unlink()
            label = strength.__name__ if callable(strength) else str(strength)
            if findings is None:
                return [kind.id, label, right.name, f"{sigmas:.1f}", "refused", said[0][:120] if said else ""]
            about = "; ".join(
                f"{f['test']}={f.get('supported') or f['verdict']}" for f in findings
                if f["verdict"] in ("contradicted", "no-reading-fits") and f["test"] not in before)
            about += "" if about else "+ " + ", ".join(
                f["test"] for f in findings if f["verdict"] == "confirmed" and f["test"] in kind.about)
            return [kind.id, label, right.name, f"{sigmas:.1f}", outcome(kind, findings, before), about]

        jobs = [(k, s) for k in chosen for s in (k.strengths[:1] if arguments.first_strength else k.strengths)]
        start = time.time()
        with ThreadPoolExecutor(arguments.jobs) as pool:
            rows += [row for row in pool.map(case, enumerate(jobs)) if row]
        print(f"{right.name}: {len(jobs)} faults, {time.time() - start:.0f} s", file=sys.stderr)
    return rows, alarms, len(known)


def table(rows, alarms, count):
    lines = ["| kind | cases | decidable | " + " | ".join(ORDER) + " | confirmed though not decidable |",
             "|---|" + "---:|" * (len(ORDER) + 3)]
    total = defaultdict(int)
    for kind in dict.fromkeys(row[0] for row in rows):
        of = [row for row in rows if row[0] == kind]
        sure = [row for row in of if float(row[3]) >= oracle.LEAST]
        # A file that is refused is not mistaken for a right one.
        said = [sum(row[4] == word or (word == "named" and row[4] == "refused") for row in sure) for word in ORDER]
        numbers = [len(of), len(sure), *said, sum(row[4] == "confirmed" for row in of) - said[-1]]
        lines.append(f"| {kind} | " + " | ".join(map(str, numbers)) + " |")
        for position, number in enumerate(numbers):
            total[position] += number
    lines.append("| **all** | " + " | ".join(str(total[i]) for i in range(len(ORDER) + 3)) + " |")
    wrong = "; ".join(f"{a[0]}: {a[1]} {a[2] or ''}" for a in alarms) or "none"
    return "\n".join(lines) + f"\n\nOf {count} right recordings called wrong: {wrong}.\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="*")
    parser.add_argument("--fathom", default="fathom")
    parser.add_argument("--work", required=True)
    parser.add_argument("--kinds", default="*")
    parser.add_argument("--recordings", default="*")
    parser.add_argument("--first-strength", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--table")
    parser.add_argument("--csv")
    arguments = parser.parse_args()
    rows, alarms, count = run(arguments)
    text = table(rows, alarms, count)
    print(text)
    if arguments.table:
        Path(arguments.table).write_text(text)
    if arguments.csv:
        with open(arguments.csv, "w", newline="") as file:
            csv.writer(file).writerows([["kind", "strength", "recording", "sigmas", "outcome", "said"], *rows])


if __name__ == "__main__":
    main()
