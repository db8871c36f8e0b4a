/// Takes out of bytes what ``RowWriter`` put there, in the same order.
///
/// Bytes may come from a file of somebody else. Where they are not a writer's it says so, ``isDamaged``, and gives nothing from then on:
/// zeros, empty lists and the first of several words.
public struct RowReader {
  private let bytes: [UInt8], names: [String]
  private var position = 0
  /// Whether something was found that a writer does not put there.
  public private(set) var isDamaged = false
  init(_ bytes: [UInt8], names: [String]) { (self.bytes, self.names) = (bytes, names) }

  /// Where the next bytes begin; nil where there are not so many.
  private mutating func take(_ size: Int) -> Int? {
    guard !isDamaged, size >= 0, size <= bytes.count - position else {
      isDamaged = true
      return nil
    }
    defer { position += size }
    return position
  }

  public mutating func int() -> Int {
    var (value, shift) = (UInt(0), UInt(0))
    while let place = take(1) {
      let byte = bytes[place]
      value |= UInt(byte & 0x7f) << shift
      if byte < 0x80 { return Int(bitPattern: value >> 1) ^ -Int(bitPattern: value & 1) }
      shift += 7
      if shift >= UInt.bitWidth { isDamaged = true }
    }
    return 0
  }

  /// How many things follow, each of at least one byte.
  public mutating func count() -> Int { count(atMost: bytes.count - position) }

  /// How many things there are.
  public mutating func count(atMost most: Int) -> Int {
    let count = int()
    if !(0...max(0, most)).contains(count) { isDamaged = true }
    return isDamaged ? 0 : count
  }

  public mutating func bool() -> Bool { take(1).map { bytes[$0] != 0 } ?? false }

  public mutating func double() -> Double {
    guard let place = take(MemoryLayout<UInt64>.size) else { return 0 }
    return Double(
      bitPattern: bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt64.self) })
  }

  public mutating func doubles() -> [Double] {
    let count = count()
    let size = count * MemoryLayout<Double>.stride
    guard let place = take(size) else { return [] }
    return [Double](unsafeUninitializedCapacity: count) { values, filled in
      bytes.withUnsafeBytes { source in
        UnsafeMutableRawBufferPointer(values).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: source[place..<place + size]))
      }
      filled = count
    }
  }

  public mutating func optionalDoubles() -> [Double?] {
    // One bit for each, at least.
    let count = count(atMost: 8 * (bytes.count - position))
    guard let flags = take((count + 7) / 8) else { return [] }
    var values: [Double?] = []
    values.reserveCapacity(count)
    for index in 0..<count {
      values.append(bytes[flags + index / 8] & 1 << UInt8(index % 8) == 0 ? nil : double())
    }
    return values
  }

  public mutating func name() -> String {
    let number = int()
    guard names.indices.contains(number) else {
      isDamaged = true
      return ""
    }
    return names[number]
  }

  /// A case by its name.
  mutating func word<Value: RawRepresentable & CaseIterable>(
    _ type: Value.Type
  ) -> Value where Value.RawValue == String {
    let name = name()
    if let value = Value(rawValue: name) { return value }
    isDamaged = true
    return Value.allCases[Value.allCases.startIndex]
  }

  public mutating func text() -> String {
    let count = count()
    guard let place = take(count) else { return "" }
    return String(decoding: bytes[place..<place + count], as: UTF8.self)
  }

  public mutating func optional<Value>(_ read: (inout RowReader) -> Value) -> Value? {
    bool() ? read(&self) : nil
  }

  public mutating func plain<Value: BitwiseCopyable>(_ type: Value.Type) -> Value {
    let size = MemoryLayout<Value>.size
    let start = take(size)
    return withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { place in
      let room = UnsafeMutableRawBufferPointer(place)
      if let start {
        bytes.withUnsafeBytes { source in
          room.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[start..<start + size]))
        }
      } else {
        room.initializeMemory(as: UInt8.self, repeating: 0)
      }
      return place[0]
    }
  }
}
