package import DepthCore
package import FathomPictureFiles

extension NamedNumbers {
  /// The numbers of a camera under their usual names, and which names these are: a matrix, or focal lengths and a principal point. Of
  /// several, the one for maps of this size, else the one that is named as the depth's.
  /// - Parameter size: Of the depth.
  /// - Parameter isOfColour: Whether the depth was brought into the view of the colour camera.
  /// - Throws: `PictureFault` where no camera, or more than one, has such names.
  package func camera(for size: RasterSize? = nil, isOfColour: Bool = false) throws(PictureFault) -> (
    camera: RecordedIntrinsics, names: [String]
  ) {
    let found = cameras
    guard let first = found.first else {
      let names = entries.keys.sorted().prefix(6).joined(separator: ", ")
      throw PictureFault("its numbers have names (\(names)), and it is unclear which of them are meant")
    }
    if found.allSatisfy({ $0.camera == first.camera }) { return first }
    for own in [
      found.filter { size != nil && $0.camera.imageSize == size },
      found.filter { $0.camera.isOfDepth != isOfColour },
    ]
    where own.count == 1 { return own[0] }
    let all = found.map { $0.names[0] }.joined(separator: ", ")
    throw PictureFault("it holds \(found.count) cameras (\(all)), and it is unclear which of them is meant")
  }

  /// All cameras under usual names.
  package var cameras: [(camera: RecordedIntrinsics, names: [String])] {
    var found: [(camera: RecordedIntrinsics, names: [String])] = []
    let keys = Dictionary(entries.keys.sorted().map { (Self.placed($0), $0) }) { first, _ in first }
    for place in Set(keys.keys.map(\.place)).sorted() {
      func named(_ names: [String]) -> (key: String, numbers: [Double])? {
        for name in names {
          if let key = keys[Placed(place: place, name: name)], let numbers = numbers(key) {
            return (key, numbers)
          }
        }
        return nil
      }
      func add(_ camera: RecordedIntrinsics, _ names: [String]) {
        var camera = camera
        let words = GroupRole.nameWords(names[0].replacing(".", with: "/") + "/")
        camera.isOfDepth = GroupRole.kind(namedIn: words, among: [.depth, .colour])?.0 == .depth
        found.append((camera, names))
      }
      let size = Self.size([named(Self.widths), named(Self.heights)].compactMap { $0?.numbers.first })
      let four = Self.four.compactMap { named($0) }.filter { $0.numbers.count == 1 }
      if let matrix = named(Self.matrices), let camera = Self.camera(matrix.numbers) {
        var camera = camera
        camera.imageSize = size ?? camera.imageSize
        add(camera, [matrix.key])
      } else if four.count == 4 {
        add(RecordedIntrinsics(four.map { $0.numbers[0] }, imageSize: size), four.map(\.key))
      } else if let focal = named(Self.focal), let centre = named(Self.centre),
        let f = focal.numbers.first, let g = focal.numbers.last, focal.numbers.count < 3,
        centre.numbers.count == 2
      {
        add(RecordedIntrinsics([f, g] + centre.numbers, imageSize: size), [focal.key, centre.key])
      } else if let projection = named(Self.projections), projection.numbers.count == 12,
        let camera = Self.camera([0, 1, 2, 4, 5, 6, 8, 9, 10].map { projection.numbers[$0] })
      {
        // KITTI's rows, whose fourth column is the place beside the first camera; its own size is that of the rectified picture.
        var camera = camera
        camera.imageSize =
          size ?? Self.size(named(["srect" + Self.plain(projection.key).suffix(2)])?.numbers ?? [])
        add(camera, [projection.key])
      }
    }
    return found
  }

  /// The 12 or 16 numbers of a pose under their usual names, row by row, and its direction by that name; nil where there are none.
  package var pose: (numbers: [Double], direction: PoseSource.Direction)? {
    let singles = (0..<12).compactMap { numbers("t_\($0 / 4)\($0 % 4)") }.filter { $0.count == 1 }
    if singles.count == 12 { return (singles.map { $0[0] }, .cameraToWorld) }
    // Those in a list belong to what it lists, such as objects in view.
    let own = entries.keys.filter { !$0.contains("[*].") }
    let keys = Dictionary(grouping: own, by: Self.lastPart).compactMapValues { keys in
      keys.count == 1 ? keys[0] : keys.first { !$0.contains(".") }
    }
    for (names, direction) in [
      (Self.poses, PoseSource.Direction.cameraToWorld), (Self.inverse, .worldToCamera),
    ] {
      for name in names {
        if let numbers = keys[name].flatMap(numbers), numbers.count == 12 || numbers.count == 16 {
          return (numbers, direction)
        }
      }
    }
    // As OpenCV has them: of the world to the camera.
    let parts = [["r", "rotationmatrix"], ["t", "tvec", "translation"]].map { names in
      names.compactMap { keys[$0].flatMap(numbers) }.first
    }
    guard parts.map({ $0?.count }) == [9, 3] else { return nil }
    return RigidTransform.numbers(parts).map { ($0, .worldToCamera) }
  }

