"""Many scenes, some of them broken: whole, in shards, and killed and resumed again and again: the same bytes, and memory that does not grow.

    python3 Tests/Soak/soak.py FATHOM [--files 50] [--scenes 10] [--frames 40] [--shards 7] [--kills 10]

The defaults are 20,000 frames in 500 scenes; every tenth file has a scene whose depth is damaged, 1 % of all scenes. Files of equal content are
links, so that a gigabyte of disk suffices. Methods are few, because what is tested is not what they compute.
"""

import argparse
import csv
import hashlib
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

OPTIONS = ["--methods", "spec", "--no-objects", "--no-diagnosis", "--keep-going", "--quiet"]
DISTINCT = 5


def call(*words, codes=(0,)):
    """Seconds and the largest resident memory in MB."""
    begin = time.monotonic()
    process = subprocess.Popen([str(word) for word in words], stderr=subprocess.PIPE, text=True)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    code = os.waitstatus_to_exitcode(status)
    if code not in codes:
        sys.exit(f"{' '.join(map(str, words))[:300]} ended with {code}:\n{errors[-2000:]}")
    return time.monotonic() - begin, usage.ru_maxrss / 1024


def digests(folder):
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "timing.csv"
    }


def make(fathom, folder, given):
    sources = []
    for seed in range(1, DISTINCT + 1):
        path = folder / f"source-{seed}.h5"
        call(fathom, "synthesize", path, "--preset", "sample", "--scenes", given.scenes, "--frames", given.frames,
             "--seed", seed, "--quiet")
        sources.append(path)
    data = folder / "data"
    data.mkdir()
    broken = []
    for number in range(given.files):
        source, path = sources[number % DISTINCT], data / f"scan-{number:03}.h5"
        if number % 10 == 9:
            content = bytearray(source.read_bytes())
            # In the second half, so that scenes before it are whole.
            place = len(content) * 6 // 10
            content[place : place + 65536] = b"\xff" * 65536
            path.write_bytes(content)
            broken.append(path.stem)
        else:
            os.link(source, path)
    return data, broken


def resume(fathom, data, run, kills):
    """Kills the command after a while, again and again; then lets it end."""
    words = [str(fathom), "evaluate", str(data), *OPTIONS, "--resume", "--output", str(run)]
    generator, done, memory = random.Random(1), 0, 0
    while done < kills:
        process = subprocess.Popen(words, stderr=subprocess.DEVNULL)
        time.sleep(generator.uniform(2, 10))
        if process.poll() is not None:
            break
        process.send_signal(signal.SIGKILL if done % 2 else signal.SIGTERM)
        process.wait()
        done += 1
        kept = len(list(pathlib.Path(f"{run}.partial").glob("*.rows")))
        print(f"  killed {done} times, {kept} scenes are kept", flush=True)
    seconds, memory = call(*words, codes=(0, 65))
    return done, seconds, memory


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fathom", type=pathlib.Path)
    for name, value in [("files", 50), ("scenes", 10), ("frames", 40), ("shards", 7), ("kills", 10)]:
        parser.add_argument(f"--{name}", type=int, default=value)
    given = parser.parse_args()
    fathom = given.fathom.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        data, broken = make(fathom, folder, given)
        print(f"{given.files * given.scenes * given.frames} frames in {given.files * given.scenes} scenes, "
              f"{len(broken)} files are damaged", flush=True)
        half = folder / "half"
        half.mkdir()
        for path in sorted(data.iterdir())[: given.files // 2]:
            os.link(path, half / path.name)
        seconds, memory = call(fathom, "evaluate", half, *OPTIONS, "--output", folder / "half-run", codes=(0, 65))
        print(f"half of it: {seconds:.0f} s, {memory:.0f} MB", flush=True)
        seconds, memory = call(fathom, "evaluate", data, *OPTIONS, "--output", folder / "whole", codes=(0, 65))
        print(f"whole: {seconds:.0f} s, {memory:.0f} MB", flush=True)
        whole = digests(folder / "whole")

        shards, total, largest = [], 0, 0
        for number in range(1, given.shards + 1):
            shards.append(folder / "shards" / str(number))
            seconds, memory = call(fathom, "evaluate", data, *OPTIONS, "--shard", f"{number}/{given.shards}", "--output",
                                   shards[-1])
            total, largest = total + seconds, max(largest, memory)
        bytes_ = sum(path.stat().st_size for shard in shards for path in shard.iterdir())
        print(f"{given.shards} shards: {total:.0f} s, at most {largest:.0f} MB, {bytes_ / 1e6:.0f} MB on disk", flush=True)
        seconds, memory = call(fathom, "merge", *reversed(shards), "--quiet", "--output", folder / "merged", codes=(0, 65))
        print(f"merge: {seconds:.0f} s, {memory:.0f} MB", flush=True)
        kills, seconds, memory = resume(fathom, data, folder / "resumed", given.kills)
        print(f"killed {kills} times, then {seconds:.0f} s to the end, {memory:.0f} MB", flush=True)

        for other in ("merged", "resumed"):
            found = digests(folder / other)
            wrong = sorted(file for file in whole.keys() | found.keys() if whole.get(file) != found.get(file))
            if wrong:
                sys.exit(f"{other}: other bytes than whole: {', '.join(wrong)}")
        with open(folder / "whole" / "frames.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        frames = {(row["scene"], row["frame"]) for row in rows if row["method"] == "lidar-bilinear"}
        manifest = (folder / "whole" / "run.json").read_text()
        unnamed = [name for name in broken if f"{name}.h5" not in manifest]
        good = (given.files - len(broken)) * given.scenes * given.frames
        if len(frames) < good or unnamed or manifest.count('"unreadable"') != len(broken):
            sys.exit(f"{len(frames)} frames of at least {good}; not named: {unnamed}")
        print(f"same bytes whole, merged and resumed: {len(whole)} files, {len(rows)} rows of {len(frames)} frames; "
              f"all {len(broken)} damaged files are named")


if __name__ == "__main__":
    main()
