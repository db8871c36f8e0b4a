import DepthReport
import FathomDocuments
import FathomPlainText
public import DepthCertification
import FathomStatistics
public import FathomStudies

/// Sentences of a certificate; they may hold marks, see ``ReportDocument``.
public struct CertificateWords: Sendable {
  let certificate: Certificate
  public init(_ certificate: Certificate) { self.certificate = certificate }

  // MARK: Figures

  var isPair: Bool { certificate.test == .twoWalls }
  var board: Certificate.Board? { certificate.board }

  /// Name of the errors.
  var errorName: String { isPair ? "separation error" : "range error" }

  private static func length(_ figure: Certificate.Figure) -> String {
    plusMinus(figure, .supported(times: 1000, unit: "mm"))
  }

  private static func share(_ figure: Certificate.Figure) -> String {
    plusMinus(figure, .supported(times: 100, unit: "%"))
  }

  /// "−3.2 ± 4.1 mm": digits as the uncertainty supports them.
  private static func plusMinus(
    _ figure: Certificate.Figure, _ style: Quantity.Style, signed: Bool = true
  ) -> String {
    let (value, reach) = (figure.value, figure.expandedUncertainty)
    let shown = Quantity(value, signed ? style.signed : style, low: value - reach, high: value + reach)
    // Written like the value: an interval that begins at zero has the same width.
    let width = Quantity(reach, style, low: reach - reach, high: reach + reach)
    let number = shown.number.split(separator: " ")
    guard let unit = number.last, number.count == 2 else { return "\(shown.number) ± \(width.number)" }
    return "\(number[0]) ± \(width.number.dropLast(unit.count + 1)) \(unit)"
  }

  /// "range 1.2 m to 3.4 m"
  func name(_ error: Certificate.RangeError) -> String {
    if let board { return "board at \(Quantity(board.meanDepth, .decimals(3, unit: "m")).text)" }
    return error.from.map { "\($0) to \(error.to)" } ?? error.to
  }

  /// All figures that have a budget, with their names, and the unit that they are shown in.
  var figures: [(name: String, figure: Certificate.Figure, factor: Double, unit: String)] {
    let others: [(String, Certificate.Figure?, Double, String)] = [
      ("scale error", certificate.scaleError, 100, "%"),
      ("offset at depth 0", certificate.offset, 1000, "mm"),
      ("distance from the line", certificate.nonLinearity, 1000, "mm"), ("noise", board?.noise, 1000, "mm"),
    ]
    return certificate.rangeErrors.map { ("\(errorName), \(name($0))", $0.error, 1000, "mm") }
      + others.compactMap { name, figure, factor, unit in figure.map { (name, $0, factor, unit) } }
  }

  /// Of figures whose interval of the trials is a quarter wider than ± U or more, or leads to another verdict.
  var unconfirmed: [String] {
    figures.compactMap { name, figure, factor, unit in
      let style = Quantity.Style.supported(times: factor, unit: unit)
      guard let check = figure.monteCarlo, !check.agrees else { return nil }
      let verdict = figure.decision.flatMap { decision -> String? in
        let isKept = check.low >= -decision.limit && check.high <= decision.limit
        let isMissed = check.low >= decision.limit || check.high <= -decision.limit
        let outcome: ConformityDecision.Outcome =
          isKept ? .conforms : isMissed ? .doesNotConform : .undecided
        return outcome == decision.outcome ? nil : " By this interval the verdict is: \(Self.word(outcome))."
      }
      guard verdict != nil || check.high - check.low >= 2.5 * figure.expandedUncertainty else { return nil }
      let fewest = figure.budget.filter { $0.share > 0.01 && $0.freedom != nil }
        .min { ($0.freedom ?? 0) < ($1.freedom ?? 0) }
      let cause = fewest.map {
        " (\($0.name): \(Quantity($0.freedom, .significant(2)).text) degrees of freedom; record more)"
      }
      return "Monte Carlo does not confirm U of the \(name.literal): 95 % of the trials are in "
        + "\(Quantity(nil, style, low: check.low, high: check.high).interval)\(cause ?? "").\(verdict ?? "")"
    }
  }

  // MARK: Sentences

  /// What is printed: results, findings, the verdict.
  public var summary: [String] {
    results + certificate.findings.map(text) + unconfirmed + [verdict].compactMap(\.self) + next
  }

