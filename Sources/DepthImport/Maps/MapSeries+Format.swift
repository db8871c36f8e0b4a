internal import DepthCore
internal import DepthDataset
internal import FathomPlainText
internal import FathomStorage

extension MapSeries {
  /// Depth of a folder in a known format, as an import of the folder reads it.
  /// - Throws: `FathomError` as `FolderRecording`, and where it leaves a file out.
  init(depthOf setup: Setup, as format: String) throws(FathomError) {
    var options = ImportOptions()
    (options.invalid, options.external) = (setup.request.invalid ?? [], setup.request.external)
    options.leavesPicturesOut = true
    let recording = try FolderRecording(
      setup.request.path, as: .format(format), options, unpacked: setup.request.unpacked, videos: .here)
    let known = recording.framesByDepth
    var frames: [(decoder: FolderRecording.SceneDecoder, frame: Int)] = [], sizes: [RasterSize] = []
    for place in setup.places ?? [] {
      guard let frame = known[place.path], let size = frame.decoder.plan.header.lidarSize else {
        throw setup.failure(
          place.path, "it cannot be read as \(recording.title) has it, or its size is not that of the others",
          "'fathom inspect \(setup.request.path.shellQuoted)' says why")
      }
      frames.append(frame)
      sizes.append(size)
    }
    self.init(setup, Description(sizes: sizes)) { [frames] (index) throws(FrameMaps.MapFault) in
      do throws(FolderRecording.UnusableFile) {
        let (decoder, frame) = frames[index]
        return .map(try decoder.frame(frame, including: .lidar).lidar)
      } catch {
        throw FrameMaps.MapFault(
          file: setup.places?[index].path ?? error.fault.file, reason: error.fault.reason,
          kind: error.fault.kind)
      }
    }
  }
}
