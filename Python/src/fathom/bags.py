"""Converts a ROS 1 bag, also of RealSense's tools, a ROS 2 bag or an MCAP file of ROS messages to a folder that `fathom import` reads.

    pip install 'fathom-depth[bags]'
    python -m fathom.bags RECORDING FOLDER
    fathom import FOLDER recording.h5

    depth/000000.npy        float32, metres, planar; 0 where there is no depth
    intrinsics.txt          width height fx fy cx cy of the depth, counted from the centre of the first pixel
    poses.csv               frame, x, y, z, qx, qy, qz, qw: the depth camera in the world, of frames where that is known
    confidence/000000.npy   with --confidence-topic
    image/000000.png, .jpg  the depth camera's view
    bag.json                "time": of each frame, seconds; "notes": what was read and what was assumed

Depth keeps its own raster and camera. Pictures of another camera are sampled where the depth pixels project into them, if the recording has
the intrinsics of both and the transform between them. Otherwise there are no pictures.
"""

from __future__ import annotations

import argparse
import io
import json
import shlex
import shutil
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[Any]
Transform = tuple[Numbers, Numbers]  # parent from child: a translation in metres, a quaternion x, y, z, w

_TOLERANCE = 20_000_000  # ns between a depth frame and its picture or confidence: 0.02 s, as in TUM's associate.py
_LONGEST_GAP = 1_000_000_000  # ns between two transforms that a pose is interpolated from
_CHANNELS = {"rgb8": [0, 1, 2], "bgr8": [2, 1, 0], "rgba8": [0, 1, 2], "bgra8": [2, 1, 0], "mono8": [0, 0, 0]}
_PNG = b"\x89PNG\r\n\x1a\n"


class BagError(ValueError):
    """The recording cannot be converted. One line says why and what to do."""


def _turned(rotation: Numbers, points: Numbers) -> Numbers:
    return points + 2 * np.cross(rotation[:3], np.cross(rotation[:3], points) + rotation[3] * points)


def _product(a: Transform, b: Transform) -> Transform:
    (u, p), (v, q) = (a[1][:3], a[1][3]), (b[1][:3], b[1][3])
    return a[0] + _turned(a[1], b[0]), np.append(p * v + q * u + np.cross(u, v), p * q - u @ v)


def _inverse(a: Transform) -> Transform:
    back = a[1] * (-1, -1, -1, 1)
    return -_turned(back, a[0]), back


def _transform(place: Any, turn: Any) -> Transform | None:
    """That of a message; None where its rotation is not one."""
    q = np.array([turn.x, turn.y, turn.z, turn.w])
    length = np.linalg.norm(q)
    return (np.array([place.x, place.y, place.z]), q / length) if 0 < length < np.inf else None


def _nanoseconds(header: Any, recorded: int) -> int:
    """The time of measurement, or the time of recording if the header has none."""
    return (header.stamp.sec * 1_000_000_000 + header.stamp.nanosec) or recorded


class _Links:
    """Transforms by child frame: the parent, and transforms with their times in ns. A single transform holds at all times."""

    def __init__(self) -> None:
        self._links: dict[str, tuple[str, list[tuple[int, Transform]]]] = {}
        self._times: dict[str, Numbers] = {}

    def __contains__(self, child: str) -> bool:
        return child in self._links

    def add(self, parent: str, child: str, time: int, place: Transform | None, *, fixed: bool = False) -> None:
        if place is None:
            return
        parent, child = parent.strip("/"), child.strip("/")
        if fixed or child not in self or self._links[child][0] != parent:
            self._links[child] = (parent, [])
        self._links[child][1].append((time, place))

    def finish(self) -> None:
        """Orders by time, and keeps one of transforms that never change."""
        for child, (parent, samples) in self._links.items():
            samples.sort(key=lambda sample: sample[0])
            first = np.concatenate(samples[0][1])
            if all(np.array_equal(np.concatenate(place), first) for _, place in samples):
                self._links[child] = (parent, samples[:1])
            self._times[child] = np.array([stamp for stamp, _ in samples])

    def chain(self, frame: str) -> list[str]:
        """The frame and those above it, without the outermost one."""
        names: list[str] = []
        while frame in self and frame not in names:
            names.append(frame)
            frame = self._links[frame][0]
        return names

    def moves(self, frame: str) -> bool:
        return any(len(self._links[name][1]) > 1 for name in self.chain(frame))

    def place(self, frame: str, time: int | None) -> tuple[str, Transform | None]:
        """The outermost frame, and this one in it; None if unknown at this time. Without a time: as far up as nothing moves."""
        root, place = frame, (np.zeros(3), np.array([0.0, 0, 0, 1]))
        for name in self.chain(frame):
            parent, samples = self._links[name]
            if time is None and len(samples) > 1:
                break
            link = samples[0][1] if len(samples) == 1 else self._between(samples, self._times[name], time or 0)
            if link is None:
                return root, None
            root, place = parent, _product(link, place)
        return root, place

    @staticmethod
    def _between(samples: list[tuple[int, Transform]], times: Numbers, time: int) -> Transform | None:
        after = int(np.searchsorted(times, time))
        if after < len(samples) and samples[after][0] == time:
            return samples[after][1]
        if after in (0, len(samples)) or samples[after][0] - samples[after - 1][0] > _LONGEST_GAP:
            return None
        (early, a), (late, b) = samples[after - 1], samples[after]
        share = (time - early) / (late - early)
        turn = (1 - share) * a[1] + share * b[1] * (1 if a[1] @ b[1] >= 0 else -1)
        return (1 - share) * a[0] + share * b[0], turn / np.linalg.norm(turn)


