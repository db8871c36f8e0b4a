internal import DepthCore

extension RGBA {
  /// As Cairo holds it: channels times opacity, rounded, blue in the lowest byte.
  var premultiplied: UInt32 {
    func times(_ channel: UInt8) -> UInt32 { (UInt32(channel) * UInt32(alpha) + 127) / 255 }
    return UInt32(alpha) << 24 | times(red) << 16 | times(green) << 8 | times(blue)
  }

  /// What Cairo holds, divided by its opacity and rounded: a colour of little opacity is not kept to the last step.
  init(premultiplied word: UInt32) {
    let alpha = word >> 24
    func channel(_ shift: UInt32) -> UInt8 {
      alpha > 0 ? UInt8(min(255, (255 * (word >> shift & 255) + alpha / 2) / alpha)) : 0
    }
    self.init(red: channel(16), green: channel(8), blue: channel(0), alpha: UInt8(alpha))
  }

  /// Seen on an opaque ground: colour·α + ground·(1 − α), rounded once.
  func over(_ ground: RGB) -> RGBA {
    let (share, rest) = (UInt32(alpha), 255 - UInt32(alpha))
    func mixed(_ own: UInt8, _ below: UInt8) -> UInt8 {
      let sum = UInt32(own) * share + UInt32(below) * rest
      return UInt8((sum + 127) / 255)
    }
    return RGBA(
      red: mixed(red, ground.red), green: mixed(green, ground.green), blue: mixed(blue, ground.blue))
  }
}
