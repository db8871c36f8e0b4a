"""Miniature recordings by rosbags' writers, converted, and read by the command."""

import io
import json
import struct
import zlib

import h5py
import numpy as np
import pytest

from fathom._command import call

pytest.importorskip("rosbags", reason="pip install 'fathom-depth[bags]'")
Image = pytest.importorskip("PIL.Image")

from rosbags.rosbag1 import Writer as Writer1  # noqa: E402
from rosbags.rosbag2 import StoragePlugin, Writer as Writer2  # noqa: E402
from rosbags.typesys import Stores, get_types_from_msg, get_typestore  # noqa: E402

from fathom.bags import BagError, convert, main  # noqa: E402

W, H, START = 32, 24, 1_700_000_000_000_000_000
MILLIMETRES = np.random.default_rng(5).integers(900, 3000, (4, H, W)).astype("u2")
MILLIMETRES[:, 0, 0] = 0
K = (40.0, 41.0, 15.5, 11.5)


class Made:
    """A recording that is being made, in any of the containers."""

    def __init__(self, path, container="ros1"):
        self.store = get_typestore(Stores.ROS1_NOETIC if container == "ros1" else Stores.ROS2_HUMBLE)
        self.store.register(get_types_from_msg("geometry_msgs/TransformStamped[] transforms", "tf2_msgs/msg/TFMessage"))
        self.isFirst = container == "ros1"
        if container == "ros1":
            self.writer = Writer1(path)
            self.writer.set_compression(Writer1.CompressionFormat.LZ4)
        else:
            plugin = StoragePlugin.MCAP if container == "mcap" else StoragePlugin.SQLITE3
            self.writer = Writer2(path, version=9, storage_plugin=plugin)
        self.connections = {}

    def __enter__(self):
        self.writer.open()
        return self

    def __exit__(self, *error):
        self.writer.close()

    def new(self, kind, **values):
        return self.store.types[kind](**values)

    def time(self, ns):
        return self.new("builtin_interfaces/msg/Time", sec=ns // 10**9, nanosec=ns % 10**9)

    def header(self, ns, frame):
        seq = {"seq": 0} if self.isFirst else {}
        return self.new("std_msgs/msg/Header", stamp=self.time(ns), frame_id=frame, **seq)

    def put(self, topic, ns, message, tail=b""):
        kind = message.__msgtype__
        if topic not in self.connections:
            self.connections[topic] = self.writer.add_connection(topic, kind, typestore=self.store)
        raw = self.store.serialize_ros1(message, kind) if self.isFirst else self.store.serialize_cdr(message, kind)
        self.writer.write(self.connections[topic], ns, bytes(raw) + tail)

    def image(self, topic, ns, frame, encoding, pixels, tail=b""):
        """Rows are padded by four bytes."""
        rows = np.pad(pixels.reshape(len(pixels), -1).view("u1"), ((0, 0), (0, 4)))
        self.put(
            topic,
            ns,
            self.new(
                "sensor_msgs/msg/Image",
                header=self.header(ns, frame),
                height=pixels.shape[0],
                width=pixels.shape[1],
                encoding=encoding,
                is_bigendian=0,
                step=rows.shape[1],
                data=rows.ravel(),
            ),
            tail,
        )

    def packed(self, topic, ns, frame, form, data):
        header = self.header(ns, frame)
        data = np.frombuffer(data, "u1")
        self.put(topic, ns, self.new("sensor_msgs/msg/CompressedImage", header=header, format=form, data=data))

    def info(self, topic, frame, k=K, size=(W, H)):
        fx, fy, cx, cy = k
        region = self.new(
            "sensor_msgs/msg/RegionOfInterest", x_offset=0, y_offset=0, height=0, width=0, do_rectify=False
        )
        matrices = {
            "d": np.zeros(5),
            "k": np.array([fx, 0, cx, 0, fy, cy, 0, 0, 1.0]),
            "r": np.eye(3).ravel(),
            "p": np.array([fx, 0, cx, 0, 0, fy, cy, 0, 0, 0, 1, 0.0]),
        }
        if self.isFirst:
            matrices = {name.upper(): values for name, values in matrices.items()}
        message = self.new(
            "sensor_msgs/msg/CameraInfo",
            header=self.header(START, frame),
            height=size[1],
            width=size[0],
            distortion_model="plumb_bob",
            binning_x=0,
            binning_y=0,
            roi=region,
            **matrices,
        )
        self.put(topic, START, message)

    def transform(self, place, turn):
        return self.new(
            "geometry_msgs/msg/Transform",
            translation=self.new("geometry_msgs/msg/Vector3", **dict(zip("xyz", map(float, place)))),
            rotation=self.new("geometry_msgs/msg/Quaternion", **dict(zip("xyzw", map(float, turn)))),
        )

    def link(self, topic, ns, parent, child, place, turn=(0, 0, 0, 1)):
        message = self.new(
            "geometry_msgs/msg/TransformStamped",
            header=self.header(ns, parent),
            child_frame_id=child,
            transform=self.transform(place, turn),
        )
        self.put(topic, ns, self.new("tf2_msgs/msg/TFMessage", transforms=[message]))


def png(pixels):
    """A PNG by hand: 16 bits of grey."""

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in pixels)
    header = struct.pack(">IIBBBBB", pixels.shape[1], pixels.shape[0], 16, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def moment(index):
    return START + index * 33_000_000


def imported(folder, tmp_path):
    """What the command makes of the folder, which it must recognise by itself."""
    path = tmp_path / "out.h5"
    told = json.loads(call(["import", folder, path, "--no-diagnosis", "--json"]))
    with h5py.File(path) as file:
        scene = next(iter(file["scenes"].values()))
        arrays = {}
        scene.visititems(lambda name, item: arrays.update({name: item[()]}) if hasattr(item, "shape") else None)
        size = list(scene["camera"].attrs["image_size"]) if "camera" in scene else None
    return told, arrays, size


@pytest.mark.parametrize("container", ["ros1", "sqlite3", "mcap"])
def test_depth_pictures_camera_times_and_poses(tmp_path, container):
    path = tmp_path / ("a.bag" if container == "ros1" else "a")
    half = np.sqrt(0.5)
    with Made(path, container) as made:
        # A camera looks along the robot's x: optical z is x, optical x is -y.
        made.link("/tf_static", START, "base", "/camera_optical", (0.1, 0, 1), (-0.5, 0.5, -0.5, 0.5))
        for index in range(5):
            made.link("/tf", moment(index) - 10_000_000, "map", "base", (index, 0, 0), (0, 0, half, half))
        made.info("/camera/depth/camera_info", "camera_optical")
        for index in range(4):
            made.image("/camera/depth/image_raw", moment(index), "camera_optical", "16UC1", MILLIMETRES[index])
            made.packed("/camera/depth/image_raw/compressedDepth", moment(index), "camera_optical", "16UC1; compressedDepth", b"")
            picture = np.full((H, W, 3), (200, index, 0), "u1")
            made.image("/camera/color/image_raw", moment(index) + 4_000_000, "camera_optical", "bgr8", picture)
            made.image("/camera/level", moment(index), "camera_optical", "mono8", np.full((H, W), 2, "u1"))
    if container == "mcap":
        path = next(path.glob("*.mcap"))
    convert(path, tmp_path / "folder", confidence_topic="/camera/level")
    told, arrays, size = imported(tmp_path / "folder", tmp_path)
    assert "converted by fathom.bags" in told["format"]
    assert np.array_equal(arrays["lidar/depth"], (MILLIMETRES * 0.001).astype("f4"))
    assert (arrays["lidar/confidence"] == 2).all()
    assert size == [W, H] and np.allclose(arrays["camera/intrinsics"], [[40, 0, 16], [0, 41, 12], [0, 0, 1]])
    assert np.allclose(arrays["time"], np.arange(4) * 0.033, atol=1e-6)
    poses = arrays["camera/world_from_camera"]
    # 10 ms of the 33 ms to the next transform; base is turned by 90°, so that its x is the map's y, and looks there.
    assert np.allclose(poses[:, :3, 3], [[index + 10 / 33, 0.1, 1] for index in range(4)])
    assert np.allclose(poses[0][:3, :3], [[1, 0, 0], [0, 0, 1], [0, -1, 0]])
    picture = np.asarray(Image.open(tmp_path / "folder/image/000003.png"))
    assert (picture == (0, 3, 200)).all()


def test_packed_depth(tmp_path):
    metres = (MILLIMETRES / 1000).astype("f4")
    a, b = 100.0 * 101.0, 1 - 100.0 * 101.0 / 10.0
    with np.errstate(divide="ignore"):
        counts = np.where(metres > 0, a / metres + b, 0).astype("u2")
    with Made(tmp_path / "a.bag") as made:
        for index in range(4):
            made.packed("/millimetres", moment(index), "c", "16UC1; compressedDepth png", bytes(12) + png(MILLIMETRES[index]))
            header = struct.pack("<iff", 0, a, b)
            made.packed("/inverse", moment(index), "c", "32FC1; compressedDepth", header + png(counts[index]))
            made.packed("/rvl", moment(index), "c", "16UC1; compressedDepth rvl", bytes(40))
            made.image("/real", moment(index), "c", "32FC1", np.where(metres[index] > 0, metres[index], np.nan))
    for topic, tolerance in (("/millimetres", 1e-7), ("/real", 0), ("/inverse", 1e-3)):
        folder = tmp_path / topic[1:]
        notes = convert(tmp_path / "a.bag", folder, depth_topic=topic)
        assert "intrinsics: none" in " ".join(notes) and "poses: none" in " ".join(notes)
        for index in range(4):
            assert np.abs(np.load(folder / f"depth/{index:06}.npy") - metres[index]).max() <= tolerance
    told, arrays, _ = imported(tmp_path / "real", tmp_path)
    assert np.array_equal(arrays["lidar/depth"], metres) and "camera/world_from_camera" not in arrays
    with pytest.raises(BagError, match="rvl"):
        convert(tmp_path / "a.bag", tmp_path / "rvl", depth_topic="/rvl")
    assert not (tmp_path / "rvl").exists()
    with pytest.raises(BagError, match="4 topics can be depth: choose with --depth-topic one of /inverse"):
        convert(tmp_path / "a.bag", tmp_path / "any")


def test_a_colour_camera_beside_the_depth_camera(tmp_path):
    """A plane 2 m away; the colour camera stands 0.1 m to the right, with twice the pixels: a column of its picture is where the
    disparity of 0.1 m · 80 px / 2 m = 4 px says."""
    for name, linked in (("linked", True), ("apart", False)):
        with Made(tmp_path / f"{name}.bag") as made:
            if linked:
                made.link("/tf_static", START, "link", "depth", (0, 0, 0))
                made.link("/tf_static", START, "link", "colour", (0.1, 0, 0))
            made.info("/depth/camera_info", "depth")
            made.info("/colour/camera_info", "colour", (80.0, 82.0, 31.7, 23.5), (2 * W, 2 * H))
            made.image("/depth/image_raw", START, "depth", "16UC1", np.full((H, W), 2000, "u2"))
            columns = np.broadcast_to(np.arange(2 * W, dtype="u1")[None, :, None], (2 * H, 2 * W, 3))
            made.packed("/colour/image_raw/compressed", START, "colour", "rgb8; png compressed", packed_rgb(columns))
        notes = " ".join(convert(tmp_path / f"{name}.bag", tmp_path / name))
        assert (tmp_path / name / "intrinsics.txt").read_text() == "32 24 40 41 15.5 11.5\n"
        if linked:
            seen = np.asarray(Image.open(tmp_path / name / "image/000000.png"))
            expected = np.rint((np.arange(W) - 15.5) * 2 + 31.7 - 4)
            assert "is another camera ('colour'), sampled" in notes and seen.shape == (H, W, 3)
            assert np.array_equal(seen[5, :, 0], np.where(expected >= 0, expected, 0))
        else:
            assert "is another camera ('colour'), without the transform" in notes and not (tmp_path / name / "image").exists()


def packed_rgb(pixels):
    file = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(pixels)).save(file, "PNG")
    return file.getvalue()


