import DepthFusion
import Foundation
import TestSupport
import Testing

@testable import DepthObjects

/// Median yaw error and mean IoU of a method on simulated views.
struct SimulatedScore: Sendable {
  let yawDegrees: Double, iou: Double, centerMetres: Double

  init(_ method: BoxMethod, _ faces: BoxView.Faces, noise: Double, views: Int) throws {
    let errors = try (0..<UInt64(views)).map { seed in
      let view = BoxView(faces, noise: noise, seed: seed)
      return try BoxErrors(
        of: method.box(of: view.object(for: method)), truth: view.truth, camera: view.camera.position)
    }
    yawDegrees = OrderStatistics.median(of: errors.map(\.yawDegrees)) ?? .nan
    iou = errors.reduce(0) { $0 + $1.iou } / Double(views)
    centerMetres = errors.reduce(0) { $0 + hypot($1.centerAlongRay, $1.centerAcrossRay) } / Double(views)
  }
}

@Suite("Boxes on simulated views")
struct BoxSimulationTests {
  static let tableOfResults = ProcessInfo.processInfo.environment["FATHOM_BOX_TABLE"] != nil

  @Test("two vertical faces, 3 mm noise: the L-shape is found", arguments: ["closeness", "auto"])
  func twoFaces(_ id: String) throws {
    let method = try #require(BoxMethod.all.first { $0.id == id })
    let score = try SimulatedScore(method, .two, noise: 0.003, views: 60)
    #expect(score.yawDegrees < 1)
    #expect(score.iou >= 0.88)
  }

  @Test("two vertical faces, 3 mm noise: principal axes follow the diagonal of the L")
  func twoFacesByPCA() throws {
    let score = try SimulatedScore(.pcaXZ, .two, noise: 0.003, views: 60)
    #expect(score.yawDegrees > 15)
    #expect(score.iou < 0.55)
  }

  @Test("the table", .enabled(if: tableOfResults))
  func table() throws {
    for faces in BoxView.Faces.allCases {
      for noise in [0.003, 0.008, 0.015, 0.03] {
        for method in BoxMethod.all {
          let s = try SimulatedScore(method, faces, noise: noise, views: 200)
          print(faces.rawValue, noise, method.id, s.yawDegrees, s.iou, s.centerMetres)
        }
      }
    }
  }
}
