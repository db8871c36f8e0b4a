"""Recomputes objects.csv from the data set, in numpy alone and from the definitions (domain: object points, box methods).

    python check_objects.py RUN DATA.h5

For the raw LiDAR and the true depth: which pixels are an object's, median depth, label, effect width, the boxes of
`pca-xz` and `six-point`, and the places `box` and `depth@…`. For every method: centre, size, yaw and placement errors
and IoU of the box that the file holds (footprints by polygon clipping, so upright boxes only). Detections against
projected true boxes, and the summary of all objects. Plane hits, random intervals and the other box methods are tested
elsewhere.
"""

import csv
import pathlib
import sys

import h5py
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Reference"))
import run_tables  # noqa: E402

LOW, HIGH, CONFIDENCE, SCORE, OVERLAP = np.float32(0.1), np.float32(4), 2, np.float32(0.75), 0.5
worst, compared = {}, {}


def check(row, name, expected, tolerance=1e-9):
    """Compares with a cell; lengths of metres, so that absolute and relative differ little."""
    text = row[name]
    where = f"{row['scene']}/{row['frame']} object {row['object']} {row['depth']} {row['method']}: {name}"
    if expected is None:
        if text != "":
            sys.exit(f"{where} is {text}, expected nothing")
        return
    if text == "":
        sys.exit(f"{where} is empty, expected {expected}")
    difference = abs(float(text) - expected) / max(1, abs(expected))
    worst[name] = max(worst.get(name, 0), difference)
    compared[name] = compared.get(name, 0) + 1
    if not difference <= tolerance:
        sys.exit(f"{where} is {text}, expected {expected}")


class Camera:
    """Pinhole with an ARKit or OpenCV pose; image points from the top left corner."""

    def __init__(self, scene, frame):
        k = scene["camera/intrinsics"][()]
        k = k[frame] if k.ndim == 3 else k
        self.k = k
        self.width, self.height = scene["camera"].attrs["image_size"]
        pose = scene["camera/world_from_camera"]
        sign = {"opencv": 1, "arkit": -1}[pose.attrs["convention"]]
        # Columns: right, down and forward in the world.
        self.axes = pose[frame, :3, :3] @ np.diag([1, sign, sign])
        self.position = pose[frame, :3, 3]

    def point(self, u, v, depth):
        ray = np.stack([(u - self.k[0, 2]) / self.k[0, 0], (v - self.k[1, 2]) / self.k[1, 1], np.ones_like(u)], -1)
        return ray * np.asarray(depth)[..., None] @ self.axes.T + self.position

    def project(self, points):
        p = (points - self.position) @ self.axes
        return np.stack([p[:, 0] / p[:, 2] * self.k[0, 0] + self.k[0, 2],
                         p[:, 1] / p[:, 2] * self.k[1, 1] + self.k[1, 2]], -1), p[:, 2]


def bilinear(mask, x, y):
    """Between pixel centres, clamped at the edges."""
    x, y = np.clip(x - 0.5, 0, mask.shape[1] - 1), np.clip(y - 0.5, 0, mask.shape[0] - 1)
    x0, y0 = np.floor(x).astype(int), np.floor(y).astype(int)
    x1, y1 = np.minimum(x0 + 1, mask.shape[1] - 1), np.minimum(y0 + 1, mask.shape[0] - 1)
    wx, wy = (x - x0).astype("f4"), (y - y0).astype("f4")
    return ((mask[y0, x0] * (1 - wx) + mask[y0, x1] * wx) * (1 - wy)
            + (mask[y1, x0] * (1 - wx) + mask[y1, x1] * wx) * wy)


