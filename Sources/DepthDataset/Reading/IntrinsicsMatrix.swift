internal import DepthCore
import FathomPlainText

/// The reading of a stored K.
enum IntrinsicsMatrix {
  /// Why a matrix is not a pinhole camera.
  struct Fault: Error, Equatable {
    var problem: String, advice: Wording
    /// Whether the transpose is what it should be.
    var isTransposed = false
  }

  /// The transposed matrix, row-major.
  static func transposed(_ k: [Double]) -> [Double] { (0..<9).map { k[$0 % 3 * 3 + $0 / 3] } }

  /// The camera of a row-major 3 × 3 matrix.
  /// - Precondition: `k.count == 9`.
  static func interpret(_ k: [Double], imageSize: RasterSize) -> Result<CameraIntrinsics, Fault> {
    precondition(k.count == 9, "K has nine elements")
    guard k.allSatisfy(\.isFinite)
    else { return .failure(Fault(problem: "K has an element that is not finite", advice: "store a valid K")) }
    if k[2] == 0 && k[5] == 0 && (k[6] != 0 || k[7] != 0) {
      return .failure(
        Fault(
          problem: "K is transposed: cx and cy stand at K[2,0] and K[2,1]",
          advice: "store it row-major, K[0,2] = cx and K[1,2] = cy: numpy writes K.T", isTransposed: true))
    }
    guard k[0] > 0, k[4] > 0 else {
      return .failure(
        Fault(
          problem: "the focal lengths K[0,0] = \(k[0]) and K[1,1] = \(k[4]) are not positive",
          advice: "store fx and fy in pixels of image_size"))
    }
    if let wrong = k.first(where: { SchemaLimits.isAbsurd($0) })
      ?? [k[0], k[4]].first(where: { $0 < SchemaLimits.focalLength })
    {
      return .failure(
        Fault(
          problem: "K holds \(wrong)",
          advice:
            "store pixels of image_size, at most \(Int(SchemaLimits.coordinate)), and focal lengths of at least \(SchemaLimits.focalLength)"
        ))
    }
    guard k[6] == 0, k[7] == 0, k[8] == 1 else {
      return .failure(
        Fault(problem: "the last row of K is \(Array(k[6...8]))", advice: "store [0, 0, 1] there"))
    }
    return .success(CameraIntrinsics(fx: k[0], fy: k[4], cx: k[2], cy: k[5], imageSize: imageSize))
  }
}
