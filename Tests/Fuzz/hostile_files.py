#!/usr/bin/env python3
"""Hand-made hostile files of every kind that is read: bombs, absurd declarations, names that would be code elsewhere.

usage: hostile_files.py FATHOM [--write FOLDER] [--only WORD] [--table FILE.csv]

Each goes through the commands that would read it. A run fails as in mutate_hdf5.py: by a signal, over the time or memory there, with a code
that is not 0, 64, 65, 66 or 73, with other than one line of error, or with something left under a final name. Names that hold markup, formulas and
control characters are followed into every output: pages, Markdown, LaTeX, CSV, JSON, pictures and the notebook."""
import argparse, csv, io, json, os, re, shutil, struct, sys, tarfile, tempfile, zipfile, zlib
from pathlib import Path
import h5py, numpy as np
HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
import recordings as made
from mutate_hdf5 import run, summary, write_table

NAMES = ["<script>alert(1)</script>", "=cmd|' /C calc'!A0", "@SUM(1+1)", "+1", "-2+3", "a\nb", "a\rb", "\x1b[31mred", "]0;title\x07",
         "$(touch pwned)", "`touch pwned`", "../../../tmp/pwned", "[x](javascript:alert(1))", "\\input{/etc/passwd}", "%s%n%x", "\u202egnp.exe",
         "'; DROP TABLE frames; --", "<img src=x onerror=alert(1)>", "&amp;&#60;", "a\tb", "é" * 200, "\ud7ff", "a|b|c", "{{=<% %>=}}"]

def scene(file, name="room", n=2, h=6, w=8, **more):
    group = file.require_group("scenes").create_group(name)
    group.create_dataset("lidar/depth", data=np.full((n, h, w), 2.0, "f4") + np.arange(w, dtype="f4") / 10)
    group["lidar/depth"].attrs["kind"] = "planar"
    group.create_dataset("lidar/confidence", data=np.full((n, h, w), 2, "u1"))
    group.create_dataset("truth/depth", data=np.full((n, h, w), 2.02, "f4") + np.arange(w, dtype="f4") / 10.1)
    group["truth/depth"].attrs["kind"] = "planar"
    group["truth/depth"].attrs["independence"] = "render"
    group.create_dataset("relative/values", data=np.full((n, h, w), .5, "f4") - np.arange(w, dtype="f4") / 100)
    group["relative/values"].attrs["kind"] = "disparity"
    return group

def hdf5(path, body):
    with h5py.File(path, "w") as file:
        file.attrs["format"], file.attrs["version"] = "fathom", 1
        body(file)

