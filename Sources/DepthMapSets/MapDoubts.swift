internal import DepthCore
internal import DepthDataset
internal import DepthImport
internal import FathomPlainText
private import Foundation

/// What the numbers of probed maps show of a fault: units, powers, numbers that stand for nothing, copies, maps of other images.
///
/// Limits are such that a network which is bad but no more than that is not named; docs/maps.md says them.
struct MapDoubts {
  struct Doubt {
    var severity = SchemaIssue.Severity.warning
    /// "are 3.28 times the truth"
    let problem: String
    let advice: Wording
  }

  let name: String, meaning: MapMeaning, maps: [MapSetProbe.Map]
  /// Of the probed frames' medians, metres.
  let truthMedian: Double?
  /// Metres of a count of the truth.
  let truthScale: Double?
  let ids: [String]
  let copied: CopiedMaps
  private var samples: [MapSample] { maps.compactMap(\.sample) }
  private var isMetric: Bool { meaning.predictionKind == .metric }

  /// - Parameter isPlaced: Whether they belong to the truth as they stand.
  func all(isPlaced: Bool) -> [Doubt] {
    let areConstant = maps.allSatisfy { $0.low >= $0.high }
    var doubts = [areConstant ? nil : copies, levels].compactMap(\.self)
    if isPlaced { doubts += [others].compactMap(\.self) }
    guard isMetric else { return doubts + [filled ?? stray].compactMap(\.self) }
    doubts += [repeated ?? filled ?? stray, negative, blended, leaked].compactMap(\.self)
    if let unit = normalized ?? jump ?? factor ?? far { return doubts + [unit] }
    return doubts + [law, rays, holes].compactMap(\.self)
  }

  static func number(_ number: Double) -> String { MapSetChecks.number(number) }
  static func percent(_ share: Double) -> String { "\((share * 1000).rounded() / 10) %" }
  /// " of the images looked at", where there are others.
  private var lookedAt: String { maps.count < ids.count ? " of the \(maps.count) images looked at" : "" }
  private func images(_ count: Int) -> String { "in \(count) of \(counted(maps.count, "image")) looked at" }

  private var copies: Doubt? {
    if let first = copied.rows.first {
      let count =
        "\(copied.rows.count)\(copied.areAll ? "" : " or more") of \(counted(copied.images, "image"))"
      return Doubt(
        problem: "are that of the image before in \(count), though the truth differs: first \(ids[first])",
        advice: "check what wrote them")
    }
    let groups = Dictionary(
      // Maps without depth are alike, and told as that.
      grouping: samples.filter { $0.own.map.values.count >= MapSample.fewest && $0.own.hasDepth },
      by: \.own.digest)
    let equal = groups.values.filter { group in
      group.count > 1 && group.dropFirst().contains { CopiedMaps.differ($0.truth.map, group[0].truth.map) }
    }
    guard let most = equal.max(by: { $0.count < $1.count }) else { return nil }
    let rows = most.map(\.row).sorted()
    return Doubt(
      problem:
        "are the same map \(images(most.count)), though the truth differs: first \(ids[rows[0]]) and \(ids[rows[1]])",
      advice: "check what wrote them")
  }

  private var levels: Doubt? {
    let found = samples.compactMap { sample -> (count: Int, step: Double)? in
      guard let levels = sample.own.levels else { return nil }
      // Millimetres of something near are steps, too.
      let median = (sample.ratio ?? 0) * sample.truthMedian
      return isMetric && (levels.step < 0.002 || levels.step < 0.003 * median) ? nil : levels
    }
    guard found.count == maps.count, let most = found.map(\.count).max(), let step = found.map(\.step).max()
    else { return nil }
    // Pictures of 8 bits use their whole range.
    if meaning == .disparity, step == 1, let high = maps.map(\.high).max(), high < 250 {
      return Doubt(
        severity: .note,
        problem:
          "hold at most \(most) different numbers, whole ones: disparities of a stereo method in whole pixels do",
        advice: "give what the network wrote if these are pictures of it")
    }
    return Doubt(
      problem:
        "hold at most \(most) different numbers, in equal steps of \(Self.number(step)): pictures of 8 bits do",
      advice: "give what the network wrote, not pictures of it")
  }

