package import DepthCore
package import FathomPictureFiles

/// Pictures behind each other: numpy's array [n,h,w,3] of bytes.
package struct PictureStack: Sendable {
  package let count: Int
  package var size: RasterSize { RasterSize(width: array.size.width / 3, height: array.size.height) }
  private let path: String, array: NumpyArray
  package static func begins(_ file: [UInt8]) -> Bool { file.starts(with: NumpyArray.signature) }

  /// - Throws: `PictureFault` where it holds something else.
  package init(at path: String, _ ends: FileBytes.Ends) throws(PictureFault) {
    array = try NumpyArray(ends.first, fileSize: ends.fileSize, allowsStacks: true, hasChannels: true)
    guard array.channelCount == 3 else { throw PictureFault("pictures have the shape (n, h, w, 3)") }
    guard array.type.hasSuffix("u1")
    else { throw PictureFault("it holds numbers of the type '\(array.type)', and pictures are bytes (u1)") }
    (self.path, count) = (path, array.layerCount)
  }

  package func picture(_ index: Int) throws(PictureFault) -> Raster<RGB> {
    let stored = array.stored(layer: index)
    let bytes =
      if let range = stored?.range { try FileBytes.read(path, range) } else { try FileBytes.read(path) }
    let values = stored.map { $0.array.values(bytes) } ?? array.values(bytes, layer: index)
    let size = size
    return Raster(
      width: size.width, height: size.height,
      values: (0..<size.count).map { pixel in
        let channels = (0..<3).map { UInt8(values[3 * pixel + $0]) }
        return RGB(red: channels[0], green: channels[1], blue: channels[2])
      })
  }
}
