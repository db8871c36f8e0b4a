"""Small recordings of the formats that import knows, made without any library, to be spoilt."""
import io, json, struct, tarfile, zipfile, zlib
from pathlib import Path

# Files that only other programs write: of ffmpeg's test picture (x264, FFV1, JPEG, OpenEXR) and of Pillow (TIFF).
SEEDS = Path(__file__).parent / "seeds"

def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

def png(width, height, values, bits=16, colour=0):
    channels = 3 if colour == 2 else 1
    row = lambda y: b"".join(v.to_bytes(bits // 8, "big") for v in values[y * width * channels:(y + 1) * width * channels])
    body = zlib.compress(b"".join(b"\0" + row(y) for y in range(height)))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, 0))
            + chunk(b"IDAT", body) + chunk(b"IEND", b""))

def pfm(width, height, values):
    return f"Pf\n{width} {height}\n-1\n".encode() + struct.pack(f"<{width * height}f", *values)

def npy(width, height, values, stack=None):
    shape = f"({stack}, {height}, {width})" if stack else f"({height}, {width})"
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (64 - (len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(values)}f", *values)

def npz(**arrays):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in arrays.items():
            archive.writestr(name + ".npy", body)
    return out.getvalue()

def lzfse(body):
    return b"bvx-" + struct.pack("<I", len(body)) + body + b"bvx$"

def stray(frames=4, width=8, height=6):
    files = {"camera_matrix.csv": b"1600, 0, 960\n0, 1600, 720\n0, 0, 1\n"}
    rows = ["timestamp, frame, x, y, z, qx, qy, qz, qw"]
    for n in range(frames):
        files[f"depth/{n:06d}.png"] = png(width, height, [1000 + 10 * i + n for i in range(width * height)])
        files[f"confidence/{n:06d}.png"] = png(width, height, [(i + n) % 3 for i in range(width * height)], 8)
        rows.append(f"{100 + n / 60}, {n}, {n / 10}, 1.5, -2, 0, 0, 0, 1")
    files["odometry.csv"] = ("\n".join(rows) + "\n").encode()
    return files

def record3d(frames=3):
    files = {"metadata": json.dumps({
        "w": 30, "h": 40, "fps": 60, "dw": 3, "dh": 4, "K": [50, 0, 0, 0, 50, 0, 14.5, 19.5, 1],
        "perFrameIntrinsicCoeffs": [[50, 50, 14.5, 19.5], [51, 51, 15.5, 20.5], [52, 52, 15, 20]],
        "poses": [[.5, .5, .5, .5, 0, 0, 0], [0, 0, 0, 1, .25, 0, 0], [0, 0, 0, 1, .5, 0, 0]],
        "frameTimestamps": [0, .5, 1], "cameraType": 1}).encode()}
    for n in range(frames):
        files[f"rgbd/{n}.depth"] = lzfse(struct.pack("<12f", *[1 + i / 16 + n for i in range(12)]))
        files[f"rgbd/{n}.conf"] = lzfse(bytes((i + n) % 3 for i in range(12)))
        files[f"rgbd/{n}.jpg"] = (SEEDS / "picture.jpg").read_bytes()
    return files

def tum(frames=3, width=8, height=6):
    files = {}
    depth, colour, truth = ["# depth"], ["# colour"], ["# timestamp tx ty tz qx qy qz qw"]
    for n in range(frames):
        stamp = f"{1305031102.16 + n / 30:.6f}"
        files[f"depth/{stamp}.png"] = png(width, height, [5000 + 10 * i + n for i in range(width * height)])
        files[f"rgb/{stamp}.png"] = png(width, height, [7] * width * height * 3, 8, 2)
        depth.append(f"{stamp} depth/{stamp}.png"), colour.append(f"{stamp} rgb/{stamp}.png")
        truth.append(f"{stamp} {n / 10} 0 1 0 0 0 1")
    files["depth.txt"], files["rgb.txt"] = "\n".join(depth).encode() + b"\n", "\n".join(colour).encode() + b"\n"
    files["groundtruth.txt"] = "\n".join(truth).encode() + b"\n"
    return files

def maps(kind, frames=4, width=8, height=6):
    values = lambda n: [1 + i / 7 + n for i in range(width * height)]
    if kind in ("exr", "tiff"):
        return {f"{n:06d}.{kind}": (SEEDS / f"map.{kind}").read_bytes() for n in range(frames)}
    make = {"pfm": pfm, "npy": npy, "npz": lambda w, h, v: npz(depth=npy(w, h, v)),
            "png": lambda w, h, v: png(w, h, [int(1000 * x) for x in v])}[kind]
    return {f"{n:06d}.{kind}": make(width, height, values(n)) for n in range(frames)}

def write(files, folder):
    for name, body in files.items():
        path = Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    return folder

def zipped(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in files.items():
            archive.writestr(name, body)
    return out.getvalue()

def tarred(files, mode="w:gz"):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:
        for name, body in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(body)
            archive.addfile(entry, io.BytesIO(body))
    return out.getvalue()
