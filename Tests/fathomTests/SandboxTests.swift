import ArgumentParser
import DepthDataset
import Foundation
import FathomStorage
import FathomTestSupport
import Testing

@testable import FathomCommandLine
@testable import fathom

/// What keeps readers and ffmpeg from doing anything else, and what is said where the system lacks it.
@Suite(
  "sandbox",
  .enabled(
    if: BuiltCommand.path != nil && BuiltCommand.built("fathom-sandbox-probe") != nil, BuiltCommand.comment))
struct SandboxTests {
  let folder: TemporaryFolder
  let probe: String

  init() throws {
    folder = try TemporaryFolder()
    probe = try #require(BuiltCommand.built("fathom-sandbox-probe"))
    try folder.put("mine", "data/file")
    try folder.put("not mine", "outside")
    try FileManager.default.copyItem(atPath: sample, toPath: folder.path("sample.h5"))
  }

  /// Runs the probe; a pipe takes what it says, because the files of a confined process may not grow.
  private func probed(_ words: [String]) throws -> (code: Int32, lines: [Substring]) {
    let process = Process()
    let output = Pipe()
    (process.executableURL, process.arguments) = (URL(fileURLWithPath: probe), words)
    (process.standardOutput, process.standardInput) = (output, FileHandle.nullDevice)
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path("data"))
    try process.run()
    let said = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: said, as: UTF8.self).split(separator: "\n"))
  }

  @Test(
    "no process, file or socket of others can be reached, and what reading needs can be done",
    arguments: ["file", "linked", "folder", "tool"])
  func everyProbe(_ mode: String) throws {
    let (code, lines) = try probed([mode, folder.path("data")])
    #expect(code == 0, "\(lines.filter { !$0.hasPrefix("refused") && !$0.hasPrefix("works") })")
    let missing = lines.filter { $0.hasPrefix("not tried") }
    // On a system without a layer, only what remains is tried, and the names of the others are said.
    #expect(missing.isEmpty == Self.hasAll, "\(missing)")
    #expect(lines.contains { $0.hasPrefix("works") })
    #expect(missing.count + lines.count { $0.hasPrefix("refused") } > 40)
    #expect(try String(contentsOfFile: folder.path("data/file"), encoding: .utf8) == "mine")
    #expect(folder.names.sorted() == ["data", "outside", "sample.h5"])
  }

  /// Elsewhere there is nothing to take away.
  private static let hasAll = ReaderLayers.availableNames.count == 3
  private static let lacksSome: Comment = "this system lacks Landlock or seccomp: only what it has was tried"

  @Test(
    "without a layer of the kernel the others still refuse what they refuse", .enabled(if: hasAll, lacksSome))
  func remainingLayers() throws {
    for (missing, layer) in [("landlock", "read_of(\"/etc/passwd\")"), ("seccomp", "kill(victim, 0)")] {
      let (code, lines) = try probed(["without", missing, probe, "folder", folder.path("data")])
      #expect(code == 0, "\(lines.filter { !$0.hasPrefix("refused") && !$0.hasPrefix("works") })")
      #expect(lines.contains { $0.hasPrefix("not tried") && $0.contains(layer) })
      #expect(lines.contains { $0.hasPrefix("refused") })
    }
  }

  private func command(_ words: [String], without layers: String?) throws -> BuiltCommand {
    try BuiltCommand(
      words, in: folder.url, seconds: 120, through: layers.map { [probe, "without", $0] } ?? [])
  }

  @Test(
    "a system without Landlock or seccomp is named in one line, in --version and in run.json",
    .enabled(if: hasAll, lacksSome),
    arguments: [
      ("landlock", "Landlock", ["limits", "seccomp"]), ("seccomp", "seccomp", ["limits", "Landlock"]),
      ("landlock,seccomp", "Landlock and seccomp", ["limits"]),
    ])
  func warning(_ missing: String, _ words: String, _ left: [String]) throws {
    let version = try command(["--version"], without: missing)
    #expect(
      version.output.split(separator: "\n").last.map(String.init)
        == "protections of readers: \(left.joined(separator: ", "))")
    try MadeStray.write("scan", in: folder, from: 5, step: 0.001, quaternion: "0, 0.6, 0, 0.8")
    for data in ["sample.h5", "scan"] {
      let inspected = try command(["inspect", folder.path(data)], without: missing)
      let warnings = inspected.errorLines.filter { $0.contains("warning") }
      #expect(inspected.code == 0, "\(inspected.errors)")
      #expect(warnings.count == 1)
      #expect(warnings.first?.hasPrefix("fathom: warning: this system lacks \(words): ") == true)
    }
    let run = try command(
      [
        "evaluate", folder.path("sample.h5"), "--methods", "ols", "--no-figures", "--no-gallery",
        "--no-diagnosis", "--output", folder.path("run"),
      ], without: missing)
    #expect(run.code == 0 && run.errorLines.count { $0.contains("this system lacks") } == 1, "\(run.errors)")
    let text = try String(contentsOfFile: folder.path("run/run.json"), encoding: .utf8)
    let manifest = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect((manifest["inputs"] as? [[String: Any]])?.first?["protections"] as? [String] == left)
  }

  @Test("with all layers nothing is said", .enabled(if: hasAll, lacksSome))
  func silence() throws {
    let inspected = try command(["inspect", folder.path("sample.h5"), "--require-sandbox"], without: nil)
    #expect(inspected.code == 0 && inspected.errors.isEmpty, "\(inspected.errors)")
  }

  @Test(
    "--require-sandbox ends every command that reads data, before it reads",
    .enabled(if: hasAll, lacksSome),
    arguments: [
      ["inspect", "sample.h5"], ["inspect", "scan"],
      ["evaluate", "sample.h5", "--keep-going", "--output", "out"], ["diagnose", "sample.h5"],
      ["calibrate", "sample.h5", "--output", "out"], ["tune", "sample.h5", "--output", "out"],
      ["render", "sample.h5", "--output", "out.png"],
      ["replay", "sample.h5", "--stage", "detect=45ms", "--output", "out"],
      ["plan", "sample.h5", "--shards", "2"], ["import", "scan", "out.h5"],
      ["export", "sample.h5", "--as", "png16", "--output", "out"],
    ])
  func required(_ words: [String]) throws {
    try MadeStray.write("scan", in: folder, from: 5, step: 0.001, quaternion: "0, 0.6, 0, 0.8")
    let words = words.map {
      ["sample.h5", "scan", "out", "out.png", "out.h5"].contains($0) ? folder.path($0) : $0
    }
    for missing in ["landlock", "seccomp"] {
      let ended = try command(words + ["--require-sandbox", "--quiet"], without: missing)
      #expect(ended.code == 74, "\(words): \(ended.code ?? -1) \(ended.errors)")
      #expect(ended.errorLines.count == 1 && ended.errors.contains("--require-sandbox"), "\(ended.errors)")
      #expect(!folder.names.contains { $0.hasPrefix("out.") || $0 == "out" }, "\(words)")
    }
  }

  @Test("every command that reads data has the option")
  func flag() {
    let readers: Set = [
      "evaluate", "merge", "plan", "export", "inspect", "diagnose", "calibrate", "replay", "tune", "import",
      "attach", "render", "frames", "fuse", "certify", "reproduce",
    ]
    let found = Fathom.configuration.subcommands.filter { type in
      DeclaredOption.all(of: type).contains { $0.name == "--require-sandbox" }
    }
    #expect(Set(found.map { $0._commandName }) == readers)
  }
}
