import DepthCore
import DepthDiagnosis
import Foundation

/// Whether a fault of the poses, of K or of depth shows: neighbouring frames, carried into each other, differ twice as
/// much as in the right recording, or hardly meet any more.
enum Misfit {
  @Sendable static func shows(_ right: SceneSample, _ broken: SceneSample) -> Bool {
    guard let a = measure(right), let b = measure(broken) else { return false }
    return b.difference >= max(2 * a.difference, a.difference + 0.01) || b.meeting < a.meeting / 2
  }

  /// Whether the camera moves at all.
  @Sendable static func moves(_ right: SceneSample, _ broken: SceneSample) -> Bool {
    let places = right.frames.compactMap { $0.worldFromCamera?.translation }
    guard let first = places.first else { return right.frames.count > 2 }
    return places.contains { (($0 - first) * ($0 - first)).sum() > 1e-4 }
  }

  /// Median of |z − d|/d over neighbouring frames at full resolution, and the share of pixels that meet.
  private static func measure(_ sample: SceneSample) -> (difference: Double, meeting: Double)? {
    var (differences, pixels): ([Double], Int) = ([], 0)
    for (a, b) in zip(sample.frames, sample.frames.dropFirst()) {
      guard let from = view(a, sample), let to = view(b, sample), let excess = from.excess(in: to) else {
        continue
      }
      pixels += excess.count
      for (index, value) in excess.enumerated() where value.isFinite && index % 7 == 0 {
        differences.append(abs(value) / Double(from.depth.values[index]))
      }
    }
    guard pixels > 0 else { return nil }
    let median = OrderStatistics.median(of: differences) ?? .infinity
    return (median, 7 * Double(differences.count) / Double(pixels))
  }

  private static func view(_ frame: DepthFrame, _ sample: SceneSample) -> PosedDepth? {
    guard let k = frame.intrinsics, let pose = frame.worldFromCamera else { return nil }
    return PosedDepth(
      depth: frame.lidar, intrinsics: k, worldFromCamera: pose, convention: sample.header.cameraConvention)
  }
}

/// Whether ranks of relative map and LiDAR tell a fault.
enum Ranks {
  /// As stored they must agree well, and clearly better than the broken map in either kind.
  @Sendable static func tellsPlace(_ right: SceneSample, _ broken: SceneSample) -> Bool {
    guard let a = correlation(right), let b = correlation(broken) else { return false }
    return abs(a) >= 0.7 && abs(a) - abs(b) >= 0.2
  }

  @Sendable static func tellsKind(_ right: SceneSample, _ broken: SceneSample) -> Bool {
    abs(correlation(right) ?? 0) >= 0.6
  }

  private static func correlation(_ sample: SceneSample) -> Double? {
    let all = sample.frames.compactMap { frame -> Double? in
      guard let map = frame.relative else { return nil }
      var (a, b): ([Double], [Double]) = ([], [])
      for row in stride(from: 1, to: frame.lidar.height, by: 3) {
        for column in stride(from: 1, to: frame.lidar.width, by: 3) {
          let depth = Double(frame.lidar[row, column])
          let value = Double(
            map[row * map.height / frame.lidar.height, column * map.width / frame.lidar.width])
          guard depth > 0, depth.isFinite, value.isFinite else { continue }
          a.append(1 / depth)
          b.append(value)
        }
      }
      return a.count > 50 ? RankCorrelation.spearman(a, b) : nil
    }
    return all.isEmpty ? nil : all.reduce(0, +) / Double(all.count)
  }
}

/// By how much two maps go together as they lie, and as a fault has them, block by block of the image.
enum BlockEffect {
  private static let side = 4
  /// Student's t for fifteen degrees of freedom that is as improbable as three standard errors.
  private static let leastT = 3.6

  /// Whether the difference is at least so large, and three standard errors over the blocks of the image; what several
  /// frames show of one block is averaged.
  ///
  /// - Parameter frames: Of each frame both maps and how the second lies after the fault, row by row, NaN for none.
  static func shows(_ frames: [(a: [Double], right: [Double], broken: [Double], width: Int)], least: Double)
    -> Bool
  {
    var sums = [Double](repeating: 0, count: side * side), counts = sums
    for frame in frames {
      let used = frame.a.indices.filter {
        frame.a[$0].isFinite && frame.right[$0].isFinite && frame.broken[$0].isFinite
      }
      guard used.count > 300 else { continue }
      let a = standardised(used.map { frame.a[$0] })
      let (b, c) = (standardised(used.map { frame.right[$0] }), standardised(used.map { frame.broken[$0] }))
      let height = frame.a.count / frame.width
      for (position, index) in used.enumerated() {
        let (row, column) = (index / frame.width, index % frame.width)
        let block = side * (side * row / height) + side * column / frame.width
        sums[block] += a[position] * (b[position] - c[position])
        counts[block] += 1
      }
    }
    let effects = sums.indices.filter { counts[$0] > 0 }.map { sums[$0] / counts[$0] }
    guard effects.count > 8 else { return false }
    let n = Double(effects.count)
    let mean = effects.reduce(0, +) / n
    let variance = effects.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (n - 1)
    return mean >= least && mean >= leastT * (variance / n).squareRoot()
  }

