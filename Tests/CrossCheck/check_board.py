"""Is `auto` ever worse than a phone's raw LiDAR? Compared with the plane of a printed board whose pose OpenCV finds in the pictures.

    check_board.py FATHOM RECORDING

RECORDING is a folder of the 3D Scanner App with a flat ChArUco board on the table (11 × 8 squares of 22 mm). The truth is the board's plane,
from the picture alone: independent of the LiDAR and of its errors. No network's maps belong to the recording; five are made of the true plane
and the LiDAR, with errors of known size: nearly right, fair, poor, following the texture, and bent as a whole. For every one of them `auto` may
nowhere be worse than the raw LiDAR by more than 1 %, and by no more than 0.5 % in the mean.
"""

import csv
import pathlib
import subprocess
import sys
import tempfile

import cv2
import h5py
import numpy as np
from scipy import ndimage

SQUARE, MARKER, SIDES = 0.022, 0.017, (11, 8)
# Where a square is printed to, so that no pixel of the rim counts.
RIM = 0.004
# Amplitude of a smooth relative error and its width in pixels, share of the picture's brightness, power of the disparity.
NETWORKS = {
    "nearly right": (0.003, 40, 0, 1),
    "fair": (0.02, 30, 0.005, 1),
    "poor": (0.05, 25, 0.03, 1),
    "texture": (0.003, 40, 0.08, 1),
    "bent": (0.005, 40, 0.002, 1.3),
}


def board_plane(image, intrinsics, shape, image_size):
    """Depth of the board at the centres of a raster's pixels, NaN beside it; None where too few corners are seen."""
    board = cv2.aruco.CharucoBoard(SIDES, SQUARE, MARKER, cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_6X6_1000))
    board.setLegacyPattern(True)
    corners, ids, _, _ = cv2.aruco.CharucoDetector(board).detectBoard(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY))
    if ids is None or len(ids) < 20:
        return None
    # OpenCV counts from the centre of the first pixel.
    k = intrinsics.copy()
    k[:2, 2] -= 0.5
    points = board.getChessboardCorners()[ids.ravel()]
    _, turn, shift = cv2.solvePnP(points, corners, k, None)
    turn, shift = cv2.solvePnPRefineLM(points, corners, k, None, turn, shift)
    axes, origin = cv2.Rodrigues(turn)[0], shift.ravel()
    height, width = shape
    u, v = np.meshgrid((np.arange(width) + 0.5) * image_size[0] / width, (np.arange(height) + 0.5) * image_size[1] / height)
    rays = np.stack([(u - intrinsics[0, 2]) / intrinsics[0, 0], (v - intrinsics[1, 2]) / intrinsics[1, 1], np.ones(shape)], -1)
    depth = axes[:, 2] @ origin / (rays @ axes[:, 2])
    on_board = (rays * depth[..., None] - origin) @ axes
    x, y = on_board[..., 0], on_board[..., 1]
    inside = (x > RIM) & (x < SIDES[0] * SQUARE - RIM) & (y > RIM) & (y < SIDES[1] * SQUARE - RIM)
    return np.where(inside, depth, np.nan).astype(np.float32)


def add_truth(path):
    """Writes the board's plane as truth; its frames."""
    with h5py.File(path, "r+") as file:
        scene = next(iter(file["scenes"].values()))
        images, frames = scene["image/rgb"], scene["image/frame"][:]
        camera, lidar = scene["camera/intrinsics"][:], scene["lidar/depth"][:]
        truth = np.full((len(lidar), 384, 512), np.nan, np.float32)
        for place, frame in enumerate(frames):
            k = camera[frame] if camera.ndim == 3 else camera
            plane = board_plane(images[place], k, truth.shape[1:], images.shape[2:0:-1])
            if plane is not None:
                truth[frame] = plane
        stored = scene.require_group("truth").create_dataset("depth", data=truth, compression="gzip", shuffle=True)
        stored.attrs.update({"kind": "planar", "units": "m", "independence": "independent"})
        return [int(f) for f in frames if np.isfinite(truth[f]).any()]


def add_network(source, path, errors, rng):
    amplitude, width, texture, power = errors
    path.write_bytes(source.read_bytes())
    with h5py.File(path, "r+") as file:
        scene = next(iter(file["scenes"].values()))
        images, frames = scene["image/rgb"], scene["image/frame"][:]
        lidar, truth = scene["lidar/depth"][:], scene["truth/depth"][:]
        size = (392, 294)
        maps = np.full((len(lidar), size[1], size[0]), np.nan, np.float32)
        for place, frame in enumerate(frames):
            smooth = cv2.resize(ndimage.gaussian_filter(lidar[frame], 3), size)
            plane = cv2.resize(truth[frame], size, interpolation=cv2.INTER_NEAREST)
            noise = ndimage.gaussian_filter(rng.standard_normal(smooth.shape), width)
            grey = cv2.resize(cv2.cvtColor(images[place], cv2.COLOR_RGB2GRAY), size) / 255 - 0.5
            error = 1 + amplitude * noise / noise.std() + texture * grey
            maps[frame] = 0.7 * (1 / np.where(np.isfinite(plane), plane, smooth)) ** power * error + 0.05
        stored = scene.require_group("relative").create_dataset("values", data=maps, compression="gzip", shuffle=True)
        stored.attrs["kind"] = "disparity"


def main():
    fathom, recording = sys.argv[1:]
    rng, faults = np.random.default_rng(5), []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        data = folder / "board.h5"
        subprocess.run([fathom, "import", recording, str(data), "--quiet"], check=True)
        frames = add_truth(data)
        for name, errors in NETWORKS.items():
            file, run = folder / "network.h5", folder / "run"
            add_network(data, file, errors, rng)
            subprocess.run(
                [fathom, "evaluate", str(file), "--methods", "lidar-bilinear,auto", "--output", str(run), "--overwrite",
                 "--no-gallery", "--no-objects", "--quiet"], check=True)  # fmt: skip
            rows = {m: [] for m in ("lidar-bilinear", "auto")}
            for row in csv.DictReader(open(run / "frames.csv", newline="", encoding="utf-8")):
                if row["mae_m_measured"]:
                    rows[row["method"]].append([float(row["mae_m_measured"]), float(row["rmse_m_measured"])])
            raw, auto = np.array(rows["lidar-bilinear"]), np.array(rows["auto"])
            if raw.shape != auto.shape or len(raw) != len(frames):
                faults.append(f"{name}: {len(auto)} of {len(frames)} frames were scored")
                continue
            mean, worst = auto.mean(axis=0) / raw.mean(axis=0), (auto / raw).max()
            print(f"network {name}: raw LiDAR {1000 * raw[:, 0].mean():.2f} mm, auto / raw {mean[0]:.3f} in MAE, {mean[1]:.3f} in RMSE, worst frame {worst:.3f}")
            if mean.max() > 1.005 or worst > 1.01:
                faults.append(f"{name}: auto is worse than the raw LiDAR")
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
