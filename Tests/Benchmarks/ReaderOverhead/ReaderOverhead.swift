import DepthDataset
import DepthReport
import Foundation
import Glibc
import FathomRuns

/// fathom-reader-overhead FILE.h5 within|apart: one whole evaluation of a data set, its report written, that is read in this process or in a
/// confined one. `Tests/Benchmarks/reader_overhead.py` measures both.
@main
enum ReaderOverhead {
  static func main() async throws {
    ReaderProcess.serveIfAsked()
    let words = CommandLine.arguments
    guard words.count == 3, ["within", "apart"].contains(words[2]) else {
      FileHandle.standardError.write(Data("usage: fathom-reader-overhead FILE.h5 within|apart\n".utf8))
      exit(64)
    }
    ReaderProcess.executable = words[2] == "apart" ? "/proc/self/exe" : nil
    let folder = FileManager.default.temporaryDirectory.appending(path: "reader-overhead-\(getpid())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let result = try await EvaluateJob(DataSelection([words[1]])).run()
    try await result.write(to: folder.path)
  }
}
