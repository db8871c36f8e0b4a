/// Collects bytes and hands them on in large pieces.
struct ByteBuffer {
  private(set) var bytes: [UInt8] = []
  private static let pieceLength = 1 << 20
  init() { bytes.reserveCapacity(Self.pieceLength + 4096) }
  mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  /// Little-endian.
  mutating func append(_ number: Float) {
    withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Little-endian.
  mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Hands on what there is if it is enough for a piece.
  mutating func pass<Failure: Error>(to sink: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
    if bytes.count >= Self.pieceLength { try flush(to: sink) }
  }

  /// Hands on what there is.
  mutating func flush<Failure: Error>(to sink: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
    if !bytes.isEmpty { try sink(bytes) }
    bytes.removeAll(keepingCapacity: true)
  }
}