  private var others: Doubt? {
    let sign = meaning == .disparity ? -1.0 : 1
    let fits = maps.compactMap { map -> (correlation: Double, map: MapSetProbe.Map)? in
      guard let sample = map.sample, sample.spread >= 1.2, let own = map.correlations[.turned(.upright)]
      else { return nil }
      return (own * sign, map)
    }
    guard fits.count >= 4, let median = OrderStatistics.median(of: fits.map(\.correlation))
    else { return nil }
    let (bad, good) = (fits.filter { $0.correlation < 0.2 }, fits.filter { $0.correlation > 0.7 })
    if let rest = rest(of: maps, fits.filter { $0.correlation < 0.5 }.map(\.map)) { return rest }
    if let (rival, place) = MapPlacement.some(
      of: fits.map(\.map.correlations), isFalling: meaning == .disparity),
      let first = fits[place].map.sample
    {
      let (problem, advice) = MapSetChecks.words(rival, of: name)
      return Doubt(problem: "\(problem), first \(ids[first.row])", advice: advice)
    }
    let isUnpadded = Set(ids.map(\.count)).count > 1 && ids.allSatisfy { Int($0) != nil }
    let order: Wording =
      isUnpadded
      ? "see in which order the maps were written: names without leading zeros sort as 1, 10, 2"
      : "see which images they belong to"
    if bad.count >= 2, good.count >= 2, 4 * (bad.count + good.count) >= 3 * fits.count,
      let own = OrderStatistics.median(of: bad.map(\.correlation)), let first = bad.first?.map.sample,
      let right = OrderStatistics.median(of: good.map(\.correlation))
    {
      return Doubt(
        problem:
          "hardly follow the truth \(images(bad.count)) (rank correlation \(hundredths(own)), in others \(hundredths(right))), first \(ids[first.row])",
        advice: order)
    }
    guard abs(median) < 0.3, fits.allSatisfy({ abs($0.correlation) < 0.5 }) else { return nil }
    return Doubt(
      problem:
        "hardly follow the truth in any of \(counted(fits.count, "image")) looked at: rank correlation \(hundredths(median))",
      advice: order)
  }

  /// Where the maps from one image on, or those that do not fit, belong to other images or lie otherwise.
  private func rest(of maps: [MapSetProbe.Map], _ bad: [MapSetProbe.Map]) -> Doubt? {
    let tails = (1..<max(2, maps.count - 3)).map { Array(maps.dropFirst($0)) }.filter { $0.count >= 4 }
    for part in tails + [bad] where part.count >= 3 && part.count < maps.count {
      guard let rival = MapPlacement.rival(of: part.map(\.correlations), isFalling: meaning == .disparity),
        rival.better == rival.count, let first = part.first?.sample
      else { continue }
      let (problem, advice) = MapSetChecks.words(rival, of: name)
      return Doubt(problem: problem + ", first \(ids[first.row])", advice: advice)
    }
    return nil
  }

  private func hundredths(_ number: Double) -> String { "\((100 * number).rounded() / 100)" }

  private var repeated: Doubt? {
    guard let value = RepeatedValue(in: samples.map(\.own.map), acceptsClamps: true),
      value.kind == .clamp || !Self.agree(samples, where: value)
    else { return nil }
    let stored = Self.stored(Double(value.metres), meaning)
    let share = Self.percent(value.share)
    return switch value.kind {
    case .fill:
      Doubt(
        problem:
          "are exactly \(stored) in \(share) of their pixels\(lookedAt), \(value.reason)",
        advice: "if so, give \(option: "prediction-invalid") \(name)=\(stored)")
    case .clamp:
      Doubt(
        severity: .note,
        problem:
          "are exactly \(stored) in \(share) of their pixels\(lookedAt), the \(value.isFar ? "farthest" : "nearest"): what is "
          + "\(value.isFar ? "farther" : "nearer") was set to it",
        advice: "give maps without that limit if there are any")
    }
  }

  private var filled: Doubt? {
    Self.filling(samples.map(\.own.map)).map {
      Doubt(
        problem: "hold \($0)",
        advice: "if it fills what has no depth, write 0 or NaN there, or give maps before they were filled")
    }
  }

