#!/usr/bin/env python3
"""Mutants whose numbers are compared: what the command takes from a spoilt file is what an independent reader takes from it.

usage: mutate_values.py FATHOM --count 200 [--first 0] [--kinds K,L] [--minutes M] [--table FILE.csv] [--keep FOLDER]

Data sets are changed by structure (shapes, types, byte order, chunks, filters, attributes, links, odd values) and by bytes (chunks,
B-trees, heaps, object headers); zips and .npz by structure (zip64, data descriptors, duplicates, order, counts) and by bytes; PNG,
EXR, TIFF, PFM and .npy by bytes. `fathom export` or `fathom import` reads them; h5py, zipfile, numpy, Pillow and OpenEXR read them in a
process apart. Bad is, besides what mutate_hdf5.py names and more than 15 s of the processor: a success with other numbers than theirs
("values"), and a success with changed numbers of a file that they refuse for its checksum ("checksum"). Mutant n is the same on
every machine: its number is the seed."""
import argparse, io, json, os, pickle, random, resource, shutil, struct, sys, tempfile, time, warnings, zipfile
from pathlib import Path
import h5py, numpy as np
from PIL import Image
sys.path.insert(0, str(Path(__file__).parent))
import mutate_hdf5, recordings as made
from mutate_hdf5 import run, summary, write_table
from mutate_recordings import spoil_bytes

SECONDS = 15
warnings.filterwarnings("ignore", "Duplicate name")  # they are meant
FARTHEST = 1e6  # metres; what lies beyond is missing

class Refused(Exception):
    """The independent reader does not take the file. Its words tell whether for a checksum."""

def apart(read, *arguments):
    """What a reader returns in a process of its own: a library may crash or hang on a mutant."""
    source, sink = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(source)
        resource.setrlimit(resource.RLIMIT_CPU, (10, 10))
        for stream in (1, 2):  # what libraries print
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        try:
            answer = (True, read(*arguments))
        except BaseException as problem:
            answer = (False, f"{type(problem).__name__}: {problem}"[:500])
        with open(sink, "wb") as stream:
            pickle.dump(answer, stream)
        os._exit(0)
    os.close(sink)
    with open(source, "rb") as stream:
        body = stream.read()
    os.waitpid(child, 0)
    good, answer = pickle.loads(body) if body else (False, "the reader died")
    if not good:
        raise Refused(answer)
    return answer

# MARK: data sets

DEPTHS = ["lidar/depth", "truth/depth"]

def data_set(rng, path):
    """A small data set whose arrays are stored in many ways; about half break no rule."""
    late = rng.random() < 0.3
    with h5py.File(path, "w", libver=("v108", "v110") if late else ("earliest", "v110")) as file:
        file.attrs["format"], file.attrs["version"] = "fathom", 1
        for name in ["room"] if rng.random() < 0.7 else ["room", "hall"]:
            n, h, w = rng.randint(1, 4), rng.randint(2, 9), rng.randint(2, 9)
            scene = file.require_group("scenes").create_group(name)
            for number, place in enumerate(DEPTHS):
                values = 1 + np.arange(n * h * w).reshape(n, h, w) / (37 + number)
                stored(rng, scene, place, values)
            scene["truth/depth"].attrs["independence"] = "render"
            scene.create_dataset("lidar/confidence", data=(np.arange(n * h * w).reshape(n, h, w) % 3).astype("u1"))
            if "distance" in (scene[p].attrs.get("kind") for p in DEPTHS) or rng.random() < 0.3:
                scene["camera/intrinsics"] = np.array([[40.0, 0, 31], [0, 42, 25], [0, 0, 1]], rng.choice(["<f8", ">f8", "f4"]))
                scene["camera"].attrs["image_size"] = [64, 48]
            for _ in range(rng.choice([0, 0, 1, 1, 2])):
                try:
                    change(rng, file, scene)
                except Exception:  # h5py says it in many ways
                    break  # The change before spoilt what this one reads.

