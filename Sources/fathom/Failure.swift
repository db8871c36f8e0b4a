import ArgumentParser
import DepthCharts
import DepthDataset
import DepthNotebook
import DepthGraphics
import DepthReport
import Storage

/// An error as a user sees it: one line and an exit code (interface: sysexits).
struct Failure: Error {
  let message: String
  let code: ExitCode

  static let usage = ExitCode(64), badData = ExitCode(65), noInput = ExitCode(66)
  static let cannotCreate = ExitCode(73), inputOutput = ExitCode(74)

  init(message: String, code: ExitCode) {
    self.message = message.split(whereSeparator: \.isNewline).joined(separator: " ")
    self.code = code
  }

  /// nil where nothing failed: help, version.
  init?(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as DatasetError: self.init(message: error.description, code: Self.code(error.kind))
    case let error as FathomError:
      self.init(message: error.description, code: ExitCode(error.kind.rawValue))
    case let error as GraphicsError: self.init(message: error.description, code: Self.cannotCreate)
    case let error as ChartError: self.init(message: error.description, code: Self.cannotCreate)
    case let error as ConfigurationError:
      self.init(message: error.description, code: error.isMissing ? Self.noInput : Self.badData)
    case let error as ResultTableError:
      self.init(message: error.description, code: error.isMissing ? Self.noInput : Self.badData)
    case let error as NotebookError: self.init(message: error.description, code: Self.code(error.kind))
    case let error as ComparisonRefusal:
      self.init(message: error.description, code: error.kind == .usage ? Self.usage : Self.badData)
    case let error as ImpossibleResults: self.init(message: error.description, code: .failure)
    case let error as InconsistentTable: self.init(message: error.description, code: .failure)
    default:
      let code = Fathom.exitCode(for: error)
      guard code != .success else { return nil }
      let message = Fathom.message(for: error)
      self.init(
        message: code == Self.usage
          ? "\(message); see 'fathom --help' and 'fathom SUBCOMMAND --help'" : message,
        code: code == Self.usage ? code : Self.inputOutput)
    }
  }

  private static func code(_ kind: NotebookError.Kind) -> ExitCode {
    switch kind {
    case .noProgram: noInput
    case .cannotExecute: cannotCreate
    case .cellFailed: badData
    }
  }

  private static func code(_ kind: DatasetError.Kind) -> ExitCode {
    switch kind {
    case .noInput: noInput
    case .badData: badData
    case .cannotCreate: cannotCreate
    case .inputOutput: inputOutput
    }
  }
}
