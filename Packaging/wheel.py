"""The wheel with the command inside: wheel.py PURE.whl BUNDLE FOLDER puts the files of `bundle.py` into the wheel of the Python package.

The command becomes a program of the environment, bin/fathom; its libraries lie where the environment has its data, lib/fathom. Prints the path.
The name says the oldest glibc that will do (manylinux). The same files give the same bytes.
"""

import base64
import hashlib
import pathlib
import platform
import sys
import time
import zipfile

from bundle import oldest_glibc, time_of_sources


def main():
    pure, bundle, folder = map(pathlib.Path, sys.argv[1:])
    name, version = pure.name.split("-")[:2]
    tag = "py3-none-manylinux_{}_{}_{}".format(*oldest_glibc(bundle), platform.machine())
    information = f"{name}-{version}.dist-info"
    files = {}
    with zipfile.ZipFile(pure) as archive:
        for entry in archive.namelist():
            files[entry] = archive.read(entry)
    for path in bundle.rglob("*"):
        place = path.relative_to(bundle)
        if path.is_file():
            kind = "scripts/fathom" if place == pathlib.Path("bin/fathom") else f"data/{place}"
            files[f"{name}-{version}.data/{kind}"] = path.read_bytes()
    files[f"{information}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: fathom {version}\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    record = f"{information}/RECORD"
    files.pop(record)
    order = sorted(files, key=lambda entry: (entry.startswith(information), entry))
    lines = [f"{entry},sha256={checksum(files[entry])},{len(files[entry])}" for entry in order]
    files[record] = "".join(f"{line}\n" for line in [*lines, f"{record},,"]).encode()
    day = time.gmtime(max(time_of_sources()[0], 315532800))[:6]
    folder.mkdir(parents=True, exist_ok=True)
    made = folder / f"{name}-{version}-{tag}.whl"
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for entry in [*order, record]:
            information = zipfile.ZipInfo(entry, day)
            information.compress_type = zipfile.ZIP_DEFLATED
            information.external_attr = (0o100755 if entry.endswith("scripts/fathom") else 0o100644) << 16
            archive.writestr(information, files[entry], compresslevel=9)
    print(made)


def checksum(words):
    return base64.urlsafe_b64encode(hashlib.sha256(words).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    main()
