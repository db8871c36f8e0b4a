/// Unit of the numbers that an option takes.
public enum OptionUnit: String, Sendable {
  case metres, seconds, degrees
  case squareMetres = "square metres", lidarPixels = "LiDAR pixels", depthPixels = "depth pixels"
  case maskPixels = "mask pixels"

  /// What a number was probably meant to be that is implausible in this unit; nil where it is plausible.
  /// - Parameter usual: The default, for lengths that are always small.
  public func slip(_ number: Double, usual: Double?) -> String? {
    guard number.isFinite else { return nil }
    switch self {
    case .metres:
      // Aerial pictures have truth at hundreds of metres.
      let limit = usual.map { $0 > 0 ? min(2000, 200 * $0) : 200 } ?? 200
      guard number >= limit else { return nil }
      return "\(number.typed) mm is \((number / 1000).typed), \(number.typed) cm is \((number / 100).typed)"
    case .seconds: return number >= 100 ? "\(number.typed) ms is \((number / 1000).typed)" : nil
    case .degrees:
      let degrees = (number * 180 / .pi * 10).rounded() / 10
      return number > 0 && number < 1 ? "\(number.typed) radians is \(degrees.typed)" : nil
    case .squareMetres, .lidarPixels, .depthPixels, .maskPixels: return nil
    }
  }

  /// "m": behind a number.
  public var symbol: String {
    switch self {
    case .metres: "m"
    case .seconds: "s"
    case .squareMetres: "m²"
    case .degrees, .lidarPixels, .depthPixels, .maskPixels: rawValue
    }
  }
}