def observe(scene, index, depth, confidence, camera):
    """Row, column and depth of an object's pixels, whether the mask chose them, and the box counted from the top."""
    objects = scene["objects"]
    x0, y0, x1, y1 = objects["bbox"][index].astype("f4")
    if objects["bbox"].attrs.get("origin", "top-left") == "bottom-left":
        y0, y1 = np.float32(camera.height) - y1, np.float32(camera.height) - y0
    h, w = depth.shape
    sx, sy = np.float32(w) / np.float32(camera.width), np.float32(h) / np.float32(camera.height)
    rows, columns = np.mgrid[max(0, int(y0 * sy)):min(h - 1, int(y1 * sy)) + 1,
                             max(0, int(x0 * sx)):min(w - 1, int(x1 * sx)) + 1]
    rows, columns = rows.ravel(), columns.ravel()
    d = depth[rows, columns]
    keep = (d >= LOW) & (d <= HIGH) & (confidence[rows, columns] >= CONFIDENCE)
    rows, columns, d = rows[keep], columns[keep], d[keep].astype(float)
    mask, isMasked = objects["mask"][index], False
    mask = mask.astype("f4") / 255 if mask.dtype.kind in "ui" else mask.astype("f4")
    stride = objects["mask"].attrs.get("stride", 4)
    mh, mw = mask.shape
    scale = min(mw * stride / camera.width, mh * stride / camera.height)
    px, py = (mw * stride - scale * camera.width) / 2, (mh * stride - scale * camera.height) / 2
    u, v = (columns + 0.5) / w * camera.width, (rows + 0.5) / h * camera.height
    if objects["mask"].attrs.get("origin", "top-left") == "bottom-left":
        v = camera.height - v
    inside = bilinear(mask, (u * scale + px) / stride, (v * scale + py) / stride) > 0.5
    area = (mask > 0.5).sum() * (stride / scale) ** 2
    if inside.sum() >= 3:
        rows, columns, d, isMasked = rows[inside], columns[inside], d[inside], True
    return rows, columns, d, isMasked, (float(x0), float(y0), float(x1), float(y1)), area


def upright(points, yaw):
    """Centre and size (length, height, width) of the box at a yaw around points."""
    length, width = np.array([np.cos(yaw), 0, np.sin(yaw)]), np.array([-np.sin(yaw), 0, np.cos(yaw)])
    axes = np.stack([length, [0, 1, 0], width])
    q = points @ axes.T
    low, high = q.min(0), q.max(0)
    return axes.T @ ((low + high) / 2), np.maximum(high - low, 0.02)


def pca_box(camera, shape, rows, columns, d):
    ordered, n = np.sort(d), len(d)
    keep = (d >= ordered[int(0.1 * n)]) & (d <= ordered[min(n - 1, int(0.9 * n))])
    u = (columns[keep] + 0.5) / shape[1] * camera.width
    v = (rows[keep] + 0.5) / shape[0] * camera.height
    points = camera.point(u, v, d[keep])
    if len(points) < 10:
        return len(points), None
    c = np.cov(points[:, [0, 2]].T, bias=True)
    yaw = np.arctan2(2 * c[0, 1], c[0, 0] - c[1, 1]) / 2
    return len(points), (*upright(points, yaw), yaw)


def six_point_box(camera, d, box):
    x0, y0, x1, y1 = box
    ordered, n = np.sort(d), len(d)
    corners = camera.point(np.array([x0, x1, x0, x1]), np.array([y0, y0, y1, y1]), np.full(4, np.median(d)))
    ends = np.array([ordered[int(0.05 * n)], ordered[min(n - 1, int(0.95 * n))]])
    ends = camera.point(np.full(2, (x0 + x1) / 2), np.full(2, (y0 + y1) / 2), ends)
    forward = camera.axes[:, 2]
    yaw = np.arctan2(forward[0], -forward[2])  # of forward × up
    center, size = upright(corners, yaw)
    deep, deep_size = upright(np.vstack([corners, ends]), yaw)
    width = np.array([-np.sin(yaw), 0, np.cos(yaw)])
    center = center + width * (width @ (deep - center))
    return center, np.array([size[0], size[1], deep_size[2]]), yaw


def place(center, size):
    return center + np.array([0, min(0.02, size[1] / 2) - size[1] / 2, 0])


def footprint(center, size, yaw):
    c, s = np.cos(yaw), np.sin(yaw)
    return [np.array([center[0] + a * c * size[0] / 2 - b * s * size[2] / 2,
                      center[2] + a * s * size[0] / 2 + b * c * size[2] / 2])
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]


