import ArgumentParser
import Foundation
import Logging
import Runs

/// Prints the commands of an evaluation in shards.
struct Plan: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Print the commands that evaluate many recordings in shards, for a cluster or several processes.",
    discussion: """
      Reads headers only and writes nothing. Seconds are an estimate for one core and the standard methods. The last step is always \
      'fathom merge'.
      """)

  /// What the commands are for.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case tsv, snakemake, slurm, parallel
  }

  @Argument(
    help: "HDF5 data sets, folders of them, recordings, or patterns.", completion: .file(extensions: ["h5"])
  ) var data: [String] = []
  @OptionGroup var inputs: InputFlags
  @Option(help: "Number of shards.") var shards: Int
  @Option(
    help:
      "A table with one command on each line (tsv), the configuration of Workflows/Snakefile (snakemake), an array script (slurm), or bare commands (parallel)."
  ) var format = Format.tsv
  @Option(help: "Folder for the folders of the shards.", completion: .directory) var output = "Shards"
  @Option(help: "Options of evaluate, as one text: '--methods auto,ols --seed 3'.") var options = ""
  @OptionGroup var files: DataFlags
  @OptionGroup var console: Console

  func validate() throws {
    try inputs.check(data)
    guard shards >= 1 else { throw ValidationError("--shards: at least 1 is needed") }
    if output.isEmpty { throw ValidationError("--output: a folder's name is needed") }
  }

  func run() throws {
    let paths = try inputs.paths(data)
    var job = PlanJob(paths, count: shards)
    (job.allowsExternal, job.mapping) = (files.allowExternal, files.mapping)
    let parts = try job.run()
    let words = ShardWords(
      inputs: inputs.inputsFrom == "-" ? paths.map(\.quoted) : data.map(\.quoted) + inputs.words,
      options: options + (files.allowExternal ? " --allow-external" : "")
        + (files.mapping.map { " --mapping " + $0.quoted } ?? ""), output: output, count: shards)
    switch format {
    case .tsv: try console.show(Self.table(parts, words))
    case .parallel: try console.show(parts.map { words.command("\($0.part.number)") }.joined(separator: "\n"))
    case .snakemake: try console.show(words.configuration(parts))
    case .slurm: try console.show(words.arrayScript(parts))
    }
    if format != .slurm { console.log.notice("then: \(words.merge)") }
  }

  private static func table(_ parts: [PlanJob.Part], _ words: ShardWords) -> String {
    (["shard\tscenes\tframes\tseconds\tcommand"]
      + parts.map {
        "\($0.part)\t\($0.scenes)\t\($0.frames)\t\(Int($0.seconds.rounded(.up)))\t\(words.command("\($0.part.number)"))"
      }).joined(separator: "\n")
  }
}

/// The commands of an evaluation in shards, as a shell takes them.
private struct ShardWords {
  /// Quoted.
  let inputs: [String]
  let options: String
  let output: String
  let count: Int

  /// - Parameter number: The shard's, or a variable of the shell that holds it.
  func command(_ number: String) -> String {
    let words =
      ["fathom", "evaluate"] + inputs
      + (options.isEmpty ? [] : [options.trimmingCharacters(in: .whitespaces)])
      + ["--shard", "\(number)/\(count)", "--resume", "--output", "\(output.quoted)/\(number)", "--quiet"]
    return words.joined(separator: " ")
  }

  var merge: String { "fathom merge \(output.quoted)/* --output RUN" }

  /// What Workflows/Snakefile reads.
  func configuration(_ parts: [PlanJob.Part]) -> String {
    let longest = parts.map(\.seconds).max() ?? 0
    return """
      # snakemake --snakefile Workflows/Snakefile --configfile THIS --cores 4
      inputs: \(yaml(inputs.joined(separator: " ")))
      options: \(yaml(options.trimmingCharacters(in: .whitespaces)))
      shards: \(count)
      folder: \(yaml(output))
      run: \(yaml(output + "-run"))
      minutes: \(max(10, Int((longest / 60 * 2).rounded(.up))))
      """
  }

  func arrayScript(_ parts: [PlanJob.Part]) -> String {
    let longest = parts.map(\.seconds).max() ?? 0
    let minutes = max(10, Int((longest / 60 * 2).rounded(.up)))
    return """
      #!/bin/bash
      # Submit: sbatch THIS. Then, when all tasks are done:
      # \(merge)
      #SBATCH --array=1-\(count)
      #SBATCH --cpus-per-task=2
      #SBATCH --time=\(minutes)
      #SBATCH --requeue
      set -euo pipefail
      exec \(command("${SLURM_ARRAY_TASK_ID}"))
      """
  }

  private func yaml(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}

extension InputFlags {
  /// The flags as a shell takes them.
  fileprivate var words: [String] {
    (inputsFrom.map { ["--inputs-from", $0.quoted] } ?? [])
      + (excludeFrom.map { ["--exclude-from", $0.quoted] } ?? [])
  }
}

extension String {
  /// As one word of a shell.
  fileprivate var quoted: String {
    let plain = allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+=:,@%".contains($0)) }
    return plain && !isEmpty ? self : "'" + replacing("'", with: "'\\''") + "'"
  }
}
