import DepthCore
import DepthDataset
import DepthFusion
import DepthImport
import DepthMapSets
import FathomPlainText
import FathomRuns
import FathomStorage
import FathomStudies
import FathomTestSupport
import Foundation
import Testing

@testable import FathomCommandLine

/// Tests/CrossCheck/check_deviation.py compares every number of such a run with scipy.
@Suite("Standard deviations that networks state")
struct DeviationCommandTests {
  let folder: TemporaryFolder
  static let size = (width: 40, height: 30), scenes = 4

  /// Networks of known honesty: σ that is right, half of it, σ in the wrong order, and one for all pixels.
  init() throws {
    folder = try TemporaryFolder()
    for scene in 0..<Self.scenes {
      var stream = SplitMix64(seed: 57, stream: "scene\(scene)")
      func uniform() -> Float { Float(Double(stream.next() >> 11) * 0x1p-53) }
      let count = Self.size.width * Self.size.height
      let truth = (0..<count).map { _ in 1 + 5 * uniform() }
      let deviation = truth.map { 0.03 * $0 * (0.3 + 1.7 * uniform()) }
      let noise = (0..<count).map { _ in
        (-2 * log(1 - uniform())).squareRoot() * cos(2 * Float.pi * uniform())
      }
      let map = truth.indices.map { truth[$0] + deviation[$0] * noise[$0] }
      let sorted = deviation.sorted()
      let ranks = Dictionary(zip(sorted, sorted.reversed()), uniquingKeysWith: { first, _ in first })
      try put(truth, "gt/s\(scene)/0.pfm")
      for (name, stated) in [
        ("right", deviation), ("sure", deviation.map { $0 / 2 }), ("wrong", deviation.map { ranks[$0] ?? 0 }),
        ("flat", deviation.map { _ in 0.15 }),
      ] {
        try put(map, "\(name)/s\(scene)/0.pfm")
        try put(stated, "\(name)-sigma/s\(scene)/0.pfm")
      }
    }
  }

  /// Rows from the bottom up, as PFM has them.
  private func put(_ values: [Float], _ name: String, width: Int = size.width) throws {
    let rows = stride(from: values.count - width, through: 0, by: -width).flatMap { values[$0..<$0 + width] }
    let header = Array("Pf\n\(width) \(values.count / width)\n-1.0\n".utf8)
    let url = URL(fileURLWithPath: folder.path(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(header + rows.withUnsafeBytes { Array($0) }).write(to: url)
  }

  private func arguments(_ networks: [String], _ deviations: [String]) -> [String] {
    ["evaluate", "--truth", folder.path("gt")]
      + networks.flatMap { ["--prediction", "\($0):metric=" + folder.path($0)] }
      + deviations.flatMap { ["--prediction-deviation", $0] } + ["--no-figures", "--no-gallery", "--quiet"]
  }

  private func evaluate(_ networks: [String], to name: String) async -> String {
    let deviations = networks.map { "\($0)=" + folder.path("\($0)-sigma") }
    let failure = await run(arguments(networks, deviations) + ["--output", folder.path(name)])
    #expect(failure == nil, "\(failure?.message ?? "")")
    return folder.path(name)
  }

  private func text(_ run: String, _ file: String) throws -> String {
    try String(contentsOfFile: run + "/" + file, encoding: .utf8)
  }

  /// The values of `deviation_summary.csv`, by method and score.
  private func summary(_ run: String) throws -> [String: [String: Double]] {
    var found: [String: [String: Double]] = [:]
    for line in try text(run, "deviation_summary.csv").split(separator: "\n").dropFirst() {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      found[String(cells[0]), default: [:]][String(cells[1])] = Double(cells[2])
    }
    return found
  }

  @Test(
    "networks that are right, too sure by 2 and in the wrong order are told apart, in numbers and in sentences"
  )
  func honesty() async throws {
    let run = await evaluate(["right", "sure", "wrong", "flat"], to: "run")
    let found = try summary(run)
    let right = try #require(found["stored:right"]), sure = try #require(found["stored:sure"])
    let wrong = try #require(found["stored:wrong"]), flat = try #require(found["stored:flat"])
    #expect(abs((right["coverage_95"] ?? 0) - 0.95) < 0.01 && abs((right["factor_95"] ?? 0) - 1) < 0.04)
    #expect(abs((right["calibration_slope"] ?? 0) - 1) < 0.1 && abs((right["z_half_width"] ?? 0) - 1) < 0.05)
    #expect(abs((sure["coverage_95"] ?? 0) - 0.673) < 0.02 && abs((sure["factor_95"] ?? 0) - 2) < 0.08)
    #expect(abs((sure["z_sd"] ?? 0) / (right["z_sd"] ?? 0) - 2) < 1e-6)
    // The order of halves is that of the whole; only the one that is turned round is worse than a random order.
    #expect(sure["ause_deviation_m"] == right["ause_deviation_m"])
    #expect((right["explained_share"] ?? 0) > 0.3 && (wrong["aurg_deviation_m"] ?? 0) < 0)
    #expect(flat["aurg_deviation_m"] == 0 && flat["calibration_slope"] == nil)
    let page = try text(run, "report.md")
    #expect(page.contains("## How sure is each pixel"))
    #expect(page.contains("**right**'s σ agrees with its errors at 95 %: its 95 % intervals hold"))
    #expect(page.contains(/\*\*sure\*\*'s σ is (1.9|2.0|2.1) times too small: its 95 % intervals hold/))
    #expect(page.contains(/multiplied by (1.9|2.0|2.1) they would hold 95 %/))
    #expect(page.contains("**wrong**'s σ has the wrong order"))
    #expect(page.contains("**flat**'s σ is the same at every pixel of an image"))
    #expect(page.contains("the σ of 'flat' are constant: 0.15"))
    #expect(try text(run, "tables.json").contains("deviation_bins.csv"))
    let lines = try text(run, "deviation.csv").split(separator: "\n")
    #expect(lines.count == 1 + 4 * Self.scenes)
  }

  @Test("σ changes no other table, and without it there is no table of it")
  func otherTables() async throws {
    let with = await evaluate(["right"], to: "with")
    let without = folder.path("without")
    #expect(await run(arguments(["right"], []) + ["--output", without]) == nil)
    for file in ["frames.csv", "scenes.csv", "summary.csv", "pairwise.csv", "cumulative.csv", "verdict.json"]
    {
      #expect(try text(with, file) == text(without, file), "\(file)")
    }
    #expect(!FileManager.default.fileExists(atPath: without + "/deviation.csv"))
    #expect(try !text(without, "run.json").contains("deviation"))
  }

  @Test("shards that are merged say of σ what the whole run says")
  func shards() async throws {
    let whole = await evaluate(["sure"], to: "whole")
    let own = ["sure=" + folder.path("sure-sigma")]
    for part in 1...2 {
      #expect(
        await run(arguments(["sure"], own) + ["--shard", "\(part)/2", "--output", folder.path("p\(part)")])
          == nil)
    }
    let merged = folder.path("merged")
    #expect(
      await run([
        "merge", folder.path("p1"), folder.path("p2"), "--output", merged, "--no-figures", "--no-gallery",
        "--quiet",
      ])
        == nil)
    for file in ["deviation.csv", "deviation_summary.csv", "deviation_bins.csv"] {
      #expect(try text(merged, file) == text(whole, file))
    }
  }

