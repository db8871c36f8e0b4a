internal import FathomPictureFiles

extension MapFormat {
  /// HDF5: the map is the array at the root with a usual name, or the only one of two or three axes, beside those of one. MATLAB
  /// turns the axes of its files.
  package static let hdf5 = MapFormat(
    "HDF5", endings: ["h5", "hdf5"],
    begins: { ForeignFile.isHDF5(beginning: $0) }
  ) { (path, role) throws(PictureFault) in
    let isTurned = ForeignFile.kind(of: path)?.contains("MATLAB") ?? false
    let arrays = try StoredArray.arrays(of: path, matching: FilePattern("*"), levels: 1)
      .filter { axes(of: $0.shape, isTurned) != nil }
    let names = arrays.map(\.name).sorted(), name = try MapKeys.key(among: names, for: role)
    guard let array = arrays.first(where: { $0.name == name }), let axes = axes(of: array.shape, isTurned)
    else { throw PictureFault("it has no array '\(name)'") }
    let isStack = axes.contains(.frame), map = try StoredArray(array, in: path, axes: axes)
    let header = MapHeader(
      size: map.size, layerCount: map.extent(.frame), bits: map.bits, form: map.form, isWhole: !map.isReal,
      keys: names)
    return MapFile(header) { (layer) throws(PictureFault) in try (isStack ? map.at(layer) : map).map() }
  }

  /// nil where it is neither a map nor a stack of them.
  private static func axes(of shape: [Int], _ isTurned: Bool) -> [ArraySource.Axis]? {
    var (kept, singles) = (Array(shape.indices), Set<Int>())
    while kept.count > 2,
      let place = kept.count > 3 ? kept.firstIndex(where: { shape[$0] == 1 }) : shape[kept[2]] == 1 ? 2 : nil
    { singles.insert(kept.remove(at: place)) }
    guard (2...3).contains(kept.count) else { return nil }
    var names: [ArraySource.Axis] = isTurned ? [.width, .height] : [.height, .width]
    if kept.count == 3 { names.insert(.frame, at: 0) }
    return shape.indices.map { singles.contains($0) ? .single : names.removeFirst() }
  }
}
