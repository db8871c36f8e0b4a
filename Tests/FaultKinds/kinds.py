"""Kinds of fault, with strengths that were fixed before any was tried.

A kind takes a right recording and a strength, and returns a broken copy, or None where the recording has not what it is
about. `names` are (test, pattern of what it supports) that name it rightly; `about` are the tests that would confirm what
is broken; `judge` is how the oracle sees whether it shows."""

import re
from dataclasses import dataclass
from typing import Callable

import numpy as np

from recordings import FLIP

ANY = ".*"


@dataclass
class Kind:
    id: str
    strengths: list
    apply: Callable
    names: list
    about: list
    judge: str
    """"numbers": facts; "motion": frames carried into each other; "break": the same, only frames that
    it touches; "steps": depths from frame to frame; "truth", "relative", "confidence": against the LiDAR."""

    def is_named(self, test, supported):
        return any(re.fullmatch(a, test) and re.match(b, supported or "") for a, b in self.names)


KINDS = []
POSES = ["pose-convention", "frame-agreement"]


def kind(id, strengths, names, about, judge="motion", needs="poses"):
    def register(change):
        def apply(recording, strength):
            has = {"poses": recording.poses is not None and recording.frames > 5, "k": recording.k is not None,
                   "none": True, "time": recording.time is not None and recording.frames > 1,
                   "truth": recording.truth is not None, "relative": recording.relative is not None,
                   "confidence": recording.confidence is not None}[needs]
            if not has:
                return None
            broken = recording.copy()
            return None if change(broken, strength) is False else broken

        KINDS.append(Kind(id, strengths, apply, names, about, judge))
        return change

    return register


# Units and laws of depth

def unit(id, factor, names, judge="motion", about=("depth-unit", "pose-scale")):
    @kind(f"depth: {id}", [factor], names, list(about), judge, "none" if judge == "numbers" else "poses")
    def _(r, factor):
        r.lidar = r.lidar * factor


MILLI, SCALE = [("depth-unit", "thousand")], "scale-"
unit("millimetres", 1000, [("depth-unit", "thousand-times-too-large")], "numbers")
unit("metres called millimetres", 0.001, [("depth-unit", "thousand-times-too-small")], "numbers")
unit("centimetres", 100, [("depth-unit", "hundred-times-too-large"), ("frame-agreement", "scale-(9|10)")],
     "numbers")
unit("inches", 39.37, [("depth-unit", "inches"), ("frame-agreement", "scale-(3[89]|4[01])")])
unit("feet", 3.2808, [("depth-unit", "feet"), ("frame-agreement", "scale-3")])
unit("1/5000 read as 1/1000", 5, [("frame-agreement", "scale-(4.[89]|5)")])
unit("1/1000 read as 1/5000", 0.2, [("frame-agreement", "scale-0.(2|19)")])
unit("1/256 read as 1/1000", 3.90625, [("frame-agreement", "scale-(3.[89]|4)"), ("truth-scale", "factor-(3.[89]|4)")])
unit("a quarter too large", 1.25, [("frame-agreement", "scale-1.[23]"), ("truth-scale", "factor-1.2")])


@kind("depth: metres added", [0.05, 0.15, 0.5],
      [("frame-agreement", "offset-"), ("depth-offset", ANY), ("truth-scale", "offset-")],
      ["depth-offset", "depth-unit"])
def _(r, metres):
    r.lidar = np.where(r.lidar > 0, r.lidar + metres, r.lidar)


@kind("depth: logarithm", ["e", "1+"], [("frame-agreement", "depth-logarithm")], ["depth-unit", "frame-agreement"])
def _(r, base):
    with np.errstate(divide="ignore", invalid="ignore"):
        r.lidar = np.log(r.lidar) if base == "e" else np.log1p(r.lidar)


@kind("depth: reciprocal", [1.0], [("frame-agreement", "depth-reciprocal")], ["depth-unit", "frame-agreement"])
def _(r, scale):
    with np.errstate(divide="ignore", invalid="ignore"):
        r.lidar = np.where(r.lidar > 0, scale / r.lidar, np.nan)


@kind("depth: taken from a constant", [10.0, 65.535], [("frame-agreement", "depth-inverted"), ("depth-unit", ANY)],
      ["depth-unit", "frame-agreement", "pose-convention"])
def _(r, constant):
    r.lidar = np.where(r.lidar > 0, constant - r.lidar, np.nan)


@kind("depth: power", [1.2], [("frame-agreement", "depth-power|no"), ("truth-scale", "power-")],
      ["depth-unit", "frame-agreement"])
def _(r, power):
    r.lidar = r.lidar ** power


