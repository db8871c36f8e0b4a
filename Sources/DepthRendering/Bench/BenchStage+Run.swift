import FathomTables
import FathomRunFolders
import DepthCore
import DepthDataset
import DepthEvaluation
import DepthFusion
import DepthVerdicts
import FathomStorage
import Synchronization

extension BenchStage {
  /// What a run does besides fusing and scoring: reading and hashing its data, statistics, tables.
  /// - Parameter file: A data set with a frame like those that the stages get, which must be there when they run.
  package static func ofARun(on file: String) -> [BenchStage] {
    let run = SimulatedRun()
    return [
      stage("open and read a frame at 1920×1440", readsFile: true) { _ in
        let frame = Result { () throws(FathomError) in
          let reader = try DatasetReader(readingFrom: file)
          return try reader.frame(0, of: reader.scenes[0])
        }
        precondition((try? frame.get()) != nil, "the benchmark's own file can be read")
      },
      stage("hash its file", readsFile: true) { _ in
        precondition((try? FileDigest.sha256(ofFile: file)) != nil, "the benchmark's own file can be read")
      },
      stage("statistics of \(SimulatedRun.title)") { _ = run.evaluated(like: $0) },
      stage("tables of \(SimulatedRun.title)") { frame in
        for file in RunTables(run.known(like: frame)).files { _ = file.table.csv }
      },
    ]
  }

  private static func stage(
    _ id: String, readsFile: Bool = false, _ work: @escaping @Sendable (DepthFrame) -> Void
  ) -> BenchStage {
    BenchStage(id: id, kind: .disparity, targetMilliseconds: nil, readsFile: readsFile, work: work)
  }
}

/// A run of some scenes whose rows are those of one frame, each a little different.
private final class SimulatedRun: Sendable {
  static let (scenes, frames) = (24, 2)
  static let methods: [MethodSelection] = [.lidarBilinear, .smoothed, .ols, MethodSelection(.huber)]
  static let title = "\(scenes) scenes, \(frames) frames each, \(methods.count) methods"
  private let rows = Mutex<[FrameRecord]>([]), run = Mutex<EvaluationRun?>(nil)

  /// Means, intervals and tests, made anew.
  func evaluated(like frame: DepthFrame) -> EvaluationRun {
    let plan = EvaluationPlan(methods: Self.methods)
    let contexts = (0..<Self.scenes).map(Self.scene)
    let records = rows(like: frame, plan)
    return EvaluationRun(
      plan: plan, scenes: contexts, records: records, baseline: MethodSelection.lidarBilinear.id)
  }

  /// The same, made once.
  func known(like frame: DepthFrame) -> EvaluationRun {
    if let known = run.withLock({ $0 }) { return known }
    let made = evaluated(like: frame)
    run.withLock { $0 = made }
    return made
  }

  private func rows(like frame: DepthFrame, _ plan: EvaluationPlan) -> [FrameRecord] {
    let known = rows.withLock { $0 }
    if !known.isEmpty { return known }
    let one = plan.evaluate(frame, of: Self.scene(0))
    var generator = SplitMix64(seed: 1)
    let made = (0..<Self.scenes).flatMap { scene in
      (0..<Self.frames).flatMap { index in
        one.map { record in
          var record = record
          (record.scene, record.frameIndex, record.frame) = (Self.scene(scene).name, index, "\(index)")
          let factor = 0.9 + 0.2 * Double(generator.next() >> 11) * 0x1p-53
          record.values = record.values.map { $0.map { $0 * factor } }
          return record
        }
      }
    }
    rows.withLock { $0 = made }
    return made
  }

  private static func scene(_ index: Int) -> SceneContext {
    var header = SceneHeader(name: "scene-\(index)", frameCount: frames)
    header.relativeKind = .disparity
    header.lidarSize = RasterSize(width: 256, height: 192)
    return SceneContext(header: header, name: header.name)
  }
}