  private var blended: Doubt? {
    Self.blending(samples.map(\.own.edges)).map {
      Doubt(
        problem: "fall towards their gaps\($0)",
        advice: "give maps before that, or resize by the nearest pixel")
    }
  }

  /// ": beside 83 % of them …"
  static func blending(_ edges: [GapEdges]) -> String? {
    GapEdges.blended(edges).map {
      ": at \(percent($0)) of the edges the first depth is less than 0.8 of those behind it, as after resizing or smoothing with 0 as a depth"
    }
  }

  /// "one number in 14.8 % of their pixels, another in each of 8 images, and …"
  static func filling(_ maps: [DepthMap]) -> String? {
    let found = maps.compactMap(RepeatedValue.filling)
    guard maps.count >= 3, 4 * found.count >= 3 * maps.count, Set(found.map(\.metres)).count == found.count
    else { return nil }
    let share = percent(found.map(\.share).reduce(0, +) / Double(found.count))
    return
      "one number in \(share) of their pixels, near the mean or median of the others, another in each of "
      + "\(found.count) of \(maps.count) images looked at, with other depths beside it"
  }

  /// What stands at one end of most maps, though its truth does not.
  private var stray: Doubt? {
    let found = samples.compactMap(\.stray).filter { !isMetric || $0.number > 0 }
    guard let first = found.first, 2 * found.count > samples.count else { return nil }
    let stored = Self.stored(first.number, meaning)
    let isOne = found.allSatisfy { $0.number == first.number }
    let share = Self.percent(found.map(\.share).reduce(0, +) / Double(found.count))
    let reason =
      found.allSatisfy(\.isAlone)
      ? "no other number is near it" : "the truth there is not the farthest or nearest"
    return Doubt(
      problem:
        "are \(isOne ? "exactly \(stored)" : "one number, the largest or smallest of the map,") in \(share) of the pixels with truth "
        + "\(images(found.count)), and \(reason): it may stand for no depth",
      advice: isOne
        ? "if so, give \(option: "prediction-invalid") \(name)=\(stored)" : "check what wrote them")
  }

  /// A number as it stands in the file.
  private static func stored(_ number: Double, _ meaning: MapMeaning) -> String {
    RepeatedValue.text(number / Double(meaning.factor))
  }

  private var negative: Doubt? {
    let shares = samples.map(\.negative), mean = shares.reduce(0, +) / Double(max(1, shares.count))
    guard mean >= 0.02 else { return nil }
    return Doubt(
      problem:
        "are below 0 in \(Self.percent(mean)) of the pixels with truth\(lookedAt), which count as no depth",
      advice: "check what wrote them")
  }

  private var holes: Doubt? {
    let mean = samples.map(\.missing).reduce(0, +) / Double(max(1, samples.count))
    guard mean >= 0.05 else { return nil }
    let medians = samples.compactMap(\.medians)
    var place = ""
    if let near = OrderStatistics.median(of: medians.map(\.known)),
      let far = OrderStatistics.median(of: medians.map(\.missing)), !(0.8...1.25).contains(far / near)
    {
      place = ", where the truth has a median of \(Self.number(far)) m instead of \(Self.number(near)) m"
    }
    return Doubt(
      severity: .note,
      problem: "have no depth in \(Self.percent(mean)) of the pixels with truth" + lookedAt + place,
      advice: "errors are of the rest; see the coverage")
  }

  /// Numbers of the truth in a network's maps.
  private var leaked: Doubt? {
    let found = samples.filter { $0.equal >= 0.5 }
    guard let first = found.first, found.contains(where: { $0.equal < 1 }) || found.count < maps.count
    else { return nil }
    let share = Self.percent(found.map(\.equal).reduce(0, +) / Double(found.count))
    return Doubt(
      problem:
        "have the numbers of the truth, to the last digit, in \(share) of the pixels with truth \(images(found.count)), first \(ids[first.row])",
      advice: "if the network was given them, use only the others as truth")
  }

