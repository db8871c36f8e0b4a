#!/usr/bin/env python3
"""Whole-process runs of the command on stored folders that somebody changed: reports, tables, manifests, figures, shards.

usage: mutate_runs.py FATHOM --count 200 [--first 0] [--minutes M] [--table FILE.csv] [--keep FOLDER] [--kinds run,shard] [--seeds FOLDER]

Folders of evaluate, compare, calibrate, tune and replay, and shards, are made once; a mutant has one to three values, cells or tags
replaced by what no writer of ours writes, or values, rows, columns and tags dropped, moved, retyped, nested, lengthened or cut. The record of
digests is made right again, partial, or taken away: it is not a protection, for whoever changes a folder can write it again. Each mutant
goes through every command that reads such a folder. A run fails as in mutate_hdf5.py, or if it takes more than 15 s of the processor,
or if a page of it holds an element, a handler or a link that the page of the seed's kind never has. Mutant n is the same on every
machine."""
import argparse, csv, hashlib, html.parser, io, json, random, re, shutil, sys, tempfile, time
from pathlib import Path

from mutate_hdf5 import run, summary, write_table

SECONDS = 15

NUMBERS = [0, -1, 1, 2, 1e308, -1e308, 5e-324, 1e15, 2**31, 2**63 - 1, -(2**63), 2**64 - 1, 0.5, -0.0]
MARKUP = ["<script>alert(1)</script>", "\" onload=\"alert(1)", "javascript:alert(1)", "](javascript:alert(1))", "`**`**a**",
          "\\end{table}\\input{/etc/passwd}", "\x1b]0;x\x07", "\u202etxt.exe", "../../../etc/passwd", "/etc/passwd", "a\nfathom: fine",
          "=cmd()", "\u0000", "x" * 5000, "", "inf", "nan", "-inf"]
TAGS = ["<script>alert(1)</script>", "<g onload=\"alert(1)\"/>", "<foreignObject><body xmlns=\"http://www.w3.org/1999/xhtml\"/></foreignObject>",
        "<a href=\"javascript:alert(1)\"/>", "<a href=\"http://example.org\"/>", "<style>@import url(http://example.org);</style>",
        "<![CDATA[<script>]]>", "<?xml-stylesheet href=\"x\"?>", "&xxe;", "<!-- --!><script>alert(1)</script>", "<rect style=\"fill:url(http://x)\"/>",
        "<use href=\"#a\"/>", "</svg><script>alert(1)</script><svg viewBox=\"0 0 1 1\">", "<title><b>x</b></title>",
        "<animate attributeName=\"href\" to=\"javascript:alert(1)\"/>", "<set/>", "<image href=\"x\"/>"]

def hostile(rng, value):
    """Something else in the place of a value of JSON."""
    kind = rng.randrange(8)
    if kind == 0:
        return rng.choice(NUMBERS)
    if kind == 1:
        return rng.choice(MARKUP)
    if kind == 2:
        return rng.choice([None, True, [], {}, [[]], {"a": {}}])
    if kind == 3 and isinstance(value, list):
        return value * rng.choice([0, 2, 5])
    if kind == 4 and isinstance(value, list) and value:
        return value[:-1]
    if kind == 5 and isinstance(value, str):
        return value + rng.choice(MARKUP)
    if kind == 6:
        nest = value
        for _ in range(rng.choice([3, 200, 600])):
            nest = [nest]
        return nest
    return rng.choice(NUMBERS) if isinstance(value, (int, float)) else rng.choice(MARKUP) if isinstance(value, str) else []

def change_json(rng, document):
    places = []
    def walk(value):
        entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else []
        for key, inner in entries:
            places.append((value, key))
            walk(inner)
    walk(document)
    if not places:
        return
    # A table has thousands of cells, and all of them are alike: what holds few things is as likely as what holds many.
    holder, key = rng.choice(places) if rng.random() < 0.5 else rng.choice([p for p in places if isinstance(p[0], dict)] or places)
    if rng.random() < 0.15:
        del holder[key]
    elif isinstance(holder, list) and rng.random() < 0.2:
        holder.append(holder[key])
    else:
        holder[key] = hostile(rng, holder[key])

def change_csv(rng, text):
    rows = list(csv.reader(text.splitlines()))
    if not rows:
        return text
    row = rng.choice(rows[:1] + rows)
    kind = rng.randrange(5)
    if kind == 0 and row:
        del row[-1]
    elif kind == 1:
        row.append("1")
    elif row:
        row[rng.randrange(len(row))] = str(rng.choice(NUMBERS + MARKUP))
    if kind == 4:
        rows.append(list(row))
    return "\n".join(",".join('"' + cell.replace('"', '""').replace("\0", "") + '"' for cell in row) for row in rows) + "\n"

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

