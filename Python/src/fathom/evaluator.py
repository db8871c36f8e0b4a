"""Maps of networks against a truth, where there is no other sensor: frame by frame, or all at once."""

from __future__ import annotations

import os
import re
import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays
from ._command import FathomError, call, flags
from ._metrics import METRICS, near
from ._temporary import TemporaryFolder
from .run import Run, load

MapKind = Literal["metric", "millimetres", "kitti", "depth", "disparity"]
Align = Literal[
    "none",
    "by-kind",
    "median",
    "depth:scale",
    "depth:scale-shift",
    "disparity:scale",
    "disparity:scale-shift",
    "log:scale",
    "log:scale-shift",
]

DEFAULT_NAME = "depths"
_KINDS = get_args(MapKind)
_GROUPINGS = ("image", "folder")
_WRONG_USAGE = 64


class Evaluator:
    """Takes maps and their truth frame by frame, and evaluates all of them at the end.

        evaluator = fathom.Evaluator(kind="disparity")
        for image, truth in loader:
            evaluator.update(network(image), truth, image)
        print(evaluator.result())

    One frame is in memory at a time. The others are files in a temporary folder (that of TMPDIR), which goes with this object and
    its results.
    """

    def __init__(
        self,
        *,
        kind: MapKind | Mapping[str, MapKind] = "metric",
        align: Align | None = None,
        align_over: Literal["image", "scene"] | None = None,
        protocol: str | None = None,
        scenes: Literal["image", "folder"] | None = None,
        metrics: Iterable[str] | None = None,
        intrinsics: ArrayLike | None = None,
        image_size: tuple[int, int] | None = None,
        output: str | os.PathLike[str] | None = None,
        overwrite: bool = False,
        **options: object,
    ) -> None:
        """kind: "metric" (metres), "millimetres", "kitti" (1/256 m), or "depth" (larger is farther) and "disparity" (larger is
            nearer), whose scale and shift are not known: they are fitted to the truth, unless align says otherwise. For several networks, a mapping of
            name to kind; one that it does not name is metric.
        align: how every map is fitted to the truth: "none", "by-kind", "median", "depth:scale", "depth:scale-shift",
            "disparity:scale", "disparity:scale-shift", "log:scale" or "log:scale-shift". Default: the protocol's; "by-kind".
        align_over: what has one fit: "image" or "scene". Default: the protocol's.
        protocol: "fathom", "kitti-eigen" and others: `fathom evaluate --help` lists them.
        scenes: "image", and every frame is a scene of its own (the default), or "folder", and all are one scene, as a video is.
            update(scene=) names scenes.
        metrics: names of the metrics that `Run.metrics()` has. Default: all.
        intrinsics: [3, 3], in pixels of an image of image_size = (width, height), which is the size of truth unless it is given.
            They count from the outer corner of the first pixel: add 0.5 to cx and cy of OpenCV.
        output: the folder of the run. Without it the folder is a temporary one, which is removed with the Run.
        options: those of `fathom evaluate`, with underscores: `max_truth=80`, `gallery=False`, `baseline="mynet"`.

        Raises ValueError for words that are not known. What only the command knows is checked by the first update."""
        words = kind.values() if isinstance(kind, Mapping) else [kind]
        for word in words:
            _choose("kind", word, _KINDS)
        if scenes is not None and scenes not in _GROUPINGS:
            raise ValueError(f"scenes must be a name for each frame, 'image' or 'folder', and is {scenes!r}")
        self._kind, self._scenes, self._metrics = kind, scenes, chosen(metrics)
        self._output, self._overwrite = output, overwrite
        rules = {"align": align, "align_over": align_over, "protocol": protocol}
        self._options = {**rules, "intrinsics": _camera(intrinsics, image_size), **options}
        self._temporary = TemporaryFolder()
        self._folder = self._temporary.path
        self._names: tuple[str, ...] | None = None
        # By what is stated, "deviation" or "confidence": the names of the networks.
        self._sure: dict[str, tuple[str, ...]] = {}
        self._has_images = self._has_scenes = False
        self._count = 0

    def update(
        self,
        pred: Any,
        truth: Any,
        image: Any = None,
        *,
        scene: str | Sequence[str] | None = None,
        deviation: Any = None,
        prediction_confidence: Any = None,
    ) -> None:
        """Adds a frame, or several at once; an error leaves everything as it was.

        pred: [h, w], [N, h, w] or [N, 1, h, w], or a mapping of a network's name to such a map; or a list of maps, which may
            differ in size. The first update says which networks there are; the first of them is the baseline. What is not finite
            or masked is not a prediction.
        truth: the same for the truth, metres. 0, negative, not finite or masked where it is not known. Whole numbers need the
            option truth_scale: 0.001 where they are millimetres.
        image: the camera's pictures, [H, W, 3] or [3, H, W], uint8 or real numbers from 0 to 1.
        scene: the name of the scene, or of the scene of each frame.
        deviation: the standard deviation that a network states for each pixel, in the unit of its map and of the map's shape; for several
            networks a mapping of name to such maps. What is not finite and above 0 is not judged.
        prediction_confidence: the same for scores of confidence, larger where the network is surer. What is not finite is not judged.

        Arrays may be those of numpy, torch, jax or xarray.

        Raises ValueError for what does not fit together, FathomError where the command does not take the options."""
        self._add(pred, truth, image, scene, deviation, prediction_confidence, checks=True)

    def _add(
        self,
        pred: Any,
        truth: Any,
        image: Any,
        scene: str | Sequence[str] | None,
        deviation: Any,
        confidence: Any,
        *,
        checks: bool,
    ) -> None:
        maps = pred if isinstance(pred, Mapping) else {DEFAULT_NAME: pred}
        names = tuple(_name(name) for name in maps)
        if not names:
            raise ValueError("there is no network: give a map, or a mapping of name to map")
        if self._names is not None and set(names) != set(self._names):
            raise ValueError(f"the networks are {', '.join(names)}, and were {', '.join(self._names)}")
        unknown = [name for name in self._kind if name not in names] if isinstance(self._kind, Mapping) else []
        if unknown:
            raise ValueError(f"kind names {', '.join(unknown)}, and the networks are {', '.join(names)}")
        true = _arrays.frames(truth, "truth")
        stacks = {name: _arrays.frames(values, name) for name, values in maps.items()}
        stated = {"deviation": deviation, "confidence": confidence}
        sure = {what: _beside(what, values, names) for what, values in stated.items()}
        for what, own in sure.items():
            for name, stack in own.items():
                if [values.shape for values in stack] != [values.shape for values in stacks[name]]:
                    raise ValueError(f"{what} of {name} must have the frames and sizes of its maps")
        both = [name for name in sure["deviation"] if name in sure["confidence"]]
        if both:
            raise ValueError(f"{both[0]} has a deviation and a confidence: give one of both")
        pictures = None if image is None else _arrays.pictures(image)
        for name, stack in {**stacks, "images": pictures}.items():
            if stack is not None and len(stack) != len(true):
                raise ValueError(f"{name} has {len(stack)} frames, and truth has {len(true)}")
        scenes = self._places(scene, len(true))
        for what, has, had in (
            ("image", pictures is not None, self._has_images),
            ("scene", bool(scene), self._has_scenes),
        ):
            if self._count and has != had:
                raise ValueError(f"{what} must be given in every update or in none")
        for what, own in sure.items():
            if self._count and set(own) != set(self._sure[what]):
                raise ValueError(f"{_KEYWORDS[what]} must be given for the same networks in every update")
            self._sure[what] = tuple(own)
        if self._count == 0 and checks:
            self._check(names)

        for index, place in enumerate(scenes):
            file = Path(place) / f"{self._count + index:06}"
            _save(self._folder / "truth" / file, true[index])
            for name, stack in stacks.items():
                _save(self._folder / "predictions" / name / file, stack[index])
            for what, own in sure.items():
                for name, stack in own.items():
                    _save(self._folder / what / name / file, stack[index])
            if pictures is not None:
                _write(self._folder / "images" / f"{file}.png", png(_arrays.bytes_of_colour(pictures[index])))
        self._names = self._names or names
        self._has_images, self._has_scenes = pictures is not None, bool(scene)
        self._count += len(true)

    def _places(self, scene: str | Sequence[str] | None, count: int) -> list[str]:
        """The folder of each frame: that of its scene."""
        if scene is None:
            return ["scene" if self._scenes == "folder" else ""] * count
        if self._scenes is not None:
            raise ValueError(f"scenes is {self._scenes!r}, and scene names them: give one of both")
        scenes = [scene] * count if isinstance(scene, str) else [str(name) for name in scene]
        if len(scenes) != count:
            raise ValueError(f"scenes must be a name for each of the {count} frames, and are {len(scenes)}")
        hidden = next((name for name in scenes if name.startswith(".")), None)
        if hidden:
            raise ValueError(
                f"{hidden!r} cannot be the name of a scene: the command skips folders that begin with a dot"
            )
        return [scene_name(name) for name in scenes]

    def _check(self, names: Iterable[str]) -> None:
        """Asks the command whether it takes the options, before hours of work are lost: the maps that are named are not there, which
        it finds only after it has read its options."""
        try:
            call(["evaluate", *self._words(names, self._folder / "absent"), *flags(self._options)])
        except FathomError as error:
            if error.exit_code == _WRONG_USAGE:
                raise

    def _words(self, names: Iterable[str], folder: Path) -> list[str]:
        kinds = self._kind if isinstance(self._kind, Mapping) else dict.fromkeys(names, self._kind)
        words = [f"--prediction={name}:{kinds.get(name, 'metric')}={folder / 'predictions' / name}" for name in names]
        for what, own in self._sure.items():
            words += [f"--prediction-{what}={name}={folder / what / name}" for name in own]
        words.append(f"--truth={folder / 'truth'}")
        grouping = "folder" if self._has_scenes else self._scenes
        return words + ([f"--scene-by={grouping}"] if grouping else [])

    def result(self, **options: object) -> Run:
        """Evaluates all frames that were added. More may be added, and evaluated again.

        options: those of `fathom evaluate` that differ from the first ones: `align="median"`.

        Raises ValueError if there are no frames, FathomError for what the command refuses; warns where it warns."""
        if not self._names:
            raise ValueError("there are no frames: call update(pred, truth) first")
        words = self._words(self._names, self._folder)
        if self._has_images:
            words.append(f"--images={self._folder / 'images'}")
        run = evaluated(words, output=self._output, overwrite=self._overwrite, options={**self._options, **options})
        # The pages of single frames read the maps again.
        run._temporary += (self._temporary,)
        run._selected = self._metrics
        return run


