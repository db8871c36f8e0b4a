internal import DepthCore
internal import FathomMapFiles

struct DepthUnit: Sendable {
  let metres: Double
  /// "millimetres", "1/5000 m"
  let name: String
  /// By what it is known; nil where it is only possible.
  var evidence: String?
  /// As a user types it.
  var text: String { DepthWords.number(metres) }

  /// "1.63 to 4.26 m, median 3.36"
  func range(_ numbers: MapNumbers) -> String {
    func length(_ number: Double) -> String { DepthWords.significant(number * metres) }
    return "\(length(numbers.minimum)) to \(length(numbers.maximum)) m, median \(length(numbers.median))"
  }

  /// Share of the pixels with depth from which on poses can test its unit.
  private static let leastTested = 0.1
  /// Metres up to which half of a sensor's pixels are: maps in 1/5000 m would reach farther as millimetres.
  private static let mostUsual = 10.0

  private static let usual = [
    DepthUnit(metres: 0.001, name: "millimetres"), DepthUnit(metres: 0.0002, name: "1/5000 m"),
    DepthUnit(metres: 0.0001, name: "1/10000 m"), DepthUnit(metres: 1 / 256, name: "1/256 m"),
    DepthUnit(metres: 1, name: "metres"), DepthUnit(metres: 0.01, name: "centimetres"),
  ]

  /// What is possible, the likeliest first. The first one has evidence, or none has.
  /// - Parameter group: The files.
  /// - Parameter stated: What a file of numbers says under a name that speaks of a scale, in words and in metres.
  /// - Parameter isOfPhone: Whether levels of confidence lie beside it.
  /// - Parameter isOfModel: Whether the cameras beside it are those of models, which have a unit of their own.
  /// - Parameter hasPoses: Whether poses and a camera will test it.
  static func possible(
    _ group: FileGroup, _ numbers: MapNumbers, stated: (words: String, metres: Double)?, isOfPhone: Bool,
    isOfModel: Bool, hasPoses: Bool
  ) -> [DepthUnit] {
    func isSensible(_ unit: DepthUnit) -> Bool { (0.2...60).contains(numbers.median * unit.metres) }
    if let (words, metres) = stated {
      let unit = DepthUnit(metres: metres, name: words, evidence: words)
      if metres <= 0.02 || metres == 1, isSensible(unit) { return [unit] }
    }
    let words = Set(GroupRole.nameWords(group.pattern))
    for (names, unit) in [
      (["mm", "millimeter", "millimeters", "millimetre", "millimetres"], usual[0]),
      (["m", "meter", "meters", "metre", "metres", "metric"], usual[4]),
    ] where !words.isDisjoint(with: names) && isSensible(unit) {
      var unit = unit
      unit.evidence = "its name says so"
      return [unit]
    }
    if !numbers.areWhole {
      if isOfModel { return [usual[4], usual[0]].filter(isSensible) }
      // Up to 1, they may be normalised.
      guard numbers.maximum > 1.5, numbers.negative == 0 else { return [] }
      // Half a metre in millimetres is a room in centimetres.
      if (100..<500).contains(numbers.median), !isOfPhone { return [usual[0], usual[5]] }
      var unit = usual[numbers.median < 100 ? 4 : 0]
      unit.evidence = "they are decimal numbers, median \(DepthWords.significant(numbers.median))"
      return isSensible(unit) ? [unit] : []
    }
    var possible = usual.filter(isSensible)
    let eighths = DepthUnit(
      metres: 0.000125, name: "1/8000 m, because every count is a multiple of 8, as SUN3D stores millimetres")
    if numbers.areMultiplesOf8, isSensible(eighths) { return [eighths] + possible }
    // Few points of a map meet those of another; no sensor that writes millimetres looks far.
    let isNear = numbers.median * 0.001 <= mostUsual
    if possible.first?.metres == 0.001, isOfPhone || hasPoses && isNear && numbers.valid >= leastTested {
      possible[0].evidence =
        isOfPhone
        ? "phones that write levels of confidence write millimetres"
        : "it is the usual one; the poses test it"
    } else if possible.count == 1 {
      possible[0].evidence = "no other unit makes them distances of rooms and streets"
    }
    return possible
  }
}