  /// Ranks of mean 0 and variance 1.
  private static func standardised(_ values: [Double]) -> [Double] {
    let ranks = RankCorrelation.ranks(of: values)
    let mean = Double(ranks.count + 1) / 2
    let spread = (ranks.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(ranks.count)).squareRoot()
    return ranks.map { spread > 0 ? ($0 - mean) / spread : 0 }
  }
}

/// Whether the edges of picture and LiDAR tell how the picture lies.
enum Edges {
  private static let side = 48

  @Sendable static func tellPlace(_ right: SceneSample, _ broken: SceneSample) -> Bool {
    BlockEffect.shows(
      zip(right.frames, broken.frames).compactMap { frame, wrong in
        guard let image = frame.image, let turned = wrong.image else { return nil }
        let depth = steps { column, row in
          let depth = Double(frame.lidar[row * frame.lidar.height / side, column * frame.lidar.width / side])
          return depth > 0 && depth.isFinite ? log(depth) : .nan
        }
        return (depth, light(image), light(turned), side - 1)
      }, least: 0.15)
  }

  private static func light(_ image: Raster<RGB>) -> [Double] {
    steps { column, row in
      image[row * image.height / side, column * image.width / side].luminance.squareRoot()
    }
  }

  /// Steps among those of their neighbourhood: textured floors say nothing of how a picture lies.
  private static func steps(_ value: (Int, Int) -> Double) -> [Double] {
    let cells = (0..<side * side).map { value($0 % side, $0 / side) }
    let count = side - 1
    var steps = [Double](repeating: 0, count: count * count)
    for row in 0..<count {
      for column in 0..<count {
        let here: Double = cells[row * side + column]
        let right: Double = cells[row * side + column + 1], below: Double = cells[(row + 1) * side + column]
        steps[row * count + column] = abs(right - here) + abs(below - here)
      }
    }
    var levelled = steps
    for row in 0..<count {
      for column in 0..<count {
        var (sum, number) = (0.0, 0.0)
        for y in max(0, row - 4)...min(count - 1, row + 4) {
          for x in max(0, column - 4)...min(count - 1, column + 4) where steps[y * count + x].isFinite {
            sum += steps[y * count + x]
            number += 1
          }
        }
        levelled[row * count + column] = sum > 0 ? steps[row * count + column] * number / sum : .nan
      }
    }
    return levelled
  }
}

/// Whether returns of low confidence lie where depth is rough.
enum Roughness {
  /// Reversed, the correlation changes its sign: an effect of twice its size.
  @Sendable static func tellsOrder(_ right: SceneSample, _ broken: SceneSample) -> Bool {
    shows(right, broken, least: 0.3)
  }

  @Sendable static func tellsPlace(_ right: SceneSample, _ broken: SceneSample) -> Bool {
    shows(right, broken, least: 0.1)
  }

  private static func shows(_ right: SceneSample, _ broken: SceneSample, least: Double) -> Bool {
    BlockEffect.shows(
      zip(right.frames, broken.frames).compactMap { frame, wrong in
        guard let ours = frame.confidence, let theirs = wrong.confidence, ours.size == frame.lidar.size,
          theirs.size == ours.size
        else { return nil }
        let (width, height) = (frame.lidar.width / 2 - 1, frame.lidar.height / 2 - 1)
        func cells(_ value: (Int, Int) -> Double) -> [Double] {
          (0..<width * height).map { value(2 * ($0 % width) + 1, 2 * ($0 / width) + 1) }
        }
        let rough = cells { column, row in
          let d = frame.lidar[row, column]
          return Double(abs(frame.lidar[row, column + 1] + frame.lidar[row, column - 1] - 2 * d) / d)
        }
        return (rough, cells { -Double(ours[$1, $0]) }, cells { -Double(theirs[$1, $0]) }, width)
      }, least: least)
  }
}

/// Whether maps that are a frame late differ from those that are not.
enum Delay {
  static func shows(_ right: SceneSample, _ broken: SceneSample, of word: String) -> Bool {
    func value(_ frame: DepthFrame) -> DepthMap? { word == "truth" ? frame.truth : frame.relative }
    var changes: [Double] = []
    for (a, b) in zip(right.frames, right.frames.dropFirst()) {
      for index in stride(from: 0, to: a.lidar.values.count, by: 11) where index < b.lidar.values.count {
        let ratio = Double(a.lidar.values[index] / b.lidar.values[index])
        if ratio > 0, ratio.isFinite { changes.append(abs(log(ratio))) }
      }
    }
    return (OrderStatistics.median(of: changes) ?? 0) >= 0.05 && right.frames.allSatisfy { value($0) != nil }
  }
}

/// Whether the world's up can be told: level surfaces are many, and lie across no other axis.
enum Gravity {
  @Sendable static func tellsUp(_ right: SceneSample, _ broken: SceneSample) -> Bool {
    // The camera's own axes: one across the image stays level while the camera turns.
    let poses = right.frames.compactMap(\.worldFromCamera)
    guard let first = poses.first, poses.count > 3 else { return false }
    let turned = poses.contains { ($0.zAxis * first.zAxis).sum() < 0.8 }
    func tilt(_ up: UpAxis) -> Double {
      let roll = poses.map { pose in
        min(abs(up == .y ? pose.xAxis.y : pose.xAxis.z), abs(up == .y ? pose.yAxis.y : pose.yAxis.z))
      }
      return OrderStatistics.median(of: roll) ?? 1
    }
    return turned && tilt(right.header.upAxis) < 0.15 && tilt(broken.header.upAxis) > 0.35
  }
}
