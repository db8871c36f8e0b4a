import Foundation
import FathomPlainText
public import FathomStorage

/// Runs a notebook from top to bottom in a fresh kernel and puts its outputs into it.
///
/// It needs a Python with nbclient, nbformat, ipykernel, pandas and matplotlib.
public struct NotebookExecutor: Sendable {
  /// The Python interpreter.
  public let python: String

  static let advice: Wording =
    "install what it needs (pip install nbclient nbformat ipykernel pandas matplotlib), name another interpreter with \(option: "python"), or leave out the outputs with \(option: "no-execute")"

  /// - Parameter python: Path or name of an interpreter; nil for `python3`, which is looked for where a shell does.
  /// - Throws: `FathomError` where there is none.
  public init(python: String?) throws(FathomError) {
    let name = python ?? "python3"
    let found = Self.candidates(name).first { FileManager.default.isExecutableFile(atPath: $0) }
    guard let found else {
      throw Self.error(
        .noInput, name, reason: name.contains("/") ? "there is no such program" : "it is not on the PATH",
        advice: Self.advice)
    }
    self.python = found
  }

  /// - Parameter subject: The program, or the notebook.
  private static func error(
    _ kind: FathomError.Kind, _ subject: String, reason: String, advice: Wording
  ) -> FathomError {
    FathomError(
      kind, attempted: "execute the notebook with", place: subject, reason: "\(reason)", advice: advice)
  }

  private static func candidates(_ name: String) -> [String] {
    if name.contains("/") { return [URL(fileURLWithPath: name).path] }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    return path.split(separator: ":").map { "\($0)/\(name)" }
  }

  /// Executes a notebook in the folder that holds it. Equal tables and packages give equal bytes.
  /// - Parameter path: The notebook; it is replaced by itself with outputs.
  /// - Parameter began: Is given the id of the process, so that an interruption can end it.
  /// - Returns: Versions of the packages that made the outputs, by name.
  /// - Throws: `FathomError` where a package is missing, a cell fails or the program is no Python; the notebook is then unchanged.
  public func execute(
    _ path: String, began: (Int32) -> Void = { _ in }
  ) throws(FathomError) -> [String: String] {
    let result: ProcessResult
    do {
      result = try ProcessResult(
        running: python, ["-c", String(decoding: PackageResources.execute_py, as: UTF8.self), path],
        environment: Self.neutral(ProcessInfo.processInfo.environment), began: began)
    } catch {
      throw Self.error(.cannotCreate, python, reason: SystemFault(starting: error).words, advice: Self.advice)
    }
    let words = result.lastWords(marked: Self.mark)
    switch result.status {
    case 0:
      let versions = try? JSONDecoder().decode(
        [String: String].self, from: Data(result.lastOutput(marked: Self.mark).utf8))
      // Any program can end with 0; this one says what made the outputs.
      guard let versions, !versions.isEmpty else {
        throw Self.error(
          .cannotCreate, python, reason: "it did not run the notebook, so it is not a Python interpreter",
          advice: Self.advice)
      }
      return versions
    case Self.missingPackages:
      throw Self.error(.cannotCreate, python, reason: "it has no \(words)", advice: Self.advice)
    case Self.cellFailed:
      throw Self.error(
        .badData, python, reason: words,
        advice: "evaluate again, or leave out the outputs with \(option: "no-execute") and look at that cell")
    default:
      throw Self.error(
        .cannotCreate, python,
        reason: "it ended with \(result.end)" + (words.isEmpty ? "" : " and said: \(words)"),
        advice: Self.advice)
    }
  }

  private static let mark = "fathom:"  // How lines of `Resources/execute.py` itself begin.
  private static let missingPackages: Int32 = 3  // Its exit codes.
  private static let cellFailed: Int32 = 4

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
