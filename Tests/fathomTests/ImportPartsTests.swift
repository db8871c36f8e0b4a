import DepthCore
import DepthDataset
import DepthImport
import Foundation
import FathomRuns
import Synchronization
import FathomTestSupport
import Testing

@testable import FathomCommandLine

/// A long import that was interrupted goes on behind its finished parts.
@Suite struct ImportPartsTests {
  private let folder: TemporaryFolder
  private static let frames = 1030

  init() throws {
    folder = try TemporaryFolder()
    for name in ["depth", "confidence", "rgb"] {
      try FileManager.default.createDirectory(
        atPath: folder.path("scan/" + name), withIntermediateDirectories: true)
    }
    try folder.put(Array("1600, 0, 960\n0, 1600, 720\n0, 0, 1\n".utf8), "scan/camera_matrix.csv")
    var rows = ["timestamp, frame, x, y, z, qx, qy, qz, qw"]
    let confidence = MadePNG.grey8(8, 6, [UInt8](repeating: 2, count: 48))
    for frame in 0..<Self.frames {
      try folder.put(MadePNG.grey16(8, 6, (0..<48).map { UInt16(1000 + 10 * $0 + frame) }), Self.depth(frame))
      try folder.put(confidence, "scan/confidence/\(Self.digits(frame)).png")
      if frame % 3 == 0 {
        try folder.put(
          MadePNG.grey8(8, 6, [UInt8](repeating: UInt8(frame % 251), count: 48)),
          "scan/rgb/\(Self.digits(frame)).png")
      }
      rows.append("\(5 + Double(frame) / 60), \(frame), \(Double(frame) / 1000), 0, 0, 0, 0.6, 0, 0.8")
    }
    try folder.put(Array((rows.joined(separator: "\n") + "\n").utf8), "scan/odometry.csv")
  }

  private static func digits(_ frame: Int) -> String { String(format: "%06d", frame) }
  private static func depth(_ frame: Int) -> String { "scan/depth/\(digits(frame)).png" }

  private func job() -> ImportJob {
    var job = ImportJob(folder.path("scan"), to: folder.path("out.h5"))
    (job.overwrite, job.jobs) = (true, 2)
    return job
  }

  private var output: Data {
    get throws { try Data(contentsOf: URL(fileURLWithPath: folder.path("out.h5"))) }
  }

  @Test func partsAreTakenAsTheyAre() async throws {
    let (kept, files) = (folder.path("kept"), FileManager.default)
    let parts = Mutex(0)
    _ = try await job().run { event in
      guard case .noticed(.partKept(let place)) = event else { return }
      parts.withLock { $0 += 1 }
      // As they would be there after an interruption.
      try? files.removeItem(atPath: kept)
      try? files.copyItem(atPath: place, toPath: kept)
    }
    let whole = try output
    #expect(parts.withLock { $0 } == 3)
    #expect(!files.fileExists(atPath: folder.path("out.h5.parts")))

    // All frames are there, in their places.
    let reader = try DatasetReader(readingFrom: folder.path("out.h5"))
    let scene = reader.scenes[0]
    #expect(
      scene.frameCount == Self.frames && scene.imageFrames == Array(stride(from: 0, to: Self.frames, by: 3)))
    for index in [0, 499, 500, 999, 1000, 1029] {
      let frame = try reader.frame(index, of: scene, including: .all)
      #expect(frame.lidar.values[0] == Float(Double(1000 + index) / 1000))
      #expect(frame.worldFromCamera?.rowMajor[3] == Double(index) / 1000)
      #expect(frame.image?.values[0].red == (index % 3 == 0 ? UInt8(index % 251) : nil))
    }

    // A file of the first part that could no longer be decoded shows that it is not read again.
    try files.moveItem(atPath: kept, toPath: folder.path("out.h5.parts"))
    let path = folder.path(Self.depth(3))
    var status = stat()
    #expect(stat(path, &status) == 0)
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    for index in 45..<bytes.count - 12 { bytes[index] ^= 0x5A }
    try folder.put(bytes, Self.depth(3))
    #expect(utimensat(AT_FDCWD, path, [status.st_atim, status.st_mtim], 0) == 0)
    _ = try await job().run()
    #expect(try output == whole)
    #expect(!files.fileExists(atPath: folder.path("out.h5.parts")))

    // Without parts the frame is dropped, and the rest is as before.
    let result = try await job().run()
    #expect(result.scenes[0].frameCount == Self.frames - 1)
    #expect(
      result.scenes[0].importRecord?.entries.contains {
        $0.step == .dropped && $0.subject == "depth/000003.png"
      } == true)
  }

  @Test func paceSaysRateAndRest() {
    #expect(Pace(done: 0, of: 10, seconds: 5).text == "")
    #expect(Pace(done: 100, of: 1000, seconds: 0.1).text == "")
    #expect(Pace(done: 100, of: 1000, seconds: 2).text == ", 50/s, 0:18 left")
    #expect(Pace(done: 1, of: 100, seconds: 40).text == ", 40.0 s each, 1:06:00 left")
    #expect(Pace(done: 10, of: 10, seconds: 2).text == "")
  }

  @Test("where no terminal is, a line comes every half minute")
  func heartbeat() {
    let start = ContinuousClock.now
    var heartbeat = Heartbeat(at: start)
    func line(_ seconds: Int, _ done: Int) -> String? {
      heartbeat.line("fusing", done, of: 500, at: start + .seconds(seconds))
    }
    #expect(line(29, 100) == nil)
    #expect(line(40, 120) == "fusing 120/500, 3.0/s, 2:07 left")
    #expect(line(69, 200) == nil)
    #expect(line(80, 240) == "fusing 240/500, 3.0/s, 1:27 left")
    #expect(line(200, 500) == nil)
  }
}
