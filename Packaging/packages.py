"""The packages that Fathom is built and tested with, against the lists of this folder.

    packages.py           a notice where versions differ; exit 1 where Package.swift names a package that no list has
    packages.py --write   the versions of this machine into the lists

debian-packages.csv is the list that `make setup` (for: command), `make setup-test` (for: tests) and `make bundle` (for: release) install,
with their versions in Debian 12; those for a release may be absent. swift-packages.csv is the list of the packages that Package.swift names, with the versions to which a build resolved them. Other versions are
a notice and no error: those of Debian change with its security updates. Needs nothing but Python, dpkg and a build.
"""

import csv
import json
import os
import pathlib
import platform
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
DEBIAN, SWIFT = HERE / "debian-packages.csv", HERE / "swift-packages.csv"
SYSTEM = ("debian", "12")


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write(path, table):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(table[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)


def is_debian():
    try:
        system = platform.freedesktop_os_release()
    except OSError:
        return False
    return (system.get("ID"), system.get("VERSION_ID")) == SYSTEM


def installed(names):
    """Versions of Debian packages by their names; without those that are absent."""
    said = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Abbrev}\t${Package}\t${Version}\n", *names], capture_output=True, text=True)
    lines = [line.split("\t") for line in said.stdout.splitlines()]
    return {name: version for status, name, version in lines if status.startswith("ii")}


def resolved(text):
    """Versions of Swift packages by their names, from Package.resolved; without those that only `make docs` needs."""
    pins = {pin["identity"]: pin["state"] for pin in json.loads(text)["pins"] if "docc" not in pin["identity"]}
    return {name: state.get("version") or state["revision"] for name, state in pins.items()}


def named(manifest):
    """The Debian and the Swift packages that Package.swift names."""
    debian = set(re.findall(r'"([^"]+)"', " ".join(re.findall(r"\.apt\(\[([^\]]*)\]\)", manifest))))
    swift = {url.rsplit("/", 1)[1].removesuffix(".git").lower() for url in re.findall(r'\.package\(url: "([^"]+)"', manifest)}
    return debian, {name for name in swift if "docc" not in name}


def differences(table, versions):
    """Packages whose version is another one than that of the list, in words."""
    found = [f"{name} {versions[name]} is new" for name in sorted(set(versions) - {row["package"] for row in table})]
    for row in table:
        version = versions.get(row["package"])
        if version != row["version"]:
            found.append(f"{row['package']} {version or 'is absent'}{', not ' + row['version'] if version else ''}")
    return found


def main():
    debian, swift, faults, notices = rows(DEBIAN), rows(SWIFT), [], []
    for path, table, used in zip((DEBIAN, SWIFT), (debian, swift), named((ROOT / "Package.swift").read_text(encoding="utf-8")), strict=True):
        if missing := used - {row["package"] for row in table}:
            faults.append(f"Package.swift names {', '.join(sorted(missing))}, and Packaging/{path.name} does not")
    versions = installed([row["package"] for row in debian]) if is_debian() else None
    lock = ROOT / "Package.resolved"
    pins = resolved(lock.read_text(encoding="utf-8")) if lock.exists() else None
    if sys.argv[1:] == ["--write"]:
        if versions is None or pins is None:
            sys.exit("the lists are of Debian 12 and of a build: make build there first")
        write(DEBIAN, [row | {"version": versions.get(row["package"], row["version"])} for row in debian])
        write(SWIFT, [{"package": name, "version": pins[name]} for name in sorted(pins)])
        return
    if versions is None:
        print("the system's packages are not compared: their list is of Debian 12")
    else:
        notices += differences([row for row in debian if row["for"] != "release" or row["package"] in versions], versions)
    if pins is None:
        print("the Swift packages are not compared: nothing was built here")
    else:
        notices += differences(swift, pins)
    mark = "::notice::" if os.environ.get("GITHUB_ACTIONS") else "notice: "
    if notices:
        print(f"{mark}other versions than in Packaging: {'; '.join(notices)}. Where they are to stay: make packages")
    elif not faults:
        print(f"{len(debian)} system packages and {len(swift)} Swift packages are those of the lists in Packaging")
    sys.exit("\n".join(faults) if faults else 0)


if __name__ == "__main__":
    main()
