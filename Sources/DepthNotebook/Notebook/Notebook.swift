public import FathomTables
import Foundation
import FathomStorage

/// A Jupyter notebook without outputs, in nbformat 4.5.
public struct Notebook: Sendable, Encodable {
  struct Cell: Sendable {
    /// What kind of text it is.
    enum Kind: String, Sendable { case code, markdown }
    let id: String, kind: Kind
    let source: String  // Without a line feed at the end.
  }

  let cells: [Cell]  // In order.

  /// The analysis of a run, with the cells that its tables allow.
  /// - Parameter hasLidar: Whether the run's data have a LiDAR; without one there are networks' maps and a truth.
  public init(of dictionary: TableDictionary, hasLidar: Bool = true) {
    cells = (hasLidar ? NotebookSource.analysis : .analysisOfMaps).cells(for: dictionary)
  }

  /// The file's text, with sorted keys.
  public var json: String { get throws { try CanonicalJSON.text(self) + "\n" } }

  private enum Key: String, CodingKey {
    case cells, metadata, nbformat
    case minorFormat = "nbformat_minor"
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(cells, forKey: .cells)
    try container.encode(Metadata(), forKey: .metadata)
    try container.encode(4, forKey: .nbformat)
    try container.encode(5, forKey: .minorFormat)
  }

  private struct Metadata: Encodable {
    var kernelspec = ["display_name": "Python 3", "language": "python", "name": "python3"]
    var language = ["name": "python"]
    private enum CodingKeys: String, CodingKey { case kernelspec, language = "language_info" }
  }
}

extension Notebook.Cell: Encodable {
  private enum Key: String, CodingKey {
    case id, metadata, outputs, source
    case kind = "cell_type", count = "execution_count"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(id, forKey: .id)
    try container.encode(kind.rawValue, forKey: .kind)
    try container.encode([String: String](), forKey: .metadata)
    // A list of lines with their ends, as Jupyter writes it.
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    try container.encode(
      lines.enumerated().map { $0 < lines.count - 1 ? $1 + "\n" : String($1) }, forKey: .source)
    guard kind == .code else { return }
    try container.encodeNil(forKey: .count)
    try container.encode([String](), forKey: .outputs)
  }
}
