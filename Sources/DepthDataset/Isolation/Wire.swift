package import DepthCore
import FathomPlainText
import Foundation
import Glibc
import FathomStorage

/// What is written into a message between a reader and who asks it.
package struct WireWriter {
  package private(set) var bytes: [UInt8] = []
  package init() {}
  /// Makes room for so many bytes more.
  mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

  package mutating func put<Value: BitwiseCopyable>(_ value: Value) {
    withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
  }
  package mutating func put<Value: BitwiseCopyable>(_ values: [Value]) {
    put(values.count)
    values.withUnsafeBytes { bytes.append(contentsOf: $0) }
  }
  /// Bytes of a writer, as they are.
  package mutating func put(raw more: [UInt8]) { bytes += more }
  package mutating func put(_ text: String) { put(Array(text.utf8)) }
  package mutating func put<Value>(_ value: Value?, _ body: (inout WireWriter, Value) -> Void) {
    put(UInt8(value == nil ? 0 : 1))
    if let value { body(&self, value) }
  }
  package mutating func put(_ raster: Raster<Float>) { put(raster.size, raster.values) }
  package mutating func put(_ raster: Raster<UInt8>) { put(raster.size, raster.values) }
  package mutating func put(_ image: Raster<RGB>) {
    put(image.size, image.values.withUnsafeBytes { Array($0) })
  }
  package mutating func put<Value: Encodable>(json value: Value) throws {
    let encoder = JSONEncoder()
    if let key = Wording.keepsOptions { encoder.userInfo[key] = true }
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    put([UInt8](try encoder.encode(value)))
  }

  private mutating func put<Value: BitwiseCopyable>(_ size: RasterSize, _ values: [Value]) {
    put(size.width)
    put(size.height)
    put(values)
  }
}

/// A message that is not what a reader would send.
package struct MalformedMessage: Error {
  package init() {}
}

/// Takes a message apart. Whoever wrote it may have been taken over by the file that it read: nothing is believed.
package struct WireReader {
  private let own: [UInt8], shared: SharedMemory?
  private let count: Int
  private var position = 0
  init(_ bytes: [UInt8]) { (own, shared, count) = (bytes, nil, bytes.count) }
  /// The first so many bytes of a memory, which hold until the next question.
  /// - Precondition: It has so many.
  init(_ count: Int, of memory: SharedMemory) { (own, shared, self.count) = ([], memory, count) }

  private func withBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    if let shared { return body(UnsafeRawBufferPointer(rebasing: shared.bytes[..<count])) }
    return own.withUnsafeBytes(body)
  }

  /// Numbers only: of them every pattern of bits is one.
  package mutating func get<Value: BitwiseCopyable>(_: Value.Type = Value.self) throws(MalformedMessage)
    -> Value
  where Value: Numeric {
    let size = MemoryLayout<Value>.size
    guard count - position >= size else { throw MalformedMessage() }
    defer { position += size }
    return withBytes { $0.loadUnaligned(fromByteOffset: position, as: Value.self) }
  }

  package mutating func array<Value: BitwiseCopyable & Numeric>(
    of _: Value.Type = Value.self
  ) throws(MalformedMessage) -> [Value] {
    let length: Int = try get()
    let (size, isHuge) = length.multipliedReportingOverflow(by: MemoryLayout<Value>.stride)
    guard length >= 0, !isHuge, count - position >= size else { throw MalformedMessage() }
    defer { position += size }
    return [Value](unsafeUninitializedCapacity: length) { target, filled in
      withBytes { source in
        UnsafeMutableRawBufferPointer(target).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: source[position..<position + size]))
      }
      filled = length
    }
  }

  package mutating func text() throws(MalformedMessage) -> String {
    String(decoding: try array(of: UInt8.self), as: UTF8.self)
  }

  package mutating func optional<Value>(
    _ body: (inout WireReader) throws(MalformedMessage) -> Value
  ) throws(MalformedMessage) -> Value? {
    switch try get(UInt8.self) {
    case 0: nil
    case 1: try body(&self)
    default: throw MalformedMessage()
    }
  }

  /// A raster of the size that it must have.
  package mutating func raster<Value: BitwiseCopyable & Numeric>(
    _ expected: RasterSize?, of _: Value.Type = Value.self
  ) throws(MalformedMessage) -> Raster<Value> {
    let size = RasterSize(width: try get(), height: try get())
    guard let expected, size == expected else { throw MalformedMessage() }
    let values: [Value] = try array()
    guard values.count == expected.count else { throw MalformedMessage() }
    return Raster(width: size.width, height: size.height, values: values)
  }

  package mutating func image(_ expected: RasterSize?) throws(MalformedMessage) -> Raster<RGB> {
    let size = RasterSize(width: try get(), height: try get())
    guard let expected, size == expected else { throw MalformedMessage() }
    let bytes: [UInt8] = try array()
    guard bytes.count == 3 * expected.count else { throw MalformedMessage() }
    let pixels = [RGB](unsafeUninitializedCapacity: expected.count) { pixels, count in
      for index in 0..<expected.count {
        pixels.initializeElement(
          at: index, to: RGB(red: bytes[3 * index], green: bytes[3 * index + 1], blue: bytes[3 * index + 2]))
      }
      count = expected.count
    }
    return Raster(width: size.width, height: size.height, values: pixels)
  }

  package mutating func json<Value: Decodable>(_: Value.Type = Value.self) throws(MalformedMessage) -> Value {
    let bytes = try array(of: UInt8.self), decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do { return try decoder.decode(Value.self, from: Data(bytes)) } catch { throw MalformedMessage() }
  }

  /// Nothing may follow.
  package func end() throws(MalformedMessage) {
    guard position == count else { throw MalformedMessage() }
  }
}

