internal import FathomPictureFiles

extension MapFormat {
  /// HDF5: the map is the array at the root with a usual name, or the only one of two or three axes. MATLAB's files, whose axes are
  /// turned, need a mapping.
  static let hdf5 = MapFormat(
    "HDF5", endings: ["h5", "hdf5"],
    begins: { ForeignFile.isHDF5(beginning: $0) && ForeignFile.kind($0)?.contains("MATLAB") != true }
  ) { (path) throws(PictureFault) in
    let arrays = try StoredArray.arrays(of: path, matching: FilePattern("*"), levels: 1)
      .filter { (2...3).contains($0.shape.count) }
    let names = arrays.map(\.name).sorted()
    let name = try MapKeys.key(among: names)
    guard let array = arrays.first(where: { $0.name == name }) else {
      throw PictureFault("it has no array '\(name)'")
    }
    let isStack = array.shape.count == 3
    let map = try StoredArray(
      array, in: path, axes: isStack ? [.frame, .height, .width] : [.height, .width])
    let header = MapHeader(
      size: map.size, layerCount: map.extent(.frame), bits: map.bits, form: map.form, isWhole: !map.isReal,
      keys: names)
    return MapFile(header) { (layer) throws(PictureFault) in try (isStack ? map.at(layer) : map).map() }
  }
}
