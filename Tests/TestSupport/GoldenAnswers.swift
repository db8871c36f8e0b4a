import Foundation

/// Answers from numpy and scipy, written by Tests/Reference/make_golden.py; see golden/README.md.
public struct GoldenAnswers: Decodable, Sendable {
  public struct Line: Decodable, Sendable, CustomTestStringConvertibleByName {
    public let name: String
    public let x: [Double], y: [Double], weights: [Double], singular_values: [Double]
    public let rank: Int
    public let condition: Double, spread: Double
    public let ols_slope: Double, ols_intercept: Double, wls_slope: Double, wls_intercept: Double
    public let huber_slope: Double, huber_intercept: Double, huber_sigma: Double
    public let lad_objective: Double
    /// Absent where several lines are best.
    public let lad_slope: Double?, lad_intercept: Double?
  }
  public struct Eigen: Decodable, Sendable, CustomTestStringConvertibleByName {
    public let name: String
    public let n: Int
    public let matrix: [Double], eigenvalues: [Double]
    public let eigenspaces: [Eigenspace]

    /// The space of equal eigenvalues: its projector is determined, its vectors are not.
    public struct Eigenspace: Decodable, Sendable {
      public let first: Int, count: Int
      /// Distance to the nearest other eigenvalue, relative to the largest.
      public let gap: Double
      public let projector: [Double]
    }
  }
  public struct Solve: Decodable, Sendable, CustomTestStringConvertibleByName {
    public let name: String
    public let n: Int
    public let matrix: [Double], rhs: [Double], solution: [Double]
    public let condition: Double
  }
  public struct LeastSquares: Decodable, Sendable, CustomTestStringConvertibleByName {
    public let name: String
    public let rows: Int, columns: Int, rank: Int
    public let matrix: [Double], rhs: [Double], solution: [Double], singular_values: [Double]
  }
  /// A case of the metrics; the columns are looked up by name.
  public struct Metrics: Decodable, Sendable, CustomTestStringConvertibleByName {
    public let name: String
    public let predicted: [Double], truth: [Double]
    public let measured: [Bool]
    /// Every number of the case by its name; null is absent.
    public let numbers: [String: Double]

    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: AnyKey.self)
      name = try container.decode(String.self, forKey: AnyKey("name"))
      predicted = try container.decode([Double].self, forKey: AnyKey("predicted"))
      truth = try container.decode([Double].self, forKey: AnyKey("truth"))
      measured = try container.decode([Bool].self, forKey: AnyKey("measured"))
      let arrays: Set = ["name", "predicted", "truth", "measured"]
      numbers = try container.allKeys.filter { !arrays.contains($0.stringValue) }
        .reduce(into: [:]) { $0[$1.stringValue] = try container.decode(Double?.self, forKey: $1) }
    }
  }

  public let lines: [Line]
  public let metrics: [Metrics]
  public let symmetric_eigen: [Eigen]
  public let solves: [Solve]
  public let least_squares: [LeastSquares]

  /// The committed file.
  public static let shared: GoldenAnswers = {
    let url = PackageFiles.root.appendingPathComponent("Tests/Reference/golden/fits.json")
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do {
      return try decoder.decode(GoldenAnswers.self, from: Data(contentsOf: url))
    } catch {
      preconditionFailure("the golden answers cannot be read: \(error)")
    }
  }()
}

/// Cases are shown by name in test output.
public protocol CustomTestStringConvertibleByName: CustomStringConvertible {
  var name: String { get }
}

extension CustomTestStringConvertibleByName {
  public var description: String { name }
}

private struct AnyKey: CodingKey {
  let stringValue: String
  let intValue: Int? = nil
  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}