/// Blocking messages over a socket: the number of bytes, then the bytes; or the number with all bits inverted, for bytes in a memory
/// that both share.
enum WireSocket {
  enum Failure: Error { case closed, late, tooLong }

  /// - Parameter wait: After which it is given up; nil waits for ever.
  /// - Parameter memory: Through which it goes where it is long.
  static func send(
    _ bytes: [UInt8], to socket: Int32, within wait: ProcessWait? = nil, through memory: SharedMemory? = nil
  ) throws(Failure) {
    var (wait, head, rest) = (wait, WireWriter(), bytes)
    // Without SIGPIPE where the other side has ended.
    let flags = Int32(MSG_NOSIGNAL) | (wait == nil ? 0 : Int32(MSG_DONTWAIT))
    if let memory, SharedMemory.lengths.contains(bytes.count) {
      memory.bytes.copyBytes(from: bytes)
      head.put(~bytes.count)
      rest = []
    } else {
      head.put(bytes.count)
    }
    for part in [head.bytes, rest] {
      var sent = 0
      while sent < part.count {
        guard wait?.untilWritable(socket) ?? true else { throw .late }
        let count = part[sent...].withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, flags) }
        if count < 0, errno == EINTR || errno == EAGAIN { continue }
        guard count > 0 else { throw .closed }
        sent += count
      }
    }
  }

  /// - Parameter most: Bytes that are taken at most.
  /// - Parameter wait: After which it is given up; nil waits for ever.
  /// - Parameter memory: Through which it may come.
  static func receive(
    from socket: Int32, most: Int, within wait: ProcessWait? = nil, through memory: SharedMemory? = nil
  ) throws(Failure) -> WireReader {
    var wait = wait
    let head = try receive(MemoryLayout<Int>.size, from: socket, &wait)
    let count = head.withUnsafeBytes { $0.loadUnaligned(as: Int.self) }
    if let memory, SharedMemory.lengths.contains(~count) { return WireReader(~count, of: memory) }
    guard (0...most).contains(count) else { throw .tooLong }
    return WireReader(try receive(count, from: socket, &wait))
  }

  private static func receive(
    _ count: Int, from socket: Int32, _ wait: inout ProcessWait?
  ) throws(Failure) -> [UInt8] {
    var failure: Failure?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        guard wait?.untilReadable(socket) ?? true else {
          failure = .late
          return
        }
        let got = recv(
          socket,
          UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
            .baseAddress, count - filled, 0)
        if got < 0, errno == EINTR { continue }
        guard got > 0 else {
          failure = .closed
          return
        }
        filled += got
      }
    }
    if let failure { throw failure }
    return bytes
  }
}
