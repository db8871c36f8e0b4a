import ArgumentParser
import DepthCore
import DepthFusion
import FathomStorage
import FathomTestSupport
import Foundation
import Testing

@testable import FathomRuns
@testable import FathomStudies
@testable import FathomCommandLine

@Suite("fathom reproduce")
struct ReproduceCommandTests {
  let folder: TemporaryFolder
  static let width = 32, height = 24

  /// A truth of 1 to 12.5 m, and a prediction with errors of its own.
  init() throws {
    folder = try TemporaryFolder()
    try put(Self.truth, width: Self.width, "truth.pfm")
    try put(Self.prediction, width: Self.width, "net.pfm")
  }

  private static let truth = (0..<width * height).map { 1 + 0.015 * Float($0 * 7 % (width * height)) }
    .map { min($0, 12.5) }
  private static let prediction = truth.enumerated().map { index, depth in
    depth * (1.1 + 0.02 * Float(index % 7)) + (index / width > 11 ? 0.3 : 0)
  }

  /// Rows from the bottom up, as PFM has them.
  private func put(_ values: [Float], width: Int, _ name: String) throws {
    let rows = stride(from: values.count - width, through: 0, by: -width).flatMap { values[$0..<$0 + width] }
    let header = Array("Pf\n\(width) \(values.count / width)\n-1.0\n".utf8)
    try Data(header + rows.withUnsafeBytes { Array($0) })
      .write(to: URL(fileURLWithPath: folder.path(name)))
  }

