import FathomPlainText
import DepthCore
import DepthDiagnosis
import DepthGraphics
import DepthObjects

/// Returns of one frame in the image of another, with the difference to the depth there in per cent.
struct CarriedPoints {
  /// What counts as agreement, and what is shown as disagreement in full: per cent.
  static let agreement = 2.0, largest = 10.0
  private static let columns = 64  // At most so many columns of returns: more would hide the image.
  private(set) var points: [EvidencePicture.ProjectedPoint] = []

  /// "2891 land, 94 % of them within 2 % of the depth there; median difference 0.6 %".
  var statement: String {
    guard let median = OrderStatistics.median(of: points.map(\.value)) else {
      return "none lands in the image"
    }
    let share = Quantity(Double(agreeing) / Double(points.count), .percent(0)).text
    let text =
      "\(points.count) land, \(share) of them within \(Quantity.fixed(Self.agreement, 0)) % "
      + "of the depth there; median difference \(Quantity.fixed(median, 2)) %"
    // No line begins with a sign.
    return text.replacing(" %", with: "\u{a0}%")
  }

  private var agreeing: Int { points.count { $0.value <= Self.agreement } }

  /// Positions of the frames whose returns mostly agree in one sample and not in the other.
  static func mostTelling(wrong: SceneSample, right: SceneSample) -> (source: Int, target: Int)? {
    func agreeing(_ sample: SceneSample, _ source: Int, _ target: Int) -> Int {
      CarriedPoints(from: sample.frames[source], to: sample.frames[target], in: sample.header).agreeing
    }
    var best: (source: Int, target: Int, gain: Int)?
    for source in right.frames.indices {
      for target in right.frames.indices where target != source {
        let gain = agreeing(right, source, target) - agreeing(wrong, source, target)
        if gain > best?.gain ?? .min { best = (source, target, gain) }
      }
    }
    return best.map { ($0.source, $0.target) }
  }

  init(from source: DepthFrame, to target: DepthFrame, in scene: SceneHeader) {
    guard let from = PosedCamera(of: source, in: scene), let to = PosedCamera(of: target, in: scene) else {
      return
    }
    let (lidar, there) = (source.lidar, target.lidar)
    let (size, other) = (from.intrinsics.imageSize, to.intrinsics.imageSize)
    let step = max(1, lidar.width / Self.columns)
    for row in stride(from: step / 2, to: lidar.height, by: step) {
      for column in stride(from: step / 2, to: lidar.width, by: step) {
        let depth = Double(lidar[row, column])
        guard depth > 0, depth.isFinite else { continue }
        let u = (Double(column) + 0.5) * Double(size.width) / Double(lidar.width)
        let v = (Double(row) + 0.5) * Double(size.height) / Double(lidar.height)
        guard let seen = to.project(from.point(u: u, v: v, depth: depth)),
          seen.u >= 0, seen.v >= 0, seen.u < Double(other.width), seen.v < Double(other.height)
        else { continue }
        let found = Double(
          there[
            Int(saturating: seen.v / Double(other.height) * Double(there.height)),
            Int(saturating: seen.u / Double(other.width) * Double(there.width))])
        guard found > 0, found.isFinite else { continue }
        points.append(.init(u: seen.u, v: seen.v, value: 100 * abs(seen.depth / found - 1)))
      }
    }
  }
}
