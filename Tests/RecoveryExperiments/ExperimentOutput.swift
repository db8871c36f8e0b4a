import ArgumentParser
import Foundation

/// Where an experiment writes its table, and the few runs that are compared with a committed one.
struct ExperimentOutput: ParsableArguments {
  @Option(help: "Folder for the experiment's files.") var output: String?
  @Option(help: "Run every so many seeds only, and compare them with the table in --compare.") var sample:
    Int?
  @Option(help: "Folder of the committed table.") var compare: String?

  func validate() throws {
    if let sample, sample < 1 { throw ValidationError("--sample: at least 1 is needed") }
    if (sample == nil) != (compare == nil) { throw ValidationError("--sample and --compare go together") }
    if sample != nil, output != nil { throw ValidationError("--output takes all seeds, not a --sample") }
  }

  /// The seeds of a run out of all of them.
  func chosen(_ seeds: Range<Int>) -> [Int] {
    Array(stride(from: seeds.lowerBound, to: seeds.upperBound, by: sample ?? 1))
  }

  func write(_ text: String, to name: String) throws {
    guard let output else { return }
    try Data(text.utf8).write(to: URL(fileURLWithPath: output).appendingPathComponent(name))
  }

  /// Ends with 1 where a line of a table is not in the committed one.
  func check(_ csv: String, against name: String) throws {
    guard let compare else { return }
    let committed = Set(
      try String(contentsOfFile: compare + "/" + name, encoding: .utf8).split(separator: "\n"))
    let differing = csv.split(separator: "\n").filter { !committed.contains($0) }
    for line in differing { print("not as committed: \(line)") }
    if !differing.isEmpty { throw ExitCode.failure }
    print("\(csv.split(separator: "\n").count - 1) rows as committed.")
  }
}

/// Runs something for every seed on all cores; results in the order of the seeds.
func forEachSeed<Value: Sendable>(
  _ seeds: [Int], _ body: @escaping @Sendable (Int) async -> Value
) async -> [Value] {
  await withTaskGroup(of: (Int, Value).self) { group in
    var (results, next) = ([Int: Value](), 0)
    func start() {
      guard next < seeds.count else { return }
      let seed = seeds[next]
      next += 1
      group.addTask { (seed, await body(seed)) }
    }
    for _ in 0..<ProcessInfo.processInfo.activeProcessorCount { start() }
    while let (seed, value) = await group.next() {
      results[seed] = value
      start()
    }
    return seeds.compactMap { results[$0] }
  }
}