def sealed(value):
    """A file of a shard, with its digest."""
    text = json.dumps(value)
    return f'{{"sha256":"{hashlib.sha256(text.encode()).hexdigest()}","value":{text}}}\n'

def change(rng, path):
    if path.suffix == ".json":
        document = json.loads(path.read_text())
        if set(document) == {"sha256", "value"}:
            change_json(rng, document)
            path.write_text(sealed(document.get("value")))
            return
        if rng.random() < 0.5:
            change_json(rng, document)
        else:
            document = spoil_json(rng, json.dumps(document))
        path.write_text(json.dumps(document))
    elif path.suffix == ".rows":
        data = bytearray(path.read_bytes())
        for _ in range(rng.choice([1, 2, 8])):
            data[rng.randrange(len(data) if rng.random() < 0.5 else min(400, len(data)))] = rng.choice([0, 1, 2, 127, 128, 255, rng.randrange(256)])
        path.write_bytes(data)
        scene = path.with_suffix(".json")
        if not scene.exists():
            return  # A stretch of an unfinished scene: its digest stands in no file beside it.
        document = json.loads(scene.read_text())["value"]
        document["rows"] = hashlib.sha256(data).hexdigest()
        scene.write_text(sealed(document))
    elif path.suffix == ".csv":
        path.write_bytes((change_csv if rng.random() < 0.5 else spoil_csv)(rng, path.read_text()).encode(errors="replace"))
    elif path.suffix == ".svg":
        text = path.read_text()
        places = [i for i, letter in enumerate(text) if letter in "<>\""]
        if rng.random() < 0.5 or not places:
            path.write_text(spoil_markup(rng, text))
            return
        at = rng.choice(places)
        path.write_text(text[:at + (text[at] != "<")] + rng.choice(TAGS + MARKUP) + text[at + (text[at] != "<"):])
    else:
        data = bytearray(path.read_bytes())
        if data:
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
            path.write_bytes(data[:rng.choice([len(data), len(data), len(data) // 2])])

class Page(html.parser.HTMLParser):
    """What a page holds that no page of ours does."""
    KNOWN = set("html head meta link title style body a div header h1 h2 h3 h4 h5 h6 p strong nav details summary ol ul li main footer "
                "script section figure figcaption table thead tbody tr th td span svg g rect line circle path text desc lineargradient stop "
                "picture source img article dl dt dd code".split())
    def __init__(self):
        super().__init__()
        self.found, self.scripts = [], 0
    def handle_starttag(self, tag, attributes):
        self.scripts += tag == "script"
        if tag not in self.KNOWN or self.scripts > 1:
            self.found.append(tag)
        for name, value in attributes:
            value = value or ""
            link = name in ("href", "src", "srcset", "xlink:href") and not value.startswith(("#", "data:image/", "data:,"))
            if name.startswith("on") or link or "javascript:" in value and name in ("href", "src", "action"):
                self.found.append(f"{tag} {name}={value[:40]}")

MANIFESTS = ["run.json", "compare.json", "calibration.json", "tune.json", "replay.json"]

def recorded(rng, folder, marker, files):
    """Writes the manifest, whose record fits what is there again, is partial, or is none."""
    try:
        manifest = json.loads(marker.read_text())
    except ValueError:
        return
    if not isinstance(manifest, dict):
        return
    manifest.pop("digests", None)
    how = rng.random()
    if how < 0.5:
        digests = {name: sha((folder / name).read_bytes()) for name in files if (folder / name).is_file()}
        digests[marker.name] = sha(canonical(manifest).encode(errors="surrogatepass"))
        manifest["digests"] = digests
    elif how < 0.65:
        manifest["digests"] = rng.choice([{}, [], None, "x", {"frames.csv": 1}])
    marker.write_bytes(canonical(manifest).encode(errors="surrogatepass"))

def make_seeds(fathom, folder):
    """A folder of each kind, unless it is there."""
    def make(*words):
        if Path(words[-1]).exists():
            return
        ended = run([fathom, *words, "--quiet"])
        if ended.code:
            sys.exit(f"{words}: {ended.text}")
    data = folder / "data.h5"
    make("synthesize", "--preset", "sample", "--scenes", "2", "--frames", "2", "--seed", "5", str(data))
    for name, methods in (("run", "lidar-bilinear,ols"), ("other", "lidar-bilinear,huber")):
        make("evaluate", str(data), "--methods", methods, "--output", str(folder / name))
    make("compare", str(folder / "run"), str(folder / "other"), "--output", str(folder / "comparison"))
    make("calibrate", str(data), "--output", str(folder / "calibration"))
    if "search" in KINDS:
        make("synthesize", "--preset", "sample", "--scenes", "4", "--frames", "1", str(folder / "four.h5"))
        make("tune", str(folder / "four.h5"), "--output", str(folder / "search"))
    if "replay" in KINDS:
        make("synthesize", "--preset", "live", "--frames", "12", str(folder / "live.h5"))
        make("replay", str(folder / "live.h5"), "--stage", "detect=45ms", "--output", str(folder / "replay"))
    for number in (1, 2):
        make("evaluate", str(data), "--methods", "lidar-bilinear,ols", "--shard", f"{number}/2", "--output", str(folder / f"shard-{number}"))

KINDS = {"run", "comparison", "calibration", "shard", "search", "replay"}

def check(fathom, number, seeds, folder):
    rng = random.Random(number)
    kind = rng.choice(sorted(KINDS))
    mutant = folder / "mutant"
    shutil.copytree(seeds / ("shard-1" if kind == "shard" else kind), mutant)
    marker = next((mutant / name for name in MANIFESTS + ["shard.json"] if (mutant / name).exists()))
    manifest = json.loads(marker.read_text())
    known = manifest.pop("digests", None) or {}
    marker.write_text(json.dumps(manifest))
    files = sorted(p for p in mutant.rglob("*") if p.is_file() and p.name not in ("report.html", "report.md", "timing.csv") and p.suffix not in (".png", ".jpg"))
    # Those that are read most stand for themselves; pictures and figures are many.
    weights = [6 if p.name in ("report.json", marker.name, "frames.csv") else 1 for p in files]
    changed = rng.choices(files, weights)[0]
    for _ in range(rng.choice([1, 1, 2, 3])):
        if changed.stat().st_size:
            change(rng, changed)
    recorded(rng, mutant, marker, sorted(set(known) - {marker.name}))
    label = f"{number} {kind} {changed.relative_to(mutant)}"
    out = folder / "out"
    commands = {"shard": [["merge", str(mutant), str(seeds / "shard-2"), "--output", str(out)]]}.get(kind) or [
        ["report", str(mutant), "--format", "html", "--output", str(out) + ".html"], ["report", str(mutant), "--format", "markdown", "--output", str(out) + ".md"],
        ["report", str(mutant), "--format", "latex", "--output", str(out) + ".tex"], ["report", str(mutant), "--format", "json", "--output", str(out) + ".json"]]
    if kind == "run":
        commands += [["compare", str(mutant), str(seeds / "other"), "--output", str(out)], ["export", str(mutant), "--output", str(out), "--no-execute"],
                     ["frames", str(mutant), "--output", str(out)]]
    rows = []
    for words in commands:
        if words[0] == "report" and changed.suffix not in (".json", ".svg", ".csv"):
            continue
        ended = run([fathom, *words, "--quiet"])
        verdict = ended.verdict((0, 65) + ((66, 64) if words[0] in ("frames", "merge", "compare") else ()))
        verdict = verdict or ("hang" if ended.processor > SECONDS else "")
        for page in (Path(str(out) + ".html"), out / "report.html", out / "index.html"):
            if page.exists() and page.name != "index.html":
                reader = Page()
                reader.feed(page.read_text())
                verdict = verdict or ("markup " + "; ".join(reader.found[:3]) if reader.found else "")
        rows.append(ended.row(label, " ".join(words[:1] + words[2:4]), verdict))
        shutil.rmtree(out, ignore_errors=True)
        for ending in ("html", "md", "tex", "json"):
            Path(f"{out}.{ending}").unlink(missing_ok=True)
    return rows

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fathom")
    parser.add_argument("--count", type=int, default=200), parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=1e9), parser.add_argument("--table"), parser.add_argument("--keep")
    parser.add_argument("--seeds", help="folder of the seeds; they are made where they are missing")
    parser.add_argument("--kinds", default=",".join(sorted(KINDS)))
    options = parser.parse_args()
    KINDS.intersection_update(options.kinds.split(","))
    rows, end = [], time.monotonic() + 60 * options.minutes
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        seeds = Path(options.seeds or folder / "seeds")
        seeds.mkdir(exist_ok=True), (folder / "work").mkdir()
        make_seeds(options.fathom, seeds)
        for number in range(options.first, options.first + options.count):
            if time.monotonic() > end:
                break
            found = check(options.fathom, number, seeds, folder / "work")
            rows += found
            bad = [row for row in found if row[6]]
            for row in bad:
                print("bad:", *row, flush=True)
            if options.keep and bad:
                shutil.copytree(folder / "work" / "mutant", Path(options.keep) / str(number), dirs_exist_ok=True)
            shutil.rmtree(folder / "work" / "mutant")
    if options.table:
        write_table(options.table, rows)
    sys.exit(0 if summary(rows) else 1)

if __name__ == "__main__":
    # Some mutants nest as deeply as a file can.
    sys.setrecursionlimit(50_000)
    main()
