import DepthCore
import DepthDataset
import DepthDiagnosis
import Foundation
import FathomStorage

/// A scene of a real recording, or a correct variant of one.
struct Recording: Sendable {
  /// "stray/stray" or "stray/stray, portrait".
  var name: String
  var sample: SceneSample

  /// Every scene of a data set.
  static func all(in path: String) throws -> [Recording] {
    let reader = try DatasetReader(readingFrom: path, validation: .lenient)
    let file = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    return try reader.scenes.map { scene in
      Recording(name: "\(file)/\(scene.name)", sample: try SceneSample(scene, from: reader))
    }
  }

  /// Correct files that are made of it: parts, turned recordings, and networks that are right but poor.
  var variants: [Recording] {
    let count = sample.frames.count
    var variants = [self]
    func add(_ words: String, _ sample: SceneSample) {
      variants.append(Recording(name: "\(name), \(words)", sample: sample))
    }
    if count > 1 { add("first frame", sample.keeping([0])) }
    if count > 4 {
      add("first four frames", sample.keeping(Array(0..<4)))
      add("last half", sample.keeping(Array(count / 2..<count)))
      add("every third frame", sample.keeping(Array(stride(from: 0, to: count, by: 3))))
    }
    add("portrait", sample.turned(.clockwise))
    add("upside down", sample.turned(.half))
    if sample.header.lidarSize != nil, sample.frames.contains(where: { !$0.lidar.values.isEmpty }) {
      for seed in UInt64(1)...6 {
        let network = PoorNetwork(rankCorrelation: 0.6, seed: seed)
        add("poor network \(seed)", network.adding(to: sample))
        if count > 1 { add("first frame, poor network \(seed)", network.adding(to: sample.keeping([0]))) }
      }
    }
    return variants
  }
}

extension SceneSample {
  /// Without the other frames.
  func keeping(_ positions: [Int]) -> SceneSample {
    var header = header
    header.frameCount = positions.count
    let times = header.timestampsSeconds
    header.timestampsSeconds = times.map { times in positions.map { times[frames[$0].index] } }
    header.imageFrames = nil
    var kept = positions.map { frames[$0] }
    for index in kept.indices { kept[index].index = index }
    return SceneSample(header: header, frames: kept)
  }

  /// The same recording by a camera that was held otherwise.
  func turned(_ turn: ImageTurn) -> SceneSample {
    var header = header
    header.lidarSize = header.lidarSize?.turned(turn)
    header.relativeSize = header.relativeSize?.turned(turn)
    header.truthSize = header.truthSize?.turned(turn)
    header.colourSize = header.colourSize?.turned(turn)
    header.intrinsics = header.intrinsics?.turned(turn)
    let frames = frames.map { frame in
      var frame = frame
      frame.lidar = frame.lidar.turned(turn)
      frame.confidence = frame.confidence?.turned(turn)
      frame.relative = frame.relative?.turned(turn)
      frame.truth = frame.truth?.turned(turn)
      frame.image = frame.image?.turned(turn)
      frame.intrinsics = frame.intrinsics?.turned(turn)
      frame.worldFromCamera = frame.worldFromCamera?.turned(turn, axes: header.cameraConvention)
      for index in frame.predictions.indices {
        frame.predictions[index].map = frame.predictions[index].map.turned(turn)
      }
      return frame
    }
    return SceneSample(header: header, frames: frames)
  }
}

/// A network that is right but poor: the true disparity with errors that are as smooth as the room, and alike in all
/// frames of a view, as those of a network are.
struct PoorNetwork {
  /// Spearman's ρ with the true disparity, about.
  var rankCorrelation: Double
  var seed: UInt64

  private static let size = RasterSize(width: 128, height: 96)

  /// The sample with its maps.
  func adding(to sample: SceneSample) -> SceneSample {
    var header = sample.header
    let isPortrait = (header.lidarSize?.height ?? 0) > (header.lidarSize?.width ?? 0)
    let size = isPortrait ? Self.size.turned(.clockwise) : Self.size
    (header.relativeSize, header.relativeKind) = (size, .disparity)
    var generator = SplitMix64(seed: seed)
    func uniform() -> Double { Double(generator.next() >> 11) * 0x1p-53 }
    // A few waves across the image, a slope among them.
    let waves = (0..<6).map { index in
      (
        x: (uniform() - 0.5) * (index < 2 ? 1 : 6), y: (uniform() - 0.5) * (index < 2 ? 1 : 6),
        phase: 2 * Double.pi * uniform(), size: uniform()
      )
    }
    let frames = sample.frames.map { frame in
      var frame = frame
      let disparity = (0..<size.count).map { index -> Double in
        let column = (2 * (index % size.width) + 1) * frame.lidar.width / (2 * size.width)
        let row = (2 * (index / size.width) + 1) * frame.lidar.height / (2 * size.height)
        let depth = Double(frame.lidar[row, column])
        return depth > 0 && depth.isFinite ? 1 / depth : .nan
      }
      let known = disparity.filter(\.isFinite)
      guard known.count > 100 else { return frame }
      let mean = known.reduce(0, +) / Double(known.count)
      let spread = (known.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(known.count)).squareRoot()
      let field = (0..<size.count).map { index -> Double in
        let (x, y) = (
          Double(index % size.width) / Double(size.width), Double(index / size.width) / Double(size.height)
        )
        return waves.reduce(0) { $0 + $1.size * sin(2 * .pi * ($1.x * x + $1.y * y) + $1.phase) }
      }
      // Bisection for the weight of the errors that gives the asked correlation.
      var (low, high) = (0.0, 8.0)
      func map(_ weight: Double) -> [Double] {
        zip(disparity, field).map { ($0.isFinite ? $0 - mean : 0) / max(spread, 1e-9) + weight * $1 }
      }
      let valid = disparity.indices.filter { disparity[$0].isFinite && $0 % 3 == 0 }
      for _ in 0..<12 {
        let middle = (low + high) / 2
        let values = map(middle)
        let rho = RankCorrelation.spearman(valid.map { values[$0] }, valid.map { disparity[$0] }) ?? 0
        if rho > rankCorrelation { low = middle } else { high = middle }
      }
      frame.relative = DepthMap(
        width: size.width, height: size.height, values: map(low).map { Float(10 + $0) })
      return frame
    }
    return SceneSample(header: header, frames: frames)
  }
}