  private func ledger(_ numbers: String, data: String = "", name: String = "ledger.yaml") throws -> String {
    let text = """
      format: fathom-ledger
      version: 1
      title: Miniature
      data:
        truth: {path: truth.pfm}
        net: {path: net.pfm}
      \(data)
      defaults: {truth: truth, prediction: net, verified: true, metric: rmse_m}
      numbers:
      \(numbers)
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
    return folder.path(name)
  }

  private func result(_ numbers: String, data: String = "") async throws -> [ReproduceResult.Number] {
    try await ReproduceJob([LedgerFile.ledger(at: ledger(numbers, data: data))]).run().numbers
  }

  /// Pairs of truth and prediction by row and column.
  private static func pairs(
    rows: Range<Int> = 0..<height, columns: Range<Int> = 0..<width
  ) -> [(truth: Double, own: Double)] {
    rows.flatMap { row in
      columns.map { (Double(truth[row * width + $0]), Double(prediction[row * width + $0])) }
    }
  }

  private static func rmse(_ pairs: [(truth: Double, own: Double)]) -> String {
    let sum = pairs.reduce(0) { $0 + ($1.own - $1.truth) * ($1.own - $1.truth) }
    return String(format: "%.5f", (sum / Double(pairs.count)).squareRoot())
  }

  private static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return (sorted[sorted.count / 2 - 1] + sorted[sorted.count / 2]) / 2
  }

  @Test("a number matches within half a unit of its last digit, in the printed unit")
  func matches() async throws {
    let all = Self.rmse(Self.pairs())
    let rounded = String(format: "%.1f", 100 * (Double(all) ?? 0))
    let numbers = try await result(
      """
      - {printed: \(all), protocol: diode}
      - {printed: \(rounded), unit: cm, protocol: diode}
      - {printed: \(rounded), unit: level, metres-per-unit: 0.01, protocol: diode, expect: differs}
      - {printed: 9.99, protocol: diode, verified: false}
      - {printed: none, protocol: diode}
      """)
    #expect(numbers.map(\.outcome.word) == ["matched", "matched", "matched", "differs", "computed"])
    #expect(numbers.map(\.isAsExpected) == [true, true, false, false, true])
    #expect(ReproduceResult(ledgers: []).unexpected.isEmpty)
    #expect(PrintedValue("2.50")?.halfUnit == 0.005 && PrintedValue("12")?.halfUnit == 0.5)
    #expect(PrintedValue("1.5e-3").map { abs($0.halfUnit - 5e-5) < 1e-12 } == true)
    #expect(PrintedValue("nan") == nil && PrintedValue("0x10") == nil)
  }

  @Test("a wrong protocol is explained by the switch under which the printed value is met")
  func explanations() async throws {
    let near = Self.pairs().filter { $0.truth > 0.1 && $0.truth <= 10 }
    let pairs = Self.pairs()
    let ratio = Self.median(pairs.map(\.truth)) / Self.median(pairs.map(\.own))
    let cropped = Self.pairs(rows: 9..<23, columns: 1..<30)
    let numbers = try await result(
      """
      - {printed: \(Self.rmse(near)), protocol: diode}
      - {printed: \(Self.rmse(pairs.map { ($0.truth, ratio * $0.own) })), protocol: diode}
      - {printed: \(Self.rmse(cropped)), protocol: diode}
      - {printed: 0.00001, protocol: diode}
      """)
    #expect(numbers.allSatisfy { $0.outcome.word == "differs" })
    let found = numbers.map { number -> [String] in
      if case .differs(_, let explanations) = number.outcome { explanations.map(\.turned) } else { [] }
    }
    #expect(found[0].first == "truth range" && found[1].first == "alignment" && found[2].first == "crop")
    #expect(found[3].isEmpty)
  }

  @Test("levels, a LiDAR of ours, a corner, and bicubic maps")
  func roles() async throws {
    // A map of whole levels, twice as large as its LiDAR, and one that lacks the truth's last row and column. The bicubic numbers are
    // numpy's, by the steps of make_bicubic_golden.py.
    func map(_ rows: Int, _ columns: Int, _ value: (Int, Int) -> Int) -> [Float] {
      (0..<rows * columns).map { Float(value($0 / columns, $0 % columns)) }
    }
    let truth = map(12, 16) { row, column in 40 + 3 * (row / 2) + 5 * (column / 2) }
    let half = map(6, 8) { row, column in 40 + 3 * row + 5 * column }
    let corner = map(11, 15) { row, column in 42 + 3 * (row / 2) + 5 * (column / 2) }
    try put(truth, width: 16, "levels.pfm")
    try put(half, width: 8, "half.pfm")
    try put(corner, width: 15, "corner.pfm")
    let numbers = try await result(
      """
      - {truth: levels, method: lidar-nearest, input: half, unit: level, metres-per-unit: 0.01, printed: 0.000, protocol: {preset: diode}}
      - {truth: levels, prediction: corner, covers: corner, unit: level, metres-per-unit: 0.01, printed: 2.000, protocol: {preset: diode}}
      - {truth: levels, method: bicubic, input: levels, reduce: 2, unit: level, metres-per-unit: 0.01, printed: 1.34293, protocol: diode}
      - {truth: levels, method: bicubic, input: levels, reduce: 2, antialiasing: false, unit: level, metres-per-unit: 0.01, printed: 1.35754, protocol: diode}
      """,
      data:
        "  levels: {path: levels.pfm, scale: 0.01}\n  half: {path: half.pfm, scale: 0.01}\n  corner: {path: corner.pfm, scale: 0.01}"
    )
    #expect(numbers.allSatisfy { $0.outcome.word == "matched" }, "\(numbers.map(\.value))")
  }

  @Test("bicubic resizing is MATLAB's, as numpy computes it")
  func bicubic() throws {
    struct Golden: Decodable {
      struct Case: Decodable {
        let rows: Int, columns: Int
        let antialiases: Bool
        let values: [Double]
      }
      let rows: Int, columns: Int
      let values: [Double]
      let cases: [Case]
    }
    let path = PackageFiles.root.appendingPathComponent("Tests/CrossCheck/golden/bicubic.json")
    let golden = try JSONDecoder().decode(Golden.self, from: try Data(contentsOf: path))
    let map = DepthMap(width: golden.columns, height: golden.rows, values: golden.values.map { Float($0) })
    for expected in golden.cases {
      let found = BicubicResize(antialiases: expected.antialiases)
        .resized(map, to: RasterSize(width: expected.columns, height: expected.rows))
      for (value, other) in zip(found.values, expected.values) { #expect(abs(Double(value) - other) < 2e-6) }
    }
  }

  @Test("the guided filter is numpy's, window by window")
  func guided() throws {
    struct Golden: Decodable {
      struct Case: Decodable {
        let radius: Int
        let epsilon: Double
        let values: [Double]
      }
      let rows: Int, columns: Int
      let values: [Double]
      let image: [[UInt8]]
      let cases: [Case]
    }
    let path = PackageFiles.root.appendingPathComponent("Tests/CrossCheck/golden/guided.json")
    let golden = try JSONDecoder().decode(Golden.self, from: try Data(contentsOf: path))
    let map = DepthMap(width: golden.columns, height: golden.rows, values: golden.values.map { Float($0) })
    let guide = Raster(
      width: golden.columns, height: golden.rows,
      values: golden.image.map { RGB(red: $0[0], green: $0[1], blue: $0[2]) })
    for expected in golden.cases {
      let found = GuidedFilter(radius: expected.radius, epsilon: expected.epsilon).filtered(map, guide: guide)
      for (value, other) in zip(found.values, expected.values) { #expect(abs(Double(value) - other) < 4e-6) }
    }
  }

  @Test("methods that take an image, with the truth as its middle")
  func images() async throws {
    try put([Float](repeating: 2, count: 16 * 12), width: 16, "flat.pfm")
    try put([Float](repeating: 2, count: 8 * 6), width: 8, "half.pfm")
    // The levels of a camera: grey, with a step.
    let pixels = (0..<20 * 14).flatMap { [UInt8](repeating: $0 % 20 > 9 ? 200 : 40, count: 3) }
    try folder.put(MadePNG.rgb(20, 14, pixels), "picture.png")
    let data = "  flat: {path: flat.pfm}\n  half: {path: half.pfm}\n  picture: {path: picture.png}"
    let numbers = try await result(
      """
      - {truth: flat, method: guided-filter, input: half, image: picture, image-cut: centre, printed: 0.000}
      - {truth: flat, method: image-guided, input: half, image: picture, image-cut: centre, printed: 0.000}
      - {truth: flat, method: auto, input: half, image: picture, image-cut: centre, printed: 0.000}
      """, data: data)
    #expect(numbers.allSatisfy { $0.outcome.word == "matched" }, "\(numbers.map(\.value))")
    for (number, words) in [
      ("- {truth: flat, method: guided-filter, input: half, printed: 0}", ["needs an image"]),
      ("- {printed: 0, radius: 2}", ["'radius' goes with 'method: guided-filter'"]),
      (
        "- {truth: flat, method: guided-filter, input: half, image: picture, printed: 0}",
        ["20×14", "image-cut: centre"]
      ),
    ] {
      let failure = await run("reproduce", try ledger(number, data: data), "--quiet")
      #expect(failure?.code.rawValue == 65, "\(number)")
      for word in words { #expect(failure?.message.contains(word) == true, "\(failure?.message ?? "")") }
    }
  }

  @Test("files that are missing or others are named, and the command ends with 1")
  func missing() async throws {
    let path = try ledger(
      "- {prediction: gone, printed: 1, protocol: diode}\n- {prediction: other, printed: 1, protocol: diode}",
      data: "  gone: {path: gone.pfm, from: the authors' page}\n  other: {path: net.pfm, sha256: 00ff}")
    let failure = await run("reproduce", path, "--output", folder.path("out"), "--quiet")
    #expect(failure?.code.rawValue == 1 && failure?.message.contains("missing") == true)
    let report = try String(contentsOfFile: folder.path("out/report.md"), encoding: .utf8)
    #expect(report.contains("gone.pfm is not there; it comes from the authors' page"))
    #expect(report.contains("its SHA-256 differs"))
    #expect(FolderKind.kinds(in: folder.path("out")) == [.reproduction])
  }

  @Test("what a ledger cannot say is refused with its line")
  func refusals() async throws {
    for (numbers, words) in [
      ("- {printed: 1, protocoll: diode}", ["line 10", "'protocoll'", "did you mean 'protocol'"]),
      ("- {printed: one}", ["line 10", "'printed' is not a number"]),
      ("- {printed: 1, metric: rmse}", ["no metric is called 'rmse'", "rmse_m"]),
      ("- {printed: 1, protocol: {min-truth: -1}}", ["min-truth"]),
      ("- {printed: 1, prediction: nett}", ["'data' has no 'nett'", "net"]),
      ("- {printed: 1, unit: inch}", ["'inch' is not a unit of rmse_m"]),
      ("- {printed: 1, reduce: 2}", ["'reduce' goes with 'method: bicubic'"]),
    ] {
      let failure = await run("reproduce", try ledger(numbers), "--quiet")
      #expect(failure?.code.rawValue == 65, "\(numbers)")
      for word in words { #expect(failure?.message.contains(word) == true, "\(failure?.message ?? "")") }
    }
  }

  @Test("the documented numbers of the repository are met")
  func documented() async throws {
    let path = PackageFiles.root.appendingPathComponent("Datasets/Ledgers/documented.yaml").path
    let failure = await run("reproduce", path, "--quiet")
    #expect(failure == nil, "\(failure?.message ?? "")")
  }
}
