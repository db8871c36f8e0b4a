public import DepthCore
import FathomPlainText
internal import FathomHDF5
public import FathomStorage

extension DatasetEditor {
  /// Adds maps [N,h,w] to a scene: relative depth, or a prediction.
  /// - Parameter object: "relative/values" or "predictions/<name>/depth".
  /// - Parameter attributes: What the maps mean.
  /// - Parameter replaces: Whether maps that are there give way.
  /// - Parameter map: The map of a frame, of the size that is declared.
  /// - Throws: `FathomError` `.cannotCreate` where there are maps already; what `map` throws.
  public func addMaps(
    _ object: String, to scene: String, count: Int, size: RasterSize, attributes: [(String, String)],
    replaces: Bool, _ map: (Int) throws(FathomError) -> Raster<Float>
  ) throws(FathomError) {
    let group = "scenes/\(scene)", path = group + "/" + object
    let exists = try edit(path) { (file) throws(HDF5Error) in
      let parents = object.split(separator: "/").dropLast()
      for end in 1...max(1, parents.count) where end <= parents.count {
        let parent = group + "/" + parents.prefix(end).joined(separator: "/")
        if try file.kind(of: parent) == nil { try file.createGroup(parent) }
      }
      return try file.kind(of: path) != nil
    }
    guard !exists || replaces else {
      throw FathomError(
        .cannotCreate, attempted: "add the maps", place: path, reason: "there are maps already",
        advice: "use \(option: "overwrite") to replace them")
    }
    try edit(path) { (file) throws(HDF5Error) in
      if exists {
        try file.remove(path)
        // Standard deviations and confidences were of the maps that are gone.
        for beside in StoredPrediction.Certainty.allCases.compactMap({ $0.object(beside: path) })
        where try file.kind(of: beside) != nil { try file.remove(beside) }
      }
      _ = try file.createDataset(
        path, shape: [count, size.height, size.width], of: Float.self, chunk: [1, size.height, size.width],
        compression: 4)
      for (name, value) in attributes { try file.setAttribute(name, of: path, to: .string(value)) }
    }
    for index in 0..<count {
      let values = try map(index).values
      try edit(path) { (file) throws(HDF5Error) in try file.dataset(path).write(values, at: index) }
    }
  }
}