  @Test("stored in a data set, σ of truth and networks give the same tables as folders; attach adds them")
  func stored() async throws {
    let maps = [
      "--truth", folder.path("gt"), "--truth-deviation-maps", folder.path("right-sigma"), "--prediction",
      "right:metric=" + folder.path("right"), "--prediction-deviation", "right=" + folder.path("right-sigma"),
    ]
    let (plain, data) = (folder.path("plain"), folder.path("data.h5"))
    let quiet = ["--no-figures", "--no-gallery", "--quiet"]
    #expect(await run(["evaluate"] + maps + ["--output", plain] + quiet) == nil)
    #expect(await run(["import", data] + maps + ["--quiet"]) == nil)
    let stored = folder.path("stored")
    #expect(await run(["evaluate", data, "--methods", "stored", "--output", stored] + quiet) == nil)
    for file in ["summary.csv", "budget.csv", "deviation.csv", "deviation_summary.csv"] {
      #expect(try text(plain, file) == text(stored, file), "\(file)")
    }
    let attached = [
      "attach", data, "--prediction", "sure:metric=" + folder.path("sure"), "--prediction-deviation",
      "sure:relative=" + folder.path("sure-sigma"), "--quiet",
    ]
    #expect(await run(attached) == nil)
    let scene = try DatasetReader(readingFrom: data).scenes[0]
    #expect(scene.hasTruthDeviation && scene.predictions.map(\.hasDeviation) == [true, true])
    for scene in 0..<Self.scenes {
      try put(
        [Float](repeating: -1, count: Self.size.width * Self.size.height), "negative/s\(scene)/0.pfm")
    }
    let refused = await run([
      "attach", data, "--prediction", "less:metric=" + folder.path("sure"), "--prediction-deviation",
      "less=" + folder.path("negative"), "--quiet",
    ])
    #expect(refused?.message.contains("has no σ above 0") == true, "\(refused?.message ?? "nothing")")
    // Maps that take the place of others have no deviations unless they bring some.
    #expect(await run(Array(attached.prefix(4)) + ["--overwrite", "--quiet"]) == nil)
    #expect(try DatasetReader(readingFrom: data).scenes[0].predictions.map(\.hasDeviation) == [true, false])
  }

