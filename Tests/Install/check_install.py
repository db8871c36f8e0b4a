"""Installs the Debian package in a bare Debian without Swift and evaluates the sample there.

    sudo python3 Tests/Install/check_install.py FATHOM PACKAGE.deb

FATHOM is the command as it was built here, whose numbers must be the same. The bare Debian is made by debootstrap, of this machine's
release and from the mirror that its apt uses, in a folder that is removed. Needs root; others can have `--unpacked`, which unpacks the
package and runs it on this machine without Swift's folders, so it does not show that the package's dependencies suffice.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"}
# A library in `--version`, and how the file of it begins.
FILES = {
    "HDF5": "libhdf5_serial.so", "LAPACK": "liblapacke.so", "OpenSSL": "libcrypto.so", "Cairo": "libcairo.so", "libpng": "libpng16.so",
    "libwebp": "libwebp.so", "libarchive": "libarchive.so", "OpenEXR": "libOpenEXRCore-", "libtiff": "libtiff.so",
}  # fmt: skip


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


def dependencies(package):
    """Names of the packages that it depends on; the first where one of several will do."""
    lines = text("dpkg-deb", "--field", package, "Depends").replace("\n", " ")
    return [re.match(r"[a-z0-9][a-z0-9+.-]+", entry.strip())[0] for entry in lines.split(",")]


class Bare:
    """A Debian with the package and what it depends on, entered by chroot."""

    def __init__(self, folder, package):
        self.root = folder / "debian"
        release, site = mirror()
        text("debootstrap", "--variant=minbase", f"--include={','.join(dependencies(package))}", release, self.root, site)
        self.take(package, "/package.deb")
        print(self.run("dpkg", "--install", "/package.deb").splitlines()[-1])

    def take(self, path, place):
        text("cp", path, self.path(place))

    def path(self, place):
        return self.root / place.lstrip("/")

    def run(self, *words):
        # A /proc of its own, which ends with the program.
        return text(
            "unshare", "--mount", "--pid", "--fork", f"--mount-proc={self.root / 'proc'}", "chroot", self.root, *words, env=ENVIRONMENT)


class Unpacked:
    """The package's files in a folder, on this machine."""

    def __init__(self, folder, package):
        self.root = folder / "unpacked"
        text("dpkg-deb", "--extract", package, self.root)
        self.work = folder / "work"
        self.work.mkdir()

    def take(self, path, place):
        text("cp", path, self.path(place))

    def path(self, place):
        return self.root / place.lstrip("/") if place.startswith("/usr/") else self.work / place.lstrip("/")

    def run(self, *words):
        mine = [str(self.root / "usr/bin/fathom") if word == "/usr/bin/fathom" else word for word in words]
        return text(*[str(self.path(word)) if word.startswith("/sample") else word for word in mine], env=ENVIRONMENT)


def check_libraries(place):
    """Every library is found, and none is Swift's; `--version` says what Debian's packages say."""
    lines = place.run("ldd", "/usr/bin/fathom").splitlines()
    for line in lines:
        if "not found" in line or "swift" in line.lower():
            sys.exit(f"the command needs {line.strip()}")
    libraries = {found[1]: found[2] for line in lines if (found := re.match(r"\s*(\S+) => (\S+)", line))}
    version, *named = place.run("/usr/bin/fathom", "--version").splitlines()
    if not named or not named.pop().startswith("protections of readers: limits"):
        sys.exit("--version does not end with what protects the readers")
    said = dict(line.split(" ") for line in named)
    if said.keys() != FILES.keys():
        sys.exit(f"--version names {sorted(said)}, and libraries are {sorted(FILES)}")
    for library, number in said.items():
        file = next(path for name, path in libraries.items() if name.startswith(FILES[library]))
        # Debian's record has the path from before /lib became a link to /usr/lib.
        owner = place.run("sh", "-c", f"dpkg -S {file} 2>/dev/null || dpkg -S /usr{file}").split(":")[0]
        package = place.run("dpkg-query", "-W", "-f", "${Version}", owner)
        if not re.match(rf"(\d+:)?{re.escape(number)}(\D|$)", package):
            sys.exit(f"--version says {library} {number}, and {owner} is {package}")
    print(f"{len(libraries)} libraries, none of Swift; versions as Debian says; fathom {version}")


def check_documents(place, version):
    share = place.path("/usr/share")
    pages = sorted(path.name for path in (share / "man/man1").glob("fathom*"))
    listed = re.findall(r"^  ([a-z]+) ", place.run("/usr/bin/fathom", "--help").partition("SUBCOMMANDS:")[2], re.MULTILINE)
    missing = {"fathom.1.gz", *(f"fathom.{name}.1.gz" for name in listed)} - set(pages)
    if missing or not listed:
        sys.exit(f"no manual page {sorted(missing)}")
    for name in ("bash-completion/completions/fathom", "zsh/vendor-completions/_fathom", "fish/vendor_completions.d/fathom.fish"):
        if "evaluate" not in (share / name).read_text():
            sys.exit(f"{name} does not know evaluate")
    text("bash", "-n", share / "bash-completion/completions/fathom")
    if version not in text("dpkg-deb", "--field", arguments.package, "Version"):
        sys.exit("the package has another version than the command")
    print(f"{len(pages)} manual pages, completions for three shells")


def check_sample(place, folder):
    """The sample's numbers are those of the command that was built here, to rounding."""
    place.take(ROOT / "Datasets/sample.h5", "/sample.h5")
    place.run("/usr/bin/fathom", "evaluate", "/sample.h5", "--output", "/sample-run", "--quiet")
    text(arguments.fathom, "evaluate", ROOT / "Datasets/sample.h5", "--output", folder / "here", "--quiet")
    for name in ("frames.csv", "summary.csv", "verdict.json"):
        files = (folder / "here" / name, place.path("/sample-run") / name)
        text(sys.executable, ROOT / "Tests/Committed/check_committed.py", *files, "--rounded")
    page = place.path("/sample-run") / "report.html"
    print(f"the sample is evaluated with the same numbers; a report of {page.stat().st_size // 1024} KiB")


def main():
    with tempfile.TemporaryDirectory(prefix="fathom-install-") as name:
        folder = Path(name)
        place = Unpacked(folder, arguments.package) if arguments.unpacked else Bare(folder, arguments.package)
        if not arguments.unpacked and place.run("sh", "-c", "command -v swift || true"):
            sys.exit("the bare Debian has a Swift")
        check_libraries(place)
        check_documents(place, place.run("/usr/bin/fathom", "--version").splitlines()[0])
        check_sample(place, folder)


parser = argparse.ArgumentParser()
parser.add_argument("fathom", type=Path)
parser.add_argument("package", type=Path)
parser.add_argument("--unpacked", action="store_true")
arguments = parser.parse_args()
arguments.fathom, arguments.package = arguments.fathom.resolve(), arguments.package.resolve()
if not arguments.unpacked and os.geteuid() != 0:
    sys.exit("a bare Debian needs root: call it with sudo, or with --unpacked")
if __name__ == "__main__":
    main()
