import ArgumentParser
import DepthCore
import DepthDataset
import DepthFusion
import Foundation
import FathomTables
import FathomTestSupport
import Testing

@testable import FathomCommandLine
@testable import FathomDataCommands
@testable import FathomRunCommands
@testable import fathom

@Suite("fathom evaluate")
struct EvaluateTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("writes the run folder of the interface")
  func runFolder() async throws {
    let output = folder.path("run")
    #expect(await run("evaluate", sample, "--output", output, "--quiet") == nil)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: output).sorted() == [
        "confidence.csv", "cumulative.csv", "detections.csv", "diagnosis.csv", "figures", "frames.csv",
        "gallery", "methods.csv", "object_summary.csv", "objects.csv", "pairwise.csv", "ranges.csv",
        "report.html", "report.json", "report.md", "run.json", "scenes.csv", "sparsification.csv",
        "steps.csv", "summary.csv", "tables.json", "timing.csv", "verdict.json",
      ])
    let report = try String(contentsOfFile: output + "/report.md", encoding: .utf8)
    #expect(report.hasPrefix("# sample: accuracy of depth fusion"))
    #expect(!FileManager.default.fileExists(atPath: output + ".partial"))
  }

  @Test("same bytes for any number of jobs, but for timing.csv")
  func deterministic() async throws {
    let (a, b) = (folder.path("a"), folder.path("b"))
    #expect(await run("evaluate", sample, "--output", a, "--jobs", "1", "--quiet") == nil)
    #expect(await run("evaluate", sample, "--output", b, "--jobs", "3", "--quiet") == nil)
    let files = FileManager.default
    let names = try files.subpathsOfDirectory(atPath: a).filter { $0 != "timing.csv" }
    #expect(names.contains("figures/mae-by-method.svg") && names.contains("gallery/1-fused.jpg"))
    for name in names {
      // Of folders the content is nil on both sides.
      #expect(files.contents(atPath: a + "/" + name) == files.contents(atPath: b + "/" + name), "\(name)")
    }
  }

  @Test(
    "local settings reach their method, as flag and as key",
    arguments: [
      ("residual", "residual-deviation", "3"), ("lwlr", "regression-deviation", "30"),
      ("lwlr", "ridge", "10"),
      ("knn-affine", "neighbours", "40"), ("guided", "guided-radius", "2"),
      ("guided", "guided-smoothness", "2"),
      ("auto", "block-side", "40"), ("auto", "lidar-correlation", "40"),
      ("auto", "lidar-deviations", "0.0001,0.0001,0.0001"), ("residual", "local-max-depth", "2.5"),
      ("smoothed", "smoothing-age", "0.01"),
    ])
  func localOptions(_ method: String, _ name: String, _ value: String) async throws {
    let config = folder.path("\(name).yaml")
    try Data("\(name): \(value)\n".utf8).write(to: URL(fileURLWithPath: config))
    func rows(_ label: String, _ extra: [String]) async throws -> [Substring] {
      let output = folder.path("\(name)-\(label)")
      let command = try Evaluate.parse(
        [
          sample, "--scenes", "room-01", "--frames", "1:2", "--methods", method, "--output", output,
          "--no-objects", "--no-figures", "--no-gallery", "--no-diagnosis", "--quiet",
        ] + extra)
      try await command.run()
      let csv = try String(contentsOfFile: output + "/frames.csv", encoding: .utf8)
      return csv.split(separator: "\n").filter { $0.contains(",\(method),") }
    }
    let standard = try await rows("standard", [])
    let flag = try await rows("flag", ["--\(name)", value])
    #expect(standard.count == 1 && flag != standard)
    #expect(try await rows("file", ["--config", config]) == flag)
  }

  @Test("a method that looks at the camera image gets it")
  func imageReachesMethods() async throws {
    let output = folder.path("image")
    let command = try Evaluate.parse([
      sample, "--scenes", "room-01", "--methods", "image-guided,auto", "--output", output, "--no-objects",
      "--no-figures", "--no-gallery", "--no-diagnosis", "--quiet",
    ])
    try await command.run()
    let csv = try String(contentsOfFile: output + "/frames.csv", encoding: .utf8)
    let rows = csv.split(separator: "\n")
    #expect(rows.count { $0.contains(",image-guided,,ok,depth steps ") } == 2)
    #expect(
      rows.count {
        $0.contains(",auto,") && $0.contains("LiDAR pixels wide at least") && $0.contains(": the image ")
      } == 2)
  }

  @Test("options reach the numbers: a flag, a file, and the flag over the file")
  func options() async throws {
    let config = folder.path("fit.yaml")
    try Data("methods: [ols, ransac]\nmin-confidence: 1\ninlier-threshold: 0.05m\n".utf8)
      .write(to: URL(fileURLWithPath: config))
    func pairs(_ name: String, _ extra: [String]) async throws -> [String] {
      let output = folder.path(name)
      let command = try Evaluate.parse(
        [sample, "--methods", "ols", "--output", output, "--no-objects", "--quiet"] + extra)
      try await command.run()
      let csv = try String(contentsOfFile: output + "/frames.csv", encoding: .utf8)
      return csv.split(separator: "\n").filter { $0.contains(",ols@") }
        .map { String($0.split(separator: ",", omittingEmptySubsequences: false)[6]) }
    }
    let standard = try await pairs("standard", [])
    let flag = try await pairs("flag", ["--min-confidence", "1"])
    let file = try await pairs("file", ["--config", config])
    let both = try await pairs("both", ["--config", config, "--min-confidence", "2"])
    #expect(standard.count == 4)
    #expect(flag == file && flag != standard && both == standard)
    let manifest = try String(contentsOfFile: folder.path("file") + "/run.json", encoding: .utf8)
    #expect(manifest.contains("\"inlierThreshold\" : \"0.05m\""))
  }

  @Test("scenes and frames can be chosen")
  func selection() async throws {
    let output = folder.path("chosen")
    #expect(
      await run(
        "evaluate", sample, "--scenes", "*2", "--frames", "1:", "--output", output, "--no-objects", "--quiet")
        == nil)
    let csv = try String(contentsOfFile: output + "/frames.csv", encoding: .utf8)
    let rows = csv.split(separator: "\n").dropFirst()
    #expect(Set(rows.map { $0.prefix { $0 != "," } }).count == 1)
    #expect(rows.count == MethodCatalogue.standard.count - 1)
  }

  @Test("equal scene names get the file's name")
  func collidingNames() async throws {
    let copy = folder.path("copy.h5")
    try FileManager.default.copyItem(atPath: sample, toPath: copy)
    let output = folder.path("both")
    #expect(
      await run(
        "evaluate", sample, copy, "--methods", "lidar-bilinear", "--output", output, "--no-objects", "--quiet"
      ) == nil
    )
    let csv = try String(contentsOfFile: output + "/scenes.csv", encoding: .utf8)
    #expect(csv.contains("\ncopy/") && csv.contains("\nsample/"))
  }
}

