public import DepthFusion

/// The point of a detection's image box that an effect is placed through.
public enum PlacementAnchor: String, Sendable, Hashable, Codable, CaseIterable {
  /// The middle of the box: where a user taps.
  case centre
  /// The middle of its lower edge: where an object that stands upright meets what it stands on.
  case bottomCentre = "bottom-centre"

  /// The point in a box whose rows count from the top.
  public func point(in box: PixelRectangle) -> (u: Double, v: Double) {
    let u = (Double(box.minX) + Double(box.maxX)) / 2
    switch self {
    case .centre: return (u, (Double(box.minY) + Double(box.maxY)) / 2)
    case .bottomCentre: return (u, Double(box.maxY))
    }
  }
}

/// A way to find an effect's place.
public enum PlacementMethod: Sendable, Hashable {
  /// On the object's oriented box.
  case box
  /// The anchor's ray at the object's median depth.
  case depth(PlacementAnchor)
  /// The anchor's ray against the horizontal planes of the frame, as `hitTest(_:types:)` has it with
  /// `.estimatedHorizontalPlane` (seed "Using Vision in Real Time with ARKit").
  case hitTest(PlacementAnchor)

  /// Every method.
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
  ///
  /// - Parameters:
  ///   - object: Its image box, median depth and camera are used.
  ///   - box: Fitted to the object.
  ///   - planes: Of the same frame.
  public func placement(
    of object: ObjectPoints, box: OrientedBox?, planes: [HorizontalPlane]
  ) -> EffectPlacement? {
    switch self {
    case .box: return box.map { EffectPlacement(on: $0) }
    case .depth(let anchor):
      let (u, v) = anchor.point(in: object.imageBox)
      return EffectPlacement(position: object.camera.point(u: u, v: v, depth: object.medianDepth))
    case .hitTest(let anchor):
      let (u, v) = anchor.point(in: object.imageBox)
      return HitTest.first(u: u, v: v, camera: object.camera, planes: planes).map {
        EffectPlacement(position: $0.position)
      }
    }
  }
}
