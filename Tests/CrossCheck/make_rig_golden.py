#!/usr/bin/env python3
"""Writes golden/rig.json, which ColourViewTests reads: a wall and a box before it, seen by a depth camera and by a colour camera that stands
7 cm beside it and is turned. What the depth's pixels see of the picture, in numpy and OpenCV."""
import json
from pathlib import Path

import cv2
import numpy as np

GOLDEN = Path(__file__).parent / "golden/rig.json"
DEPTH, COLOUR = (24, 18), (48, 36)
K_DEPTH = np.array([[22.0, 0, 11.3], [0, 23.0, 8.6], [0, 0, 1]])  # counted from the centre of the first pixel
K_COLOUR = np.array([[51.0, 0, 23.7], [0, 50.0, 17.2], [0, 0, 1]])
TRANSFORM = np.eye(4)
TRANSFORM[:3, :3] = cv2.Rodrigues(np.array([0.02, -0.06, 0.03]))[0]
TRANSFORM[:3, 3] = [-0.07, 0.004, 0.002]

v, u = np.mgrid[: DEPTH[1], : DEPTH[0]]
millimetres = 2000 + 9 * u + 4 * v
millimetres[5:13, 8:15] = 600
millimetres[:2, :5] = 0

z = millimetres / 1000
points = np.stack([u, v, np.ones_like(u)], -1) @ np.linalg.inv(K_DEPTH).T * z[..., None]
known = z > 0
pixels, _ = cv2.projectPoints(points[known], TRANSFORM[:3, :3], TRANSFORM[:3, 3], K_COLOUR, None)
x, y = np.rint(pixels[:, 0]).astype(int).T
far = (points[known] @ TRANSFORM[:3, :3].T + TRANSFORM[:3, 3])[:, 2]
inside = (x >= 0) & (y >= 0) & (x < COLOUR[0]) & (y < COLOUR[1])
# Projected points are at most three pixels apart; the nearest one in a cell of that size hides what is 5 % farther.
cell = np.where(inside, y // 3 * 100 + x // 3, -1)
nearest = np.full(10000, np.inf)
np.minimum.at(nearest, cell[inside], far[inside])
seen = inside & (far <= 1.05 * nearest[cell])
expected = np.full(DEPTH[::-1], -1)
expected[known] = np.where(seen, y * COLOUR[0] + x, -1)
assert (inside & ~seen).sum() > 10 and (~inside).sum() > 10

GOLDEN.write_text(
    json.dumps(
        {
            "millimetres": millimetres.ravel().tolist(),
            "depthCamera": K_DEPTH[[0, 1, 0, 1], [0, 1, 2, 2]].tolist(),
            "colourCamera": K_COLOUR[[0, 1, 0, 1], [0, 1, 2, 2]].tolist(),
            "colourFromDepth": TRANSFORM.ravel().tolist(),
            "pixels": expected.ravel().tolist(),
        }
    )
    + "\n"
)
