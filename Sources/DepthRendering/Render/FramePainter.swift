import FathomDrawingScales
import FathomPlainText
import FathomStorage
import DepthCore
import DepthDataset
import DepthFusion
import DepthGraphics
import DepthObjects

/// Draws frames of one scene as pictures.
struct FramePainter {
  private(set) var options: PictureOptions
  let selection: GeometryOptions  // Source, selection and boxes.
  let scene: SceneHeader
  private let source: SourceDepth, objects: SceneObjects?

  /// - Throws: `FathomError`, also where the scene lacks what a layer shows.
  init(
    _ options: PictureOptions, _ selection: GeometryOptions, of scene: SceneHeader,
    from reader: borrowing some FrameSource & ~Copyable
  ) throws(FathomError) {
    (self.options, self.selection, self.scene) = (options, selection, scene)
    source = try SourceDepth(selection.source, of: scene, from: reader, seed: selection.seed)
    let showsObjects = options.layers.contains { $0 == .detections || $0 == .wireframe }
    objects = showsObjects ? try reader.objects(of: scene) : nil
  }

  /// Arrays that the layers look at.
  private var arrays: FrameArrays {
    var arrays = source.arrays.union([.lidar, .confidence, .camera])
    for layer in options.layers {
      switch layer {
      case .image: arrays.insert(.image)
      case .error, .standardizedError: arrays.insert(.truth)
      case .validity: arrays.insert(.relative)
      default: break
      }
    }
    return arrays
  }

  /// Of the frames before each one that the depth depends on.
  var history: FrameHistory { source.history }

  /// A frame's picture, and in words which objects have no box or distance.
  /// - Throws: `FathomError` `.badData` where the frame lacks what a layer shows; `GraphicsError`.
  func picture(
    of index: Int, from reader: borrowing some FrameSource & ~Copyable, after history: inout FrameHistory
  ) throws -> (picture: FramePicture, omissions: [String]) {
    let (frame, before) = try reader.frame(index, of: scene, including: arrays, after: &history)
    let usesDepth = options.layers.contains(where: \.showsSource)
    let prediction =
      usesDepth ? try source.map(of: frame, after: before, file: reader.path) : Prediction(depth: frame.lidar)
    var view = FrameView(
      frame: frame, prediction: prediction, scene: scene, file: reader.path,
      size: options.pictureSize(of: scene.colourSize ?? scene.intrinsics?.imageSize ?? prediction.depth.size))
    if options.layers.contains(where: \.needsDeviation) {
      view.deviation = try source.deviation(of: frame, after: before, file: reader.path)
    }
    let marks = ObjectMarks(selection, view, objects)
    var panels: [FramePicture.Panel] = []
    for layers in options.panels {
      var panel = FramePicture.Panel(.clear(view.size), caption: caption(of: layers, index))
      for (position, layer) in layers.enumerated() {
        try draw(layer, at: position, view, marks, on: &panel)
      }
      if options.request.isPortrait {
        panel.pixels = PortraitRotation(landscape: view.size).portrait(panel.pixels, origin: .topLeft)
      }
      panels.append(panel)
    }
    return (FramePicture(panels, isAnnotated: options.request.isAnnotated), marks.omissions)
  }

  /// Lets the colours of differences follow from the data where the user did not say: up to what holds 95 % of the differences of
  /// every frame by itself, rounded up, so that single outliers do not take the colours and all frames share one scale.
  /// - Parameter frames: Those that are drawn; of many, some evenly spread ones are looked at.
  /// - Throws: `FathomError` as ``picture(of:from:after:)``.
  mutating func fitLimits(
    to frames: Range<Int>, from reader: borrowing some FrameSource & ~Copyable
  ) throws(FathomError) {
    guard options.request.errorLimit == nil else { return }
    let count = min(frames.count, Self.mostLookedAt)
    for layer in [LayerName.error, .residual, .deviation] where options.layers.contains(layer) {
      var limit = 0.0
      for step in 0..<count {
        var history = self.history
        let (frame, before) = try reader.frame(
          frames.lowerBound + step * frames.count / count, of: scene, including: arrays, after: &history)
        let prediction = try source.map(of: frame, after: before, file: reader.path)
        var view = FrameView(
          frame: frame, prediction: prediction, scene: scene, file: reader.path, size: prediction.depth.size)
        if layer == .deviation {
          view.deviation = try source.deviation(of: frame, after: before, file: reader.path)
        }
        let differences = try PixelLayers(options: options, selection: selection, view: view)
          .differences(layer)
        let magnitudes = differences.values.lazy.filter(\.isFinite).map { Double(abs($0)) }.sorted()
        guard !magnitudes.isEmpty else { continue }
        limit = max(limit, magnitudes[Int((0.95 * Double(magnitudes.count - 1)).rounded())])
      }
      if limit > 0 { options.limits[layer] = max(RoundNumber.above(limit), 1e-6) }
    }
  }

