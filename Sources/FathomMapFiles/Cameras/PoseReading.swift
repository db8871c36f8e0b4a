private import Foundation
package import DepthCore
package import FathomStorage

/// Why a pose is none: the frame stays, without it.
package struct PoseFault: Error, Hashable {
  package let reason: String
  /// What kind of error it is: the file's, unless the machine failed.
  package let kind: FathomError.Kind

  package init(reason: String, kind: FathomError.Kind = .badData) {
    (self.reason, self.kind) = (reason, kind)
  }

  static let notFinite = PoseFault(reason: "its pose is not finite")
  static let zero = PoseFault(reason: "its pose is all zero")
  static let notRigid = PoseFault(reason: "its pose is not a rotation and a translation")
  static let tooFar = PoseFault(reason: "its pose lies more than 1,000 km from the origin")
}

extension RigidTransform {
  /// How far lengths and products of axes may be from those of a rotation: recordings write six digits, not noise.
  private static let mostSkew = 1e-3
  private static let mostTranslation = 1e6

  /// From a 3×4 or 4×4 matrix, row by row.
  package static func recorded(matrix m: [Double]) throws(PoseFault) -> RigidTransform {
    guard m.allSatisfy(\.isFinite) else { throw .notFinite }
    guard m.contains(where: { $0 != 0 }) else { throw .zero }
    // ARKit's own matrices, in single precision, end with 0.9999999.
    guard
      m.count == 12 || m.count == 16 && zip(m[12...15], [0, 0, 0, 1]).allSatisfy({ abs($0 - $1) <= 1e-5 })
    else { throw .notRigid }
    let pose = RigidTransform(rowMajor: m.count == 16 ? m : m + [0, 0, 0, 1])
    let (x, y, z) = (pose.xAxis, pose.yAxis, pose.zAxis)
    let products = [(x * y).sum(), (y * z).sum(), (z * x).sum()]
    let lengths = [x, y, z].map { ($0 * $0).sum() - 1 }
    // Of axes that are nearly orthonormal it is about ±1.
    let determinant =
      x.x * (y.y * z.z - y.z * z.y) - y.x * (x.y * z.z - x.z * z.y)
      + z.x * (x.y * y.z - x.z * y.y)
    guard (products + lengths).allSatisfy({ abs($0) <= mostSkew }), determinant > 0 else { throw .notRigid }
    return try pose.near()
  }

  /// What stands under several names, one after the other: of 9 and 3 numbers, which are a rotation and a translation, the rows of
  /// a matrix. nil where one is missing.
  package static func numbers(_ parts: [[Double]?]) -> [Double]? {
    let found = parts.compactMap(\.self)
    guard found.count == parts.count else { return nil }
    guard found.map(\.count) == [9, 3] else { return found.flatMap(\.self) }
    let (rotation, translation) = (found[0], found[1])
    var rows: [Double] = []
    for row in 0..<3 { rows += rotation[3 * row..<3 * row + 3] + [translation[row]] }
    return rows
  }

  /// The 16 numbers of a matrix that stands column by column, row by row.
  package static func turned(_ m: [Double]) -> [Double] { m.indices.map { m[$0 % 4 * 4 + $0 / 4] } }

  /// From a quaternion, which is made a unit one.
  static func recorded(
    quaternion q: SIMD4<Double>, translation: SIMD3<Double>
  ) throws(PoseFault) -> RigidTransform {
    let squares = (q * q).sum()
    guard squares.isFinite, translation.sum().isFinite else { throw .notFinite }
    guard squares > 0 else { throw translation == .zero ? .zero : .notRigid }
    guard abs(squares - 1) <= 0.02 else { throw .notRigid }
    return try RigidTransform(quaternion: q / squares.squareRoot(), translation: translation).near()
  }

  /// From a rotation about an axis, whose length is the angle in radians.
  static func recorded(
    rotation r: SIMD3<Double>, translation: SIMD3<Double>
  ) throws(PoseFault) -> RigidTransform {
    let angle = (r * r).sum().squareRoot()
    guard angle.isFinite else { throw .notFinite }
    let axis = angle > 0 ? r / angle : [1, 0, 0], s = sin(angle / 2)
    return try recorded(
      quaternion: SIMD4(axis.x * s, axis.y * s, axis.z * s, cos(angle / 2)), translation: translation)
  }

  /// The same in a world that is turned by 180° about its x axis.
  package var turnedOver: RigidTransform {
    let half: SIMD3<Double> = [1, -1, -1]
    return RigidTransform(
      xAxis: xAxis * half, yAxis: yAxis * half, zAxis: zAxis * half, translation: translation * half)
  }

  /// Of a camera whose axes are turned against those of this one.
  package func turned(by tilt: RigidTransform) -> RigidTransform {
    RigidTransform(
      xAxis: direction(tilt.xAxis), yAxis: direction(tilt.yAxis), zAxis: direction(tilt.zAxis),
      translation: translation)
  }

  private func near() throws(PoseFault) -> RigidTransform {
    guard [translation.x, translation.y, translation.z].allSatisfy({ abs($0) <= Self.mostTranslation })
    else { throw .tooFar }
    return self
  }
}
