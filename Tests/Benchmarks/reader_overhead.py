#!/usr/bin/env python3
"""What the process that reads costs: whole evaluations of one data set, read in the program and in a confined child, in turn.

usage: reader_overhead.py READER_OVERHEAD FILE.h5 [--repetitions 8]

Prints the processor time of each, the program's and its readers' together, the medians, and the overhead: the median of the quotients
of neighbouring runs, with the smallest and the largest. Other work on the machine changes both runs of a pair alike."""
import argparse, os, statistics, subprocess, sys

def seconds(tool, data, mode):
    """Of the processor, with those of all processes that it started and waited for."""
    child = subprocess.Popen([tool, data, mode])
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{mode} ended with {child.returncode}")
    return usage.ru_utime + usage.ru_stime

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool"), parser.add_argument("data"), parser.add_argument("--repetitions", type=int, default=8)
    options = parser.parse_args()
    seconds(options.tool, options.data, "within")  # what the first run finds cold
    pairs = []
    for number in range(options.repetitions):
        order = ("within", "apart") if number % 2 == 0 else ("apart", "within")
        found = {mode: seconds(options.tool, options.data, mode) for mode in order}
        pairs.append((found["within"], found["apart"]))
        print(f"within {pairs[-1][0]:.2f} s, apart {pairs[-1][1]:.2f} s: {100 * (pairs[-1][1] / pairs[-1][0] - 1):+.1f} %", flush=True)
    shares = [100 * (apart / within - 1) for within, apart in pairs]
    print(f"{len(pairs)} pairs: within {statistics.median(p[0] for p in pairs):.2f} s, apart {statistics.median(p[1] for p in pairs):.2f} s; "
          f"overhead {statistics.median(shares):+.1f} % ({min(shares):+.1f} to {max(shares):+.1f} %)")

if __name__ == "__main__":
    main()
