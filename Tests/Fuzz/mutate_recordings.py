#!/usr/bin/env python3
"""Whole-process runs of the command on spoilt recordings: folders, zips, tars, .r3d, videos, and maps of networks of every kind.

usage: mutate_recordings.py FATHOM --count 200 [--first 0] [--kinds K,L] [--minutes M] [--all] [--table FILE.csv] [--keep FOLDER]

Each mutant goes through import; recordings through inspect, diagnose or evaluate as well, in turn, or through all with --all. A run
fails as in mutate_hdf5.py. With --kinds only those of the numbers' mutants that are of these kinds are run. Of a spoilt recording frames may be skipped, so 0 is as good as 65. Mutant n is the same on every machine:
its number is the seed."""
import argparse, csv, json, random, shutil, struct, sys, tempfile, time, zlib
from pathlib import Path
sys.path.insert(0, str(Path(__file__).parent))
import recordings as made
from mutate_hdf5 import SIZES, run, summary, write_table

WORDS = [b"nan", b"inf", b"-1", b"1e999", b"99999999999999999999", b"", b"../../etc/passwd", b"\0", b"0x10", b"1e308", b"-0", b"\xff\xfe",
         b"[" * 2000, b"{\"a\":" * 2000, b"9" * 5000, b"\"", b"null", b"true", b"=cmd()"]

def spoil_bytes(rng, body):
    out = bytearray(body)
    for _ in range(rng.choice([1, 1, 2, 4])):
        if not out:
            return b""
        at, kind = rng.randrange(len(out)), rng.randrange(7)
        if kind <= 1:
            out[at] ^= 1 << rng.randrange(8)
        elif kind == 2:
            width = rng.choice([1, 2, 4, 8])
            order = rng.choice(["little", "big"])
            out[at:at + width] = (rng.choice(SIZES) & ((1 << 8 * width) - 1)).to_bytes(width, order)
        elif kind == 3:
            del out[at:at + rng.choice([1, 4, 64, len(out)])]
        elif kind == 4:
            out[at:at] = bytes(rng.choice([1, 4, 64]))
        elif kind == 5:
            source = rng.randrange(len(out))
            out[at:at + 16] = out[source:source + 16]
        else:
            out[at:at + 1] = rng.choice(WORDS)
    return bytes(out)

def spoil_png(rng, body):
    """A part of a PNG is changed, and its checksum fits again."""
    out, place, parts = [body[:8]], 8, []
    while place + 12 <= len(body):
        length = struct.unpack(">I", body[place:place + 4])[0]
        parts.append((body[place + 4:place + 8], body[place + 8:place + 8 + length]))
        place += 12 + length
    if not parts:
        return spoil_bytes(rng, body)
    index = rng.randrange(len(parts))
    kind, part = parts[index]
    choice = rng.randrange(4)
    if kind == b"IDAT" and choice == 0:
        parts[index] = (kind, zlib.compress(bytes(rng.choice([1, 1 << 16, 1 << 26]))))
    elif kind == b"IHDR" and choice <= 1:
        parts[index] = (kind, struct.pack(">II", rng.choice([0, 1, 1 << 16, 1 << 31, 8192]), rng.choice([1, 6, 8192, 1 << 30])) + part[8:])
    elif choice == 2:
        parts.insert(index, parts[rng.randrange(len(parts))])
    else:
        parts[index] = (kind, spoil_bytes(rng, part))
    return out[0] + b"".join(made.chunk(kind, part) for kind, part in parts)

def spoil_text(rng, body):
    words = body.replace(b",", b" , ").split(b" ")
    for _ in range(rng.choice([1, 2, 5])):
        words[rng.randrange(len(words))] = rng.choice(WORDS)
    return b" ".join(words)

def spoil_npy(rng, body):
    shape = rng.choice(["(6, 8)", "(0, 8)", "(-1, 8)", "(999999999999, 999999999)", "(6,)", "()", "(1,1,1,6,8)", "(6, 8, )", "6, 8", "(1e3, 8)",
                        "(9223372036854775807, 2)", "(4, 6, 8)", "(" * 500])
    kind = rng.choice(["<f4", "<f8", ">f2", "|u1", "<i8", "|O", "<c16", "|V0", "<U4294967295", "<f0"])
    header = f"{{'descr': '{kind}', 'fortran_order': {rng.choice(['True', 'False', '0'])}, 'shape': {shape}, }}".encode()
    length = rng.choice([len(header), len(header), len(header), 0, 65535, 1])
    return b"\x93NUMPY" + bytes([rng.choice([1, 1, 2, 3, 9]), 0]) + struct.pack("<H", length) + header + body[-rng.choice([0, 64, 192]):]

