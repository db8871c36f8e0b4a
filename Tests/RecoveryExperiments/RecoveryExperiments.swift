import ArgumentParser

/// Simulations in which the right answer is known: how often the toolkit recovers it.
///
/// Every experiment is a subcommand in a file of its own, with a committed table.
@main
struct RecoveryExperiments: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fathom-recovery-experiments",
    abstract: "Simulate data whose answer is known and count how often it is recovered.",
    subcommands: [
      NoiseLawExperiment.self, TuningNullExperiment.self, ThresholdExperiment.self,
      IntervalCoverageExperiment.self,
      GateErrorExperiment.self,
    ])
}
