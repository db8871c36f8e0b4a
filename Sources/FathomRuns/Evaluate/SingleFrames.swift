import DepthCore
import DepthDataset
import DepthDiagnosis
import DepthEvaluation
import FathomStorage

/// Scenes of one frame, which are worked on as the frames of a scene are: several at once, in order.
extension OpenEvaluation {
  /// What was found of such a scene.
  struct Single: Sendable {
    let rows: [FrameRecord], objects: FrameObjects
    /// Why its detections were not looked at; nil where they were.
    let leftOut: String?
    /// nil where the scene was not asked about its conventions.
    let findings: [Finding]?
    /// Where they are to be kept; nil where they are, or need not be.
    let entry: DiagnosisCache.Entry?
  }

  private struct Input: Sendable {
    let scene: SceneContext, frame: DepthFrame, detections: FrameDetections?
    let leftOut: String?
    var sample: SceneSample?
    var known: [Finding]?  // By an earlier run.
    var entry: DiagnosisCache.Entry?
  }

  /// Whether a scene can be worked on so.
  func isSingle(_ scene: SceneContext) -> Bool {
    plan.isSingle(scene) && !job.data.range(of: scene.header).isEmpty
  }

  /// Evaluates such scenes, and asks them about their conventions where the job does.
  /// - Parameter kept: What earlier runs kept of the data's conventions.
  /// - Parameter take: Takes in what was found, in the order of the scenes.
  /// - Returns: The first scene that could not be read, and why; those behind it were not read. nil where all could.
  /// - Throws: What `take` throws.
  func evaluate(
    singles scenes: [SceneContext], from source: any FrameSource, _ kept: DiagnosisCache.OfData?,
    _ observe: JobObserver,
    take: (Int, Single) throws(FathomError) -> Void
  ) async throws(FathomError) -> (position: Int, error: FathomError)? {
    let (plan, seed) = (plan, plan.seed)
    var failure: (position: Int, error: FathomError)?
    var full: FathomError?
    let atOnce = scenes.map { jobs(for: $0.header) }.min() ?? 1
    await FrameStream(scenes.indices, jobs: atOnce).run { position -> Input? in
      guard failure == nil, full == nil else { return nil }
      do throws(FathomError) {
        var (input, seen) = try read(scenes[position], from: source)
        let entry = kept?.entry(scenes[position].header.name)
        input.known = entry?.findings
        if job.diagnoses, input.known == nil {
          input.entry = entry
          // What was evaluated stays, as where the frames of a longer scene were.
          do throws(FathomError) {
            input.sample = try SceneSample(scenes[position].header, from: source, seen: seen)
          } catch { failure = (position, error) }
        }
        return input
      } catch {
        failure = (position, error)
        return nil
      }
    } work: { input -> Single? in
      guard let input else { return nil }
      let (rows, objects) = plan.evaluate(single: input.frame, of: input.scene, input.detections)
      return Single(
        rows: rows, objects: objects, leftOut: input.leftOut,
        findings: input.known ?? input.sample.map { SceneDiagnosis($0, seed: seed, threads: 1).findings },
        entry: input.entry)
    } take: { position, single in
      guard let single, full == nil else { return }
      observe(.advanced)
      do throws(FathomError) {
        try take(position, single)
        observe(.finished(scene: scenes[position].name, frames: 1))
      } catch { full = error }
    }
    if let full { throw full }
    return failure
  }

  private func read(
    _ scene: SceneContext, from source: any FrameSource
  ) throws(FathomError) -> (Input, seen: SeenFrames) {
    let available = try detections(of: scene, in: source)
    let frame = try source.frame(0, of: scene.header, including: plan.arrays)
    var seen = job.diagnoses ? SeenFrames(of: scene.header, including: plan.arrays) : SeenFrames()
    seen.see(frame)
    var detected: FrameDetections?
    if case .usable(let detections) = available { detected = try detections.frame(0, from: source) }
    return (Input(scene: scene, frame: frame, detections: detected, leftOut: available.reason), seen)
  }
}
