"""Recordings in memory: read from data sets, simulated by a ray caster of its own, and written for `fathom diagnose`."""

import copy
from dataclasses import dataclass, field

import h5py
import numpy as np

MOST_FRAMES = 24
"""Frames of a recording that are used, evenly over it: what a diagnosis looks at."""

FLIP = np.diag([1.0, -1.0, -1.0, 1.0])
"""Between the camera axes of OpenCV and ARKit."""


@dataclass
class Recording:
    """One scene. Depths in metres, [frames, rows, columns]; poses camera to world, axes as `convention` says."""

    name: str
    lidar: np.ndarray
    k: np.ndarray | None = None
    size: tuple[int, int] | None = None
    poses: np.ndarray | None = None
    convention: str = "opencv"
    time: np.ndarray | None = None
    confidence: np.ndarray | None = None
    truth: np.ndarray | None = None
    relative: np.ndarray | None = None
    relative_kind: str = "disparity"
    attributes: dict = field(default_factory=dict)

    def copy(self):
        return copy.deepcopy(self)

    @property
    def frames(self):
        return len(self.lidar)

    @property
    def opencv_poses(self):
        """What the file says, with axes right, down, forward."""
        return self.poses @ FLIP if self.convention == "arkit" else self.poses

    def camera(self):
        """fx, fy, cx, cy of the LiDAR's raster."""
        x, y = self.lidar.shape[2] / self.size[0], self.lidar.shape[1] / self.size[1]
        return self.k[0, 0] * x, self.k[1, 1] * y, self.k[0, 2] * x, self.k[1, 2] * y

    def write(self, path):
        with h5py.File(path, "w") as file:
            file.attrs.update(format="fathom", version=1, name=self.name)
            scene = file.create_group(f"scenes/{self.name}")
            depth = scene.create_dataset("lidar/depth", data=self.lidar.astype("f4"))
            depth.attrs.update(units="m", kind="planar")
            if self.confidence is not None:
                scene["lidar/confidence"] = self.confidence.astype("u1")
            if self.k is not None:
                scene["camera/intrinsics"] = self.k.astype("f8")
                scene["camera"].attrs["image_size"] = np.array(self.size, dtype="i4")
                if self.poses is not None:
                    poses = scene.create_dataset("camera/world_from_camera", data=self.poses.astype("f8"))
                    poses.attrs["convention"] = self.convention
            if self.time is not None:
                scene.create_dataset("time", data=self.time.astype("f8")).attrs["units"] = "s"
            if self.truth is not None:
                truth = scene.create_dataset("truth/depth", data=self.truth.astype("f4"))
                truth.attrs.update(units="m", kind="planar", independence="render")
            if self.relative is not None:
                values = scene.create_dataset("relative/values", data=self.relative.astype("f4"))
                values.attrs.update(kind=self.relative_kind, model="network")


def read(path):
    """Every scene of a data set."""
    with h5py.File(path) as file:
        for name, scene in file["scenes"].items():
            if "lidar/depth" not in scene:
                continue
            count = len(scene["lidar/depth"])
            chosen = np.unique(np.linspace(0, count - 1, min(count, MOST_FRAMES)).astype(int))

            def stack(key):
                return scene[key][()][chosen] if key in scene else None

            lidar = scene["lidar/depth"]
            unit = {"mm": 0.001, "cm": 0.01}.get(lidar.attrs.get("units", "m"), 1) * lidar.attrs.get("scale", 1)
            camera = scene.get("camera")
            k = camera["intrinsics"][()] if camera and "intrinsics" in camera else None
            poses = stack("camera/world_from_camera")
            truth = stack("truth/depth")
            yield Recording(
                name=name, lidar=stack("lidar/depth") * np.float32(unit),
                k=k[0] if k is not None and k.ndim == 3 else k,
                size=tuple(int(x) for x in camera.attrs["image_size"]) if k is not None else None,
                poses=poses, convention=camera["world_from_camera"].attrs["convention"] if poses is not None else "",
                time=stack("time"), confidence=stack("lidar/confidence"),
                truth=truth if truth is None or truth.shape[1] <= 480 else truth[:, ::2, ::2],
                relative=stack("relative/values"),
                relative_kind=scene["relative/values"].attrs["kind"] if "relative/values" in scene else "disparity")


def cast(boxes, low, high, origin, rays):
    """Distance along rays to the nearest of boxes inside of a room."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.where(rays > 0, high, low)
        best = np.nanmin((ends - origin) / rays, axis=-1)
        for a, b in boxes:
            near, far = (a - origin) / rays, (b - origin) / rays
            enter = np.nanmax(np.minimum(near, far), axis=-1)
            leave = np.nanmin(np.maximum(near, far), axis=-1)
            hit = (enter < leave) & (enter > 0)
            best = np.where(hit, np.minimum(best, enter), best)
    return best


def simulated(name, seed, size=(4.0, 2.5, 5.0), frames=16, step=0.12, noise=0.005, pitch=0.2, turn=0.07):
    """A world of boxes, seen by a camera that walks through it with an unsteady hand; axes of OpenCV, y down."""
    rng = np.random.default_rng(seed)
    width, height, (fx, cx, cy) = 128, 96, (106.0, 62.3, 49.1)
    low, high = np.array([-size[0] / 2, -size[1] + 1.3, -1.0]), np.array([size[0] / 2, 1.3, size[2] - 1])
    boxes = []
    for _ in range(7):
        centre = np.array([rng.uniform(low[0], high[0]), 1.3, rng.uniform(1.2, high[2])])
        half = rng.uniform(0.04, 0.11, 3) * min(size[0], 6)
        boxes.append((centre - half * [1, rng.uniform(2, 6), 1], centre + half * [1, 0, 1]))
    u, v = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
    rays = np.stack([(u - cx) / fx, (v - cy) / fx, np.ones_like(u)], -1)
    maps, poses, place, yaw = [], [], np.array([-0.25 * size[0], 0.0, -0.6]), -0.3
    for _ in range(frames):
        yaw += turn * rng.uniform(0.3, 1.7)
        tilt = pitch + rng.normal(0, 0.04)
        place = place + step * np.array([rng.uniform(0.3, 1.3), rng.normal(0, 0.2), rng.uniform(0.2, 1.2)])
        place = np.clip(place, low + 0.4, high - 0.6)
        a, b = np.array([[np.cos(yaw), 0, np.sin(yaw)], [0, 1, 0], [-np.sin(yaw), 0, np.cos(yaw)]]), np.array(
            [[1, 0, 0], [0, np.cos(tilt), np.sin(tilt)], [0, -np.sin(tilt), np.cos(tilt)]])
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = a @ b, place
        maps.append(cast(boxes, low, high, place, rays @ pose[:3, :3].T))
        poses.append(pose)
    truth = np.array(maps)
    lidar = truth * (1 + noise * rng.normal(size=truth.shape))
    return Recording(
        name, lidar, k=np.array([[fx, 0, cx], [0, fx, cy], [0, 0, 1]]), size=(width, height),
        poses=np.array(poses), time=np.arange(frames) / 10, truth=truth)


def worlds():
    """Worlds of a simulator that has nothing in common with the command's."""
    room = simulated("foreign-room", 1)
    room.truth = None
    yield room
    yield simulated("foreign-hall", 2, size=(9.0, 3.5, 12.0), step=0.3, noise=0.01)
    yield simulated("foreign-corridor", 3, size=(2.2, 2.5, 9.0), step=0.2, noise=0.01, turn=0.03)
    yield simulated("foreign-tilted", 4, pitch=0.6, step=0.1, turn=0.1)
