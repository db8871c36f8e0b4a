import DepthCore
import Testing

@testable import DepthSynthesis

@Suite("The demo stands for a real phone")
struct DemoTargetsTests {
  /// One frame of each of the demo's six rooms, with truth at 480×360: enough for the mean over rooms.
  private func frames() -> [DepthFrame] {
    var options = reduced(.demo, scenes: 6, frames: 1)
    options.truthSize = RasterSize(width: 480, height: 360)
    options.relativeSize = RasterSize(width: 259, height: 196)
    return (0..<6).map { SyntheticScene(options: options, index: $0).frame(0) }
  }

  @Test("raw LiDAR and a global fit land at the published errors")
  func errors() throws {
    var (raw, fitted, everywhere): ([DepthError], [DepthError], [DepthError]) = ([], [], [])
    for frame in frames() {
      let (truth, relative) = (try #require(frame.truth), try #require(frame.relative))
      let away = awayFromSteps(truth, radius: Double(truth.width) / Double(frame.lidar.width))
      let upsampled = bilinear(frame.lidar, at: truth.size)
      raw.append(DepthError(predicted: upsampled, truth: truth, where: away))
      let all = [Bool](repeating: true, count: away.count)
      everywhere.append(DepthError(predicted: upsampled, truth: truth, where: all))
      let line = try fit(frame)
      let values = bilinear(relative, at: truth.size).map { 1 / (line.slope * $0 + line.intercept) }
      fitted.append(DepthError(predicted: values, truth: truth, where: away))
      #expect(line.correlation > 0.97)
    }
    // Published for ARKit against a laser: L1 0.025 m, RMSE 0.042 m; a global fit has L1 0.062 m.
    let (lidar, network) = (DepthError(meanOf: raw), DepthError(meanOf: fitted))
    #expect(abs(lidar.l1 / 0.025 - 1) < 0.2)
    #expect(abs(lidar.rmse / 0.042 - 1) < 0.2)
    #expect(lidar.deltaHalf > 0.96)
    #expect(network.l1 > 0.04 && network.l1 < 0.085)
    #expect(DepthError(meanOf: everywhere).rmse > lidar.rmse)
  }

  /// 1/d against the relative map over the returns that the specified fusion selects.
  private func fit(
    _ frame: DepthFrame
  ) throws -> (slope: Double, intercept: Double, correlation: Double) {
    let (confidence, relative) = (try #require(frame.confidence), try #require(frame.relative))
    let values = bilinear(relative, at: frame.lidar.size)
    let used = values.indices.filter {
      confidence.values[$0] == 2 && frame.lidar.values[$0] > 0.1 && frame.lidar.values[$0] < 4
    }
    return lineFit(used.map { values[$0] }, used.map { 1 / Double(frame.lidar.values[$0]) })
  }
}
