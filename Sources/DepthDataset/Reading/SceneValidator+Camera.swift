import FathomPlainText
internal import DepthCore
internal import FathomHDF5

extension SceneValidator {
  mutating func readCamera(_ file: borrowing HDF5File) {
    readIntrinsics(file)
    readPoses(file)
  }

  private mutating func readIntrinsics(_ file: borrowing HDF5File) {
    let path = group + "/camera/intrinsics"
    guard let kind = attempt(path, { () throws(HDF5Error) in try file.kind(of: path) }), kind != nil,
      let rank = attempt(path, { () throws(HDF5Error) in try file.dataset(path).shape.count })
    else { return }
    let isPerFrame = rank == 3, axes = "[3,3] or [N,3,3]"
    let opened =
      isPerFrame
      ? openStack(path, rank: 3, axes, of: .any, file) : open(path, rank: 2, axes, of: .any, file)
    guard let dataset = opened else { return }
    guard dataset.shape.suffix(2) == [3, 3]
    else { return error(path, "its shape is \(dataset.shape)", "store \(axes)") }
    guard let imageSize = imageSize(file) else { return }
    // All of them: a matrix that is transposed in a later frame must not be found in the middle of a run.
    let numbers = attempt(path) { () throws(HDF5Error) -> [Double] in try dataset.read() }
    guard let numbers, numbers.count >= 9 else { return }
    var isTransposed = false
    if case .failure(let fault) = IntrinsicsMatrix.interpret(Array(numbers.prefix(9)), imageSize: imageSize),
      fault.isTransposed
    {
      // The error stands; whoever reads on in spite of it gets the matrices as they should be.
      error(path, fault.problem, fault.advice)
      isTransposed = true
      header.storesTransposed.insert(.intrinsics)
    }
    func matrix(_ start: Int) -> [Double] {
      let stored = Array(numbers[start..<(start + 9)])
      return isTransposed ? IntrinsicsMatrix.transposed(stored) : stored
    }
    for start in stride(from: 9, to: numbers.count, by: 9) {
      if case .failure(let fault) = IntrinsicsMatrix.interpret(matrix(start), imageSize: imageSize) {
        return error(path, "frame \(start / 9): \(fault.problem)", fault.advice)
      }
    }
    switch IntrinsicsMatrix.interpret(matrix(0), imageSize: imageSize) {
    case .failure(let fault): error(path, fault.problem, fault.advice)
    case .success(let camera):
      layout.intrinsics = SceneLayout.Intrinsics(
        path: path, imageSize: imageSize, shared: isPerFrame ? nil : camera, isTransposed: isTransposed)
      header.intrinsics = camera
      if !(0...Double(imageSize.width)).contains(camera.cx)
        || !(0...Double(imageSize.height)).contains(camera.cy)
      {
        note(
          path, "the principal point (\(camera.cx), \(camera.cy)) lies outside the image of \(imageSize)",
          "check that image_size belongs to this matrix")
      }
    }
  }

  private mutating func imageSize(_ file: borrowing HDF5File) -> RasterSize? {
    let camera = group + "/camera", attribute = attribute("image_size", of: camera, file)
    let advice: Wording = "set the attribute image_size = [width, height] on the group camera"
    guard let attribute
    else { return refused(camera, "it has intrinsics but no attribute image_size", advice) }
    guard let numbers = attribute.reals, numbers.count == 2,
      numbers.allSatisfy({ $0 >= 1 && $0 <= SchemaLimits.imageSide && $0 == $0.rounded() })
    else { return refused(camera, "its attribute image_size is \(attribute.summary)", advice) }
    return RasterSize(width: Int(numbers[0]), height: Int(numbers[1]))
  }

  private mutating func readPoses(_ file: borrowing HDF5File) {
    let path = group + "/camera/world_from_camera"
    guard let dataset = openStack(path, rank: 3, "[N,4,4]", of: .any, file) else { return }
    guard dataset.shape.suffix(2) == [4, 4]
    else { return error(path, "its shape is \(dataset.shape)", "store [N,4,4]") }
    guard let convention = word("convention", of: path, absent: CameraConvention.unknown, file),
      let up = word("up", of: path, absent: UpAxis.y, file),
      let first = attempt(path, { () throws(HDF5Error) -> [Double] in try dataset.read(at: 0) })
    else { return }
    let (lastRow, lastColumn) = (first[12...14], [first[3], first[7], first[11]])
    if lastRow.contains(where: { $0.isFinite && $0 != 0 }) && lastColumn.allSatisfy({ $0 == 0 }) {
      error(
        path, "its matrices are transposed: the translation stands in the last row",
        "store them row-major: numpy writes matrix.T")
      header.storesTransposed.insert(.poses)
    }
    guard hasSensiblePoses(dataset) else { return }
    (layout.poses, header.hasPoses) = (path, true)
    (header.cameraConvention, header.upAxis) = (convention, up)
    if convention == .unknown {
      note(
        path, "its convention is not declared, so points and boxes cannot be computed",
        "set the attribute convention to 'arkit' or 'opencv'")
    }
  }

  /// Whether every finite number of the poses is one that can be computed with; recorders write NaN where tracking was
  /// lost.
  private mutating func hasSensiblePoses(_ dataset: borrowing HDF5Dataset) -> Bool {
    let step = 4096  // half a megabyte
    for start in stride(from: 0, to: dataset.shape[0], by: step) {
      let numbers = attempt(dataset.name) { () throws(HDF5Error) -> [Double] in
        try dataset.read(entries: start..<min(start + step, dataset.shape[0]))
      }
      guard let numbers else { return false }
      if let wrong = numbers.firstIndex(where: { SchemaLimits.isAbsurd($0) }) {
        return refused(
          dataset.name, "frame \(start + wrong / 16): the pose holds \(numbers[wrong])",
          "store metres, at most \(Int(SchemaLimits.coordinate)); NaN where the pose is unknown")
      }
    }
    return true
  }

  mutating func readTimesAndIDs(_ file: borrowing HDF5File) {
    let time = group + "/time"
    if let dataset = openTimes(time, file),
      agreesOnFrameCount(time, dataset.isEmpty ? 0 : dataset.shape.first ?? 1, file)
    {
      let times = attempt(time) { () throws(HDF5Error) -> [Double] in try dataset.read() }
      if let times,
        let wrong = times.firstIndex(where: { SchemaLimits.isAbsurd($0, limit: SchemaLimits.seconds) })
      {
        error(time, "frame \(wrong) has the time \(times[wrong])", "store seconds")
      } else {
        header.timestampsSeconds = times
      }
    }
    let identifiers = group + "/frame_id"
    guard let dataset = openTexts(identifiers, "[N]", file),
      agreesOnFrameCount(identifiers, dataset.shape[0], file)
    else { return }
    header.frameIDs = names(dataset, file)
  }

  /// Seconds [N]; a scene of one frame may have a scalar.
  private mutating func openTimes(_ path: String, _ file: borrowing HDF5File) -> HDF5Dataset? {
    guard let kind = attempt(path, { () throws(HDF5Error) in try file.kind(of: path) }), kind == .dataset,
      let rank = attempt(path, { () throws(HDF5Error) in try file.dataset(path).shape.count })
    else { return nil }
    let isScalar = rank == 0 && header.frameCount == 1
    return open(path, rank: isScalar ? 0 : 1, "[N]", of: .any, file)
  }
}
