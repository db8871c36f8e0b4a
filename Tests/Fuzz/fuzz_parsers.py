#!/usr/bin/env python3
"""libFuzzer on the parsers of our own: replays the kept inputs, or fuzzes each parser for some seconds.

usage: fuzz_parsers.py PARSER_FUZZ --replay
       fuzz_parsers.py PARSER_FUZZ [--seconds 60] [--executions N] [--parsers mapping,npy] [--keep] [--table FILE.csv]

A parser ends after so many seconds or executions, whichever comes first. --table adds to the figures that are there.
The kept inputs lie in Tests/Fuzz/corpus/PARSER. With --keep, small ones that reach new code are added to them. An input that ends
the process, takes over 10 s or over 1 GB is written to Tests/Fuzz/found, and ends this with 1."""
import argparse, csv, os, re, shutil, subprocess, sys, tempfile
from pathlib import Path
HERE = Path(__file__).parent

def write_figures(path, row):
    """The table with one more run of a parser: executions are added up, edges are the most of any run."""
    name, executions, edges, code = row
    known = {}
    if os.path.exists(path):
        with open(path, newline="") as file:
            known = {r["parser"]: r for r in csv.DictReader(file)}
    before = known.get(name, {"executions": 0, "edges": 0, "failures": 0})
    known[name] = {"parser": name, "executions": int(before["executions"]) + executions, "edges": max(int(before["edges"]), edges),
                   "failures": int(before["failures"]) + (code != 0)}
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, ["parser", "executions", "edges", "failures"], lineterminator="\n")
        writer.writeheader()
        writer.writerows(known[n] for n in sorted(known))

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fuzzer"), parser.add_argument("--replay", action="store_true"), parser.add_argument("--keep", action="store_true")
    parser.add_argument("--seconds", type=int, default=0), parser.add_argument("--executions", type=int, default=-1), parser.add_argument("--parsers"), parser.add_argument("--table")
    options = parser.parse_args()
    names = options.parsers.split(",") if options.parsers else sorted(p.name for p in (HERE / "corpus").iterdir())
    rows, bad = [], False
    for name in names:
        kept = HERE / "corpus" / name
        environment = {**os.environ, "FATHOM_FUZZ_PARSER": name, "SWIFT_BACKTRACE": "enable=no"}
        with tempfile.TemporaryDirectory() as fresh:
            found = HERE / "found"
            found.mkdir(exist_ok=True)
            words = [options.fuzzer, f"-artifact_prefix={found}/{name}-", "-timeout=10", "-rss_limit_mb=1024", "-max_len=4096", "-print_final_stats=1"]
            if options.replay:
                words += ["-runs=0", str(kept)]
            else:
                words += [f"-max_total_time={options.seconds}", f"-runs={options.executions}", fresh, str(kept)]
            done = subprocess.run(words, env=environment, capture_output=True, text=True, errors="replace")
            text = done.stderr
            number = re.search(r"stat::number_of_executed_units:\s*(\d+)", text)
            covered = re.findall(r"cov: (\d+)", text)
            rows.append((name, int(number.group(1)) if number else 0, int(covered[-1]) if covered else 0, done.returncode))
            if options.table:
                write_figures(options.table, rows[-1])
            print(f"{name}: {rows[-1][1]:,} executions, {rows[-1][2]} edges" + (f": ended with {done.returncode}" if done.returncode else ""), flush=True)
            if done.returncode:
                bad = True
                print(text[-1500:])
            elif options.keep:
                with tempfile.TemporaryDirectory() as merged:
                    subprocess.run([options.fuzzer, "-merge=1", merged, str(kept), fresh], env=environment, capture_output=True)
                    small = sorted((p for p in Path(merged).iterdir() if p.stat().st_size <= 2048), key=lambda p: p.stat().st_size)[:60]
                    for path in small:
                        shutil.copy(path, kept / path.name)
    print(f"{sum(r[1] for r in rows):,} executions")
    sys.exit(1 if bad else 0)

if __name__ == "__main__":
    main()
