#!/usr/bin/env bash
# usage: valgrind.sh
# What calls C libraries, in a release build, under Valgrind's memory checker: a data set, recordings in folders and archives, maps,
# least squares, a drawing. A report ends it with 86. Valgrind 3.19 does not know Swift's debug information: it gets a copy without.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
swift build -c release -Xswiftc -enable-testing --product fathom-c-boundary
strip --strip-debug -o "$work/c-boundary" .build/release/fathom-c-boundary
PYTHONPATH=Tests/Fuzz python3 - "$work" << 'END'
import sys
from pathlib import Path
import recordings as made
work = Path(sys.argv[1])
made.write(made.stray(), work / "stray"), made.write(made.tum(), work / "tum")
(work / "stray.zip").write_bytes(made.zipped(made.stray())), (work / "stray.tar.gz").write_bytes(made.tarred(made.stray()))
(work / "scan.r3d").write_bytes(made.zipped(made.record3d()))
END
valgrind --quiet --error-exitcode=86 --leak-check=no --suppressions=Tests/Sanitize/valgrind.supp "$work/c-boundary" \
  Datasets/sample.h5 Tests/Fuzz/seeds/map.exr Tests/Fuzz/seeds/map.tiff "$work"/{stray,tum,stray.zip,stray.tar.gz,scan.r3d}
echo "valgrind: clean"
