import DepthEvaluation
import DepthFusion

/// Frames that no method can be scored in: they are nobody's failure.
struct FramesWithoutTruth {
  private let counts: [String: Int]

  init(_ run: EvaluationRun) {
    // A method may say first that it lacks a relative map; another one then says that the truth is missing.
    let frames = run.records.lazy.filter { $0.fusion.status == .noTruth }.map(Self.key)
    let unscored = Set(frames)
    counts = run.records.lazy.filter { unscored.contains(Self.key($0)) }
      .reduce(into: [:]) { $0[$1.method, default: 0] += 1 }
  }

  private static func key(_ record: FrameRecord) -> String { "\(record.scene)\u{0}\(record.frameIndex)" }

  /// How many of a method's frames are among them.
  func count(_ method: String) -> Int { counts[method] ?? 0 }

  /// How many there are.
  var most: Int { counts.values.max() ?? 0 }
}