@Suite("Bad input to the command: one line, the right code, nothing left")
struct BadInputTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs `evaluate` on a file that must be refused, and checks that nothing was written.
  private func refused(_ path: String, code: Int32, says words: String...) async throws {
    let output = folder.path("refused")
    let failure = try #require(await run("evaluate", path, "--output", output, "--quiet"))
    #expect(failure.code.rawValue == code)
    #expect(!failure.message.contains("\n"))
    for word in words { #expect(failure.message.contains(word), "\(failure.message)") }
    #expect(!FileManager.default.fileExists(atPath: output))
    #expect(!FileManager.default.fileExists(atPath: output + ".partial"))
  }

  @Test func missingFile() async throws {
    try await refused(folder.path("none.h5"), code: 66, says: "none.h5", "check the path")
  }

  @Test func notHDF5() async throws {
    let path = folder.path("text.h5")
    try Data("not HDF5".utf8).write(to: URL(fileURLWithPath: path))
    try await refused(path, code: 65, says: "text.h5", "not an HDF5 file")
  }

  @Test func truncated() async throws {
    let path = folder.path("cut.h5")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: sample))
    try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: path))
    try await refused(path, code: 65, says: "cut.h5")
  }

  @Test("an existing output is refused, and kept")
  func existingOutput() async throws {
    let output = folder.path("kept")
    #expect(
      await run(
        "evaluate", sample, "--methods", "lidar-bilinear", "--output", output, "--no-objects", "--quiet")
        == nil)
    let before = try Data(contentsOf: URL(fileURLWithPath: output + "/run.json"))
    let failure = try #require(await run("evaluate", sample, "--output", output, "--quiet"))
    #expect(failure.code.rawValue == 73)
    #expect(failure.message.contains("--overwrite"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: output + "/run.json")) == before)
    #expect(
      await run(
        "evaluate", sample, "--methods", "lidar-nearest", "--output", output, "--overwrite", "--no-objects",
        "--quiet") == nil
    )
    #expect(try Data(contentsOf: URL(fileURLWithPath: output + "/run.json")) != before)
  }

  @Test func outputInsideAFile() async throws {
    let failure = try #require(await run("evaluate", sample, "--output", sample + "/run", "--quiet"))
    #expect(failure.code.rawValue == 73)
  }

  @Test("with several files all are checked before work starts; --keep-going leaves a row and 65")
  func keepGoing() async throws {
    let broken = folder.path("broken.h5")
    try Data("x".utf8).write(to: URL(fileURLWithPath: broken))
    let output = folder.path("some")
    #expect(
      await run("evaluate", sample, broken, "--output", output, "--no-objects", "--quiet")?.code.rawValue
        == 65)
    #expect(!FileManager.default.fileExists(atPath: output))
    let kept = await run(
      "evaluate", sample, broken, "--methods", "lidar-bilinear", "--keep-going", "--output", output,
      "--no-objects", "--quiet"
    )
    #expect(kept?.code.rawValue == 65)
    let csv = try String(contentsOfFile: output + "/frames.csv", encoding: .utf8)
    #expect(csv.split(separator: "\n").last?.hasPrefix("broken,,,,unreadable,") == true)
    #expect(csv.contains("lidar-bilinear"))
  }

  @Test(
    "wrong usage",
    arguments: [
      ["--methods", "olss"], ["--min-confidence", "3"], ["--inlier-threshold", "5"], ["--max-depth", "0"],
      ["--min-pairs", "1"], ["--jobs", "0"], ["--frames", "5:2"], ["--frames", "x"],
      ["--position-mapping", "middle"],
      ["--confidence-weights", "1,2"], ["--ransac-confidence", "1"], ["--edge-margin", "-1"],
      ["--baseline", "all"],
      ["--scenes", "nothing*"], ["--quiet", "--verbose"], ["--unknown"], ["--clamp-max", "0.001"],
      ["--max-trials", "0"],
      ["--huber-threshold", "0"], ["--residual-deviation", "0"], ["--guided-radius", "0"],
      ["--neighbours", "1"],
      ["--block-side", "3"], ["--ridge", "0"], ["--lidar-correlation", "nan"], ["--smoothing-age", "-1"],
      ["--lidar-deviations", "1,0,1"], ["--regression-deviation", "inf"], ["--local-max-depth", "0"],
      ["--guided-smoothness", "0"],
      ["--min-scale", "3", "--max-scale", "2"], ["--clamp-max", "inf"],
      ["--max-depth", "inf"], ["--max-scale", "inf"], ["--frames", "7:9"], ["--output", ""], [sample],
    ])
  func usage(_ extra: [String]) async throws {
    let output = folder.path("usage")
    let arguments = ["evaluate", sample, "--output", output] + extra
    let failure = try #require(await run(arguments))
    #expect(failure.code.rawValue == 64)
    #expect(!failure.message.contains("\n"))
    #expect(
      !FileManager.default.fileExists(atPath: output)
        && !FileManager.default.fileExists(atPath: output + ".partial"))
  }

  @Test(
    "configuration files",
    arguments: [
      ("min-confidance: 1\n", "min-confidence"), ("min-confidence: high\n", "min-confidence"),
      ("- 1\n- 2\n", "name: value"),
      ("a: [\n", "YAML"), ("min-depth: {a: 1}\n", "min-depth"), ("max-depth: 0.05\n", "max-depth"),
    ])
  func configuration(_ yaml: String, _ word: String) async throws {
    let config = folder.path("bad.yaml")
    try Data(yaml.utf8).write(to: URL(fileURLWithPath: config))
    let output = folder.path("configured")
    let failure = try #require(
      await run("evaluate", sample, "--config", config, "--output", output, "--quiet"))
    #expect(failure.code.rawValue == 65)
    #expect(failure.message.contains("bad.yaml") && failure.message.contains(word), "\(failure.message)")
    #expect(!failure.message.contains("\n"))
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  @Test("a file of comments sets nothing; settings are judged together")
  func mergedConfiguration() async throws {
    let config = folder.path("merged.yaml")
    try Data("# nothing yet\n".utf8).write(to: URL(fileURLWithPath: config))
    #expect(
      await run(
        "evaluate", sample, "--config", config, "--output", folder.path("empty"), "--no-objects", "--quiet")
        == nil)
    try Data("max-depth: 8\n".utf8).write(to: URL(fileURLWithPath: config))
    #expect(
      await run(
        "evaluate", sample, "--config", config, "--min-depth", "5", "--output", folder.path("far"),
        "--no-objects", "--quiet")
        == nil)
  }

  @Test("two files of one name, and a huge margin")
  func sameStem() async throws {
    for name in ["a", "b"] {
      try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: sample, toPath: folder.path(name + "/same.h5"))
    }
    let output = folder.path("stems//")
    let failure = await run(
      "evaluate", folder.path("a/same.h5"), folder.path("b/same.h5"), "--methods", "lidar-bilinear",
      "--edge-margin",
      "1e6", "--output", output, "--no-objects", "--quiet")
    #expect(failure == nil, "\(failure?.message ?? "")")
    let csv = try String(contentsOfFile: folder.path("stems") + "/scenes.csv", encoding: .utf8)
    #expect(csv.contains("\nsame/") && csv.contains("\nsame-2/"))
  }

  @Test("Ctrl-C ends with 130 and leaves nothing")
  func interrupted() throws {
    let command = Bundle.main.bundleURL.appendingPathComponent("fathom")
    let process = Process()
    process.executableURL = command
    process.arguments = ["synthesize", folder.path("big.h5"), "--preset", "large", "--quiet"]
    process.standardError = Pipe()
    try process.run()
    let partial = folder.path("big.h5.partial")
    for _ in 0..<400 where !FileManager.default.fileExists(atPath: partial) { usleep(50_000) }
    #expect(FileManager.default.fileExists(atPath: partial))
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    #expect(folder.names.isEmpty)
  }

  @Test func missingConfiguration() async throws {
    #expect(
      await run("evaluate", sample, "--config", folder.path("no.yaml"), "--no-objects", "--quiet")?.code
        .rawValue == 66)
  }

  @Test("a full disk leaves nothing behind")
  func fullDisk() throws {
    // The test bundle and the command lie in the same folder.
    let command = Bundle.main.bundleURL.appendingPathComponent("fathom").path
    try #require(FileManager.default.isExecutableFile(atPath: command))
    let output = folder.path("full")
    // Files may grow to 8 KiB; the signal is ignored so that write() fails as on a full disk.
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/bash")
    shell.arguments = [
      "-c", "ulimit -f 8; trap '' XFSZ; exec \"$0\" evaluate \"$1\" --output \"$2\" --quiet", command, sample,
      output,
    ]
    let errors = Pipe()
    shell.standardError = errors
    try shell.run()
    let message = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 74, "\(message)")
    #expect(message.split(separator: "\n").count == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }
}

