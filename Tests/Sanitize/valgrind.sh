#!/usr/bin/env bash
# usage: valgrind.sh [FILTER]
# The tests of what calls C libraries, in a release build, under Valgrind's memory checker. A report ends them with 86.
set -euo pipefail
cd "$(dirname "$0")/../.."
filter=${1:-'HDF5Tests|PictureFilesTests|ArchivesTests|LZFSETests'}
valgrind --quiet --error-exitcode=86 --leak-check=no --suppressions=Tests/Sanitize/valgrind.supp \
  .build/release/FathomPackageTests.xctest --testing-library swift-testing --filter "$filter"
echo "valgrind: clean"
