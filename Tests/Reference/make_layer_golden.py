"""Writes golden/layers.json: small pictures computed from the formulas of the documents, for the Swift tests.

    make_layer_golden.py            needs requirements.txt
    make_layer_golden.py --check    exit 1 where the file differs from a fresh computation

Everything is computed in double precision and rounded once, to the nearest 8-bit step, halves to even. No value lies so near
to a half that rounding errors could decide, but for halves that are exact in double precision (`steps` sees to it): so pictures
are the same on every processor, and compared exactly. The blur is compared to 1e-12. Values of a layer over
a picture are RGB, those of a layer alone RGBA with channels that are not multiplied by the opacity. JSON has no NaN:
missing depth is null.

    ramp        mix(red, blue, clamp((d - near)/(far - near))), opacity; the fragment shader of the depth visualization
    bands       0-1 m red, 1-2.5 yellow to green, 2.5-5 cyan, beyond blue
    confidence  mix(red, picture, confidence/2), nearest pixel
    fog         mix(picture, fog colour, clamp(d/fogMax)) of the blurred depth
    blur        scipy's gaussian_filter of depth and of validity, divided
    detections  linear light times m + (1 - m) 2^-1.74
"""

import json
import math
import sys
from pathlib import Path

import numpy as np
from scipy.ndimage import gaussian_filter, map_coordinates

FILE = Path(__file__).parent / "golden" / "layers.json"
# Wider than eight pixels, and no multiple of it.
SIZE = (13, 19)
RED, BLUE = np.array([255.0, 0, 0]), np.array([0.0, 0, 255])


def inputs() -> dict:
    random = np.random.default_rng(7)
    depth = random.uniform(0.2, 6, (6, 9)).astype(np.float32)
    depth[0, 0], depth[1, 4], depth[3, 7], depth[5, 2] = np.nan, np.inf, 0, -1
    # Borders of ramp and bands, met exactly in the middle of a pixel.
    flat = np.array([[0.5, 1.0, 2.5, 5.0, 2.75, 0.1, 7.0, 4.999, np.nan]], np.float32)
    confidence = random.integers(0, 3, (6, 9)).astype(np.uint8)
    mask = np.clip(random.normal(0.5, 0.6, SIZE), 0, 1).astype(np.float32)
    return {
        "depth": depth,
        "flat": flat,
        "confidence": confidence,
        "mask": mask,
        "image": random.integers(0, 256, (*SIZE, 3)).astype(np.uint8),
    }


def known(depth: np.ndarray) -> np.ndarray:
    depth = depth.astype(float)
    return np.where(np.isfinite(depth) & (depth > 0), depth, np.nan)


def sampled(depth: np.ndarray, size: tuple) -> np.ndarray:
    """Linear between pixel centres, clamped to the edge; NaN where a neighbour with weight is NaN."""
    axes = [(np.arange(n) + 0.5) * m / n - 0.5 for n, m in zip(size, depth.shape, strict=True)]
    rows, columns = np.meshgrid(*(np.clip(a, 0, m - 1) for a, m in zip(axes, depth.shape, strict=True)), indexing="ij")
    values, isknown = np.nan_to_num(depth), np.isfinite(depth).astype(float)
    weight = map_coordinates(isknown, [rows, columns], order=1, mode="nearest")
    return np.where(weight > 1 - 1e-9, map_coordinates(values, [rows, columns], order=1, mode="nearest"), np.nan)


def nearest(values: np.ndarray, size: tuple) -> np.ndarray:
    rows, columns = ((np.arange(n) + 0.5) * m / n for n, m in zip(size, values.shape, strict=True))
    return values[np.floor(rows).astype(int)[:, None], np.floor(columns).astype(int)[None, :]]


def steps(values: np.ndarray) -> list:
    """The nearest 8-bit steps, which no processor's rounding errors decide."""
    from_half = np.abs(values - np.floor(values) - 0.5)
    assert np.all((from_half == 0) | (from_half > 1e-6)), "a value hangs between two steps: choose other inputs"
    return np.rint(values).astype(int).reshape(-1).tolist()


def over(colour: np.ndarray, alpha: np.ndarray, image: np.ndarray) -> list:
    mixed = colour * alpha[..., None] + image * (1 - alpha[..., None])
    return steps(mixed)


def alone(colour: np.ndarray, alpha: np.ndarray) -> list:
    seen = np.where(alpha[..., None] > 0, colour, 0)
    return steps(np.concatenate([seen, 255 * alpha[..., None]], -1))


def ramp(depth: np.ndarray, near: float, far: float, opacity: float) -> tuple:
    t = np.clip((depth - near) / (far - near), 0, 1)
    missing = np.isnan(depth)
    t = np.where(missing, 0, t)[..., None]
    return (1 - t) * RED + t * BLUE, np.where(missing, 0, opacity)


