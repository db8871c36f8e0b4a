import DepthCore
import DepthDataset
import DepthImport
import DepthMapSets
import FathomPlainText
import FathomStorage
import FathomTestSupport

/// Folders of maps and a truth, to be spoilt.
final class MadeMapSet {
  let folder: TemporaryFolder
  static let width = 8, height = 6

  init() throws { folder = try TemporaryFolder() }

  /// Metres of a frame, 1 to 3.35, other ones in each.
  static func metres(_ frame: Int) -> [Float] {
    (0..<width * height).map { 1 + 0.05 * Float(($0 * 7 + frame) % (width * height)) }
  }

  /// - Parameter shape: As numpy writes it; by default of one map.
  static func numpy(_ values: [Float], _ shape: String = "6, 8") -> [UInt8] {
    MadeNumpy.array(values, shape)
  }

  /// Writes a frame's truth in metres, or what becomes of it.
  func put(_ frame: Int, _ name: String, _ change: (Float) -> Float = { $0 }) throws {
    try folder.put(Self.numpy(Self.metres(frame).map(change)), name)
  }

  /// Maps "NAME" in a folder of that name.
  func request(
    _ names: [String] = ["net"], truth: String? = "gt", meaning: MapMeaning? = .metric
  ) -> MapSetRequest {
    MapSetRequest(
      predictions: names.map { MapRequest(name: $0, path: folder.path($0), meaning: meaning) },
      truth: truth.map { MapRequest(name: nil, path: folder.path($0)) })
  }

  /// The error of opening it without the folder's path; "no error" where there is none.
  func fault(_ request: MapSetRequest, _ body: (MapSetSource) throws -> Void = { _ in }) -> String {
    do { try body(try MapSetSource(request)) } catch {
      let words = (error as? FathomError)?.onCommandLine ?? "\(error)"
      return words.replacing(folder.path("") + "/", with: "").replacing(folder.path(""), with: "")
    }
    return "no error"
  }
}

extension MapSetSource {
  /// Everything of a frame.
  func everything(_ index: Int, _ scene: Int = 0) throws -> DepthFrame {
    try frame(index, of: scenes[scene], including: .all)
  }

  /// Problems of the notes.
  var notes: [String] { issues.map(\.problem) }
}
