import CFathomKernels
import DepthCore
import DepthFusion
import Foundation
import FathomTestSupport
import Testing

@testable import DepthEvaluation

@Suite("One pass over the pixels")
struct ScoringPassTests {
  /// An image with every kind of pixel: unknown truth, missing predictions, levels that there are not, steps, and errors from
  /// none to enormous. Several blocks, the last of them with fewer rows.
  private struct Case {
    var predicted: [Double] = []
    var reference: [Double] = []
    var levels: [UInt8] = []
    var measured: [Bool] = []
    let width = 1001

    init(_ seed: UInt64) {
      var generator = SplitMix64(seed: seed)
      for index in 0..<width * 29 {
        let far = index % width > 400 && seed % 2 == 0
        let truth = Double(Float((far ? 4 : 1.5) + Double.random(in: 0..<0.4, using: &generator)))
        let scale = [0, 1e-12, 1e-3, 0.05, 0.4][Int(generator.next() % 5)]
        reference.append(Double.random(in: 0..<1, using: &generator) < 0.1 ? .nan : truth)
        let kind = Double.random(in: 0..<1, using: &generator)
        predicted.append(
          kind < 0.05
            ? .nan
            : kind < 0.07
              ? -1
              : kind < 0.08
                ? .infinity
                : kind < 0.081
                  ? 1e300 : truth * (1 + scale * Double.random(in: -1...1, using: &generator)))
        levels.append(UInt8(generator.next() % 4))
        measured.append(generator.next() % 3 > 0)
      }
    }

    var fixture: PassFixture {
      PassFixture(predicted, reference: reference, levels: levels, measured: measured, width: width)
    }

    /// Positions of the pixels that count.
    var known: [Int] { reference.indices.filter { !reference[$0].isNaN } }

    func isPredicted(_ index: Int) -> Bool { predicted[index] > 0 && predicted[index].isFinite }

    /// The pixels one by one.
    func plain(_ pixels: [Int], _ metrics: [Metric] = Metric.all) -> ErrorSummary {
      ErrorSummary(
        predicted: pixels.map { predicted[$0] }, reference: pixels.map { reference[$0] }, for: metrics)
    }
  }

  private func expectEqual(
    _ value: Double?, _ expected: Double?, _ name: String, within tolerance: Double = 1e-11
  ) {
    // The square of a wild prediction is infinite either way.
    guard let value, let expected, value != expected else {
      #expect(value == expected, "\(name)")
      return
    }
    #expect(abs(value - expected) <= tolerance * abs(expected), "\(name): \(value), not \(expected)")
  }

  /// What the pass may differ by from sums in double precision.
  private func tolerance(_ metric: Metric) -> Double {
    switch metric.rule {
    case .mean(let term, _), .rootMean(let term, _):
      [.absolute, .signed, .relative].contains(term) ? 1e-11 : 1e-7
    case .logSpread: 1e-7
    case .coverage, .share, .quantile, .image, .neighbours: 1e-11
    }
  }

  @Test("sums and quantiles of every support are those of the pixels one by one", arguments: [UInt64(1), 2])
  func supports(seed: UInt64) {
    let image = Case(seed)
    let scores = image.fixture.scores
    let parts: [Support: [Int]] = [
      .all: image.known, .measured: image.known.filter { image.measured[$0] },
      .filled: image.known.filter { !image.measured[$0] },
    ]
    for column in MetricColumn.all where column.metric.isOfPixels {
      let expected = column.metric.value(image.plain(parts[column.support] ?? []))
      expectEqual(scores.values[column.position], expected, column.id, within: tolerance(column.metric))
    }
    #expect(scores.counts?.filled.truth == parts[.filled]?.count)
    #expect(scores.counts?.all.predicted == image.known.count { image.isPredicted($0) })
  }

