public import FathomRuns
import DepthCore
import DepthDataset
import DepthEvaluation
import DepthFusion
import DepthImport
import DepthVerdicts
import Foundation
import FathomPlainText
import FathomStorage

/// Computes the numbers of ledgers and compares them with what is printed: what `fathom reproduce` does. It fetches nothing.
public struct ReproduceJob: Sendable {
  public var ledgers: [Ledger]
  /// Folder of the data; nil for each ledger's own.
  public var folder: String?
  /// Frames that are worked on at once.
  public var jobs = MachineLimits.current.cores
  public init(_ ledgers: [Ledger], folder: String? = nil) { (self.ledgers, self.folder) = (ledgers, folder) }

  /// - Throws: `FathomError` where files that are there cannot be scored as their ledger says.
  public func run(_ observe: JobObserver = { _ in }) async throws -> ReproduceResult {
    var results: [ReproduceResult.OfLedger] = []
    for ledger in ledgers { results.append(try await run(ledger, observe)) }
    return ReproduceResult(ledgers: results)
  }

  /// What is scored once, whatever the metrics that are printed of it.
  private struct Scored: Hashable {
    let truth: String, item: String, image: String?, adjustment: MapAdjustment, rules: EvaluationProtocol
    let namesAlignment: Bool

    init(_ entry: Ledger.Entry, _ ledger: Ledger) {
      (truth, item, image) = (entry.truth, entry.prediction.item, entry.image)
      (rules, namesAlignment) = (entry.rules, entry.namesAlignment)
      var adjustment = MapAdjustment()
      switch entry.prediction {
      case .maps: break
      case .method: adjustment.role = .lidar
      case .bicubic(_, let reduction, let antialiases):
        adjustment.role = .upsampled(BicubicResize(antialiases: antialiases), reduction: reduction, nil)
      case .guided(_, let radius, let epsilon):
        adjustment.role = .upsampled(
          BicubicResize(), reduction: 1, GuidedFilter(radius: radius, epsilon: epsilon))
      }
      adjustment.cutsImages = entry.cutsImages
      adjustment.scale = Float(ledger.data[item]?.scale ?? 1)
      adjustment.coversCorner = entry.coversCorner
      self.adjustment = adjustment
    }
  }

  private func run(_ ledger: Ledger, _ observe: JobObserver) async throws -> ReproduceResult.OfLedger {
    let folder = folder ?? URL(fileURLWithPath: ledger.path).deletingLastPathComponent().relativePath
    var missing: [String: String] = [:]
    for name in Set(ledger.entries.flatMap(\.items)) {
      missing[name] = try ledger.data[name].flatMap { try Self.lack(of: $0, in: folder) }
    }
    var outcomes: [ReproduceResult.Number?] = ledger.entries.map { entry in
      let reasons = entry.items.compactMap { missing[$0] }
      return reasons.isEmpty ? nil : .init(entry, .missing(reasons))
    }
    let groups = ledger.entries.map { Scored($0, ledger) }
    for group in groups.firstAppearances {
      let members = ledger.entries.indices.filter { groups[$0] == group && outcomes[$0] == nil }
      guard !members.isEmpty else { continue }
      let entries = members.map { ledger.entries[$0] }
      var job = try job(group, ledger, folder, methods: entries.compactMap(\.method))
      let run = try await job.run(observe).run
      let values = entries.map { $0.value(in: run) }
      // Other protocols are tried where a value differs that is expected to match.
      if zip(entries, values).contains(where: { entry, value in
        entry.expectsMatch && value.map { !entry.isMet(by: $0) } ?? false
      }) {
        job.comparesNeighbours = true
        let protocols = try await job.run(observe).run.protocols
        for (index, (entry, value)) in zip(members, zip(entries, values)) {
          outcomes[index] = .init(entry, value, protocols)
        }
      } else {
        for (index, (entry, value)) in zip(members, zip(entries, values)) {
          outcomes[index] = .init(entry, value, nil)
        }
      }
    }
    return ReproduceResult.OfLedger(ledger: ledger, numbers: outcomes.compactMap(\.self))
  }

  /// Why an item cannot be had; nil where it can.
  private static func lack(of item: Ledger.Item, in folder: String) throws(FathomError) -> String? {
    let path = folder + "/" + item.path
    let origin = item.origin.map { "; it comes from \($0)" } ?? ""
    guard FileManager.default.fileExists(atPath: path) else { return "\(item.path) is not there\(origin)" }
    guard let expected = item.sha256, try FileDigest.sha256(ofFile: path) != expected.lowercased() else {
      return nil
    }
    return "\(item.path) is another file than the ledger's: its SHA-256 differs\(origin)"
  }

  private func job(
    _ group: Scored, _ ledger: Ledger, _ folder: String, methods: [MethodSelection]
  ) throws(FathomError) -> EvaluateJob {
    guard let truth = ledger.data[group.truth], let item = ledger.data[group.item] else {
      preconditionFailure("a ledger's entries name items that it has")
    }
    let (truthPath, path) = (folder + "/" + truth.path, folder + "/" + item.path)
    let meaning = item.scale == nil ? item.kind.flatMap(MapMeaning.init) ?? .metric : .metric
    var maps = MapRequest(name: Ledger.predictionName, path: path, meaning: meaning)
    var target = MapRequest(name: nil, path: truthPath)
    // Whoever says what a count is has looked at the maps.
    (maps.allowsEightBits, target.allowsEightBits) = (item.scale != nil, truth.scale != nil)
    var request = MapSetRequest(predictions: [maps], truth: target)
    request.truthScale = truth.scale
    request.images = group.image.flatMap { ledger.data[$0] }.map { folder + "/" + $0.path }
    if !Self.isFolder(truthPath), !Self.isFolder(path) { request.matching = .order }
    var selection = DataSelection(maps: request)
    if group.adjustment != MapAdjustment() { selection.adjustment = group.adjustment }
    var plan = EvaluationPlan(methods: methods.isEmpty ? [.everyStored] : methods, rules: group.rules)
    plan.namesAlignment = group.namesAlignment
    var job = EvaluateJob(selection, plan: plan)
    (job.diagnoses, job.jobs) = (false, jobs)
    return job
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }
}

extension Ledger {
  static let predictionName = "prediction"  // What a prediction is called in a run.
}

extension Ledger.Entry {
  /// The method of ours; nil for a prediction that is given or made before.
  var method: MethodSelection? { if case .method(let method, _) = prediction { method } else { nil } }
  /// The id of its rows.
  var methodID: String { method?.id ?? StoredPredictionScoring(Ledger.predictionName).id }

  /// In the printed unit; nil where there is none.
  func value(in run: EvaluationRun) -> Double? {
    run.aggregation.summary.first { $0.method == methodID }?.value(metric).map { $0 / factor }
  }

  /// Whether a value, in the printed unit, is the printed one within the tolerance.
  func isMet(by value: Double) -> Bool {
    // A value on the very edge was rounded by whoever printed it.
    printed.map { abs(value - $0.value) <= tolerance * (1 + 1e-9) } ?? true
  }
}
