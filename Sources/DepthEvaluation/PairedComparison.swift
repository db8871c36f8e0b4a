/// One method held against another on the frames that both have, in one column.
public struct PairedComparison: Sendable {
  /// What stands in where the method refused a frame.
  public enum Form: Sendable {
    /// Nothing: only frames that both solved.
    case solvedFrames
    /// The raw LiDAR: what an app shows when its fusion fails. Both sides fall back.
    case fallback
  }

  public let method: String
  public let reference: String
  /// Column id.
  public let column: String
  public let form: Form
  /// Mean over scenes of the method's scene means.
  public let value: Double
  /// The same of the reference, on the same frames.
  public let referenceValue: Double
  public let scenes: Int
  public let frames: Int

  /// method − reference; negative is a gain where lower is better.
  public var difference: Double { value - referenceValue }
  /// Share by which the method's error is lower; negative where it is higher.
  public var relativeGain: Double? { referenceValue > 0 ? -difference / referenceValue : nil }

  /// - Parameter fallback: Method that stands in, `lidar-bilinear`.
  /// - Returns: nil where no frame has both.
  public init?(
    _ method: String, against reference: String, column: String, form: Form, fallback: String,
    in records: [FrameRecord]
  ) {
    guard let index = MetricColumn.index(of: column) else { return nil }
    var own: [FrameKey: Double] = [:]
    var other = own
    var standIn = own
    var keys: [FrameKey] = []
    for record in records {
      let key = FrameKey(scene: record.scene, frame: record.frameIndex)
      let value = record.values.isEmpty ? nil : record.values[index]
      if record.method == fallback, let value { standIn[key] = value }
      if record.method == reference { if let value { other[key] = value } }
      if record.method == method {
        keys.append(key)
        if let value { own[key] = value }
      }
    }
    if form == .fallback {
      own.merge(standIn) { own, _ in own }
      other.merge(standIn) { other, _ in other }
    }
    var perScene: [String: [(Double, Double)]] = [:]
    var order: [String] = []
    var frames = 0
    for key in keys {
      guard let a = own[key], let b = other[key] else { continue }
      if perScene[key.scene] == nil { order.append(key.scene) }
      perScene[key.scene, default: []].append((a, b))
      frames += 1
    }
    let means = order.compactMap { perScene[$0] }.map { pairs in
      (mean(pairs.map(\.0)) ?? 0, mean(pairs.map(\.1)) ?? 0)
    }
    guard let value = mean(means.map(\.0)), let referenceValue = mean(means.map(\.1)) else { return nil }
    (self.method, self.reference, self.column, self.form) = (method, reference, column, form)
    (self.value, self.referenceValue) = (value, referenceValue)
    (scenes, self.frames) = (means.count, frames)
  }
}

private struct FrameKey: Hashable {
  var scene: String
  var frame: Int
}
