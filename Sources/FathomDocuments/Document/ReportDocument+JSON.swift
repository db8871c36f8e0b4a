import Foundation
import FathomStorage

extension ReportDocument {
  /// With sorted keys, so that equal reports give equal bytes.
  public var json: String { get throws { try CanonicalJSON.text(self, isPretty: false) + "\n" } }

  /// Reads `report.json`.
  /// - Throws: `DecodingError` where it is not a document.
  public init(json: String) throws {
    self = try JSONDecoder().decode(ReportDocument.self, from: Data(json.utf8))
  }
}
