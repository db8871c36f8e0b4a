"""Writes `golden/detector.json`: raw segmentation heads and what ultralytics makes of them.

    make_detector_golden.py            write the file
    make_detector_golden.py --check    compare the committed file with a fresh one, to 1e-5

Needs detector_requirements.txt (torch), so neither `make setup` nor CI runs it. The heads are made up: clusters of
overlapping boxes with scores on both sides of the threshold, some of them equal. Everything after that is ultralytics'
own code: non_max_suppression, crop_mask, process_mask, scale_boxes and scale_masks. See golden/README.md.
"""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path

import numpy as np
import torch
import torchvision  # noqa: F401  non_max_suppression uses its kernel where it is imported
import ultralytics
from ultralytics.utils import nms, ops

OUTPUT = Path(__file__).resolve().parent / "golden" / "detector.json"
MASKS, UPSAMPLED = 4, 1  # masks of a case that are given at prototype resolution and at the image's size

# name, classes, coefficients, prototype (w, h), stride, image (w, h), confidence, overlap
CASES = [
    ("no letterbox", 5, 32, (40, 30), 4, (128, 96), 0.75, 0.5),
    ("padded above and below", 3, 32, (32, 32), 4, (192, 144), 0.75, 0.5),
    ("padded left and right, low threshold", 80, 8, (32, 32), 4, (72, 96), 0.25, 0.45),
    ("padding of a fraction of a pixel", 2, 4, (32, 24), 4, (151, 101), 0.7, 0.5),
]


def head(generator, classes, coefficients, size, stride):
    """Predictions [4+C+K, A] and prototypes [K, mh, mw], float16: objects seen by several anchors each."""
    width, height = size[0] * stride, size[1] * stride
    columns = []
    for _ in range(9):
        centre = generator.uniform([0.1 * width, 0.1 * height], [0.9 * width, 0.9 * height])
        extent = generator.uniform([0.15 * width, 0.15 * height], [0.6 * width, 0.6 * height])
        label, weights = generator.integers(classes), generator.normal(size=coefficients)
        for _ in range(7):
            box = np.r_[centre + generator.normal(size=2) * 0.06 * extent, extent * generator.uniform(0.8, 1.2, 2)]
            scores = generator.uniform(0, 0.2, classes)
            # Steps of 1/16, so that scores are equal now and then; a neighbour class comes close.
            scores[label] = generator.integers(4, 16) / 16
            scores[(label + 1) % classes] = max(0.0, scores[label] - generator.uniform(0, 0.3))
            columns.append(np.r_[box, scores, weights + 0.1 * generator.normal(size=coefficients)])
    predictions = np.array(columns)[generator.permutation(len(columns))].T
    y, x = np.mgrid[0 : size[1], 0 : size[0]] / max(size)
    waves = generator.uniform(-6, 6, (coefficients, 3, 1, 1))
    prototypes = np.cos(waves[:, 0] * x + waves[:, 1] * y + waves[:, 2]) * 0.7
    return predictions.astype("f2"), prototypes.astype("f2")


def text(array, kind):
    return base64.b64encode(np.ascontiguousarray(array, kind).tobytes()).decode()


def case(generator, name, classes, coefficients, size, stride, image, confidence, overlap):
    predictions, prototypes = head(generator, classes, coefficients, size, stride)
    batch, protos = torch.from_numpy(predictions.astype("f4"))[None], torch.from_numpy(prototypes.astype("f4"))
    found, kept = nms.non_max_suppression(batch, confidence, overlap, nc=classes, return_idxs=True)
    found, kept = found[0], kept[0]
    boxes, scores, labels, weights = found[:, :4], found[:, 4], found[:, 5], found[:, 6:]
    input_shape, image_shape = (size[1] * stride, size[0] * stride), (image[1], image[0])

    logits = (weights @ protos.view(coefficients, -1)).view(-1, size[1], size[0])
    masks = ops.crop_mask(logits.sigmoid(), boxes / stride)
    binary = ops.process_mask(protos, weights, boxes, input_shape)
    assert bool(((masks > 0.5) == binary.bool()).all())
    upsampled = ops.scale_masks(masks[None, :UPSAMPLED], image_shape)[0]
    return {
        "name": name, "classes": classes, "coefficients": coefficients, "anchors": predictions.shape[1],
        "mask_width": size[0], "mask_height": size[1], "stride": stride,
        "image_width": image[0], "image_height": image[1], "confidence": confidence, "overlap": overlap,
        "predictions": text(predictions, "<f2"), "prototypes": text(prototypes, "<f2"),
        "kept": kept.int().tolist(), "labels": labels.int().tolist(), "scores": text(scores, "<f4"),
        "boxes": text(boxes, "<f4"), "image_boxes": text(ops.scale_boxes(input_shape, boxes.clone(), image_shape), "<f4"),
        # 0…1 as 0…65535: exact to 8e-6.
        "masks": text((masks[:MASKS].numpy() * 65535).round(), "<u2"),
        "mask_pixels": binary.sum((1, 2)).int().tolist(),
        "upsampled": text((upsampled.numpy() * 65535).round(), "<u2"),
    }


def golden():
    generator = np.random.default_rng(20260712)
    versions = {"ultralytics": ultralytics.__version__, "torch": torch.__version__.split("+")[0]}
    return {"versions": versions, "cases": [case(generator, *c) for c in CASES]}


def difference(a, b):
    """Largest difference of two cases; infinite where something that is not a measurement differs."""
    worst = 0.0
    for key, kind in [("scores", "<f4"), ("boxes", "<f4"), ("image_boxes", "<f4"), ("masks", "<u2"), ("upsampled", "<u2")]:
        left, right = (np.frombuffer(base64.b64decode(c[key]), kind).astype("f8") for c in (a, b))
        if left.shape != right.shape:
            return float("inf")
        scale = 65535 if kind == "<u2" else 1
        worst = max(worst, float(np.abs(left - right).max(initial=0)) / scale)
    exact = set(a) - {"scores", "boxes", "image_boxes", "masks", "upsampled"}
    return worst if all(a[key] == b[key] for key in exact) else float("inf")


if __name__ == "__main__":
    fresh = golden()
    if sys.argv[1:] == ["--check"]:
        stored = json.loads(OUTPUT.read_text())
        worst = max(difference(a, b) for a, b in zip(stored["cases"], fresh["cases"], strict=True))
        print(f"{OUTPUT.name}: worst difference {worst:.1e}, made with {stored['versions']}")
        sys.exit(worst > 2e-5)
    OUTPUT.write_text(json.dumps(fresh, indent=0) + "\n")
    print(f"{OUTPUT}: {OUTPUT.stat().st_size} bytes, " + ", ".join(f"{len(c['kept'])} of {c['anchors']}" for c in fresh["cases"]))
