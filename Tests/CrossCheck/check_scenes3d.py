"""Holds the 3-D files of `fathom render` against points and boxes that are computed here from the HDF5 file.

    check_scenes3d.py PATH/TO/fathom [DATA.h5]     exit 1 where they disagree

- PLY by plyfile, OBJ and glTF by trimesh, USD by Pixar's own library (usd-core), which also validates it
- every vertex, colour and confidence of the LiDAR and the truth, of a fused map, and under thresholds
- maps of methods that look back, draw at random or choose, by their MAE in a run of `fathom evaluate`
- the same scene with OpenCV poses, in a z-up world, and without poses
- boxes: corners, volumes, labels, groups; the same in OBJ and USD
"""

import argparse
import csv
import json
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np
import trimesh
from plyfile import PlyData
from pxr import Usd, UsdGeom, UsdValidation

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Reference"))
import depth_reference as reference  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
# Float32 coordinates of a few metres.
TOLERANCE = 2e-6
# A fused map is Float32 too and has the line's rounding in it.
FUSED_TOLERANCE = 1e-5

METHODS = ["smoothed", "ransac", "auto", "lwlr"]

checks = 0
problems: list[str] = []


def check(name: str, passed, detail: str = "") -> None:
    global checks
    checks += 1
    if not passed:
        problems.append(f"{name}: {detail}")


def close(name: str, ours, expected, tolerance: float = TOLERANCE) -> None:
    ours, expected = np.asarray(ours, float), np.asarray(expected, float)
    if ours.shape != expected.shape:
        check(name, False, f"{ours.shape}, expected {expected.shape}")
        return
    largest = float(np.abs(ours - expected).max()) if ours.size else 0.0
    check(name, largest <= tolerance, f"differs by {largest:.3g}, at most {tolerance:.3g}")


# --- what is expected, from the file alone


def pixel_centres(shape):
    rows, columns = np.indices(shape)
    return (columns + 0.5) / shape[1], (rows + 0.5) / shape[0]


def nearest(image, shape):
    """The pixel of `image` that holds the centre of each pixel of a map of this shape."""
    rows = (2 * np.arange(shape[0]) + 1) * image.shape[0] // (2 * shape[0])
    columns = (2 * np.arange(shape[1]) + 1) * image.shape[1] // (2 * shape[1])
    return image[np.ix_(rows, columns)]


def world_from_camera(scene, frame):
    """From camera axes x right, y down, z forward to a y-up world; the ARKit camera itself without poses."""
    to_arkit = np.diag([1.0, -1, -1, 1])
    poses = scene.get("camera/world_from_camera")
    if poses is None:
        return to_arkit
    pose = poses[frame] @ (to_arkit if poses.attrs["convention"] == "arkit" else np.eye(4))
    if poses.attrs.get("up", "y") == "z":
        turn = np.eye(4)
        turn[:3, :3] = [[1, 0, 0], [0, 0, 1], [0, -1, 0]]
        pose = turn @ pose
    return pose


def cloud(scene, frame, depth, confidence_from=0, near=0.0, far=np.inf):
    """Points, colours and confidences of a map, row by row."""
    k = scene["camera/intrinsics"][()]
    k = k[frame] if k.ndim == 3 else k
    width, height = scene["camera"].attrs["image_size"]
    u, v = pixel_centres(depth.shape)
    z = depth.astype(float)
    rays = np.stack([(u * width - k[0, 2]) / k[0, 0], (v * height - k[1, 2]) / k[1, 1], np.ones_like(z)], -1)
    confidence = nearest(scene["lidar/confidence"][frame], depth.shape)
    kept = np.isfinite(z) & (z > 0) & (confidence >= confidence_from) & (z >= near) & (z <= far)
    pose = world_from_camera(scene, frame)
    points = (rays * z[..., None])[kept] @ pose[:3, :3].T + pose[:3, 3]
    return points, nearest(scene["image/rgb"][frame], depth.shape)[kept], confidence[kept]


