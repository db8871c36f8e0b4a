"""Compares files that were made again with committed ones, to rounding.

    check_committed.py COMMITTED FRESH                       two files, or two folders
    check_committed.py COMMITTED.csv FRESH.csv --rows KEY,…  FRESH holds some rows only, found by these columns

Last digits depend on the processor, its number of threads, and the libraries for mathematics and linear algebra; no file
that is computed through them can be compared byte for byte. What is compared how:

    .csv, .json, .yaml   texts and whole numbers exactly, other numbers to --relative (1e-9) or 1e-12 absolutely
    words with numbers   (cells, JSON's strings, .md, .tex) words and whole numbers exactly; rounded numbers to one unit of
                         the last place that is shown, because a value between two roundings may go either way
    linearAlgebra        of run.json names libraries of the machine: there, whatever they are
    digests in JSON      exactly, unless they are those of a file beside them, which is compared itself
    "protections" of an input in JSON   not at all: they are those of the kernel
    "build" of a manifest   not at all: it is the commit of the command
    .svg, .png, .jpg, .html, .ipynb   drawn by fonts and libraries of the machine: there and well-formed

A file of COMMITTED that FRESH lacks is a difference; FRESH may hold more (what the repository leaves out). Needs nothing
but Python. Exit 1 where something differs.
"""

import argparse
import csv
import dataclasses
import hashlib
import json
import math
import pathlib
import re
import sys
import xml.etree.ElementTree

RELATIVE, ABSOLUTE = 1e-9, 1e-12
# From so many digits on a number is not rounded for people.
PRECISE = 12
NUMBER = re.compile(r"(?:(?<![\w.)])[-+−])?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
# Keys of JSON that say what a machine has.
OF_MACHINE = {"linearAlgebra"}
DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclasses.dataclass
class Tolerance:
    relative: float = RELATIVE
    # Whether numbers of tables are rounded to be read, too.
    is_rounded: bool = False


def is_whole(text):
    return not set(text) & set(".eE")


def value(text):
    return float(text.replace("−", "-"))


def digits(text):
    """Significant digits shown."""
    return len(re.sub(r"[eE].*|\D", "", text).lstrip("0"))


def place(text):
    """The unit of the last place shown: 0.01 of "1.25", 0.001 of "1.2e-2"."""
    mantissa, _, exponent = text.lower().partition("e")
    return 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))


def close(a, b, tolerance):
    return a == b or math.isclose(a, b, rel_tol=tolerance.relative, abs_tol=ABSOLUTE) or (math.isnan(a) and math.isnan(b))


def numbers_agree(a, b, tolerance, rounded):
    if a == b:
        return True
    if is_whole(a) and is_whole(b):
        return value(a) == value(b)
    if close(value(a), value(b), tolerance):
        return True
    if not rounded or min(digits(a), digits(b)) >= PRECISE:
        return False
    return abs(value(a) - value(b)) <= 1.000001 * max(place(a), place(b))


def texts_agree(a, b, tolerance=Tolerance(), rounded=True):
    """Words exactly, numbers among them by the rules above; white space, which follows the width of numbers, does not count."""
    if a == b:
        return True
    if NUMBER.sub("0", a).split() != NUMBER.sub("0", b).split():
        return False
    pairs = zip(NUMBER.findall(a), NUMBER.findall(b), strict=True)
    return all(numbers_agree(x, y, tolerance, rounded) for x, y in pairs)


def cells_agree(a, b, tolerance):
    if NUMBER.fullmatch(a) and NUMBER.fullmatch(b):
        return numbers_agree(a, b, tolerance, tolerance.is_rounded)
    return texts_agree(a, b, tolerance)


def table_differences(committed, fresh, tolerance, keys=()):
    """Cells of two CSV files that differ; with keys, only of the rows of the second."""
    header, *rows = list(csv.reader(committed.read_text(encoding="utf-8").splitlines()))
    other, *others = list(csv.reader(fresh.read_text(encoding="utf-8").splitlines()))
    if header != other:
        return [f"columns {other} instead of {header}"]
    if keys:
        columns = [header.index(key) for key in keys]
        known = {tuple(row[c] for c in columns): row for row in rows}
        if len(known) < len(rows):
            return [f"several rows of equal {', '.join(keys)}"]
        names = [tuple(row[c] for c in columns) for row in others]
        missing = [f"no row {name} was committed" for name in names if name not in known]
        if missing or not others:
            return missing or ["no rows to compare"]
        rows = [known[name] for name in names]
    elif len(rows) != len(others):
        return [f"{len(others)} rows instead of {len(rows)}"]
    found = []
    for number, (row, made) in enumerate(zip(rows, others, strict=True), start=2):
        if len(row) != len(made):
            found.append(f"line {number}: {len(made)} cells instead of {len(row)}")
            continue
        for name, a, b in zip(header, row, made, strict=True):
            if not cells_agree(a, b, tolerance):
                found.append(f"{', '.join(made[:3])}, {name}: {b!r} instead of {a!r}")
    return found


def value_differences(a, b, tolerance, digests, where=""):
    """Where two values of JSON differ."""
    if isinstance(a, dict) and isinstance(b, dict):
        if a.keys() != b.keys():
            return [f"{where}: other names {sorted(a.keys() ^ b.keys())}"]
        named = [name for name in a if name not in OF_MACHINE]
        return [d for k in named for d in value_differences(a[k], b[k], tolerance, digests, f"{where}/{k}")]
    if isinstance(a, list) and isinstance(b, list):
        if len(a) != len(b):
            return [f"{where}: {len(b)} elements instead of {len(a)}"]
        pairs = enumerate(zip(a, b, strict=True))
        return [d for i, (x, y) in pairs for d in value_differences(x, y, tolerance, digests, f"{where}/{i}")]
    if isinstance(a, bool) or isinstance(b, bool) or a is None or b is None:
        agree = a is b
    elif isinstance(a, str) and isinstance(b, str):
        if DIGEST.fullmatch(a) and DIGEST.fullmatch(b):
            agree = a == b or b in digests
        else:
            agree = texts_agree(a, b, tolerance)
    elif isinstance(a, (int, float)) and isinstance(b, (int, float)):
        agree = a == b if isinstance(a, int) and isinstance(b, int) else close(a, b, tolerance)
    else:
        agree = False
    return [] if agree else [f"{where}: {short(b)} instead of {short(a)}"]


