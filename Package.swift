// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Fathom",
  products: [
    .library(name: "DepthCore", targets: ["DepthCore"]),
    .library(name: "Statistics", targets: ["Statistics"]),
    .library(name: "DepthFusion", targets: ["DepthFusion"]),
    .library(name: "DepthEvaluation", targets: ["DepthEvaluation"]),
    .library(name: "DepthDataset", targets: ["DepthDataset"]),
    .library(name: "DepthObjects", targets: ["DepthObjects"]),
    .library(name: "LivePipeline", targets: ["LivePipeline"]),
    .library(name: "LiveReplay", targets: ["LiveReplay"]),
    .library(name: "DepthDiagnosis", targets: ["DepthDiagnosis"]),
    .library(name: "DepthTuning", targets: ["DepthTuning"]),
    .library(name: "DepthCalibration", targets: ["DepthCalibration"]),
    .library(name: "DrawingScales", targets: ["DrawingScales"]),
    .library(name: "DepthGraphics", targets: ["DepthGraphics"]),
    .library(name: "DepthExport", targets: ["DepthExport"]),
    .library(name: "DepthImport", targets: ["DepthImport"]),
    .library(name: "FrameFolder", targets: ["FrameFolder"]),
    .library(name: "DepthCharts", targets: ["DepthCharts"]),
    .library(name: "DepthReport", targets: ["DepthReport"]),
    .library(name: "Runs", targets: ["Runs"]),
    .executable(name: "fathom", targets: ["fathom"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
  ],
  targets: [
    .systemLibrary(name: "CHDF5", pkgConfig: "hdf5", providers: [.apt(["libhdf5-dev"])]),
    .systemLibrary(name: "CLAPACK", pkgConfig: "lapacke", providers: [.apt(["liblapacke-dev"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .systemLibrary(
      name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(name: "CWebP", pkgConfig: "libwebpmux", providers: [.apt(["libwebp-dev"])]),
    .systemLibrary(name: "CDeflate", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"])]),
    .systemLibrary(name: "CArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    // Its OpenEXR.pc says -pthread, which the package manager refuses with a warning.
    .systemLibrary(name: "COpenEXR", providers: [.apt(["libopenexr-dev"])]),
    .systemLibrary(name: "CTIFF", pkgConfig: "libtiff-4", providers: [.apt(["libtiff-dev"])]),
    .systemLibrary(name: "CGlibc"),
    .target(name: "CKernels"),
    .target(name: "CPNGReading", dependencies: ["CPNG"]),
    .target(
      name: "CEXRReading", dependencies: ["COpenEXR"], linkerSettings: [.linkedLibrary("OpenEXRCore")]),
    .target(name: "CTIFFReading", dependencies: ["CDeflate", "CTIFF"]),
    .target(name: "CSandbox"),
    .target(name: "CPriority"),
    .target(name: "PlainText"),
    .target(name: "YAMLText", dependencies: ["Yams"]),
    .target(name: "Storage", dependencies: ["CCrypto", "CGlibc", "PlainText"]),
    .target(name: "Archives", dependencies: ["CArchive", "CZlib", "PlainText", "Storage"]),
    .target(name: "LZFSE"),
    .target(name: "FrameFolder"),
    .target(name: "HDF5", dependencies: ["CDeflate", "CHDF5", "CKernels", "Storage"]),
    .target(name: "LinearAlgebra", dependencies: ["CGlibc", "CLAPACK"]),
    .target(name: "DepthCore", dependencies: ["CKernels"]),
    .target(name: "Statistics", dependencies: ["CKernels", "DepthCore"]),
    .target(name: "DepthFusion", dependencies: ["CKernels", "DepthCore", "LinearAlgebra", "PlainText"]),
    .target(name: "DepthDataset", dependencies: ["CSandbox", "DepthCore", "HDF5", "PlainText", "Storage"]),
    .target(
      name: "PictureFiles",
      dependencies: [
        "CEXRReading", "CPNGReading", "CSandbox", "CTIFFReading", "CTurboJPEG", "DepthCore", "PlainText",
        "Storage",
      ]),
    .target(
      name: "DepthImport",
      dependencies: [
        "Archives", "CDeflate", "CSandbox", "DepthCore", "DepthDataset", "HDF5", "LZFSE", "PictureFiles",
        "PlainText",
        "Storage",
        "YAMLText",
        "Yams",
      ],
      resources: [.embedInCode("Presets")]),
    .target(name: "DepthSynthesis", dependencies: ["DepthCore", "DepthDataset", "Storage"]),
    .target(name: "DepthObjects", dependencies: ["CKernels", "DepthCore", "LinearAlgebra"]),
    .target(name: "LivePipeline", dependencies: ["DepthCore"]),
    .target(name: "LiveReplay", dependencies: ["DepthCore", "DepthObjects", "LivePipeline"]),
    .target(name: "DrawingScales", dependencies: ["DepthCore"]),
    .target(
      name: "DepthGraphics",
      dependencies: ["CCairo", "CPNG", "CTurboJPEG", "CWebP", "DepthCore", "DrawingScales"]),
    .target(name: "DepthExport", dependencies: ["DepthCore", "DepthObjects"]),
    .target(
      name: "DepthDiagnosis",
      dependencies: ["DepthCore", "DepthDataset", "DepthFusion", "DepthObjects", "Statistics", "Storage"]),
    .target(name: "DepthCharts", dependencies: ["DepthCore", "DrawingScales", "PlainText"]),
    .target(
      name: "DepthEvaluation",
      dependencies: [
        "CKernels", "DepthCore", "DepthFusion", "DepthObjects", "PlainText", "Statistics", "Storage",
      ]),
    .target(
      name: "DepthTuning",
      dependencies: ["DepthCore", "DepthEvaluation", "DepthFusion", "PlainText", "Statistics"]),
    .target(
      name: "DepthCalibration",
      dependencies: [
        "DepthCore", "DepthEvaluation", "DepthFusion", "LinearAlgebra", "Statistics",
      ]),
    .target(
      name: "DepthReport",
      dependencies: [
        "DepthCalibration", "DepthCharts", "DepthCore", "DepthDataset", "DepthDiagnosis", "DepthEvaluation",
        "DepthFusion", "DepthGraphics", "DepthObjects", "DepthTuning", "DrawingScales", "LivePipeline",
        "LiveReplay", "PlainText",
        "Statistics",
        "Storage",
        .product(name: "Mustache", package: "swift-mustache"),
      ],
      resources: [.embedInCode("HTML/Page")]),
    .target(
      name: "DepthNotebook",
      dependencies: [
        "DepthEvaluation", "DepthFusion", "DepthObjects", "DepthReport", "PlainText", "Storage",
      ],
      resources: [.embedInCode("Resources/analysis.py"), .embedInCode("Resources/execute.py")]),
    .target(
      name: "Runs",
      dependencies: [
        "CDeflate",
        "DepthCalibration", "DepthCharts", "DepthCore", "DepthDataset", "DepthDiagnosis", "DepthEvaluation",
        "DepthExport", "DepthFusion", "DepthGraphics", "DepthImport", "DepthObjects", "DepthReport",
        "DepthTuning", "DrawingScales", "LinearAlgebra", "LivePipeline", "LiveReplay", "PlainText", "Storage",
        "YAMLText", "Yams",
      ]),
    .executableTarget(
      name: "fathom",
      dependencies: [
        "CArchive", "CCairo", "CCrypto", "CGlibc", "CLAPACK", "COpenEXR", "CPNG", "CPriority", "CTIFF",
        "CWebP", "HDF5", "LinearAlgebra", "Storage", "DepthReport", "DepthNotebook", "DepthCalibration",
        "DepthDiagnosis",
        "DepthEvaluation",
        "DepthSynthesis", "DepthDataset", "DepthCore", "DepthFusion", "DepthObjects", "DepthGraphics",
        "DepthExport", "DepthImport",
        "DepthTuning", "LivePipeline", "LiveReplay", "PlainText", "Runs", "YAMLText", "Yams",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    .executableTarget(
      name: "convention-matrix",
      dependencies: [
        "DepthDataset", "DepthCore", "DepthDiagnosis", "DepthFusion", "DepthObjects", "DepthSynthesis",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/ConventionMatrix",
      exclude: ["README.md", "cases.csv", "confusion.md", "recordings.csv", "recordings.md"]),
    .executableTarget(
      name: "recovery-experiments",
      dependencies: [
        "DepthCalibration", "DepthCore", "DepthEvaluation", "DepthFusion", "DepthReport", "DepthSynthesis",
        "DepthTuning", "Statistics",
        "TestSupport", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/RecoveryExperiments",
      exclude: [
        "README.md", "noise-law.csv", "noise-law.md", "tuning-null.csv", "tuning-null.md",
        "known-thresholds.csv", "known-thresholds.md", "interval-coverage.csv", "interval-coverage.md",
        "gate-error.csv", "gate-error.md",
      ]),
    .executableTarget(
      name: "page-fixtures",
      dependencies: [
        "DepthCharts", "DepthCore", "DepthGraphics", "DepthReport", "DrawingScales",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/Page",
      exclude: ["check_commands.py", "check_frames_page.py", "check_page.py", "requirements.txt"]),
    .executableTarget(
      name: "c-boundary",
      dependencies: [
        "DepthCore", "DepthDataset", "DepthGraphics", "DepthImport", "LinearAlgebra", "PictureFiles",
      ],
      path: "Tests/Sanitize/CBoundary"),
    .executableTarget(
      name: "reader-overhead", dependencies: ["DepthDataset", "Runs"], path: "Tests/Benchmarks/ReaderOverhead"
    ),
    .executableTarget(name: "sandbox-probe", dependencies: ["CSandbox"], path: "Tests/SandboxProbe"),
    .target(
      name: "ParserFuzz",
      dependencies: [
        "DepthCore", "DepthFusion", "DepthImport", "LZFSE", "PictureFiles", "PlainText", "Storage",
        "YAMLText",
        "Yams",
      ],
      path: "Tests/Fuzz/Parsers"),
    .testTarget(name: "ParserFuzzTests", dependencies: ["ParserFuzz"]),
    .testTarget(name: "YAMLTextTests", dependencies: ["YAMLText", "Yams"]),
    .target(
      name: "TestSupport", dependencies: ["CPNG", "DepthCore", "DepthFusion", "DepthObjects"],
      path: "Tests/TestSupport"),
    .testTarget(name: "StorageTests", dependencies: ["Storage", "TestSupport"]),
    .testTarget(name: "ArchivesTests", dependencies: ["Archives", "Storage", "TestSupport"]),
    .testTarget(name: "LZFSETests", dependencies: ["LZFSE", "TestSupport"], exclude: ["Golden"]),
    .testTarget(name: "PlainTextTests", dependencies: ["PlainText", "TestSupport"]),
    .testTarget(name: "HDF5Tests", dependencies: ["CHDF5", "HDF5", "TestSupport"]),
    .testTarget(name: "LinearAlgebraTests", dependencies: ["LinearAlgebra", "TestSupport"]),
    .testTarget(name: "DepthCoreTests", dependencies: ["DepthCore", "TestSupport"]),
    .testTarget(name: "StatisticsTests", dependencies: ["DepthCore", "Statistics", "TestSupport"]),
    .testTarget(
      name: "DepthFusionTests", dependencies: ["CKernels", "DepthCore", "DepthFusion", "TestSupport"]),
    .testTarget(name: "DepthDatasetTests", dependencies: ["DepthDataset", "HDF5", "Storage", "TestSupport"]),
    .testTarget(
      name: "DepthCalibrationTests", dependencies: ["DepthCalibration", "DepthSynthesis", "TestSupport"]),
    .testTarget(
      name: "DepthSynthesisTests", dependencies: ["DepthSynthesis", "Storage", "TestSupport"]),
    .testTarget(
      name: "DepthObjectsTests",
      dependencies: ["CKernels", "DepthObjects", "DepthSynthesis", "DepthDataset", "TestSupport"],
      exclude: ["README.md"]),
    .testTarget(name: "LivePipelineTests", dependencies: ["DepthCore", "LivePipeline"]),
    .testTarget(
      name: "LiveReplayTests", dependencies: ["DepthCore", "DepthObjects", "LivePipeline", "LiveReplay"]),
    .testTarget(
      name: "DepthGraphicsTests",
      dependencies: [
        "CTurboJPEG", "CWebP", "DepthGraphics", "DepthDataset", "DepthCore", "DepthFusion", "DepthObjects",
        "DrawingScales", "TestSupport",
      ]),
    .testTarget(
      name: "PictureFilesTests", dependencies: ["DepthCore", "DepthGraphics", "PictureFiles", "TestSupport"]),
    .testTarget(
      name: "DepthImportTests",
      dependencies: [
        "DepthCore", "DepthDataset", "DepthImport", "FrameFolder", "HDF5", "PictureFiles", "Storage",
        "TestSupport",
      ]),
    .testTarget(name: "DepthExportTests", dependencies: ["DepthExport", "TestSupport"]),
    .testTarget(
      name: "DepthTuningTests",
      dependencies: ["DepthTuning", "DepthCore", "DepthEvaluation", "DepthFusion", "TestSupport"]),
    .testTarget(name: "DrawingScalesTests", dependencies: ["DepthCore", "DrawingScales", "TestSupport"]),
    .testTarget(
      name: "DepthChartsTests", dependencies: ["DepthCharts", "DepthCore", "DrawingScales", "TestSupport"],
      exclude: ["Golden"]),
    .testTarget(
      name: "DepthDiagnosisTests",
      dependencies: ["DepthDiagnosis", "DepthObjects", "DepthSynthesis", "DepthDataset", "TestSupport"]),
    .testTarget(
      name: "DepthEvaluationTests",
      dependencies: ["CKernels", "DepthEvaluation", "DepthObjects", "Storage", "TestSupport"]),
    .testTarget(
      name: "DepthReportTests",
      dependencies: ["DepthReport", "DepthCharts", "DepthObjects", "PlainText", "Storage", "TestSupport"],
      exclude: ["Golden"]),
    .testTarget(
      name: "DepthNotebookTests", dependencies: ["DepthNotebook", "DepthReport", "Storage", "TestSupport"]),
    .testTarget(
      name: "fathomTests",
      dependencies: [
        "fathom", "DepthCore", "DepthDataset", "DepthImport", "DepthSynthesis", "DrawingScales", "HDF5",
        "LinearAlgebra", "PictureFiles", "PlainText", "Runs", "Storage",
        "TestSupport", "Yams",
      ]),
  ],
  swiftLanguageModes: [.v6])

// Only `make docs` needs it; without it two fewer repositories are fetched before the first build.
if Context.environment["FATHOM_DOCUMENTATION"] != nil {
  package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}

// Our parsers for libFuzzer, as a library that a program of one line calls. Everything is built with its instrumentation then, so
// `make fuzz-build` has a folder of its own.
if Context.environment["FATHOM_FUZZ"] != nil {
  package.products.append(.library(name: "ParserFuzz", type: .dynamic, targets: ["ParserFuzz"]))
}

// `make check MODULE=NAME` builds the tests of one module and what they need, in a folder of its own.
if let module = Context.environment["FATHOM_CHECK"] {
  package.targets.removeAll { $0.type == .test && $0.name != module + "Tests" }
}

for target in package.targets where [.regular, .executable, .test].contains(target.type) {
  target.swiftSettings = [
    .enableUpcomingFeature("InternalImportsByDefault"),  // C types cannot leak into a public signature
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
