import ArgumentParser
import Foundation
import FathomRuns
import FathomStorage
import FathomTestSupport
import Testing
import Yams

@testable import FathomCommandLine
@testable import FathomRunCommands
@testable import fathom

/// What `fathom plan` prints is run by shells: every name reaches `evaluate` as it is, and nothing in it is run.
@Suite("plan", .enabled(if: BuiltCommand.path != nil, BuiltCommand.comment))
struct PlanCommandTests {
  let folder: TemporaryFolder

  /// Names that a shell would take for something else.
  static let names = [
    "my $(touch PWNED) scan.h5", "`touch PWNED`.h5", "a;touch PWNED;.h5", "x'; touch PWNED; '.h5",
    // A quote with an accent is one letter to people, and still a quote to a shell.
    "x'\u{301}; touch PWNED; '\u{301}.h5", "say \"hi\".h5", "back\\slash\\n.h5", "-dash.h5",
    "-\u{308}dash.h5",
    "{}.h5", "{number}.h5", "%s.h5", "*.h5x", "#hash.h5", "~tilde.h5", "!bang.h5", "a&b|c>d<e.h5",
    "= $HOME.h5",
    "ünï 部屋.h5", "end .h5", " begin.h5",
  ]

  init() throws {
    folder = try TemporaryFolder()
    for name in Self.names {
      try FileManager.default.copyItem(atPath: sample, toPath: folder.path(name))
    }
    // Notes its words, each ended by NUL, in a file of its own.
    _ = try folder.put(script: "printf '%s\\0' \"$@\" > \"$CALLS/$$\"", "bin/fathom")
    _ = try folder.put(
      script:
        "for word; do case $word in --wrap=*) SLURM_ARRAY_TASK_ID=1 sh -c \"${word#--wrap=}\";; esac; done\necho 7",
      "bin/sbatch")
  }

  /// What the command prints, for a shell.
  private func planned(_ format: String, _ options: [String] = [], names: [String] = PlanCommandTests.names)
    throws -> String
  {
    let done = try inFolder(
      [try #require(BuiltCommand.path), "plan", "--shards", "2", "--format", format] + options + ["--"]
        + names)
    try #require(done.code == 0, "\(done.errors)")
    return done.output
  }

  private func inFolder(_ words: [String]) throws -> (
    code: Int32, output: String, errors: String
  ) {
    let process = Process()
    (process.executableURL, process.arguments) = (URL(fileURLWithPath: "/usr/bin/env"), words)
    process.currentDirectoryURL = folder.url
    let calls = folder.path("calls-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(atPath: calls, withIntermediateDirectories: true)
    process.environment = ProcessInfo.processInfo.environment.merging([
      "CALLS": calls, "PATH": folder.path("bin") + ":/usr/bin:/bin",
    ]) { _, new in new }
    let (output, errors) = (folder.path("output"), folder.path("errors"))
    for path in [output, errors] { try Data().write(to: URL(fileURLWithPath: path)) }
    process.standardOutput = FileHandle(forWritingAtPath: output)
    process.standardError = FileHandle(forWritingAtPath: errors)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }
    let said = (process.terminationStatus, try text(output), try text(errors))
    lastCalls.paths = try FileManager.default.contentsOfDirectory(atPath: calls).map { calls + "/" + $0 }
    return said
  }

  /// Where the last shell's calls of `fathom` are noted.
  private final class Calls { var paths: [String] = [] }
  private let lastCalls = Calls()

  /// Words of every call, by the number of the shard.
  private func calls() throws -> [[String]] {
    try lastCalls.paths.map { path in
      let text = try String(contentsOfFile: path, encoding: .utf8)
      return text.unicodeScalars.split(separator: "\0").map { String($0) }
    }.sorted { $0.joined() < $1.joined() }
  }

  private func expected(_ shard: Int) -> [String] {
    ["evaluate"] + Self.names.map { $0.utf8.first == UInt8(ascii: "-") ? "./" + $0 : $0 }
      + ["--shard", "\(shard)/2", "--resume", "--output", "Shards/\(shard)", "--quiet"]
  }

  /// Byte for byte: strings are equal for other bytes, too.
  private func expect(_ calls: [[String]], _ shards: [Int], _ comment: Comment) {
    #expect(
      calls.map { $0.map { Array($0.utf8) } } == shards.map { expected($0).map { Array($0.utf8) } }, comment)
    #expect(!folder.exists("PWNED"), comment)
  }

