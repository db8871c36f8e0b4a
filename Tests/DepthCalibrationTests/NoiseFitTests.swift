import DepthCore
import DepthFusion
import Foundation
import Testing

@testable import DepthCalibration

@Suite("Noise model")
struct NoiseFitTests {
  @Test("recovers law, bias and outliers", arguments: [0.0, 0.1], [UInt64(1), 2])
  func recovers(outliers: Double, seed: UInt64) throws {
    let simulated = SimulatedErrors(outlierShare: outliers)
    let noise = try LevelNoise(level: 1, clusters: simulated.scenes(20, of: 2000, seed: seed))
    #expect(noise.hasConverged && noise.clusters == 20 && noise.samples == 40_000)
    // Four standard errors: 40,000 pixels determine σ to 0.4 %, a and b each to about 2 %.
    #expect(abs(noise.law.a / simulated.law.a - 1) < 0.08)
    #expect(abs(noise.law.b / simulated.law.b - 1) < 0.03)
    #expect(abs(noise.parameters.mean(at: 2) - (simulated.bias + 2 * simulated.biasSlope)) < 6e-4)
    #expect(abs(noise.parameters.outlierShare - outliers) < 0.01)
    let a = try #require(noise.a)
    let b = try #require(noise.b)
    #expect(a.contains(noise.law.a) && b.contains(noise.law.b))
    #expect(a.high - a.low < 0.2 * simulated.law.a)
  }

  @Test("a part that is not there is 0, and its interval begins there")
  func boundary() throws {
    let simulated = SimulatedErrors(law: RangeLaw(a: 0, b: 0.02))
    let fits = try (1...6).map {
      try LevelNoise(level: 2, clusters: simulated.scenes(12, of: 500, seed: UInt64($0)))
    }
    // The maximum lies at or beyond the bound in half of all samples.
    let atBound = fits.filter { $0.law.a == 0 }
    #expect(!atBound.isEmpty && atBound.count < fits.count)
    for fit in fits {
      let a = try #require(fit.a)
      let b = try #require(fit.b)
      #expect(a.low == 0 && a.high < 0.01)
      #expect(b.low < 0.02 && b.high > 0.02 && b.low > 0.018)
    }
  }

  @Test("outliers beyond the depth itself count as outliers, not as noise")
  func farOutliers() throws {
    var samples = SimulatedErrors().scenes(1, of: 1000, seed: 3)[0]
    let clean = try NoiseFit(samples).parameters
    samples += (0..<100).map { ErrorSample(depth: 1 + Double($0) / 100, error: 40) }
    let found = try NoiseFit(samples).parameters
    #expect(abs(found.outlierShare - 100.0 / 1100) < 0.01)
    #expect(abs(found.deviation(at: 2) / clean.deviation(at: 2) - 1) < 0.02)
  }

  @Test("scenes that differ widen the interval of the bias as the mean of scenes does")
  func clusters() throws {
    let simulated = SimulatedErrors(sceneBias: 0.02)
    let noise = try LevelNoise(level: 2, clusters: simulated.scenes(25, of: 400, seed: 9))
    let interval = try #require(noise.mean(at: 2.75))
    // 0.02/√25 m, times t(24) = 2.06; the sampled spread of 25 values is good to 15 %.
    let half = (interval.high - interval.low) / 2
    #expect(half > 0.6 * 2.06 * 0.004 && half < 1.5 * 2.06 * 0.004)
    let single = try LevelNoise(level: 2, clusters: simulated.scenes(1, of: 400, seed: 9))
    #expect(single.a == nil && single.bias == nil)
  }

  @Test("too few pixels and equal errors have no model")
  func failures() {
    let samples = SimulatedErrors().scenes(1, of: 49, seed: 1)[0]
    #expect(throws: NoiseFit.Failure.tooFewSamples(49)) { try NoiseFit(samples) }
    let equal = (0..<100).map { ErrorSample(depth: 1 + Double($0) / 50, error: $0 < 60 ? 0 : 0.01) }
    #expect(throws: NoiseFit.Failure.equalErrors) { try NoiseFit(equal) }
  }

  @Test("derivatives agree with differences of the likelihood")
  func derivatives() {
    let samples = SimulatedErrors(outlierShare: 0.1).scenes(1, of: 300, seed: 4)[0]
    let at = NoiseParameters(
      bias: 0.002, biasSlope: 0.001, constant: 2e-4, proportional: 1e-4, outlierShare: 0.07)
    func logarithm(_ parameters: NoiseParameters) -> Double {
      samples.reduce(0) { $0 + log(parameters.density($1).total) }
    }
    let analytic = NoiseLikelihood(samples, at).score
    for (index, step) in [1e-6, 1e-6, 1e-9, 1e-9, 1e-6].enumerated() {
      var (above, below) = (at, at)
      above.vector[index] += step
      below.vector[index] -= step
      let numeric = (logarithm(above) - logarithm(below)) / (2 * step)
      #expect(abs(numeric - analytic[index]) < 1e-4 * max(1, abs(numeric)), "parameter \(index)")
    }
  }
}
