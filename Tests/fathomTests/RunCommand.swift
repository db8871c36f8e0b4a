import ArgumentParser

@testable import FathomCommandLine
@testable import fathom

/// Parses and runs as the command does; nil where it succeeds.
func run(_ arguments: String...) async -> Failure? { await run(arguments) }

func run(_ arguments: [String]) async -> Failure? {
  let words = CommandLineWords(arguments)
  do {
    var command = try words.parse()
    if var asynchronous = command as? any AsyncParsableCommand {
      try await asynchronous.run()
    } else {
      try command.run()
    }
    return nil
  } catch {
    return Failure(error, of: words.command)
  }
}
