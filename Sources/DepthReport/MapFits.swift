import FathomDocuments
import DepthCore
import DepthEvaluation
import DepthFusion
import DepthVerdicts

/// What is done to networks' maps before they are scored, in words.
struct MapFits {
  private let run: EvaluationRun
  /// Networks whose maps are fitted to the truth, and those whose maps are not.
  private let fitted: [String], plain: [String]

  init(_ run: EvaluationRun) {
    self.run = run
    let stored = run.plan.methods.filter { $0.storedName != nil }
    fitted = stored.filter { run.isFittedToTruth($0.id) }.compactMap(\.storedName)
    plain = stored.filter { !run.isFittedToTruth($0.id) }.compactMap(\.storedName)
  }

  /// For the first line of a run; empty where every map is scored as it is.
  var sentences: [String] {
    guard !fitted.isEmpty else { return [] }
    let unfitted = plain.isEmpty ? [] : ["Maps of \(listed(plain)) are metric and were scored as they are."]
    guard isByKind else {
      return ["Maps of \(listed(fitted)) were fitted to the truth (\(how)), so \(unjudged) not judged."]
        + unfitted
    }
    let byKind = [(StoredPrediction.Kind.disparity, "1/g = α·r + β"), (.depth, "g = α·r + β")].compactMap {
      kind, formula -> String? in
      let names = fitted.filter { run.kinds(of: $0).contains(kind) }
      guard !names.isEmpty else { return nil }
      return
        "Maps of \(listed(names)) are \(kind.rawValue): each was fitted to the truth by scale and shift (\(formula)), so scale and shift are not judged."
    }
    return byKind + unfitted
  }

  /// Above everything else; nil where every map is scored as it is.
  var caveat: String? {
    guard !fitted.isEmpty else { return nil }
    let whose = plain.isEmpty ? "All maps" : "Maps of \(listed(fitted))"
    return "\(whose) are fitted to the truth (\(how)). An app has no truth: their numbers measure shape only."
  }

  /// Below a chart of errors; nil where every map is scored as it is.
  var figureNote: String? { fitted.isEmpty ? nil : "Maps of \(listed(fitted)) are fitted to the truth." }

  /// Where some maps were fitted and others were not; nil where all were treated alike.
  var mixture: String? {
    guard !fitted.isEmpty, !plain.isEmpty else { return nil }
    func were(_ names: [String]) -> String { "\(listed(names)) \(names.count == 1 ? "was" : "were")" }
    return "Beware: \(were(fitted)) fitted to the truth, \(were(plain)) not."
  }

  /// Whether the fit to the truth sets what would be the cause of such a bias.
  func sets(_ course: ErrorAnatomy.Bias.Course, of method: String) -> Bool {
    guard run.isFittedToTruth(method) else { return false }
    return switch (course, run.plan.rules.alignment.fit) {
    case (.varying, _), (_, .none), (.length, .median), (.length, .line(_, shift: false)),
      (.either, _):
      false
    case (.share, _), (.length, _): true
    }
  }

  /// "disparity:scale-shift, image by image"
  private var how: String {
    var alignment = run.plan.rules.alignment
    let extent = alignment.extent == .scene ? "scene by scene" : "image by image"
    alignment.extent = .image
    return "\(isByKind ? "by their kind" : alignment.typed), \(extent)"
  }

  private var unjudged: String {
    switch run.plan.rules.alignment.fit {
    case .none, .median, .line(_, shift: false): "scale is"
    case .byKind, .line(_, shift: true): "scale and shift are"
    }
  }

  private var isByKind: Bool { run.plan.rules.alignment.fit == .byKind }
  private func listed(_ names: [String]) -> String { PageLimits.listed(names.map(\.literal)) }
}