  /// What `--check` prints.
  public var checked: [String] {
    let placements = certificate.placements.map { placement in
      if let face = placement.face {
        return
          "\(placement.scene.literal): two faces \(Quantity(face.separation, .decimals(4, unit: "m")).text) apart, at an angle of "
          + "\(Quantity(face.angle, .decimals(1)).text)°; the larger one at \(Quantity(placement.perpendicular, .decimals(3, unit: "m")).text), tilted by "
          + "\(Quantity(placement.tilt, .decimals(1)).text)°, \(counted(placement.frames, "frame"))."
      }
      return
        "\(placement.scene.literal): a wall at \(Quantity(distance(placement), .decimals(3, unit: "m")).text), tilted by "
        + "\(Quantity(placement.tilt, .decimals(1)).text)°, \(counted(placement.frames, "frame"))."
    }
    return placements + [boardSummary].compactMap(\.self)
      + (certificate.findings.isEmpty ? ["Nothing is missing."] : certificate.findings.map(text))
  }

  /// What was seen of a board.
  private var boardSummary: String? {
    guard let board else { return nil }
    let (depths, tilts) = (board.poses.map(\.depth), board.poses.map(\.tilt))
    let skipped =
      board.skipped == 0
      ? "" : " Skipped, because too little of the board is seen: \(counted(board.skipped, "picture"))."
    return
      "The board in \(counted(board.poses.count, "frame")): at \(Self.range(depths, 3, "m")), tilted by \(Self.range(tilts, 0, "°")).\(skipped)"
  }

  /// "0.51 to 0.54 m", or one value where both ends read the same.
  static func range(_ values: [Double], _ digits: Int, _ unit: String) -> String {
    let gap = unit == "°" ? "" : " "
    let ends = [values.min(), values.max()].map { Quantity($0, .decimals(digits)).text }
    return (ends[0] == ends[1] ? ends[0] : "\(ends[0])\(unit == "°" ? unit : "") to \(ends[1])") + gap + unit
  }

  /// As the tape reads it.
  func distance(_ placement: Certificate.Placement) -> Double {
    certificate.declaration.tape == .axis ? placement.axis : placement.perpendicular
  }

  var results: [String] {
    certificate.rangeErrors.map { error in
      "\(errorName.capitalizedFirst), \(name(error).literal): **\(Self.length(error.error))** (k = \(Quantity(error.error.coverageFactor, .decimals(2)).text), 95 %)."
    }
      + [
        certificate.scaleError.map { "Scale error: **\(Self.share($0))**." },
        certificate.nonLinearity.map { "Largest distance from a straight line: \(Self.length($0))." },
        board.map { _ in certificate.offset.map { "Offset at depth 0: \(Self.length($0))." } } ?? nil,
        board.map {
          "Noise, from the plane of each frame: \(Self.plusMinus($0.noise, .supported(times: 1000, unit: "mm"), signed: false))."
        },
        noiseLaw, components, edgeWidth,
      ].compactMap(\.self)
  }

  /// Repeatability and reproducibility.
  private var components: String? {
    guard let components = certificate.components else { return nil }
    func part(_ name: String, _ component: NestedComponents.Component?, _ missing: String) -> String {
      component.map {
        let size = Quantity($0.deviation, .significant(2, times: 1000, unit: "mm")).text
        return "between \(name) \(size) (\(Quantity($0.freedom, .significant(2)).text) degrees of freedom)"
      } ?? "between \(name) not known: \(missing)"
    }
    let days = Set(certificate.placements.compactMap(\.day)).count
    let noDays =
      days == 0
      ? "the time stamps do not say the day"
      : days == 1 ? "all is of one day" : "no \(noun) was measured on two"
    guard board == nil else {
      return "Standard deviation of a pose's error: "
        + [
          part("frames", components.frames, "one frame only"),
          part("recordings", components.placements, "no two recordings have poses at the same distances"),
          part("days", components.days, "the time stamps do not say the day, or all is of one day"),
        ].joined(separator: "; ") + "."
    }
    return "Standard deviation of the \(noun): "
      + [
        part("frames", components.frames, "one frame only"),
        part(
          "placements", components.placements,
          "no \(noun) has two placements\(days > 1 ? " on one day" : "")"),
        part("days", components.days, noDays),
      ].joined(separator: "; ") + "."
  }

  private var edgeWidth: String {
    let what = board == nil ? isPair ? "larger face" : "wall" : "board"
    guard let edge = certificate.edgeWidth else {
      return
        "Edge width not known: no border of the \(what) is seen beside a step of depth that has values on both sides."
    }
    let style = Quantity.Style.supported(unit: "px")
    let interval = Quantity(edge.width, style, low: edge.low, high: edge.high).text
    return
      "Edge width, from 10 to 90 % of the step of depth at the border of the \(what): \(interval) of the depth map, in \(counted(edge.profiles, "profile"))."
  }

