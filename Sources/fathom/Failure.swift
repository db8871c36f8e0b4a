import ArgumentParser
import DepthDataset
import DepthReport

/// An error as a user sees it: one line and an exit code (interface: sysexits).
struct Failure {
  let message: String
  let code: ExitCode

  static let badData = ExitCode(65), noInput = ExitCode(66), cannotCreate = ExitCode(73),
    inputOutput = ExitCode(74)

  init(message: String, code: ExitCode) { (self.message, self.code) = (message, code) }

  /// nil for errors of the argument parser, which words them itself.
  init?(_ error: any Error) {
    switch error {
    case let error as DatasetError:
      message = error.description
      code =
        switch error.kind {
        case .noInput: Self.noInput
        case .badData: Self.badData
        case .cannotCreate: Self.cannotCreate
        case .inputOutput: Self.inputOutput
        }
    case let error as OutputError:
      message = error.description
      code =
        switch error.kind {
        case .cannotCreate: Self.cannotCreate
        case .inputOutput: Self.inputOutput
        }
    case let error as ConfigurationError:
      message = error.description
      code = error.isMissing ? Self.noInput : Self.badData
    case let error as ResultTableError:
      message = error.description
      code = error.isMissing ? Self.noInput : Self.badData
    case let error as ImpossibleResults:
      message = error.description
      code = .failure
    case let error as InconsistentTable:
      message = error.description
      code = .failure
    default:
      return nil
    }
  }
}