def test_the_own_bag_of_realsense(tmp_path):
    """Depth units, extrinsics and the bytes behind a picture as librealsense writes them."""
    stream = "/device_0/sensor_0/Depth_0"
    colour = "/device_0/sensor_1/Color_0"
    with Made(tmp_path / "a.bag") as made:
        made.info(f"{stream}/info/camera_info", "")
        made.info(f"{colour}/info/camera_info", "")
        made.put(f"{stream}/tf/0", 1, made.transform((0, 0, 0), (0, 0, 0, 1)))
        made.put(f"{colour}/tf/0", 1, made.transform((-0.1, 0, 0), (0, 0, 0, 1)))
        for index in range(2):
            counts = np.full((H, W), 8000 + index, "u2")
            made.image(f"{stream}/image/data", moment(index), "1", "mono16", counts, struct.pack("<f", 0.00025))
            columns = np.broadcast_to(np.arange(W, dtype="u1")[None, :, None], (H, W, 3))
            made.image(f"{colour}/image/data", moment(index), "1", "rgb8", columns, struct.pack("<f", 0))
            made.image("/device_0/sensor_0/Infrared_1/image/data", moment(index), "1", "16UC1", counts, bytes(4))
    convert(tmp_path / "a.bag", tmp_path / "folder")
    assert np.load(tmp_path / "folder/depth/000001.npy")[3, 3] == np.float32(8001 * 0.00025)
    # Points move 0.1 m to the left from depth to colour: 0.1 · 40 / 2 = 2 pixels.
    assert np.asarray(Image.open(tmp_path / "folder/image/000000.png"))[4, 10, 0] == 8


