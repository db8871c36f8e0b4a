import DepthCore
import Testing

@testable import DepthEvaluation
@testable import DepthVerdicts

@Suite("On what methods are compared")
struct ComparisonBasisTests {
  private func scene(lidar: RasterSize?) -> SceneContext {
    var header = SceneHeader(name: "a", frameCount: 1)
    header.lidarSize = lidar
    return SceneContext(header: header, name: "a")
  }

  @Test("with a LiDAR the basis is what it was, also where only some scenes have one, and without scenes")
  func lidar() {
    let (with, without) = (scene(lidar: RasterSize(width: 4, height: 3)), scene(lidar: nil))
    for scenes in [[], [with], [without, with]] {
      #expect(ComparisonBasis(scenes) == .lidar)
    }
    let basis = ComparisonBasis.lidar
    #expect(basis.hasLidar && basis.standIn == "lidar-bilinear")
    #expect(basis.headline == [.maeMeasured, .absRelMeasured] && basis.ranking == [.maeMeasured, .mae])
    #expect(basis.forms == PairedComparison.Form.allCases && basis.widestForm == .fallback)
    #expect(basis.columns == MetricColumn.standard)
    #expect(basis.compared == MetricColumn.all.filter { $0.support == .measured })
  }

  @Test("without one all truth counts and nothing stands in")
  func maps() {
    let basis = ComparisonBasis([scene(lidar: nil)])
    #expect(basis == .maps && !basis.hasLidar && basis.standIn == nil)
    #expect(basis.headline == [.mae, .absRel] && basis.ranking == [.mae])
    #expect(basis.forms == [.solvedFrames] && basis.widestForm == .solvedFrames)
    #expect(basis.compared.map(\.id) == ["abs_rel", "rmse_m", "mae_m", "delta_1"])
    let left = MetricColumn.standard.filter { !basis.columns.contains($0) }
    #expect(left.contains(.maeMeasured) && left.contains(.maeFilled))
    #expect(left.filter { $0.support == .all } == [.ause, .aurg])
  }
}
