public import DepthCore
internal import Foundation

/// How long a stage of the analysis takes.
public enum StageTime: Sendable, Hashable {
  /// Always the same; nanoseconds, as all numbers here.
  case fixed(Int)
  /// Anything between two times.
  case uniform(Int, Int)
  /// A normal distribution, cut off at nothing.
  case normal(mean: Int, deviation: Int)
  case exponential(mean: Int)
  /// One of those that were measured.
  case measured([Int])

  /// Expected, nanoseconds; of a normal distribution without its cut.
  public var mean: Double {
    switch self {
    case .fixed(let time): Double(time)
    case .uniform(let low, let high): (Double(low) + Double(high)) / 2
    case .normal(let mean, _), .exponential(let mean): Double(mean)
    case .measured(let times): times.isEmpty ? 0 : times.reduce(0) { $0 + Double($1) } / Double(times.count)
    }
  }

  /// One time, nanoseconds.
  public func draw(using generator: inout SplitMix64) -> Int {
    /// Above 0, at most 1.
    func unit() -> Double { (Double(generator.next() >> 11) + 1) * 0x1p-53 }
    switch self {
    case .fixed(let time): return time
    case .uniform(let low, let high): return low + Int((Double(high - low) * unit()).rounded())
    case .normal(let mean, let deviation):
      let standard = (-2 * log(unit())).squareRoot() * cos(2 * .pi * unit())
      return max(0, mean + Int((Double(deviation) * standard).rounded()))
    case .exponential(let mean): return Int((-Double(mean) * log(unit())).rounded())
    case .measured(let times):
      return times.isEmpty ? 0 : times[min(times.count - 1, Int(unit() * Double(times.count)))]
    }
  }
}

/// A stage by name.
public struct LiveStage: Sendable, Hashable {
  public var name: String, time: StageTime
  public init(_ name: String, _ time: StageTime) { (self.name, self.time) = (name, time) }
}

extension [LiveStage] {
  /// How long all stages take for a frame, nanoseconds. It hangs on the seed, the stage's name and the frame's number alone, so
  /// that two settings that analyse the same frame take the same time.
  public func duration(frame: Int, seed: UInt64) -> Int {
    reduce(0) { sum, stage in
      var generator = SplitMix64(seed: seed, stream: "stage", stage.name, "frame \(frame)")
      return sum + stage.time.draw(using: &generator)
    }
  }

  /// Expected, nanoseconds.
  public var mean: Double { reduce(0) { $0 + $1.time.mean } }
}
