# Fathom: set up, build, test, demonstrate. `make demo` and `make test` are all that a new user needs; `make` alone says what there is.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.ONESHELL:
.DEFAULT_GOAL := help
.PHONY: help check setup setup-test build static install bundle wheel-binary tarball deb release install-test demo reports keep packages judge judge-full examples test test-build swift-test tools example consumer crosscheck crosscheck-goldens crosscheck-boxes crosscheck-estimators crosscheck-local crosscheck-protocols crosscheck-outputs crosscheck-runs crosscheck-recordings tutorial page workflows soak processors arm64 apple-door nightly matrix matrix-check experiments experiments-check fuzz-replay fuzz-readers fuzz-runs fuzz-parsers fuzz-build fuzz faults faults-check faults-sample sanitize reader-overhead bench instructions results auto-table foreign fault-kinds box-table notebook docs docs-check site site-check wheel python-test python-notebook picture format lint sample clean

# What the command needs, and what only the tests or packages need.
packages_for = $(shell awk -F, '$$2 == "$(1)" { print $$1 }' Packaging/debian-packages.csv)
PACKAGES := $(call packages_for,command)
TEST_PACKAGES := $(call packages_for,tests)
RELEASE_PACKAGES := $(call packages_for,release)
PYTHON := .venv/bin/python3
# Every run computes what it says: none takes anything from another one.
export FATHOM_CACHE :=
REQUIREMENTS := Tests/Fuzz/requirements.txt Tests/Reference/requirements.txt Tests/CrossCheck/requirements.txt Tests/CrossCheck/requirements-statistics.txt Tests/Notebook/requirements.txt Tests/Page/requirements.txt Tests/Schemas/requirements.txt Python/requirements.txt
FATHOM := .build/release/fathom
# One configuration for the command and for the tests, so that no source is compiled twice: optimised, because numerical tests take
# seven times as long otherwise; preconditions stay.
SWIFT_FLAGS := -c release -Xswiftc -enable-testing
LOG ?= /dev/null
CROSSCHECKS := $(addprefix crosscheck-,goldens boxes estimators local protocols outputs runs recordings)

help:
	@echo 'make demo             build the command, evaluate the demonstration data, write Reports/'
	echo 'make test             all tests'
	echo 'make check MODULE=M   build and test module M in debug, with few words'
	echo 'make build            .build/release/fathom; make setup: the system packages it needs (apt)'
	echo 'make install          under PREFIX; make release: wheel, archive and Debian package, with checksums'
	echo 'make lint format      style of the sources; make docs-check: what the documentation shows'
	echo 'make judge            the long checks whose sources changed: what .ci/run asks for'
	echo 'make nightly          every check in full: hours'
	echo 'Others:' $$(sed -n 's/^.PHONY: //p' $(firstword $(MAKEFILE_LIST)))

# The loop of a developer: one module and its tests, built file by file as for debugging, but optimised, because numerical tests take
# minutes otherwise.
MODULE ?=
CHECK_FLAGS := --scratch-path .build/check -Xswiftc -O -Xcc -O2
check: CHECK := FATHOM_CHECK=$(MODULE) swift
check:
	@[ -n "$(MODULE)" ] && [ -d "Tests/$(MODULE)Tests" ] || { echo "Name a module that has tests: make check MODULE=DepthFusion" >&2; exit 1; }
	$(CHECK) build $(CHECK_FLAGS) --product FathomPackageTests 2>&1 | { grep -E "error|warning|^Build" || true; }
	$(CHECK) test $(CHECK_FLAGS) --skip-build 2>&1 | { grep -E "✘|error:|↳|Test run" || true; }

# Installs those of the named Debian packages that are absent; `missing` is empty elsewhere.
define install
missing=""
if command -v dpkg-query > /dev/null; then
  for package in $(1); do
    # Only the check of pages needs a browser; Ubuntu's machines come with another of the same kind.
    [ "$$package" = chromium ] && command -v google-chrome > /dev/null && continue
    dpkg-query -W -f '$${Status}' "$$package" 2> /dev/null | grep -q "ok installed" || missing="$$missing $$package"
  done
fi
if [ -n "$$missing" ] && command -v apt-get > /dev/null; then
  echo "Installing:$$missing"
  sudo=""; [ "$$(id -u)" -eq 0 ] || sudo="sudo"
  $$sudo apt-get update -qq
  DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -qq --no-install-recommends $$missing > /dev/null
fi
endef

# The system libraries that the command needs, from apt where that exists.
setup:
	@command -v swift > /dev/null || { echo "Swift 6.3 or later is needed: see https://www.swift.org/install" >&2; exit 1; }
	$(call install,$(PACKAGES))
	if ! command -v apt-get > /dev/null; then
	  pkg-config --exists hdf5 lapacke libcrypto cairo libpng libturbojpeg libwebp libwebpmux libdeflate zlib libarchive OpenEXR libtiff-4 || {
	    echo "This is neither Debian nor Ubuntu. Install the development files of HDF5 (hdf5.pc), LAPACKE (lapacke.pc), OpenSSL's libcrypto (libcrypto.pc), Cairo (cairo.pc), libpng (libpng.pc), libjpeg-turbo (libturbojpeg.pc), libwebp (libwebp.pc, libwebpmux.pc), libdeflate (libdeflate.pc), zlib (zlib.pc), libarchive (libarchive.pc), OpenEXR (OpenEXR.pc) and libtiff (libtiff-4.pc), the DejaVu fonts and pkg-config, then run make again." >&2
	    exit 1
	  }
	fi

