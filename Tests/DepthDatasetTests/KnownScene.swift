import DepthCore
import DepthDataset

/// A scene of a few frames in which every value follows from its position.
enum KnownScene {
  static let frameCount = 3
  static let camera = CameraIntrinsics(
    fx: 160, fy: 161, cx: 79.5, cy: 60.25, imageSize: RasterSize(width: 160, height: 120))

  static var header: SceneHeader {
    var header = SceneHeader(name: "küche 1", frameCount: frameCount)
    header.frameIDs = ["a", "bé", "c"]
    header.timestampsSeconds = [0, 0.5, 1.25]
    (header.note, header.license, header.device) = ("a note", "CC0-1.0", "made up")
    header.lidarSize = RasterSize(width: 8, height: 6)
    header.hasConfidence = true
    header.relativeSize = RasterSize(width: 10, height: 7)
    (header.relativeKind, header.relativeModel) = (.disparity, "DepthAnythingV2")
    header.truthSize = RasterSize(width: 16, height: 12)
    header.truthIndependence = .render
    header.intrinsics = camera
    header.hasPoses = true
    (header.cameraConvention, header.upAxis) = (.arkit, .z)
    header.colourSize = RasterSize(width: 5, height: 4)
    header.predictions = [
      StoredPrediction(name: "net", kind: .metric, size: RasterSize(width: 4, height: 3)),
      StoredPrediction(name: "other", kind: .disparity, size: RasterSize(width: 2, height: 2)),
    ]
    return header
  }

  static func map(_ size: RasterSize?, _ offset: Float) -> DepthMap {
    let size = size ?? RasterSize(width: 1, height: 1)
    return Raster(
      width: size.width, height: size.height, values: (0..<size.count).map { offset + Float($0) * 0.001 })
  }

  static func frame(_ index: Int) -> DepthFrame {
    let header = header
    var lidar = map(header.lidarSize, 1 + Float(index))
    (lidar.values[0], lidar.values[1], lidar.values[2]) = (0, .nan, .infinity)
    var frame = DepthFrame(
      index: index, lidar: lidar,
      confidence: Raster(width: 8, height: 6, values: (0..<48).map { UInt8(($0 + index) % 3) }),
      relative: map(header.relativeSize, -0.02), truth: map(header.truthSize, 2 + Float(index)),
      intrinsics: camera,
      worldFromCamera: RigidTransform(
        xAxis: [0, 1, 0], yAxis: [-1, 0, 0], zAxis: [0, 0, 1], translation: [0.5, Double(index), -2]),
      image: Raster(
        width: 5, height: 4,
        values: (0..<20).map { RGB(red: UInt8($0), green: UInt8(100 + $0), blue: UInt8(200 + index)) }))
    frame.predictions = header.predictions.map { ($0, map($0.size, 5 + Float(index))) }
    return frame
  }

  static var objects: SceneObjects {
    let box = PixelRectangle(minX: 1.5, minY: 2, maxX: 30.25, maxY: 40)
    let mask = Raster<Float>(width: 4, height: 3, values: [0, 1, 0.2, 0.4, 0.6, 0.8, 0, 0, 1, 1, 0, 0])
    let truth = OrientedBox(center: [1, 2, 3], size: [0.5, 0.25, 0.125], yaw: -0.75)
    return SceneObjects(
      conventions: DetectionConventions(boxOrigin: .bottomLeft, maskOrigin: .topLeft, maskStride: 8),
      objects: [
        DetectedObject(frame: 0, label: "cup", score: 0.875, box: box, mask: mask, truth: truth),
        DetectedObject(frame: 2, label: "Stuhl ü", score: 0.5, box: box, mask: mask, truth: nil),
      ])
  }

  static var attributes: DatasetAttributes {
    var attributes = DatasetAttributes()
    (attributes.name, attributes.description, attributes.license) = (
      "known", "every value is known", "CC0-1.0"
    )
    (attributes.source, attributes.createdBy) = ("tests", "DepthDatasetTests")
    return attributes
  }

  static func write(to path: String, overwrite: Bool = false) throws {
    var writer = try DatasetWriter(creating: path, attributes: attributes, overwrite: overwrite)
    try writer.addScene(header)
    for index in 0..<frameCount { try writer.write(frame(index), to: header.name) }
    try writer.writeObjects(objects, to: header.name)
    try writer.commit()
  }
}
