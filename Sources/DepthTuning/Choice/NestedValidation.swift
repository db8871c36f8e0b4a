/// A choice made again and again without the scenes that it is scored on.
public struct NestedValidation: Sendable {
  /// One scene held out.
  public struct HeldOut: Sendable {
    public let scene: String
    /// Position in the grid of what was chosen without it; the reference where nothing could be chosen.
    public let chosen: Int
    /// Position in the grid of the least loss without it.
    public let best: Int
    /// Loss in the scene of the choice, and of the reference.
    public let loss: Double, referenceLoss: Double
  }

  /// In the order of the scenes.
  public let heldOut: [HeldOut]
  /// Parts in which scenes were held out.
  public let folds: Int
  /// Loss of the choices in the scenes that they were made without, as the objective counts it.
  public let loss: Double
  /// The same of the configurations of least loss, whose in-sample loss flatters them.
  public let bestLoss: Double
  /// Reference minus choice, over held-out scenes, as the objective counts it; positive is a gain.
  public let gain: PairedGain

  /// - Parameter confirmed: Losses that held-out scenes are scored with, in the same scenes; all choices are among its
  ///   configurations.
  /// - Parameter candidates: Rows of `table` that may be chosen; nil for all.
  init(_ table: LossTable, folds: Int?, candidates: [Int]? = nil, scoredBy confirmed: LossTable) {
    let count = table.scenes.count
    let parts = min(max(2, folds ?? count), max(2, count))
    self.folds = parts
    let choices = (0..<parts).map { part in
      ConfigurationChoice(
        table, scenes: (0..<count).filter { $0 % parts != part }, candidates: candidates)
    }
    let reference = confirmed.losses(of: SearchGrid.reference)
    heldOut = (0..<count).map { scene in
      let choice = choices[scene % parts]
      let chosen = choice?.chosen ?? SearchGrid.reference
      return HeldOut(
        scene: table.scenes[scene], chosen: chosen, best: choice?.best ?? SearchGrid.reference,
        loss: confirmed.losses(of: chosen)[scene], referenceLoss: reference[scene])
    }
    loss = confirmed.statistic(heldOut.map(\.loss))
    bestLoss = confirmed.statistic(heldOut.enumerated().map { confirmed.losses(of: $1.best)[$0] })
    gain = PairedGain(reference, minus: heldOut.map(\.loss), folds: parts, in: confirmed)
  }

  /// The choices alone, before they are confirmed.
  static func choices(_ table: LossTable, folds: Int?, candidates: [Int]? = nil) -> Set<Int> {
    Set(
      NestedValidation(table, folds: folds, candidates: candidates, scoredBy: table).heldOut.flatMap {
        [$0.chosen, $0.best]
      })
  }
}