# Besides, a Python environment and a browser for the tests.
setup-test: setup
	@$(call install,$(TEST_PACKAGES))
	command -v python3 > /dev/null || { echo "The tests need Python 3.11 or later with venv, and Chromium or Chrome." >&2; exit 1; }
	if ! cat $(REQUIREMENTS) | cmp -s - .venv/installed.txt; then
	  python3 -m venv .venv
	  .venv/bin/pip install --quiet --disable-pip-version-check $(REQUIREMENTS:%=-r %)
	  cat $(REQUIREMENTS) > .venv/installed.txt
	fi

build: setup
	@swift build $(SWIFT_FLAGS) --product fathom 2>&1 | tee -a $(LOG)

# The command with Swift's runtime inside, for machines without Swift, and the program that writes its manual pages.
STATIC := .build/static
static: setup
	@swift build -c release --static-swift-stdlib --disable-local-rpath --product fathom --scratch-path $(STATIC) 2>&1 | tee -a $(LOG)
	swift build -c release --package-path $(STATIC)/checkouts/swift-argument-parser --scratch-path $(STATIC)/manual --product generate-manual --quiet

# The command, its manual pages and completions, in PREFIX.
PREFIX ?= /usr/local
install: static
	@Packaging/install.sh $(STATIC)/release/fathom $(STATIC)/manual/release/generate-manual "$(DESTDIR)$(patsubst ~/%,$(HOME)/%,$(PREFIX))"

# The command that the tests ran with all that it needs, in one folder: what every package holds. Built is only the small program that
# writes manual pages.
BUNDLE := .build/bundle
DIST := .build/dist
bundle: build
	@$(call install,$(RELEASE_PACKAGES))
	swift build -c release --package-path .build/checkouts/swift-argument-parser --scratch-path .build/manual --product generate-manual --quiet
	python3 Packaging/bundle.py $(FATHOM) .build/manual/release/generate-manual .build/checkouts $(BUNDLE)

