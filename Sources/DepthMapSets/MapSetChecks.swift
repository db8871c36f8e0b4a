internal import DepthCore
internal import DepthDataset
internal import DepthImport
internal import FathomMapFiles
internal import FathomPlainText
internal import FathomStorage
private import Foundation

/// What cannot be meant, found before anything is scored.
struct MapSetChecks {
  let parts: [MapSetSource.Part], rows: [MapSetPlan.Row]
  /// Of maps with another aspect than the truth's.
  let resize: PredictionResize?
  let deviations: [DeviationMaps]

  /// - Throws: `FathomError` `.badData` where a map does not show what its truth shows.
  func requireSizes() throws(FathomError) {
    for part in parts.dropFirst() {
      for row in rows.indices {
        guard let truth = parts[0].size(row), let size = part.size(row) else { continue }
        switch part.role {
        case .prediction: try requireView(size, truth, part, row)
        case .truthMask, .ignoreMask, .ids:
          guard size != truth else { continue }
          throw failure(
            part, row, "it has \(size) pixels, and its truth \(truth)", "give masks of the truth's size")
        case .deviation:
          guard let own = network(of: part)?.size(row), size != own else { continue }
          throw failure(
            part, row, "it has \(size) pixels, and its prediction \(own)",
            "give one number for each pixel of the prediction")
        case .truthDeviation:
          guard size != truth else { continue }
          throw failure(
            part, row, "it has \(size) pixels, and its truth \(truth)",
            "give one σ for each pixel of the truth")
        case .truth, .image: break
        }
      }
    }
  }

  /// The prediction that standard deviations belong to.
  func network(of deviation: MapSetSource.Part) -> MapSetSource.Part? {
    parts.first {
      $0.role == .prediction && $0.series.setup.request.name == deviation.series.setup.request.name
    }
  }

  private func requireView(
    _ size: RasterSize, _ truth: RasterSize, _ part: MapSetSource.Part, _ row: Int
  ) throws(FathomError) {
    // Networks round to multiples of 14 pixels.
    let slack = Double(max(1, min(14, min(size.width, size.height) / 8)))
    if size.hasAspect(of: truth, slack: slack) { return }
    if RasterSize(width: size.height, height: size.width).hasAspect(of: truth, slack: slack) {
      throw failure(
        part, row, "it has \(size) pixels, and its truth \(truth): it is turned",
        "save the maps as the truth stands")
    }
    if resize == .stretch { return }
    throw failure(
      part, row, "it has \(size) pixels, another aspect than its truth with \(truth)",
      "give maps of the whole picture, not cut or padded; if it was squashed to that size, give \(option: "prediction-resize") stretch"
    )
  }

  /// - Throws: `FathomError` `.badData` where the truth holds counts without a scale.
  func requireScale() throws(FathomError) {
    guard case .truth(nil) = parts[0].series.setup.content else { return }
    for number in parts.indices where [.truth, .truthDeviation].contains(parts[number].role) {
      try requireScale(number)
    }
  }

  private func requireScale(_ number: Int) throws(FathomError) {
    let part = parts[number]
    guard let index = part.series.description.firstOfWholeNumbers,
      let row = part.layers.firstIndex(where: { $0 == index }),
      case .map(let map)? = try parts.layers(of: row, [number])[0]
    else { return }
    throw failure(
      part, row, "it holds whole numbers up to \(Self.number(Double(map.values.max() ?? 0)))",
      "\(option: "truth-scale") says the metres of one count: 0.001 for millimetres, 0.00390625 for KITTI")
  }

