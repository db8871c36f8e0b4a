package import FathomPlainText
package import FathomStorage
import Foundation

/// A program of this package in Python, and the interpreter that runs it.
///
/// Lines of the program itself begin with "fathom:"; it ends with 3 and names the packages where some are missing.
package struct PythonProgram: Sendable {
  package let python: String
  private let attempted: String, advice: Wording
  private static let mark = "fathom:", missingPackages: Int32 = 3

  /// - Parameter attempted: "execute the notebook with", before the interpreter's name.
  /// - Parameter python: Path or name of an interpreter; nil for `python3`, which is looked for where a shell does.
  /// - Throws: `FathomError` where there is none.
  package init(_ attempted: String, python: String?, advice: Wording) throws(FathomError) {
    let name = python ?? "python3"
    (self.attempted, self.advice) = (attempted, advice)
    let path = ProcessResult.executable(name)
    self.python = path ?? name
    guard path != nil else {
      throw error(.noInput, name.contains("/") ? "there is no such program" : "it is not on the PATH")
    }
  }

  /// - Parameter advice: nil for how to get an interpreter that works.
  package func error(_ kind: FathomError.Kind, _ reason: String, advice: Wording? = nil) -> FathomError {
    FathomError(
      kind, attempted: attempted, place: python, reason: "\(reason)", advice: advice ?? self.advice)
  }

  /// - Parameter accepted: Exit codes that are answers.
  /// - Parameter began: Is given the id of the process, so that an interruption can end it.
  /// - Returns: The exit code, and the last line of the program: on standard output where it ended with 0, else on standard error.
  /// - Throws: `FathomError` where it cannot be started, packages are missing, or it ends otherwise.
  package func run(
    _ program: [UInt8], _ arguments: [String], accepted: [Int32] = [0], began: (Int32) -> Void
  ) throws(FathomError) -> (status: Int32, words: String) {
    let result: ProcessResult
    do {
      result = try ProcessResult(
        running: python, ["-c", String(decoding: program, as: UTF8.self)] + arguments,
        environment: Self.neutral(ProcessInfo.processInfo.environment), began: began)
    } catch let problem {
      throw error(.cannotCreate, SystemFault(starting: problem).words)
    }
    if result.status == 0, accepted.contains(0) { return (0, result.lastOutput(marked: Self.mark)) }
    let words = result.lastWords(marked: Self.mark)
    if accepted.contains(result.status) { return (result.status, words) }
    throw error(
      .cannotCreate,
      result.status == Self.missingPackages
        ? "it has no \(words)" : "it ended with \(result.end)" + (words.isEmpty ? "" : " and said: \(words)"))
  }

  /// Without what lets a user or a locale change what cells print and draw.
  private static func neutral(_ environment: [String: String]) -> [String: String] {
    var kept = environment.filter { name, _ in
      !["LC_", "LANG", "MPLBACKEND", "MATPLOTLIBRC", "PYTHONSTARTUP", "PYTHONWARNINGS"].contains {
        name.hasPrefix($0)
      }
    }
    (kept["LC_ALL"], kept["PYTHONHASHSEED"], kept["PYTHONUTF8"]) = ("C.UTF-8", "0", "1")
    return kept
  }
}
