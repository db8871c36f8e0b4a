import DepthImport
import Foundation
import FathomTestSupport

/// A small recording of Stray Scanner, to be spoilt.
final class MadeRecording {
  private let folder: TemporaryFolder
  static let width = 8, height = 6

  init(frames: Int = 4, withTimes: Bool = true) throws {
    folder = try TemporaryFolder()
    try write("1600, 0, 960\n0, 1600, 720\n0, 0, 1\n", to: "camera_matrix.csv")
    var rows = [withTimes ? "timestamp, frame, x, y, z, qx, qy, qz, qw" : "x, y, z, qx, qy, qz, qw"]
    for frame in 0..<frames {
      try write(depth(frame), to: Self.depthName(frame))
      try write(confidence(frame), to: Self.confidenceName(frame))
      let pose = "\(Double(frame) / 10), 1.5, -2, 0, 0, 0, 1"
      rows.append(withTimes ? "\(100 + Double(frame) / 60), \(frame), \(pose)" : pose)
    }
    try write(rows.joined(separator: "\n") + "\n", to: "odometry.csv")
  }

  var path: String { folder.path("scan") }

  static func depthName(_ frame: Int) -> String { "depth/" + name(frame) }
  static func confidenceName(_ frame: Int) -> String { "confidence/" + name(frame) }
  private static func name(_ frame: Int) -> String { String(format: "%06d.png", frame) }

  /// Millimetres of a frame.
  static func millimetres(_ frame: Int) -> [UInt16] {
    (0..<width * height).map { UInt16(1000 + 10 * $0 + frame) }
  }

  func depth(_ frame: Int) -> [UInt8] { MadePNG.grey16(Self.width, Self.height, Self.millimetres(frame)) }
  func confidence(_ frame: Int) -> [UInt8] {
    MadePNG.grey8(Self.width, Self.height, (0..<Self.width * Self.height).map { UInt8(($0 + frame) % 3) })
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    let url = URL(fileURLWithPath: path + "/" + name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path + "/" + name) }

  /// Replaces a line of the odometry; line 0 names the columns.
  func replaceOdometry(line: Int, with text: String) throws {
    let old = try String(contentsOfFile: path + "/odometry.csv", encoding: .utf8)
    var lines = old.split(separator: "\n").map(String.init)
    lines[line] = text
    try write(lines.joined(separator: "\n") + "\n", to: "odometry.csv")
  }

  func open(_ options: ImportOptions = ImportOptions()) throws -> FolderRecording {
    try FolderRecording(path, as: .recognised, options)
  }
}
