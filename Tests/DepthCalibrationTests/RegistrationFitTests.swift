import DepthCore
import DepthEvaluation
import Testing

@testable import DepthCalibration

/// Bars of two distances before a wall, seen exactly by LiDAR and network; the network's map lies elsewhere by a shift.
private struct Bars {
  static let lidarSize = RasterSize(width: 128, height: 96)
  static let relativeSize = RasterSize(width: 260, height: 196)

  /// At a place in LiDAR pixels. Bars lean, to one side or the other, so that edges fall on every part of a pixel.
  static func depth(_ x: Double, _ y: Double, phase: Double) -> Double {
    let lean = Int(phase / 1.37) % 2 == 0 ? 0.13 : -0.13
    let across = (x + lean * y + phase).truncatingRemainder(dividingBy: 24)
    let down = (y + lean * x + phase).truncatingRemainder(dividingBy: 20)
    return across < 12 ? (down < 10 ? 1.5 : 2.2) : (down < 10 ? 2.0 : 3.1)
  }

  static func map(_ size: RasterSize, phase: Double, shift: PixelOffset, _ value: (Double) -> Double)
    -> DepthMap
  {
    let (sx, sy) = (
      Double(lidarSize.width) / Double(size.width), Double(lidarSize.height) / Double(size.height)
    )
    var values: [Float] = []
    for row in 0..<size.height {
      for column in 0..<size.width {
        let (x, y) = ((Double(column) + 0.5) * sx - shift.x, (Double(row) + 0.5) * sy - shift.y)
        values.append(Float(value(depth(x, y, phase: phase))))
      }
    }
    return DepthMap(width: size.width, height: size.height, values: values)
  }

  static func frame(_ index: Int, scene: Int, shift: PixelOffset, kind: RelativeKind) -> DepthFrame {
    let phase = 1.37 * (30.5 + Double(index) + 7 * Double(scene))
    return DepthFrame(
      index: index, lidar: map(lidarSize, phase: phase, shift: .zero) { $0 },
      relative: map(relativeSize, phase: phase, shift: shift) { kind == .depth ? $0 : 1 / $0 })
  }

  static func scene(_ number: Int, frames: Int, shift: PixelOffset, kind: RelativeKind) -> SceneAlignment {
    var header = SceneHeader(name: "bars-\(number)", frameCount: frames)
    (header.lidarSize, header.relativeSize, header.relativeKind) = (lidarSize, relativeSize, kind)
    var scene = SceneAlignment(SceneContext(header: header, name: header.name))
    for index in 0..<frames {
      scene.add(scene.alignment(of: frame(index, scene: number, shift: shift, kind: kind)))
    }
    return scene
  }
}

@Suite("Shift between relative map and LiDAR")
struct RegistrationFitTests {
  @Test(
    "an injected shift is found and recommended, to a twentieth of a pixel",
    arguments: [PixelOffset(x: 0.7, y: -0.4), PixelOffset(x: -1.2, y: 0.35)],
    [RelativeKind.disparity, .depth])
  func injected(_ shift: PixelOffset, _ kind: RelativeKind) throws {
    let fit = RegistrationFit((0..<5).map { Bars.scene($0, frames: 4, shift: shift, kind: kind) })
    let (x, y) = (try #require(fit.x), try #require(fit.y))
    #expect(abs(x.shift - shift.x) < 0.05 && abs(y.shift - shift.y) < 0.05, "\(x.shift), \(y.shift)")
    #expect(x.isRecommended && y.isRecommended)
    #expect(fit.recommended == PixelOffset(x: x.shift, y: y.shift))
  }

  @Test("maps in place are left there", arguments: [RelativeKind.disparity, .depth])
  func inPlace(_ kind: RelativeKind) throws {
    let fit = RegistrationFit((0..<5).map { Bars.scene($0, frames: 4, shift: .zero, kind: kind) })
    #expect(fit.recommended == .zero)
    let (x, y) = (try #require(fit.x), try #require(fit.y))
    #expect(abs(x.shift) < 0.05 && abs(y.shift) < 0.05)
  }

  @Test(
    "why an axis is left in place",
    arguments: [
      ([0.5, 0.6, 0.5, 0.6], RegistrationFit.Verdict.recommended), ([0.5, 0.6, 0.5], .tooFewScenes),
      ([0.5, -0.6, 0.5, -0.6], .indistinguishable), ([0.05, 0.06, 0.05, 0.06], .tooSmall),
    ])
  func reasons(_ shifts: [Double], _ expected: RegistrationFit.Verdict) throws {
    #expect(try #require(RegistrationFit.Axis(shifts)).verdict == expected)
  }

  @Test("three scenes, or none with edges, move nothing")
  func tooFew() throws {
    let shift = PixelOffset(x: 1, y: 1)
    let fit = RegistrationFit((0..<3).map { Bars.scene($0, frames: 2, shift: shift, kind: .disparity) })
    #expect(try #require(fit.x).shift > 0.9)
    #expect(fit.recommended == .zero)
    #expect(
      try #require(RegistrationFit([Bars.scene(0, frames: 2, shift: shift, kind: .disparity)]).x).interval
        == nil)
    let header = SceneHeader(name: "plain", frameCount: 1)
    let without = RegistrationFit([
      SceneAlignment(SceneContext(header: header, name: "plain"))
    ])
    #expect(without.x == nil && without.scenes.isEmpty && without.recommended == .zero)
  }
}
