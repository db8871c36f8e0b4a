import FathomStorage
import DepthCore
import DepthDataset
import DepthDiagnosis

/// Asks data whether they keep to their conventions, several scenes at a time.
enum SceneDiagnoses {
  /// - Parameter places: Scenes and where they lie.
  /// - Parameter jobs: Scenes that are looked at at once.
  /// - Parameter take: Takes in each scene's diagnosis, in order.
  /// - Throws: `FathomError` where a file cannot be read, and what `take` throws.
  static func diagnose(
    _ places: [(scene: SceneHeader, source: any FrameSource)], seed: UInt64, jobs: Int,
    take: (Int, SceneDiagnosis) throws -> Void
  ) async throws {
    var failure: (any Error)?
    // Of one scene alone, the tests themselves are shared out.
    let threads = max(1, jobs / max(1, places.count))
    try await FrameStream(places.indices, jobs: jobs).run { (index) throws(FathomError) in
      try SceneSample(places[index].scene, from: places[index].source, threads: jobs)
    } work: { sample in
      SceneDiagnosis(sample, seed: seed, threads: threads)
    } take: { index, diagnosis in
      guard failure == nil else { return }
      do { try take(index, diagnosis) } catch { failure = error }
    }
    if let failure { throw failure }
  }
}
