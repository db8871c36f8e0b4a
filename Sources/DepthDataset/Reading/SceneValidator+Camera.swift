internal import DepthFusion
internal import HDF5

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
    let isPerFrame = rank == 3
    let axes = "[3,3] or [N,3,3]"
    let opened =
      isPerFrame
      ? openStack(path, rank: 3, axes, of: .any, file) : open(path, rank: 2, axes, of: .any, file)
    guard let dataset = opened else { return }
    guard dataset.shape.suffix(2) == [3, 3] else {
      error(path, "its shape is \(dataset.shape)", "store \(axes)")
      return
    }
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
        error(path, "frame \(start / 9): \(fault.problem)", fault.advice)
        return
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
    let camera = group + "/camera"
    let attribute = attribute("image_size", of: camera, file)
    let advice = "set the attribute image_size = [width, height] on the group camera"
    guard let attribute else {
      error(camera, "it has intrinsics but no attribute image_size", advice)
      return nil
    }
    guard let numbers = attribute.reals, numbers.count == 2,
      numbers.allSatisfy({ $0 >= 1 && $0 <= 1e6 && $0 == $0.rounded() })
    else {
      error(camera, "its attribute image_size is \(attribute.summary)", advice)
      return nil
    }
    return RasterSize(width: Int(numbers[0]), height: Int(numbers[1]))
  }

  private mutating func readPoses(_ file: borrowing HDF5File) {
    let path = group + "/camera/world_from_camera"
    guard let dataset = openStack(path, rank: 3, "[N,4,4]", of: .any, file) else { return }
    guard dataset.shape.suffix(2) == [4, 4] else {
      error(path, "its shape is \(dataset.shape)", "store [N,4,4]")
      return
    }
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
    layout.poses = path
    header.hasPoses = true
    (header.cameraConvention, header.upAxis) = (convention, up)
    if convention == .unknown {
      note(
        path, "its convention is not declared, so points and boxes cannot be computed",
        "set the attribute convention to 'arkit' or 'opencv'")
    }
  }

  mutating func readTimesAndIDs(_ file: borrowing HDF5File) {
    let time = group + "/time"
    if let dataset = openTimes(time, file), agreesOnFrameCount(time, max(1, dataset.shape.first ?? 1)) {
      header.timestampsSeconds = attempt(time) { () throws(HDF5Error) in try dataset.read() }
    }
    let identifiers = group + "/frame_id"
    guard let kind = attempt(identifiers, { () throws(HDF5Error) in try file.kind(of: identifiers) }),
      kind == .dataset,
      let dataset = attempt(identifiers, { () throws(HDF5Error) in try file.dataset(identifiers) })
    else { return }
    guard dataset.shape.count == 1 else {
      error(identifiers, "its shape is \(dataset.shape), rank \(dataset.shape.count)", "store [N] strings")
      return
    }
    guard case .string = dataset.storedType else {
      error(identifiers, "it holds \(dataset.storedType)", "store UTF-8 strings")
      return
    }
    guard agreesOnFrameCount(identifiers, dataset.shape[0]) else { return }
    header.frameIDs = attempt(identifiers) { () throws(HDF5Error) in try dataset.readStrings() }
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