def spoil(rng, files):
    files = dict(files)
    for _ in range(rng.choice([1, 1, 2])):
        name = rng.choice(sorted(files))
        body = files[name]
        kind = rng.randrange(8)
        if kind == 0:
            del files[name]
            if not files:
                files["empty"] = b""
        elif kind == 1:
            files[name] = b""
        elif kind == 2:
            files[name] = files[rng.choice(sorted(files))]
        elif kind == 3:
            files[rng.choice(["../out", "a/" * 40 + "b", "x\n=cmd()", name + ".", "\u202etxt.png", "%s%n", name.upper()])] = body
        elif body.startswith(b"\x89PNG"):
            files[name] = spoil_png(rng, body)
        elif body.startswith(b"\x93NUMPY") and kind != 7:
            files[name] = spoil_npy(rng, body)
        elif name.endswith((".csv", ".txt", "metadata")) and kind != 7:
            files[name] = spoil_text(rng, body)
        else:
            files[name] = spoil_bytes(rng, body)
    return files

KINDS = ["stray", "maps-npy", "stray.zip", "video-mp4", "stray.tar.gz", "maps-npz", "scan.r3d", "maps-exr", "tum", "maps-pfm", "mapping",
         "video-mkv", "maps-png", "maps-tiff"]

def mutant(number, folder):
    """Arguments of the command for a mutant, and what it is."""
    rng = random.Random(number)
    kind = KINDS[number % len(KINDS)]
    place = folder / "input"
    extra = []
    if kind.startswith("maps"):
        path = str(made.write(made.stray(), place / "scan"))
        ending = kind[5:]
        made_maps = made.write({k: v for k, v in spoil(rng, made.maps(ending)).items() if ".." not in k}, place / "maps")
        extra = ["--relative", str(made_maps), "--relative-kind", "disparity"]
    elif kind.startswith("video"):
        name = "rgb." + kind[6:]
        body = spoil_bytes(rng, (made.SEEDS / name).read_bytes())
        path = str(made.write({**made.stray(), name: body}, place / "scan"))
    elif kind == "mapping":
        path = str(made.write(made.stray(), place / "scan"))
        text = spoil_text(rng, MAPPING) if number // len(KINDS) % 2 else spoil_bytes(rng, MAPPING)
        (place / "mapping.yaml").write_bytes(text)
        extra = ["--mapping", str(place / "mapping.yaml")]
    elif "." in kind:
        files = made.record3d() if kind.endswith("r3d") else made.stray()
        pack = made.tarred if "tar" in kind else made.zipped
        body = pack(spoil(rng, files)) if rng.random() < 0.6 else spoil_bytes(rng, pack(files))
        place.mkdir()
        (place / kind).write_bytes(body)
        path = str(place / kind)
    else:
        files = spoil(rng, made.stray() if kind == "stray" else made.tum())
        path = str(made.write({k: v for k, v in files.items() if ".." not in k}, place / kind))
    return kind, path, extra

MAPPING = b"""name: mine
title: Mine
looks-for: [odometry.csv]
match: {by: number}
depth: {files: ["depth/*.png"], unit: mm}
confidence: {files: ["confidence/*.png"], code: 0/1/2}
intrinsics: {file: camera_matrix.csv, layout: matrix, counted-from: centre, image-size: [1920, 1440]}
poses: {file: odometry.csv, layout: table, columns: header, direction: camera-to-world, axes: opencv, up: y}
time: poses
"""

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fathom"), parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=0), parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--table"), parser.add_argument("--keep"), parser.add_argument("--all", action="store_true")
    parser.add_argument("--kinds", type=lambda words: words.split(","), default=KINDS)
    options = parser.parse_args()
    if unknown := set(options.kinds) - set(KINDS):
        parser.error(f"no such kinds: {', '.join(sorted(unknown))}; there are {', '.join(KINDS)}")
    rows, end, mutants = [], time.monotonic() + 60 * options.minutes, 0
    for number in range(options.first, options.first + options.count):
        if time.monotonic() > end:
            break
        if KINDS[number % len(KINDS)] not in options.kinds:
            continue
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            kind, path, extra = mutant(number, folder)
            commands = [("import", [path, str(folder / "out.h5"), *extra, "--quiet"])]
            more = [("inspect", [path]), ("diagnose", [path]),
                    ("evaluate", [path, "--output", str(folder / "run"), "--no-figures", "--no-gallery", "--no-diagnosis",
                                  "--methods", "lidar-bilinear", "--quiet"])]
            if not extra:
                commands += more if options.all else [more[number % 3]]
            for name, words in commands:
                ended = run([options.fathom, name, *words])
                left = [p.name for p in folder.iterdir() if p.name != "input"]
                verdict = ended.verdict() or ("left" if ended.code and left else "")
                rows.append(ended.row(f"{number}:{kind}", name, verdict))
                if verdict and options.keep:
                    shutil.copytree(folder, Path(options.keep) / f"recording-{number}", dirs_exist_ok=True)
                for p in folder.iterdir():
                    if p.name != "input":
                        shutil.rmtree(p) if p.is_dir() else p.unlink()
            mutants += 1
    if options.table:
        write_table(options.table, rows)
    sys.exit(0 if summary(rows) else 1)

if __name__ == "__main__":
    main()
