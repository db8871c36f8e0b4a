#!/usr/bin/env python3
"""Writes golden/guided.json, which ReproduceCommandTests reads: a small map filtered with a colour image as guide, in numpy.

Window by window, as the paper's equations 14 to 16 have it: a least-squares fit with the slopes held small, then the mean of the fits that
hold a pixel; numpy.linalg.solve, where the Swift code has sums of windows and cofactors."""
import json
from pathlib import Path

import numpy as np

GOLDEN = Path(__file__).parent / "golden/guided.json"


def filtered(values, image, radius, epsilon):
    rows, columns = values.shape
    guide = image / 255
    out, count = np.zeros_like(values), np.zeros_like(values)
    for row in range(rows):
        for column in range(columns):
            window = np.s_[max(row - radius, 0) : row + radius + 1, max(column - radius, 0) : column + radius + 1]
            x, y = guide[window].reshape(-1, 3), values[window].ravel()
            centred = x - x.mean(axis=0)
            a = np.linalg.solve(centred.T @ centred / len(y) + epsilon * np.eye(3), centred.T @ (y - y.mean()) / len(y))
            # The window of a pixel holds this centre where this window holds the pixel.
            out[window] += guide[window] @ a + y.mean() - x.mean(axis=0) @ a
            count[window] += 1
    return out / count


def main():
    rng = np.random.default_rng(58)
    values = np.round(rng.uniform(0.5, 4, (9, 13)) + 2 * (np.arange(13) > 6), 3)
    image = rng.integers(0, 256, (9, 13, 3))
    cases = [
        {"radius": radius, "epsilon": epsilon, "values": filtered(values, image, radius, epsilon).ravel().tolist()}
        for radius in (1, 2, 20)
        for epsilon in (0.0001, 0.01)
    ]
    golden = {"rows": 9, "columns": 13, "values": values.ravel().tolist(), "image": image.reshape(-1, 3).tolist(), "cases": cases}
    GOLDEN.write_text(json.dumps(golden) + "\n", encoding="utf-8")


main()