  /// Maps that were divided by their largest numbers.
  private var normalized: Doubt? {
    guard let end = maps.first?.high, maps.count >= 3, maps.allSatisfy({ abs($0.high / end - 1) < 1e-6 })
    else { return nil }
    let stored = end / Double(meaning.factor)
    // The truth does not end alike: what is limited does not tell.
    let tops = samples.compactMap { OrderStatistics.quantile(0.98, of: $0.truth.known) }
    guard [1, 255, 65_535].contains(where: { abs(stored / $0 - 1) < 1e-6 }), let least = tops.min(),
      let most = tops.max(), most > 1.05 * least
    else { return nil }
    return Doubt(
      problem:
        "end at exactly \(RepeatedValue.text(stored)) in all \(counted(maps.count, "image")) looked at, as maps do that were divided by their largest number",
      advice: "if so, they have no unit: \(option: "prediction") \(name):depth=")
  }

  /// Whether networks and the truth agree where one of them has a number: a wall at that distance.
  static func agree(_ samples: [MapSample], where value: RepeatedValue) -> Bool {
    let found = samples.compactMap { $0.agree(where: value.metres) }
    return !found.isEmpty && found.allSatisfy { $0 }
  }

  private var ratios: [(sample: MapSample, ratio: Double)] {
    samples.compactMap { sample in sample.ratio.map { (sample, $0) } }.sorted { $0.1 < $1.1 }
  }

  /// Several units in one folder.
  private var jump: Doubt? {
    let ratios = ratios
    guard ratios.count >= 3 else { return nil }
    let gaps = zip(ratios.dropFirst(), ratios).map { $0.ratio / $1.ratio }
    guard let gap = gaps.max(), gap >= 5, let cut = gaps.firstIndex(of: gap) else { return nil }
    let (low, high) = (ratios[...cut], ratios[(cut + 1)...])
    func median(
      _ part: ArraySlice<(sample: MapSample, ratio: Double)>, _ value: (MapSample, Double) -> Double
    ) -> Double { OrderStatistics.median(of: part.map { value($0.sample, $0.ratio) }) ?? 1 }
    let sides = [low, high].map { part in median(part) { _, ratio in ratio } }
    let truths = [low, high].map { part in median(part) { sample, _ in sample.truthMedian } }
    // The side that changes its unit changes its numbers.
    let isTruth = abs(log(truths[1] / truths[0])) > 0.5 * log(sides[1] / sides[0])
    let (few, many) = high.count < low.count ? (high, low) : (low, high)
    let first = few.map(\.sample.row).min() ?? 0
    return Doubt(
      problem:
        "are \(Self.number(median(few) { $1 })) times the truth \(images(few.count)), first \(ids[first]), and "
        + "\(Self.number(median(many) { $1 })) times in the others",
      advice: isTruth
        ? "the truth changes its unit: give one unit in all files" : "give one unit in all files")
  }

  /// Another unit in all of them.
  private var factor: Doubt? {
    let ratios = ratios.map(\.ratio)
    guard let ratio = OrderStatistics.median(of: ratios), let least = ratios.first, let most = ratios.last,
      ratios.count >= 3, most / least < 1.6, !(0.4...2.5).contains(ratio), (1 / 20...20).contains(ratio)
    else { return nil }
    return Doubt(
      problem:
        "are \(Self.number(ratio)) times the truth in all \(ratios.count) images looked at (\(Self.number(least)) to \(Self.number(most)))",
      advice: unit(ratio))
  }

  /// Another unit, by medians alone.
  private var far: Doubt? {
    guard let truthMedian, let own = OrderStatistics.median(of: maps.compactMap(\.median)), own > 0,
      !(1 / 20...20).contains(own / truthMedian)
    else { return nil }
    return Doubt(
      problem: "are \(Self.number(own / truthMedian)) times the truth",
      advice: unit(own / truthMedian))
  }

  private func unit(_ ratio: Double) -> Wording {
    // In another unit they are in proportion to it; a factor this large is a unit in any case.
    let isLarge = !(1 / 60...60).contains(ratio)
    return isLarge || samples.allSatisfy({ $0.spread < 1.2 || MapEvidence.isThroughZero($0) })
      ? Self.unit(ratio, name, meaning, truthScale)
      : "check what wrote them: they are not in proportion to the truth; maps without a unit are \(option: "prediction") \(name):depth="
  }