@Suite("fathom synthesize, inspect, bench")
struct OtherCommandTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("the committed sample is what its preset makes")
  func sampleIsCurrent() async throws {
    let path = folder.path("sample.h5")
    #expect(await run("synthesize", path, "--preset", "sample", "--quiet") == nil)
    // How it is compressed is the library's affair.
    let made = try DatasetReader(readingFrom: path)
    let kept = try DatasetReader(readingFrom: sample)
    #expect(made.scenes == kept.scenes)
    #expect(made.attributes.createdBy == Version.name)
    for scene in kept.scenes {
      for index in 0..<scene.frameCount {
        let frames = [
          try made.frame(index, of: scene, including: .all),
          try kept.frame(index, of: scene, including: .all),
        ]
        #expect(frames[0].lidar == frames[1].lidar && frames[0].confidence == frames[1].confidence)
        #expect(frames[0].relative == frames[1].relative && frames[0].truth == frames[1].truth)
        #expect(frames[0].image?.values == frames[1].image?.values)
        #expect(frames[0].worldFromCamera == frames[1].worldFromCamera)
        #expect(frames[0].predictions.map(\.map) == frames[1].predictions.map(\.map))
      }
      let objects = try made.objects(of: scene, includingMasks: true)?.objects ?? []
      let keptObjects = try kept.objects(of: scene, includingMasks: true)?.objects ?? []
      #expect(objects.map(\.label) == keptObjects.map(\.label))
      #expect(objects.map(\.box) == keptObjects.map(\.box) && objects.map(\.mask) == keptObjects.map(\.mask))
    }
  }

  @Test func synthesizeRefuses() async throws {
    let path = folder.path("one.h5")
    #expect(
      await run("synthesize", path, "--preset", "sample", "--scenes", "1", "--frames", "1", "--quiet") == nil)
    #expect(await run("synthesize", path, "--preset", "sample", "--quiet")?.code.rawValue == 73)
    #expect(
      await run("synthesize", folder.path("no/where.h5"), "--preset", "sample", "--quiet")?.code.rawValue
        == 73)
    #expect(await run("synthesize", path, "--preset", "castle")?.code.rawValue == 64)
    #expect(await run("synthesize", path, "--scenes", "0")?.code.rawValue == 64)
    #expect(await run("synthesize", path, "--scenes", "4097")?.code.rawValue == 64)
    #expect(await run("synthesize", path, "--level-shares", "1,1,1")?.code.rawValue == 64)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["one.h5"])
  }

  @Test("bench knows its stages")
  func bench() async throws {
    #expect(try Fathom.parseAsRoot(["bench", "--only", "theil-sen fit"]) is Bench)
    #expect(await run("bench", "--only", "castle")?.code.rawValue == 64)
  }

  @Test func inspect() async throws {
    #expect(await run("inspect", sample, "--quiet") == nil)
    #expect(await run("inspect", folder.path("none.h5"))?.code.rawValue == 66)
    #expect(
      await run("inspect", PackageFiles.root.appendingPathComponent("LICENSE").path)?.code.rawValue == 65)
  }
}
