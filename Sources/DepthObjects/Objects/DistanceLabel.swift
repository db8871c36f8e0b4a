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

  /// - Parameter label: Class name.
  /// - Parameter score: 0…1.
  /// - Parameter depth: Median depth of the object, metres.
  public init(label: String, score: Float, depth: Double) {
    title = "\(label) \(Self.text(Double(score * 100), decimals: 0))%"
    distance = Self.text(depth, decimals: 2) + " m"
  }

  /// As `String(format:)` has it, in a tenth of the time: tables have thousands of labels.
  static func text(_ value: Double, decimals: Int) -> String {
    withVaList([Int32(decimals), value]) { arguments in
      // The longest number has 309 digits before the point.
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 336) { text in
        guard let start = text.baseAddress else { return "" }
        vsnprintf(start, text.count, "%.*f", arguments)
        return String(cString: start)
      }
    }
  }

  /// Both lines.
  public var description: String { title + "\n" + distance }
}
