package import FathomRunFolders
package import ArgumentParser
import DepthCore
public import DepthGraphics
import FathomPlainText
public import FathomStorage

/// An error as a user sees it: one line and an exit code (interface: sysexits).
package struct Failure: Error {
  package let message: String, code: ExitCode
  package static let usage = ExitCode(64), badData = ExitCode(65), noInput = ExitCode(66)
  /// A fault of Fathom itself; never 1, which is a check's no.
  package static let internalFault = ExitCode(70)
  package static let cannotCreate = ExitCode(73), inputOutput = ExitCode(74)
  package static let shortage = ExitCode(75)  // A resource is short; another try may succeed.
  private static let longest = 2000  // Longer messages do not help.

  package init(message: String, code: ExitCode) {
    let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
    (self.message, self.code) = (line.visible.shortened(to: Self.longest), code)
  }

  /// - Parameter command: Whose help says more: "fathom evaluate".
  package init(usage problem: String, of command: String) {
    let end = problem.last.map { ".?!".contains($0) } ?? false
    self.init(
      message: "\(end ? problem : problem + ";") see '\(command) --help'", code: Self.usage)
  }

  /// What the parser calls "Missing expected argument '--output <output>'" is "--output is missing" here, as other messages are worded.
  private static func reworded(_ message: String) -> String {
    guard let name = message.firstMatch(of: #/^Missing expected argument '(--[a-z-]+|<[^>]+>)/#)?.1 else {
      return message.replacing(#/^Unknown option ('[^']+')/#) { "there is no option \($0.1) here" }
    }
    return name.hasPrefix("--")
      ? "\(name.prefix { $0 != " " }) is missing" : "the argument \(name) is missing"
  }

  /// Rows of a run that cannot be: the run is there, but somebody should look.
  package init(impossible rows: [ImpossibleRow], in folder: String) {
    let what = rows.count == 1 ? "one row held values" : "\(rows.count) rows held values"
    self.init(
      message:
        "\(folder) is written, but \(what) that are impossible, which is a bug in fathom; they were omitted and run.json lists them; please report this",
      code: Self.internalFault)
  }

  /// nil where nothing failed: help, version.
  /// - Parameter command: Whose arguments were parsed: "fathom evaluate".
  package init?(_ error: any Error, of command: String = "fathom") {
    switch error {
    case let failure as Failure: self = failure
    case let error as any UserFacingError:
      self.init(message: error.onCommandLine, code: ExitCode(error.kind.rawValue))
    case let problem as OptionProblem: self.init(usage: problem.onCommandLine, of: command)
    case let error as ImpossibleResults: self.init(message: error.description, code: .failure)
    default:
      let code = Console.exitCode(for: error)
      guard code != .success else { return nil }
      let message = Console.message(for: error)
      if code == Self.usage {
        self.init(usage: Self.reworded(message), of: command)
      } else {
        self.init(message: message, code: Self.inputOutput)
      }
    }
  }
}

// The library that draws pictures knows no files and no exit codes.
extension GraphicsError: UserFacingError { public var kind: FathomError.Kind { .cannotCreate } }
