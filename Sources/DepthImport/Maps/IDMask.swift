public import DepthCore

/// Masks of ids by pixel, and what the ids mean.
public struct IDMask: Sendable, Hashable, Codable {
  /// A folder or file.
  public var path: String
  public var labels: PixelLabels
  /// Ids of one image, at most.
  package static let most = 256

  package init(path: String, labels: PixelLabels) { (self.path, self.labels) = (path, labels) }
}
