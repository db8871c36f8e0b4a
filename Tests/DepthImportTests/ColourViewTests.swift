import DepthCore
import DepthDataset
import FathomStorage
import FathomTestSupport
import Foundation
import Testing

@testable import DepthImport

/// Pictures of a colour camera beside the depth camera, on the depth's pixels.
@Suite struct ColourViewTests {
  /// Written by `Tests/CrossCheck/make_rig_golden.py`, in numpy and OpenCV.
  private struct Golden: Decodable {
    let millimetres: [UInt16], depthCamera: [Double], colourCamera: [Double], colourFromDepth: [Double]
    /// Index of the picture's pixel for each depth pixel; -1 where the colour camera does not see it.
    let pixels: [Int]
  }

  private let golden: Golden
  private let files: MadeFolder

  init() throws {
    let path = PackageFiles.root.appendingPathComponent("Tests/CrossCheck/golden/rig.json")
    golden = try JSONDecoder().decode(Golden.self, from: Data(contentsOf: path))
    files = try MadeFolder()
    files.add("depth/1.png", MadePNG.grey16(24, 18, golden.millimetres))
    var pixels: [UInt8] = []
    for index in 0..<48 * 36 { pixels += [UInt8(index % 48 + 100), UInt8(index / 48 + 100), 9] }
    files.add("color/1.png", MadePNG.rgb(48, 36, pixels))
  }

  private func read(_ camera: String, _ more: String = "") throws -> (FolderRecording, DepthFrame) {
    let mapping = """
      match: {by: number}
      depth: {files: ["depth/*"], unit: mm}
      colour: {files: ["color/*"], camera: {\(camera)}}
      intrinsics: {values: \(golden.depthCamera), counted-from: centre, image-size: depth}
      \(more)
      """
    let recording = try FolderRecording(
      files.asFolder("rig"), as: .mapping(try MappingFile.mapping(mapping, named: "own.yaml")))
    return (recording, try recording.frame(0, of: recording.scenes[0], including: .all))
  }

  private func expect(_ image: Raster<RGB>?) throws {
    let image = try #require(image)
    #expect(image.size == RasterSize(width: 24, height: 18))
    let expected = golden.pixels.map { (pixel: Int) -> RGB in
      guard pixel >= 0 else { return RGB(red: 0, green: 0, blue: 0) }
      return RGB(red: UInt8(pixel % 48 + 100), green: UInt8(pixel / 48 + 100), blue: 9)
    }
    #expect(image.values == expected)
  }

  @Test(
    "each depth pixel has the colour that the other camera sees there, and none where it does not, as in numpy"
  )
  func givenNumbers() throws {
    let (recording, frame) = try read(
      "intrinsics: \(golden.colourCamera), counted-from: centre, from-depth: \(golden.colourFromDepth), unit: m"
    )
    try expect(frame.image)
    let scene = recording.scenes[0]
    #expect(scene.colourSize == scene.lidarSize && scene.intrinsics?.imageSize == scene.lidarSize)
    let words = scene.importRecord?.entries.filter { $0.step == .converted && $0.subject == "pictures" }
    #expect(
      words?.first?.words.contains("from a colour camera 70.1 mm beside the depth camera, 48×36") == true)
  }

  @Test("the recording names K and the way back, as a rotation and a translation in millimetres")
  func namedNumbers() throws {
    let back = RigidTransform(rowMajor: golden.colourFromDepth).inverse.rowMajor
    let rotation: [Double] = [0, 1, 2, 4, 5, 6, 8, 9, 10].map { back[$0] }
    let move: [Double] = [3, 7, 11].map { 1000 * back[$0] }
    files.add("rig.json", #"{"rgb": {"k": \#(golden.colourCamera)}, "R": \#(rotation), "T": \#(move)}"#)
    let (_, frame) = try read(
      "intrinsics: rgb.k, counted-from: centre, to-depth: [R, T], unit: mm", "recording-file: [rig.json]")
    try expect(frame.image)
    let error = try #require(throws: FathomError.self) {
      _ = try read(
        "intrinsics: rgb.k, counted-from: centre, to-depth: [R, t], unit: mm", "recording-file: [rig.json]")
    }
    #expect(error.reason == "nothing says 't', which 'colour.camera' names")
  }

  @Test("a turned recording has the same colours at the same depth")
  func turned() throws {
    let (_, frame) = try read(
      "intrinsics: \(golden.colourCamera), counted-from: centre, from-depth: \(golden.colourFromDepth), unit: m",
      "turn: half")
    let image = try #require(frame.image)
    try expect(Raster(width: image.width, height: image.height, values: image.values.reversed()))
  }
}
