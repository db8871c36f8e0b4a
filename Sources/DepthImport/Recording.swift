public import DepthCore
public import DepthDataset
public import FathomStorage

/// A recording of somebody's app or data set, read frame by frame as if it were a data set.
public protocol Recording: FrameSource, Sendable {
  /// What people call its format.
  var title: String { get }
  /// By what it was recognised; nil where the user said what it is.
  var evidence: [String]? { get }

  /// One frame, on any thread.
  func decoded(
    _ index: Int, of scene: SceneHeader, including arrays: FrameArrays
  ) throws(RecordingFault) -> DepthFrame

  /// What tells whether frames would be read as the same numbers again; no pixels are read.
  /// - Throws: `FathomError` `.badData` where there are no such frames.
  func fingerprint(_ range: Range<Int>, of scene: SceneHeader) throws(FathomError) -> String
  /// The same without files that could not be decoded: their frames, or only the pictures, are skipped.
  func without(_ unusable: [FolderRecording.UnusableFile]) throws(FathomError) -> Self
  /// The same without every file that cannot be decoded, as an import leaves them out: all of them are tried.
  /// - Throws: `FathomError` where no frame remains, or a file tells that the mapping does not fit.
  func decodable() throws(FathomError) -> Self
}

/// Why there is no frame.
public enum RecordingFault: Error, Sendable {
  /// A file cannot be decoded; the others can be read without it.
  case unusable(FolderRecording.UnusableFile)
  case failed(FathomError)
}

extension Recording {
  /// The intrinsics of frames; no pixels are read.
  public func cameras(_ range: Range<Int>, of scene: SceneHeader) throws(FathomError) -> [CameraIntrinsics?] {
    var cameras: [CameraIntrinsics?] = []
    for index in range { cameras.append(try frame(index, of: scene, including: .camera).intrinsics) }
    return cameras
  }

  public func frame(
    _ index: Int, of scene: SceneHeader, including arrays: FrameArrays
  ) throws(FathomError) -> DepthFrame {
    do throws(RecordingFault) { return try decoded(index, of: scene, including: arrays) } catch {
      switch error {
      case .unusable(let file): throw self.error(file)
      case .failed(let error): throw error
      }
    }
  }

  /// The error that a file is where no frame may be skipped.
  public func error(_ unusable: FolderRecording.UnusableFile) -> FathomError {
    FathomError(
      unusable.fault.kind, attempted: "import the recording", file: path,
      object: unusable.fault.file, reason: unusable.fault.reason,
      advice: unusable.fault.isOfMachine
        ? RecordBuilder.tryAgain
        : unusable.fault.isOfMaps
          ? "make the map again, or remove it: its frame then has none"
          : unusable.fault.isOfRecording
            ? "say what the numbers mean in a mapping"
            : "remove the file, or import the recording, which leaves the frame out")
  }

  /// Whether the whole recording cannot be read because of it.
  public static func isOfRecording(_ unusable: FolderRecording.UnusableFile) -> Bool {
    unusable.fault.isOfRecording || unusable.fault.isOfMachine
  }
}
