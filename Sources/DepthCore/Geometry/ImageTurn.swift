/// A turn of a camera's pictures by right angles, with everything that belongs to them: maps, intrinsics and poses go together or not at all.
public enum ImageTurn: String, Sendable, Hashable, Codable, CaseIterable {
  case clockwise, counterclockwise = "counter-clockwise", half
}

extension RasterSize {
  /// The size after the turn.
  public func turned(_ turn: ImageTurn) -> RasterSize {
    turn == .half ? self : RasterSize(width: height, height: width)
  }
}

extension Raster {
  /// The same pixels after the turn.
  public func turned(_ turn: ImageTurn) -> Raster {
    let size = size.turned(turn)
    var turned: [Element] = []
    turned.reserveCapacity(values.count)
    for row in 0..<size.height {
      for column in 0..<size.width {
        switch turn {
        case .clockwise: turned.append(self[height - 1 - column, row])
        case .counterclockwise: turned.append(self[column, width - 1 - row])
        case .half: turned.append(self[height - 1 - row, width - 1 - column])
        }
      }
    }
    return Raster(width: size.width, height: size.height, values: turned)
  }
}

extension CameraIntrinsics {
  /// The camera of the turned picture.
  public func turned(_ turn: ImageTurn) -> CameraIntrinsics {
    let (width, height) = (Double(imageSize.width), Double(imageSize.height))
    let size = imageSize.turned(turn)
    return switch turn {
    case .clockwise: CameraIntrinsics(fx: fy, fy: fx, cx: height - cy, cy: cx, imageSize: size)
    case .counterclockwise: CameraIntrinsics(fx: fy, fy: fx, cx: cy, cy: width - cx, imageSize: size)
    case .half: CameraIntrinsics(fx: fx, fy: fy, cx: width - cx, cy: height - cy, imageSize: size)
    }
  }
}

extension RigidTransform {
  /// World from camera for the camera of the turned picture: the same place and direction, other axes across it.
  /// - Parameter axes: Which way the camera's y points; undeclared axes are taken as ARKit's.
  public func turned(_ turn: ImageTurn, axes: CameraConvention) -> RigidTransform {
    let up = axes == .opencv ? -yAxis : yAxis
    let (right, top) =
      switch turn {
      case .clockwise: (up, -xAxis)
      case .counterclockwise: (-up, xAxis)
      case .half: (-xAxis, -up)
      }
    return RigidTransform(
      xAxis: right, yAxis: axes == .opencv ? -top : top, zAxis: zAxis, translation: translation)
  }
}
