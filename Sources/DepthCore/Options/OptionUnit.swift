/// Unit of the numbers that an option takes.
public enum OptionUnit: String, Sendable {
  case metres, seconds, degrees
  case squareMetres = "square metres"
  case lidarPixels = "LiDAR pixels"
  case depthPixels = "depth pixels"
  case maskPixels = "mask pixels"

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
