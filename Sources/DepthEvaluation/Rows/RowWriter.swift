/// Puts rows into bytes for ``RowReader``, in the same process. Every bit of a number comes back.
public struct RowWriter: ~Copyable {
  private(set) var bytes: [UInt8] = []
  private(set) var names: [String] = []  // Names that many rows share: they are stored once.
  private var numbers: [String: Int] = [:]
  init() {}
  /// Forgets the bytes; names stay.
  mutating func removeBytes() { bytes.removeAll(keepingCapacity: true) }

  /// A number, small ones in few bytes.
  public mutating func put(_ value: Int) {
    var rest = UInt(bitPattern: (value << 1) ^ (value >> (Int.bitWidth - 1)))
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  public mutating func put(_ value: Bool) { bytes.append(value ? 1 : 0) }

  public mutating func put(_ value: Double) {
    withUnsafeBytes(of: value.bitPattern) { bytes.append(contentsOf: $0) }
  }

  public mutating func put(_ values: [Double]) {
    put(values.count)
    values.withUnsafeBytes { bytes.append(contentsOf: $0) }
  }

  /// A bit for each value, then those that exist.
  public mutating func put(_ values: [Double?]) {
    put(values.count)
    var byte: UInt8 = 0
    for (index, value) in values.enumerated() {
      if value != nil { byte |= 1 << UInt8(index % 8) }
      if index % 8 == 7 || index == values.count - 1 {
        bytes.append(byte)
        byte = 0
      }
    }
    for case let value? in values { put(value) }
  }

  /// A name that many rows share: a scene's, a method's.
  public mutating func put(name: String) {
    if let known = numbers[name] { return put(known) }
    put(names.count)
    numbers[name] = names.count
    names.append(name)
  }

  public mutating func put(text: String) {
    put(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  public mutating func put<Value>(_ value: Value?, _ write: (inout RowWriter, Value) -> Void) {
    put(value != nil)
    if let value { write(&self, value) }
  }

  /// A value without references, as it lies in memory.
  public mutating func put<Value: BitwiseCopyable>(plain value: Value) {
    withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
  }
}
