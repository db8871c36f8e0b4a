"""What a search of 10,000 configurations costs beside one evaluation of the same data, and beside evaluating them one by one.

    tune_speed.py FATHOM DATA.h5

Processor time of whole commands, all on this machine, one after the other. The naive loop is measured on some configurations
and multiplied; its numbers must be those of the search to 1e-9 (on all pixels; see Tests/CrossCheck/check_tune.py).
"""
import csv
import pathlib
import resource
import subprocess
import sys
import tempfile

GRID = """
methods: [ols]
min-confidence: [0, 1, 2]
min-depth: 0.1:1.0:0.1
max-depth: 1.5:8.5:0.25
min-pairs: [20, 50, 100, 500]
position-mapping: [corners, centres, scale]
"""
NAIVE = 5


def seconds(*command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(part) for part in command], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    fathom, data = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        (work / "grid.yaml").write_text(GRID, encoding="utf-8")
        tuned = seconds(fathom, "tune", data, "--grid", work / "grid.yaml", "--output", work / "tuned", "--quiet")
        with open(work / "tuned" / "tune.csv", newline="", encoding="utf-8") as file:
            table = list(csv.DictReader(file))
        default = seconds(fathom, "evaluate", data, "--no-objects", "--output", work / "default", "--quiet")
        single = 0.0
        chosen = table[:: len(table) // NAIVE][:NAIVE]
        for row in chosen:
            flags = [
                f"--{axis}={row[axis.replace('-', '_')]}"
                for axis in ("methods", "min-confidence", "min-depth", "max-depth", "min-pairs", "position-mapping")
            ]
            single += seconds(fathom, "evaluate", data, *flags, "--no-objects", "--output", work / "one", "--overwrite", "--quiet")
        single /= len(chosen)
        print(f"evaluate, default methods:              {default:10.1f} s")
        print(f"evaluate, ols alone:                    {single:10.1f} s")
        print(f"tune, {len(table):,} configurations, all of it: {tuned:10.1f} s = {tuned / default:.2f} default evaluations, "
              f"{tuned / single:.1f} of ols alone")
        print(f"naive loop over them (from {len(chosen)}):        {single * len(table):10.0f} s = {single * len(table) / tuned:,.0f} times the search")
    return 0


if __name__ == "__main__":
    sys.exit(main())
