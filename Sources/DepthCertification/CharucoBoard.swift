/// A printed chessboard with ArUco markers in its white squares (Garrido-Jurado et al. 2014), as OpenCV defines it.
public struct CharucoBoard: Sendable, Hashable, Codable {
  /// Squares, at least 3 in each direction.
  public var columns: Int, rows: Int
  /// Sides, metres.
  public var square: Double, marker: Double
  /// Bits of a marker in one direction, 4 to 7.
  public var dictionary: Int
  /// Whether the first square is as in OpenCV before 4.6, where the number of rows is even.
  public var isLegacy: Bool
  /// Relative standard uncertainty of the side of a square.
  public var printDeviation = 0.001

  public init(columns: Int, rows: Int, square: Double, marker: Double, dictionary: Int, isLegacy: Bool) {
    (self.columns, self.rows, self.square, self.marker) = (columns, rows, square, marker)
    (self.dictionary, self.isLegacy) = (dictionary, isLegacy)
  }

  /// The corner where four squares meet, by its number in rows, metres from the outer corner of the first square; nil where there is none.
  func corner(_ id: Int) -> SIMD2<Double>? {
    guard id >= 0, id < (columns - 1) * (rows - 1) else { return nil }
    return square * SIMD2(Double(id % (columns - 1) + 1), Double(id / (columns - 1) + 1))
  }

  /// The board's corners in the picture of a frame.
  public struct View: Sendable, Hashable, Codable {
    public struct Corner: Sendable, Hashable, Codable {
      public let id: Int
      /// Pixels of the picture, from the centre of its first pixel, as OpenCV counts.
      public let x: Double, y: Double

      public init(id: Int, x: Double, y: Double) { (self.id, self.x, self.y) = (id, x, y) }
    }

    public let scene: String
    /// From 0.
    public let frame: Int
    public let corners: [Corner]

    public init(scene: String, frame: Int, corners: [Corner]) {
      (self.scene, self.frame, self.corners) = (scene, frame, corners)
    }
  }
}
