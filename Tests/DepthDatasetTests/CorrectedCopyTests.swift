import DepthCore
import DepthDataset
import FathomHDF5
import FathomStorage
import FathomTestSupport
import Foundation
import Testing

@Suite("A corrected copy")
struct CorrectedCopyTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func write(_ name: String, relative: RasterSize) throws -> String {
    let path = folder.path(name)
    try SchemaFile.write(path, depth: false) { file in
      try file.add("lidar/depth", [1, 18, 24], (0..<18 * 24).map { 1 + Float($0) })
      try file.add(
        "relative/values", [1, relative.height, relative.width], (0..<relative.count).map { Float($0) },
        attributes: [("kind", .string("disparity"))])
    }
    return path
  }

  private func turn(_ path: String, to target: String) throws {
    let editor = try DatasetEditor(copying: path, to: target)
    try editor.replaceMaps("relative/values", in: "room", Symmetry.transposed.upright)
    try editor.commit()
  }

  @Test("is not kept if a correction breaks the schema, and is if one fixes it")
  func validity() throws {
    let right = try write("right.h5", relative: RasterSize(width: 24, height: 18))
    let error = #expect(throws: FathomError.self) { try turn(right, to: folder.path("broken.h5")) }
    #expect(
      error?.kind == .badData && error?.object == "scenes/room/relative/values",
      "\(String(describing: error))")
    #expect(folder.names == ["right.h5"])
    let wrong = try write("wrong.h5", relative: RasterSize(width: 18, height: 24))
    try turn(wrong, to: folder.path("mended.h5"))
    #expect(
      try DatasetReader(readingFrom: folder.path("mended.h5")).issues.allSatisfy { $0.severity != .error })
  }
}
