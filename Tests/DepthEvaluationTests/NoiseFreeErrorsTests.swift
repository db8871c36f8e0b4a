import FathomTestSupport
import Foundation
import Testing

@testable import DepthEvaluation

/// `Tests/CrossCheck/simulate_noise_free.py` shows how often the known errors come back.
@Suite("Errors against a truth without noise")
struct NoiseFreeErrorsTests {
  /// As Tests/CrossCheck/make_noise_free_golden.py makes them.
  private struct Golden: Decodable {
    let d: [Double], g: [Double], deviation: [Double], truthCount: Int
    /// As measured, and by the polynomials of degree 2 and 4.
    let mae: [Double], absRel: [Double], delta1: [Double]
  }

  @Test("Extrapolations equal those by scipy's folded normal and numpy's polynomials")
  func golden() throws {
    let url = PackageFiles.root.appendingPathComponent("Tests/CrossCheck/golden/noise_free.json")
    let golden = try JSONDecoder().decode(Golden.self, from: Data(contentsOf: url))
    let found = NoiseFreeErrors(
      zip(golden.d, golden.g).map { ($0, $1) }, deviations: golden.deviation, truthCount: golden.truthCount)
    for (column, expected) in zip(NoiseFreeErrors.columns, [golden.mae, golden.absRel, golden.delta1]) {
      let own = try #require(found[column])
      for (value, known) in zip([own.measured, own.quadratic, own.quartic], expected) {
        #expect(abs(value - known) < 1e-9 * abs(known), "\(column)")
      }
    }
    #expect(found[.rmse] == nil)
  }

  @Test("Without noise nothing changes; in a large frame some pixels stand for the others")
  func limits() throws {
    let pairs = (0..<40_000).map { index in (d: 2 + 0.001 * Double(index % 41), g: 2.0) }
    let exact = NoiseFreeErrors(pairs, deviations: pairs.map { _ in 0 }, truthCount: pairs.count)
    let mae = try #require(exact[.mae])
    #expect(mae.measured == mae.quartic && mae.measured == mae.quadratic)
    let noisy = try #require(
      NoiseFreeErrors(pairs, deviations: pairs.map { _ in 0.005 }, truthCount: pairs.count)[.mae])
    let part = Array(pairs.prefix(41 * 300))
    let few = try #require(
      NoiseFreeErrors(part, deviations: part.map { _ in 0.005 }, truthCount: part.count)[.mae])
    #expect(noisy.measured == mae.measured && noisy.quartic < noisy.measured)
    #expect(abs(noisy.quartic - few.quartic) < 1e-5)
  }
}
