import DepthCore

/// A picture that was written, for tables.
public struct DrawnFile: WrittenFrames {
  public var file: String
  /// As reports name them.
  public let frames: [String]
  /// Pixels of the whole.
  public let width: Int, height: Int

  init(file: String, frames: [String], _ size: RasterSize) {
    (self.file, self.frames, width, height) = (file, frames, size.width, size.height)
  }
}
