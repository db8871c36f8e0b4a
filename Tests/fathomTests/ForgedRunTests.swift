import Foundation
import FathomTestSupport
import Testing

@testable import FathomCommandLine

/// Runs of others: what is in them is shown as it is, or refused with the name of the file.
@Suite("stored folders that somebody changed")
struct ForgedRunTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private var path: String { folder.path("run") }

  private func makeRun(_ options: String...) async throws {
    let failure = await run(
      [
        "evaluate", sample, "--methods", "lidar-bilinear,ols", "--frames", "0:2", "--no-objects",
        "--no-gallery",
      ]
        + ["--no-diagnosis", "--output", path, "--quiet"] + options)
    #expect(failure == nil, "\(failure?.message ?? "")")
  }

  private func report(_ format: String) async -> Failure? {
    await run(
      "report", path, "--format", format, "--output", folder.path("page.\(format)"), "--overwrite", "--quiet")
  }

  private func expectRefusal(_ failure: Failure?, _ words: String..., file: String) {
    #expect(failure?.code == Failure.badData)
    #expect(failure?.message.contains("\n") == false)
    for text in words + [file] {
      #expect(failure?.message.contains(text) == true, "\(failure?.message ?? "none")")
    }
  }

  @Test("a row with more or fewer cells than there are columns, or numbers that are none, are refused")
  func rows() async throws {
    try await makeRun("--no-figures")
    let whole = try String(contentsOfFile: path + "/report.json", encoding: .utf8)
    let start = try #require(whole.range(of: "\"rows\":[["))
    for (forged, words) in [
      (whole.replacingCharacters(in: start, with: "\"rows\":[[{\"text\":\"x\"},"), "cells for"),
      (whole.replacingCharacters(in: start, with: "\"rows\":[[],["), "row 0 has 0 cells"),
      (whole.replacing("\"columns\":[", with: "\"columns\":[[],", maxReplacements: 1), "is not a "),
      (
        whole.replacing("\"isNumeric\":true", with: "\"isNumeric\":7", maxReplacements: 1),
        "is not true or false"
      ),
      (String(repeating: "[", count: 100_000), "it is not JSON"),
      (String(repeating: "{\"subsections\":[", count: 400), "it is not JSON"),
    ] {
      try ForgedFolder.write(Array(forged.utf8), to: "report.json", of: path)
      for format in ["html", "markdown", "latex", "json"] {
        expectRefusal(await report(format), words, file: "report.json")
      }
    }
    #expect(!folder.exists("page.html"))
  }

  @Test("numbers of any size are shown, or refused, and never the end of the program")
  func numbers() async throws {
    try await makeRun()
    let whole = try String(contentsOfFile: path + "/report.json", encoding: .utf8)
    for number in ["1e308", "-1e308", "5e-324", "0", "-1"] {
      for key in ["value", "low", "high"] {
        let forged = whole.replacing(try Regex("\"\(key)\":[-0-9.e]+"), with: "\"\(key)\":\(number)")
        try ForgedFolder.write(Array(forged.utf8), to: "report.json", of: path)
        for format in ["html", "markdown", "latex"] {
          let failure = await report(format)
          #expect(failure == nil, "\(key) \(number): \(failure?.message ?? "")")
        }
      }
    }
  }

  @Test(
    "a figure that is not as charts are is refused",
    arguments: [
      "<script>alert(1)</script>", "<g onload=\"alert(1)\"/>",
      "<rect style=\"fill:url(http://example.org)\"/>",
      "<foreignObject/>", "<a href=\"javascript:alert(1)\"/>", "<a href=\"http://example.org\"/>",
      "<use href=\"#x\"/>",
      "<a xlink:href=\"#x\"/>", "<style>*{display:none}</style>", "<style>@import url(x);</style>",
      "<![CDATA[<script>]]>", "<?xml-stylesheet href=\"x\"?>", "<!-- x -->", "<!-- --!><script>", "&xxe;",
      "&#106;",
      "</svg><script>alert(1)</script><svg viewBox=\"0 0 1 1\">", "<title><script>alert(1)</script></title>",
      "<desc><b>x</b></desc>", "<animate attributeName=\"href\"/>", "<image href=\"x\"/>",
      "<rect fill=\"url(http://x)\"/>",
      "<rect\nonload=\"x\"/>", "<rect fill='x'/>", "<g>", "</g></g>", "<rect fill=\"x\"onload=\"x\"/>",
      "<RECT/>",
      "<text>\u{202e}</text>", "loose", "<rect fill=\"URL(#a)\"/>", "<svg viewBox=\"0 0 1 1\"></svg>",
    ])
  func figures(_ markup: String) async throws {
    try await makeRun()
    let names = try FileManager.default.contentsOfDirectory(atPath: path + "/figures").sorted()
    let file = try #require(names.first { $0.hasSuffix(".svg") })
    try ForgedFolder.replace("</svg>", by: markup + "</svg>", in: "figures/" + file, of: path)
    expectRefusal(await report("html"), "it is not a chart of fathom", file: "figures/" + file)
  }

  @Test("words of a report become text, not markup")
  func words() async throws {
    try await makeRun("--no-figures")
    let whole = try String(contentsOfFile: path + "/report.json", encoding: .utf8)
    let evil = #"</p><script>alert(1)</script><a href=\"javascript:alert(1)\">x</a> [y](javascript:alert(1))"#
    for key in [
      "title", "caveat", "paragraph", "text", "label", "generator", "caption", "id", "anchor", "target",
    ] {
      let forged = whole.replacing(try Regex("\"\(key)\":\"[^\"]*\""), with: "\"\(key)\":\"\(evil)\"")
      try ForgedFolder.write(Array(forged.utf8), to: "report.json", of: path)
      let failure = await report("html")
      #expect(failure == nil, "\(key): \(failure?.message ?? "")")
      let page = try String(contentsOfFile: folder.path("page.html"), encoding: .utf8)
      #expect(page.matches(of: /<script/).count == 1, "\(key)")
      #expect(!page.contains("href=\"javascript"), "\(key)")
    }
    let line = #"\n\\input{/etc/passwd}\n"#
    let forged = whole.replacing(try Regex("\"generator\":\"[^\"]*\""), with: "\"generator\":\"\(line)\"")
    try ForgedFolder.write(Array(forged.utf8), to: "report.json", of: path)
    #expect(await report("latex") == nil)
    let latex = try String(contentsOfFile: folder.path("page.latex"), encoding: .utf8)
    #expect(latex.split(separator: "\n").allSatisfy { !$0.hasPrefix("\\input") })
  }

  @Test("a link that leads out of the folder, a pipe, and a file without end are not read")
  func files() async throws {
    try await makeRun("--no-figures")
    try Data("{\"secret\": 1}".utf8).write(to: folder.url.appendingPathComponent("secret.json"))
    try FileManager.default.createSymbolicLink(
      atPath: path + "/extra.json", withDestinationPath: folder.path("secret.json"))
    expectRefusal(await report("json"), "leads out of the folder", file: "extra.json")
    try FileManager.default.removeItem(atPath: path + "/extra.json")
    #expect(mkfifo(path + "/extra.json", 0o600) == 0)
    expectRefusal(await report("json"), "not a regular file", file: "extra.json")
    try FileManager.default.removeItem(atPath: path + "/extra.json")
    #expect(FileManager.default.createFile(atPath: path + "/extra.json", contents: nil))
    #expect(truncate(path + "/extra.json", 1 << 40) == 0)
    expectRefusal(await report("json"), "more than 256 MiB", file: "extra.json")
  }
}