  /// The noise of pixels by range.
  private var noiseLaw: String? {
    certificate.noiseLaw.map { law in
      func parameter(_ value: Double, _ index: Int, _ factor: Double) -> String {
        let deviation = law.covariance[index][index].squareRoot()
        let style = Quantity.Style.supported(times: factor)
        let (low, high) = (value - deviation, value + deviation)
        return deviation > 0
          ? "\(Quantity(value, style, low: low, high: high).number) (u = \(Quantity(deviation, style, low: 0, high: 2 * deviation).number))"
          : "0"
      }
      return
        "Noise of a pixel: σ(d) = √(a² + (b·d)²) with a = \(parameter(law.a, 0, 1000)) mm, b = \(parameter(law.b, 1, 100)) %."
    }
  }

  /// A finding in a sentence.
  public func text(_ finding: WallFinding) -> String {
    let scene = (finding.scene ?? "").literal
    let value = finding.value ?? 0
    let length = Quantity(abs(value), .length).text
    switch finding.kind {
    case .untaped:
      return isPair
        ? "No separation is given: measure that of the faces in every scene, along their normal, and give them with `\(flag: "distances")`."
        : "No distance is given: tape the distance of every placement, and give them with `\(flag: "distances")`."
    case .misfit:
      return
        "\(scene): **the corners do not fit the board**: they are \(Quantity(value, .significant(2)).text) pixels off. Check `\(flag: "board")`, and the word legacy; flatten the board."
    case .fewFrames where board != nil:
      return
        "Only \(counted(Int(value), "picture")) with the board; record \(WallTest.advisedFrames) or more, from several distances."
    case .fewFrames:
      return "\(scene): too few frames (\(Int(value))); record \(WallTest.advisedFrames) or more, better 30."
    case .copies:
      return
        "\(scene): \(counted(Int(value), "frame")) \(value == 1 ? "has" : "have") the same map as another, number by number, and \(value == 1 ? "does" : "do") not count: no "
        + "sensor measures so. Record again, without repeating frames."
    case .notFlat:
      guard !isPair else {
        return
          "\(scene): **a face is not flat** for this sensor: parts of it are \(length) apart in depth. Use flatter faces, or one that nothing touches."
      }
      return
        "\(scene): **the wall is not flat** for this sensor: parts of it are \(length) apart in depth. Either the wall is curved or the sensor bends it; "
        + "use another wall, or another part of this one."
    case .distanceFactor where board != nil:
      return
        "The measured depth is \(Quantity(value, .significant(3)).text) times that of the board. Check the square in `\(flag: "board")`, and the unit of the depth."
    case .distanceFactor:
      return
        "\(scene): the measured \(noun) is \(Quantity(value, .significant(3)).text) times the taped one\(Self.slip(value)). Check the \(noun), its unit, and the order of the scenes."
    case .smallWall where board != nil:
      return
        "Only \(Quantity(value, .percent(0)).text) of the board's pixels have depth near it; the rest was excluded. Remove what covers the board."
    case .smallWall:
      return
        "\(scene): \(isPair ? "the two faces take" : "the wall takes") only \(Quantity(value, .percent(0)).text) of the pixels with depth; the rest was excluded. Remove \(isPair ? "other things from the picture" : "what stands before it"), or go nearer."
    case .notParallel:
      return
        "\(scene): **the faces are not parallel**: their normals differ by \(Quantity(value, .decimals(1)).text)°. Turn one of them until its separation is the same at all corners."
    case .moved:
      return
        "\(scene): the \(noun) changes by \(length) from the first half of the frames to the second. \(isPair ? "A face or the camera" : "The camera") moved, or the sensor drifts; use a tripod, and let the sensor warm up."
    case .oneDistance where board != nil:
      return
        "The distances of the poses differ only by a factor of \(Quantity(value, .decimals(2)).text), so the scale error and the offset are uncertain. Show the board from more distances."
    case .oneDistance:
      guard !isPair else { return "Only one separation: the scale cannot be measured." }
      return certificate.declaration.isZeroKnown
        ? "Only one distance: the scale cannot be distinguished from the offset."
        : "Only one distance: neither a difference of range nor the scale can be measured. Add a placement at another distance."
    case .notLinear:
      return
        "The \(noun)s do not follow scale and offset: one is \(length) from the line, more than its uncertainty explains. The sensor is not linear, or a cause is not in the budget."
    }
  }

  /// What is measured and taped.
  private var noun: String { isPair ? "separation" : "distance" }

  private static func slip(_ factor: Double) -> String {
    for (known, words) in [
      (1000.0, "metres"), (100, "metres"), (0.001, "millimetres"), (0.01, "centimetres"),
    ] where abs(factor / known - 1) < 0.1 {
      return factor > 1
        ? ", as when \(words) are given as \(known > 500 ? "millimetres" : "centimetres")"
        : ", as when \(words) are given as metres"
    }
    return ""
  }

