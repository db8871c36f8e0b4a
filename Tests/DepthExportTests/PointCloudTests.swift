import DepthCore
import DepthExport
import DepthObjects
import Testing

private let intrinsics = CameraIntrinsics(
  fx: 8, fy: 6, cx: 3, cy: 4.5, imageSize: RasterSize(width: 8, height: 6))
private let grey: PointCloud.Colouring = .depth { _ in RGB(red: 9, green: 9, blue: 9) }

@Suite("Point clouds")
struct PointCloudTests {
  @Test("are rays through pixel centres at planar depth, row by row")
  func unprojection() {
    let map = DepthMap(width: 4, height: 3, values: (0..<12).map { 1 + Float($0) / 4 })
    let camera = PosedCamera(intrinsics, .identity, .opencv)
    let cloud = PointCloud(of: map, seenBy: camera, confidence: nil, .init(), colouring: grey)
    #expect(cloud.count == 12)
    for (index, point) in cloud.positions.enumerated() {
      let (row, column) = (index / 4, index % 4)
      let z = 1 + Float(index) / 4
      let (u, v) = (2 * Float(column) + 1, 2 * Float(row) + 1)
      let expected = SIMD3<Float>((u - 3) / 8 * z, (v - 4.5) / 6 * z, z)
      let difference = point - expected
      #expect(abs(difference.x) + abs(difference.y) + abs(difference.z) < 1e-6)
    }
    #expect(cloud.confidences.allSatisfy { $0 == 2 })
  }

  @Test("leave out missing depth, low confidence and depths out of range, ends included")
  func selection() {
    let map = DepthMap(width: 6, height: 1, values: [1, 0, .nan, 2, 3, 4])
    let confidence = Raster<UInt8>(width: 6, height: 1, values: [0, 2, 2, 1, 2, 2])
    let camera = PosedCamera(intrinsics, .identity, .opencv)
    func depths(_ selection: PointCloud.Selection) -> [Float] {
      PointCloud(of: map, seenBy: camera, confidence: confidence, selection, colouring: grey).positions.map(
        \.z)
    }
    #expect(depths(.init()) == [1, 2, 3, 4])
    #expect(depths(.init(minimumConfidence: 1)) == [2, 3, 4])
    #expect(depths(.init(minimumConfidence: 2, depthRange: 2...3)) == [3])
    #expect(depths(.init(depthRange: 1...2)) == [1, 2])
  }

  @Test("take colour and confidence from the pixel that holds the centre, at any resolution")
  func lookups() {
    let map = DepthMap(width: 4, height: 2, filledWith: 1)
    let image = Raster<RGB>(
      width: 2, height: 1, values: [RGB(red: 1, green: 2, blue: 3), RGB(red: 4, green: 5, blue: 6)])
    let confidence = Raster<UInt8>(width: 8, height: 4, values: (0..<32).map { UInt8($0 % 8 / 3) })
    let cloud = PointCloud(
      of: map, seenBy: PosedCamera(intrinsics, .identity, .arkit), confidence: confidence, .init(),
      colouring: .image(image))
    #expect(cloud.colours.map(\.red) == [1, 1, 4, 4, 1, 1, 4, 4])
    // The centre of column x lies in column 2x + 1 of a map twice as wide.
    #expect(cloud.confidences == [0, 1, 1, 2, 0, 1, 1, 2])
    #expect(confidence.resampledNearest(to: map.size).values == cloud.confidences)
  }

  @Test("join in order")
  func joining() {
    var cloud = PointCloud()
    cloud.append([1, 2, 3], RGB(red: 1, green: 2, blue: 3), confidence: 1)
    var other = PointCloud()
    other.append([4, 5, 6], RGB(red: 4, green: 5, blue: 6), confidence: 0)
    cloud.append(other)
    #expect(cloud.positions == [[1, 2, 3], [4, 5, 6]] && cloud.confidences == [1, 0])
    #expect(cloud.colours.map(\.green) == [2, 5])
  }
}