  /// The list of poses in a file of the whole recording: its name, how many there are, and their direction by that name; nil where there is
  /// none.
  package var poseList: (key: String, count: Int, direction: PoseSource.Direction)? {
    for key in entries.keys.sorted() {
      let isInverse = Self.inverse.contains(Self.lastPart(key))
      guard let parts = list(key), parts.count > 1,
        key.contains("."), isInverse || Self.poses.contains(Self.lastPart(key)),
        let first = parts[0], first.count == 12 || first.count == 16,
        parts.contains(where: { $0.flatMap { try? RigidTransform.recorded(matrix: $0) } != nil })
      else { continue }
      return (key, parts.count, isInverse ? .worldToCamera : .cameraToWorld)
    }
    return nil
  }

  /// The numbers in the names of the files that stand beside a list's elements: of "frames[*].transform_matrix", those of
  /// "frames[*].file_path". nil where they do not tell the elements apart.
  package func fileNumbers(beside key: String) -> [Double]? {
    guard let place = key.lastIndex(of: ".").map({ key[...$0] }), place.hasSuffix("[*].") else { return nil }
    for name in ["depth_file_path", "depth_path", "file_path"] {
      guard let parts = list(place + name) else { continue }
      let numbers = parts.compactMap(\.self).flatMap(\.self)
      if numbers.count == parts.count, Set(numbers).count == numbers.count { return numbers }
    }
    return nil
  }

  private struct Placed: Hashable {
    let place: String, name: String
  }

  /// Of a key, what it belongs to and its plain name there: "camera." and "fx" of "camera.fx", "depth" and "k" of "K_depth".
  private static func placed(_ key: String) -> Placed {
    var place = key
    if place.hasSuffix(".data") { place.removeLast(5) }
    place = place.lastIndex(of: ".").map { String(place[...$0]) } ?? ""
    let name = plain(String(key.dropFirst(place.count)))
    for tag in ["depth", "colour", "color", "rgb"] where name.contains(tag) && name != tag {
      return Placed(place: place + tag, name: name.replacing(tag, with: ""))
    }
    return Placed(place: place, name: name)
  }

  /// "transformmatrix" of "frames[*].transform_matrix".
  private static func lastPart(_ key: String) -> String {
    plain(key.split(separator: ".").last.map(String.init) ?? key)
  }

  /// Of a name, small letters without lines between them: "focallengthx" of "focalLengthX" and "focal_length_x".
  private static func plain(_ key: String) -> String {
    // ScanNet's names of members: "m_depthWidth".
    key.lowercased().trimmingPrefix("m_").filter { $0 != "_" }
  }

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
    "intrinsicmatrix.data", "cam0", "intrinsicsmatrix", "cameraintrinsics", "cameraintrinsic",
    "calibrationintrinsic",
  ]
  /// 3×4: K, and a fourth column. KITTI's left colour camera comes first.
  private static let projections = [
    "p2", "prect02", "p0", "prect00", "p", "projectionmatrix", "projectionmatrix.data", "p.data",
  ]
  private static let four = [
    ["fx", "flx", "focalx", "focallengthx", "k[0,0]"], ["fy", "fly", "focaly", "focallengthy", "k[1,1]"],
    ["cx", "ppx", "principalx", "principalpointx", "mx", "k[0,2]"],
    ["cy", "ppy", "principaly", "principalpointy", "my", "k[1,2]"],
  ]
  /// Of both axes, or of one that holds for both.
  private static let focal = ["focallength", "focal", "f"]
  private static let centre = ["principalpoint", "principal", "c", "pp"]
  private static let widths = ["width", "w", "imagewidth", "xres", "imgwidth"]
  private static let heights = ["height", "h", "imageheight", "yres", "imgheight"]
  private static let poses = [
    "transformmatrix", "pose", "camerapose", "c2w", "cam2world", "cameratoworld", "camtoworld",
    "worldfromcamera", "transform",
  ]
  /// Of the world to the camera.
  fileprivate static let inverse = [
    "w2c", "world2cam", "worldtocamera", "worldtocam", "camerafromworld", "camfromworld", "extrinsic",
    "extrinsics", "extrinsicmatrix", "viewmat", "viewmatrix",
  ]
}

extension PoseSource.Direction {
  /// What the names of files of poses say: matrices that are called extrinsic, as those of Open3D, OpenCV and MVSNet, take the world to the
  /// camera.
  package init(ofFilesNamed pattern: String) {
    let name = pattern.lowercased().filter { $0.isLetter || $0.isNumber }
    let isInverse =
      NamedNumbers.inverse.contains(where: name.contains) || GroupRole.nameWords(pattern).contains("rt")
    self = isInverse ? .worldToCamera : .cameraToWorld
  }
}
