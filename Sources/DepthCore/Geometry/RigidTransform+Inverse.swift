extension RigidTransform {
  /// Undoes the transform: `p ↦ Rᵀ(p − t)`.
  /// - Precondition: The axes are orthonormal.
  public var inverse: RigidTransform {
    let rows = RigidTransform(
      xAxis: [xAxis.x, yAxis.x, zAxis.x], yAxis: [xAxis.y, yAxis.y, zAxis.y],
      zAxis: [xAxis.z, yAxis.z, zAxis.z], translation: .zero)
    var inverse = rows
    inverse.translation = -rows.direction(translation)
    return inverse
  }
}
