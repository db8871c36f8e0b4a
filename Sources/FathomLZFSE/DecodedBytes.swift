/// What has been decoded so far, from which later bytes are copied.
struct DecodedBytes {
  private(set) var bytes: [UInt8] = []
  /// The block must not hold more.
  var limit = 0
  init(capacity: Int) { bytes.reserveCapacity(capacity) }
  var count: Int { bytes.count }

  /// Bytes of the stream as they are.
  mutating func append(_ source: [UInt8], from start: Int, count: Int) throws(LZFSE.Fault) {
    guard count <= limit - bytes.count, count <= source.count - start else { throw .damaged }
    bytes.append(contentsOf: source[start..<start + count])
  }

  /// Bytes that stand `distance` before the end; they may overlap what they become.
  mutating func repeatBytes(distance: Int, count: Int) throws(LZFSE.Fault) {
    guard count > 0 else { return }
    guard distance > 0, distance <= bytes.count, count <= limit - bytes.count else { throw .damaged }
    let start = bytes.count - distance
    if distance >= count {
      bytes.append(contentsOf: bytes[start..<start + count])
    } else {
      for index in start..<start + count { bytes.append(bytes[index]) }
    }
  }
}
