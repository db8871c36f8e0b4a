public import FathomStatistics
public import DepthObjects

/// A number of one boxed object, and how those of a scene's objects become one.
public struct ObjectMetric: Identifiable, Sendable {
  /// Over the objects of a scene.
  public enum Centre: String, Sendable { case mean, median }
  /// Stable column name.
  public let id: String
  /// For people: "placement".
  public let name: String
  /// Unit of the value: "cm", "°"; empty for a number without one.
  public let unit: String
  /// Which way is better.
  public let direction: Metric.Direction
  public let centre: Centre, formula: String
  package let value: @Sendable (ObjectRecord) -> Double?

  init(
    id: String, name: String, unit: String = "", direction: Metric.Direction = .lowerIsBetter,
    centre: Centre, formula: String, value: @escaping @Sendable (ObjectRecord) -> Double?
  ) {
    (self.id, self.name, self.unit, self.direction) = (id, name, unit, direction)
    (self.centre, self.formula, self.value) = (centre, formula, value)
  }

  /// Factor that turns a value into metres; 1 for what is not a length.
  package var metres: Double { unit == "cm" ? 0.01 : 1 }

  /// Every metric, in the order of tables.
  public static let all: [ObjectMetric] =
    [placement] + otherPlacements + [
      iou, generalizedIoU, centerAlong, centerAcross, sizeError, yawError, translation, scale, orientation,
      labelError,
    ]

  /// How far an effect stands from its true place: the headline.
  public static let placement = ObjectMetric(
    id: "placement_cm", name: "placement", unit: "cm", centre: .median,
    formula: "distance of the effect on the box from the effect on the true box"
  ) { $0.placement(.box)?.total }

  /// The other ways to place an effect.
  public static let otherPlacements = PlacementMethod.all.filter { $0 != .box }.map { way in
    ObjectMetric(
      id: "placement_\(way.column)_cm", name: way.id, unit: "cm", centre: .median,
      formula: "the same of an effect placed by \(way.id), without a box"
    ) { $0.placement(way)?.total }
  }

  public static let iou = ObjectMetric(
    id: "iou", name: "IoU", direction: .higherIsBetter, centre: .mean,
    formula: "volume shared by box and true box / volume of both"
  ) { $0.errors?.iou }

  static let generalizedIoU = ObjectMetric(
    id: "giou", name: "gIoU", direction: .higherIsBetter, centre: .mean,
    formula: "IoU − share of the convex hull of both that neither fills (Rezatofighi et al. 2019)"
  ) { $0.errors?.generalizedIoU }

  static let centerAlong = ObjectMetric(
    id: "center_along_ray_m", name: "centre along the ray", unit: "m", direction: .zeroIsBest,
    centre: .median, formula: "centre − true centre along the ray to it; positive is too far"
  ) { $0.errors?.centerAlongRay }

  static let centerAcross = ObjectMetric(
    id: "center_across_ray_m", name: "centre across the ray", unit: "m", centre: .median,
    formula: "distance of the centres across that ray"
  ) { $0.errors?.centerAcrossRay }

  public static let sizeError = ObjectMetric(
    id: "size_error_m", name: "size", unit: "m", centre: .median,
    formula: "mean of |length|, |height|, |width| − true ones"
  ) { record in record.errors.map { (abs($0.size.x) + abs($0.size.y) + abs($0.size.z)) / 3 } }

  public static let yawError = ObjectMetric(
    id: "yaw_error_deg", name: "yaw", unit: "°", centre: .median,
    formula: "of the nearest of the four equal descriptions of a box, 0…45"
  ) { $0.errors?.yawDegrees }

  static let translation = ObjectMetric(
    id: "ate_m", name: "ATE", unit: "m", centre: .mean,
    formula: "nuScenes: distance of the centres on the ground"
  ) { $0.errors?.translation }

  static let scale = ObjectMetric(
    id: "ase", name: "ASE", centre: .mean, formula: "nuScenes: 1 − IoU with centre and yaw made equal"
  ) { $0.errors?.scale }

  static let orientation = ObjectMetric(
    id: "aoe_rad", name: "AOE", unit: "rad", centre: .mean,
    formula: "nuScenes: difference of yaws, period 180°"
  ) { $0.errors?.orientation }

  /// The label needs no box.
  public static let labelError = ObjectMetric(
    id: "label_error_m", name: "distance label", unit: "m", centre: .median,
    formula: "|median depth of the object − that of the true depth under the same mask|"
  ) { $0.view?.labelError.map(abs) }

  package static func index(of id: String) -> Int? { all.firstIndex { $0.id == id } }
}

extension LengthUnit {
  /// How a metric of objects is shown.
  public func display(_ metric: ObjectMetric) -> DisplayUnit {
    switch metric.unit {
    case "m", "cm": DisplayUnit(display.symbol, scale: display.scale * metric.metres)
    case "": .number
    default: DisplayUnit(metric.unit)
    }
  }
}

extension PlacementMethod {
  /// The id as part of a column name: "hit_test_bottom_centre".
  public var column: String { id.replacing("-", with: "_").replacing("@", with: "_") }
}
