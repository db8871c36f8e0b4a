"""Depth maps against the truth: numpy arrays or files in, a Run out."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._command import call, flags
from .dataset import Independence, PredictionKind, Recording, RelativeKind
from .run import Run, load


def evaluate(
    depths: ArrayLike | Mapping[str, ArrayLike],
    truth: ArrayLike,
    *,
    kind: PredictionKind = "metric",
    lidar: ArrayLike | None = None,
    confidence: ArrayLike | None = None,
    relative: ArrayLike | None = None,
    relative_kind: RelativeKind = "disparity",
    intrinsics: ArrayLike | None = None,
    image_size: tuple[int, int] | None = None,
    scenes: Sequence[str] | None = None,
    truth_independence: Independence = "unknown",
    output: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    **options: object,
) -> Run:
    """Holds the depth maps of one network or several against the truth, and against the LiDAR where there is one.

    N is the number of frames. All maps of a frame show the same view; they may differ in size.

    depths: [N, h, w], what a network made, or a mapping of its name to such an array for several networks. In the tables a network
        is the method `stored:NAME`; without a name it is `stored:depths`. A value that is not finite or not above 0 is no prediction.
    truth: [N, H, W], metres, to the plane of the camera. 0, negative or not finite where it is not known.
    kind: "metric" for depths in metres; "depth" (larger is farther) or "disparity" (larger is nearer) where scale and shift are not
        known: they are then fitted to the LiDAR.
    lidar: [N, a, b], metres; 0, negative or not finite where there is no return. Without it the rows of the raw LiDAR are empty, and no
        method that needs it is run, unless the option `methods` names some.
    confidence: [N, a, b], of the LiDAR: 0 low, 1 medium, 2 high.
    relative: [N, c, d], a relative map that the command's methods fit to the LiDAR; relative_kind: "disparity", "depth" or "unknown".
    intrinsics: [3, 3] or [N, 3, 3], in pixels of an image of image_size = (width, height), which is the size of truth unless it is
        given. They count from the outer corner of the first pixel: add 0.5 to cx and cy of ARKit or OpenCV.
    scenes: N names: the scene of each frame. Intervals and tests are over scenes, so one scene has none. Default: one scene.
    truth_independence: how the truth was made: "independent" (of the LiDAR), "render", "selected", "multiview", "same-sensor" or
        "unknown".
    output: the folder of the run. Without it the folder is a temporary one, which is removed with the Run.
    options: those of `fathom evaluate`, with underscores: `methods="auto,stored"`, `max_truth=10`, `gallery=False`.

    Raises ValueError for arrays that do not fit together, FathomError for what the command refuses."""
    maps = depths if isinstance(depths, Mapping) else {"depths": depths}
    if not maps:
        raise ValueError("depths holds no network")
    predictions = {name: _stack(values, f"depths of {name}") for name, values in maps.items()}
    true = _stack(truth, "truth")
    stacks = {**{f"depths of {name}": stack for name, stack in predictions.items()}, "truth": true}
    sensor = _stack(lidar, "lidar") if lidar is not None else np.zeros(true.shape, "f4")
    levels = _stack(confidence, "confidence") if confidence is not None else None
    if levels is not None and lidar is None:
        raise ValueError("confidence is of the LiDAR, and there is no lidar")
    network = _stack(relative, "relative") if relative is not None else None
    stacks |= {"lidar": sensor}
    stacks |= {"confidence": levels} if levels is not None else {}
    stacks |= {"relative": network} if network is not None else {}
    for name, stack in stacks.items():
        if len(stack) != len(true):
            raise ValueError(f"{name} has {len(stack)} frames, and truth has {len(true)}")
    cameras = _cameras(intrinsics, len(true))
    size = image_size or (true.shape[2], true.shape[1])
    places = _places(scenes, len(true))
    if lidar is None and options.get("methods") is None:
        options["methods"] = [f"stored:{name}" for name in predictions]

    with tempfile.TemporaryDirectory(prefix="fathom-") as folder:
        files = []
        for number, (scene, frames) in enumerate(places.items()):
            files.append(Path(folder) / f"{number:04}.h5")
            with Recording(
                files[-1],
                scene,
                relative_kind=relative_kind if network is not None else None,
                prediction_kind=kind,
                truth_independence=truth_independence,
            ) as recording:
                for frame in frames:
                    recording.write_frame(
                        sensor[frame],
                        confidence=None if levels is None else levels[frame],
                        relative=None if network is None else network[frame],
                        intrinsics=None if cameras is None else cameras[frame],
                        image_size=None if cameras is None else size,
                        truth=true[frame],
                        predictions={name: stack[frame] for name, stack in predictions.items()},
                    )
        return evaluate_files(files, output=output, overwrite=overwrite, **options)


def evaluate_files(
    data: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    output: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    **options: object,
) -> Run:
    """Runs `fathom evaluate` on data sets or recordings.

    data: a path or several: HDF5 files, folders or archives of recordings.
    output, options: as in `evaluate`."""
    paths = [data] if isinstance(data, (str, os.PathLike)) else list(data)
    temporary = tempfile.TemporaryDirectory(prefix="fathom-") if output is None else None
    folder = Path(temporary.name) / "run" if temporary else Path(os.fspath(output or ""))
    words: list[Any] = ["evaluate", *paths, f"--output={folder}", "--quiet", *flags(options)]
    call([*words, "--overwrite"] if overwrite else words)
    run = load(folder)
    run._temporary = temporary
    return run


def _stack(values: ArrayLike, name: str) -> NDArray[Any]:
    """Maps as [N, h, w]; a single map [h, w] is one frame."""
    stack = np.asarray(values)
    stack = stack[None] if stack.ndim == 2 else stack
    if stack.ndim != 3 or stack.dtype.kind not in "fiu":
        raise ValueError(f"{name} must be numbers of shape [N, h, w], and is {stack.dtype} of {stack.shape}")
    if stack.size == 0:
        raise ValueError(f"{name} is empty: its shape is {stack.shape}")
    return stack


def _cameras(intrinsics: ArrayLike | None, count: int) -> NDArray[np.float64] | None:
    if intrinsics is None:
        return None
    cameras = np.asarray(intrinsics, "f8")
    if cameras.shape == (3, 3):
        cameras = np.broadcast_to(cameras, (count, 3, 3))
    if cameras.shape != (count, 3, 3):
        raise ValueError(f"intrinsics must be [3, 3] or [{count}, 3, 3], and are {list(cameras.shape)}")
    return cameras


def _places(scenes: Sequence[str] | None, count: int) -> dict[str, list[int]]:
    """The frames of each scene, in order."""
    if scenes is None:
        return {"scene": list(range(count))}
    if isinstance(scenes, str) or len(scenes) != count:
        raise ValueError(f"scenes must be a name for each of the {count} frames")
    places: dict[str, list[int]] = {}
    for frame, scene in enumerate(scenes):
        if not re.fullmatch(r"[^/\0]+", str(scene)) or str(scene) in (".", ".."):
            raise ValueError(f"{scene!r} cannot be the name of a scene")
        places.setdefault(str(scene), []).append(frame)
    return places
