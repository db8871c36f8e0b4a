"""Prints what h5py sees in a data set, as JSON: dump_dataset.py FILE."""

import json
import sys

import h5py
import numpy as np


def plain(value):
    """A value as JSON has it; numbers that are not finite become text."""
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, (np.ndarray, list)):
        return [plain(v) for v in np.asarray(value).ravel().tolist()]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)
    return value


def attributes(o):
    return {name: plain(value) for name, value in o.attrs.items()}


def dump(path):
    found = {"/": {"attributes": None}}
    with h5py.File(path) as f:
        found["/"]["attributes"] = attributes(f)

        def visit(name, o):
            entry = {"attributes": attributes(o)}
            if isinstance(o, h5py.Dataset):
                entry |= {
                    "shape": list(o.shape), "type": str(o.dtype), "chunks": list(o.chunks) if o.chunks else None,
                    "compression": o.compression, "level": o.compression_opts, "shuffle": bool(o.shuffle),
                    "sum": plain(np.nansum(np.where(np.isfinite(o[()]), o[()], 0).astype("f8")))
                    if o.dtype.kind in "fiu" else None,
                    "strings": plain(o.asstr()[()]) if o.dtype.kind == "O" else None,
                    "last": plain(o[-1]) if o.dtype.kind in "fiu" and o.ndim else None,
                }
            found[name] = entry

        f.visititems(visit)
    return found


if __name__ == "__main__":
    json.dump(dump(sys.argv[1]), sys.stdout, ensure_ascii=False)