# Packages with the command inside, in .build/dist: a wheel, an archive to unpack anywhere, a Debian package.
wheel-binary: bundle wheel
	@rm -f $(DIST)/*.whl
	python3 Packaging/wheel.py .build/wheel/*.whl $(BUNDLE) $(DIST)

tarball: bundle
	@rm -f $(DIST)/*.tar.xz
	Packaging/make_tarball.sh $(BUNDLE) $(DIST)

deb: bundle
	@rm -f $(DIST)/*.deb
	Packaging/make_deb.sh $(BUNDLE) $(DIST)

# All of them, the list of what is inside, and checksums.
release: wheel-binary tarball deb
	@cp $(BUNDLE)/share/doc/fathom/components.spdx.json $(DIST)
	cd $(DIST)
	rm -f SHA256SUMS
	sha256sum * > SHA256SUMS
	du -h --apparent-size *

# Each package in a bare Debian without Swift; the wheel also in the next Debian, with its Python.
install-test: release
	@$(call install,debootstrap)
	sudo=""; [ "$$(id -u)" -eq 0 ] || sudo="sudo"
	$$sudo $(PYTHON) Tests/Install/check_install.py $(FATHOM) $(DIST) $(REAL_DATA)/iphone-stray.h5

# Makes a data set with exact truth, evaluates it, and ends with the table and the path of the report.
demo: build
	@$(FATHOM) synthesize Datasets/demo.h5 --preset demo --overwrite
	$(FATHOM) evaluate Datasets/demo.h5 --output Reports/demo --overwrite

# The committed examples of tune and calibrate.
reports: build
	@$(FATHOM) tune Datasets/demo.h5 --output Reports/demo-tuned --overwrite
	$(FATHOM) calibrate Datasets/demo.h5 --output Reports/demo-calibration --overwrite

# What the repository keeps of these runs: Reports/kept, Reports/headline.csv and a chart, and the notebooks that read them.
keep: demo reports
	@python3 Tests/Committed/kept_reports.py --write
	$(MAKE) --no-print-directory notebook python-notebook LOG=$(LOG)

# The runs of the demonstration, where they were not made yet.
DEMO := Reports/demo/run.json
$(DEMO): | build
	@$(MAKE) --no-print-directory demo LOG=$(LOG)

# The versions of this machine and build into the lists of packages.
packages: build
	@python3 Packaging/packages.py --write

# Every test: the Python reference, the agreement of a run with it, the Python package, then the Swift tests.
# The pages by themselves, because they are timed.
test: setup-test crosscheck
	@$(MAKE) --no-print-directory page LOG=$(LOG)
	$(MAKE) --no-print-directory python-test LOG=$(LOG)
	$(MAKE) --no-print-directory swift-test LOG=$(LOG)

swift-test: test-build
	@swift test $(SWIFT_FLAGS) --skip-build

# The tests, and small programs beside them. Not --build-tests, which also builds the plug-ins of packages, and for these
# swift-argument-parser a second time.
test-build: build
	@for product in fathom-sandbox-probe fathom-c-boundary fathom-reader-overhead fathom-page-fixtures FathomPackageTests; do
	  swift build $(SWIFT_FLAGS) --product $$product 2>&1 | tee -a $(LOG)
	done

# What the numpy reference implements, in every form.
REFERENCED := lidar-nearest,lidar-bilinear,spec,shipped$(foreach m,ols wls huber oracle,$(foreach f,depth disparity log,,$(m)@$(f)))

# Recomputes runs independently and compares them: frames, means and local methods with numpy, estimators with scipy,
# scikit-learn and statsmodels, intervals and tests with scipy and statsmodels; on real recordings where they are at hand.
# The parts are independent of each other: `make -j2 crosscheck` takes half the time.
crosscheck: $(CROSSCHECKS)

# Committed answers against fresh ones, and what judges the checks themselves: seconds.
crosscheck-goldens: setup-test
	@$(PYTHON) Tests/Committed/test_check_committed.py
	$(PYTHON) Tests/Committed/test_kept_reports.py
	$(PYTHON) Tests/Checks/test_judge.py
	$(PYTHON) Tests/Checks/test_packages.py
	$(PYTHON) Tests/Checks/test_build_identity.py
	$(PYTHON) Tests/Reference/test_reference.py
	$(PYTHON) Tests/Reference/make_golden.py --check
	$(PYTHON) Tests/Reference/make_layer_golden.py --check
	$(PYTHON) Tests/Reference/make_extended_golden.py --check
	$(PYTHON) Tests/CrossCheck/make_statistics_golden.py --check
	$(PYTHON) Tests/CrossCheck/make_noise_free_golden.py --check
	$(PYTHON) Tests/CrossCheck/make_confidence_golden.py --check
	$(PYTHON) Tests/CrossCheck/make_deviation_golden.py --check
	$(PYTHON) Tests/CrossCheck/make_wall_golden.py --check
	$(PYTHON) Tests/CrossCheck/make_two_walls_golden.py --check

crosscheck-boxes: setup-test
	@$(PYTHON) Tests/CrossCheck/check_boxes.py --check

crosscheck-estimators: build setup-test
	@$(PYTHON) Tests/CrossCheck/check_estimators.py $(FATHOM)

crosscheck-local: build setup-test $(DEMO)
	@runs=$$(mktemp -d); trap 'rm -rf "$$runs"' EXIT
	$(FATHOM) synthesize "$$runs/few-pairs.h5" --preset few-pairs --frames 1 --quiet
	$(PYTHON) Tests/CrossCheck/check_local.py $(FATHOM) "$$runs/few-pairs.h5" Datasets/demo.h5

crosscheck-protocols: build setup-test
	@$(PYTHON) Tests/CrossCheck/check_protocols.py $(FATHOM)
	$(PYTHON) Tests/CrossCheck/check_published_protocols.py $(FATHOM)
	$(PYTHON) Tests/CrossCheck/check_alignments.py $(FATHOM)

# What commands write and print: 3-D files, the notebook, replays, JSON, and the commands that pages name.
crosscheck-outputs: build setup-test $(DEMO)
	@$(PYTHON) Tests/Schemas/check_schemas.py $(FATHOM)
	$(PYTHON) Tests/Page/check_commands.py $(FATHOM)
	$(PYTHON) Tests/CrossCheck/check_scenes3d.py $(FATHOM)
	$(PYTHON) Tests/Notebook/check_notebook.py $(FATHOM) Reports/demo Notebooks-export/demo
	runs=$$(mktemp -d); trap 'rm -rf "$$runs"' EXIT
	$(FATHOM) synthesize "$$runs/live.h5" --preset live --frames 300 --quiet
	$(FATHOM) replay "$$runs/live.h5" --stage detect=45ms --output "$$runs/replay" --quiet
	$(PYTHON) Tests/CrossCheck/check_replay.py "$$runs/live.h5" "$$runs/replay"

crosscheck-runs: build setup-test
	@runs=$$(mktemp -d); trap 'rm -rf "$$runs"' EXIT
	methods="$$(echo '$(REFERENCED)' | tr -d ' ')"
	for preset in sample flat-wall; do
	  $(FATHOM) synthesize "$$runs/$$preset.h5" --preset $$preset --quiet
	  $(FATHOM) evaluate "$$runs/$$preset.h5" --methods "$$methods" \
	    --output "$$runs/$$preset" --quiet
	  $(PYTHON) Tests/Reference/check_frames.py "$$runs/$$preset" "$$runs/$$preset.h5"
	  $(PYTHON) Tests/CrossCheck/check_statistics.py "$$runs/$$preset"
	done
	# Whole images, neighbouring frames and pooled pixels, on posed scenes of four frames.
	$(FATHOM) synthesize "$$runs/posed.h5" --preset sample --scenes 4 --frames 4 --quiet
	for aggregation in scene pooled; do
	  objects="--objects --box-methods all"; [ $$aggregation = scene ] || objects=--no-objects
	  $(FATHOM) evaluate "$$runs/posed.h5" --methods "$$methods" --aggregation $$aggregation $$objects \
	    --output "$$runs/posed-$$aggregation" --quiet
	done
	$(PYTHON) Tests/Reference/check_structure.py "$$runs/posed-scene" "$$runs/posed.h5"
	$(PYTHON) Tests/CrossCheck/check_figures.py "$$runs/posed-scene" "$$runs/posed.h5"
	$(PYTHON) Tests/CrossCheck/check_drawn.py "$$runs/posed-scene"
	# Every number that a report shows, in every format.
	for run in sample posed-scene posed-pooled; do
	  $(FATHOM) report "$$runs/$$run" --format latex --quiet
	  $(PYTHON) Tests/CrossCheck/check_report.py "$$runs/$$run"
	done
	$(PYTHON) Tests/CrossCheck/check_latex.py --fathom $(FATHOM) "$$runs/sample" "$$runs/posed-scene"
	$(PYTHON) Tests/CrossCheck/check_pooled.py "$$runs/posed-pooled" "$$runs/posed.h5"
	$(FATHOM) synthesize "$$runs/six.h5" --preset sample --scenes 6 --frames 2 --quiet
	$(PYTHON) Tests/CrossCheck/check_tune.py $(FATHOM) "$$runs/six.h5"
	$(PYTHON) Tests/CrossCheck/check_deviation.py $(FATHOM)
	$(PYTHON) Tests/CrossCheck/check_compare.py $(FATHOM) "$$runs/six.h5"
	$(PYTHON) Tests/CrossCheck/check_objects.py "$$runs/sample" "$$runs/sample.h5"
	$(PYTHON) Tests/CrossCheck/check_objects.py "$$runs/posed-scene" "$$runs/posed.h5"
	$(PYTHON) Tests/CrossCheck/check_sentences.py $(FATHOM)
	$(FATHOM) synthesize "$$runs/sequence.h5" --preset sample --scenes 1 --frames 10 --quiet
	$(PYTHON) Tests/CrossCheck/check_multiview.py $(FATHOM) "$$runs/sequence.h5"

crosscheck-recordings: build setup-test
	@runs=$$(mktemp -d); trap 'rm -rf "$$runs"' EXIT
	data="$${FATHOM_REAL_DATA:-../shared/data}"
	stray="$$data/iphone-stray.h5"
	[ -e "$$stray" ] || stray=""
	$(PYTHON) Tests/CrossCheck/check_calibration.py $(FATHOM) Datasets/sample.h5 $(wildcard Datasets/demo.h5) $${stray:+"$$stray"}
	if [ -e "$$data/real-indoor.h5" ]; then
	  $(FATHOM) evaluate "$$data/real-indoor.h5" "$$data/iphone-stray.h5" --output "$$runs/real" --quiet
	  $(PYTHON) Tests/Reference/check_frames.py "$$runs/real" "$$data/real-indoor.h5" "$$data/iphone-stray.h5"
	  $(PYTHON) Tests/Reference/check_structure.py "$$runs/real" "$$data/real-indoor.h5" "$$data/iphone-stray.h5"
	  $(PYTHON) Tests/CrossCheck/check_statistics.py "$$runs/real"
	  $(PYTHON) Tests/CrossCheck/check_report.py "$$runs/real"
	  # Methods differ in the frames that they solve.
	  $(FATHOM) export "$$runs/real" --output "$$runs/real-notebook" --python $(PYTHON) --quiet
	  $(PYTHON) Tests/Notebook/check_notebook.py $(FATHOM) "$$runs/real" "$$runs/real-notebook"
	  $(PYTHON) Tests/CrossCheck/check_multiview.py $(FATHOM) "$$data/iphone-stray.h5" room-consecutive
	  $(FATHOM) replay "$$stray" --scenes room-consecutive --stage detect=45ms --output "$$runs/replay" --quiet
	  $(PYTHON) Tests/CrossCheck/check_replay.py "$$stray" "$$runs/replay"
	  $(PYTHON) Tests/CrossCheck/check_sentences.py $(FATHOM) --real "$$data" --only .h5
	  $(PYTHON) Tests/CrossCheck/check_board.py $(FATHOM) "$$data/sources/scanner3d"
	  $(PYTHON) Tests/CrossCheck/check_certified_board.py $(FATHOM) "$$data/sources/scanner3d"
	else
	  echo "skipped: the real recordings are absent; set FATHOM_REAL_DATA to their folder"
	fi

# The commands of the tutorials, as they stand.
tutorial: build setup-test
	@$(PYTHON) Tests/Tutorial/run_tutorial.py $(FATHOM) $(wildcard docs/tutorial-*.md)

# The Python package as a wheel, in .build/wheel.
wheel: setup-test
	@rm -rf .build/wheel Python/build
	mkdir -p .build
	$(PYTHON) -m build --wheel --no-isolation --outdir .build/wheel Python > .build/wheel.log 2>&1 || { cat .build/wheel.log; exit 1; }
	ls .build/wheel/*.whl

# The wheel with the built command: its tests, the Python of the documentation, its notebook.
python-test: build wheel $(DEMO)
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps .build/wheel/*.whl
	export FATHOM_BINARY=$(CURDIR)/$(FATHOM)
	$(PYTHON) -m pytest --quiet Python
	$(PYTHON) Tests/Docs/run_python.py
	$(PYTHON) Python/notebook/make_notebook.py --check

# The committed notebook of the Python package.
python-notebook: build wheel $(DEMO)
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps .build/wheel/*.whl
	FATHOM_BINARY=$(CURDIR)/$(FATHOM) $(PYTHON) Python/notebook/make_notebook.py

# Pages of reports in a real browser: without a network, by keyboard, on a phone, in the dark, on paper.
page: build setup-test
	@swift build $(SWIFT_FLAGS) --product fathom-page-fixtures 2>&1 | tee -a $(LOG)
	pages=$$(mktemp -d); trap 'rm -rf "$$pages"' EXIT
	.build/release/fathom-page-fixtures "$$pages"
	$(FATHOM) evaluate Datasets/sample.h5 --output "$$pages/sample" --quiet
	# The widest tables.
	$(FATHOM) evaluate Datasets/sample.h5 --methods all --output "$$pages/all" --no-gallery --quiet
	$(PYTHON) Tests/Page/check_page.py "$$pages"/*/report.html
	$(FATHOM) frames "$$pages/sample" --quiet
	$(PYTHON) Tests/Page/check_frames_page.py "$$pages/sample-frames"

