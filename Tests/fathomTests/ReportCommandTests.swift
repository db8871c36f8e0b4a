import ArgumentParser
import Foundation
import FathomTestSupport
import Testing

@testable import FathomCommandLine

@Suite("fathom report")
struct ReportCommandTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func evaluate(_ options: String...) async -> Failure? {
    await run(
      [
        "evaluate", sample, "--methods", "lidar-bilinear,ols", "--frames", "0:1", "--no-objects", "--output",
        folder.path("run"), "--quiet",
      ] + options)
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: folder.path(name), encoding: .utf8)
  }

  @Test("every format from what is stored, and the same bytes as evaluate wrote")
  func formats() async throws {
    #expect(await evaluate() == nil)
    let (page, markdown) = (try text("run/report.html"), try text("run/report.md"))
    for format in ["html", "markdown", "latex", "json"] {
      #expect(await run("report", folder.path("run"), "--format", format, "--quiet") == nil)
    }
    #expect(try text("run/report.html") == page && text("run/report.md") == markdown)
    #expect(try text("run/report.tex").contains("\\label{tab:run-methods}"))
    let everything = try text("run/everything.json")
    #expect(everything.contains("\"diagnosis\" : [") && everything.contains("\"protocolStatement\""))
    // The page needs nothing else.
    #expect(page.contains("data:image/jpeg;base64,") && !page.contains("src=\"gallery"))
  }

  @Test("a file of one's own is not replaced unless that is asked for")
  func output() async throws {
    #expect(await evaluate("--no-figures", "--no-gallery", "--no-diagnosis") == nil)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path("run"))
    #expect(!files.contains("figures") && !files.contains("gallery") && !files.contains("diagnosis.csv"))
    let path = folder.path("mine.tex")
    let arguments = ["report", folder.path("run"), "--format", "latex", "--output", path, "--quiet"]
    #expect(await run(arguments) == nil)
    #expect(await run(arguments)?.code == Failure.cannotCreate)
    #expect(await run(arguments + ["--overwrite"]) == nil)
  }

  @Test("the name of the file asks for the format; Markdown elsewhere finds the pictures")
  func namedFormat() async throws {
    #expect(await evaluate() == nil)
    try FileManager.default.createDirectory(
      atPath: folder.path("papers/first"), withIntermediateDirectories: true)
    for (name, start) in [
      ("a.md", "# sample"), ("b.tex", "% sample"), ("c.json", "{"), ("d.html", "<!DOCTYPE"),
    ] {
      let path = folder.path("papers/first/" + name)
      #expect(await run("report", folder.path("run"), "--output", path, "--quiet") == nil)
      #expect(try text("papers/first/" + name).hasPrefix(start), "\(name)")
    }
    #expect(try text("papers/first/a.md").contains("](../../run/figures/mae-by-method.svg)"))
    let other = await run(
      "report", folder.path("run"), "--format", "html", "--output", folder.path("e.md"), "--quiet")
    #expect(other?.code == Failure.usage)
  }

  @Test(
    "a folder that lost or broke a file is refused alike by every command, and the advice is to evaluate again"
  )
  func damage() async throws {
    #expect(await evaluate() == nil)
    let (run, broken) = (folder.path("run"), folder.path("broken"))
    let json = ["report", broken, "--format", "json", "--quiet"]
    let html = ["report", broken, "--format", "html", "--quiet"]
    let markdown = ["report", broken, "--format", "markdown", "--quiet"]
    let export = ["export", broken, "--no-execute", "--output", folder.path("export"), "--quiet"]
    let compare = ["compare", run, broken, "--quiet"]
    let cases: [(file: String, isGone: Bool, commands: [[String]])] = [
      ("frames.csv", true, [json, export, compare]), ("frames.csv", false, [json, export, compare]),
      ("summary.csv", true, [json, export]), ("ranges.csv", true, [json, export]),
      ("ranges.csv", false, [json, export]), ("diagnosis.csv", true, [json, export]),
      ("run.json", true, [json, export, compare]), ("run.json", false, [json, export, compare]),
      ("report.json", true, [json, html, markdown]), ("report.json", false, [json, html, markdown]),
      ("figures/mae-by-method.svg", true, [html, markdown]), ("figures/mae-by-method.svg", false, [html]),
      ("gallery/1-truth.jpg", true, [html, markdown]), ("gallery/1-truth.jpg", false, [html]),
    ]
    for (file, isGone, commands) in cases {
      try? FileManager.default.removeItem(atPath: broken)
      try FileManager.default.copyItem(atPath: run, toPath: broken)
      let path = URL(fileURLWithPath: broken + "/" + file)
      let bytes = try Data(contentsOf: path)
      if isGone {
        try FileManager.default.removeItem(at: path)
      } else {
        try bytes.prefix(60).write(to: path)
      }
      for command in commands {
        let failure = await fathomTests.run(command)
        #expect(failure?.code == Failure.badData, "\(file), \(command)")
        if file != "run.json" {
          #expect(
            failure?.message.contains("; evaluate again, or restore the file") == true,
            "\(failure?.message ?? "")")
        }
      }
    }
  }

  @Test("no such run; a folder that is none")
  func faults() async throws {
    #expect(await run("report", folder.path("nowhere"))?.code == Failure.noInput)
    #expect(await run("report", sample)?.code == Failure.badData)
    let failure = try #require(await run("report", folder.path("")))
    #expect(failure.code == Failure.badData && failure.message.contains("it has no run.json, tune.json"))
  }
}
