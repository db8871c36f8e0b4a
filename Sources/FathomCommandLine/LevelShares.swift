public import ArgumentParser
public import DepthSynthesis

extension SynthesisPreset: ExpressibleByArgument {}

/// Three shares that add up to 1, "0.87,0.10,0.03".
package struct LevelShares: ExpressibleByArgument {
  package let shares: ConfidenceShares

  package init?(argument: String) {
    let numbers = argument.split(separator: ",").compactMap { Double($0) }
    guard numbers.count == 3, numbers.allSatisfy({ $0 >= 0 }), abs(numbers.reduce(0, +) - 1) < 1e-6 else {
      return nil
    }
    shares = ConfidenceShares(high: numbers[0], medium: numbers[1], low: numbers[2])
  }
}
