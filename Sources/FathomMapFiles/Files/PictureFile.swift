package import DepthCore
package import FathomPictureFiles

package enum PictureFile {
  /// Its size, from its beginning.
  package static func size(at path: String) throws(PictureFault) -> RasterSize {
    let ends = try FileBytes.Ends(path)
    try FileBytes.requireReadable(ends.fileSize)
    if let size = try? PictureReader.size(ends.first) { return size }
    // A TIFF's header may stand at its end.
    let isTIFF = try PictureFormat(ends.first) == .tiff
    return try PictureReader.size(try FileBytes.read(path, limit: isTIFF ? nil : beginning))
  }

  /// A phone's JPEG has its size behind a preview and what the camera says about itself.
  private static let beginning = 1 << 19
}