def true_boxes(scene, frame):
    """Label, score, distance and corners of each true box of a frame, in a y-up world."""
    objects = scene["objects"]
    camera = np.linalg.inv(world_from_camera(scene, frame))
    z_up = scene["camera/world_from_camera"].attrs.get("up", "y") == "z"
    boxes = []
    for i in np.flatnonzero(objects["frame"][()] == frame):
        centre, size, yaw = (objects[f"truth/{name}"][i] for name in ("center", "size", "yaw"))
        if not np.isfinite([*centre, *size, yaw]).all():
            continue
        if z_up:
            centre = np.array([centre[0], centre[2], -centre[1]])
        along, across = np.array([np.cos(yaw), 0, np.sin(yaw)]), np.array([-np.sin(yaw), 0, np.cos(yaw)])
        corners = [
            centre + a * size[0] / 2 * along + b * size[1] / 2 * np.array([0, 1, 0]) + c * size[2] / 2 * across
            for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)
        ]
        distance = (camera @ [*centre, 1])[2]
        boxes.append((objects["class"].asstr()[i], float(objects["score"][i]), distance, np.array(corners), size))
    return boxes


# --- what Fathom writes


class Fathom:
    def __init__(self, command: Path, folder: Path):
        self.command, self.folder, self.count = command, folder, 0

    def render(self, data, ending, *options, code=0):
        self.count += 1
        path = self.folder / f"{self.count}{ending}"
        run = subprocess.run([self.command, "render", data, "--output", path, "--quiet", *options], capture_output=True, text=True)
        check(f"exit code of {options}", run.returncode == code, f"{run.returncode}: {run.stderr}")
        return path


def read_ply(path):
    ply = PlyData.read(path)
    check(f"{path.name} is binary little-endian", not ply.text and ply.byte_order == "<")
    v = ply["vertex"]
    names = [p.name for p in v.properties]
    check("PLY properties", names == ["x", "y", "z", "red", "green", "blue", "confidence"], str(names))
    return np.stack([v["x"], v["y"], v["z"]], 1), np.stack([v["red"], v["green"], v["blue"]], 1), np.asarray(v["confidence"])


def compare_cloud(name, path, expected, tolerance=TOLERANCE):
    points, colours, confidence = read_ply(path)
    close(f"{name}: points", points, expected[0], tolerance)
    check(f"{name}: colours", np.array_equal(colours, expected[1]))
    check(f"{name}: confidence", np.array_equal(confidence, expected[2]))
    return len(points)


def read_obj(path):
    """Objects in the order of the file: name, group, vertices, faces."""
    objects, vertices = [], []
    for line in path.read_text().splitlines():
        key, _, rest = line.partition(" ")
        if key == "o":
            objects.append({"name": rest, "faces": [], "first": len(vertices)})
        elif key == "g":
            objects[-1]["group"] = rest
        elif key == "v":
            vertices.append([float(x) for x in rest.split()])
        elif key == "f":
            objects[-1]["faces"].append([int(i) - 1 for i in rest.split()])
    for o in objects:
        o["vertices"] = np.array(vertices[o["first"]: o["first"] + 8])
        o["quads"] = np.array(o["faces"]) - o["first"]
    return objects


def same_corners(name, ours, expected, tolerance=5e-6):
    """As sets: each has its own order."""
    distances = np.linalg.norm(np.asarray(ours)[:, None] - np.asarray(expected)[None], axis=-1)
    check(name, (distances.min(1) < tolerance).all() and (distances.min(0) < tolerance).all(), f"{distances.min(1).max():.3g}")


def compare_boxes(name, path, expected):
    objects = read_obj(path)
    for o in objects:
        solid = trimesh.Trimesh(o["vertices"], [t for q in o["quads"] for t in ([q[0], q[1], q[2]], [q[0], q[2], q[3]])], process=False)
        check(f"{name}: {o['name']} is a closed box seen from outside", o["quads"].shape == (6, 4) and solid.is_watertight and solid.is_winding_consistent and solid.volume > 0)
    truth = [o for o in objects if o["group"] == "truth"]
    fitted = [o for o in objects if o["group"] != "truth"]
    check(f"{name}: number of true boxes", len(truth) == len(expected), f"{len(truth)} of {len(expected)}")
    check(f"{name}: groups of fitted boxes", fitted and all(o["group"].startswith("fitted_") for o in fitted))
    for o, (label, score, distance, corners, size) in zip(truth, expected):
        same_corners(f"{name}: {o['name']}", o["vertices"], corners)
        text = f"{label.replace(' ', '_')}_{100 * score:.0f}%_{distance:.2f}m"
        check(f"{name}: label", o["name"].endswith(text) or o["name"].rsplit("_", 1)[0].endswith(text), f"{o['name']}, expected {text}")
    loaded = trimesh.load(path, process=False, split_object=True, group_material=False)
    geometry = loaded.geometry.values() if isinstance(loaded, trimesh.Scene) else [loaded]
    check(f"{name}: trimesh reads all", sum(len(g.faces) for g in geometry) == 12 * len(objects))
    return objects


