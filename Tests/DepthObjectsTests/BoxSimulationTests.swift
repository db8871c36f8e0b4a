import DepthFusion
import Foundation
import FathomTestSupport
import Testing

@testable import DepthObjects

@Suite("Boxes on simulated views")
struct BoxSimulationTests {
  private static let views = (0..<UInt64(30)).map { BoxView(.two, noise: 0.003, seed: $0) }
  private static let writesTable = ProcessInfo.processInfo.environment["FATHOM_WRITE_BOX_TABLE"] != nil

  @Test("two vertical faces, 3 mm noise: the L is found", arguments: ["closeness", "auto"])
  func twoFaces(_ id: String) throws {
    let method = try #require(BoxMethod.all.first { $0.id == id })
    let score = try SimulatedScore(method, on: Self.views)
    #expect(score.yawDegrees < 1)
    #expect(score.iou >= 0.88)
  }

  @Test("two vertical faces, 3 mm noise: principal axes follow its diagonal")
  func twoFacesByPCA() throws {
    let score = try SimulatedScore(.pcaXZ, on: Self.views)
    #expect(score.yawDegrees > 15)
    #expect(score.iou < 0.55)
  }

  @Test("auto says which faces it sees", arguments: zip(BoxView.Faces.allCases, ["two", "the top", "one"]))
  func reasons(_ faces: BoxView.Faces, words: String) throws {
    let fits = try (0..<UInt64(12)).map { seed in
      try BoxMethod.auto.box(of: BoxView(faces, noise: 0.003, seed: seed).object(for: .auto))
    }
    #expect(fits.filter { $0.diagnostics.reason.contains(words) }.count >= 10)
    #expect(fits.filter { $0.diagnostics.method == "orthogonal-lines" }.count >= 10)
  }

  @Test("writes README.md", .enabled(if: writesTable, "set FATHOM_WRITE_BOX_TABLE=1 to write it"))
  func table() throws {
    let url = PackageFiles.root.appendingPathComponent("Tests/DepthObjectsTests/README.md")
    try SimulationTable.markdown().write(to: url, atomically: true, encoding: .utf8)
  }
}
