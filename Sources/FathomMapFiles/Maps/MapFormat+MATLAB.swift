private import CFathomDeflate
internal import DepthCore
internal import FathomPictureFiles

/// MATLAB's files up to version 7: the array with a usual name, or the only one of several rows and columns. A third axis counts maps, but for
/// Make3D's grid of points, whose last layer is the laser's depth.
/// - SeeAlso: MathWorks, "MAT-File Format", level 5.
extension MapFormat {
  package static let matlab = MapFormat(
    "MAT 5", endings: ["mat"],
    begins: { $0.starts(with: Array("MATLAB ".utf8)) && !ForeignFile.isHDF5(beginning: $0) }
  ) { (path, role) throws(PictureFault) in
    let arrays = try MATLABFile.arrays(of: try FileBytes.read(path))
    let maps = arrays.filter { (2...3).contains($0.shape.count) && $0.shape[..<2].allSatisfy { $0 > 1 } }
    let name = try MapKeys.key(among: maps.map(\.name), for: role)
    guard let array = maps.first(where: { $0.name == name })
    else { throw PictureFault("it has no '\(name)'") }
    let (height, width) = (array.shape[0], array.shape[1])
    let stored = NumpyArray(array.type, RasterSize(width: height, height: width))
    let stack = array.shape.count == 3 ? array.shape[2] : 1
    let length = stored.size.count * stored.bits / 8
    guard length * stack == array.bytes.count else { throw MATLABFile.isCut }
    let isGrid = name == "Position3DGrid" && stack == 4, layers = isGrid ? 1 : stack
    let header = MapHeader(
      size: RasterSize(width: width, height: height), layerCount: layers, bits: array.bits,
      form: "numbers of \(array.bits) bits", isWhole: array.isWhole, keys: arrays.map(\.name))
    return MapFile(header) { (layer) throws(PictureFault) in
      // Columns come first.
      let place = isGrid ? 3 : layer
      let values = stored.values(Array(array.bytes[place * length..<(place + 1) * length]))
      let turned = (0..<values.count).map { values[$0 % width * height + $0 / width] }
      guard array.isWhole, array.bits <= 16, turned.allSatisfy({ (0...65_535).contains($0) })
      else { return .reals(Raster(width: width, height: height, values: turned.map { Float($0) })) }
      return .counts(Raster(width: width, height: height, values: turned.map { UInt16($0) }))
    }
  }
}

/// The arrays of numbers in a MAT file of level 5.
private enum MATLABFile {
  struct Array5: Sendable {
    var name: String, shape: [Int]
    /// As numpy writes it; it may be shorter than what MATLAB holds them in.
    var type: String
    var bits: Int, isWhole: Bool, bytes: [UInt8]
  }

  static let isCut = PictureFault("the MAT file is cut short or damaged")
  private static let mostBytes = 1 << 30

  static func arrays(of file: [UInt8]) throws(PictureFault) -> [Array5] {
    guard file.count > 128 else { throw isCut }
    guard file[126...127].elementsEqual(Array("IM".utf8))
    else { throw PictureFault("it is big-endian; save it again on a little-endian machine") }
    var (arrays, place): ([Array5], Int) = ([], 128)
    while place < file.count {
      let (type, content, next) = try element(file[...], place)
      var matrix = content
      if type == 15 { matrix = try inflated(content)[...] }
      place = type == 15 ? content.endIndex : next
      if type == 15 {
        let inner = try element(matrix, matrix.startIndex)
        guard inner.type == 14 else { continue }
        matrix = inner.content
      } else if type != 14 {
        continue
      }
      if let array = try array(matrix) { arrays.append(array) } else { arrays += try fields(matrix) }
    }
    return arrays
  }

