import DepthCore
import DepthDataset
import DepthGraphics
import DepthObjects
import Foundation
import FathomTestSupport

/// Evidence pictures of a simulated scene, as a diagnosis would draw them.
enum DemoPictures {
  /// The demo where it was made, else the committed sample.
  static var data: String {
    let demo = PackageFiles.root.appendingPathComponent("Datasets/demo.h5").path
    return FileManager.default.fileExists(atPath: demo)
      ? demo : PackageFiles.root.appendingPathComponent("Datasets/sample.h5").path
  }

  /// The LiDAR of one frame carried into another one, under the right and the wrong axes of the pose.
  static func poses(background: (DepthFrame) -> EvidencePicture.Background?) throws -> EvidencePicture {
    let reader = try DatasetReader(readingFrom: data)
    let scene = reader.scenes[0]
    let (from, to) = (
      try reader.frame(0, of: scene, including: .all),
      try reader.frame(scene.frameCount - 1, of: scene, including: .all)
    )
    guard let camera = to.intrinsics, let picture = background(to) else { throw DemoError.incomplete }
    func panel(_ title: String, _ convention: CameraConvention, _ caption: String) throws
      -> EvidencePicture.Panel
    {
      guard let source = from.posed(convention), let target = to.posed(convention) else {
        throw DemoError.incomplete
      }
      return EvidencePicture.Panel(
        title: title, background: picture, points: carried(from.lidar, source, to.lidar, target),
        caption: caption)
    }
    return EvidencePicture(
      panels: [
        try panel(
          "declared: poses in OpenCV axes", .opencv,
          "The LiDAR of the first frame, carried into the last one by the poses as declared: most points lie far off the surfaces that the last frame's LiDAR measures there."
        ),
        try panel(
          "supported: poses in ARKit axes", .arkit,
          "The same points by ARKit's axes: they land on the surfaces they came from, but at depth steps, where the view changed."
        ),
      ], imageSize: camera.imageSize,
      scale: ColourScale(range: 0...10, label: "difference from the LiDAR there", unit: "%"))
  }

  private static func carried(
    _ map: DepthMap, _ source: PosedCamera, _ measured: DepthMap, _ target: PosedCamera
  ) -> [EvidencePicture.ProjectedPoint] {
    let size = source.intrinsics.imageSize
    var points: [EvidencePicture.ProjectedPoint] = []
    for row in stride(from: 2, to: map.height, by: 4) {
      for column in stride(from: 2, to: map.width, by: 4) {
        let u = (Double(column) + 0.5) * Double(size.width) / Double(map.width)
        let v = (Double(row) + 0.5) * Double(size.height) / Double(map.height)
        let point = source.point(u: u, v: v, depth: Double(map[row, column]))
        guard let (x, y, depth) = target.project(point) else { continue }
        let (i, j) = (
          Int((x / Double(size.width) * Double(measured.width)).rounded(.down)),
          Int((y / Double(size.height) * Double(measured.height)).rounded(.down))
        )
        guard (0..<measured.width).contains(i), (0..<measured.height).contains(j) else { continue }
        let there = Double(measured[j, i])
        points.append(.init(u: x, v: y, value: 100 * abs(depth - there) / there))
      }
    }
    return points
  }

  /// A relative map turned upside down beside the right one, both under the LiDAR's contours.
  static func relative() throws -> EvidencePicture {
    let reader = try DatasetReader(readingFrom: data)
    let frame = try reader.frame(0, of: reader.scenes[0], including: .all)
    guard let map = frame.relative, let camera = frame.intrinsics else { throw DemoError.incomplete }
    var mirrored = map
    for row in 0..<map.height {
      for column in 0..<map.width { mirrored[row, column] = map[map.height - 1 - row, column] }
    }
    return EvidencePicture(
      panels: [
        .init(
          title: "declared: rows from the top", background: .relative(mirrored, contours: frame.lidar),
          caption: "Lines of equal LiDAR depth cross the bands of the relative map."),
        .init(
          title: "supported: mirrored top to bottom", background: .relative(map, contours: frame.lidar),
          caption: "Lines of equal LiDAR depth run along the borders of the bands."),
      ], imageSize: camera.imageSize,
      scale: .ranks())
  }

  enum DemoError: Error { case incomplete }

  /// Keeps a picture for people where `FATHOM_PICTURES` names a folder.
  static func keep(_ png: [UInt8], _ name: String) throws {
    guard let folder = ProcessInfo.processInfo.environment["FATHOM_PICTURES"] else { return }
    try Data(png).write(to: URL(fileURLWithPath: folder + "/" + name))
  }
}

extension DepthFrame {
  fileprivate func posed(_ convention: CameraConvention) -> PosedCamera? {
    guard let intrinsics, let worldFromCamera else { return nil }
    return PosedCamera(intrinsics, worldFromCamera, convention)
  }
}
