package import DepthCore
package import FathomPictureFiles

/// The poses of a recording that stand in one file.
package struct PoseTrack {
  package struct Entry {
    package var frame: Int?, time: Double?
    package var pose: Result<RigidTransform, PoseFault>
  }

  /// In the order of the file.
  package private(set) var entries: [Entry] = []
  /// What tells which frame a pose belongs to.
  package private(set) var key: Key
  /// Whether its matrices stand column by column, because only so they are rotations.
  package private(set) var isByColumns = false
  /// What its times counted; they are in seconds.
  package private(set) var unit = TimeUnit.seconds
  private var byFrame: [Int: Int] = [:]
  private var byTime: [(time: Double, index: Int)] = []

  package enum Key { case frame, time, order }

  /// - Parameter matchesByTime: Whether the first of eight unnamed columns is a time.
  /// - Throws: `PictureFault` where the text holds no poses.
  package init(_ table: NumberTable, _ source: PoseSource, matchesByTime: Bool) throws(PictureFault) {
    guard !table.rows.isEmpty else { throw PictureFault("it holds no poses") }
    if source.layout == .log {
      key = .order
      try readLog(table.rows)
    } else {
      let columns = try Self.columns(source.columns, table, matchesByTime: matchesByTime)
      key =
        matchesByTime && columns.contains(.time)
        ? .time
        : columns.contains(.frame)
          ? .frame
          : columns.contains(.time) ? .time : .order
      try readTable(table, columns)
    }
    if source.direction == .worldToCamera {
      for index in entries.indices { entries[index].pose = entries[index].pose.map(\.inverse) }
    }
    unit = TimeUnit(of: entries.compactMap(\.time))
    for index in entries.indices { entries[index].time = entries[index].time.map(unit.seconds) }
    for (index, entry) in entries.enumerated() {
      if let frame = entry.frame, byFrame.updateValue(index, forKey: frame) != nil {
        throw PictureFault("it holds two poses of frame \(frame)")
      }
      if let time = entry.time { byTime.append((time, index)) }
    }
    byTime.sort { $0.time < $1.time }
  }

  /// Whether the first pose is the identity: the recorder counted from it.
  package var beginsAtIdentity: Bool {
    guard case .success(let pose)? = entries.first?.pose else { return false }
    return zip(pose.rowMajor, RigidTransform.identity.rowMajor).allSatisfy { abs($0 - $1) < 1e-3 }
  }

  /// In seconds, in order.
  package var times: [Double] { byTime.map(\.time) }
  /// Whether a pose says when it was.
  var hasTimes: Bool { !byTime.isEmpty }
  /// The pose of a frame by its number.
  package func entry(ofFrame frame: Int) -> Entry? { byFrame[frame].map { entries[$0] } }

  /// The pose whose time is nearest, within a tolerance in seconds.
  package func entry(at time: Double, within tolerance: Double) -> Entry? {
    byTime.nearest(to: time, within: tolerance, \.time).map { entries[$0.index] }
  }

  private static func columns(
    _ columns: PoseSource.Columns, _ table: NumberTable, matchesByTime: Bool
  ) throws(PictureFault) -> [PoseSource.Column] {
    let quaternion: [PoseSource.Column] = [.tx, .ty, .tz, .qx, .qy, .qz, .qw]
    switch columns {
    case .listed(let columns): return columns
    case .header:
      let header = table.header.isEmpty ? table.comment : table.header
      guard !header.isEmpty else { throw PictureFault("its first line names no columns") }
      guard let named = PoseSource.Column.named(header)
      else { throw PictureFault("its first line does not name x, y, z, qx, qy, qz, qw") }
      return named
    case .counted:
      switch table.rows[0].count {
      case 7: return quaternion
      case 8:
        let isNumber = table.rows.allSatisfy { $0[0] == $0[0].rounded() && abs($0[0]) < 1e9 }
        guard matchesByTime || isNumber else {
          throw PictureFault(
            "its first column is a time, and the frames have none; name its columns in a mapping")
        }
        return [matchesByTime ? .time : .frame] + quaternion
      case 12, 16: return []
      case 13, 17: return [.frame]
      case let count: throw PictureFault("it has \(count) columns, and poses have 7, 8, 12, 13, 16 or 17")
      }
    }
  }

  private mutating func readTable(_ table: NumberTable, _ columns: [PoseSource.Column]) throws(PictureFault) {
    func place(_ column: PoseSource.Column) -> Int? { columns.firstIndex(of: column) }
    let translation = [place(.tx), place(.ty), place(.tz)].compactMap(\.self)
    let quaternion = [place(.qx), place(.qy), place(.qz), place(.qw)].compactMap(\.self)
    let rotation = [place(.rx), place(.ry), place(.rz)].compactMap(\.self)
    // A matrix has no names of columns.
    let isMatrix = columns.isEmpty || columns == [.frame]
    isByColumns = isMatrix && Self.standByColumns(table.rows.map { Array($0.dropFirst(columns.count)) })
    guard isMatrix || translation.count == 3 && (quaternion.count == 4 || rotation.count == 3)
    else { throw PictureFault("its columns are not tx, ty, tz with qx, qy, qz, qw or rx, ry, rz") }
    let (frame, time) = (place(.frame), place(.time))
    for (index, row) in table.rows.enumerated() {
      guard row.count == (isMatrix ? table.rows[0].count : columns.count)
      else { throw PictureFault("row \(index + 1) has \(row.count) columns, not \(columns.count)") }
      func vector(_ places: [Int]) -> SIMD3<Double> { [row[places[0]], row[places[1]], row[places[2]]] }
      let pose = Result<RigidTransform, PoseFault> { () throws(PoseFault) in
        if isMatrix {
          let matrix = Array(row.dropFirst(columns.count))
          return try .recorded(matrix: isByColumns ? RigidTransform.turned(matrix) : matrix)
        }
        if quaternion.count == 4 {
          let q = SIMD4(row[quaternion[0]], row[quaternion[1]], row[quaternion[2]], row[quaternion[3]])
          return try .recorded(quaternion: q, translation: vector(translation))
        }
        return try .recorded(rotation: vector(rotation), translation: vector(translation))
      }
      var number: Int?
      if let frame {
        guard let exact = Int(exactly: row[frame])
        else { throw PictureFault("row \(index + 1) names the frame \(row[frame])") }
        number = exact
      } else if key == .order {
        number = index
      }
      entries.append(
        Entry(frame: number, time: time.map { row[$0] }.flatMap { $0.isFinite ? $0 : nil }, pose: pose))
    }
  }

  /// Whether most matrices are rotations and translations column by column, and none is row by row.
  package static func standByColumns(_ matrices: [[Double]]) -> Bool {
    guard matrices.allSatisfy({ $0.count == 16 }) else { return false }
    func isPose(_ matrix: [Double]) -> Bool { (try? RigidTransform.recorded(matrix: matrix)) != nil }
    return !matrices.contains(where: isPose)
      && matrices.count { isPose(RigidTransform.turned($0)) } * 2 > matrices.count
  }

  /// Blocks of a line of whole numbers and four lines of a matrix.
  private mutating func readLog(_ rows: [[Double]]) throws(PictureFault) {
    guard rows.count % 5 == 0 else { throw PictureFault("its lines are not blocks of five") }
    for start in stride(from: 0, to: rows.count, by: 5) {
      guard let number = rows[start].first.flatMap(Int.init(exactly:))
      else { throw PictureFault("block \(start / 5) does not begin with a number of a frame") }
      let matrix = rows[(start + 1)...(start + 4)]
      guard matrix.allSatisfy({ $0.count == 4 })
      else { throw PictureFault("the matrix of block \(start / 5) is not 4×4") }
      let pose = Result<RigidTransform, PoseFault> { () throws(PoseFault) in
        try .recorded(matrix: matrix.flatMap(\.self))
      }
      entries.append(Entry(frame: number, time: nil, pose: pose))
    }
  }
}

