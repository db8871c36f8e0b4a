"""Installs each package in a bare Debian without Swift and evaluates data there.

    sudo python3 Tests/Install/check_install.py FATHOM FOLDER [RECORDING…] [--roots FOLDER]

FATHOM is the command as it was built here. FOLDER has the Debian package, the archive and the wheel of `make release`. In a bare Debian of
this machine's release, made by debootstrap from the mirror that its apt uses, each is installed, and must

- find every library among its own files or the C library's, and print the same `--version` as the build, with the same protections;
- evaluate the sample, and the recordings that are at hand, to the same bytes as the build, `timing.csv` and `build` in `run.json` apart;
- leave nothing when it is removed.

The wheel is installed by pip into a virtual environment, and the Python package is used from there; this is done a second time in a later
Debian, for its Python. There the C library is another one, so numbers are compared to rounding. Needs root. `--roots` keeps the bare
Debians for the next time.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/root"}
LATER = "trixie"
C_LIBRARY = re.compile(r"linux-vdso|/ld-linux|/lib(c|m|dl|rt|pthread|resolv)\.so")
# What the package of Python needs, from where pip has it.
REQUIREMENTS = ("h5py>=3.8", "numpy>=1.24", "pandas>=2.0")
STARTS = """
import subprocess, sys, time
best = 9
for _ in range(9):
    begun = time.monotonic()
    subprocess.run([sys.argv[1], "--version"], stdout=subprocess.DEVNULL)
    best = min(best, time.monotonic() - begun)
print(round(1000 * best), end="")
"""
PROGRAM = """
import numpy as np
import fathom
truth = np.tile(np.linspace(1, 3, 64, dtype=np.float32), (4, 48, 1))
run = fathom.evaluate({"mynet": truth * 1.02}, truth, scenes=["a", "a", "b", "b"])
print(fathom.command())
print(round(float(run.means().loc["stored:mynet", "abs_rel"]), 4))
"""


def text(*words, **options):
    """What a program prints; its failure is the end."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))} ended with {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def mirror():
    """Where apt has this release from: its address and name."""
    sites = text("apt-get", "indextargets", "--format", "$(SITE) $(RELEASE) $(COMPONENT)", "Created-By: Packages").splitlines()
    release = re.search(r"^VERSION_CODENAME=(\w+)", Path("/etc/os-release").read_text(), re.MULTILINE)[1]
    found = [site for site in sites if site.endswith(f" {release} main")]
    if not found:
        sys.exit(f"apt knows no mirror of {release}")
    return release, found[0].split(" ")[0]


class Bare:
    """A Debian with Python and nothing else, entered by chroot."""

    def __init__(self, roots, release, site):
        self.release, self.root = release, roots / release
        if not (self.root / "usr/bin/python3").exists():
            text("debootstrap", "--variant=minbase", "--include=python3,python3-venv", release, self.root, site)
        shutil.rmtree(self.root / "work", ignore_errors=True)
        (self.root / "work").mkdir()
        for place in ("usr/bin/swift", "usr/bin/fathom", "etc/fonts", "usr/lib/fathom"):
            if (self.root / place).exists():
                sys.exit(f"{release} is not bare: it has {place}")

    def run(self, *words, folder="/work"):
        # A /proc of its own, which ends with the program.
        inside = ["chroot", self.root, "sh", "-c", 'cd "$0" && exec "$@"', folder, *words]
        return text("unshare", "--mount", "--pid", "--fork", f"--mount-proc={self.root / 'proc'}", *inside, env=ENVIRONMENT)

    def path(self, place):
        return self.root / place.lstrip("/")

    def files(self):
        """Every file, apart from what is worked on, from records of packages and logs, and from caches of Python."""
        passed = re.compile(r"/(work|proc|tmp|root|var/lib/dpkg|var/log|var/cache)(/|$)|__pycache__")
        found = set()
        for folder, names, files in os.walk(self.root):
            inside = folder.removeprefix(str(self.root))
            if passed.search(inside):
                names.clear()
                continue
            found.update(f"{inside}/{name}" for name in files)
        return found