  @Test("the documentation's own line runs the commands, whatever the names are")
  func documented() throws {
    let page = try String(
      contentsOf: PackageFiles.root.appendingPathComponent("docs/commands/plan.md"), encoding: .utf8)
    let line = try #require(page.firstMatch(of: /`(xargs [^`]*) < FILE`/)?.1)
    try folder.put(planned("parallel"), "plan.txt")
    let done = try inFolder(["sh", "-c", line + " < plan.txt"])
    #expect(done.code == 0, "\(done.errors)")
    expect(try calls(), [1, 2], "\(line)")
  }

  @Test("so do the commands of a table, of an array script, and of the workflows' configuration")
  func otherFormats() throws {
    let rows = try planned("tsv").split(separator: "\n").dropFirst()
    for (number, row) in rows.enumerated() {
      let command = try #require(row.split(separator: "\t").last)
      #expect(try inFolder(["sh", "-c", String(command)]).code == 0)
      expect(try calls(), [number + 1], "tsv")
    }
    try folder.put(planned("slurm"), "array.sh")
    #expect(try inFolder(["SLURM_ARRAY_TASK_ID=2", "bash", "array.sh"]).code == 0)
    expect(try calls(), [2], "slurm")
    let configuration = try #require(try Yams.load(yaml: planned("snakemake")) as? [String: Any])
    let inputs = try #require(configuration["inputs"] as? String)
    let rest = "--shard 1/2 --resume --output Shards/1 --quiet"
    #expect(try inFolder(["sh", "-c", "fathom evaluate \(inputs) \(rest)"]).code == 0)
    expect(try calls(), [1], "snakemake")
  }

  @Test("recordings are imported by the task that they are given to, whatever their names are, and once")
  func recordings() throws {
    let names = ["my $(touch PWNED) scan", "x'; touch PWNED; '", "-dash", "plain"]
    for name in names { try folder.putStrayScan(name) }
    let options = ["--for", "import"]
    let script = try planned("slurm", options, names: names)
    try folder.put(script, "array.sh")
    var found: [String] = []
    for task in 1...2 {
      #expect(try inFolder(["SLURM_ARRAY_TASK_ID=\(task)", "bash", "array.sh"]).code == 0)
      for call in try calls() {
        #expect(call.first == "import" && call.last == "--quiet" && call.count == 4)
        found.append(call[1])
        #expect(call[2] == "Imported/" + call[1].replacing("./", with: "") + ".h5")
      }
    }
    #expect(found.sorted() == names.map { $0 == "-dash" ? "./-dash" : $0 }.sorted())
    #expect(!folder.exists("PWNED"))
    // What is there is not imported again.
    for name in names { try folder.put("there", "Imported/\(name).h5") }
    for row in try planned("tsv", options, names: names).split(separator: "\n").dropFirst() {
      let command = try #require(row.split(separator: "\t").last)
      #expect(try inFolder(["sh", "-c", String(command)]).code == 0)
      #expect(try calls().isEmpty)
    }
  }

  @Test("Workflows/slurm.sh gives every name as it is")
  func arrayScript() throws {
    let script = PackageFiles.root.appendingPathComponent("Workflows/slurm.sh").path
    let done = try inFolder(["bash", script, "2", "Shards", "Run"] + Self.names)
    #expect(done.code == 0, "\(done.errors)")
    let found = try calls().filter { $0.first == "evaluate" }
    expect(found, [1], "slurm.sh")
    #expect(try calls().contains(["merge", "Shards/1", "Shards/2", "--output", "Run"]))
  }

