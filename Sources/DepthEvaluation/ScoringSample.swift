public import DepthCore
public import DepthFusion
import FathomStatistics

/// Truth pixels of a frame at which many lines are scored: some of them, or all.
///
/// A line's map is computed where those pixels read it and nowhere else; each value is that of an evaluation of
/// the same pixels to the rounding of sums, `Float` rounding of the map included. Metrics that look at whole images (boundaries, neighbouring
/// frames, confidence) have no value here.
public struct ScoringSample: Sendable {
  /// Truth pixels that are scored.
  public let count: Int
  /// What the raw LiDAR is worth at the same pixels, one value per `MetricColumn.all`.
  public let lidar: [Double?]
  private let reference: [Double], measuredCount: Int
  private let relative: DepthMap  // The relative values that the pixels read, in one row.
  /// Per pixel: positions in `relative` of its four neighbours, and the weights of the right and the lower ones.
  private let taps: [Taps]
  private struct Taps { var positions: SIMD4<Int32>, right: Double, lower: Double }

  /// Why rules cannot be used for a search; nil where they can.
  public static func objection(to rules: EvaluationProtocol) -> String? {
    if rules.alignment.fit != .none { return "fits predictions to the truth first" }
    if rules.clip != .none { return "clips predictions first" }
    switch rules.resampling {
    case .predictionAtTruth: break
    case .disparityAtTruth: return "reads disparities between pixels"
    case .truthAtPrediction: return "scores at the relative map's pixels"
    }
    if rules.aggregation != .scene { return "does not count scenes alike" }
    return nil
  }

  /// - Parameter limit: Most pixels; nil for all. Drawn one from each of as many equal stretches of the rows.
  /// - Returns: nil where the frame has no relative map or no truth pixel counts.
  public init?(
    _ frame: DepthFrame, rules: EvaluationProtocol, limit: Int?, using generator: inout SplitMix64
  ) {
    guard let truth = frame.truth, let map = frame.relative else { return nil }
    let pixels = TruthPixels(frame, truth: truth, protocol: rules)
    guard !pixels.indices.isEmpty else { return nil }
    var chosen = Array(pixels.indices.indices)
    if let limit, limit < chosen.count {
      chosen = Stretches(count: chosen.count, parts: limit).draw(using: &generator)
    }
    count = chosen.count
    reference = chosen.map { pixels.reference[$0] }
    measuredCount = chosen.count { $0 < pixels.measuredCount }
    let places = chosen.map { Int(pixels.indices[$0]) }
    (relative, taps) = Self.gather(map, at: places, of: truth.size)
    let raw = RawLiDAR(.bilinear).fuse(frame, in: FusionContext(), using: &generator).prediction
    let upsampled = raw.map { TruthPixels.values(of: $0, at: truth.size) }
    lidar = Self.values(places.map { upsampled?[$0] ?? .nan }, reference, measuredCount)
  }

  private static func gather(_ map: DepthMap, at places: [Int], of size: RasterSize) -> (DepthMap, [Taps]) {
    let columns = AxisTable(source: size.width, target: map.width, mapping: .centres)
    let rows = AxisTable(source: size.height, target: map.height, mapping: .centres)
    var position = [Int32](repeating: -1, count: map.values.count)
    var values: [Float] = []
    func place(_ row: Int32, _ column: Int32) -> Int32 {
      let index = Int(row) * map.width + Int(column)
      if position[index] < 0 {
        position[index] = Int32(values.count)
        values.append(map.values[index])
      }
      return position[index]
    }
    let taps = places.map { index in
      let (row, column) = index.quotientAndRemainder(dividingBy: size.width)
      let (top, bottom) = (rows.lower[row], rows.upper[row])
      let (left, right) = (columns.lower[column], columns.upper[column])
      return Taps(
        positions: [place(top, left), place(top, right), place(bottom, left), place(bottom, right)],
        right: columns.weight[column], lower: rows.weight[row])
    }
    return (DepthMap(width: values.count, height: 1, values: values), taps)
  }

  /// What a line is worth: one value per `MetricColumn.all`, nil where there is none.
  /// - Parameter columns: Ids of the columns that are wanted; nil for all.
  public func values(
    of line: Line, in form: Space, options: FusionOptions, columns: Set<String>? = nil
  ) -> [Double?] {
    let map = FittedFusion.apply(line, in: form, to: relative, options).values
    let samples = map.withUnsafeBufferPointer { map in
      taps.map { taps -> Double in
        let p = taps.positions
        let upper = Double(map[Int(p[0])]) * (1 - taps.right) + Double(map[Int(p[1])]) * taps.right
        let lower = Double(map[Int(p[2])]) * (1 - taps.right) + Double(map[Int(p[3])]) * taps.right
        return upper * (1 - taps.lower) + lower * taps.lower
      }
    }
    return Self.values(samples, reference, measuredCount, columns)
  }

  private static func values(
    _ samples: [Double], _ reference: [Double], _ measuredCount: Int, _ columns: Set<String>? = nil
  ) -> [Double?] {
    let wanted = MetricColumn.all.filter { columns?.contains($0.id) != false }
    func summary(_ support: Support, _ part: Range<Int>) -> ErrorSummary? {
      let metrics = wanted.filter { $0.support == support }.map(\.metric)
      guard !metrics.isEmpty else { return nil }
      return ErrorSummary(predicted: samples[part], reference: reference[part], for: metrics)
    }
    let summaries = [
      Support.all: summary(.all, 0..<samples.count), .measured: summary(.measured, 0..<measuredCount),
      .filled: summary(.filled, measuredCount..<samples.count),
    ]
    return MetricColumn.all.map { column in
      guard columns?.contains(column.id) != false else { return nil }
      return summaries[column.support]?.flatMap { column.metric.value($0) }
    }
  }
}
