import DepthEvaluation
import DepthFusion

/// A column of `frames.csv` that is no metric; the metrics of ``MetricColumn`` follow. Written and read by these names.
enum FrameColumn: String, CaseIterable {
  case scene, frame, method, space, status, reason, pairs, inliers, scale, shift, rank, condition, spread

  /// Without these nothing can be told about a row.
  static let required: [FrameColumn] = [.scene, .frame, .method, .status]
  /// Status of a row that stands for a file that could not be used.
  static let unreadable = "unreadable"

  /// The head of the file.
  static var header: [String] { allCases.map(\.rawValue) + MetricColumn.all.map(\.id) }

  /// A record as a row under ``header``.
  static func row(_ record: FrameRecord) -> [DataTable.Cell] {
    allCases.map { $0.cell(record) }
      + MetricColumn.all.indices.map { .init(record.values.isEmpty ? nil : record.values[$0]) }
  }

  /// A file that could not be used, as a row of its own.
  static func row(_ file: UnreadableFile) -> [DataTable.Cell] {
    allCases.map { column in
      switch column {
      case .scene: .text(file.name)
      case .status: .text(unreadable)
      case .reason: .text(file.reason)
      default: .empty
      }
    } + Array(repeating: .empty, count: MetricColumn.all.count)
  }

  private func cell(_ record: FrameRecord) -> DataTable.Cell {
    let fusion = record.fusion
    return switch self {
    case .scene: .text(record.scene)
    case .frame: .text(record.frame)
    case .method: .text(record.method)
    case .space: .init(record.space?.rawValue)
    case .status: .text(fusion.status.rawValue)
    case .reason: .init(fusion.reason)
    case .pairs: .init(fusion.pairs)
    case .inliers: .init(fusion.inliers)
    case .scale: .init(fusion.line?.scale)
    case .shift: .init(fusion.line?.shift)
    case .rank: .init(fusion.design?.rank)
    case .condition: .init(fusion.design?.condition)
    case .spread: .init(fusion.design?.spread)
    }
  }
}
