extension ColourMap {
  /// Red to blue, mixed evenly in sRGB: what ``DepthRamp`` draws, for its colour bar.
  public static let redBlue = ColourMap(
    id: "red-blue", table: (0..<256).map { UInt32(255 - $0) << 16 | UInt32($0) })
}
