import FathomTables
import DepthEvaluation
import DepthFusion
import DepthVerdicts

/// A column of `frames.csv` that is not a metric; the metrics of the run's columns follow. Written and read by these names.
enum NonMetricColumn: String, CaseIterable {
  case scene, frame, method, space, status, reason, pairs, inliers, scale, shift, rank, condition, spread
  case truthPixels = "truth_pixels"
  /// Without these nothing can be told about a row.
  static let required: [NonMetricColumn] = [.scene, .frame, .method, .status]
  static let unreadable = "unreadable"  // Status of a row that stands for a file that could not be used.

  /// What the columns of the file are.
  static func meanings(_ metrics: [MetricColumn]) -> [ColumnMeaning] {
    allCases.map(\.meaning)
      + metrics.map {
        ColumnMeaning(
          $0, "over the frame's pixels", missing: "the frame was refused, or the metric does not exist there")
      }
  }

  static let header = meanings(MetricColumn.all).ids  // The head of the file with every metric.

  static func row(_ record: FrameRecord, _ metrics: [MetricColumn] = MetricColumn.all) -> [DataTable.Cell] {
    allCases.map { $0.cell(record) } + metrics.map { .init(record.value($0)) }
  }

  /// A file that could not be used, as a row of its own.
  static func row(_ file: UnreadableFile, _ metrics: [MetricColumn] = MetricColumn.all) -> [DataTable.Cell] {
    allCases.map { column in
      switch column {
      case .scene: .text(file.name)
      case .status: .text(unreadable)
      case .reason: .text(file.reason)
      default: .empty
      }
    } + Array(repeating: .empty, count: metrics.count)
  }

  private var meaning: ColumnMeaning {
    func text(_ meaning: String, missing: String = "") -> ColumnMeaning {
      ColumnMeaning(rawValue, .text, meaning, missing: missing)
    }
    func number(_ type: ColumnMeaning.Kind, _ meaning: String, _ missing: String = "no fit") -> ColumnMeaning
    {
      ColumnMeaning(rawValue, type, meaning, missing: missing)
    }
    let unreadable = "a file that could not be used"
    return switch self {
    case .scene: text("name of the scene, unique in the run; of a file that could not be used, its name")
    case .frame: text("frame_id of the data, or the index where there is none", missing: unreadable)
    case .method:
      text("fusion method, with the form of its fit where it has several: ols@disparity", missing: unreadable)
    case .space: text("form of the fit: depth, disparity or log", missing: "the method fits no line")
    case .status:
      text(
        "ok, or the first that applies of no_relative, too_few_pairs, degenerate, rejected_scale, no_truth, "
          + "impossible; unreadable for a file")
    case .reason: text("the same in words", missing: "nothing to say")
    case .pairs: number(.integer, "LiDAR returns and relative values that entered the fit")
    case .inliers: number(.integer, "pairs that agree with the line", "no fit, or none that counts them")
    case .scale: number(.number, "slope α of the line, in the form of the fit", "no line")
    case .shift: number(.number, "intercept β of the line, in the form of the fit", "no line")
    case .rank: number(.integer, "rank of the design matrix")
    case .condition: number(.number, "condition number of the design matrix; inf where it is singular")
    case .spread: number(.number, "standard deviation of the relative values / their largest magnitude")
    case .truthPixels: number(.integer, "pixels of the frame whose truth counts", "nothing was scored")
    }
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
    case .truthPixels: .init(record.truthCount)
    }
  }
}
