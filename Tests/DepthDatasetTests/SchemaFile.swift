import FathomHDF5

/// Hand-made files: valid but for what a test changes.
enum SchemaFile {
  /// A file of this version whose scene "room" holds `lidar/depth` [2,2,3] and what `body` adds to it.
  static func write(
    _ path: String, version: Int = 1, depth: Bool = true,
    _ body: (borrowing HDF5File) throws -> Void = { _ in }
  )
    throws
  {
    let file = try HDF5File(creating: path)
    try file.setAttribute("format", to: .string("fathom"))
    try file.setAttribute("version", to: .integer(version))
    for group in ["scenes", "scenes/room", "scenes/room/lidar"] { try file.createGroup(group) }
    if depth { try file.add("lidar/depth", [2, 2, 3], (1...12).map { Float($0) }) }
    try body(file)
    try file.close()
  }
}

extension HDF5File {
  /// Adds an array to the scene "room", and the groups it needs.
  borrowing func add<Element: HDF5Scalar>(
    _ name: String, _ shape: [Int], _ values: [Element], chunk: [Int]? = nil,
    attributes: [(String, HDF5Attribute)] = []
  ) throws {
    try addGroups(of: name)
    try createDataset("scenes/room/" + name, shape: shape, of: Element.self, chunk: chunk).write(values)
    for (key, value) in attributes { try setAttribute(key, of: "scenes/room/" + name, to: value) }
  }

  borrowing func addStrings(_ name: String, _ values: [String]) throws {
    try addGroups(of: name)
    try writeStrings(values, to: "scenes/room/" + name)
  }

  borrowing func addGroups(of name: String) throws {
    var group = "scenes/room"
    for part in name.split(separator: "/").dropLast() {
      group += "/" + part
      if try kind(of: group) == nil { try createGroup(group) }
    }
  }

  /// A camera for images of 30×20.
  borrowing func addCamera(
    _ k: [Double] = [20, 0, 15, 0, 21, 10, 0, 0, 1], imageSize: HDF5Attribute? = .integers([30, 20])
  ) throws {
    try add("camera/intrinsics", [3, 3], k)
    if let imageSize { try setAttribute("image_size", of: "scenes/room/camera", to: imageSize) }
  }

  /// Two detections.
  borrowing func addObjects(frames: [Int32] = [0, 1], boxes: [Int] = [2, 4]) throws {
    try add("objects/frame", [frames.count], frames)
    try addStrings("objects/class", ["cup", "chair"])
    try add("objects/score", [2], [Float(0.5), 0.75])
    try add("objects/bbox", boxes, [Float](repeating: 1, count: boxes.reduce(1, *)))
  }
}
