"""What check_committed.py lets pass and what it does not; exit 1 where it is wrong."""

import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile

from check_committed import texts_agree

PROGRAM = pathlib.Path(__file__).parent / "check_committed.py"

TEXTS = [
    ("MAE 18.4 mm", "MAE 18.4 mm", True),
    ("MAE 18.4 mm", "MAE 18.5 mm", True),
    ("MAE 18.4 mm", "MAE 18.6 mm", False),
    ("| 9.995 |", "| 10.00 |", True),
    ("48 of 48 frames", "47 of 48 frames", False),
    ("Best: auto, 1.2", "Best: ols, 1.2", False),
    ("room-01 and room-02", "room-01 and room-03", False),
    ("bias -0.25", "bias 0.25", False),
    ("a 0.1234567890123456", "a 0.1234567890123457", True),
    ("a 0.1234567890123456", "a 0.1234567990123456", False),
    ("1.2e-05 m", "1.3e-05 m", True),
    ("1.2e-05 m", "1.2e-04 m", False),
    ("true", "false", False),
]

# name, committed, fresh, options, exit code
FILES = [
    ("a.csv", "m,n,v\na,3,0.12345678901\n", "m,n,v\na,3,0.12345678902\n", [], 0),
    ("a.csv", "m,n,v\na,3,0.5\n", "m,n,v\na,3,0.50000001\n", [], 1),
    ("a.csv", "m,n,v\na,3,0.5\n", "m,n,v\na,3,0.4999999999999999\n", [], 0),
    ("a.csv", "m,n,v\na,3,0.5\n", "m,n,v\na,3,0.6\n", [], 1),
    ("a.csv", "m,n,v\na,3,1\n", "m,n,v\na,3,0.9999999999999999\n", [], 0),
    ("a.csv", "m,n,v\na,3,\n", "m,n,v\na,3,0\n", [], 1),
    ("a.csv", "m,n,v\na,30000000000,1\n", "m,n,v\na,30000000001,1\n", [], 1),
    ("a.csv", "m,n,v\na,3,1\nb,3,1\n", "m,n,v\nb,3,1\na,3,1\n", [], 1),
    ("a.csv", "m,n,v\na,3,0.12345\n", "m,n,v\na,3,0.12346\n", ["--rounded"], 0),
    ("a.csv", "m,n,v\na,3,0.12345\n", "m,n,v\na,3,0.12347\n", ["--rounded"], 1),
    ("a.csv", "m,n,v\na,3,1\nb,3,2\n", "m,n,v\nb,3,2\n", ["--rows", "m,n"], 0),
    ("a.csv", "m,n,v\na,3,1\nb,3,2\n", "m,n,v\nb,3,1\n", ["--rows", "m,n"], 1),
    ("a.csv", "m,n,v\na,3,1\nb,3,2\n", "m,n,v\nc,3,1\n", ["--rows", "m,n"], 1),
    ("a.csv", "m,n,v\na,3,1\nb,3,2\n", "m,n,v\n", ["--rows", "m,n"], 1),
    ("a.json", '{"a": [1, 0.5, "x 1.0"]}', '{"a": [1, 0.50000000001, "x 1.0"]}', [], 0),
    ("a.json", '{"a": [1, 0.5, null]}', '{"a": [1, 0.5, 0]}', [], 1),
    ("a.json", '{"a": true}', '{"a": 1}', [], 1),
    ("a.json", '{"a": 1}', '{"b": 1}', [], 1),
    ("a.json", json.dumps({"input": "a" * 64}), json.dumps({"input": "b" * 64}), [], 1),
    ("a.json", '{"inputs": [{"file": "a"}]}', '{"inputs": [{"file": "a", "protections": ["limits"]}]}', [], 0),
    ("a.json", '{"inputs": [{"file": "a"}]}', '{"inputs": [{"file": "b", "protections": ["limits"]}]}', [], 1),
    ("a.yaml", "max-depth: 4.5\n", "max-depth: 4.6\n", [], 1),
    ("a.yaml", "sigma: 0.123456789012\n", "sigma: 0.123456789013\n", [], 0),
    ("a.md", "| a | 1.25 |\n", "| a | 1.26 |\n", [], 0),
    ("a.md", "| a | **1.25** |\n", "| a | 1.25 |\n", [], 1),
    ("a.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>', '<svg xmlns="http://www.w3.org/2000/svg"><g/></svg>', [], 0),
    ("a.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>', '<svg xmlns="http://www.w3.org/2000/svg"><g></svg>', [], 1),
    ("a.png", "x", "y", [], 1),
    ("a.bin", "x", "y", [], 1),
]  # fmt: skip


def exit_code(committed, fresh, options=()):
    run = subprocess.run([sys.executable, PROGRAM, committed, fresh, *options], capture_output=True, check=False)
    return run.returncode


def main():
    wrong = [(a, b) for a, b, expected in TEXTS if texts_agree(a, b) != expected]
    with tempfile.TemporaryDirectory() as folder:
        first, second = pathlib.Path(folder) / "committed", pathlib.Path(folder) / "fresh"
        for name, committed, fresh, options, expected in FILES:
            for place, text in ((first, committed), (second, fresh)):
                place.mkdir(exist_ok=True)
                (place / name).write_text(text)
            if exit_code(first / name, second / name, options) != expected:
                wrong.append((committed, fresh, options))
            for place in (first, second):
                (place / name).unlink()
        # Libraries of the machine may be others, but are named.
        for said, expected in (("another", 0), (None, 1)):
            for place, text in ((first, "one"), (second, said)):
                (place / "run.json").write_text(json.dumps({"seed": 1} | ({"linearAlgebra": [text]} if text else {})))
            if exit_code(first, second) != expected:
                wrong.append(f"linear algebra: {said}")
        # Any build may have written it.
        for place, text in ((first, {}), (second, {"build": "0123, modified"})):
            (place / "run.json").write_text(json.dumps({"seed": 1} | text))
        if exit_code(first, second) != 0:
            wrong.append("another build")
        # A digest of a file beside it follows that file.
        for place, text in ((first, "m,v\na,0.30000000000000004\n"), (second, "m,v\na,0.3\n")):
            (place / "t.csv").write_text(text)
            (place / "run.json").write_text(json.dumps({"t": hashlib.sha256(text.encode()).hexdigest()}))
        if exit_code(first, second) != 0:
            wrong.append("the digest of a table that agrees")
        (second / "t.csv").write_text("m,v\na,0.30000000000000001\n")
        if exit_code(first, second) != 1:
            wrong.append("a digest of nothing")
        (second / "t.csv").unlink()
        if exit_code(first, second) != 1:
            wrong.append("a file that was not made")
    for case in wrong:
        print(f"judged wrongly: {case}", file=sys.stderr)
    if not wrong:
        print(f"check_committed.py judges {len(TEXTS) + len(FILES) + 5} cases rightly")
    sys.exit(1 if wrong else 0)


main()
