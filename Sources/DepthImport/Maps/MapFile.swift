internal import DepthCore
private import FathomHDF5
internal import FathomPictureFiles

/// A file of numbers, one map or several behind each other: what a network made of one frame, or of all.
struct MapFile: Sendable {
  let size: RasterSize
  var layerCount = 1
  /// Whether it has at most 256 levels.
  var hasEightBits = false
  /// Names of what the file holds, where it names it.
  var keys: [String] = []
  /// The numbers of a map, as they stand in the file.
  let layer: @Sendable (Int) throws(PictureFault) -> Raster<Float>

  /// One reader for one kind of file, by the end of its name.
  static let readers: [String: @Sendable (String) throws(PictureFault) -> MapFile] = [
    "npy": numpy, "npz": numpyArchive, "pfm": pfm, "exr": exr, "png": png, "tif": tiff, "tiff": tiff,
    "h5": hdf5,
    "hdf5": hdf5,
  ]
  /// What is refused, and why.
  private static let refused = [
    "jpg": "a JPEG is lossy and has 8 bits", "jpeg": "a JPEG is lossy and has 8 bits",
    "mp4": "a video is lossy and has 8 bits", "pt": "it is a pickle, which is code",
    "pth": "it is a pickle, which is code", "pkl": "it is a pickle, which is code",
    "pickle": "it is a pickle, which is code",
  ]

  /// Whether files of this name are looked at as maps.
  static func isMap(_ name: String) -> Bool { readers[FileEnding.of(name)] != nil }

  /// - Throws: `PictureFault` where the file is no map of numbers, is damaged, or has too many pixels.
  init(at path: String) throws(PictureFault) {
    let ending = FileEnding.of(path)
    guard let read = Self.readers[ending] else {
      throw PictureFault(
        Self.refused[ending]
          ?? "'.\(ending)' is none of \(Self.readers.keys.sorted().joined(separator: ", "))")
    }
    self = try read(path)
    guard size.count <= Self.mostPixels else {
      throw PictureFault("it has \(size) pixels, and a map has at most \(Self.mostPixels)")
    }
  }

  private init(
    size: RasterSize, layerCount: Int = 1, hasEightBits: Bool = false, keys: [String] = [],
    layer: @escaping @Sendable (Int) throws(PictureFault) -> Raster<Float>
  ) {
    (self.size, self.layerCount, self.layer) = (size, layerCount, layer)
    (self.hasEightBits, self.keys) = (hasEightBits, keys)
  }

  /// As `Datasets/SCHEMA.md` says.
  private static let mostPixels = 4096 * 4096

  // MARK: Readers

  private static func numpy(_ path: String) throws(PictureFault) -> MapFile {
    try numpy(try FileBytes.read(path), keys: [])
  }

  private static func numpy(_ bytes: [UInt8], keys: [String]) throws(PictureFault) -> MapFile {
    let array = try NumpyArray(bytes, allowsStacks: true)
    return MapFile(
      size: array.size, layerCount: array.layerCount, hasEightBits: array.type.hasSuffix("1"), keys: keys
    ) { (layer) throws(PictureFault) in
      Raster(
        width: array.size.width, height: array.size.height,
        values: array.values(bytes, layer: layer).map { Float($0) })
    }
  }

  /// Names under which networks store their map, the first of them that is there.
  private static let usualKeys = ["depth", "depths", "disparity", "pred"]

  static func key(among keys: [String]) throws(PictureFault) -> String {
    if let key = usualKeys.first(where: keys.contains) ?? (keys.count == 1 ? keys[0] : nil) { return key }
    throw PictureFault(
      "it holds \(keys.joined(separator: ", ")), and none is called \(usualKeys.joined(separator: ", "))")
  }

  private static func numpyArchive(_ path: String) throws(PictureFault) -> MapFile {
    let archive = try NumpyArchive(try FileBytes.read(path))
    return try numpy(try archive.array(try key(among: archive.keys)), keys: archive.keys)
  }

  private static func pfm(_ path: String) throws(PictureFault) -> MapFile {
    let bytes = try FileBytes.read(path)
    return MapFile(size: try PFMReader.size(bytes)) { (_) throws(PictureFault) in try PFMReader.map(bytes) }
  }

  private static func exr(_ path: String) throws(PictureFault) -> MapFile {
    let bytes = try FileBytes.read(path)
    return MapFile(size: try EXRReader.header(bytes).size) { (_) throws(PictureFault) in
      try EXRReader.map(bytes)
    }
  }

  private static func tiff(_ path: String) throws(PictureFault) -> MapFile {
    let bytes = try FileBytes.read(path)
    let header = try TIFFReader.header(bytes)
    return MapFile(size: header.size, hasEightBits: header.bits == 8) { (_) throws(PictureFault) in
      try TIFFReader.map(bytes)
    }
  }

  private static func png(_ path: String) throws(PictureFault) -> MapFile {
    let bytes = try FileBytes.read(path)
    let header = try PNGReader.header(bytes)
    if header.isGrey {
      return MapFile(size: header.size, hasEightBits: header.bitDepth <= 8) { (_) throws(PictureFault) in
        let map = try PNGReader.grey(bytes)
        return Raster(width: map.width, height: map.height, values: map.values.map { Float($0) })
      }
    }
    // Grey in three equal channels is what Depth Anything writes with --grayscale.
    return MapFile(size: header.size, hasEightBits: true) { (_) throws(PictureFault) in
      let picture = try PNGReader.colour(bytes)
      guard picture.values.allSatisfy({ $0.red == $0.green && $0.green == $0.blue }) else {
        throw PictureFault(
          "its channels differ: it is a colour map, and colours cannot be turned back into numbers")
      }
      return Raster(
        width: picture.width, height: picture.height, values: picture.values.map { Float($0.red) })
    }
  }

  private static func hdf5(_ path: String) throws(PictureFault) -> MapFile {
    let (names, shapes) = try attempt { () throws(HDF5Error) -> ([String], [String: [Int]]) in
      let file = try HDF5File(readingFrom: path)
      var shapes: [String: [Int]] = [:]
      for name in try file.members(limit: 1000) where try file.kind(of: name) == .dataset {
        let shape = try file.dataset(name).shape
        if shape.count == 2 || shape.count == 3 { shapes[name] = shape }
      }
      return (shapes.keys.sorted(), shapes)
    }
    let name = try key(among: names)
    guard let shape = shapes[name], shape.allSatisfy({ $0 > 0 && $0 <= 65_536 }) else {
      throw PictureFault("its array '\(name)' is no map")
    }
    let size = RasterSize(width: shape[shape.count - 1], height: shape[shape.count - 2])
    guard size.count <= mostPixels else {
      throw PictureFault("it has \(size) pixels, and a map has at most \(mostPixels)")
    }
    return MapFile(size: size, layerCount: shape.count == 3 ? shape[0] : 1, keys: names) {
      (layer) throws(PictureFault) in
      let values = try attempt { () throws(HDF5Error) -> [Float] in
        let dataset = try HDF5File(readingFrom: path).dataset(name)
        return shape.count == 3 ? try dataset.read(at: layer) : try dataset.read()
      }
      return Raster(width: size.width, height: size.height, values: values)
    }
  }

  private static func attempt<Result>(
    _ body: () throws(HDF5Error) -> Result
  ) throws(PictureFault) -> Result {
    do throws(HDF5Error) { return try body() } catch {
      throw PictureFault("its HDF5 cannot be read: \(error)")
    }
  }
}
