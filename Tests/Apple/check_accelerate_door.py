#!/usr/bin/env python3
"""The branch of FathomLinearAlgebra for Apple's systems, on Linux: check_accelerate_door.py

Makes a module named Accelerate whose header declares LAPACK's own interface, compiles the module's sources with it, so that they take
that branch, and without it, links both with the same LAPACK, and compares what main.swift prints: every routine must give the same bits
and the same errors. What Accelerate's header calls constant differs by version: it must compile either way. Also shows that nothing of FathomLinearAlgebra
but LAPACKRoutine.swift calls LAPACK. That Accelerate itself computes well is not shown: it exists on Apple's systems only."""
import re, subprocess, sys, tempfile
from pathlib import Path
ROOT = Path(__file__).resolve().parent.parent.parent
SOURCES = ROOT / "Sources" / "FathomLinearAlgebra"
DOOR = SOURCES / "LAPACKRoutine.swift"
# As in Apple's vecLib with ACCELERATE_NEW_LAPACK. C: const, or nothing.
HEADER = """
#ifdef ACCELERATE_NEW_LAPACK
typedef int __LAPACK_int;
void dgesv_(C int *n, C int *nrhs, double *a, C int *lda, int *ipiv, double *b, C int *ldb, int *info);
void dgelsd_(C int *m, C int *n, C int *nrhs, double *a, C int *lda, double *b, C int *ldb, double *s, C double *rcond, int *rank,
  double *work, C int *lwork, int *iwork, int *info);
void dgels_(C char *trans, C int *m, C int *n, C int *nrhs, double *a, C int *lda, double *b, C int *ldb, double *work, C int *lwork,
  int *info);
void dgeqrf_(C int *m, C int *n, double *a, C int *lda, double *tau, double *work, C int *lwork, int *info);
void dormqr_(C char *side, C char *trans, C int *m, C int *n, C int *k, C double *a, C int *lda, C double *tau, double *c, C int *ldc,
  double *work, C int *lwork, int *info);
void dtrtrs_(C char *uplo, C char *trans, C char *diag, C int *n, C int *nrhs, C double *a, C int *lda, double *b, C int *ldb, int *info);
void dsyev_(C char *jobz, C char *uplo, C int *n, double *a, C int *lda, double *w, double *work, C int *lwork, int *info);
void ilaver_(int *major, int *minor, int *patch);
#endif
"""

def compiled(folder, name, options):
    """What the program prints that was compiled in one module with these options; nothing where they end with -typecheck."""
    program = folder / name
    subprocess.run(
        ["swiftc", "-swift-version", "6", "-Onone", "-warnings-as-errors", "-enable-upcoming-feature", "InternalImportsByDefault",
         "-enable-upcoming-feature", "MemberImportVisibility", "-module-cache-path", folder / "cache", *sorted(SOURCES.glob("*.swift")),
         Path(__file__).resolve().parent / "main.swift", *options] + ([] if "-typecheck" in options else ["-o", program]), check=True)  # fmt: skip
    if "-typecheck" in options:
        return []
    return subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()

def accelerate(folder, constant):
    """Options with which `import Accelerate` finds a module of ours."""
    place = folder / ("constant" if constant else "plain")
    place.mkdir()
    (place / "module.modulemap").write_text('module Accelerate [system] { header "Accelerate.h" export * }\n')
    (place / "Accelerate.h").write_text(f"#define C {'const' if constant else ''}\n{HEADER}")
    return ["-I", place, "-Xcc", "-DACCELERATE_NEW_LAPACK", "-llapack", "-lblas"]

def main():
    strangers = [path.name for path in SOURCES.glob("*.swift") if path != DOOR
                 and re.search(r"^\s*(\w+ )?import (Accelerate|CFathomLAPACK)$|\bLAPACKE_|\bd[a-z]{4,5}_\(", path.read_text(encoding="utf-8"), re.M)]
    if strangers:
        sys.exit(f"{', '.join(strangers)}: LAPACK is called in {DOOR.name} alone")
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "lapacke"], check=True, capture_output=True, text=True).stdout.split()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        maps = [option for name in ("CFathomLAPACK", "CFathomGlibc") for option in ("-I", ROOT / "Sources" / name)]
        linux = compiled(folder, "linux", [*maps, *flags, "-llapack", "-lblas"])
        apple = compiled(folder, "apple", accelerate(folder, constant=True))
        compiled(folder, "plain", [*accelerate(folder, constant=False), "-typecheck"])
    # The first line names the library.
    if not apple[0].startswith("Accelerate, LAPACK ") or linux[0].startswith("Accelerate"):
        sys.exit(f"the branches were not taken: {linux[0]}; {apple[0]}")
    for here, there in zip(linux[1:], apple[1:], strict=True):
        if here != there:
            sys.exit(f"LAPACKE: {here}\nAccelerate's interface: {there}")
    print(f"{len(linux) - 1} answers of LAPACK are the same through LAPACKE and through Accelerate's interface")

if __name__ == "__main__":
    main()
