import DepthCore
import FathomHDF5
import FathomTestSupport
import Foundation

/// Data that users have by mistake: damaged, incomplete or misdeclared.
enum BrokenInputs {
  /// What ``write(to:)`` makes, and how a command answers.
  static let mistakes = [
    Mistake("evaluate HERE/cut.h5", 65, "it is truncated"),
    Mistake("evaluate HERE/empty.h5", 65, "copy or download it again"),
    Mistake("evaluate HERE/pointer.h5", 65, "'git lfs pull'"),
    Mistake("evaluate HERE/archive.h5", 65, "unpack it yourself"),
    Mistake("evaluate HERE/other.h5", 65, "it is not a Fathom data set"),
    Mistake("evaluate HERE/no-scene.h5", 65, "put every scene into scenes/<name>"),
    Mistake("evaluate HERE/version.h5", 65, "use a newer Fathom"),
    Mistake("evaluate HERE/kind.h5", 65, "write one of 'disparity', 'depth', 'unknown'"),
    Mistake("evaluate HERE/units.h5", 65, "write one of 'm', 'cm', 'mm'"),
    Mistake("evaluate HERE/confidence.h5", 65, "store 0 low, 1 medium, 2 high"),
    Mistake("evaluate HERE/focal.h5", 65, "store fx and fy in pixels"),
    Mistake("evaluate HERE/turned.h5", 65, "turn truth/depth by 90°"),
    Mistake("evaluate HERE/nothing", 65, "the folder is empty"),
    Mistake("evaluate HERE/scan", 65, "odometry.csv is missing"),
    Mistake("evaluate --prediction net:metric=HERE/words --truth HERE/truth", 65, "it is text"),
    Mistake(
      "evaluate --prediction net:metric=HERE/wide --truth HERE/truth", 65, "save the maps as the truth stands"
    ),
    Mistake(
      "evaluate --prediction net:metric=HERE/nothing --truth HERE/truth", 65,
      "it is empty; give a folder of .npy"),
    Mistake("evaluate --prediction net:metric=HERE/truth --truth HERE/nosuch", 66, "check the path"),
    Mistake("evaluate --prediction net:metric=HERE/truth", 64, "--truth DIR"),
    Mistake(
      "evaluate --prediction net:feet=HERE/truth --truth HERE/truth", 64, "kinds are metric, millimetres"),
  ]

  static func write(to folder: String) throws {
    func put(_ data: Data, _ name: String) throws {
      let url = URL(fileURLWithPath: folder + "/" + name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: url)
    }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: sample))
    try put(bytes.prefix(bytes.count / 2), "cut.h5")
    try put(Data(), "empty.h5")
    try put(Data("version https://git-lfs.github.com/spec/v1\nsize 123\n".utf8), "pointer.h5")
    try put(Data([0x50, 0x4B, 3, 4] + [UInt8](repeating: 0, count: 100)), "archive.h5")
    try FileManager.default.createDirectory(atPath: folder + "/nothing", withIntermediateDirectories: true)
    let other = try HDF5File(creating: folder + "/other.h5")
    try other.createDataset("depth", shape: [3], of: Float.self).write([1, 2, 3] as [Float])
    try other.close()
    for (name, change) in changes {
      try put(bytes, name + ".h5")
      let file = try HDF5File(updating: folder + "/\(name).h5")
      try change(file)
      try file.close()
    }
    // A recording of a phone whose poses were not copied.
    let (depth, levels) = ([UInt16](repeating: 2000, count: 12), [UInt8](repeating: 2, count: 12))
    try put(Data(MadePNG.grey16(4, 3, depth)), "scan/depth/000000.png")
    try put(Data(MadePNG.grey8(4, 3, levels)), "scan/confidence/000000.png")
    try put(Data("100,0,2\n0,100,1.5\n0,0,1\n".utf8), "scan/camera_matrix.csv")
    for index in 0..<2 {
      try put(map(width: 8, height: 6), "truth/\(index).pfm")
      try put(map(width: 6, height: 8), "wide/\(index).pfm")
      try put(Data("hello".utf8), "words/\(index).npy")
    }
  }

  private static let changes: [(String, @Sendable (borrowing HDF5File) throws -> Void)] = [
    ("no-scene", { for scene in ["room-01", "room-02"] { try $0.remove("scenes/" + scene) } }),
    ("version", { try $0.replaceAttribute("version", of: "/", with: .integer(99)) }),
    ("kind", { try $0.declare("relative/values", "kind", "disparty") }),
    ("units", { try $0.declare("truth/depth", "units", "feet") }),
    ("confidence", { try $0.change("lidar/confidence") { $0.map { _ in 7 } } }),
    ("focal", { try $0.change("camera/intrinsics") { $0.map { _ in 0 } } }),
    ("turned", { try $0.turn("truth/depth", RasterSize(width: 320, height: 240), .rotated90) }),
  ]

  /// A PFM map of 2 m.
  private static func map(width: Int, height: Int) -> Data {
    let values = [Float](repeating: 2, count: width * height)
    return Data("Pf\n\(width) \(height)\n-1.0\n".utf8) + values.withUnsafeBytes { Data($0) }
  }
}
