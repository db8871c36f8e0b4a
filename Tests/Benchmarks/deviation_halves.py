"""Standard deviations of `auto` and of the raw LiDAR on real recordings: corrected on one half of the frames, judged on the other.

    python deviation_halves.py FATHOM [DATA]

DATA is the folder of real data, ../shared/data by default. The table of docs/uncertainty.md: shares of the pixels with truth whose error is at most 1.96
deviations, as means over frames, before and after `fathom calibrate --deviation-of METHOD` on the other half. The truth of the phone's board is the
plane that OpenCV finds in the pictures, with the networks of check_board.py; that of the room is made of neighbouring frames.
"""

import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np
from coverage_table import frames as fused_frames

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "CrossCheck"))
import check_board  # noqa: E402


def part(source, scene, chosen, target):
    """Some frames of a scene as a data set."""
    with h5py.File(source) as old, h5py.File(target, "w") as new:
        new.attrs.update(old.attrs)
        old.copy(f"scenes/{scene}", new.require_group("scenes"))
        group, count = new[f"scenes/{scene}"], len(old[f"scenes/{scene}/lidar/depth"])
        arrays = []
        group.visititems(lambda _, item: arrays.append(item.name) if isinstance(item, h5py.Dataset) else None)
        # Pictures may belong to some frames only.
        pictured = list(group["image/frame"][:]) if "image/frame" in group else list(range(count))
        pictures = [k for k, frame in enumerate(pictured) if frame in chosen]
        for path in arrays:
            values, attributes = group[path][:], dict(group[path].attrs)
            if path.endswith("image/frame"):
                values = np.array([chosen.index(pictured[k]) for k in pictures], values.dtype)
            elif path.endswith("image/rgb"):
                values = values[pictures]
            elif len(values) == count:
                values = values[chosen]
            del group[path]
            group[path] = values
            group[path].attrs.update(attributes)


def coverage(fathom, data, method, folder, *options):
    """Mean over frames of the share within 1.96 deviations, and the mean deviation."""
    output = folder / "fused.h5"
    subprocess.run([fathom, "fuse", data, "--method", method, "--output", output, "--overwrite", "--quiet", *options], check=True)
    with h5py.File(data) as read, h5py.File(output) as maps:
        found = [(np.mean(np.abs(d - t) <= 1.96 * s), s.mean()) for _, d, s, t, _ in fused_frames(read, maps)]
    return np.mean(found, axis=0)


def judge(fathom, name, source, scene, usable, method, folder):
    for learn, other in ((0, 1), (1, 0)):
        halves = [usable[: len(usable) // 2], usable[len(usable) // 2 :]]
        paths = [folder / "half-0.h5", folder / "half-1.h5"]
        for path, chosen in zip(paths, halves):
            part(source, scene, chosen, path)
        factors = folder / "factors.yaml"
        command = [fathom, "calibrate", paths[learn], "--deviation-of", method, "--output", factors, "--overwrite", "--quiet"]
        subprocess.run(command, check=True)
        before, wide = coverage(fathom, paths[other], method, folder)
        after, wider = coverage(fathom, paths[other], method, folder, "--calibration", factors)
        print(f"| {name} | `{method}` | {len(halves[learn])}, {len(halves[other])} | {before:.3f} | {after:.3f} | {wider / wide:.2f} |", flush=True)


def main():
    fathom = str(pathlib.Path(sys.argv[1]).resolve())
    data = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else HERE.parents[2] / "shared/data")
    print("| recording | method | frames: learnt on, judged on | covered | corrected | width, times |\n|---|---|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        board, rng = folder / "board.h5", np.random.default_rng(5)
        subprocess.run([fathom, "import", data / "sources/scanner3d", board, "--quiet"], check=True)
        frames = check_board.add_truth(board)
        with h5py.File(board) as file:
            scene = next(iter(file["scenes"]))
        judge(fathom, "phone, board", board, scene, frames, "lidar-bilinear", folder)
        for name, errors in check_board.NETWORKS.items():
            check_board.add_network(board, folder / "network.h5", errors, rng)
            judge(fathom, f"phone, board, network {name}", folder / "network.h5", scene, frames, "auto", folder)
        for method in ("lidar-bilinear", "auto"):
            judge(fathom, "iPhone, room", data / "iphone-stray.h5", "room-reference", list(range(8)), method, folder)


if __name__ == "__main__":
    main()