def data_sets(place):
    def one(name, body):
        hdf5(place / f"{name}.h5", body)
    def named(file):
        for index, name in enumerate(NAMES):
            if "/" in name or name.startswith("."):
                continue
            group = scene(file, name if not name.isspace() else f"s{index}")
            group.create_dataset("frame_id", data=[name + "a", name + "b"], dtype=h5py.string_dtype())
            group.attrs["note"] = group.attrs["license"] = group.attrs["device"] = name
        for key in ("name", "description", "license", "source", "created_by"):
            file.attrs[key] = "".join(NAMES[:10])
    one("names", named)
    def declared(**shapes):
        def body(file):
            group = scene(file)
            for name, (shape, kind, options) in shapes.items():
                name = name.replace("_", "/")
                if name in group:
                    del group[name]
                group.create_dataset(name, shape, kind, **options)
        return body
    one("wide", declared(lidar_depth=((2, 1 << 20, 1 << 20), "f4", dict(chunks=(1, 64, 64)))))
    one("long", declared(lidar_depth=((1 << 40, 6, 8), "f4", dict(chunks=(1, 6, 8)))))
    one("rank-32", declared(lidar_depth=((1,) * 32, "f4", {})))
    one("empty", declared(lidar_depth=((0, 6, 8), "f4", {})))
    one("unlimited", declared(lidar_depth=((2, 6, 8), "f4", dict(maxshape=(None, None, None), chunks=(1, 6, 8)))))
    one("huge-chunk", declared(lidar_depth=((2, 6, 8), "f4", dict(maxshape=(None, None, None), chunks=(1 << 10, 1 << 10, 512)))))
    def zeros(file):
        group = scene(file)
        del group["truth/depth"]
        data = group.create_dataset("truth/depth", (4000, 256, 192), "f4", chunks=(500, 256, 192), compression="gzip", compression_opts=9)
        for index in range(0, 4000, 500):
            data[index:index + 500] = 0
    one("gzip-bomb", zeros)
    def filters(file):
        group = scene(file)
        del group["lidar/depth"]
        group.create_dataset("lidar/depth", data=np.full((2, 6, 8), 2, "i4"), scaleoffset=4)
    one("scaleoffset", filters)
    def many(file):
        for index in range(5000):
            file.require_group("scenes").create_group(f"s{index:05}")
    one("5000-scenes", many)
    def attributes(file):
        group = scene(file)
        for index in range(3000):
            group.attrs[f"a{index}"] = "x" * 100
        file.attrs["name"] = "y" * 60000
    one("3000-attributes", attributes)
    def deep(file):
        group = file.require_group("scenes")
        for _ in range(800):
            group = group.create_group("g")
    one("deep", deep)
    def cycle(file):
        scene(file)
        file["scenes/loop"] = file["scenes"]
        file["scenes/room/lidar/again"] = file["scenes/room"]
        file["scenes/soft"] = h5py.SoftLink("/scenes/soft")
    one("cycles", cycle)
    def outside(file):
        group = scene(file)
        del group["truth/depth"]
        group["truth/depth"] = h5py.ExternalLink("/etc/passwd", "x")
    one("external-link", outside)
    def stored_outside(file):
        group = scene(file)
        del group["lidar/depth"]
        create = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        create.set_external(b"/etc/passwd", 0, h5py.h5f.UNLIMITED)
        h5py.h5d.create(group["lidar"].id, b"depth", h5py.h5t.IEEE_F32LE, h5py.h5s.create_simple((2, 6, 8)), create)
    one("external-storage", stored_outside)
    def virtual(file):
        group = scene(file)
        del group["lidar/depth"]
        layout = h5py.VirtualLayout((2, 6, 8), "f4")
        layout[:] = h5py.VirtualSource("/etc/passwd", "x", (2, 6, 8))
        group.create_virtual_dataset("lidar/depth", layout)
    one("virtual", virtual)
    def kinds(kind, data=None):
        def body(file):
            group = scene(file)
            del group["lidar/depth"]
            if data is None:
                group.create_dataset("lidar/depth", (2, 6, 8), kind)
            else:
                group.create_dataset("lidar/depth", data=data, dtype=kind)
        return body
    one("compound", kinds(np.dtype([("a", "f4"), ("b", "i8")])))
    one("strings", kinds("S8"))
    one("vlen", kinds(h5py.vlen_dtype("f4")))
    one("references", kinds(h5py.ref_dtype))
    one("array-type", kinds(np.dtype(("f4", (64,)))))
    one("opaque", kinds("V4096"))
    for label, value in {"nan": np.nan, "inf": np.inf, "negative": -1e30, "tiny": 1e-45, "huge": 3e38}.items():
        one(f"depth-{label}", kinds("f4", np.full((2, 6, 8), value, "f4")))
    def numbers(value):
        def body(file):
            group = scene(file)
            group.create_dataset("camera/intrinsics", data=np.array([[value, 0, value], [0, value, value], [0, 0, 1]]))
            group["camera"].attrs["image_size"] = [8, 6]
            pose = np.tile(np.eye(4), (2, 1, 1))
            pose[:, :3, 3] = value
            group.create_dataset("camera/world_from_camera", data=pose)
            group.create_dataset("time", data=[value, value])
        return body
    for value in (np.nan, np.inf, 1e300, -1e300, 1e-300, 0.0):
        one(f"numbers-{value}", numbers(value))
    def objects(count, **more):
        def body(file):
            group = scene(file)
            found = group.create_group("objects")
            found.create_dataset("frame", (count,), "i4", fillvalue=more.get("frame", 0), chunks=(min(count, 1024),))
            found.create_dataset("class", (count,), h5py.string_dtype(), chunks=(min(count, 1024),))
            found.create_dataset("score", (count,), "f4", fillvalue=more.get("score", .5), chunks=(min(count, 1024),))
            found.create_dataset("bbox", (count, 4), "f4", fillvalue=more.get("box", 1), chunks=(min(count, 1024), 4))
        return body
    one("objects-9M", objects(9_000_000))
    one("objects-negative", objects(4, frame=-1))
    one("objects-far", objects(4, frame=1 << 30))
    one("objects-nan", objects(4, score=np.nan, box=np.nan))
    whole = (place / "names.h5").read_bytes()
    for share in (0, 8, 100, 2048, len(whole) // 2, len(whole) - 1):
        (place / f"cut-{share}.h5").write_bytes(whole[:share])
    (place / "text.h5").write_bytes(b"hello\n" * 100)
    (place / "signature.h5").write_bytes(b"\x89HDF\r\n\x1a\n" + b"\xff" * 4096)
    (place / "user-block.h5").write_bytes(b"\0" * (1 << 20) + whole)

def recordings(place):
    """Recordings and archives; each is a path."""
    stray = made.stray()
    def folder(name, **changes):
        files = {**stray, **{k.replace("__", "/").replace("_csv", ".csv"): v for k, v in changes.items()}}
        return made.write({k: v for k, v in files.items() if v is not None}, place / name)
    bomb = zlib.compress(bytes(1 << 28), 9)
    def big(width, height, body, bits=16):
        return (b"\x89PNG\r\n\x1a\n" + made.chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, 0, 0, 0, 0))
                + made.chunk(b"IDAT", body) + made.chunk(b"IEND", b""))
    def depth(name, body):
        files = dict(stray)
        files["depth/000000.png"] = body
        made.write(files, place / name)
    depth("png-bomb", big(16384, 8192, bomb))
    depth("png-within", big(4096, 4096, zlib.compress(bytes(4096 * 8193), 9)))
    depth("png-huge", big(0x7FFFFFFF, 0x7FFFFFFF, bomb[:100]))
    depth("png-zero", big(0, 0, b""))
    text = made.chunk(b"zTXt", b"Comment\0\0" + bomb) + made.chunk(b"iCCP", b"x\0\0" + bomb)
    good = stray["depth/000000.png"]
    depth("png-text-bomb", good[:33] + text + good[33:])
    depth("png-many-chunks", good[:33] + made.chunk(b"tEXt", b"a\0b") * 50000 + good[33:])
    depth("png-is-jpeg", b"\xff\xd8\xff\xe0" + bytes(100))
    folder("csv-long-line", odometry_csv=b"timestamp, frame, x, y, z, qx, qy, qz, qw\n" + b"9" * (32 << 20) + b"\n")
    folder("csv-many-columns", odometry_csv=b"a," * 2_000_000 + b"\n" + b"1," * 2_000_000 + b"\n")
    folder("csv-many-rows", odometry_csv=b"timestamp, frame, x, y, z, qx, qy, qz, qw\n" + b"1, 0, 0, 0, 0, 0, 0, 0, 1\n" * 500_000)
    folder("csv-nul", odometry_csv=b"\0" * 100000)
    folder("csv-infinite", odometry_csv=b"timestamp, frame, x, y, z, qx, qy, qz, qw\n" + b"1e999, nan, inf, 0, 0, 0, 0, 0, 0\n" * 4)
    folder("csv-absurd-frame", odometry_csv=b"timestamp, frame, x, y, z, qx, qy, qz, qw\n" + b"1, 99999999999999999999, 1e300, 1e300, 1e300, 1e200, 1e200, 1e200, 1e200\n" * 4)
    folder("camera-huge", camera_matrix_csv=b"1e300, 0, 1e300\n0, 1e300, 1e300\n0, 0, 1\n")
    folder("camera-nan", camera_matrix_csv=b"nan, 0, nan\n0, nan, nan\n0, 0, 1\n")
    names = dict(stray)
    for index, name in enumerate(NAMES):
        if "/" not in name:
            names[f"depth/{name[:80]}{index:06d}.png"] = stray["depth/000000.png"]
    made.write(names, place / "names <b>&=cmd()")
    linked = made.write(dict(stray), place / "links")
    (linked / "depth/000000.png").unlink()
    os.symlink("/etc/passwd", linked / "depth/000000.png")
    os.symlink("/", linked / "root")
    looped = made.write(dict(stray), place / "link-loop")
    os.symlink(".", looped / "again")
    os.symlink("self", looped / "self")
    poses = made.write({k: v for k, v in stray.items() if k != "odometry.csv"}, place / "link-odometry")
    os.symlink("/etc/passwd", poses / "odometry.csv")
    pipe = made.write({k: v for k, v in stray.items() if k != "camera_matrix.csv"}, place / "pipe")
    os.mkfifo(pipe / "camera_matrix.csv")
    r3d = made.record3d()
    def record(name, **changes):
        (place / name).write_bytes(made.zipped({**r3d, **{k.replace("__", "/"): v for k, v in changes.items()}}))
    record("deep-json.r3d", metadata=b"[" * 1_000_000 + b"]" * 1_000_000)
    record("deep-objects.r3d", metadata=b'{"a":' * 200_000 + b"1" + b"}" * 200_000)
    record("wide-json.r3d", metadata=b'{"poses": [' + b"[1,2,3]," * 3_000_000 + b"[]]}")
    record("huge-numbers.r3d", metadata=json.dumps({**json.loads(r3d["metadata"]), "dw": 1 << 62, "dh": 1 << 62, "w": -1, "fps": 0}).encode())
    record("negative.r3d", metadata=json.dumps({**json.loads(r3d["metadata"]), "dw": -3, "dh": -4, "frameTimestamps": [1e300, -1e300, 0]}).encode())
    record("exponent.r3d", metadata=r3d["metadata"].replace(b'"fps": 60', b'"fps": 1e99999'))
    for label, body in {
            "declares": b"bvx-" + struct.pack("<I", 0xFFFFFFFF) + bytes(12) + b"bvx$",
            "lzvn": b"bvxn" + struct.pack("<II", 0x7FFFFFFF, 20) + b"\xf0\xff" * 10 + b"bvx$",
            "packed": b"bvx2" + b"\xff" * 600 + b"bvx$", "unpacked": b"bvx1" + b"\xff" * 900 + b"bvx$",
            "endless": (b"bvx-" + struct.pack("<I", 0)) * 200000}.items():
        (place / f"lzfse-{label}.r3d").write_bytes(made.zipped({**r3d, "rgbd/0.depth": body, "rgbd/1.depth": body, "rgbd/2.depth": body}))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in stray.items():
            archive.writestr(name, body)
        with archive.open("depth/bomb.png", "w", force_zip64=True) as entry:
            for _ in range(1200):
                entry.write(bytes(1 << 20))
    (place / "zip-bomb.zip").write_bytes(out.getvalue())
    def zip_of(name, entries):
        with zipfile.ZipFile(place / name, "w") as archive:
            for entry, body in entries:
                archive.writestr(entry, body)
    zip_of("zip-up.zip", [*stray.items(), ("../../pwned", b"x")])
    zip_of("zip-absolute.zip", [*stray.items(), ("/tmp/pwned", b"x")])
    zip_of("zip-many.zip", [(f"depth/{i}.png", b"") for i in range(60000)])
    zip_of("zip-deep.zip", [("a/" * 2000 + "b", b"x")])
    zip_of("zip-name.zip", [("n" * 60000, b"x")])
    link = zipfile.ZipInfo("odometry.csv")
    link.external_attr = 0o120777 << 16
    zip_of("zip-link.zip", [(link, "/etc/passwd"), *[(k, v) for k, v in stray.items() if k != "odometry.csv"]])
    packed = bytearray(made.zipped(stray))
    at = packed.rfind(b"PK\1\2")
    packed[at + 20:at + 28] = b"\xff" * 8
    (place / "zip-sizes.zip").write_bytes(packed)
    # Overlapping entries: every one of the list points at the first file.
    body = made.zipped({"depth/000000.png": bytes(1 << 20)})
    directory = body.rfind(b"PK\1\2")
    end = body.rfind(b"PK\5\6")
    entry, start = body[directory:end], directory
    copies = b"".join(entry.replace(b"000000", f"{i:06d}".encode()) for i in range(30000))
    (place / "zip-overlap.zip").write_bytes(body[:start] + copies + struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 30000, 30000, len(copies), start, 0))
    def tar_of(name, entries, mode="w:gz"):
        with tarfile.open(place / name, mode) as archive:
            for entry, body in entries:
                entry = entry if isinstance(entry, tarfile.TarInfo) else tarfile.TarInfo(entry)
                entry.size = len(body) if body is not None else 0
                archive.addfile(entry, io.BytesIO(body or b""))
    for label, kind, target in (("link", tarfile.SYMTYPE, "/etc/passwd"), ("hard", tarfile.LNKTYPE, "/etc/passwd"), ("device", tarfile.CHRTYPE, ""), ("pipe", tarfile.FIFOTYPE, "")):
        info = tarfile.TarInfo("odometry.csv")
        info.type, info.linkname = kind, target
        tar_of(f"tar-{label}.tar.gz", [(info, None), *stray.items()])
    tar_of("tar-up.tar.gz", [("../pwned", b"x"), *stray.items()])
    (place / "gzip-bomb.tar.gz").write_bytes(__import__("gzip").compress(bytes(1 << 29), 9))
    # A header that declares 8 EB, packed as often as fits.
    info = tarfile.TarInfo("depth/000000.png")
    info.size = (1 << 63) - 1
    (place / "tar-size.tar").write_bytes(info.tobuf(tarfile.GNU_FORMAT) + bytes(4096))

