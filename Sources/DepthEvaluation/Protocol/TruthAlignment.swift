public import DepthCore
public import DepthFusion

/// How a prediction is fitted to the truth before it is scored.
public struct TruthAlignment: Sendable, Hashable {
  /// What a prediction becomes; g is the truth, d the prediction as depth, r a map's own number.
  public enum Fit: Sendable, Hashable {
    case none
    /// Maps without a unit up to scale and shift, in depth or disparity as they are; metric maps stay as they are.
    case byKind
    /// g = α·d with α = median(g)/median(d), both over the same pixels.
    case median
    /// A line in a space, with or without a shift. In the log form, where a power law has both, the scale is the shift
    /// of ln g, and `shift` adds the exponent.
    case line(Space, shift: Bool)
  }

  /// What a line makes least; a median is what it is.
  public enum Loss: String, Sendable, Hashable {
    case squares
    /// Σ|e|/g in depth, Σ|e| elsewhere.
    case absolute
  }

  /// What has one fit.
  public enum Extent: String, Sendable, Hashable, CaseIterable, OptionValue {
    case image
    /// All evaluated frames of a scene: how networks for video are aligned.
    case scene
  }

  /// Numbers of a disparity map that enter a fit.
  public enum Input: String, Sendable, Hashable {
    case finite
    /// Those above 0; the others are mapped by the line, too.
    case positive
    /// All, and those below ``TruthAlignment/leastDisparity`` are that, in the map, too.
    case limited
  }

  /// The form of the fit.
  public var fit: Fit
  /// What the fit makes least.
  public var loss = Loss.squares
  /// Whether all frames of a scene share one fit.
  public var extent = Extent.image
  /// What enters the fit.
  public var input = Input.finite
  /// Fitted disparities below this are this, 1/m; nil for no limit.
  public var leastDisparity: Double?
  /// By least squares, image by image.
  public init(_ fit: Fit) { self.fit = fit }
  /// Predictions as they are.
  public static let none = TruthAlignment(.none)
  /// g = α·d + β
  public static let depth = TruthAlignment(.line(.depth, shift: true))
  /// 1/g = α/d + β
  public static let disparity = TruthAlignment(.line(.disparity, shift: true))
  /// Whether every prediction is fitted, whatever its unit.
  var fitsAll: Bool { fit != .none && fit != .byKind }

  /// What is done to a map of a unit; nil for nothing.
  func step(for unit: Prediction.Unit) -> AlignmentStep? {
    switch (fit, unit) {
    case (.none, _), (.byKind, .metres): nil
    case (.byKind, .depth): AlignmentStep(self, .line(.depth, shift: true), unit)
    case (.byKind, .disparity): AlignmentStep(self, .line(.disparity, shift: true), unit)
    case (.median, _), (.line, _): AlignmentStep(self, fit, unit)
    }
  }

  /// As a protocol prints it.
  var statement: String {
    switch self {
    case .none: "no alignment on the truth"
    case .depth: "ORACLE: each prediction fitted to the truth, g = α·d + β"
    case .disparity: "ORACLE: each prediction fitted to the truth, 1/g = α/d + β"
    default: ([head] + details).joined(separator: ", ")
    }
  }

  private var head: String {
    switch fit {
    case .none: "no alignment on the truth"
    case .byKind:
      "maps without a unit fitted to the truth by their kind, g = α·r + β or 1/g = α·r + β, within the truth's range; "
        + "metric maps as they are"
    case .median: "ORACLE: each prediction fitted to the truth, g = α·d with the ratio of medians"
    case .line(let space, let shift):
      "ORACLE: each prediction fitted to the truth, \(space.form(shift: shift))"
    }
  }

  private var details: [String] {
    [
      loss == .squares ? nil : "by least absolute errors" + (isWeighted ? " over g" : ""),
      extent == .image ? nil : "one fit for all frames of a scene",
      needsPairs && extent == .scene ? "of at most \(AlignmentSums.mostPairs) pixels" : nil,
      input == .positive ? "of disparities above 0" : nil,
      leastDisparity.map {
        "disparities of at least \($0) 1/m" + (input == .limited ? ", before and after" : "")
      },
    ].compactMap(\.self)
  }

  private var isWeighted: Bool { if case .line(.depth, _) = fit { true } else { false } }
  private var needsPairs: Bool { fit == .median || loss == .absolute }
}

// MARK: - As text

extension TruthAlignment: OptionValue {
  private static let fits: [(word: String, fit: Fit)] =
    [("none", .none), ("by-kind", .byKind), ("median", .median)]
    + Space.allCases.flatMap { space in
      [
        ("\(space.rawValue):scale", .line(space, shift: false)),
        ("\(space.rawValue):scale-shift", .line(space, shift: true)),
      ]
    }

  public static var form: String { fits.map(\.word).alternatives }

  /// "depth:scale-shift", and with commas after it what is not the standard: "disparity:scale-shift,scene,least=0.001".
  public static func reading(_ text: String) -> TruthAlignment? {
    let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    // Protocols were stored with the space alone.
    guard let first = words.first,
      let fit = fits.first(where: { $0.word == first || $0.word == first + ":scale-shift" })?.fit
    else { return nil }
    var result = TruthAlignment(fit)
    for word in words.dropFirst() {
      if let loss = Loss(rawValue: word) {
        result.loss = loss
      } else if let extent = Extent(rawValue: word) {
        result.extent = extent
      } else if let input = Input(rawValue: word) {
        result.input = input
      } else if word.hasPrefix("least="), let least = Double(word.dropFirst(6)), least > 0, least.isFinite {
        result.leastDisparity = least
      } else {
        return nil
      }
    }
    return result
  }

  public var typed: String {
    let word = Self.fits.first { $0.fit == fit }?.word ?? ""
    let rest = [
      loss == .squares ? nil : loss.rawValue, extent == .image ? nil : extent.rawValue,
      input == .finite ? nil : input.rawValue, leastDisparity.map { "least=\($0)" },
    ].compactMap(\.self)
    return ([word] + rest).joined(separator: ",")
  }
}

extension TruthAlignment: Codable {
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let value = Self.reading(text) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: "'\(text)' is not an alignment"))
    }
    self = value
  }

  /// One string; the three that are older than the others keep their words.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .depth: try container.encode("depth")
    case .disparity: try container.encode("disparity")
    default: try container.encode(typed)
    }
  }
}

extension Space {
  /// "1/g = α/d + β"
  fileprivate func form(shift: Bool) -> String {
    switch (self, shift) {
    case (.depth, _): "g = α·d" + (shift ? " + β" : "")
    case (.disparity, _): "1/g = α/d" + (shift ? " + β" : "")
    case (.log, false): "ln g = ln d + β"
    case (.log, true): "ln g = α·ln d + β"
    }
  }
}
