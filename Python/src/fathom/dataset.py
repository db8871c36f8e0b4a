"""Writes frames of one's own program as a data set of Fathom. This one file needs numpy and h5py only: it may be copied.

    from fathom.dataset import Recording

    with Recording("scan.h5", "kitchen", convention="opencv") as recording:
        recording.write_frame(depth, confidence=levels, intrinsics=k, image_size=(1920, 1440),
                              world_from_camera=pose, time=seconds, relative=network)

The first frame says what there is and in which size; every other one must have the same. Datasets/SCHEMA.md describes the file.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Literal

import h5py
import numpy as np
from numpy.typing import ArrayLike, NDArray

Convention = Literal["arkit", "opencv"]
RelativeKind = Literal["disparity", "depth", "unknown"]
PredictionKind = Literal["metric", "depth", "disparity"]
Independence = Literal["independent", "render", "selected", "multiview", "same-sensor", "unknown"]

_RELATIVE_KINDS = ("disparity", "depth", "unknown")
_PREDICTION_KINDS = ("metric", "depth", "disparity")


def _sync(path: str, access: int) -> None:
    """Waits until a file or a folder is on the disk."""
    descriptor = os.open(path, access)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class Recording:
    """A data set with one scene, written frame by frame. Its file appears when it is closed without an error."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        scene: str = "scene",
        *,
        convention: Convention | None = None,
        up: Literal["y", "z"] = "y",
        relative_kind: RelativeKind | None = None,
        relative_model: str | None = None,
        prediction_kind: PredictionKind | Mapping[str, PredictionKind] = "metric",
        truth_independence: Independence = "unknown",
    ) -> None:
        """convention: axes of the camera in poses, "arkit" (x right, y up, z back) or "opencv" (x right, y down, z forward).
        relative_kind: "disparity" (larger is nearer), "depth" (larger is farther) or "unknown".
        prediction_kind: "metric" (metres), "depth" or "disparity": what every prediction is, or a mapping of name to kind; one that
            it does not name is metric.
        truth_independence: how the truth was made; Datasets/SCHEMA.md says what each word means."""
        if convention not in (None, "arkit", "opencv"):
            raise ValueError(f"convention {convention!r} is not one of arkit, opencv")
        if relative_kind not in (None, *_RELATIVE_KINDS):
            raise ValueError(f"relative_kind {relative_kind!r} is not one of {', '.join(_RELATIVE_KINDS)}")
        for word in prediction_kind.values() if isinstance(prediction_kind, Mapping) else [prediction_kind]:
            if word not in _PREDICTION_KINDS:
                raise ValueError(f"prediction_kind {word!r} is not one of {', '.join(_PREDICTION_KINDS)}")
        if up not in ("y", "z"):
            raise ValueError(f"up {up!r} is not one of y, z")
        self._path, self._partial = os.fspath(path), os.fspath(path) + ".partial"
        self._convention, self._up = convention, up
        self._kind, self._model, self._independence = relative_kind, relative_model, truth_independence
        self._prediction_kind = prediction_kind
        try:
            self._file = h5py.File(self._partial, "x")
        except FileExistsError:
            raise FileExistsError(
                f"{self._partial} exists: wait for the program that writes it, or remove it"
            ) from None
        self._file.attrs["format"], self._file.attrs["version"] = "fathom", 1
        self._scene = self._file.create_group(f"scenes/{scene}")
        self._names: set[str] | None = None
        self._count = 0
        self._image_size: tuple[int, int] | None = None
        self._last_time: float | None = None

    def write_frame(
        self,
        depth: ArrayLike | None = None,
        *,
        confidence: ArrayLike | None = None,
        intrinsics: ArrayLike | None = None,
        image_size: tuple[int, int] | None = None,
        world_from_camera: ArrayLike | None = None,
        time: float | None = None,
        rgb: ArrayLike | None = None,
        relative: ArrayLike | None = None,
        truth: ArrayLike | None = None,
        predictions: Mapping[str, ArrayLike] | None = None,
        truth_deviation: ArrayLike | None = None,
        prediction_deviations: Mapping[str, ArrayLike] | None = None,
        prediction_confidences: Mapping[str, ArrayLike] | None = None,
    ) -> None:
        """Adds a frame; an error leaves the recording as it was.

        depth: [h, w], metres, planar; 0, negative or not finite where there is none. None for data
            without a LiDAR, which need truth, relative or predictions instead; the file then says version 3 of the schema.
        confidence: [h, w], 0 low, 1 medium, 2 high.
        intrinsics: [3, 3] for image_size = (width, height), counted from the outer corner of the first pixel. ARKit and
            OpenCV count from its centre: add 0.5 to cx and cy.
        world_from_camera: [4, 4], camera to world, metres.
        time: seconds, larger than before.
        rgb: [H, W, 3] uint8. relative: [H, W], a network's map. truth: [H, W], metres.
        predictions: a network's own depth [H, W] by the network's name, scored as stored:NAME.
        truth_deviation: standard deviation of the truth's error, metres, of the truth's shape.
        prediction_deviations: standard deviations that networks state, by name, in the unit and shape of their predictions.
        prediction_confidences: scores of confidence instead, larger where a network is surer."""
        arrays: dict[str, NDArray[Any]] = {}
        if depth is not None:
            arrays["lidar/depth"] = self._map(depth, "depth")
        elif truth is None and relative is None and not predictions:
            raise ValueError("a frame needs depth, truth, relative or predictions")
        if confidence is not None:
            if depth is None:
                raise ValueError("confidence needs depth, whose pixels it is of")
            levels = np.asarray(confidence)
            if levels.shape != arrays["lidar/depth"].shape or not np.isin(levels, (0, 1, 2)).all():
                raise ValueError("confidence must have the size of depth and hold 0, 1, 2 only")
            arrays["lidar/confidence"] = levels.astype("u1")
        if intrinsics is not None:
            if image_size is None:
                raise ValueError("intrinsics need image_size = (width, height), which they belong to")
            k = np.asarray(intrinsics, "f8")
            if k.shape != (3, 3) or not np.isfinite(k).all() or k[0, 0] <= 0 or k[1, 1] <= 0 or k[2, 2] != 1:
                raise ValueError("intrinsics must be [[fx, 0, cx], [0, fy, cy], [0, 0, 1]]")
            arrays["camera/intrinsics"] = k
        if world_from_camera is not None:
            if self._convention is None:
                raise ValueError("poses need convention='arkit' or 'opencv' in Recording(...)")
            pose = np.asarray(world_from_camera, "f8")
            turn = pose[:3, :3] if pose.shape == (4, 4) else np.zeros((3, 3))
            if not (
                np.isfinite(pose).all()
                and np.allclose(turn @ turn.T, np.eye(3), atol=1e-3)
                and np.linalg.det(turn) > 0
                and np.allclose(pose[3], (0, 0, 0, 1))
            ):
                raise ValueError("world_from_camera must be a rotation and a translation, [4, 4]")
            arrays["camera/world_from_camera"] = pose
        if time is not None:
            if not np.isfinite(time) or (self._last_time is not None and time <= self._last_time):
                raise ValueError(f"time {time} does not come after {self._last_time}")
            arrays["time"] = np.asarray(time, "f8")
        if rgb is not None:
            picture = np.asarray(rgb)
            if picture.dtype != np.uint8 or picture.ndim != 3 or picture.shape[2] != 3:
                raise ValueError("rgb must be [H, W, 3] of uint8")
            arrays["image/rgb"] = picture
        if relative is not None:
            if self._kind is None:
                raise ValueError("relative needs relative_kind= in Recording(...): disparity, depth or unknown")
            arrays["relative/values"] = self._map(relative, "relative")
        if truth is not None:
            arrays["truth/depth"] = self._map(truth, "truth")
        for name, values in (predictions or {}).items():
            if not name or "/" in name or name in (".", ".."):
                raise ValueError(f"{name!r} cannot be the name of a prediction")
            arrays[f"predictions/{name}/depth"] = self._map(values, f"predictions of {name}")
        both = [name for name in prediction_deviations or {} if name in (prediction_confidences or {})]
        if both:
            raise ValueError(f"{both[0]} has a deviation and a confidence: give one of both")
        stated = {(f"predictions/{name}", "deviation"): values for name, values in (prediction_deviations or {}).items()}
        stated |= {(f"predictions/{name}", "confidence"): v for name, v in (prediction_confidences or {}).items()}
        if truth_deviation is not None:
            stated["truth", "deviation"] = truth_deviation
        for (name, what), values in stated.items():
            own, maps = self._map(values, f"{what} of {name}"), arrays.get(f"{name}/depth")
            if maps is None or own.shape != maps.shape:
                raise ValueError(f"the {what} of {name} must have the shape of {name}, which must be given, too")
            arrays[f"{name}/{what}"] = own
        if self._names is None:
            self._create(arrays, image_size)
        self._append(arrays, image_size)

    @staticmethod
    def _map(values: ArrayLike, name: str) -> NDArray[np.float32]:
        numbers = np.asarray(values)
        if numbers.ndim != 2 or numbers.dtype.kind not in "fiu":
            raise ValueError(f"{name} must be numbers of shape [h, w]")
        return numbers.astype("f4")

    def _create(self, arrays: dict[str, NDArray[Any]], image_size: tuple[int, int] | None) -> None:
        attributes = {
            "lidar/depth": {"units": "m", "kind": "planar"},
            "truth/depth": {"units": "m", "kind": "planar", "independence": self._independence},
            "relative/values": {"kind": self._kind, **({"model": self._model} if self._model else {})},
            "camera/world_from_camera": {"convention": self._convention, "up": self._up},
        }
        for name, values in arrays.items():
            packed = {"compression": "gzip", "compression_opts": 1, "shuffle": True} if values.ndim > 1 else {}
            data = self._scene.create_dataset(
                name,
                (0, *values.shape),
                values.dtype,
                maxshape=(None, *values.shape),
                chunks=(1, *values.shape) if values.ndim else (1024,),
                **packed,
            )
            data.attrs.update(attributes.get(name) or self._kind_of(name))
        if "camera/intrinsics" in arrays and image_size is not None:
            self._scene["camera"].attrs["image_size"] = list(image_size)
        if "lidar/depth" not in arrays:
            self._file.attrs["version"] = 3
        self._names, self._image_size = set(arrays), image_size

    def _kind_of(self, array: str) -> dict[str, str]:
        """The attribute that a prediction has; no other array has it."""
        parts = array.split("/")
        if parts[0] != "predictions" or parts[-1] != "depth":
            return {}
        kinds = self._prediction_kind
        return {"kind": kinds.get(parts[1], "metric") if isinstance(kinds, Mapping) else kinds}

    def _append(self, arrays: dict[str, NDArray[Any]], image_size: tuple[int, int] | None) -> None:
        other = sorted(set(arrays) ^ (self._names or set()))
        if other:
            raise ValueError(f"every frame must have what the first one has; this one differs in {', '.join(other)}")
        for name, values in arrays.items():
            if values.shape != self._scene[name].shape[1:]:
                raise ValueError(f"{name} is {values.shape}, and in the first frame {self._scene[name].shape[1:]}")
        if "camera/intrinsics" in arrays and tuple(image_size or ()) != tuple(self._image_size or ()):
            raise ValueError(f"image_size is {image_size}, and in the first frame {self._image_size}")
        for name, values in arrays.items():
            self._scene[name].resize(self._count + 1, 0)
            self._scene[name][self._count] = values
        self._count += 1
        self._last_time = float(arrays["time"]) if "time" in arrays else None

    def close(self) -> None:
        """Finishes the file."""
        self._file.close()
        if not self._count:
            os.remove(self._partial)
            raise ValueError("no frame was written")
        # Before the file has its name, or a power cut could leave an empty one under it; the name too, before this returns.
        _sync(self._partial, os.O_RDWR)
        os.replace(self._partial, self._path)
        if os.name == "posix":
            _sync(os.path.dirname(os.path.abspath(self._path)), os.O_RDONLY)

    def __enter__(self) -> Recording:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            self._file.close()
            os.remove(self._partial)
