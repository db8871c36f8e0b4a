internal import DepthCore
internal import DepthDataset
internal import FathomPlainText
internal import FathomStorage

extension MapSetChecks {
  /// What a few evenly chosen maps of standard deviations say.
  /// - Returns: What a user should know.
  /// - Throws: `FathomError` `.badData` where no number is above 0, or a map cannot be read.
  func lookAtDeviations() throws(FathomError) -> [SchemaIssue] {
    var notes: [SchemaIssue] = []
    for (index, part) in parts.enumerated() where part.role == .deviation {
      guard let maps = deviations.first(where: { $0.name == part.series.setup.request.name }),
        let network = parts.firstIndex(where: {
          $0.role == .prediction && $0.series.setup.request.name == maps.name
        })
      else { continue }
      notes += try look(at: maps, index, network)
    }
    return notes
  }

  private func look(
    at maps: DeviationMaps, _ index: Int, _ network: Int
  ) throws(FathomError) -> [SchemaIssue] {
    let meaning = parts[network].series.description.meaning
    let isMetric = meaning?.predictionKind == .metric
    var (stored, usable, sizes, errors) = ([Double](), [Double](), [Double](), [Double]())
    let held = rows.indices.filter { parts[index].layers[$0] != nil }
    for place in 0..<min(held.count, 8) {
      let row = held[place * held.count / min(held.count, 8)]
      let layers = try parts.layers(of: row, [index, network, 0])
      guard case .map(let own)? = layers[0], case .map(let prediction)? = layers[1],
        case .map(let truth)? = layers[2]
      else { continue }
      let deviation = maps.usable(own, of: prediction, meaning)
      for pixel in stride(from: 0, to: own.values.count, by: max(1, own.values.count / 4096)) {
        if own.values[pixel].isFinite { stored.append(Double(own.values[pixel])) }
        guard deviation.values[pixel].isFinite, prediction.values[pixel].isFinite else { continue }
        usable.append(Double(deviation.values[pixel]))
        sizes.append(Double(abs(prediction.values[pixel])))
        let (row, column) = (pixel / own.width, pixel % own.width)
        let g = truth[
          (2 * row + 1) * truth.height / (2 * own.height), (2 * column + 1) * truth.width / (2 * own.width)]
        if isMetric, g > 0 { errors.append(Double(abs(prediction.values[pixel] - g))) }
      }
    }
    let setup = parts[index].series.setup
    guard let median = OrderStatistics.median(of: usable), let size = OrderStatistics.median(of: sizes) else {
      throw setup.failure(nil, "the σ of '\(maps.name)' hold no number above 0", "check what wrote them")
    }
    var notes: [SchemaIssue] = []
    func note(_ problem: String, _ advice: Wording) {
      notes.append(
        SchemaIssue(
          severity: .warning, object: maps.path, problem: "the σ of '\(maps.name)' \(problem)", advice: advice
        ))
    }
    let negative = stored.count { $0 < 0 }
    if negative > 0 {
      note(
        "are negative in \(100 * negative / stored.count) % of the pixels, which are skipped",
        "if they are logarithms of variances v, write exp(v/2)")
    }
    if stored.count > 1, let first = stored.first, stored.allSatisfy({ $0 == first }) {
      note("are constant: \(Self.number(first))", "check what wrote them")
    }
    let error = OrderStatistics.median(of: errors) ?? 0
    let isMillimetres: Wording = "millimetres are \(option: "prediction-deviation") \(maps.name):millimetres="
    if median > size {
      note(
        "are beyond the maps: median \(Self.number(median)), and \(Self.number(size)) of the maps\(isMetric ? ", so probably millimetres" : "")",
        isMetric ? isMillimetres : "give σ in the unit of the maps")
    } else if error > 0, median > 200 * error {
      note("are \(Self.number(median / error)) times the errors, so probably millimetres", isMillimetres)
    } else if error > 200 * median {
      note(
        "are \(Self.number(error / median)) times smaller than the errors, so probably in another unit",
        "give σ in the unit of the maps")
    }
    return notes
  }
}
