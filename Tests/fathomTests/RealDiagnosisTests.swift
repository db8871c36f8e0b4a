import FathomRuns
import DepthCore
import DepthDataset
import DepthDiagnosis
import Foundation
import FathomHDF5
import FathomTestSupport
import Testing

/// Recordings of real sensors and networks, broken on purpose.
@Suite(
  "fathom diagnose on real recordings",
  .enabled(if: PackageFiles.realData != nil, Comment(rawValue: PackageFiles.noRealData)))
struct RealDiagnosisTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let scenes = ["fastdepth", "nyu"]
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

  /// Diagnoses scenes by a few frames, as the command does by more, and writes the corrected copy.
  private func correct(
    _ path: String, scenes: [String], frames limit: Int, including arrays: FrameArrays
  ) throws -> [SceneDiagnosis] {
    let reader = try DatasetReader(readingFrom: path)
    let diagnoses = try reader.scenes.filter { scenes.contains($0.name) }.map { scene in
      let count = min(limit, scene.frameCount)
      let frames = try (0..<count).map { index in
        SceneSample.reduced(
          try reader.frame(index * (scene.frameCount - 1) / max(1, count - 1), of: scene, including: arrays))
      }
      return SceneDiagnosis(SceneSample(header: scene, frames: frames), seed: 0)
    }
    _ = try CorrectedCopy(
      of: try SourceFiles(ofFile: path), to: folder.path("fixed.h5"), overwrite: false, diagnoses,
      reader.scenes, naming: try #require(CorrectionNames("orientation,poses")))
    return diagnoses
  }

  private func differences(from name: String) throws -> [String] {
    try FileContent(folder.path("fixed.h5")).differences(from: FileContent(PackageFiles.realDataPath(name)))
  }

  @Test(
    "a network's maps that are mirrored or turned are named, and put upright exactly",
    arguments: [Symmetry.mirroredVertically, .mirroredHorizontally, .rotated180, .rotated90])
  func orientation(_ stored: Symmetry) throws {
    let path = try copy("real-indoor.h5") { file in
      for scene in Self.scenes { try file.turn("relative/values", Self.size, stored, in: "scenes/" + scene) }
    }
    // Without poses: they say nothing about it, and take long.
    let diagnoses = try correct(path, scenes: Self.scenes, frames: 4, including: [.lidar, .relative, .image])
    #expect(diagnoses.count == Self.scenes.count)
    for scene in diagnoses {
      let wrong = scene.findings.filter { $0.verdict == .contradicted }
      #expect(
        wrong.map(\.test) == ["relative-orientation"] && wrong.first?.supported == stored.rawValue,
        "\(scene.scene)")
    }
    #expect(try differences(from: "real-indoor.h5") == [])
  }

  @Test("an iPhone's poses with the wrong axes are contradicted in every scene, and corrected")
  func axes() throws {
    let path = try copy("iphone-stray.h5") { file in
      for scene in try file.members(of: "scenes") {
        try file.replaceAttribute(
          "convention", of: "scenes/\(scene)/camera/world_from_camera", with: .string("arkit"))
      }
    }
    let scenes = ["room-consecutive", "room-reference"]
    let diagnoses = try correct(path, scenes: scenes, frames: 8, including: [.lidar, .confidence, .camera])
    #expect(diagnoses.map(\.scene) == scenes)
    for scene in diagnoses {
      let wrong = scene.findings.filter { $0.verdict == .contradicted }
      #expect(
        wrong.map(\.test) == ["pose-convention"] && wrong.first?.supported == "opencv", "\(scene.scene)")
    }
    #expect(try differences(from: "iphone-stray.h5") == [])
  }
}