def evaluated(
    words: Iterable[str | os.PathLike[str]],
    *,
    output: str | os.PathLike[str] | None,
    overwrite: bool,
    options: Mapping[str, object],
) -> Run:
    """Runs `fathom evaluate` with these words, and reads what it writes."""
    temporary = (TemporaryFolder(),) if output is None else ()
    folder = temporary[0].path / "run" if temporary else Path(os.fspath(output or ""))
    call(["evaluate", *words, f"--output={folder}", *flags(options), *(["--overwrite"] if overwrite else [])])
    run = load(folder)
    run._temporary = temporary
    return run


# The arguments with what lies beside maps.
_KEYWORDS = {"deviation": "deviation", "confidence": "prediction_confidence"}


def _beside(what: str, maps: Any, names: Sequence[str]) -> dict[str, list[NDArray[Any]]]:
    """By network the maps of its stated standard deviations or confidences."""
    if maps is None:
        return {}
    if not isinstance(maps, Mapping):
        if len(names) > 1:
            raise ValueError(f"{_KEYWORDS[what]} must be a mapping of name to maps, because there are several networks")
        maps = {names[0]: maps}
    unknown = [name for name in maps if name not in names]
    if unknown:
        raise ValueError(f"{_KEYWORDS[what]} names {', '.join(unknown)}, and the networks are {', '.join(names)}")
    return {name: _arrays.frames(values, f"{what} of {name}") for name, values in maps.items()}


