// swift-tools-version: 6.1
import PackageDescription

// The libraries that an app would use are written for these, too: docs/apple.md.
let apple: [Platform] = [.macOS, .iOS, .visionOS]

let package = Package(
  name: "Fathom",
  // Where `Mutex` begins.
  platforms: [.macOS(.v15), .iOS(.v18), .visionOS(.v2)],
  products: [
    .library(name: "DepthCore", targets: ["DepthCore"]),
    // Errors, for `catch`.
    .library(name: "FathomStorage", targets: ["FathomStorage"]),
    .library(name: "FathomStatistics", targets: ["FathomStatistics"]),
    .library(name: "DepthFusion", targets: ["DepthFusion"]),
    .library(name: "DepthEvaluation", targets: ["DepthEvaluation"]),
    .library(name: "DepthVerdicts", targets: ["DepthVerdicts"]),
    .library(name: "DepthDataset", targets: ["DepthDataset"]),
    .library(name: "DepthObjects", targets: ["DepthObjects"]),
    .library(name: "FathomReplay", targets: ["FathomReplay"]),
    .library(name: "DepthDiagnosis", targets: ["DepthDiagnosis"]),
    .library(name: "DepthTuning", targets: ["DepthTuning"]),
    .library(name: "DepthCalibration", targets: ["DepthCalibration"]),
    .library(name: "DepthCertification", targets: ["DepthCertification"]),
    .library(name: "DepthGraphics", targets: ["DepthGraphics"]),
    .library(name: "DepthExport", targets: ["DepthExport"]),
    // Names of files in mappings.
    .library(name: "FathomMapFiles", targets: ["FathomMapFiles"]),
    .library(name: "DepthImport", targets: ["DepthImport"]),
    .library(name: "DepthMapSets", targets: ["DepthMapSets"]),
    .library(name: "DepthCharts", targets: ["DepthCharts"]),
    // Types of reports, which every page is made of.
    .library(name: "FathomDocuments", targets: ["FathomDocuments"]),
    .library(name: "DepthReport", targets: ["DepthReport"]),
    .library(name: "FathomJobReports", targets: ["FathomJobReports"]),
    .library(name: "DepthRendering", targets: ["DepthRendering"]),
    .library(name: "FathomRuns", targets: ["FathomRuns"]),
    .library(name: "FathomStudies", targets: ["FathomStudies"]),
    .executable(name: "fathom", targets: ["fathom", "FathomBuildName"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    .systemLibrary(name: "CFathomHDF5", pkgConfig: "hdf5", providers: [.apt(["libhdf5-dev"])]),
    .systemLibrary(name: "CFathomLAPACK", pkgConfig: "lapacke", providers: [.apt(["liblapacke-dev"])]),
    .systemLibrary(name: "CFathomCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CFathomCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
    .systemLibrary(name: "CFathomPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .systemLibrary(
      name: "CFathomTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(name: "CFathomWebP", pkgConfig: "libwebpmux", providers: [.apt(["libwebp-dev"])]),
    .systemLibrary(name: "CFathomDeflate", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"])]),
    .systemLibrary(name: "CFathomArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"])]),
    .systemLibrary(name: "CFathomZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    // Its OpenEXR.pc says -pthread, which the package manager refuses with a warning.
    .systemLibrary(name: "CFathomOpenEXR", providers: [.apt(["libopenexr-dev"])]),
    .systemLibrary(name: "CFathomTIFF", pkgConfig: "libtiff-4", providers: [.apt(["libtiff-dev"])]),
    .systemLibrary(name: "CFathomGlibc"),
    .target(name: "CFathomKernels"),
    .target(
      name: "CFathomPictures",
      dependencies: ["CFathomDeflate", "CFathomOpenEXR", "CFathomPNG", "CFathomTIFF"],
      linkerSettings: [.linkedLibrary("OpenEXRCore")]),
    .target(name: "CFathomSandbox"),
    .target(name: "CFathomPriority"),
    // Which commit this is: known to what records it, and compiled again alone.
    .target(name: "CFathomBuild", publicHeadersPath: "."),
    .target(name: "FathomBuildName", plugins: ["FathomBuildIdentity"]),
    .plugin(
      name: "FathomBuildIdentity", capability: .buildTool(), path: "Plugins/FathomBuildIdentity"),
    .target(name: "FathomPlainText"),
    .target(name: "FathomYAMLText", dependencies: ["Yams"]),
    .target(name: "FathomStorage", dependencies: ["CFathomCrypto", "CFathomGlibc", "FathomPlainText"]),
    .target(
      name: "FathomArchives",
      dependencies: ["CFathomArchive", "CFathomZlib", "FathomPlainText", "FathomStorage"]),
    .target(name: "FathomLZFSE"),
    .target(
      name: "FathomHDF5", dependencies: ["CFathomDeflate", "CFathomHDF5", "CFathomKernels", "FathomStorage"]),
    .target(
      name: "FathomLinearAlgebra",
      dependencies: [
        .target(name: "CFathomGlibc", condition: .when(platforms: [.linux])),
        .target(name: "CFathomLAPACK", condition: .when(platforms: [.linux])),
      ],
      // Accelerate's current LAPACK; without it there is one of 2009.
      cSettings: [.define("ACCELERATE_NEW_LAPACK", .when(platforms: apple))]),
    .target(name: "DepthCore", dependencies: ["CFathomKernels", "FathomPlainText"]),
    .target(name: "FathomStatistics", dependencies: ["CFathomKernels", "DepthCore"]),
    .target(
      name: "DepthFusion",
      dependencies: ["CFathomKernels", "DepthCore", "FathomLinearAlgebra", "FathomPlainText"]),
    .target(
      name: "DepthDataset",
      dependencies: ["CFathomSandbox", "DepthCore", "FathomHDF5", "FathomPlainText", "FathomStorage"]),
    .target(
      name: "FathomPictureFiles",
      dependencies: [
        "CFathomPictures", "CFathomSandbox", "CFathomTurboJPEG", "CFathomZlib",
        "DepthCore", "FathomPlainText",
        "FathomStorage",
      ]),
    // Maps, cameras and poses in files of any program, as values: it knows no recording.
    .target(
      name: "FathomMapFiles",
      dependencies: [
        "CFathomDeflate", "DepthCore", "DepthDataset", "FathomHDF5", "FathomLZFSE", "FathomPictureFiles",
        "FathomPlainText", "FathomStorage", "FathomYAMLText", "Yams",
      ]),
    .target(
      name: "DepthImport",
      dependencies: [
        "CFathomSandbox", "DepthCore", "DepthDataset", "FathomArchives", "FathomHDF5", "FathomMapFiles",
        "FathomPictureFiles", "FathomPlainText", "FathomStorage", "FathomYAMLText", "Yams",
      ],
      resources: [.embedInCode("Presets")]),
    .target(
      name: "DepthMapSets",
      dependencies: [
        "DepthCore", "DepthDataset", "DepthImport", "FathomMapFiles", "FathomPictureFiles", "FathomPlainText",
        "FathomStorage",
      ]),
    .target(name: "DepthSynthesis", dependencies: ["DepthCore", "DepthDataset", "FathomStorage"]),
    .target(name: "DepthObjects", dependencies: ["CFathomKernels", "DepthCore", "FathomLinearAlgebra"]),
    .target(name: "FathomReplay", dependencies: ["DepthCore", "DepthObjects", "FathomPlainText"]),
    .target(name: "FathomDrawingScales", dependencies: ["DepthCore"]),
    .target(
      name: "DepthGraphics",
      dependencies: [
        "CFathomCairo", "CFathomPNG", "CFathomTurboJPEG", "CFathomWebP", "DepthCore", "FathomDrawingScales",
      ]),
    .target(name: "DepthExport", dependencies: ["DepthCore", "DepthObjects"]),
    .target(
      name: "DepthDiagnosis",
      dependencies: [
        "DepthCore", "DepthDataset", "DepthFusion", "DepthObjects", "FathomLinearAlgebra", "FathomPlainText",
        "FathomStatistics", "FathomStorage",
      ]),
    .target(name: "DepthCharts", dependencies: ["DepthCore", "FathomDrawingScales", "FathomPlainText"]),
    .target(
      name: "DepthEvaluation",
      dependencies: [
        "CFathomKernels", "DepthCore", "DepthFusion", "DepthObjects", "FathomPlainText", "FathomStatistics",
        "FathomStorage",
      ]),
    // What the rows of a run say: it reads and scores no frame.
    .target(
      name: "DepthVerdicts",
      dependencies: [
        "DepthCore", "DepthEvaluation", "DepthFusion", "DepthObjects", "FathomPlainText", "FathomStatistics",
        "FathomStorage",
      ]),
    .target(
      name: "DepthTuning",
      dependencies: ["DepthCore", "DepthEvaluation", "DepthFusion", "FathomPlainText", "FathomStatistics"]),
    .target(
      name: "DepthCalibration",
      dependencies: [
        "CFathomKernels", "DepthCore", "DepthEvaluation", "DepthFusion", "DepthVerdicts",
        "FathomLinearAlgebra", "FathomPlainText", "FathomStatistics",
      ]),
    .target(
      name: "DepthCertification", dependencies: ["DepthCore", "FathomLinearAlgebra", "FathomStatistics"]),
    .target(name: "FathomTables", dependencies: ["CFathomBuild", "FathomPlainText", "FathomStorage"]),
    .target(
      name: "FathomRunFolders",
      dependencies: [
        "DepthCalibration", "DepthCore", "DepthEvaluation", "DepthFusion", "DepthImport", "DepthObjects",
        "DepthVerdicts", "FathomLinearAlgebra", "FathomPlainText", "FathomStatistics", "FathomStorage",
        "FathomTables",
      ]),
    .target(
      name: "FathomRuns",
      dependencies: [
        "DepthCalibration", "DepthCore", "DepthDataset", "DepthDiagnosis", "DepthEvaluation", "DepthFusion",
        "DepthImport", "DepthMapSets", "DepthTuning", "DepthVerdicts", "FathomPlainText", "FathomRunFolders",
        "FathomStorage", "FathomTables", "Yams",
      ]),
    // What few other parts need: certify, replay, reproduce, samples, and calibrations as they are read.
    .target(
      name: "FathomStudies",
      dependencies: [
        "DepthCertification", "DepthCore", "DepthDataset", "DepthEvaluation", "DepthFusion", "DepthImport",
        "DepthObjects", "DepthVerdicts", "FathomPlainText", "FathomReplay", "FathomRunFolders", "FathomRuns",
        "FathomStatistics", "FathomStorage", "FathomTables", "FathomYAMLText", "Yams",
      ],
      resources: [.embedInCode("Resources/find_board.py")]),
    // What a report is and how it is written: it knows no depth.
    .target(
      name: "FathomDocuments",
      dependencies: [
        "DepthCharts", "DepthCore", "FathomPlainText", "FathomStatistics", "FathomStorage", "FathomTables",
      ],
      resources: [.embedInCode("HTML/Page")]),
    .target(
      name: "DepthReport",
      dependencies: [
        "DepthCalibration", "DepthCharts", "DepthCore", "DepthDataset", "DepthDiagnosis", "DepthEvaluation",
        "DepthExport", "DepthFusion", "DepthGraphics", "DepthObjects", "DepthVerdicts", "FathomDocuments",
        "FathomDrawingScales", "FathomPlainText", "FathomRunFolders", "FathomRuns", "FathomStatistics",
        "FathomStorage", "FathomTables",
      ]),
    .target(
      name: "FathomJobReports",
      dependencies: [
        "DepthCalibration", "DepthCertification", "DepthCharts", "DepthCore", "DepthDataset",
        "DepthDiagnosis", "DepthEvaluation", "DepthFusion", "DepthGraphics", "DepthImport", "DepthReport",
        "DepthTuning", "DepthVerdicts", "FathomDocuments", "FathomPlainText", "FathomReplay",
        "FathomRunFolders", "FathomRuns", "FathomStatistics", "FathomStorage", "FathomStudies",
        "FathomTables",
      ]),
    .target(
      name: "DepthRendering",
      dependencies: [
        "CFathomDeflate", "DepthCore", "DepthDataset", "DepthDiagnosis", "DepthEvaluation", "DepthExport",
        "DepthFusion",
        "DepthGraphics", "DepthObjects", "DepthVerdicts", "FathomDrawingScales", "FathomPlainText",
        "FathomRunFolders", "FathomRuns", "FathomStorage", "FathomTables",
      ]),
    .target(
      name: "DepthNotebook",
      dependencies: [
        "FathomPlainText", "FathomRunFolders", "FathomRuns", "FathomStorage", "FathomTables",
      ],
      resources: [.embedInCode("Resources/analysis.py"), .embedInCode("Resources/execute.py")]),
    .target(
      name: "FathomLibraryVersions",
      dependencies: [
        "CFathomArchive", "CFathomCairo", "CFathomCrypto", "CFathomOpenEXR", "CFathomPNG", "CFathomTIFF",
        "CFathomWebP", "DepthDataset", "FathomHDF5", "FathomLinearAlgebra", "FathomTables",
      ]),
    // What can be written behind a command, the values that it becomes, and how a command speaks.
    .target(
      name: "FathomCommandLine",
      dependencies: [
        "DepthCertification", "DepthCore", "DepthDataset", "DepthEvaluation", "DepthFusion", "DepthGraphics",
        "DepthImport", "DepthMapSets", "DepthObjects", "DepthRendering", "DepthReport", "DepthSynthesis",
        "DepthTuning", "DepthVerdicts", "FathomDocuments", "FathomJobReports", "FathomPlainText",
        "FathomRunFolders", "FathomRuns", "FathomStorage", "FathomStudies", "FathomYAMLText", "Yams",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    // Commands that make, test and show data; commands that evaluate them, and read what that wrote.
    .target(
      name: "FathomDataCommands",
      dependencies: [
        "DepthCertification", "DepthCore", "DepthDataset", "DepthDiagnosis", "DepthExport", "DepthFusion",
        "DepthImport", "DepthObjects", "DepthRendering", "DepthSynthesis", "FathomCommandLine",
        "FathomDocuments", "FathomJobReports", "FathomPlainText", "FathomReplay", "FathomRunFolders",
        "FathomRuns", "FathomStorage", "FathomStudies", "FathomTables",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    .target(
      name: "FathomRunCommands",
      dependencies: [
        "DepthCalibration", "DepthCore", "DepthDataset", "DepthEvaluation", "DepthImport", "DepthMapSets",
        "DepthNotebook", "DepthRendering", "DepthReport", "DepthVerdicts", "FathomCommandLine",
        "FathomDocuments", "FathomJobReports", "FathomPlainText", "FathomRunFolders", "FathomRuns",
        "FathomStatistics", "FathomStorage", "FathomStudies", "FathomTables",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    .executableTarget(
      name: "fathom",
      dependencies: [
        "CFathomGlibc", "CFathomPriority", "DepthDataset", "DepthImport", "DepthMapSets",
        "FathomCommandLine", "FathomDataCommands", "FathomLibraryVersions", "FathomPlainText",
        "FathomRunCommands", "FathomStorage", "FathomTables",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(
      name: "fathom-convention-matrix",
      dependencies: [
        "DepthDataset", "DepthCore", "DepthDiagnosis", "DepthFusion", "DepthObjects", "DepthSynthesis",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/ConventionMatrix",
      exclude: ["README.md", "cases.csv", "confusion.md", "recordings.csv", "recordings.md"]),
    .executableTarget(
      name: "fathom-recovery-experiments",
      dependencies: [
        "FathomRunFolders", "FathomTables",
        "DepthCalibration", "DepthCore", "DepthEvaluation", "DepthFusion", "DepthSynthesis", "DepthTuning",
        "DepthVerdicts", "FathomStatistics", "FathomTestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/RecoveryExperiments",
      exclude: [
        "README.md", "noise-law.csv", "noise-law.md", "tuning-null.csv", "tuning-null.md",
        "known-thresholds.csv", "known-thresholds.md", "interval-coverage.csv", "interval-coverage.md",
        "gate-error.csv", "gate-error.md",
      ]),
    .executableTarget(
      name: "fathom-page-fixtures",
      dependencies: [
        "DepthCharts", "DepthCore", "DepthGraphics", "FathomDocuments", "FathomDrawingScales",
        "FathomPlainText",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/Page",
      exclude: ["check_commands.py", "check_frames_page.py", "check_page.py", "requirements.txt"]),
    .executableTarget(
      name: "fathom-c-boundary",
      dependencies: [
        "DepthCore", "DepthDataset", "DepthGraphics", "DepthImport", "FathomLinearAlgebra",
        "FathomPictureFiles",
      ],
      path: "Tests/Sanitize/CBoundary"),
    .executableTarget(
      name: "fathom-reader-overhead",
      dependencies: ["DepthDataset", "DepthReport", "FathomRuns"],
      path: "Tests/Benchmarks/ReaderOverhead"
    ),
    .executableTarget(
      name: "fathom-sandbox-probe", dependencies: ["CFathomSandbox"], path: "Tests/SandboxProbe"),
    .target(
      name: "FathomParserFuzz",
      dependencies: [
        "DepthCore", "DepthFusion", "DepthImport", "FathomLZFSE", "FathomMapFiles", "FathomPictureFiles",
        "FathomPlainText", "FathomStorage", "FathomYAMLText", "Yams",
      ],
      path: "Tests/Fuzz/Parsers"),
    .testTarget(name: "FathomParserFuzzTests", dependencies: ["FathomParserFuzz"]),
    // The small one brings the build's name to all tests: what they and the command keep is of one build.
    .testTarget(name: "FathomYAMLTextTests", dependencies: ["FathomBuildName", "FathomYAMLText", "Yams"]),
    .target(name: "FathomFrameFolder", path: "docs/example/Sources/FrameFolder"),
    .target(
      name: "FathomTestSupport", dependencies: ["CFathomPNG", "DepthCore", "DepthFusion", "DepthObjects"],
      path: "Tests/TestSupport"),
    .testTarget(
      name: "FathomStorageTests", dependencies: ["FathomPlainText", "FathomStorage", "FathomTestSupport"]),
    .testTarget(
      name: "FathomArchivesTests", dependencies: ["FathomArchives", "FathomStorage", "FathomTestSupport"]),
    .testTarget(
      name: "FathomLZFSETests", dependencies: ["FathomLZFSE", "FathomTestSupport"], exclude: ["Golden"]),
    .testTarget(name: "FathomPlainTextTests", dependencies: ["FathomPlainText", "FathomTestSupport"]),
    .testTarget(name: "FathomHDF5Tests", dependencies: ["CFathomHDF5", "FathomHDF5", "FathomTestSupport"]),
    .testTarget(
      name: "FathomLinearAlgebraTests", dependencies: ["FathomLinearAlgebra", "FathomTestSupport"]),
    .testTarget(name: "DepthCoreTests", dependencies: ["DepthCore", "FathomTestSupport"]),
    .testTarget(
      name: "FathomStatisticsTests", dependencies: ["DepthCore", "FathomStatistics", "FathomTestSupport"]),
    .testTarget(
      name: "DepthFusionTests",
      dependencies: ["CFathomKernels", "DepthCore", "DepthFusion", "FathomTestSupport"]),
    .testTarget(
      name: "DepthDatasetTests",
      dependencies: [
        "DepthDataset", "FathomHDF5", "FathomPlainText", "FathomStorage", "FathomTestSupport",
      ]),
    .testTarget(
      name: "DepthCalibrationTests",
      dependencies: ["DepthCalibration", "DepthSynthesis", "FathomTestSupport"]),
    .testTarget(
      name: "DepthCertificationTests",
      dependencies: ["DepthCertification", "DepthCore", "FathomStatistics", "FathomTestSupport"]),
    .testTarget(
      name: "DepthSynthesisTests", dependencies: ["DepthSynthesis", "FathomStorage", "FathomTestSupport"]),
    .testTarget(
      name: "DepthObjectsTests",
      dependencies: [
        "CFathomKernels", "DepthObjects", "DepthSynthesis", "DepthDataset", "FathomTestSupport",
      ],
      exclude: ["README.md"]),
    .testTarget(name: "FathomReplayTests", dependencies: ["DepthCore", "DepthObjects", "FathomReplay"]),
    .testTarget(
      name: "DepthGraphicsTests",
      dependencies: [
        "CFathomTurboJPEG", "CFathomWebP", "DepthGraphics", "DepthDataset", "DepthCore", "DepthFusion",
        "DepthObjects",
        "FathomDrawingScales", "FathomTestSupport",
      ]),
    .testTarget(
      name: "FathomPictureFilesTests",
      dependencies: [
        "DepthCore", "DepthGraphics", "FathomPictureFiles", "FathomPlainText", "FathomStorage",
        "FathomTestSupport",
      ]),
    .testTarget(
      name: "FathomMapFilesTests",
      dependencies: ["DepthCore", "FathomMapFiles", "FathomPictureFiles", "FathomTestSupport"]),
    .testTarget(
      name: "DepthImportTests",
      dependencies: [
        "DepthCore", "DepthDataset", "DepthImport", "FathomFrameFolder", "FathomHDF5", "FathomMapFiles",
        "FathomPictureFiles", "FathomPlainText", "FathomStorage", "FathomTestSupport",
      ]),
    .testTarget(
      name: "DepthMapSetsTests",
      dependencies: [
        "DepthCore", "DepthDataset", "DepthImport", "DepthMapSets", "FathomHDF5", "FathomPlainText",
        "FathomStorage", "FathomTestSupport",
      ]),
    .testTarget(name: "DepthExportTests", dependencies: ["DepthExport", "FathomTestSupport"]),
    .testTarget(
      name: "DepthTuningTests",
      dependencies: ["DepthTuning", "DepthCore", "DepthEvaluation", "DepthFusion", "FathomTestSupport"]),
    .testTarget(
      name: "FathomDrawingScalesTests",
      dependencies: ["DepthCore", "FathomDrawingScales", "FathomTestSupport"]),
    .testTarget(
      name: "DepthChartsTests",
      dependencies: ["DepthCharts", "DepthCore", "FathomDrawingScales", "FathomTestSupport"],
      exclude: ["Golden"]),
    .testTarget(
      name: "DepthDiagnosisTests",
      dependencies: ["DepthDiagnosis", "DepthObjects", "DepthSynthesis", "DepthDataset", "FathomTestSupport"]),
    .testTarget(
      name: "DepthEvaluationTests",
      dependencies: [
        "CFathomKernels", "DepthEvaluation", "DepthObjects", "DepthVerdicts", "FathomStorage",
        "FathomTestSupport",
      ]),
    .testTarget(
      name: "DepthVerdictsTests", dependencies: ["DepthEvaluation", "DepthVerdicts", "FathomTestSupport"]),
    .target(
      name: "FathomRunSamples",
      dependencies: ["DepthCore", "DepthEvaluation", "DepthFusion", "DepthVerdicts", "FathomTestSupport"],
      path: "Tests/RunSamples"),
    .testTarget(
      name: "FathomDocumentsTests",
      dependencies: [
        "DepthCharts", "DepthCore", "FathomDocuments", "FathomPlainText", "FathomRunFolders",
        "FathomStatistics", "FathomTables", "FathomTestSupport",
      ],
      exclude: ["Golden"]),
    .testTarget(
      name: "DepthReportTests",
      dependencies: [
        "DepthCharts", "DepthExport", "DepthObjects", "DepthReport", "FathomDocuments", "FathomPlainText",
        "FathomRunFolders", "FathomRunSamples", "FathomRuns", "FathomStorage", "FathomTables",
        "FathomTestSupport",
      ],
      exclude: ["Golden"]),
    .testTarget(
      name: "FathomJobReportsTests",
      dependencies: [
        "DepthCharts", "DepthEvaluation", "DepthVerdicts", "FathomDocuments", "FathomJobReports",
        "FathomRunFolders", "FathomRunSamples", "FathomStorage", "FathomTables", "FathomTestSupport",
      ]),
    .testTarget(
      name: "DepthNotebookTests",
      dependencies: [
        "FathomRunFolders", "FathomTables", "DepthNotebook", "DepthReport", "FathomStorage",
        "FathomTestSupport",
      ]),
    .testTarget(
      name: "fathomTests",
      dependencies: [
        "fathom", "DepthCore", "DepthDataset", "DepthEvaluation", "DepthImport", "DepthMapSets",
        "DepthRendering", "DepthReport", "DepthSynthesis", "DepthVerdicts", "FathomCommandLine",
        "FathomDataCommands", "FathomDrawingScales", "FathomHDF5", "FathomJobReports",
        "FathomLibraryVersions", "FathomLinearAlgebra", "FathomPictureFiles", "FathomPlainText",
        "FathomRunCommands", "FathomRunFolders", "FathomRuns", "FathomStorage", "FathomStudies",
        "FathomTables", "FathomTestSupport", "Yams",
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
  package.products.append(.library(name: "FathomParserFuzz", type: .dynamic, targets: ["FathomParserFuzz"]))
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

// Tests that call what is optimised, and loop over no pixels themselves, compile in half the time without optimisation. Flags of test
// targets do not reach packages that use the libraries.
let numerical = [
  "DepthCore", "DepthFusion", "DepthEvaluation", "DepthVerdicts", "DepthObjects", "DepthDiagnosis",
  "DepthCalibration", "DepthCertification", "DepthSynthesis", "DepthGraphics", "FathomStatistics",
  "FathomLinearAlgebra", "FathomLZFSE",
].map { $0 + "Tests" }
for target in package.targets where target.type == .test && !numerical.contains(target.name) {
  target.swiftSettings?.append(.unsafeFlags(["-Onone"]))
}
