import DepthCore
import Foundation
import FathomTestSupport

@testable import DepthObjects

/// Pairs of boxes and their overlaps by scipy, written by Tests/CrossCheck/check_boxes.py.
struct BoxPair: Sendable {
  let kind: Int
  let a: PosedBox, b: PosedBox
  let iou: Double, generalizedIoU: Double

  static let kinds = [
    "upright", "turned", "nested", "touching", "coplanar", "disjoint", "tiny and huge", "thin",
    "nearly equal",
  ]

  static let all: [BoxPair] = {
    let url = PackageFiles.root.appendingPathComponent("Tests/CrossCheck/golden/boxes.csv")
    guard let text = try? String(contentsOf: url, encoding: .utf8) else {
      preconditionFailure("the golden overlaps cannot be read: \(url.path)")
    }
    return text.split(separator: "\n").dropFirst().map { line in
      BoxPair(line.split(separator: ",").map { Double($0) ?? .nan })
    }
  }()

  /// Lengths are in units of 0.1 mm, the offset of B's centre along A's axes, quaternions not normalised.
  private init(_ row: [Double]) {
    func vector(_ i: Int) -> SIMD3<Double> { SIMD3(row[i], row[i + 1], row[i + 2]) * 1e-4 }
    kind = Int(row[0])
    var (first, second) = (RigidTransform(quaternion: row[13..<17]), RigidTransform(quaternion: row[17..<21]))
    first.translation = vector(10)
    second.translation = first(vector(7))
    a = PosedBox(pose: first, size: vector(1))
    b = PosedBox(pose: second, size: vector(4))
    (iou, generalizedIoU) = (row[21], row[22])
  }
}

extension RigidTransform {
  /// From (w, x, y, z), of any length.
  init(quaternion: some Collection<Double>) {
    let length = quaternion.reduce(0) { $0 + $1 * $1 }.squareRoot()
    let q = quaternion.map { $0 / length }
    let (w, x, y, z) = (q[0], q[1], q[2], q[3])
    self.init(
      xAxis: [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
      yAxis: [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
      zAxis: [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)], translation: .zero)
  }
}
