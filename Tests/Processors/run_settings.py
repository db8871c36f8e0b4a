"""Runs what computes under the settings that make this processor and its libraries round like others.

    run_settings.py FATHOM                                 every setting and check
    run_settings.py FATHOM --settings oldest,haswell       some of them; --list names them
    run_settings.py FATHOM --checks goldens,run            without the Swift tests

A setting chooses the linear algebra (the reference BLAS and LAPACK, or OpenBLAS with the kernels of a kind of processor and
a number of threads), which vector instructions numpy may use, and which variants of its functions the C library's
mathematics takes. A check is run under each and must pass:

    goldens   committed answers of numpy and scipy against fresh ones
    boxes     10,000 overlaps of boxes by scipy, a minute
    run       the files of `fathom evaluate Datasets/sample.h5` against those of the first setting, to rounding
    swift     the Swift tests that compute; built before by `make test-build`

Prints a table, and the output of what failed. A setting that this processor cannot run is skipped by name; one that does
not take effect is an error. Without OpenBLAS in the system it is fetched by `apt-get download` into .build/openblas,
without installing it.
"""

import argparse
import dataclasses
import glob
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TESTS = ROOT / "Tests"
SUITES = [
    "FathomLinearAlgebraTests", "DepthCoreTests", "FathomStatisticsTests", "DepthFusionTests", "DepthCalibrationTests",
    "DepthObjectsTests", "DepthEvaluationTests", "DepthVerdictsTests", "DepthTuningTests", "DepthDiagnosisTests", "FathomDocumentsTests",
    "DepthReportTests", "FathomJobReportsTests", "DepthGraphicsTests",
]  # fmt: skip
GOLDENS = [
    "Reference/make_golden.py", "Reference/make_layer_golden.py", "CrossCheck/make_statistics_golden.py",
]  # fmt: skip
# OpenBLAS kernels of x86 processors, and the flags of /proc/cpuinfo that they need.
KERNELS = {
    "Prescott": {"pni"},
    "Sandybridge": {"avx"},
    "Haswell": {"avx2", "fma"},
    "Zen": {"avx2", "fma"},
    "SkylakeX": {"avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512cd"},
}
# Kinds that numpy's OpenBLAS, which is built with fewer kernels, reports by another name.
OTHER_NAMES = {"Prescott": "Katmai", "Zen": "Haswell"}
# What glibc's mathematics looks at when it chooses a variant of a function.
NO_FMA = "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F"


@dataclasses.dataclass(frozen=True)
class Setting:
    name: str
    words: str
    # "reference" or "openblas"; numpy has an OpenBLAS of its own.
    blas: str
    kernel: str = ""
    threads: int = 0
    is_plain: bool = False  # neither numpy's vector instructions nor glibc's fused ones

    def environment(self, libraries, features):
        found = {"LD_LIBRARY_PATH": libraries[self.blas]}
        if self.kernel:
            found["OPENBLAS_CORETYPE"] = self.kernel
        if self.threads:
            found["OPENBLAS_NUM_THREADS"] = str(self.threads)
        if self.is_plain:
            found |= {"GLIBC_TUNABLES": NO_FMA, "NPY_DISABLE_CPU_FEATURES": features}
        return os.environ | found


SETTINGS = [
    Setting("reference", "reference BLAS", "reference"),
    Setting("reference-plain", "reference BLAS, no SIMD in numpy, no FMA in libm", "reference", is_plain=True),
    *(Setting(kernel.lower(), f"OpenBLAS, {kernel}", "openblas", kernel) for kernel in KERNELS),
    Setting("one-thread", "OpenBLAS, one thread", "openblas", threads=1),
    Setting("two-threads", "OpenBLAS, two threads", "openblas", threads=2),
    Setting("oldest", "OpenBLAS, Prescott, one thread, no SIMD in numpy, no FMA in libm", "openblas", "Prescott", 1, True),
]


def fetched_openblas():
    """The folder of OpenBLAS' libblas.so.3 and liblapack.so.3: the system's, or one unpacked from Debian's package."""
    places = [pattern + "/openblas-pthread" for pattern in ("/usr/lib/*", str(ROOT / ".build/openblas/usr/lib/*"))]
    installed = [place for pattern in places for place in glob.glob(pattern)]
    if installed:
        return installed[0]
    folder = ROOT / ".build" / "openblas"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        subprocess.run(["apt-get", "download", "-qq", "libopenblas0-pthread"], cwd=folder, check=True, capture_output=True)
        for package in folder.glob("*.deb"):
            subprocess.run(["dpkg", "-x", package, folder], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"OpenBLAS is not installed and cannot be fetched: {error}")
    return glob.glob(places[1])[0]


def reference_libraries():
    folders = [*glob.glob("/usr/lib/*/blas"), *glob.glob("/usr/lib/*/lapack")]
    if len(folders) < 2:
        sys.exit("the reference BLAS and LAPACK are not where Debian has them: /usr/lib/*/blas, /usr/lib/*/lapack")
    return ":".join(folders)


