import FathomRunFolders
import DepthCore
import DepthDataset
import DepthFusion
import DepthReport
import Foundation
import FathomTestSupport
import Testing
import FathomStorage

@Suite("fathom evaluate --calibration")
struct CalibratedRunTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A data set whose LiDAR says 5 % less and 2 cm more than the sample's.
  private func distorted() throws -> String {
    let path = folder.path("distorted.h5")
    try sampleCopy(
      to: path,
      frame: { frame in
        for index in frame.lidar.values.indices where frame.lidar.values[index] > 0 {
          frame.lidar.values[index] = frame.lidar.values[index] * 0.95 + 0.02
        }
      })
    return path
  }

  private func mae(_ run: String, _ methods: [String]) throws -> [Double] {
    let table = try String(contentsOfFile: run + "/scenes.csv", encoding: .utf8).split(separator: "\n")
    let head = table[0].split(separator: ",", omittingEmptySubsequences: false)
    let (name, value) = (
      try #require(head.firstIndex(of: "method")), try #require(head.firstIndex(of: "mae_m"))
    )
    return try methods.map { method in
      let row = try #require(
        table.first { $0.split(separator: ",", omittingEmptySubsequences: false)[name] == method })
      return try #require(Double(row.split(separator: ",", omittingEmptySubsequences: false)[value]))
    }
  }

  @Test("the correction reaches every method but the literal ones; run.json and the report name it")
  func correction() async throws {
    let data = try distorted()
    let file = folder.path("lidar.yaml")
    // d = (d′ − 0.02) / 0.95
    try Data("correction: {scale: \(1 / 0.95), offset: \(-0.02 / 0.95)}\n".utf8).write(
      to: URL(fileURLWithPath: file))
    let methods = ["lidar-nearest", "lidar-bilinear", "smoothed", "wls@disparity", "residual", "auto"]
    let options = ["--methods", "default", "--scenes", "*-01", "--no-objects", "--quiet"]
    func evaluate(_ data: String, _ label: String, _ extra: [String] = []) async throws -> [Double] {
      let output = folder.path(label)
      #expect(await run(["evaluate", data, "--output", output] + options + extra) == nil)
      return try mae(output, methods)
    }
    let original = try await evaluate(sample, "original")
    let raw = try await evaluate(data, "raw")
    let corrected = try await evaluate(data, "corrected", ["--calibration", file])
    #expect(corrected[..<3] == raw[..<3])
    for index in 3..<methods.count {
      // Float32 LiDAR values differ in the last bit, and with them a rounded choice.
      #expect(abs(corrected[index] / original[index] - 1) < 2e-3, "\(methods[index])")
      #expect(raw[index] > 1.5 * original[index], "\(methods[index])")
    }
    let manifest = try JSONDecoder().decode(
      RunManifest.self, from: Data(contentsOf: URL(fileURLWithPath: folder.path("corrected/run.json"))))
    #expect(manifest.calibration?.file == "lidar.yaml")
    #expect(manifest.options.correction?.scale == 1 / 0.95)
    let report = try String(contentsOfFile: folder.path("corrected/report.md"), encoding: .utf8)
    #expect(report.contains("Calibration `lidar.yaml` (SHA-256 `\(try Digest.sha256(ofFile: file))`)"))
    #expect(report.contains("LiDAR depth × 1.0526 − 21.1 mm"))
  }

  @Test("averaged LiDAR is averaged after its correction")
  func smoothed() async throws {
    let data = try distorted()
    let file = folder.path("lidar.yaml")
    try Data("correction: {scale: \(1 / 0.95), offset: \(-0.02 / 0.95)}\n".utf8).write(
      to: URL(fileURLWithPath: file))
    let options = [
      "--methods", "wls@disparity", "--lidar", "smoothed", "--scenes", "*-01", "--no-objects", "--quiet",
    ]
    for (data, label, extra) in [(sample, "original", []), (data, "corrected", ["--calibration", file])] {
      #expect(await run(["evaluate", data, "--output", folder.path(label)] + options + extra) == nil)
    }
    let (a, b) = (
      try mae(folder.path("original"), ["wls@disparity"]),
      try mae(folder.path("corrected"), ["wls@disparity"])
    )
    #expect(abs(a[0] / b[0] - 1) < 1e-3)
  }
}