class DebianPackage:
    command = "/usr/bin/fathom"

    def __init__(self, place, file):
        self.place = place
        shutil.copy(file, place.path("/work/fathom.deb"))
        place.run("dpkg", "--install", "/work/fathom.deb")

    def remove(self):
        self.place.run("dpkg", "--purge", "fathom")


class Archive:
    def __init__(self, place, file):
        self.place = place
        # Unpacked here, because a bare Debian has no xz.
        text("tar", "--extract", "--file", file, "--directory", place.path("/opt"))
        self.folder = "/opt/" + file.name.removesuffix(".tar.xz")
        self.command = self.folder + "/bin/fathom"

    def remove(self):
        shutil.rmtree(self.place.path(self.folder))


class Wheel:
    """By pip, in a virtual environment, from files: nothing is downloaded there."""

    command = "/srv/environment/bin/fathom"

    def __init__(self, place, file):
        self.place = place
        wheels = place.path("/work/wheels")
        wheels.mkdir()
        version = place.run("python3", "-c", "import sys; print('{}.{}'.format(*sys.version_info))").strip()
        # The oldest tag last: pip takes a wheel for any of them.
        tags = [f"--platform={tag}_{os.uname().machine}" for tag in ("manylinux_2_28", "manylinux_2_17", "manylinux2014")]
        download = ("-m", "pip", "download", "--quiet", "--only-binary=:all:", f"--python-version={version}", *tags)
        text(sys.executable, *download, "--dest", wheels, *REQUIREMENTS)
        shutil.copy(file, wheels)
        begun = time.monotonic()
        place.run("python3", "-m", "venv", "/srv/environment")
        self.before = place.files()
        place.run("/srv/environment/bin/pip", "install", "--quiet", "--no-index", "--find-links=/work/wheels", f"/work/wheels/{file.name}")
        self.seconds = time.monotonic() - begun
        self.check_python(version)

    def check_python(self, version):
        path, error = self.place.run("/srv/environment/bin/python3", "-c", PROGRAM).split()
        if (path, error) != (self.command, "0.02"):
            sys.exit(f"Python {version} calls {path}, whose error is {error}")
        print(f"  Python {version}: the package finds its command, and its numbers are right; installed in {self.seconds:.0f} s")

    def remove(self):
        names = [re.split("[<>=]", name)[0] for name in REQUIREMENTS]
        self.place.run("/srv/environment/bin/pip", "uninstall", "--quiet", "--yes", "fathom-depth", *names, "python-dateutil", "tzdata", "six")
        if left := {path for path in self.place.files() - self.before if "fathom" in path}:
            sys.exit(f"pip leaves {sorted(left)[:5]}")
        shutil.rmtree(self.place.path("/srv/environment"))


def check_libraries(place, installed):
    """Every library is the package's own or the C library's; the text of `--version` is the build's."""
    home = str(Path(installed.command).parents[1])
    lines = [line.strip() for line in place.run("ldd", installed.command).splitlines()]
    foreign = [line for line in lines if f"=> {home}/" not in os.path.normpath(line.replace("/bin/..", "")) and not C_LIBRARY.search(line)]
    if foreign:
        sys.exit(f"libraries from elsewhere: {foreign}")
    here, there = text(arguments.fathom, "--version"), place.run(installed.command, "--version")
    if here != there:
        sys.exit(f"--version differs:\n{here}\n{there}")
    milliseconds = place.run("python3", "-c", STARTS, installed.command)
    print(f"  {len(lines)} libraries, all its own or the C library's; --version in {milliseconds} ms; {there.splitlines()[-1]}")


