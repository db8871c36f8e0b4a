import DepthFusion

/// A way to put a box around an object's points.
///
/// A new method is one file with a `static let` and one entry in ``all``; commands, tables and reports take it
/// from here.
public struct BoxMethod: Sendable, Identifiable {
  /// Stable name: "pca-xz".
  public let id: String
  /// For people: "principal axes of the footprint".
  public let title: String
  /// Paper or specification that defines it.
  public let source: String
  /// The points that it wants.
  public let selection: PointSelection
  /// Fewest points that it works with.
  public let minimumPoints: Int
  private let fit: @Sendable (ObjectPoints, inout SplitMix64) throws(BoxError) -> BoxFit

  init(
    id: String, title: String, source: String, selection: PointSelection,
    minimumPoints: Int = BoxMethod.specifiedMinimum,
    fit: @escaping @Sendable (ObjectPoints, inout SplitMix64) throws(BoxError) -> BoxFit
  ) {
    (self.id, self.title, self.source) = (id, title, source)
    (self.selection, self.minimumPoints, self.fit) = (selection, minimumPoints, fit)
  }

  /// The specification's least number of points for a box from points.
  static let specifiedMinimum = 10
  /// The specification's least size of a box along each axis, metres.
  static let sizeFloor = 0.02

  /// Fits a box to points chosen by ``selection``.
  ///
  /// - Parameters:
  ///   - object: Points and view, metres.
  ///   - seed: Of the bootstrap and of random starts; each method has its own stream.
  /// - Throws: `BoxError` `.tooFewPoints` below ``minimumPoints``; `.notFinite`; `.numerical`.
  public func box(of object: ObjectPoints, seed: UInt64 = 0) throws(BoxError) -> BoxFit {
    guard object.points.count >= minimumPoints else {
      throw .tooFewPoints(found: object.points.count, needed: minimumPoints)
    }
    let isFinite = object.points.allSatisfy { $0.x.isFinite && $0.y.isFinite && $0.z.isFinite }
    guard isFinite, object.depths.allSatisfy(\.isFinite), object.medianDepth.isFinite else {
      throw .notFinite
    }
    var generator = SplitMix64(seed: seed, stream: "box", id)
    return try fit(object, &generator)
  }

  /// Every method, in the order of tables.
  public static let all: [BoxMethod] = [
    .pcaXZ, .sixPoint, .pcaXZEroded, .minAreaRectangle, .closeness, .pca3D, .robustPCA, .auto,
  ]
}
