import DepthCore
import FathomPlainText

/// Every fusion method there is.
public enum MethodCatalogue {
  /// A method, or a method in its three forms.
  public struct Family: Sendable {
    /// Name without the form.
    public let id: String
    public let title: String, source: String
    /// What it is.
    public let role: MethodRole
    /// Whether it exists in depth, disparity and log form.
    public let hasForms: Bool
    /// The method in a form, which a method without forms ignores.
    public let make: @Sendable (Space) -> any FusionMethod
  }

  /// Name of the method that looks at the truth.
  static let oracleName = "oracle"

  /// All families, in the order of tables.
  public static let families: [Family] =
    [
      fixed(RawLiDAR(.nearest), "LiDAR, nearest return", "the sensor's map"),
      fixed(RawLiDAR(.bilinear), "LiDAR, bilinear", "the sensor's map; the baseline to beat"),
      fixed(SmoothedLiDAR(), "LiDAR, averaged over time", "poses and confidence; ARKit's smoothedSceneDepth"),
      fixed(
        ImageGuidedFusion(), "LiDAR, depth steps placed by the image",
        "joint bilateral weights, weighted median; Kopf 2007, Ma 2013"),
      fixed(SpecifiedFusion.spec, "the app's specification", "AR Depth Fusion, section 3; Float32"),
      fixed(SpecifiedFusion.shipped, "the published app", "domain §1; Float32"),
    ]
    + Estimator.all.map { estimator in
      Family(
        id: estimator.id, title: estimator.title, source: estimator.source, role: .line, hasForms: true
      ) { FittedFusion(estimator, in: $0) }
    }
    + LocalFusion.all.map { fixed($0, $0.estimator.title, $0.estimator.source) }
    + [
      fixed(
        AutoFusion(), "chosen by held-out LiDAR", "held-out blocks; inverse-variance mean with the LiDAR"),
      Family(
        id: oracleName, title: "oracle: least squares on the truth",
        source: "not available to an app; a bound for global fits", role: .oracle, hasForms: true
      ) { FittedFusion(.ols, in: $0, isOracle: true) },
    ]

  private static func fixed(_ method: some FusionMethod, _ title: String, _ source: String) -> Family {
    Family(id: method.id, title: title, source: source, role: method.role, hasForms: false) { _ in method }
  }

  static func family(_ id: String) -> Family {
    guard let family = families.first(where: { $0.id == id })
    else { preconditionFailure("a MethodSelection is only made for a family that exists") }
    return family
  }

  /// The methods of `--methods default`, in the form of the scene's kind: one of each idea, so that a run stays quick and
  /// its tables readable. In the order of tables.
  public static let standard: [MethodSelection] =
    [.lidarNearest, .lidarBilinear, .smoothed, .spec, .shipped]
    + [Estimator.ols, .wls, .huber, .lad, .ransac].map { MethodSelection($0) }
    + [MethodSelection(LocalFusion.residual), .auto, .oracle, .everyStored]

  /// The methods of `--methods all`: every family in every form.
  public static var everything: [MethodSelection] {
    families.flatMap { family in
      family.hasForms
        ? Space.allCases.map { MethodSelection(family: family.id, form: $0) }
        : [MethodSelection(family: family.id, form: nil)]
    } + [.everyStored]
  }

  /// The family that rows of this id belong to: "ols" of "ols@depth"; nil for one that this version does not know.
  public static func family(ofID id: String) -> Family? {
    let name = familyName(ofID: id)
    return families.first { $0.id == name }
  }

  /// An id without its form, known or not.
  public static func familyName(ofID id: String) -> String { String(id.prefix { $0 != "@" }) }

  /// What the method of this id is; nil for one that this version does not know.
  public static func role(ofID id: String) -> MethodRole? {
    StoredPredictionScoring.name(inID: id) != nil ? .stored : family(ofID: id)?.role
  }

  /// Reads "default", "all" or a comma-separated list of ids; duplicates count once.
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
    guard let family = families.first(where: { $0.id == parts[0] }), parts.count <= 2
    else { throw UnknownMethod(word: word) }
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
    let forms = families.filter(\.hasForms).flatMap { family in
      Space.allCases.map { "\(family.id)@\($0.rawValue)" }
    }
    let known = families.map(\.id) + ["default", "all"] + forms
    let parts = word.split { " ;|/+".contains($0) }.map(String.init)
    if parts.count > 1, parts.allSatisfy(known.contains) {
      return "no method is called '\(word)'; write commas between methods: \(parts.joined(separator: ","))"
    }
    let plain = families.filter { !$0.hasForms }.map(\.id).joined(separator: ", ")
    let fitted = families.filter(\.hasForms).map(\.id).joined(separator: ", ")
    let advice = EditDistance.advice(
      for: word, among: known,
      listed:
        "\(plain); \(fitted), each also with @depth, @disparity or @log; stored or stored:NAME for the data set's own predictions; default; all"
    )
    return "no method is called '\(word)'; \(advice)"
  }
}

extension Substring {
  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
