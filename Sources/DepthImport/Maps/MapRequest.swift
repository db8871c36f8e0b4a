internal import FathomMapFiles
public import FathomStorage
package import DepthCore
internal import FathomPlainText

/// Maps of a network that a user adds to the frames of a recording or a data set.
public struct MapRequest: Sendable, Hashable, Codable {
  /// Name of the prediction; nil for relative depth.
  public var name: String?
  /// A folder with a file for each frame, or a file with all of them.
  public var path: String
  /// Where the files of an archive lie; nil where the path is a folder or a file of maps.
  package var unpacked: String?
  /// nil where the files' names settle it.
  public var meaning: MapMeaning?
  /// Whether maps of at most 256 levels are taken.
  public var allowsEightBits = false
  /// Stored numbers that stand for nothing.
  public var invalid: [Double]?
  /// How the numbers of a truth become metres, as the key `formula` of a mapping says it; nil where they stand for themselves.
  public var formula: String?
  /// Degrees by which the maps are turned clockwise before they fit: 0, 90, 180, 270.
  public var rotation = 0
  /// nil where maps of another aspect than the frames' are refused, unless a network's patches explain it.
  public var resize: PredictionResize?
  /// What its files hold beside the network's maps; nil for the maps themselves.
  package var beside: StoredPrediction.Certainty?
  /// Where links in the folder are followed out of it.
  public var external = ExternalFolders()

  public init(name: String?, path: String, meaning: MapMeaning? = nil) {
    (self.name, self.path, self.meaning) = (name, path, meaning)
  }

  /// The request for what lies beside these maps, as it is stored.
  package func companion(_ maps: DeviationMaps) -> MapRequest {
    var own = self
    (own.path, own.beside) = (maps.path, maps.certainty)
    // ARKit's levels are bytes, and what stands for no depth is a score like another.
    if maps.certainty == .confidence { (own.allowsEightBits, own.invalid) = (true, nil) }
    return own
  }

  /// Which array of its files is meant.
  var role: MapKeys.Role { beside.map { .beside($0) } ?? .prediction }
  /// Where its files lie.
  var place: String { unpacked ?? path }
  /// "relative depth", "prediction promptda", "deviation of prediction promptda"
  package var title: String {
    (beside.map { $0.rawValue + " of " } ?? "") + (name.map { "prediction \($0)" } ?? "relative depth")
  }
  /// What must be readable for it.
  var paths: [String] {
    [path, unpacked].compactMap(\.self).map(ImportOptions.absolute) + external.places(besides: path)
  }

  func failure(
    _ object: String?, _ reason: String, _ advice: Wording, kind: FathomError.Kind = .badData
  ) -> FathomError {
    FathomError(
      kind, attempted: "read the \(title)", file: path, object: object, reason: "\(reason)", advice: advice)
  }
}