# Snakemake and Dask divide an evaluation, lose a worker, and give the same bytes.
workflows: build
	@command -v .venv-workflows/bin/snakemake > /dev/null || { python3 -m venv .venv-workflows; .venv-workflows/bin/pip install --quiet --disable-pip-version-check -r Tests/Workflows/requirements.txt; }
	.venv-workflows/bin/python3 Tests/Workflows/check_workflows.py $(FATHOM)

# 20,000 frames in 500 scenes, some damaged: whole, in shards, killed and resumed; some ten minutes.
soak: build
	@python3 Tests/Soak/soak.py $(FATHOM)

# What computes, under settings that make this processor and its libraries round like others: `make processors SETTINGS=oldest`.
SETTINGS ?=
CHECKS ?=
processors: build setup-test test-build
	@$(PYTHON) Tests/Processors/run_settings.py $(FATHOM) $(SETTINGS:%=--settings %) $(CHECKS:%=--checks %)

# The innermost loops in C on an emulated arm64, and without AVX: the same bits.
arm64:
	@$(call install,gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user)
	python3 Tests/Processors/check_kernels.py

# The branch of the linear algebra for Apple's systems, against a module of that name which calls the LAPACK of this machine.
apple-door: setup
	@python3 Tests/Apple/check_accelerate_door.py

