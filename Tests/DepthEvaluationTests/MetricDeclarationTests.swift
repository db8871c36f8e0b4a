import FathomStatistics
import DepthCore
import FathomTestSupport
import Testing

@testable import DepthEvaluation

/// What must hold of every metric, whichever it is: a new one is right where its declaration passes here.
@Suite("What a metric declares")
struct MetricDeclarationTests {
  private static let size = RasterSize(width: 24, height: 18)

  /// An image whose predictions are wrong by a factor of up to 2, and none at all at a share of the pixels.
  private func pairs(_ seed: UInt64, wrong: Bool = true, missing: Double = 0) -> ErrorSummary {
    var generator = SplitMix64(seed: seed)
    // Steps of depth, so that there are edges.
    let reference = (0..<Self.size.count).map { index in
      (index % Self.size.width) / 8 % 2 == 0 ? 1.5 : 3 + Double.random(in: 0..<0.01, using: &generator)
    }
    let predicted = reference.map { depth in
      let factor = wrong ? Double.random(in: 0.5...2, using: &generator) : 1
      return Double.random(in: 0..<1, using: &generator) < missing ? .nan : depth * factor
    }
    let levels = predicted.map { _ in UInt8.random(in: 0...2, using: &generator) }
    let fixture = PassFixture(predicted, reference: reference, levels: levels, width: Self.size.width)
    var image = fixture.summary.image
    let plain = ErrorSummary(predicted: predicted, reference: reference)
    image?.extended = extended(predicted, fixture.blocks.truth, plain.sums)
    return plain.with(image)
  }

  /// By a stereo camera.
  private func extended(_ predicted: [Double], _ truth: DepthMap, _ sums: ErrorSums) -> ExtendedErrors {
    let frame = DepthFrame(index: 0, lidar: truth, truth: truth)
    let camera = CameraIntrinsics(fx: 20, fy: 20, cx: 12, cy: 9, imageSize: Self.size)
    let pixels = TruthPixels(frame, truth: truth, protocol: .fathom)
    var errors = ExtendedErrors(sums, scale: ExtendedErrors.scale(predicted, pixels))
    errors.look(at: predicted, ExtendedTruth(pixels, truth: truth, camera: camera, baseline: 0.5))
    return errors
  }

  @Test("ids are unique, and names of columns")
  func ids() {
    #expect(Set(Metric.all.map(\.id)).count == Metric.all.count)
    #expect(Set(Metric.all).isSuperset(of: Metric.depth + Metric.structure + Breakdown.metrics))
    #expect(Set(Metric.all).isSuperset(of: ProtocolPaths.metrics))
  }

  @Test("texts, supports and columns", arguments: Metric.all)
  func facts(_ metric: Metric) {
    #expect(
      !metric.id.isEmpty && metric.id.allSatisfy { ("a"..."z").contains($0) || $0.isNumber || $0 == "_" })
    #expect(!metric.title.isEmpty && !metric.formula.isEmpty)
    // Readers of the files see the unit of a length in the name.
    #expect(metric.unit != .metre || metric.id.hasSuffix("_m"))
    #expect(metric.supports.first == .all && Set(metric.supports).count == metric.supports.count)
    #expect(
      metric.supports == [.all] || metric.isOfPixels, "parts of an image have no edges and no neighbours")
    let columns = MetricColumn.all.filter { $0.metric == metric }.map(\.support)
    let isColumn = (Metric.depth + Metric.structure + Metric.extended).contains(metric)
    #expect(Set(columns) == (isColumn ? Set(metric.supports) : []) && Set(columns).count == columns.count)
  }

  @Test("a chart's unit is that of the values", arguments: Metric.all)
  func display(_ metric: Metric) {
    #expect(metric.display.symbol?.isEmpty != true)
    let known: [DisplayUnit] =
      switch metric.unit {
      case .metre: [.millimetre]
      case .share: [.percent]
      // A relative error may be shown in per cent.
      case .none: [.number, .percent]
      case .perMetre: [DisplayUnit("1/m")]
      case .perKilometre: [DisplayUnit("1/km")]
      case .degree: [DisplayUnit("deg")]
      case .pixel: [DisplayUnit("px")]
      }
    #expect(known.contains(metric.display))
  }

  @Test("any prediction has a possible value, and none is better than the truth", arguments: Metric.all)
  func possible(_ metric: Metric) throws {
    guard metric.basis != .neighbours else {
      #expect(metric.value(pairs(1)) == nil)
      return
    }
    let perfect = try #require(metric.value(pairs(0, wrong: false)))
    #expect(metric.possible.contains(perfect))
    for seed in 1...20 {
      let value = try #require(metric.value(pairs(UInt64(seed), missing: seed % 2 == 0 ? 0.3 : 0)))
      #expect(metric.possible.contains(value) && value.isFinite)
      guard metric.isOfPixels else { continue }
      switch metric.direction {
      case .lowerIsBetter: #expect(perfect <= value)
      case .higherIsBetter: #expect(perfect >= value)
      case .zeroIsBest: #expect(abs(perfect) <= abs(value))
      }
    }
  }

  @Test("a missing prediction counts as the basis says", arguments: Metric.all.filter(\.isOfPixels))
  func missing(_ metric: Metric) throws {
    let perfect = try #require(metric.value(pairs(1, wrong: false)))
    let holes = try #require(metric.value(pairs(1, wrong: false, missing: 0.3)))
    switch metric.basis {
    case .truthPixels:
      #expect(metric.direction == .higherIsBetter ? holes < perfect : holes > perfect)
    case .predictedPixels:
      #expect(holes == perfect)
    case .image, .neighbours: Issue.record("\(metric.id) is not of pixels")
    }
    let none = pairs(1, missing: 1)
    #expect((metric.value(none) == 0) == metric.isZeroWhereRefused)
  }

  @Test("orders hold for any prediction", arguments: 1...20)
  func orders(_ seed: Int) throws {
    let pairs = pairs(UInt64(seed), missing: 0.2)
    for order in MetricOrder.all {
      let values = try order.terms.map { abs(try #require($0.metric.value(pairs))) * $0.factor }
      for (small, large) in zip(values, values.dropFirst()) {
        #expect(small <= large * (1 + 1e-12), "\(order.terms.map(\.name)): \(values)")
      }
    }
  }
}
