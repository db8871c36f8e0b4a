"""Runs a notebook from top to bottom in a fresh kernel of this interpreter and writes its outputs into it.

    python3 execute.py NOTEBOOK

Equal cells and tables give equal bytes: no times, no versions of the interpreter, no metadata in pictures.
Prints the versions of the packages that made the outputs as JSON. Exit: 3 packages are missing, 4 a cell failed. Its own
lines begin with "fathom:", because the kernel speaks on the same streams.
"""

import base64
import importlib.util
import json
import os
import signal
import sys
import tempfile

missing = [
    name
    for name in ("nbclient", "nbformat", "ipykernel", "pandas", "matplotlib")
    if importlib.util.find_spec(name) is None
]
if missing:
    print("fathom:", ", ".join(missing), file=sys.stderr)
    sys.exit(3)

import matplotlib
import matplotlib.font_manager  # Builds its cache here, or the first cell that draws would say so.
import nbclient
import nbformat
import pandas
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager


def without_texts(png):
    """A PNG picture without its chunks of text, which name the program that made it."""
    data, place = base64.b64decode(png), 8
    kept = data[:place]
    while place < len(data):
        end = place + 12 + int.from_bytes(data[place : place + 4], "big")
        if data[place + 4 : place + 8] not in (b"tEXt", b"zTXt", b"iTXt", b"tIME"):
            kept += data[place:end]
        place = end
    return base64.b64encode(kept).decode("ascii") + "\n"


def normalise(notebook):
    """Leaves what the cells say and draw."""
    notebook.metadata = nbformat.from_dict(
        {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        }
    )
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict({})
        if cell.cell_type != "code":
            continue
        # Warnings of libraries name temporary files of this process.
        cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
        for output in cell.outputs:
            if "image/png" in output.get("data", {}):
                output.data["image/png"] = without_texts(output.data["image/png"])


def execute(path):
    notebook = nbformat.read(path, as_version=4)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(130))  # Ends the kernel and removes its folder.
    with tempfile.TemporaryDirectory(prefix="fathom-kernel-") as scratch:
        # A user's start-up files must not change the outputs, nor runs leave traces in the user's folders.
        os.environ["IPYTHONDIR"] = scratch
        os.environ["JUPYTER_RUNTIME_DIR"] = scratch
        specifications = KernelSpecManager()
        specifications.kernel_dirs = []  # Only the kernel of this interpreter, whatever else is installed.
        # Sockets in the file system: no network, and no other user reads along. Their paths must be short.
        manager = AsyncKernelManager(
            kernel_name="python3",
            kernel_spec_manager=specifications,
            transport="ipc",
            connection_file=os.path.join(scratch, "kernel.json"),
        )
        client = nbclient.NotebookClient(
            notebook,
            km=manager,
            timeout=600,
            startup_timeout=120,
            record_timing=False,
            coalesce_streams=True,
            resources={"metadata": {"path": os.path.dirname(os.path.abspath(path))}},
        )
        try:
            client.execute()
        except nbclient.exceptions.CellExecutionError as error:
            failed = next(
                (
                    cell.id
                    for cell in notebook.cells
                    for output in cell.get("outputs", [])
                    if output.output_type == "error"
                ),
                "?",
            )
            print(f"fathom: cell '{failed}' failed: {error.ename}: {error.evalue}", file=sys.stderr)
            sys.exit(4)
    normalise(notebook)
    nbformat.validate(notebook)
    text = nbformat.writes(notebook)
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(text if text.endswith("\n") else text + "\n")
    print("fathom:", json.dumps({"matplotlib": matplotlib.__version__, "pandas": pandas.__version__}))


execute(sys.argv[1])