@kind("depth: ray length", [1], [("depth-kind", "distance")], ["depth-kind"])
def _(r, _):
    fx, fy, cx, cy = r.camera()
    v, u = np.mgrid[: r.lidar.shape[1], : r.lidar.shape[2]] + 0.5
    r.lidar = r.lidar * np.sqrt(1 + ((u - cx) / fx) ** 2 + ((v - cy) / fy) ** 2)


@kind("depth: second half in another unit", [5, 1000, 3.2808], [("depth-per-frame|truth-per-frame", ANY)],
      ["depth-unit", "frame-agreement", "pose-scale"], "steps", "none")
def _(r, factor):
    if r.frames < 2:
        return False
    r.lidar[r.frames // 2:] *= factor


@kind("depth: every second frame in another unit", [5], [("depth-per-frame|truth-per-frame", ANY)],
      ["depth-unit", "frame-agreement"], "steps", "none")
def _(r, factor):
    if r.frames < 3:
        return False
    r.lidar[1::2] *= factor


@kind("depth: one frame in another unit", [5, 1000], [("depth-per-frame|truth-per-frame", ANY)],
      ["depth-per-frame"], "steps", "none")
def _(r, factor):
    if r.frames < 3:
        return False
    r.lidar[r.frames // 2] *= factor


@kind("depth: 256 levels", [256], [("depth-steps", "levels|eight")], ["depth-steps"], "numbers", "none")
def _(r, levels):
    low, high = np.nanmin(r.lidar), np.nanmax(r.lidar)
    r.lidar = low + np.round((r.lidar - low) / (high - low) * (levels - 1)) / (levels - 1) * (high - low)


@kind("depth: holes filled", [9999.0, 32.767], [("lidar-fill", ANY), ("depth-unit", "no-reading")],
      ["depth-unit", "lidar-fill"], "numbers", "none")
def _(r, value):
    r.lidar[:, 10:40, 20:60] = value


@kind("depth: holes filled between", [2.0, 1.2], [("lidar-fill", ANY)], ["depth-unit", "lidar-fill"], "numbers", "none")
def _(r, value):
    known = r.lidar[r.lidar > 0]
    if not np.nanquantile(known, 0.05) < value < np.nanquantile(known, 0.95):
        return False
    r.lidar[:, 10:40, 20:60] = value


@kind("depth: cut to bits", [2.048, 4.096, 8.192], [("depth-wrap", "wraps")], ["depth-unit", "depth-wrap"], "numbers", "none")
def _(r, metres):
    if np.mean(r.lidar[r.lidar > 0] > metres) < 0.02:
        return False
    r.lidar = np.where(r.lidar > 0, np.mod(r.lidar, np.float32(metres)), r.lidar)


for _name, _how in [("upside down", lambda x: x[:, ::-1]), ("mirrored", lambda x: x[:, :, ::-1]),
                    ("turned by 180°", lambda x: x[:, ::-1, ::-1])]:
    @kind(f"depth: {_name}", [_how], [("frame-agreement", "lidar-"), ("lidar-orientation", ANY)],
          ["frame-agreement", "pose-convention"])
    def _(r, how):
        r.lidar = how(r.lidar).copy()
        if r.confidence is not None:
            r.confidence = how(r.confidence).copy()


@kind("depth: frames late", [1, 3], [("frame-agreement", "poses-"), ("pose-delay", ANY)], ["pose-delay"])
def _(r, count):
    for key in ("lidar", "confidence"):
        if getattr(r, key) is not None:
            setattr(r, key, np.concatenate([getattr(r, key)[:1]] * count + [getattr(r, key)[:-count]]))


@kind("depth: frozen", [0.3], [("repeated-frames", ANY)], ["repeated-frames"], "steps")
def _(r, share):
    start = r.frames - max(3, int(share * r.frames))
    r.lidar[start:] = r.lidar[start]


# Poses

def edit(r, change):
    """Changes the poses in OpenCV's axes and stores them in the file's."""
    r.poses = np.array([change(i, p) for i, p in enumerate(r.opencv_poses)])
    if r.convention == "arkit":
        r.poses = r.poses @ FLIP


def moved(pose, yaw=0.0, by=(0, 0, 0)):
    up = np.eye(4)
    up[:3, :3] = [[np.cos(yaw), 0, np.sin(yaw)], [0, 1, 0], [-np.sin(yaw), 0, np.cos(yaw)]]
    up[:3, 3] = by
    return up @ pose


@kind("poses: other axes", [1], [("pose-convention|pose-axes-by-floor", ANY)], POSES)
def _(r, _):
    r.convention = "opencv" if r.convention == "arkit" else "arkit"


@kind("poses: inverse", [1], [("pose-convention", ANY)], POSES)
def _(r, _):
    r.poses = np.linalg.inv(r.poses)


@kind("poses: unit", [100, 1000, 3.2808, 39.37], [("pose-unit", ANY), ("frame-agreement", "scale-")], ["pose-unit"])
def _(r, factor):
    r.poses[:, :3, 3] *= factor


@kind("poses: a fifth too long", [1.25, 0.8], [("frame-agreement|pose-scale", "scale-")], ["pose-scale"])
def _(r, factor):
    r.poses[:, :3, 3] *= factor


def quaternion(m):
    x, y, z = m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]
    values, vectors = np.linalg.eigh(np.array([
        [m[0, 0] - m[1, 1] - m[2, 2], m[1, 0] + m[0, 1], m[2, 0] + m[0, 2], x],
        [m[1, 0] + m[0, 1], m[1, 1] - m[0, 0] - m[2, 2], m[2, 1] + m[1, 2], y],
        [m[2, 0] + m[0, 2], m[2, 1] + m[1, 2], m[2, 2] - m[0, 0] - m[1, 1], z], [x, y, z, np.trace(m)]]))
    return vectors[:, -1] * np.sign(vectors[3, -1] or 1)


def matrix(q):
    x, y, z, w = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


@kind("poses: order of quaternions", [(3, 0, 1, 2), (1, 2, 3, 0)], [("frame-agreement", "quaternion")],
      ["pose-rotation", "frame-agreement"])
def _(r, order):
    for p in r.poses:
        p[:3, :3] = matrix(quaternion(p[:3, :3])[list(order)])


@kind("poses: rotations inverse", [1], [("frame-agreement", "rotation-inverse"), ("pose-layout", ANY)],
      ["pose-rotation", "frame-agreement"])
def _(r, _):
    r.poses[:, :3, :3] = r.poses[:, :3, :3].transpose(0, 2, 1)


@kind("poses: frames late", [1, 3], [("frame-agreement", "poses-"), ("pose-delay", ANY)], ["pose-delay"])
def _(r, count):
    r.poses = np.concatenate([r.poses[:1]] * count + [r.poses[:-count]])


@kind("poses: of another recording", [7], [("frame-agreement", ANY)], POSES)
def _(r, seed):
    rng = np.random.default_rng(seed)
    place, yaw = np.zeros(3), 0.0
    for i in range(r.frames):
        place, yaw = place + rng.normal(0, 0.15, 3), yaw + rng.normal(0, 0.2)
        r.poses[i] = moved(np.eye(4), yaw, place)


@kind("poses: new origin midway", [(0.3, 0.1), (1.0, 0.5), (0.1, 0.05)], [("pose-pieces", "new-origin|one-frame")],
      ["frame-agreement", "pose-pieces"], "break")
def _(r, by):
    edit(r, lambda i, p: moved(p, by[1], (by[0], 0, 0.5 * by[0])) if i >= r.frames // 2 else p)


@kind("poses: one frame jumps", [0.1, 0.3], [("pose-pieces", "jump|one-frame")], ["pose-pieces", "frame-agreement"], "break")
def _(r, metres):
    edit(r, lambda i, p: moved(p, 0, (metres, 0, metres)) if i == r.frames // 2 else p)


@kind("poses: drift", [0.05, 0.1], [("frame-agreement|pose-pieces|pose-drift", "drift")], ["pose-drift", "frame-agreement"])
def _(r, share):
    way = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(r.poses[:, :3, 3], axis=0), axis=1))])
    edit(r, lambda i, p: moved(p, 0.5 * share * way[i], (share * way[i], 0, share * way[i])))