def clipped(polygon, window):
    """Sutherland & Hodgman; both counter-clockwise."""
    for a, b in zip(window, window[1:] + window[:1]):
        kept = []
        side = lambda p: (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])  # noqa: E731
        for p, q in zip(polygon, polygon[1:] + polygon[:1]):
            d, e = side(p), side(q)
            if d >= 0:
                kept.append(p)
            if (d >= 0) != (e >= 0):
                kept.append(p + (q - p) * d / (d - e))
        polygon = kept
        if not polygon:
            break
    return polygon


def area(polygon):
    return abs(sum(p[0] * q[1] - p[1] * q[0] for p, q in zip(polygon, polygon[1:] + polygon[:1]))) / 2


def iou(a, b):
    shared = area(clipped(footprint(*a), footprint(*b))) * max(
        0, min(a[0][1] + a[1][1] / 2, b[0][1] + b[1][1] / 2) - max(a[0][1] - a[1][1] / 2, b[0][1] - b[1][1] / 2))
    return shared / (np.prod(a[1]) + np.prod(b[1]) - shared)


def corners(center, size, yaw):
    bottom = footprint(center, size, yaw)
    return np.array([[x, center[1] + side * size[1] / 2, z] for x, z in bottom for side in (-1, 1)])


def turn(a, b, c):
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])


def outline(camera, truth):
    """Convex polygon of the true box in the image plane; None where it reaches behind the camera."""
    uv, depth = camera.project(corners(*truth))
    if (depth < 0.05).any():
        return None
    points = sorted(map(tuple, uv))
    hull = []
    for sequence in (points, points[::-1]):
        start = len(hull)
        for p in sequence:
            while len(hull) >= start + 2 and turn(hull[-2], hull[-1], p) <= 0:
                hull.pop()
            hull.append(p)
        hull.pop()
    return [np.array(p) for p in hull]


def check_errors(row, box, truth, camera):
    step = box[0] - truth[0]
    sight = truth[0] - camera.position
    along = step @ sight / np.linalg.norm(sight)
    check(row, "center_along_ray_m", along)
    check(row, "center_across_ray_m", np.sqrt(max(step @ step - along * along, 0)), 1e-7)
    check(row, "ate_m", np.hypot(step[0], step[2]))
    turns = round((truth[2] - box[2]) / (np.pi / 2))
    size = box[1][[2, 1, 0]] if turns % 2 else box[1]
    yaw = box[2] + turns * np.pi / 2
    check(row, "yaw_error_deg", abs(np.degrees(yaw - truth[2])), 1e-7)
    for name, value in zip(("length", "height", "width"), size - truth[1]):
        check(row, name + "_error_m", value)
    common = np.prod(np.minimum(size, truth[1]))
    check(row, "ase", 1 - common / (np.prod(size) + np.prod(truth[1]) - common))
    turn = (box[2] - truth[2]) % np.pi
    check(row, "aoe_rad", min(turn, np.pi - turn), 1e-7)
    if row["method"] != "pca-3d":
        check(row, "iou", iou(box, truth))
    check(row, "placement_box_cm", 100 * np.linalg.norm(place(*box[:2]) - place(*truth[:2])))


def read_box(row, stem):
    if row[stem + "_x_m"] == "":
        return None
    number = lambda name: float(row[f"{stem}_{name}"])  # noqa: E731
    return (np.array([number("x_m"), number("y_m"), number("z_m")]),
            np.array([number("length_m"), number("height_m"), number("width_m")]), number("yaw_rad"))


def anchors(camera, box):
    x0, y0, x1, y1 = np.array(box, "f4")
    middle = (float(x0 + x1) / 2, float(y0 + y1) / 2)
    edges = [((x1, middle[1]), camera.axes[1, 0]), ((x0, middle[1]), -camera.axes[1, 0]),
             ((middle[0], y1), camera.axes[1, 1]), ((middle[0], y0), -camera.axes[1, 1])]
    return {"centre": middle, "bottom_centre": np.array(min(edges, key=lambda edge: edge[1])[0], float)}


