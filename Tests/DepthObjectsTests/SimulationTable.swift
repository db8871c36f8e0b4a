import DepthCore
import Foundation

@testable import DepthObjects

/// What a method reaches on simulated views.
struct SimulatedScore: Sendable {
  /// Median of the yaw's error, degrees.
  let yawDegrees: Double
  /// Mean intersection over union.
  let iou: Double
  /// Mean distance of the centres, metres.
  let centerMetres: Double

  init(_ method: BoxMethod, on views: [BoxView]) throws {
    let errors = try views.map { view in
      try BoxErrors(
        of: method.box(of: view.object(for: method)), truth: view.truth, camera: view.camera.position)
    }
    let count = Double(errors.count)
    yawDegrees = OrderStatistics.median(of: errors.map(\.yawDegrees)) ?? .nan
    iou = errors.reduce(0) { $0 + $1.iou } / count
    centerMetres = errors.reduce(0) { $0 + hypot($1.centerAlongRay, $1.centerAcrossRay) } / count
  }
}

/// The README of this folder: every method on every kind of view.
struct SimulationTable {
  static let views = 100
  static let noises = [0.003, 0.008, 0.015, 0.03]

  static func markdown() throws -> String {
    var text = preface
    for faces in BoxView.Faces.allCases {
      let series = noises.map { noise in (0..<UInt64(views)).map { BoxView(faces, noise: noise, seed: $0) } }
      text += "\n## \(faces.rawValue.prefix(1).uppercased() + faces.rawValue.dropFirst())\n\n"
      text += "| method | " + noises.map { "\(Int(1000 * $0)) mm" }.joined(separator: " | ") + " |\n"
      text += "| --- |" + String(repeating: " ---: |", count: noises.count) + "\n"
      for method in BoxMethod.all {
        let cells = try series.map { views -> String in
          let score = try SimulatedScore(method, on: views)
          return String(
            format: "%.1f° · %.2f · %.0f mm", score.yawDegrees, score.iou, 1000 * score.centerMetres)
        }
        text += "| `\(method.id)` | " + cells.joined(separator: " | ") + " |\n"
      }
    }
    return text
  }

  private static let preface = """
    # Box methods on simulated views

    Each cell: median yaw error, mean 3-D IoU, mean centre error over \(views) views of one box each; columns: standard
    deviation of each depth, independent from pixel to pixel. Boxes of 0.2–0.5 m a side at 0.8–2 m, seen by 256 × 192
    pixels with a focal length of 212; the mask is exact, so that only the depth quantiles of a method's point selection
    matter, not its erosion. A view of two vertical faces has the camera at the height of the box and 20–70° off either
    face; with the top, 0.3–0.6 m above it; one face is seen within 3° of straight on (`BoxView.swift`).

    Made by a test, again with

    ```
    FATHOM_WRITE_BOX_TABLE=1 swift test -c release -Xswiftc -enable-testing --filter BoxSimulationTests
    ```

    (half a minute after the build; without `-c release` eight minutes).

    What to read from it:

    - Principal axes follow the diagonal of the L that two faces leave on the ground (`OpenLaptopTests.swift`); no noise
      level changes that. `closeness` looks for the L itself.
    - `auto` fits two orthogonal lines to the L. The sides of its box, like those of every other method, are the outermost
      points: with much noise boxes become too large.
    - The depth quantiles of `pca-xz`, `pca-xz-eroded`, `robust-pca`, `min-area-rect` and `pca-3d` cut off the far ends
      of the faces; they are meant for points of the background, which these views do not have.
    - One face says nothing about the depth behind it: the IoU of every method is low, and grows with the noise because
      the box grows. The yaw is right all the same, but for `closeness` when the noise makes the face as thick as an L.
    - `six-point` is turned like the camera.

    """
}