  @Test("without a LiDAR the split pixels have no value, and all others are what they were")
  func withoutLidar() {
    let image = Case(9)
    let with = image.fixture.scores
    let without = PassFixture(
      image.predicted, reference: image.reference, levels: image.levels, width: image.width, hasLidar: false
    ).scores
    for column in MetricColumn.all {
      if column.support == .all {
        // Other cells, so other sums.
        expectEqual(
          without.values[column.position], with.values[column.position], column.id,
          within: tolerance(column.metric))
      } else {
        #expect(with.values[column.position] != nil && without.values[column.position] == nil, "\(column)")
      }
    }
    #expect(
      without.breakdowns["ranges"]?.mapValues(\.pixels) == with.breakdowns["ranges"]?.mapValues(\.pixels))
  }

  @Test("bins by range and confidence are those of their pixels", arguments: [UInt64(3), 4])
  func bins(seed: UInt64) throws {
    let image = Case(seed)
    let scores = image.fixture.scores
    let ranges = Dictionary(grouping: image.known) {
      Int((Double(Float(image.reference[$0])) / 0.5).rounded(.up)) - 1
    }
    let levels = Dictionary(grouping: image.known.filter { image.levels[$0] <= 2 }) { Int(image.levels[$0]) }
    for (id, groups) in [("ranges", ranges), ("confidence", levels)] {
      let found = try #require(scores.breakdowns[id])
      #expect(Set(found.keys) == Set(groups.keys))
      for (bin, pixels) in groups {
        #expect(found[bin]?.pixels == pixels.count)
        let plain = image.plain(pixels, Breakdown.metrics)
        for (position, metric) in Breakdown.metrics.enumerated() {
          expectEqual(
            found[bin]?.values[position], metric.value(plain), "\(id) \(bin) \(metric)",
            within: tolerance(metric))
        }
      }
    }
  }

  @Test(
    "boundaries, sparsification and cumulative counts are those of the whole image",
    arguments: [UInt64(5), 6])
  func image(seed: UInt64) throws {
    let image = Case(seed)
    let fixture = image.fixture
    let scores = fixture.scores
    let boundary = BoundaryF1.score(
      predicted: image.predicted, reference: image.reference, width: image.width,
      height: image.reference.count / image.width)
    #expect(scores.values[MetricColumn(.boundaryF1).position] == boundary)
    let pixels = image.known.filter { image.isPredicted($0) }
    let errors = pixels.map { abs(image.predicted[$0] - image.reference[$0]) / image.reference[$0] }
    let expected = try #require(
      Sparsification(errors: errors, levels: pixels.map { image.levels[$0] <= 2 ? image.levels[$0] : 0 }))
    let found = try #require(scores.sparsification)
    for step in 0..<Sparsification.steps {
      expectEqual(found.byConfidence[step], expected.byConfidence[step], "by confidence, \(step)")
      // What is smaller than a bin's own numbers may count as 0.
      let (mean, oracle) = (expected.oracle[step], found.oracle[step])
      #expect(oracle == mean || abs(oracle - mean) <= 1e-7 * mean + 0x1p-24, "oracle, \(step)")
    }
    for (limit, below) in zip(ErrorCounts.limits, try #require(scores.errors).below) {
      #expect(below == pixels.count { abs(image.predicted[$0] - image.reference[$0]) < limit }, "\(limit)")
    }
  }

  @Test(
    "what single precision cannot tell is added in double precision",
    arguments: [
      // At a limit of the ratio, or next to it.
      { g, k in k % 3 == 0 ? g * 1.25 : k % 3 == 1 ? (g * 1.25).nextDown : g / 1.25 },
      { g, k in k % 2 == 0 ? g * 1.03 : (g * 1.03).nextUp },
      // A large common factor, and a spread far below single precision's.
      { g, k in 3 * g * (1 + (k % 2 == 0 ? 1e-7 : -1e-7)) },
      // Errors whose squares are too small or too large.
      { g, k in g * (1 + (k % 2 == 0 ? 1e-15 : -2e-15)) },
      { g, k in k % 5 == 0 ? g * 1e30 : g * 1.1 },
      { g, k in k % 7 == 0 ? g * 1e-30 : g * 0.9 },
    ] as [@Sendable (Double, Int) -> Double])
  func precision(predicted: @Sendable (Double, Int) -> Double) {
    let reference = (0..<3000).map { Double(Float(0.5 + 0.001 * Double($0))) }
    let depths = reference.enumerated().map { predicted($1, $0) }
    let scores = PassFixture(depths, reference: reference, width: 100).scores
    let plain = ErrorSummary(predicted: depths, reference: reference)
    for column in MetricColumn.all where column.metric.isOfPixels && column.support == .all {
      expectEqual(scores.values[column.position], column.metric.value(plain), column.id)
    }
  }

  @Test("errors that are all the same leave nothing between the curves, whatever the words of the bins round")
  func equalErrors() throws {
    let reference = (0..<3000).map { Double(Float(1 + 0.0007 * Double($0))) }
    let levels = reference.indices.map { UInt8($0 % 3) }
    for factor in [1.0, 1.1, 1.0371, 900] {
      let image = PassFixture(
        reference.map { $0 * factor }, reference: reference, levels: levels, width: 100)
      let curve = try #require(image.scores.sparsification)
      #expect(curve.area == 0 && curve.gainOverRandom == 0, "\(factor)")
    }
  }

  @Test("several predictions at once are scored as each alone")
  func together() {
    let (first, second) = (Case(7), Case(8))
    let blocks = first.fixture.blocks
    let sources = [first.predicted, second.predicted].map { RowSampler.Source.raster($0) }
    let together = ScoringPass.scores(of: sources, at: blocks, countsPixels: false)
    for (source, scores) in zip(sources, together) {
      let alone = ScoringPass.scores(of: [source], at: blocks, countsPixels: false)[0]
      #expect(alone.values == scores.values && alone.sparsification == scores.sparsification)
    }
  }

  @Test("the spread of logarithms survives a large common factor")
  func spread() throws {
    let reference = (0..<4000).map { _ in 2.0 }
    let predicted = (0..<4000).map { 6 * (1 + 1e-7 * ($0 % 2 == 0 ? 1.0 : -1.0)) }
    let value = try #require(Metric.silog.value(ErrorSummary(predicted: predicted, reference: reference)))
    #expect(abs(value - 1e-5) < 1e-9 * 1e-5 + 1e-13)
    #expect(Metric.silog.value(PassFixture(predicted, reference: reference).summary) == value)
  }

  @Test(
    "a map is read row by row as it is read pixel by pixel",
    arguments: [Prediction.Sampling.bilinear, .nearest],
    [RasterSize(width: 31, height: 22), RasterSize(width: 13, height: 7)])
  func rows(_ sampling: Prediction.Sampling, _ size: RasterSize) {
    var generator = SplitMix64(seed: 12)
    let map = DepthMap(
      width: 13, height: 7,
      values: (0..<91).map {
        $0 % 17 == 0 ? .nan : $0 % 23 == 0 ? .infinity : Float.random(in: 1...4, using: &generator)
      })
    let found = TruthPixels.values(of: Prediction(depth: map, sampling: sampling), at: size)
    var expected: [Double] = []
    switch sampling {
    case .bilinear:
      let pixels = (0..<Int32(size.count)).map { $0 }
      BilinearSampler(source: size, target: map.size).forEachSample(of: map, at: pixels) {
        expected.append($1)
      }
    case .nearest:
      for row in 0..<size.height {
        for column in 0..<size.width {
          expected.append(
            Double(
              map[
                NearestPixel.index(row, of: size.height, in: map.height),
                NearestPixel.index(column, of: size.width, in: map.width)]))
        }
      }
    }
    // A NaN has many patterns.
    #expect(found.map { $0.isNaN ? nil : $0.bitPattern } == expected.map { $0.isNaN ? nil : $0.bitPattern })
  }

  @Test("logarithms are within 2 units in the last place of the system's")
  func logarithms() {
    var generator = SplitMix64(seed: 13)
    var numbers = (0..<20_000).map { _ in exp(Double.random(in: -40...40, using: &generator)) }
    numbers += (0..<20_000).map { _ in 1 + Double.random(in: -1e-3...1e-3, using: &generator) }
    numbers += [
      1, 2, 0.5, 1.0.nextUp, 1.0.nextDown, 2.0.squareRoot(), 0.5.squareRoot(), .leastNormalMagnitude, 1e308,
    ]
    for (number, value) in zip(numbers, ErrorLog.of(numbers)) {
      let expected = log(number)
      // The system's own is within one.
      #expect(abs(value - expected) <= 3 * expected.ulp, "ln \(number)")
    }
    #expect(ErrorLog.of([1]) == [0])
  }

  @Test("sums of logarithms are those of single ones, bit by bit", arguments: [1.01, 1.4142, 3.0])
  func logarithmSums(largest: Double) {
    var generator = SplitMix64(seed: 5)
    let span = log(largest)
    // Some strips, and a last vector that is not full.
    let ratios = (0..<1003).map { _ in exp(Double.random(in: -span...span, using: &generator)) }
    let ones = [Double](repeating: 1, count: ratios.count)
    var lanes = [Double](repeating: 0, count: 8)
    for (i, logarithm) in ErrorLog.of(ratios).enumerated() { lanes[i % 8] += abs(logarithm) }
    let left = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
    let right = (lanes[4] + lanes[5]) + (lanes[6] + lanes[7])
    let sums = ErrorSummary(predicted: ratios, reference: ones).sums
    #expect(sums.sum(.logAbsolute) == left + right)
  }

  @Test("terms and limits are in the kernel's order")
  func order() {
    #expect(ErrorTerm.allCases.count == Int(ERROR_TERM_COUNT))
    #expect(ErrorTerm.squaredInverse.rawValue == Int(ERROR_TERM_SQUARED_INVERSE))
    #expect(ErrorTerm.logSquaredDeviation.rawValue == Int(ERROR_TERM_LOG_SQUARED_DEVIATION))
    #expect(RatioLimit.allCases.count == Int(ERROR_LIMIT_COUNT))
  }
}