def check_row(row, scene, truths, maps, camera):
    index = int(row["object"])
    truth, stored = truths[index], read_box(row, "true")
    assert np.array_equal(np.hstack([*stored]), np.hstack([*truth])), "the true box is not the file's"
    check(row, "range_m", np.linalg.norm(truth[0] - camera.position))
    shape = maps["lidar"].shape
    rows, columns, d, isMasked, box, mask_area = observe(
        scene, index, maps[row["depth"]], maps["confidence"], camera)
    polygon = outline(camera, truth)
    if polygon is not None:
        window = [np.array(p, float) for p in
                  ((0, 0), (camera.width, 0), (camera.width, camera.height), (0, camera.height))]
        check(row, "visibility", mask_area / area(polygon), 1e-6)
        check(row, "in_image", area(clipped(polygon, window)) / area(polygon), 1e-6)
    if len(d) == 0:
        assert row["status"] == "no_depth", row
        return
    median = np.median(d)
    expected = None
    if row["method"] in ("pca-xz", "six-point"):
        assert row["masked"] == ("yes" if isMasked else "no"), row
        check(row, "median_depth_m", median)
        assert row["label"] == f"{median:.2f} m", row
        *_, true_depths, _, _, _ = observe(scene, index, maps["truth"], maps["confidence"], camera)
        check(row, "label_error_m", median - np.median(true_depths) if len(true_depths) else None)
        width = float(np.float32(box[2]) - np.float32(box[0]))  # boxes are Float32
        check(row, "effect_width_m", min(max(width * median / camera.k[0, 0], 0.1), 3))
        for name, (u, v) in anchors(camera, box).items():
            point = camera.point(np.array(u), np.array(v), median)
            check(row, f"placement_depth_{name}_cm", 100 * np.linalg.norm(point - place(*truth[:2])), 1e-8)
    if row["method"] == "pca-xz":
        count, expected = pca_box(camera, shape, rows, columns, d)
        check(row, "points", count)
        assert row["status"] == ("ok" if expected else "too_few_points"), row
    elif row["method"] == "six-point":
        expected = six_point_box(camera, d, box)
    found = read_box(row, "box")
    if expected:
        gap = float(row["eigenvalue_gap"] or 1)
        turn = abs((found[2] - expected[2] + np.pi / 2) % np.pi - np.pi / 2)
        # The axis of a nearly round footprint magnifies rounding.
        assert turn * gap < 1e-8, (row, expected)
        if gap > 1e-3:
            for name, value in zip(("x_m", "y_m", "z_m", "length_m", "height_m", "width_m"), np.hstack(expected[:2])):
                check(row, "box_" + name, value, 1e-7)
    if found:
        check_errors(row, found, truth, camera)


def check_detections(run, data):
    """Best first, each takes the free true box of its frame and class that it overlaps most."""
    counts = {}
    for scene in data["scenes"].values():
        objects = scene["objects"]
        frames, labels = objects["frame"][:], objects["class"].asstr()[:]
        scores, boxes = objects["score"][:], objects["bbox"][:].astype(float)
        for frame in np.unique(frames):
            camera = Camera(scene, frame)
            truths, known = [], set()
            for i in np.flatnonzero(frames == frame):
                truth = read_truth(scene, i)
                key = (labels[i], *np.hstack([*truth]))
                uv, depth = camera.project(corners(*truth))
                if key in known or not (depth > 0.05).all():
                    assert (depth > 0.05).all(), "boxes behind the camera are not recomputed here"
                    continue
                known.add(key)
                low = np.maximum(uv.min(0), 0)
                high = np.minimum(uv.max(0), [camera.width, camera.height])
                if (high > low).all():
                    truths.append((labels[i], np.hstack([low, high])))
            free = [True] * len(truths)
            for i in sorted(np.flatnonzero(frames == frame), key=lambda i: -scores[i]):
                if not scores[i] > SCORE:
                    continue
                x0, y0, x1, y1 = boxes[i]
                if objects["bbox"].attrs.get("origin", "top-left") == "bottom-left":
                    y0, y1 = camera.height - y1, camera.height - y0
                overlaps = []
                for t, (label, b) in enumerate(truths):
                    w, h = min(x1, b[2]) - max(x0, b[0]), min(y1, b[3]) - max(y0, b[1])
                    common = max(w, 0) * max(h, 0)
                    union = (x1 - x0) * (y1 - y0) + (b[2] - b[0]) * (b[3] - b[1]) - common
                    if free[t] and label == labels[i] and common / union >= OVERLAP:
                        overlaps.append((common / union, t))
                entry = counts.setdefault(labels[i], [0, 0, 0])
                if overlaps:
                    free[max(overlaps)[1]] = False
                    entry[0] += 1
                else:
                    entry[1] += 1
            for (label, _), isFree in zip(truths, free):
                counts.setdefault(label, [0, 0, 0])[2] += isFree
    counts["all"] = list(np.sum(list(counts.values()), axis=0))
    for row in run_tables.rows(run, "detections.csv"):
        found = [int(row[name]) for name in ("matched", "spurious", "missed")]
        expected = counts.pop(row["class"] if row["by"] == "class" else "all")
        assert found == expected, (row, expected)
        matched, spurious, missed = expected
        for name, whole in (("precision", matched + spurious), ("recall", matched + missed)):
            value = matched / whole if whole else None
            assert (row[name] == "") if value is None else abs(float(row[name]) - value) < 1e-12, row
    assert not counts, f"not in detections.csv: {sorted(counts)}"