class _Bag:
    """An open recording: the types of its topics, and its messages."""

    def __init__(self, reader: Any) -> None:
        self._reader = reader
        self.types = {name: str(info.msgtype).replace("/msg/", "/") for name, info in sorted(reader.topics.items())}

    def of_type(self, *names: str) -> list[str]:
        return [topic for topic, kind in self.types.items() if kind.split("/")[-1] in names]

    def messages(self, *topics: str) -> Iterator[tuple[str, int, Any]]:
        """Topics, times of recording in ns, and messages."""
        wanted = [connection for connection in self._reader.connections if connection.topic in topics]
        for connection, time, raw in self._reader.messages(wanted) if wanted else ():
            if connection.topic.startswith("/device_") and connection.msgtype.endswith("/Image"):
                yield connection.topic, time, self._realsense(raw, connection.msgtype)
            else:
                yield connection.topic, time, self._reader.deserialize(raw, connection.msgtype)

    def _realsense(self, raw: bytes, kind: str) -> Any:
        """librealsense appends the metres of a count as float32, which its definition of the message does not have, and then
        writes "1" as the frame's name: third-party/realsense-file/rosbag/msgs/sensor_msgs/Image.h."""
        named = 16 + struct.unpack_from("<I", raw, 12)[0]
        is_longer = bytes(raw[16:named]) == b"1"
        message = self._reader.deserialize(raw[:-4] if is_longer else raw, kind)
        object.__setattr__(message, "unit", struct.unpack("<f", raw[-4:])[0] if is_longer else 0.0)
        return message

    def first(self, topic: str) -> Any:
        return next((message for _, _, message in self.messages(topic)), None)


def _coding(message: Any) -> str:
    """The encoding of a picture; of a packed one, what it had before."""
    return message.encoding if hasattr(message, "encoding") else message.format.split(";")[0].strip()


def _is_depth(topic: str, message: Any) -> bool:
    name, coding = topic.lower(), _coding(message)
    if "compressedDepth" in getattr(message, "format", ""):
        return True
    return coding in ("16UC1", "32FC1") and "infra" not in name or coding == "mono16" and "depth" in name


def _is_colour(topic: str, message: Any) -> bool:
    if hasattr(message, "encoding"):
        return message.encoding in _CHANNELS and message.encoding != "mono8"
    return not _is_depth(topic, message) and "mono8" not in message.format and "16" not in _coding(message)


def _frame(topic: str, message: Any) -> str:
    """The name of a camera's optical frame. RealSense's own bags write none: the stream stands for it."""
    return topic.split("/image/")[0].strip("/") if topic.startswith("/device_") else message.header.frame_id.strip("/")


def _rows(message: Any, kind: str, channels: int = 1) -> Numbers:
    """The pixels of an uncompressed picture, without what pads its rows."""
    kind = (">" if message.is_bigendian else "<") + kind
    rows = np.frombuffer(message.data, "u1").reshape(message.height, message.step)
    width = message.width * channels * np.dtype(kind).itemsize
    return np.ascontiguousarray(rows[:, :width]).view(kind).reshape(message.height, message.width, channels)


def _decoded(packed: bytes) -> Numbers:
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(packed)))


