private import CFathomDeflate
internal import FathomPictureFiles

/// Numpy's `.npz`: a zip of arrays, stored or deflated.
package struct NumpyArchive {
  /// One array, still packed.
  private struct Member {
    var name: String, isDeflated: Bool, start: Int, packed: Int, size: Int
    /// CRC-32 of the array.
    var checksum: UInt32
  }

  private let file: [UInt8], members: [Member]
  /// Larger members are refused before memory is taken.
  private static let mostBytes = 1 << 30
  private static let mostMembers = 10_000
  /// How every zip begins.
  package static let signature: [UInt8] = [0x50, 0x4B]
  /// Why Python's own files are not read.
  static let pickle = "it is a pickle, which is code; numpy.save writes its arrays"
  /// Names of the arrays, in the order of the file.
  var keys: [String] { members.map(\.name) }

  /// Reads the list of arrays.
  /// - Throws: `PictureFault` where it is not a zip, is cut short, encrypted or packed in another way.
  init(_ file: [UInt8]) throws(PictureFault) {
    self.file = file
    guard file.starts(with: Self.signature)
    else { throw PictureFault("it is not an .npz, which is a zip of arrays") }
    // The directory's end has 22 bytes and a comment.
    let from = max(0, file.count - 22 - 65_535)
    guard file.count >= 22,
      let end = stride(from: file.count - 22, through: from, by: -1).first(where: {
        file[$0] == 0x50 && file[$0 + 1] == 0x4B && file[$0 + 2] == 5 && file[$0 + 3] == 6
      })
    else { throw PictureFault("the .npz is cut short") }
    func number(_ place: Int, _ bytes: Int) -> Int? {
      guard place >= 0, place + bytes <= file.count else { return nil }
      return (0..<bytes).reversed().reduce(0) { $0 << 8 | Int(file[place + $1]) }
    }
    guard let count = number(end + 10, 2), var place = number(end + 16, 4), count <= Self.mostMembers
    else { throw PictureFault("its list of arrays cannot be read") }
    var members: [Member] = []
    for _ in 0..<count {
      guard number(place, 4) == 0x0201_4B50, let flags = number(place + 8, 2),
        let method = number(place + 10, 2),
        let checksum = number(place + 16, 4), var packed = number(place + 20, 4),
        var size = number(place + 24, 4), let length = number(place + 28, 2),
        let extra = number(place + 30, 2), let comment = number(place + 32, 2),
        var local = number(place + 42, 4), place + 46 + length + extra <= file.count
      else { throw PictureFault("its list of arrays cannot be read") }
      guard flags & 1 == 0 else { throw PictureFault("it is encrypted") }
      guard method == 0 || method == 8
      else { throw PictureFault("it is packed with method \(method) of zip") }
      let name = String(decoding: file[place + 46..<place + 46 + length], as: UTF8.self)
      // PyTorch's files are zips, too.
      guard !name.hasSuffix(".pkl") else { throw PictureFault(Self.pickle) }
      // Numpy writes the lengths of 64 bits even where 32 are enough.
      var field = place + 46 + length
      while let id = number(field, 2), let bytes = number(field + 2, 2),
        field + 4 + bytes <= place + 46 + length + extra
      {
        var value = field + 4
        if id == 1 {
          if size == 0xFFFF_FFFF { (size, value) = (number(value, 6) ?? 0, value + 8) }
          if packed == 0xFFFF_FFFF { (packed, value) = (number(value, 6) ?? 0, value + 8) }
          if local == 0xFFFF_FFFF { local = number(value, 6) ?? 0 }
        }
        field += 4 + bytes
      }
      guard let localName = number(local + 26, 2), let localExtra = number(local + 28, 2),
        number(local, 4) == 0x0403_4B50
      else { throw PictureFault("an array is not where its list says") }
      let start = local + 30 + localName + localExtra
      guard packed <= file.count, start + packed <= file.count, size <= Self.mostBytes,
        method == 8 ? size <= 1_032 * packed + 64 : size == packed
      else {
        throw PictureFault("the array '\(name)' is cut short, or larger than \(Self.mostBytes >> 20) MiB")
      }
      members.append(
        Member(
          name: name.hasSuffix(".npy") ? String(name.dropLast(4)) : name, isDeflated: method == 8,
          start: start, packed: packed, size: size, checksum: UInt32(truncatingIfNeeded: checksum)))
      place += 46 + length + extra + comment
    }
    self.members = members
  }

  /// The bytes of its map: the array with a usual name, or the only one.
  /// - Throws: `PictureFault` where there is none, or it is damaged.
  var map: [UInt8] { get throws(PictureFault) { try array(try MapKeys.key(among: keys)) } }

  /// The bytes of an array, as a `.npy` has them.
  /// - Throws: `PictureFault` where it does not exist or is damaged.
  func array(_ key: String) throws(PictureFault) -> [UInt8] {
    guard let member = members.first(where: { $0.name == key })
    else { throw PictureFault("it has no array '\(key)'") }
    let packed = file[member.start..<member.start + member.packed]
    let bytes = member.isDeflated ? try DeflatedBytes.inflated(packed, to: member.size) : Array(packed)
    guard let bytes,
      bytes.withUnsafeBytes({ libdeflate_crc32(0, $0.baseAddress, $0.count) }) == member.checksum
    else { throw PictureFault("the array '\(key)' is damaged: its checksum is wrong") }
    return bytes
  }
}