# The long checks whose sources changed since they passed, or one of them: make judge CHECK=faults. Writes their lines into
# Tests/Checks/checks.csv.
CHECK ?=
judge: setup-test
	@python3 Tests/Checks/judge.py --run $(CHECK)

# Every long check, with all settings, cases and seeds.
judge-full: setup-test
	@nice python3 Tests/Checks/judge.py --all --full

# All checks in full, and what no change needs.
nightly: test
	@$(MAKE) --no-print-directory install-test LOG=$(LOG)
	$(MAKE) --no-print-directory instructions LOG=$(LOG)
	$(MAKE) --no-print-directory arm64
	$(MAKE) --no-print-directory judge-full
	$(MAKE) --no-print-directory fuzz LOG=$(LOG)

# The parsers' kept inputs, without instrumentation; then damaged data sets and recordings through the whole command: the first MUTANTS
# of each, the same on every machine, and mutants whose numbers are compared with other readers', and stored runs. Three minutes.
MUTANTS ?= 60
fuzz-replay: fuzz-readers fuzz-runs

fuzz-readers: test-build setup-test
	@swift test $(SWIFT_FLAGS) --skip-build --filter FathomParserFuzzTests
	python3 Tests/Fuzz/mutate_hdf5.py $(FATHOM) Datasets/sample.h5 --count $(MUTANTS) --minutes 1
	python3 Tests/Fuzz/mutate_recordings.py $(FATHOM) --count $(MUTANTS) --minutes 1
	$(PYTHON) Tests/Fuzz/mutate_values.py $(FATHOM) --count 200 --minutes 0.5

fuzz-runs: build
	@python3 Tests/Fuzz/mutate_runs.py $(FATHOM) --count $(MUTANTS) --minutes 0.5

# The parsers' kept inputs, with libFuzzer's instrumentation.
fuzz-parsers: fuzz-build
	@python3 Tests/Fuzz/fuzz_parsers.py $(FUZZER) --replay

# The parsers with libFuzzer's instrumentation, in a build of their own.
FUZZER := .build/fuzz/release/parser-fuzz
fuzz-build: setup
	@FATHOM_FUZZ=1 swift build -c release -Xswiftc -enable-testing -Xswiftc -sanitize=fuzzer --scratch-path .build/fuzz --product FathomParserFuzz 2>&1 | tee -a $(LOG)
	clang -O1 -fsanitize=fuzzer Tests/Fuzz/entry.c -L.build/fuzz/release -lFathomParserFuzz -Wl,-rpath,'$$ORIGIN' -o $(FUZZER)

