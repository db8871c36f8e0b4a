public import FathomStorage
public import DepthCore
internal import FathomHDF5

extension DatasetEditor {
  public func setText(_ name: String, of object: String, to value: String, in scene: String)
    throws(FathomError)
  {
    let path = "scenes/\(scene)/\(object)"
    try edit(path) { file throws(HDF5Error) in
      try file.replaceAttribute(name, of: path, with: .string(value))
    }
  }

  /// Changes the length of a stored number: `units` where it has a name, else `scale`.
  /// - Parameter factor: Metres as read so far, times this, are metres.
  public func scaleUnit(of object: String, by factor: Double, in scene: String) throws(FathomError) {
    let path = "scenes/\(scene)/\(object)"
    try edit(path) { file throws(HDF5Error) in
      let units = try file.attribute("units", of: path)?.string.flatMap(StoredUnit.init) ?? .m
      let scale = try file.attribute("scale", of: path)?.real ?? 1
      let metres = units.metres * scale * factor
      let named = StoredUnit.allCases.first { abs($0.metres / metres - 1) < 1e-9 }
      try file.replaceAttribute("units", of: path, with: .string((named ?? .m).rawValue))
      try file.removeAttribute("scale", of: path)
      if named == nil { try file.setAttribute("scale", of: path, to: .real(metres)) }
    }
  }

  /// Stores 0 (unknown) where a map of metric depth reads as exactly this number of metres.
  public func removeDepth(_ metres: Float, of object: String, in scene: String) throws(FathomError) {
    let path = "scenes/\(scene)/\(object)"
    let unit = try edit(path) { file throws(HDF5Error) -> Double in
      let units = try file.attribute("units", of: path)?.string.flatMap(StoredUnit.init) ?? .m
      return units.metres * (try file.attribute("scale", of: path)?.real ?? 1)
    }
    try change(object, in: scene) { numbers in
      numbers.map { Float(Double(Float($0)) * unit) == metres ? 0 : $0 }
    }
  }

  /// Changes the numbers of every entry along the first axis, or of the whole array where `isShared`.
  /// - Parameter entry: Elements of a matrix or map, row-major.
  public func change(
    _ object: String, in scene: String, elements entry: Int? = nil, _ body: ([Double]) -> [Double]
  ) throws(FathomError) {
    let path = "scenes/\(scene)/\(object)"
    try edit(path) { file throws(HDF5Error) in
      let dataset = try file.dataset(path)
      if let entry, dataset.shape.reduce(1, *) == entry {
        try dataset.write(body(try dataset.read()))
        return
      }
      for index in 0..<(dataset.shape.first ?? 0) {
        try dataset.write(body(try dataset.read(at: index)), at: index)
      }
    }
  }

  /// Replaces the maps [N,h,w] of a stack by others, which may have another size.
  public func replaceMaps(
    _ object: String, in scene: String, _ body: (Raster<Float>) -> Raster<Float>
  ) throws(FathomError) {
    let path = "scenes/\(scene)/\(object)"
    try edit(path) { file throws(HDF5Error) in
      let old = try file.dataset(path)
      guard old.shape.count == 3 else { return }
      let (count, height, width) = (old.shape[0], old.shape[1], old.shape[2])
      func map(_ index: Int) throws(HDF5Error) -> Raster<Float> {
        body(Raster(width: width, height: height, values: try old.read(at: index)))
      }
      guard count > 0 else { return }
      let size = try map(0).size
      if size == RasterSize(width: width, height: height) {
        for index in 0..<count { try old.write(try map(index).values, at: index) }
        return
      }
      let beside = path + ".turned"
      let new = try file.createDataset(
        beside, shape: [count, size.height, size.width], like: old, chunk: [1, size.height, size.width],
        compression: 4)
      for index in 0..<count { try new.write(try map(index).values, at: index) }
      try file.copyAttributes(of: path, to: beside)
      try file.remove(path)
      try file.move(beside, to: path)
    }
  }

  /// Stacks of a scene, one entry per frame.
  private static let stacks = [
    "lidar/depth", "lidar/confidence", "relative/values", "truth/depth", "truth/deviation",
    "camera/intrinsics", "camera/world_from_camera", "image/rgb", "time", "frame_id", "detector/predictions",
    "detector/prototypes",
  ]

  /// Puts the frames of a scene in another order, detections with them. Arrays that the schema does not name stay.
  /// - Parameter order: The old index of every new frame, a permutation.
  public func reorderFrames(_ order: [Int], in scene: String) throws(FathomError) {
    let group = "scenes/\(scene)"
    let predictions = try edit(group) { file throws(HDF5Error) -> [String] in
      try file.kind(of: group + "/predictions") == .group ? try file.members(of: group + "/predictions") : []
    }
    for stack in Self.stacks
      + predictions.flatMap({ name in
        ["depth", "deviation", "confidence"].map { "predictions/\(name)/\($0)" }
      })
    {
      let path = "\(group)/\(stack)"
      try edit(path) { file throws(HDF5Error) in
        guard try file.kind(of: path) == .dataset else { return }
        let dataset = try file.dataset(path)
        // K that holds for all frames is not a stack.
        guard dataset.shape.first == order.count, !(stack == "camera/intrinsics" && dataset.shape.count == 2)
        else { return }
        try dataset.reorderEntries(order)
      }
    }
    var place = [Int](repeating: 0, count: order.count)
    for (new, old) in order.enumerated() { place[old] = new }
    let frames = group + "/objects/frame"
    try edit(frames) { file throws(HDF5Error) in
      guard try file.kind(of: frames) == .dataset else { return }
      let dataset = try file.dataset(frames), old: [Int32] = try dataset.read()
      try dataset.write(old.map { place.indices.contains(Int($0)) ? Int32(place[Int($0)]) : $0 })
    }
  }
}
