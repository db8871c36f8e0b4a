import DepthCore
import Testing

@testable import DepthObjects

@Suite("Points of an object")
struct ObjectPointsTests {
  private let view = SyntheticView.room

  /// Objects of a good size in the picture.
  private var large: [DetectedObject] {
    view.objects.filter { $0.truth != nil && ($0.mask?.values.count { $0 > 0.5 } ?? 0) > 150 }
  }

  /// Share of the points that lie within 5 cm of their object's true box, over all large objects.
  private func shareInside(_ flips: RowFlips?, _ map: DepthMap? = nil) throws -> Double {
    var (inside, count) = (0, 0)
    for object in large {
      var options = ObjectOptions()
      options.flips = flips
      let points = try ObjectPoints(
        of: object, in: map ?? view.frame.lidar, confidence: map == nil ? view.frame.confidence : nil,
        camera: view.camera, conventions: view.conventions, options: options)
      let box = try #require(object.truth)
      inside += points.points.count { box.excess(of: $0) < 0.05 }
      count += points.points.count
    }
    return Double(inside) / Double(count)
  }

  @Test("lie in the true boxes of a simulated room, from LiDAR and from truth")
  func simulated() throws {
    #expect(large.count >= 3)
    #expect(try shareInside(nil) > 0.9)
    #expect(try shareInside(nil, view.frame.truth) > 0.95)
  }

  @Test("of the eight combinations of flips the one that the conventions call for is best")
  func flips() throws {
    #expect(RowFlips.combinations.count == 8 && Set(RowFlips.combinations).count == 8)
    let right = RowFlips(for: view.conventions)
    #expect(right == RowFlips(boxToDepth: true, depthToMask: true))
    let best = try shareInside(right)
    for flips in RowFlips.combinations where flips != right {
      let isBoxRight = flips.boxToDepth && flips.depthToImage
      // A mask upside down misses the box: all its depths stand in, and hide the mistake but for a little background.
      #expect(try shareInside(flips) < best - (isBoxRight ? 0 : 0.5), "\(flips)")
    }
    func masked(_ flips: RowFlips) throws -> Int {
      var options = ObjectOptions()
      options.flips = flips
      return try large.count {
        try ObjectDepths(
          of: $0, in: view.frame.lidar, confidence: view.frame.confidence,
          imageSize: view.camera.intrinsics.imageSize, conventions: view.conventions, options: options
        ).isMasked
      }
    }
    #expect(try masked(right) > masked(RowFlips(boxToDepth: true, depthToMask: false)))
  }

  @Test("cy left as it is shifts points by (H − 2cy)/fy·z upwards, as the app's code does")
  func literal() throws {
    let object = try #require(large.first)
    var options = ObjectOptions()
    let exact = try ObjectPoints(
      of: object, in: view.frame, camera: view.camera, conventions: view.conventions, options: options)
    options.flips = .app
    let literal = try ObjectPoints(
      of: object, in: view.frame, camera: view.camera, conventions: view.conventions, options: options)
    let intrinsics = view.camera.intrinsics
    #expect(exact.points.count == literal.points.count && !exact.points.isEmpty)
    for (index, depth) in exact.depths.enumerated() {
      let shift = (Double(intrinsics.imageSize.height) - 2 * intrinsics.cy) / intrinsics.fy * depth
      let moved = exact.points[index] + view.camera.worldFromCamera.yAxis * shift - literal.points[index]
      #expect((moved * moved).sum() < 1e-20)
    }
  }

  @Test("without the third flip points are mirrored about the principal point's row")
  func mirrored() throws {
    let intrinsics = CameraIntrinsics(
      fx: 100, fy: 100, cx: 41, cy: 27, imageSize: RasterSize(width: 80, height: 60))
    let flips = RowFlips(boxToDepth: true, depthToMask: true, depthToImage: false)
    #expect(flips.unprojectedRow(20, intrinsics) == 34)
    #expect(RowFlips(boxToDepth: false, depthToMask: false).unprojectedRow(20, intrinsics) == 20)
    #expect(RowFlips.app.unprojectedRow(20, intrinsics) == 20 + 54 - 60)
  }

  @Test("pixel centres are unprojected, the depths between the chosen ranks kept")
  func selection() throws {
    let intrinsics = CameraIntrinsics(
      fx: 40, fy: 40, cx: 40, cy: 30, imageSize: RasterSize(width: 80, height: 60))
    let camera = PosedCamera(intrinsics, .identity, .arkit)
    let map = DepthMap(width: 20, height: 1, values: (0..<20).map { 1 + Float($0) / 8 })
    let object = DetectedObject(
      frame: 0, label: "cup", score: 1, box: PixelRectangle(minX: 0, minY: 0, maxX: 80, maxY: 60))
    let points = try ObjectPoints(of: object, in: map, camera: camera, conventions: DetectionConventions())
    // z[⌊0.1·20⌋] = z[2] to z[⌊0.9·20⌋] = z[18].
    #expect(points.depths == (2...18).map { 1 + Double($0) / 8 })
    #expect(points.medianDepth == 1 + 9.5 / 8)
    // Column 2 is centred at u = 10, the only row at v = 30.
    #expect(points.points[0] == [(10.0 - 40) / 40 * 1.25, 0, -1.25])
    var options = ObjectOptions()
    (options.selection, options.unprojectionOffset) = (.everything, 0)
    let corners = try ObjectPoints(
      of: object, in: map, camera: camera, conventions: DetectionConventions(), options: options)
    #expect(corners.points.count == 20 && corners.points[0] == [-1, 0.75, -1])
  }

  @Test("a z-up world is turned upright; undeclared axes give no camera")
  func worlds() throws {
    var header = SceneHeader(name: "a", frameCount: 1)
    var frame = view.frame
    // Looking along +y of a z-up world, from 2 m above the ground.
    frame.worldFromCamera = RigidTransform(
      xAxis: [1, 0, 0], yAxis: [0, 0, 1], zAxis: [0, -1, 0], translation: [0, 0, 2])
    #expect(PosedCamera(of: frame, in: header) == nil)
    (header.cameraConvention, header.upAxis) = (.arkit, .z)
    let camera = try #require(PosedCamera(of: frame, in: header))
    let intrinsics = camera.intrinsics
    #expect(camera.position == [0, 2, 0])
    #expect(camera.point(u: intrinsics.cx, v: intrinsics.cy, depth: 3) == [0, 2, -3])
    frame.intrinsics = nil
    #expect(PosedCamera(of: frame, in: header) == nil)
  }
}
