import DepthDiagnosis

/// Asks scenes about their conventions while the next ones are evaluated, one at a time.
struct DiagnosesBeside<Place> {
  typealias Done = (place: Place, findings: [Finding])
  private let seed: UInt64
  private let jobs: Int  // What may be done at the same time; 1 for nothing.
  private var underWay: (place: Place, work: Task<SceneDiagnosis, Never>)?
  init(seed: UInt64, jobs: Int) { (self.seed, self.jobs) = (seed, jobs) }

  /// Begins to ask a scene.
  /// - Parameter isLast: Nothing else is left to do, so that its diagnosis may use every thread.
  /// - Returns: What was found of the one before, or of this one where nothing may be done at the same time.
  mutating func begin(_ place: Place, _ sample: SceneSample, isLast: Bool) async -> Done? {
    let before = await finish()
    let (seed, threads) = (seed, isLast ? jobs : 1)
    underWay = (place, Task { SceneDiagnosis(sample, seed: seed, threads: threads) })
    return jobs > 1 ? before : await finish()
  }

  /// Waits for the scene that is being asked; nil where none is.
  mutating func finish() async -> Done? {
    guard let (place, work) = underWay else { return nil }
    underWay = nil
    return (place, await work.value.findings)
  }
}
