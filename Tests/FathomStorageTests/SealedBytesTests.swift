import Foundation
import FathomTestSupport
import Testing

@testable import FathomStorage

@Suite("Bytes that an interrupted command goes on with")
struct SealedBytesTests {
  @Test("come back as they were, and JSON stays JSON")
  func roundTrip() throws {
    for bytes in [[], [0, 1, 2, 255], Array("{\"a\":1.5}".utf8)] as [[UInt8]] {
      #expect(SealedBytes.open(SealedBytes.seal(bytes)) == bytes)
    }
    let sealed = String(decoding: SealedBytes.seal(Array("{\"a\":1.5}".utf8)), as: UTF8.self)
    #expect(try JSONValue(text: sealed)["value"] == .keyed(["a": .number(1.5)]))
  }

  @Test("any bit that flips, any byte that goes or comes, is noticed")
  func changes() {
    let sealed = SealedBytes.seal(Array("{\"a\":1.5}".utf8))
    for place in sealed.indices {
      for bit in 0..<8 {
        var changed = sealed
        changed[place] ^= 1 << bit
        #expect(SealedBytes.open(changed) == nil, "bit \(bit) of byte \(place)")
      }
      var shorter = sealed
      shorter.remove(at: place)
      #expect(SealedBytes.open(shorter) == nil)
    }
    #expect(SealedBytes.open(sealed + [10]) == nil)
    #expect(SealedBytes.open([]) == nil)
  }
}