def maps(place):
    def npy(shape, kind="<f4", order="False", version=1, length=None, body=bytes(192), raw=None):
        header = raw if raw is not None else f"{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}\n".encode()
        size = len(header) if length is None else length
        return b"\x93NUMPY" + bytes([version, 0]) + (struct.pack("<H", size) if version == 1 else struct.pack("<I", size)) + header + body
    kinds = {
        "npy": {"overflow": npy("(9223372036854775807, 9223372036854775807)"), "huge": npy("(100000, 100000)"), "negative": npy("(-6, -8)"),
                "object": npy("(6, 8)", "|O"), "length": npy("(6, 8)", version=2, length=0xFFFFFFFF), "deep": npy("(" * 20000), "empty": b"",
                "words": npy(None, raw=b"{'descr': __import__('os').system('touch pwned')}"), "string": npy("(6, 8)", "<U99999999"),
                "rank": npy("(" + "1," * 5000 + ")"), "nan": npy("(6, 8)", body=struct.pack("<48f", *[float("nan")] * 48)),
                "digits": npy("(" + "9" * 50000 + ", 1)")},
        "npz": {"bomb": made.npz(depth=made.npy(1, 1, [1.0]) + bytes(1 << 28)), "empty": b"PK\5\6" + bytes(18), "cut": made.npz(depth=made.npy(8, 6, [1.0] * 48))[:60]},
        "pfm": {"huge": b"Pf\n99999999999 99999999999\n-1\n", "negative": b"Pf\n-8 -6\n-1\n" + bytes(192), "long": b"Pf\n" + b" " * (1 << 20) + b"8 6\n-1\n",
                "nan": b"Pf\n8 6\nnan\n" + bytes(192), "zero": b"Pf\n0 0\n0\n"},
        "exr": {"huge": exr(1 << 30, 1 << 30), "bomb": exr(16384, 16384), "cut": exr(8, 6)[:40], "negative": exr(-8, -6)},
        "tiff": {"huge": tiff(1 << 31, 1 << 31), "loop": tiff(8, 6, following=8), "strips": tiff(8, 6, strip=0xFFFFFFF0), "rows": tiff(8, 6, bits=64)},
        "png": {"bomb": made.png(1, 1, [1])[:16] + struct.pack(">II", 1 << 30, 1 << 30) + made.png(1, 1, [1])[24:]},
        "h5": {"text": b"no"},
    }
    for kind, files in kinds.items():
        for label, body in files.items():
            folder = place / f"{kind}-{label}"
            folder.mkdir()
            for frame in range(4):
                (folder / f"{frame:06d}.{kind}").write_bytes(body)
    folder = place / "h5-external"
    folder.mkdir()
    with h5py.File(folder / "000000.h5", "w") as file:
        file["depth"] = h5py.ExternalLink("/etc/passwd", "x")
    folder = place / "h5-huge"
    folder.mkdir()
    with h5py.File(folder / "000000.h5", "w") as file:
        file.create_dataset("depth", (60000, 60000), "f4", chunks=(64, 64))
    folder = place / "h5-bomb"
    folder.mkdir()
    with h5py.File(folder / "000000.h5", "w") as file:
        file.create_dataset("depth", (4, 4096, 4096), "f8", chunks=(4, 4096, 4096), compression="gzip", compression_opts=9, fillvalue=1)[:] = 0

