import ArgumentParser
import DepthDiagnosis
import DepthFusion
import DepthSynthesis
import Foundation

/// Breaks conventions of simulated scenes on purpose and counts what the diagnosis says.
@main
struct ConventionMatrix: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Break conventions on purpose and count what the diagnosis says.",
    discussion: "Ends with 1 where a share of all cases misses its target.")

  /// Cases in all, and how many of them are correct files.
  static let (caseCount, correctCount) = (500, 60)
  /// Share of decidable faults that must be named, and of correct files that must be called fine.
  static let target = 0.99

  @Option(help: "Folder for cases.csv and, of all cases, confusion.md.") var output: String?
  @Option(help: "Run every so many cases only.") var sample: Int?
  @Option(
    parsing: .upToNextOption,
    help: "Data sets of real recordings: break their conventions instead of those of simulated scenes.")
  var recordings: [String] = []
  @Flag(help: "Only say what is found in the recordings as they are.") var survey = false
  @Option(help: "Say what is found in the recordings with this fault.") var fault: String?
  @Flag(help: "Also the correct variants of each recording.") var variants = false
  @Option(name: .customLong("case"), help: "Only say what is found in this simulated case.") var number: Int?

  func validate() throws {
    if let sample, sample < 1 { throw ValidationError("--sample: at least 1 is needed") }
  }

  func run() async throws {
    if !recordings.isEmpty { return try await diagnoseRecordings() }
    let places = await Self.places()
    let all = Case.all(places: places)
    if let number {
      guard all.indices.contains(number) else {
        throw ValidationError("--case: cases are numbered from 0 to \(all.count - 1)")
      }
      let item = all[number]
      var sample = places[item.place].recording
      for fault in item.faults { fault.apply(&sample) }
      let name = ([places[item.place].name] + item.faults.map(\.id)).joined(separator: ", ")
      return Survey.print([Recording(name: name, sample: sample)])
    }
    let chosen = stride(from: 0, to: all.count, by: sample ?? 1).map { $0 }
    let results = await Self.run(chosen.map { all[$0] }, places)
    let table = ConfusionTable(results, numbers: chosen)
    if let output {
      let url = URL(fileURLWithPath: output, isDirectory: true)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try Data(table.csv.utf8).write(to: url.appendingPathComponent("cases.csv"))
      if sample == nil { try Data(table.markdown.utf8).write(to: url.appendingPathComponent("confusion.md")) }
    }
    print(table.summary)
    // Shares of a few cases say little; their rows can be compared with the committed table.
    if sample == nil, !table.holds { throw ExitCode.failure }
  }

  /// What the diagnosis says of real recordings, right and broken.
  private func diagnoseRecordings() async throws {
    let all = try recordings.flatMap(Recording.all)
    if survey {
      let chosen = variants ? all.flatMap(\.variants) : all
      return Survey.print(
        chosen.compactMap { recording in
          guard let fault else { return recording }
          return RecordingFault.all.first { $0.id == fault }?.apply(recording.sample).map {
            Recording(name: "\(recording.name), \(fault)", sample: $0)
          }
        })
    }
    let matrix = await RecordingMatrix(all)
    if let output {
      let url = URL(fileURLWithPath: output, isDirectory: true)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try Data(matrix.csv.utf8).write(to: url.appendingPathComponent("recordings.csv"))
      try Data(matrix.markdown.utf8).write(to: url.appendingPathComponent("recordings.md"))
    }
    print(matrix.summary)
    if !matrix.holds { throw ExitCode.failure }
  }

  /// Rooms of many kinds: six frames mostly, sixteen or a single one in some; half of them cropped.
  private static func places() async -> [Place] {
    await withTaskGroup(of: (Int, Place).self) { group in
      for index in 0..<20 {
        group.addTask {
          let settings: [SceneSetting] = [.furnishedRoom, .furnishedRoom, .smallRoom]
          let networks: [SyntheticNetwork] = [.disparity, .depth, .normalisedDisparity]
          return (
            index,
            Place(
              seed: UInt64(7000 + index), setting: settings[index % 3], network: networks[index / 2 % 3],
              frames: [6, 6, 16, 6, 1][index % 5], crop: index % 2 == 1)
          )
        }
      }
      var places: [Int: Place] = [:]
      for await (index, place) in group { places[index] = place }
      return places.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  private static func run(_ cases: [Case], _ places: [Place]) async -> [CaseResult] {
    await withTaskGroup(of: (Int, CaseResult).self) { group in
      let width = ProcessInfo.processInfo.activeProcessorCount
      var (results, next) = ([Int: CaseResult](), 0)
      func start() {
        guard next < cases.count else { return }
        let (index, item) = (next, cases[next])
        next += 1
        group.addTask { (index, CaseResult(item, at: places[item.place])) }
      }
      for _ in 0..<width { start() }
      while let (index, result) = await group.next() {
        results[index] = result
        start()
      }
      return results.sorted { $0.key < $1.key }.map(\.value)
    }
  }
}
