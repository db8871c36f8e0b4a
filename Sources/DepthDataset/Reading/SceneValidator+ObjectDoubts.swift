internal import DepthCore
import FathomPlainText
internal import FathomHDF5

extension SceneValidator {
  /// What most detections have in another unit or order than the schema's: a file can be read so, and its boxes are nonsense.
  mutating func doubtObjects(_ found: SceneLayout.Objects, _ file: borrowing HDF5File) {
    func path(_ name: String) -> String { "\(found.group)/\(name)" }
    if let boxes = numbers(path("bbox"), each: 4, file) {
      doubt(path("bbox"), boxes, "end before they begin", "store x_min, y_min, x_max, y_max") {
        $0[2] < $0[0] || $0[3] < $0[1]
      }
      if let size = layout.intrinsics?.imageSize {
        let (width, height) = (Double(size.width), Double(size.height))
        doubt(path("bbox"), boxes, "end outside of the picture of \(size)", "store pixels of image_size") {
          $0[2] > 1.1 * width || $0[3] > 1.1 * height
        }
        doubt(
          path("bbox"), boxes, "are within 2 pixels of the corner",
          "store pixels of image_size, not shares of its sides"
        ) { $0.allSatisfy { (-0.5...2).contains($0) } && min(width, height) > 10 && $0[0] < $0[2] }
      }
    }
    if let scores = numbers(path("score"), each: 1, file) {
      doubt(path("score"), scores, "are above 1", "store the detector's confidence, 0 to 1") { $0[0] > 1 }
    }
    guard found.hasTruth else { return }
    if let centers = numbers(path("truth/center"), each: 3, file) {
      doubt(path("truth/center"), centers, "are more than 300 m from the origin", "store metres") {
        $0.reduce(0) { $0 + $1 * $1 } > 300 * 300
      }
    }
    if let angles = numbers(path("truth/yaw"), each: 1, file) {
      doubt(path("truth/yaw"), angles, "are above 2π", "store radians") { abs($0[0]) > 6.3 }
    }
  }

  private mutating func numbers(_ path: String, each: Int, _ file: borrowing HDF5File) -> [[Double]]? {
    attempt(path) { () throws(HDF5Error) -> [Double] in try file.dataset(path).read() }.map { all in
      stride(from: 0, to: all.count - each + 1, by: each).map { Array(all[$0..<$0 + each]) }
        .filter { $0.allSatisfy(\.isFinite) }
    }
  }

  /// A warning where it holds for more than half of them.
  private mutating func doubt(
    _ path: String, _ entries: [[Double]], _ problem: String, _ advice: Wording, _ test: ([Double]) -> Bool
  ) {
    let count = entries.count(where: test)
    guard 2 * count > entries.count else { return }
    issues.append(
      SchemaIssue(
        severity: .warning, object: path,
        problem: "\(count) of \(counted(entries.count, "detection")) \(problem)", advice: advice))
  }
}
