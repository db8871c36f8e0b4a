import DepthCore
import DepthDataset
public import FathomStorage

/// What the parts of an evaluation hold and how long they take: what `fathom plan` does. Reads headers only.
public struct PlanJob: Sendable {
  public struct Part: Sendable {
    public let part: ScenePart
    public var scenes = 0, frames = 0
    /// On one core, about: the standard methods without detected objects.
    public var seconds = 0.0
  }

  /// Data sets, as files.
  public var paths: [String]
  /// Number of parts.
  public var count: Int
  /// Where external links, external storage, virtual data sets and links in folders are followed to other files.
  public var external = ExternalFolders()
  /// File of a mapping that says what every path holds; nil for data sets, and recordings of known formats.
  public var mapping: String?
  public init(_ paths: [String], count: Int) { (self.paths, self.count) = (paths, count) }
  /// Seconds of one core for the standard methods: of a scene, of a frame, and of a million pixels of its truth and relative map.
  /// Measured; see docs/scale.md.
  static let cost = (scene: 0.05, frame: 0.12, pixels: 0.14)

  /// - Returns: Every part, in order.
  /// - Throws: `FathomError` where a data set cannot be read, `OptionProblem` where one is given twice.
  public func run() throws -> [Part] {
    var parts = (1...count).compactMap { ScenePart($0, of: count) }.map { Part(part: $0) }
    _ = try DataSelection(paths).name
    for path in paths {
      for scene in try DataSource.open(path, external: external, mapping: mapping).scenes {
        let outline = SceneOutline(scene)
        guard let place = parts.firstIndex(where: { $0.part.contains(outline) }) else { continue }
        let pixels = Double((scene.truthSize?.count ?? 0) + (scene.relativeSize?.count ?? 0)) / 1e6
        parts[place].scenes += 1
        parts[place].frames += scene.frameCount
        parts[place].seconds +=
          Self.cost.scene + Double(scene.frameCount) * (Self.cost.frame + Self.cost.pixels * pixels)
      }
    }
    return parts
  }
}
