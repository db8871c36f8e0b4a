import DepthCore
import DepthDataset
import DepthExport
import DepthObjects

/// The boxes of a frame's objects: fitted ones by method, and the true ones.
struct ObjectBoxes {
  let options: GeometryOptions, scene: SceneHeader, objects: SceneObjects

  /// - Parameter depth: The source's map; boxes are fitted to it.
  /// - Parameter isWorld: Whether the camera stands in the world, where true boxes are.
  /// - Returns: One group for each choice, and in words which objects have no box.
  func groups(
    in frame: DepthFrame, _ depth: DepthMap, _ camera: PosedCamera, isWorld: Bool
  ) -> ([BoxGroup], omissions: [String]) {
    let seen = objects.objects.filter { $0.frame == frame.index }
    var omissions: [String] = []
    let groups = options.boxes.enumerated().map { position, choice in
      var boxes: [LabelledBox] = []
      for object in seen {
        switch choice {
        case .truth:
          if isWorld, let box = trueBox(of: object, camera) { boxes.append(box) }
        case .method(let id):
          do { boxes.append(try fittedBox(of: object, by: id, in: frame, depth, camera)) } catch {
            omissions.append(
              "scenes/\(scene.name): frame \(scene.frameID(frame.index)): no \(id) box of '\(object.label)': \(error)"
            )
          }
        }
      }
      return BoxGroup(choice, colour: BoxGroup.colour(of: choice, position: position), boxes: boxes)
    }
    return (groups, omissions)
  }

  private func trueBox(of object: DetectedObject, _ camera: PosedCamera) -> LabelledBox? {
    guard let truth = object.truth?.upright(from: scene.upAxis) else { return nil }
    return LabelledBox(
      label: object.label, score: object.score, distance: camera.depth(of: truth.center),
      frame: scene.frameID(object.frame), box: PosedBox(truth))
  }

  private func fittedBox(
    of object: DetectedObject, by id: String, in frame: DepthFrame, _ depth: DepthMap, _ camera: PosedCamera
  ) throws -> LabelledBox {
    guard let method = BoxMethod.all.first(where: { $0.id == id }) else {
      preconditionFailure("a choice is only made of a method that exists")
    }
    var chosen = options.objectOptions
    chosen.selection = method.selection
    let points = try ObjectPoints(
      of: object, in: depth, confidence: frame.confidence?.resampledNearest(to: depth.size), camera: camera,
      conventions: objects.conventions, options: chosen)
    let fit = try method.box(of: points, seed: options.seed)
    return LabelledBox(
      label: object.label, score: object.score, distance: points.medianDepth,
      frame: scene.frameID(object.frame), box: fit.posed,
      reason: "\(fit.diagnostics.pointCount) points; \(fit.diagnostics.reason)")
  }
}
