import ArgumentParser
import DepthEvaluation
import DepthObjects

/// Settings of finding horizontal planes and of placing effects; keys of `--config` files, too.
struct PlaneFlags: ParsableArguments {
  @Option(help: "Lowest confidence of a LiDAR return on a plane (default: 2).") var planeConfidence: UInt8?
  @Option(help: "Depths that count for planes, metres (default: 0.1,5).") var planeRange: NumberPair?
  @Option(help: "Normals come from neighbours this many depth pixels to either side (default: 3).")
  var planeStep: Int?
  @Option(
    help: "A neighbour whose depth differs by more than this share is no part of a plane (default: 0.1).")
  var planeJump: Double?
  @Option(help: "Normals within this angle of up count, degrees (default: 15).") var planeNormalTilt: Double?
  @Option(help: "A plane that tilts more is none, degrees (default: 5).") var planeTilt: Double?
  @Option(help: "Heights are counted in bins of this, metres (default: 0.01).") var planeBin: Double?
  @Option(help: "Points within this height of a plane belong to it, metres (default: 0.03).")
  var planeReach: Double?
  @Option(help: "Fewest points of a plane (default: 80).") var planePoints: Int?
  @Option(help: "Least area of a plane, square metres (default: 0.05).") var planeArea: Double?
  @Option(help: "Side of the squares that a plane's extent is made of, metres (default: 0.1).")
  var planeCell: Double?
  @Option(help: "Narrowest and widest effect, metres (default: 0.1,3).") var effectWidths: NumberPair?
  @Option(help: "Height of an effect above its object's base, at most, metres (default: 0.02).")
  var effectRise: Double?

  /// Overrides what is set here.
  func apply(to plan: inout ObjectPlan) {
    func set<Value>(_ target: inout Value, _ value: Value?) { if let value { target = value } }
    set(&plan.planes.minimumConfidence, planeConfidence)
    set(&plan.planes.depthRange, planeRange?.floats)
    set(&plan.planes.normalStep, planeStep)
    set(&plan.planes.largestJump, planeJump)
    set(&plan.planes.largestTilt, planeNormalTilt.map { $0 * .pi / 180 })
    set(&plan.planes.largestPlaneTilt, planeTilt.map { $0 * .pi / 180 })
    set(&plan.planes.binHeight, planeBin)
    set(&plan.planes.reach, planeReach)
    set(&plan.planes.fewestPoints, planePoints)
    set(&plan.planes.leastArea, planeArea)
    set(&plan.planes.cellSize, planeCell)
    set(&plan.effect.widths, effectWidths?.range)
    set(&plan.effect.largestRise, effectRise)
  }
}