  /// What the probed maps of networks say.
  /// - Parameter isSequence: Whether images that count one each might be one video.
  /// - Throws: `FathomError` `.badData` where a network's maps hold nothing.
  func look(at probe: MapSetProbe, isSequence: Bool) throws(FathomError) -> [SchemaIssue] {
    var notes: [SchemaIssue] = []
    let truth = OrderStatistics.median(of: probe.truth.compactMap(\.median))
    let metric = probe.maps.filter { parts[$0.key].series.description.meaning?.predictionKind == .metric }
    notes += MapDoubts.ofTruth(
      probe.truth.map(\.numbers), scale: truthScale,
      beside: metric.sorted { $0.key < $1.key }.flatMap(\.value).compactMap(\.sample)
    ).map { doubt in
      SchemaIssue(
        severity: doubt.severity, object: parts[0].series.setup.request.path, problem: doubt.problem,
        advice: doubt.advice)
    }
    let truthWords = words(parts[0])
    let ids = rows.map { $0.scene == $0.id ? $0.id : "\($0.scene)/\($0.id)" }
    for (index, maps) in probe.maps.sorted(by: { $0.key < $1.key }) {
      let setup = parts[index].series.setup
      let (path, name) = (setup.request.path, setup.request.name ?? "")
      let meaning = parts[index].series.description.meaning
      let isMetric = meaning?.predictionKind == .metric
      func note(_ problem: String, _ advice: Wording, _ severity: SchemaIssue.Severity = .warning) {
        notes.append(
          SchemaIssue(
            severity: severity, object: path, problem: "the maps of '\(name)' \(problem)", advice: advice))
      }
      let (low, high) = (maps.map(\.low).min() ?? .infinity, maps.map(\.high).max() ?? -.infinity)
      guard low <= high, !isMetric || high > 0 else {
        throw setup.failure(
          nil, "the maps of '\(name)' hold no number" + (isMetric && low <= high ? " above 0" : ""),
          "check what wrote them")
      }
      if maps.allSatisfy({ $0.low >= $0.high }) {
        let reason = "are constant: \(Self.number(low))" + (low == high ? " everywhere" : " in one of them")
        guard isMetric
        else { throw setup.failure(nil, "the maps of '\(name)' \(reason)", "check what wrote them") }
        note(reason, "check what wrote them")
      }
      let isDisparity = meaning == .disparity
      if GroupRole.kind(namedIn: truthWords)?.0 == .prediction,
        GroupRole.kind(namedIn: words(parts[index]))?.0 == .truth
      {
        note(
          "are named as a truth, and the truth is named as predictions",
          "if they are swapped, give each folder with the other option")
      }
      let rival = MapPlacement.rival(of: maps.map(\.correlations), isFalling: isDisparity)
      let upright = OrderStatistics.median(of: maps.compactMap { $0.correlations[.turned(.upright)] }) ?? 0
      let isReversed = abs(upright) > 0.5 && (upright < 0) != isDisparity
      let isPlaced = rival == nil && !isReversed
      if isReversed, isOfDisparity {
        note(
          "\(isDisparity ? "rise" : "fall") where the truth rises, and the truth is named as disparity",
          Self.conversion(of: "it"))
      } else if isOfDisparity, isMetric, upright > 0.5 {
        note(
          "follow the truth, which is named as disparity: of two disparities, errors are not lengths",
          Self.conversion(of: "both"))
      } else if let rival {
        let (problem, advice) = Self.words(rival, of: name)
        note(problem, advice)
      } else if isReversed {
        note(
          "\(isDisparity ? "rise" : "fall") where the truth rises: they look like \(isDisparity ? "depth" : "disparity")",
          isDisparity
            ? "if they are, give \(option: "prediction") \(name):depth="
            : "if they are, give \(option: "prediction") \(name):disparity=; if the truth is, \(option: "truth-formula") makes it depth"
        )
      }
      if isPlaced, let moved = StepPlacement.rival(of: maps.compactMap(\.steps)) {
        note(Self.words(moved), "save the maps with the truth's crop, padding and resolution")
      }
      let doubts = MapDoubts(
        name: name, meaning: meaning ?? .metric, maps: maps, truthMedian: truth, truthScale: truthScale,
        ids: ids, copied: try CopiedMaps(of: index, in: parts))
      for doubt in doubts.all(isPlaced: isPlaced) { note(doubt.problem, doubt.advice, doubt.severity) }
    }
    let (before, after) = (probe.neighbours.map(\.0), probe.neighbours.map(\.1))
    if isSequence, before.count >= 6, RankCorrelation.spearman(before, after) ?? 0 > 0.8 {
      notes.append(
        SchemaIssue(
          severity: .note, object: parts[0].series.setup.request.path, problem: "adjacent images look alike",
          advice:
            "if they are one video, give \(option: "scene-by") folder: otherwise intervals are too narrow"))
    }
    return notes
  }

