package import DepthCore
internal import FathomMapFiles
internal import FathomPlainText

public enum MapMeaning: String, Sendable, Hashable, Codable, CaseIterable {
  /// Metres.
  case metric
  case millimetres
  /// Counts of 1/256 m, as KITTI's benchmark takes maps.
  case kitti
  /// Depth up to scale and shift: larger is farther.
  case depth
  /// Inverse depth up to scale and shift: larger is nearer.
  case disparity

  /// How a relative map of this meaning is declared. Metres are depth up to scale and shift, too.
  var relativeKind: RelativeKind { self == .disparity ? .disparity : .depth }

  package var predictionKind: StoredPrediction.Kind {
    switch self {
    case .metric, .millimetres, .kitti: .metric
    case .depth: .depth
    case .disparity: .disparity
    }
  }

  /// Metres of one number.
  package var factor: Float {
    switch self {
    case .millimetres: 0.001
    case .kitti: 1 / 256
    case .metric, .depth, .disparity: 1
    }
  }
}

/// A program that writes maps in a way that says what they mean. Adding one is a line of ``all``.
struct MapProducer: Sendable {
  let title: String, meaning: MapMeaning
  /// Whether a file is its work: the path below the folder that was named, with that folder's name in front, and what the file says it holds.
  let wrote: @Sendable (_ path: String, _ file: MapHeader) -> Bool

  /// Names settle it, numbers never do. What several programs write in the same way has no line here: it must be said.
  static let all = [
    MapProducer(title: "Depth Anything V2, metric", meaning: .metric) { path, _ in
      path.hasSuffix("_raw_depth_meter.npy")
    },
    MapProducer(title: "Depth Anything V2, pictures of 8 bits", meaning: .disparity) { path, _ in
      path.hasPrefix("vis_depth/") && path.hasSuffix(".png")
    },
    MapProducer(title: "Marigold or GeoWizard", meaning: .depth) { path, _ in
      ["_depth", "_pred"].contains { ending in
        path.contains("depth_npy/") && path.hasSuffix(ending + ".npy")
          || path.contains("depth_bw/") && path.hasSuffix(ending + ".png")
      }
    },
    MapProducer(title: "MiDaS", meaning: .disparity) { path, _ in
      path.hasSuffix(".pfm") && ["-dpt_", "-midas_", "-openvino_midas"].contains { path.contains($0) }
    },
    MapProducer(title: "MoGe", meaning: .depth) { path, _ in path.hasSuffix("/depth.exr") },
    MapProducer(title: "Depth Anything 3", meaning: .depth) { path, file in
      path.hasSuffix(".npz") && Set(file.keys).isSuperset(of: ["depth", "conf", "intrinsics"])
    },
    MapProducer(title: "Depth Pro", meaning: .metric) { path, file in
      // DepthCrafter's disparities of a video have the same name.
      path.hasSuffix(".npz") && file.keys == ["depth"] && file.layerCount == 1
    },
    MapProducer(title: "Marigold-DC", meaning: .metric) { path, _ in
      path.hasPrefix("prediction/") && path.hasSuffix(".npy")
    },
  ]
}
