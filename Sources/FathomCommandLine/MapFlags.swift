public import ArgumentParser
import DepthCore
public import DepthImport

extension MapMeaning: ExpressibleByArgument {}

/// A prediction on the command line: "NAME=DIR" or "NAME:KIND=DIR".
package struct NamedMaps: ExpressibleByArgument {
  package let request: MapRequest

  package init?(argument: String) {
    guard let equals = argument.firstIndex(of: "=") else { return nil }
    let path = String(argument[argument.index(after: equals)...])
    let words = argument[..<equals].split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard let name = words.first, !name.isEmpty, !name.contains("/"), !path.isEmpty, words.count <= 2 else {
      return nil
    }
    var meaning: MapMeaning?
    if words.count == 2 {
      guard let found = Self.meaning(words[1]) else { return nil }
      meaning = found
    }
    request = MapRequest(name: name, path: path, meaning: meaning)
  }

  /// A kind by its name or its unit.
  private static func meaning(_ word: String) -> MapMeaning? {
    switch word {
    case "metres", "meters", "m": .metric
    case "millimeters", "mm": .millimetres
    default: MapMeaning(rawValue: word)
    }
  }

  /// As it is typed.
  package var words: String {
    (request.name ?? "NAME") + (request.meaning.map { ":" + $0.rawValue } ?? "") + "=" + request.path
  }

  package static func meant(by word: String) -> String? {
    guard let equals = word.firstIndex(of: "=") else { return "the name is missing: mynet=\(word)" }
    let parts = word[..<equals].split(separator: ":").map(String.init)
    guard parts.count == 2, meaning(parts[1]) == nil else { return nil }
    return "kinds are \(MapMeaning.allCases.map(\.rawValue).joined(separator: ", "))"
  }
}

/// Standard deviations of a prediction on the command line: "NAME=DIR" or "NAME:UNIT=DIR".
package struct NamedDeviations: ExpressibleByArgument {
  package let maps: DeviationMaps

  package init?(argument: String) {
    guard let named = NamedPath(argument: argument) else { return nil }
    let words = named.name.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard words.count <= 2, !words[0].isEmpty else { return nil }
    var unit = DeviationMaps.Unit.same
    if words.count == 2 {
      guard let found = words[1] == "mm" ? .millimetres : DeviationMaps.Unit(rawValue: words[1]),
        found != .confidence
      else { return nil }
      unit = found
    }
    maps = DeviationMaps(name: words[0], path: named.path, unit: unit)
  }
}

/// What is called how, on the command line: "NAME=DIR".
package struct NamedPath: ExpressibleByArgument {
  package let name: String, path: String

  package init?(argument: String) {
    guard let equals = argument.firstIndex(of: "=") else { return nil }
    (name, path) = (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
    if name.isEmpty || path.isEmpty { return nil }
  }

  /// As scores of confidence of a prediction.
  package var confidences: DeviationMaps { DeviationMaps(name: name, path: path, unit: .confidence) }
}

/// Numbers of a prediction on the command line: "NAME=V" or "NAME=V,V".
package struct NamedNumbers: ExpressibleByArgument {
  package let name: String, numbers: [Double]

  package init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex,
      let list = NumberList(argument: String(argument[argument.index(after: equals)...]))
    else { return nil }
    (name, numbers) = (String(argument[..<equals]), list.numbers)
  }
}

/// A whole number of a prediction on the command line: "NAME=N".
package struct NamedCount: ExpressibleByArgument {
  package let name: String, count: Int

  package init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex,
      let count = Int(argument[argument.index(after: equals)...]), abs(count) <= 1_000_000
    else { return nil }
    (name, self.count) = (String(argument[..<equals]), count)
  }
}

extension [NamedMaps] {
  /// - Parameter invalid: Stored numbers that stand for nothing, by names.
  /// - Throws: `ValidationError` where two have one name, or numbers are of none.
  package func check(_ invalid: [NamedNumbers]) throws {
    let names = compactMap(\.request.name)
    if let double = names.first(where: { name in names.count { $0 == name } > 1 }) {
      throw ValidationError("--prediction: two networks have the name '\(double)'; give each its own")
    }
    if let unknown = invalid.first(where: { !names.contains($0.name) }) {
      throw ValidationError("--prediction-invalid: there is no --prediction '\(unknown.name)'")
    }
  }

