import DepthReport
import Foundation
import FathomTestSupport
import Testing
import FathomStorage

@testable import FathomCommandLine

@Suite("Kinds of folders")
struct FolderKindTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Every command that writes a folder, with its kind, without the output.
  private var commands: [(kind: FolderKind, arguments: [String])] {
    let (a, b) = (folder.path("run"), folder.path("other-run"))
    return [
      (.run, Self.evaluate),
      (.tuning, ["tune", sample, "--min-confidence", "1,2", "--max-depth", "3,4", "--no-figures"]),
      (.calibration, ["calibrate", sample, "--no-figures"]),
      (.comparison, ["compare", a, b, "--no-figures"]),
      (.replay, ["replay", sample, "--stage", "detect=45ms", "--no-figures"]),
      (.certificate, ["certify", folder.path("walls.h5"), "--distances", "1m,2m"]),
      (.diagnosis, ["diagnose", sample]), (.export, ["export", a, "--no-execute"]),
      (.rendering, ["render", sample, "--scene", "room-01", "--all-frames", "--format", "jpg"]),
      (.rendering, ["render", sample, "--scene", "room-01", "--all-frames", "--format", "ply"]),
      (.fused, ["fuse", sample, "--method", "lidar-bilinear", "--frames", "0:1"]),
      (.frames, ["frames", a, "--width", "64"]),
      (.reproduction, ["reproduce", ledger]),
    ]
  }

  private var ledger: String {
    PackageFiles.root.appendingPathComponent("Datasets/Ledgers/documented.yaml").path
  }

  private static let evaluate = [
    "evaluate", sample, "--methods", "ols", "--frames", "0:1", "--no-figures", "--no-gallery",
  ]

  @Test("every command marks its folder, and none replaces a folder of another one")
  func pairs() async throws {
    for name in ["run", "other-run"] {
      #expect(await run(Self.evaluate + ["--output", folder.path(name), "--quiet"]) == nil)
    }
    try WallRecording().write(to: folder.path("walls.h5"))
    let commands = commands
    for (number, command) in commands.enumerated() {
      let output = folder.path("folder-\(number)")
      #expect(await run(command.arguments + ["--output", output, "--quiet"]) == nil, "\(command.arguments)")
      #expect(FolderKind.kinds(in: output) == [command.kind], "\(command.arguments)")
      let names = try FileManager.default.subpathsOfDirectory(atPath: output).sorted()
      for other in commands where other.kind != command.kind {
        let failure = await run(other.arguments + ["--output", output, "--overwrite", "--quiet"])
        #expect(failure?.code == Failure.cannotCreate, "\(other.arguments) over \(command.arguments)")
        #expect(
          failure?.message.contains("it exists and is a folder of fathom \(command.kind.command), not of")
            == true,
          "\(failure?.message ?? "")")
      }
      #expect(try FileManager.default.subpathsOfDirectory(atPath: output).sorted() == names)
    }
  }
}
