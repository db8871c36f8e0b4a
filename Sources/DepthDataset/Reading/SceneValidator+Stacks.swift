internal import DepthFusion
internal import HDF5

/// What the schema fixes about the storage of an array.
enum StoredNumbers {
  /// Any integer or real.
  case any
  /// Integers.
  case integer
  /// Unsigned bytes.
  case byte

  func accepts(_ type: HDF5StoredType) -> Bool {
    switch (self, type) {
    case (.any, .integer), (.any, .float), (.integer, .integer): true
    case (.byte, .integer(bits: 8, signed: false, _)): true
    default: false
    }
  }

  var name: String {
    switch self {
    case .any: "numbers"
    case .integer: "integers"
    case .byte: "uint8"
    }
  }
}

extension SceneValidator {
  /// More than any camera has; a request for it is a mistake in the file.
  static let largestPixelCount = 1 << 27
  /// 1,000 hours at 60 Hz is 216 million; a scene is one recording.
  static let largestEntryCount = 10_000_000

  /// Opens a dataset after checking that it is there, holds what it should, and can be decompressed.
  ///
  /// - Returns: nil where it is absent (nothing is recorded) or unusable (an issue is).
  mutating func open(
    _ object: String, rank: Int, _ axes: String, of numbers: StoredNumbers, _ file: borrowing HDF5File
  ) -> HDF5Dataset? {
    guard let kind = attempt(object, { () throws(HDF5Error) in try file.kind(of: object) }), let kind else {
      return nil
    }
    guard kind == .dataset else {
      error(object, "it is a \(kind), not a dataset", "store the array under this name")
      return nil
    }
    guard let dataset = attempt(object, { () throws(HDF5Error) in try file.dataset(object) }) else {
      return nil
    }
    guard numbers.accepts(dataset.storedType) else {
      error(object, "it holds \(dataset.storedType)", "store \(numbers.name)")
      return nil
    }
    guard dataset.shape.count == rank else {
      error(object, "its shape is \(dataset.shape), rank \(dataset.shape.count)", "store \(axes)")
      return nil
    }
    return checkStorage(dataset)
  }

  /// Opens a stack with one entry per frame, and checks that it has as many as the scene's other stacks.
  mutating func openStack(
    _ object: String, rank: Int, _ axes: String, of numbers: StoredNumbers, _ file: borrowing HDF5File
  ) -> HDF5Dataset? {
    guard let dataset = open(object, rank: rank, axes, of: numbers, file) else { return nil }
    guard agreesOnFrameCount(object, dataset.shape[0]) else { return nil }
    return dataset
  }

  /// Opens a stack of images [N,h,w].
  mutating func openImages(
    _ object: String, of numbers: StoredNumbers, _ file: borrowing HDF5File
  ) -> HDF5Dataset? {
    guard let dataset = openStack(object, rank: 3, "[N,h,w]", of: numbers, file) else { return nil }
    guard hasPixels(object, rows: dataset.shape[1], columns: dataset.shape[2]) else { return nil }
    return dataset
  }

  /// Whether an image's extents are neither zero nor absurd.
  mutating func hasPixels(_ object: String, rows: Int, columns: Int) -> Bool {
    let (count, overflow) = rows.multipliedReportingOverflow(by: columns)
    if count > 0 && !overflow && count <= Self.largestPixelCount { return true }
    let problem = count == 0 ? "no pixels" : "more than \(Self.largestPixelCount) pixels"
    error(object, "its images are \(columns)×\(rows): \(problem)", "check the shape it was given")
    return false
  }

  /// Records the number of frames, or compares it with what another array said.
  mutating func agreesOnFrameCount(_ object: String, _ count: Int) -> Bool {
    if count > Self.largestEntryCount {
      error(object, "it declares \(count) frames", "check the shape it was given")
      return false
    }
    guard let source = frameCountSource else {
      header.frameCount = count
      frameCountSource = object
      if count == 0 { error(object, "it holds zero frames", "write at least one frame, or drop the scene") }
      return count > 0
    }
    if count == header.frameCount { return true }
    error(
      object, "it holds \(count) frames, but \(source) holds \(header.frameCount)",
      "store one entry per frame in every array of the scene")
    return false
  }

  private mutating func checkStorage(_ dataset: consuming HDF5Dataset) -> HDF5Dataset? {
    let object = dataset.name
    var found: HDF5Storage?
    do throws(HDF5Error) { found = try dataset.storage() } catch {
      let failure = HDF5Failure(error)
      self.error(object, failure.reason, failure.advice)
    }
    guard let found else { return nil }
    if let filter = found.filters.first(where: { !$0.isAvailable }) {
      let failure = HDF5Failure(
        HDF5Error(operation: "H5Dread", object: object, stack: ["required filter '\(filter.name)'"]))
      error(object, failure.reason, failure.advice)
      return nil
    }
    if let chunk = found.chunk, dataset.shape.count == 3, chunk[0] > 1, dataset.shape[0] > 1 {
      note(
        object, "a chunk spans \(chunk[0]) frames, so reading one frame decompresses \(chunk[0])",
        "chunk by frame: (1, h, w)")
    }
    return dataset
  }
}
