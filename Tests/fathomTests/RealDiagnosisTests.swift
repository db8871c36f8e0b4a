import DepthDataset
import DepthDiagnosis
import DepthFusion
import Foundation
import HDF5
import TestSupport
import Testing

@testable import fathom

/// Recordings of real sensors and networks, broken on purpose.
@Suite(
  "fathom diagnose on real recordings",
  .enabled(if: PackageFiles.realData != nil, Comment(rawValue: PackageFiles.noRealData)))
struct RealDiagnosisTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let scenes = ["seven-scenes", "nyu"]
  private static let size = RasterSize(width: 224, height: 224)

  /// Copies a recording and breaks the copy.
  private func copy(_ name: String, _ change: (borrowing HDF5File) throws -> Void) throws -> String {
    let path = folder.path(name)
    try FileManager.default.copyItem(atPath: PackageFiles.realDataPath(name), toPath: path)
    let file = try HDF5File(updating: path)
    try change(file)
    try file.close()
    return path
  }

  @Test(
    "a network's maps that are mirrored or turned are named, and put upright exactly",
    arguments: [Symmetry.mirroredVertically, .mirroredHorizontally, .rotated180, .rotated90])
  func orientation(_ stored: Symmetry) async throws {
    let path = try copy("real-indoor.h5") { file in
      for scene in Self.scenes { try file.turn("relative/values", Self.size, stored, in: "scenes/" + scene) }
    }
    let reader = try DatasetReader(readingFrom: path)
    for scene in reader.scenes where Self.scenes.contains(scene.name) {
      let frames = try stride(from: 0, to: scene.frameCount, by: max(1, scene.frameCount / 4)).map { index in
        SceneSample.reduced(try reader.frame(index, of: scene, including: [.lidar, .relative]))
      }
      let found = RelativeLayoutTest().findings(
        in: SceneSample(header: scene, frames: frames), after: [], seed: 0)
      #expect(found.map(\.supported) == [stored.rawValue, "disparity"], "\(scene.name)")
      #expect(found.map(\.verdict) == [.contradicted, .confirmed])
    }
    #expect(
      await run(["diagnose", path, "--scenes", "nyu", "--fix", folder.path("fixed.h5"), "--quiet"]) == nil)
    let (right, fixed) = (
      try FileContent(PackageFiles.realDataPath("real-indoor.h5")), try FileContent(folder.path("fixed.h5"))
    )
    #expect(!fixed.differences(from: right).contains { $0.hasPrefix("scenes/nyu") })
  }

  @Test("an iPhone's poses with the wrong axes are contradicted in every scene, and corrected")
  func axes() async throws {
    let path = try copy("iphone-stray.h5") { file in
      for scene in try file.members(of: "scenes") {
        try file.replaceAttribute(
          "convention", of: "scenes/\(scene)/camera/world_from_camera", with: .string("arkit"))
      }
    }
    let output = folder.path("diagnosis")
    #expect(
      await run(["diagnose", path, "--fix", folder.path("fixed.h5"), "--output", output, "--quiet"]) == nil)
    let diagnosis = try JSONDecoder().decode(
      DatasetDiagnosis.self, from: Data(contentsOf: URL(fileURLWithPath: output + "/diagnosis.json")))
    for scene in diagnosis.scenes {
      let wrong = scene.findings.filter { $0.verdict == .contradicted }
      #expect(
        wrong.map(\.test) == ["pose-convention"] && wrong.first?.supported == "opencv", "\(scene.scene)")
    }
    let (right, fixed) = (
      try FileContent(PackageFiles.realDataPath("iphone-stray.h5")), try FileContent(folder.path("fixed.h5"))
    )
    #expect(fixed.differences(from: right) == [])
  }
}
