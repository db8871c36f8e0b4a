import DepthCore
import DepthFusion
import Foundation
import Testing

@testable import DepthEvaluation

@Suite("Sparsification")
struct SparsificationTests {
  /// The definition, by sorting and averaging.
  private func reference(_ errors: [Double], _ levels: [UInt8]) -> (byConfidence: [Double], oracle: [Double])
  {
    let n = errors.count
    let sorted = errors.sorted()
    var (byConfidence, oracle) = ([Double](), [Double]())
    for step in 0..<100 {
      let kept = n - step * n / 100
      oracle.append(sorted.prefix(kept).reduce(0, +) / Double(kept))
      // The expected sum when the pixels of the level in which the cut falls are taken at random.
      var (missing, sum) = (kept, 0.0)
      for level in Set(levels).sorted(by: >) {
        let members = errors.indices.filter { levels[$0] == level }.map { errors[$0] }
        let taken = min(missing, members.count)
        sum += members.reduce(0, +) / Double(members.count) * Double(taken)
        missing -= taken
      }
      byConfidence.append(sum / Double(kept))
    }
    return (byConfidence, oracle)
  }

  @Test("curves and areas are those of the definition", arguments: [UInt64(1), 2, 3], [7, 100, 5003])
  func definition(_ seed: UInt64, _ count: Int) throws {
    var generator = SplitMix64(seed: seed)
    let levels = (0..<count).map { _ in UInt8.random(in: 0...2, using: &generator) }
    let errors = levels.map { Double.random(in: 0..<1, using: &generator) / Double(1 + Int($0) * 3) }
    let found = try #require(Sparsification(errors: errors, levels: levels))
    let expected = reference(errors, levels)
    for step in 0..<100 {
      #expect(abs(found.byConfidence[step] - expected.byConfidence[step]) < 1e-12)
      #expect(abs(found.oracle[step] - expected.oracle[step]) < 1e-12)
    }
    let area = zip(expected.byConfidence, expected.oracle).map { $0 - $1 }
    let trapezoid = zip(area, area.dropFirst()).reduce(0) { $0 + ($1.0 + $1.1) / 2 * 0.01 }
    #expect(abs(found.area - trapezoid) < 1e-12)
    #expect(found.area >= 0)
  }

  @Test(
    "means of the smallest are those of a sorted array, whatever the spread",
    arguments: [1e-9, 1e-3, 1, 1e6], [3, 63, 1000, 60_000])
  func smallestMeans(_ spread: Double, _ count: Int) {
    var generator = SplitMix64(seed: UInt64(count))
    // Half of them close together, so that many fall into one bin; many equal ones; zeros.
    let values = (0..<count).map { index in
      index % 7 == 0 ? 0 : index % 5 == 0 ? 0.25 : 1 + spread * Double.random(in: 0..<1, using: &generator)
    }
    let kept = (0..<100).map { count - $0 * count / 100 }
    let sorted = values.sorted()
    var (prefix, sum) = ([0.0], 0.0)
    for value in sorted {
      sum += value
      prefix.append(sum)
    }
    for (mean, kept) in zip(SmallestMeans.means(values, kept: kept), kept) {
      // Summed in another order below the cut's bin.
      let expected = prefix[kept] / Double(kept)
      #expect(abs(mean - expected) <= 1e-12 * expected)
    }
  }

  @Test("one level orders nothing; a perfect confidence has no area")
  func extremes() throws {
    let errors = (0..<200).map { Double($0) / 200 }
    let flat = try #require(Sparsification(errors: errors, levels: Array(repeating: 2, count: 200)))
    #expect(abs(flat.gainOverRandom) < 1e-12)
    let perfect = try #require(
      Sparsification(errors: [0.1, 0.1, 0.5, 0.5], levels: [2, 2, 0, 0]))
    #expect(abs(perfect.area) < 1e-12)
    #expect(perfect.gainOverRandom > 0)
    #expect(Sparsification(errors: [], levels: []) == nil)
  }
}

@Suite("Boundary F1")
struct BoundaryF1Tests {
  @Test("the same steps score 1, none score 0, and an unknown truth does not count")
  func simple() throws {
    let truth: [Double] = [1, 1, 2, 2, 1, 1, 2, 2]
    // Only one of the four directions has a step to find, and the source counts the others as 0.
    #expect(BoundaryF1.score(predicted: truth, reference: truth, width: 4, height: 2) == 0.25)
    let flat = [Double](repeating: 1.5, count: 8)
    #expect(BoundaryF1.score(predicted: flat, reference: truth, width: 4, height: 2) == 0)
    #expect(BoundaryF1.score(predicted: truth, reference: flat, width: 4, height: 2) == nil)
    let unknown: [Double] = [1, .nan, 2, 2, 1, 0, 2, 2]
    #expect(BoundaryF1.score(predicted: truth, reference: unknown, width: 4, height: 2) == nil)
  }

