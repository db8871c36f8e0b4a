internal import FathomMapFiles

/// Pictures, one a frame: files, arrays of HDF5 files, or the frames of a video.
struct ColourFiles: Sendable, Hashable {
  var source: MapSource
  /// A video whose frames, in the order in which they are decoded, are those of the recording; for where there are no files.
  var video: [FilePattern]
  /// Where another camera than the depth's took them: they are mapped onto the depth.
  var camera: ColourCamera?
  static let none = ColourFiles(source: MapSource(files: []), video: [])
  var isEmpty: Bool { source.isEmpty && video.isEmpty }
}

extension ColourFiles: Decodable {
  private enum CodingKeys: String, MappingKeys { case files, listed, array, axes, video, camera }

  /// A list of patterns, or a part with keys.
  init(from decoder: any Decoder) throws {
    if let files = try? decoder.singleValueContainer().decode([FilePattern].self) {
      (source, video) = (MapSource(files: files), [])
      return
    }
    let keys = try StrictKeys(decoder, CodingKeys.self)
    source = MapSource(
      files: try keys.optional(.files) ?? [],
      array: try ArraySource(try keys.optional(.array), try keys.optional(.axes), channels: true),
      listed: try keys.optional(.listed) ?? [])
    video = try keys.optional(.video) ?? []
    camera = try keys.optional(.camera)
    guard camera == nil || video.isEmpty else {
      throw MappingFault(words: "'camera' needs pictures in files, not a video")
    }
    guard !isEmpty else { throw MappingFault(words: "'colour' names no files and no video") }
  }
}
