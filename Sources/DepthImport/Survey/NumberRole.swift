internal import DepthCore
internal import FathomMapFiles
import FathomPlainText

/// What the files of numbers in a group can be: a camera, poses, or neither.
struct NumberRole: Sendable {
  enum Kind: Sendable {
    /// Of the whole recording, for a picture of this size.
    case intrinsics(RasterSize)
    /// One for each frame.
    case intrinsicsOfFrames(RasterSize)
    /// All in one file, with these columns or a layout of their own.
    case poses(PoseTable)
    /// A list in a file of names, by its key.
    case poseList(String)
    /// One for each frame.
    case posesOfFrames(PoseSource.Layout)
  }

  /// How the poses of a file are told apart.
  enum PoseTable: Sendable {
    /// Its first line names the columns.
    case header
    /// By the number of their frame, in the first column.
    case numbered
    /// By their order.
    case inOrder(skippingFirst: Bool)
    case log, byTime
  }

  /// None for numbers that have a shape and no meaning; a file may hold a camera and a pose.
  private(set) var kinds: [Kind] = []
  /// "3×3 numbers, a camera of 256×192"
  let words: String
  private(set) var camera: RecordedIntrinsics?
  /// By the names of its numbers: phones and graphics write poses under names for axes x right, y up, z back.
  private(set) var axes = CameraConvention.opencv
  private(set) var direction: PoseSource.Direction
  /// Whether the camera is of MVSNet's text: such models have a unit of their own, which depth and poses share.
  private(set) var isOfModel = false
  /// Other cameras in the file, such as that of the pictures.
  private(set) var otherCameras: [RecordedIntrinsics] = []
  /// Cameras, where nothing says which is the depth's.
  private(set) var unclear: [String] = []
  /// Focal lengths called "fl_x" count from the corner of the first pixel.
  private(set) var origin = IntrinsicsSource.Origin.centre
  /// Whether the line that names the columns has qw before qx.
  private(set) var isScalarFirst = false
  /// Columns of a pose.
  var columns: String { "tx, ty, tz, " + (isScalarFirst ? "qw, qx, qy, qz" : "qx, qy, qz, qw") }
  /// How many poses one file holds.
  private(set) var poseCount = 0

  /// - Parameter frames: How many there are of the files that can be depth.
  /// - Parameter sizes: Of the depth and of the pictures.
  /// - Parameter isAligned: Whether the depth was brought into the view of the colour camera.
  init(
    _ group: FileGroup, _ numbers: NamedNumbers, of folder: RecordingFolder, frames: FileGroup?,
    sizes: [RasterSize], isAligned: Bool = false
  ) {
    let isOfFrames = group.names.count > 1 && !group.isStack, ending = FileEnding.of(group.pattern)
    direction = PoseSource.Direction(ofFilesNamed: group.pattern)
    let recorded: RecordedIntrinsics?
    var shape: String
    if let table = numbers.table {
      let columns = Set(table.rows.map(\.count))
      shape = "\(table.rows.count)×\(columns.count == 1 ? "\(columns.first ?? 0)" : "…") numbers"
      recorded = try? RecordedIntrinsics(table, .counted)
    } else {
      let keys = numbers.entries.keys.sorted()
      shape = "numbers named \(Self.listed(keys))"
      let named = try? numbers.camera(for: sizes.first, isOfColour: isAligned), all = numbers.cameras
      recorded = named?.camera
      otherCameras = all.map(\.camera).filter { $0 != named?.camera }
      if named == nil {
        unclear = all.filter { Self.size(of: $0.camera, sizes) != nil }
          .map { "\($0.names[0]) \($0.camera.words)" + ($0.camera.imageSize.map { " for \($0)" } ?? "") }
      }
      if let pose = numbers.pose {
        if pose.direction == .worldToCamera { direction = pose.direction }
        // Arrays of Python's are written by programs whose axes are OpenCV's.
        if direction == .cameraToWorld, ending != "npz" { axes = .arkit }
        isOfModel = ending == "txt" && numbers.numbers("extrinsic")?.count == 16 && recorded != nil
      }
      if named?.names.contains("fl_x") == true { origin = .corner }
    }
    if let recorded, let size = Self.size(of: recorded, sizes) {
      camera = recorded
      kinds.append(isOfFrames ? .intrinsicsOfFrames(size) : .intrinsics(size))
      shape += ", a camera of \(size)"
    }
    if isOfFrames, camera == nil || numbers.table == nil, let layout = Self.matrix(group, folder) {
      kinds.append(.posesOfFrames(layout))
      shape += ", a pose each"
    } else if !isOfFrames, let list = numbers.poseList {
      kinds.append(.poseList(list.key))
      if list.direction == .worldToCamera { direction = list.direction }
      (axes, poseCount) = (direction == .worldToCamera ? .opencv : .arkit, list.count)
      shape += ", \(counted(poseCount, "pose"))"
    } else if !isOfFrames, camera == nil, let table = numbers.table, let poses = Self.poses(table, frames) {
      if case .log = poses { poseCount = table.rows.count / 5 } else { poseCount = table.rows.count }
      kinds.append(.poses(poses))
      let names = PoseSource.Column.named(table.comment) ?? []
      isScalarFirst =
        names.firstIndex(of: .qw).flatMap { w in names.firstIndex(of: .qx).map { w < $0 } } ?? false
      shape = counted(poseCount, "pose")
    }
    words = shape
  }

