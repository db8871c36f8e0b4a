import DepthCore
import DepthDiagnosis
import DepthFusion
import FathomHDF5

/// A way to break a file, and what a diagnosis must say of it.
struct DiagnosedFault: Sendable, CustomStringConvertible {
  var description: String
  /// Tests that contradict, and nothing else does.
  var tests: Set<String>
  /// Relative difference of the corrected file's numbers from the unbroken one's.
  var tolerance = 0.0
  /// Where they are the same depths, but other numbers in another unit or kind.
  var storedOtherwise: [String] = []
  /// Groups that are excluded, because they would only take time.
  var without: [String] = []
  var make: @Sendable (borrowing HDF5File) throws -> Void

  private typealias Room = DiagnosedRoom
  private static let (k, poses) = ("camera/intrinsics", "camera/world_from_camera")

  /// What the data of one frame tell.
  static let ofMaps: [DiagnosedFault] =
    [
      DiagnosedFault(
        description: "kind of the relative map, unit of the LiDAR's attribute, scale of the confidence",
        tests: ["relative-kind", "depth-unit", "confidence-scale"]
      ) {
        try $0.declare("relative/values", "kind", "depth")
        try $0.declare("lidar/depth", "units", "mm")
        try $0.change("lidar/confidence") { $0.map { [0, 127, 255][Int($0)] } }
      },
      DiagnosedFault(
        description: "unit of the truth's numbers, order of the confidence, unit and kind of predictions",
        tests: ["truth-unit", "confidence-order", "prediction-unit:metric", "prediction-kind:relative"],
        tolerance: 1e-6, storedOtherwise: ["truth/depth", "truth/depth@units"]
      ) {
        try $0.change("truth/depth") { $0.map { $0 * 1000 } }
        try $0.change("lidar/confidence") { $0.map { 2 - $0 } }
        try $0.change("predictions/metric/depth") { $0.map { $0 * 100 } }
        try $0.declare("predictions/relative/depth", "kind", "depth")
      },
    ]
    + Symmetry.allCases.filter { $0 != .upright }.map { stored in
      DiagnosedFault(
        description: "relative map \(stored.name)" + (stored == .mirroredVertically ? ", truth turned" : ""),
        tests: stored == .mirroredVertically
          ? ["relative-orientation", "truth-orientation"] : ["relative-orientation"],
        without: stored == .mirroredVertically ? ["predictions"] : ["truth", "predictions"]
      ) {
        try $0.turn("relative/values", Room.relativeSize, stored)
        if stored == .mirroredVertically { try $0.turn("truth/depth", Room.size, .rotated180) }
      }
    }

  /// What needs poses and intrinsics: several at a time, because carrying frames into each other takes seconds.
  static let ofCamera: [DiagnosedFault] = [
    DiagnosedFault(
      description: "matrices transposed, kind of the LiDAR's attribute, both origins, frames out of order",
      tests: ["intrinsics-layout", "pose-layout", "depth-kind", "object-flips", "time-order"]
    ) {
      try $0.change(k) { transposed($0, 3) }
      try $0.change(poses) { transposed($0, 4) }
      try $0.declare("lidar/depth", "kind", "distance")
      try $0.declare("objects/bbox", "origin", "top-left")
      try $0.declare("objects/mask", "origin", "top-left")
      try shuffle($0)
    },
    DiagnosedFault(
      description: "axes and unit of the poses, kind of the truth, origin of boxes",
      tests: ["pose-convention", "pose-unit", "truth-kind", "object-flips"], tolerance: 1e-9,
      without: ["relative", "predictions"]
    ) {
      try $0.declare(poses, "convention", "opencv")
      try $0.change(poses) { $0.indices.map { [3, 7, 11].contains($0 % 16) ? 1000 : 1 }.multiplied(by: $0) }
      try $0.declare("truth/depth", "kind", "distance")
      try $0.declare("objects/bbox", "origin", "top-left")
    },
    DiagnosedFault(
      description: "inverse poses, K of half the image, origin of masks",
      tests: ["pose-convention", "intrinsics-size", "object-flips"], tolerance: 1e-9,
      without: ["relative", "predictions", "truth"]
    ) {
      try $0.change(poses) { inverted($0) }
      try $0.change(k) { $0.multiplied(by: [0.5, 1, 0.5, 1, 0.5, 0.5, 1, 1, 1]) }
      try $0.declare("objects/mask", "origin", "top-left")
    },
  ]

  private static func transposed(_ matrices: [Double], _ side: Int) -> [Double] {
    matrices.indices.map { index in
      let (matrix, place) = index.quotientAndRemainder(dividingBy: side * side)
      return matrices[matrix * side * side + place % side * side + place / side]
    }
  }

  /// Of rotation and translation.
  private static func inverted(_ matrices: [Double]) -> [Double] {
    stride(from: 0, to: matrices.count, by: 16).flatMap { start -> [Double] in
      let m = Array(matrices[start..<start + 16])
      return (0..<3).flatMap { row -> [Double] in
        let shift = m[row] * m[3] + m[4 + row] * m[7] + m[8 + row] * m[11]
        return [m[row], m[4 + row], m[8 + row], -shift]
      } + [0, 0, 0, 1]
    }
  }

  /// Every stack in another order, and the detections' frames to match.
  private static func shuffle(_ file: borrowing HDF5File) throws {
    let order = [2, 0, 1]
    let stacks = [
      "lidar/depth", "lidar/confidence", "relative/values", "truth/depth", poses, "image/rgb", "time",
      "predictions/metric/depth", "predictions/relative/depth",
    ]
    for stack in stacks {
      try file.change(stack) { values in
        let count = values.count / order.count
        return order.flatMap { values[$0 * count..<($0 + 1) * count] }
      }
    }
    let names = DiagnosedRoom.scene + "/frame_id"
    let old = try file.dataset(names).readStrings()
    try file.remove(names)
    try file.writeStrings(order.map { old[$0] }, to: names)
    try file.change("objects/frame") { $0.map { frame in Double(order.firstIndex(of: Int(frame)) ?? 0) } }
  }
}

extension [Double] {
  /// Number by number.
  fileprivate func multiplied(by factors: [Double]) -> [Double] { zip(self, factors).map { $0 * $1 } }
}