@kind("poses: drift of turns", [0.01, 0.03], [("frame-agreement|pose-pieces|pose-drift", "drift")], ["pose-drift", "frame-agreement"])
def _(r, radians):
    edit(r, lambda i, p: moved(p, radians * i))


@kind("poses: stop", [0.5, 0.25], [("pose-pieces", "stop"), ("repeated-frames", "stop")],
      ["frame-agreement", "pose-pieces"], "break")
def _(r, share):
    start = r.frames - int(share * r.frames)
    r.poses[start:] = r.poses[start]


@kind("poses: translations are zero", [0], [("frame-agreement|pose-pieces", "still|no-tr|scale")],
      ["frame-agreement", "pose-scale"])
def _(r, _):
    r.poses[:, :3, 3] = 0


S = np.diag([1.0, -1.0, 1.0, 1.0])


@kind("poses: left-handed world", ["arkit", "opencv"], [("frame-agreement", "left-handed")], POSES)
def _(r, declared):
    r.poses, r.convention = S @ r.opencv_poses @ S, declared


@kind("poses: mirrored", [1], [("pose-layout", "left-handed")], ["pose-layout"], "numbers")
def _(r, _):
    r.poses = r.poses @ S


@kind("poses: noise", [0.03], [("frame-agreement", ANY), ("pose-pieces", ANY)], ["frame-agreement"])
def _(r, metres):
    rng = np.random.default_rng(3)
    edit(r, lambda i, p: moved(p, rng.normal(0, metres), rng.normal(0, metres, 3)))


