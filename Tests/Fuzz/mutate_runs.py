#!/usr/bin/env python3
"""Stored runs of others: tables, manifests, reports, pictures and checkpoints are changed, and their digests made right again.

usage: mutate_runs.py FATHOM --count 200 [--first 0] [--minutes M] [--table FILE.csv] [--keep FOLDER]

Folders of evaluate, evaluate --shard, tune, calibrate, compare and replay are made once; of each mutant one or two files have values
changed, dropped, retyped, nested, lengthened or cut. The manifest then records the SHA-256 of what is there, or records nothing, as
version 0.1 did. report in all formats, compare, export, frames and merge read it. Bad is what mutate_hdf5.py names (codes: 0, 65, and
66 of frames whose data are gone), and more than 15 s of the processor. Mutant n is the same on every machine: its number is the seed."""
import argparse, csv, hashlib, io, json, os, random, re, shutil, subprocess, sys, tempfile, time
from pathlib import Path
sys.path.insert(0, str(Path(__file__).parent))
from mutate_hdf5 import run, summary, write_table
from mutate_values import SECONDS

MARKERS = {"run": "run.json", "shard": "shard.json", "tuned": "tune.json", "calibrated": "calibration.json", "compared": "compare.json",
           "replayed": "replay.json"}
WORDS = ["", "nan", "inf", "-1", "0", "1e999", "-1e308", "9" * 400, "99999999999999999999", "0x10", "true", "\0", "\u202e", "é" * 3000, "=cmd()",
         "<script>alert(1)</script>", "../../etc/passwd", "\"", ",", "\n", "lidar-bilinear", "ols", "room-01", "1:2", "{{=<% %>=}}", "%n%s"]

def values_of(rng):
    return rng.choice([None, True, False, 0, -1, 1, 2 ** 31, 2 ** 63 - 1, -2 ** 63, 2 ** 64 - 1, 1e308, -0.5, 1e-320, [], {}, [[]], {"": None}, [None] * 3,
                       [0] * 5000, {"a": {"a": {"a": []}}}, *WORDS])

def nodes(value, place=()):
    """Every place in a document that can be changed."""
    found = [place] if place else []
    if isinstance(value, dict):
        for key in value:
            found += nodes(value[key], (*place, key))
    elif isinstance(value, list):
        for index in range(len(value)):
            found += nodes(value[index], (*place, index))
    return found

def spoil_json(rng, text):
    document = json.loads(text)
    document.pop("digests", None) if isinstance(document, dict) else None
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        # By depth first, or long lists of numbers would hide everything else.
        known = nodes(document)
        if not known:
            break
        depth = rng.choice(sorted({len(p) for p in known}))
        place = rng.choice([p for p in known if len(p) == depth])
        holder = document
        for key in place[:-1]:
            holder = holder[key]
        key, kind = place[-1], rng.randrange(9)
        if kind <= 2:
            holder[key] = values_of(rng)
        elif kind == 3:
            del holder[key]
        elif kind == 4:  # another node's value
            other = document
            for step in rng.choice(known):
                other = other[step]
            holder[key] = json.loads(json.dumps(other))
        elif kind == 5:
            value = holder[key]
            holder[key] = ([value] if rng.random() < 0.5 else {"a": value})
        elif kind == 6 and isinstance(holder[key], list):
            holder[key] = rng.choice([holder[key] * 3, holder[key][:1], holder[key][1:], holder[key] + [values_of(rng)], holder[key][::-1]])
        elif kind == 7 and isinstance(holder, dict):
            holder[rng.choice(WORDS)] = holder.pop(key)
        elif isinstance(holder[key], (int, float)) and not isinstance(holder[key], bool):
            holder[key] = rng.choice([-holder[key], holder[key] + 1, holder[key] * 10, str(holder[key]), 1e300])
        else:
            holder[key] = str(holder[key])[:rng.choice([0, 1, 3])]
    return document

def spoil_csv(rng, text):
    rows = list(csv.reader(io.StringIO(text)))
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        if not rows:
            break
        at, kind = rng.randrange(len(rows)), rng.randrange(10)
        row = rows[at]
        if kind <= 3 and row:
            row[rng.randrange(len(row))] = rng.choice(WORDS)
        elif kind == 4:  # a row that is longer or shorter than its heads
            rows[at] = row + ["1"] * rng.choice([1, 3, 300]) if rng.random() < 0.6 else row[:rng.randrange(len(row) + 1)]
        elif kind == 5:
            del rows[at]
        elif kind == 6:
            rows[at:at] = [list(row)] * rng.choice([1, 1, 2, 500])
        elif kind == 7:  # a column goes, or changes its name or place
            column = rng.randrange(max(1, len(rows[0])))
            how = rng.randrange(3)
            for line in rows:
                if column < len(line):
                    if how == 0:
                        del line[column]
                    elif how == 1:
                        line.append(line.pop(column))
            if how == 2 and rows[0]:
                rows[0][min(column, len(rows[0]) - 1)] = rng.choice(WORDS + rows[0])
        elif kind == 8:
            column = rng.randrange(max(1, len(rows[0])))
            word = rng.choice(WORDS)
            for line in rows[1:]:
                if column < len(line):
                    line[column] = word
        else:
            rows = rows[:rng.choice([0, 1, 2])]
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    text = out.getvalue()
    return text if rng.random() < 0.9 else text.replace("\n", rng.choice(["\r\n", "", "\n\n", "\n\""]), rng.choice([1, -1]))

