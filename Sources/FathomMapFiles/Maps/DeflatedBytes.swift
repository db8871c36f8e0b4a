private import CFathomDeflate
internal import FathomPictureFiles

/// Bytes that were packed by deflate, without a head.
enum DeflatedBytes {
  /// nil where they do not give as many bytes as they should.
  static func inflated(_ packed: ArraySlice<UInt8>, to size: Int) throws(PictureFault) -> [UInt8]? {
    guard let decompressor = libdeflate_alloc_decompressor() else { throw PictureFault("memory is short") }
    defer { libdeflate_free_decompressor(decompressor) }
    var isGood = false
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { room, count in
      isGood =
        packed.withUnsafeBytes { packed in
          libdeflate_deflate_decompress(
            decompressor, packed.baseAddress, packed.count, room.baseAddress, size, nil)
        } == LIBDEFLATE_SUCCESS
      count = isGood ? size : 0
    }
    return isGood ? bytes : nil
  }
}
