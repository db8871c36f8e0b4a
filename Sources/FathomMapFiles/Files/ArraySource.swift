/// Which arrays of HDF5 files a mapping means, and what their axes are.
package struct ArraySource: Sendable, Hashable {
  /// What one axis of an array runs over.
  package enum Axis: String, CaseIterable, Sendable {
    case frame, height, width, channel
    /// An axis of extent 1.
    case single
  }

  /// Path inside the file, without a slash in front: "depth", "frames/*/depth".
  package var path: FilePattern
  /// Slowest-varying first, as h5py and h5dump show them.
  var axes: [Axis]

  /// The keys `array` and `axes` of a part of a mapping; nil without `array`.
  /// - Parameter channels: Whether it holds pictures, which have channels.
  /// - Parameter mayHaveChannels: Whether it may have them.
  /// - Throws: `MappingFault` where the axes cannot be those of maps.
  package init?(_ array: String?, _ axes: [String]?, channels: Bool = false, mayHaveChannels: Bool = false)
    throws
  {
    guard let array else {
      guard axes == nil else { throw MappingFault(words: "'axes' belongs to 'array', which is missing") }
      return nil
    }
    path = FilePattern(array.hasPrefix("/") ? String(array.dropFirst()) : array)
    self.axes = try (axes ?? (channels ? ["height", "width", "channel"] : ["height", "width"])).map { name in
      guard let axis = Axis(rawValue: name) else {
        throw MappingFault(
          words:
            "'axes' holds '\(name)'; there are \(Axis.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      return axis
    }
    func count(_ axis: Axis) -> Int { self.axes.count { $0 == axis } }
    guard count(.height) == 1, count(.width) == 1, count(.frame) <= 1,
      count(.channel) == (channels || mayHaveChannels && count(.channel) == 1 ? 1 : 0)
    else {
      throw MappingFault(
        words: channels
          ? "'axes' must name height, width and channel once, and frame at most once"
          : "'axes' must name height and width once, frame at most once, and a channel only where 'channel' or 'formula' says what is taken of it"
      )
    }
  }
}

/// Files of one kind, or the arrays in them.
package struct MapSource: Sendable, Hashable {
  /// The first pattern that a file matches counts.
  package var files: [FilePattern]
  /// nil where a file is a map.
  package var array: ArraySource?
  /// Paths in the entries of the frames, which come before ``files``: "{depth_path}", "images/{name}".
  package var listed: [String]
  /// Frames in one file, where no file matches.
  package var packed: PackedFrames?

  package init(
    files: [FilePattern], array: ArraySource? = nil, listed: [String] = [], packed: PackedFrames? = nil
  ) { (self.files, self.array, self.listed, self.packed) = (files, array, listed, packed) }

  package var isEmpty: Bool { files.isEmpty && listed.isEmpty }
}