def exr(width, height):
    def attribute(name, kind, body):
        return name + b"\0" + kind + b"\0" + struct.pack("<I", len(body)) + body
    box = struct.pack("<4i", 0, 0, max(-(1 << 31), min(width - 1, (1 << 31) - 1)), max(-(1 << 31), min(height - 1, (1 << 31) - 1)))
    return (b"\x76\x2f\x31\x01\x02\0\0\0" + attribute(b"channels", b"chlist", b"Y\0" + struct.pack("<iB3xii", 2, 0, 1, 1) + b"\0")
            + attribute(b"compression", b"compression", b"\3") + attribute(b"dataWindow", b"box2i", box)
            + attribute(b"displayWindow", b"box2i", box) + attribute(b"lineOrder", b"lineOrder", b"\0")
            + attribute(b"pixelAspectRatio", b"float", struct.pack("<f", 1)) + attribute(b"screenWindowCenter", b"v2f", bytes(8))
            + attribute(b"screenWindowWidth", b"float", struct.pack("<f", 1)) + b"\0" + bytes(64))

def tiff(width, height, following=0, strip=200, bits=32):
    tags = [(256, 4, 1, width & 0xFFFFFFFF), (257, 4, 1, height & 0xFFFFFFFF), (258, 3, 1, bits), (259, 3, 1, 1), (262, 3, 1, 1), (273, 4, 1, strip),
            (277, 3, 1, 1), (278, 4, 1, height & 0xFFFFFFFF), (279, 4, 1, 0xFFFFFFFF), (339, 3, 1, 3)]
    body = struct.pack("<H", len(tags)) + b"".join(struct.pack("<HHII", *tag) for tag in tags) + struct.pack("<I", following)
    return b"II*\0" + struct.pack("<I", 8) + body + bytes(400)

