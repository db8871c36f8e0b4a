import DepthCore
import FathomPlainText

/// Files in which others, and `fathom import`, read frames.
public enum RecordingLayout: String, Sendable, CaseIterable, Codable {
  /// Stray Scanner's folder.
  case stray
  /// 16-bit PNGs in millimetres.
  case png16
  /// Numpy's archives in metres.
  case npz
  case marigoldDC = "marigold-dc"

  /// How `fathom import` reads it.
  public var importWords: String {
    switch self {
    case .stray, .marigoldDC: "fathom import FOLDER OUT.h5"
    case .png16: "fathom import FOLDER OUT.h5 \(flag: "format") folder \(flag: "depth-scale") 0.001"
    case .npz: "fathom import FOLDER OUT.h5 \(flag: "format") folder \(flag: "depth-scale") 1"
    }
  }

  /// What it has no place for, of what a scene has.
  func lacks(_ scene: SceneHeader) -> [String] {
    var lacks: [String] = []
    func note(_ isThere: Bool, _ words: String) { if isThere { lacks.append(words) } }
    note(scene.hasConfidence && self == .marigoldDC, "confidence")
    note(scene.relativeSize != nil, "relative map")
    note(scene.truthSize != nil && self != .marigoldDC, "truth")
    note(!scene.predictions.isEmpty, "predictions")
    note(scene.hasPoses && self == .marigoldDC, "poses")
    note(scene.timestampsSeconds != nil && self != .stray, "times")
    note(scene.colourSize != nil && self == .stray, "pictures: Stray Scanner has a video")
    note(scene.note != nil || scene.license != nil || scene.device != nil, "note, license and device")
    note(scene.hasPoses && self != .stray && self != .marigoldDC, "which way is up")
    if self == .marigoldDC, let lidar = scene.lidarSize, let colour = scene.colourSize, lidar != colour {
      lacks.append(
        "depth at the size of the pictures, \(colour), as Marigold-DC wants it: the LiDAR's has \(lidar)")
    }
    return lacks
  }
}
