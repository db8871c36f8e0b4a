/// What varies independently in the data: scenes, or blocks of frames where there is only one scene.
public struct CalibrationUnits: Sendable {
  public enum Kind: String, Sendable, Codable {
    /// The scene, as in all of Fathom's statistics.
    case scenes
    /// Consecutive frames of the one scene; what they show is not valid beyond it.
    case frameBlocks = "blocks of frames"
  }
  struct Unit: Sendable {
    var name: String, cells: [ErrorCell: CellTally]
    /// Kept pixels by level.
    var samples: [[ErrorSample]]
  }

  public let kind: Kind
  let units: [Unit]
  public var count: Int { units.count }
  init(kind: Kind, units: [Unit]) { (self.kind, self.units) = (kind, units) }

  init(_ scenes: [SceneErrors]) {
    guard scenes.count == 1, let scene = scenes.first else {
      self.init(
        kind: .scenes,
        units:
          scenes
          .map { scene in Unit(name: scene.name, cells: scene.cells, samples: (0...2).map(scene.samples)) })
      return
    }
    self.init(
      kind: .frameBlocks,
      units: scene.blocks.enumerated().filter { !$0.element.cells.isEmpty }.map { number, block in
        Unit(name: "\(scene.name), block \(number)", cells: block.cells, samples: block.samples)
      })
  }

  /// Kept pixels of a level, unit by unit.
  func samples(level: Int) -> [[ErrorSample]] { units.map { $0.samples[level] } }
}