def _depth(topic: str, message: Any, scale: float) -> Numbers:
    """Metres in float32, 0 where there is no depth."""
    if hasattr(message, "encoding"):
        values = _rows(message, "f4" if message.encoding == "32FC1" else "u2")[..., 0]
    else:
        packed = bytes(message.data)
        if (start := packed[:64].find(_PNG)) < 0:
            raise BagError(f"{topic} is packed as '{message.format}': only PNG can be read; republish it as raw images")
        values = _decoded(packed[start:])
        if _coding(message) == "32FC1":
            # compressed_depth_image_transport, codec.cpp: behind an enumeration stand a and b; depth = a / (count - b).
            a, b = struct.unpack_from("<ff", packed, 4)
            values = np.where(values > 0, a / np.where(values > 0, values - np.float32(b), 1), 0)
    metres = values.astype("f4") if _coding(message) == "32FC1" else (values * scale).astype("f4")
    return np.where(np.isfinite(metres) & (metres > 0), metres, np.float32(0))


def _picture(message: Any) -> Numbers:
    """[h, w, 3] of uint8."""
    if not hasattr(message, "encoding"):
        values = _decoded(bytes(message.data))
        return values[..., :3] if values.ndim == 3 else np.repeat(values[..., None], 3, 2)
    order = _CHANNELS.get(message.encoding)
    if order is None:
        raise BagError(f"pictures in {message.encoding} cannot be read: name another --image-topic, or --image-topic none")
    return _rows(message, "u1", {"mono8": 1, "rgb8": 3, "bgr8": 3}.get(message.encoding, 4))[..., order]


class _Camera:
    """Intrinsics for a raster of (width, height), counted from the centre of the first pixel."""

    def __init__(self, topic: str, info: Any, size: tuple[int, int], notes: list[str]) -> None:
        def numbers(name: str) -> Numbers:
            return np.asarray(getattr(info, name, None) if hasattr(info, name) else getattr(info, name.upper()), "f8")

        if any(word in info.distortion_model.lower() for word in ("fish", "equidistant")):
            raise BagError(f"{topic} is a fisheye camera ({info.distortion_model}): undistort its depth and pictures first")
        # sensor_msgs/CameraInfo: P is the camera of the rectified picture, K and D are those of the raw one.
        is_rectified = "rect" in topic and numbers("p").any()
        k = numbers("p").reshape(3, 4) if is_rectified else numbers("k").reshape(3, 3)
        scale = np.array(size) / (info.width or size[0], info.height or size[1])
        self.size, self.focal, self.centre = np.array(size), np.diag(k)[:2] * scale, (k[:2, 2] + 0.5) * scale - 0.5
        if not is_rectified and numbers("d").any():
            notes.append(f"{topic}: lens distortion is not applied ({' '.join(f'{value:.5g}' for value in numbers('d'))})")

    def agrees(self, other: _Camera) -> bool:
        """Whether both see the same at their sizes, within 3 % of the focal length and of the size."""
        apart = np.abs([(self.focal / self.size) / (other.focal / other.size) - 1, self.centre / self.size - other.centre / other.size])
        return bool((apart < 0.03).all())


def _camera(
    bag: _Bag, topic: str, message: Any, size: tuple[int, int], notes: list[str]
) -> _Camera | None:
    """By the place of the topic, else by the frame's name and size."""
    base = topic.split("/image/")[0] + "/info" if topic.startswith("/device_") else _base(topic).rsplit("/", 1)[0]
    infos = {name: bag.first(name) for name in bag.of_type("CameraInfo")}
    named = infos.get(base + "/camera_info") or next(
        (
            info
            for info in infos.values()
            if info and (info.header.frame_id.strip("/"), info.width, info.height) == (_frame(topic, message), *size)
        ),
        None,
    )
    if named is None or not np.any(named.k if hasattr(named, "k") else named.K):
        return None
    return _Camera(topic, named, size, notes)


def _base(topic: str) -> str:
    """The topic that a packed one was made of."""
    return topic.removesuffix("/compressedDepth").removesuffix("/compressed")


