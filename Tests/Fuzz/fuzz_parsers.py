#!/usr/bin/env python3
"""libFuzzer on the parsers of our own: replays the kept inputs, or fuzzes each parser for some seconds.

usage: fuzz_parsers.py PARSER_FUZZ --replay
       fuzz_parsers.py PARSER_FUZZ --seconds 60 [--parsers mapping,npy] [--keep] [--table FILE.csv]

The kept inputs lie in Tests/Fuzz/corpus/PARSER. With --keep, small ones that reach new code are added to them. An input that ends
the process, takes over 10 s or over 1 GB is written to Tests/Fuzz/found, and ends this with 1."""
import argparse, csv, os, re, shutil, subprocess, sys, tempfile
from pathlib import Path
HERE = Path(__file__).parent

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fuzzer"), parser.add_argument("--replay", action="store_true"), parser.add_argument("--keep", action="store_true")
    parser.add_argument("--seconds", type=int, default=60), parser.add_argument("--parsers"), parser.add_argument("--table")
    options = parser.parse_args()
    names = options.parsers.split(",") if options.parsers else sorted(p.name for p in (HERE / "corpus").iterdir())
    rows, bad = [], False
    for name in names:
        kept = HERE / "corpus" / name
        environment = {**os.environ, "FATHOM_FUZZ_PARSER": name, "SWIFT_BACKTRACE": "enable=no"}
        with tempfile.TemporaryDirectory() as fresh:
            found = HERE / "found"
            found.mkdir(exist_ok=True)
            words = [options.fuzzer, f"-artifact_prefix={found}/{name}-", "-timeout=10", "-rss_limit_mb=1024", "-max_len=65536", "-print_final_stats=1"]
            if options.replay:
                words += ["-runs=0", str(kept)]
            else:
                words += [f"-max_total_time={options.seconds}", "-use_value_profile=1", fresh, str(kept)]
            done = subprocess.run(words, env=environment, capture_output=True, text=True, errors="replace")
            text = done.stderr
            number = re.search(r"stat::number_of_executed_units:\s*(\d+)", text)
            covered = re.findall(r"cov: (\d+)", text)
            rows.append((name, int(number.group(1)) if number else 0, int(covered[-1]) if covered else 0, done.returncode))
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
    if options.table:
        with open(options.table, "w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([("parser", "executions", "edges", "ended with"), *rows])
    print(f"{sum(r[1] for r in rows):,} executions")
    sys.exit(1 if bad else 0)

if __name__ == "__main__":
    main()
