internal import DepthCore
internal import DepthDataset
internal import FathomStorage

/// The files and numbers of one frame, before its pixels are read.
struct PlannedFrame: Sendable {
  /// What the stars of the depth's pattern stand for.
  var id: String
  /// Name of its file, and so on.
  var depth: String
  var confidence: String?, picture: String?
  /// Which frame of the recording's video is its picture, in the order of decoding.
  var videoFrame: Int?
  var truth: String?
  var predictions: [String] = []
  var intrinsics: CameraIntrinsics?, pose: RigidTransform?, time: Double?
  /// Where another camera took the picture. It is of the files, before they are turned.
  var colourView: ColourView?
  /// What formulas may name.
  var numbers: [String: Double] = [:]
  /// Whether the depth is an array among others, so that its file's name says nothing of the frame.
  var isOfArray = false
  var hasPicture: Bool { picture != nil || videoFrame != nil }

  /// What other tools' files may call it: its own name, and those of its depth and picture.
  var names: [String] {
    let files = isOfArray ? [] : [depth, picture].compactMap(\.self)
    return ([id] + files.compactMap { FrameMaps.stems($0).first }).firstAppearances
  }
}

/// What becomes of a recording: its frames in order, and what they have in common.
struct FramePlan: Sendable {
  var header: SceneHeader, frames: [PlannedFrame], decoder: FrameDecoder
  /// True boxes, as detections of the frames that see them.
  var objects: SceneObjects?
}

/// A frame, or its picture, that cannot be used after all: its file looked whole from outside.
struct FrameFault: Error, Sendable, Codable {
  var file: String, reason: String
  /// What kind of error it is: the file's, unless the machine failed.
  var kind = FathomError.Kind.badData
  /// Whether the frame remains without its picture.
  var isOfPicture = false
  /// Whether no frame should be read: the mapping does not fit.
  var isOfRecording = false
  /// Whether it is a map that the user added.
  var isOfMaps = false
  /// Whether the machine failed and not the file: leaving the frame out would make the result a matter of luck.
  var isOfMachine: Bool { kind.blamesMachine }
  /// "rgb.mp4, frame 118"
  static func name(ofVideoFrame number: Int, _ video: String) -> String { "\(video), frame \(number)" }
}