def _projected(
    depth: Numbers, camera: _Camera, picture: Numbers, other: _Camera, transform: Transform
) -> Numbers:
    """The picture of another camera at the depth pixels; black where there is no depth. What that camera does not see because
    something stands before it has the colour of that."""
    seen = np.zeros((*depth.shape, 3), "u1")
    v, u = np.nonzero(depth)
    z = depth[v, u].astype("f8")
    rays = (np.stack([u, v], 1) - camera.centre) / camera.focal
    points = _turned(transform[1], np.concatenate([rays * z[:, None], z[:, None]], 1)) + transform[0]
    with np.errstate(divide="ignore", invalid="ignore"):
        pixels = np.rint(points[:, :2] / points[:, 2:] * other.focal + other.centre)
    height, width = picture.shape[:2]
    inside = (points[:, 2] > 0) & (pixels >= 0).all(1) & (pixels < (width, height)).all(1)
    x, y = pixels[inside].astype(int).T
    seen[v[inside], u[inside]] = picture[y, x]
    return seen


def _choose(what: str, option: str, given: str | None, topics: list[str], bag: _Bag) -> str | None:
    """The topic that is given, or the only one. A packed copy of a topic that is there itself does not count."""
    if given is not None and given not in bag.types:
        raise BagError(f"there is no topic {given}; there are {_listed(bag)}")
    topics = [topic for topic in topics if _base(topic) == topic or _base(topic) not in topics]
    if given is None and len(topics) > 1:
        raise BagError(f"{len(topics)} topics can be {what}: choose with {option} one of {', '.join(topics)}")
    return given or next(iter(topics), None)


def _listed(bag: _Bag) -> str:
    return ", ".join(f"{topic} ({kind})" for topic, kind in bag.types.items()) or "none"


def _links(bag: _Bag, depth_frame: str, pose_topic: str | None, notes: list[str]) -> _Links:
    """Transforms of /tf and /tf_static, of RealSense's streams and of the pose topic. Without one, the only odometry of a frame above
    the depth camera counts if nothing else moves the camera."""
    links = _Links()
    for topic, time, message in bag.messages(*bag.of_type("TFMessage", "tfMessage")):
        for link in message.transforms:
            place = _transform(link.transform.translation, link.transform.rotation)
            stamp = _nanoseconds(link.header, time)
            links.add(link.header.frame_id, link.child_frame_id, stamp, place, fixed=topic.endswith("tf_static"))
    for topic in [name for name in bag.of_type("Transform") if name.startswith("/device_") and "/tf/" in name]:
        # librealsense, device::get_extrinsics: from the reference stream of a group to this stream.
        (stream, group), message = topic.split("/tf/"), bag.first(topic)
        place = _transform(message.translation, message.rotation)
        links.add(f"{stream.split('/')[1]}/group {group}", stream, 0, place and _inverse(place), fixed=True)
    links.finish()
    odometries = bag.of_type("Odometry")
    if pose_topic is None and not links.moves(depth_frame) and len(odometries) == 1:
        child = bag.first(odometries[0]).child_frame_id.strip("/")
        if child and child not in links and child in (links.place(depth_frame, None)[0], depth_frame):
            pose_topic = odometries[0]
    for topic, time, message in bag.messages(*([pose_topic] if pose_topic else [])):
        pose = message.pose.pose if hasattr(message.pose, "pose") else message.pose
        child = getattr(message, "child_frame_id", "") or depth_frame
        stamp, place = _nanoseconds(message.header, time), _transform(pose.position, pose.orientation)
        links.add(message.header.frame_id or "world", child, stamp, place)
    if pose_topic:
        child = getattr(bag.first(pose_topic), "child_frame_id", "") or "the depth camera, x right, y down, z forward"
        notes.append(f"poses: {pose_topic}, of {child}")
    links.finish()
    return links


def convert(
    recording: str | Path,
    folder: str | Path,
    *,
    depth_topic: str | None = None,
    image_topic: str | None = None,
    confidence_topic: str | None = None,
    pose_topic: str | None = None,
    depth_scale: float | None = None,
) -> list[str]:
    """Writes the folder, which must not exist, and gives back what was read and assumed, line by line.

    recording: a .bag, .mcap or .db3, the folder of a ROS 2 bag, or a folder of the .bag files of one recording.
    image_topic: "none" for no pictures.
    pose_topic: of Odometry, PoseStamped or PoseWithCovarianceStamped.
    depth_scale: metres of a count of 16-bit depth; 0.001, or as a RealSense recording says.

    Raises BagError, with one line, and OSError."""
    try:
        from rosbags.highlevel import AnyReader, AnyReaderError
        from rosbags.typesys import Stores, get_types_from_msg, get_typestore
    except ImportError as error:
        raise BagError(f"{error}: install rosbags and Pillow with pip install 'fathom-depth[bags]'") from None
    recording, folder = Path(recording), Path(folder)
    if folder.exists():
        raise BagError(f"{folder} exists: name another folder")
    paths = sorted(recording.glob("*.bag")) or [recording]
    # ROS 2 stores the definitions of messages since Iron only; rosbags knows the usual ones but for this.
    types = get_typestore(Stores.ROS2_HUMBLE)
    types.register(get_types_from_msg("geometry_msgs/TransformStamped[] transforms", "tf2_msgs/msg/TFMessage"))
    try:
        with AnyReader(paths, default_typestore=types) as reader:
            folder.mkdir(parents=True)
            try:
                options = (depth_topic, image_topic, confidence_topic, pose_topic, depth_scale)
                return _written(_Bag(reader), folder, recording.name, *options)
            except BaseException:
                shutil.rmtree(folder)
                raise
    except OSError:
        raise
    except Exception as error:  # rosbags raises what it meets in a damaged file
        kind = "" if isinstance(error, (AnyReaderError, BagError)) else f"{type(error).__name__}: "
        advice = "" if isinstance(error, BagError) else ": copy it again if it is not whole, or run rosbag reindex on it"
        raise BagError(f"cannot convert {recording}: {kind}{str(error).rstrip('.')}{advice}") from error


