import DepthCore
import DepthDataset
import FathomTestSupport
import Foundation
import Testing

@testable import FathomCommandLine

/// Tests/CrossCheck/check_deviation.py compares the numbers of such a run with numpy.
@Suite("Scores of confidence that networks state")
struct ConfidenceCommandTests {
  let folder: TemporaryFolder
  static let size = (width: 40, height: 30), scenes = 4
  private static let quiet = ["--no-figures", "--no-gallery", "--quiet"]

  /// As Depth Anything 3 writes them: `depth` and `conf` in one .npz, which is larger where errors are smaller.
  init() throws {
    folder = try TemporaryFolder()
    for scene in 0..<Self.scenes {
      var stream = SplitMix64(seed: 56, stream: "scene\(scene)")
      func uniform() -> Float { Float(Double(stream.next() >> 11) * 0x1p-53) }
      let count = Self.size.width * Self.size.height
      let truth = (0..<count).map { _ in 1 + 5 * uniform() }
      let spread = truth.map { 0.03 * $0 * (0.3 + 1.7 * uniform()) }
      let map = zip(truth, spread).map { $0 + $1 * (2 * uniform() - 1) }
      let confidence = spread.map { 1 + 0.05 / $0 }
      try folder.put(Self.numpy(truth), "gt/s\(scene)/0.npy")
      for (name, own) in [("net", confidence), ("wrong", spread), ("flat", spread.map { _ in 2 })] {
        let entries = [("depth", map), ("conf", own), ("sky", own)].map {
          MadeArchive.Entry.file($0 + ".npy", Self.numpy($1))
        }
        try folder.put(MadeArchive.zip(entries), "\(name)/s\(scene)/0.npz")
      }
      try folder.put(Self.numpy(spread), "sigma/s\(scene)/0.npy")
    }
  }

  private static func numpy(_ values: [Float], _ height: Int = size.height) -> [UInt8] {
    MadeNumpy.array(values, "\(height), \(values.count / height)")
  }

  /// - Parameter confidences: "net=PATH", or names of networks whose files hold them.
  private func maps(_ networks: [String], _ confidences: [String]) -> [String] {
    ["--truth", folder.path("gt")]
      + networks.flatMap { ["--prediction", "\($0):metric=" + folder.path($0)] }
      + confidences.flatMap {
        ["--prediction-confidence", $0.contains("=") ? $0 : "\($0)=" + folder.path($0)]
      }
  }

  /// What the command says of these arguments; nil where it succeeds.
  private func fault(_ arguments: [String]...) async -> String? {
    await run(Array(arguments.joined()))?.message
  }

  private func text(_ run: String, _ file: String) throws -> String {
    try String(contentsOfFile: run + "/" + file, encoding: .utf8)
  }

  @Test("a confidence beside the depth is judged by its order, in numbers, thresholds and sentences")
  func order() async throws {
    let output = folder.path("run"), names = ["net", "wrong", "flat"]
    #expect(await fault(["evaluate"], maps(names, names), ["--output", output], Self.quiet) == nil)
    let page = try text(output, "report.md")
    #expect(
      page.contains("**net**'s confidence orders the pixels: removing the smallest confidence first removes"))
    #expect(
      page.contains(/To remove \*\*net\*\*'s worst pixels, keep those with confidence ≥ [0-9.]+: [0-9.]+ %/))
    #expect(page.contains("**wrong**'s confidence has the wrong order, as an uncertainty would"))
    #expect(page.contains("**flat**'s confidence is the same at every pixel of an image"))
    #expect(!page.contains("To remove **wrong**") && !page.contains("95 % intervals hold"))
    let rows = try text(output, "deviation_retained.csv").split(separator: "\n")
    #expect(rows.count == 16)
    #expect(rows[1].hasPrefix("stored:net,confidence,1.0,,1.0,"))
  }

