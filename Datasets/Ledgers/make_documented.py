"""Writes the maps of documented.yaml: the numbers as their sources print them, in rows of a PFM of Float32."""
import struct
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "documented"
ROWS = {
    "noint1-y": list(range(130, 141)),
    "noint1-x": list(range(60, 71)),
    "noint2-y": [3, 4, 4],
    "noint2-x": [4, 5, 6],
    "mape-target": [1, 10, 1e6],
    "mape-preds": [0.9, 15, 1.2e6],
}

for name, row in ROWS.items():
    (FOLDER / f"{name}.pfm").write_bytes(f"Pf\n{len(row)} 1\n-1.0\n".encode() + struct.pack(f"<{len(row)}f", *row))