def short(value):
    text = repr(value)
    return text if len(text) < 200 else text[:200] + "…"


def json_differences(committed, fresh, tolerance, sources):
    digests = {
        hashlib.sha256(path.read_bytes()).hexdigest()
        for folder in (fresh.parent, *sources) for path in folder.rglob("*") if path.is_file() and path != fresh
    }  # fmt: skip
    a, b = (json.loads(path.read_text(encoding="utf-8")) for path in (committed, fresh))
    # A manifest's digest of itself follows from the rest of it, which is compared.
    for manifest in (a, b):
        if isinstance(manifest, dict) and isinstance(manifest.get("digests"), dict):
            manifest["digests"].pop(fresh.name, None)
        for part in manifest.get("inputs") or [] if isinstance(manifest, dict) else []:
            if isinstance(part, dict):
                part.pop("protections", None)
        # The commit of who wrote it.
        if isinstance(manifest, dict):
            manifest.pop("build", None)
    return value_differences(a, b, tolerance, digests)


def line_differences(committed, fresh, tolerance, rounded):
    a, b = (path.read_text(encoding="utf-8").splitlines() for path in (committed, fresh))
    if len(a) != len(b):
        return [f"{len(b)} lines instead of {len(a)}"]
    return [
        f"line {number}: {short(y)} instead of {short(x)}"
        for number, (x, y) in enumerate(zip(a, b, strict=True), start=1)
        if not texts_agree(x, y, tolerance, rounded)
    ]


def malformed(path):
    """What is wrong with a picture or a page, or nothing."""
    data = path.read_bytes()
    if path.suffix == ".svg":
        try:
            root = xml.etree.ElementTree.fromstring(data)
        except xml.etree.ElementTree.ParseError as error:
            return [f"no XML: {error}"]
        return [] if root.tag == "{http://www.w3.org/2000/svg}svg" else [f"no SVG: {root.tag}"]
    if path.suffix == ".ipynb":
        return [] if json.loads(data).get("cells") else ["no notebook with cells"]
    starts, ends = {
        ".png": (b"\x89PNG\r\n\x1a\n", b"IEND\xaeB`\x82"),
        ".jpg": (b"\xff\xd8\xff", b"\xff\xd9"),
        ".html": (b"<!doctype html>", b"</html>"),
    }[path.suffix]
    whole = data.strip().lower() if path.suffix == ".html" else data
    return [] if whole.startswith(starts) and whole.endswith(ends) else [f"no whole {path.suffix[1:]} file"]


def differences(committed, fresh, tolerance=Tolerance(), keys=(), sources=()):
    """What differs between two files of the same kind; a digest in JSON may be that of a file in the folders `sources`, too."""
    if not fresh.is_file():
        return ["was not made"]
    if committed.read_bytes() == fresh.read_bytes():
        return []
    kind = committed.suffix
    if kind == ".csv":
        return table_differences(committed, fresh, tolerance, keys)
    if kind == ".json":
        return json_differences(committed, fresh, tolerance, sources)
    if kind in (".yaml", ".yml"):
        return line_differences(committed, fresh, tolerance, rounded=False)
    if kind in (".md", ".tex"):
        return line_differences(committed, fresh, tolerance, rounded=True)
    if kind in (".svg", ".png", ".jpg", ".html", ".ipynb"):
        return malformed(fresh)
    return [f"there is no rule for files of the kind {kind!r}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("committed", type=pathlib.Path)
    parser.add_argument("fresh", type=pathlib.Path)
    parser.add_argument("--relative", type=float, default=RELATIVE, help="of numbers in tables and JSON (1e-9)")
    parser.add_argument("--rounded", action="store_true", help="tables hold rounded numbers: a unit of the last place counts as equal")
    parser.add_argument("--rows", default="", help="columns that name a row; FRESH holds some rows only")
    options = parser.parse_args()
    tolerance = Tolerance(options.relative, options.rounded)
    if options.committed.is_dir():
        names = sorted(p.relative_to(options.committed) for p in options.committed.rglob("*") if p.is_file())
        pairs = [(str(name), options.committed / name, options.fresh / name) for name in names]
    else:
        pairs = [(options.fresh.name, options.committed, options.fresh)]
    if not pairs:
        sys.exit(f"{options.committed} holds no files")
    keys = [key for key in options.rows.split(",") if key]
    found = {name: differences(a, b, tolerance, keys) for name, a, b in pairs}
    identical = sum(b.is_file() and a.read_bytes() == b.read_bytes() for _, a, b in pairs)
    for name, lines in found.items():
        for line in lines[:10]:
            print(f"{name}: {line}")
        if len(lines) > 10:
            print(f"{name}: and {len(lines) - 10} more")
    bad = sum(bool(lines) for lines in found.values())
    if bad:
        sys.exit(f"{bad} of {len(pairs)} files are not as committed in {options.committed}")
    print(f"{options.fresh}: as committed, {identical} of {len(pairs)} files byte for byte, the others to rounding")


if __name__ == "__main__":
    main()