  /// What would explain maps that are so many times the truth.
  private static func unit(
    _ ratio: Double, _ name: String, _ meaning: MapMeaning, _ truthScale: Double?
  ) -> Wording {
    func isNear(_ factor: Double) -> Bool { (0.8...1.25).contains(ratio / factor) }
    // Numbers that were taken as counts may be others.
    let stored = ratio / Double(meaning.factor)
    if meaning != .metric,
      let other = [(1.0, MapMeaning.metric), (1000, .millimetres), (256, .kitti)].first(where: {
        $0.1 != meaning && (0.8...1.25).contains(stored / $0.0)
      })
    {
      return
        "as \(other.1.rawValue) they would be \(number(stored / other.0)) times the truth: \(option: "prediction") \(name):\(other.1.rawValue)="
    }
    let scales = [
      (0.001, "0.001"), (0.01, "0.01"), (1.0 / 256, "0.00390625"), (0.0002, "0.0002"), (0.0001, "0.0001"),
    ]
    if let truthScale,
      let (_, text) = scales.first(where: { $0.0 != truthScale && isNear($0.0 / truthScale) })
    {
      return
        "with \(option: "truth-scale") \(text) they would be \(number(ratio * truthScale / (Double(text) ?? 1))) times the truth"
    }
    if truthScale == nil, (0.0003...0.003).contains(ratio) {
      return "if the truth is in millimetres, give \(option: "truth-scale") 0.001"
    }
    if truthScale == nil,
      let (unit, metres) = [("feet", 0.3048), ("inches", 0.0254), ("centimetres", 0.01)].first(where: {
        isNear($0.1)
      })
    {
      return "if the truth is in \(unit), give \(option: "truth-scale") \(metres)"
    }
    if isNear(256) { return "counts of 1/256 m are \(option: "prediction") \(name):kitti=" }
    if isNear(100) { return "centimetres would be: multiply them by 0.01" }
    if isNear(3.2808) { return "feet would be: multiply them by 0.3048" }
    if isNear(39.37) { return "inches would be: multiply them by 0.0254" }
    if (400...2500).contains(stored) {
      return "millimetres are \(option: "prediction") \(name):millimetres="
    }
    return "check their unit and the truth's; maps without a unit are \(option: "prediction") \(name):depth="
  }

  /// Depth up to scale and shift.
  private var law: Doubt? {
    let lines = samples.filter { $0.spread >= 1.5 }.compactMap { sample in
      sample.line.map {
        (
          slope: $0.slope, share: $0.intercept / ((sample.ratio ?? 1) * sample.truthMedian), fit: $0.share,
          $0.intercept
        )
      }
    }
    guard lines.count >= 3, lines.allSatisfy({ $0.fit >= 0.9 }),
      let slope = OrderStatistics.median(of: lines.map(\.slope)), slope > 0,
      let share = OrderStatistics.median(of: lines.map(\.share)), abs(share) >= 0.35,
      let intercept = OrderStatistics.median(of: lines.map(\.3)),
      lines.allSatisfy({ (0.6...1.6).contains($0.slope / slope) && $0.share * share > 0 })
    else { return nil }
    return Doubt(
      severity: .note,
      problem:
        "follow \(Self.number(slope)) × truth \(intercept < 0 ? "−" : "+") \(Self.number(abs(intercept))) m in all \(lines.count) images that tell: not metres from the camera",
      advice: "if they are relative depth, give \(option: "prediction") \(name):depth=")
  }

  /// Distances along the ray on one side.
  private var rays: Doubt? {
    let found = samples.compactMap(\.radial)
    guard found.count >= 4, let correlation = OrderStatistics.median(of: found.map(\.correlation)),
      abs(correlation) >= 0.6,
      found.allSatisfy({ $0.correlation * correlation > 0 && abs($0.correlation) >= 0.3 }),
      let gain = OrderStatistics.median(of: found.map(\.gain))
    else { return nil }
    let size = max(gain, 1 / gain)
    guard (1.06...2.5).contains(size) else { return nil }
    return Doubt(
      problem:
        "\(gain > 1 ? "grow" : "shrink") against the truth towards the corners of all \(found.count) images looked at, there by \(Self.number(size)), as "
        + "\(gain > 1 ? "their" : "the truth's") distances along the ray would",
      advice: gain > 1
        ? "if they are such distances, convert them to depth along the camera's axis"
        : "if the truth holds such distances, give \(option: "truth-kind") distance and \(option: "intrinsics")"
    )
  }
}
