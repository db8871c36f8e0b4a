internal import DepthCore
internal import DepthDataset
internal import DepthImport
internal import FathomPlainText
internal import FathomStorage

extension MapSetChecks {
  /// What a few evenly chosen maps of standard deviations and confidences say.
  /// - Returns: What a user should know.
  /// - Throws: `FathomError` `.badData` where no number is usable, confidences are the depths, or a map cannot be read.
  func lookAtDeviations() throws(FathomError) -> [SchemaIssue] {
    var notes: [SchemaIssue] = []
    for (index, part) in parts.enumerated() where [.deviation, .truthDeviation].contains(part.role) {
      if part.role == .truthDeviation {
        var scale = Float(1)
        if case .truth(let known?) = parts[0].series.setup.content,
          part.series.description.firstOfWholeNumbers != nil
        {
          scale = Float(known)
        }
        notes += try look(
          at: index, beside: 0, "the truth", "give metres, or counts of the truth's scale"
        ) { own, _ in
          DepthMap(
            width: own.width, height: own.height, values: own.values.map { $0 > 0 ? $0 * scale : .nan })
        }
        continue
      }
      guard let maps = deviations.first(where: { $0.name == part.series.setup.request.name }),
        let network = parts.firstIndex(where: {
          $0.role == .prediction && $0.series.setup.request.name == maps.name
        })
      else { continue }
      let isOfConfidence = maps.certainty == .confidence
      try requireOwn(
        at: index, beside: network, "the \(isOfConfidence ? "confidences" : "σ") of '\(maps.name)'")
      if isOfConfidence { continue }
      let meaning = parts[network].series.description.meaning
      notes += try look(
        at: index, beside: network, "'\(maps.name)'", "give σ in the unit of the maps", maps
      ) { maps.usable($0, of: $1, meaning) }
    }
    return notes
  }

  /// - Throws: `FathomError` `.badData` where σ or confidences hold no number, or are the depths themselves.
  private func requireOwn(
    at index: Int, beside network: Int, _ what: String
  ) throws(FathomError) {
    let samples = try samples(of: index, beside: network), setup = parts[index].series.setup
    if samples.allSatisfy({ $0.own.values.allSatisfy(\.isNaN) }) {
      throw setup.failure(nil, "\(what) hold no number", "check what wrote them")
    }
    if samples.allSatisfy({ $0.own.values == $0.map.values }) {
      throw setup.failure(
        nil, "\(what) are its depths", "give the folder of what the network states of them")
    }
  }

  /// Up to 8 evenly chosen frames: a map of deviations or confidences, the map that it belongs to, and the truth.
  private func samples(
    of index: Int, beside network: Int
  ) throws(FathomError) -> [(own: DepthMap, map: DepthMap, truth: DepthMap)] {
    let held = rows.indices.filter { parts[index].layers[$0] != nil }
    var found: [(DepthMap, DepthMap, DepthMap)] = []
    for place in 0..<min(held.count, 8) {
      let row = held[place * held.count / min(held.count, 8)]
      let layers = try parts.layers(of: row, [index, network, 0])
      guard case .map(let own)? = layers[0], case .map(let prediction)? = layers[1],
        case .map(let truth)? = layers[2]
      else { continue }
      found.append((own, prediction, truth))
    }
    return found
  }

  /// - Parameter network: The prediction whose deviations these are, or the truth.
  /// - Parameter whose: What messages call it.
  /// - Parameter advice: What to do where the unit is wrong.
  /// - Parameter maps: What was asked for; nil for the truth.
  /// - Parameter use: The numbers as they are used, of what is stored and the map that they belong to.
  private func look(
    at index: Int, beside network: Int, _ whose: String, _ advice: Wording,
    _ maps: DeviationMaps? = nil, _ use: (DepthMap, DepthMap) -> DepthMap
  ) throws(FathomError) -> [SchemaIssue] {
    let isMetric = network == 0 || parts[network].series.description.meaning?.predictionKind == .metric
    var (stored, usable, sizes, errors) = ([Double](), [Double](), [Double](), [Double]())
    var pixels: [DeviationReading.Pixel] = []
    for (own, prediction, truth) in try samples(of: index, beside: network) {
      let deviation = use(own, prediction)
      for pixel in stride(from: 0, to: own.values.count, by: max(1, own.values.count / 4096)) {
        guard own.values[pixel].isFinite else { continue }
        stored.append(Double(own.values[pixel]))
        guard prediction.values[pixel].isFinite else { continue }
        let (size, sigma) = (Double(abs(prediction.values[pixel])), Double(deviation.values[pixel]))
        let g = truth.nearest(pixel / own.width, pixel % own.width, of: own.size)
        let error = isMetric && network > 0 && g > 0 ? Double(abs(prediction.values[pixel] - g)) : nil
        if let error, error > 0 {
          pixels.append(.init(number: stored[stored.count - 1], deviation: sigma, size: size, error: error))
        }
        guard sigma.isFinite else { continue }
        usable.append(sigma)
        sizes.append(size)
        if let error { errors.append(error) }
      }
    }
    let setup = parts[index].series.setup
    let reading = maps.flatMap { DeviationReading.fitting(pixels, $0) }
    guard let median = OrderStatistics.median(of: usable), let size = OrderStatistics.median(of: sizes) else {
      throw setup.failure(
        nil,
        "the σ of \(whose) hold no number above 0"
          + (reading.map { "; as \($0.words), they would fit the errors" } ?? ""),
        reading?.advice ?? "check what wrote them")
    }
    var notes: [SchemaIssue] = []
    func note(_ problem: String, _ advice: Wording, _ severity: SchemaIssue.Severity = .warning) {
      notes.append(
        SchemaIssue(
          severity: severity, object: setup.request.path, problem: "the σ of \(whose) \(problem)",
          advice: advice
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
    if DeviationReading.areErrors(pixels) {
      note(
        "are a multiple of the errors themselves", "give what the network states, not what the truth shows")
    }
    let cause =
      reading.map { "; as \($0.words), they would fit the errors" }
      ?? ", so probably in another unit or a confidence"
    let isBeyond = median > size
    if isBeyond || error > 0 && median > 200 * error {
      note(
        isBeyond
          ? "are beyond the maps: median \(Self.number(median)), and \(Self.number(size)) of the maps\(isMetric ? cause : "")"
          : "are \(Self.number(median / error)) times the errors\(cause)", reading?.advice ?? advice)
    } else if error > 200 * median {
      note(
        "are \(Self.number(error / median)) times smaller than the errors\(cause)", reading?.advice ?? advice)
    } else if let reading {
      // Networks are often too sure by as much: what they mean is not known.
      note("do not fit the errors; as \(reading.words), they would", reading.advice, .note)
    }
    return notes
  }
}
