"""Writes data sets with h5py for the tests of DatasetReader: write_dataset.py FOLDER.

all.h5      every array of the schema, in the types that other programs like to use
latest.h5   the newest file format that this h5py can write
lzf.h5      a filter that HDF5 itself does not have
v110.h5     the newest file format that HDF5 1.10 reads
"""

import sys
from pathlib import Path

import h5py
import numpy as np

N, M = 3, 2


def write_all(path):
    with h5py.File(path, "w") as f:
        f.attrs["format"] = np.bytes_("fathom")  # fixed length
        f.attrs["version"] = np.int32(1)
        f.attrs["name"] = "alles für h5py"  # variable length, UTF-8
        f.attrs["license"] = np.array([b"CC0-1.0"], dtype="S16")  # padded with NUL, one element
        f.attrs["unknown"] = [1.0, 2.0]  # ignored
        s = f.create_group("scenes/all")
        s.attrs["note"] = "größer"

        depth = (np.arange(N * 4 * 6).reshape(N, 4, 6) + 500).astype("<u2")
        lidar = s.create_dataset("lidar/depth", data=depth, chunks=(1, 4, 6), compression="gzip", shuffle=True)
        lidar.attrs["scale"] = 0.001
        lidar.attrs["kind"] = np.bytes_("planar")
        s["lidar/confidence"] = (np.arange(N * 4 * 6).reshape(N, 4, 6) % 3).astype("i4")

        relative = (np.arange(N * 5 * 7).reshape(N, 5, 7) * 0.25 - 4).astype("f2")
        values = s.create_dataset("relative/values", data=relative, chunks=True, compression="gzip")
        values.attrs["kind"] = "disparity"
        values.attrs["model"] = "Depth Anything V2"

        truth = (np.arange(N * 8 * 12).reshape(N, 8, 12) * 0.5).astype(">f4")
        t = s.create_dataset("truth/depth", data=truth, fletcher32=True, chunks=(1, 8, 12))
        t.attrs["units"] = "m"
        t.attrs["independence"] = "independent"

        k = np.stack([[[100 + i, 0, 30.5], [0, 101 + i, 20.25], [0, 0, 1]] for i in range(N)])
        s["camera/intrinsics"] = k.astype(">f8")
        s["camera"].attrs["image_size"] = (60, 40)
        poses = np.stack([np.eye(4)] * N)
        poses[:, :3, 3] = [[i, 2 * i, -i] for i in range(N)]
        s["camera/world_from_camera"] = poses.astype("f4")
        s["camera/world_from_camera"].attrs["convention"] = "arkit"
        s["camera/world_from_camera"].attrs["up"] = np.bytes_("z")

        s["image/rgb"] = np.arange(N * 2 * 3 * 3, dtype="u1").reshape(N, 2, 3, 3)
        s["time"] = np.array([0, 1, 2], dtype=">i8")
        s["frame_id"] = np.array(["a", "bb", "ccc"], dtype="S3")  # fixed length, no room for NUL

        s["predictions/net/depth"] = np.ones((N, 2, 2), "f2")
        s["predictions/net/depth"].attrs["kind"] = "metric"
        head = np.arange(N * 8 * 5).reshape(N, 8, 5) * 0.5  # 4 box numbers, C = 2, K = 2, A = 5
        s["detector/predictions"] = head.astype("f2")
        s["detector/predictions"].attrs["input_size"] = (640, 480)
        s["detector/prototypes"] = (np.arange(N * 2 * 3 * 4).reshape(N, 2, 3, 4) - 30).astype("f4")

        s["objects/frame"] = np.array([2, 0], "i8")
        s["objects/class"] = ["Tasse ü", "chair"]
        s["objects/score"] = np.array([0.5, 0.25], "f8")
        s["objects/bbox"] = np.arange(M * 4).reshape(M, 4).astype("i4")
        s["objects/bbox"].attrs["origin"] = "bottom-left"
        s["objects/mask"] = (np.arange(M * 2 * 2).reshape(M, 2, 2) * 51 % 256).astype("u1")
        s["objects/mask"].attrs["stride"] = np.int64(8)
        s["objects/truth/center"] = np.array([[1, 2, 3], [np.nan] * 3])
        s["objects/truth/size"] = np.array([[4, 5, 6], [np.nan] * 3])
        s["objects/truth/yaw"] = np.array([0.5, np.nan])


def write_minimal(path, libver=None, **storage):
    with h5py.File(path, "w", libver=libver) as f:
        f.attrs["format"], f.attrs["version"] = "fathom", 1
        f.create_dataset("scenes/room/lidar/depth", data=np.ones((2, 3, 4), "f4"), chunks=(1, 3, 4), **storage)


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    write_all(folder / "all.h5")
    write_minimal(folder / "latest.h5", libver="latest", compression="gzip")
    write_minimal(folder / "lzf.h5", compression="lzf")
    write_minimal(folder / "v110.h5", libver=("earliest", "v110"), compression="gzip")