def settings(place):
    """YAML that a user may be handed."""
    laughs = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(f"{chr(98 + i)}: &{chr(98 + i)} [{','.join(['*' + chr(97 + i)] * 9)}]\n" for i in range(12))
    texts = {"laughs": laughs, "deep": "[" * 100000, "deep-maps": "".join(" " * i + "a:\n" for i in range(3000)), "cycle": "&a [*a]\n", "tag": "!!python/object/apply:os.system ['touch pwned']\n",
             "long": "a: " + "x" * (16 << 20), "keys": "".join(f"k{i}: 1\n" for i in range(300000)), "nul": "a: \0\n", "anchors": "".join(f"- &a{i} x\n" for i in range(200000)),
             "numbers": "version: 1e999999999\nnoise: [{a: .nan, b: .inf}, {a: -1, b: 0}, {a: 1, b: 1}]\n", "chain": "source:\n- &a0 [x]\n" + "".join(f"- &a{i} [*a{i - 1}]\n" for i in range(1, 300000)),
             "base-60": "format: fathom-calibration\nversion: 9223372036854775807:59\n", "list": "- 1\n", "empty": "", "documents": "a: 1\n---\nb: 2\n" * 50000}
    for name, text in texts.items():
        (place / f"{name}.yaml").write_text(text)
    (place / "utf16.yaml").write_bytes("a: 1\n".encode("utf-16"))
    (place / "bytes.yaml").write_bytes(bytes(range(256)) * 100)

