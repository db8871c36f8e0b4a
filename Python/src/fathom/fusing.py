"""LiDAR and a relative map fused into metric depth, with the standard deviation of each pixel. No ground truth is needed."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._arrays import bytes_of_colour, pictures, stack
from ._command import call, flags
from .dataset import Convention, Recording, RelativeKind


@dataclass(frozen=True)
class Fused:
    """The maps of one scene; N frames of [h, w]."""

    depth: NDArray[np.float32]
    """[N, h, w], metres; NaN where there is none."""
    deviation: NDArray[np.float32] | None
    """[N, h, w], the standard deviation of depth, metres; None where the method does not say how sure it is."""
    frames: list[str]
    """Names of the frames."""
    status: list[str]
    """How the method ended on each: "ok", or why there is no depth."""
    reason: list[str]
    """The same in words; empty where there is nothing to say."""


def fuse(
    data: str | os.PathLike[str] | None = None,
    method: str = "auto",
    *,
    lidar: Any = None,
    confidence: Any = None,
    relative: Any = None,
    relative_kind: RelativeKind = "disparity",
    images: Any = None,
    intrinsics: ArrayLike | None = None,
    image_size: tuple[int, int] | None = None,
    world_from_camera: ArrayLike | None = None,
    convention: Convention | None = None,
    scene: str | None = None,
    **options: object,
) -> Fused:
    """Fuses the frames of a scene, of a data set or given as arrays, as `fathom fuse` does.

    data: a data set or recording; or None, and arrays instead:
    lidar: [N, a, b], metres; 0, negative or not finite where there is no return.
    confidence: [N, a, b], of the LiDAR: 0 low, 1 medium, 2 high.
    relative: [N, c, d], a network's relative map; relative_kind: "disparity" (larger is nearer), "depth" or "unknown".
    images: [N, H, W, 3] or [N, 3, H, W], uint8 or real numbers from 0 to 1.
    intrinsics: [3, 3], in pixels of an image of image_size = (width, height), counted from the outer corner of the first pixel.
    world_from_camera: [N, 4, 4], poses, metres, with axes as convention says: "arkit" or "opencv".
    method: any method that needs no truth: "auto", "lidar-bilinear", "ols"…
    scene: of a data set with several.
    options: those of `fathom fuse`, with underscores: `frames="0:10"`, `calibration="calibration.yaml"`.

    Raises ValueError for arrays that do not fit together, FathomError for what the command refuses."""
    if (data is None) == (lidar is None):
        raise ValueError("give data, the path of a data set, or lidar, arrays; and not both")
    with tempfile.TemporaryDirectory(prefix="fathom-") as folder:
        source = Path(folder) / "frames.h5" if data is None else Path(os.fspath(data))
        if data is None:
            maps = {"depth": stack(lidar, "lidar")}
            for name, values in {"confidence": confidence, "relative": relative}.items():
                if values is not None:
                    maps[name] = stack(values, name)
            if images is not None:
                maps["rgb"] = pictures(images)
            if world_from_camera is not None:
                maps["world_from_camera"] = np.asarray(world_from_camera, "f8")
            count = len(maps["depth"])
            for name, values in maps.items():
                if len(values) != count:
                    raise ValueError(f"{name} has {len(values)} frames, and lidar has {count}")
            with Recording(
                source, convention=convention, relative_kind=relative_kind if relative is not None else None
            ) as recording:
                for frame in range(count):
                    arrays = {name: values[frame] for name, values in maps.items()}
                    if "rgb" in arrays:
                        arrays["rgb"] = bytes_of_colour(arrays["rgb"])
                    recording.write_frame(arrays.pop("depth"), intrinsics=intrinsics, image_size=image_size, **arrays)
        output = Path(folder) / "fused.h5"
        call(["fuse", source, "--output", output, "--quiet", *flags({"method": method, "scenes": scene, **options})])
        with h5py.File(output) as file:
            names = list(file["scenes"])
            if len(names) > 1:
                raise ValueError(f"there are several scenes: say which with scene=; there are {', '.join(names)}")
            return _read(file["scenes"][names[0]])


def _read(scene: h5py.Group) -> Fused:
    fused = scene["fused"]

    def words(name: str) -> list[str]:
        return [str(word) for word in scene[name].asstr()[()]]

    return Fused(
        depth=fused["depth"][()],
        deviation=fused["deviation"][()] if "deviation" in fused else None,
        frames=words("frame_id"),
        status=words("fused/status"),
        reason=words("fused/reason"),
    )