  static func words(_ rival: MapPlacement.Rival, of name: String) -> (problem: String, advice: Wording) {
    func hundredths(_ number: Double) -> String { "\((100 * number).rounded() / 100)" }
    let numbers =
      "in \(rival.better) of \(rival.count) images (rank correlation \(hundredths(rival.correlation)), as they stand "
      + "\(hundredths(rival.own)))"
    switch rival.reading {
    case .turned(let orientation):
      return (
        "look \(orientation.name): read so, they fit the truth better \(numbers)",
        "save the maps as the truth stands"
      )
    case .later(let shift):
      let count = abs(shift) == 1 ? "one image" : "\(abs(shift)) images"
      return (
        "fit the truth \(count) \(shift > 0 ? "later" : "earlier") better than their own \(numbers)",
        "see where the numbers of both sides begin; \(option: "shift") \(name)=\(shift) pairs them so"
      )
    }
  }

  static func words(_ moved: StepPlacement.Rival) -> String {
    func hundredths(_ number: Double) -> String { "\((100 * number).rounded() / 100)" }
    func sideways(_ shift: Double, _ before: String, _ after: String) -> String? {
      let pixels = Int((abs(shift) * Double(moved.pitch)).rounded())
      return pixels == 0 ? nil : "\(counted(pixels, "pixel")) further \(shift < 0 ? before : after)"
    }
    func larger(_ scale: Double, _ word: String) -> String? {
      abs(scale - 1) < 0.01 ? nil : "\(hundredths(scale)) times as \(word)"
    }
    let ways = [
      larger(moved.x.scale, "wide"), larger(moved.y.scale, "high"),
      sideways(moved.x.shift, "left", "right"), sideways(moved.y.shift, "up", "down"),
    ].compactMap { $0 }
    return
      "lie otherwise than the truth: \(ways.joined(separator: ", ")), in \(moved.better) of \(moved.count) images (read so, "
      + "they change at its depth steps by \(hundredths(moved.met)) of their strongest change, as they stand by \(hundredths(moved.own)))"
  }

  /// Those of the name of a folder or file.
  private func words(_ part: MapSetSource.Part) -> [String] {
    GroupRole.nameWords(String(part.series.setup.request.path.split(separator: "/").last ?? ""))
  }

  /// Whether the truth is named as disparity, by its folders or its files, and is not converted.
  private var isOfDisparity: Bool {
    let setup = parts[0].series.setup
    let (path, file) = (setup.request.path, parts[0].series.path(of: 0))
    // A whole path has folders that others chose.
    let names =
      (path.hasPrefix("/") ? words(parts[0]) : GroupRole.nameWords(path))
      + GroupRole.nameWords(PathText.name(of: file, below: path) ?? "")
    return setup.request.formula == nil && setup.format == nil && !GroupRole.disparity.isDisjoint(with: names)
  }
  private static func conversion(of what: String) -> Wording {
    "convert \(what) to depth in metres: of the truth, \(option: "truth-formula") 'F * B / v' does it, with the numbers of the focal length F in pixels and of the baseline B in metres"
  }

  /// Compares the truth with what counts.
  /// - Throws: `FathomError` `.badData` where nothing counts.
  func look(at probe: MapSetProbe, within range: ClosedRange<Double>) throws(FathomError) -> [SchemaIssue] {
    let sky = [sky(probe.truth.map(\.numbers.map), within: range)].compactMap(\.self)
    let depths = probe.truth.flatMap(\.depths)
    let beyond = depths.count { $0 > range.upperBound }
    let inside = depths.count { range.contains($0) }
    guard let median = OrderStatistics.median(of: depths), let most = depths.max(), 20 * inside < depths.count
    else { return sky }
    let setup = parts[0].series.setup
    if 2 * beyond < depths.count {
      guard inside == 0 else {
        let below = depths.count - beyond - inside
        return sky + [
          SchemaIssue(
            severity: .warning, object: setup.request.path,
            problem:
              "\(100 * below / depths.count) % of the truth lies below \(Self.number(range.lowerBound)) m",
            advice: "give \(option: "min-truth") \(Self.number(median / 10))")
        ]
      }
      throw setup.failure(
        nil, "all truth lies below \(Self.number(range.lowerBound)) m: median \(Self.number(median))",
        "check \(option: "truth-scale"), or give \(option: "min-truth") \(Self.number(median / 10))")
    }
    let limit = Self.number(range.upperBound)
    let metric = probe.maps.filter { parts[$0.key].series.description.meaning?.predictionKind == .metric }
    let predicted = OrderStatistics.median(of: metric.values.flatMap { $0 }.compactMap(\.median))
    let advice = isOfDisparity ? Self.conversion(of: "it") : Self.advice(median, most, setup, predicted)
    if inside == 0 {
      throw setup.failure(
        nil,
        "all truth lies beyond \(limit) m: median \(Self.number(median))\(isOfDisparity ? "; it is named as disparity" : "")",
        advice)
    }
    let share = min(99, 100 * beyond / depths.count)
    return sky + [
      SchemaIssue(
        severity: .warning, object: setup.request.path,
        problem: "\(share) % of the truth lies beyond \(limit) m", advice: advice)
    ]
  }

