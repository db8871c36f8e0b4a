import FathomPlainText
import FathomStorage
import DepthCore
import DepthDataset
import DepthExport
import DepthFusion
import DepthGraphics
import DepthObjects

/// The detections of a frame on its picture: masks, boxes with labels, and oriented boxes as wireframes.
struct ObjectMarks {
  private let selection: GeometryOptions, view: FrameView, objects: SceneObjects?
  private let groups: [BoxGroup], camera: PosedCamera?
  let omissions: [String]  // In words, which objects have no oriented box.

  init(_ selection: GeometryOptions, _ view: FrameView, _ objects: SceneObjects?) {
    (self.selection, self.view, self.objects) = (selection, view, objects)
    let posed = PosedCamera(of: view.frame, in: view.scene)
    // Without a pose the camera's own axes are the world.
    camera = posed ?? view.frame.intrinsics.map { PosedCamera($0, .identity, .arkit) }
    if let objects, let camera, !selection.boxes.isEmpty {
      (groups, omissions) = ObjectBoxes(options: selection, scene: view.scene, objects: objects).groups(
        in: view.frame, view.prediction.depth, camera, isWorld: posed != nil)
    } else {
      (groups, omissions) = ([], [])
    }
  }

  /// The union of the masks at the picture's resolution, and a mark for each detection, farthest first.
  ///
  /// An object without a mask is taken to fill its box.
  /// - Throws: `FathomError` `.badData` without intrinsics, whose image boxes and masks count in.
  func detections(turned: Bool) throws(FathomError) -> (mask: Raster<Float>, marks: [any PictureMark]) {
    let imageSize = try intrinsics().imageSize
    var mask = Raster(width: view.size.width, height: view.size.height, filledWith: Float(0))
    var found: [(distance: Double, mark: DetectionMark)] = []
    for object in objects?.objects ?? [] where object.frame == view.frame.index && object.box.isFinite {
      let conventions = objects?.conventions ?? DetectionConventions()
      let box = object.box.fromTop(conventions.boxOrigin, imageHeight: imageSize.height)
      let place = rectangle(box, imageSize)
      add(object, conventions, imageSize, place, to: &mask)
      let depths = try? ObjectDepths(
        of: object, in: view.prediction.depth,
        confidence: view.frame.confidence?.resampledNearest(to: view.prediction.depth.size),
        imageSize: imageSize, conventions: conventions, options: selection.objectOptions)
      let label = DistanceLabel(object, depth: depths?.median ?? 0)
      let lines = [label.title, depths == nil ? "no depth" : label.distance]
      let shown = turned ? self.turned(box, imageSize) : place
      found.append((depths?.median ?? .infinity, DetectionMark(box: shown, lines: lines)))
    }
    // Nearer labels are drawn over farther ones; equal distances keep the file's order.
    let ordered = found.enumerated().sorted {
      ($1.element.distance, $0.offset) < ($0.element.distance, $1.offset)
    }
    return (mask, ordered.map(\.element.mark))
  }

  /// The edges of the oriented boxes, and which colour is whose.
  /// - Throws: `FathomError` `.badData` without intrinsics.
  func wireframes(turned: Bool) throws(FathomError) -> (marks: [any PictureMark], legend: Legend) {
    let imageSize = try intrinsics().imageSize
    var marks: [any PictureMark] = []
    for group in groups {
      for box in group.boxes {
        guard let edges = camera.map({ box.box.edges(seenBy: $0) }) else { continue }
        func placed(_ edges: [(SIMD2<Double>, SIMD2<Double>)]) -> [WireframeMark.Edge] {
          edges.map { (point($0.0, imageSize, turned), point($0.1, imageSize, turned)) }
        }
        marks.append(
          WireframeMark(
            visible: placed(edges.visible), hidden: placed(edges.hidden), colour: Colour(group.colour)))
      }
    }
    let entries = groups.map { Legend.Entry($0.origin.name, Colour($0.colour)) }
    return (marks, .entries(title: "boxes", entries))
  }

  private func intrinsics() throws(FathomError) -> CameraIntrinsics {
    guard let intrinsics = view.frame.intrinsics else {
      throw view.lacks(
        "camera/intrinsics", "there are none, so the objects' pixels have no place", "add the camera's")
    }
    return intrinsics
  }

  private func add(
    _ object: DetectedObject, _ conventions: DetectionConventions, _ imageSize: RasterSize,
    _ place: Rectangle, to mask: inout Raster<Float>
  ) {
    let sampler = object.mask.map {
      MaskSampler(
        $0, imageSize: imageSize, stride: conventions.maskStride,
        flipsRows: conventions.maskOrigin == .bottomLeft)
    }
    let (sx, sy) = (
      Double(imageSize.width) / Double(mask.width), Double(imageSize.height) / Double(mask.height)
    )
    for row in 0..<mask.height {
      for column in 0..<mask.width {
        let (x, y) = (Double(column) + 0.5, Double(row) + 0.5)
        let isInBox = x >= place.x && x <= place.maxX && y >= place.y && y <= place.maxY
        guard sampler != nil || isInBox else { continue }
        let value = sampler?.value(u: x * sx, v: y * sy) ?? 1
        if value > mask[row, column] { mask[row, column] = min(value, 1) }
      }
    }
  }

  private func rectangle(_ box: PixelRectangle, _ imageSize: RasterSize) -> Rectangle {
    let (low, high) = (
      point([Double(box.minX), Double(box.minY)], imageSize, false),
      point([Double(box.maxX), Double(box.maxY)], imageSize, false)
    )
    return Rectangle(x: low.x, y: low.y, width: max(high.x - low.x, 0), height: max(high.y - low.y, 0))
  }

  /// As the app turns it.
  private func turned(_ box: PixelRectangle, _ imageSize: RasterSize) -> Rectangle {
    let portrait = PortraitRotation(landscape: imageSize).portrait(box, origin: .topLeft)
    let (sx, sy) = (
      Double(view.size.height) / Double(imageSize.height), Double(view.size.width) / Double(imageSize.width)
    )
    return Rectangle(
      x: Double(portrait.minX) * sx, y: Double(portrait.minY) * sy, width: Double(portrait.width) * sx,
      height: Double(portrait.height) * sy)
  }

  /// A point of the camera's image on the picture.
  private func point(_ point: SIMD2<Double>, _ imageSize: RasterSize, _ turned: Bool) -> SIMD2<Double> {
    let scaled = SIMD2(
      point.x * Double(view.size.width) / Double(imageSize.width),
      point.y * Double(view.size.height) / Double(imageSize.height))
    guard turned else { return scaled }
    let (x, y) = PortraitRotation(landscape: view.size).portrait(x: scaled.x, y: scaled.y, origin: .topLeft)
    return [x, y]
  }
}
