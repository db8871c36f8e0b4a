"""The command with everything that it needs, as one folder that runs wherever it lies: what the wheel, the tarball and the Debian package hold.

    bundle.py FATHOM GENERATE_MANUAL CHECKOUTS FOLDER

FATHOM is the command that the tests ran: it is stripped and told where its libraries are, not built again. GENERATE_MANUAL is the program
of swift-argument-parser that writes manual pages, CHECKOUTS the folder of the Swift packages with their licences. FOLDER becomes

    bin/fathom            finds its libraries from where it lies, before those of the system and of LD_LIBRARY_PATH
    lib/fathom            every shared library that is not the C library's, as this Debian or Swift's toolchain has them
    share/fathom/fonts    DejaVu Sans, and a configuration of fontconfig that knows no other font
    share/doc/fathom      the licence of everything inside, and components.spdx.json, which lists it
    share/man, …          manual pages, completions for three shells

Two libraries are replaced by stand-ins (STAND_INS). The way to use them is closed: Fathom opens no network and no xar archive, and a
stand-in ends the process if one of its functions is called. They save 19 MB, and no code for networks is installed.
Prints the oldest glibc that will do. Needs a Debian or Ubuntu with patchelf, binutils and a C compiler.
"""

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
# Parts of glibc, and its loader: they belong to the system's kernel and to each other.
C_LIBRARY = re.compile(r"(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|mvec|anl))\.so\.\d+$")
# A library, and why nothing of it is needed.
STAND_INS = {
    "libcurl.so.4": "HDF5 reads data from the network with it",
    "libxml2.so.2": "libarchive reads xar archives with it",
}
FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
FONT_PACKAGE = "fonts-dejavu-core"
# Tables and texts that lie in our own sources.
BORROWED = [
    ("Scientific colour maps", "8.0", "MIT", "scientific-colour-maps.txt"),
]
LIBRARIES = pathlib.Path("lib/fathom")
DOCUMENTS = pathlib.Path("share/doc/fathom")
LICENCES = DOCUMENTS / "licences"
MANIFEST = "components.spdx.json"


