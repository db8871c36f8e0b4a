"""Depth maps against the truth: arrays or files in, a Run out."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._arrays import bytes_of_colour, pictures, stack
from ._command import FathomWarning
from .dataset import Independence, Recording, RelativeKind
from .evaluator import DEFAULT_NAME, Align, Evaluator, MapKind, chosen, evaluated, scene_name
from .run import Run


def evaluate(
    depths: Any,
    truth: Any,
    *,
    images: Any = None,
    deviation: Any = None,
    prediction_confidence: Any = None,
    kind: MapKind | Mapping[str, MapKind] = "metric",
    align: Align | None = None,
    align_over: Literal["image", "scene"] | None = None,
    protocol: str | None = None,
    scenes: Sequence[str] | Literal["image", "folder"] | None = None,
    metrics: Iterable[str] | None = None,
    lidar: Any = None,
    confidence: Any = None,
    relative: Any = None,
    relative_kind: RelativeKind = "disparity",
    intrinsics: ArrayLike | None = None,
    image_size: tuple[int, int] | None = None,
    truth_independence: Independence = "unknown",
    output: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    **options: object,
) -> Run:
    """Compares the depth maps of one network or several with the truth, and with the LiDAR where there is one.

    N is the number of frames. All maps of a frame show the same view; they may differ in size. Arrays may be those of numpy, torch,
    jax or xarray; what is masked is not known.

    depths: what a network made, [N, h, w], [N, 1, h, w] or a list of maps; or a mapping of its name to such maps for several networks.
        The first one is the baseline. In the tables a network is the method `stored:NAME`; without a name it is `stored:depths`. A
        value that is not finite, or of metric depth not above 0, is not a prediction.
    truth: the same, metres, to the plane of the camera. 0, negative or not finite where it is not known. Whole numbers need the option
        `truth_scale`, the metres of one count: 0.001 for millimetres.
    images: the camera's pictures, [N, H, W, 3] or [N, 3, H, W], uint8 or real numbers from 0 to 1.
    deviation: without a LiDAR, the standard deviation that a network states for each pixel, in the unit and shape of its maps; for several
        networks a mapping of name to such maps. The run then says how honest it is (`deviation.csv`).
    prediction_confidence: the same for scores of confidence, larger where the network is surer, such as `conf` of Depth Anything 3. The run then
        says whether they find the bad pixels (`deviation.csv`) and what thresholds keep (`deviation_retained.csv`).
    kind: "metric" for depths in metres, "millimetres", "kitti" (1/256 m), or "depth" (larger is farther) and "disparity" (larger is nearer)
        where scale and shift are not known: they are fitted to the LiDAR, and without one to the truth. For several networks a mapping of name to
        kind; one that it does not name is metric.
    align: how every map is fitted to the truth: "none", "by-kind", "median", "depth:scale", "depth:scale-shift", "disparity:scale",
        "disparity:scale-shift", "log:scale" or "log:scale-shift". Default: the protocol's; without a LiDAR "by-kind".
    align_over: what has one fit, "image" or "scene". Default: the protocol's.
    protocol: "fathom", "kitti-eigen" and others: `fathom evaluate --help` lists them.
    scenes: N names: the scene of each frame. Intervals and tests are over scenes. "image": every frame is a scene of its own (the
        default without a LiDAR); "folder": all frames are one scene, as a video is (the default with a LiDAR).
    metrics: names of the metrics that `Run.metrics()` has. Default: all.
    lidar: [N, a, b], metres; 0, negative or not finite where there is no return.
    confidence: [N, a, b], of the LiDAR: 0 low, 1 medium, 2 high.
    relative: [N, c, d], a relative map that the command's methods fit to the LiDAR; relative_kind: "disparity", "depth" or "unknown".
    intrinsics: [3, 3], or with a LiDAR [N, 3, 3], in pixels of an image of image_size = (width, height), which is the size of truth
        unless it is given. They count from the outer corner of the first pixel: add 0.5 to cx and cy of ARKit or OpenCV.
    truth_independence: how the truth was made, with a LiDAR: "independent" (of it), "render", "selected", "multiview", "same-sensor" or
        "unknown".
    output: the folder of the run. Without it the folder is a temporary one, which is removed with the Run.
    options: those of `fathom evaluate`, with underscores: `methods="auto,stored"`, `max_truth=10`, `gallery=False`.

    Raises ValueError for arrays that do not fit together and words that are not known, FathomError for what the command refuses;
    warns (FathomWarning) where the command warns."""
    if lidar is None:
        for name, given in (("confidence", confidence), ("relative", relative)):
            if given is not None:
                raise ValueError(f"{name} belongs to a LiDAR, and there is no lidar")
        if truth_independence != "unknown":
            words = "truth_independence has no effect: it says how the truth depends on a LiDAR, and there is no lidar"
            warnings.warn(words, FathomWarning, stacklevel=2)
        named = None if scenes is None or isinstance(scenes, str) else scenes
        evaluator = Evaluator(
            kind=kind,
            align=align,
            align_over=align_over,
            protocol=protocol,
            scenes=scenes if named is None else None,  # type: ignore[arg-type]
            metrics=metrics,
            intrinsics=intrinsics,
            image_size=image_size,
            output=output,
            overwrite=overwrite,
            **options,
        )
        evaluator._add(depths, truth, images, named, deviation, prediction_confidence, checks=False)
        return evaluator.result()

    for name, given in (("deviation", deviation), ("prediction_confidence", prediction_confidence)):
        if given is not None:
            raise ValueError(f"{name} is judged without a LiDAR: remove lidar")
    selected = chosen(metrics)
    maps = depths if isinstance(depths, Mapping) else {DEFAULT_NAME: depths}
    if not maps:
        raise ValueError("depths holds no network")
    predictions = {name: stack(values, f"depths of {name}") for name, values in maps.items()}
    true, sensor = stack(truth, "truth"), stack(lidar, "lidar")
    levels = stack(confidence, "confidence") if confidence is not None else None
    network = stack(relative, "relative") if relative is not None else None
    views = pictures(images) if images is not None else None
    stacks = {**{f"depths of {name}": values for name, values in predictions.items()}, "lidar": sensor}
    for name, values in {**stacks, "confidence": levels, "relative": network, "images": views}.items():
        if values is not None and len(values) != len(true):
            raise ValueError(f"{name} has {len(values)} frames, and truth has {len(true)}")
    cameras = _cameras(intrinsics, len(true))
    size = image_size or (true.shape[2], true.shape[1])
    places = _places(scenes, len(true))

    with tempfile.TemporaryDirectory(prefix="fathom-") as folder:
        files = []
        for number, (scene, frames) in enumerate(places.items()):
            files.append(Path(folder) / f"{number:04}.h5")
            with Recording(
                files[-1],
                scene,
                relative_kind=relative_kind if network is not None else None,
                prediction_kind=kind,  # type: ignore[arg-type]
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
                        rgb=None if views is None else bytes_of_colour(views[frame]),
                        predictions={name: values[frame] for name, values in predictions.items()},
                    )
        rules = {"align": align, "align_over": align_over, "protocol": protocol}
        run = evaluate_files(files, output=output, overwrite=overwrite, **rules, **options)
        run._selected = selected
        return run


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
    return evaluated(paths, output=output, overwrite=overwrite, options=options)


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
    if scenes is None or scenes == "folder":
        return {"scene": list(range(count))}
    if scenes == "image":
        return {f"{frame:06}": [frame] for frame in range(count)}
    if isinstance(scenes, str) or len(scenes) != count:
        raise ValueError(f"scenes must be a name for each of the {count} frames")
    places: dict[str, list[int]] = {}
    for frame, scene in enumerate(scenes):
        places.setdefault(scene_name(str(scene)), []).append(frame)
    return places
