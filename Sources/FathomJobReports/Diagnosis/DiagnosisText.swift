import FathomDocuments
public import FathomRuns
import DepthCore
import DepthDataset
import DepthDiagnosis
import FathomPlainText

/// A diagnosis as a person reads it: what is wrong first, then a table with a reason in every row.
public struct DiagnosisText: Sendable {
  public let text: String
  /// Longest reason in a row; the whole ones are in the sentences and with `isVerbose`.
  private static let reasonLength = 72

  /// - Parameter isVerbose: Every scene by itself, whole reasons, and what each finding was measured with; else scenes of
  ///   equal verdicts are one.
  public init(_ file: DatasetDiagnosis, isVerbose: Bool = false) {
    let findings = file.scenes.flatMap(\.findings)
    let lacksLidar = findings.contains { Self.missing($0.summary) == "no LiDAR depth" }
    let isBare = lacksLidar && !isVerbose && findings.allSatisfy { $0.verdict == .notTestable }
    var lines = [isBare ? "nothing to test without a LiDAR" : Self.summary(findings)]
    let wrong = findings.filter(\.verdict.isWrong)
    if !wrong.isEmpty { lines.append("") }
    for finding in wrong { lines += Self.sentences(finding, inScene: file.scenes.count > 1) }
    for group in isVerbose ? file.scenes.map({ [$0] }) : isBare ? [] : Self.groups(file.scenes) {
      guard let first = group.first else { continue }
      lines += [
        "", "\(group.map(\.scene.visible).listed(atMost: 6)) (frames looked at: \(Self.frames(group)))",
      ]
      lines.append(Self.table(group, isVerbose: isVerbose))
      for finding in first.findings where !finding.verdict.isWrong {
        lines += Self.remarks(finding, isVerbose: isVerbose)
      }
    }
    lines += file.schema.map {
      "\($0.severity.rawValue): \($0.object): \($0.problem); \($0.advice.onCommandLine)".visible
    }
    // The last column's blanks would wrap.
    text = lines.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }.map { line in
      var line = line
      while line.last == " " { line.removeLast() }
      return line
    }.joined(separator: "\n")
  }

  /// "11 confirmed, 1 contradicted, 3 undecidable, 5 not testable (no poses, no truth)".
  static func summary(_ findings: [Finding]) -> String {
    let words: [(Finding.Verdict, String)] = [
      (.confirmed, "confirmed"), (.contradicted, "contradicted"),
      (.noReadingFits, "without a reading that fits"),
      (.found, "found"), (.undecidable, "undecidable"), (.notTestable, "not testable"),
    ]
    let counts = words.compactMap { verdict, word -> String? in
      let count = findings.count { $0.verdict == verdict }
      guard count > 0 || verdict == .confirmed || verdict == .contradicted else { return nil }
      return "\(count) \(word)"
    }
    let reasons = findings.filter { $0.verdict == .notTestable }.compactMap { missing($0.summary) }
    let absent = reasons.firstAppearances
    let isFine = !findings.contains(where: \.verdict.isWrong)
    return counts.joined(separator: ", ") + (absent.isEmpty ? "" : " (\(absent.joined(separator: ", ")))")
      + (isFine ? ": the data contradict no declaration" : "")
  }

  /// "no poses" of "the scene has no poses".
  private static func missing(_ reason: String) -> String? {
    let start = "the scene has "
    return reason.hasPrefix(start + "no ") ? String(reason.dropFirst(start.count)) : nil
  }

  /// Scenes for which every test says the same.
  private static func groups(_ scenes: [SceneDiagnosis]) -> [[SceneDiagnosis]] {
    func key(_ scene: SceneDiagnosis) -> [String] {
      scene.findings.map { "\($0.test)|\($0.verdict.rawValue)|\($0.declared ?? "")|\($0.supported ?? "")" }
    }
    let keys = scenes.map(key)
    return keys.firstAppearances.map { wanted in
      scenes.indices.filter { keys[$0] == wanted }.map { scenes[$0] }
    }
  }

  private static func frames(_ group: [SceneDiagnosis]) -> String {
    let counts = group.map(\.frames.count)
    guard let least = counts.min(), let most = counts.max() else { return "0" }
    return least == most ? "\(least)" : "\(least) to \(most)"
  }

  /// Of several scenes the first one's words and the least margin.
  private static func table(_ group: [SceneDiagnosis], isVerbose: Bool) -> String {
    let findings = group.first?.findings ?? []
    return DisplayTable(
      columns: [
        .text("convention"), .text("verdict"), .text("reading"), .init("σ"),
      ] + (isVerbose ? [.init("views"), .init("resamples"), .text("rests on")] : [])
        + [.text("reason")],
      rows: findings.indices.map { index in
        let finding = findings[index]
        let margins = group.compactMap { $0.findings[index].margin }
        // What was not decided has no margin that anybody could rely on.
        let isDecided = finding.supported != nil
        let reason = reason(finding)
        return [
          finding.title, finding.verdict.rawValue, reading(finding),
          isDecided ? margins.min().map { Quantity(min($0, 999), .significant(2)).text } ?? "–" : "–",
        ]
          + (isVerbose
            ? [
              finding.views.map(String.init) ?? "–",
              isDecided ? finding.shareOfResamples.map { Quantity($0, .percent(0)).text } ?? "–" : "–",
              finding.property.isEmpty ? "–" : finding.property,
            ] : []) + [isVerbose ? reason : reason.shortened(to: reasonLength)]
      }
    ).plain
  }

  /// Why; for what is about to be said in a sentence, what the finding rests on.
  private static func reason(_ finding: Finding) -> String {
    let rests = finding.property.isEmpty ? "" : "\(finding.property): "
    return finding.verdict == .notTestable ? finding.summary : rests + finding.summary
  }

  /// "metres", "opencv → arkit" where something else is supported, "(metres)" where what is declared was not confirmed.
  private static func reading(_ finding: Finding) -> String {
    guard let declared = finding.declared else { return finding.supported ?? "–" }
    guard let supported = finding.supported else { return "(\(declared))" }
    guard supported != declared else { return declared }
    return "\(declared) → \(supported)"
  }

  private static func sentences(_ finding: Finding, inScene: Bool) -> [String] {
    let scene = inScene ? "\(finding.scene.visible): " : ""
    let only = finding.isCertain ? "" : " \(flag: "fix") \(finding.test) only"
    let cost = finding.correction.map {
      ["  Corrected by \(flag: "fix") FILE\(only). If that were wrong: \($0.costIfWrong)."]
    }
    let flips = FlipTable(finding)
    return ["- \(scene)\(finding.title): \(flips?.verdict ?? finding.summary + ".")"] + fix(finding)
      + (cost ?? []) + (flips.map { ["", $0.plain] } ?? [])
  }

  /// Other remarks that are worth a line below the table.
  private static func remarks(_ finding: Finding, isVerbose: Bool) -> [String] {
    if let flips = FlipTable(finding) {
      return ["", flips.plain, "- \(finding.title): \(flips.verdict)"] + fix(finding)
    }
    let isLong = reason(finding).count > reasonLength
    switch finding.verdict {
    case .undecidable where !isVerbose && isLong: return ["- \(finding.title): \(finding.summary)."]
    case .found where finding.correction != nil:
      return ["- \(finding.title): \(finding.summary)."] + fix(finding)
    default: return []
    }
  }

  private static func fix(_ finding: Finding) -> [String] { finding.fix.map { ["  Fix: \($0)."] } ?? [] }
}
