public import DepthCore

extension OrientedBox {
  /// The box in a y-up world, as `PosedCamera` has it: a z-up world is turned about x. Its yaw is given there already.
  public func upright(from up: UpAxis) -> OrientedBox {
    guard up == .z else { return self }
    var box = self
    box.center = [center.x, center.z, -center.y]
    return box
  }
}