  /// A truth that has one number for the sky, which counts.
  private func sky(_ truth: [DepthMap], within range: ClosedRange<Double>) -> SchemaIssue? {
    guard RepeatedValue(in: truth, acceptsClamps: true) == nil,
      let value = RepeatedValue(in: truth, acceptsClamps: true, acceptsSkies: true), value.isFar,
      range.contains(Double(value.metres))
    else { return nil }
    let percent = (1000 * value.share).rounded() / 10
    return SchemaIssue(
      severity: .warning, object: parts[0].series.setup.request.path,
      problem:
        "\(percent) % of the truth is exactly \(RepeatedValue.text(Double(value.metres))) m, the farthest, up to a border of the maps, and counts",
      advice: "if it is the sky, give \(option: "truth-invalid") \(MapDoubts.stored(value, truthScale))")
  }

  /// Metres of a count of the truth; nil where it holds metres.
  private var truthScale: Double? {
    if case .truth(let scale) = parts[0].series.setup.content { scale } else { nil }
  }

  /// "in millimetres it would be 1.9 m: --truth-scale 0.001"
  ///
  /// - Parameter predicted: Median of metric predictions, metres: the unit that fits it counts, else the first that makes rooms
  ///   or streets.
  private static func advice(
    _ median: Double, _ most: Double, _ setup: MapSeries.Setup, _ predicted: Double?
  ) -> Wording {
    let units = [
      ("in millimetres", 0.001), ("in centimetres", 0.01), ("in counts of 1/256 m", 1.0 / 256),
      ("in counts of 1/5000 m", 1.0 / 5000),
    ]
    // Metres outdoors must not look like millimetres.
    let fitting = predicted.flatMap { own in
      units.first { (0.67...1.5).contains(median * $0.1 / own) }
    }
    // Metres that a network agrees with are metres.
    let agrees = predicted.map { (0.67...1.5).contains(median / $0) } ?? false
    if median > 200, !agrees,
      let (words, scale) = fitting ?? units.first(where: { (0.5...80).contains(median * $0.1) })
    {
      var known = 1.0
      if case .truth(let scale?) = setup.content { known = scale }
      let metres = (10 * median * scale).rounded() / 10
      return "\(words) it would be \(number(metres)) m: \(option: "truth-scale") \(known * scale)"
    }
    let tens = Int(min(1e6, (most / 10).rounded(.up))) * 10
    return "give \(option: "max-truth") \(tens)"
  }

  /// "1,874", "0.5": whole numbers from 100 on, else three digits.
  static func number(_ number: Double) -> String {
    guard number.isFinite, abs(number) < 1e15 else { return "\(number)" }
    guard abs(number) >= 100 else {
      let power = number == 0 ? 0 : 2 - Int(floor(log10(abs(number))))
      let scale = pow(10, Double(power)), rounded = (number * scale).rounded() / scale
      return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }
    var digits = Array("\(Int(abs(number).rounded()))")
    for place in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: place) }
    return (number < 0 ? "-" : "") + String(digits)
  }

  private func failure(
    _ part: MapSetSource.Part, _ row: Int, _ reason: String, _ advice: Wording
  ) -> FathomError { part.series.setup.failure(part.layers[row].map(part.series.path), reason, advice) }
}
