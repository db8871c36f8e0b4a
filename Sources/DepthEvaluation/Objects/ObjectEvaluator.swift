import DepthCore
import DepthObjects

/// Boxes the objects of one frame in every depth map with every method, and compares them with the true boxes. A pure
/// function of its input, whatever the thread.
struct ObjectEvaluator {
  let plan: ObjectPlan, seed: UInt64, scene: SceneContext, frame: DepthFrame
  let camera: PosedCamera, detections: ResolvedDetections

  /// nil where the frame has no camera.
  init?(
    _ plan: ObjectPlan, seed: UInt64, scene: SceneContext, frame: DepthFrame, detections: FrameDetections
  ) {
    guard let camera = PosedCamera(of: frame, in: scene.header) else { return nil }
    (self.plan, self.seed, self.scene, self.frame, self.camera) = (plan, seed, scene, frame, camera)
    self.detections = ResolvedDetections(
      detections, index: frame.index, camera: camera, up: scene.header.upAxis, plan: plan)
  }

  /// The frame's detections against its true boxes.
  var detectionRecord: DetectionRecord {
    DetectionRecord(scene: scene.name, frameIndex: frame.index, classes: detections.score.classes)
  }

  /// Object by object, depth map by depth map, method by method.
  func records(rows: [FrameRecord], depths: [String]) -> [ObjectRecord] {
    guard !detections.objects.isEmpty else { return [] }
    let sources = DepthSource.all(of: frame, rows: rows, ids: depths, camera: camera, plan: plan)
    let truth = DepthSource.truth(of: frame, plan: plan)
    return detections.objects.flatMap { index, object -> [ObjectRecord] in
      let observed = observed(object, index)
      guard object.score > plan.decoding.confidenceThreshold else {
        let reason = "score \(object.score), above \(plan.decoding.confidenceThreshold) is needed"
        return [ObjectRecord(observed, status: .lowScore, reason: reason)]
      }
      let masks = masks(of: object)
      let trueMedians = truth.map { medians(of: object, masks, in: $0) } ?? [:]
      return sources.flatMap { source -> [ObjectRecord] in
        switch source.content {
        case .failure(let missing):
          return [ObjectRecord(observed, depth: source.id, status: .noMap, reason: missing.reason)]
        case .success(let content):
          return records(of: object, masks, observed, source.id, content, trueMedians)
        }
      }
    }
  }

  private func observed(_ object: DetectedObject, _ index: Int) -> ObservedObject {
    ObservedObject(
      scene: scene.name, frameIndex: frame.index, frame: scene.header.frameID(frame.index), index: index,
      label: object.label, score: object.score, truth: object.truth,
      visibility: object.truth.flatMap {
        ObjectVisibility(
          of: $0, detectedAs: object, camera: camera, conventions: detections.conventions,
          maskThreshold: plan.points.maskThreshold, rounding: plan.points.letterboxRounding)
      },
      range: object.truth.map { truth in
        let sight = truth.center - camera.position
        return (sight * sight).sum().squareRoot()
      })
  }

  /// Masks, medians and depths do not hang on anything else of the way of choosing points.
  private typealias ByErosion<Value> = [PointSelection.Erosion: Value]

  private func erosion(_ kind: PointSelection.Kind) -> PointSelection.Erosion {
    plan.pointOptions(kind).selection.erosion
  }

  /// One way of choosing points for each erosion that the methods want.
  private var eroding: [PointSelection.Kind] {
    var known: Set<PointSelection.Erosion> = []
    return plan.methods.map(\.selectionKind).filter { known.insert(erosion($0)).inserted }
  }

  private func masks(of object: DetectedObject) -> ByErosion<ErodedMask> {
    var masks: ByErosion<ErodedMask> = [:]
    for kind in eroding {
      masks[erosion(kind)] = ErodedMask(
        of: object, imageSize: camera.intrinsics.imageSize, conventions: detections.conventions,
        options: plan.pointOptions(kind))
    }
    return masks
  }