def leaks(folder):
    """What of the names got into an output as it must not."""
    found = []
    for path in folder.rglob("*"):
        if not path.is_file():
            continue
        data = path.read_bytes()
        if b"root:x:0:0" in data:
            found.append(f"{path.name}: holds /etc/passwd")
        # A CSV file gives every name back as it was, quoted.
        if path.suffix in (".html", ".svg", ".md", ".ipynb", ".tex", ".json", ".txt", ".yaml") and b"\x1b" in data:
            found.append(f"{path.name}: an escape character")
        if path.suffix in (".html", ".svg", ".md") and re.search(rb"(?<!\\)<(script>alert|img src=x)", data):
            found.append(f"{path.name}: markup")
        if path.suffix == ".md" and re.search(rb"(?<!\\)\]\(javascript:", data):
            found.append(f"{path.name}: a link to code")
        if path.suffix == ".tex" and re.search(rb"\\input\{", data):
            found.append(f"{path.name}: TeX")
        if path.suffix == ".csv":
            for row in csv.reader(io.StringIO(data.decode(errors="replace"))):
                for cell in row:
                    if re.match(r"[=@\t\r]|[+-](?![\d.]|inf|nan|$)|[+-]\d+[+-]", cell):
                        found.append(f"{path.name}: a formula {cell[:30]!r}")
        if path.suffix == ".ipynb":
            json.loads(data)
    return sorted(set(found))

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fathom"), parser.add_argument("--write"), parser.add_argument("--only", default=""), parser.add_argument("--table")
    options = parser.parse_args()
    # The work is done in another folder.
    fathom, table = str(Path(options.fathom).resolve()), options.table and str(Path(options.table).resolve())
    rows = []
    with tempfile.TemporaryDirectory() as place:
        place = Path(options.write or place)
        # In a process of its own: what this one took would count as the memory of those that it starts.
        maker = os.fork()
        if maker == 0:
            for part, make in (("data", data_sets), ("recordings", recordings), ("maps", maps), ("settings", settings)):
                (place / part).mkdir(parents=True, exist_ok=True)
                make(place / part)
            os._exit(0)
        if os.waitpid(maker, 0)[1]:
            sys.exit("the files could not be made")
        good = made.write(made.stray(), place / "good")
        run([fathom, "import", str(good), str(place / "good.h5"), "--quiet"])
        with tempfile.TemporaryDirectory() as output:
            output = Path(output)
            os.chdir(output)
            def attempt(name, label, words):
                if options.only not in label:
                    return 1
                ended = run([fathom, name, *words])
                left = sorted(p.name for p in output.iterdir())
                verdict = ended.verdict((0, 64, 65, 66, 73)) or ("left" if ended.code and left else "")
                if "root:x:0:0" in ended.text:
                    verdict = "disclosed"
                rows.append(ended.row(label, name, verdict))
                if verdict:
                    print("  ", *rows[-1], flush=True)
                return ended.code
            def clear():
                for path in output.iterdir():
                    shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
            def leaking(label):
                for leak in leaks(output):
                    rows.append((label, "output", 0, 0, 0, 0, "leak", leak))
                    print("  ", *rows[-1], flush=True)
            plain = ["--methods", "lidar-bilinear", "--no-diagnosis", "--quiet"]
            for path in sorted((place / "data").iterdir()) + sorted((place / "recordings").iterdir()):
                label = f"{path.parent.name}/{path.name}"
                for name, words in (("inspect", [str(path)]), ("diagnose", [str(path)]), ("evaluate", [str(path), "--output", "run", *plain])):
                    attempt(name, label, words)
                    if name == "evaluate" and (output / "run").exists() and "names" in path.name:
                        for format in ("html", "markdown", "latex", "json"):
                            attempt("report", label, ["run", "--format", format, "--quiet"])
                        attempt("export", label, ["run", "--output", "notebook", "--no-execute", "--quiet"])
                    leaking(label)
                    clear()
                if path.parent.name == "recordings":
                    attempt("import", label, [str(path), "i.h5", "--quiet"])
                    clear()
            for path in sorted((place / "maps").iterdir()):
                for name in ("import", "attach"):
                    shutil.copy(place / "good.h5", output / "a.h5") if name == "attach" else None
                    words = [str(good), "i.h5", "--relative", str(path)] if name == "import" else ["a.h5", "--prediction", f"net:metric={path}"]
                    extra = ["--relative-kind", "disparity"] if name == "import" else []
                    if options.only in f"maps/{path.name}":
                        ended = run([fathom, name, *words, *extra, "--quiet"])
                        verdict = ended.verdict()
                        rows.append(ended.row(f"maps/{path.name}", name, verdict))
                        if verdict:
                            print("  ", *rows[-1], flush=True)
                    clear()
            for path in sorted((place / "settings").iterdir()):
                label = f"settings/{path.name}"
                attempt("import", label, [str(good), "i.h5", "--mapping", str(path), "--quiet"])
                clear()
                for option in ("--calibration", "--config"):
                    attempt("evaluate", label + option, [str(place / "good.h5"), "--output", "run", option, str(path), *plain])
                    clear()
            os.chdir("/")
    if table:
        write_table(table, rows)
    sys.exit(0 if summary(rows) else 1)

if __name__ == "__main__":
    main()
