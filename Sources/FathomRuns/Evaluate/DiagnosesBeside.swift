import DepthDiagnosis
import FathomStorage

/// Asks scenes about their conventions while the next ones are evaluated, one at a time.
struct DiagnosesBeside<Place> {
  struct Done {
    let place: Place, findings: [Finding]
    /// Where they are to be kept; nil where they are.
    let entry: DiagnosisCache.Entry?
  }

  private let seed: UInt64
  private let jobs: Int  // What may be done at the same time; 1 for nothing.
  private var underWay: (place: Place, entry: DiagnosisCache.Entry?, work: Task<[Finding], Never>)?
  init(seed: UInt64, jobs: Int) { (self.seed, self.jobs) = (seed, jobs) }

  /// Begins to ask a scene.
  /// - Parameter entry: Where findings of an earlier run may be kept.
  /// - Parameter isLast: Nothing else is left to do, so that its diagnosis may use every thread.
  /// - Parameter sample: Reads what is looked at, where nothing is kept.
  /// - Returns: What was found of the one before, or of this one where nothing may be done at the same time.
  /// - Throws: What `sample` throws; what was begun before stays under way.
  mutating func begin(
    _ place: Place, _ entry: DiagnosisCache.Entry?, isLast: Bool,
    sample: () throws(FathomError) -> SceneSample
  ) async throws(FathomError) -> Done? {
    var entry = entry
    let work: @Sendable () -> [Finding]
    if let known = entry?.findings {
      (work, entry) = ({ known }, nil)
    } else {
      // Before the one under way is taken, which would be lost with an error.
      let (sample, seed, threads) = (try sample(), seed, isLast ? jobs : 1)
      work = { SceneDiagnosis(sample, seed: seed, threads: threads).findings }
    }
    let before = await finish()
    underWay = (place, entry, Task { work() })
    return jobs > 1 ? before : await finish()
  }

  /// Waits for the scene that is being asked; nil where none is.
  mutating func finish() async -> Done? {
    guard let (place, entry, work) = underWay else { return nil }
    underWay = nil
    return Done(place: place, findings: await work.value, entry: entry)
  }
}
