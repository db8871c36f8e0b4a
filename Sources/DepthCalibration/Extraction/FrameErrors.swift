public import DepthCore
public import DepthEvaluation
import FathomStatistics

/// Everything that a calibration takes from one frame.
public struct FrameErrors: Sendable {
  /// Position in the scene.
  public let index: Int
  /// Pixels with a return at confidence 0, 1 and 2.
  public let returns: [Int]
  /// Median relative error at confidence 0, 1 and 2; nil where too few pixels are there.
  public let medians: [Double?]
  /// How well confidence sorts the errors; nil without confidence map.
  public let sparsification: Sparsification?
  let cells: [ErrorCell: CellTally]
  /// Relative errors at confidence 0, 1 and 2, counted.
  let relativeErrors: [ErrorHistogram]
  /// Kept pixels by level.
  let samples: [[ErrorSample]]
  let leftOut: TruthAtLidar.LeftOut, unknownLevels: Int

  /// - Parameter frame: LiDAR, truth and, where there is one, confidence.
  /// - Parameter plan: What counts.
  /// - Parameter quota: Pixels of a level to keep, at most.
  /// - Parameter generator: Draws which.
  /// - Returns: nil for a frame without truth.
  public init?(_ frame: DepthFrame, plan: CalibrationPlan, quota: Int, using generator: inout SplitMix64) {
    guard let truth = frame.truth else { return nil }
    let found = LidarErrors(frame, truth: truth, plan: plan)
    index = frame.index
    (leftOut, unknownLevels) = (found.leftOut, found.unknownLevels)
    let measured = (0..<found.count).filter { !found.errors[$0].isNaN }
    let byLevel = (0...2).map { level in measured.filter { found.levels[$0] == level } }
    returns = byLevel.map(\.count)
    relativeErrors = byLevel.map { members in
      var histogram = ErrorHistogram()
      for index in members { histogram.add(abs(found.errors[index]) / found.depths[index]) }
      return histogram
    }
    let relative = measured.map { abs(found.errors[$0]) / found.depths[$0] }
    medians = byLevel.map { members in
      guard members.count >= plan.fewestForMedian else { return nil }
      return OrderStatistics.median(of: members.map { abs(found.errors[$0]) / found.depths[$0] })
    }
    sparsification =
      frame.confidence == nil
      ? nil : Sparsification(errors: relative, levels: measured.map { found.levels[$0] })
    cells = Self.cells(found)
    var kept: [[ErrorSample]] = []
    for members in byLevel {
      kept.append(
        Self.stratified(members, quota, using: &generator)
          .map { ErrorSample(depth: found.depths[$0], error: found.errors[$0]) })
    }
    samples = kept
  }

  private static func cells(_ found: LidarErrors) -> [ErrorCell: CellTally] {
    var members: [ErrorCell: [Int]] = [:]
    for index in 0..<found.count {
      let (level, bin) = (Int(found.levels[index]), CalibrationPlan.bin(of: found.depths[index]))
      for cell in [
        ErrorCell(level: level, bin: bin), ErrorCell(level: level, bin: nil), ErrorCell(level: nil, bin: bin),
        ErrorCell(level: nil, bin: nil),
      ] { members[cell, default: []].append(index) }
    }
    return members.mapValues { indices in
      CellTally(errors: indices.map { found.errors[$0] }, depths: indices.map { found.depths[$0] })
    }
  }

  /// One of every equal part, drawn within it: spread evenly, without the stripes that a fixed step would leave in a map.
  private static func stratified(_ members: [Int], _ quota: Int, using generator: inout SplitMix64) -> [Int] {
    guard members.count > quota else { return members }
    return (0..<quota).map { part in
      let (start, end) = (part * members.count / quota, (part + 1) * members.count / quota)
      let width = UInt64(end - start)
      return members[start + Int(generator.next().multipliedFullWidth(by: width).high)]
    }
  }
}
