private import Foundation
package import DepthCore
package import FathomPictureFiles
internal import FathomPlainText

/// The camera of a scene of Hypersim, from its line in `metadata_camera_parameters.csv` (apple/ml-hypersim c85b287,
/// contrib/mikeroberts3000/README.md).
///
/// A matrix takes (u, v, 1), from −1 to 1 to the right and up, to a ray of a camera that looks along −z with y up. Where the lens is
/// tilted, so is the plane of the picture: the matrix is then that of a camera K whose axes are turned against those of the poses.
package struct HypersimCamera {
  /// K, counted from the corner.
  package let intrinsics: RecordedIntrinsics
  /// From the axes of K to those that the poses mean; both with x right, y up, z back.
  package let tilt: RigidTransform

  /// nil where the file is another one.
  /// - Throws: `PictureFault` where it has no camera of the scene, or one that fx, fy, cx, cy cannot state.
  package init?(of scene: String, at path: String) throws(PictureFault) {
    guard try FileBytes.read(path, limit: 11) == Array("scene_name,".utf8) else { return nil }
    let cells = try Self.line(of: scene, path)
    func number(_ name: String) -> Double { cells[name].flatMap(Double.init) ?? .nan }
    let (width, height) = (number("settings_output_img_width"), number("settings_output_img_height"))
    guard let size = RecordedIntrinsics.size(width, height)
    else { throw PictureFault("its line of '\(scene)' has no size of the pictures") }
    func column(_ index: Int) -> SIMD3<Double> {
      [
        number("M_cam_from_uv_0\(index)"), number("M_cam_from_uv_1\(index)"),
        number("M_cam_from_uv_2\(index)"),
      ]
    }
    // To the ray of a pixel, counted from the corner: u = 2x/width − 1, v = 1 − 2y/height.
    let (u, v, one) = (column(0), column(1), column(2))
    let (b0, b1, b2) = (u * (2 / width), v * (-2 / height), one - u + v)
    func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { (a * b).sum() }
    let (fx, x) = (dot(b0, b0).squareRoot(), b0 / dot(b0, b0).squareRoot())
    let skew = dot(x, b1), rest = b1 - skew * x
    let (fy, down) = (dot(rest, rest).squareRoot(), rest / dot(rest, rest).squareRoot())
    let forward = SIMD3(
      x.y * down.z - x.z * down.y, x.z * down.x - x.x * down.z, x.x * down.y - x.y * down.x)
    let depth = dot(forward, b2)
    guard depth > 0 else { throw PictureFault("its line of '\(scene)' has no camera") }
    // Pixels by which the last row is shifted against the first.
    guard abs(skew / fx * height) < 0.1 else {
      throw PictureFault(
        "the camera of '\(scene)' is tilted about two axes, so that no fx, fy, cx, cy states it: its rows are shifted by up to \(DepthWords.significant(abs(skew / fx * height))) pixels"
      )
    }
    let cy = -dot(down, b2) / fy
    intrinsics = RecordedIntrinsics(
      [depth / fx, depth / fy, (-dot(x, b2) - skew * cy) / fx, cy], imageSize: size)
    tilt = RigidTransform(xAxis: x, yAxis: -down, zAxis: -forward, translation: .zero)
    try intrinsics.requireCamera()
  }

  /// Degrees between the two optical axes.
  package var degrees: Double { acos(min(1, tilt.zAxis.z)) * 180 / .pi }

  private static func line(of scene: String, _ path: String) throws(PictureFault) -> [String: String] {
    do throws(CSVFault) {
      var reader = try CSVReader(readingFrom: path), row = CSVRow()
      guard try reader.next(&row) else { throw CSVFault("it is empty") }
      let header = row.texts
      while try reader.next(&row) {
        guard row.text(0) == scene else { continue }
        return Dictionary(zip(header, row.texts)) { first, _ in first }
      }
    } catch { throw PictureFault(error.reason) }
    throw PictureFault("it has no line of the scene '\(scene)'")
  }
}
