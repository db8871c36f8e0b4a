"""Overlaps of 10,000 pairs of boxes by scipy, which the Swift tests are compared with.

    python check_boxes.py           writes golden/boxes.csv
    python check_boxes.py --check   fails where the file is not what scipy says

Intersection: qhull's intersection of the twelve half-spaces, about the centre of the largest ball that they hold
(a linear programme by HiGHS). Hull: qhull on the sixteen corners. Both in the axes of the first box with its sides
scaled to 2, which Fathom does not do.
"""

import pathlib
import sys

import numpy as np
from scipy.optimize import linprog
from scipy.spatial import ConvexHull, HalfspaceIntersection, QhullError

PATH = pathlib.Path(__file__).parent / "golden" / "boxes.csv"
SEED, PAIRS = 33, 10_000
KINDS = ["upright", "turned", "nested", "touching", "coplanar", "disjoint", "tiny and huge", "thin", "nearly equal"]
COLUMNS = ("kind,size_ax,size_ay,size_az,size_bx,size_by,size_bz,offset_x,offset_y,offset_z,center_x,center_y,center_z,"
           "qa_w,qa_x,qa_y,qa_z,qb_w,qb_x,qb_y,qb_z,iou,giou")


def quaternion(rng, upright):
    """Small integers: exact in the file, normalised where they are read."""
    while True:
        q = rng.integers(-99, 100, 4)
        if upright:
            q[[1, 3]] = 0
        if q @ q > 0:
            return q


def pair(rng, kind):
    """Sizes, offset of B's centre along A's axes and A's centre, in units of 0.1 mm; rotations of A and B."""
    a, b = rng.integers(500, 15_000, (2, 3))
    upright = kind == "upright" or rng.random() < 0.4
    qa, qb = quaternion(rng, upright), quaternion(rng, upright)
    offset = np.rint(rng.uniform(-0.6, 0.6, 3) * (a + b) / 2).astype(int)
    if kind == "nested":
        b = np.maximum(1, a // rng.integers(4, 9))
        offset = np.rint(rng.uniform(-0.2, 0.2, 3) * a).astype(int)
    elif kind in ("touching", "coplanar"):
        # Even sizes, so that half of them is exact. Turned alike.
        a, b = 2 * (a // 2), 2 * (b // 2)
        qb = qa
        side = rng.integers(3)
        sign = 1 if kind == "touching" else -1
        offset[side] = (a[side] + sign * b[side]) // 2
    elif kind == "disjoint":
        offset = np.sign(offset + 0.5).astype(int) * (a + b)
    elif kind == "tiny and huge":
        b = rng.integers(1, 100, 3)
        a = rng.integers(100_000, 1_000_000, 3) if rng.random() < 0.5 else rng.integers(20, 200, 3)
        offset = np.rint(rng.uniform(-0.6, 0.6, 3) * a).astype(int)
    elif kind == "thin":
        b[rng.integers(3)] = rng.integers(1, 50)
    elif kind == "nearly equal":
        b = np.maximum(1, a + rng.integers(-20, 21, 3))
        qa = 1000 * qa
        qb = qa + (rng.integers(-99, 100, 4) if not upright else np.array([1, 0, 1, 0]) * rng.integers(-99, 100, 4))
        offset = rng.integers(-50, 51, 3)
    if rng.random() < 0.5 and kind not in ("nested", "tiny and huge"):
        a, b, qa, qb = b, a, qa, qb
    return np.concatenate([a, b, offset, rng.integers(-50_000, 50_001, 3), qa, qb])


def rotation(q):
    w, x, y, z = q / np.linalg.norm(q)
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


SIGNS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)


def overlap(row):
    """IoU and generalised IoU; lengths in units of A's half sides."""
    half_a, half_b, offset = row[0:3] / 2, row[3:6] / 2, row[6:9]
    axes = rotation(row[12:16].astype(float)).T @ rotation(row[16:20].astype(float))
    volume_a, volume_b = 8.0, 8 * np.prod(half_b / half_a)
    # A is |x| ≤ 1; of B: ±axis·(half_a x − offset) ≤ half_b.
    normals = axes.T * half_a
    middle = axes.T @ offset
    spaces = np.vstack([
        np.column_stack([np.eye(3), -np.ones(3)]), np.column_stack([-np.eye(3), -np.ones(3)]),
        np.column_stack([normals, -middle - half_b]), np.column_stack([-normals, middle - half_b])])
    spaces /= np.linalg.norm(spaces[:, :3], axis=1)[:, None]
    shared = intersection(spaces)
    union = volume_a + volume_b - shared
    corners = np.vstack([SIGNS, (SIGNS * half_b @ axes.T + offset) / half_a])
    hull = ConvexHull(corners).volume
    return shared / union, shared / union - (hull - union) / hull


def intersection(spaces):
    """Volume of {x: n·x + d ≤ 0}, by qhull about the Chebyshev centre, moved there and scaled to its radius."""
    ball = linprog([0, 0, 0, -1], A_ub=np.column_stack([spaces[:, :3], np.ones(12)]), b_ub=-spaces[:, 3],
                   bounds=[(None, None)] * 3 + [(0, None)], method="highs")
    if ball.status != 0 or ball.x[3] < 1e-9:
        return 0.0
    center, radius = ball.x[:3], ball.x[3]
    moved = np.column_stack([spaces[:, :3], (spaces[:, :3] @ center + spaces[:, 3]) / radius])
    corners = HalfspaceIntersection(moved, np.zeros(3)).intersections
    return ConvexHull(corners[np.isfinite(corners).all(axis=1)]).volume * radius**3


def rows():
    rng = np.random.default_rng(SEED)
    for i in range(PAIRS):
        kind = i % len(KINDS)
        row = pair(rng, KINDS[kind])
        try:
            iou, giou = overlap(row)
        except QhullError as error:
            raise SystemExit(f"pair {i} ({KINDS[kind]}): {error}") from error
        yield [kind, *map(int, row), float(iou), float(giou)]


def main():
    made = list(rows())
    if "--check" not in sys.argv:
        lines = [",".join([*map(str, r[:-2]), f"{r[-2]:.10g}", f"{r[-1]:.10g}"]) for r in made]
        PATH.write_text("\n".join([COLUMNS, *lines]) + "\n")
        return
    stored = [line.split(",") for line in PATH.read_text().splitlines()[1:]]
    same = len(stored) == len(made) and all(
        list(map(int, s[:-2])) == m[:-2] and np.allclose(list(map(float, s[-2:])), m[-2:], rtol=0, atol=1e-8)
        for s, m in zip(stored, made))
    if not same:
        sys.exit(f"{PATH} is not what scipy says: run {pathlib.Path(__file__).name}")
    print(f"boxes.csv agrees with scipy on {PAIRS} pairs")


main()