def check_summary(run, rows):
    """Median or mean over a scene's objects, then mean over scenes."""
    columns = {"placement_cm": ("placement_box_cm", np.median), "iou": ("iou", np.mean),
               "yaw_error_deg": ("yaw_error_deg", np.median), "center_along_ray_m": ("center_along_ray_m", np.median)}
    total = 0
    for group in run_tables.rows(run, "object_summary.csv"):
        if group["by"] != "all":
            continue
        chosen = [r for r in rows if r["depth"] == group["depth"] and r["method"] in (group["method"], "")]
        assert len(chosen) == int(group["objects"]), group
        assert sum(r["status"] == "ok" for r in chosen) == int(group["boxed"]), group
        for name, (column, centre) in columns.items():
            scenes = {}
            for r in chosen:
                if r[column] != "":
                    scenes.setdefault(r["scene"], []).append(float(r[column]))
            if not scenes:
                assert group[name] == "", group
                continue
            expected = np.mean([centre(v) for v in scenes.values()])
            assert abs(float(group[name]) - expected) <= 1e-9 * max(1, abs(expected)), (group, name, expected)
            total += 1
    assert total > 0
    return total


def read_truth(scene, index):
    truth = scene["objects/truth"]
    return truth["center"][index], truth["size"][index], float(truth["yaw"][index])


def main():
    run, path = pathlib.Path(sys.argv[1]), sys.argv[2]
    rows = list(csv.DictReader(open(run / "objects.csv")))
    cameras, maps, truths = {}, {}, {}
    with h5py.File(path) as data:
        for row in rows:
            scene = data["scenes"][row["scene"]]
            index = int(row["object"])
            assert (row["status"] == "low_score") == (not scene["objects/score"][index] > SCORE), row
            if row["status"] == "low_score" or row["depth"] not in ("lidar", "truth"):
                continue
            frame = int(scene["objects/frame"][index])
            key = (row["scene"], frame)
            if key not in cameras:
                cameras[key] = Camera(scene, frame)
                lidar, truth = scene["lidar/depth"][frame], scene["truth/depth"][frame]
                (h, w), (th, tw) = lidar.shape, truth.shape
                nearest = np.ix_((2 * np.arange(h) + 1) * th // (2 * h), (2 * np.arange(w) + 1) * tw // (2 * w))
                maps[key] = {"lidar": lidar, "truth": truth[nearest], "confidence": scene["lidar/confidence"][frame]}
                truths[row["scene"]] = {i: read_truth(scene, i) for i in range(len(scene["objects/frame"]))}
            check_row(row, scene, truths[row["scene"]], maps[key], cameras[key])
        check_detections(run, data)
    summaries = check_summary(run, rows)
    assert compared.get("iou", 0) > 50 and compared.get("box_x_m", 0) > 20, "hardly anything was compared"
    print(f"objects.csv agrees with numpy: {len(rows)} rows, {sum(compared.values())} numbers, largest difference "
          f"{max(worst.values()):.1e} ({max(worst, key=worst.get)}); {summaries} means of object_summary.csv; detections")


main()
