#!/usr/bin/env bash
# usage: run.sh address|thread FILTER [SCRATCH]
# Builds the tests with a sanitizer in a folder of their own, and runs those whose names fit. A report ends them.
# With address, undefined behaviour in our C targets traps as well. Of Swift there is no such sanitizer on Linux; it traps by itself.
set -euo pipefail
cd "$(dirname "$0")/../.."
sanitizer=$1 filter=$2 build=${3:-.build/sanitize-$1}
flags=(-c release -Xswiftc -enable-testing --sanitize="$sanitizer" --scratch-path "$build")
[ "$sanitizer" = thread ] || flags+=(-Xcc -fsanitize=undefined -Xcc -fsanitize-trap=undefined)
# Swift never frees the metadata of types and what its statics hold: what is reachable from nowhere at the end is not a leak of ours.
export ASAN_OPTIONS=detect_leaks=0:halt_on_error=1:exitcode=86
export TSAN_OPTIONS=halt_on_error=1:exitcode=86:suppressions=$PWD/Tests/Sanitize/thread.supp
swift build "${flags[@]}" --build-tests
swift test "${flags[@]}" --skip-build --filter "$filter"
# A whole evaluation with its diagnosis and report, read in this process: what confines a reader leaves a sanitizer no room.
"$build/release/fathom-reader-overhead" Datasets/sample.h5 within
echo "$sanitizer: clean"
