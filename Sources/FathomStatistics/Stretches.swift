package import DepthCore

/// A sequence cut into stretches of equal length, give or take one, for a sample that is spread evenly.
package struct Stretches: Sendable {
  package let count: Int, parts: Int

  /// - Precondition: 0 < parts ≤ count.
  package init(count: Int, parts: Int) {
    precondition(parts > 0 && parts <= count, "every stretch has an element")
    (self.count, self.parts) = (count, parts)
  }

  /// One position from each stretch, ascending.
  package func draw(using generator: inout SplitMix64) -> [Int] {
    (0..<parts).map { part in
      let (start, end) = (part * count / parts, (part + 1) * count / parts)
      return start + Int(generator.next().multipliedFullWidth(by: UInt64(end - start)).high)
    }
  }
}
