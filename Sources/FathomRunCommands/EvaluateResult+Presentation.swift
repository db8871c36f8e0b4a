import FathomCommandLine
import DepthReport
import FathomDocuments
import FathomTables
import FathomRunFolders
import DepthEvaluation
import DepthVerdicts
import Foundation
import Logging
import FathomRuns
import FathomStorage

extension Console {
  /// Says what of a run deserves a word, on standard error.
  /// - Parameter namesObjects: Whether something was said about objects.
  private func warn(of result: EvaluateResult, namesObjects: Bool) {
    if result.run.objects == nil, namesObjects {
      log.warning("no scene has detected objects: the options for objects change nothing")
    }
    for row in result.checked.impossible {
      log.warning("a bug in fathom: \(row.table), \(row.problem); the row's values are omitted")
    }
    if let warning = result.diagnosis.flatMap({ DiagnosisSection($0).warning }) {
      log.warning("\(warning.withoutMarks)")
    }
  }

  /// Writes a run, and gives its folder the final name.
  /// - Parameter timing: Of what was done so far.
  /// - Parameter namesObjects: Whether something was said about objects.
  /// - Parameter work: Files in the folder that are not part of the run.
  func finish(
    _ result: EvaluateResult, _ gallery: RunGallery, in folder: consuming AtomicFolder, figures: Bool,
    timing: RunTiming, namesObjects: Bool = false, leavingOut work: [String] = []
  ) throws {
    warn(of: result, namesObjects: namesObjects)
    var timing = timing
    timing.begin(.writing)
    try result.write(to: folder, gallery: gallery, figures: figures, jobs: timing.jobs)
    timing.finish(namesMachine: verbose)
    log.info("\(timing.words)")
    try folder.write(timing.table.table(result.run), to: "timing.csv")
    try result.run.requireWhole()
    let manifest = try result.manifest(in: folder.path).json
    try folder.commit(manifest: manifest, leavingOut: Set(work))
  }

  /// Shows the best of a run that is written.
  /// - Throws: `Failure` where the run holds less than was asked for, and where something cannot be shown.
  func show(_ result: EvaluateResult, in folder: String, json: Bool) throws {
    if json {
      let summary = result.tables.files.first { $0.name == "summary.csv" }
      try show(json: summary?.table.json ?? "[]", beside: folder)
    } else {
      let (run, verdict) = (result.run, result.verdict)
      let findings = Findings(run, verdict)
      let answer = RunAnswer(
        run, verdict, commands: RunCommands(run.scenes, result.manifest, result.data, folder: folder))
      if let caveat = findings.caveat { try show(caveat.withoutMarks, beside: folder) }
      let badge = RunOverview(
        answer, result.diagnosis.map { DiagnosisSection($0) }, isDoubted: result.manifest.warnings != nil
      ).badge
      let lines = [AnswerBlock.Line("Result", badge.sentence)] + answer.lines
      let width = lines.map(\.label.count).max() ?? 0
      for line in lines {
        let label = line.label.padding(toLength: width, withPad: " ", startingAt: 0)
        try show("\(label)  \(line.text.withoutMarks)", beside: folder)
      }
      for sentence in answer.methods { try show("- " + sentence.withoutMarks, beside: folder) }
      let table = ReportTables.methods(result.run, result.verdict)
      if !table.rows.isEmpty {
        try show("\n" + table.plain + (table.partialNote.map { $0 + "\n" } ?? ""), beside: folder)
      }
      for sentence in DeviationSection(run).sentences {
        try show("- " + sentence.withoutMarks, beside: folder)
      }
      try show("Report: \(folder)/report.html", beside: folder)
    }
    if !result.checked.impossible.isEmpty { throw Failure(impossible: result.checked.impossible, in: folder) }
    if !result.run.unreadable.isEmpty {
      let names = result.run.unreadable.map(\.name).joined(separator: ", ")
      throw Failure(message: "skipped what could not be read: \(names)", code: Failure.badData)
    }
  }
}