def stored(rng, scene, place, values):
    kind = rng.choice(["<f4"] * 3 + [">f4", "<f8", ">f8", "<f2", ">f2", "<i2", ">u2", "<i4", ">i8", "u1", "<u8"])
    scale = None
    if np.dtype(kind).kind in "iu":
        scale = rng.choice([0.001, 0.25, 1 / 256, 0.0002]) if kind != "u1" else 0.05
        values = np.minimum(values / scale, np.iinfo(kind).max)
    values = values.astype(kind)
    if np.dtype(kind).kind == "f" and rng.random() < 0.4:
        for _ in range(rng.randint(1, 5)):
            with np.errstate(over="ignore"):
                values[tuple(rng.randrange(s) for s in values.shape)] = rng.choice(
                    [np.nan, np.inf, -np.inf, -1, 0, -0.0, 1e-40, 1e5, 1e6, 1.0001e6, 3e38, 65504, 1e300])
    n, h, w = values.shape
    options = {}
    layout = rng.randrange(6)
    if layout:
        options["chunks"] = [(1, h, w), (1, h, w), (n, h, w), (min(2, n), min(3, h), min(5, w)), (1, 1, w)][layout - 1]
        options["shuffle"] = rng.random() < 0.5
        options["fletcher32"] = rng.random() < 0.4
        if rng.random() < 0.6:
            options["compression"], options["compression_opts"] = "gzip", rng.choice([1, 4, 9])
        elif rng.random() < 0.1:
            options["compression"] = "lzf"
        elif np.dtype(kind).kind in "iu" and rng.random() < 0.2:
            options["scaleoffset"], options["fletcher32"] = 0, False
        if rng.random() < 0.3:
            options["maxshape"] = (None, *values.shape[1:])
    data = scene.create_dataset(place, data=values, **options)
    data.attrs["kind"] = rng.choice(["planar"] * 5 + ["distance"])
    if scale is not None:
        data.attrs["scale"] = rng.choice([scale, np.float32(scale), np.array([scale]), np.array(scale, ">f8")])
    if rng.random() < 0.3:
        data.attrs["units"] = rng.choice(["m", "m", "cm", "mm", np.bytes_("mm"), "inch"])

