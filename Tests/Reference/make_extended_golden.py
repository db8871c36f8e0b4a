"""Writes golden/extended.json: small maps and their metrics by extended_reference.py, for the Swift tests.

    make_extended_golden.py            needs requirements.txt
    make_extended_golden.py --check    exit 1 where the file differs from a fresh computation by more than 1e-9

Maps are Float32, row by row; 0 is unknown. Truth counts above 0.1 and up to 10 m. A metric that has no value is null. No ratio, angle
or disparity lies so near to a limit that rounding could decide.
"""

import json
import sys
from pathlib import Path

import numpy as np

import extended_reference as reference

FILE = Path(__file__).parent / "golden" / "extended.json"
WIDTH, HEIGHT = 17, 12
CAMERA = (15.5, 14.75, 8.25, 6.1)
BASELINE = 3.5


def plane(normal: tuple[float, float, float], distance: float) -> np.ndarray:
    """Depth of a plane n·P = distance."""
    fx, fy, cx, cy = CAMERA
    u = (np.arange(WIDTH)[None, :] + 0.5 - cx) / fx
    v = (np.arange(HEIGHT)[:, None] + 0.5 - cy) / fy
    return distance / (normal[0] * u + normal[1] * v + normal[2])


def sphere(distance: float, radius: float) -> np.ndarray:
    """Depth of a sphere on the optical axis; 0 beside it."""
    fx, fy, cx, cy = CAMERA
    u = (np.arange(WIDTH)[None, :] + 0.5 - cx) / fx
    v = (np.arange(HEIGHT)[:, None] + 0.5 - cy) / fy
    squared = u**2 + v**2 + 1
    inside = distance**2 - squared * (distance**2 - radius**2)
    return np.where(inside > 0, (distance - np.sqrt(np.maximum(inside, 0))) / squared, 0)


def shortest(values: np.ndarray) -> list[float]:
    """The decimals that tell a Float32 from its neighbours."""
    return [float(str(value)) for value in values.ravel()]


def cases() -> list[dict]:
    random = np.random.default_rng(46)
    wall = plane((0.3, -0.2, 0.93), 2.5)
    ball = sphere(3.0, 1.6)
    noisy = wall * (1 + random.normal(0, 0.02, wall.shape))
    holes = random.random(wall.shape) < 0.1
    far = random.uniform(0.5, 14, wall.shape)
    made = [
        ("equal maps", wall, wall, CAMERA, BASELINE),
        ("a turned plane", plane((0.1, 0.25, 0.96), 2.6), wall, CAMERA, BASELINE),
        ("noise", noisy, wall, CAMERA, BASELINE),
        ("a sphere, smaller", 0.97 * ball, ball, CAMERA, BASELINE),
        ("holes in the prediction", np.where(holes, 0, noisy), wall, CAMERA, BASELINE),
        ("holes in the truth", noisy, np.where(holes, 0, wall), CAMERA, BASELINE),
        ("truth beyond the range", far * random.uniform(0.9, 1.2, far.shape), far, CAMERA, BASELINE),
        ("no baseline", noisy, wall, CAMERA, None),
        ("no camera", noisy, wall, None, None),
        ("nothing predicted", 0 * wall, wall, CAMERA, BASELINE),
    ]
    found = []
    for name, predicted, truth, camera, baseline in made:
        predicted, truth = predicted.astype(np.float32), truth.astype(np.float32)
        counts = (truth > np.float32(0.1)) & (truth <= np.float32(10))
        values = reference.metrics(
            predicted.astype(np.float64), truth.astype(np.float64), counts, camera, baseline
        )
        found.append(
            {
                "name": name,
                "width": WIDTH,
                "height": HEIGHT,
                "camera": camera and list(camera),
                "baseline": baseline,
                "predicted": shortest(predicted),
                "truth": shortest(truth),
                "values": values,
            }
        )
    return found


def agree(a: object, b: object) -> bool:
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(agree(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(agree(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, float) and isinstance(b, float):
        return abs(a - b) <= 1e-9 * max(1, abs(a))
    return a == b


def main() -> int:
    fresh = cases()
    if "--check" in sys.argv[1:]:
        if agree(json.loads(FILE.read_text()), json.loads(json.dumps(fresh))):
            print(f"{FILE.name}: {len(fresh)} cases as computed anew")
            return 0
        print(f"{FILE.name} differs from a fresh computation")
        return 1
    FILE.write_text("[\n" + ",\n".join(json.dumps(case) for case in fresh) + "\n]\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