# Hours of it: every parser so many executions, mutants never tried before, and hand-made hostile files.
FUZZ_EXECUTIONS ?= 10000000
FUZZ_SECONDS ?= 3600
FUZZ_MUTANTS ?= 10000
FUZZ_FIRST ?= 1000000
fuzz: build fuzz-build setup-test
	@nice python3 Tests/Fuzz/fuzz_parsers.py $(FUZZER) --executions $(FUZZ_EXECUTIONS) --seconds $(FUZZ_SECONDS)
	nice python3 Tests/Fuzz/mutate_hdf5.py $(FATHOM) Datasets/sample.h5 --first $(FUZZ_FIRST) --count $(FUZZ_MUTANTS) --minutes 120
	nice python3 Tests/Fuzz/mutate_recordings.py $(FATHOM) --first $(FUZZ_FIRST) --count $(FUZZ_MUTANTS) --minutes 120
	nice $(PYTHON) Tests/Fuzz/mutate_values.py $(FATHOM) --first $(FUZZ_FIRST) --count $(FUZZ_MUTANTS) --minutes 120
	nice python3 Tests/Fuzz/mutate_runs.py $(FATHOM) --first $(FUZZ_FIRST) --count $(FUZZ_MUTANTS) --minutes 120
	nice $(PYTHON) Tests/Fuzz/hostile_files.py $(FATHOM)

# Reads, writes, renames, starts of a process and allocations fail; kills; full disks; two at once. Of each kind of call SAMPLE, spread
# over all of a run, of allocations ALLOCATIONS; 0 tries every one, which of allocations takes weeks.
SAMPLE ?= 0
ALLOCATIONS ?= 100
KILLS ?= 30
FAULTS ?= Tests/Faults/fault-matrix.csv
faults: build setup-test
	@nice $(PYTHON) Tests/Faults/outputs.py $(FATHOM)
	nice python3 Tests/Faults/fault_matrix.py $(FATHOM) --sample $(SAMPLE) --allocations $(ALLOCATIONS) --kills $(KILLS) --table $(FAULTS)

# The same, against the committed table.
faults-check: build setup-test
	@$(PYTHON) Tests/Faults/outputs.py $(FATHOM)
	python3 Tests/Faults/fault_matrix.py $(FATHOM) --sample $(SAMPLE) --allocations $(ALLOCATIONS) --kills $(KILLS) --check Tests/Faults/fault-matrix.csv

# A few of them, against the committed table, and outputs: every file synced before it has its name, kills around renames, files of
# others, signals. Three minutes.
faults-sample: build setup-test
	@python3 Tests/Faults/fault_matrix.py $(FATHOM) --sample 2 --allocations 2 --kills 2 --commands inspect,import,evaluate-folder \
	  --check Tests/Faults/fault-matrix.csv
	$(PYTHON) Tests/Faults/outputs.py $(FATHOM) --only order,others,scratch,said --signals 2
	$(PYTHON) Tests/Faults/outputs.py $(FATHOM) --only kills --commands 'evaluate --overwrite,shard,import --overwrite' --around 2 --every 3

# The address sanitizer, with traps for undefined behaviour in C, and the thread sanitizer over the tests of what touches C, each in a
# build of its own; then Valgrind on the C boundary. What is passed over stands with its reason in Tests/Sanitize/*.supp.
SANITIZED := FathomHDF5Tests|FathomPictureFilesTests|FathomArchivesTests|FathomLZFSETests|FathomStorageTests|FathomPlainTextTests|FathomMapFilesTests|DepthImportTests|DepthMapSetsTests|DepthDatasetTests|FathomLinearAlgebraTests|DepthGraphicsTests|DepthCoreTests
SANITIZERS ?= address thread
sanitize: test-build
	@$(call install,valgrind)
	for sanitizer in $(SANITIZERS); do
	  Tests/Sanitize/run.sh $$sanitizer '$(SANITIZED)'
	done
	Tests/Sanitize/valgrind.sh

# The package of the documentation, on a small data set. It shares the build, so that nothing is compiled twice; what was planned for
# one package must not be taken for the other.
example: build
	@for product in best-method whole-run; do
	  swift build $(SWIFT_FLAGS) --disable-build-manifest-caching --package-path docs/example --scratch-path .build --product $$product 2>&1 | tee -a $(LOG)
	done
	# A job that is used as a library draws nothing.
	if readelf -d .build/release/best-method | grep -E 'NEEDED.*(cairo|webp|fontconfig)'; then exit 1; fi
	runs=$$(mktemp -d); trap 'rm -rf "$$runs"' EXIT
	cp Datasets/sample.h5 "$$runs/recording.h5"
	(cd "$$runs" && $(CURDIR)/.build/release/best-method && $(CURDIR)/.build/release/whole-run)
	$(FATHOM) report "$$runs/Reports/recording" --format json --quiet

# A package that uses the libraries beside one whose modules have the same words as names; a small debug build of its own.
consumer: build
	@python3 Tests/Consumer/check_names.py .build/consumer

# The programs behind `matrix` and `experiments`.
tools: setup
	@for product in fathom-convention-matrix fathom-recovery-experiments; do
	  swift build $(SWIFT_FLAGS) --product $$product 2>&1 | tee -a $(LOG)
	done

# Conventions broken on purpose: what the diagnosis says of 500 cases; some minutes.
MATRIX ?= Tests/ConventionMatrix
matrix: tools
	@.build/release/fathom-convention-matrix --output $(MATRIX)

