import FathomCommandLine
import FathomDataCommands
import FathomRunCommands
import FathomLibraryVersions
import ArgumentParser
import CFathomGlibc
import DepthDataset
import DepthImport
import Foundation
import Glibc
import FathomStorage
import FathomTables

/// The command: parses, delegates and turns errors into one line and an exit code.
struct Fathom: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fathom",
    abstract: "Scores depth maps, fuses them with LiDAR, and calibrates both against ground truth.",
    discussion: """
      Exit codes: 0 done, 1 a check failed, 64 wrong usage, 65 bad data, 66 no such input, \
      70 a fault of fathom itself, 73 cannot create output, 74 reading or writing failed, \
      75 a resource was short or a process was killed: try again, 130 interrupted.
      """,
    // Found out only where it is asked for: that starts a process.
    version: CommandLine.arguments.contains("--version") ? LibraryVersions.described : Version.current,
    subcommands: [
      Evaluate.self, Merge.self, Plan.self, Samples.self, Compare.self, Report.self, Export.self,
      Inspect.self, Diagnose.self, Calibrate.self, Certify.self, Replay.self, Tune.self, Reproduce.self,
      Import.self, Attach.self, Synthesize.self, Fuse.self, Render.self, Frames.self, Bench.self,
    ])
}

@main enum Main {
  static func main() async {
    // Frame-sized arrays come and go: kept by the allocator instead of being returned to the system and zeroed
    // again, an evaluation takes a third less time.
    mallopt(M_MMAP_THRESHOLD, 1 << 30)
    mallopt(M_TRIM_THRESHOLD, Int32.max)
    // What one thread gives back another may take: with more heaps than processors the peak is a tenth higher, and no run faster.
    mallopt(M_ARENA_MAX, Int32(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    ReaderProcess.serveIfAsked()
    RecordingProcess.serveIfAsked()
    VideoProcess.serveIfAsked()
    ReaderProcess.executable = "/proc/self/exe"
    if CommandLine.arguments.dropFirst().elementsEqual(["--version"]) {
      // Without the parser, the paths of Foundation and what work needs of the system: a fifth of the time.
      print(LibraryVersions.described)
      end(0)
    }
    PackagedFonts.use()
    // A file that may not grow any more is an error of writing like others, not the end.
    signal(SIGXFSZ, SIG_IGN)
    // The parent process may ignore it: then a reader's exit code would be lost.
    signal(SIGCHLD, SIG_DFL)
    let words = CommandLineWords(Array(CommandLine.arguments.dropFirst()))
    do {
      // Before the runtime starts threads: it waits for ever where it cannot.
      SystemLimits.raiseFiles()
      try SystemLimits.check()
      try Interruption.handle()
      var command = try words.parse()
      SandboxFlags.apply(of: command)
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch {
      // Help and version texts are not failures: the parser prints them.
      guard let failure = Failure(error, of: words.command) else { Fathom.exit(withError: error) }
      Interruption.yield()
      Console.write("fathom: \(failure.message)\(Interruption.kept.map { "; \($0)" } ?? "")\n")
      end(failure.code.rawValue)
    }
    end(0)
  }

  /// Ends the process without the exit handlers of C libraries: they would take apart what a task that still reads or hashes a file, and
  /// that is no longer waited for, is using on another thread, and the process would die of a signal now and then.
  private static func end(_ code: Int32) -> Never {
    UnfinishedOutputs.discard {
      fflush(nil)
      _exit(code)
    }
  }
}