def png(colours: NDArray[np.uint8]) -> bytes:
    """A picture [H, W, 3] as a PNG."""
    height, width, _ = colours.shape
    # Each row begins with its filter: 0, none.
    rows = np.zeros((height, 1 + 3 * width), "u1")
    rows[:, 1:] = colours.reshape(height, -1)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 1)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(kind, data) for kind, data in parts)


def scene_name(name: str) -> str:
    """The name, if a folder can have it; else ValueError."""
    if not re.fullmatch(r"[^/\0]+", name) or name in (".", ".."):
        raise ValueError(f"{name!r} cannot be the name of a scene")
    return name


def _camera(intrinsics: ArrayLike | None, size: tuple[int, int] | None) -> list[float] | None:
    """fx, fy, cx, cy, and the size that they are for if it is known."""
    if intrinsics is None:
        return None
    k = np.asarray(intrinsics, "f8")
    if k.shape != (3, 3):
        raise ValueError(f"intrinsics must be [3, 3], one camera for all frames, and are {list(k.shape)}")
    return [float(number) for number in (k[0, 0], k[1, 1], k[0, 2], k[1, 2], *(size or ()))]


def _name(name: str) -> str:
    if not isinstance(name, str) or not re.fullmatch(r"[^/\0:=]+", name) or name in (".", ".."):
        raise ValueError(f"{name!r} cannot be the name of a network: no '/', ':' or '='")
    return name


def _choose(what: str, word: str, words: Iterable[str]) -> None:
    if word not in words:
        raise ValueError(f"{what} {word!r} is not one of {', '.join(words)}")


def chosen(metrics: Iterable[str] | None) -> list[str] | None:
    if metrics is None:
        return None
    names = [metrics] if isinstance(metrics, str) else list(metrics)
    for name in names:
        if name not in METRICS:
            raise ValueError(f"no metric is called {name!r}: {near(name, METRICS)}")
    return names


def _save(path: Path, frame: NDArray[Any]) -> None:
    path = path.with_name(path.name + ".npy")
    path.parent.mkdir(parents=True, exist_ok=True)
    np.save(path, _arrays.stored(frame))


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
