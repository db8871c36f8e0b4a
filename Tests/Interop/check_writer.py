"""Writes a recording with Writers/fathom_writer.py and has fathom read it: check_writer.py FATHOM."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Writers"))
from fathom_writer import Recording  # noqa: E402

fathom = sys.argv[1]
rng = np.random.default_rng(7)


def refused(function, words):
    try:
        function()
    except ValueError as error:
        assert words in str(error), error
        return
    raise AssertionError(f"nothing was said about {words}")


with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "own.h5"
    depth = rng.uniform(1, 4, (12, 24, 32)).astype("f4")
    k = np.array([[40.0, 0, 16], [0, 40, 12], [0, 0, 1]])
    with Recording(path, "kitchen", convention="opencv", relative_kind="disparity") as recording:
        for index, metres in enumerate(depth):
            pose = np.eye(4)
            pose[0, 3] = index / 100
            frame = dict(confidence=np.full(metres.shape, index % 3), intrinsics=k, image_size=(32, 24),
                         world_from_camera=pose, time=index / 60, relative=1 / metres, truth=metres,
                         rgb=np.full((24, 32, 3), index, "u1"))
            recording.write_frame(metres, **frame)
        # What is wrong costs nothing but its own frame.
        refused(lambda: recording.write_frame(metres, **{**frame, "time": 0}), "does not come after")
        late = {**frame, "time": 9}
        refused(lambda: recording.write_frame(metres, **{**late, "confidence": metres}), "0, 1, 2")
        refused(lambda: recording.write_frame(metres, **{**late, "world_from_camera": np.ones((4, 4))}), "rotation")
        refused(lambda: recording.write_frame(metres, **{**late, "rgb": None}), "image/rgb")
        refused(lambda: recording.write_frame(metres[1:], **{**late, "confidence": None}), "differs in lidar/confidence")
    found = json.loads(subprocess.run([fathom, "inspect", str(path), "--json"], check=True, capture_output=True).stdout)
    scene = found["scenes"][0]
    assert scene["frameCount"] == 12 and scene["name"] == "kitchen", scene
    lidar = next(a for a in scene["arrays"] if a["name"] == "lidar/depth")
    assert abs(lidar["values"]["minimum"] - depth.min()) < 1e-6 and lidar["unit"] == "m"
    assert not [i for i in found["issues"] if i["severity"] == "error"], found["issues"]
    assert all(abs(scene["confidence"][level] - 1 / 3) < 1e-9 for level in ("low", "medium", "high"))
    empty = Recording(Path(folder) / "none.h5")
    refused(empty.close, "no frame")
    assert not list(Path(folder).glob("none*"))
print("the Python writer: 12 frames written, read and refused as they should be")