def compare_glb(name, path, ply, objects):
    """By trimesh, which reads points, nodes and matrices; and by the format's own words: chunks, alignment, accessors."""
    data = path.read_bytes()
    magic, version, length, json_length = struct.unpack_from("<4sIII", data)
    check(f"{name}: header", magic == b"glTF" and version == 2 and length == len(data) and json_length % 4 == 0)
    document = json.loads(data[20 : 20 + json_length])
    binary = data[28 + json_length :]
    check(f"{name}: buffer", document["buffers"][0]["byteLength"] <= len(binary) and len(binary) % 4 == 0)
    for view in document["bufferViews"]:
        check(f"{name}: a view ends in the buffer", view["byteOffset"] % 4 == 0 and view["byteOffset"] + view["byteLength"] <= len(binary))
    positions, colours, confidence = read_ply(ply)
    points = next(m for m in document["meshes"] if m["name"] == "points")["primitives"][0]["attributes"]

    def values(attribute, kind, width):
        accessor = document["accessors"][points[attribute]]
        view = document["bufferViews"][accessor["bufferView"]]
        return np.frombuffer(binary, kind, accessor["count"] * width, view["byteOffset"]).reshape(-1, width), accessor

    stored, accessor = values("POSITION", "<f4", 3)
    close(f"{name}: points", stored, positions, 0)
    close(f"{name}: ends", [accessor["min"], accessor["max"]], [positions.min(0), positions.max(0)], 0)
    srgb = colours / 255
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    close(f"{name}: colours", values("COLOR_0", "<u2", 4)[0][:, :3] / 65535, linear, 1e-5)
    close(f"{name}: confidence", values("_CONFIDENCE", "<f4", 1)[0][:, 0], confidence, 0)
    scene = trimesh.load(path, process=False)
    clouds = [g for g in scene.geometry.values() if isinstance(g, trimesh.PointCloud)]
    check(f"{name}: trimesh reads one cloud", len(clouds) == 1 and len(clouds[0].vertices) == len(positions))
    nodes = [n for n in document["nodes"] if "matrix" in n]
    check(f"{name}: boxes", len(nodes) == len(objects), f"{len(nodes)} of {len(objects)}")
    unit = np.array([[x, y, z, 1] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    for node, o in zip(nodes, objects):
        matrix = np.array(node["matrix"]).reshape(4, 4)
        same_corners(f"{name}: {node['name']}", (unit @ matrix)[:, :3], o["vertices"])
        check(f"{name}: group of {node['name']}", node["extras"]["origin"] == o["group"])
    boxes = [g for g in scene.geometry.values() if isinstance(g, trimesh.Trimesh)]
    check(f"{name}: trimesh reads closed boxes", bool(boxes) and all(g.is_watertight and g.volume > 0 for g in boxes))


def thinned(points, colours, confidence, edge):
    """The mean of the points in each cube, with the highest confidence; cubes in the order in which they are first met."""
    cells = np.floor(points.astype(float) / edge).astype(np.int64)
    _, first, inverse = np.unique(cells, axis=0, return_index=True, return_inverse=True)
    inverse, count = inverse.ravel(), np.bincount(inverse.ravel()).astype(float)
    mean = lambda v: np.stack([np.bincount(inverse, v[:, k].astype(float)) / count for k in range(3)], 1)
    highest = np.zeros(len(count), np.uint8)
    np.maximum.at(highest, inverse, confidence)
    order = np.argsort(first)
    return mean(points)[order], mean(colours)[order], highest[order]


def compare_thinned(name, path, expected):
    points, colours, confidence = read_ply(path)
    close(f"{name}: points", points, expected[0], 1e-5)
    close(f"{name}: colours", colours, expected[1], 0.5001)
    check(f"{name}: confidence", np.array_equal(confidence, expected[2]))
    return len(points)


def compare_usd(name, path, ply, objects):
    stage = Usd.Stage.Open(str(path))
    check(f"{name}: stage", UsdGeom.GetStageMetersPerUnit(stage) == 1 and UsdGeom.GetStageUpAxis(stage) == "Y" and bool(stage.GetDefaultPrim()))
    registry = UsdValidation.ValidationRegistry()
    validators = registry.GetOrLoadValidatorsByName([m.name for m in registry.GetAllValidatorMetadata()])
    errors = UsdValidation.ValidationContext(validators).Validate(stage)
    check(f"{name}: USD's own validators", len(validators) > 20 and not errors, "; ".join(e.GetMessage() for e in errors))
    points = [UsdGeom.Points(p) for p in stage.Traverse() if p.IsA(UsdGeom.Points)]
    check(f"{name}: one set of points", len(points) == 1)
    positions, colours, confidence = read_ply(ply)
    close(f"{name}: points", points[0].GetPointsAttr().Get(), positions, 0)
    display = UsdGeom.PrimvarsAPI(points[0]).GetPrimvar("displayColor")
    srgb = colours / 255
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    check(f"{name}: colour per point", display.GetInterpolation() == "vertex")
    close(f"{name}: colours", display.Get(), linear, 1e-6)
    close(f"{name}: confidence", UsdGeom.PrimvarsAPI(points[0]).GetPrimvar("confidence").Get(), confidence, 0)
    extent = np.array(points[0].GetExtentAttr().Get())
    check(f"{name}: extent", (extent[0] <= positions.min(0)).all() and (extent[1] >= positions.max(0)).all())
    cubes = [p for p in stage.Traverse() if p.IsA(UsdGeom.Cube)]
    check(f"{name}: boxes", len(cubes) == len(objects), f"{len(cubes)} of {len(objects)}")
    unit = [[x, y, z, 1] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
    for prim, o in zip(cubes, objects):
        matrix = np.array(UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(Usd.TimeCode.Default()))
        same_corners(f"{name}: {prim.GetPath()}", (np.array(unit) @ matrix)[:, :3], o["vertices"])
        data = prim.GetCustomData()
        label = f"{data['class'].replace(' ', '_')}_{100 * data['score']:.0f}%_{data['distance']:.2f}m"
        check(f"{name}: {prim.GetPath()} is {o['name']}", label in o["name"] and prim.GetParent().GetName() == o["group"].replace("-", "_"), label)


# --- the same scene told otherwise


def variant(source: Path, target: Path, change) -> Path:
    shutil.copy(source, target)
    with h5py.File(target, "r+") as file:
        for scene in file["scenes"].values():
            change(scene)
    return target


def to_opencv(scene):
    poses = scene["camera/world_from_camera"]
    poses[...] = poses[()] @ np.diag([1.0, -1, -1, 1])
    poses.attrs["convention"] = "opencv"


def to_z_up(scene):
    turn = np.eye(4)
    turn[:3, :3] = [[1, 0, 0], [0, 0, -1], [0, 1, 0]]
    poses = scene["camera/world_from_camera"]
    poses[...] = turn @ poses[()]
    poses.attrs["up"] = "z"
    centres = scene["objects/truth/center"]
    centres[...] = centres[()] @ turn[:3, :3].T


def without_poses(scene):
    del scene["camera/world_from_camera"]


def check_file(fathom: Fathom, data: Path) -> int:
    points = 0
    with h5py.File(data) as file:
        for name, scene in file["scenes"].items():
            last = len(scene["lidar/depth"]) - 1
            lidar, truth = scene["lidar/depth"][last], scene["truth/depth"][last]
            pick = ["--scene", name, "--frame", str(last)]
            ply = fathom.render(data, ".ply", *pick)
            points += compare_cloud(f"{name}: lidar", ply, cloud(scene, last, lidar))
            path = fathom.render(data, ".ply", *pick, "--min-confidence", "2", "--depth-range", "1.5:3")
            points += compare_cloud(f"{name}: thresholds", path, cloud(scene, last, lidar, 2, 1.5, 3))
            path = fathom.render(data, ".ply", *pick, "--source", "truth")
            points += compare_cloud(f"{name}: truth", path, cloud(scene, last, truth))
            obj = fathom.render(data, ".obj", *pick, "--boxes", "auto,pca-3d,truth")
            objects = compare_boxes(f"{name}: boxes", obj, true_boxes(scene, last))
            usda = fathom.render(data, ".usda", *pick, "--boxes", "auto,pca-3d,truth")
            compare_usd(f"{name}: usd", usda, ply, objects)
            glb = fathom.render(data, ".glb", *pick, "--boxes", "auto,pca-3d,truth")
            compare_glb(f"{name}: glb", glb, ply, objects)
            merged = fathom.render(data, ".ply", "--scene", name, "--all-frames", "--merge", "--min-confidence", "0", "--voxel", "0")
            all_frames = [cloud(scene, i, scene["lidar/depth"][i]) for i in range(last + 1)]
            points += compare_cloud(f"{name}: merged", merged, [np.concatenate(part) for part in zip(*all_frames)])
            # A point on the border of two cubes may fall to either: Float32 positions decide, as they are in the file.
            sure = [cloud(scene, i, scene["lidar/depth"][i], 1) for i in range(last + 1)]
            whole = fathom.render(data, ".ply", "--scene", name, "--all-frames", "--merge", "--min-confidence", "1", "--voxel", "0")
            points += compare_cloud(f"{name}: confident", whole, [np.concatenate(part) for part in zip(*sure)])
            thin = fathom.render(data, ".ply", "--scene", name, "--all-frames", "--merge")
            points += compare_thinned(f"{name}: thinned", thin, thinned(*read_ply(whole), 0.01))
            folder = fathom.render(data, "", "--scene", name, "--all-frames", "--format", "ply")
            manifest = json.loads((folder / "render.json").read_text())
            for i, entry in enumerate(manifest["files"]):
                points += compare_cloud(f"{name}: folder", folder / entry["file"], all_frames[i])
    return points


def check_fused(fathom: Fathom, data: Path) -> None:
    for name in reference.scene_names(data):
        map_ = reference.fuse(reference.read_frame(data, name, 0), "ols@disparity").depth_map
        with h5py.File(data) as file:
            path = fathom.render(data, ".ply", "--scene", name, "--source", "ols@disparity")
            compare_cloud(f"{name}: ols", path, cloud(file["scenes"][name], 0, map_), FUSED_TOLERANCE)


def check_methods(fathom: Fathom, data: Path) -> None:
    """A method's map is the one that evaluate scores: here from the PLY file, back to depth, at the truth's pixels."""
    run = fathom.folder / "run"
    command = [fathom.command, "evaluate", data, "--methods", ",".join(METHODS), "--output", run, "--quiet"]
    subprocess.run(command, check=True)
    rows = [r for r in csv.DictReader((run / "frames.csv").open()) if r["frame"] == "1"]
    with h5py.File(data) as file:
        for name, scene in file["scenes"].items():
            truth = scene["truth/depth"][1]
            for method in METHODS:
                path = fathom.render(data, ".ply", "--scene", name, "--frame", "1", "--source", method)
                points = read_ply(path)[0].astype(float)
                depth = (np.linalg.inv(world_from_camera(scene, 1)) @ np.c_[points, np.ones(len(points))].T)[2]
                shapes = [truth.shape, scene["lidar/depth"].shape[1:], scene["relative/values"].shape[1:]]
                shape = next((s for s in shapes if s[0] * s[1] == len(depth)), None)
                check(f"{name}: {method} has every pixel", shape is not None, str(len(depth)))
                if shape is None:
                    continue
                at_truth = reference.sample_at_centres(depth.reshape(shape), truth.shape)
                kept = reference.in_truth_range(truth)
                ours = np.abs(at_truth - truth)[kept].mean()
                row = next(r for r in rows if r["scene"] == name and r["method"].split("@")[0] == method)
                close(f"{name}: MAE of {method}", ours, float(row["mae_m"]), 1e-7)


def check_variants(fathom: Fathom, data: Path) -> None:
    for name, change in [("opencv", to_opencv), ("z-up", to_z_up), ("without poses", without_poses)]:
        path = variant(data, fathom.folder / f"{name}.h5", change)
        with h5py.File(path) as file:
            scene = next(iter(file["scenes"].values()))
            ply = fathom.render(path, ".ply")
            compare_cloud(name, ply, cloud(scene, 0, scene["lidar/depth"][0]))
            if name == "without poses":
                header = ply.read_bytes().split(b"end_header")[0]
                check(f"{name}: said", b"coordinates: camera" in header)
                fathom.render(path, ".obj", "--boxes", "truth", code=65)
                continue
            compare_boxes(name, fathom.render(path, ".obj"), true_boxes(scene, 0))
            # Told otherwise, the scene is the same.
            close(f"{name}: same world", read_ply(ply)[0], read_ply(fathom.render(data, ".ply"))[0], 5e-6)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fathom", type=Path)
    parser.add_argument("data", type=Path, nargs="?", default=ROOT / "Datasets/sample.h5")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        fathom = Fathom(arguments.fathom.resolve(), Path(folder))
        points = check_file(fathom, arguments.data)
        check_fused(fathom, arguments.data)
        check_methods(fathom, arguments.data)
        check_variants(fathom, arguments.data)
    for problem in problems:
        print(f"differs: {problem}", file=sys.stderr)
    print(f"3-D files: {checks} checks, {points} points recomputed, {len(problems)} differences")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
