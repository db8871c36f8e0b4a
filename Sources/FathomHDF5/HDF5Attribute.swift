internal import CFathomHDF5

public struct HDF5Attribute: Sendable, Equatable {
  /// Elements that an attribute may have to be read: HDF5 keeps 64 KiB beside the object, more only elsewhere.
  public static let largestCount = 1 << 16
  /// Bytes that each of its texts may have to be read.
  public static let longestText = 1 << 16

  public enum Elements: Sendable, Equatable {
    case strings([String]), integers([Int64]), reals([Double])
    /// A class that this module does not read; its name.
    case other(String)
  }

  /// Extents; `[]` for a scalar.
  public var shape: [Int]
  /// The elements, row-major.
  public var elements: Elements
  public init(shape: [Int], elements: Elements) { (self.shape, self.elements) = (shape, elements) }

  public static func string(_ value: String) -> HDF5Attribute {
    HDF5Attribute(shape: [], elements: .strings([value]))
  }
  public static func integer(_ value: Int) -> HDF5Attribute {
    HDF5Attribute(shape: [], elements: .integers([Int64(value)]))
  }
  /// A one-dimensional array of integers.
  public static func integers(_ values: [Int]) -> HDF5Attribute {
    HDF5Attribute(shape: [values.count], elements: .integers(values.map { Int64($0) }))
  }
  public static func real(_ value: Double) -> HDF5Attribute {
    HDF5Attribute(shape: [], elements: .reals([value]))
  }

  /// The only string; nil for anything else.
  public var string: String? {
    if case .strings(let values) = elements, values.count == 1 { values[0] } else { nil }
  }
  /// All elements as reals; nil for text and other classes.
  public var reals: [Double]? {
    switch elements {
    case .integers(let values): values.map { Double($0) }
    case .reals(let values): values
    case .strings, .other: nil
    }
  }
  /// The only number; nil for anything else.
  public var real: Double? { reals.flatMap { $0.count == 1 ? $0[0] : nil } }

  /// "'text'", "4", "[1920, 1440]": the value in a message, at most 60 characters.
  public var summary: String {
    let parts: [String] =
      switch elements {
      case .strings(let values): values.prefix(8).map { "'\($0)'" }
      case .integers(let values): values.prefix(8).map { String($0) }
      case .reals(let values): values.prefix(8).map { String($0) }
      case .other(let name): ["a value of class \(name)"]
      }
    let text = shape.isEmpty && parts.count == 1 ? parts[0] : "[" + parts.joined(separator: ", ") + "]"
    return text.count <= 60 ? text : text.prefix(59) + "…"
  }
}
