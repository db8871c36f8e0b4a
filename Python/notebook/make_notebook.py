"""Makes Notebooks-export/python.ipynb from cells.py and executes it; needs nbclient, nbformat, ipykernel and matplotlib.

    python make_notebook.py [--check]

The command and the package fathom-depth must be installed. With --check the committed notebook is compared with a fresh one: words
to the letter, numbers to the last digit shown, pictures only as there or not.
"""

import re
import subprocess
import sys
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "Notebooks-export/python.ipynb"
sys.path.insert(0, str(ROOT / "Tests/Committed"))
from check_committed import texts_agree


def cells():
    """The cells of cells.py: a head `# %% [markdown] id="…"` or `# %% id="…"`, then the source."""
    text = (Path(__file__).parent / "cells.py").read_text(encoding="utf-8")
    parts = re.split(r'^# %%( \[markdown\])? id="([\w-]+)"\n', text, flags=re.MULTILINE)
    for kind, name, source in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        if kind:
            words = "\n".join(line.removeprefix("#").removeprefix(" ") for line in source.strip().splitlines())
            yield nbformat.v4.new_markdown_cell(words, id=name)
        else:
            yield nbformat.v4.new_code_cell(source.strip(), id=name)


def execute(path):
    nbformat.write(nbformat.v4.new_notebook(cells=list(cells())), path)
    subprocess.run(
        [sys.executable, str(ROOT / "Sources/DepthNotebook/Resources/execute.py"), str(path)],
        check=True,
        stdout=subprocess.DEVNULL,
    )


def texts(output):
    """What an output says; a picture is only there."""
    data = {kind: "" if kind.startswith("image/") else text for kind, text in output.get("data", {}).items()}
    return {"text": output.get("text", ""), **data}


def differences(stored, fresh):
    if [(cell.id, cell.source) for cell in stored.cells] != [(cell.id, cell.source) for cell in fresh.cells]:
        yield "other cells"
        return
    for cell, again in zip(stored.cells, fresh.cells, strict=True):
        pairs = [[texts(output) for output in one.get("outputs", [])] for one in (cell, again)]
        for one, other in zip(*pairs, strict=False):
            if one.keys() != other.keys() or not all(texts_agree(one[kind], other[kind]) for kind in one):
                yield f"cell {cell.id} says {other}, stored is {one}"
        if len(pairs[0]) != len(pairs[1]):
            yield f"cell {cell.id} has {len(pairs[1])} outputs, stored are {len(pairs[0])}"


def main():
    # Beside the stored one: the cells name files relative to their folder.
    made = NOTEBOOK.with_name(".python.ipynb")
    try:
        execute(made)
        if sys.argv[1:] != ["--check"]:
            made.replace(NOTEBOOK)
            return
        found = list(differences(nbformat.read(NOTEBOOK, 4), nbformat.read(made, 4)))
    finally:
        made.unlink(missing_ok=True)
    if found:
        sys.exit("\n".join([f"{NOTEBOOK.name} is not what the cells give; run make python-notebook", *found]))
    print("the notebook of the Python package: its cells give the stored outputs")


if __name__ == "__main__":
    main()
