public import DepthCore
import PlainText

/// A method as a user names it: "spec", "ols" (in the form of the scene's kind), "ols@log", "stored:NAME" or "stored"
/// for whatever predictions a scene holds.
public struct MethodSelection: Sendable, Hashable, CustomStringConvertible {
  /// Name without the form.
  public let family: String
  /// The form, where the user fixed it.
  public let form: Space?

  public var description: String { form.map { "\(family)@\($0.rawValue)" } ?? family }

  /// Every prediction that a scene holds.
  static let everyStored = MethodSelection(family: "stored", form: nil)

  /// Name of the stored prediction that this is; nil for any other method.
  public var storedName: String? {
    let prefix = StoredPredictionScoring.prefix
    return family.hasPrefix(prefix) ? String(family.dropFirst(prefix.count)) : nil
  }

  /// The selections that this one stands for where a scene holds these predictions: one per prediction for "stored",
  /// none for a prediction that is not there, itself for everything else.
  public func resolved(stored names: [String]) -> [MethodSelection] {
    if self == .everyStored {
      return names.map { MethodSelection(family: StoredPredictionScoring.prefix + $0, form: nil) }
    }
    return storedName.map(names.contains) == false ? [] : [self]
  }

  /// The method for a scene whose relative map is of this kind.
  public func method(for kind: RelativeKind) -> any FusionMethod {
    if self == .everyStored || storedName != nil { return StoredPredictionScoring(storedName ?? "") }
    return MethodCatalogue.family(family).make(form ?? Space(natural: kind))
  }
}

/// Every fusion method there is.
public enum MethodCatalogue {
  /// A method, or a method in its three forms.
  public struct Family: Sendable {
    /// Name without the form.
    public let id: String
    /// For people.
    public let title: String
    /// Where it is defined.
    public let source: String
    /// Whether it exists in depth, disparity and log form.
    public let hasForms: Bool
    /// The method in a form, which a method without forms ignores.
    public let make: @Sendable (Space) -> any FusionMethod
  }

  /// All families, in the order of tables.
  public static let families: [Family] =
    [
      fixed(RawLiDAR(.nearest), "LiDAR, nearest return", "the sensor's map"),
      fixed(RawLiDAR(.bilinear), "LiDAR, bilinear", "the sensor's map; the baseline to beat"),
      fixed(SmoothedLiDAR(), "LiDAR, averaged over time", "poses and confidence; ARKit's smoothedSceneDepth"),
      fixed(SpecifiedFusion.spec, "the app's specification", "AR Depth Fusion, section 3; Float32"),
      fixed(SpecifiedFusion.shipped, "the published app", "domain §1; Float32"),
    ]
    + Estimator.all.map { estimator in
      Family(id: estimator.id, title: estimator.title, source: estimator.source, hasForms: true) {
        FittedFusion(estimator, in: $0)
      }
    }
    + LocalFusion.all.map { fixed($0, $0.estimator.title, $0.estimator.source) }
    + [
      fixed(
        AutoFusion(), "chosen by held-out LiDAR", "held-out blocks; inverse-variance mean with the LiDAR"),
      Family(
        id: "oracle", title: "oracle: least squares on the truth",
        source: "not available to an app; a bound for global fits", hasForms: true
      ) { FittedFusion(.ols, in: $0, isOracle: true) },
    ]

  private static func fixed(_ method: some FusionMethod, _ title: String, _ source: String) -> Family {
    Family(id: method.id, title: title, source: source, hasForms: false) { _ in method }
  }

  static func family(_ id: String) -> Family {
    guard let family = families.first(where: { $0.id == id }) else {
      preconditionFailure("a MethodSelection is only made for a family that exists")
    }
    return family
  }

  /// Families of `--methods default`: one of each idea, so that a run stays quick and its tables readable.
  public static let standardFamilies: Set<String> = [
    "lidar-nearest", "lidar-bilinear", "smoothed", "spec", "shipped", "ols", "wls", "huber", "ransac", "lad",
    "residual", "auto", "oracle",
  ]

  /// The methods of `--methods default`, in the form of the scene's kind.
  public static var standard: [MethodSelection] {
    families.filter { standardFamilies.contains($0.id) }.map { MethodSelection(family: $0.id, form: nil) }
      + [.everyStored]
  }

  /// The methods of `--methods all`: every family in every form.
  public static var everything: [MethodSelection] {
    families.flatMap { family in
      family.hasForms
        ? Space.allCases.map { MethodSelection(family: family.id, form: $0) }
        : [MethodSelection(family: family.id, form: nil)]
    } + [.everyStored]
  }

  /// Reads "default", "all" or a comma-separated list of ids; duplicates count once.
  ///
  /// - Throws: ``UnknownMethod`` for the first word that names nothing.
  public static func parse(_ text: String) throws(UnknownMethod) -> [MethodSelection] {
    var selections: [MethodSelection] = []
    for word in text.split(separator: ",").map({ $0.trimmingSpaces }) {
      let chosen =
        switch word {
        case "default": standard
        case "all": everything
        default: [try selection(word)]
        }
      for selection in chosen where !selections.contains(selection) { selections.append(selection) }
    }
    guard !selections.isEmpty else { throw UnknownMethod(word: text) }
    return selections
  }

  private static func selection(_ word: String) throws(UnknownMethod) -> MethodSelection {
    let any = MethodSelection(family: word, form: nil)
    if any == .everyStored || any.storedName?.isEmpty == false { return any }
    let parts = word.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
    guard let family = families.first(where: { $0.id == parts[0] }), parts.count <= 2 else {
      throw UnknownMethod(word: word)
    }
    guard parts.count == 2 else { return MethodSelection(family: family.id, form: nil) }
    guard family.hasForms, let form = Space(rawValue: parts[1]) else { throw UnknownMethod(word: word) }
    return MethodSelection(family: family.id, form: form)
  }
}

/// A word that names no method.
public struct UnknownMethod: Error, Sendable, Equatable, CustomStringConvertible {
  /// As the user wrote it.
  public let word: String

  public var description: String {
    let families = MethodCatalogue.families
    let names = families.map { $0.hasForms ? "\($0.id)[@depth|@disparity|@log]" : $0.id }
    let forms = families.filter(\.hasForms).flatMap { family in
      Space.allCases.map { "\(family.id)@\($0.rawValue)" }
    }
    let advice = EditDistance.advice(
      for: word, among: families.map(\.id) + ["default", "all"] + forms,
      listed: "\(names.joined(separator: ", ")), stored[:NAME], default and all")
    return "no method is called '\(word)'; \(advice)"
  }
}

extension Substring {
  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
