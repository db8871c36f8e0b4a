import FathomRuns
import DepthCore
public import DepthEvaluation
public import DepthFusion
import Foundation

/// Printed numbers, the files that they were computed from, and how: what a table of a paper says, for a program.
public struct Ledger: Sendable {
  /// Where the numbers are printed; every part may be absent.
  public struct Source: Codable, Sendable, Equatable {
    public var paper: String?, link: String?, repository: String?, commit: String?, license: String?
  }

  /// A file or folder with maps.
  public struct Item: Sendable {
    /// Below the folder of the data.
    public var path: String
    /// SHA-256 of the file; nil where it is not compared.
    public var sha256: String?
    /// Where it comes from, for people.
    public var origin: String?
    /// Metres of one count; nil for maps in metres.
    public var scale: Double?
    /// "metric", "depth" or "disparity", of a prediction without a scale.
    public var kind: String?
  }

  /// What is scored.
  public enum Prediction: Sendable, Hashable {
    /// An item.
    case maps(String)
    /// A method that starts from an item as its LiDAR.
    case method(MethodSelection, input: String)
    /// MATLAB's `imresize` of an item, reduced by a factor first.
    case bicubic(input: String, reduction: Int, antialiases: Bool)
    /// The same without a reduction, filtered with the entry's image as guide.
    case guided(input: String, radius: Int, epsilon: Double)

    var item: String {
      switch self {
      case .maps(let item), .method(_, let item), .bicubic(let item, _, _), .guided(let item, _, _): item
      }
    }
  }

  /// A printed number.
  public struct Entry: Sendable {
    public var name: String, truth: String, prediction: Prediction
    /// Item with the camera images that a method takes.
    public var image: String?
    /// Whether the truth covers the middle of a larger image.
    public var cutsImages: Bool
    /// Every item that is needed.
    var items: [String] { [truth, prediction.item, image].compactMap(\.self).firstAppearances }
    /// Whether the prediction covers the truth's first rows and columns alone.
    public var coversCorner: Bool
    public var rules: EvaluationProtocol
    /// Whether an alignment was named, be it none.
    public var namesAlignment: Bool
    public var metric: MetricColumn
    /// "level", "mm", "%": in which the number is printed.
    public var unit: String
    /// One of that unit in the metric's own.
    public var factor: Double
    /// nil where nothing is printed and ours is shown alone.
    public var printed: PrintedValue?
    /// How far apart the values may be, in the printed unit.
    public var tolerance: Double
    /// "Table 2"; nil where nothing says it.
    public var place: String?
    /// Whether somebody read the number at its source. What was not read there is computed and shown, and decides nothing.
    public var isVerified: Bool
    /// Whether the printed value is expected to be met.
    public var expectsMatch: Bool
    public var note: String?
    /// Line of the file.
    public var line: Int
  }

  public var path: String, title: String, source: Source
  /// By the names that entries use.
  public var data: [String: Item]
  public var entries: [Entry]
}

/// A number with the digits that were printed.
public struct PrintedValue: Sendable, Hashable {
  public let text: String, value: Double

  /// - Returns: nil where the text is not a finite decimal number.
  public init?(_ text: String) {
    guard let value = Double(text), value.isFinite, text.allSatisfy({ "0123456789+-.eE".contains($0) }) else {
      return nil
    }
    (self.text, self.value) = (text, value)
  }

  /// Half a unit of the last digit.
  public var halfUnit: Double {
    let parts = text.lowercased().split(separator: "e")
    let decimals =
      parts[0].split(separator: ".", omittingEmptySubsequences: false).dropFirst().first?.count ?? 0
    return 0.5 * pow(10, Double((parts.count > 1 ? Int(parts[1]) ?? 0 : 0) - decimals))
  }
}
