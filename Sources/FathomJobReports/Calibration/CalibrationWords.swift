import DepthReport
import FathomPlainText
import DepthCalibration
import DepthCore
import FathomStatistics

/// Numbers of a calibration as its report writes them.
enum CalibrationWords {
  /// "level 2"
  static func level(_ level: Int?) -> String { level.map { "confidence \($0)" } ?? "all levels" }

  /// "12.3 [11.9, 12.8]"
  static func value(
    _ value: Double?, _ low: Double?, _ high: Double?, factor: Double = 1, decimals: Int = 1,
    unit: String = ""
  ) -> Quantity { Quantity(value, .decimals(decimals, times: factor, unit: unit), low: low, high: high) }

  static func value(
    _ row: LevelTable.Row, _ statistic: ErrorStatistic, factor: Double, decimals: Int = 1, unit: String = ""
  ) -> Quantity {
    let interval = row.interval(statistic)
    return value(
      row.value(statistic), interval?.low, interval?.high, factor: factor, decimals: decimals, unit: unit)
  }

  static func value(_ share: PredictiveCheck.Share) -> Quantity {
    value(share.value, share.interval?.low, share.interval?.high, factor: 100)
  }

  /// "√((4.0 mm)² + (0.40 %·d)²)", without a part that is 0
  static func law(_ noise: LevelNoise) -> String {
    let constant = "\(Quantity(noise.law.a * 1000, .significant(3)).text) mm"
    let proportional = "\(Quantity(noise.law.b * 100, .significant(3)).text) %·d"
    return switch NoiseParts(noise.law) {
    case .constant: constant
    case .proportional: proportional
    case .both: "√((\(constant))² + (\(proportional))²)"
    }
  }

  /// "scenes" or "blocks of frames"
  static func units(_ run: CalibrationRun) -> String {
    run.units == .scenes ? "\(run.unitCount) scenes" : "\(run.unitCount) blocks of frames of the one scene"
  }

  /// What brackets are, and what they are not.
  static func intervalNotes(_ run: CalibrationRun) -> [String] {
    guard run.unitCount > 1 else {
      return [
        "Point values only: there is one scene with one frame, and nothing that varies to take an interval over."
      ]
    }
    guard run.units == .scenes else {
      return [
        "Brackets are 95 % intervals over \(units(run)) (columns `within_scene_*`): **not valid beyond that scene**, because "
          + "how much its frames differ says nothing about other scenes."
      ]
    }
    return IntervalNotes.sentences(run.unitCount, units: units(run))
  }
}
