"""Data sets for fathom certify, of one sensor, which is 1 cm too far and 0.4 % too long: three walls, two scenes with a box before one, or a
printed board with its corners in a file."""

import json
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


def make_board(path, corners_path, frames=12, square=0.1, columns=6, rows=5):
    """A board of 6 × 5 squares that fills the view of the sensor in frames at 0.8 to 1.2 m, and what a picture of 640 × 480 shows of it."""
    rng, views, maps = np.random.default_rng(2), [], []
    x = (np.arange(SIZE[1]) + 0.5 - SIZE[1] / 2) / FOCAL
    y = (np.arange(SIZE[0]) + 0.5 - SIZE[0] / 2) / FOCAL
    for frame in range(frames):
        yaw, distance = rng.normal(0, 0.2), 0.8 + 0.4 * frame / (frames - 1)
        first, normal = np.array([np.cos(yaw), 0, -np.sin(yaw)]), np.array([np.sin(yaw), 0, np.cos(yaw)])
        ids = np.arange((columns - 1) * (rows - 1))
        across = square * (ids % (columns - 1) + 1 - columns / 2)
        down = square * (ids // (columns - 1) + 1 - rows / 2)
        places = np.outer(across, first) + np.outer(down, [0, 1, 0]) + [0, 0, distance]
        pixels = 10 * (FOCAL * places[:, :2] / places[:, 2:] + np.array(SIZE[::-1]) / 2) - 0.5
        corners = [{"id": int(i), "x": float(u), "y": float(v)} for i, (u, v) in zip(ids, pixels)]
        views.append({"scene": "board", "frame": frame, "corners": corners})
        truth = distance * normal[2] / (np.add.outer(0 * y, normal[0] * x) + normal[2])
        maps.append(0.01 + 1.004 * truth + rng.normal(0, 0.003, SIZE))
    with h5py.File(path, "w") as file:
        file.attrs["format"], file.attrs["version"] = "fathom", 1
        scene = file.create_group("scenes/board")
        scene.create_dataset("lidar/depth", data=np.array(maps, "f4")).attrs.update(units="m", kind="planar")
        scene["camera/intrinsics"] = [[10 * FOCAL, 0, 5 * SIZE[1]], [0, 10 * FOCAL, 5 * SIZE[0]], [0, 0, 1]]
        scene["camera"].attrs["image_size"] = [10 * SIZE[1], 10 * SIZE[0]]
    with open(corners_path, "w", encoding="utf-8") as file:
        json.dump(views, file)


if __name__ == "__main__":
    if "--board" in sys.argv:
        make_board(sys.argv[1], sys.argv[2])
    else:
        make_walls(sys.argv[1], PAIRS if "--pairs" in sys.argv else WALLS)
