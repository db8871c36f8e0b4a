import ArgumentParser

@main
struct Fathom: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fathom", abstract: "Validates and calibrates depth fusion against ground truth.")
}
