import FathomCommandLine
package import ArgumentParser
import DepthCore
import Foundation
import Logging
import FathomPlainText
import FathomRuns
import FathomStorage

/// Prints the commands of a job in shards.
package struct Plan: ParsableCommand {
  package init() {}
  package static let configuration = CommandConfiguration(
    abstract:
      "Print the commands that evaluate, tune, calibrate or import many recordings, for a cluster or several processes.",
    discussion: """
      Reads headers only and writes nothing. Seconds are an estimate for one core and the standard options. The last step is \
      'fathom merge', but for import.
      """)

  /// What the commands are for.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case tsv, scenes, snakemake, slurm, parallel

    /// A name is printed as it is, or not at all.
    /// - Throws: `FathomError` `.usage`.
    fileprivate func check(_ name: String, isOneLine: Bool? = nil) throws(FathomError) {
      let isOneLine = isOneLine ?? [.tsv, .scenes, .parallel].contains(self)
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
  @Option(help: "Number of shards; for import of tasks that the recordings are divided among.") var shards:
    Int
  @Option(help: "Command that does the work.") var `for` = PredictedTime.evaluate
  @Option(
    help:
      "A table with one command per line (tsv), every scene with its shard (scenes), the configuration of Workflows/Snakefile (snakemake), an array script (slurm), or bare commands (parallel)."
  ) var format = Format.tsv
  @Option(
    help:
      "Parent folder of the shards (default: Shards), or of the data sets that import writes (default: Imported).",
    completion: .directory) var output: String?
  @Option(help: "Only these scenes: names or patterns (*, ?, [a-z]), comma-separated or repeated.")
  var scenes: [String] = []
  @Option(
    help: "Only these frames of every scene: A:B from A up to before B, or one, by name or counted from 0.")
  var frames: FrameRange?
  @Option(help: "Other options of the command, as one string: '--methods auto,ols --seed 3'.")
  var options: ForwardedOptions?
  @OptionGroup var files: DataFlags
  @OptionGroup var console: Console
  private static let shardRange = 1...100_000  // More would be a slip.
  private var folder: String { output ?? (`for` == .import ? "Imported" : "Shards") }

  package func validate() throws {
    try inputs.check(data)
    guard Self.shardRange.contains(shards) else {
      throw ValidationError(
        "--shards: \(shards) is not from \(Self.shardRange.lowerBound) to \(Self.shardRange.upperBound)")
    }
    if output?.isEmpty == true { throw ValidationError("--output: a folder's name is needed") }
    if `for` == .import {
      guard scenes.isEmpty, frames == nil else {
        throw ValidationError("--for import: it takes whole recordings, without --scenes and --frames")
      }
      if format == .snakemake {
        throw ValidationError("--for import: Workflows/Snakefile makes shards; use slurm, parallel or tsv")
      }
    }
    if `for` == .calibrate, frames != nil { throw ValidationError("--frames: calibrate takes all frames") }
    let words = (options?.text ?? "").split { $0 == " " || $0 == "=" }
    if `for` != .import, let word = words.first(where: { ["--scenes", "--frames"].contains($0) }) {
      throw ValidationError(
        "--options: give \(word) to plan itself, because it decides how scenes are divided")
    }
  }

  package func run() throws {
    console.warnOfOmissions(in: data, mapping: files.mapping)
    let paths = try inputs.paths(data, mapping: files.mapping)
    var job = PlanJob(paths, count: shards)
    (job.data, job.time) = (files.selection(paths, scenes: scenes, frames: frames), `for`)
    let listed = inputs.inputsFrom == "-"
    for name in (listed || `for` == .import ? paths : data) + inputs.names + files.names {
      try format.check(name)
    }
    for text in [folder, options?.text ?? ""] + scenes { try format.check(text, isOneLine: true) }
    let chosen =
      scenes.flatMap { ["--scenes", $0.quoted] } + (frames.map { ["--frames", $0.description.quoted] } ?? [])
    let words = PlannedWords(
      command: `for`, inputs: listed ? paths.map(\.shellPath) : data.map(\.shellPath) + inputs.shellWords,
      options: ([options?.text.trimmingCharacters(in: .whitespaces) ?? ""] + chosen + files.shellWords)
        .filter { !$0.isEmpty }.joined(separator: " "), output: folder, count: shards)
    if format == .scenes { return try console.show(Self.list(try job.taken())) }
    let parts = try job.run()
    switch format {
    case .tsv, .scenes: try console.show(Self.table(words.steps(parts)))
    case .parallel: try console.show(words.steps(parts).map(\.command).joined(separator: "\n"))
    case .snakemake: try console.show(words.configuration(parts))
    case .slurm: try console.show(words.arrayScript(parts))
    }
    if format != .slurm { console.log.notice("then: \(words.rest)") }
  }

  private static func table(_ steps: [PlannedWords.Step]) -> String {
    (["shard\tscenes\tframes\tseconds\tcommand"]
      + steps.map {
        "\($0.part)\t\($0.scenes)\t\($0.frames)\t\(Int($0.seconds.rounded(.up)))\t\($0.command)"
      }).joined(separator: "\n")
  }

  private static func list(_ taken: [(part: Int, scene: PlanJob.Scene)]) -> String {
    (["shard\tmicroseconds\tframes\tscene\tdata"]
      + taken.map { part, scene in
        "\(part)\t\(scene.microseconds)\t\(scene.frames)\t\(scene.name.visible)\t\(scene.path)"
      }).joined(separator: "\n")
  }
}

/// The commands of a job in parts, as a shell takes them.
private struct PlannedWords {
  /// A command and what it works on.
  struct Step {
    let part: ScenePart, scenes: Int, frames: Int, seconds: Double, command: String
  }

  let command: PredictedTime
  let inputs: [String]  // Words of the shell.
  let options: String  // As the shell takes them.
  let output: String, count: Int

  /// One for each shard; of recordings, one for each that is imported, those of a part together.
  func steps(_ parts: [PlanJob.Part]) -> [Step] {
    guard command == .import else {
      return parts.map {
        Step(
          part: $0.part, scenes: $0.scenes.count, frames: $0.frames, seconds: $0.seconds,
          command: shard("\($0.part.number)"))
      }
    }
    return parts.flatMap { part in
      part.scenes.map(\.label).firstAppearances.map { label in
        let scenes = part.scenes.filter { $0.label == label }
        return Step(
          part: part.part, scenes: scenes.count, frames: scenes.reduce(0) { $0 + $1.frames },
          seconds: scenes.reduce(0) { $0 + $1.seconds }, command: recording(scenes[0]))
      }
    }
  }

  /// - Parameter number: The shard's, or a variable of the shell that holds it.
  private func shard(_ number: String) -> String {
    let words =
      ["fathom", command.rawValue] + inputs + (options.isEmpty ? [] : [options]) + [
        "--shard", "\(number)/\(count)", "--resume", "--output", "\(output.shellPath)/\(number)", "--quiet",
      ]
    return words.joined(separator: " ")
  }

  /// A data set is there as soon as it is whole, so that the same command can be given again.
  private func recording(_ scene: PlanJob.Scene) -> String {
    let file = "\(output)/\(scene.label).h5".shellPath
    let words =
      ["fathom", "import", scene.path.shellPath, file] + (options.isEmpty ? [] : [options]) + ["--quiet"]
    return "test -e \(file) || { mkdir -p \(output.shellPath) && \(words.joined(separator: " ")); }"
  }

  /// What is done when all of them are.
  var rest: String {
    command == .import
      ? "fathom evaluate \(output.shellPath)/*.h5" : "fathom merge \(output.shellPath)/* --output RUN"
  }

  /// What Workflows/Snakefile reads.
  func configuration(_ parts: [PlanJob.Part]) -> String {
    """
    # snakemake --snakefile Workflows/Snakefile --configfile THIS --cores 4
    command: \(command.rawValue)
    inputs: \(yaml(inputs.joined(separator: " ")))
    options: \(yaml(options))
    shards: \(count)
    folder: \(yaml(output.asPath))
    run: \(yaml(output.asPath + "-run"))
    minutes: \(minutes(parts))
    """
  }

  func arrayScript(_ parts: [PlanJob.Part]) -> String {
    """
    #!/bin/bash
    # Submit: sbatch THIS. Then, when all tasks are done:
    # \(rest)
    #SBATCH --array=1-\(count)
    #SBATCH --cpus-per-task=2
    #SBATCH --time=\(minutes(parts))
    #SBATCH --requeue
    set -euo pipefail
    \(command == .import ? tasks(parts) : "exec \(shard("${SLURM_ARRAY_TASK_ID}"))")
    """
  }

  /// The recordings of each task; one that fails does not keep the others from being imported.
  private func tasks(_ parts: [PlanJob.Part]) -> String {
    let steps = Dictionary(grouping: steps(parts), by: \.part.number)
    let cases = parts.map { part in
      let commands = (steps[part.part.number] ?? []).map { "  \($0.command) || status=$?\n" }
      return "\(part.part.number))\n\(commands.joined())  ;;"
    }
    return "status=0\ncase ${SLURM_ARRAY_TASK_ID} in\n\(cases.joined(separator: "\n"))\nesac\nexit $status"
  }

  /// Twice what is predicted, because machines differ.
  private func minutes(_ parts: [PlanJob.Part]) -> Int {
    max(10, Int(((parts.map(\.seconds).max() ?? 0) / 60 * 2).rounded(.up)))
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
  fileprivate var quoted: String {
    guard isEmpty || !unicodeScalars.allSatisfy(Self.plain.contains) else { return self }
    return "'" + unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
  }

  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:,@%".unicodeScalars)
}