def missing_flags(setting):
    if not setting.kernel:
        return set()
    if platform.machine() != "x86_64":
        return {"x86"}
    flags = re.search(r"^flags\s*:(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    return KERNELS[setting.kernel] - set(flags[1].split() if flags else [])


def numpy_features():
    """The vector instructions that numpy can go without and this processor has, as numpy names them."""
    code = (
        "from numpy._core import _multiarray_umath as m\n"
        "print(*(f for f in m.__cpu_dispatch__ if m.__cpu_features__.get(f)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return run.stdout.strip()


def check_effect(setting, environment, fathom, features):
    """Ends the program where a setting is only believed to be in force."""
    maps = subprocess.run(["ldd", fathom], env=environment, capture_output=True, text=True, check=True).stdout
    blas = re.search(r"libblas\.so\.3 => (\S+)", maps)
    folder = environment["LD_LIBRARY_PATH"].split(":")[0]
    if not blas or not blas[1].startswith(folder):
        sys.exit(f"{setting.name}: {fathom} loads {blas[1] if blas else 'no libblas'}, not that of {folder}")
    if setting.kernel:
        said = subprocess.run(
            [fathom, "--version"], env=environment | {"OPENBLAS_VERBOSE": "2"}, capture_output=True, text=True, check=True)
        if f"core: {setting.kernel.lower()}" not in (said.stdout + said.stderr).lower():
            sys.exit(f"{setting.name}: OpenBLAS does not say that it uses the kernels of {setting.kernel}: {said.stderr}")
        code = "import numpy, scipy.linalg, threadpoolctl as t; print(*{l['architecture'] for l in t.threadpool_info() if l['internal_api'] == 'openblas'})"
        said = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        if said.stdout.strip().lower() not in {setting.kernel.lower(), OTHER_NAMES.get(setting.kernel, "").lower()}:
            sys.exit(f"{setting.name}: numpy's OpenBLAS uses the kernels of {said.stdout.strip()}, not {setting.kernel}")
    if setting.is_plain and features:
        code = "from numpy._core import _multiarray_umath as m; print(any(m.__cpu_features__.get(f) for f in m.__cpu_dispatch__))"
        said = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        if said.stdout.strip() != "False":
            sys.exit(f"{setting.name}: numpy still uses vector instructions of {features}")


def commands(check, setting, fathom, runs, first):
    python = sys.executable
    if check == "goldens":
        return [[python, TESTS / script, "--check"] for script in GOLDENS]
    if check == "boxes":
        return [[python, TESTS / "CrossCheck/check_boxes.py", "--check"]]
    if check == "swift":
        return [["swift", "test", "-c", "release", "-Xswiftc", "-enable-testing", "--skip-build", "--filter", f"^({'|'.join(SUITES)})\\."]]
    made = [fathom, "evaluate", ROOT / "Datasets/sample.h5", "--output", runs / setting.name, "--quiet"]
    compared = [python, TESTS / "Committed/check_committed.py", runs / first.name, runs / setting.name]
    return [made, ["rm", runs / setting.name / "timing.csv"]] + ([compared] if setting != first else [])


def passed(command, environment):
    run = subprocess.run(command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    # A filter that finds no test passes, too.
    is_empty = "test" in command and "swift" in command and not re.search(r"Test run with [1-9]\d* tests", run.stdout)
    if run.returncode == 0 and not is_empty:
        return True
    # Swift's tests say what failed in lines of their own, among thousands.
    lines = [line for line in run.stdout.splitlines() if "started." not in line and not line.startswith("✔")]
    words = f"killed by signal {-run.returncode}" if run.returncode < 0 else f"exit code {run.returncode}"
    print(f"$ {' '.join(map(str, command))}\n" + "\n".join([*lines[-40:], words]), file=sys.stderr)
    return False


def main():
    checks = ["goldens", "boxes", "run", "swift"]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("fathom", type=pathlib.Path)
    parser.add_argument("--settings", default=",".join(s.name for s in SETTINGS))
    parser.add_argument("--checks", default=",".join(checks))
    parser.add_argument("--list", action="store_true", help="name the settings and end")
    options = parser.parse_args()
    if options.list:
        print("\n".join(f"{s.name}: {s.words}" for s in SETTINGS))
        return 0
    wanted, checks = options.settings.split(","), [c for c in checks if c in options.checks.split(",")]
    unknown = set(wanted) - {s.name for s in SETTINGS} | set(options.checks.split(",")) - set(checks)
    if unknown:
        sys.exit(f"no setting or check is called {', '.join(sorted(unknown))}")
    libraries = {"reference": reference_libraries(), "openblas": fetched_openblas()}
    features, fathom = numpy_features(), options.fathom.resolve()
    chosen = []
    for setting in (s for s in SETTINGS if s.name in wanted):
        if missing := missing_flags(setting):
            print(f"skipped: {setting.words}; this processor has no {', '.join(sorted(missing))}")
        else:
            chosen.append(setting)
    failed = 0
    if not chosen:
        sys.exit("this processor can run none of the settings")
    print(f"| {'setting':<70} | {' | '.join(f'{c:<8}' for c in checks)} |\n|{'-' * 72}|{'|'.join(['-' * 10] * len(checks))}|")
    with tempfile.TemporaryDirectory() as folder:
        for setting in chosen:
            environment = setting.environment(libraries, features)
            check_effect(setting, environment, fathom, features)
            cells = []
            for check in checks:
                start = time.monotonic()
                made = commands(check, setting, fathom, pathlib.Path(folder), chosen[0])
                good = all(passed(command, environment) for command in made)
                failed += not good
                cells.append(f"{time.monotonic() - start:.0f} s" if good else "FAILED")
            print(f"| {setting.words:<70} | {' | '.join(f'{c:<8}' for c in cells)} |", flush=True)
    print(f"{len(chosen) * len(checks) - failed} of {len(chosen) * len(checks)} checks passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
