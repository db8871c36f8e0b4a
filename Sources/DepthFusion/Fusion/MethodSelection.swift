public import DepthCore

/// A method as a user names it: "spec", "ols" (in the form of the scene's kind), "ols@log", "stored:NAME" or "stored"
/// for whatever predictions a scene holds.
public struct MethodSelection: Sendable, Hashable, Codable, CustomStringConvertible {
  /// Name without the form.
  public let family: String
  /// The form, where the user fixed it.
  public let form: Space?
  public var description: String { form.map { "\(family)@\($0.rawValue)" } ?? family }
  init(family: String, form: Space?) { (self.family, self.form) = (family, form) }
  public init(_ estimator: Estimator) { self.init(family: estimator.id, form: nil) }
  init(_ method: some FusionMethod) { self.init(family: method.id, form: nil) }
  /// Read at the nearest return.
  public static let lidarNearest = MethodSelection(RawLiDAR(.nearest))
  /// The baseline, which stands in where a method refuses.
  public static let lidarBilinear = MethodSelection(RawLiDAR(.bilinear))
  public static let smoothed = MethodSelection(SmoothedLiDAR())
  public static let spec = MethodSelection(SpecifiedFusion.spec)
  public static let shipped = MethodSelection(SpecifiedFusion.shipped)
  public static let ols = MethodSelection(Estimator.ols)
  public static let wls = MethodSelection(Estimator.wls)
  public static let auto = MethodSelection(AutoFusion())
  /// Least squares on the truth.
  public static let oracle = MethodSelection(family: MethodCatalogue.oracleName, form: nil)
  /// Every prediction that a scene holds.
  public static let everyStored = MethodSelection(family: StoredPredictionScoring.everyName, form: nil)
  /// The LiDAR as it is. Both are the same map.
  public static let rawLidar = [lidarNearest, lidarBilinear]
  /// What an app does that follows the documents.
  public static let literal = [spec, shipped]
  /// Name of the stored prediction that this is; nil for any other method.
  public var storedName: String? { StoredPredictionScoring.name(inID: family) }

  public var role: MethodRole {
    self == .everyStored || storedName != nil ? .stored : MethodCatalogue.family(family).role
  }

  /// The id of its rows where it has no forms, or its form is fixed.
  public var id: String { description }

  /// The same method in a form; nil where it has none.
  public func formed(as form: Space?) -> MethodSelection? {
    guard let form else { return MethodSelection(family: family, form: nil) }
    guard role != .stored, MethodCatalogue.family(family).hasForms else { return nil }
    return MethodSelection(family: family, form: form)
  }

  /// The selections that this one stands for where a scene holds these predictions: one per prediction for "stored",
  /// none for a prediction that is not there, itself for everything else.
  public func resolved(stored names: [String]) -> [MethodSelection] {
    if self == .everyStored {
      return names.map { MethodSelection(family: StoredPredictionScoring($0).id, form: nil) }
    }
    return storedName.map(names.contains) == false ? [] : [self]
  }

  public func method(for kind: RelativeKind) -> any FusionMethod {
    if role == .stored { return StoredPredictionScoring(storedName ?? "") }
    return MethodCatalogue.family(family).make(form ?? Space(natural: kind))
  }
}
