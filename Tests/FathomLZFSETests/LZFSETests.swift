import Foundation
import FathomLZFSE
import FathomTestSupport
import Testing

/// Streams of Apple's own encoder, made by `Golden/make_golden.py`; what they hold is built here by the same rules.
@Suite struct LZFSETests {
  static let names = ["noise", "words", "zeros", "levels", "room", "mixed"]

  static func stream(_ name: String) throws -> [UInt8] {
    Array(
      try Data(
        contentsOf: PackageFiles.root.appendingPathComponent("Tests/FathomLZFSETests/Golden/\(name).lzfse")))
  }

  static func noise(_ count: Int, _ seed: UInt64) -> [UInt8] {
    var state = seed
    return (0..<count).map { _ in
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
      return UInt8(truncatingIfNeeded: z ^ z >> 31)
    }
  }

  static func room(_ width: Int, _ height: Int) -> [UInt8] {
    (0..<height).flatMap { row in
      (0..<width).flatMap { column -> [UInt8] in
        let isInside =
          column > width / 3 && column < width / 2 && row > height / 3 && row < height / 2
        let value = isInside ? 900 + row : 1500 + 3 * column + row / 2
        return [UInt8(value & 255), UInt8(value >> 8)]
      }
    }
  }

  static func bytes(_ name: String) -> [UInt8] {
    switch name {
    case "noise": noise(600, 1)
    case "words":
      [[UInt8]](repeating: Array("the depth of the room and the room of the depth; ".utf8), count: 20)
        .flatMap(\.self)
    case "zeros": [UInt8](repeating: 0, count: 70_000)
    case "levels": noise(49_152, 2).map { $0 % 3 }
    case "room": room(256, 192)
    default:
      noise(9_000, 3) + room(64, 64) + [UInt8](repeating: 0, count: 5_000)
        + [[UInt8]](repeating: noise(300, 4), count: 3).flatMap(\.self)
    }
  }

  @Test(arguments: names) func streamsOfTheReferenceComeOutAsTheyWentIn(_ name: String) throws {
    let stream = try Self.stream(name)
    let expected = Self.bytes(name)
    #expect(LZFSE.begins(stream))
    #expect(try LZFSE.declaredCount(stream) == expected.count)
    #expect(try LZFSE.decoded(stream, limit: expected.count) == expected)
  }

