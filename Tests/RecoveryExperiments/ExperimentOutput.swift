import ArgumentParser
import Foundation

/// Which seeds an experiment runs, and where it writes its table.
struct ExperimentOutput: ParsableArguments {
  @Option(help: "Folder for the experiment's files.") var output: String?
  @Option(help: "Run every so many seeds only, and write no page.") var sample: Int?

  func validate() throws {
    if let sample, sample < 1 { throw ValidationError("--sample: at least 1 is needed") }
  }

  /// The seeds of a run out of all of them.
  func chosen(_ seeds: Range<Int>) -> [Int] {
    Array(stride(from: seeds.lowerBound, to: seeds.upperBound, by: sample ?? 1))
  }

  /// Writes a table and, of all seeds, the page about it.
  func write(_ name: String, table: String, page: String) throws {
    guard let output else { return }
    let folder = URL(fileURLWithPath: output, isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(table.utf8).write(to: folder.appendingPathComponent(name + ".csv"))
    if sample == nil { try Data(page.utf8).write(to: folder.appendingPathComponent(name + ".md")) }
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
