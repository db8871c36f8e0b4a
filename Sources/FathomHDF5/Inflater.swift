internal import CFathomDeflate

/// libdeflate's decompressor: of zlib streams whose length is known, in one go.
struct Inflater: ~Copyable {
  /// nil where memory is out: then nothing can be decompressed.
  private let decompressor = libdeflate_alloc_decompressor()

  deinit { libdeflate_free_decompressor(decompressor) }

  /// Decompresses a stream that gives exactly as many bytes as there is room for; false where it does not, or fails its checksum.
  func inflate(_ stream: UnsafeRawBufferPointer, to room: UnsafeMutableRawBufferPointer) -> Bool {
    guard let decompressor else { return false }
    return libdeflate_zlib_decompress(
      decompressor, stream.baseAddress, stream.count, room.baseAddress, room.count, nil)
      == LIBDEFLATE_SUCCESS
  }

  /// Whether a stream is sound, but gives fewer bytes than there is room for.
  func isShort(_ stream: UnsafeRawBufferPointer, in room: UnsafeMutableRawBufferPointer) -> Bool {
    guard let decompressor else { return false }
    return libdeflate_zlib_decompress(
      decompressor, stream.baseAddress, stream.count, room.baseAddress, room.count, nil)
      == LIBDEFLATE_SHORT_OUTPUT
  }
}
