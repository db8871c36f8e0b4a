"""Data sets for fathom certify, of one sensor, which is 1 cm too far and 0.4 % too long: three walls, or two scenes with a box before one."""

import sys

import h5py
import numpy as np

SIZE, FOCAL = (48, 64), 56.0
# Distance, tilt about the vertical axis [rad].
WALLS = [(1.0, 0.05), (2.0, -0.03), (3.0, 0.02)]


# Distance of the wall, tilt, separation of the front of the box.
PAIRS = [(1.5, 0.05, 0.5), (1.5, -0.1, 0.3)]


def make_walls(path, walls=WALLS, frames=20):
    rng = np.random.default_rng(1)
    rows, columns = SIZE
    x = (np.arange(columns) + 0.5 - columns / 2) / FOCAL
    pattern = 0.001 * rng.normal(size=SIZE)
    with h5py.File(path, "w") as file:
        file.attrs["format"], file.attrs["version"] = "fathom", 1
        for number, (distance, yaw, *separation) in enumerate(walls, 1):
            truth = np.broadcast_to(distance / (np.sin(yaw) * x + np.cos(yaw)), SIZE)
            if separation:
                truth = truth.copy()
                truth[10:38, 16:48] *= 1 - separation[0] / distance
            noise = rng.normal(0, 0.002 + 0.002 * truth, (frames, *SIZE)) + rng.normal(0, 0.0005, (frames, 1, 1))
            depth = 0.01 + 1.004 * truth + pattern * truth + noise
            scene = file.create_group(f"scenes/wall-{number}")
            data = scene.create_dataset("lidar/depth", data=depth.astype("f4"), chunks=(1, *SIZE), compression="gzip", shuffle=True)
            data.attrs.update(units="m", kind="planar")
            scene["camera/intrinsics"] = [[FOCAL, 0, columns / 2], [0, FOCAL, rows / 2], [0, 0, 1]]
            scene["camera"].attrs["image_size"] = [columns, rows]


if __name__ == "__main__":
    make_walls(sys.argv[1], PAIRS if "--pairs" in sys.argv else WALLS)
