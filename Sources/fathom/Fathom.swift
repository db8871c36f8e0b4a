import ArgumentParser
import DepthReport

/// The command: parses, delegates and turns errors into one line and an exit code.
struct Fathom: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fathom",
    abstract: "Validates and calibrates depth fusion against ground truth.",
    discussion: """
      Exit codes: 0 done, 1 a check said no, 64 wrong usage, 65 bad data, 66 no such input, \
      73 cannot create output, 74 I/O error, 130 interrupted.
      """,
    version: Version.current,
    subcommands: [Evaluate.self, Inspect.self, Synthesize.self, Bench.self])
}

@main
enum Main {
  static func main() async {
    do {
      var command = try Fathom.parseAsRoot()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch {
      guard let failure = Failure(error) else { Fathom.exit(withError: error) }
      Console.write("fathom: \(failure.message)\n")
      Fathom.exit(withError: failure.code)
    }
  }
}
