import DepthCore
import DepthCalibration
import DepthReport
import Foundation
import FathomRuns
import FathomStorage
import FathomTestSupport
import Testing

@Suite("Searches and calibrations in shards", .enabled(if: BuiltCommand.path != nil, BuiltCommand.comment))
struct PartCommandTests {
  let folder: TemporaryFolder
  let data: String

  init() throws {
    folder = try TemporaryFolder()
    data = folder.path("sample.h5")
    try FileManager.default.copyItem(atPath: sample, toPath: data)
  }

  static let commands = [
    ["tune", "DATA", "--min-confidence", "1,2", "--max-depth", "3,4", "--no-figures"],
    ["calibrate", "DATA", "--no-figures"],
  ]

  @discardableResult
  private func call(_ words: [String], _ code: Int32 = 0) throws -> String {
    let answer = try BuiltCommand(
      words.map { $0 == "DATA" ? data : $0 } + ["--quiet"], in: folder.url, seconds: 300)
    #expect(answer.code == code, "\(words): \(answer.errors)")
    return answer.errors
  }

  private func shards(_ command: [String], of count: Int, more: [String] = []) throws -> [String] {
    try (1...count).map { number in
      let path = folder.path("\(command[0])-\(number)-of-\(count)\(more.joined())")
      try call(command + more + ["--shard", "\(number)/\(count)", "--output", path])
      return path
    }
  }

  private func expectEqual(_ a: String, _ b: String, but left: Set<String> = []) throws {
    func names(_ path: String) throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: path)
        .filter { $0.contains(".") && !left.contains($0) && $0 != "timing.csv" }.sorted()
    }
    #expect(try names(a) == names(b) && names(a).count > 5)
    for name in try names(a) {
      let (left, right) = (
        FileManager.default.contents(atPath: a + "/" + name),
        FileManager.default.contents(atPath: b + "/" + name)
      )
      #expect(left == right, "\(name)")
    }
  }

  @Test(
    "merged shards are the undivided result to the byte, whatever their number and order", arguments: commands
  )
  func merged(_ command: [String]) throws {
    let whole = folder.path("whole")
    try call(command + ["--output", whole])
    for count in [2, 3] {
      let parts = try shards(command, of: count)
      let merged = folder.path("merged-\(count)")
      try call(["merge"] + parts.reversed() + ["--no-figures", "--output", merged])
      try expectEqual(whole, merged)
      // Begun again with --resume, a finished shard is left alone.
      try call(command + ["--shard", "1/\(count)", "--output", parts[0], "--resume"])
    }
  }

  @Test("missing, repeated and foreign shards, and changed data, are refused by name", arguments: commands)
  func refused(_ command: [String]) throws {
    let parts = try shards(command, of: 2)
    let merged = folder.path("merged")
    #expect(try call(["merge", parts[0], "--output", merged], 65).contains("shard 2/2 is missing"))
    #expect(
      try call(["merge", parts[0], parts[1], parts[1], "--output", merged], 65).contains(
        "give each shard once"))
    let other = try shards(command, of: 2, more: ["--seed", "5"])
    let difference = command[0] == "tune" ? "it has another seed than" : "it has another options than"
    #expect(try call(["merge", parts[0], other[1], "--output", merged], 65).contains(difference))
    let divided = try shards(command, of: 3)
    #expect(try call(["merge", parts[0], divided[1], "--output", merged], 65).contains("one of 3"))
    // The same headers with another frame.
    try FileManager.default.removeItem(atPath: data)
    try sampleCopy(to: data) { header in
      header.note = nil
    } frame: { frame in
      frame.lidar.values[0] += 0.01
    }
    #expect(!(try call(["merge"] + parts + ["--output", merged], 65)).isEmpty)
    #expect(!folder.exists("merged") && !folder.exists("merged.partial"))
    // A bit that flipped in what was found.
    let found = try #require(
      try FileManager.default.contentsOfDirectory(atPath: parts[0]).first { $0.hasSuffix(".found") })
    var bytes = try Data(contentsOf: URL(fileURLWithPath: parts[0] + "/" + found))
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: URL(fileURLWithPath: parts[0] + "/" + found))
    #expect(try call(["merge"] + parts + ["--output", merged], 65).contains(found))
    #expect(
      try call(command + ["--shard", "1/2", "--output", parts[0], "--resume"], 65).contains(found))
  }

  @Test("a calibration that was interrupted goes on, to the same bytes")
  func resumed() async throws {
    let (whole, broken) = (folder.path("whole"), folder.path("broken"))
    try call(["calibrate", "DATA", "--no-figures", "--output", whole])
    let calibration = try CalibrateJob(DataSelection([data])).open { _ in }
    try FileManager.default.createDirectory(atPath: broken + ".partial", withIntermediateDirectories: true)
    try Data("999999\n".utf8).write(to: URL(fileURLWithPath: broken + ".partial/.fathom-writer"))
    let work = try WorkFolder(
      in: broken + ".partial", kind: .calibration, task: try await calibration.fingerprint)
    _ = try await calibration.run(in: work) { _ in }
    // One scene is finished, the other one is not.
    let kept = work.files.sorted()
    #expect(kept.count == 2)
    // Or has changed since.
    let place = URL(fileURLWithPath: broken + ".partial/" + kept[1])
    var bytes = try Data(contentsOf: place)
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: place)
    #expect(
      try call(["calibrate", "DATA", "--seed", "5", "--resume", "--output", broken], 73)
        .contains("with other data or options"))
    try call(["calibrate", "DATA", "--no-figures", "--resume", "--output", broken])
    // What it was a calibration of stays, and is recorded.
    try expectEqual(whole, broken, but: ["measuring.json", "calibration.json"])
    try call(["calibrate", "DATA", "--no-figures", "--resume", "--output", broken])
  }
}
