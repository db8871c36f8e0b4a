"""Holds what every command prints with --json, and stored verdicts, against their schemas in docs/schemas.

    python check_schemas.py FATHOM

1. What is printed is valid, also of faulty files, of recordings and with gates.
2. Every key that is printed is in the schema, which people read as the list of keys. (For a reader the schemas are open: a new key
   may come in any version.)
3. A schema asks for something: what lacks a required key, or holds another type, is not valid.
4. Every command that has --json has a schema, and every schema is used.
"""

import copy
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import jsonschema
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/CrossCheck"))
from make_walls import PAIRS, make_board, make_walls  # noqa: E402

SCHEMAS = ROOT / "docs/schemas"
FATHOM = str(Path(sys.argv[1]).resolve())
SAMPLE = ROOT / "Datasets/sample.h5"
# Commands that print what another one prints.
SHARED = {"merge": "evaluate"}


def printed(folder, *words, codes=(0,)):
    done = subprocess.run([FATHOM, *map(str, words), "--json"], cwd=folder, capture_output=True, text=True)
    if done.returncode not in codes or not done.stdout:
        sys.exit(f"fathom {' '.join(map(str, words))} ended with {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


def verdict(folder, output):
    return json.loads((folder / output / "verdict.json").read_text(encoding="utf-8"))


def unmet_ledger(folder):
    """A ledger with a value that another protocol gives, and with a file that is missing."""
    maps = ROOT / "Datasets/Ledgers/documented"
    for name in ("noint2-x", "noint2-y"):
        shutil.copy(maps / f"{name}.pfm", folder)
    path = folder / "ledger.yaml"
    path.write_text(
        "format: fathom-ledger\nversion: 1\ntitle: unmet\nsource: {link: here, paper: a, repository: b, commit: c, license: d}\n"
        "data: {y: {path: noint2-y.pfm}, x: {path: noint2-x.pfm}, gone: {path: gone.pfm}}\n"
        "defaults: {truth: y, protocol: diode, metric: abs_rel, verified: true, note: n, printed-in: here}\n"
        "numbers:\n- {prediction: x, printed: 0.09}\n- {prediction: gone, printed: 1}\n",
        encoding="utf-8",
    )
    return path


def outputs(folder):
    """(schema, what a command printed): each command at least once."""
    evaluate = ["evaluate", SAMPLE, "--no-figures", "--no-gallery", "--methods", "ols,wls,auto"]
    yield "evaluate-1", printed(folder, *evaluate, "--output", "a")
    yield "evaluate-1", printed(folder, *evaluate, "--output", "b", "--min-confidence", "0")
    for part in ("1", "2"):
        subprocess.run([FATHOM, *map(str, evaluate), "--shard", f"{part}/2", "--output", part, "--quiet"], cwd=folder, check=True)
    yield "evaluate-1", printed(folder, "merge", "1", "2", "--output", "merged", "--no-figures", "--no-gallery")
    yield "compare-1", printed(folder, "compare", "a", "b", "--output", "compared")
    yield "samples-1", printed(folder, "samples", "a", "--detect", "5%")
    yield "samples-1", printed(folder, "samples", "a", "--method", "auto", "--metric", "mae_m")
    yield "samples-1", printed(folder, "samples", "--detect", "2mm", "--between-scenes", "4mm", "--within-scenes", "6mm")
    yield (
        "compare-1",
        printed(folder, "compare", "a", "b", "--fail-if-worse", "mae_m_measured", "--output", "gated", codes=(0, 1)),
    )
    for output in ("compared", "gated"):
        yield "verdict-compare-1", verdict(folder, output)
    yield "export-run-1", printed(folder, "export", "a", "--no-execute", "--output", "notebook")
    for layout in ("stray", "npz"):
        yield "export-data-1", printed(folder, "export", SAMPLE, "--as", layout, "--scenes", "room-01", "--output", layout)
    yield "import-1", printed(folder, "import", "stray", "imported.h5")
    yield "import-1", printed(folder, "import", "npz", "folder.h5", "--format", "folder", "--depth-scale", "1")
    broken = folder / "broken.h5"
    shutil.copy(SAMPLE, broken)
    with h5py.File(broken, "a") as file:
        file["scenes/room-01/lidar/depth"].attrs["units"] = "cm"
        file["scenes/room-01/relative/values"].attrs["kind"] = "depth"
        file["scenes/room-02/camera/world_from_camera"].attrs["convention"] = "opencv"
        del file["scenes/room-02/lidar/confidence"], file["scenes/room-02/relative"]
    for data in (SAMPLE, broken, "imported.h5"):
        yield "inspect-1", printed(folder, "inspect", data)
        yield "diagnose-1", printed(folder, "diagnose", data)
    with h5py.File(broken, "a") as file:
        file["scenes/room-01/truth/depth"].attrs["kind"] = "misspelt"
    yield "inspect-1", printed(folder, "inspect", broken, codes=(65,))
    yield "inspect-1", printed(folder, "inspect", "stray")
    with h5py.File(folder / "foreign.h5", "w") as file:
        file["depth"] = np.linspace(0.5, 4, 2 * 20 * 30, dtype=np.float32).reshape(2, 20, 30)
        file["K"] = np.eye(3)
    yield "inspect-foreign-1", printed(folder, "inspect", "foreign.h5", codes=(65,))
    # What fathom wrote is known by its manifest.
    shutil.copytree(folder / "npz", folder / "unknown", ignore=shutil.ignore_patterns("*.json"))
    yield "inspect-folder-1", printed(folder, "inspect", "unknown", codes=(65,))
    yield "calibrate-1", printed(folder, "calibrate", SAMPLE, "--output", "calibrated", "--no-figures")
    yield "verdict-calibrate-1", verdict(folder, "calibrated")
    make_walls(folder / "walls.h5")
    walls = ["certify", "walls.h5", "--distances", "1m,2m,3m"]
    yield "certify-1", printed(folder, *walls, "--output", "certificate", "--limit", "5mm", "--scale-limit", "1%")
    yield "certify-1", printed(folder, "certify", "walls.h5", "--check", codes=(1,))
    make_walls(folder / "pairs.h5", PAIRS)
    pairs = ["certify", "pairs.h5", "--test", "two-walls", "--distances", "0.5m,0.3m", "--limit", "10mm"]
    yield "certify-1", printed(folder, *pairs, "--output", "pairs")
    make_board(folder / "board.h5", folder / "corners.json")
    board = ["certify", "board.h5", "--test", "board", "--board", "charuco:6x5,square=0.1m,marker=0.07m,dictionary=6x6"]
    yield "certify-1", printed(folder, *board, "--corners", "corners.json", "--limit", "20mm", "--output", "board")
    yield "synthesize-1", printed(folder, "synthesize", "scenes.h5", "--preset", "sample", "--scenes", "2", "--frames", "1")
    yield "tune-1", printed(folder, "tune", "scenes.h5", "--output", "tuned")
    yield "verdict-tune-1", verdict(folder, "tuned")
    printed(folder, "synthesize", "live.h5", "--preset", "live", "--frames", "60")
    yield "replay-1", printed(folder, "replay", "live.h5", "--stage", "detect=45ms", "--output", "replayed", "--no-figures")
    yield "reproduce-1", printed(folder, "reproduce", ROOT / "Datasets/Ledgers/documented.yaml", "--output", "reproduced")
    yield "reproduce-1", printed(folder, "reproduce", unmet_ledger(folder), codes=(1,))
    yield "render-pictures-1", printed(folder, "render", SAMPLE, "--output", "frame.png")
    yield "render-geometry-1", printed(folder, "render", SAMPLE, "--output", "points.ply")
    yield "frames-1", printed(folder, "frames", "a")
    yield "frames-1", printed(folder, "frames", "b", "--dry-run")
    yield "bench-1", printed(folder, "bench", "--repetitions", "3", "--only", "ols")


def closed(schema):
    """The same schema, in which an object holds no other keys."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {key: closed(part) for key, part in schema.items()}
    return {**parts, "additionalProperties": False} if isinstance(schema.get("properties"), dict) and "type" in schema else parts


def without_a_key(value):
    """Copies of a value that each lack one key of the first object in it."""
    first = value[0] if isinstance(value, list) else value
    for key in first:
        lacking = copy.deepcopy(value)
        del (lacking[0] if isinstance(value, list) else lacking)[key]
        yield key, lacking


def check(name, value):
    schema = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    for checked, what in ((schema, "not valid"), (closed(schema), "a key that the schema does not list")):
        for error in jsonschema.Draft202012Validator(checked).iter_errors(value):
            sys.exit(f"{name}: {what}: {error.message[:300]} at {error.json_path}")
    validator = jsonschema.Draft202012Validator(schema)
    required = schema.get("items", schema)["required"]
    for key, lacking in without_a_key(value):
        if (key in required) == validator.is_valid(lacking):
            sys.exit(f"{name}: {key} is {'' if key in required else 'not '}required, and the schema does not see it")
    if validator.is_valid("text") or validator.is_valid(1):
        sys.exit(f"{name}: the schema takes anything")


def main():
    with tempfile.TemporaryDirectory(prefix="fathom-schemas-") as folder:
        used, count = set(), 0
        for name, value in outputs(Path(folder)):
            check(name, value)
            used.add(name)
            count += 1
    there = {path.stem for path in SCHEMAS.glob("*.json")}
    if used != there:
        sys.exit(f"docs/schemas: never used {sorted(there - used)}")
    subcommands = subprocess.run([FATHOM, "--help"], capture_output=True, text=True).stdout.partition("SUBCOMMANDS:")[2]
    for command in re.findall(r"^  ([a-z]+) ", subcommands, re.MULTILINE):
        text = subprocess.run([FATHOM, "help", command], capture_output=True, text=True).stdout
        if " --json" in text and not any(
            name.split("-")[0] == SHARED.get(command, command) for name in there
        ):
            sys.exit(f"fathom {command} has --json, and docs/schemas has no schema of it")
    print(f"{count} outputs are as {len(there)} schemas say")


if __name__ == "__main__":
    main()
