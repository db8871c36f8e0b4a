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
          let value = Double(map[row * map.height / frame.lidar.height, column * map.width / frame.lidar.width])
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

/// Whether the edges of picture and LiDAR tell how the picture lies.
enum Edges {
  @Sendable static func tellPlace(_ right: SceneSample, _ broken: SceneSample) -> Bool {
    guard let a = correlation(right), let b = correlation(broken) else { return false }
    return a >= 0.2 && a - b >= 0.15
  }

  private static func correlation(_ sample: SceneSample) -> Double? {
    let all = sample.frames.compactMap { frame -> Double? in
      guard let image = frame.image else { return nil }
      let (width, height) = (48, 48)
      func steps(_ value: (Int, Int) -> Double) -> [Double] {
        let cells = (0..<height).flatMap { row in (0..<width).map { value($0, row) } }
        let (across, down) = (width - 1, height - 1)
        var steps = [Double](repeating: 0, count: across * down)
        for row in 0..<down {
          for column in 0..<across {
            let here: Double = cells[row * width + column]
            let right: Double = cells[row * width + column + 1], below: Double = cells[(row + 1) * width + column]
            steps[row * across + column] = abs(right - here) + abs(below - here)
          }
        }
        // Among their neighbourhood: textured floors say nothing of how a picture lies.
        var levelled = steps
        for row in 0..<down {
          for column in 0..<across {
            var (sum, count) = (0.0, 0.0)
            for y in max(0, row - 4)...min(down - 1, row + 4) {
              for x in max(0, column - 4)...min(across - 1, column + 4) where steps[y * across + x].isFinite {
                sum += steps[y * across + x]
                count += 1
              }
            }
            levelled[row * across + column] = sum > 0 ? steps[row * across + column] * count / sum : .nan
          }
        }
        return levelled
      }
      let light = steps { column, row in
        image[row * image.height / height, column * image.width / width].luminance.squareRoot()
      }
      let depth = steps { column, row in
        let depth = Double(frame.lidar[row * frame.lidar.height / height, column * frame.lidar.width / width])
        return depth > 0 && depth.isFinite ? log(depth) : .nan
      }
      let both = light.indices.filter { light[$0].isFinite && depth[$0].isFinite }
      return both.count > 300 ? RankCorrelation.spearman(both.map { light[$0] }, both.map { depth[$0] }) : nil
    }
    return all.isEmpty ? nil : all.reduce(0, +) / Double(all.count)
  }
}

/// Whether returns of low confidence lie where depth is rough.
enum Roughness {
  @Sendable static func tellsOrder(_ right: SceneSample, _ broken: SceneSample) -> Bool {
    (correlation(right) ?? 0) <= -0.15
  }

  @Sendable static func tellsPlace(_ right: SceneSample, _ broken: SceneSample) -> Bool {
    guard let a = correlation(right), let b = correlation(broken) else { return false }
    return a <= -0.15 && b - a >= 0.1
  }

  private static func correlation(_ sample: SceneSample) -> Double? {
    let all = sample.frames.compactMap { frame -> Double? in
      guard let confidence = frame.confidence, confidence.size == frame.lidar.size else { return nil }
      var (a, b): ([Double], [Double]) = ([], [])
      for row in stride(from: 1, to: frame.lidar.height - 1, by: 2) {
        for column in stride(from: 1, to: frame.lidar.width - 1, by: 2) {
          let d = frame.lidar[row, column]
          let rough = abs(frame.lidar[row, column + 1] + frame.lidar[row, column - 1] - 2 * d) / d
          guard rough.isFinite else { continue }
          a.append(Double(rough))
          b.append(Double(confidence[row, column]))
        }
      }
      return RankCorrelation.spearman(a, b)
    }
    return all.isEmpty ? nil : all.reduce(0, +) / Double(all.count)
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
