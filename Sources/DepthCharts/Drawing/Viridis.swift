internal import Foundation

/// The viridis map: lightness rises evenly from dark blue to yellow, so that it reads in grey and to the
/// colour-blind (S. van der Walt, N. Smith, E. Firing 2015, Matplotlib; CC0).
enum Viridis {
  /// Every sixteenth colour of the published table; between them it is linear to within 2 of 255.
  static let stops: [UInt32] = [
    0x440154, 0x48186a, 0x472d7b, 0x424086, 0x3b528b, 0x33638d, 0x2c728e, 0x26828e, 0x21918c, 0x1f9f88,
    0x27ad81,
    0x3dbc74, 0x5cc863, 0x81d34d, 0xaadc32, 0xd5e21a, 0xfde725,
  ]

  /// gnuplot's words for the map.
  static var palette: String {
    let pairs = stops.enumerated().map { "\($0) '\(hexadecimal($1))'" }
    return "set palette defined (" + pairs.joined(separator: ", ") + ")"
  }

  /// A colour of text that is read on the colour at this place.
  ///
  /// - Parameter position: 0 dark, 1 light.
  static func textColour(on position: Double) -> String {
    let place = min(max(position, 0), 1) * Double(stops.count - 1)
    // From here on black has the greater contrast (WCAG 2: relative luminance above 0.179).
    return relativeLuminance(stops[Int(place.rounded())]) > 0.179 ? "#000000" : "#ffffff"
  }

  static func relativeLuminance(_ colour: UInt32) -> Double {
    func linear(_ channel: UInt32) -> Double {
      let share = Double(channel & 0xff) / 255
      return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(colour >> 16) + 0.7152 * linear(colour >> 8) + 0.0722 * linear(colour)
  }

  private static func hexadecimal(_ colour: UInt32) -> String {
    let digits = String(colour, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }
}
