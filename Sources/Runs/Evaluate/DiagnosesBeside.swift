import DepthDiagnosis

/// Asks scenes about their conventions while the next ones are evaluated, one at a time.
struct DiagnosesBeside<Place> {
  typealias Done = (place: Place, findings: [Finding])

  private let seed: UInt64
  /// Whether anything may be done at the same time.
  private let isBeside: Bool
  private var underWay: (place: Place, work: Task<SceneDiagnosis, Never>)?

  init(seed: UInt64, jobs: Int) { (self.seed, isBeside) = (seed, jobs > 1) }

  /// Begins to ask a scene.
  ///
  /// - Returns: What was found of the one before, or of this one where nothing may be done at the same time.
  mutating func begin(_ place: Place, _ sample: SceneSample) async -> Done? {
    let before = await finish()
    let seed = seed
    underWay = (place, Task { SceneDiagnosis(sample, seed: seed) })
    return isBeside ? before : await finish()
  }

  /// Waits for the scene that is being asked; nil where none is.
  mutating func finish() async -> Done? {
    guard let (place, work) = underWay else { return nil }
    underWay = nil
    return (place, await work.value.findings)
  }
}
