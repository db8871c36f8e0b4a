import DepthCore
import DepthRendering
import FathomHDF5
import FathomPictureFiles
import FathomStorage
import FathomTestSupport
import Foundation
import Testing

@testable import FathomCommandLine

@Suite("fathom fuse")
struct FuseCommandTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
  }

  private func fuse(_ data: String = sample, to name: String, _ options: String...) async -> Failure? {
    await run(["fuse", data, "--output", folder.path(name), "--quiet"] + options)
  }

  @Test("depth and deviation of every frame, the same for any number of jobs and without the truth")
  func file() async throws {
    #expect(await fuse(to: "a.h5", "--jobs", "2") == nil)
    #expect(await fuse(to: "b.h5", "--jobs", "1") == nil)
    #expect(try bytes("a.h5") == bytes("b.h5"))
    let file = try HDF5File(readingFrom: folder.path("a.h5"))
    #expect(try file.attribute("method")?.elements == .strings(["auto"]))
    let depth = try file.dataset("scenes/room-01/fused/depth")
    #expect(depth.shape == [2, 196, 259])
    let (depths, deviations) = (
      try depth.read(as: Float.self), try file.dataset("scenes/room-01/fused/deviation").read(as: Float.self)
    )
    #expect(zip(depths, deviations).allSatisfy { $0.isFinite == $1.isFinite })
    #expect(zip(depths, deviations).allSatisfy { !$0.isFinite || ($1 > 0 && $1 < 2 * $0) })
    // A truth that is nonsense changes nothing but the digest of the source.
    let other = folder.path("sample.h5")
    try FileManager.default.copyItem(atPath: sample, toPath: other)
    do {
      let changed = try HDF5File(updating: other)
      let truth = try changed.dataset("scenes/room-01/truth/depth")
      try truth.write([Float](repeating: 9, count: 240 * 320), at: 0)
      try changed.close()
    }
    #expect(await fuse(other, to: "c.h5") == nil)
    let blind = try HDF5File(readingFrom: folder.path("c.h5"))
    #expect(try blind.dataset("scenes/room-01/fused/depth").read(as: Float.self) == depths)
    #expect(try blind.dataset("scenes/room-01/fused/deviation").read(as: Float.self) == deviations)
  }

  @Test("folders hold the same numbers, with missing depth and reasons where the method refuses a frame")
  func folders() async throws {
    let options = ["--method", "ols", "--scenes", "room-01"]
    #expect(await run(["fuse", sample, "--output", folder.path("n"), "--quiet"] + options) == nil)
    #expect(
      await run(["fuse", sample, "--output", folder.path("e"), "--format", "exr", "--quiet"] + options) == nil
    )
    #expect(await run(["fuse", sample, "--output", folder.path("f.h5"), "--quiet"] + options) == nil)
    let stored = try HDF5File(readingFrom: folder.path("f.h5")).dataset("scenes/room-01/fused/depth")
      .read(as: Float.self, at: 1)
    let array = try bytes("n/depth/000001.npy")
    #expect(array.suffix(4 * stored.count) == stored.withUnsafeBytes { Data($0) })
    let exr = try bytes("e/depth/000001.exr")
    let row = stored[0..<259].withUnsafeBytes { Data($0) }
    #expect(exr.range(of: row) != nil)
    #expect(FolderKind.kinds(in: folder.path("n")) == [.fused])
    #expect(await fuse(to: "r", "--method", "ols", "--min-pairs", "1000000", "--format", "png16") == nil)
    let table = String(decoding: try bytes("r/room-01/frames.csv"), as: UTF8.self)
    #expect(table.contains("too_few_pairs"))
    #expect(try bytes("r/room-01/depth/000000.png").count < 2000)
  }

  @Test("the raw LiDAR's deviation is its noise times its depth away from steps, of a calibration as it says")
  func lidar() async throws {
    let deviations = [
      "--method", "lidar-bilinear", "--scenes", "room-01", "--lidar-deviations", "0.1,0.02,0.005",
    ]
    #expect(await run(["fuse", sample, "--output", folder.path("l.h5"), "--quiet"] + deviations) == nil)
    let file = try HDF5File(readingFrom: folder.path("l.h5"))
    let depth = try file.dataset("scenes/room-01/fused/depth").read(as: Float.self, at: 0)
    let deviation = try file.dataset("scenes/room-01/fused/deviation").read(as: Float.self, at: 0)
    let levels = try HDF5File(readingFrom: sample).dataset("scenes/room-01/lidar/confidence")
      .read(as: UInt8.self, at: 0)
    let table: [Float] = [0.1, 0.02, 0.005]
    let ratios = depth.indices.map { deviation[$0] / depth[$0] / table[Int(levels[$0])] }
    #expect(ratios.allSatisfy { $0 > 0.9999 })
    #expect(ratios.count { abs($0 - 1) < 1e-4 } > ratios.count / 2)
  }

  @Test("what cannot be is refused in one line, and a method without deviations says so")
  func refusals() async throws {
    #expect(await fuse(to: "o.h5", "--method", "oracle")?.message.contains("is fitted to the truth") == true)
    #expect(await fuse(to: "o.h5", "--method", "stored:x")?.message.contains("nothing is fused") == true)
    #expect(await fuse(to: "o.h5", "--method", "ols,wls")?.message.contains("is not one method") == true)
    #expect(await fuse(to: "o.h5", "--format", "npy")?.message.contains("is not named as") == true)
    #expect(await fuse(to: "o.png")?.message.contains("give a folder, and --format png16") == true)
    #expect(!FileManager.default.fileExists(atPath: folder.path("o.h5")))
    #expect(await fuse(to: "g.h5", "--method", "shipped", "--frames", "0:1") == nil)
    let file = try HDF5File(readingFrom: folder.path("g.h5"))
    #expect(try file.kind(of: "scenes/room-01/fused/deviation") == nil)
    #expect(try file.attribute("deviation")?.elements == .strings(["shipped gives none"]))
    #expect(await fuse(to: "g.h5")?.code == Failure.cannotCreate)
  }
}