  @Test("a name with a line feed is refused where a command is one line, and kept where it is not")
  func lineFeeds() async throws {
    let name = "two\nlines.h5"
    try FileManager.default.copyItem(atPath: sample, toPath: folder.path(name))
    for format in ["tsv", "parallel"] {
      let failure = await run("plan", folder.path(name), "--shards", "2", "--format", format)
      #expect(failure?.code == Failure.usage)
      #expect(failure?.message.contains("it contains a line feed or a tab") == true)
      #expect(failure?.message.contains("\n") == false)
    }
    let script = try planned("slurm", names: [name])
    try folder.put(script, "array.sh")
    #expect(try inFolder(["SLURM_ARRAY_TASK_ID=2", "bash", "array.sh"]).code == 0)
    #expect(try calls().first?.dropFirst().first == name)
    let configuration = try #require(
      try Yams.load(yaml: planned("snakemake", names: [name])) as? [String: Any])
    #expect(configuration["inputs"] as? String == "'\(name)'")
    // What a terminal would obey is not printed, and another name in its place would be another file.
    try FileManager.default.copyItem(atPath: sample, toPath: folder.path("a\u{1b}[2J.h5"))
    for format in ["tsv", "parallel", "slurm", "snakemake"] {
      let failure = await run("plan", folder.path("a\u{1b}[2J.h5"), "--shards", "2", "--format", format)
      #expect(failure?.code == Failure.usage && failure?.message.contains("\\u{1b}") == true)
      for words in [["--output", "a\nb"], ["--options", "--seed 3\ntouch PWNED"]] {
        #expect(
          await run(["plan", sample, "--shards", "2", "--format", format] + words)?.code == Failure.usage)
      }
    }
  }

  @Test("options for evaluate are given as the help shows them")
  func options() throws {
    let shown = try #require(Plan.helpMessage().firstMatch(of: /string:\s+'(--methods[^']*)'/)?.1)
    let words = shown.split(whereSeparator: \.isWhitespace).map(String.init)
    for given in [
      ["--options", words.joined(separator: " ")], ["--options=" + words.joined(separator: " ")],
    ] {
      let line = try planned("parallel", given, names: ["{}.h5"])
      #expect(
        line.hasPrefix("fathom evaluate '{}.h5' \(words.joined(separator: " ")) --shard 1/2 "), "\(line)")
      #expect(try inFolder(["sh", "-c", String(line.prefix { $0 != "\n" })]).code == 0)
      let call = try #require(try calls().first)
      #expect(call.dropFirst(2).prefix(words.count).elementsEqual(words))
      _ = try CommandLineWords(call).parse()
    }
  }
}

@Suite("numbers of frames at once, and of shards")
struct JobCountTests {
  @Test(
    "what makes no sense is refused with the range and a reason, by every command",
    arguments: ["0", "-1", "1025", "1000000000000", "1e3", "99999999999999999999", "two"])
  func refused(_ word: String) async {
    let commands = Fathom.configuration.subcommands.filter { type in
      DeclaredOption.all(of: type).contains { $0.name == "--jobs" }
    }
    #expect(commands.count == 9)
    for command in commands {
      let failure = await run(command._commandName, sample, "--jobs", word)
      #expect(failure?.code == Failure.usage, "\(command._commandName)")
      #expect(
        failure?.message.contains("--jobs: '\(word)' is not a whole number from 1 to 1024; each frame takes")
          == true, "\(failure?.message ?? "it ran")")
    }
  }

  @Test("from 1 to 1024 it is taken") func taken() {
    #expect(JobCount(argument: "1")?.count == 1 && JobCount(argument: "1024")?.count == 1024)
  }

  @Test("so it is with shards", arguments: ["0", "-3", "1000000000000"])
  func shards(_ word: String) async {
    let failure = await run("plan", sample, "--shards", word)
    #expect(failure?.code == Failure.usage)
    #expect(failure?.message.contains("is not from 1 to 100000") == true, "\(failure?.message ?? "it ran")")
  }
}