  @Test func theStreamsUseEveryKindOfBlock() throws {
    let kinds = try Set(Self.names.map { String(decoding: try Self.stream($0).prefix(4), as: UTF8.self) })
    #expect(kinds.isSuperset(of: ["bvx2", "bvxn"]))
    // The encoder writes neither of these: a stored block, and tables that are not packed.
    #expect(
      try LZFSE.decoded(Array("bvx-".utf8) + [3, 0, 0, 0, 7, 8, 9] + Array("bvx$".utf8), limit: 3) == [
        7, 8, 9,
      ])
    let packed = try Self.stream("levels")
    #expect(try LZFSE.decoded(Self.unpacked(packed), limit: 1 << 20) == Self.bytes("levels"))
  }

  @Test func nothingIsDecodedBeyondTheLimit() throws {
    let stream = try Self.stream("room")
    #expect(throws: LZFSE.Fault.self) { try LZFSE.decoded(stream, limit: 98_303) }
    // 4 GB declared in twelve bytes.
    let bomb = Array("bvxn".utf8) + [255, 255, 255, 255, 1, 0, 0, 0, 6] + Array("bvx$".utf8)
    #expect(throws: LZFSE.Fault.self) { try LZFSE.decoded(bomb, limit: 1 << 20) }
  }

  @Test(arguments: names) func aCutStreamIsRefused(_ name: String) throws {
    let stream = try Self.stream(name)
    for length in stride(from: 0, to: stream.count, by: max(1, stream.count / 97)) {
      #expect(throws: LZFSE.Fault.self) { try LZFSE.decoded(Array(stream[..<length]), limit: 1 << 20) }
    }
  }

  /// Whatever the bytes, the result is bytes below the limit or a fault; a trap would end the tests.
  @Test(arguments: names) func changedStreamsAreDecodedOrRefused(_ name: String) throws {
    let stream = try Self.stream(name)
    let dice = Self.noise(8_000, UInt64(name.utf8.count) + 77).map(Int.init)
    var refused = 0
    for round in 0..<150 {
      var changed = stream
      for change in 0..<(1 + dice[round] % 3) {
        let at = 20 * round + 5 * change
        let place =
          (dice[at] << 8 | dice[at + 1]) % (round % 2 == 0 ? min(120, changed.count) : changed.count)
        switch dice[at + 2] % 4 {
        case 0: changed[place] ^= 1 << UInt8(dice[at + 3] % 8)
        case 1: changed[place] = UInt8(dice[at + 3])
        case 2: changed.remove(at: place)
        default: changed.insert(UInt8(dice[at + 3]), at: place)
        }
      }
      do throws(LZFSE.Fault) {
        let bytes = try LZFSE.decoded(changed, limit: 200_000)
        #expect(bytes.count <= 200_000)
      } catch {
        refused += 1
      }
    }
    #expect(refused > 0)
  }

  /// The same streams with every "bvx2" as "bvx1", whose frequencies are 16-bit numbers.
  static func unpacked(_ stream: [UInt8]) -> [UInt8] {
    func word(_ place: Int) -> Int { (0..<4).reduce(0) { $0 | Int(stream[place + $1]) << (8 * $1) } }
    func long(_ place: Int) -> UInt64 { UInt64(word(place)) | UInt64(word(place + 4)) << 32 }
    func bytes(_ number: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    var (place, out) = (0, [UInt8]())
    while String(decoding: stream[place..<place + 4], as: UTF8.self) == "bvx2" {
      let fields = (0..<3).map { long(place + 8 + 8 * $0) }
      func bits(_ field: Int, _ offset: UInt64, _ count: UInt64) -> Int {
        Int(fields[field] >> offset & (1 << count - 1))
      }
      let header = word(place + 24)
      var accumulated = 0
      var (kept, next) = (0, place + 32)
      let nbits = [2, 3, 2, 5, 2, 3, 2, 8, 2, 3, 2, 5, 2, 3, 2, 14]
      let small = [0: 0, 1: 2, 2: 1, 3: 4, 5: 3, 6: 1, 11: 5, 19: 6, 27: 7]
      let frequencies = (0..<360).map { _ -> Int in
        while kept <= 24, next < place + header {
          accumulated |= Int(stream[next]) << kept
          (kept, next) = (kept + 8, next + 1)
        }
        let low = accumulated & 31
        let count = nbits[low & 15]
        let value =
          count == 14
          ? 24 + (accumulated >> 4 & 1023)
          : count == 8
            ? 8 + (accumulated >> 4 & 15) : small[count == 5 ? low : count == 3 ? low & 7 : low & 3] ?? 0
        accumulated >>= count
        kept -= count
        return value
      }
      let (literals, triples) = (bits(0, 20, 20), bits(1, 40, 20))
      out += Array("bvx1".utf8) + bytes(word(place + 4), 4) + bytes(literals + triples, 4)
      out += bytes(bits(0, 0, 20), 4) + bytes(bits(0, 40, 20), 4) + bytes(literals, 4) + bytes(triples, 4)
      out += bytes(bits(0, 60, 3) - 7, 4) + [0, 10, 20, 30].flatMap { bytes(bits(1, $0, 10), 2) }
      out += bytes(bits(1, 60, 3) - 7, 4) + [32, 42, 52].flatMap { bytes(bits(2, $0, 10), 2) }
      out += frequencies.flatMap { bytes($0, 2) } + [0, 0]
      out += stream[place + header..<place + header + literals + triples]
      place += header + literals + triples
    }
    return out + stream[place...]
  }
}
