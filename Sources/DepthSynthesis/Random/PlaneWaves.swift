internal import DepthCore
internal import Foundation

/// A smooth random function over an image: a few plane waves of at most a few cycles, bounded by 1.
struct PlaneWaves: Sendable {
  private struct Wave {
    var amplitude: Double, cyclesAcross: Double, cyclesDown: Double, phase: Double
  }
  private let waves: [Wave]

  /// - Parameter count: Number of waves; their amplitudes add up to 1.
  /// - Parameter cycles: Fewest and most cycles across the image.
  init(count: Int = 5, cycles: ClosedRange<Double> = 0.5...2.5, using generator: inout SplitMix64) {
    let weights = (0..<count).map { _ in generator.uniform(0.5, 1) }
    let total = weights.reduce(0, +)
    waves = weights.map { weight in
      let frequency = generator.uniform(cycles.lowerBound, cycles.upperBound)
      let direction = generator.uniform(0, 2 * .pi)
      return Wave(
        amplitude: weight / total, cyclesAcross: frequency * cos(direction),
        cyclesDown: frequency * sin(direction), phase: generator.uniform(0, 2 * .pi))
    }
  }

  /// Values at the pixel centres of an image, row by row, each in −1…1.
  func values(_ size: RasterSize) -> [Double] {
    var values = [Double](repeating: 0, count: size.count)
    for wave in waves {
      // cos(a + b) = cos a · cos b − sin a · sin b, with a by column and b by row.
      let columns = (0..<size.width).map {
        angle(wave.cyclesAcross, $0, of: size.width)
      }.map { SIMD2(cos($0), sin($0)) }
      for row in 0..<size.height {
        let b = angle(wave.cyclesDown, row, of: size.height) + wave.phase
        let factor = SIMD2(cos(b), -sin(b)) * wave.amplitude
        for column in 0..<size.width {
          let product = columns[column] * factor
          values[row * size.width + column] += product.x + product.y
        }
      }
    }
    return values
  }

  private func angle(_ cycles: Double, _ index: Int, of count: Int) -> Double {
    2 * .pi * cycles * (Double(index) + 0.5) / Double(count)
  }
}
