#!/usr/bin/env python3
"""The kernels on other processors: check_kernels.py

Compiles Sources/CFathomKernels with the options of a release for this processor and for arm64, and runs kernels.c with them here, on an
emulated processor without AVX, and on an emulated arm64. Every result must have the same bits; a NaN is a NaN, whatever its sign. A
kernel that a header declares and kernels.c does not call ends this with 1, too. Needs clang, gcc for arm64, which has the C library to
link with, and qemu-user: `make arm64` installs them."""
import hashlib, re, shutil, subprocess, sys, tempfile
from pathlib import Path
ROOT = Path(__file__).resolve().parent.parent.parent
KERNELS, PROGRAM = ROOT / "Sources" / "CFathomKernels", Path(__file__).resolve().parent / "kernels.c"
RELEASE = ["-O2", "-fblocks", "-fPIC", "-I", str(KERNELS / "include")]
ARM = ["--target=aarch64-linux-gnu", "--sysroot=/usr/aarch64-linux-gnu"]

def declared():
    """Names of the functions of the headers."""
    text = "".join(re.sub(r"//.*", "", path.read_text(encoding="utf-8")) for path in sorted((KERNELS / "include").glob("*.h")))
    return set(re.findall(r"^\w+ \**(\w+)\(", text, re.M))

def program(folder, target, linker):
    """Everything compiled for a processor, in one file without shared libraries."""
    objects = []
    for source in [PROGRAM, *sorted(KERNELS.glob("*.c"))]:
        objects.append(folder / f"{source.stem}.o")
        subprocess.run(["clang", *target, *RELEASE, "-c", source, "-o", objects[-1]], check=True)
    subprocess.run([linker, "-static", *objects, "-lm", "-o", folder / linker], check=True)
    return folder / linker

def main():
    missing = [name for name in ("clang", "aarch64-linux-gnu-gcc", "qemu-aarch64", "qemu-x86_64") if shutil.which(name) is None]
    if missing:
        sys.exit(f"{', '.join(missing)} is not installed: run make arm64")
    called = set(re.findall(r"\b(\w+)\(", PROGRAM.read_text(encoding="utf-8")))
    if declared() - called:
        sys.exit(f"{PROGRAM.name} does not call {', '.join(sorted(declared() - called))}")
    with tempfile.TemporaryDirectory() as folder:
        here, arm = program(Path(folder), [], "clang"), program(Path(folder), ARM, "aarch64-linux-gnu-gcc")
        runs = {"this processor": [here], "x86-64 without AVX": ["qemu-x86_64", "-cpu", "Nehalem", here], "arm64": ["qemu-aarch64", arm]}
        texts = {name: subprocess.run(run, check=True, capture_output=True, text=True).stdout for name, run in runs.items()}
    said = {name: text.splitlines() for name, text in texts.items()}
    expected, faults = said["this processor"], 0
    for name, lines in said.items():
        others = sorted({line.rsplit(" ", 2)[0] for line, other in zip(lines, expected, strict=True) if line != other})
        if others:
            print(f"{name}: other bits in {', '.join(others)}")
        faults += len(others)
    if not faults:
        print(f"{len(declared())} kernels, {len(expected)} results: the same bits on {', '.join(said)}")
        print("SHA-256 of the results:", hashlib.sha256(texts["this processor"].encode()).hexdigest())
    sys.exit(faults > 0)

if __name__ == "__main__":
    main()
