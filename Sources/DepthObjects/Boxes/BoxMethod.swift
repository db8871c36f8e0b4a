import DepthCore

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
  public let selectionKind: PointSelection.Kind
  /// Whether its box hangs on the seed; the interval of the yaw does with every method.
  public let isRandom: Bool
  /// Fewest points where the options do not say it.
  private let ownMinimum: Int?
  private let fit: @Sendable (ObjectPoints, BoxOptions, inout SplitMix64) throws(BoxError) -> BoxFit

  init(
    id: String, title: String, source: String, selection: PointSelection.Kind, ownMinimum: Int? = nil,
    isRandom: Bool = false,
    fit: @escaping @Sendable (ObjectPoints, BoxOptions, inout SplitMix64) throws(BoxError) -> BoxFit
  ) {
    (self.id, self.title, self.source) = (id, title, source)
    (selectionKind, self.ownMinimum, self.fit) = (selection, ownMinimum, fit)
    self.isRandom = isRandom
  }

  /// The points that it wants, by the specification's constants.
  public var selection: PointSelection { selection(under: BoxOptions()) }

  public func selection(under options: BoxOptions) -> PointSelection {
    PointSelection(selectionKind, options)
  }

  /// Fewest points that it works with.
  public func minimumPoints(under options: BoxOptions) -> Int { ownMinimum ?? options.minimumPoints }

  /// Fits a box to points chosen by ``selection(under:)``.
  /// - Parameter object: Points and view, metres.
  /// - Parameter seed: Of the bootstrap and of random starts; each method has its own stream.
  /// - Throws: `BoxError` `.tooFewPoints` below ``minimumPoints(under:)``; `.notFinite`; `.numerical`.
  public func box(
    of object: ObjectPoints, seed: UInt64 = 0, options: BoxOptions = BoxOptions()
  ) throws(BoxError) -> BoxFit {
    let needed = minimumPoints(under: options)
    guard object.points.count >= needed
    else { throw .tooFewPoints(found: object.points.count, needed: needed) }
    let isFinite = object.points.allSatisfy { $0.x.isFinite && $0.y.isFinite && $0.z.isFinite }
    guard isFinite, object.depths.allSatisfy(\.isFinite), object.medianDepth.isFinite
    else { throw .notFinite }
    var generator = SplitMix64(seed: seed, stream: "box", id)
    return try fit(object, options, &generator)
  }

  /// Every method, in the order of tables.
  public static let all: [BoxMethod] = [
    .pcaXZ, .sixPoint, .pcaXZEroded, .minAreaRectangle, .closeness, .pca3D, .robustPCA, .auto,
  ]
}
