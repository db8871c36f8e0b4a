package import DepthCore
package import FathomPictureFiles
internal import FathomPlainText

/// How the numbers of maps stand in their files, where it is not one number a pixel: of the keys `raw`, `channel`, `bits` and `formula`
/// of a part of a mapping.
package struct MapReading: Sendable, Hashable, Decodable {
  package var raw: RawNumbers?
  /// What `v` is, of the file's channels; nil for the only one.
  var channel: MapFormula?
  /// Bits of that.
  var bits: MapFormula?
  /// What becomes of `v`.
  package var formula: MapFormula?

  private enum CodingKeys: String, CodingKey { case raw, channel, bits, formula }

  package init() {}

  package init(from decoder: any Decoder) throws {
    // Of the other keys, the part itself judges.
    let keys = try decoder.container(keyedBy: CodingKeys.self)
    func text(_ key: CodingKeys) throws -> String? {
      guard keys.contains(key) else { return nil }
      do { return try keys.decode(String.self, forKey: key) } catch let error as DecodingError {
        throw MappingFault(error, at: keys.codingPath + [key])
      }
    }
    func place(_ key: CodingKeys) -> String {
      (keys.codingPath + [key]).map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
    raw = try keys.decodeIfPresent(RawNumbers.self, forKey: .raw)
    channel = try text(.channel)
      .map { text in try MapFormula(Int(text).map { "c\($0)" } ?? text, of: place(.channel)) }
    formula = try text(.formula).map { try MapFormula($0, of: place(.formula)) }
    guard keys.contains(.bits) else { return }
    let range = try? keys.decode([Int].self, forKey: .bits)
    guard let range, range.count == 2, (0...52).contains(range[0]), (1...52).contains(range[1]) else {
      throw MappingFault(
        words: "'\(place(.bits))' is not [first, count]: [3, 13] for 13 bits without the lowest three")
    }
    bits = try MapFormula("v >> \(range[0]) & \(1 << range[1] - 1)", of: place(.bits))
  }

  /// Whether numbers are taken as they stand.
  package var isPlain: Bool { channel == nil && bits == nil && formula == nil }
  /// Whether more than one channel as it is, so that its bits say nothing of the levels of a map.
  package var combines: Bool { formula != nil || (channel?.names.count ?? 0) > 1 }

  /// What it names of the frame's numbers.
  package var named: [String] {
    (formula?.names ?? []).filter { name in
      !["v", "r", "g", "b", "a"].contains(name) && !(name.hasPrefix("c") && Int(name.dropFirst()) != nil)
    }
  }

  /// In a user's words.
  package var words: String {
    let parts = [channel.map { "v = \($0.text)" }, bits.map { "v = \($0.text)" }, formula?.text]
    return parts.compactMap(\.self).joined(separator: "; ")
  }

  /// The numbers of a map; NaN where there are none.
  /// - Parameter invalid: Numbers `v` that stand for nothing; without `v`, results.
  /// - Parameter known: Numbers of the frame by their names.
  /// - Throws: `PictureFault` where something that is named does not exist.
  package func map(
    _ channels: MapChannels, invalid: Set<Double>, _ known: [String: Double]
  ) throws(PictureFault) -> Raster<Float> {
    let hasRaw = channel != nil || channels.names.count == 1
    let (taken, given) = try (inputs(channel, channels, known), inputs(formula, channels, known))
    if !hasRaw, bits != nil || formula == nil || formula?.names.contains("v") == true {
      throw PictureFault(
        "it has the channels \(channels.names.joined(separator: ", ")), and the mapping does not say with 'channel' which is meant"
      )
    }
    let saturation = channel == nil && bits == nil ? channels.saturation : nil
    var (first, second) = (taken.map { _ in 0.0 }, given.map { _ in 0.0 })
    let values = (0..<channels.size.count).map { pixel -> Float in
      var raw = Double.nan
      if let channel {
        for (index, input) in taken.enumerated() { first[index] = input.number(channels, pixel, raw) }
        raw = channel.value(first)
      } else if hasRaw {
        raw = channels.number(0, pixel)
      }
      if let bits { raw = bits.value([raw]) }
      if hasRaw, raw == saturation || invalid.contains(raw) { return .nan }
      guard let formula else { return Float(raw) }
      for (index, input) in given.enumerated() { second[index] = input.number(channels, pixel, raw) }
      let value = formula.value(second)
      return value.isFinite && (hasRaw || !invalid.contains(value)) ? Float(value) : .nan
    }
    return Raster(width: channels.size.width, height: channels.size.height, values: values)
  }

  private enum Input {
    case raw, channel(Int), known(Double)

    func number(_ channels: MapChannels, _ pixel: Int, _ raw: Double) -> Double {
      switch self {
      case .raw: raw
      case .channel(let index): channels.number(index, pixel)
      case .known(let number): number
      }
    }
  }

  private func inputs(
    _ formula: MapFormula?, _ channels: MapChannels, _ known: [String: Double]
  ) throws(PictureFault) -> [Input] {
    var inputs: [Input] = []
    for name in formula?.names ?? [] {
      if name == "v" {
        inputs.append(.raw)
      } else if let index = channels.channel(name) {
        inputs.append(.channel(index))
      } else if let number = known[name] ?? channels.own[name] {
        inputs.append(.known(number))
      } else {
        let listed = channels.names.joined(separator: ", ")
        throw PictureFault(
          Self.cameraNames.contains(name)
            ? "its formula needs '\(name)', and the frame has no intrinsics"
            : "it has no channel '\(name)', but \(listed), and says no number of this name")
      }
    }
    return inputs
  }

  /// Focal lengths in pixels of the map.
  package static let cameraNames = ["fx", "fy"]
}

/// Reads the maps of one role, with what the recording says of their form.
package struct MapReader: Sendable {
  package var raw: RawMaps?
  package var reading: MapReading
  /// Stored numbers that stand for nothing, where the reading judges them.
  package var invalid: Set<Double>

  package init(raw: RawMaps? = nil, reading: MapReading = MapReading(), invalid: Set<Double> = []) {
    (self.raw, self.reading, self.invalid) = (raw, reading, invalid)
  }
}
