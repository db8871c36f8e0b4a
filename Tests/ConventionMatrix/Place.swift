import DepthCore
import DepthDataset
import DepthDiagnosis
import DepthSynthesis

/// A simulated scene, correct in every convention, recorded several times.
struct Place: Sendable {
  let name: String
  /// What is diagnosed.
  let recording: SceneSample
  /// The same place and camera path with noise of their own: what a fault does on the average.
  let others: [SceneSample]
  private static let otherCount = 3

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
    func views(of scene: SyntheticScene) -> [DepthFrame] {
      (0..<frames).map { crop ? scene.frame($0).cropped(of: 6) : scene.frame($0) }
    }
    var header = scene.header
    let all = views(of: scene)
    if crop {
      header.intrinsics = all.first?.intrinsics
      (header.lidarSize, header.relativeSize) = (all.first?.lidar.size, all.first?.relative?.size)
      header.truthSize = all.first?.truth?.size
    }
    let stored = StoredPrediction(name: "network", kind: .metric, size: all[0].lidar.size)
    header.predictions = [stored]
    name = "\(setting.rawValue)-\(seed)-\(network.rawValue)-\(frames)\(crop ? "-cropped" : "")"
    func sample(_ frames: [DepthFrame], _ objects: SceneObjectsOrNone) -> SceneSample {
      SceneSample(
        header: header,
        frames: frames.map { frame in
          var frame = SceneSample.reduced(frame)
          // A network that is 10 % off.
          frame.predictions = [(stored, frame.lidar.mapped { $0 * 1.1 })]
          return frame
        }, objects: objects.list, conventions: objects.conventions)
    }
    recording = sample(all, crop ? .none : .some(scene))
    others = (1...Self.otherCount).map { other in
      options.noiseSeed = seed + UInt64(1000 * other)
      let scene = SyntheticScene(options: options, index: 0)
      return sample(views(of: scene), crop ? .none : .some(scene))
    }
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
