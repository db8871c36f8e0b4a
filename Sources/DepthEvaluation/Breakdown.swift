import DepthCore

/// A division of the truth pixels into bins, each scored by itself.
///
/// A new breakdown is one static constant and one entry in ``all``.
public struct Breakdown: Sendable, Identifiable {
  /// Also the file's name: "ranges".
  public let id: String
  /// For people: "Error by range".
  public let title: String
  /// Columns that name a bin.
  public let keyColumns: [String]
  /// What names bin number `index` in those columns.
  public let key: @Sendable (_ index: Int) -> [String]
  /// The bin of every truth pixel; −1 for none. nil where the frame cannot be divided this way.
  let bins: @Sendable (DepthFrame, TruthPixels) -> [Int32]?

  /// What is reported for every bin.
  public static let metrics: [Metric] = [
    .coverage, .absRel, .medianRel, .mae, .rmse, .bias, .delta1,
  ]

  /// Place of a metric among ``metrics``; nil for one that is not among them.
  public static func position(of metric: Metric) -> Int? { positions[metric] }

  private static let positions = Dictionary(
    uniqueKeysWithValues: metrics.enumerated().map { ($1, $0) })

  /// Those of them that have an interval over scenes.
  public static let intervalMetrics: [Metric] = [.absRel, .mae]

  /// Every breakdown, in the order of the report.
  public static let all: [Breakdown] = [.range, .confidence]

  /// Bins of 0.5 m of true depth.
  public static let range = Breakdown(
    id: "ranges", title: "Error by range", keyColumns: ["from_m", "to_m"],
    key: { ["\(Double($0) * 0.5)", "\(Double($0 + 1) * 0.5)"] },
    // A depth at the upper end of the protocol's range, 10 m, belongs to the bin below it.
    bins: { _, pixels in pixels.reference.map { bin(ofRange: $0) } })

  /// The bin of a true depth; −1 beyond a kilometre, which is no range of a LiDAR.
  private static func bin(ofRange depth: Double) -> Int32 {
    depth <= 1000 ? Int32(saturating: max(0, (depth / 0.5).rounded(.up) - 1)) : -1
  }

  /// Confidence of the LiDAR pixel that holds the truth pixel's centre.
  public static let confidence = Breakdown(
    id: "confidence", title: "Error by LiDAR confidence", keyColumns: ["confidence"], key: { ["\($0)"] },
    bins: { frame, pixels in
      guard let confidence = frame.confidence else { return nil }
      let width = pixels.size.width
      return pixels.indices.map { index in
        let (row, column) = Int(index).quotientAndRemainder(dividingBy: width)
        let level = confidence[
          NearestPixel.index(row, of: pixels.size.height, in: confidence.height),
          NearestPixel.index(column, of: width, in: confidence.width)]
        return level <= 2 ? Int32(level) : -1
      }
    })
}