def text(*words, **options):
    """What a program prints; its failure is the end."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))} ended with {done.returncode}\n{done.stderr[-2000:]}")
    return done.stdout


def needed(path):
    """Names of the libraries that a file asks for."""
    return re.findall(r"\(NEEDED\).*\[(.+)\]", text("readelf", "--dynamic", "--wide", path))


def is_binary(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def oldest_glibc(folder):
    """The greatest version of glibc that a file of the folder asks for, as two numbers."""
    asked = set()
    for path in folder.rglob("*"):
        if path.is_file() and is_binary(path):
            asked.update(re.findall(r"Name: GLIBC_(\d+)\.(\d+)", text("readelf", "--version-info", "--wide", path)))
    return max((int(major), int(minor)) for major, minor in asked)


class Libraries:
    """The libraries of a program by name: where this machine has them, and who asks for which."""

    def __init__(self, program):
        self.paths = dict(re.findall(r"^\s*(\S+) => (/\S+)", text("ldd", program), re.MULTILINE))
        self.inside, self.users = {}, {}
        waiting = [(program, name) for name in needed(program)]
        while waiting:
            user, name = waiting.pop()
            if C_LIBRARY.fullmatch(name):
                continue
            if name not in self.paths:
                sys.exit(f"{user} needs {name}, which is not installed")
            known = name in self.users
            self.users.setdefault(name, set()).add(str(user))
            if known or name in STAND_INS:
                continue
            self.inside[name] = pathlib.Path(self.paths[name]).resolve()
            waiting += [(self.inside[name], other) for other in needed(self.inside[name])]

    def place(self, name):
        """Its path within the bundle. One of several that this Debian chooses from keeps its folder and file name, because runs name
        their linear algebra by both."""
        path = self.inside.get(name)
        if path is None or path.parent.name in ("linux", "lib") or path.parent.name.endswith("-linux-gnu"):
            return pathlib.Path(name)
        return pathlib.Path(path.parent.name) / path.name


def make_stand_in(name, real, users, folder):
    """A library with the functions of another one that `users` ask for. None of them can be called."""
    has = dict(
        (symbol, (kind, version))
        for kind, symbol, version in re.findall(r" (\S) (\w+)@@?(\S+)$", text("nm", "--dynamic", "--defined-only", real), re.MULTILINE)
        if kind != "A"
    )
    asked = {line.split()[-1].split("@")[0] for user in users for line in text("nm", "--dynamic", "--undefined-only", user).splitlines()}
    used = sorted(asked & has.keys())
    if data := [symbol for symbol in used if has[symbol][0] not in "TWi"]:
        sys.exit(f"{name} has data that others use, so it cannot have a stand-in: {', '.join(data)}")
    source, versions = folder / f"{name}.c", folder / f"{name}.map"
    functions = "".join(f'void {symbol}(void) {{ refuse("{symbol}"); }}\n' for symbol in used)
    source.write_text(
        "#include <stdio.h>\n#include <stdlib.h>\n"
        "static void refuse(const char *function) {\n"
        f'  fprintf(stderr, "fathom: %s is called, and {name} is not part of this package\\n", function);\n  abort();\n}}\n' + functions
    )
    groups = {}
    for symbol in used:
        groups.setdefault(has[symbol][1], []).append(symbol)
    versions.write_text("".join(f"{version} {{ global: {'; '.join(symbols)}; }};\n" for version, symbols in sorted(groups.items())))
    library = folder / name
    compiler = next(found for found in map(shutil.which, ("cc", "gcc", "clang")) if found)
    text(compiler, "-shared", "-fPIC", "-Os", "-w", "-fno-builtin", source, f"-Wl,--version-script={versions},-soname,{name},--build-id=none,-s", "-o", library)
    source.unlink()
    versions.unlink()


def owner(path):
    """The Debian package of a file and its version, or nil for those of Swift's toolchain. Debian's record may have the path from
    before /lib became a link to /usr/lib."""
    for name in (str(path), str(path).removeprefix("/usr")):
        done = subprocess.run(["dpkg-query", "--search", name], capture_output=True, text=True)
        if done.returncode == 0:
            package = done.stdout.split(": ")[0].split(",")[0]
            return text("dpkg-query", "--show", "--showformat", "${Package}\t${Version}\t${source:Package}", package).split("\t")
    return None


class Components:
    """What lies inside, with a licence for each."""

    def __init__(self, folder):
        self.folder, self.rows = folder, []
        (folder / LICENCES).mkdir(parents=True)

    def add(self, name, version, licence, purl, words, files=(), note=""):
        """`words` is the text of its licence, which becomes a file named after it."""
        if not words.strip():
            sys.exit(f"{name} has no licence")
        (self.folder / LICENCES / name).write_text(words)
        self.rows.append({"name": name, "version": version, "licence": licence, "purl": purl, "files": sorted(map(str, files)), "note": note})

    def write(self, version, created, commit):
        def identifier(name):
            return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)

        packages, relations = [], []
        mine = {"name": "fathom", "version": version, "licence": "Apache-2.0", "purl": f"pkg:generic/fathom@{version}", "files": ["bin/fathom"], "note": f"commit {commit}"}
        for row in [mine, *sorted(self.rows, key=lambda row: row["name"])]:
            sums = [f"{path}: SHA-256 {digest(self.folder / path)}" for path in row["files"]]
            entry = {
                "name": row["name"], "SPDXID": identifier(row["name"]), "versionInfo": row["version"], "downloadLocation": "NOASSERTION",
                "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": row["licence"], "copyrightText": "NOASSERTION",
                "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": row["purl"]}],
            }  # fmt: skip
            if comment := "; ".join(filter(None, [row["note"], *sums])):
                entry["comment"] = comment
            packages.append(entry)
            if row is not mine:
                relations.append({"spdxElementId": identifier("fathom"), "relationshipType": "CONTAINS", "relatedSpdxElement": identifier(row["name"])})
        relations.insert(0, {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": identifier("fathom")})
        name = f"fathom-{version}"
        # Not an address that anybody answers at: a name that no other list has.
        seed = hashlib.sha256(json.dumps(packages, sort_keys=True).encode()).hexdigest()
        document = {
            "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": name,
            "documentNamespace": f"urn:fathom:{name}:{seed[:32]}", "creationInfo": {"created": created, "creators": ["Organization: The Fathom authors"]},
            "packages": packages, "relationships": relations,
        }  # fmt: skip
        (self.folder / DOCUMENTS / MANIFEST).write_text(json.dumps(document, indent=1) + "\n")


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def time_of_sources():
    """Seconds since 1970 and the commit: of the last change, so that the same sources give the same files."""
    said = subprocess.run(["git", "-C", ROOT, "log", "-1", "--format=%ct %H"], capture_output=True, text=True)
    seconds, commit = said.stdout.split() if said.returncode == 0 else ("0", "unknown")
    return int(os.environ.get("SOURCE_DATE_EPOCH", seconds)), commit


def swift_packages(checkouts):
    """Names, versions and folders of the Swift packages that the command holds."""
    lines = (HERE / "swift-packages.csv").read_text().splitlines()[1:]
    versions = dict(line.split(",") for line in lines)
    lock = ROOT / "Package.resolved"
    if lock.exists():
        pins = json.loads(lock.read_text())["pins"]
        versions |= {pin["identity"]: pin["state"].get("version", "") for pin in pins if pin["identity"] in versions}
    folders = {folder.name.lower(): folder for folder in checkouts.iterdir()}
    return [(name, versions[name], folders[name]) for name in sorted(versions)]


def main():
    program, manual, checkouts, folder = map(pathlib.Path, sys.argv[1:])
    shutil.rmtree(folder, ignore_errors=True)
    text(HERE / "install.sh", program, manual, folder)
    libraries, components = Libraries(program), Components(folder)
    home = folder / LIBRARIES
    home.mkdir(parents=True)

    debian, swift, renamed = {}, [], []
    for name, path in sorted(libraries.inside.items()):
        place = home / libraries.place(name)
        place.parent.mkdir(exist_ok=True)
        shutil.copyfile(path, place)
        if place.name != name:
            text("patchelf", "--set-soname", place.name, place)
            renamed += ["--replace-needed", name, place.name]
        if package := owner(path):
            debian.setdefault(tuple(package), []).append(place.relative_to(folder))
        else:
            text("strip", "--strip-unneeded", place)
            swift.append(place.relative_to(folder))
    for name, why in STAND_INS.items():
        if name in libraries.users:
            make_stand_in(name, libraries.paths[name], libraries.users[name], home)
    for path in home.rglob("*"):
        if path.is_file() and set(needed(path)) & set(renamed):
            text("patchelf", *renamed, path)
    folders = sorted({path.parent for path in home.rglob("*") if path.is_file()})
    # DT_RPATH and not DT_RUNPATH: it also holds for the libraries of libraries, and goes before LD_LIBRARY_PATH.
    search = ":".join(f"$ORIGIN/../{path.relative_to(folder)}" for path in folders)
    text("patchelf", *renamed, "--force-rpath", "--set-rpath", search, folder / "bin/fathom")

    fonts = folder / "share/fathom/fonts"
    fonts.mkdir(parents=True)
    for name in FONTS:
        path = pathlib.Path("/usr/share/fonts/truetype/dejavu") / name
        shutil.copyfile(path, fonts / name)
        debian.setdefault(tuple(owner(path)), []).append((fonts / name).relative_to(folder))
    shutil.copyfile(HERE / "fonts.conf", fonts / "fonts.conf")

    system = dict(re.findall(r'^(ID|VERSION_ID|VERSION_CODENAME)="?([^"\n]*)', pathlib.Path("/etc/os-release").read_text(), re.MULTILINE))
    common = set()
    for (name, version, source), files in debian.items():
        words = pathlib.Path("/usr/share/doc", name, "copyright").read_text(encoding="utf-8", errors="replace")
        common |= set(re.findall(r"/usr/share/common-licenses/([A-Za-z0-9.-]*[A-Za-z0-9])", words))
        purl = f"pkg:deb/{system['ID']}/{name}@{version}?distro={system['ID']}-{system.get('VERSION_ID', '')}"
        components.add(name, version, "NOASSERTION", purl, words, files, f"of the source package {source}")
    for name in common:
        shutil.copyfile(pathlib.Path("/usr/share/common-licenses", name), folder / LICENCES / f"common-{name}")
    if swift:
        toolchain = swift_licence(libraries.inside)
        number = re.search(r"Swift version (\S+)", text("swift", "--version"))[1]
        unicode = [path for path in swift if "ICU" in path.name]
        components.add("swift", number, "Apache-2.0 WITH Swift-exception", f"pkg:generic/swift@{number}", toolchain, set(swift) - set(unicode))
        if unicode:
            # The toolchain has no copy of ICU's licence; Debian's is of the same project.
            icu = next(path for name, path in libraries.paths.items() if name.startswith("libicuuc.so"))
            words = pathlib.Path("/usr/share/doc", owner(pathlib.Path(icu).resolve())[0], "copyright").read_text()
            components.add("swift-foundation-icu", number, "Unicode-3.0", f"pkg:generic/swift-foundation-icu@{number}", words, unicode)
    for name, version, sources in swift_packages(checkouts):
        words = "\n\n".join(path.read_text() for pattern in ("LICENSE*", "NOTICE*") for path in sorted(sources.glob(pattern)))
        licence = "MIT" if "MIT License" in words else "Apache-2.0"
        components.add(name, version, licence, f"pkg:generic/{name}@{version}", words, note="within bin/fathom")
    for name, version, licence, file in BORROWED:
        words = (HERE / "licences" / file).read_text()
        components.add(name.lower().replace(" ", "-"), version, licence, f"pkg:generic/{name.lower().replace(' ', '-')}@{version}", words, note="within bin/fathom")
    shutil.copyfile(ROOT / "LICENSE", folder / DOCUMENTS / "copyright")

    seconds, commit = time_of_sources()
    created = text("date", "--utc", f"--date=@{seconds}", "+%Y-%m-%dT%H:%M:%SZ").strip()
    version = text(program, "--version").splitlines()[0].split()[0]
    components.write(version, created, commit)
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() or path == folder / "bin/fathom" else 0o644)
        os.utime(path, (seconds, seconds))
    print("glibc", ".".join(map(str, oldest_glibc(folder))))


def swift_licence(libraries):
    """The licence of the toolchain that the libraries come from."""
    path = next(path for name, path in libraries.items() if name == "libswiftCore.so")
    return (path.parents[3] / "share/swift/LICENSE.txt").read_text()


if __name__ == "__main__":
    main()
