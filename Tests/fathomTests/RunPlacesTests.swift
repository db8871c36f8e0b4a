import FathomRunFolders
import FathomTables
import DepthReport
import Foundation
import FathomLinearAlgebra
import FathomStorage
import FathomTestSupport
import Testing

@testable import FathomCommandLine

/// What a run folder says of where it was made, and with what.
@Suite("Places in a run")
struct RunPlacesTests {
  let folder: TemporaryFolder
  private let quick = ["--methods", "ols", "--no-figures", "--no-gallery", "--no-diagnosis", "--quiet"]

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("it's here"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: sample, toPath: folder.path("it's here/a room.h5"))
  }

  private func text(_ file: String) throws -> String {
    try String(contentsOfFile: folder.path(file), encoding: .utf8)
  }

  private func manifest(_ run: String) throws -> RunManifest {
    try StoredRun(readingFrom: folder.path(run)).manifest
  }

  @Test("no file of a run names the machine or a folder above the data; timing.csv holds times")
  func nothingOfTheMachine() async throws {
    #expect(
      await run(["evaluate", folder.path("it's here/a room.h5"), "--output", folder.path("run")] + quick)
        == nil)
    let host = ProcessInfo.processInfo.hostName
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path("run")) {
      guard let text = try? text("run/" + name) else { continue }
      #expect(!text.contains(folder.path("it's here")), "\(name)")
      #expect(host.count < 4 || host == "localhost" || !text.contains(host), "\(name)")
    }
    let timing = try text("run/timing.csv")
    let items = Set(timing.split(separator: "\n").dropFirst().compactMap { $0.split(separator: ",").first })
    #expect(
      items.isSuperset(of: ["started", "finished", "total_seconds", "jobs", "fusing_seconds", "fusion_ms"]))
    #expect(items.isDisjoint(with: ["command_line", "host", "system", "data", "output"]))
  }

  @Test("--verbose adds command line and host")
  func verbose() async throws {
    let options = quick.filter { $0 != "--quiet" } + ["--verbose"]
    #expect(
      await run(["evaluate", folder.path("it's here/a room.h5"), "--output", folder.path("run")] + options)
        == nil)
    let timing = try text("run/timing.csv")
    #expect(timing.contains("\ncommand_line,,,,") && timing.contains("\nhost,,,,"))
  }

  @Test("the manifest leads from the run to the data, and frames finds them")
  func leads() async throws {
    let data = folder.path("it's here/a room.h5")
    #expect(await run(["evaluate", data, "--output", folder.path("runs/first")] + quick) == nil)
    #expect(try manifest("runs/first").inputs.map(\.path) == ["../../it's here/a room.h5"])
    let small = ["--width", "64", "--quiet"]
    #expect(await run(["frames", folder.path("runs/first")] + small) == nil)
    // Both moved: the way is the same.
    try FileManager.default.createDirectory(atPath: folder.path("x"), withIntermediateDirectories: true)
    for name in ["runs", "it's here"] {
      try FileManager.default.moveItem(atPath: folder.path(name), toPath: folder.path("x/" + name))
    }
    #expect(await run(["frames", folder.path("x/runs/first"), "--overwrite"] + small) == nil)
    try FileManager.default.moveItem(
      atPath: folder.path("x/it's here/a room.h5"), toPath: folder.path("room.h5"))
    let failure = await run(["frames", folder.path("x/runs/first"), "--overwrite"] + small)
    #expect(failure?.code == Failure.noInput)
    #expect(failure?.message.contains("name the data: fathom frames RUN DATA") == true)
    #expect(
      await run(["frames", folder.path("x/runs/first"), folder.path("room.h5"), "--overwrite"] + small) == nil
    )
  }

  @Test("a mapping is part of the manifest, and frames applies it")
  func mapping() async throws {
    let mapping = folder.path("it's here/names.yaml")
    try RunPlacesTests.mapping.write(toFile: mapping, atomically: true, encoding: .utf8)
    let words = ["--mapping", mapping]
    #expect(
      await run(
        ["evaluate", folder.path("it's here/a room.h5"), "--output", folder.path("run")] + words + quick)
        == nil)
    #expect(try manifest("run").mapping?.path == "../it's here/names.yaml")
    #expect(await run("frames", folder.path("run"), "--width", "64", "--quiet") == nil)
  }

  /// The sample's first room, as a file of somebody who knows no schema.
  private static let mapping = """
    name: somebody
    match: {by: number}
    depth: {files: ["*.h5"], array: scenes/room-01/lidar/depth, axes: [frame, height, width], unit: m}
    truth:
      independence: render
      depth: {files: ["*.h5"], array: scenes/room-01/truth/depth, axes: [frame, height, width], unit: m}
    """

  @Test("the libraries of linear algebra stand in the manifest, those of all shards in that of a merge")
  func libraries() async throws {
    let data = folder.path("it's here/a room.h5")
    for part in ["1/2", "2/2"] {
      let output = folder.path("shard-\(part.prefix(1))")
      #expect(await run(["evaluate", data, "--shard", part, "--output", output] + quick) == nil)
    }
    let shards = ["shard-1", "shard-2"].map(folder.path)
    #expect(
      await run(["merge"] + shards + ["--output", folder.path("run"), "--no-gallery", "--quiet"]) == nil)
    #expect(try manifest("run").linearAlgebra == [LinearAlgebraLibrary.description])
    // As a machine with another library would have written it.
    let file = shards[1] + "/shard.json"
    var shard = try JSONValue(text: String(contentsOfFile: file, encoding: .utf8))
    #expect(shard["linearAlgebra"] == .text(LinearAlgebraLibrary.description))
    shard["linearAlgebra"] = .text("another/libblas.so")
    shard["digests"] = nil
    try CanonicalJSON.text(shard).write(toFile: file, atomically: true, encoding: .utf8)
    #expect(
      await run(["merge"] + shards + ["--output", folder.path("mixed"), "--no-gallery", "--quiet"]) == nil)
    #expect(try manifest("mixed").linearAlgebra == [LinearAlgebraLibrary.description, "another/libblas.so"])
    #expect(try manifest("run").build == Version.build)
    // As another commit would have written it.
    #expect(shard["build"] == .text(Version.build))
    shard["build"] = .text("0123")
    try CanonicalJSON.text(shard).write(toFile: file, atomically: true, encoding: .utf8)
    let failure = await run(
      ["merge"] + shards + ["--output", folder.path("other"), "--no-gallery", "--quiet"])
    #expect(failure?.code == Failure.badData)
    #expect(
      failure?.message.contains(
        "it was made by fathom \(Version.current) (0123), and this is \(Version.name)") == true)
  }
}
