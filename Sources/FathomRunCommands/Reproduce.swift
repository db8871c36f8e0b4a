import FathomCommandLine
import FathomJobReports
import FathomDocuments
package import ArgumentParser
import FathomPlainText
import FathomRuns
import FathomStudies
import FathomStorage

/// Compares printed numbers with those that their files give.
package struct Reproduce: AsyncParsableCommand {
  package init() {}
  package static let configuration = CommandConfiguration(
    abstract: "Recompute the printed numbers of a ledger from its files, and say which match.",
    discussion: """
      A ledger is a YAML file: printed numbers with their digits, the maps that they are of, and every switch of the protocol. Where a number \
      differs, the protocols that differ in one switch are tried, and the switch that gives the printed value is named. Nothing is downloaded: \
      of a file that is not there, the ledger says where it comes from.

      Exit code 1 where a verified number does not come out as the ledger expects.
      """)

  @Argument(help: "Ledgers.", completion: .file(extensions: ["yaml"])) var ledgers: [String]
  @Option(help: "Folder of the maps (default: each ledger's own).", completion: .directory) var data: String?
  @Option(
    help: "Folder to write, with report.md, report.html and reproduce.json (default: none).",
    completion: .directory) var output: String?
  @Flag(help: "Replace an existing folder of a reproduction.") var overwrite = false
  @Option(help: "Frames processed at once (default: the number of cores).") var jobs: JobCount?
  @Flag(help: "Print reproduce.json instead of tables.") var json = false
  @OptionGroup var sandbox: SandboxFlags
  @OptionGroup var console: Console

  package func validate() throws {
    if output?.isEmpty == true { throw ValidationError("--output: a folder's name is needed") }
    if data?.isEmpty == true { throw ValidationError("--data: a folder's name is needed") }
  }

  package func run() async throws {
    var job = ReproduceJob(
      try ledgers.map { path throws(FathomError) in try LedgerFile.ledger(at: path) }, folder: data)
    if let jobs { job.jobs = jobs.count }
    let result = try await job.run(console.observe)
    let manifest = try ReproductionManifest(result).json
    if let output {
      let folder = try AtomicFolder(output, kind: .reproduction, overwrite: overwrite)
      try result.write(to: folder)
      try folder.commit(manifest: manifest)
    }
    if json {
      try console.show(json: manifest, beside: output)
    } else {
      for ledger in result.ledgers {
        try console.show(
          ledger.ledger.title + "\n\n" + ReproductionDocument.table(ledger).withoutEmptyColumns().plain,
          beside: output)
      }
      for sentence in ReproductionDocument(result).sentences {
        try console.show("- " + sentence.withoutMarks, beside: output)
      }
      if let output { try console.show("Report: \(output)/report.html", beside: output) }
    }
    if let first = result.unexpected.first {
      let others = result.unexpected.count - 1
      throw Failure(
        message: "\(first.entry.name): \(first.outcome.word), which is not as expected"
          + (others > 0 ? "; and \(counted(others, "other number"))" : ""), code: .failure)
    }
  }
}