  @Test("σ that are too small are corrected by factors of a calibration, which says what it guarantees")
  func correction() async throws {
    let (data, file) = (folder.path("data.h5"), folder.path("correction.yaml"))
    let maps = [
      "--truth", folder.path("gt"), "--prediction", "sure:metric=" + folder.path("sure"),
      "--prediction-deviation", "sure=" + folder.path("sure-sigma"),
    ]
    #expect(await run(["import", data] + maps + ["--quiet"]) == nil)
    let calibrate = ["calibrate", data, "--deviation-of"]
    #expect(await run(calibrate + ["sure", "--output", file, "--quiet"]) == nil)
    let scales = try CalibrationFile.calibration(at: file).deviationScales
    let scale = try #require(scales.first)
    // Four scenes guarantee 80 %, and only with the largest of all errors; σ is half of what it should be.
    #expect(scales.count == 1 && scale.method == "stored:sure" && scale.scale > 2)
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("coverage: 0.8, scenes: 4"))
    let quiet = ["--methods", "stored", "--no-figures", "--no-gallery", "--quiet", "--output"]
    let (plain, corrected) = (folder.path("plain"), folder.path("corrected"))
    #expect(await run(["evaluate", data] + quiet + [plain]) == nil)
    #expect(await run(["evaluate", data, "--calibration", file] + quiet + [corrected]) == nil)
    let before = try #require(summary(plain)["stored:sure"])
    let after = try #require(summary(corrected)["stored:sure"])
    for (score, power) in [("z_sd", -1), ("mean_deviation_m", 1)] {
      let ratio = (after[score] ?? 0) / (before[score] ?? 0)
      #expect(abs(ratio / (power > 0 ? scale.scale : 1 / scale.scale) - 1) < 1e-6)
    }
    #expect(after["coverage_80"] == 1)
    #expect(
      try text(corrected, "report.md").contains(
        "**sure**'s σ is the stated one times the factors of the calibration.")
    )
    let refused = [
      (["other"], "'other' states no standard deviations here"), (["auto"], "needs a LiDAR"),
      (["sure", "--json"], "--deviation-of and --json exclude each other"),
    ]
    for (options, message) in refused {
      let failure = await run(calibrate + options + ["--output", folder.path("none.yaml")])
      #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "nothing")")
    }
    #expect(await run(["calibrate", data, "--deviation-of", "sure"])?.message.contains("--output") == true)
  }

  @Test("of one scene the frames are corrected, and the file says so")
  func oneScene() async throws {
    let (data, file) = (folder.path("data.h5"), folder.path("one.yaml"))
    let maps = [
      "--truth", folder.path("gt"), "--prediction", "sure:metric=" + folder.path("sure"),
      "--prediction-deviation", "sure=" + folder.path("sure-sigma"),
    ]
    let scenes = folder.path("scenes.txt")
    try "all\nall\nall\nall\n".write(toFile: scenes, atomically: true, encoding: .utf8)
    #expect(await run(["import", data, "--scene-by", scenes] + maps + ["--quiet"]) == nil)
    #expect(
      await run(["calibrate", data, "--deviation-of", "sure", "--output", file, "--quiet"]) == nil)
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("coverage: 0.8, frames: 4, before"))
    let two = [
      "--scenes", "room-01", "--deviation-of", "lidar-bilinear", "--output", folder.path("two.yaml"),
    ]
    let failure = await run(["calibrate", sample] + two)
    #expect(failure?.message.contains("2 frames with truth") == true, "\(failure?.message ?? "nothing")")
  }

  private static let changes: [(words: String?, change: @Sendable (Float) -> Float)] = [
    ("variances", { $0 * $0 }), ("millimetres", { $0 * 1000 }), ("centimetres", { $0 * 100 }),
    ("inverse σ", { 1 / $0 }), ("logarithms of σ", { log($0) }),
    ("logarithms of variances", { 2 * log($0) }), (nil, { $0 }), (nil, { $0 / 3 }),
  ]

  @Test(
    "numbers that fit the errors as something else than σ are named as that, and those that fit are not",
    arguments: changes.indices)
  func readings(index: Int) async throws {
    let (words, change) = Self.changes[index]
    for scene in 0..<Self.scenes {
      try put(try sigma(scene).map(change), "other/s\(scene)/0.pfm")
    }
    let network = DeviationMaps(name: "right", path: folder.path("other"))
    var request = MapSetRequest(
      predictions: [MapRequest(name: "right", path: folder.path("right"), meaning: .metric)],
      truth: MapRequest(name: nil, path: folder.path("gt")))
    request.deviations = [network]
    var said: [String] = []
    do throws(FathomError) { said = try MapSetSource(request).issues.map(\.problem) } catch {
      said = [error.onCommandLine]
    }
    let found = said.filter { $0.contains("the errors") || $0.contains("they would") }
    #expect(found.count == (words == nil ? 0 : 1), "\(said)")
    #expect(words.map { found.first?.contains("as \($0), they would") == true } ?? true, "\(said)")
  }

  @Test("σ that are the depths are refused, and σ that are the errors are doubted")
  func copies() async throws {
    for scene in 0..<Self.scenes { try put(try values("right", scene), "copied/s\(scene)/0.pfm") }
    let option = ["right=" + folder.path("copied")]
    let failure = await run(arguments(["right"], option) + ["--output", folder.path("none")])
    #expect(failure?.message.contains("the σ of 'right' are its depths") == true)
    for scene in 0..<Self.scenes {
      let (map, truth) = (try values("right", scene), try values("gt", scene))
      try put(zip(map, truth).map { 2 * abs($0 - $1) + 1e-6 }, "errors/s\(scene)/0.pfm")
    }
    let errors = ["right=" + folder.path("errors")]
    let strict = await run(arguments(["right"], errors) + ["--strict", "--output", folder.path("none")])
    #expect(strict?.message.contains("are a multiple of the errors themselves") == true)
  }

  @Test("a σ beyond every factor is told as that, not as a factor")
  func beyond() async throws {
    for scene in 0..<Self.scenes { try put(try sigma(scene).map { $0 * 1000 }, "wide-sigma/s\(scene)/0.pfm") }
    for scene in 0..<Self.scenes { try put(try values("right", scene), "wide/s\(scene)/0.pfm") }
    let page = try text(await evaluate(["wide"], to: "run"), "report.md")
    #expect(page.contains("σ is more than 250 times too large") && page.contains("by less than 0.002"))
  }

  private func sigma(_ scene: Int) throws -> [Float] { try values("right-sigma", scene) }

  /// The map of a scene, rows from the top down.
  private func values(_ network: String, _ scene: Int) throws -> [Float] {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path("\(network)/s\(scene)/0.pfm")))
    let count = Self.size.width * Self.size.height
    let stored = bytes.suffix(4 * count).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    return stride(from: count - Self.size.width, through: 0, by: -Self.size.width).flatMap {
      stored[$0..<$0 + Self.size.width]
    }
  }

  @Test("σ that cannot be meant are named in one line")
  func badInput() async throws {
    let count = Self.size.width * Self.size.height
    for scene in 0..<Self.scenes {
      try put([Float](repeating: -1, count: count), "negative/s\(scene)/0.pfm")
      try put([Float](repeating: 1, count: count), "narrow/s\(scene)/0.pfm", width: 30)
      if scene > 0 { try put([Float](repeating: 1, count: count), "few/s\(scene)/0.pfm") }
      try put((0..<count).map { 100 + Float($0 % 7) }, "millimetres/s\(scene)/0.pfm")
    }
    let cases = [
      ("right=" + folder.path("negative"), "the σ of 'right' hold no number above 0"),
      ("right=" + folder.path("narrow"), "it has 30×40 pixels, and its prediction 40×30"),
      ("right=" + folder.path("few"), "it holds 3 maps, and there are 4 of the prediction right"),
      ("other=" + folder.path("few"), "--prediction-deviation: there is no --prediction 'other'"),
      ("right:furlongs=" + folder.path("few"), "NAME:UNIT=DIR with the unit relative or millimetres"),
      ("right=" + folder.path("nowhere"), "there is no such file or folder"),
    ]
    for (option, message) in cases {
      let failure = await run(arguments(["right"], [option]) + ["--output", folder.path("none")])
      #expect(failure?.message.contains(message) == true, "\(option): \(failure?.message ?? "nothing")")
      #expect(failure?.message.contains("\n") == false)
    }
    func ofTruth(_ maps: String, _ more: [String] = []) async -> String? {
      await run(
        arguments(["right"], []) + ["--truth-deviation-maps", folder.path(maps)] + more
          + ["--overwrite", "--output", folder.path("truth")])?.message
    }
    #expect(await ofTruth("negative")?.contains("the σ of the truth hold no number above 0") == true)
    #expect(
      await ofTruth("millimetres", ["--strict"])?.contains("the σ of the truth are beyond the maps") == true)
    let strict = ["right=" + folder.path("millimetres")]
    let failure = await run(arguments(["right"], strict) + ["--strict", "--output", folder.path("none")])
    #expect(
      failure?.message.contains("as millimetres, they would fit the errors") == true,
      "\(failure?.message ?? "nothing")")
  }
}
