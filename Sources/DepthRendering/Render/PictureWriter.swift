import FathomRuns
import DepthCore
import DepthDataset
import DepthGraphics
import FathomStorage

/// Writes the chosen frames of one scene as pictures.
struct PictureWriter {
  let painter: FramePainter, format: RenderFormat, frames: Range<Int>, overwrite: Bool
  let observe: JobObserver

  /// One picture, or the frames one after the other as an animation.
  /// - Throws: `FathomError`, `GraphicsError`.
  func writeFile(_ path: String, from reader: borrowing some FrameSource & ~Copyable) throws -> DrawnFile {
    let target = try AtomicFile(path, overwrite: overwrite)
    let names = frames.map(painter.scene.frameID)
    let (bytes, size): ([UInt8], RasterSize)
    if format == .webp {
      (bytes, size) = try animation(from: reader)
    } else {
      var history = painter.history
      (bytes, size) = try file(frames.lowerBound, from: reader, after: &history)
    }
    try target.write(bytes)
    try reader.sources.requireUnchanged()
    try target.commit()
    return DrawnFile(file: path, frames: names, size)
  }

  /// A folder with one picture for each frame and `render.json`.
  /// - Throws: `FathomError`, `GraphicsError`.
  func writeFolder(_ path: String, from reader: borrowing some FrameSource & ~Copyable) throws -> [DrawnFile]
  {
    var history = painter.history
    return try FrameFolder(scene: painter.scene, frames: frames, overwrite: overwrite, observe: observe)
      .write(path, .drawing, from: reader) { input, files in
        RenderManifest(
          input, painter.scene, painter.selection, format: format.rawValue, pictures: painter.options, files)
      } write: { index, stem, folder in
        let (bytes, size) = try file(index, from: reader, after: &history)
        let name = "\(stem).\(format.rawValue)"
        let file = try folder.file(name)
        try file.write(bytes)
        return DrawnFile(file: name, frames: [painter.scene.frameID(index)], size)
      }
  }

  private func file(
    _ index: Int, from reader: borrowing some FrameSource & ~Copyable, after history: inout FrameHistory
  ) throws -> (bytes: [UInt8], size: RasterSize) {
    let picture = try drawn(index, from: reader, after: &history)
    switch format {
    case .svg: return (try picture.svg(), try picture.size())
    case .jpg:
      return (
        try JPEG.encode(try picture.pixels(), quality: painter.options.request.quality), try picture.size()
      )
    default: return (try picture.png(), try picture.size())
    }
  }

  private func animation(
    from reader: borrowing some FrameSource & ~Copyable
  ) throws -> (bytes: [UInt8], size: RasterSize) {
    observe(.began(.drawing, steps: frames.count))
    // A longer frame name may take another line below the picture: all frames get the first one's size.
    var history = painter.history
    let first = try drawn(frames.lowerBound, from: reader, after: &history)
    let size = try first.size()
    var film = try AnimatedWebP(size: size, framesPerSecond: painter.options.request.frameRate)
    for index in frames {
      let picture = index == frames.lowerBound ? first : try drawn(index, from: reader, after: &history)
      try film.add(try picture.pixels().cropped(to: size))
      observe(.advanced)
    }
    return (try film.file(), size)
  }

  private func drawn(
    _ index: Int, from reader: borrowing some FrameSource & ~Copyable, after history: inout FrameHistory
  ) throws -> FramePicture {
    let (picture, omissions) = try painter.picture(of: index, from: reader, after: &history)
    for omission in omissions { observe(.noticed(.omitted(omission))) }
    return picture
  }
}

extension Raster where Element == RGB {
  /// The upper left part of this size; white where there is nothing.
  fileprivate func cropped(to size: RasterSize) -> Raster<RGB> {
    guard size != self.size else { return self }
    let white = RGB(red: 255, green: 255, blue: 255)
    let values = (0..<size.count).map { index in
      let (row, column) = (index / size.width, index % size.width)
      return row < height && column < width ? self[row, column] : white
    }
    return Raster(width: size.width, height: size.height, values: values)
  }
}
