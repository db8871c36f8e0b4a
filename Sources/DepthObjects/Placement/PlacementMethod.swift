public import DepthCore

/// A way to find an effect's place.
public enum PlacementMethod: Sendable, Hashable {
  /// On the object's oriented box.
  case box
  /// The anchor's ray at the object's median depth.
  case depth(PlacementAnchor)
  /// The anchor's ray against the horizontal planes of the frame, as `hitTest(_:types:)` has it with
  /// `.estimatedHorizontalPlane` (seed "Using Vision in Real Time with ARKit").
  case hitTest(PlacementAnchor)

  public static let all: [PlacementMethod] =
    [.box] + PlacementAnchor.allCases.map { .depth($0) } + PlacementAnchor.allCases.map { .hitTest($0) }

  /// Stable name: "hit-test@bottom-centre".
  public var id: String {
    switch self {
    case .box: "box"
    case .depth(let anchor): "depth@\(anchor.rawValue)"
    case .hitTest(let anchor): "hit-test@\(anchor.rawValue)"
    }
  }

  /// Where the method puts an effect; nil where there is no box or the ray meets no plane.
  /// - Parameter object: Its image box, median depth and camera are used.
  /// - Parameter box: Fitted to the object.
  /// - Parameter planes: Of the same frame.
  public func placement(
    of object: ObjectPoints, box: OrientedBox?, planes: [HorizontalPlane],
    options: EffectOptions = EffectOptions()
  ) -> EffectPlacement? {
    switch self {
    case .box: return box.map { EffectPlacement(on: $0, options: options) }
    case .depth(let anchor):
      let (u, v) = anchor.point(in: object.imageBox, seenBy: object.camera)
      return EffectPlacement(position: object.camera.point(u: u, v: v, depth: object.medianDepth))
    case .hitTest(let anchor):
      return Self.hit(of: object, through: anchor, planes: planes)
        .map { EffectPlacement(position: $0.position) }
    }
  }

  /// Where the anchor's ray meets a plane.
  public static func hit(
    of object: ObjectPoints, through anchor: PlacementAnchor, planes: [HorizontalPlane]
  ) -> PlaneHit? {
    let (u, v) = anchor.point(in: object.imageBox, seenBy: object.camera)
    return PlaneHit.first(u: u, v: v, camera: object.camera, planes: planes)
  }
}
