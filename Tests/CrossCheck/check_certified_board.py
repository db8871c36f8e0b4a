"""Holds a certificate by a printed board against OpenCV, numpy and scipy.

    check_certified_board.py FATHOM RECORDING

RECORDING is a folder of the 3D Scanner App with a ChArUco board (11 × 8 squares of 22 mm). Corners and poses are OpenCV's, the line of error over
depth is scipy's, its scatter is summed pixel by pixel, and what the print and the intrinsics do to it is found by doing all of it again.
Range error, scale error, offset, noise must agree within a tenth of the stated uncertainty, and this within 5 %, as the
intervals of Monte Carlo must with numpy's random numbers.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import cv2
import numpy as np
from scipy import optimize, stats

COLUMNS, ROWS, SQUARE, MARKER = 11, 8, 0.022, 0.017
PRINT, FOCAL, CENTRE = 0.001, 0.005, 0.005
STEP = 0.001
TRIALS = 1_000_000


def views(recording):
    """Depth [m], intrinsics, corners by OpenCV and their places on the board, of every frame with a picture."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_6X6_1000)
    board = cv2.aruco.CharucoBoard((COLUMNS, ROWS), SQUARE, MARKER, dictionary)
    board.setLegacyPattern(True)
    detector = cv2.aruco.CharucoDetector(board)
    for path in sorted(recording.glob("frame_*.jpg")):
        corners, ids, _, _ = detector.detectBoard(cv2.imread(str(path), cv2.IMREAD_GRAYSCALE))
        frame = json.loads(path.with_suffix(".json").read_text())
        depth = cv2.imread(str(path.parent / (path.stem.replace("frame", "depth") + ".png")), cv2.IMREAD_UNCHANGED) / 1000
        places = board.getChessboardCorners()[ids.ravel()].astype(float)
        yield depth, np.array(frame["intrinsics"]).reshape(3, 3), corners.astype(float), places


def reference(shape, k, corners, places):
    """The board's depth on every pixel of the map, whether its ray meets the board, and its distance."""
    _, turn, shift = cv2.solvePnP(places, corners, k, None)
    turn, shift = cv2.solvePnPRefineLM(places, corners, k, None, turn, shift)
    axes, origin = cv2.Rodrigues(turn)[0], shift.ravel()
    scale = 1920 / shape[1]
    u, v = np.meshgrid((np.arange(shape[1]) + 0.5) * scale - 0.5, (np.arange(shape[0]) + 0.5) * scale - 0.5)
    rays = np.stack([(u - k[0, 2]) / k[0, 0], (v - k[1, 2]) / k[1, 1], np.ones(shape)], -1)
    depth = axes[:, 2] @ origin / (rays @ axes[:, 2])
    place = (rays * depth[..., None] - origin) @ axes
    edge = 2 * depth * scale / k[0, 0]
    inside = (place[..., 0] > edge) & (place[..., 0] < COLUMNS * SQUARE - edge)
    return depth, inside & (place[..., 1] > edge) & (place[..., 1] < ROWS * SQUARE - edge), rays


def own_noise(z, rays):
    """Root mean square distance from the depth's own plane."""
    fit = optimize.least_squares(lambda p: 1 / (rays @ p) - z, np.linalg.lstsq(rays, 1 / z, rcond=None)[0], xtol=1e-14)
    return np.sqrt(np.sum(fit.fun**2) / (len(z) - 3))


def effective(series):
    """Kendall's correction of the correlation of successive values."""
    n, centred = len(series), series - series.mean()
    raw = np.sum(centred[1:] * centred[:-1]) / np.sum(centred**2)
    correlation = np.clip((n * raw + 1) / (n - 3), 0, 0.99)
    return max(2, n * (1 - correlation) / (1 + correlation))


def figures(d, e):
    """Range error at the mean depth, scale error, offset."""
    line = stats.linregress(d, e)
    return np.array([e.mean(), line.slope, line.intercept])


