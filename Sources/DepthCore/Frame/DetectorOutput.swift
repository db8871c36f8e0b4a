/// Shape of a segmentation network's raw output: 4 box numbers, C class scores and K mask coefficients for each of
/// A anchors, and K mask prototypes.
public struct DetectorHead: Sendable, Hashable, Codable {
  /// C, at least 1.
  public var classCount: Int
  /// K, at least 1.
  public var coefficientCount: Int
  /// A, at least 1.
  public var anchorCount: Int
  /// Resolution of a prototype, and so of a mask.
  public var prototypeSize: RasterSize
  /// Resolution of the network's input, which the boxes are counted in.
  public var inputSize: RasterSize
  /// Names of the classes, by index; empty where the data do not name them.
  public var classNames: [String] = []

  public init(
    classCount: Int, coefficientCount: Int, anchorCount: Int, prototypeSize: RasterSize, inputSize: RasterSize
  ) {
    (self.classCount, self.coefficientCount, self.anchorCount) = (classCount, coefficientCount, anchorCount)
    (self.prototypeSize, self.inputSize) = (prototypeSize, inputSize)
  }

  /// 4 + C + K.
  public var rowCount: Int { 4 + classCount + coefficientCount }
}

/// One frame of a segmentation network's raw output, before any threshold.
public struct DetectorOutput: Sendable {
  /// Its shape.
  public let head: DetectorHead
  /// [4+C+K, A], row-major: cx, cy, w, h in pixels of the network's input, class scores 0…1, mask coefficients.
  public let predictions: [Float]
  /// [K, mh, mw], row-major.
  public let prototypes: [Float]

  /// - Precondition: Both arrays have as many elements as the head says.
  public init(head: DetectorHead, predictions: [Float], prototypes: [Float]) {
    precondition(predictions.count == head.rowCount * head.anchorCount, "predictions are [4+C+K, A]")
    precondition(
      prototypes.count == head.coefficientCount * head.prototypeSize.count, "prototypes are [K, mh, mw]")
    (self.head, self.predictions, self.prototypes) = (head, predictions, prototypes)
  }

  /// A number of one anchor.
  @inlinable
  public func value(row: Int, anchor: Int) -> Float { predictions[row * head.anchorCount + anchor] }
}
