import ArgumentParser
import DepthDataset
import Foundation
import FathomTestSupport
import Testing

@testable import FathomCommandLine

/// What becomes of a run when the system ends a reader of its data: the file may be as good as any, and nothing that is kept says otherwise.
@Suite("killed readers", .enabled(if: BuiltCommand.path != nil, BuiltCommand.comment))
struct KilledReaderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: sample, toPath: folder.path("a.h5"))
    try sampleCopy(to: folder.path("b.h5"))
  }

  /// A reader that a signal ends before it reads b.h5, as often as is said.
  private func reader(_ signal: String, times: Int) throws -> String {
    let ends = folder.path("ends")
    try? FileManager.default.removeItem(atPath: ends)
    return try folder.put(
      script: """
        case "$2" in *b.h5*)
          echo >> \(ends)
          [ $(wc -l < \(ends)) -gt \(times) ] || kill -\(signal) $$
        esac
        exec \(try #require(BuiltCommand.path)) "$@"
        """, "reader")
  }

  /// Evaluates both files in a process of its own: which reader is used is a property of the process.
  private func expect(_ code: Int32, _ reader: String, _ output: String, _ options: [String]) async {
    let words =
      ["evaluate", folder.path("a.h5"), folder.path("b.h5"), "--output", folder.path(output), "--keep-going"]
      + ["--methods", "ols", "--no-figures", "--no-gallery", "--no-diagnosis", "--quiet"] + options
    await #expect(processExitsWith: .exitCode(code)) {
      [words = words as [String], reader = reader as String] in
      ReaderProcess.executable = reader
      let failure = await run(words)
      if let failure { FileHandle.standardError.write(Data((failure.message + "\n").utf8)) }
      _exit(failure?.code.rawValue ?? 0)
    }
  }

  private func frames(_ output: String) throws -> String {
    try String(contentsOfFile: folder.path(output + "/frames.csv"), encoding: .utf8)
  }

  @Test(
    "a reader that is killed once changes nothing; killed twice, the run ends with 75 in spite of --keep-going"
  )
  func undivided() async throws {
    await expect(0, try reader("KILL", times: 0), "whole", [])
    await expect(0, try reader("KILL", times: 1), "once", [])
    #expect(try frames("once") == frames("whole"))
    await expect(75, try reader("KILL", times: 2), "twice", [])
    #expect(!folder.exists("twice"))
    // A crash is the file's own.
    await expect(65, try reader("SEGV", times: 1000), "crashed", [])
    #expect(try frames("crashed") != frames("whole"))
  }

  @Test(
    "a shard does not keep that a reader was killed: the same command goes on, and the merged run is whole")
  func shards() async throws {
    await expect(0, try reader("KILL", times: 0), "whole", [])
    let options = ["--shard", "1/1", "--resume"]
    for signal in ["KILL", "TERM"] {
      await expect(75, try reader(signal, times: 2), "shard", options)
      #expect(!folder.exists("shard/shard.json"))
    }
    await expect(0, try reader("KILL", times: 0), "shard", options)
    let failure = await run("merge", folder.path("shard"), "--output", folder.path("merged"), "--quiet")
    #expect(failure == nil)
    #expect(try frames("merged") == frames("whole"))
  }
}