def bands(depth: np.ndarray, opacity: float) -> tuple:
    colours = np.zeros((*depth.shape, 3))
    for index in np.ndindex(depth.shape):
        d = depth[index]
        if d < 1:
            colours[index] = (255, 0, 0)
        elif d < 2.5:
            t = (d - 1) / 1.5
            colours[index] = (255 * (1 - t), 255, 0)
        elif d < 5:
            colours[index] = (0, 255, 255)
        elif d >= 5:
            colours[index] = (0, 0, 255)
    return colours, np.where(np.isnan(depth), 0, opacity)


def blurred(depth: np.ndarray, sigma: float) -> np.ndarray:
    isknown = np.isfinite(depth)
    total = gaussian_filter(np.where(isknown, depth, 0), sigma, mode="constant")
    weight = gaussian_filter(isknown.astype(float), sigma, mode="constant")
    return np.divide(total, weight, out=np.full(depth.shape, np.nan), where=weight > 0)


def light(value: np.ndarray) -> np.ndarray:
    value = value / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def encoded(value: np.ndarray) -> np.ndarray:
    return 255 * np.where(value <= 0.0031308, 12.92 * value, 1.055 * value ** (1 / 2.4) - 0.055)


def compute() -> dict:
    given = inputs()
    depth, image = known(given["depth"]), given["image"].astype(float)
    at_pixels = sampled(depth, SIZE)
    flat = known(given["flat"])
    level = nearest(given["confidence"], SIZE) / 2
    foggy = sampled(blurred(depth, 0.8), SIZE)
    share = np.where(np.isnan(foggy), 0, np.clip(np.nan_to_num(foggy) / 4, 0, 1))
    # A hole wider than the kernel, 4 sigma, keeps a part that nothing reaches.
    wide = known(np.random.default_rng(3).uniform(0.5, 5, (40, 60)).astype(np.float32))
    wide[5:9, 10:22], wide[:, 40:] = np.nan, np.nan
    m = given["mask"].astype(float)[..., None]
    dimmed = encoded(light(image) * (m + (1 - m) * 2**-1.74))
    fog = np.array([128.0, 128, 128])

    def listed(values: np.ndarray) -> list:
        return [None if not math.isfinite(v) else float(v) for v in values.reshape(-1)]

    return {
        "width": SIZE[1],
        "height": SIZE[0],
        "mapWidth": depth.shape[1],
        "mapHeight": depth.shape[0],
        "depth": listed(given["depth"]),
        "flat": listed(given["flat"]),
        "confidence": given["confidence"].reshape(-1).tolist(),
        "mask": given["mask"].astype(float).reshape(-1).tolist(),
        "image": given["image"].reshape(-1).tolist(),
        "ramp": over(*ramp(at_pixels, 0.5, 5, 0.4), image),
        "rampAlone": alone(*ramp(at_pixels, 0.5, 5, 0.4)),
        "rampNarrow": over(*ramp(at_pixels, 1.2, 3.1, 0.75), image),
        "flatRamp": alone(*ramp(flat, 0.5, 5, 1.0)),
        "bands": over(*bands(at_pixels, 0.4), image),
        "flatBands": alone(*bands(flat, 1.0)),
        "confidenceTint": over(np.broadcast_to(RED, image.shape), 1 - level, image),
        "confidenceAlone": alone(np.broadcast_to(RED, image.shape), 1 - level),
        "fog": over(np.broadcast_to(fog, image.shape), share, image),
        "detections": steps(dimmed),
        "blurSigma": 1.7,
        "blurWidth": wide.shape[1],
        "blurDepth": listed(wide),
        "blurred": listed(blurred(wide, 1.7)),
    }


def unlike(stored: dict, fresh: dict) -> list[str]:
    """Arrays that differ: steps and inputs at all, depth that was blurred by more than rounding."""

    def blurred_alike(a: list, b: list) -> bool:
        return len(a) == len(b) and all(
            x is y is None or (None not in (x, y) and math.isclose(x, y, rel_tol=1e-12)) for x, y in zip(a, b, strict=True)
        )

    if stored.keys() != fresh.keys():
        return ["names of arrays"]
    return [k for k in stored if stored[k] != fresh[k] and not (k == "blurred" and blurred_alike(stored[k], fresh[k]))]


def main() -> int:
    fresh = compute()
    if sys.argv[1:] == ["--check"]:
        found = unlike(json.loads(FILE.read_text()), json.loads(json.dumps(fresh)))
        if found:
            print(f"{FILE} differs from a fresh computation in {', '.join(found)}", file=sys.stderr)
        else:
            print(f"{FILE.name} agrees with a fresh computation")
        return 1 if found else 0
    text = "{\n" + ",\n".join(f'"{k}": {json.dumps(v, separators=(",", ":"))}' for k, v in fresh.items()) + "\n}\n"
    FILE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