  /// Frames that ``fitLimits(to:from:)`` looks at.
  private static let mostLookedAt = 32

  private func draw(
    _ layer: LayerName, at position: Int, _ view: FrameView, _ marks: ObjectMarks,
    on panel: inout FramePicture.Panel
  ) throws {
    switch layer {
    case .detections:
      let drawn = try marks.detections(turned: options.request.isPortrait)
      DetectionScene(mask: drawn.mask).draw(on: &panel.pixels)
      panel.marks += drawn.marks
    case .wireframe:
      let drawn = try marks.wireframes(turned: options.request.isPortrait)
      panel.marks += drawn.marks
      panel.legends.append(drawn.legend)
    default:
      let layers = PixelLayers(options: options, selection: selection, view: view)
      let drawn = try layers.layer(layer, at: position)
      drawn.layer.draw(on: &panel.pixels)
      panel.legends += drawn.legends.filter { !panel.legends.contains($0) }
    }
  }

  /// " at 40 %"; nothing where a layer hides what lies under it.
  private static func strength(_ opacity: Float) -> String {
    opacity < 1 ? " at \(Int(saturating: (100 * opacity).rounded())) %" : ""
  }

  /// " (colours to ±30 mm, which holds 95 %)": where the colours of differences end, if that follows from the data.
  private func limit(of layer: LayerName) -> String {
    guard let limit = options.limits[layer] else { return "" }
    return
      " (colours to \(layer == .deviation ? "" : "±")\(Quantity(1000 * limit, .significant(2, unit: "mm")).text), which holds 95 %)"
  }

  /// "room-01, frame 0: camera image, LiDAR depth".
  private func caption(of layers: [LayerName], _ index: Int) -> String {
    let quantity = selection.source.quantity
    let words = layers.enumerated().map { position, layer in
      switch layer {
      case .image: "camera image"
      case .ramp, .bands, .turbo, .viridis: quantity + Self.strength(options.opacity(of: layer, at: position))
      case .confidence: "LiDAR confidence"
      case .fog: "fog by \(quantity)"
      case .error: "\(quantity) less the truth" + limit(of: layer)
      case .residual: "\(quantity) less the returns it was fitted to" + limit(of: layer)
      case .deviation: "standard deviation of the \(quantity)" + limit(of: layer)
      case .standardizedError: "error of the \(quantity), in standard deviations"
      case .validity: "what of the \(quantity) counts"
      case .detections: "detections, distances by \(quantity)"
      case .wireframe: "oriented boxes by \(quantity)"
      }
    }
    return "\(scene.name), frame \(scene.frameID(index)): " + words.joined(separator: ", ")
  }
}

/// A frame and the map that is looked at.
struct FrameView {
  let frame: DepthFrame, prediction: Prediction, scene: SceneHeader, file: String
  let size: RasterSize  // Of the picture, landscape.
  var deviation: DepthMap?  // Of the prediction, metres; only where a layer shows it.

  /// - Returns: The error for an array that a layer shows and the frame does not have.
  func lacks(_ array: String, _ reason: String, _ advice: Wording) -> FathomError {
    scene.lacks(array, reason, advice, frame: frame.index, file)
  }
}

extension DepthSource {
  /// As captions and colour bars name it.
  var quantity: String {
    switch self {
    case .lidar: "LiDAR depth"
    case .truth: "true depth"
    case .fused(let method): "depth of \(method)"
    }
  }
}