  /// - Throws: `ValidationError` where standard deviations or confidences are of no prediction, or one has two.
  package func check(_ certainties: [DeviationMaps]) throws {
    for maps in certainties {
      let (option, name) = ("--prediction-\(maps.certainty.rawValue)", maps.name)
      let own = certainties.filter { $0.name == name }
      if !contains(where: { $0.request.name == name }) {
        throw ValidationError("\(option): there is no --prediction '\(name)'")
      }
      if Set(own.map(\.certainty)).count > 1 {
        throw ValidationError(
          "--prediction-confidence: '\(name)' has a --prediction-deviation already; give only one of them")
      }
      if own.count > 1 { throw ValidationError("\(option): two are of '\(name)'") }
    }
  }

  package func requests(_ invalid: [NamedNumbers]) -> [MapRequest] {
    map { maps in
      var request = maps.request
      let own = invalid.filter { $0.name == request.name }.flatMap(\.numbers)
      request.invalid = own.isEmpty ? nil : own
      return request
    }
  }
}

/// Maps of networks that are added to frames.
package struct MapFlags: ParsableArguments {
  package init() {}
  @Option(
    help:
      "Folder of a network's relative depth with a file for each frame, or one file for all: .npy, .npz, .pfm, .exr, .png of 16 bits, .tiff, .h5.",
    completion: .directory) package var relative: String?
  @Option(
    help:
      "Meaning of its numbers: disparity (larger is nearer), depth (larger is farther), metric, millimetres, kitti (1/256 m) (default: from the file names)."
  ) package var relativeKind: MapMeaning?
  @Option(help: "Turn the maps clockwise by 90, 180 or 270 degrees.") package var relativeRotate = 0
  @Option(
    help:
      "A network's own depth, NAME=DIR or NAME:KIND=DIR with a kind as above; may be given more than once.")
  package var prediction: [NamedMaps] = []
  @Option(
    help: ArgumentHelp(
      "Standard deviations of a prediction by pixel, NAME=DIR in its unit, or NAME:UNIT=DIR with the unit relative or millimetres; may be given more than once.",
      valueName: "name=dir")) package var predictionDeviation: [NamedDeviations] = []
  @Option(
    help: ArgumentHelp(
      "Scores of confidence of a prediction by pixel, larger where it is surer: NAME=DIR, which may be the folder of its .npz or EXR files; may be given more than once.",
      valueName: "name=dir")) package var predictionConfidence: [NamedPath] = []
  @Option(
    help: ArgumentHelp(
      "Stored numbers of a prediction that mean 'no depth', NAME=V or NAME=V,V; may be given more than once.",
      valueName: "name=numbers")) package var predictionInvalid: [NamedNumbers] = []
  @Flag(
    name: .customLong("allow-8bit"),
    help: "Accept maps of 256 levels, which most programs scale separately in each frame.")
  package var allow8bit = false

  package func validate() throws {
    guard [0, 90, 180, 270].contains(relativeRotate) else {
      throw ValidationError("--relative-rotate: 90, 180 or 270 degrees")
    }
    guard relative != nil || relativeKind == nil else {
      throw ValidationError("--relative-kind: it needs --relative")
    }
    try prediction.check(predictionInvalid)
    try prediction.check(certainties)
  }

  /// Standard deviations, then confidences.
  package var certainties: [DeviationMaps] {
    predictionDeviation.map(\.maps) + predictionConfidence.map(\.confidences)
  }

  /// - Parameter resize: Of maps of another aspect than the frames'.
  package func requests(_ resize: PredictionResize?) -> [MapRequest] {
    let relative = relative.map { MapRequest(name: nil, path: $0, meaning: relativeKind) }
    return ([relative].compactMap(\.self) + prediction.requests(predictionInvalid)).map { request in
      var request = request
      (request.allowsEightBits, request.rotation, request.resize) = (allow8bit, relativeRotate, resize)
      return request
    }
  }
}
