import ArgumentParser
import FathomDocuments
import Foundation

/// Writes reports that no run makes, for the check of their pages in a browser.
@main
struct PageFixtures: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fathom-page-fixtures",
    abstract: "Writes reports with hostile names and of a large run, each with report.html.")

  @Argument(help: "A folder that does not exist yet.") var output: String

  func run() throws {
    for fixture in [HostileReport.fixture, try LargeReport.fixture()] {
      let folder = URL(fileURLWithPath: output).appendingPathComponent(fixture.name)
      for (name, bytes) in fixture.files.sorted(by: { $0.key < $1.key }) {
        try write(bytes, to: folder.appendingPathComponent(name))
      }
      try write(Array(try fixture.document.json.utf8), to: folder.appendingPathComponent("report.json"))
      let page = try HTMLReport(fixture.document) { name in
        guard let bytes = fixture.files[name] else { throw CocoaError(.fileNoSuchFile) }
        return bytes
      }.render()
      try write(Array(page.utf8), to: folder.appendingPathComponent("report.html"))
    }
  }

  private func write(_ bytes: [UInt8], to file: URL) throws {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }
}

/// A report and the files that it shows.
struct Fixture {
  let name: String
  let document: ReportDocument
  /// Bytes by the name below the run folder.
  let files: [String: [UInt8]]
}
