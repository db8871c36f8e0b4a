import ArgumentParser
import DepthCore
import DepthDataset
import DepthSynthesis
import Foundation
import FathomStorage
import FathomTestSupport
import Testing

@testable import FathomCommandLine

@Suite("fathom replay")
struct ReplayCommandTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func replay(_ data: String, _ output: String, _ options: String...) async -> Failure? {
    await run(
      ["replay", data, "--output", folder.path(output), "--quiet"]
        + (options.contains { $0 == "--stage" || $0.hasPrefix("--stage=") }
          ? [] : ["--stage", "detect=45ms"])
        + options)
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: folder.path(path), encoding: .utf8)
  }

  /// Rows of a table by column.
  private func rows(_ path: String) throws -> [[String: String]] {
    let lines = try text(path).split(separator: "\n").map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let head = try #require(lines.first)
    return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(head, $0)) }
  }

  /// A short walk, small.
  private func walk(_ path: String, frames: Int, change: (inout SceneHeader) -> Void = { _ in }) throws {
    var options = SynthesisPreset.live.options
    options.framesPerScene = frames
    options.relativeSize = RasterSize(width: 8, height: 6)
    options.colourSize = RasterSize(width: 8, height: 6)
    let scene = SyntheticScene(options: options, index: 0)
    var header = scene.header
    header.colourSize = nil
    change(&header)
    var writer = try DatasetWriter(creating: folder.path(path), attributes: DatasetAttributes())
    try writer.addScene(header)
    for index in 0..<frames {
      var frame = scene.frame(index)
      frame.image = nil
      if !header.hasPoses { (frame.worldFromCamera, frame.intrinsics) = (nil, nil) }
      try writer.write(frame, to: header.name)
    }
    if header.hasPoses { try writer.writeObjects(scene.objects(), to: header.name) }
    try writer.commit()
  }

  @Test("a walk of a second: drops by the closed form, staleness, placement, and the same bytes twice")
  func whole() async throws {
    try walk("walk.h5", frames: 61)
    let data = folder.path("walk.h5")
    #expect(await replay(data, "one") == nil)
    #expect(await replay(data, "two") == nil)
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path("one")).sorted()
    #expect(names == (try FileManager.default.subpathsOfDirectory(atPath: folder.path("two")).sorted()))
    for name in names where name.contains(".") {
      let bytes = FileManager.default.contents(atPath: folder.path("one/" + name))
      #expect(bytes == FileManager.default.contents(atPath: folder.path("two/" + name)), "\(name)")
    }
    let setting = try #require(try rows("one/settings.csv").first)
    #expect(setting["offered"] == "61")
    #expect(setting["analysed"] == "21")
    #expect(setting["dropped"] == "40")
    #expect(setting["dropped_closed_form"] == "40")
    #expect(setting["starved"] == "0")
    let latency = try #require(setting["latency_median"].flatMap { Double($0) })
    #expect(abs(latency - 50) < 1e-5)
    func number(_ key: String) throws -> Double {
      try #require(setting[key].flatMap { Double($0) }, "\(key)")
    }
    // A person walks between 0.4 and 1.3 m/s.
    #expect((20...65).contains(try number("staleness_mm_median")))
    #expect(try number("display_error_median") > number("frame_error_median"))
    #expect(try number("shift_median") > 1)
    #expect(try rows("one/placements.csv").count > 40)
    let report = try text("one/report.md")
    #expect(report.contains("40 dropped"))
    #expect(report.contains("figures/timeline.svg"))
    #expect(await run("report", folder.path("one"), "--format", "html", "--quiet") == nil)
    #expect(
      await run("export", folder.path("one"), "--no-execute", "--output", folder.path("export"), "--quiet")
        != nil)
  }

  @Test("a sweep has a row per combination, and the first is that of the report")
  func sweep() async throws {
    try walk("walk.h5", frames: 31)
    let failure = await replay(
      folder.path("walk.h5"), "sweep", "--rate", "60,30", "--pool", "2,4", "--policy", "drop,latest,queue",
      "--stage",
      "detect=45ms/5ms,fuse=1ms", "--no-figures")
    #expect(failure == nil)
    let rows = try rows("sweep/settings.csv")
    #expect(rows.count == 24)
    #expect(
      rows.first?["policy"] == "drop" && rows.first?["pool"] == "2" && rows.first?["stage_ms"] == "46.0")
    for row in rows {
      let counts = ["analysed", "dropped", "starved", "untracked"].compactMap { row[$0].flatMap { Int($0) } }
      #expect(counts.count == 4 && counts.reduce(0, +) == row["offered"].flatMap { Int($0) })
      // An analysis that is fast enough drops nothing, and its queue needs one buffer.
      if row["stage_ms"] == "6.0" {
        #expect(row["analysed"] == row["offered"] && row["buffers_needed"] == "1")
      }
    }
    #expect(!folder.exists("sweep/figures"))
  }

  @Test("without poses latency and drops are told, and nothing else")
  func unposed() async throws {
    try walk("still.h5", frames: 30) { header in
      (header.hasPoses, header.intrinsics, header.cameraConvention) = (false, nil, .unknown)
    }
    #expect(await replay(folder.path("still.h5"), "still") == nil)
    let setting = try #require(try rows("still/settings.csv").first)
    #expect(setting["analysed"] == "10" && setting["dropped"] == "20" && setting["untracked"] == "0")
    #expect(setting["staleness_mm_median"] == "" && setting["placements"] == "0")
    #expect(try text("still/report.md").contains("The data have no poses"))
  }

  @Test("drawn times differ by seed and not by run")
  func seeds() async throws {
    try walk("walk.h5", frames: 40)
    let data = folder.path("walk.h5")
    for (name, seed) in [("a", "1"), ("b", "1"), ("c", "2")] {
      let failure = await replay(
        data, name, "--stage", "detect=normal(45ms;10ms)", "--seed", seed, "--no-figures")
      #expect(failure == nil)
    }
    #expect(try text("a/frames.csv") == text("b/frames.csv"))
    #expect(try text("a/frames.csv") != text("c/frames.csv"))
  }

  @Test("stages that Fathom has are measured, or run on the wall clock")
  func clocks() async throws {
    try walk("walk.h5", frames: 13)
    let data = folder.path("walk.h5")
    #expect(await run("replay", data, "--measured", "--output", folder.path("measured"), "--quiet") == nil)
    #expect(try text("measured/replay.json").contains("\"clock\" : \"measured\""))
    #expect(try text("measured/report.md").contains("Stage times were measured on this machine"))
    let stages = try #require(try rows("measured/settings.csv").first?["stages"])
    #expect(stages.contains("read"))
    let start = ContinuousClock.now
    #expect(await replay(data, "wall", "--real-time") == nil)
    // 0.2 s of recording take as long.
    #expect(start.duration(to: .now) > .milliseconds(180))
    let analysed = try rows("wall/frames.csv").filter { $0["fate"] == "analysed" }
    #expect(!analysed.isEmpty)
    for row in analysed {
      let (from, to) = (try #require(Int(row["start_ns"] ?? "")), try #require(Int(row["end_ns"] ?? "")))
      #expect(to - from >= 45_000_000)
    }
  }

  @Test("data that cannot be replayed are refused in one line")
  func badData() async throws {
    try walk("one.h5", frames: 1)
    try walk("back.h5", frames: 5) { $0.timestampsSeconds = [0, 0.1, 0.05, 0.2, 0.3] }
    try walk("timeless.h5", frames: 3) { $0.timestampsSeconds = nil }
    for (name, words) in [
      ("one", "a replay needs two frames or more"), ("back", "frame 2 is not later than the frame before it"),
      ("timeless", "it has no time stamps"),
    ] {
      let failure = await replay(folder.path("\(name).h5"), "out-\(name)")
      #expect(failure?.code == Failure.badData, "\(name)")
      #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
      #expect(!folder.exists("out-\(name)"))
    }
  }

  @Test("scenes that cannot be replayed are skipped beside one that can, and the report says so")
  func unsuitableScenes() async throws {
    try walk("one.h5", frames: 1)
    try walk("walk.h5", frames: 13)
    let failure = await replay(folder.path("one.h5"), "both", folder.path("walk.h5"), "--no-figures")
    #expect(failure == nil, "\(failure?.message ?? "")")
    #expect(try text("both/replay.json").contains("a replay needs two frames or more"))
    #expect(try text("both/report.md").contains("Skipped: "))
    #expect(!(try rows("both/frames.csv").isEmpty))
  }

  @Test(
    "options that make no sense are refused before the work",
    arguments: [
      ["--pool", "0"], ["--pool", "-3"], ["--rate", "0"], ["--rate", "-60"], ["--rate", "nan"],
      ["--stage", "detect=-45ms"], ["--stage", "detect"], ["--stage", "detect=45"],
      ["--stage", "detect=45ms,detect=1ms"], ["--held", "0"], ["--held", "5"], ["--policy", "wait"],
      ["--display", "0"], ["--measured", "--real-time"], ["--rate", ""],
    ])
  func badOptions(options: [String]) async throws {
    let stage = options.contains("--stage") ? [] : ["--stage", "detect=45ms"]
    let failure = await run(["replay", sample, "--output", folder.path("out")] + stage + options)
    #expect(failure?.code == Failure.usage, "\(failure?.message ?? "no failure")")
    #expect(failure?.message.contains(options[0]) == true, "\(failure?.message ?? "")")
    #expect(!folder.exists("out"))
  }

  @Test("no stage is not an analysis")
  func noStage() async {
    let failure = await run("replay", sample, "--output", folder.path("out"))
    #expect(failure?.code == Failure.usage)
    #expect(failure?.message.contains("--stage: no stage is given") == true)
  }

  @Test(
    "a phone's recording at 60 Hz: staleness of its own poses",
    .enabled(if: PackageFiles.realData != nil, "the real recordings are absent; set FATHOM_REAL_DATA"))
  func phone() async throws {
    let data = PackageFiles.realDataPath("iphone-stray.h5")
    #expect(await replay(data, "phone", "--scenes", "room-consecutive") == nil)
    let setting = try #require(try rows("phone/settings.csv").first)
    #expect(setting["analysed"] == "10" && setting["dropped"] == "20")
    // By numpy: Tests/CrossCheck/check_replay.py.
    let moved = try #require(setting["staleness_mm_median"].flatMap { Double($0) })
    let turned = try #require(setting["staleness_deg_median"].flatMap { Double($0) })
    #expect(abs(moved - 22.164) < 0.001)
    #expect(abs(turned - 0.6152) < 0.0001)
  }
}