def spoil_markup(rng, text):
    for _ in range(rng.choice([1, 1, 2])):
        tags = [m.start() for m in re.finditer("<", text)] or [0]
        at, kind = rng.choice(tags), rng.randrange(8)
        if kind == 0:
            text = text[:at] + rng.choice(["<script>alert(1)</script>", "<a>" * 5000, "<foreignObject><p>", "<!--", "<![CDATA[", "<!DOCTYPE x [<!ENTITY a 'b'>]>&a;",
                                           "<svg/onload=alert(1)>", "<style>*{}</style>", "</svg>", "</g>", "<g>"]) + text[at:]
        elif kind == 1:
            text = text[:at]
        elif kind == 2:
            numbers = [m for m in re.finditer(r"-?\d+(\.\d+)?", text)]
            if numbers:
                one = rng.choice(numbers)
                text = text[:one.start()] + rng.choice(["nan", "1e999", "-1e308", "9" * 500, "", "'", "\""]) + text[one.end():]
        elif kind == 3:
            end = text.find(">", at)
            text = text[:at] + text[end + 1:] if end > 0 else text[:at]
        elif kind == 4:
            end = text.find(">", at)
            text = text[:end] + rng.choice([" onload=\"x\"", " x", " style='a:url(http://b)'", " href=\"javascript:x\"", " viewBox=\"0 0 0 0\"", "\""]) + text[end:]
        elif kind == 5:
            text = text.replace('"', rng.choice(["'", "", "&quot;"]), rng.choice([1, 3, -1]))
        elif kind == 6:
            text = rng.choice(["", "\ufeff" + text, text * 2, "x", text.replace("viewBox", "viewbox"), text.replace("width", "w")])
        else:
            text = text[:at] + rng.choice(WORDS) + text[at:]
    return text

def spoil_rows(rng, body):
    from mutate_recordings import spoil_bytes
    return spoil_bytes(rng, body)

def canonical(value):
    """JSON as Storage/CanonicalJSON.swift writes it."""
    def write(value, space):
        inner = space + "  "
        if isinstance(value, dict):
            if not value:
                return "{\n\n" + space + "}"
            return "{\n" + ",\n".join(f"{inner}{write(k, '')} : {write(v, inner)}" for k, v in sorted(value.items())) + "\n" + space + "}"
        if isinstance(value, list):
            return "[\n" + ",\n".join(inner + write(v, inner) for v in value) + "\n" + space + "]" if value else "[\n\n" + space + "]"
        if isinstance(value, float) and value.is_integer() and abs(value) < 2 ** 53:
            return str(int(value))
        return json.dumps(value, ensure_ascii=False)
    return write(value, "")

def sha(body):
    return hashlib.sha256(body).hexdigest()

def repaired(rng, folder, marker, manifest, files):
    """Writes the manifest, whose record fits what is there again, is partial, or is none."""
    how = rng.random()
    if not isinstance(manifest, dict):
        manifest, how = manifest, 1
    elif how < 0.6:
        digests = {name: sha((folder / name).read_bytes()) for name in files if (folder / name).is_file()}
        manifest.pop("digests", None)
        digests[marker] = sha(canonical(manifest).encode(errors="surrogatepass"))
        manifest["digests"] = digests
    elif how < 0.75:
        manifest["digests"] = rng.choice([{}, [], None, "x", {"frames.csv": 1}])
    write(folder / marker, canonical(manifest).encode(errors="surrogatepass") + b"\n")

def write(path, body):
    """Replaces a file; the mutant's others are links to the seed's."""
    path.unlink(missing_ok=True)
    path.write_bytes(body)

