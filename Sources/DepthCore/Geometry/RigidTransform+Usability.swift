extension RigidTransform {
  /// Whether it can be where something is: finite, with axes of about unit length. Recorders write NaN or zeros where
  /// tracking was lost.
  public var isUsable: Bool {
    let lengths = [xAxis, yAxis, zAxis].map { ($0 * $0).sum().squareRoot() }
    return translation.x.isFinite && translation.y.isFinite && translation.z.isFinite
      && lengths.allSatisfy { abs($0 - 1) <= 0.1 }
  }
}