# Every tenth of them as committed; with EVERY=1 all.
EVERY ?= 10
matrix-check: tools
	@made=$$(mktemp -d); trap 'rm -rf "$$made"' EXIT
	part=(--sample $(EVERY)); rows=(--rows case,fault)
	[ $(EVERY) != 1 ] || part=() rows=()
	.build/release/fathom-convention-matrix "$${part[@]}" --output "$$made"
	python3 Tests/Committed/check_committed.py Tests/ConventionMatrix/cases.csv "$$made/cases.csv" "$${rows[@]}" --rounded

# The same of real recordings, where they are at hand: packs, and imports of originals; some minutes.
REAL_DATA ?= $(or $(FATHOM_REAL_DATA),../shared/data)
RECORDINGS ?= .build/recordings
matrix-real: tools
	@test -d $(REAL_DATA)/sources || { echo "no real recordings: set FATHOM_REAL_DATA"; exit 0; }
	@mkdir -p $(RECORDINGS)
	@cp $(REAL_DATA)/real-indoor.h5 $(REAL_DATA)/iphone-stray.h5 $(RECORDINGS)/
	@for name in stray scanner3d record3d seven-scenes redwood tum-fr1-rpy; do
	  $(FATHOM) import $(REAL_DATA)/sources/$$name $(RECORDINGS)/$$name.h5 --overwrite --quiet
	done
	@for pair in promptda:0.001 prior-sample-1:0.001 kitti:0.00390625 tum:0.0002; do
	  name=$${pair%%:*}
	  $(FATHOM) import $(REAL_DATA)/sources/$$name $(RECORDINGS)/$$name.h5 --format folder --depth-scale $${pair##*:} --overwrite --quiet
	done
	@.build/release/fathom-convention-matrix --recordings $(RECORDINGS)/*.h5 --output $(MATRIX)

# Simulations whose answer is known: how often it is recovered; some minutes.
EXPERIMENTS ?= Tests/RecoveryExperiments
experiments: tools
	@for experiment in noise-law tuning-null known-thresholds interval-coverage gate-error; do
	  .build/release/fathom-recovery-experiments $$experiment --output $(EXPERIMENTS)
	done

# Some seeds of each as committed: a name, every so many, and the columns that name a row; with SEEDS=all all.
SEEDS ?= some
experiments-check: tools
	@made=$$(mktemp -d); trap 'rm -rf "$$made"' EXIT
	while read -r name every columns; do
	  part=(--sample "$$every") rows=(--rows "$$columns")
	  [ $(SEEDS) != all ] || part=() rows=()
	  .build/release/fathom-recovery-experiments "$$name" "$${part[@]}" --output "$$made"
	  python3 Tests/Committed/check_committed.py "Tests/RecoveryExperiments/$$name.csv" "$$made/$$name.csv" "$${rows[@]}" --rounded
	done << 'END'
	noise-law 20 seed,confidence,parameter
	tuning-null 5 losses,scenes,seed
	known-thresholds 10 seed
	interval-coverage 20 law,scenes,seed
	gate-error 10 law,scenes,seed
	END

# Instructions of fixed work beside those of the commit before, or of BEFORE=commit.
BEFORE ?= HEAD~1
instructions: build
	@$(call install,valgrind binutils)
	folder=$$(mktemp -d); trap 'git worktree remove --force "$$folder/tree"; rm -rf "$$folder"' EXIT
	git worktree add --quiet --detach "$$folder/tree" $(BEFORE)
	swift build $(SWIFT_FLAGS) --package-path "$$folder/tree" --product fathom 2>&1 | tee -a $(LOG)
	python3 Tests/Benchmarks/instructions.py "$$folder/tree/.build/release/fathom" $(FATHOM)

# What the process that reads costs, in processor time.
reader-overhead: build
	@swift build $(SWIFT_FLAGS) --product fathom-reader-overhead 2>&1 | tee -a $(LOG)
	[ -e Datasets/demo.h5 ] || $(FATHOM) synthesize Datasets/demo.h5 --preset demo
	python3 Tests/Benchmarks/reader_overhead.py .build/release/fathom-reader-overhead Datasets/demo.h5

# Every stage here and in the libraries that people use, on the same frame, in one run on one core.
bench: build setup-test
	@.venv/bin/pip install --quiet --disable-pip-version-check -r Tests/Benchmarks/requirements.txt
	$(PYTHON) Tests/Benchmarks/compare.py $(FATHOM)
	$(PYTHON) Tests/Benchmarks/evaluate_speed.py $(FATHOM)
	$(PYTHON) Tests/Benchmarks/maps_speed.py $(FATHOM)
	[ -e Datasets/demo.h5 ] || $(FATHOM) synthesize Datasets/demo.h5 --preset demo
	$(PYTHON) Tests/Benchmarks/tune_speed.py $(FATHOM) Datasets/demo.h5

# The table of docs/methods.md: all methods on all presets and recordings; some minutes.
results: build setup-test
	@$(PYTHON) Tests/Benchmarks/results_table.py $(FATHOM) --real "$${FATHOM_REAL_DATA:-../shared/data}"

# The table of docs/auto.md: `auto`, the raw LiDAR and the best single method on unseen draws of the zoo, presets and recordings.
auto-table: build setup-test
	@$(PYTHON) Tests/Benchmarks/auto_table.py $(FATHOM) Tests/Benchmarks/auto-table.csv \
	  $(wildcard $(addprefix $(or $(FATHOM_REAL_DATA),../shared/data)/,real-indoor.h5 iphone-stray.h5))

# `auto` on sensors and networks that share nothing with the simulator, by law.
foreign: build setup-test
	$(PYTHON) Tests/ForeignWorlds/foreign_table.py $(FATHOM) Tests/ForeignWorlds/foreign-table.csv

# What diagnose says of every kind of fault put into recordings, beside an oracle that knows the fault.
fault-kinds: build setup-test
	$(PYTHON) Tests/FaultKinds/fault_kinds.py --fathom $(FATHOM) --work .build/fault-kinds --table .build/fault-kinds.md \
	  $(wildcard $(addprefix $(or $(FATHOM_REAL_DATA),../shared/data)/,real-indoor.h5 iphone-stray.h5))

# The table of docs/methods.md on boxes: `auto` beside every single box method, paired over scenes.
box-table: build setup-test
	@$(PYTHON) Tests/Benchmarks/box_table.py $(FATHOM) Tests/Benchmarks/box-table.csv

# The committed example of export, from what the repository holds of the committed run.
notebook: build setup-test $(DEMO)
	@run=$$(mktemp -d); trap 'rm -rf "$$run"' EXIT
	cp -r Reports/demo "$$run/demo"
	rm -f "$$run/demo/objects.csv" "$$run/demo/timing.csv"
	$(FATHOM) export "$$run/demo" --output Notebooks-export/demo --python $(PYTHON) --overwrite

# Documentation of the libraries, in .build/documentation.
docs: setup
	@export FATHOM_DOCUMENTATION=1
	mkdir -p .build/documentation
	for target in DepthCore FathomStatistics DepthFusion DepthEvaluation DepthVerdicts DepthDataset DepthObjects DepthDiagnosis DepthCalibration DepthTuning FathomReplay FathomDrawingScales DepthGraphics DepthExport DepthCharts FathomRuns; do
	  swift package --allow-writing-to-directory .build/documentation/$$target generate-documentation \
	    --target $$target --output-path .build/documentation/$$target --disable-indexing
	done

# Every internal link of the documentation, every `fathom` command line against the command's own help, and the example of `diagnose`.
docs-check: build setup-test
	@python3 Tests/Docs/test_check_docs.py
	python3 Tests/Docs/check_docs.py $(FATHOM)
	[ -e Datasets/demo.h5 ] || $(FATHOM) synthesize Datasets/demo.h5 --preset demo
	$(PYTHON) Tests/Docs/run_diagnosis.py $(FATHOM)

# The documentation as a static site with a search, in .build/site.
site:
	@[ -e .build/site-venv/bin/mkdocs ] || python3 -m venv .build/site-venv
	.build/site-venv/bin/pip install --quiet --disable-pip-version-check -r Tests/Docs/requirements.txt
	python3 Tests/Docs/stage_site.py .build/site-source
	NO_MKDOCS_2_WARNING=1 .build/site-venv/bin/mkdocs build --clean --quiet
	echo "The documentation is in .build/site. For its search: python3 -m http.server --directory .build/site"

# What people type into the search of that site, and the page that comes first.
site-check: site setup-test
	@$(PYTHON) Tests/Docs/check_search.py

# The pictures of the README and of docs, from the demo and from a broken copy of it.
picture: demo setup-test
	@.venv/bin/pip install --quiet --disable-pip-version-check -r Tests/Reference/draw_requirements.txt
	cd Tests/Reference
	../../$(PYTHON) draw_frame.py ../../Datasets/demo.h5 room-01 2 ../../Reports/demo-frame.png
	../../$(PYTHON) draw_diagnosis.py ../../$(FATHOM) ../../Datasets/demo.h5 ../../Reports/demo-diagnosis.png
	cd ../..
	$(FATHOM) render Datasets/demo.h5 --scene room-03 --frame 7 --source auto --size 400x300 \
	  --panel detections,wireframe --panel image,turbo --panel error --output Reports/demo-render.png --overwrite
	$(PYTHON) Tests/Reference/shrink_pictures.py Reports/demo-render.png Reports/demo-frame.png
	$(PYTHON) Tests/Reference/draw_report.py Reports/demo/report.html Reports/demo-report.png

# All committed examples of what the command writes.
examples: keep

# The committed example data set.
sample: build
	@$(FATHOM) synthesize Datasets/sample.h5 --preset sample --overwrite

format:
	@swift format --in-place --recursive --configuration .swift-format Package.swift Sources Tests docs

lint:
	@python3 Tests/Lint/check_sizes.py
	python3 Tests/Lint/check_words.py
	python3 Tests/Lint/check_decisions.py
	python3 Tests/Lint/check_flags.py
	python3 Tests/Lint/check_imports.py
	swift format lint --strict --recursive --configuration .swift-format Package.swift Sources Tests docs

clean:
	@rm -rf .build .venv Datasets/demo.h5 Reports/demo Reports/demo-tuned Reports/demo-calibration
