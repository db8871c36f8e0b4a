internal import DepthCore
internal import DepthDataset
internal import FathomPlainText

/// What the numbers of a truth show of a fault: fill values, filled gaps, steps, copies.
extension MapDoubts {
  /// A number of the truth as it stands in the file.
  /// - Parameter scale: Metres of a count.
  static func stored(_ value: RepeatedValue, _ scale: Double?) -> String {
    let metres = Double(value.metres)
    return scale.map { "\(Int((metres / $0).rounded()))" } ?? RepeatedValue.text(metres)
  }

  /// The same of a truth.
  /// - Parameter maps: Of the probed frames.
  /// - Parameter samples: Of metric networks, which may say the same.
  static func ofTruth(
    _ maps: [MapNumbersOnGrid], scale: Double?, beside samples: [MapSample]
  ) -> [Doubt] {
    var doubts: [Doubt] = []
    if let value = RepeatedValue(in: maps.map(\.map), acceptsClamps: true), !agree(samples, where: value) {
      let stored = stored(value, scale)
      let share = percent(value.share)
      doubts.append(
        value.kind == .fill
          ? Doubt(
            problem:
              "\(share) of the truth is exactly \(stored), \(value.reason)",
            advice: "if so, give \(option: "truth-invalid") \(stored)")
          : Doubt(
            severity: .note,
            problem:
              "\(share) of the truth is exactly \(stored), the \(value.isFar ? "farthest" : "nearest"): what is \(value.isFar ? "farther" : "nearer") may have been set to it",
            advice: "if so, give \(option: "truth-invalid") \(stored)"))
    }
    if doubts.isEmpty, let filling = filling(maps.map(\.map)) {
      doubts.append(
        Doubt(
          problem: "the truth's maps hold \(filling)",
          advice:
            "if it fills what was not measured, write 0 or NaN there, or give the truth before it was filled")
      )
    }
    if let blending = blending(maps.map(\.edges)) {
      doubts.append(
        Doubt(
          problem: "the truth's maps fall towards their gaps\(blending)",
          advice: "give the truth before that, or resize it by the nearest pixel"))
    }
    let levels = maps.compactMap(\.levels).filter { $0.step >= 0.002 }
    if levels.count == maps.count, let most = levels.map(\.count).max(), let step = levels.map(\.step).max() {
      doubts.append(
        Doubt(
          severity: .note,
          problem:
            "the truth holds at most \(most) different numbers in a map, in equal steps of \(number(step)) m",
          advice: "give the depth itself if this is a picture of 8 bits"))
    }
    let equal = Dictionary(grouping: maps.filter { $0.known.count >= MapSample.fewest }, by: \.digest)
    if let most = equal.values.map(\.count).max(), most > 1 {
      doubts.append(
        Doubt(
          severity: .note,
          problem: "the truth of \(most) of \(counted(maps.count, "image")) looked at is the same map",
          advice: "check the files"))
    }
    return doubts
  }
}
