import DepthCore
import Foundation

/// A steady drift of a tracker: one motion of the world. Every frame has made a share of it, in proportion to the way, or to
/// the frames, behind it.
struct PoseDrift: Hashable {
  /// The share of the motion that the pose of each frame lacks, by its index: from 0 at the first to 1 at the last.
  private let shares: [Int: Double]
  /// What brings the last frame back.
  private let motion: PosePieces.Motion
  private let isByWay: Bool
  /// Metres of the way, and frames, that the recording has.
  private let way: Double, frames: Int
  /// What trackers drift by in any recording: shares of the way, and radians in all.
  private static let (leastShare, leastTurn) = (0.02, 0.06)
  private static let most = 10

  /// The pose without the drift; nil where nothing is known of the frame.
  func undone(_ pose: RigidTransform, at index: Int) -> RigidTransform? {
    shares[index].map { (motion * $0)(pose) }
  }

  private var metres: Double { (motion.shift * motion.shift).sum().squareRoot() }
  private var radians: Double { (motion.turn * motion.turn).sum().squareRoot() }

  var isSmall: Bool { radians < Self.leastTurn && metres < Self.leastShare * way }

  var words: String {
    "by \((100 * metres).rounded1) cm and \((radians * 180 / .pi).rounded1)° in all, "
      + (isByWay ? "over \(way.rounded1) m of way" : "over \(frames) frames")
  }

  /// The drifts that make neighbouring frames agree best: in proportion to the way, and to the frames.
  static func all(of sample: SceneSample, base: GeometryReading) -> [PoseDrift] {
    let pieces = PosePieces(sample, base: base), ways = sample.ways
    let indices = sample.poses.keys.sorted()
    // Poses that are all at one place lack their translations, and do not drift.
    guard let first = indices.first, let last = indices.last, let way = ways[last], last > first, way > 0
    else { return [] }
    let clocks: [[Int: Double]] = [
      ways.mapValues { $0 / way },
      Dictionary(uniqueKeysWithValues: indices.map { ($0, Double($0 - first) / Double(last - first)) }),
    ]
    return concurrentMap(clocks.count, threads: sample.threads) { number -> PoseDrift? in
      let clock = clocks[number]
      let shares = pieces.frames.map { clock[sample.frames[$0].index] ?? 0 }
      return pieces.drift(shares, most: most).map {
        PoseDrift(shares: clock, motion: $0, isByWay: number == 0, way: way, frames: last - first + 1)
      }
    }.compactMap(\.self)
  }
}

extension PosePieces {
  /// The motion with which neighbours agree best if every view makes its share of it; nil where none is better.
  fileprivate func drift(_ shares: [Double], most: Int) -> Motion? {
    let pairs = pairs(0..<views.count, reach: 2).filter { shares[$0.from] != shares[$0.to] }
    guard !pairs.isEmpty else { return nil }
    let reach = pairs.reduce(0) { $0 + abs(shares[$1.to] - shares[$1.from]) } / Double(pairs.count)
    let centre =
      views.reduce(SIMD3<Double>.zero) { $0 + $1.worldFromCamera.translation } / Double(views.count)
    var motion = Motion(about: centre), result: Motion?
    func total(_ motion: Motion) -> Double { pairs.reduce(0) { $0 + cost(of: $1, shares, by: motion) } }
    var (best, lost) = (total(motion), 0)
    for _ in 0..<most where lost < 2 {
      guard let step = step(shares, pairs, from: motion, reach: reach) else { break }
      for parameter in 0..<6 { motion = motion.changed(parameter, by: step[parameter]) }
      let now = total(motion)
      if now < 0.995 * best { (best, result, lost) = (now, motion, 0) } else { lost += 1 }
    }
    return result
  }
}
