package import DepthCore
public import DepthDataset
public import DepthImport
import FathomRunFolders
import Foundation
public import FathomPlainText
public import FathomStorage

/// Which data a job looks at.
public struct DataSelection: Sendable {
  /// What an `OptionProblem` about the files is said to be about.
  public static let option: OptionName = "data-sets"
  /// Data sets, as files.
  public var paths: [String]
  /// Maps of networks and a truth in folders; then ``paths`` is empty.
  public var maps: MapSetRequest?
  /// What is made of the maps before they are scored; nil for nothing.
  package var adjustment: MapAdjustment?
  public var scenes = SceneChoice.all
  /// Which frames of every scene; nil for all.
  public var frames: FrameRange?
  /// Where external links, external storage, virtual data sets and links in folders are followed to other files.
  public var external = ExternalFolders()
  /// File of a mapping that says what every path holds; nil for data sets, and recordings of known formats.
  public var mapping: String?
  /// How results name the mapping where that is not its path: when shards are merged, which may be done in another folder.
  var mappingName: String?
  /// What predictions are compared with. `calibrate` has its own, which works on several frames at once.
  public var truth = TruthOrigin.stored
  public init(_ paths: [String]) { self.paths = paths }
  /// Maps of networks and a truth in folders.
  public init(maps: MapSetRequest) { (paths, self.maps) = ([], maps) }
  /// What is opened, in order.
  var inputs: [DataInput] { maps.map { [.maps($0)] } ?? paths.map { .path($0) } }
  /// What a job over these data is called: the files' names without folder and extension, joined by "+"; of many, the first and
  /// how many more.
  public var name: String { get throws(OptionProblem) { Self.name(ofLabels: try labels) } }

  static func name(ofLabels labels: [String]) -> String {
    labels.count > mostNames ? "\(labels[0])+\(labels.count - 1)-more" : labels.joined(separator: "+")
  }

  private static let mostNames = 8

  /// Names of the files in a run: without folder and extension, numbered where two share it. Maps in folders are called as the
  /// networks are.
  var labels: [String] {
    get throws(OptionProblem) {
      if let maps {
        let names = maps.predictions.compactMap(\.name)
        return names.isEmpty ? Self.labels(ofFiles: [maps.place]) : [Self.name(ofLabels: names)]
      }
      var seen: Set<String> = []
      for path in paths {
        let place = URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
        guard seen.insert(place).inserted else { throw OptionProblem(Self.option, "\(path) is given twice") }
      }
      return Self.labels(ofFiles: paths)
    }
  }

  static func labels(ofFiles paths: [String]) -> [String] {
    var uses: [String: Int] = [:]
    var taken: Set<String> = []
    return paths.map { path in
      let stem = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
      while true {
        let number = uses[stem, default: 0] + 1
        uses[stem] = number
        let label = number == 1 ? stem : "\(stem)-\(number)"
        if taken.insert(label).inserted { return label }
      }
    }
  }

  package func range(of scene: SceneHeader) -> Range<Int> {
    frames?.frames(of: scene) ?? 0..<scene.frameCount
  }
}
