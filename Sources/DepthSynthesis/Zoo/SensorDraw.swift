internal import DepthCore
internal import Foundation

/// The sensors of one scene of the zoo, drawn at random: the errors of the LiDAR, the network and the tracking.
///
/// Ranges are wide on purpose. They span what is published of phone and ToF sensors and of networks
/// (`docs/zoo.md`), and none of the laws is the one that the other presets share.
struct SensorDraw: Sendable, Hashable {
  var lidar: Lidar, network: Network, tracking: Tracking
  /// The place, and the seconds between frames.
  var setting: SceneSetting
  var interval: Double

  /// The LiDAR's errors.
  struct Lidar: Sendable, Hashable {
    /// Median relative error at confidence 0, 1 and 2.
    var medianErrors: [Double]
    var shares: ConfidenceShares
    /// Share of the noise's standard deviation that is independent from pixel to pixel.
    var whiteShare: Double
    /// Pixels over which the rest is correlated.
    var correlation: Double
    /// Share of the noise's variance that is the same in every frame.
    var persistence: Double
    /// Error of the range: metres, and a factor less 1.
    var offset: Double, scale: Double
    /// Periodic error of the range, as of time-of-flight sensors: relative amplitude and period in metres.
    var wiggle: Double, period: Double
    /// Where the map is displaced to, LiDAR pixels.
    var shift: SIMD2<Double>
    /// Standard deviation of the Gaussian that softens its depth steps, LiDAR pixels.
    var softness: Double
    /// Share of the pixels at confidence 0 that have no return.
    var missing: Double
    /// Probability that a body is glass, through which it sees.
    var glass: Double
  }

  struct Network: Sendable, Hashable {
    var kind: SyntheticNetwork
    /// Largest relative error of the smooth distortion, and cycles across the image, at most.
    var distortion: Double, cycles: Double
    var noise: Double, softness: Double
    /// Standard deviation of the logarithm of each body's own factor.
    var objects: Double
    /// How much of the picture's brightness, 0…1, is taken for nearness: logarithm of the factor.
    var texture: Double
  }

  /// The errors of the recorded poses.
  struct Tracking: Sendable, Hashable {
    /// Standard deviations of turn (radians, each axis) and place (metres, each axis).
    var turn: Double, place: Double
    /// Seconds by which poses are late.
    var lag: Double
  }

  /// A draw; the same stream gives the same.
  init(using generator: inout SplitMix64) {
    /// Between two bounds, each factor as likely as the next.
    func spread(_ low: Double, _ high: Double) -> Double { low * pow(high / low, generator.unit()) }
    /// `value` in a share of the draws, 0 in the rest.
    func sometimes(_ share: Double, _ value: (inout SplitMix64) -> Double) -> Double {
      let (isSo, value) = (generator.unit() < share, value(&generator))
      return isSo ? value : 0
    }
    let high = spread(0.001, 0.02), medium = high * generator.uniform(1.2, 4)
    let low = min(0.15, medium * generator.uniform(1.2, 4))
    let shares = (generator.uniform(0.4, 0.95), generator.uniform(0.2, 0.8))
    lidar = Lidar(
      medianErrors: [low, medium, high],
      shares: ConfidenceShares(
        high: shares.0, medium: (1 - shares.0) * shares.1, low: 1 - shares.0 - (1 - shares.0) * shares.1),
      whiteShare: generator.uniform(0.05, 0.95), correlation: generator.uniform(3, 16),
      persistence: sometimes(0.5) { $0.uniform(0.2, 0.9) },
      offset: sometimes(0.5) { $0.signedUnit() * 0.02 }, scale: sometimes(0.5) { $0.signedUnit() * 0.015 },
      wiggle: sometimes(0.4) { $0.uniform(0.001, 0.01) }, period: generator.uniform(0.4, 1.5),
      shift: .zero, softness: sometimes(0.6) { $0.uniform(0.4, 1.6) },
      missing: sometimes(0.6) { $0.uniform(0.1, 1) }, glass: sometimes(0.3) { $0.uniform(0.05, 0.25) })
    let angle = generator.uniform(0, 2 * .pi)
    // 1–6 pixels of a truth at 960×720, whose LiDAR pixel is 3.75 of them.
    let distance = sometimes(0.5) { $0.uniform(1, 6) / 3.75 }
    lidar.shift = SIMD2(cos(angle), sin(angle)) * distance
    let kinds: [SyntheticNetwork] = [.disparity, .disparity, .normalisedDisparity, .depth]
    network = Network(
      kind: kinds[generator.index(below: kinds.count)], distortion: spread(0.01, 0.4),
      cycles: generator.uniform(0.7, 4), noise: spread(0.001, 0.02), softness: generator.uniform(0.3, 3),
      objects: sometimes(0.6) { $0.uniform(0.01, 0.2) }, texture: sometimes(0.5) { $0.signedUnit() * 0.2 })
    tracking = Tracking(
      turn: sometimes(0.6) { $0.uniform(0.001, 0.01) }, place: sometimes(0.6) { $0.uniform(0.001, 0.02) },
      lag: sometimes(0.4) { $0.uniform(0.005, 0.05) })
    let places: [SceneSetting] = [.furnishedRoom, .furnishedRoom, .smallRoom, .darkHall]
    setting = places[generator.index(below: places.count)]
    interval = spread(1.0 / 60, 0.5)
  }

  /// The options of a scene that these sensors record.
  func applied(to options: SynthesisOptions) -> SynthesisOptions {
    var options = options
    (options.setting, options.frameIntervalSeconds) = (setting, interval)
    options.levelShares = lidar.shares
    options.networks = [network.kind]
    (options.distortion, options.networkNoise) = (network.distortion, network.noise)
    options.edgeSoftness = network.softness
    return options
  }

  /// What was drawn, for people.
  var note: String {
    func percent(_ value: Double) -> String { "\((value * 1000).rounded() / 10) %" }
    func rounded(_ value: Double, _ step: Double) -> Double { (value / step).rounded() * step }
    let errors = lidar.medianErrors.reversed().map(percent).joined(separator: ", ")
    var parts = [
      "LiDAR noise \(errors) at confidence 2, 1, 0, \(percent(lidar.whiteShare)) of it by the pixel",
      "network \(network.kind.rawValue), distortion \(percent(network.distortion))",
    ]
    if lidar.persistence > 0 {
      parts.append("\(percent(lidar.persistence)) of the variance in every frame the same")
    }
    if lidar.offset != 0 { parts.append("range offset \(Int((lidar.offset * 1000).rounded())) mm") }
    if lidar.scale != 0 { parts.append("range scale \(percent(lidar.scale))") }
    if lidar.wiggle > 0 { parts.append("periodic range error \(percent(lidar.wiggle))") }
    if lidar.shift != .zero {
      let shift = [lidar.shift.x, lidar.shift.y].map { "\(rounded($0 * 100, 1) / 100)" }
      parts.append("LiDAR displaced by (\(shift.joined(separator: ", "))) of its pixels")
    }
    if lidar.glass > 0 { parts.append("glass") }
    if network.objects > 0 { parts.append("objects misjudged by \(percent(network.objects))") }
    if network.texture != 0 { parts.append("network follows brightness") }
    if tracking != Tracking(turn: 0, place: 0, lag: 0) { parts.append("poses with errors") }
    return parts.joined(separator: "; ")
  }
}
