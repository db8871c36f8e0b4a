package import ArgumentParser
import DepthDataset

/// What protects this process from the files that a command reads.
package struct SandboxFlags: ParsableArguments {
  package init() {}
  @Flag(
    help:
      "Read nothing unless the reading process has all protections: limits, Landlock and seccomp. If one is missing, exit with 74."
  ) package var requireSandbox = false

  /// Has the readers that a command starts keep to what it says, and its console tell once which protections are missing.
  package static func apply(of command: any ParsableCommand) {
    let given = GivenOptions(command).values
    ReaderLayers.areRequired = given["require-sandbox"] as? Bool == true
    // Then it is an error, not a warning.
    guard !ReaderLayers.areRequired, given["quiet"] as? Bool != true else { return }
    ReaderLayers.whenMissing { missing in
      Console.write(
        "fathom: warning: this system lacks \(missing.joined(separator: " and ")): a hostile file could do more harm; see docs/reliability.md, or add --require-sandbox to read nothing then\n"
      )
    }
  }
}
