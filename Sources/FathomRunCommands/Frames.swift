import FathomCommandLine
import DepthReport
import FathomTables
package import ArgumentParser
import Foundation
import Logging

/// Makes a page of every frame of a stored run.
package struct Frames: AsyncParsableCommand {
  package init() {}
  package static let configuration = CommandConfiguration(
    abstract:
      "Make a page of every frame of a run: pictures to sort and filter by scene, metric, method and confidence.",
    discussion: """
      RUN is a folder that evaluate or merge wrote. The page is a folder beside it: index.html, which opens from a disk without a \
      server, its rows in rows.js, and small pictures of every frame. How large it will be is said before anything is written; \
      --dry-run says that alone. The maps are fused again with the run's options and seed, by one method of the run.
      """)

  @Argument(help: ArgumentHelp("Folder of a run.", valueName: "run"), completion: .directory) var folder:
    String
  @Argument(
    help: "The data that were evaluated (default: where the run found them).",
    completion: .file(extensions: ["h5"])) var data: [String] = []
  @Option(help: "Method whose maps are shown (default: that of the run's gallery).") var source: String?
  @Option(help: "Width of the pictures, pixels, 64 to 1920 (default: 400).") var width: Int?
  @Option(help: "Folder of the page (default: RUN-frames).", completion: .directory) var output: String?
  @Flag(help: "Print the size of the page without writing it.") var dryRun = false
  @Flag(help: "Replace an existing page of frames.") var overwrite = false
  @OptionGroup var files: DataFlags
  @Option(help: "Frames processed at once (default: the number of cores).") var jobs: JobCount?
  @Flag(help: "Print what was written as JSON.") var json = false
  @OptionGroup var console: Console

  package func validate() throws {
    if let width, !(64...1920).contains(width) {
      throw ValidationError("--width: \(width) is not from 64 to 1920 pixels")
    }
    if output?.isEmpty == true { throw ValidationError("--output: a folder's name is needed") }
  }

  package func run() async throws {
    var job = FramesJob(folder)
    (job.data, job.method, job.overwrite) = (data, source, overwrite)
    (job.external, job.mapping) = (files.external, files.mapping)
    if let width { job.width = width }
    if let jobs { job.jobs = jobs.count }
    console.warnOfMissingFont()
    let opened = try job.open(console.observe)
    let output = output ?? opened.defaultOutput
    let size = try await opened.size()
    let amount = "\(size.frames) frames, about \(Self.megabytes(size.bytes))"
    if dryRun {
      if json { return try console.show(json: table(output, size.frames, nil, size.bytes, nil)) }
      return try console.show("\(output): would hold \(amount)")
    }
    console.log.notice("\(output): \(amount)")
    let result = try await opened.write(to: output, link: link(from: output), console.observe)
    if json {
      return try console.show(
        json: table(result.page, result.frames, result.pictures, result.bytes, result.method), beside: output)
    }
    try console.show(
      "\(result.page): \(result.frames) frames, \(result.pictures) pictures of \(result.method), \(Self.megabytes(result.bytes))",
      beside: output)
  }

  private func table(_ page: String, _ frames: Int, _ pictures: Int?, _ bytes: Int, _ method: String?)
    -> String
  {
    DataTable(
      columns: ["page", "frames", "pictures", "bytes", "method"],
      rows: [[.text(page), .integer(frames), .init(pictures), .integer(bytes), .init(method)]]
    ).json
  }

  private static func megabytes(_ bytes: Int) -> String {
    bytes < 1_000_000 ? "\((bytes + 500) / 1000) kB" : "\(Double(bytes / 100_000) / 10) MB"
  }

  /// What leads from the page to the report where both lie in one folder: the address holds no place of this machine.
  private func link(from output: String) -> String? {
    let (page, run) = (Self.place(output), Self.place(folder))
    guard page.deletingLastPathComponent().path == run.deletingLastPathComponent().path,
      FileManager.default.fileExists(atPath: run.path + "/report.html"),
      let name = run.lastPathComponent.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
    else { return nil }
    return "../\(name)/report.html"
  }

  private static func place(_ path: String) -> URL { URL(fileURLWithPath: path).standardizedFileURL }
}
