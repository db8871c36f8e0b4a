#!/usr/bin/env python3
"""A package that uses Fathom beside a package whose targets are called like ours without their prefix: it builds and runs.

usage: check_names.py SCRATCH        the folder in which it is built

Every target of Package.swift begins with Depth, fathom, Fathom or CFathom: else the names of two packages clash where somebody uses
both ("multiple packages declare targets with a conflicting name")."""
import json, os, re, subprocess, sys, tempfile
from pathlib import Path
HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent

def main():
    package = json.loads(subprocess.run(["swift", "package", "dump-package"], cwd=ROOT, capture_output=True, check=True).stdout)
    names = [target["name"] for target in package["targets"]]
    bare = [name for name in names if not re.match("Depth|fathom|Fathom|CFathom", name)]
    if bare:
        sys.exit(f"targets without a prefix clash with those of other packages: {', '.join(bare)}")
    neighbours = sorted({re.sub(r"^Fathom", "", re.sub(r"^CFathom", "C", name)) for name in names if re.match("C?Fathom", name)})
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for name in neighbours:
            source = place / "Neighbour/Sources" / name / "file.swift"
            source.parent.mkdir(parents=True)
            source.write_text(f"public enum {name}OfTheNeighbour {{ public static let isHere = true }}\n")
        targets = "".join(f'.target(name: "{name}"), ' for name in neighbours)
        (place / "Neighbour/Package.swift").write_text(
            '// swift-tools-version: 6.1\nimport PackageDescription\nlet package = Package(name: "Neighbour", products: [.library('
            f'name: "Neighbour", targets: {json.dumps(neighbours)})], targets: [{targets}])\n')
        used = "".join(f'.product(name: "{name}", package: "Fathom"), ' for name in ("DepthCore", "FathomStatistics", "FathomStorage"))
        (place / "Package.swift").write_text(
            '// swift-tools-version: 6.1\nimport PackageDescription\nlet package = Package(name: "consumer", dependencies: ['
            f'.package(name: "Fathom", path: {json.dumps(str(ROOT))}), .package(path: "Neighbour")], targets: [.executableTarget('
            f'name: "consumer", dependencies: [{used}.product(name: "Neighbour", package: "Neighbour")])], swiftLanguageModes: [.v6])\n')
        (place / "Sources/consumer").mkdir(parents=True)
        (place / "Sources/consumer/main.swift").write_text((HERE / "main.swift").read_text())
        # The versions that the libraries are built with.
        (place / "Package.resolved").write_bytes((ROOT / "Package.resolved").read_bytes())
        done = subprocess.run(["swift", "run", "--package-path", folder, "--scratch-path", sys.argv[1], "-Xswiftc", "-Onone", "consumer"],
                              capture_output=True, text=True)
    if done.returncode or done.stdout.split() != ["cannotCreate", "true", "2571.0", "true"]:
        sys.exit(f"a consumer beside a package with the names {', '.join(neighbours)}: {done.stdout}{done.stderr[-3000:]}")
    print(f"{len(names)} targets have a prefix; a consumer beside {len(neighbours)} targets with the same words builds and runs")

if __name__ == "__main__":
    main()
