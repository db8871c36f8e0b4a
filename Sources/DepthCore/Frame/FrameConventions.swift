/// What a depth value measures (`kind` of a depth array).
public enum DepthKind: String, Sendable, Hashable, Codable, CaseIterable {
  /// Distance to the camera plane, z; what ARKit gives.
  case planar
  /// Length of the ray from the camera centre.
  case distance
}

/// What a monocular network's relative values mean (`kind` of `relative/values`).
public enum RelativeKind: String, Sendable, Hashable, Codable, CaseIterable {
  /// Larger is nearer: 1/d = α·r + β (Depth Anything, MiDaS).
  case disparity
  /// Larger is farther: d = α·r + β (Marigold).
  case depth
  /// Not declared.
  case unknown
}

/// Where the truth comes from, which decides what it can show.
public enum TruthIndependence: String, Sendable, Hashable, Codable, CaseIterable {
  /// A laser, structured light or another time-of-flight sensor.
  case independent
  /// Exact, from a renderer.
  case render
  /// Another sensor's, with only those pixels kept that agree with the depth sensor.
  case selected
  /// Fused from neighbouring frames of the same sensor.
  case multiview
  /// The depth sensor itself.
  case sameSensor = "same-sensor"
  /// Not declared.
  case unknown
  /// Whether a gain over the raw sensor can show on such truth.
  public var canShowGainOverSensor: Bool { self == .independent || self == .render || self == .selected }
}

/// Camera axes of a pose.
public enum CameraConvention: String, Sendable, Hashable, Codable, CaseIterable {
  /// x right, y up, looking along −z.
  case arkit
  /// x right, y down, looking along +z.
  case opencv
  /// Not declared.
  case unknown

  /// In words.
  public var axes: String {
    switch self {
    case .arkit: "x right, y up, z back"
    case .opencv: "x right, y down, z forward"
    case .unknown: "not declared"
    }
  }
}

/// From which corner rows are counted in boxes and masks.
public enum ImageOrigin: String, Sendable, Hashable, Codable, CaseIterable {
  case topLeft = "top-left", bottomLeft = "bottom-left"
}

/// Which world axis points up.
public enum UpAxis: String, Sendable, Hashable, Codable, CaseIterable { case y, z }