  /// Median true depths, where there are any.
  private func medians(
    of object: DetectedObject, _ masks: ByErosion<ErodedMask>, in truth: DepthSource.Content
  ) -> ByErosion<Double> {
    var medians: ByErosion<Double> = [:]
    for kind in eroding {
      if case .success(let depths) = depths(of: object, masks, in: truth, kind) {
        medians[erosion(kind)] = depths.median
      }
    }
    return medians
  }

  private func depths(
    of object: DetectedObject, _ masks: ByErosion<ErodedMask>, in content: DepthSource.Content,
    _ kind: PointSelection.Kind
  ) -> Result<ObjectDepths, ObjectPointsError> {
    Result { () throws(ObjectPointsError) in
      try ObjectDepths(
        of: object, in: content.map, confidence: content.confidence, imageSize: camera.intrinsics.imageSize,
        conventions: detections.conventions, options: plan.pointOptions(kind), mask: masks[erosion(kind)])
    }
  }

  private func records(
    of object: DetectedObject, _ masks: ByErosion<ErodedMask>, _ observed: ObservedObject, _ depth: String,
    _ content: DepthSource.Content, _ trueMedians: ByErosion<Double>
  ) -> [ObjectRecord] {
    var knownDepths: ByErosion<Result<ObjectDepths, ObjectPointsError>> = [:]
    var known: [PointSelection.Kind: Result<(ObjectPoints, ObjectView), ObjectPointsError>] = [:]
    var generator = SplitMix64(
      seed: seed, stream: scene.header.name, observed.frame, "object \(observed.index)")
    // The method's id is part of the stream that `BoxMethod` makes of it.
    let objectSeed = generator.next()
    return plan.methods.map { method in
      let kind = method.selectionKind
      let depths = knownDepths[erosion(kind)] ?? depths(of: object, masks, in: content, kind)
      knownDepths[erosion(kind)] = depths
      let found =
        known[kind]
        ?? depths.map { depths in
          let points = ObjectPoints(
            depths, mapSize: content.map.size, camera: camera,
            flips: plan.points.flips ?? RowFlips(for: detections.conventions),
            options: plan.pointOptions(kind))
          return (points, view(depths, points, trueMedians[erosion(kind)]))
        }
      known[kind] = found
      switch found {
      case .failure(let error):
        return ObjectRecord(
          observed, depth: depth, method: method.id, status: error == .noDepth ? .noDepth : .badImageBox,
          reason: error.description)
      case .success(let (points, view)):
        return record(observed, depth, method, view, points, planes: content.planes, seed: objectSeed)
      }
    }
  }

  private func view(_ depths: ObjectDepths, _ points: ObjectPoints, _ trueMedian: Double?) -> ObjectView {
    ObjectView(
      pointCount: points.points.count, isMasked: depths.isMasked, medianDepth: points.medianDepth,
      trueMedianDepth: trueMedian,
      effectWidth: EffectPlacement.width(
        imageBox: points.imageBox, depth: points.medianDepth, intrinsics: camera.intrinsics,
        options: plan.effect))
  }

  private func record(
    _ observed: ObservedObject, _ depth: String, _ method: BoxMethod, _ view: ObjectView,
    _ points: ObjectPoints, planes: [HorizontalPlane], seed: UInt64
  ) -> ObjectRecord {
    var record = ObjectRecord(observed, depth: depth, method: method.id, status: .ok)
    record.view = view
    do throws(BoxError) { record.fit = try method.box(of: points, seed: seed, options: plan.boxes) } catch {
      record.status = error.status
      record.reason = error.description
    }
    record.planeHeights = PlacementAnchor.allCases.map { anchor in
      PlacementMethod.hit(of: points, through: anchor, planes: planes).map { planes[$0.plane].height }
    }
    guard let truth = observed.truth else { return record }
    record.errors = record.fit.map { BoxErrors(of: $0, truth: truth, camera: camera.position) }
    record.placements = PlacementMethod.all.map { way in
      way.placement(of: points, box: record.fit?.box, planes: planes, options: plan.effect).map {
        PlacementError(of: $0, truth: truth, camera: camera.position, options: plan.effect)
      }
    }
    return record
  }
}

extension BoxError {
  fileprivate var status: ObjectRecord.Status {
    switch self {
    case .tooFewPoints: .tooFewPoints
    case .notFinite: .notFinite
    case .numerical: .numerical
    }
  }
}
