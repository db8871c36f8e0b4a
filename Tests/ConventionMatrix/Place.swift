import DepthDataset
import DepthDiagnosis
import DepthFusion
import DepthSynthesis

/// A simulated scene, correct in every convention, with and without noise.
struct Place: Sendable {
  let name: String
  /// As phone and network see it.
  let noisy: SceneSample
  /// The same with exact depth in the LiDAR, and a network that only softens edges: what a fault does without noise.
  let exact: SceneSample

  /// - Parameters:
  ///   - frames: How many; one frame leaves much open.
  ///   - crop: Whether the image's upper sixth is cut off, so that the principal point lies off the middle.
  init(seed: UInt64, setting: SceneSetting, network: SyntheticNetwork, frames: Int, crop: Bool) {
    var options = SynthesisOptions()
    options.seed = seed
    (options.setting, options.sceneCount, options.framesPerScene) = (setting, 1, frames)
    options.frameIntervalSeconds = 0.7
    options.truthSize = RasterSize(width: 512, height: 384)
    options.relativeSize = RasterSize(width: 512, height: 384)
    options.colourSize = RasterSize(width: 16, height: 12)
    options.networks = [network]
    let scene = SyntheticScene(options: options, index: 0)
    (options.distortion, options.networkNoise) = (0, 0)
    let faultless = SyntheticScene(options: options, index: 0)
    var header = scene.header
    func views(of scene: SyntheticScene) -> [DepthFrame] {
      (0..<frames).map { crop ? scene.frame($0).cropped(of: 6) : scene.frame($0) }
    }
    let all = views(of: scene)
    if crop {
      header.intrinsics = all.first?.intrinsics
      (header.lidarSize, header.relativeSize) = (all.first?.lidar.size, all.first?.relative?.size)
      header.truthSize = all.first?.truth?.size
    }
    let stored = StoredPrediction(name: "network", kind: .metric, size: all[0].lidar.size)
    header.predictions = [stored]
    name = "\(setting.rawValue)-\(seed)-\(network.rawValue)-\(frames)\(crop ? "-cropped" : "")"
    let noisyFrames = all.map { frame in
      var frame = SceneSample.reduced(frame)
      // A network that is 10 % off.
      frame.predictions = [(stored, frame.lidar.mapped { $0 * 1.1 })]
      return frame
    }
    let exactFrames = zip(views(of: faultless), noisyFrames).map { frame, reduced in
      var exact = reduced
      let truth = frame.truth ?? frame.lidar
      exact.lidar = truth.halved
      exact.confidence = frame.confidence?.mapped { _ in 2 }
      exact.relative = frame.relative
      exact.truth = exact.lidar
      exact.predictions = [(stored, exact.lidar.mapped { $0 * 1.1 })]
      return exact
    }
    let objects = crop ? SceneObjectsOrNone.none : .some(scene)
    noisy = SceneSample(
      header: header, frames: noisyFrames, objects: objects.list, conventions: objects.conventions)
    exact = SceneSample(
      header: header, frames: exactFrames, objects: objects.list, conventions: objects.conventions)
  }
}

/// Detections are given in the whole image; a cropped scene has none.
private struct SceneObjectsOrNone {
  var list: [DetectedObject] = []
  var conventions = DetectionConventions()

  static let none = SceneObjectsOrNone()
  static func some(_ scene: SyntheticScene) -> SceneObjectsOrNone {
    let objects = scene.objects()
    return SceneObjectsOrNone(list: objects.objects, conventions: objects.conventions)
  }
}

extension Raster {
  func mapped<Other>(_ change: (Element) -> Other) -> Raster<Other> {
    Raster<Other>(width: width, height: height, values: values.map(change))
  }

  /// Without the upper 1/`parts` of the rows.
  fileprivate func cropped(of parts: Int) -> Raster {
    let first = height / parts
    return Raster(
      width: width, height: height - first, values: Array(values.dropFirst(first * width)))
  }
}

extension DepthMap {
  /// Half the resolution: the mean disparity of 2×2 pixels of one surface, NaN across an edge.
  fileprivate var halved: DepthMap {
    var result = DepthMap(width: width / 2, height: height / 2, filledWith: .nan)
    for row in 0..<result.height {
      for column in 0..<result.width {
        let four = [
          self[2 * row, 2 * column], self[2 * row, 2 * column + 1], self[2 * row + 1, 2 * column],
          self[2 * row + 1, 2 * column + 1],
        ]
        guard let near = four.min(), let far = four.max(), far < 1.05 * near else { continue }
        result[row, column] = 4 / four.reduce(0) { $0 + 1 / $1 }
      }
    }
    return result
  }
}

extension DepthFrame {
  fileprivate func cropped(of parts: Int) -> DepthFrame {
    var frame = self
    frame.lidar = lidar.cropped(of: parts)
    frame.confidence = confidence?.cropped(of: parts)
    frame.relative = relative?.cropped(of: parts)
    frame.truth = truth?.cropped(of: parts)
    if let k = intrinsics {
      let cut = k.imageSize.height / parts
      frame.intrinsics = CameraIntrinsics(
        fx: k.fx, fy: k.fy, cx: k.cx, cy: k.cy - Double(cut),
        imageSize: RasterSize(width: k.imageSize.width, height: k.imageSize.height - cut))
    }
    return frame
  }
}
