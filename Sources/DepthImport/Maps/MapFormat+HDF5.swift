internal import FathomPictureFiles

extension MapFormat {
  /// HDF5: the map is the array at the root with a usual name, or the only one of two or three axes, beside those of one. MATLAB's files, whose axes are
  /// turned, need a mapping.
  static let hdf5 = MapFormat(
    "HDF5", endings: ["h5", "hdf5"],
    begins: { ForeignFile.isHDF5(beginning: $0) && ForeignFile.kind($0)?.contains("MATLAB") != true }
  ) { (path) throws(PictureFault) in
    let arrays = try StoredArray.arrays(of: path, matching: FilePattern("*"), levels: 1)
      .filter { axes(of: $0.shape) != nil }
    let names = arrays.map(\.name).sorted(), name = try MapKeys.key(among: names)
    guard let array = arrays.first(where: { $0.name == name }), let axes = axes(of: array.shape)
    else { throw PictureFault("it has no array '\(name)'") }
    let isStack = axes.contains(.frame), map = try StoredArray(array, in: path, axes: axes)
    let header = MapHeader(
      size: map.size, layerCount: map.extent(.frame), bits: map.bits, form: map.form, isWhole: !map.isReal,
      keys: names)
    return MapFile(header) { (layer) throws(PictureFault) in try (isStack ? map.at(layer) : map).map() }
  }

  /// nil where it is neither a map nor a stack of them.
  private static func axes(of shape: [Int]) -> [ArraySource.Axis]? {
    var (kept, singles) = (Array(shape.indices), Set<Int>())
    while kept.count > 2,
      let place = kept.count > 3 ? kept.firstIndex(where: { shape[$0] == 1 }) : shape[kept[2]] == 1 ? 2 : nil
    { singles.insert(kept.remove(at: place)) }
    guard (2...3).contains(kept.count) else { return nil }
    var names: [ArraySource.Axis] = kept.count == 3 ? [.frame, .height, .width] : [.height, .width]
    return shape.indices.map { singles.contains($0) ? .single : names.removeFirst() }
  }
}
