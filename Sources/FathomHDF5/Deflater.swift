internal import CFathomDeflate

/// libdeflate's compressor, to zlib streams.
struct Deflater: ~Copyable {
  /// nil where memory is out: then nothing can be compressed.
  private let compressor: OpaquePointer?
  /// - Parameter level: gzip's, 1…9.
  init(level: Int) { compressor = libdeflate_alloc_compressor(Int32(clamping: level)) }

  deinit { libdeflate_free_compressor(compressor) }

  /// Bytes that a stream takes at most.
  func bound(_ count: Int) -> Int { libdeflate_zlib_compress_bound(compressor, count) }

  /// Compresses to a stream.
  /// - Parameter room: At least ``bound(_:)`` bytes.
  /// - Returns: Bytes of the stream; nil where it could not be made.
  func deflate(_ bytes: UnsafeRawBufferPointer, to room: UnsafeMutableRawBufferPointer) -> Int? {
    guard let compressor else { return nil }
    let count = libdeflate_zlib_compress(
      compressor, bytes.baseAddress, bytes.count, room.baseAddress, room.count)
    return count > 0 ? count : nil
  }
}