def main():
    fathom, recording = sys.argv[1], pathlib.Path(sys.argv[2])
    frames, taken = list(views(recording)), []
    d, e, frame_of, tile_of, noises = [], [], [], [], []
    for number, (z, k, corners, places) in enumerate(frames):
        depth, inside, rays = reference(z.shape, k, corners, places)
        pixels = np.flatnonzero(inside & (z > 0))
        error = z.flat[pixels] - depth.flat[pixels]
        spread = 1.4826 * np.median(np.abs(error - np.median(error)))
        pixels = pixels[np.abs(error - np.median(error)) <= 4 * spread]
        rows, columns = np.divmod(pixels, z.shape[1])
        taken.append(pixels)
        d.append(depth.flat[pixels])
        e.append(z.flat[pixels] - depth.flat[pixels])
        frame_of.append(np.full(len(pixels), number))
        tile_of.append(rows * 5 // z.shape[0] * 6 + columns * 6 // z.shape[1])
        noises.append(own_noise(z.flat[pixels], rays.reshape(-1, 3)[pixels]))
    d, e, frame_of, tile_of, noises = *map(np.concatenate, (d, e, frame_of, tile_of)), np.array(noises)
    values = figures(d, e)

    def again(print_scale=1.0, focal=1.0, shift=(0, 0)):
        other = []
        for (z, k, corners, places), pixels in zip(frames, taken):
            k = k.copy()
            k[:2, 2] += np.array(shift) * k[0, 0]
            k[0, 0], k[1, 1] = focal * k[0, 0], focal * k[1, 1]
            other.append(reference(z.shape, k, corners, print_scale * places)[0].flat[pixels])
        other = np.concatenate(other)
        return figures(other, e + d - other) - values

    # Contributions of every pixel: weights of the ordinary least-squares line times its residual.
    centred = d - d.mean()
    residual = e - e.mean() - values[1] * centred
    slope = centred / np.sum(centred**2)
    weights = np.stack([np.full(len(d), 1 / len(d)), slope, 1 / len(d) - d.mean() * slope])
    declared = [again(1 + PRINT), again(focal=1 + FOCAL), np.hypot(again(shift=(CENTRE, 0)), again(shift=(0, CENTRE)))]
    expected, trials, rng = {}, {}, np.random.default_rng(3)
    for index, name in enumerate(["rangeErrors", "scaleError", "offset"]):
        share = weights[index] * residual
        by_frame = np.bincount(frame_of, share)
        by_tile = np.array([share[tile_of == tile].sum() for tile in np.unique(tile_of)])
        both = np.bincount(frame_of * 30 + tile_of, share)
        freedom = max(1, effective(by_frame) - 2)
        u_frames = np.sqrt(np.sum(by_frame**2) * len(by_frame) / freedom)
        pattern_freedom = len(by_tile) - 2
        u_pattern = np.sqrt(max(0, np.sum(by_tile**2) * len(by_tile) / pattern_freedom - np.sum(both**2)))
        u_step = STEP / np.sqrt(12) * (0 if name == "scaleError" else 1)
        u = np.sqrt(u_frames**2 + u_pattern**2 + u_step**2 + sum(part[index] ** 2 for part in declared))
        total = u**4 / (u_frames**4 / freedom + u_pattern**4 / pattern_freedom)
        expected[name] = values[index], stats.t.ppf(0.975, total) * u
        # All inputs drawn (JCGM 101).
        draws = sum(rng.normal(0, abs(part[index]), TRIALS) for part in declared)
        draws += u_frames * rng.standard_t(freedom, TRIALS) + u_pattern * rng.standard_t(pattern_freedom, TRIALS)
        draws += u_step * np.sqrt(3) * rng.uniform(-1, 1, TRIALS)
        trials[name] = values[index] + np.quantile(draws, [0.025, 0.975])
    freedom = max(1, effective(noises) - 1)
    u = noises.std(ddof=1) / np.sqrt(freedom + 1)
    expected["noise"] = np.sqrt(np.mean(noises**2)), stats.t.ppf(0.975, freedom) * u

    with tempfile.TemporaryDirectory() as folder:
        board = f"charuco:{COLUMNS}x{ROWS},square={SQUARE}m,marker={MARKER}m,dictionary=6x6,legacy"
        command = [fathom, "certify", recording, "--test", "board", "--board", board, "--python", sys.executable]
        printed = subprocess.run([*command, "--output", f"{folder}/c", "--json"], check=True, capture_output=True)
    certificate = json.loads(printed.stdout)
    found = {"rangeErrors": certificate["rangeErrors"][0]["error"], "noise": certificate["board"]["noise"]}
    found |= {name: certificate[name] for name in ("scaleError", "offset")}
    faults = []
    for name, (value, reach) in expected.items():
        stated = found[name]["expandedUncertainty"]
        print(f"{name}: {found[name]['value']:.6f} ± {stated:.6f}, by OpenCV and scipy {value:.6f} ± {reach:.6f}")
        if abs(found[name]["value"] - value) > 0.1 * stated or abs(stated - reach) > 0.05 * reach:
            faults.append(f"{name} differs")
        if name in trials:
            ends, check = trials[name], found[name]["monteCarlo"]
            print(f"  trials: {check['low']:.6f} to {check['high']:.6f}, by numpy {ends[0]:.6f} to {ends[1]:.6f}")
            if max(abs(check["low"] - ends[0]), abs(check["high"] - ends[1])) > 0.05 * np.ptp(ends):
                faults.append(f"trials of {name} differ")
    if faults:
        sys.exit("\n".join(faults))


main()
