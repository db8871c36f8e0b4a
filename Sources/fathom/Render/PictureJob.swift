import DepthCore
import DepthDataset
import DepthGraphics
import DepthReport
import Foundation
import Logging
import Storage

/// Writes the chosen frames of one scene as pictures.
struct PictureJob {
  let painter: FramePainter
  let format: RenderFormat
  let frames: Range<Int>
  let overwrite: Bool
  let console: Console

  /// One picture, or the frames one after the other as an animation.
  ///
  /// - Throws: `FathomError`, `DatasetError`, `GraphicsError`.
  func writeFile(_ path: String, from reader: borrowing DatasetReader) throws -> DrawnFile {
    let target = try AtomicFile(path, overwrite: overwrite)
    let names = frames.map(painter.scene.frameID)
    let (bytes, size): ([UInt8], RasterSize)
    if format == .webp {
      (bytes, size) = try animation(from: reader)
    } else {
      (bytes, size) = try file(frames.lowerBound, from: reader)
    }
    try target.write(bytes)
    try reader.sources.requireUnchanged()
    try target.commit()
    return DrawnFile(file: path, frames: names, size)
  }

  /// A folder with one picture for each frame and `render.json`.
  ///
  /// - Throws: `FathomError`, `DatasetError`, `GraphicsError`.
  func writeFolder(_ path: String, from reader: borrowing DatasetReader) throws -> [DrawnFile] {
    let folder = try AtomicFolder(path, kind: .rendering, overwrite: overwrite)
    let progress = ProgressBar("drawing", total: frames.count, console: console)
    var rows: [DrawnFile] = []
    for index in frames {
      let (bytes, size) = try file(index, from: reader)
      let name =
        RenderJob.fileName(painter.scene.name) + String(format: "-%04d", index) + ".\(format.rawValue)"
      let file = try folder.file(name)
      try file.write(bytes)
      rows.append(DrawnFile(file: name, frames: [painter.scene.frameID(index)], size))
      progress.advance()
    }
    let input = RunManifest.Input(
      file: URL(fileURLWithPath: reader.path).lastPathComponent, try reader.sources.digests())
    let manifest = PictureManifest(input: input, painter, format, rows)
    let name = folder.path
    try reader.sources.requireUnchanged()
    try folder.commit(manifest: manifest.json)
    return rows.map { row in
      var row = row
      row.file = name + "/" + row.file
      return row
    }
  }

  private func file(
    _ index: Int, from reader: borrowing DatasetReader
  ) throws -> (bytes: [UInt8], size: RasterSize) {
    let picture = try drawn(index, from: reader)
    switch format {
    case .svg: return (try picture.svg(), try picture.size())
    case .jpg:
      return (try JPEG.encode(try picture.pixels(), quality: painter.options.quality), try picture.size())
    default: return (try picture.png(), try picture.size())
    }
  }

  private func animation(
    from reader: borrowing DatasetReader
  ) throws -> (bytes: [UInt8], size: RasterSize) {
    let progress = ProgressBar("drawing", total: frames.count, console: console)
    // A longer frame name may take another line below the picture: all frames get the first one's size.
    let size = try drawn(frames.lowerBound, from: reader).size()
    var film = try AnimatedWebP(size: size, framesPerSecond: painter.options.frameRate)
    for index in frames {
      try film.add(try drawn(index, from: reader).pixels().cropped(to: size))
      progress.advance()
    }
    return (try film.file(), size)
  }

  private func drawn(_ index: Int, from reader: borrowing DatasetReader) throws -> FramePicture {
    let (picture, omissions) = try painter.picture(of: index, from: reader)
    for omission in omissions { console.log.info("\(omission)") }
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
