internal import DepthDataset
private import Foundation
internal import FathomMapFiles
internal import FathomPlainText

/// A mapping for a foreign file, as YAML, with a word about each line that was guessed.
struct MappingProposal {
  let text: String

  /// - Returns: nil where no array looks like depth.
  init?(_ guesses: [ArrayGuess], file: String) {
    let maps = guesses.filter { $0.role == .depth && ($0.values?.median ?? 0) > 0 }
    let truths = guesses.filter { $0.role == .truth && ($0.values?.median ?? 0) > 0 }
    // What a sensor measured comes before what was made of it.
    let measured = maps.first { guess in
      ["raw", "lidar", "sensor", "sparse", "lowres"].contains { guess.name.lowercased().contains($0) }
    }
    guard let depth = measured ?? maps.first ?? truths.first else { return nil }
    var lines = [
      "name: \(Self.quoted(Self.stem(file)))",
      "match: {by: \(depth.axes?.contains(.frame) == true || file.contains(where: \.isNumber) ? "number" : "name")}",
      "depth:",
    ]
    lines += Self.map(depth, file, "  ")
    if let truth = truths.first(where: { $0.name != depth.name }) {
      lines += [
        "truth:",
        "  independence: unknown                  # independent, render, same-sensor: where it comes from",
      ]
      lines += ["  depth:"] + Self.map(truth, file, "    ")
    }
    if let confidence = guesses.first(where: { $0.role == .confidence && $0.axes?.count == depth.axes?.count }
    ) {
      lines += ["confidence:"] + Self.array(confidence, file, "  ")
    }
    if let pictures = guesses.first(where: { $0.role == .pictures }) {
      lines += ["colour:"] + Self.array(pictures, file, "  ")
    }
    lines += [
      "# intrinsics:                             # fx, fy, cx, cy, from where they count, and for which image",
      "#   values: [fx, fy, cx, cy]",
      "#   counted-from: centre                  # centre (OpenCV, ARKit) or corner (COLMAP) of the first pixel",
      "#   image-size: depth                     # depth, colour, or [width, height]",
    ]
    for guess in guesses where guess.role == .intrinsics || guess.role == .poses {
      lines.append(
        "# '\(guess.name)' \(StoredArray.words(guess.shape)) may hold \(guess.role == .poses ? "poses: write them to a text file and name it under poses" : "the intrinsics")"
      )
    }
    text = lines.joined(separator: "\n")
  }

  private static func map(_ guess: ArrayGuess, _ file: String, _ indent: String) -> [String] {
    var lines = array(guess, file, indent)
    let (scale, why) = unit(guess)
    lines.append("\(indent)\(padded("scale: \(scale)"))# metres of one count: \(why)")
    if guess.largest >= 1e9 {
      lines.append(
        "\(indent)\(padded("invalid: [\(number(guess.largest))]"))# its largest number is not a distance")
    }
    let isRay = guess.name.lowercased().contains("distance") || file.contains("depth_meters")
    lines.append(
      "\(indent)\(padded("kind: \(isRay ? "distance" : "planar")"))# planar: along the optical axis; distance: along the ray, which needs intrinsics"
    )
    return lines
  }

  private static func array(_ guess: ArrayGuess, _ file: String, _ indent: String) -> [String] {
    [
      "\(indent)files: [\(quoted(pattern(file)))]", "\(indent)array: \(quoted(guess.name))",
      "\(indent)\(padded("axes: [\((guess.axes ?? []).map(\.rawValue).joined(separator: ", "))]"))# \(StoredArray.words(guess.shape))",
    ]
  }

  /// Rooms are metres, tens of metres outdoors; whole numbers of hundreds and more are millimetres.
  private static func unit(_ guess: ArrayGuess) -> (String, String) {
    let median = guess.values?.median ?? 0
    let range =
      "\(number(guess.values?.minimum ?? 0)) to \(number(guess.values?.maximum ?? 0)), median \(number(median))"
    if guess.isReal && median < 200 { return ("1", "\(range): metres") }
    return median >= 200
      ? ("0.001", "\(range): millimetres, unless the set says otherwise (KITTI 0.00390625, TUM 0.0002)")
      : ("1", "\(range): check")
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(format: "%.4g", value)
  }

  /// Numbers tell the frames apart: "frame.0000.depth_meters.hdf5" becomes "frame.*.depth_meters.hdf5".
  private static func pattern(_ file: String) -> String {
    var (pattern, isNumber) = ("", false)
    let (stem, ending) = file.lastIndex(of: ".").map { (file[..<$0], file[$0...]) } ?? (file[...], "")
    for letter in stem {
      let isDigit = letter.isASCII && letter.isNumber
      if !isDigit { pattern.append(letter) } else if !isNumber { pattern.append("*") }
      isNumber = isDigit
    }
    return pattern + ending
  }

  private static func stem(_ file: String) -> String {
    file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
  }

  private static func padded(_ text: String) -> String {
    text.padding(toLength: max(text.count + 1, 40), withPad: " ", startingAt: 0)
  }

  /// As YAML and JSON quote texts.
  static func quoted(_ text: String) -> String {
    "\"" + text.visible.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
