public import DepthFusion

/// The one comparison that a run is made for: declared before the numbers are seen, so that it is tested without a correction for
/// all the others.
public struct Contrast: Codable, Sendable, Equatable {
  public let method: MethodSelection, reference: MethodSelection

  public init(_ method: MethodSelection, against reference: MethodSelection) {
    (self.method, self.reference) = (method, reference)
  }
}

extension EvaluationPlan {
  /// Methods that are here because somebody wants to know of them: those that were named beyond the standard ones.
  public static func named(_ wanted: [MethodSelection]) -> [MethodSelection] {
    let standard = MethodCatalogue.standard
    return standard.allSatisfy(wanted.contains) ? wanted.filter { !standard.contains($0) } : wanted
  }
}
