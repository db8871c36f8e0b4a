public import DepthCore

/// The point of a detection's image box that an effect is placed through.
public enum PlacementAnchor: String, Sendable, Hashable, Codable, CaseIterable {
  /// The middle of the box: where a user taps.
  case centre
  /// The middle of the edge that is lowest in the world: where an object that stands upright meets what it stands on.
  case bottomCentre = "bottom-centre"

  /// The point in a box whose rows count from the top.
  ///
  /// The lowest edge is a side of the box where the phone is held upright: its camera's image is landscape.
  /// - Parameter camera: In a y-up world.
  public func point(in box: PixelRectangle, seenBy camera: PosedCamera) -> (u: Double, v: Double) {
    let middle = (u: Double(box.minX + box.maxX) / 2, v: Double(box.minY + box.maxY) / 2)
    guard self == .bottomCentre else { return middle }
    let pose = camera.worldFromCamera
    let (right, down) = (-pose.xAxis.y, camera.convention == .opencv ? -pose.yAxis.y : pose.yAxis.y)
    if abs(right) > abs(down) { return (Double(right > 0 ? box.maxX : box.minX), middle.v) }
    return (middle.u, Double(down >= 0 ? box.maxY : box.minY))
  }
}
