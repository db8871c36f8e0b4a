import FathomStorage
import FathomTestSupport
import Foundation
import Testing

/// Shards are made with relative paths in one folder, and merged in another.
@Suite("Shards that are merged elsewhere", .enabled(if: BuiltCommand.path != nil, BuiltCommand.comment))
struct RelocatedShardTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.put(
      """
      name: somebody
      match: {by: number}
      depth: {files: ["*.h5"], array: scenes/room-01/lidar/depth, axes: [frame, height, width], unit: m}
      truth:
        independence: render
        depth: {files: ["*.h5"], array: scenes/room-01/truth/depth, axes: [frame, height, width], unit: m}
      """, "there/names.yaml")
    try folder.put("min-confidence: [1, 2]\nmax-depth: [3, 4]\n", "there/grid.yaml")
    try folder.put("clamp-max: 20\nseed: 4\n", "there/fixed.yaml")
    try folder.put("", "here/empty")
    for name in ["a.h5", "b.h5"] {
      try FileManager.default.copyItem(atPath: sample, toPath: folder.path("there/" + name))
    }
  }

  static let commands = [
    ["evaluate", "a.h5", "b.h5", "--mapping", "names.yaml", "--methods", "ols", "--no-diagnosis"]
      + ["--no-gallery"],
    ["calibrate", "a.h5", "b.h5", "--mapping", "names.yaml"],
    // A mapping has no relative maps, which a search needs.
    ["tune", "a.h5", "--grid", "grid.yaml", "--config", "fixed.yaml"],
  ]

  private func call(_ words: [String], in place: String) throws {
    let answer = try BuiltCommand(
      words + ["--no-figures", "--quiet"], in: folder.url, seconds: 300,
      through: ["/usr/bin/env", "-C", folder.path(place)])
    #expect(answer.code == 0, "\(words): \(answer.errors)")
  }

  @Test(
    "the merge finds data and mapping, and needs neither the folder nor the files of options",
    arguments: commands)
  func merged(_ command: [String]) throws {
    let (whole, merged) = (folder.path("whole"), folder.path("merged"))
    try call(command + ["--output", whole], in: "there")
    var shards: [String] = []
    for number in 1...2 {
      shards.append(folder.path("shard-\(number)"))
      try call(command + ["--shard", "\(number)/2", "--output", shards[number - 1]], in: "there")
    }
    for name in ["grid.yaml", "fixed.yaml"] {
      try FileManager.default.removeItem(atPath: folder.path("there/" + name))
    }
    let options = command[0] == "evaluate" ? ["--no-gallery"] : []
    try call(["merge"] + shards + ["--output", merged] + options, in: "here")
    // Pages give commands as they are typed in the folder that the command was called in.
    let names = try FileManager.default.contentsOfDirectory(atPath: whole)
      .filter { !$0.hasPrefix("report.") && $0 != "timing.csv" && $0 != "measuring.json" }.sorted()
    #expect(names.count > 5)
    for name in names {
      let same = FileManager.default.contentsEqual(atPath: whole + "/" + name, andPath: merged + "/" + name)
      // The manifest holds digests of the pages.
      #expect(same || FolderKind.allCases.contains { $0.marker == name }, "\(name)")
    }
    let (a, b) = (try StoredFolder(whole), try StoredFolder(merged))
    #expect(a.kind == b.kind && a.manifest == b.manifest)
  }

  @Test("a shard holds no words of a command, and names no folder but where data and mapping were")
  func shard() throws {
    for command in Self.commands {
      let path = folder.path("shard-of-\(command[0])")
      try call(command + ["--shard", "1/2", "--output", path], in: "there")
      var manifest = try StoredFolder(path).manifest
      #expect(manifest["words"] == nil && manifest["folder"] == nil)
      guard case .list(let paths) = try #require(manifest["paths"]), case .text(let first) = paths[0] else {
        Issue.record("\(command[0]) does not say where its data are")
        continue
      }
      #expect(first.hasPrefix("/") && first.hasSuffix("/there/a.h5"))
      (manifest["paths"], manifest["mapping"]) = (nil, nil)
      let text = try CanonicalJSON.text(manifest)
      #expect(!text.contains(folder.url.path) && !text.contains("--"))
    }
  }
}
