import DepthCore
import DepthDataset
import DepthImport
import FathomStorage
import FathomTestSupport
import Foundation
import Testing

/// What is proposed for folders that researchers' own scripts wrote.
@Suite struct ProposalTests {
  private static let (width, height) = (32, 24)

  private static func metres(_ frame: Int) -> [Float] {
    (0..<width * height).map { 1.5 + Float($0) * 0.003 + Float(frame) * 0.01 }
  }
  private static func map(_ values: [Float]) -> [UInt8] { MadeNumpy.array(values, "\(height), \(width)") }
  private static func picture(_ frame: Int) -> [UInt8] {
    MadePNG.rgb(width, height, (0..<width * height * 3).map { UInt8(($0 * 31 + frame * 17) & 255) })
  }
  private static func pose(_ frame: Int) -> String { "1 0 0 \(frame)\n0 1 0 0\n0 0 1 0\n0 0 0 1\n" }
  private static let camera = "30 0 15.5\n0 30 11.5\n0 0 1\n"

  /// As an import without a mapping reads it.
  private func read(_ path: String) throws -> FolderRecording {
    var options = ImportOptions()
    options.takesTheOnlyReading = true
    return try FolderRecording(path, as: .recognised, options)
  }

  @Test("a format that would leave pictures, a camera or poses unread is not what a folder nearly is")
  func nearly() throws {
    let files = try MadeFolder()
    for frame in 1...4 {
      files.add("000\(frame)_depth.npy", Self.map(Self.metres(frame)))
      files.add("000\(frame)_rgb.png", Self.picture(frame))
      files.add("000\(frame)_pose.txt", Self.pose(frame))
    }
    files.add("K.txt", Self.camera)
    let path = try files.asFolder("student")
    let survey = try FolderSurvey.opened(path)
    #expect(survey.nearly.isEmpty && survey.open.isEmpty, "\(survey.nearly) \(survey.open)")
    let scene = try read(path).scenes[0]
    #expect(scene.hasPoses && scene.intrinsics?.fx == 30 && scene.colourSize != nil)
    // Without what DIODE does not have, it may be DIODE.
    let plain = try MadeFolder()
    for frame in 1...4 { plain.add("000\(frame)_depth.npy", Self.map(Self.metres(frame))) }
    #expect(try FolderSurvey.opened(try plain.asFolder("scan")).nearly.contains { $0.contains("DIODE") })
  }

  @Test("a network's confidence in real numbers is named and not taken")
  func realConfidence() throws {
    let files = try MadeFolder()
    for frame in 0..<4 {
      files.add("depth/\(frame).npy", Self.map(Self.metres(frame)))
      files.add("conf/\(frame).npy", Self.map(Self.metres(frame).map { 1 + $0 / 7 }))
      files.add("color/\(frame).png", Self.picture(frame))
      files.add("pose/\(frame).txt", Self.pose(frame))
    }
    files.add("K.txt", Self.camera)
    let recording = try read(try files.asFolder("network"))
    let scene = recording.scenes[0]
    #expect(scene.frameCount == 4 && !scene.hasConfidence && scene.hasPoses)
    let said = scene.importRecord?.entries.first { $0.subject == "confidence" }
    #expect(said?.words.hasPrefix("conf/*.npy: not taken") == true)
  }

  @Test("pictures beside masked copies of them are those that are named by their number alone")
  func masked() throws {
    let files = try MadeFolder()
    for frame in 0..<4 {
      files.add("depth/000\(frame).npy", Self.map(Self.metres(frame)))
      files.add("images/000\(frame).png", Self.picture(frame))
      files.add("images/000\(frame)_masked.png", Self.picture(9))
      files.add("pose/000\(frame).txt", Self.pose(frame))
    }
    files.add("K.txt", Self.camera)
    let recording = try read(try files.asFolder("blended"))
    let scene = recording.scenes[0]
    #expect(scene.imageFrames == nil && scene.colourSize != nil)
    let image = try recording.frame(1, of: scene, including: .all).image
    #expect(image?.values.first?.red == 17)
    #expect(
      scene.importRecord?.entries.contains {
        $0.words == "images/*.png without images/*_masked.png, which are of the same frames"
      } == true)
  }

  /// Maps behind each other in one array.
  private static let stack = MadeNumpy.array((0..<4).flatMap(metres), "4, \(height), \(width)")

  @Test("all maps in one array, and a camera and a pose in each line of others, are read as frames")
  func stack() throws {
    let files = try MadeFolder()
    files.add("depths.npy", Self.stack)
    for frame in 0..<4 { files.add("images/00\(frame).png", Self.picture(frame)) }
    let cameras = (0..<4).flatMap { _ in [30, 0, 15.5, 0, 30, 11.5, 0, 0, 1] as [Float] }
    files.add("intrinsics.npy", MadeNumpy.array(cameras, "4, 3, 3"))
    let poses = (0..<4).flatMap { [1, 0, 0, Float($0), 0, 1, 0, 0, 0, 0, 1, 0] as [Float] }
    files.add("extrinsics.npy", MadeNumpy.array(poses, "4, 3, 4"))
    let path = try files.asFolder("stack")
    let group = try #require(try FolderSurvey.opened(path).groups.first { $0.files == "depths.npy" })
    #expect(group.role == "depth" && group.count == 1 && group.kind.hasPrefix("NPY 4 maps"))
    let recording = try read(path)
    let scene = recording.scenes[0]
    #expect(scene.frameCount == 4 && scene.intrinsics?.fx == 30 && scene.imageFrames == nil)
    let frame = try recording.frame(2, of: scene, including: .all)
    #expect(frame.lidar.values == Self.metres(2) && frame.image?.values.first?.red == 34)
    #expect(frame.worldFromCamera?.translation == [-2, 0, 0])
  }

  @Test("one archive of a network's arrays gets a mapping, and is asked about")
  func results() throws {
    let files = try MadeFolder()
    let arrays = [
      ("depth.npy", Self.stack), ("depth_conf.npy", Self.stack),
      ("intrinsic.npy", MadeNumpy.array([30, 0, 15.5, 0, 30, 11.5, 0, 0, 1] as [Float], "3, 3")),
    ]
    files.add("predictions.npz", MadeArchive.zip(arrays.map { .file($0, $1) }))
    let survey = try FolderSurvey.opened(try files.asFolder("network"))
    #expect(survey.groups.map(\.role) == ["depth"])
    #expect(survey.mapping?.contains(#"files: ["predictions.npz"]"#) == true)
    #expect(survey.open.count == 1 && survey.open[0].contains("or a network's maps"))
  }
}
