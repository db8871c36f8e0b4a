import FathomPlainText
internal import DepthCore
internal import FathomHDF5

/// What the schema fixes about the storage of an array.
enum StoredNumbers {
  /// Any integer or real.
  case any
  case integer, byte

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
  /// Opens a dataset after checking that it is there, holds what it should, and can be decompressed.
  /// - Returns: nil where it is absent (nothing is recorded) or unusable (an issue is).
  mutating func open(
    _ object: String, rank: Int, _ axes: String, of numbers: StoredNumbers, _ file: borrowing HDF5File
  ) -> HDF5Dataset? {
    guard let kind = attempt(object, { () throws(HDF5Error) in try file.kind(of: object) }), let kind
    else { return nil }
    guard kind == .dataset
    else { return refused(object, "it is a \(kind), not a dataset", "store the array under this name") }
    guard let dataset = attempt(object, { () throws(HDF5Error) in try file.dataset(object) })
    else { return nil }
    guard numbers.accepts(dataset.storedType)
    else { return refused(object, "it holds \(dataset.storedType)", "store \(numbers.name)") }
    guard dataset.shape.count == rank else {
      return refused(object, "its shape is \(dataset.shape), rank \(dataset.shape.count)", "store \(axes)")
    }
    return checkStorage(dataset, file)
  }

  /// Opens a one-dimensional dataset of texts; checks as ``open(_:rank:_:of:_:)`` does.
  mutating func openTexts(_ object: String, _ axes: String, _ file: borrowing HDF5File) -> HDF5Dataset? {
    guard let kind = attempt(object, { () throws(HDF5Error) in try file.kind(of: object) }), kind == .dataset,
      let dataset = attempt(object, { () throws(HDF5Error) in try file.dataset(object) })
    else { return nil }
    guard dataset.shape.count == 1 else {
      return refused(
        object, "its shape is \(dataset.shape), rank \(dataset.shape.count)", "store \(axes) strings")
    }
    guard case .string(let size) = dataset.storedType
    else { return refused(object, "it holds \(dataset.storedType)", "store UTF-8 strings") }
    if let size, size > SchemaLimits.nameBytes {
      return refused(
        object, "its texts have \(size) bytes each", "store names of at most \(SchemaLimits.nameBytes) bytes")
    }
    return checkStorage(dataset, file)
  }

  /// The texts of such a dataset.
  mutating func names(_ dataset: borrowing HDF5Dataset, _ file: borrowing HDF5File) -> [String]? {
    attempt(dataset.name) { () throws(HDF5Error) in
      try dataset.readStrings(longest: SchemaLimits.nameBytes, total: file.byteCount)
    }
  }

  /// Opens a stack with one entry per frame, and checks that it has as many as the scene's other stacks.
  mutating func openStack(
    _ object: String, rank: Int, _ axes: String, of numbers: StoredNumbers, _ file: borrowing HDF5File
  ) -> HDF5Dataset? {
    guard let dataset = open(object, rank: rank, axes, of: numbers, file) else { return nil }
    guard agreesOnFrameCount(object, dataset.shape[0], file) else { return nil }
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
  mutating func hasPixels(
    _ object: String, rows: Int, columns: Int, limit: Int = SchemaLimits.mapPixels
  ) -> Bool {
    let (count, overflow) = rows.multipliedReportingOverflow(by: columns)
    if count > 0 && !overflow && count <= limit { return true }
    let problem = count == 0 && !overflow ? "no pixels" : "more than \(limit) pixels"
    return refused(object, "its images are \(columns)×\(rows): \(problem)", "check the shape it was given")
  }

  /// Records the number of frames, or compares it with what another array said.
  mutating func agreesOnFrameCount(_ object: String, _ count: Int, _ file: borrowing HDF5File) -> Bool {
    guard hasRoom(for: count, "frames", object, file) else { return false }
    guard let source = frameCountSource else {
      (header.frameCount, frameCountSource) = (count, object)
      if count == 0 { error(object, "it holds zero frames", "write at least one frame, or drop the scene") }
      return count > 0
    }
    if count == header.frameCount { return true }
    return refused(
      object, "it holds \(count) frames, but \(source) holds \(header.frameCount)",
      "store one entry per frame in every array of the scene")
  }

  /// Whether the file is long enough for so many frames or detections.
  mutating func hasRoom(
    for count: Int, _ what: String, _ object: String, _ file: borrowing HDF5File
  ) -> Bool {
    if count > SchemaLimits.entries {
      return refused(object, "it declares \(count) \(what)", "check the shape it was given")
    }
    if SchemaLimits.isTooMany(count, in: file.byteCount) {
      return refused(
        object, "it declares \(count) \(what), but the file has only \(file.byteCount) bytes",
        "check the shape it was given")
    }
    return true
  }

  /// Compares what an array declares with what is stored of it.
  private mutating func checkStorage(
    _ dataset: consuming HDF5Dataset, _ file: borrowing HDF5File
  ) -> HDF5Dataset? {
    let object = dataset.name
    var found: HDF5Storage?
    do throws(HDF5Error) { found = try dataset.storage() } catch {
      let failure = HDF5Failure(error)
      self.error(object, failure.reason, failure.advice)
    }
    guard let found else { return nil }
    let declared = dataset.declaredByteCount
    if declared > 0, !found.isElsewhere {
      if found.bytes == 0 {
        return refused(
          object, "its shape is \(dataset.shape), but nothing is stored in it",
          "write its numbers, or leave the array out")
      }
      if SchemaLimits.isBomb(declared: declared, stored: min(found.bytes, file.byteCount)) {
        return refused(
          object, "its shape \(dataset.shape) declares \(declared) bytes, but only \(found.bytes) are stored",
          "check the shape it was given, or write all of its numbers")
      }
    }
    // An array that many scenes share counts as often as it is read.
    let (sum, overflow) = declaredByteCount.addingReportingOverflow(declared)
    declaredByteCount = overflow ? .max : sum
    if let filter = found.filters.first(where: { !$0.isAvailable }) {
      let failure = HDF5Failure(
        HDF5Error(operation: "H5Dread", object: object, stack: ["required filter '\(filter.name)'"]))
      return refused(object, failure.reason, failure.advice)
    }
    if let chunk = found.chunk, dataset.shape.count == 3, chunk[0] > 1, dataset.shape[0] > 1 {
      note(
        object, "a chunk spans \(chunk[0]) frames, so reading one frame decompresses \(chunk[0])",
        "chunk by frame: (1, h, w)")
    }
    return dataset
  }
}
