import json
import os

import h5py
import numpy as np
import pytest

from fathom._command import call
from fathom.dataset import Recording

DEPTH = np.random.default_rng(7).uniform(1, 4, (12, 24, 32)).astype("f4")
K = np.array([[40.0, 0, 16], [0, 40, 12], [0, 0, 1]])


def frame(index):
    metres, pose = DEPTH[index], np.eye(4)
    pose[0, 3] = index / 100
    return {
        "confidence": np.full(metres.shape, index % 3),
        "intrinsics": K,
        "image_size": (32, 24),
        "world_from_camera": pose,
        "time": index / 60,
        "relative": 1 / metres,
        "truth": metres,
        "rgb": np.full((24, 32, 3), index, "u1"),
        "predictions": {"net": metres * 2},
    }


def write(path, count=12):
    with Recording(path, "kitchen", convention="opencv", relative_kind="disparity") as recording:
        for index in range(count):
            recording.write_frame(DEPTH[index], **frame(index))


def test_the_command_reads_what_was_written(tmp_path):
    path = tmp_path / "own.h5"
    write(path)
    found = json.loads(call(["inspect", path, "--json"]))
    scene = found["scenes"][0]
    assert scene["frameCount"] == 12 and scene["name"] == "kitchen"
    arrays = {array["name"]: array for array in scene["arrays"]}
    assert arrays["lidar/depth"]["unit"] == "m"
    assert arrays["lidar/depth"]["values"]["minimum"] == pytest.approx(DEPTH.min(), abs=1e-6)
    assert arrays["predictions/net/depth"]["values"]["maximum"] == pytest.approx(2 * DEPTH.max(), abs=1e-6)
    assert not [issue for issue in found["issues"] if issue["severity"] == "error"]
    assert all(scene["confidence"][level] == pytest.approx(1 / 3, abs=1e-9) for level in ("low", "medium", "high"))
    with h5py.File(path) as file:
        assert file["scenes/kitchen/predictions/net/depth"].attrs["kind"] == "metric"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"time": 0}, "does not come after"),
        ({"confidence": DEPTH[0]}, "0, 1, 2"),
        ({"confidence": None}, "differs in lidar/confidence"),
        ({"world_from_camera": np.ones((4, 4))}, "rotation"),
        ({"rgb": None}, "image/rgb"),
        ({"truth": DEPTH[0][1:]}, "truth/depth is"),
        ({"truth": "far"}, "numbers"),
        ({"image_size": (64, 48)}, "image_size"),
        ({"predictions": {"a/b": DEPTH[0]}}, "cannot be the name"),
        ({"predictions": {"other": DEPTH[0]}}, "predictions/net"),
    ],
)
def test_a_wrong_frame_costs_only_itself(tmp_path, change, words):
    path = tmp_path / "own.h5"
    with Recording(path, convention="opencv", relative_kind="disparity") as recording:
        recording.write_frame(DEPTH[0], **frame(0))
        with pytest.raises(ValueError, match=words):
            recording.write_frame(DEPTH[1], **{**frame(1), **change})
        recording.write_frame(DEPTH[1], **frame(1))
    with h5py.File(path) as file:
        assert {len(file[f"scenes/scene/{name}"]) for name in ("lidar/depth", "truth/depth", "time")} == {2}


def test_frames_without_a_lidar_are_version_3(tmp_path):
    path = tmp_path / "maps.h5"
    with Recording(path, "hall") as recording:
        for metres in DEPTH[:3]:
            recording.write_frame(truth=metres, predictions={"net": metres * 2})
    found = json.loads(call(["inspect", path, "--json"]))
    assert found["schemaVersion"] == 3
    assert not [issue for issue in found["issues"] if issue["severity"] == "error"]
    assert [array["name"] for array in found["scenes"][0]["arrays"]] == ["truth/depth", "predictions/net/depth"]
    with h5py.File(path) as file:
        assert "lidar" not in file["scenes/hall"]


def test_with_a_lidar_the_file_stays_at_version_1(tmp_path):
    write(tmp_path / "own.h5", 1)
    with h5py.File(tmp_path / "own.h5") as file:
        assert file.attrs["version"] == 1


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "needs depth, truth, relative or predictions"),
        ({"truth": DEPTH[0], "confidence": np.ones((24, 32))}, "confidence needs depth"),
    ],
)
def test_a_frame_without_a_lidar_needs_another_map(tmp_path, given, words):
    with pytest.raises(ValueError, match=words), Recording(tmp_path / "own.h5") as recording:
        recording.write_frame(**given)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "given", [{"convention": "opengl"}, {"up": "x"}, {"relative_kind": "metric"}, {"prediction_kind": "unknown"}]
)
def test_unknown_words_are_refused(tmp_path, given):
    with pytest.raises(ValueError, match="is not one of"):
        Recording(tmp_path / "own.h5", **given)
    assert not list(tmp_path.iterdir())


def test_no_file_without_a_frame_or_after_an_error(tmp_path):
    with pytest.raises(ValueError, match="no frame"):
        Recording(tmp_path / "none.h5").close()
    with pytest.raises(RuntimeError), Recording(tmp_path / "half.h5") as recording:
        recording.write_frame(DEPTH[0])
        raise RuntimeError
    assert not list(tmp_path.iterdir())


def test_the_file_is_on_the_disk_before_it_has_its_name(tmp_path, monkeypatch):
    path, calls = tmp_path / "own.h5", []
    fsync, replace = os.fsync, os.replace

    def synced(descriptor):
        calls.append(("sync", os.readlink(f"/proc/self/fd/{descriptor}")))
        fsync(descriptor)

    def renamed(source, target):
        calls.append(("rename", os.fspath(target)))
        replace(source, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", renamed)
    write(path, count=1)
    assert calls == [("sync", f"{path}.partial"), ("rename", str(path)), ("sync", str(tmp_path))]


def test_a_partial_file_of_others_is_neither_emptied_nor_removed(tmp_path):
    path, partial = tmp_path / "own.h5", tmp_path / "own.h5.partial"
    partial.write_text("notes")
    with pytest.raises(FileExistsError, match=r"own\.h5\.partial exists"):
        Recording(path)
    assert partial.read_text() == "notes" and not path.exists()
    partial.unlink()
    write(path, count=1)
    assert path.exists() and not partial.exists()


def test_deviations_are_stored_beside_their_maps(tmp_path):
    path, metres = tmp_path / "sure.h5", DEPTH[0]
    with Recording(path) as recording:
        recording.write_frame(
            truth=metres,
            predictions={"net": metres},
            truth_deviation=metres * 0.01,
            prediction_deviations={"net": metres * 0.02},
        )
    scene = json.loads(call(["inspect", path, "--json"]))["scenes"][0]
    names = [array["name"] for array in scene["arrays"]]
    assert names == ["truth/depth", "truth/deviation", "predictions/net/depth", "predictions/net/deviation"]
    with Recording(tmp_path / "other.h5") as recording:
        with pytest.raises(ValueError, match="the deviation of truth must have the shape of truth"):
            recording.write_frame(truth=metres, truth_deviation=metres[1:])
        recording.write_frame(truth=metres)
