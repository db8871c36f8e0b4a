import DepthCore
import DepthDataset
import DepthImport
import FathomStorage
import FathomTestSupport
import Testing

/// Pictures, maps, intrinsics and poses are turned together: a pixel stays at its point of the world.
@Suite struct TurnTests {
  /// The point of the world behind the centre of a pixel.
  private func point(_ frame: DepthFrame, _ row: Int, _ column: Int, _ axes: CameraConvention) throws
    -> SIMD3<Double>
  {
    let camera = try #require(frame.intrinsics).scaled(to: frame.lidar.size)
    let z = Double(frame.lidar[row, column])
    let x = (Double(column) + 0.5 - camera.cx) / camera.fx * z
    let y = (Double(row) + 0.5 - camera.cy) / camera.fy * z
    let pose = try #require(frame.worldFromCamera)
    return pose(axes == .opencv ? [x, y, z] : [x, -y, -z])
  }

  /// Where a pixel goes.
  private func place(_ row: Int, _ column: Int, _ size: RasterSize, _ turn: ImageTurn) -> (Int, Int) {
    switch turn {
    case .clockwise: (column, size.height - 1 - row)
    case .counterclockwise: (size.width - 1 - column, row)
    case .half: (size.height - 1 - row, size.width - 1 - column)
    }
  }

  @Test(arguments: ImageTurn.allCases, [CameraConvention.opencv, .arkit])
  func everyPixelStaysAtItsPointOfTheWorld(_ turn: ImageTurn, _ axes: CameraConvention) throws {
    let made = try MadeRecording(frames: 2)
    defer { withExtendedLifetime(made) {} }
    try made.write("1600, 0, 930\n0, 1500, 700\n0, 0, 1\n", to: "camera_matrix.csv")
    try made.replaceOdometry(line: 1, with: "100, 0, 1, 2, 3, 0.5, 0.5, 0.5, 0.5")
    let text = try Preset.named("stray").text
    let mapping = try MappingFile.mapping(
      text.replacing("axes: opencv", with: "axes: \(axes.rawValue)"), named: "test.yaml")
    let plain = try FolderRecording(made.path, as: .mapping(mapping))
    var options = ImportOptions()
    options.turn = turn
    let turned = try FolderRecording(made.path, as: .mapping(mapping), options)
    let (a, b) = (
      try plain.frame(0, of: plain.scenes[0], including: .all),
      try turned.frame(0, of: turned.scenes[0], including: .all)
    )
    #expect(b.lidar.size == a.lidar.size.turned(turn) && turned.scenes[0].lidarSize == b.lidar.size)
    for row in 0..<a.lidar.height {
      for column in 0..<a.lidar.width {
        let (y, x) = place(row, column, a.lidar.size, turn)
        #expect(b.lidar[y, x] == a.lidar[row, column])
        #expect(b.confidence?[y, x] == a.confidence?[row, column])
        let (before, after) = (try point(a, row, column, axes), try point(b, y, x, axes))
        #expect((before - after).max() < 1e-5 && (after - before).max() < 1e-5)
      }
    }
    #expect(turned.scenes[0].importRecord?.entries.contains { $0.subject == "orientation" } == true)
  }

  @Test func aPictureThatLiesOtherwiseThanItsDepthIsRefused() throws {
    let made = try MadeRecording(frames: 1)
    defer { withExtendedLifetime(made) {} }
    try made.write(MadePNG.rgb(6, 8, [UInt8](repeating: 1, count: 144)), to: "rgb/000000.png")
    var options = ImportOptions()
    options.depthScale = 0.001
    do throws(FathomError) {
      _ = try FolderRecording(made.path, as: .format("folder"), options)
      Issue.record("an upright picture was paired with a lying map")
    } catch {
      #expect(error.reason.contains("one of them was turned"))
    }
  }
}
