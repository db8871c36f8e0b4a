"""Writes frames of one's own program as a data set of Fathom. One file, numpy and h5py only: copy it where it is needed.

    from fathom_writer import Recording

    with Recording("scan.h5", "kitchen", convention="opencv") as recording:
        recording.write_frame(depth, confidence=levels, intrinsics=k, image_size=(1920, 1440),
                              world_from_camera=pose, time=seconds, relative=network)

The first frame says what there is and in which size; every other one must have the same.
"""

import os

import h5py
import numpy as np

_KINDS = ("disparity", "depth", "unknown")


class Recording:
    """A data set with one scene, written frame by frame. Its file appears when it is closed without an error."""

    def __init__(self, path, scene="scene", *, convention=None, up="y", relative_kind=None, relative_model=None,
                 truth_independence="unknown"):
        """convention: axes of the camera in poses, "arkit" (x right, y up, z back) or "opencv" (x right, y down, z forward).
        relative_kind: "disparity" (larger is nearer), "depth" (larger is farther) or "unknown"."""
        if convention not in (None, "arkit", "opencv"):
            raise ValueError(f"convention {convention!r} is none of arkit, opencv")
        if relative_kind not in (None, *_KINDS):
            raise ValueError(f"relative_kind {relative_kind!r} is none of {', '.join(_KINDS)}")
        if up not in ("y", "z"):
            raise ValueError(f"up {up!r} is none of y, z")
        self._path, self._partial = os.fspath(path), os.fspath(path) + ".partial"
        self._convention, self._up = convention, up
        self._kind, self._model, self._independence = relative_kind, relative_model, truth_independence
        self._file = h5py.File(self._partial, "w")
        self._file.attrs["format"], self._file.attrs["version"] = "fathom", 1
        self._scene = self._file.create_group(f"scenes/{scene}")
        self._names, self._count, self._image_size, self._last_time = None, 0, None, None

    def write_frame(self, depth, *, confidence=None, intrinsics=None, image_size=None, world_from_camera=None,
                    time=None, rgb=None, relative=None, truth=None):
        """Adds a frame; an error leaves the recording as it was.

        depth: [h, w], metres, planar; 0, negative or not finite where there is none.
        confidence: [h, w], 0 low, 1 medium, 2 high.
        intrinsics: [3, 3] for image_size = (width, height), counted from the outer corner of the first pixel. ARKit and
            OpenCV count from its centre: add 0.5 to cx and cy.
        world_from_camera: [4, 4], camera to world, metres.
        time: seconds, larger than before.
        rgb: [H, W, 3] uint8. relative: [H, W], a network's map. truth: [H, W], metres."""
        arrays = {"lidar/depth": self._map(depth, "depth")}
        size = arrays["lidar/depth"].shape
        if confidence is not None:
            levels = np.asarray(confidence)
            if levels.shape != size or not np.isin(levels, (0, 1, 2)).all():
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
            if not (np.isfinite(pose).all() and np.allclose(turn @ turn.T, np.eye(3), atol=1e-3)
                    and np.linalg.det(turn) > 0 and np.allclose(pose[3], (0, 0, 0, 1))):
                raise ValueError("world_from_camera must be a rotation and a translation, [4, 4]")
            arrays["camera/world_from_camera"] = pose
        if time is not None:
            if not np.isfinite(time) or (self._last_time is not None and time <= self._last_time):
                raise ValueError(f"time {time} does not come after {self._last_time}")
            arrays["time"] = np.float64(time)
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
        if self._names is None:
            self._create(arrays, image_size)
        self._append(arrays, image_size)

    @staticmethod
    def _map(values, name):
        values = np.asarray(values)
        if values.ndim != 2 or values.dtype.kind not in "fiu":
            raise ValueError(f"{name} must be numbers of shape [h, w]")
        return values.astype("f4")

    def _create(self, arrays, image_size):
        attributes = {"lidar/depth": {"units": "m", "kind": "planar"},
                      "truth/depth": {"units": "m", "kind": "planar", "independence": self._independence},
                      "relative/values": {"kind": self._kind, **({"model": self._model} if self._model else {})},
                      "camera/world_from_camera": {"convention": self._convention, "up": self._up}}
        for name, values in arrays.items():
            packed = {"compression": "gzip", "compression_opts": 1, "shuffle": True} if values.ndim > 1 else {}
            data = self._scene.create_dataset(name, (0, *values.shape), values.dtype, maxshape=(None, *values.shape),
                                              chunks=(1, *values.shape) if values.ndim else (1024,), **packed)
            data.attrs.update(attributes.get(name, {}))
        if "camera/intrinsics" in arrays:
            self._scene["camera"].attrs["image_size"] = list(image_size)
        self._names, self._image_size = set(arrays), image_size

    def _append(self, arrays, image_size):
        if set(arrays) != self._names:
            other = sorted(set(arrays) ^ self._names)
            raise ValueError(f"every frame must have what the first one has; this one differs in {', '.join(other)}")
        for name, values in arrays.items():
            if values.shape != self._scene[name].shape[1:]:
                raise ValueError(f"{name} is {values.shape}, and in the first frame {self._scene[name].shape[1:]}")
        if "camera/intrinsics" in arrays and tuple(image_size) != tuple(self._image_size):
            raise ValueError(f"image_size is {image_size}, and in the first frame {self._image_size}")
        for name, values in arrays.items():
            self._scene[name].resize(self._count + 1, 0)
            self._scene[name][self._count] = values
        self._count += 1
        self._last_time = float(arrays["time"]) if "time" in arrays else None

    def close(self):
        """Finishes the file."""
        self._file.close()
        if not self._count:
            os.remove(self._partial)
            raise ValueError("no frame was written")
        os.replace(self._partial, self._path)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is None:
            self.close()
        else:
            self._file.close()
            os.remove(self._partial)
