package import DepthCore
import DepthEvaluation
package import DepthFusion
import DepthGraphics
import FathomDrawingScales
import Foundation

/// A piece of work that is timed.
package struct BenchStage: Sendable {
  package let id: String
  package let kind: RelativeKind  // Kind of relative map that it is made for.
  /// What it should take at most, on the machine that the targets were set on.
  package let targetMilliseconds: Double?
  package var readsFile = false  // Whether it reads the data set.
  let work: @Sendable (DepthFrame) -> Void

  /// - Parameter pairs: What the stages of fits alone take.
  /// - Parameter file: A data set with such a frame, for the stages that read it.
  package static func all(fitting pairs: FitProblem, file: String) -> [BenchStage] {
    let specified = [
      fusion(SpecifiedFusion.spec, .depth, target: 0.5),
      fusion(SpecifiedFusion.shipped, .disparity, target: 0.5),
    ]
    let usual = [Estimator.ols, .wls].map {
      fusion(FittedFusion($0, in: .disparity), .disparity, target: targets[$0.id])
    }
    let local = local.map { fusion($0, .disparity, target: targets[$0.id]) }
    let wholes: [BenchStage] = Estimator.all.map(allPairs)
    let fits: [BenchStage] = Estimator.all.map { fit($0, to: pairs) }
    let size = RasterSize(width: 960, height: 720)
    let choice: [BenchStage] = [
      fusion(
        AutoFusion(), .disparity, target: 20, name: "auto at 960×720, no image", size: size, isBlind: true),
      fusion(AutoFusion(), .disparity, target: nil, name: "auto at 960×720", size: size), evaluation,
    ]
    return [specified, usual, wholes, fits, local, choice, ofARun(on: file), overlays].flatMap { $0 }
  }

  package static let local: [LocalFusion] = [.guided, .residual, .lwlr, .nearestAnchors]

  private static let evaluation = BenchStage(
    id: "evaluate lidar-bilinear at 1920×1440", kind: .disparity, targetMilliseconds: nil
  ) { frame in
    var header = SceneHeader(name: "bench", frameCount: 1)
    header.relativeKind = .disparity
    let plan = EvaluationPlan(methods: [.lidarBilinear])
    _ = plan.evaluate(frame, of: SceneContext(header: header, name: "bench"))
  }

  /// Of a picture without two equal neighbours.
  private static func pixel(_ index: Int) -> RGBA {
    let (red, green, blue) = (UInt8(index & 255), UInt8(index >> 8 & 255), UInt8(index >> 16 & 255))
    return RGBA(red: red, green: green, blue: blue)
  }

  private static let overlayTarget = 16.0  // A frame at 60 Hz.

  private static let overlays: [BenchStage] = {
    let size = RasterSize(width: 1920, height: 1440)
    let below = Raster(width: size.width, height: size.height, values: (0..<size.count).map(pixel))
    func stage(_ name: String, _ layer: @escaping @Sendable (DepthFrame) -> any PictureLayer) -> BenchStage {
      BenchStage(id: "overlay \(name)", kind: .disparity, targetMilliseconds: overlayTarget) { frame in
        // With the copy of the picture that every frame of a camera would be.
        var picture = below
        layer(frame).draw(on: &picture)
      }
    }
    let scale = ColourScale(.turbo, range: 0.5...5, label: "depth", unit: "m")
    return [
      stage("ramp") { DepthRamp($0.lidar) },
      stage("turbo") { PerceptualDepth($0.lidar, scale: scale, opacity: 0.4) },
    ]
  }()

  /// Milliseconds for the pairs of a 256×192 map, the fit and the fused map.
  private static let targets: [String: Double] = [
    "ols": 1.5, "ransac": 3, "huber": 8, "tukey": 8, "lmeds": 15, "lad": 60, "theil-sen": 60, "guided": 25,
  ]

  private static func allPairs(_ estimator: Estimator) -> BenchStage {
    let method = FittedFusion(estimator, in: .disparity)
    var options = FusionOptions()
    options.minConfidence = 0
    options.maxDepth = 1000
    return fusion(
      method, .disparity, target: targets[estimator.id], name: "\(estimator.id) all pairs", options: options)
  }

  /// The pairs of those stages: every return with a positive relative value, in disparity.
  package static func allPairs(of frame: DepthFrame) -> FitProblem {
    var (x, y) = ([Double](), [Double]())
    if let relative = frame.relative {
      BilinearSampler(source: frame.lidar.size, target: relative.size).forEachSample(of: relative) {
        index, r in
        let depth = Double(frame.lidar.values[index])
        guard depth > FusionOptions().minDepth && depth < 1000 && r > 0 else { return }
        x.append(r)
        y.append(1 / depth)
      }
    }
    return FitProblem(space: .disparity, x: x, y: y)
  }

  private static func fit(_ estimator: Estimator, to pairs: FitProblem) -> BenchStage {
    BenchStage(id: "\(estimator.id) fit alone", kind: .disparity, targetMilliseconds: nil) { _ in
      var generator = SplitMix64(seed: 1)
      _ = try? estimator.fit(pairs, FusionOptions(), &generator)
    }
  }

  private static func fusion(
    _ method: some FusionMethod, _ kind: RelativeKind, target: Double?, name: String? = nil,
    options: FusionOptions = FusionOptions(), size: RasterSize? = nil, isBlind: Bool = false
  ) -> BenchStage {
    var context = FusionContext(options: options, relativeKind: kind)
    context.outputSize = size
    return BenchStage(id: name ?? method.id, kind: kind, targetMilliseconds: target) { [context] frame in
      var frame = frame
      if isBlind { frame.image = nil }
      var generator = SplitMix64(seed: 1)
      _ = method.fuse(frame, in: context, using: &generator)
    }
  }

  /// Median and least time of this thread in milliseconds, after three runs to warm up.
  ///
  /// Every stage is single-threaded: on an idle machine this is the wall time, and on a busy one the waiting for
  /// other processes is excluded.
  package func measure(_ frame: DepthFrame, repetitions: Int) -> (median: Double, minimum: Double) {
    for _ in 0..<3 { work(frame) }
    let times = (0..<repetitions).map { _ in
      let start = Self.threadMilliseconds
      work(frame)
      return Self.threadMilliseconds - start
    }
    return (OrderStatistics.median(of: times) ?? 0, times.min() ?? 0)
  }

  private static var threadMilliseconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) * 1e-6
  }
}
