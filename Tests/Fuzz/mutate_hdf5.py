#!/usr/bin/env python3
"""Whole-process runs of the command on mutants of an HDF5 file, made with knowledge of its structure.

usage: mutate_hdf5.py FATHOM SEED.h5 --count 200 [--first 0] [--table FILE.csv] [--keep FOLDER]

Of each mutant inspect, diagnose, evaluate and import (with a mapping that names its arrays) are run. A run fails if the process dies
by a signal, takes more than 20 s of the processor (its readers' included), 90 s of the clock (the machine may be busy) or 1 GB, ends
with a code other than 0 and 65, or says other than one line of error. Ends with 1 if one fails. Mutant n is the same on every machine:
its number is the seed."""
import argparse, csv, os, random, resource, shutil, struct, subprocess, sys, tempfile, time
from pathlib import Path

SIGNATURES = [b"OHDR", b"OCHK", b"TREE", b"SNOD", b"HEAP", b"GCOL", b"FRHP", b"FHDB", b"FHIB", b"BTHD", b"BTIN", b"BTLF",
              b"FSHD", b"FSSE", b"EAHD", b"EAIB", b"FAHD", b"FADB", b"\x89HDF"]
SIZES = [0, 1, 7, 8, 0xFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 1 << 40, (1 << 63) - 1, (1 << 64) - 1]

def places(data):
    """Bytes of metadata: what follows a signature; the rest is mostly compressed numbers."""
    found = []
    for signature in SIGNATURES:
        at = data.find(signature)
        while at >= 0:
            found.append(at)
            at = data.find(signature, at + 1)
    return sorted(found) or [0]

def mutant(data, number):
    rng = random.Random(number)
    out = bytearray(data)
    known = places(data)
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        at = min(rng.choice(known) + rng.randrange(0, rng.choice([16, 64, 512])), len(out) - 9)
        kind = rng.randrange(8)
        if kind <= 2:
            out[at] ^= 1 << rng.randrange(8)
        elif kind == 3:
            width = rng.choice([1, 2, 4, 8])
            out[at:at + width] = (rng.choice(SIZES) & ((1 << 8 * width) - 1)).to_bytes(width, "little")
        elif kind == 4:  # an address: of another structure, of itself, beyond the end
            out[at:at + 8] = struct.pack("<Q", rng.choice(known + [at, len(out), len(out) * 2]))
        elif kind == 5:
            source = rng.choice(known)
            length = rng.choice([8, 16, 64])
            part = bytes(out[source:source + length])
            out[at:at + len(part)] = part
        elif kind == 6:
            out[at:at] = bytes(rng.choice([1, 8, 32]))
        else:
            del out[at:at + rng.choice([1, 8, 32, len(out)])]
            if len(out) < 600:
                out += bytes(600)
    return bytes(out)

# What import is told of the arrays of the seeds.
MAPPING = """name: mutant
match: {by: number}
depth: {files: ["*.h5"], array: scenes/room-01/lidar/depth, axes: [frame, height, width], unit: m}
confidence: {files: ["*.h5"], array: scenes/room-01/lidar/confidence, axes: [frame, height, width], code: 0/1/2}
colour: {files: ["*.h5"], array: scenes/room-01/image/rgb, axes: [frame, height, width, channel]}
"""
LONGEST, PATIENCE, MEGABYTES = 20, 90, 1024

class Ended:
    """How a run ended: code (negative for a signal), seconds of the processor and of the clock, peak MB of the process and its readers."""
    def __init__(self, code, processor, clock, megabytes, text):
        self.code, self.processor, self.clock, self.megabytes, self.text = code, processor, clock, megabytes, text

    def verdict(self, codes=(0, 65)):
        """What is wrong with it, or nothing."""
        lines = [line for line in self.text.splitlines() if line.startswith("fathom:")]
        return ("hang" if self.processor > LONGEST or self.clock > PATIENCE else "signal" if self.code < 0
                else "memory" if self.megabytes > MEGABYTES else "code" if self.code not in codes
                else "lines" if self.code and len(lines) != 1 else "")

    def row(self, label, command, verdict):
        return (label, command, self.code, round(self.processor, 2), round(self.clock, 2), round(self.megabytes), verdict,
                self.text[:300].replace("\n", " | "))

COLUMNS = ["file", "command", "code", "processor_s", "clock_s", "megabytes", "verdict", "words"]

def run(command):
    started = time.monotonic()
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)
        while True:
            done, status, usage = os.wait4(child.pid, os.WNOHANG)
            if done:
                break
            if time.monotonic() - started > PATIENCE:
                child.kill()
            time.sleep(0.005)
        child.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        text = errors.read().decode(errors="replace").strip()
    return Ended(child.returncode, usage.ru_utime + usage.ru_stime, time.monotonic() - started, usage.ru_maxrss / 1024, text)

def summary(rows):
    """The last lines of a table, and whether all is well."""
    bad = [row for row in rows if row[6]]
    stopped = sum("process that reads it" in row[7] or "was stopped" in row[7] for row in rows)
    print(f"{len({row[0] for row in rows})} files, {len(rows)} runs: {sum(r[2] == 0 for r in rows)} ended with 0, "
          f"{sum(r[2] == 65 for r in rows)} with 65, {stopped} of them because the reader died or was stopped; {len(bad)} bad; slowest "
          f"{max((r[3] for r in rows), default=0)} s of the processor, {max((r[4] for r in rows), default=0)} s of the clock; largest "
          f"{max((r[5] for r in rows), default=0)} MB")
    for row in bad:
        print("  bad:", *row)
    return not bad

def write_table(path, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *rows])

def check(fathom, path, folder, commands=("inspect", "diagnose", "evaluate", "import")):
    rows = []
    (folder / "mapping.yaml").write_text(MAPPING)
    for name in commands:
        extra = {"evaluate": ["--output", str(folder / "run"), "--overwrite", "--methods", "lidar-bilinear", "--no-figures",
                              "--no-gallery", "--no-diagnosis", "--quiet"],
                 "import": [str(folder / "made.h5"), "--mapping", str(folder / "mapping.yaml"), "--quiet"]}.get(name, [])
        ended = run([fathom, name, str(path), *extra])
        left = [p.name for p in folder.iterdir() if p.name not in ("mapping.yaml", path.name)]
        rows.append(ended.row(path.name, name, ended.verdict() or ("left" if ended.code and left else "")))
        shutil.rmtree(folder / "run", ignore_errors=True)
        (folder / "made.h5").unlink(missing_ok=True)
    return rows

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fathom"), parser.add_argument("seed", nargs="+")
    parser.add_argument("--count", type=int, default=0), parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=1e9), parser.add_argument("--table"), parser.add_argument("--keep")
    parser.add_argument("--asis", action="store_true", help="run the seeds as they are")
    options = parser.parse_args()
    rows, end = [], time.monotonic() + 60 * options.minutes
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        if options.asis:
            for seed in options.seed:
                rows += check(options.fathom, Path(seed), folder)
        seeds = [Path(seed).read_bytes() for seed in options.seed]
        made = 0
        for number in range(options.first, options.first + options.count):
            if time.monotonic() > end:
                break
            path = folder / f"mutant-{number}.h5"
            path.write_bytes(mutant(seeds[number % len(seeds)], number))
            found = check(options.fathom, path, folder)
            rows += found
            made += 1
            if options.keep and any(row[6] for row in found):
                shutil.copy(path, options.keep)
            path.unlink()
    if options.table:
        write_table(options.table, rows)
    sys.exit(0 if summary(rows) else 1)

if __name__ == "__main__":
    main()