def _written(
    bag: _Bag,
    folder: Path,
    name: str,
    depth_topic: str | None,
    image_topic: str | None,
    confidence_topic: str | None,
    pose_topic: str | None,
    depth_scale: float | None,
) -> list[str]:
    for given in (confidence_topic, pose_topic):
        _choose("", "", given, [], bag)
    firsts = {topic: bag.first(topic) for topic in bag.of_type("Image", "CompressedImage")}
    firsts = {topic: message for topic, message in firsts.items() if message is not None}
    depths = [topic for topic, message in firsts.items() if _is_depth(topic, message)]
    topic = _choose("depth", "--depth-topic", depth_topic, depths, bag)
    if topic is None or topic not in firsts:
        raise BagError(
            f"no topic has depth (16UC1, 32FC1 or compressedDepth): name one with --depth-topic; the topics are {_listed(bag)}"
        )
    if topic not in depths and _coding(firsts[topic]) != "mono16":
        raise BagError(f"{topic} has no depth but {_coding(firsts[topic])}; {', '.join(depths) or 'no topic'} can be depth")
    frame, notes = _frame(topic, firsts[topic]), [f"recording: {name}"]
    unit = getattr(firsts[topic], "unit", 0.0) or next(
        (bag.first(name).data for name in bag.types if name.endswith("/option/Depth Units/value")), 0.001
    )
    scale = depth_scale or float(np.float32(unit).astype(str))
    is_real = _coding(firsts[topic]) == "32FC1"
    notes.append(f"depth: {topic}, frame '{frame}', {'metres' if is_real else f'{scale:.10g} m a count'}")
    links = _links(bag, frame, pose_topic, notes)

    (folder / "depth").mkdir()
    times: list[int] = []
    size = (0, 0)
    for _, time, message in bag.messages(topic):
        metres = _depth(topic, message, scale)
        size = size if times else metres.shape[::-1]
        np.save(folder / f"depth/{len(times):06}.npy", metres)
        times.append(_nanoseconds(message.header, time))
    camera = _camera(bag, topic, firsts[topic], size, notes)
    if camera is None:
        notes.append(f"intrinsics: none; no CameraInfo belongs to {topic}")
    else:
        numbers = [*size, *camera.focal, *camera.centre]
        (folder / "intrinsics.txt").write_text(" ".join(f"{number:.12g}" for number in numbers) + "\n")

    if confidence_topic:
        for path, message in _nearest(bag, confidence_topic, times, folder / "confidence", "confidence", notes):
            levels = _rows(message, "u1")[..., 0] if hasattr(message, "encoding") else _decoded(bytes(message.data))
            np.save(path.with_suffix(".npy"), levels)
    colours = [topic for topic, message in firsts.items() if _is_colour(topic, message)]
    if image_topic is None:
        colours = [name for name in colours if _frame(name, firsts[name]) == frame] or colours
        colours = [name for name in colours if _base(name) == name or _base(name) not in colours]
        image_topic = colours[0] if len(colours) == 1 else "none"
        if len(colours) > 1:
            notes.append(f"pictures: none; choose with --image-topic one of {', '.join(colours)}")
    else:
        image_topic = image_topic if image_topic == "none" else _choose("", "", image_topic, [], bag)
    if image_topic and image_topic != "none":
        _write_pictures(bag, folder, image_topic, firsts.get(image_topic), times, frame, camera, links, notes)

    rows = []
    for index, time in enumerate(times if links.moves(frame) else []):
        root, place = links.place(frame, time)
        if place is not None:
            world = root
            rows.append(", ".join([str(index), *(f"{number:.12g}" for number in np.concatenate(place))]))
    if rows:
        (folder / "poses.csv").write_text("\n".join(["frame, x, y, z, qx, qy, qz, qw", *rows]) + "\n")
        notes.append(f"poses: {len(rows)} of {len(times)} frames, in '{world}', whose z is assumed to be up (REP 103)")
    else:
        notes.append("poses: none; no transforms, odometry or pose topic move the depth camera")
    (folder / "bag.json").write_text(json.dumps({"notes": notes, "time": [time / 1e9 for time in times]}, indent=1) + "\n")
    return notes


