import ArgumentParser
import DepthCore
import DepthDataset
import DepthSynthesis
import Foundation
import FathomRuns
import FathomStorage
import FathomTables
import FathomTestSupport
import Testing

@testable import FathomCommandLine

@Suite("evaluate --shard, merge, plan and --resume")
struct ShardCommandTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var data: [String] { ["a.h5", "b.h5"].map(folder.path) }

  /// Two data sets of three scenes.
  private func makeData() async throws {
    for (name, seed) in [("a.h5", "1"), ("b.h5", "2")] {
      let failure = await run(
        "synthesize", folder.path(name), "--preset", "sample", "--scenes", "3", "--frames", "2", "--seed",
        seed,
        "--quiet")
      #expect(failure == nil)
    }
  }

  private func evaluate(_ output: String, _ options: [String] = []) async -> Failure? {
    await run(["evaluate"] + data + ["--output", folder.path(output), "--quiet"] + options)
  }

  private func merge(_ shards: [String], _ output: String, _ options: [String] = []) async -> Failure? {
    await run(["merge"] + shards.map(folder.path) + ["--output", folder.path(output), "--quiet"] + options)
  }

  private func bytes(_ run: String) throws -> [String: Data] {
    var found: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path(run))
    where name != "timing.csv" {
      found[name] = FileManager.default.contents(atPath: folder.path(run + "/" + name))
    }
    return found
  }

  private func expectEqual(_ run: String, _ other: String) throws {
    let (a, b) = (try bytes(run), try bytes(other))
    #expect(a.keys.sorted() == b.keys.sorted())
    for (name, content) in a { #expect(content == b[name], "\(name) of \(other)") }
  }

  @Test("merged bytes are those of the undivided run, for any number and order of shards")
  func sameBytes() async throws {
    try await makeData()
    let options = ["--protocol-diff"]
    #expect(await evaluate("whole", options) == nil)
    for count in [1, 2, 7] {
      var shards: [String] = []
      for number in 1...count {
        shards.append("shard-\(count)-\(number)")
        #expect(await evaluate(shards[number - 1], options + ["--shard", "\(number)/\(count)"]) == nil)
      }
      #expect(await merge(shards.reversed(), "merged-\(count)") == nil)
      try expectEqual("whole", "merged-\(count)")
    }
    // Without the data there are no pictures, and the run says so.
    for name in ["a.h5", "b.h5"] {
      try FileManager.default.moveItem(atPath: folder.path(name), toPath: folder.path("moved-" + name))
    }
    #expect(await merge(["shard-2-1", "shard-2-2"], "blind") == nil)
    #expect(!folder.exists("blind/gallery"))
    let report = try String(contentsOfFile: folder.path("blind/report.md"), encoding: .utf8)
    #expect(report.contains("No pictures: the data were not there when the shards were merged."))
    let moved = folder.path("elsewhere")
    try FileManager.default.createDirectory(atPath: moved, withIntermediateDirectories: true)
    for name in ["a.h5", "b.h5"] {
      try FileManager.default.moveItem(atPath: folder.path("moved-" + name), toPath: moved + "/" + name)
    }
    try (moved + "\n").write(toFile: folder.path("list.txt"), atomically: true, encoding: .utf8)
    #expect(
      await merge(["shard-2-2", "shard-2-1"], "found", ["--inputs-from", folder.path("list.txt")]) == nil)
    try expectEqual("whole", "found")
  }

  @Test("new recordings join what was evaluated, without evaluating it again")
  func join() async throws {
    try await makeData()
    #expect(await evaluate("whole") == nil)
    for (name, shard) in [(data[0], "1/2"), (data[0], "2/2"), (data[1], "1/1")] {
      let output = folder.path("\(name == data[0] ? "old" : "new")-\(shard.prefix(1))")
      #expect(await run("evaluate", name, "--shard", shard, "--output", output, "--quiet") == nil)
    }
    #expect(await merge(["old-2", "new-1", "old-1"], "joined") == nil)
    try expectEqual("whole", "joined")
    let failure = await merge(["old-2", "new-1"], "half")
    #expect(failure?.code == Failure.badData)
    #expect(failure?.message.contains("new-1: it has another list of inputs than") == true)
  }

  @Test("shards that do not belong together are refused by name")
  func refusals() async throws {
    try await makeData()
    let quick = ["--methods", "ols", "--no-diagnosis"]
    #expect(await evaluate("one", quick + ["--shard", "1/2"]) == nil)
    #expect(await evaluate("two", quick + ["--shard", "2/2"]) == nil)
    #expect(await evaluate("two-of-three", quick + ["--shard", "2/3"]) == nil)
    #expect(await evaluate("near", quick + ["--max-depth", "2", "--shard", "2/2"]) == nil)
    let one = await run(
      ["evaluate", data[0], "--output", folder.path("foreign"), "--quiet", "--shard", "2/2"] + quick)
    #expect(one == nil)
    for (shards, words) in [
      (["one"], "shard 2/2 is missing"), (["one", "two", "two"], "it is shard 2 of 2, and so is"),
      (["one", "two-of-three"], "it is one of 3 shards"), (["one", "near"], "it has another options than"),
      (["one", "foreign"], "it has another list of inputs than"),
    ] {
      let failure = await merge(shards, "merged")
      #expect(failure?.code == Failure.badData, "\(shards)")
      #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "none")")
      #expect(failure?.message.contains(shards.last ?? "") == true || shards.count == 1)
      #expect(!folder.exists("merged"))
    }
    // A changed file is told.
    let rows = try #require(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("two")).first { $0.hasSuffix(".rows") })
    try Data("x".utf8).write(to: URL(fileURLWithPath: folder.path("two/" + rows)))
    let failure = await merge(["one", "two"], "merged")
    #expect(failure?.code == Failure.badData)
    #expect(failure?.message.contains(rows) == true, "\(failure?.message ?? "none")")
    #expect(await run("merge", "--output", folder.path("none"))?.code == Failure.usage)
    #expect(await merge(["absent"], "merged")?.code == Failure.noInput)
    #expect(await evaluate("bad", ["--shard", "0/2"])?.code == Failure.usage)
    #expect(await evaluate("bad", ["--shard", "3/2"])?.code == Failure.usage)
  }

  @Test("an unreadable data set is named by the merged run as by the undivided one")
  func unreadable() async throws {
    try await makeData()
    try Data("no data set".utf8).write(to: URL(fileURLWithPath: folder.path("b.h5")))
    let options = ["--methods", "ols", "--keep-going"]
    #expect(await evaluate("whole", options)?.code == Failure.badData)
    for number in 1...2 { _ = await evaluate("shard-\(number)", options + ["--shard", "\(number)/2"]) }
    #expect(await merge(["shard-1", "shard-2"], "merged")?.code == Failure.badData)
    try expectEqual("whole", "merged")
  }

  @Test(
    "a killed evaluation goes on, and gives the same bytes",
    .enabled(if: BuiltCommand.path != nil, BuiltCommand.comment))
  func resume() async throws {
    try await makeData()
    // All of it by the command, which reads in another process, and says so in run.json.
    let whole = ["evaluate"] + data + ["--output", folder.path("whole"), "--quiet"]
    #expect(try BuiltCommand(whole, in: folder.url, seconds: 300).code == 0)
    let arguments = ["evaluate"] + data + ["--output", folder.path("broken"), "--quiet", "--resume"]
    var (kept, code) = (0, Int32?.none)
    for attempt in 0..<60 where code == nil {
      code = try BuiltCommand(arguments, in: folder.url, seconds: 0.4 + Double(attempt) * 0.3).code
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path("broken.partial"))) ?? []
      let now = names.count { $0.hasSuffix(".json") && $0.hasPrefix("scene-") }
      // Killed between the folder's last name and its own end, it has finished.
      #expect(code != nil || now >= kept || folder.exists("broken"))
      kept = now
    }
    #expect(code == 0)
    try expectEqual("whole", "broken")
    // Finished: nothing more is done.
    let before =
      try FileManager.default.attributesOfItem(atPath: folder.path("broken/run.json"))[.modificationDate]
      as? Date
    #expect(await run(arguments) == nil)
    let after =
      try FileManager.default.attributesOfItem(atPath: folder.path("broken/run.json"))[.modificationDate]
      as? Date
    #expect(before == after)
    let other = await run(arguments + ["--max-depth", "2"])
    #expect(other?.code == Failure.cannotCreate)
    #expect(other?.message.contains("with other data or options") == true)
  }

  /// An evaluation whose progress in so many scenes or stretches is kept when the power fails.
  ///
  /// - Returns: Its unfinished folder.
  @discardableResult private func interrupt(
    _ name: String = "run", _ data: [String]? = nil, _ flags: [String] = [], after count: Int
  ) async throws -> String {
    let partial = folder.path(name + ".partial")
    let settings = try PlannedEvaluation(try EvaluationFlags.parse(flags), config: nil)
    let evaluation = try EvaluateJob(DataSelection(data ?? self.data), plan: settings.plan).open { _ in }
    try FileManager.default.createDirectory(atPath: partial, withIntermediateDirectories: true)
    try Data("999999\n".utf8).write(to: URL(fileURLWithPath: partial + "/.fathom-writer"))
    let work = try WorkFolder(in: partial, kind: .run, task: evaluation.task.text)
    var kept = 0
    await #expect(throws: CancellationError.self) {
      _ = try await evaluation.run(
        in: work,
        kept: {
          kept += 1
          if kept == count { throw CancellationError() }
        }
      ) { _ in }
    }
    return partial
  }

  /// A data set of one scene, whose frames are those of the sample's first one again and again.
  private func makeLongScene(_ count: Int, at path: String) throws {
    let reader = try DatasetReader(readingFrom: sample)
    let scene = try #require(reader.scenes.first)
    var header = scene
    (header.colourSize, header.frameCount, header.frameIDs) = (nil, count, nil)
    header.timestampsSeconds = nil
    var writer = try DatasetWriter(creating: path, attributes: reader.attributes)
    try writer.addScene(header)
    for index in 0..<count {
      var frame = try reader.frame(index % scene.frameCount, of: scene)
      frame.index = index
      try writer.write(frame, to: header.name)
    }
    try writer.commit()
  }

  @Test("one long scene goes on where it stopped, to the same bytes, whatever the number of jobs")
  func longScene() async throws {
    let long = folder.path("long.h5")
    try makeLongScene(150, at: long)
    let flags = ["--methods", "ols,smoothed"]
    let command = ["evaluate", long, "--quiet", "--no-figures"] + flags
    #expect(await run(command + ["--output", folder.path("whole"), "--jobs", "1"]) == nil)
    for jobs in ["1", "3"] {
      let partial = try await interrupt("broken-" + jobs, [long], flags, after: 2)
      let kept = try FileManager.default.contentsOfDirectory(atPath: partial).filter { $0.hasSuffix(".rows") }
      #expect(kept.sorted() == ["scene-0-0-0.rows", "scene-0-0-1.rows"])
      // The second one is lost: it is made again, and the first is not.
      if jobs == "3" { try spoil(partial + "/scene-0-0-1.rows") }
      let output = ["--output", folder.path("broken-" + jobs), "--resume", "--jobs", jobs]
      #expect(await run(command + output) == nil)
      try expectEqual("whole", "broken-" + jobs)
    }
    #expect(await run(command + ["--shard", "1/1", "--output", folder.path("shard")]) == nil)
    #expect(await merge(["shard"], "merged", ["--no-figures"]) == nil)
    try expectEqual("whole", "merged")
  }

  @Test("unfinished work of another build is refused by name")
  func otherBuild() async throws {
    try await makeData()
    let partial = try await interrupt(after: 1)
    let file = partial + "/evaluation.json"
    let task = try String(contentsOfFile: file, encoding: .utf8)
    #expect(task.contains(Version.name))
    try task.replacing(Version.name, with: "fathom 0.3.0 (0123)").write(
      toFile: file, atomically: true, encoding: .utf8)
    let failure = await evaluate("run", ["--resume"])
    #expect(failure?.code == Failure.cannotCreate)
    #expect(
      failure?.message.contains("it holds a run of fathom 0.3.0 (0123), and this is \(Version.name)") == true)
  }

  @Test("a scene whose file changed is evaluated again")
  func changed() async throws {
    try await makeData()
    try await interrupt(after: 2)
    #expect(await evaluate("run")?.code == Failure.cannotCreate)
    #expect(await evaluate("run", ["--shard", "1/1", "--overwrite"])?.code == Failure.cannotCreate)
    // The same scenes with other frames.
    let failure = await run(
      "synthesize", data[0], "--preset", "sample", "--scenes", "3", "--frames", "2", "--seed", "9",
      "--overwrite",
      "--quiet")
    #expect(failure == nil)
    #expect(await evaluate("whole") == nil)
    #expect(await evaluate("run", ["--resume"]) == nil)
    try expectEqual("whole", "run")
  }

  /// Changes a digit, so that JSON stays JSON.
  private func spoil(_ path: String) throws {
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let place = bytes.lastIndex { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? bytes.count / 2
    bytes[place] ^= 1
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  @Test("a bit that flips in any file of a shard is noticed, by merge and by --resume")
  func spoiledShard() async throws {
    try await makeData()
    let options = ["--methods", "ols"]
    for number in 1...2 {
      #expect(await evaluate("shard-\(number)", options + ["--shard", "\(number)/2"]) == nil)
    }
    for number in 1...2 {
      let shard = folder.path("shard-\(number)")
      let names = try FileManager.default.contentsOfDirectory(atPath: shard).filter { $0 != "timing.csv" }
      #expect(names.contains { $0.hasPrefix("input-") } && names.contains { $0.hasSuffix(".rows") })
      for name in names {
        let whole = try Data(contentsOf: URL(fileURLWithPath: shard + "/" + name))
        try spoil(shard + "/" + name)
        for failure in [
          await merge(["shard-1", "shard-2"], "merged"),
          await evaluate("shard-\(number)", options + ["--shard", "\(number)/2", "--resume"]),
        ] {
          #expect(failure?.code == Failure.badData && failure?.message.contains(name) == true, "\(name)")
        }
        try whole.write(to: URL(fileURLWithPath: shard + "/" + name))
      }
    }
    #expect(!folder.exists("merged") && !folder.exists("merged.partial"))
    #expect(await evaluate("shard-1", options + ["--shard", "1/2", "--resume"]) == nil)
    #expect(await merge(["shard-1", "shard-2"], "merged") == nil)
  }

  @Test("what was kept of an interrupted evaluation and changed since is found again")
  func spoiledWork() async throws {
    try await makeData()
    let partial = try await interrupt(after: 5)
    let names = try FileManager.default.contentsOfDirectory(atPath: partial).filter {
      $0.hasPrefix("input-") || $0.hasPrefix("scene-")
    }
    #expect(names.contains { $0.hasPrefix("input-") } && names.count > 10)
    for name in names { try spoil(partial + "/" + name) }
    #expect(await evaluate("run", ["--resume"]) == nil)
    #expect(await evaluate("whole") == nil)
    try expectEqual("whole", "run")
  }

  @Test("parts are named by number and count")
  func partNames() {
    #expect(ScenePart("2/7")?.description == "2/7")
    for text in ["0/7", "8/7", "1/0", "1", "a/b", "1/2/3", ""] { #expect(ScenePart(text) == nil, "\(text)") }
    for text in ["{\"number\":0,\"count\":0}", "{\"number\":3,\"count\":2}", "{\"number\":-1,\"count\":2}"] {
      #expect(throws: DecodingError.self) { try CanonicalJSON.value(ScenePart.self, from: text) }
    }
  }

  @Test("the list of a plan is enough to compute the part of every scene, and no part waits for another")
  func division() throws {
    var outlines: [InputOutline] = []
    var generator = SplitMix64(seed: 1)
    for file in 0..<40 {
      let scenes = (0..<25).map { scene in
        var header = SceneHeader(name: "\(file)-\(scene)", frameCount: 1 + Int(generator.next() % 300))
        header.lidarSize = RasterSize(width: 256, height: 192)
        return SceneOutline(header)
      }
      outlines.append(InputOutline("\(file).h5", label: "\(file)", scenes: scenes))
    }
    let division = SceneDivision(outlines, count: 64)
    var loads = [Int](repeating: 0, count: 64)
    for (input, scene, number) in division.taken {
      let least = try #require(loads.min())
      #expect(loads[number - 1] == least && loads.firstIndex(of: least) == number - 1)
      loads[number - 1] += outlines[input].scenes[scene].microseconds
      #expect(division.number(input: input, scene: scene) == number)
    }
    #expect(division.taken.count == 1000)
    let mean = Double(loads.reduce(0, +)) / 64
    #expect(Double(loads.max() ?? 0) < 1.02 * mean, "by names alone the fullest part has 1.4 times the mean")
    // More parts than scenes.
    let few = SceneDivision([outlines[0]], count: 100)
    #expect(Set((0..<25).map { few.number(input: 0, scene: $0) }).count == 25)
  }

  @Test("a plan names every scene once, and the commands are those that evaluate understands")
  func plan() async throws {
    try await makeData()
    let parts = try PlanJob(data, count: 3).run()
    #expect(parts.reduce(0) { $0 + $1.scenes.count } == 6)
    #expect(parts.reduce(0) { $0 + $1.frames } == 12)
    for format in ["tsv", "scenes", "snakemake", "slurm", "parallel"] {
      for job in ["evaluate", "tune", "calibrate", "import"] {
        let failure = await run("plan", data[0], "--shards", "2", "--format", format, "--for", job, "--quiet")
        #expect(failure?.code == (job == "import" ? Failure.usage : nil), "\(job), \(format)")
      }
    }
    for words in [
      ["--for", "import", "--scenes", "a"], ["--for", "calibrate", "--frames", "0:2"],
      ["--options", "--frames 0:2"],
    ] {
      #expect(await run(["plan", data[0], "--shards", "2"] + words)?.code == Failure.usage, "\(words)")
    }
    var some = PlanJob(data, count: 3)
    some.data.frames = FrameRange("0:1")
    #expect(try some.run().reduce(0) { $0 + $1.frames } == 6)
    #expect(await run("plan", "--shards", "2")?.code == Failure.usage)
    #expect(await run("plan", data[0], "--shards", "0")?.code == Failure.usage)
    #expect(await run("plan", folder.path("*.tiff"), "--shards", "2")?.code == Failure.noInput)
  }

  @Test("inputs as folders, patterns and lists, and some excluded")
  func inputs() throws {
    for name in ["sets/a.h5", "sets/b.h5", "sets/note.txt", "c.h5"] {
      let path = folder.path(name)
      try FileManager.default.createDirectory(
        atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path, withIntermediateDirectories: true
      )
      try Data().write(to: URL(fileURLWithPath: path))
    }
    let sets = folder.path("sets")
    #expect(
      try InputList.paths([folder.path("c.h5"), sets]) == [
        folder.path("c.h5"), sets + "/a.h5", sets + "/b.h5",
      ])
    #expect(try InputList.paths([sets + "/[ab].h5"]) == [sets + "/a.h5", sets + "/b.h5"])
    #expect(try InputList.paths([sets], leavingOut: ["a.h5"]) == [sets + "/b.h5"])
    #expect(try InputList.paths([sets], leavingOut: [sets + "/b*"]) == [sets + "/a.h5"])
    try "# mine\n\n \(sets) \n".write(toFile: folder.path("list"), atomically: true, encoding: .utf8)
    #expect(try InputList.words(in: folder.path("list")) == [sets])
  }

  @Test(
    "sizes",
    arguments: [("4G", 4 << 30), ("500M", 500 << 20), ("1.5GiB", 3 << 29), ("2048kb", 2 << 20)])
  func sizes(text: String, bytes: Int) { #expect(ByteCount(argument: text)?.bytes == bytes) }

  @Test("sizes that are none", arguments: ["", "G", "0", "-1", "4X", "nan", "7", "64kb"])
  func noSizes(text: String) { #expect(ByteCount(argument: text) == nil) }
}
