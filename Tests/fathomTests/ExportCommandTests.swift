import ArgumentParser
import Foundation
import FathomTestSupport
import Testing

@testable import FathomCommandLine

@Suite("fathom export")
struct ExportCommandTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let demo = PackageFiles.root.appendingPathComponent("Reports/kept/demo").path

  /// The committed run cut to its first frame, so that reading it takes no time.
  private func littleRun() throws -> String {
    let path = folder.path("little")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try UnrecordedManifest.copy(from: Self.demo, to: path, rows: 13)
    let tables = try FileManager.default.contentsOfDirectory(atPath: Self.demo).filter {
      $0.hasSuffix(".csv") && $0 != "frames.csv" || $0 == "tables.json"
    }
    for name in tables {
      try FileManager.default.copyItem(atPath: Self.demo + "/" + name, toPath: path + "/" + name)
    }
    let frames = try text(Self.demo + "/frames.csv").split(separator: "\n").prefix(14)
    try Data((frames.joined(separator: "\n") + "\n").utf8).write(
      to: URL(fileURLWithPath: path + "/frames.csv"))
    return path
  }

  private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  private func files(_ path: String) throws -> [String: Data] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: path).filter { $0.contains(".") }
    return Dictionary(
      uniqueKeysWithValues: names.map {
        ($0, FileManager.default.contents(atPath: path + "/" + $0) ?? Data())
      })
  }

  /// A run of the sample with objects and protocols.
  private func evaluated() async throws -> String {
    let path = folder.path("sample-run")
    let failure = await run(
      "evaluate", sample, "--methods", "ols", "--protocol-diff", "--output", path, "--quiet")
    #expect(failure == nil)
    return path
  }

  @Test(
    "tables, dictionary, notebook and provenance of a run with everything; tables are the run's to the byte")
  func outputFolder() async throws {
    let (source, output) = (try await evaluated(), folder.path("export"))
    #expect(await run("export", source, "--output", output, "--no-execute", "--quiet") == nil)
    let files = try files(output)
    let expected = [
      "confidence", "detections", "diagnosis", "frames", "methods", "object_summary", "objects", "pairwise",
      "protocols", "ranges", "scenes", "sparsification", "summary",
    ]
    let tables = files.keys.filter { $0.hasPrefix("tables/") }
    #expect(Set(expected.map { "tables/\($0).csv" }).isSubset(of: tables))
    #expect(
      files.keys.filter { !$0.contains("/") }.sorted() == [
        "DATA-DICTIONARY.md", "analysis.ipynb", "export.json", "run.json", "tables.json",
      ])
    for name in ["run.json", "tables.json"] {
      #expect(files[name] == FileManager.default.contents(atPath: source + "/" + name))
    }
    for name in tables {
      let own = source + "/" + name.dropFirst("tables/".count)
      #expect(files[name] == FileManager.default.contents(atPath: own), "\(name)")
    }
    let manifest = try text(output + "/export.json")
    #expect(manifest.contains("\"tool\" : \"fathom\"") && !manifest.contains("packages"))
    #expect(manifest.components(separatedBy: "\"sha256\"").count > 8)
    #expect(!FileManager.default.fileExists(atPath: output + ".partial"))
  }

  @Test("the same run gives the same bytes; an export is replaced only with --overwrite")
  func deterministic() async throws {
    let (a, b) = (folder.path("a"), folder.path("b"))
    #expect(await run("export", Self.demo, "--output", a, "--no-execute", "--quiet") == nil)
    #expect(await run("export", Self.demo + "/", "--output", b, "--no-execute", "--quiet") == nil)
    #expect(try files(a) == files(b))
    #expect(await run("export", Self.demo, "--output", a, "--no-execute", "--quiet")?.code.rawValue == 73)
    #expect(
      await run("export", Self.demo, "--output", a, "--no-execute", "--overwrite", "--quiet") == nil)
    #expect(try files(a) == files(b))
    // A run is not an export.
    let run = await fathomTests.run(
      "export", Self.demo, "--output", Self.demo, "--no-execute", "--overwrite", "--quiet")
    #expect(run?.code.rawValue == 73)
  }

  @Test(
    "64 wrong usage, 65 damaged or no run, 66 no such folder or Python, 73 no Jupyter; nothing is left behind"
  )
  func faults() async throws {
    let (little, output) = (try littleRun(), folder.path("export"))
    func code(_ arguments: String...) async -> Int32? {
      await run(["export"] + arguments + ["--output", output, "--quiet"])?.code.rawValue
    }
    func script(_ text: String) throws -> String {
      try folder.put(script: text, "python-\(UUID().uuidString)")
    }
    #expect(await code("--no-execute") == 64)
    #expect(await code(little, "--no-execute", "--python", "python3") == 64)
    #expect(await code(folder.path("nothing"), "--no-execute") == 66)
    #expect(await code(folder.url.path, "--no-execute") == 65)
    #expect(await code(sample, "--no-execute") == 65)
    #expect(await code(little, "--python", folder.path("no-python")) == 66)
    #expect(await code(little, "--python", "no-such-python-on-the-path") == 66)
    #expect(await code(little, "--python", try script("echo 'nbclient, pandas' >&2; exit 3")) == 73)
    #expect(await code(little, "--python", try script("kill -9 $$")) == 73)
    // It ends well, but ran nothing.
    #expect(await code(little, "--python", "/bin/true") == 73)
    #expect(await code(little, "--python", try script("echo 'fathom: {}'")) == 73)
    #expect(await code(little, "--python", try script("echo \"cell 'run' failed\" >&2; exit 4")) == 65)
    let damaged = folder.path("damaged")
    try FileManager.default.copyItem(atPath: little, toPath: damaged)
    try FileManager.default.removeItem(atPath: damaged + "/frames.csv")
    #expect(await code(damaged, "--no-execute") == 65)
    try Data("{}".utf8).write(to: URL(fileURLWithPath: damaged + "/run.json"))
    #expect(await code(damaged, "--no-execute") == 65)
    #expect(!folder.names.contains { $0.hasPrefix("export") })
  }

  @Test("without Jupyter the error says what to install, or to leave it out")
  func advice() async throws {
    let failure = await run("export", try littleRun(), "--python", "/bin/false", "--output", folder.path("x"))
    let message = try #require(failure?.message)
    #expect(message.contains("pip install nbclient") && message.contains("--no-execute"))
  }

  private static var hasJupyter: Bool {
    guard let python = PackageFiles.python else { return false }
    let library = python.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("lib")
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: library.path)) ?? []
    return versions.contains {
      FileManager.default.fileExists(
        atPath: library.appendingPathComponent("\($0)/site-packages/nbclient").path)
    }
  }

  private static let noJupyter = "the Python environment has no nbclient; run make setup"

  @Test("executed twice, the outputs are the same bytes", .enabled(if: hasJupyter, "\(noJupyter)"))
  func outputs() async throws {
    let source = try await evaluated()
    let python = try #require(PackageFiles.python).path
    let (a, b) = (folder.path("a"), folder.path("b"))
    #expect(await run("export", source, "--output", a, "--python", python, "--quiet") == nil)
    #expect(await run("export", source, "--output", b, "--python", python, "--quiet") == nil)
    #expect(try files(a) == files(b))
    let notebook = try text(a + "/analysis.ipynb")
    #expect(notebook.components(separatedBy: "\"image/png\"").count > 8)
    for trace in ["\"output_type\": \"error\"", "stderr", " at 0x", "iopub", folder.url.path] {
      #expect(!notebook.contains(trace), "\(trace)")
    }
    #expect(try text(a + "/export.json").contains("\"matplotlib\""))
  }

  @Test("a cell that fails is named, and nothing is left behind", .enabled(if: hasJupyter, "\(noJupyter)"))
  func failedCell() async throws {
    // Tables are compared with their columns before Python sees them, so it is pandas that is not what it should be.
    let stub = "import pandas\npandas.DataFrame.nlargest = lambda *_, **__: 1 / 0\n"
    try Data(stub.utf8).write(to: URL(fileURLWithPath: folder.path("sitecustomize.py")))
    let interpreter = try #require(PackageFiles.python).path
    let python = try folder.put(
      script: "PYTHONPATH='\(folder.path(""))' exec '\(interpreter)' \"$@\"", "python3")
    let failure = await run(
      "export", try littleRun(), "--output", folder.path("export"), "--python", python, "--quiet")
    #expect(failure?.code.rawValue == 65)
    #expect(failure?.message.contains("cell 'worst' failed") == true, "\(failure?.message ?? "")")
    #expect(!folder.names.contains { $0.hasPrefix("export") })
  }
}