  @Test(
    "stored in a data set, a confidence gives the same tables; attach adds and removes it, calibrate refuses it"
  )
  func stored() async throws {
    let (plain, data, stored) = (folder.path("plain"), folder.path("data.h5"), folder.path("stored"))
    let own = maps(["net"], ["net"])
    #expect(await fault(["evaluate"], own, ["--output", plain], Self.quiet) == nil)
    #expect(await fault(["import", data], own, ["--quiet"]) == nil)
    #expect(
      await fault(["evaluate", data, "--methods", "stored", "--output", stored], Self.quiet) == nil)
    for file in ["summary.csv", "deviation.csv", "deviation_summary.csv", "deviation_retained.csv"] {
      #expect(try text(plain, file) == text(stored, file), "\(file)")
    }
    let attach = ["attach", data, "--prediction", "wrong:metric=" + folder.path("wrong"), "--quiet"]
    let confidence = ["--prediction-confidence", "wrong=" + folder.path("wrong")]
    func certainties() throws -> [StoredPrediction.Certainty?] {
      try DatasetReader(readingFrom: data).scenes[0].predictions.map(\.certainty)
    }
    #expect(await fault(attach, confidence) == nil)
    #expect(try certainties() == [.confidence, .confidence])
    let sigma = ["--prediction-deviation", "wrong=" + folder.path("sigma"), "--overwrite"]
    #expect(await fault(attach, sigma) == nil)
    #expect(try certainties() == [.confidence, .deviation])
    let refused = await run(["calibrate", data, "--deviation-of", "net", "--output", folder.path("c.yaml")])
    #expect(refused?.message.contains("'net' states a confidence, which has no unit") == true)
    let other = folder.path("other.h5")
    let mixed =
      maps(["net"], []) + ["--prediction-deviation", "net=" + folder.path("sigma"), "--quiet"]
    #expect(await fault(["import", other], mixed) == nil)
    let both = await run(
      ["evaluate", data, other, "--methods", "stored", "--output", folder.path("both")] + Self.quiet)
    #expect(
      both?.message.contains("'net' has standard deviations in some of these and confidences in others")
        == true,
      "\(both?.message ?? "nothing")")
  }

  @Test("confidences that cannot be meant are named in one line")
  func badInput() async throws {
    let count = Self.size.width * Self.size.height
    for scene in 0..<Self.scenes {
      try folder.put(Self.numpy([Float](repeating: .nan, count: count)), "nan/s\(scene)/0.npy")
      try folder.put(Self.numpy([Float](repeating: 1, count: count), 40), "turned/s\(scene)/0.npy")
      if scene > 0 { try folder.put(Self.numpy([Float](repeating: 1, count: count)), "few/s\(scene)/0.npy") }
    }
    let cases = [
      ("net=" + folder.path("nan"), "the confidences of 'net' hold no number"),
      ("net=" + folder.path("turned"), "it has 30×40 pixels, and its prediction 40×30"),
      ("net=" + folder.path("few"), "it holds 3 maps, and there are 4 of the prediction net"),
      ("other=" + folder.path("few"), "--prediction-confidence: there is no --prediction 'other'"),
      ("net=" + folder.path("nowhere"), "there is no such file or folder"),
    ]
    for (option, message) in cases {
      let failure = await run(
        ["evaluate"] + maps(["net"], [option]) + ["--output", folder.path("none")] + Self.quiet)
      #expect(failure?.message.contains(message) == true, "\(option): \(failure?.message ?? "nothing")")
      #expect(failure?.message.contains("\n") == false)
    }
    let both = await run(
      ["evaluate"] + maps(["net"], ["net"]) + ["--prediction-deviation", "net=" + folder.path("sigma")])
    #expect(both?.message.contains("'net' has a --prediction-deviation already") == true)
    // A single array as the depth, and the same files as the confidence.
    let plain = ["--truth", folder.path("gt"), "--prediction", "few:metric=" + folder.path("sigma")]
    let depths = await run(
      ["evaluate"] + plain + ["--prediction-confidence", "few=" + folder.path("sigma")] + Self.quiet)
    #expect(
      depths?.message.contains("the confidences of 'few' are its depths") == true,
      "\(depths?.message ?? "nothing")")
  }
}
