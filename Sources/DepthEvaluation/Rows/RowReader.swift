/// Takes out of bytes what ``RowWriter`` put there, in the same order.
public struct RowReader {
  private let bytes: [UInt8]
  private let names: [String]
  private var position = 0

  init(_ bytes: [UInt8], names: [String]) { (self.bytes, self.names) = (bytes, names) }

  public mutating func int() -> Int {
    var (value, shift) = (UInt(0), UInt(0))
    while true {
      let byte = bytes[position]
      position += 1
      value |= UInt(byte & 0x7f) << shift
      if byte < 0x80 { break }
      shift += 7
    }
    return Int(bitPattern: value >> 1) ^ -Int(bitPattern: value & 1)
  }

  public mutating func bool() -> Bool {
    position += 1
    return bytes[position - 1] != 0
  }

  public mutating func double() -> Double {
    defer { position += MemoryLayout<UInt64>.size }
    return Double(
      bitPattern: bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: UInt64.self) })
  }

  public mutating func doubles() -> [Double] {
    let count = int()
    let size = count * MemoryLayout<Double>.stride
    defer { position += size }
    return [Double](unsafeUninitializedCapacity: count) { values, filled in
      bytes.withUnsafeBytes { source in
        UnsafeMutableRawBufferPointer(values).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: source[position..<position + size]))
      }
      filled = count
    }
  }

  public mutating func optionalDoubles() -> [Double?] {
    let count = int()
    let flags = position
    position += (count + 7) / 8
    var values: [Double?] = []
    values.reserveCapacity(count)
    for index in 0..<count {
      values.append(bytes[flags + index / 8] & 1 << UInt8(index % 8) == 0 ? nil : double())
    }
    return values
  }

  public mutating func name() -> String { names[int()] }

  public mutating func text() -> String {
    let count = int()
    defer { position += count }
    return String(decoding: bytes[position..<position + count], as: UTF8.self)
  }

  public mutating func optional<Value>(_ read: (inout RowReader) -> Value) -> Value? {
    bool() ? read(&self) : nil
  }

  public mutating func plain<Value: BitwiseCopyable>(_ type: Value.Type) -> Value {
    let size = MemoryLayout<Value>.size
    defer { position += size }
    return withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { place in
      bytes.withUnsafeBytes { source in
        UnsafeMutableRawBufferPointer(place).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: source[position..<position + size]))
      }
      return place[0]
    }
  }
}
