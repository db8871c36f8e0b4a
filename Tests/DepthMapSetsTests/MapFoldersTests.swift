import DepthCore
import DepthImport
import DepthMapSets
import FathomStorage
import FathomTestSupport
import Foundation
import Testing

/// Folders of maps where a data set belongs: the command that compares them.
@Suite struct MapFoldersTests {
  private func made(_ folders: [(name: String, change: @Sendable (Float) -> Float)]) throws -> MadeMapSet {
    let made = try MadeMapSet()
    for (name, change) in folders {
      for frame in 0..<3 { try made.put(frame, "\(name)/00\(frame).npy", change) }
    }
    return made
  }

  private func command(_ made: MadeMapSet, _ names: [String], truth: String? = nil) -> String? {
    MapFolders(names.map(made.folder.path), truth: truth.map(made.folder.path))?.command
      .replacing(made.folder.path("x").dropLast(), with: "")
  }

  @Test("two folders are a truth and a prediction by their names, with the kind that the numbers show")
  func two() throws {
    let made = try made([
      ("gt", { $0 }), ("pred", { $0 * 1.02 }), ("mm", { $0 * 1000 }), ("disp", { 1 / $0 }),
      ("small", { $0 / 10 }),
    ])
    #expect(command(made, ["pred", "gt"]) == "fathom evaluate --truth gt --prediction pred:metric=pred")
    #expect(command(made, ["gt", "pred"]) == "fathom evaluate --truth gt --prediction pred:metric=pred")
    #expect(command(made, ["gt", "mm"]) == "fathom evaluate --truth gt --prediction mm:millimetres=mm")
    #expect(
      command(made, ["disp"], truth: "gt") == "fathom evaluate --truth gt --prediction disp:disparity=disp")
    #expect(
      command(made, ["gt", "small", "pred"])
        == "fathom evaluate --truth gt --prediction small:depth=small --prediction pred:metric=pred")
    let refusal = MapFolders([made.folder.path("pred"), made.folder.path("gt")])?.refusal.onCommandLine
    #expect(
      refusal?.contains("they are folders of maps, not a data set; compare them with 'fathom evaluate")
        == true)
    #expect(refusal?.hasSuffix("(assumed: pred is metric)") == true)
  }

  @Test("a folder stands for those in it: truth, networks and images")
  func inner() throws {
    let made = try made([("maps/gt", { $0 }), ("maps/netA", { $0 }), ("maps/netB", { 1 / $0 })])
    for frame in 0..<3 {
      try made.folder.put(MadePNG.rgb(8, 6, (0..<144).map { UInt8($0) }), "maps/rgb/00\(frame).png")
    }
    #expect(
      command(made, ["maps"])
        == "fathom evaluate --truth maps/gt --prediction netA:metric=maps/netA --prediction netB:disparity=maps/netB --images maps/rgb"
    )
    #expect(command(made, ["nothing"]) == nil && command(made, ["maps/gt"]) == nil)
  }

  @Test("files of one folder are told apart by _gt and _pred")
  func suffixes() throws {
    let made = try MadeMapSet()
    for frame in 0..<3 {
      try made.put(frame, "all/\(frame)_gt.npy")
      try made.put(frame, "all/\(frame)_pred.npy")
    }
    #expect(command(made, ["all"]) == "fathom evaluate --truth all --prediction pred:metric=all")
  }

  @Test(
    "the unit of a truth of counts is the one that fits the maps", arguments: [256, 100, 1000] as [Float])
  func counts(_ counts: Float) throws {
    let made = try made([("pred", { $0 })])
    for frame in 0..<3 {
      try made.folder.put(
        MadePNG.grey16(8, 6, MadeMapSet.metres(frame).map { UInt16($0 * counts) }), "gt/00\(frame).png")
    }
    #expect(
      command(made, ["pred", "gt"])
        == "fathom evaluate --truth gt --truth-scale \(1 / Double(counts)) --prediction pred:metric=pred")
  }

  @Test("a folder is never the truth of its own maps, and the one whose files are named so is the truth")
  func ownTruth() throws {
    let made = try made([
      ("a/outputs", { $0 }), ("a/labels", { $0 }), ("b/out/run", { $0 }), ("b/data/gt", { $0 }),
    ])
    #expect(command(made, ["a"]) == nil)
    #expect(command(made, ["b"]) == "fathom evaluate --truth b/data --prediction out:metric=b/out")
  }
}