def _nearest(
    bag: _Bag, topic: str, times: list[int], folder: Path, role: str, notes: list[str]
) -> Iterator[tuple[Path, Any]]:
    """Where the message of each depth frame belongs, and the message. A nearer one that comes later replaces it."""
    folder.mkdir()
    stamps, best = np.array(times), np.full(len(times), _TOLERANCE + 1)
    for _, time, message in bag.messages(topic):
        apart = np.abs(stamps - _nanoseconds(message.header, time))
        for index in np.nonzero(apart < best)[0]:
            best[index] = apart[index]
            yield folder / f"{index:06}", message
    notes.append(f"{role}: {topic}, for {(best <= _TOLERANCE).sum()} of {len(times)} frames, at most 0.02 s away")


def _write_pictures(
    bag: _Bag,
    folder: Path,
    topic: str,
    first: Any,
    times: list[int],
    frame: str,
    camera: _Camera | None,
    links: _Links,
    notes: list[str],
) -> None:
    from PIL import Image

    if first is None:
        raise BagError(f"{topic} has no pictures")
    name, shape = _frame(topic, first), _picture(first).shape
    other = _camera(bag, topic, first, (shape[1], shape[0]), notes)
    there, here = links.place(name, None), links.place(frame, None)
    if name == frame and (camera is None or other is None or camera.agrees(other)):
        other = None
    elif camera is None or other is None or not name or there[0] != here[0] or there[1] is None or here[1] is None:
        missing = "intrinsics" if camera is None or other is None else "transform between them"
        notes.append(f"pictures: none; {topic} is another camera ('{name}'), without the {missing}")
        return
    else:
        transform = _product(_inverse(there[1]), here[1])
        notes.append(f"pictures: {topic} is another camera ('{name}'), sampled where the depth pixels project into it")
    for path, message in _nearest(bag, topic, times, folder / "image", "pictures", notes):
        packed = b"" if hasattr(message, "encoding") else bytes(message.data)
        if other is None and packed:
            path.with_suffix(".png" if packed.startswith(_PNG) else ".jpg").write_bytes(packed)
            continue
        picture = _picture(message)
        if other is not None and camera is not None:
            depth = np.load(folder / f"depth/{path.name}.npy")
            picture = _projected(depth, camera, picture, other, transform)
        Image.fromarray(picture).save(path.with_suffix(".png"), compress_level=1)

def main(arguments: list[str] | None = None) -> int:
    """Returns the exit code: 0, or 65 if the recording cannot be converted."""
    parser = argparse.ArgumentParser(prog="python -m fathom.bags", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("recording", help="a .bag, .mcap or .db3, or the folder of a ROS 2 bag")
    parser.add_argument("folder", help="folder to write")
    parser.add_argument("--depth-topic", help="default: the only topic with depth")
    parser.add_argument("--image-topic", help="default: the only topic with colour, first of the depth's frame; 'none' for no pictures")
    parser.add_argument("--confidence-topic", help="levels 0/1/2 or 0/127/255 at the depth pixels")
    parser.add_argument("--pose-topic", help="Odometry, PoseStamped or PoseWithCovarianceStamped (default: /tf)")
    parser.add_argument("--depth-scale", type=float, help="metres of a count of 16-bit depth (default: 0.001, or as RealSense says)")
    options = vars(parser.parse_args(arguments))
    try:
        notes = convert(options.pop("recording"), folder := options.pop("folder"), **options)
    except (BagError, OSError) as error:
        print(f"fathom.bags: {error}", file=sys.stderr)
        return 65
    print("\n".join([*notes, f"next: fathom import {shlex.quote(folder)} recording.h5"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
