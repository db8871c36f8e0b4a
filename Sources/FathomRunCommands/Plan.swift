import FathomCommandLine
package import ArgumentParser
import Foundation
import Logging
import FathomPlainText
import FathomRuns
import FathomStorage

/// Prints the commands of an evaluation in shards.
package struct Plan: ParsableCommand {
  package init() {}
  package static let configuration = CommandConfiguration(
    abstract:
      "Print the commands that evaluate many recordings in shards, for a cluster or several processes.",
    discussion: """
      Reads headers only and writes nothing. Seconds are an estimate for one core and the standard methods. The last step is always \
      'fathom merge'.
      """)

  /// What the commands are for.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case tsv, snakemake, slurm, parallel

    /// A name is printed as it is, or not at all.
    /// - Throws: `FathomError` `.usage`.
    fileprivate func check(_ name: String, isOneLine: Bool? = nil) throws(FathomError) {
      let isOneLine = isOneLine ?? (self == .tsv || self == .parallel)
      let reason: String
      if name.visibleLines != name {
        reason =
          "it contains characters that cannot be printed unchanged, so the command would be a different one"
      } else if isOneLine, name.utf8.contains(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\t") })
      {
        reason = "it contains a line feed or a tab, but each command is one line without tabs"
      } else {
        return
      }
      throw FathomError(
        .usage, attempted: "print commands with", place: "'\(name.visible)'", reason: reason,
        advice: "rename it, or put the names of the data into a file for --inputs-from")
    }
  }

  @Argument(
    help: "HDF5 data sets, folders of them, recordings, or patterns.", completion: .file(extensions: ["h5"])
  ) var data: [String] = []
  @OptionGroup var inputs: InputFlags
  @Option(help: "Number of shards.") var shards: Int
  @Option(
    help:
      "A table with one command per line (tsv), the configuration of Workflows/Snakefile (snakemake), an array script (slurm), or bare commands (parallel)."
  ) var format = Format.tsv
  @Option(help: "Parent folder of the shards.", completion: .directory) var output = "Shards"
  @Option(help: "Options of evaluate, as one string: '--methods auto,ols --seed 3'.")
  var options: ForwardedOptions?
  @OptionGroup var files: DataFlags
  @OptionGroup var console: Console
  private static let shardRange = 1...100_000  // More would be a slip.

  package func validate() throws {
    try inputs.check(data)
    guard Self.shardRange.contains(shards) else {
      throw ValidationError(
        "--shards: \(shards) is not from \(Self.shardRange.lowerBound) to \(Self.shardRange.upperBound)")
    }
    if output.isEmpty { throw ValidationError("--output: a folder's name is needed") }
  }

  package func run() throws {
    console.warnOfOmissions(in: data, mapping: files.mapping)
    let paths = try inputs.paths(data, mapping: files.mapping)
    var job = PlanJob(paths, count: shards)
    (job.external, job.mapping) = (files.external, files.mapping)
    let listed = inputs.inputsFrom == "-"
    for name in (listed ? paths : data) + inputs.names + files.names { try format.check(name) }
    for text in [output, options?.text ?? ""] { try format.check(text, isOneLine: true) }
    let words = ShardWords(
      inputs: listed ? paths.map(\.shellPath) : data.map(\.shellPath) + inputs.shellWords,
      options: ([options?.text.trimmingCharacters(in: .whitespaces) ?? ""] + files.shellWords)
        .filter { !$0.isEmpty }.joined(separator: " "), output: output, count: shards)
    let parts = try job.run()
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
  let inputs: [String]  // Words of the shell.
  let options: String  // As the shell takes them.
  let output: String, count: Int

  /// - Parameter number: The shard's, or a variable of the shell that holds it.
  func command(_ number: String) -> String {
    let words =
      ["fathom", "evaluate"] + inputs + (options.isEmpty ? [] : [options]) + [
        "--shard", "\(number)/\(count)", "--resume", "--output", "\(output.shellPath)/\(number)", "--quiet",
      ]
    return words.joined(separator: " ")
  }

  var merge: String { "fathom merge \(output.shellPath)/* --output RUN" }

  /// What Workflows/Snakefile reads.
  func configuration(_ parts: [PlanJob.Part]) -> String {
    let longest = parts.map(\.seconds).max() ?? 0
    return """
      # snakemake --snakefile Workflows/Snakefile --configfile THIS --cores 4
      inputs: \(yaml(inputs.joined(separator: " ")))
      options: \(yaml(options))
      shards: \(count)
      folder: \(yaml(output.asPath))
      run: \(yaml(output.asPath + "-run"))
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
    let codes: [Unicode.Scalar: String] = ["\\": "\\\\", "\"": "\\\"", "\n": "\\n", "\t": "\\t"]
    return "\"" + text.unicodeScalars.map { codes[$0] ?? String($0) }.joined() + "\""
  }
}

extension InputFlags {
  /// The files that they name.
  fileprivate var names: [String] { [inputsFrom, excludeFrom].compactMap(\.self) }

  /// The flags as a shell takes them.
  fileprivate var shellWords: [String] {
    (inputsFrom.map { ["--inputs-from", $0.shellPath] } ?? [])
      + (excludeFrom.map { ["--exclude-from", $0.shellPath] } ?? [])
  }
}

extension DataFlags {
  /// The files and folders that they name.
  fileprivate var names: [String] { [mapping].compactMap(\.self) + links.externalFolder }

  /// The flags as a shell takes them.
  fileprivate var shellWords: [String] {
    (links.allowExternal ? ["--allow-external"] : [])
      + links.externalFolder.flatMap { ["--external-folder", $0.shellPath] }
      + (links.sandbox.requireSandbox ? ["--require-sandbox"] : [])
      + (mapping.map { ["--mapping", $0.shellPath] } ?? [])
  }
}

extension String {
  /// As a path that cannot be taken for an option.
  fileprivate var asPath: String { utf8.first == UInt8(ascii: "-") ? "./" + self : self }
  fileprivate var shellPath: String { asPath.quoted }  // A path as one word of a shell.

  /// As one word of a shell. By Unicode's scalars: to a `Character`, a quote before an accent is none.
  private var quoted: String {
    guard isEmpty || !unicodeScalars.allSatisfy(Self.plain.contains) else { return self }
    return "'" + unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
  }

  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:,@%".unicodeScalars)
}
