import DepthCore
import DepthObjects

/// What one way of placing an effect gave for one object.
struct PlacementOutcome: Sendable, Hashable {
  var method: PlacementMethod
  /// nil where the method gave no place.
  var error: PlacementError?

  /// Every method on one object, side by side.
  ///
  /// - Parameters:
  ///   - object: Its image box, median depth and camera are used.
  ///   - box: Fitted to the object; nil where that failed.
  ///   - truth: Its true box, in the camera's world.
  ///   - planes: Of the same frame.
  static func all(
    of object: ObjectPoints, box: OrientedBox?, truth: OrientedBox, planes: [HorizontalPlane]
  ) -> [PlacementOutcome] {
    PlacementMethod.all.map { method in
      let placement = method.placement(of: object, box: box, planes: planes)
      return PlacementOutcome(
        method: method,
        error: placement.map { PlacementError(of: $0, truth: truth, camera: object.camera.position) })
    }
  }
}
