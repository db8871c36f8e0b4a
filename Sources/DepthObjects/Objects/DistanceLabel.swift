public import DepthCore
internal import Foundation

/// The two lines that the app writes on an object: "cup 95%" and "2.30 m".
public struct DistanceLabel: Sendable, Hashable, CustomStringConvertible {
  /// Class and score in whole per cent.
  public let title: String
  /// Metres with two decimals.
  public let distance: String

  /// - Parameter depth: Median depth of the object, metres.
  public init(_ object: DetectedObject, depth: Double) {
    self.init(label: object.label, score: object.score, depth: depth)
  }

  /// - Parameters:
  ///   - label: Class name.
  ///   - score: 0…1.
  ///   - depth: Median depth of the object, metres.
  public init(label: String, score: Float, depth: Double) {
    title = "\(label) \(String(format: "%.0f", score * 100))%"
    distance = String(format: "%.2f m", depth)
  }

  /// Both lines.
  public var description: String { title + "\n" + distance }
}