  /// The arrays of a structure that there is one of, as "data/depth"; none for all else.
  private static func fields(_ matrix: ArraySlice<UInt8>) throws(PictureFault) -> [Array5] {
    let flags = try element(matrix, matrix.startIndex), shape = try element(matrix, flags.next)
    guard flags.content.first == 2, shape.content.elementsEqual([1, 0, 0, 0, 1, 0, 0, 0]) else { return [] }
    let name = try element(matrix, shape.next), length = try element(matrix, name.next)
    let names = try element(matrix, length.next)
    guard length.content.count == 4 else { throw isCut }
    let width = number(length.content, length.content.startIndex)
    guard width > 0, names.content.count % width == 0 else { throw isCut }
    var (arrays, place): ([Array5], Int) = ([], names.next)
    for start in stride(from: names.content.startIndex, to: names.content.endIndex, by: width) {
      let field = try element(matrix, place)
      place = field.next
      // An empty field has no content.
      guard field.type == 14, !field.content.isEmpty, var array = try array(field.content) else { continue }
      let own = names.content[start..<start + width].prefix { $0 != 0 }
      array.name = String(decoding: name.content + Array("/".utf8) + own, as: UTF8.self)
      arrays.append(array)
    }
    return arrays
  }

  /// nil for texts, structures, cells and complex numbers.
  private static func array(_ matrix: ArraySlice<UInt8>) throws(PictureFault) -> Array5? {
    let flags = try element(matrix, matrix.startIndex), shape = try element(matrix, flags.next)
    let name = try element(matrix, shape.next)
    guard flags.content.count == 8, let kind = flags.content.first, (6...15).contains(kind),
      flags.content[flags.content.startIndex + 1] & 8 == 0
    else { return nil }
    let extents = stride(from: shape.content.startIndex, to: shape.content.endIndex - 3, by: 4).map {
      number(shape.content, $0)
    }
    let data = try element(matrix, name.next)
    guard let type = types[data.type], extents.allSatisfy({ (1...65_536).contains($0) }),
      extents.reduce(1, { $0 > mostBytes ? $0 : $0 * $1 }) <= mostBytes
    else { return nil }
    return Array5(
      name: String(decoding: name.content, as: UTF8.self), shape: extents, type: type,
      bits: [64, 32, 8, 8, 16, 16, 32, 32, 64, 64][Int(kind) - 6], isWhole: kind > 7,
      bytes: Array(data.content))
  }

  private static let types = [
    1: "|i1", 2: "|u1", 3: "<i2", 4: "<u2", 5: "<i4", 6: "<u4", 7: "<f4", 9: "<f8", 12: "<i8",
  ]

  private static func number(_ bytes: ArraySlice<UInt8>, _ place: Int) -> Int {
    (0..<4).reversed().reduce(0) { $0 << 8 | Int(bytes[place + $1]) }
  }

  /// - Returns: Its type, its bytes, and where the next one begins.
  private static func element(
    _ bytes: ArraySlice<UInt8>, _ place: Int
  ) throws(PictureFault) -> (type: Int, content: ArraySlice<UInt8>, next: Int) {
    guard place + 8 <= bytes.endIndex else { throw isCut }
    let (first, isShort) = (number(bytes, place), bytes[place + 2] != 0 || bytes[place + 3] != 0)
    let (count, start) = isShort ? (first >> 16, place + 4) : (number(bytes, place + 4), place + 8)
    guard start + count <= bytes.endIndex, !isShort || count <= 4 else { throw isCut }
    let end = start + count
    return (first & 0xFFFF, bytes[start..<end], isShort ? place + 8 : start + (count + 7) / 8 * 8)
  }

  /// Its length stands only inside.
  private static func inflated(_ packed: ArraySlice<UInt8>) throws(PictureFault) -> [UInt8] {
    guard let decompressor = libdeflate_alloc_decompressor() else { throw PictureFault("memory is short") }
    defer { libdeflate_free_decompressor(decompressor) }
    var (size, made) = (4 * packed.count + 1024, 0)
    while size <= min(mostBytes, 1_032 * packed.count + 4096) * 2 {
      var result = LIBDEFLATE_BAD_DATA
      let bytes = [UInt8](unsafeUninitializedCapacity: size) { room, count in
        result = packed.withUnsafeBytes { packed in
          libdeflate_zlib_decompress(
            decompressor, packed.baseAddress, packed.count, room.baseAddress, size, &made)
        }
        count = result == LIBDEFLATE_SUCCESS ? made : 0
      }
      if result == LIBDEFLATE_SUCCESS { return bytes }
      guard result == LIBDEFLATE_INSUFFICIENT_SPACE else { throw isCut }
      size *= 2
    }
    throw PictureFault("an array of it is larger than \(mostBytes >> 20) MiB")
  }
}