# K

@kind("K: fx alone", [1.33, 0.75], [("frame-agreement|focal-ratio", "fx|fy|focal-ratio")], ["intrinsics", "focal-ratio"])
def _(r, factor):
    r.k[0, 0] *= factor


@kind("K: fy alone", [1.33, 0.75], [("frame-agreement|focal-ratio", "fx|fy|focal-ratio")], ["intrinsics", "focal-ratio"])
def _(r, factor):
    r.k[1, 1] *= factor


@kind("K: focal length", [1.2, 0.8], [("frame-agreement|focal-length", "focal")], ["focal-length", "intrinsics"])
def _(r, factor):
    r.k[0, 0] *= factor
    r.k[1, 1] *= factor


@kind("K: half or double", [0.5, 2], [("intrinsics|intrinsics-size", ANY)], ["intrinsics", "intrinsics-size"])
def _(r, factor):
    r.k[:2] *= factor


@kind("K: swapped", [1], [("intrinsics|intrinsics-size", ANY)], ["intrinsics"])
def _(r, _):
    r.k = r.k[[1, 0, 2]][:, [1, 0, 2]]


@kind("K: axis", [0.15], [("frame-agreement|principal-point|intrinsics-size", "axis|" + ANY)],
      ["principal-point", "intrinsics"])
def _(r, share):
    r.k[0, 2] += share * r.size[0]


@kind("K: field of view", [0.02, 10], [("intrinsics-size", ANY)], ["intrinsics-size"], "numbers", "k")
def _(r, factor):
    r.k[0, 0] *= factor
    r.k[1, 1] *= factor


@kind("K: of another size", [3], [("intrinsics-size|intrinsics", ANY)], ["intrinsics-size"], "numbers", "k")
def _(r, factor):
    r.k[:2] /= factor


@kind("K: transposed", [1], [("intrinsics-layout", "transposed")], ["intrinsics-layout"], "numbers", "k")
def _(r, _):
    r.k = r.k.T.copy()


# Truth

def truth(id, strengths, names, about, judge="truth"):
    return kind(f"truth: {id}", strengths, names, about, judge, "truth")


@truth("unit", [1000, 100, 39.37, 3.2808], [("truth-unit", ANY), ("truth-scale", "factor-")], ["truth-unit"], "numbers")
def _(r, factor):
    r.truth = r.truth * factor


@truth("a tenth too large", [1.1], [("truth-scale", ANY)], ["truth-scale", "truth-unit"])
def _(r, factor):
    r.truth = r.truth * factor


@truth("metres added", [0.15], [("truth-offset|truth-scale", "offset")], ["truth-offset", "truth-unit", "truth-scale"])
def _(r, metres):
    r.truth = np.where(r.truth > 0, r.truth + metres, r.truth)


@truth("upside down", [1], [("truth-orientation", ANY)], ["truth-orientation"])
def _(r, _):
    r.truth = r.truth[:, ::-1].copy()


@truth("one frame late", [1], [("truth-delay", ANY)], ["truth-delay"])
def _(r, count):
    if r.frames < 3:
        return False
    r.truth = np.concatenate([r.truth[:1], r.truth[:-1]])


# Confidence, relative maps, time

@kind("confidence: reversed", [1], [("confidence-order", ANY)], ["confidence-order"], "confidence", "confidence")
def _(r, _):
    r.confidence = 2 - r.confidence


@kind("confidence: 0, 127, 255", [1], [("confidence-scale", ANY)], ["confidence-scale"], "numbers", "confidence")
def _(r, _):
    r.confidence = np.array([0, 127, 255])[np.minimum(r.confidence, 2)]


@kind("relative: other kind", [1], [("relative-kind", ANY)], ["relative-kind"], "relative", "relative")
def _(r, _):
    r.relative_kind = "depth" if r.relative_kind == "disparity" else "disparity"


@kind("relative: mirrored", [1], [("relative-orientation", ANY)], ["relative-orientation"], "relative", "relative")
def _(r, _):
    r.relative = r.relative[:, :, ::-1].copy()


@kind("time: unit", [1e3, 1e9], [("time-unit", ANY), ("schema", ".*/time: ")], ["time-unit"], "numbers", "time")
def _(r, factor):
    r.time = r.time * factor


@kind("time: out of order", [1], [("time-order", ANY)], ["time-order"], "numbers", "time")
def _(r, _):
    r.time = r.time[::-1].copy()