def change(rng, file, scene):
    """One thing about a scene becomes another."""
    place = rng.choice(DEPTHS)
    if place not in scene or not isinstance(scene.get(place), h5py.Dataset):
        return
    data = scene[place]
    kind = rng.randrange(13)
    if kind == 0:  # another shape
        values, attributes = data[()], dict(data.attrs)
        del scene[place]
        shape = rng.choice([(0, *values.shape[1:]), values.shape[1:], (1, *values.shape), values.shape[::-1], (values.size,), ()])
        scene.create_dataset(place, data=values.reshape(-1)[:int(np.prod(shape))].reshape(shape)).attrs.update(attributes)
    elif kind == 1 and data.maxshape[0] is None:  # frames with nothing stored, or fewer than there were
        data.resize(rng.choice([0, 1, data.shape[0] + 1, data.shape[0] + 1000, 1 << 40]), 0)
    elif kind == 2:
        data.attrs[rng.choice(["units", "kind", "scale", "independence"])] = rng.choice(
            ["m", "mm", "", "planar", 0.0, -1.0, np.nan, np.inf, 1e-3, 1e300, np.array([1.0, 2.0]), np.zeros(0), h5py.Empty("f4"), 1, True])
    elif kind == 3:
        name = rng.choice(sorted(data.attrs) or ["none"])
        if name in data.attrs:
            del data.attrs[name]
    elif kind == 4:  # a link in place of the array
        attributes, number = place.split("/")[0] + "/stored", rng.randrange(5)
        if attributes in scene:  # a change before put it there
            return
        scene.move(place, attributes)
        if number == 4:
            scene[place] = scene[attributes]
        else:
            scene[place] = [h5py.SoftLink(f"{scene.name}/{attributes}"), h5py.SoftLink("/nowhere"), h5py.SoftLink(f"{scene.name}/{place}"),
                            h5py.ExternalLink("/etc/hostname", "/x")][number]
    elif kind == 5:  # empty, null, or of another class
        attributes = dict(data.attrs)
        del scene[place]
        scene.create_dataset(place, data=rng.choice([h5py.Empty("f4"), np.zeros((2, 3, 4), "S4"), np.zeros((2, 3, 4), [("a", "f4")]),
                                                     np.zeros((2, 3, 4), "?"), np.zeros((2, 3, 4), "c16"), 1.5])).attrs.update(attributes)
    elif kind == 6:  # a value that was never written
        shape, attributes = data.shape, dict(data.attrs)
        del scene[place]
        scene.create_dataset(place, shape, "f4", chunks=(1, *shape[1:]), fillvalue=rng.choice([0, 2.5, np.nan, 1e7]),
                             maxshape=(None, *shape[1:])).attrs.update(attributes)
        if rng.random() < 0.7:
            scene[place][0] = 1.5
    elif kind == 7 and data.chunks and data.id.get_num_chunks():  # a chunk whose filters were skipped, or that is cut
        info = data.id.get_chunk_info(rng.randrange(data.id.get_num_chunks()))
        _, body = data.id.read_direct_chunk(info.chunk_offset)
        body = rng.choice([body[:len(body) // 2], body + b"\0", bytes(len(body)), spoil_bytes(rng, body)])
        data.id.write_direct_chunk(info.chunk_offset, body, rng.choice([0, 0, 0, 1, 255]))
    elif kind == 8:
        scene["lidar/confidence"][rng.randrange(scene["lidar/confidence"].shape[0])] = rng.choice([0, 1, 2, 3, 255])
    elif kind == 9:
        file.attrs[rng.choice(["format", "version"])] = rng.choice(["fathom", 1, 2, 3, "1", 1.0, np.array([1])])
    elif kind == 10:
        del scene[rng.choice(["lidar/confidence", place])]
    elif kind == 11 and "camera/intrinsics" in scene:
        k = scene["camera/intrinsics"][()]
        k[rng.randrange(3), rng.randrange(3)] = rng.choice([0, 1, -1, np.nan, 1e6, 1e-4])
        scene["camera/intrinsics"][...] = k
    else:  # another order of the axes, as MATLAB has it
        values, attributes = data[()], dict(data.attrs)
        if values.ndim == 3:
            del scene[place]
            scene.create_dataset(place, data=values.transpose(0, 2, 1)).attrs.update(attributes)

def spoil_file(rng, path):
    """Bytes of a data set: of its chunks, or of what is around them. True where one byte of a chunk is all that changed."""
    chunks = []
    with h5py.File(path) as file:
        def look(name, data):
            if isinstance(data, h5py.Dataset) and data.chunks:
                chunks.extend(data.id.get_chunk_info(i) for i in range(data.id.get_num_chunks()))
        file.visititems(look)
    body = bytearray(path.read_bytes())
    if chunks and rng.random() < 0.5:
        chunk = rng.choice(chunks)
        at = chunk.byte_offset + rng.randrange(chunk.size)
        if at < len(body):
            body[at] ^= 1 << rng.randrange(8)
    else:
        body = mutate_hdf5.mutant(bytes(body), rng.randrange(1 << 60))
    path.write_bytes(body)

def text_of(value):
    return value.decode() if isinstance(value, bytes) else str(value)

def planar(scene, data, values):
    """Metres to the plane of the camera, missing ones 0, as Datasets/SCHEMA.md has it."""
    attributes = data.attrs
    scale = float(np.asarray(attributes["scale"]).reshape(())) if "scale" in attributes and np.ndim(attributes["scale"]) == 0 else (
        float(np.asarray(attributes["scale"]).reshape(-1)[0]) if "scale" in attributes else 1.0)
    unit = {"m": 1, "cm": 0.01, "mm": 0.001}[text_of(attributes.get("units", "m"))]
    with np.errstate(all="ignore"):
        metres = values.astype("f8") * scale * unit
        # What is stored is bounded, whatever its kind.
        metres = np.where(metres <= FARTHEST, metres, 0)
        if text_of(attributes.get("kind", "planar")) == "distance":
            k, (width, height) = scene["camera/intrinsics"][()].astype("f8"), np.asarray(scene["camera"].attrs["image_size"])
            x = (np.arange(metres.shape[2]) + 0.5) * width / metres.shape[2]
            y = (np.arange(metres.shape[1]) + 0.5) * height / metres.shape[1]
            k = np.broadcast_to(k, (metres.shape[0], 3, 3))
            u = (x[None] - k[:, 0, 2, None]) / k[:, 0, 0, None]
            v = (y[None] - k[:, 1, 2, None]) / k[:, 1, 1, None]
            metres = metres / np.sqrt(1 + u[:, None, :] ** 2 + v[:, :, None] ** 2)
        metres = metres.astype("f4")
        return np.where(np.isfinite(metres) & (metres > 0) & (metres <= FARTHEST), metres, 0)

def read_data_set(path):
    found = {}
    with h5py.File(path) as file:
        for name in file["scenes"]:
            scene = file["scenes"][name]
            for place in DEPTHS:
                if place in scene:
                    found[name, place] = planar(scene, scene[place], scene[place][()])
            if "lidar/confidence" in scene:
                found[name, "lidar/confidence"] = scene["lidar/confidence"][()]
    return found

def read_export(folder):
    """What `fathom export` wrote, by scene and array."""
    places = {s["name"]: folder / s["folder"] for s in json.loads((folder / "export.json").read_text())["scenes"]}
    found = {}
    for name, place in places.items():
        for sub, array in (("sparse", "lidar/depth"), ("gt", "truth/depth"), ("depth", "lidar/depth"), ("confidence", "lidar/confidence")):
            files = sorted((place / sub).glob("*.np*"))
            if files:
                maps = [np.load(p)[sub] if p.suffix == ".npz" else np.load(p) for p in files]
                found[name, array] = np.stack(maps)
    return found

# MARK: zips and .npz

def zip_of(rng, files):
    """A zip with odd but allowed structure, and sometimes not allowed."""
    out = io.BytesIO()
    sink = out
    if rng.random() < 0.3:  # sizes behind the data: what cannot seek writes data descriptors
        class Pipe(io.RawIOBase):
            def writable(self): return True
            def write(self, part): return out.write(part)
        sink = io.BufferedWriter(Pipe())
    names = sorted(files)
    if rng.random() < 0.3:
        rng.shuffle(names)
    with zipfile.ZipFile(sink, "w") as archive:
        for name in names:
            entry = zipfile.ZipInfo(name)
            entry.compress_type = rng.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED]
                                             + ([zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA] if rng.random() < 0.05 else []))
            with archive.open(entry, "w", force_zip64=rng.random() < 0.2) as stream:
                stream.write(files[name])
            if rng.random() < 0.01:
                archive.writestr(name, rng.choice([files[name], b"", b"other"]))
        if rng.random() < 0.1:
            archive.comment = b"PK\5\6" + bytes(18) if rng.random() < 0.5 else b"x" * 300
    if sink is not out:
        sink.flush()
    body = out.getvalue()
    return rng.choice([body] * 12 + [b"#!/bin/sh\n" + body, body + bytes(100)])

def spoil_zip(rng, body):
    """A bit of the data or of a checksum, a field of a header, or any bytes."""
    kind, out = rng.randrange(6), bytearray(body)
    heads = [at for at in range(len(body) - 30) if body[at:at + 4] in (b"PK\3\4", b"PK\1\2")]
    if kind == 0 or not heads:
        return spoil_bytes(rng, body)
    at = rng.choice(heads)
    is_local = out[at + 2] == 3
    if kind == 1 and is_local:  # one bit of the data
        name, extra = struct.unpack("<HH", out[at + 26:at + 30])
        following = min((h for h in heads if h > at), default=len(out))
        first = at + 30 + name + extra
        if first < following:
            out[rng.randrange(first, following)] ^= 1 << rng.randrange(8)
    elif kind == 2:  # the checksum
        place = at + (14 if is_local else 16)
        out[place + rng.randrange(4)] ^= 1 << rng.randrange(8)
    elif kind == 3:  # a field
        offset, width = rng.choice([(4, 2), (6, 2), (8, 2), (18, 4), (22, 4), (26, 2), (28, 2)] if is_local else
                                   [(6, 2), (8, 2), (10, 2), (20, 4), (24, 4), (28, 2), (30, 2), (32, 2), (42, 4)])
        value = rng.choice([0, 1, 8, 99, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, rng.randrange(len(out))])
        out[at + offset:at + offset + width] = (value & ((1 << 8 * width) - 1)).to_bytes(width, "little")
    elif kind == 4 and not is_local:  # entries that overlap: the list points at another one's place
        other = rng.choice([h for h in heads if out[h + 2] == 3] or [0])
        out[at + 42:at + 46] = struct.pack("<I", other)
    else:  # the count of entries
        end = bytes(out).rfind(b"PK\5\6")
        if end >= 0:
            out[end + 8:end + 12] = struct.pack("<HH", *[rng.choice([0, 1, 0xFFFF, 3])] * 2)
    return bytes(out)

# MARK: maps

def map_bytes(rng, kind, values):
    """A map of a kind, stored in one of its ways."""
    height, width = values.shape
    out = io.BytesIO()
    if kind == "npy":
        np.save(out, np.asfortranarray(values) if rng.random() < 0.3 else values.astype(rng.choice(["<f4", ">f4", "<f8", "<f2"])))
    elif kind == "npz":
        np.save(out, values.astype(rng.choice(["<f4", ">f8"])))
        return zip_of(rng, {"depth.npy": out.getvalue(), **({"conf.npy": out.getvalue()} if rng.random() < 0.3 else {})})
    elif kind == "pfm":
        order = rng.choice("<>")
        return f"Pf\n{width} {height}\n{-1 if order == '<' else 1}\n".encode() + values[::-1].astype(order + "f4").tobytes()
    elif kind == "png":
        return made.png(width, height, [int(v) for v in (values * 1000).astype("u2").reshape(-1)])
    elif kind == "tiff":
        compression = rng.choice([None, "tiff_lzw", "tiff_adobe_deflate"])
        Image.fromarray(values.astype("f4")).save(out, "tiff", compression=compression)
    else:
        import OpenEXR
        how = rng.choice([OpenEXR.NO_COMPRESSION, OpenEXR.ZIP_COMPRESSION, OpenEXR.ZIPS_COMPRESSION, OpenEXR.RLE_COMPRESSION, OpenEXR.PIZ_COMPRESSION])
        with tempfile.TemporaryDirectory() as place:
            OpenEXR.File({"compression": how, "type": OpenEXR.scanlineimage}, {"Y": values.astype(rng.choice(["f4", "f2"]))}).write(place + "/m.exr")
            return Path(place + "/m.exr").read_bytes()
    return out.getvalue()

def read_map(path):
    """A map by the library that people use for it."""
    kind = path.suffix[1:]
    if kind == "npy":
        return np.load(path, allow_pickle=False).astype("f8")
    if kind == "npz":
        with np.load(path, allow_pickle=False) as archive:
            return archive["depth"].astype("f8")
    if kind == "pfm":
        with open(path, "rb") as file:
            if file.readline().strip() != b"Pf":
                raise ValueError("no grey PFM")
            width, height = map(int, file.readline().split())
            order = "<" if float(file.readline()) < 0 else ">"
            return np.frombuffer(file.read(4 * width * height), order + "f4").reshape(height, width)[::-1].astype("f8")
    if kind in ("png", "tiff"):
        with Image.open(path) as picture:
            if picture.mode not in ("I;16", "I;16B", "I", "F", "L"):
                raise ValueError(f"mode {picture.mode}")
            values = np.array(picture)
            # Pillow reads 32 bits without sign (SampleFormat 1, which is also what its absence means) as with one.
            if kind == "tiff" and values.dtype == np.int32 and picture.tag_v2.get(339, (1,))[0] == 1:
                values = values.view(np.uint32)
            return values.astype("f8")
    import OpenEXR
    channels = OpenEXR.File(str(path)).channels()
    return channels["Y" if "Y" in channels else next(iter(channels))].pixels.astype("f8")

# MARK: mutants

MAPS = ["png", "exr", "tiff", "npy", "npz", "pfm"]
DEPTH_FILES = ["npz", "npy", "exr", "png"]
KINDS = ["hdf5"] * 10 + ["zip"] * 3 + [f"map-{k}" for k in MAPS] + ["map-npz"] + [f"depth-{k}" for k in DEPTH_FILES] + ["depth-npz"]
CHECKSUMS = ("crc", "checksum", "fletcher", "decompress", "filter", "broken png", "incorrect")

def spoil_map(rng, kind, body):
    if kind == "npz" and rng.random() < 0.8:
        return spoil_zip(rng, body)
    at = rng.randrange(len(body))
    if rng.random() < 0.5:
        return body[:at] + bytes([body[at] ^ 1 << rng.randrange(8)]) + body[at + 1:]
    return body[:at] if rng.random() < 0.4 else spoil_bytes(rng, body)

class Mutant:
    """Words of the command, what to compare, and how."""
    def __init__(self, number, folder):
        rng = random.Random(number)
        self.kind = KINDS[number % len(KINDS)]
        self.place = folder / "input"
        self.place.mkdir()
        self.output = folder / "out.h5"
        if self.kind == "hdf5":
            path = self.place / "m.h5"
            data_set(rng, path)
            self.original = apart_or_nothing(read_data_set, path)
            if rng.random() < 0.5:
                spoil_file(rng, path)
            self.output = folder / "out"
            layout = rng.choice(["marigold-dc", "npz"])
            self.words = ["export", str(path), "--as", layout, "--output", str(self.output), "--quiet"]
            self.expect, self.take = (lambda: read_data_set(path)), (lambda: read_export(self.output))
            self.also = rng.choice([None, ["inspect", str(path), "--json"],
                                    ["evaluate", str(path), "--output", str(folder / "run"), "--methods", "lidar-bilinear", "--no-figures",
                                     "--no-gallery", "--no-diagnosis", "--quiet"]])
            return
        self.also = None
        files = made.stray(frames=2)
        if self.kind == "zip":
            path = self.place / "scan.zip"
            self.expect, self.take = (lambda: read_stray_zip(path)), (lambda: taken(self.output, "lidar/depth"))
            path.write_bytes(zip_of(rng, files))
            self.original = apart_or_nothing(read_stray_zip, path)
            if rng.random() < 0.7:
                path.write_bytes(spoil_zip(rng, path.read_bytes()))
            self.words = ["import", str(path), str(self.output), "--no-diagnosis", "--quiet"]
            return
        role, ending = self.kind.split("-")
        maps = {}
        for frame in range(2):
            values = 1 + np.arange(48).reshape(6, 8) / 7 + frame
            if rng.random() < 0.2:
                values[rng.randrange(6), rng.randrange(8)] = rng.choice([0, np.nan, np.inf, -1]) if ending != "png" else 0
            maps[f"{frame:06d}"] = map_bytes(rng, ending, values)
        place = self.place / ("maps" if role == "map" else "scan/depth")
        def read():
            return {name: depth(read_map(place / f"{name}.{ending}"), role, ending) for name in maps}
        made.write({f"{name}.{ending}": body for name, body in maps.items()}, place)
        self.original = apart_or_nothing(read)
        if rng.random() < 0.9:
            name = rng.choice(sorted(maps))
            (place / f"{name}.{ending}").write_bytes(spoil_map(rng, ending, maps[name]))
        def each():
            # A file that the reader refuses says nothing of the other.
            found, refusals = {}, {}
            for name in maps:
                try:
                    found[name] = apart(lambda: depth(read_map(place / f"{name}.{ending}"), role, ending))
                except Refused as problem:
                    refusals[name] = str(problem)
            return found, refusals
        self.expect = each
        if role == "map":
            made.write(files, self.place / "scan")
            self.words = ["import", str(self.place / "scan"), str(self.output), "--relative", str(place), "--relative-kind", "disparity",
                          "--no-diagnosis", "--quiet"]
            self.take = lambda: taken(self.output, "relative/values")
        else:
            self.words = ["import", str(self.place / "scan"), str(self.output), "--format", "folder", "--depth-scale",
                          "0.001" if ending == "png" else "1", "--no-diagnosis", "--quiet"]
            self.take = lambda: taken(self.output, "lidar/depth")

def depth(values, role, ending):
    """What a map becomes in a data set."""
    if role == "map":
        return values.astype("f4")
    with np.errstate(all="ignore"):
        metres = (values * (0.001 if ending == "png" else 1)).astype("f4")
    if ending == "png":
        metres[values == 65535] = 0
    return np.where(np.isfinite(metres) & (metres > 0) & (metres <= FARTHEST), metres, 0)

def apart_or_nothing(read, *arguments):
    try:
        return apart(read, *arguments)
    except Refused:
        return None

def read_stray_zip(path):
    with zipfile.ZipFile(path) as archive:
        names = [n for n in archive.namelist() if n.startswith("depth/") and n.endswith(".png")]
        bodies = {n[6:-4]: archive.read(n) for n in names}
    found = {}
    for name, body in bodies.items():
        with Image.open(io.BytesIO(body)) as picture:
            values = np.array(picture).astype("f8")
        found[name] = depth(values, "depth", "png")
    return found

def taken(path, array):
    """Frames of an imported data set, by the names that they came with."""
    with h5py.File(path) as file:
        scene = next(iter(file["scenes"].values()))
        names = [text_of(n) for n in scene["frame_id"][()]] if "frame_id" in scene else [f"{i:06d}" for i in range(scene[array].shape[0])]
        values = scene[array][()] if array in scene else None
    if values is None:
        return {}
    return {f"{int(n):06d}" if n.isdigit() else n: v for n, v in zip(names, values)}

def known(values):
    """A negative or absurd depth is missing, as the schema says, whether it is stored as it was or as 0."""
    return np.isfinite(values) & (values > 0) & (values <= FARTHEST)

def differs(found, expected, is_depth):
    """Why an array is not the other; nothing where it is."""
    if found.shape != expected.shape:
        return f"shape {found.shape}, and {expected.shape}"
    found, expected = found.astype("f8"), expected.astype("f8")
    a, b = known(found), known(expected)
    if not is_depth:
        a = b = np.isfinite(found) & np.isfinite(expected)
        if (np.isnan(found) != np.isnan(expected)).any() and np.isfinite(expected).any():
            a = b = np.ones(found.shape, bool)
    if (a != b).any():
        return f"{int((a & ~b).sum())} pixels more and {int((b & ~a).sum())} fewer"
    off = np.abs(found - expected)[a] > 2e-6 * np.abs(expected)[a] + 1e-30
    return f"{int(off.sum())} of {int(a.sum())} values, {found[a][off][0]!r} for {expected[a][off][0]!r}" if off.any() else ""

def compare(mutant):
    """("", "") or a verdict and its words, of a mutant that was taken."""
    found = mutant.take()
    refusals = {}
    try:
        if mutant.kind in ("hdf5", "zip"):
            expected = apart(mutant.expect)
        else:
            expected, refusals = mutant.expect()
    except Refused as problem:
        expected, refusals = {}, {key: str(problem) for key in found}
    original = mutant.original or {}
    for key, values in found.items():
        is_map = mutant.kind.startswith("map")
        if is_map and not np.isfinite(values).any():
            continue  # the frame came in without a map, and the import says so
        if key in expected:
            why = differs(values, expected[key], not is_map and key[-1:] != "confidence")
            if why:
                return "values", f"{key}: {why}"
        elif any(w in refusals.get(key, "").lower() for w in CHECKSUMS):
            why = key not in original or differs(values, original[key], not is_map)
            if why:
                return "checksum", f"{key}: {refusals[key]}, and it was taken: {why}"
    return "", ""

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fathom"), parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=0), parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--table"), parser.add_argument("--keep")
    parser.add_argument("--kinds", type=lambda words: words.split(","), default=KINDS)
    options = parser.parse_args()
    if unknown := set(options.kinds) - set(KINDS):
        parser.error(f"no such kinds: {', '.join(sorted(unknown))}; there are {', '.join(dict.fromkeys(KINDS))}")
    fathom = str(Path(options.fathom).resolve())
    rows, end, compared = [], time.monotonic() + 60 * options.minutes, 0
    for number in range(options.first, options.first + options.count):
        if time.monotonic() > end:
            break
        if KINDS[number % len(KINDS)] not in options.kinds:
            continue
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            mutant = Mutant(number, folder)
            for words in filter(None, (mutant.words, mutant.also)):
                ended = run([fathom, *words])
                left = [p.name for p in folder.iterdir() if p.name != "input"]
                verdict = ended.verdict() or ("hang" if ended.processor > SECONDS else "") or ("left" if ended.code and left else "")
                why = ""
                if not verdict and ended.code == 0 and words is mutant.words:
                    verdict, why = compare(mutant)
                    compared += 1
                row = list(ended.row(f"{number}:{mutant.kind}", words[0], verdict))
                row[7] = why or row[7]
                rows.append(row)
                if verdict:
                    print("  bad:", *row, flush=True)
                    if options.keep:
                        shutil.copytree(folder, Path(options.keep) / f"values-{number}", dirs_exist_ok=True)
                for p in folder.iterdir():
                    if p.name != "input":
                        shutil.rmtree(p) if p.is_dir() else p.unlink()
    if options.table:
        write_table(options.table, rows)
    print(f"{compared} compared with the independent readers")
    sys.exit(0 if summary(rows) else 1)

if __name__ == "__main__":
    main()