  /// The decision, its rule and its risks; nil without a limit.
  var verdict: String? {
    let decided = decisions
    guard let outcome = certificate.outcome else {
      let hasLimit = certificate.declaration.rangeLimit != nil || certificate.declaration.scaleLimit != nil
      return hasLimit ? "Verdict: **not judged**, because of what is said above." : nil
    }
    let worst = decided.filter { $0.decision.outcome == outcome }.map { name, decision, _ in
      "\(name.literal), with a probability of \(Quantity(decision.probability, .percent()).text) that it keeps the limit"
    }
    return "Verdict: **\(Self.word(outcome))** (\(worst.joined(separator: "; ")))."
  }

  private static func word(_ outcome: ConformityDecision.Outcome) -> String {
    outcome.rawValue.replacing("-", with: " ")
  }

  /// All decisions with what they are about.
  var decisions: [(name: String, decision: ConformityDecision, more: WallTest.MoreData?)] {
    certificate.rangeErrors.compactMap { error in
      error.error.decision.map { ("\(errorName), \(name(error))", $0, error.error.more) }
    }
      + [certificate.scaleError].compactMap { figure in
        figure?.decision.map { ("scale error", $0, figure?.more) }
      }
  }

  /// What would decide what is undecided.
  var next: [String] {
    decisions.filter { $0.decision.outcome == .undecided }.map { name, _, more in
      let start = "To decide the \(name.literal), if the value stays: "
      func times(_ factor: Double) -> String {
        Quantity((factor * 10).rounded(.up) / 10, .significant(2)).text
      }
      if let frames = more?.frames { return start + "record \(times(frames)) times as many frames." }
      guard let placements = more?.placements, placements < 100 else {
        return start
          + "it is too near the limit, or the declared uncertainties are too large, for more recordings at these distances to help."
      }
      let days = certificate.components?.days == nil ? "" : " on other days"
      guard board == nil else {
        return start + "make \(times(placements)) times as many recordings\(days)."
      }
      return start
        + "more frames alone do not help; repeat every placement \(Int(placements.rounded(.up))) times\(days), taped anew each time, or tape more exactly."
    }
  }

  // MARK: What it does not hold

  /// What limits everything else.
  var caveat: String {
    "In the manner of ASTM \(board == nil ? "E2938" : "E2919"), JCGM 100, JCGM 101 and JCGM 106. None of them applies formally to depth cameras; not a certificate of an accredited laboratory."
  }

  /// What the certificate does not cover, computed from what was recorded and declared.
  var limitations: [String] {
    let declaration = certificate.declaration
    let intrinsics =
      "The intrinsics' uncertainty is declared: \(Quantity(declaration.focalDeviation, .percent(2)).text) of the focal length, \(Quantity(declaration.centreDeviation, .percent(2)).text) of it for the principal point. Distortion is not in the budget."
    let conditions =
      "Temperature, warm-up, ambient light, reflectance, other devices of the same kind, and other days than those of the recording."
    if let board {
      let tilts = board.poses.map(\.tilt)
      return [
        "Other distances than \(Self.range(board.poses.map(\.depth), 2, "m")), tilts other than \(Self.range(tilts, 0, "°")), and other surfaces than this board.",
        "The print scale's standard uncertainty, \(Quantity(board.printed.printDeviation, .percent(2)).text) of a square, is declared. A wrong print scale and a wrong focal length look like a scale error of the sensor.",
        intrinsics,
        "A board that is not flat; a time between picture and depth while the camera moves; a depth sensor that is not registered to the picture.",
        conditions, uncovered,
      ]
    }
    let tilts = certificate.placements.map(\.tilt)
    let ranges = certificate.placements.flatMap {
      [$0.perpendicular, $0.face?.perpendicular ?? $0.perpendicular]
    }
    let range = Self.range(certificate.placements.compactMap(\.taped), 2, "m")
    let tiltRange = Self.range(tilts, 0, "°")
    let zero =
      declaration.isZeroKnown
      ? "That the tape begins at the sensor's zero is declared, not measured."
      : "The sensor's zero is not known: only differences of range and the scale have errors. An offset that all distances share is not seen."
    return [
      isPair
        ? "Other separations than \(range), other distances from the camera than \(Self.range(ranges, 2, "m")), other surfaces than these faces, and tilts other than \(tiltRange)."
        : "Other distances than \(range), other surfaces than this wall, and tilts other than \(tiltRange).",
      isPair ? "An offset that all distances share: it cancels in a separation." : zero,
      "The tape's standard uncertainty, \(Quantity(declaration.tapeDeviation, .length).text), is declared; its errors are taken to be independent between \(isPair ? "scenes" : "placements"). A tape that is too long by a share is an error of the scale that this budget does not hold.",
      intrinsics, conditions,
      uncovered,
    ]
  }

  private var uncovered: String {
    certificate.edgeWidth == nil
      ? "Edges, thin objects, corners and several reflections."
      : "Thin objects, corners and several reflections."
  }
}
