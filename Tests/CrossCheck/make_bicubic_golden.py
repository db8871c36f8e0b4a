#!/usr/bin/env python3
"""Writes golden/bicubic.json, which ReproduceCommandTests reads: a small map resized as MATLAB's imresize does it, in numpy.

The steps are those of imresize's contributions(): for each output place the inputs from floor(u − width/2) on, ceil(width) + 2 of them, their
weights divided by their sum, indices mirrored at the ends; matrices then, where the Swift code loops over taps."""
import json
from pathlib import Path

import numpy as np

GOLDEN = Path(__file__).parent / "golden/bicubic.json"


def kernel(x):
    x = np.abs(x)
    inner = 1.5 * x**3 - 2.5 * x**2 + 1
    outer = -0.5 * x**3 + 2.5 * x**2 - 4 * x + 2
    return np.where(x <= 1, inner, np.where(x <= 2, outer, 0))


def matrix(old, new, antialiases):
    scale = new / old
    narrowing = scale if scale < 1 and antialiases else 1.0
    width = 4 / narrowing
    place = np.arange(1, new + 1)
    u = place / scale + 0.5 * (1 - 1 / scale)
    index = np.floor(u - width / 2)[:, None] + np.arange(int(np.ceil(width)) + 2)
    weight = narrowing * kernel(narrowing * (u[:, None] - index))
    weight /= weight.sum(axis=1, keepdims=True)
    mirror = np.r_[0:old, old - 1 : -1 : -1]
    result = np.zeros((new, old))
    np.add.at(result, (np.repeat(place - 1, index.shape[1]), mirror[(index.astype(int) - 1) % (2 * old)].ravel()), weight.ravel())
    return result


def resized(values, size, antialiases):
    return matrix(values.shape[0], size[0], antialiases) @ values @ matrix(values.shape[1], size[1], antialiases).T


def main():
    rng = np.random.default_rng(20)
    values = np.round(rng.uniform(0.5, 4, (8, 12)) + (np.arange(12) > 6), 3)
    cases = [
        {"rows": rows, "columns": columns, "antialiases": antialiases,
         "values": resized(values, (rows, columns), antialiases).ravel().tolist()}
        for rows, columns in ((2, 3), (4, 6), (16, 24), (5, 31), (8, 12))
        for antialiases in (True, False)
    ]
    golden = {"rows": 8, "columns": 12, "values": values.ravel().tolist(), "cases": cases}
    GOLDEN.write_text(json.dumps(golden, indent=1) + "\n", encoding="utf-8")


main()