class Seeds:
    """Folders that the command wrote, to be spoilt."""
    def __init__(self, fathom, place):
        self.fathom, self.place = fathom, place
        def go(*words):
            done = subprocess.run([fathom, *words, "--quiet"], cwd=place, capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"the preparation fails: {' '.join(words)}: {done.stderr}")
        go("synthesize", "s.h5", "--preset", "sample", "--scenes", "2", "--frames", "2")
        go("synthesize", "six.h5", "--preset", "sample", "--scenes", "4", "--frames", "1")
        go("synthesize", "live.h5", "--preset", "live", "--frames", "12")
        go("evaluate", "s.h5", "--output", "run", "--methods", "lidar-bilinear,ols")
        go("evaluate", "s.h5", "--output", "other", "--methods", "lidar-bilinear,huber", "--no-diagnosis")
        go("evaluate", "s.h5", "--output", "shard", "--shard", "1/2", "--methods", "ols", "--no-diagnosis")
        go("evaluate", "s.h5", "--output", "shard2", "--shard", "2/2", "--methods", "ols", "--no-diagnosis")
        go("tune", "six.h5", "--output", "tuned")
        go("calibrate", "s.h5", "--output", "calibrated")
        go("compare", "run", "other", "--output", "compared")
        go("replay", "live.h5", "--stage", "detect=45ms", "--output", "replayed")
        self.markers = {name: MARKERS[name] for name in MARKERS if (place / name / MARKERS[name]).exists()}

    def commands(self, rng, name, folder):
        """What reads a folder: each command alone."""
        path, out = str(folder / name), str(folder / "out")
        if name == "shard":
            return [["merge", path, str(self.place / "shard2"), "--output", out, "--no-gallery", "--quiet"]]
        formats = [["report", path, "--format", format, "--output", out, "--quiet"] for format in ("html", "markdown", "latex", "json")]
        if name != "run":
            return [rng.choice(formats)]
        return [rng.choice(formats + [["compare", path, str(self.place / "other"), "--output", out, "--quiet"],
                                      ["compare", str(self.place / "other"), path, "--allow-different-data", "--allow-different-protocol", "--output", out, "--quiet"],
                                      ["export", path, "--no-execute", "--output", out, "--quiet"],
                                      ["frames", path, str(self.place / "s.h5"), "--output", out, "--quiet"]])]

def mutant(number, seeds, folder):
    """Kind and commands of a mutant."""
    rng = random.Random(number)
    name = rng.choice(["run"] * 6 + ["shard", "shard", "tuned", "calibrated", "compared", "replayed"])
    name = name if name in seeds.markers else "run"
    marker = seeds.markers[name]
    shutil.copytree(seeds.place / name, folder / name, copy_function=os.link)
    place = folder / name
    files = sorted(str(p.relative_to(place)) for p in place.rglob("*") if p.is_file())
    manifest = json.loads((place / marker).read_text())
    recorded = manifest.get("digests") or files
    label = []
    for _ in range(rng.choice([1, 1, 2])):
        file = rng.choice([f for f in files if f.endswith((".json", ".csv", ".svg", ".html", ".rows"))] + [marker] * 4 + ["report.json", "tables.json"])
        path = place / file
        if not path.is_file():
            continue
        label.append(file)
        body = path.read_bytes()
        if rng.random() < 0.04:
            path.unlink()
        elif file == marker:
            manifest = spoil_json(rng, canonical(manifest))
        elif file.endswith(".json"):
            write(path, canonical(spoil_json(rng, body.decode())).encode(errors="surrogatepass"))
        elif file.endswith(".csv"):
            write(path, spoil_csv(rng, body.decode()).encode(errors="surrogatepass"))
        elif file.endswith(".rows"):
            write(path, spoil_rows(rng, body))
        else:
            write(path, spoil_markup(rng, body.decode()).encode(errors="surrogatepass"))
    repaired(rng, place, marker, manifest, set(recorded) - {marker})
    return name + ":" + "+".join(label), seeds.commands(rng, name, folder)

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fathom"), parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=0), parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--table"), parser.add_argument("--keep")
    options = parser.parse_args()
    fathom = str(Path(options.fathom).resolve())
    rows, end = [], time.monotonic() + 60 * options.minutes
    with tempfile.TemporaryDirectory() as place:
        seeds = Seeds(fathom, Path(place))
        for number in range(options.first, options.first + options.count):
            if time.monotonic() > end:
                break
            with tempfile.TemporaryDirectory(dir=place) as folder:
                folder = Path(folder)
                kind, commands = mutant(number, seeds, folder)
                for words in commands:
                    ended = run([fathom, *words])
                    left = [p.name for p in folder.iterdir() if p.name.startswith("out")]
                    verdict = (ended.verdict((0, 65, 66) if words[0] == "frames" else (0, 65)) or ("hang" if ended.processor > SECONDS else "")
                               or ("left" if ended.code and left else ""))
                    rows.append(ended.row(f"{number}:{kind}", words[0], verdict))
                    if verdict:
                        print("  bad:", *rows[-1], flush=True)
                        if options.keep:
                            shutil.copytree(folder, Path(options.keep) / f"run-{number}", dirs_exist_ok=True)
    if options.table:
        write_table(options.table, rows)
    known = sum("was changed after" in row[7] for row in rows)
    print(f"{known} of {len(rows)} were stopped by a digest")
    sys.exit(0 if summary(rows) else 1)

if __name__ == "__main__":
    main()