def check_documents(place, installed):
    share = place.path(str(Path(installed.command).parents[1] / "share"))
    pages = sorted(path.name.removesuffix(".gz") for path in (share / "man/man1").glob("fathom*"))
    listed = re.findall(r"^  ([a-z]+) ", place.run(installed.command, "--help").partition("SUBCOMMANDS:")[2], re.MULTILINE)
    missing = {"fathom.1", *(f"fathom.{name}.1" for name in listed)} - set(pages)
    if missing or not listed:
        sys.exit(f"no manual page {sorted(missing)}")
    zsh = "zsh/vendor-completions/_fathom" if isinstance(installed, DebianPackage) else "zsh/site-functions/_fathom"
    for name in ("bash-completion/completions/fathom", zsh, "fish/vendor_completions.d/fathom.fish"):
        if "evaluate" not in (share / name).read_text():
            sys.exit(f"{name} does not know evaluate")
    documents = share / "doc/fathom"
    listed = json.loads((documents / "components.spdx.json").read_text())["packages"]
    texts = {path.name for path in (documents / "licences").iterdir()}
    if without := [entry["name"] for entry in listed[1:] if entry["name"] not in texts]:
        sys.exit(f"no licence of {without}")
    print(f"  {len(pages)} manual pages, completions for three shells, {len(listed)} components with licences")


def without_build(folder):
    """A run's manifest names the build that wrote it."""
    path = folder / "run.json"
    manifest = json.loads(path.read_text())
    manifest.pop("build", None)
    path.write_text(json.dumps(manifest, indent=1))
    return manifest


def check_run(place, installed, data, folder, options=()):
    """The same command in the same folder gives the same bytes."""
    for home in (folder, place.path("/work")):
        shutil.rmtree(home / "run", ignore_errors=True)
        if not (home / data.name).exists():
            (shutil.copytree if data.is_dir() else shutil.copy)(data, home / data.name)
    words = ("evaluate", data.name, "--output", "run", "--quiet", *options)
    text(arguments.fathom, *words, cwd=folder, env=ENVIRONMENT)
    begun = time.monotonic()
    place.run(installed.command, *words)
    seconds = time.monotonic() - begun
    here, there = folder / "run", place.path("/work/run")
    manifests = [without_build(run) for run in (here, there)]
    protections = {word for entry in manifests[1]["inputs"] for word in entry.get("protections", [])}
    if place.release == arguments.release:
        text("diff", "--recursive", "--brief", "--exclude", "timing.csv", here, there)
        same = "the same bytes"
    else:
        for name in ("frames.csv", "summary.csv", "verdict.json"):
            text(sys.executable, ROOT / "Tests/Committed/check_committed.py", here / name, there / name, "--rounded")
        same = "the same numbers"
    print(f"  {data.name}: {same} as the build, in {seconds:.0f} s; its readers were held by {', '.join(sorted(protections)) or 'nothing'}")


def main():
    with tempfile.TemporaryDirectory(prefix="fathom-install-") as name:
        roots = arguments.roots or Path(name) / "roots"
        here = Path(name) / "work"
        for folder in (roots, here):
            folder.mkdir(exist_ok=True)
        recordings = [ROOT / "Datasets/sample.h5", *arguments.recordings]
        arguments.release, site = mirror()
        for release, kinds in ((arguments.release, (DebianPackage, Archive, Wheel)), (LATER, (Wheel,))):
            place = Bare(roots.resolve(), release, site)
            for kind, pattern in ((DebianPackage, "*.deb"), (Archive, "*.tar.xz"), (Wheel, "*.whl")):
                if kind not in kinds:
                    continue
                (file,) = arguments.folder.glob(pattern)
                print(f"{file.name} ({file.stat().st_size / 1e6:.1f} MB) in {release}")
                before = place.files()
                installed = kind(place, file)
                check_libraries(place, installed)
                check_documents(place, installed)
                for recording in recordings:
                    if recording.exists():
                        check_run(place, installed, recording, here)
                    else:
                        print(f"  skipped: {recording.name} is absent")
                installed.remove()
                if left := place.files() - before:
                    sys.exit(f"removed, it leaves {sorted(left)[:5]}")


parser = argparse.ArgumentParser()
parser.add_argument("fathom", type=Path)
parser.add_argument("folder", type=Path)
parser.add_argument("recordings", type=Path, nargs="*")
parser.add_argument("--roots", type=Path)
arguments = parser.parse_args()
arguments.fathom = arguments.fathom.resolve()
if os.geteuid() != 0:
    sys.exit("a bare Debian needs root: call it with sudo")
if __name__ == "__main__":
    main()
