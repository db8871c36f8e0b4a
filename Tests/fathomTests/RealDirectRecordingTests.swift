import DepthDataset
import DepthDiagnosis
import DepthImport
import DepthReport
import Foundation
import FathomRuns
import FathomStorage
import FathomTestSupport
import Testing

/// Real recordings give the same numbers as the file that an import makes of them.
@Suite(.enabled(if: PackageFiles.realData != nil, "the real recordings are absent; set FATHOM_REAL_DATA"))
struct RealDirectRecordingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
  }

  @Test(arguments: ["scanner3d", "redwood", "record3d"])
  func bothWaysGiveTheSameNumbers(_ name: String) async throws {
    let source = PackageFiles.realDataPath("sources/" + name)
    let file = folder.path(name + ".h5")
    #expect(await run("import", source, file, "--quiet") == nil)

    let direct = try DatasetInspection(of: try FolderRecording(source).decodable())
    let stored = try DatasetInspection(inspecting: file)
    #expect(stored.isValid && direct.scenes.count == stored.scenes.count)
    for (a, b) in zip(direct.scenes, stored.scenes) {
      #expect(a.frameCount == b.frameCount && a.pictureCount == b.pictureCount)
      #expect(a.arrays.map(\.name) == b.arrays.map(\.name) && a.arrays.map(\.size) == b.arrays.map(\.size))
      #expect(a.arrays.map(\.values) == b.arrays.map(\.values) && a.arrays.contains { $0.values != nil })
      #expect(a.confidence == b.confidence && a.absent == b.absent && a.intrinsics == b.intrinsics)
    }

    let diagnoses = (try await DiagnoseJob(source).run(), try await DiagnoseJob(file).run())
    #expect(try CanonicalJSON.text(diagnoses.0.scenes) == CanonicalJSON.text(diagnoses.1.scenes))
    #expect(diagnoses.0.scenes.flatMap(\.findings).contains { $0.verdict == .confirmed })

    for (data, picture) in [(source, "a.png"), (file, "b.png")] {
      #expect(
        await run("render", data, "--format", "png", "--output", folder.path(picture), "--quiet") == nil)
    }
    #expect(try bytes("a.png") == bytes("b.png"))
  }

  /// A phone's recording without a laser gives a page with errors.
  @Test func aPhonesRecordingHasErrorsAgainstItself() async throws {
    #expect(
      await run(
        "evaluate", PackageFiles.realDataPath("sources/stray"), "--truth", "multiview", "--frames", "40:43",
        "--methods", "lidar-bilinear", "--output", folder.path("run"), "--no-gallery", "--no-figures",
        "--no-diagnosis", "--quiet") == nil)
    let report = String(decoding: try bytes("run/report.md"), as: UTF8.self)
    #expect(report.contains("is from the recording itself: it cannot show a gain over the LiDAR"))
    let table = String(decoding: try bytes("run/frames.csv"), as: UTF8.self)
    let rows = table.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let column = try #require(rows[0].firstIndex(of: "abs_rel"))
    let errors = rows.filter { $0[2] == "lidar-bilinear" }.compactMap { Double($0[column]) }
    // The sensor's errors against its neighbours are of the order of a percent.
    #expect(errors.count == 3 && errors.allSatisfy { (0.001...0.05).contains($0) })
  }

  @Test func anArchiveHasTheNumbersOfItsFolder() throws {
    let source = PackageFiles.realDataPath("sources/redwood")
    let names = try FileManager.default.subpathsOfDirectory(atPath: source).sorted()
    let files = try names.compactMap { name -> MadeArchive.Entry? in
      let url = URL(fileURLWithPath: source + "/" + name)
      guard try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else { return nil }
      return .file("redwood/" + name, [UInt8](try Data(contentsOf: url)))
    }
    try Data(MadeArchive.zip(files)).write(to: URL(fileURLWithPath: folder.path("r.zip")))
    let packed = try DatasetInspection(of: try FolderRecording(folder.path("r.zip"))).scenes
    let plain = try DatasetInspection(of: try FolderRecording(source)).scenes
    #expect(packed.map(\.name) == plain.map(\.name) && packed.map(\.frameCount) == plain.map(\.frameCount))
    #expect(packed[0].arrays.map(\.values) == plain[0].arrays.map(\.values))
    #expect(packed[0].arrays[0].values?.maximum == Double(Float(2.702)))
  }
}
