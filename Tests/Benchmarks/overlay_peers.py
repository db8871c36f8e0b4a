"""The depth overlays of `fathom render` as people draw them in Python, on one core: numpy, OpenCV and Matplotlib.

All begin with the 256x192 map and an RGB picture of 1920x1440 and end with its 8-bit pixels; the picture is left as it is.
`exact` ones blend in Float32 and round once, as the shader does; OpenCV's `applyColorMap` rounds depth to 256 steps and
the blend again, which is quicker and not the same.
"""

import numpy as np
from peers import Peer, cv2

SIZE = (1920, 1440)


def picture() -> np.ndarray:
    index = np.arange(SIZE[0] * SIZE[1])
    return np.stack([index & 255, index >> 8 & 255, index >> 16 & 255], -1).astype(np.uint8).reshape(*SIZE[::-1], 3)


def bilinear(depth: np.ndarray) -> np.ndarray:
    """numpy alone: rows, then columns, between pixel centres."""
    for axis, count in ((0, SIZE[1]), (1, SIZE[0])):
        length = depth.shape[axis]
        place = np.clip((np.arange(count) + 0.5) * length / count - 0.5, 0, length - 1)
        lower = place.astype(int)
        upper = np.minimum(lower + 1, length - 1)
        weight = (place - lower).astype(np.float32)
        weight = weight[:, None] if axis == 0 else weight
        depth = depth.take(lower, axis) * (1 - weight) + depth.take(upper, axis) * weight
    return depth


def exact_ramp(depth: np.ndarray, image: np.ndarray) -> np.ndarray:
    known = np.isfinite(depth)
    t = np.clip((np.where(known, depth, 0.5) - np.float32(0.5)) / np.float32(4.5), 0, 1)
    alpha = np.where(known, np.float32(0.4), np.float32(0))
    colour = np.stack([255 * (1 - t), np.zeros_like(t), 255 * t], -1)
    return np.rint(colour * alpha[..., None] + image * (1 - alpha[..., None])).astype(np.uint8)


def opencv_turbo(depth: np.ndarray, image: np.ndarray) -> np.ndarray:
    large = cv2.resize(depth, SIZE, interpolation=cv2.INTER_LINEAR)
    known = np.isfinite(large)
    steps = cv2.convertScaleAbs(np.maximum(large - np.float32(0.5), 0), alpha=255 / 4.5)
    mixed = cv2.addWeighted(cv2.applyColorMap(steps, cv2.COLORMAP_TURBO), 0.4, image, 0.6, 0)
    np.copyto(mixed, image, where=~known[..., None])
    return mixed


def matplotlib_turbo(depth: np.ndarray, image: np.ndarray, colours) -> np.ndarray:
    t = np.ma.masked_invalid((bilinear(depth) - np.float32(0.5)) / np.float32(4.5))
    layer = colours(t, bytes=True)
    alpha = np.where(t.mask, np.float32(0), np.float32(0.4))[..., None]
    return np.rint(layer[..., :3] * alpha + image * (1 - alpha)).astype(np.uint8)


def overlays(lidar: np.ndarray) -> list:
    depth = np.where(np.isfinite(lidar) & (lidar > 0), lidar, np.nan).astype(np.float32)
    image = picture()
    rows = [Peer("overlay ramp", "numpy, exact", lambda: exact_ramp(bilinear(depth), image), 3)]
    if cv2 is not None:
        large = lambda: cv2.resize(depth, SIZE, interpolation=cv2.INTER_LINEAR)  # noqa: E731
        rows.append(Peer("overlay ramp", "OpenCV's resize, numpy's blend, exact", lambda: exact_ramp(large(), image), 3))
        reason = "OpenCV's own loops work on whole bytes: depth in 256 steps, rounded twice"
        rows.append(Peer("overlay turbo", "OpenCV, applyColorMap, addWeighted", lambda: opencv_turbo(depth, image), 5, reason))
    try:
        from matplotlib import colormaps
    except ImportError:
        return rows
    turbo = colormaps["turbo"].with_extremes(bad=(0, 0, 0, 0))
    rows.append(Peer("overlay turbo", "Matplotlib's map, numpy's blend", lambda: matplotlib_turbo(depth, image, turbo), 3))
    return rows
