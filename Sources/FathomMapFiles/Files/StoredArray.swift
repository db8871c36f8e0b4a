package import DepthCore
internal import DepthDataset
package import FathomHDF5
package import FathomPictureFiles

/// A map or picture in an array of an HDF5 file: the whole array, or one frame of it. All reading of others' HDF5 files by mappings
/// is in this file.
package struct StoredArray: Sendable, Hashable {
  package let path: String
  /// Path inside the file.
  package let array: String
  /// Position along the axis `frame`; nil where there is none.
  package let layer: Int?
  package let axes: [ArraySource.Axis], shape: [Int], bits: Int, isReal: Bool, isSigned: Bool

  /// "uint16"
  package var form: String {
    isReal ? "reals of \(bits) bits" : "\(isSigned ? "" : "unsigned ")integers of \(bits) bits"
  }

  /// More arrays are not looked at.
  static let mostArrays = 200_000
  private static let mostLevels = 8
  func extent(_ axis: ArraySource.Axis) -> Int { axes.firstIndex(of: axis).map { shape[$0] } ?? 1 }
  package var size: RasterSize { RasterSize(width: extent(.width), height: extent(.height)) }

  /// The arrays of a file that a mapping means, each frame of a stack by itself.
  /// - Returns: With what the stars of the path stand for, and the number of the frame; in the order of the file's names.
  /// - Throws: `PictureFault` where the file cannot be read, or an array has other axes than the mapping says.
  package static func all(
    _ source: ArraySource, in path: String
  ) throws(PictureFault) -> [(place: StoredArray, capture: String)] {
    var found: [(place: StoredArray, capture: String)] = []
    for array in try arrays(of: path, matching: source.path) {
      guard array.shape.count == source.axes.count else {
        let named = source.axes.map(\.rawValue).joined(separator: ", ")
        throw PictureFault(
          "its array '\(array.name)' has the shape \(words(array.shape)), and the mapping names \(source.axes.count) axes: \(named)"
        )
      }
      let first = try StoredArray(array, in: path, axes: source.axes)
      let own = source.path.capture(in: array.name) ?? ""
      guard source.axes.contains(.frame) else {
        found.append((first, own))
        continue
      }
      for layer in 0..<first.extent(.frame) {
        let digits = String(layer)
        let number = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
        found.append((first.at(layer), own.isEmpty ? number : own + "-" + number))
      }
      guard found.count <= mostArrays else { throw PictureFault("it holds more than \(mostArrays) maps") }
    }
    return found
  }

  /// A whole array.
  /// - Parameter axes: As many as it has.
  /// - Throws: `PictureFault` where it holds no numbers, or has too many for a map.
  package init(_ array: Described, in path: String, axes: [ArraySource.Axis]) throws(PictureFault) {
    (self.path, self.array, layer, self.axes, shape) = (path, array.name, nil, axes, array.shape)
    switch array.type {
    case .integer(let width, let signed, _): (bits, isReal, isSigned) = (width, false, signed)
    case .float(let width, _): (bits, isReal, isSigned) = (width, true, true)
    case .string, .other: throw PictureFault("its array '\(array.name)' holds \(array.type), not numbers")
    }
    try requireMap()
  }

  package init(
    path: String, array: String, layer: Int?, axes: [ArraySource.Axis], shape: [Int], bits: Int, isReal: Bool,
    isSigned: Bool
  ) {
    (self.path, self.array, self.layer, self.axes, self.shape) = (path, array, layer, axes, shape)
    (self.bits, self.isReal, self.isSigned) = (bits, isReal, isSigned)
  }

  /// One frame of a stack.
  func at(_ layer: Int) -> StoredArray {
    StoredArray(
      path: path, array: array, layer: layer, axes: axes, shape: shape, bits: bits, isReal: isReal,
      isSigned: isSigned)
  }

  private func requireMap() throws(PictureFault) {
    for (axis, extent) in zip(axes, shape) {
      let most =
        switch axis {
        case .frame: Self.mostArrays
        case .height, .width: 65_536
        case .channel: 4
        case .single: 1
        }
      guard (1...most).contains(extent) else {
        throw PictureFault(
          "its array '\(array)' has the shape \(Self.words(shape)), and its axis \(axis.rawValue) has at most \(most) entries"
        )
      }
    }
    guard size.isWithin(SchemaLimits.mapPixels) else {
      throw PictureFault(
        "its array '\(array)' has \(size) pixels, and a map has at most \(SchemaLimits.mapPixels)")
    }
  }

  package typealias Described = (name: String, shape: [Int], type: HDF5StoredType)

  /// The datasets of a file, in the order of their names.
  /// - Parameter pattern: Those whose path matches; nil for all.
  /// - Parameter levels: How deep groups are looked into; 1 for the root alone.
  /// - Throws: `PictureFault` where the file cannot be read.
  package static func arrays(
    of path: String, matching pattern: FilePattern? = nil, levels: Int = mostLevels
  ) throws(PictureFault) -> [Described] {
    try attempt { () throws(HDF5Error) in
      let file = try HDF5File(readingFrom: path)
      // A path without stars is looked up, however much else there is.
      if let pattern, !pattern.text.contains(where: { "*{".contains($0) }) {
        guard try file.kind(of: pattern.text) == .dataset else { return [] }
        let dataset = try file.dataset(pattern.text)
        return [(pattern.text, dataset.shape, dataset.storedType)]
      }
      var found: [Described] = []
      try collect("", file, levels, pattern, &found)
      return found
    }
  }

  private static func collect(
    _ group: String, _ file: borrowing HDF5File, _ levels: Int, _ pattern: FilePattern?,
    _ found: inout [Described]
  ) throws(HDF5Error) {
    for member in try file.members(of: group.isEmpty ? "/" : group, limit: mostArrays) {
      let name = group.isEmpty ? member : group + "/" + member
      let kind: HDF5ObjectKind?
      // A link that leads nowhere, or to another file, is not one of the arrays.
      do throws(HDF5Error) { kind = try file.kind(of: name) } catch { continue }
      switch kind {
      case .group where levels > 1: try collect(name, file, levels - 1, pattern, &found)
      case .dataset where pattern.map { $0.capture(in: name) != nil } ?? true:
        let dataset: Described
        do throws(HDF5Error) {
          let opened = try file.dataset(name)
          dataset = (name, opened.isEmpty ? [0] : opened.shape, opened.storedType)
        } catch { continue }
        found.append(dataset)
      default: continue
      }
      if found.count >= mostArrays { return }
    }
  }

  /// A file's only array of numbers, such as of poses: what stands at each position along its first axis.
  /// - Throws: `PictureFault` where it has none or several, or more than a million numbers.
  static func rows(of path: String) throws(PictureFault) -> [[Double]] {
    let found = try arrays(of: path, levels: 1)
    guard found.count == 1, let array = found.first, !array.shape.isEmpty
    else { throw PictureFault("it has \(found.count) arrays at its root, and one with numbers is read") }
    let count = array.shape.reduce(1) { $0.multipliedReportingOverflow(by: $1).partialValue }
    guard array.shape.allSatisfy({ (1...1 << 20).contains($0) }), array.shape.count <= 3, count <= 1 << 20
    else {
      throw PictureFault("its array '\(array.name)' has the shape \(words(array.shape)), not that of poses")
    }
    let numbers = try attempt { () throws(HDF5Error) in
      try HDF5File(readingFrom: path).dataset(array.name).read(as: Double.self)
    }
    let step = count / array.shape[0]
    return (0..<array.shape[0]).map { Array(numbers[$0 * step..<($0 + 1) * step]) }
  }

  /// The numbers of a map, row by row.
  package func map() throws(PictureFault) -> StoredMap {
    if !isReal, !isSigned, bits <= 16 {
      return .counts(Raster(width: size.width, height: size.height, values: try numbers(UInt16.self)))
    }
    return .reals(Raster(width: size.width, height: size.height, values: try numbers(Float.self)))
  }

  /// All of its channels.
  package func channels() throws(PictureFault) -> MapChannels {
    guard extent(.channel) > 1 else { return MapChannels(try map()) }
    return MapChannels(size, count: extent(.channel), try numbers(Double.self)) { $0 }
  }

  /// A picture: grey, or the first three channels, of 8 bits.
  package func picture() throws(PictureFault) -> Raster<RGB> {
    guard !isReal, bits == 8, !isSigned
    else { throw PictureFault("its array '\(array)' holds \(form), and a picture has 8 bits a channel") }
    let (bytes, channels) = (try numbers(UInt8.self), extent(.channel))
    guard channels != 2
    else { throw PictureFault("its array '\(array)' has two channels, and a picture 1, 3 or 4") }
    let step = channels >= 3 ? 1 : 0
    return Raster(
      width: size.width, height: size.height,
      values: (0..<size.count).map {
        let first = $0 * channels
        return RGB(red: bytes[first], green: bytes[first + step], blue: bytes[first + 2 * step])
      })
  }

  /// In the order height, width, channel.
  private func numbers<Element: HDF5Scalar>(_ type: Element.Type) throws(PictureFault) -> [Element] {
    let stored = try Self.attempt { () throws(HDF5Error) in
      try HDF5File(readingFrom: path).dataset(array).read(
        as: type, from: axes.map { $0 == .frame ? layer ?? 0 : 0 },
        extents: zip(axes, shape).map { $0 == .frame ? 1 : $1 })
    }
    let kept = axes.filter { $0 != .frame && $0 != .single }
    let wanted: [ArraySource.Axis] =
      kept.contains(.channel) ? [.height, .width, .channel] : [.height, .width]
    guard kept != wanted else { return stored }
    // How far apart neighbours along an axis are stored.
    var (strides, step) = ([ArraySource.Axis: Int](), 1)
    for axis in kept.reversed() {
      strides[axis] = step
      step *= extent(axis)
    }
    let (down, right, deep) = (strides[.height] ?? 0, strides[.width] ?? 0, strides[.channel] ?? 0)
    var values: [Element] = []
    values.reserveCapacity(stored.count)
    for row in 0..<size.height {
      for column in 0..<size.width {
        for channel in 0..<extent(.channel) {
          values.append(stored[row * down + column * right + channel * deep])
        }
      }
    }
    return values
  }

  package static func words(_ shape: [Int]) -> String {
    "[\(shape.map(String.init).joined(separator: ", "))]"
  }

  private static func attempt<Result>(_ body: () throws(HDF5Error) -> Result) throws(PictureFault) -> Result {
    do throws(HDF5Error) { return try body() } catch {
      throw PictureFault("its HDF5 cannot be read: \(error)")
    }
  }
}