  @Test("agrees with the definition written out ratio by ratio", arguments: [UInt64(1), 5, 9, 12])
  func definition(_ seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    // Rows of less and of more than the kernel takes at once.
    let (width, height) = seed == 1 ? (13, 9) : (301, 5)
    var truth = (0..<(width * height)).map { _ in Double.random(in: 1..<1.4, using: &generator) }
    var predicted = truth.map { $0 * Double.random(in: 0.95..<1.05, using: &generator) }
    if seed == 12 {
      // Steps of exactly a ratio, which do not exceed it, and of the next number.
      let depths = [1] + BoundaryF1.ratios + BoundaryF1.ratios.map(\.nextUp)
      predicted = truth.map { _ in depths[Int.random(in: 0..<depths.count, using: &generator)] }
      truth = truth.map { _ in 2 * depths[Int.random(in: 0..<depths.count, using: &generator)] }
    }
    truth[5] = .nan
    predicted[17] = -1
    var (sum, weights) = (0.0, 0.0)
    for t in (0..<10).map({ 1.05 + Double($0) * 0.2 / 9 }) {
      var (recall, precision) = (0.0, 0.0)
      for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
        var (both, ours, theirs) = (0, 0, 0)
        for row in 0..<height {
          for column in 0..<width {
            guard (0..<width).contains(column + dx), (0..<height).contains(row + dy) else { continue }
            let (a, b) = (row * width + column, (row + dy) * width + column + dx)
            let values = [predicted[a], predicted[b], truth[a], truth[b]]
            guard values.allSatisfy({ $0 > 0 && $0.isFinite }) else { continue }
            let (p, g) = (predicted[b] / predicted[a] > t, truth[b] / truth[a] > t)
            both += p && g ? 1 : 0
            ours += p ? 1 : 0
            theirs += g ? 1 : 0
          }
        }
        recall += Double(both) / Double(max(theirs, 1)) / 4
        precision += Double(both) / Double(max(ours, 1)) / 4
      }
      sum += t * (recall + precision > 0 ? 2 * recall * precision / (recall + precision) : 0)
      weights += t
    }
    let found = try #require(
      BoundaryF1.score(predicted: predicted, reference: truth, width: width, height: height))
    #expect(abs(found - sum / weights) < 1e-12)
  }
}

@Suite("Temporal consistency")
struct TemporalConsistencyTests {
  private let intrinsics = CameraIntrinsics(
    fx: 40, fy: 40, cx: 20, cy: 15, imageSize: RasterSize(width: 40, height: 30))

  private func view(_ depth: Float, moved: SIMD3<Double>, _ convention: CameraConvention)
    -> PosedDepth
  {
    var pose = RigidTransform.identity
    pose.translation = moved
    return .init(
      depth: DepthMap(width: 40, height: 30, filledWith: depth), intrinsics: intrinsics,
      worldFromCamera: pose,
      convention: convention)
  }

  @Test("a wall approached by half a metre agrees with itself, in both conventions")
  func approach() throws {
    // OpenCV looks along +z, ARKit along −z.
    for (convention, step) in [(CameraConvention.opencv, 0.5), (.arkit, -0.5)] {
      let error = try #require(
        TemporalConsistency.absRel(
          view(2, moved: .zero, convention), view(1.5, moved: [0, 0, step], convention)))
      #expect(error < 1e-7)
      let wrong = try #require(
        TemporalConsistency.absRel(
          view(2, moved: .zero, convention), view(2, moved: [0, 0, step], convention)))
      // 1.5 seen where 2 is claimed, and 2.5 the other way.
      #expect(abs(wrong - (0.25 + 0.25) / 2) < 1e-7)
    }
  }

  @Test("undeclared axes and views without overlap have no value")
  func nothing() {
    #expect(
      TemporalConsistency.absRel(view(2, moved: .zero, .unknown), view(2, moved: .zero, .unknown)) == nil)
    #expect(
      TemporalConsistency.absRel(view(2, moved: .zero, .opencv), view(2, moved: [50, 0, 0], .opencv)) == nil)
  }

  @Test("a run fills it into the later of two posed frames, whatever the number of jobs")
  func inARun() async throws {
    var header = SceneHeader(name: "s", frameCount: 4)
    header.relativeKind = .disparity
    header.relativeSize = RasterSize(width: 40, height: 30)
    (header.hasPoses, header.cameraConvention, header.intrinsics) = (true, .opencv, intrinsics)
    let plan = EvaluationPlan(methods: try MethodCatalogue.parse("lidar-bilinear"))
    var results: [[Double?]] = []
    for jobs in [1, 3] {
      var scene = SceneContext(header: header, name: "s")
      let camera = intrinsics
      let rows = await plan.evaluate(&scene, frames: 0..<4, jobs: jobs) {
        (index) throws(Never) in
        var pose = RigidTransform.identity
        pose.translation = [0, 0, 0.1 * Double(index)]
        let map = DepthMap(width: 40, height: 30, filledWith: 2)
        return DepthFrame(
          index: index, lidar: map, truth: map, intrinsics: camera, worldFromCamera: pose)
      }
      results.append(rows.map { $0.value(.temporalAbsRel) })
    }
    #expect(results[0] == results[1])
    #expect(results[0][0] == nil)
    // 1.9 where 2 is claimed, and 2.1 the other way.
    for value in results[0].dropFirst() { #expect(abs((value ?? 0) - 0.05) < 1e-6) }
  }
}
