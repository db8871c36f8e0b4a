import h5py
import numpy as np
import pytest

import fathom
from fathom._command import call
from fathom.dataset import Recording

RNG = np.random.default_rng(11)
ROWS, COLUMNS = np.mgrid[0:48, 0:64]
PLANE = (2 + COLUMNS / 64 + ROWS / 96).astype("f4")
LIDAR = (PLANE * (1 + 0.004 * RNG.standard_normal((2, 48, 64)))).astype("f4")
LEVELS = np.full(LIDAR.shape, 2, "u1")
RELATIVE = np.stack([(3 / PLANE + 0.2).astype("f4")] * 2)


def test_arrays_give_what_the_command_gives_of_the_same_data_set(tmp_path):
    by_arrays = fathom.fuse(lidar=LIDAR, confidence=LEVELS, relative=RELATIVE, method="ols")
    with Recording(tmp_path / "own.h5", relative_kind="disparity") as recording:
        for frame in range(2):
            recording.write_frame(LIDAR[frame], confidence=LEVELS[frame], relative=RELATIVE[frame])
    by_path = fathom.fuse(tmp_path / "own.h5", "ols")
    np.testing.assert_array_equal(by_arrays.depth, by_path.depth)
    np.testing.assert_array_equal(by_arrays.deviation, by_path.deviation)
    assert by_path.status == ["ok", "ok"] and by_path.frames == ["0", "1"]
    call(["fuse", tmp_path / "own.h5", "--method", "ols", "--output", tmp_path / "fused.h5", "--quiet"])
    with h5py.File(tmp_path / "fused.h5") as file:
        np.testing.assert_array_equal(file["scenes/scene/fused/depth"][()], by_path.depth)


def test_the_deviation_of_a_known_sensor_is_its_noise():
    fused = fathom.fuse(lidar=LIDAR, confidence=LEVELS, method="lidar-bilinear")
    np.testing.assert_array_equal(fused.depth, LIDAR)
    # 0.4 %, or 0.4/0.7 % if it were shared by neighbours.
    ratio = np.median(fused.deviation / fused.depth)
    assert 0.0038 < ratio < 0.0061
    assert np.mean(np.abs(LIDAR - PLANE) <= 1.96 * fused.deviation) > 0.92


def steps(depth, noise):
    """Half the range of ln d in 3x3 pixels, where one of them has a second difference in disparity beyond three standard deviations."""
    disparity = 1 / depth.astype("f8")
    marked = np.zeros(depth.shape, bool)
    for far in (1, 2):
        for d, m in ((disparity, marked), (disparity.T, marked.T)):
            second = np.abs(d[: -2 * far] - 2 * d[far:-far] + d[2 * far :])
            m[far:-far] |= second > 7.35 * noise * d[far:-far]
    def windows(values, fill):
        padded = np.pad(values, 1, constant_values=fill)
        return np.lib.stride_tricks.sliding_window_view(padded, (3, 3))

    logs = np.log(depth.astype("f8"))
    half = (np.nanmax(windows(logs, np.nan), (2, 3)) - np.nanmin(windows(logs, np.nan), (2, 3))) / 2
    return np.where(windows(marked, False).any((2, 3)), half, 0)


def test_depth_steps_are_as_uncertain_as_the_range_of_the_returns_says():
    stairs = LIDAR * np.where(COLUMNS > 40, 1.5, 1).astype("f4") * np.where((ROWS > 10) & (ROWS < 13), 0.8, 1).astype("f4")
    fused = fathom.fuse(lidar=stairs, confidence=LEVELS, method="lidar-bilinear", lidar_deviations="0.1,0.02,0.005")
    for frame in range(2):
        expected = np.hypot(0.005, steps(stairs[frame], 0.005))
        assert 0.05 < np.mean(expected > 0.006) < 0.3
        np.testing.assert_allclose(fused.deviation[frame] / fused.depth[frame], expected, rtol=2e-5)


def test_a_local_method_says_how_wrong_its_map_is():
    fused = fathom.fuse(lidar=LIDAR, confidence=LEVELS, relative=RELATIVE, method="guided")
    assert np.isfinite(fused.depth).all() and (fused.deviation > 0).all()
    assert np.mean(np.abs(fused.depth - PLANE) <= 1.96 * fused.deviation) > 0.9
    assert all("largest part of σ" in reason for reason in fused.reason)


def test_a_method_without_deviations_and_a_frame_without_depth():
    assert fathom.fuse(lidar=LIDAR, confidence=LEVELS, relative=RELATIVE, method="shipped").deviation is None
    refused = fathom.fuse(lidar=LIDAR, confidence=LEVELS, relative=RELATIVE, method="ols", min_pairs=100000)
    assert np.isnan(refused.depth).all() and np.isnan(refused.deviation).all()
    assert refused.status == ["too_few_pairs"] * 2 and all(refused.reason)


def test_what_does_not_fit_together_is_said():
    with pytest.raises(ValueError, match="not both"):
        fathom.fuse()
    with pytest.raises(ValueError, match="relative has 1 frames, and lidar has 2"):
        fathom.fuse(lidar=LIDAR, relative=RELATIVE[:1])
    with pytest.raises(fathom.FathomError, match="fitted to the truth"):
        fathom.fuse(lidar=LIDAR, method="oracle")
