import DepthDiagnosis
import DepthFusion
import DepthSynthesis
import Foundation

/// Breaks conventions on purpose and counts what the diagnosis says: `convention-matrix [FOLDER]` writes `cases.csv`
/// and `confusion.md` there, prints the shares, and ends with 1 where one of them misses its target.
@main
struct ConventionMatrix {
  /// Cases in all, and how many of them are correct files.
  static let (caseCount, correctCount) = (500, 60)
  /// Share of decidable faults that must be named, and of correct files that must be called fine.
  static let target = 0.99

  static func main() async throws {
    let places = await Self.places()
    let cases = Case.all(places: places)
    let results = await Self.run(cases, places)
    let table = ConfusionTable(results)
    if let folder = CommandLine.arguments.dropFirst().first {
      let url = URL(fileURLWithPath: folder)
      try Data(table.csv.utf8).write(to: url.appendingPathComponent("cases.csv"))
      try Data(table.markdown.utf8).write(to: url.appendingPathComponent("confusion.md"))
    }
    print(table.summary)
    if !table.holds { exit(1) }
  }

  /// Rooms of many kinds: six frames mostly, a single one in some; half of them cropped.
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
              frames: index % 5 == 4 ? 1 : 6, crop: index % 2 == 1)
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