extension PoseSource.Column {
  /// What the words of a first line name; nil where no translation and quaternion are among them, once each.
  package static func named(_ header: [String]) -> [Self]? {
    let columns = header.map { word -> Self in
      let name = word.lowercased().filter { $0.isLetter }
      if let column = Self(rawValue: name), column != .rx, column != .ry, column != .rz { return column }
      if ["timestamp", "time", "ts"].contains(name) { return .time }
      if ["frame", "id", "frameid", "frameindex", "framenumber", "index"].contains(name) { return .frame }
      guard let axis = name.last, "xyzw".contains(axis) else { return .skip }
      // "pos_x", "pose.position.x", "rot_x", "orientation.x"
      let kind = String(name.dropLast()), places = ["pos", "position", "translation"]
      let turns = ["rot", "quat", "orientation", "rotation", "quaternion"]
      if axis != "w", kind.isEmpty || kind == "p" || places.contains(where: kind.hasSuffix) {
        return Self(rawValue: "t\(axis)") ?? .skip
      }
      return turns.contains(where: kind.hasSuffix) ? Self(rawValue: "q\(axis)") ?? .skip : .skip
    }
    let needed: [Self] = [.tx, .ty, .tz, .qx, .qy, .qz, .qw]
    return needed.allSatisfy { column in columns.count { $0 == column } == 1 } ? columns : nil
  }
}
