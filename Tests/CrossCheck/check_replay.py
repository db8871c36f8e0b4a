"""Holds a folder of `fathom replay` against an independent computation in numpy.

    python check_replay.py DATA.h5 FOLDER [--rate 60] [--stage-ms 45] [--display 60]

DATA is the file that was replayed, FOLDER what came of it, with one policy `drop` and one fixed stage time. Checked in full
precision: which frames are analysed, when their results are on screen, how far the camera moved and turned until then (its
poses interpolated in a straight line and by slerp), and the medians in settings.csv. Ends with 1 where anything differs.
"""

import argparse
import csv
import sys

import h5py
import numpy as np


def rotation_between(a, b, share):
    """The rotation at a share of the way from a to b, by axis and angle of the turn between them."""
    turn = a.T @ b
    axis = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    length = np.linalg.norm(axis)
    angle = np.arctan2(length, np.trace(turn) - 1)
    if length < 1e-15:
        return a
    x, y, z = axis / length
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    part = share * angle
    return a @ (np.eye(3) + np.sin(part) * k + (1 - np.cos(part)) * k @ k)


def nearest_rotation(matrix):
    """Poses in files are rounded; their axes are made orthonormal."""
    u, _, v = np.linalg.svd(matrix)
    return u @ v


def degrees(a, b):
    turn = a.T @ b
    axis = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    return np.degrees(np.arctan2(np.linalg.norm(axis), np.trace(turn) - 1))


class Path:
    def __init__(self, times, poses):
        self.times = np.rint((times - times[0]) * 1e9).astype(np.int64)
        self.places = poses[:, :3, 3].astype(float)
        self.rotations = np.array([nearest_rotation(pose[:3, :3].astype(float)) for pose in poses])

    def at(self, time):
        """Place and rotation; None outside the recording and beside an unknown pose."""
        if time < 0 or time > self.times[-1]:
            return None
        right = int(np.searchsorted(self.times, time, side="left"))
        left = right if self.times[right] == time else right - 1
        if not (np.isfinite(self.places[left]).all() and np.isfinite(self.places[right]).all()):
            return None
        if left == right:
            return self.places[left], self.rotations[left]
        share = (time - self.times[left]) / (self.times[right] - self.times[left])
        place = (1 - share) * self.places[left] + share * self.places[right]
        return place, rotation_between(self.rotations[left], self.rotations[right], share)


def ticks(rate, end):
    """Of a steady clock, nanoseconds."""
    times = np.rint(np.arange(int(end * rate / 1e9) + 2) * (1e9 / rate)).astype(np.int64)
    return times[times <= end]


def expected(path, rate, stage, display):
    """Analysed frames: number, capture, end, on screen."""
    captures, free, results = ticks(rate, path.times[-1]), 0, []
    refreshes = ticks(display, path.times[-1] + stage + int(2e9 / display))
    for frame, time in enumerate(captures):
        if time < free:
            continue
        free = int(time) + stage
        results.append((frame, int(time), free, int(refreshes[np.searchsorted(refreshes, free)])))
    return captures, results


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data")
    parser.add_argument("folder")
    parser.add_argument("--rate", type=float, default=60)
    parser.add_argument("--stage-ms", type=float, default=45)
    parser.add_argument("--display", type=float, default=60)
    arguments = parser.parse_args()
    with open(f"{arguments.folder}/frames.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    with open(f"{arguments.folder}/settings.csv", newline="") as file:
        setting = next(csv.DictReader(file))
    faults, moved, turned, compared, offered = [], [], [], 0, 0
    with h5py.File(arguments.data) as file:
        for scene in dict.fromkeys(row["scene"] for row in rows):
            group = file["scenes"][scene]
            path = Path(group["time"][:], group["camera/world_from_camera"][:])
            captures, results = expected(
                path, arguments.rate, round(arguments.stage_ms * 1e6), arguments.display)
            mine = [row for row in rows if row["scene"] == scene]
            offered += len(captures)
            if len(mine) != len(captures):
                faults.append(f"{scene}: {len(mine)} frames, {len(captures)} expected")
            found = [row for row in mine if row["fate"] == "analysed"]
            if len(found) != len(results):
                faults.append(f"{scene}: {len(found)} analysed, {len(results)} expected")
            for row, (frame, captured, end, shown) in zip(found, results):
                times = [int(row[key]) for key in ("frame", "capture_ns", "end_ns", "shown_ns")]
                if times != [frame, captured, end, shown]:
                    faults.append(f"{scene}: frame {frame}: {times}, {[frame, captured, end, shown]} expected")
                first, last = path.at(captured), path.at(shown)
                if first is None or last is None:
                    if row["staleness_mm"]:
                        faults.append(f"{scene}: frame {frame}: staleness without a pose")
                    continue
                way = 1000 * np.linalg.norm(last[0] - first[0])
                turn = degrees(first[1], last[1])
                moved.append(way)
                turned.append(turn)
                compared += 1
                # Poses in files are rounded to 32 bits, so that axes may be off by 1e-7.
                if not np.isclose(way, float(row["staleness_mm"]), rtol=1e-9, atol=1e-6):
                    faults.append(f"{scene}: frame {frame}: {row['staleness_mm']} mm, {way} expected")
                if not np.isclose(turn, float(row["staleness_deg"]), rtol=1e-6, atol=1e-5):
                    faults.append(f"{scene}: frame {frame}: {row['staleness_deg']} degrees, {turn} expected")
    for values, key, tolerance in (
        (moved, "staleness_mm_median", 1e-6), (turned, "staleness_deg_median", 1e-5)):
        if not np.isclose(np.median(values), float(setting[key]), rtol=1e-6, atol=tolerance):
            faults.append(f"{key}: {setting[key]}, {np.median(values)} expected")
    if int(setting["offered"]) != offered:
        faults.append(f"{setting['offered']} frames offered, {offered} expected")
    for fault in faults:
        print(fault)
    print(
        f"{compared} results compared: median {np.median(moved):.3f} mm and {np.median(turned):.4f} degrees, "
        f"95 % {np.percentile(moved, 95):.3f} mm and {np.percentile(turned, 95):.4f} degrees; "
        + (f"{len(faults)} differences" if faults else "all as expected"))
    sys.exit(1 if faults or not compared else 0)


if __name__ == "__main__":
    main()
