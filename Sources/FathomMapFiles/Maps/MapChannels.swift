package import DepthCore
internal import FathomPictureFiles

package struct MapChannels {
  package let size: RasterSize
  /// "r", "g", "b"; of a file of one channel, "c0".
  let names: [String]
  /// The largest count of a map of 16 bits in one channel, which stands for no depth; nil for others.
  var saturation: Double?
  /// Numbers that the file says of itself by their names, such as a PNG in its text.
  var own: [String: Double] = [:]
  /// The number of a channel and a pixel.
  let number: (_ channel: Int, _ pixel: Int) -> Double

  /// A map of one channel.
  package init(_ map: StoredMap) {
    (size, names) = (map.size, ["c0"])
    switch map {
    case .counts(let counts):
      number = { Double(counts.values[$1]) }
      saturation = 65_535
    case .reals(let reals): number = { Double(reals.values[$1]) }
    case .array(let array, _, _):
      let values = map.values
      number = { values[$1] }
      saturation = array.type.hasSuffix("u2") ? 65_535 : nil
    }
  }

  /// Channels beside each other, pixel by pixel.
  package init<Number: Sendable>(
    _ size: RasterSize, count: Int, _ values: [Number], _ real: @escaping (Number) -> Double
  ) {
    (self.size, names) = (size, Self.names(count))
    number = { real(values[$1 * count + $0]) }
  }

  /// Channels behind each other.
  package init(_ size: RasterSize, names: [String], planes: [[Float]]) {
    (self.size, self.names) = (size, names)
    number = { Double(planes[$0][$1]) }
  }

  private static func names(_ count: Int) -> [String] {
    switch count {
    case 2: ["c0", "a"]
    case 3: ["r", "g", "b"]
    case 4: ["r", "g", "b", "a"]
    default: (0..<count).map { "c\($0)" }
    }
  }

  /// The channel of a name, as the file writes it or in small letters, or of a number: "c1". nil where there is none.
  func channel(_ name: String) -> Int? {
    if let index = names.firstIndex(of: name) ?? names.firstIndex(where: { $0.lowercased() == name }) {
      return index
    }
    guard name.hasPrefix("c"), let index = Int(name.dropFirst()), names.indices.contains(index)
    else { return nil }
    return index
  }
}
