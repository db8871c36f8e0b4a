import ArgumentParser
import DepthCore
import DepthDataset
import DepthImport
import Foundation
import FathomRuns
import FathomStorage
import FathomTestSupport
import Testing

@testable import FathomCommandLine
@testable import FathomDataCommands

@Suite struct ImportCommandTests {
  private let folder: TemporaryFolder

  /// A wall of four frames as Stray Scanner stores it.
  init() throws {
    folder = try TemporaryFolder()
    try MadeStray.write("scan", in: folder)
  }

  @Test func aRecordingBecomesAFileThatIsTheSameForAnyNumberOfJobs() async throws {
    #expect(await run("import", folder.path("scan"), folder.path("a.h5"), "--jobs", "1", "--quiet") == nil)
    #expect(await run("import", folder.path("scan"), folder.path("b.h5"), "--jobs", "4", "--quiet") == nil)
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: folder.path("a.h5")))
        == Data(contentsOf: URL(fileURLWithPath: folder.path("b.h5"))))
    let reader = try DatasetReader(readingFrom: folder.path("a.h5"))
    #expect(reader.scenes[0].frameCount == 4 && reader.scenes[0].importRecord?.format == "stray")
    #expect(await run("import", folder.path("scan"), folder.path("a.h5"), "--quiet")?.code.rawValue == 73)
    #expect(await run("import", folder.path("scan"), folder.path("a.h5"), "--overwrite", "--quiet") == nil)
  }

  @Test func aFrameThatCannotBeDecodedIsLeftOutAndNamed() async throws {
    // Whole from outside, but its numbers wrap.
    let wall = (0..<48).map { UInt16($0 < 24 ? 65_200 : 164) }
    try folder.put(MadePNG.grey16(8, 6, wall), "scan/depth/000002.png")
    #expect(await run("import", folder.path("scan"), folder.path("a.h5"), "--quiet") == nil)
    let scene = try DatasetReader(readingFrom: folder.path("a.h5")).scenes[0]
    #expect(scene.frameIDs == ["000000", "000001", "000003"])
    #expect(
      scene.importRecord?.entries.contains { $0.step == .dropped && $0.subject == "depth/000002.png" } == true
    )
  }

  @Test func axesOfPosesThatNothingCanTestAreNamedFirst() async throws {
    func second() async throws -> Substring {
      var job = ImportJob(folder.path("scan"), to: folder.path("a.h5"))
      (job.format, job.overwrite) = ("stray", true)
      return ImportText(try await job.run(), "a.h5").text.split(separator: "\n")[1]
    }
    #expect(try await second().hasPrefix("scan: "))
    try FileManager.default.removeItem(atPath: folder.path("scan/camera_matrix.csv"))
    #expect(
      try await second()
        == "poses: taken as axes x right, y down, z forward of the camera; without intrinsics the data cannot test this"
    )
  }

  @Test func confidenceThatIsNoneLeavesNoFile() async throws {
    try folder.put(MadePNG.grey8(8, 6, [UInt8](repeating: 90, count: 48)), "scan/confidence/000003.png")
    let failure = await run("import", folder.path("scan"), folder.path("a.h5"), "--quiet")
    #expect(failure?.code.rawValue == 65 && failure?.message.contains("it holds the confidence 90") == true)
    #expect(!folder.exists("a.h5") && !folder.exists("a.h5.partial"))
  }

  @Test func wrongUsageIsSaidSo() async throws {
    #expect(await run("import", folder.path("scan"))?.code.rawValue == 64)
    #expect(await run("import", folder.path("scan"), "x.h5", "--format", "strey")?.code.rawValue == 64)
    #expect(await run("import", folder.path("scan"), "x.h5", "--every", "0")?.code.rawValue == 64)
    #expect(
      await run("import", folder.path("scan"), "x.h5", "--format", "stray", "--mapping", "m")?.code.rawValue
        == 64)
    #expect(await run("import", "--print-mapping", "stray", folder.path("scan"))?.code.rawValue == 64)
    #expect(await run("import", "--print-mapping", "tum", "--quiet") == nil)
    #expect(await run("import", folder.path("absent"), folder.path("x.h5"))?.code.rawValue == 66)
    #expect(await run("import", folder.path("scan/depth"), folder.path("x.h5"))?.code.rawValue == 65)
    #expect(
      await run("import", folder.path("scan"), folder.path("x.h5"), "--depth-scale", "0", "--quiet")?.code
        .rawValue == 64)
  }

  @Test("what an error advises prints the mapping it names")
  func advisedMapping() async throws {
    try folder.put(Array("not: [a mapping".utf8), "broken.yaml")
    try folder.put(Array("not a picture".utf8), "slam/depth/1.png")
    for (words, name) in [
      ([folder.path("scan"), folder.path("a.h5"), "--mapping", folder.path("broken.yaml")], "stray"),
      ([folder.path("slam"), folder.path("a.h5"), "--format", "tum"], "tum"),
    ] {
      let message = try #require(await run(["import", "--quiet"] + words)).message
      let advised = try #require(message.firstMatch(of: #/'fathom (import --print-mapping [a-z0-9-]+)'/#)).1
      #expect(advised == "import --print-mapping \(name)")
      #expect(await run(advised.split(separator: " ").map(String.init) + ["--quiet"]) == nil)
    }
  }

  @Test func aPrintedMappingCanBeChangedAndGivenBack() async throws {
    let text = try Preset.named("stray").text.replacing("unit: mm", with: "scale: 0.002")
    try folder.put(Array(text.utf8), "mine.yaml")
    #expect(
      await run(
        "import", folder.path("scan"), folder.path("a.h5"), "--mapping", folder.path("mine.yaml"), "--quiet")
        == nil)
    let reader = try DatasetReader(readingFrom: folder.path("a.h5"))
    #expect(try reader.frame(0, of: reader.scenes[0]).lidar.values[0] == 3)
  }

  /// Axes that are wrong on purpose: the data say so, and only --strict makes it an end.
  @Test(.enabled(if: PackageFiles.realData != nil, "the real recordings are absent; set FATHOM_REAL_DATA"))
  func whatTheDataContradictIsAWarningAndStrictAnEnd() async throws {
    let text = try Preset.named("seven-scenes").text.replacing("axes: opencv", with: "axes: arkit")
    try folder.put(Array(text.utf8), "wrong.yaml")
    let source = PackageFiles.realDataPath("sources/seven-scenes")
    let words = [
      "import", source, folder.path("a.h5"), "--mapping", folder.path("wrong.yaml"), "--quiet", "--overwrite",
    ]
    #expect(await run(words) == nil)
    let failure = await run(words + ["--strict"])
    #expect(failure?.code.rawValue == 1 && failure?.message.contains("contradict") == true)
    #expect(await run("import", source, folder.path("b.h5"), "--strict", "--quiet") == nil)
  }

  /// A folder and the file that was made of it give the same rows.
  @Test func evaluatingTheFolderGivesTheNumbersOfTheFile() async throws {
    for name in ["sparse", "gt"] {
      for frame in 0..<2 {
        let numbers = (0..<768).map {
          Float(1 + Double($0 % 32) / 20 + Double(frame) / 10 + (name == "gt" ? 0.01 : 0))
        }
        try folder.put(MadeNumpy.array(numbers, "24, 32"), "dc/\(name)/\(frame).npy")
        try folder.put(MadePNG.rgb(32, 24, [UInt8](repeating: 80, count: 3 * 768)), "dc/rgb/\(frame).png")
      }
    }
    #expect(await run("import", folder.path("dc"), folder.path("dc.h5"), "--quiet") == nil)
    let options = ["--methods", "lidar-nearest", "--quiet", "--output"]
    #expect(await run(["evaluate", folder.path("dc")] + options + [folder.path("from-folder")]) == nil)
    #expect(await run(["evaluate", folder.path("dc.h5")] + options + [folder.path("from-file")]) == nil)
    let (a, b) = (
      try String(contentsOfFile: folder.path("from-folder/frames.csv"), encoding: .utf8),
      try String(contentsOfFile: folder.path("from-file/frames.csv"), encoding: .utf8)
    )
    #expect(a == b && a.contains("lidar-nearest"))
    #expect(
      await run(["evaluate", folder.path("scan/depth")] + options + [folder.path("none")])?.code.rawValue
        == 65)
  }
}
