import FathomPlainText
import DepthCore
import DepthDataset
import DepthObjects
import DepthSynthesis

@testable import DepthDiagnosis

/// A simulated room with detections whose boxes and masks count rows from the bottom, which can be broken on purpose.
struct FlipRoom: Sendable {
  var header: SceneHeader
  var frames: [DepthFrame]
  var objects: [DetectedObject]
  var conventions: DetectionConventions

  /// - Parameter seed: Of the room and everything in it.
  init(seed: UInt64, frames count: Int = 4) {
    var options = SynthesisOptions()
    (options.seed, options.sceneCount, options.framesPerScene) = (seed, 1, count)
    options.lidarSize = RasterSize(width: 96, height: 72)
    // Not looked at here.
    options.truthSize = RasterSize(width: 4, height: 3)
    options.relativeSize = RasterSize(width: 4, height: 3)
    options.colourSize = RasterSize(width: 4, height: 3)
    let scene = SyntheticScene(options: options, index: 0)
    let found = scene.objects()
    (header, frames) = (scene.header, (0..<count).map(scene.frame))
    // Of a good size in the coarse maps.
    objects = found.objects.filter { ($0.mask?.values.count { $0 > 0.5 } ?? 0) > 200 }
    conventions = found.conventions
  }

  /// Made once: ray casting takes seconds without optimisation.
  static let room = FlipRoom(seed: 3)

  func measured() -> ObjectFlips {
    ObjectFlips.measure(header, frames: frames, objects: objects, conventions: conventions, seed: 0)
  }

  /// Ids of the combinations that the data allow.
  func allowed() -> [String] { measured().allowed }

  func changed(_ change: (inout FlipRoom) -> Void) -> FlipRoom {
    var copy = self
    change(&copy)
    return copy
  }

  var withoutTruth: FlipRoom {
    changed { room in for index in room.objects.indices { room.objects[index].truth = nil } }
  }

  var withoutPoses: FlipRoom {
    changed { room in
      room.header.hasPoses = false
      for index in room.frames.indices { room.frames[index].worldFromCamera = nil }
    }
  }

  /// The same detections, counted from other ends; the declarations stay as they are.
  func counted(boxes: ImageOrigin, masks: ImageOrigin) -> FlipRoom {
    changed { room in
      let height = room.header.intrinsics?.imageSize.height ?? 0
      for index in room.objects.indices {
        if boxes == .topLeft { room.objects[index].box = objects[index].box.flipped(imageHeight: height) }
        if masks == .topLeft { room.objects[index].mask = objects[index].mask?.upsideDown }
      }
    }
  }

  /// A recording whose LiDAR rows count from the bottom, with detections to match, while the poses stay.
  var upsideDown: FlipRoom {
    changed { room in
      func turn(_ intrinsics: inout CameraIntrinsics?) {
        guard let k = intrinsics else { return }
        intrinsics?.cy = Double(k.imageSize.height) - k.cy
      }
      turn(&room.header.intrinsics)
      for index in room.frames.indices {
        room.frames[index].lidar = frames[index].lidar.upsideDown
        room.frames[index].confidence = frames[index].confidence?.upsideDown
        turn(&room.frames[index].intrinsics)
      }
    }
  }
}

extension ObjectFlips {
  /// Positions of the combinations that the data allow.
  var consistent: [Int] {
    Evidence(hypotheses, costs: costs, leastExcess: Self.leastExcess, seed: 0)?.consistent ?? []
  }

  /// Their ids.
  var allowed: [String] { consistent.map { hypotheses[$0].id } }
}

extension Raster {
  /// Row 0 becomes the last.
  var upsideDown: Raster { rearranged { (height - 1 - $0, $1) } }
}