  /// As many names as a line of a table has room for, one at least.
  private static func listed(_ names: [String]) -> String {
    var room = 48
    let shown = names.prefix { name in
      defer { room -= name.count + 2 }
      return room > name.count || name == names[0]
    }
    return shown.joined(separator: ", ") + (shown.count < names.count ? ", …" : "")
  }

  /// The picture that a camera belongs to; nil where the numbers fit none of these sizes.
  private static func size(of camera: RecordedIntrinsics, _ sizes: [RasterSize]) -> RasterSize? {
    if let size = camera.imageSize { return size }
    return camera.likeliest(
      of: sizes.filter { camera.offset(in: $0) < 0.15 && camera.fx > 0.2 * Double($0.width) })
  }

  /// How the matrices of the frames stand in their files; some of them may be none.
  private static func matrix(_ group: FileGroup, _ folder: RecordingFolder) -> PoseSource.Layout? {
    for name in group.names.prefix(8) {
      guard let file = try? NamedNumbers(at: folder.path(of: name)),
        let numbers = file.pose?.numbers ?? file.table?.numbers, numbers.count == 12 || numbers.count == 16
      else { return nil }
      if (try? RigidTransform.recorded(matrix: numbers)) != nil { return .matrix }
      let turned = numbers.count == 16 ? RigidTransform.turned(numbers) : []
      if !turned.isEmpty, (try? RigidTransform.recorded(matrix: turned)) != nil { return .matrixColumns }
    }
    return nil
  }

  private static func poses(_ table: NumberTable, _ frames: FileGroup?) -> PoseTable? {
    let (rows, columns) = (table.rows, table.rows[0].count)
    if rows.count > 4, rows.count % 5 == 0, columns < 4, rows[1].count == 4, rows[4].count == 4 {
      return .log
    }
    guard rows.allSatisfy({ $0.count == columns }) else { return nil }
    if PoseSource.Column.named(table.header) != nil, table.header.count == columns { return .header }
    if PoseSource.Column.named(table.comment)?.contains(.frame) == true { return .header }
    guard rows.count > 1 || frames?.names.count == 1 else { return nil }
    func areMost(_ isOne: ([Double]) -> Bool) -> Bool { rows.count(where: isOne) * 2 > rows.count }
    switch columns {
    case 12, 16:
      return areMost { (try? RigidTransform.recorded(matrix: $0)) != nil } || PoseTrack.standByColumns(rows)
        ? .inOrder(skippingFirst: false) : nil
    case 7, 8:
      guard areMost({ row in abs(row.suffix(4).reduce(0) { $0 + $1 * $1 } - 1) < 0.02 }) else { return nil }
      if columns == 7 { return .inOrder(skippingFirst: false) }
      if frames?.numbering == .times { return .byTime }
      let numbers = Set(rows.map { $0[0] })
      let own = frames.map { Set($0.captures.compactMap(FrameKey.number).map(Double.init)) } ?? []
      if numbers.count == rows.count, !own.isDisjoint(with: numbers) { return .numbered }
      return rows.count == frames?.names.count ? .inOrder(skippingFirst: true) : nil
    default: return nil
    }
  }
}
