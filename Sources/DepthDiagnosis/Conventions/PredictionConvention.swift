import DepthCore
import Foundation

/// Stored predictions against the LiDAR: the unit of metric ones, the sign of relative ones.
public struct PredictionConvention: Convention {
  public init() {}

  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    sample.header.predictions.flatMap { prediction -> [Finding] in
      switch prediction.kind {
      case .metric:
        if let reason = earlier.reasonToWait(for: ["depth-unit"]) {
          PredictionUnitTest(name: prediction.name).axes(for: sample).map {
            Finding(notTestable: $0, in: sample.header, reason)
          }
        } else {
          PredictionUnitTest(name: prediction.name).findings(in: sample, after: earlier, seed: seed)
        }
      case .depth, .disparity, nil:
        PredictionKindTest(prediction: prediction).findings(in: sample, after: earlier, seed: seed)
      }
    }
  }
}

/// Cost: |log₁₀| of the median ratio of LiDAR and prediction.
private struct PredictionUnitTest: CompetingConvention {
  let name: String

  func axes(for sample: SceneSample) -> [ConventionAxis] {
    [
      ConventionAxis(
        id: "prediction-unit:\(name)", title: "Unit of the prediction '\(name)'",
        hypotheses: DepthUnitReading.hypotheses(of: "predictions/\(name)/depth"),
        declared: DepthUnitReading.metres.rawValue,
        // A metric network may be off by a factor of two without any fault of the file.
        leastExcess: 0.35, costUnit: "|log₁₀(LiDAR/prediction)|", fittingCost: 0.4,
        property: "kind metric: metres")
    ]
  }

  func objection(to sample: SceneSample) -> String? {
    sample.header.lidarSize == nil ? "the scene has no LiDAR depth" : nil
  }

  func costs(_ sample: SceneSample, _ axes: [ConventionAxis]) -> [ReadingCosts] {
    sample.costs(of: DepthUnitReading.allCases.count) { frame in
      guard let map = frame.predictions.first(where: { $0.header.name == name })?.map else { return [] }
      let grid = DepthGrid(frame)
      return grid.blockMedians(TruthConvention.logRatios(frame, grid, to: map)).map { ratio in
        DepthUnitReading.allCases.map { unit in
          abs((ratio ?? .nan) / Foundation.log(10) - Foundation.log10(unit.factor))
        }
      }
    }
  }
}

/// Cost: 1 ∓ ρ of the ranks of prediction and 1/LiDAR, block by block of the image.
private struct PredictionKindTest: CompetingConvention {
  let prediction: StoredPrediction

  func axes(for sample: SceneSample) -> [ConventionAxis] {
    let object = "predictions/\(prediction.name)/depth"
    return [
      ConventionAxis(
        id: "prediction-kind:\(prediction.name)", title: "Kind of the prediction '\(prediction.name)'",
        hypotheses: [RelativeKind.disparity, .depth].map { kind in
          Hypothesis(
            kind.rawValue, "its larger values are \(kind == .disparity ? "nearer" : "farther")",
            symptom: "aligned to the LiDAR it is turned inside out",
            fix: "set the attribute kind of \(object) to '\(kind.rawValue)'",
            correction: .attribute(object: object, name: "kind", value: kind.rawValue))
        }, declared: prediction.kind?.rawValue, leastExcess: 0.05,
        costUnit: "1 ∓ ρ of ranks", fittingCost: 0.45, property: "kind of \(object)")
    ]
  }

  func objection(to sample: SceneSample) -> String? {
    sample.header.lidarSize == nil ? "the scene has no LiDAR depth" : nil
  }

  func costs(_ sample: SceneSample, _ axes: [ConventionAxis]) -> [ReadingCosts] {
    sample.costs(of: 2) { frame in
      guard let map = frame.predictions.first(where: { $0.header.name == prediction.name })?.map else {
        return []
      }
      let grid = DepthGrid(frame, leastConfidence: 0)
      return RankCost.blocks(grid.disparity, grid.samples(of: map), grid.size).map { block in
        [block?.rising ?? .nan, block?.falling ?? .nan]
      }
    }
  }
}