def test_odometry_and_poses(tmp_path):
    with Made(tmp_path / "a.bag") as made:
        made.link("/tf_static", START, "base", "c", (0, 0, 0.5))
        for index in range(4):
            pose = made.new(
                "geometry_msgs/msg/Pose",
                position=made.new("geometry_msgs/msg/Point", x=float(index), y=0.0, z=0.0),
                orientation=made.new("geometry_msgs/msg/Quaternion", x=0.0, y=0.0, z=0.0, w=1.0),
            )
            zero = made.new("geometry_msgs/msg/Vector3", x=0.0, y=0.0, z=0.0)
            twist = made.new("geometry_msgs/msg/Twist", linear=zero, angular=zero)
            made.put(
                "/odom",
                moment(index),
                made.new(
                    "nav_msgs/msg/Odometry",
                    header=made.header(moment(index), "odom"),
                    child_frame_id="base",
                    pose=made.new("geometry_msgs/msg/PoseWithCovariance", pose=pose, covariance=np.zeros(36)),
                    twist=made.new("geometry_msgs/msg/TwistWithCovariance", twist=twist, covariance=np.zeros(36)),
                ),
            )
            stamped = made.new("geometry_msgs/msg/PoseStamped", header=made.header(moment(index), "map"), pose=pose)
            made.put("/pose", moment(index), stamped)
            made.image("/depth", moment(index), "c", "16UC1", MILLIMETRES[index])
    for topic, height in ((None, 0.5), ("/pose", 0)):
        folder = tmp_path / f"at{height}"
        convert(tmp_path / "a.bag", folder, pose_topic=topic)
        rows = np.loadtxt(folder / "poses.csv", delimiter=",", skiprows=1)
        assert np.allclose(rows[:, 1:4], [[index, 0, height] for index in range(4)])


def test_what_cannot_be_converted_is_said_in_one_line(tmp_path, capsys):
    with Made(tmp_path / "a.bag") as made:
        made.link("/tf", START, "map", "base", (0, 0, 0))
        made.image("/colour", START, "c", "rgb8", np.zeros((H, W, 3), "u1"))
    (tmp_path / "b.bag").write_bytes(b"#ROSBAG V2.0\n")
    for name, words in (
        ("a.bag", "no topic has depth (16UC1, 32FC1 or compressedDepth): name one with --depth-topic; the topics are /colour"),
        ("b.bag", "cannot convert"),
        ("missing.bag", "missing.bag"),
    ):
        assert main([str(tmp_path / name), str(tmp_path / "out")]) == 65
        said = capsys.readouterr()[1]
        assert words in said and said.count("\n") == 1 and not (tmp_path / "out").exists()
