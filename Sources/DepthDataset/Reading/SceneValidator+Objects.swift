internal import DepthCore
import FathomPlainText
internal import FathomHDF5

extension SceneValidator {
  /// `objects/…`: arrays with one entry per detection.
  mutating func readObjects(_ file: borrowing HDF5File) {
    let objects = group + "/objects"
    guard let kind = attempt(objects, { () throws(HDF5Error) in try file.kind(of: objects) }), kind == .group,
      let count = readObjectFrames(file)
    else { return }
    var found = SceneLayout.Objects(group: objects, count: count, conventions: DetectionConventions())
    guard readRequiredColumns(&found, file), readMasks(&found, file), readTruthBoxes(&found, file)
    else { return }
    layout.objects = found
    doubtObjects(found, file)
  }

  /// `objects/frame`, which says how many detections there are.
  private mutating func readObjectFrames(_ file: borrowing HDF5File) -> Int? {
    let path = group + "/objects/frame", before = issues.count
    guard let dataset = open(path, rank: 1, "[M]", of: .integer, file) else {
      if issues.count == before { error(path, "it is absent", "say in which frame each detection was seen") }
      return nil
    }
    guard hasRoom(for: dataset.shape[0], "detections", path, file) else { return nil }
    guard let frames = attempt(path, { () throws(HDF5Error) -> [Int64] in try dataset.read() })
    else { return nil }
    if let wrong = frames.firstIndex(where: { !(0..<Int64(header.frameCount)).contains($0) }) {
      return refused(
        path, "detection \(wrong) names frame \(frames[wrong]), but the scene has \(header.frameCount)",
        "count frames from 0")
    }
    mostInFrame = frames.reduce(into: [:]) { $0[$1, default: 0] += 1 }.values.max() ?? 0
    return frames.count
  }

  /// `class`, `score` and `bbox`.
  private mutating func readRequiredColumns(
    _ found: inout SceneLayout.Objects, _ file: borrowing HDF5File
  ) -> Bool {
    let label = found.group + "/class", before = issues.count
    guard let names = openTexts(label, "[M]", file) else {
      if issues.count == before { error(label, "it is absent", "name the class of each detection") }
      return false
    }
    guard names.shape == [found.count] else {
      return refused(
        label, "it holds \(names.storedType) of shape \(names.shape)", "store \(found.count) strings")
    }
    guard hasColumn("score", [], &found, file), hasColumn("bbox", [4], &found, file),
      isSensible(
        found.group + "/score", each: 1, "store the detector's confidence, 0 to 1", file,
        { $0.isFinite && abs($0) <= SchemaLimits.coordinate }),
      isSensible(
        found.group + "/bbox", each: 4, "store pixels of image_size, at most \(Int(SchemaLimits.coordinate))",
        file, { $0.isFinite && abs($0) <= SchemaLimits.coordinate })
    else { return false }
    guard let origin = word("origin", of: found.group + "/bbox", absent: ImageOrigin.topLeft, file)
    else { return false }
    found.conventions.boxOrigin = origin
    return true
  }

  private mutating func readMasks(_ found: inout SceneLayout.Objects, _ file: borrowing HDF5File) -> Bool {
    let path = found.group + "/mask", before = issues.count
    guard let dataset = open(path, rank: 3, "[M,mh,mw]", of: .any, file)
    else { return issues.count == before }
    guard dataset.shape[0] == found.count else {
      return refused(
        path, "it holds \(dataset.shape[0]) masks for \(found.count) detections", "store one for each")
    }
    guard
      hasPixels(path, rows: dataset.shape[1], columns: dataset.shape[2], limit: SchemaLimits.maskPixels)
    else { return false }
    guard dataset.shape[1] * dataset.shape[2] <= SchemaLimits.frameMaskPixels / max(1, mostInFrame) else {
      return refused(
        path,
        "a frame has \(mostInFrame) masks of \(dataset.shape[2])×\(dataset.shape[1]): more than "
          + "\(SchemaLimits.frameMaskPixels) pixels", "store masks at the network's own resolution")
    }
    let stride = attribute("stride", of: path, file)
    guard let origin = word("origin", of: path, absent: ImageOrigin.topLeft, file) else { return false }
    if let stride {
      guard let value = stride.real, value >= 1, value <= 4096, value == value.rounded() else {
        return refused(
          path, "its attribute stride is \(stride.summary)", "write network pixels per mask pixel: 4")
      }
      found.conventions.maskStride = Int(value)
    }
    found.conventions.maskOrigin = origin
    found.mask = SceneLayout.Images(
      path: path, size: RasterSize(width: dataset.shape[2], height: dataset.shape[1]))
    if case .integer = dataset.storedType { found.maskIsInteger = true }
    return true
  }

  /// `truth/center`, `size` and `yaw`: all three or none.
  private mutating func readTruthBoxes(
    _ found: inout SceneLayout.Objects, _ file: borrowing HDF5File
  ) -> Bool {
    let truth = found.group + "/truth"
    guard let kind = attempt(truth, { () throws(HDF5Error) in try file.kind(of: truth) })
    else { return false }
    guard kind == .group else { return true }
    found.hasTruth = true
    return hasColumn("truth/center", [3], &found, file) && hasColumn("truth/size", [3], &found, file)
      && hasColumn("truth/yaw", [], &found, file)
      && isSensible(
        truth + "/size", each: 3, "store lengths; NaN where the true box is unknown", file,
        { !($0 < 0) && !SchemaLimits.isAbsurd($0) })
      && isSensible(
        truth + "/center", each: 3, "store metres; NaN where the true box is unknown", file,
        { !SchemaLimits.isAbsurd($0) })
      && isSensible(
        truth + "/yaw", each: 1, "store radians; NaN where the true box is unknown", file,
        { !SchemaLimits.isAbsurd($0) })
  }

  /// Whether every number of a column is one that can be computed with.
  /// - Parameter each: Numbers of a detection.
  private mutating func isSensible(
    _ path: String, each: Int, _ advice: Wording, _ file: borrowing HDF5File, _ test: (Double) -> Bool
  ) -> Bool {
    guard
      let numbers = attempt(path, { () throws(HDF5Error) -> [Double] in try file.dataset(path).read() })
    else { return false }
    guard let wrong = numbers.firstIndex(where: { !test($0) }) else { return true }
    return refused(path, "detection \(wrong / each) has \(numbers[wrong])", advice)
  }

  private mutating func hasColumn(
    _ name: String, _ entry: [Int], _ found: inout SceneLayout.Objects, _ file: borrowing HDF5File
  ) -> Bool {
    let path = "\(found.group)/\(name)", axes = entry.isEmpty ? "[M]" : "[M,\(entry[0])]"
    let before = issues.count
    guard let dataset = open(path, rank: 1 + entry.count, axes, of: .any, file) else {
      if issues.count == before { error(path, "it is absent", "store \(axes)") }
      return false
    }
    guard dataset.shape == [found.count] + entry else {
      return refused(path, "its shape is \(dataset.shape) for \(found.count) detections", "store \(axes)")
    }
    return true
  }
}
