internal import DepthCore
internal import FathomPictureFiles

extension NamedNumbers {
  /// The numbers of a camera under their usual names, and which names these are: a matrix, or focal lengths and a principal point.
  /// - Throws: `PictureFault` where no camera, or more than one, has such names.
  func camera() throws(PictureFault) -> (camera: RecordedIntrinsics, names: [String]) {
    var found: [(camera: RecordedIntrinsics, names: [String])] = []
    let places = Set(entries.keys.map(Self.place))
    let keys = Dictionary(entries.keys.sorted().map { (Self.plain($0), $0) }) { first, _ in first }
    for place in places.sorted() {
      func named(_ names: [String]) -> (key: String, numbers: [Double])? {
        for name in names {
          if let key = keys[Self.plain(place) + name], let numbers = numbers(key) { return (key, numbers) }
        }
        return nil
      }
      let size = Self.size([named(Self.widths), named(Self.heights)].compactMap { $0?.numbers.first })
      let four = Self.four.compactMap { named($0) }.filter { $0.numbers.count == 1 }
      if let matrix = named(Self.matrices), let camera = Self.camera(matrix.numbers) {
        var camera = camera
        camera.imageSize = size ?? camera.imageSize
        found.append((camera, [matrix.key]))
      } else if four.count == 4 {
        found.append((RecordedIntrinsics(four.map { $0.numbers[0] }, imageSize: size), four.map(\.key)))
      } else if let focal = named(Self.focal), let centre = named(Self.centre),
        let f = focal.numbers.first, let g = focal.numbers.last, focal.numbers.count < 3,
        centre.numbers.count == 2
      {
        found.append(
          (RecordedIntrinsics([f, g] + centre.numbers, imageSize: size), [focal.key, centre.key]))
      }
    }
    guard let first = found.first else {
      let names = entries.keys.sorted().prefix(6).joined(separator: ", ")
      throw PictureFault("its numbers have names (\(names)), and it is unclear which of them are meant")
    }
    guard found.allSatisfy({ $0.camera == first.camera }) else {
      let all = found.map { $0.names[0] }.joined(separator: ", ")
      throw PictureFault("it holds \(found.count) cameras (\(all)), and it is unclear which of them is meant")
    }
    return first
  }

  /// The 12 or 16 numbers of a pose under their usual names, row by row; nil where there are none.
  var pose: [Double]? {
    let singles = (0..<12).compactMap { numbers("t_\($0 / 4)\($0 % 4)") }.filter { $0.count == 1 }
    if singles.count == 12 { return singles.map { $0[0] } }
    for name in Self.poses {
      if let key = entries.keys.first(where: { $0.lowercased() == name }), let numbers = numbers(key),
        numbers.count == 12 || numbers.count == 16
      {
        return numbers
      }
    }
    return nil
  }

  /// The list of poses in a file of the whole recording: its name, and how many there are; nil where there is none.
  var poseList: (key: String, count: Int)? {
    for key in entries.keys.sorted() {
      guard let parts = list(key), parts.count > 1,
        Self.poses.contains(where: { key.lowercased().hasSuffix("." + $0) }),
        let first = parts[0], first.count == 12 || first.count == 16,
        parts.contains(where: { $0.flatMap { try? RigidTransform.recorded(matrix: $0) } != nil })
      else { continue }
      return (key, parts.count)
    }
    return nil
  }

  /// The numbers in the names of the files that stand beside a list's elements: of "frames[*].transform_matrix", those of
  /// "frames[*].file_path". nil where they do not tell the elements apart.
  func fileNumbers(beside key: String) -> [Double]? {
    guard let place = key.lastIndex(of: ".").map({ key[...$0] }), place.hasSuffix("[*].") else { return nil }
    for name in ["depth_file_path", "depth_path", "file_path"] {
      guard let parts = list(place + name) else { continue }
      let numbers = parts.compactMap(\.self).flatMap(\.self)
      if numbers.count == parts.count, Set(numbers).count == numbers.count { return numbers }
    }
    return nil
  }

  /// "camera." of "camera.fx".
  private static func place(_ key: String) -> String {
    var place = key
    if place.hasSuffix(".data") { place.removeLast(5) }
    return place.lastIndex(of: ".").map { String(place[...$0]) } ?? ""
  }

  /// Of a name, small letters without lines between them: "focallengthx" of "focalLengthX" and "focal_length_x".
  private static func plain(_ key: String) -> String { key.lowercased().filter { $0 != "_" } }

  /// A matrix in either order, or fx, fy, cx, cy.
  private static func camera(_ numbers: [Double]) -> RecordedIntrinsics? {
    if numbers.count == 4 { return try? RecordedIntrinsics(numbers, .numbers) }
    return (try? RecordedIntrinsics(numbers, .matrix)) ?? (try? RecordedIntrinsics(numbers, .matrixColumns))
  }

  private static func size(_ sides: [Double]) -> RasterSize? {
    guard sides.count == 2, sides.allSatisfy({ $0 >= 1 && $0 <= 65_536 && $0 == $0.rounded() })
    else { return nil }
    return RasterSize(width: Int(sides[0]), height: Int(sides[1]))
  }

  private static let matrices = [
    "k", "camk", "cameramatrix", "cameramatrix.data", "intrinsicmatrix", "intrinsic", "intrinsics", "k.data",
    "intrinsicmatrix.data", "cam0",
  ]
  private static let four = [
    ["fx", "flx", "focalx", "focallengthx"], ["fy", "fly", "focaly", "focallengthy"],
    ["cx", "ppx", "principalx", "principalpointx"], ["cy", "ppy", "principaly", "principalpointy"],
  ]
  /// Of both axes, or of one that holds for both.
  private static let focal = ["focallength", "focal", "f"]
  private static let centre = ["principalpoint", "principal", "c", "pp"]
  private static let widths = ["width", "w", "imagewidth", "xres", "imgwidth"]
  private static let heights = ["height", "h", "imageheight", "yres", "imgheight"]
  private static let poses = [
    "transform_matrix", "pose", "camera_pose", "camerapose", "c2w", "cam2world", "camera_to_world",
    "world_from_camera", "transform",
  ]
}
