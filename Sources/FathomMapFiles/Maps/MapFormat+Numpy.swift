internal import DepthCore
internal import FathomPictureFiles

extension MapFormat {
  /// Numpy's `.npy`: one array.
  static let numpy = {
    var format = MapFormat(
      "NPY", endings: ["npy"], begins: { $0.starts(with: NumpyArray.signature) }
    ) { (path) throws(PictureFault) in
      let ends = try FileBytes.Ends(path)
      // Of a long stack, a map at a time.
      if let array = try? NumpyArray(ends.first, fileSize: ends.fileSize, allowsStacks: true),
        let stored = array.stored(layer: 0)
      {
        return MapFile(header(array, keys: [])) { (layer) throws(PictureFault) in
          let bytes = try FileBytes.read(path, array.stored(layer: layer)?.range ?? stored.range)
          return .array(stored.array, bytes: bytes, layer: 0)
        }
      }
      return try file(try FileBytes.read(path), keys: [])
    }
    format.look = { (ends) throws(PictureFault) in
      header(try NumpyArray(ends.first, fileSize: ends.fileSize, allowsStacks: true), keys: [])
    }
    format.channels = channels
    return format
  }()

  /// Numpy's `.npz`: a zip of arrays. The map is the one with a usual name, or the only one.
  static let numpyArchive = {
    var format = MapFormat("NPZ", endings: ["npz"], begins: { $0.starts(with: NumpyArchive.signature) }) {
      (path, role) throws(PictureFault) in
      let archive = try NumpyArchive(try FileBytes.read(path))
      return try file(
        try archive.array(try MapKeys.key(among: archive.keys, for: role)), keys: archive.keys)
    }
    format.channels = { (file) throws(PictureFault) in try channels(try NumpyArchive(file).map) }
    return format
  }()

  private static func channels(_ bytes: [UInt8]) throws(PictureFault) -> MapChannels {
    let array = try NumpyArray(bytes, hasChannels: true)
    guard array.channelCount > 1 else { return MapChannels(.array(array, bytes: bytes, layer: 0)) }
    let size = RasterSize(width: array.size.width / array.channelCount, height: array.size.height)
    return MapChannels(size, count: array.channelCount, array.values(bytes)) { $0 }
  }

  private static func file(_ bytes: [UInt8], keys: [String]) throws(PictureFault) -> MapFile {
    let array = try NumpyArray(bytes, allowsStacks: true)
    return MapFile(header(array, keys: keys)) { (layer) in .array(array, bytes: bytes, layer: layer) }
  }

  private static func header(_ array: NumpyArray, keys: [String]) -> MapHeader {
    MapHeader(
      size: array.size, layerCount: array.layerCount, bits: array.bits,
      form: "numbers of the type \(array.type)", isWhole: !array.isReal, keys: keys)
  }
}
