import DepthCore
import DepthFusion
import Foundation
import FathomStorage
import FathomTestSupport
import Testing

@testable import DepthEvaluation

@Suite("Rows of a scene in a file")
struct SceneRowsTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func record(_ frame: Int) -> FrameRecord {
    var record = FrameRecord(
      scene: "room", frameIndex: frame, frame: "f\(frame)", method: "ols", space: .depth, role: .line,
      fusion: FusionResult(status: .ok),
      values: MetricColumn.all.indices.map { $0 % 3 == 0 ? nil : Double($0) },
      breakdowns: ["steps": [1: BinScores(pixels: 7, values: Breakdown.metrics.map { _ in 0.5 })]],
      fusionSeconds: 0)
    record.errors = ErrorCounts(below: ErrorCounts.limits.map { _ in 3 }, truthCount: 9)
    return record
  }

  private func read(_ path: String) throws(FathomError) -> [FrameRecord] {
    var found: [FrameRecord] = []
    try SceneRows.read(path, scene: "room") { (rows, _) throws(FathomError) in found += rows }
    return found
  }

  @Test("come back; whatever byte was changed, and wherever the file was cut, they do or are refused")
  func changes() throws {
    let path = folder.path("scene.rows")
    var writer = try SceneRows(writingTo: path)
    let records = (0..<2).map(record)
    for record in records { try writer.take([record], FrameObjects()) }
    try writer.commit()
    #expect(try read(path).map(\.values) == records.map(\.values))
    let whole = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    var refused = 0
    for place in whole.indices {
      for value in [0, 1, 0x7f, 0x80, 0xff, whole[place] ^ 1] where value != whole[place] {
        var changed = whole
        changed[place] = value
        try Data(changed).write(to: URL(fileURLWithPath: path))
        do throws(FathomError) {
          let found = try read(path)
          #expect(found.allSatisfy { $0.values.isEmpty || $0.values.count == MetricColumn.all.count })
        } catch {
          #expect(error.kind == .badData)
          refused += 1
        }
      }
    }
    #expect(refused > whole.count / 10)
    for length in stride(from: 1, to: whole.count, by: 7) {
      try Data(whole.prefix(length)).write(to: URL(fileURLWithPath: path))
      #expect(throws: FathomError.self) { try read(path) }
    }
  }
}
