public import DepthEvaluation
import DepthFusion
public import DepthVerdicts

/// The rows of a `frames.csv`: what ``NonMetricColumn`` wrote, read back.
public struct StoredFrames: Sendable {
  /// Scene by scene, frame by frame, method by method. `frameIndex` counts the frames of the run from 0, which is the
  /// position in the scene unless the run took a part of it; breakdowns, times and pixel counts are not in the file.
  public let records: [FrameRecord]
  /// Files that could not be used.
  public let unreadable: [UnreadableFile]
  /// Ids of the metrics of every such run that the file does not have: it is an older version's. A file without any column that divides
  /// pixels by the LiDAR is of a run without one.
  public let missingColumns: [String]
  /// Heads that this version does not know: the file is a newer version's. Their values are omitted.
  public let unknownColumns: [String]
  struct Malformed: Error { let reason: String }

  init(_ table: ResultTable) throws(Malformed) {
    var places: [String: Int] = [:]
    for (index, name) in table.header.enumerated() {
      guard places.updateValue(index, forKey: name) == nil else {
        throw Malformed(reason: "two columns are called '\(name)'")
      }
    }
    for column in NonMetricColumn.required where places[column.rawValue] == nil {
      throw Malformed(reason: "it has no column '\(column.rawValue)'")
    }
    let known = Set(NonMetricColumn.header)
    let metrics = MetricColumn.all.filter { places[$0.id] != nil }
    let basis = metrics.contains { $0.support != .all } ? ComparisonBasis.lidar : .maps
    missingColumns = basis.columns.map(\.id).filter { places[$0] == nil }
    unknownColumns = table.header.filter { !known.contains($0) }
    var (records, unreadable) = ([FrameRecord](), [UnreadableFile]())
    var counts: [Place: Int] = [:]
    for (number, cells) in table.rows.enumerated() {
      let row = Row(number: number + 1, cells: cells, places: places)
      if row[NonMetricColumn.status.rawValue] == NonMetricColumn.unreadable {
        unreadable.append(
          UnreadableFile(
            name: try row.text(.scene), reason: row[NonMetricColumn.reason.rawValue] ?? "no reason given"))
        continue
      }
      let place = Place(scene: try row.text(.scene), method: try row.text(.method))
      records.append(try row.record(frameIndex: counts[place, default: 0]))
      counts[place, default: 0] += 1
    }
    (self.records, self.unreadable) = (records, unreadable)
  }

  /// A method has one row per frame of a scene, also where frames share an identifier.
  private struct Place: Hashable { let scene: String, method: String }
}

/// One line of the file; a cell that is empty, or whose column is absent, is nil.
private struct Row {
  let number: Int, cells: [String], places: [String: Int]
  subscript(_ column: String) -> String? { places[column].flatMap { cells[$0].isEmpty ? nil : cells[$0] } }

  func text(_ column: NonMetricColumn) throws(StoredFrames.Malformed) -> String {
    guard let text = self[column.rawValue] else { throw fault(column.rawValue, "is empty") }
    return text
  }

  func number(_ column: String) throws(StoredFrames.Malformed) -> Double? {
    guard let text = self[column] else { return nil }
    guard let value = Double(text), !value.isNaN else { throw fault(column, "'\(text)' is not a number") }
    return value
  }

  private func count(_ column: NonMetricColumn) throws(StoredFrames.Malformed) -> Int? {
    guard let text = self[column.rawValue] else { return nil }
    guard let value = Int(text), value >= 0 else { throw fault(column.rawValue, "'\(text)' is not a count") }
    return value
  }

  private func word<Value: RawRepresentable>(
    _ column: NonMetricColumn, as type: Value.Type
  ) throws(StoredFrames.Malformed) -> Value? where Value.RawValue == String {
    guard let text = self[column.rawValue] else { return nil }
    guard let value = Value(rawValue: text) else {
      throw fault(column.rawValue, "'\(text)' is not known to this version of fathom")
    }
    return value
  }

  private func fault(_ column: String, _ problem: String) -> StoredFrames.Malformed {
    StoredFrames.Malformed(reason: "row \(number), column \(column): \(problem)")
  }

  func record(frameIndex: Int) throws(StoredFrames.Malformed) -> FrameRecord {
    guard let status = try word(.status, as: FusionStatus.self) else { throw fault("status", "is empty") }
    var fusion = FusionResult(status: status, reason: self[NonMetricColumn.reason.rawValue])
    (fusion.pairs, fusion.inliers) = (try count(.pairs), try count(.inliers))
    let line = (
      scale: try number(NonMetricColumn.scale.rawValue), shift: try number(NonMetricColumn.shift.rawValue)
    )
    if let scale = line.scale, let shift = line.shift { fusion.line = Line(scale: scale, shift: shift) }
    if let rank = try count(.rank), let condition = try number(NonMetricColumn.condition.rawValue),
      let spread = try number(NonMetricColumn.spread.rawValue)
    {
      fusion.design = DesignDiagnostics(rank: rank, condition: condition, spread: spread)
    }
    var values: [Double?] = []
    for column in MetricColumn.all { values.append(try number(column.id)) }
    let method = try text(.method)
    var record = FrameRecord(
      scene: try text(.scene), frameIndex: frameIndex, frame: try text(.frame), method: method,
      space: try word(.space, as: Space.self), role: MethodCatalogue.role(ofID: method) ?? .stored,
      fusion: fusion,
      // What another version knew and this one does not came from elsewhere.
      // A row without any value has none, not a list of missing ones.
      values: values.allSatisfy { $0 == nil } ? [] : values)
    record.storedTruthCount = try count(.truthPixels)
    return record
  }
}
