internal import Foundation

/// The viridis map: lightness rises evenly from dark blue to yellow, so that it reads in grey and to the
/// colour-blind (S. van der Walt, N. Smith, E. Firing 2015, Matplotlib; CC0).
enum Viridis {
  /// Every fifth colour of the published table; between them it is linear to within 1 of 255.
  static let stops: [UInt32] = [
    0x440154, 0x46085c, 0x471063, 0x481769, 0x481d6f, 0x482475, 0x472a7a, 0x46307e, 0x453781,
    0x433d84, 0x414287, 0x3f4889, 0x3d4e8a, 0x3a538b, 0x38598c, 0x355e8d, 0x33638d, 0x31688e,
    0x2e6d8e, 0x2c718e, 0x2a768e, 0x297b8e, 0x27808e, 0x25848e, 0x23898e, 0x218e8d, 0x20928c,
    0x1f978b, 0x1e9c89, 0x1fa188, 0x21a585, 0x24aa83, 0x28ae80, 0x2eb37c, 0x35b779, 0x3dbc74,
    0x46c06f, 0x50c46a, 0x5ac864, 0x65cb5e, 0x70cf57, 0x7cd250, 0x89d548, 0x95d840, 0xa2da37,
    0xb0dd2f, 0xbddf26, 0xcae11f, 0xd8e219, 0xe5e419, 0xf1e51d, 0xfde725,
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
    return relativeLuminance(stops[place.isNaN ? 0 : Int(place.rounded())]) > 0.179 ? "#000000" : "#ffffff"
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
