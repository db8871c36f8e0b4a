public import DepthCore
public import DepthEvaluation
import FathomStatistics

/// What a calibration knows of one scene: sums, a row per frame and the kept pixels; never the frames themselves.
public struct SceneErrors: Sendable {
  /// Median relative errors of one frame.
  public struct Frame: Sendable, Codable {
    /// The data set's `frame_id`, or the position in the scene.
    public let name: String
    /// Run of consecutive frames that it belongs to, from 0: the unit within one scene.
    public let block: Int
    /// Pixels with a return, and median relative error, at confidence 0, 1 and 2.
    public let returns: [Int], medians: [Double?]
    /// Area between the curves by confidence and by error, and between none and by confidence.
    public let ause: Double?, aurg: Double?
  }
  /// A run of consecutive frames: the unit within one scene.
  struct Block: Sendable {
    var cells: [ErrorCell: CellTally] = [:]
    /// Kept pixels by level.
    var samples: [[ErrorSample]] = [[], [], []]
  }
  /// Blocks that a scene's frames are divided into, at most.
  static let mostBlocks = 10
  public let name: String
  /// Whether the confidence levels were measured by the sensor; else all counts as level 2.
  public let hasConfidence: Bool
  /// Where the truth comes from.
  public let independence: TruthIndependence
  /// Frames with truth, in order.
  public private(set) var frames: [Frame] = []
  private(set) var blocks: [Block]
  private(set) var relativeErrors = [ErrorHistogram](repeating: ErrorHistogram(), count: 3)
  private(set) var leftOut = TruthAtLidar.LeftOut()
  private(set) var unknownLevels = 0
  private let header: SceneHeader
  private var frameCount: Int { max(1, header.frameCount) }
  private let plan: CalibrationPlan

  public init(_ scene: SceneContext, plan: CalibrationPlan) {
    (name, self.plan) = (scene.name, plan)
    (hasConfidence, independence) = (scene.header.hasConfidence, scene.header.truthIndependence)
    header = scene.header
    blocks = Array(repeating: Block(), count: min(Self.mostBlocks, max(1, scene.header.frameCount)))
  }

  /// Measures a frame; may run at the same time as others.
  public func errors(of frame: DepthFrame) -> FrameErrors? {
    var generator = SplitMix64(
      seed: plan.seed, stream: header.name, header.frameID(frame.index), "kept pixels")
    let quota = (frame.index + 1) * plan.keptPixels / frameCount - frame.index * plan.keptPixels / frameCount
    return FrameErrors(frame, plan: plan, quota: quota, using: &generator)
  }

  /// Takes a frame in; frames come in order.
  public mutating func add(_ errors: FrameErrors) {
    let block = min(blocks.count - 1, errors.index * blocks.count / frameCount)
    frames.append(
      Frame(
        name: header.frameID(errors.index), block: block, returns: errors.returns, medians: errors.medians,
        ause: errors.sparsification?.area, aurg: errors.sparsification?.gainOverRandom))
    for level in 0...2 { relativeErrors[level].add(errors.relativeErrors[level]) }
    leftOut += errors.leftOut
    unknownLevels += errors.unknownLevels
    for (cell, tally) in errors.cells { blocks[block].cells[cell, default: CellTally()] += tally }
    for level in 0...2 { blocks[block].samples[level] += errors.samples[level] }
  }

  /// LiDAR pixels without truth: unknown, on a depth step, out of the range that counts.
  public var pixelsWithoutTruth: (unknown: Int, steps: Int, outOfRange: Int) {
    (leftOut.unknown, leftOut.steps, leftOut.outOfRange)
  }

  /// The cells of the whole scene.
  var cells: [ErrorCell: CellTally] {
    blocks.reduce(into: [:]) { total, block in
      for (cell, tally) in block.cells { total[cell, default: CellTally()] += tally }
    }
  }

  /// Whether any pixel has both truth and a return.
  public var hasErrors: Bool { frames.contains { $0.returns.contains { $0 > 0 } } }
  /// Kept pixels of a level.
  func samples(level: Int) -> [ErrorSample] { blocks.flatMap { $0.samples[level] } }
}

extension SceneErrors {
  /// What the frames of a scene gave, without what its header and the plan say.
  package struct Stored: Codable, Sendable {
    struct Cell: Codable, Sendable {
      let cell: ErrorCell, tally: CellTally
    }
    struct Block: Codable, Sendable {
      /// In the order of the cells, so that equal scenes have equal texts.
      let cells: [Cell]
      let samples: [[ErrorSample]]
    }

    let frames: [Frame], blocks: [Block], relativeErrors: [ErrorHistogram]
    let leftOut: TruthAtLidar.LeftOut, unknownLevels: Int
  }

  package var stored: Stored {
    Stored(
      frames: frames,
      blocks: blocks.map { block in
        Stored.Block(
          cells: block.cells.sorted { $0.key < $1.key }.map { Stored.Cell(cell: $0.key, tally: $0.value) },
          samples: block.samples)
      },
      relativeErrors: relativeErrors, leftOut: leftOut, unknownLevels: unknownLevels)
  }

  /// - Returns: nil where what was stored is of another scene.
  package init?(_ stored: Stored, of scene: SceneContext, plan: CalibrationPlan) {
    self.init(scene, plan: plan)
    guard stored.blocks.count == blocks.count, stored.relativeErrors.count == relativeErrors.count
    else { return nil }
    blocks = stored.blocks.map { block in
      Block(
        cells: Dictionary(block.cells.map { ($0.cell, $0.tally) }) { first, _ in first },
        samples: block.samples)
    }
    (frames, relativeErrors) = (stored.frames, stored.relativeErrors)
    (leftOut, unknownLevels) = (stored.leftOut, stored.unknownLevels)
  }
}
