import DepthCore
import DepthDataset
import DepthEvaluation
import DepthImport
import DepthReport
import DepthVerdicts
import Foundation
import FathomRunFolders
import FathomRuns
import FathomStorage
import FathomTestSupport
import Testing

@testable import FathomCommandLine
@testable import FathomDataCommands
@testable import FathomJobReports

@Suite("Maps of networks and a truth in folders")
struct MapSetCommandTests {
  let folder: TemporaryFolder
  static let size = (width: 32, height: 24), images = 6

  /// Networks whose every pixel is 2 and 5 % too far, and the truth, 1 to 3.4 m.
  init() throws {
    folder = try TemporaryFolder()
    for index in 0..<Self.images {
      let truth = (0..<Self.size.width * Self.size.height).map { pixel in
        1 + 0.004 * Float((pixel * 7 + 31 * index) % 600)
      }
      for (name, factor) in [("gt", Float(1)), ("far", 1.05), ("near", 1.02)] {
        try put(truth.map { $0 * factor }, "\(name)/00000\(index).pfm")
      }
    }
  }

  /// Rows from the bottom up, as PFM has them.
  private func put(_ values: [Float], _ name: String) throws {
    let width = Self.size.width
    let rows = stride(from: values.count - width, through: 0, by: -width).flatMap {
      values[$0..<$0 + width]
    }
    let header = Array("Pf\n\(width) \(Self.size.height)\n-1.0\n".utf8)
    let url = URL(fileURLWithPath: folder.path(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(header + rows.withUnsafeBytes { Array($0) }).write(to: url)
  }

  private var maps: [String] {
    [
      "--prediction", "far:metric=" + folder.path("far"), "--prediction",
      "near:metres=" + folder.path("near"),
      "--truth", folder.path("gt"),
    ]
  }

  private func evaluate(_ name: String, _ more: [String] = []) async -> String {
    let output = folder.path(name)
    let failure = await run(
      ["evaluate"] + maps + more + ["--output", output, "--no-figures", "--no-gallery", "--quiet"])
    #expect(failure == nil, "\(failure?.message ?? "")")
    return output
  }

  @Test("A truth that is not exact: budgets, and no offset that its scale explains")
  func truthDeviation() async throws {
    let plain = await evaluate("exact")
    #expect(!FileManager.default.fileExists(atPath: plain + "/budget.csv"))
    #expect(!(try String(contentsOfFile: plain + "/run.json", encoding: .utf8)).contains("truthDeviation"))
    // 1.96 times 1.5 % is more than the 2 % of "near" and less than the 5 % of "far".
    let output = await evaluate("inexact", ["--truth-deviation", "2mm,scale=1.5%"])
    let report = try String(contentsOfFile: output + "/report.md", encoding: .utf8)
    #expect(report.contains("A difference of 2.0 % at every depth is within what the truth’s scale"))
    #expect(report.contains("It is 5.0 % too far at every depth"))
    #expect(report.contains("## Uncertainty"))
    let frames = try StoredRun(readingFrom: output).frames.records.filter { $0.method == "stored:near" }
    let bias = frames.compactMap { $0.value(.bias) }.reduce(0, +) / Double(frames.count)
    let table = try #require(try StoredRun(readingFrom: output).table("budget.csv"))
    func value(_ measure: String, _ component: String, _ column: String) throws -> Double {
      let row = try #require(
        table.rows.first { row in
          [("method", "stored:near"), ("measure", measure), ("component", component)].allSatisfy {
            row[table.header.firstIndex(of: $0.0) ?? 0] == $0.1
          }
        })
      let place = try #require(table.header.firstIndex(of: column))
      return try #require(Double(row[place]))
    }
    // The map is 2 % too far everywhere: its bias is 0.02 times the mean range, by which it changes with the truth's scale.
    #expect(abs(try value("bias_m", "result", "estimate") - bias) < 1e-9)
    #expect(abs(try value("bias_m", "truth scale", "sensitivity") - bias / 0.02) < 1e-4)
    #expect(try value("rmse_m", "result", "estimate") < (try value("rmse_m", "result", "uncorrected")))
    let other = await run(
      ["evaluate"] + maps + ["--truth-deviation", "3mm", "--output", output, "--resume", "--quiet"])
    #expect(other != nil)
  }

  /// The rows of a table by the names of its columns.
  private func rows(_ path: String) throws -> [[String: String]] {
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    let names = try #require(lines.first).split(separator: ",").map(String.init)
    return lines.dropFirst().map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      return Dictionary(zip(names, cells), uniquingKeysWith: { first, _ in first })
    }
  }

  private func json(_ path: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  private func bytes(_ run: String, _ file: String) -> Data? {
    FileManager.default.contents(atPath: run + "/" + file)
  }

  @Test("two networks of known error have it, in every image, and the better one is best")
  func knownErrors() async throws {
    let run = await evaluate("run")
    let rows = try rows(run + "/frames.csv")
    #expect(rows.count == 2 * Self.images)
    #expect(Set(rows.compactMap { $0["method"] }) == ["stored:far", "stored:near"])
    for row in rows {
      let error = try #require(row["abs_rel"].flatMap(Double.init))
      #expect(abs(error - (row["method"] == "stored:far" ? 0.05 : 0.02)) < 1e-6, "\(row)")
      #expect(row["status"] == "ok")
    }
    // Every image is a scene of its own.
    #expect(Set(rows.compactMap { $0["scene"] }).count == Self.images)
    let verdict = try json(run + "/verdict.json")
    let ranking = try #require(verdict["ranking"] as? [String: Any])
    #expect(ranking["best"] as? String == "stored:near")
    #expect(try json(run + "/run.json")["baseline"] as? String == "stored:far")
  }

  @Test(
    "errors are divided by the ids of masks, whose names the folder says; parts that are merged say the same")
  func byMask() async throws {
    for index in 0..<Self.images {
      let pixels = Self.size.width * Self.size.height
      let ids = (0..<pixels).map { Float($0 % Self.size.width < 8 ? 3 : 700) }
      let truth = (0..<pixels).map { 1 + 0.004 * Float(($0 * 7 + 31 * index) % 600) }
      try put(ids, "ids/00000\(index).pfm")
      try put(zip(truth, ids).map { $0 * ($1 == 3 ? 1.08 : 1.01) }, "uneven/00000\(index).pfm")
    }
    try folder.put(Array("id,name\n3,glass\n".utf8), "ids/names.csv")
    let maps = [
      "--prediction", "uneven:metric=" + folder.path("uneven"), "--truth", folder.path("gt"), "--by-mask",
      "surface=" + folder.path("ids"),
    ]
    let quiet = ["--no-figures", "--no-gallery", "--quiet"]
    for (name, more) in [("whole", []), ("first", ["--shard", "1/2"]), ("second", ["--shard", "2/2"])] {
      let failure = await run(["evaluate"] + maps + more + ["--output", folder.path(name)] + quiet)
      #expect(failure == nil, "\(failure?.message ?? "")")
    }
    let rows = try rows(folder.path("whole/mask.csv")).filter { $0["metric"] == "abs_rel" }
    #expect(rows.map { $0["id"] } == ["3", "700"] && rows.map { $0["label"] } == ["glass", ""])
    for (row, error) in zip(rows, [0.08, 0.01]) {
      #expect(abs(error - (row["value"].flatMap(Double.init) ?? 0)) < 1e-6)
    }
    let page = try String(contentsOfFile: folder.path("whole/report.md"), encoding: .utf8)
    #expect(
      page.contains("## Error by surface") && page.contains("| glass") && page.contains("| surface 700"))
    let merged = folder.path("merged")
    #expect(
      await run(["merge", folder.path("first"), folder.path("second"), "--output", merged] + quiet) == nil)
    #expect(bytes(merged, "mask.csv") == bytes(folder.path("whole"), "mask.csv"))
    #expect(bytes(merged, "mask.csv") != nil)
  }

  @Test("a method that these maps do not have is answered by the networks' names")
  func unknownNetwork() async throws {
    for option in ["--baseline", "--methods"] {
      let failure = await run(["evaluate"] + maps + [option, "foo", "--output", folder.path("none")])
      #expect(failure?.message.contains("\(option): there is no network 'foo'; there are far, near") == true)
    }
  }

  @Test("doubtful maps are named in run.json and on the page, merged or not; --strict ends with 65")
  func doubts() async throws {
    let doubtful = ["--prediction", "mm:metric=" + folder.path("mm"), "--truth", folder.path("gt")]
    for index in 0..<Self.images {
      let pixels = Self.size.width * Self.size.height
      try put((0..<pixels).map { 1000 + Float(($0 * 7 + 31 * index) % 600) }, "mm/00000\(index).pfm")
    }
    let quiet = ["--no-figures", "--no-gallery", "--quiet"]
    var outputs: [String] = []
    for (name, more) in [("whole", []), ("first", ["--shard", "1/2"]), ("second", ["--shard", "2/2"])] {
      outputs.append(folder.path(name))
      #expect(await run(["evaluate"] + doubtful + more + ["--output", folder.path(name)] + quiet) == nil)
    }
    let merged = folder.path("merged")
    #expect(await run(["merge"] + Array(outputs.dropFirst()) + ["--output", merged] + quiet) == nil)
    for output in [outputs[0], merged] {
      let warnings = try #require(try json(output + "/run.json")["warnings"] as? [String])
      #expect(warnings.count == 1 && warnings[0].contains("times the truth; millimetres are"))
      let page = try String(contentsOfFile: output + "/report.md", encoding: .utf8)
      #expect(page.contains("Doubtful input: the maps of"))
    }
    let evaluated = await run(
      ["evaluate"] + doubtful + ["--strict", "--output", folder.path("strict")] + quiet)
    #expect(evaluated?.code == Failure.badData && evaluated?.message.contains("times the truth") == true)
    #expect(!FileManager.default.fileExists(atPath: folder.path("strict")))
    let imported = await run(["import", folder.path("mm.h5")] + doubtful + ["--strict", "--quiet"])
    #expect(imported?.code == Failure.badData && imported?.message.contains("times the truth") == true)
    let plain = await evaluate("plain", ["--strict"])
    #expect(try json(plain + "/run.json")["warnings"] == nil)
  }

  @Test("the name of a network stands for its method")
  func names() async throws {
    let run = await evaluate("run", ["--baseline", "near"])
    #expect(try json(run + "/run.json")["baseline"] as? String == "stored:near")
    let asked = await evaluate("asked", ["--contrast", "near:far"])
    #expect(try json(asked + "/run.json")["contrast"] as? String == "stored:near:stored:far")
  }

  @Test("run.json says where everything is from its folder, and the digest of every file")
  func manifest() async throws {
    let run = await evaluate("run")
    let manifest = try json(run + "/run.json")
    let maps = try #require(manifest["maps"] as? [String: Any])
    #expect((maps["truth"] as? [String: Any])?["path"] as? String == "../gt")
    let predictions = try #require(maps["predictions"] as? [[String: Any]])
    #expect(predictions.compactMap { $0["path"] as? String } == ["../far", "../near"])
    let inputs = try #require(manifest["inputs"] as? [[String: Any]])
    #expect(inputs.count == 1 && inputs[0]["file"] as? String == "gt")
    let others = try #require(inputs[0]["external"] as? [[String: String]])
    let wanted = ["far", "near"].flatMap { name in (0..<Self.images).map { "\(name)/00000\($0).pfm" } }
    let found = Dictionary(
      others.compactMap { other in
        other["file"].flatMap { file in other["sha256"].map { (file, $0) } }
      }
    ) { first, _ in first }
    for name in wanted {
      #expect(found[name] == (try? Digest.sha256(ofFile: folder.path(name))), "\(name)")
    }
  }

  @Test("for any number of jobs, resumed, and merged of shards the tables have the same bytes")
  func sameBytes() async throws {
    let files = ["frames.csv", "scenes.csv", "summary.csv", "pairwise.csv", "verdict.json"]
    let one = await evaluate("one", ["--jobs", "1"])
    let three = await evaluate("three", ["--jobs", "3"])
    let resumed = await evaluate("resumed", ["--resume"])
    let shards = [
      await evaluate("first", ["--shard", "1/2"]), await evaluate("second", ["--shard", "2/2"]),
    ]
    let merged = folder.path("merged")
    #expect(
      await fathomTests.run(
        ["merge"] + shards + ["--output", merged, "--no-figures", "--no-gallery", "--quiet"]) == nil)
    for file in files {
      let expected = try #require(bytes(one, file))
      for other in [three, resumed, merged] { #expect(bytes(other, file) == expected, "\(other) \(file)") }
    }
    // A finished one is left alone.
    _ = await evaluate("resumed", ["--resume"])
    #expect(bytes(resumed, "frames.csv") == bytes(one, "frames.csv"))
  }

  @Test("imported, they are a data set of version 3 whose evaluation has the same tables")
  func imported() async throws {
    let file = folder.path("maps.h5")
    let failure = await run(["import", file] + maps + ["--quiet"])
    #expect(failure == nil, "\(failure?.message ?? "")")
    let reader = try DatasetReader(readingFrom: file)
    #expect(reader.schemaVersion == 3 && reader.scenes.count == Self.images)
    #expect(
      reader.scenes.allSatisfy { $0.lidarSize == nil && $0.predictions.map(\.name) == ["far", "near"] })
    let direct = await evaluate("direct")
    let stored = folder.path("stored")
    #expect(
      await run("evaluate", file, "--output", stored, "--no-figures", "--no-gallery", "--quiet") == nil)
    for name in ["frames.csv", "scenes.csv", "summary.csv", "pairwise.csv"] {
      let expected = try #require(bytes(direct, name))
      #expect(bytes(stored, name) == expected, "\(name)")
    }
    #expect(await run("inspect", file, "--quiet") == nil)
    let diagnosis = try await DiagnoseJob(file).open().diagnosis { _ in }
    // The made numbers run on from row to row, so that it is about all that can be tested without a LiDAR.
    let text = DiagnosisText(diagnosis).text
    #expect(text.contains("6 contradicted") && text.contains("Rows had 86 numbers"), "\(text)")
    #expect(await run("diagnose", file, "--quiet") == nil)
    let entries = reader.scenes[0].importRecord?.entries ?? []
    #expect(entries.contains { $0.subject == "prediction near" && $0.words == "near, metric" })
    // Without a LiDAR the first prediction is drawn.
    for (name, options) in [("default.png", []), ("far.png", ["--source", "stored:far"])] {
      #expect(await run(["render", file, "--output", folder.path(name), "--quiet"] + options) == nil)
    }
    #expect(bytes(folder.url.path, "default.png") == bytes(folder.url.path, "far.png"))
    for source in ["lidar", "lidar-bilinear", "ols"] {
      let refused = await run(
        "render", file, "--source", source, "--output", folder.path("no.png"), "--quiet")
      #expect(refused?.code == Failure.badData && refused?.message.contains("no LiDAR") == true)
    }
  }

  @Test("scenes of one frame with a LiDAR have the same bytes for one job and for three, resumed, too")
  func singleFramesWithLidar() async throws {
    let file = folder.path("singles.h5")
    let reader = try DatasetReader(readingFrom: sample)
    var writer = try DatasetWriter(creating: file, attributes: reader.attributes)
    for scene in reader.scenes {
      for index in 0..<scene.frameCount {
        var header = scene.part(index..<index + 1)
        (header.name, header.detector) = ("\(scene.name)-\(index)", nil)
        var frame = try reader.frame(index, of: scene, including: .all)
        frame.index = 0
        if header.colourSize == nil { frame.image = nil }
        try writer.addScene(header)
        try writer.write(frame, to: header.name)
      }
    }
    try writer.commit()
    var runs: [String] = []
    for (name, more) in [("one", ["--jobs", "1"]), ("three", ["--jobs", "3"]), ("resumed", ["--resume"])] {
      let output = folder.path("singles-" + name)
      let failure = await run(
        ["evaluate", file, "--methods", "ols,auto", "--no-figures", "--no-gallery", "--quiet"] + more
          + ["--output", output])
      #expect(failure == nil, "\(failure?.message ?? "")")
      runs.append(output)
    }
    for table in ["frames.csv", "scenes.csv", "summary.csv", "diagnosis.csv", "verdict.json", "run.json"] {
      let expected = try #require(bytes(runs[0], table))
      for other in runs.dropFirst() { #expect(bytes(other, table) == expected, "\(other) \(table)") }
    }
  }

  @Test("a run of data sets says nothing of maps")
  func dataSets() async throws {
    let output = folder.path("sample")
    #expect(
      await run(
        "evaluate", sample, "--methods", "lidar-bilinear", "--output", output, "--no-figures", "--no-gallery",
        "--no-objects", "--quiet") == nil)
    #expect(try json(output + "/run.json")["maps"] == nil)
    let task = try EvaluateJob(DataSelection([sample])).open { _ in }.task.text
    #expect(!task.contains("\"maps\""))
  }

  @Test("an import says what was taken of millimetres, and nothing of what was not asked for")
  func millimetres() async throws {
    try put((0..<Self.size.width * Self.size.height).map { 1000 + Float($0) }, "mm/000000.pfm")
    let far = MapRequest(name: "mm", path: folder.path("mm"), meaning: .millimetres)
    let maps = MapSetRequest(
      predictions: [far], truth: MapRequest(name: nil, path: folder.path("gt/000000.pfm")))
    let result = try await ImportJob(maps: maps, to: folder.path("mm.h5")).run()
    let text = ImportText(result, "mm.h5").text
    #expect(text.contains("mm, millimetres, stored in metres") && !text.contains("as requested"))
  }

  @Test("two networks evaluated apart are compared where the truth's files are the same")
  func apart() async throws {
    func apart(_ name: String) async -> String {
      let words = ["--prediction", "\(name):metric=" + folder.path(name), "--truth", folder.path("gt")]
      let more = [
        "--output", folder.path("run-" + name), "--overwrite", "--no-figures", "--no-gallery", "--quiet",
      ]
      #expect(await run(["evaluate"] + words + more) == nil)
      return folder.path("run-" + name)
    }
    let (far, near) = (await apart("far"), await apart("near"))
    let comparison = try RunComparison(
      [try StoredRun(readingFrom: far), try StoredRun(readingFrom: near)], RunComparison.Request())
    let candidate = comparison.candidates[0]
    #expect(candidate.pairs == [MethodPair(reference: "stored:far", candidate: "stored:near")])
    #expect(candidate.frames == Self.images && candidate.warnings.isEmpty && !comparison.isUnknown)
    #expect(candidate.missingMethods.isEmpty && candidate.newMethods.isEmpty)
    // Another truth is other data.
    try put((0..<Self.size.width * Self.size.height).map { 1 + Float($0 % 7) }, "gt/000000.pfm")
    let other = try StoredRun(readingFrom: await apart("near"))
    #expect(throws: ComparisonRefusal.self) {
      try RunComparison([try StoredRun(readingFrom: far), other], RunComparison.Request())
    }
  }

  @Test("frames of the run are drawn from where the maps were; data sets are not named then")
  func frames() async throws {
    let run = await evaluate("run")
    let failure = await fathomTests.run("frames", run, sample, "--quiet")
    #expect(failure?.message.contains("name the run alone") == true && failure?.code == Failure.usage)
    #expect(await fathomTests.run("frames", run, "--dry-run", "--quiet") == nil)
    let fitted = await fathomTests.run("frames", run, "--source", "ols", "--quiet")
    #expect(fitted?.message.contains("'ols' needs a LiDAR") == true && fitted?.code == Failure.usage)
    #expect(try FramesJob(run + "/.").open().defaultOutput.hasSuffix("run-frames"))
    try FileManager.default.moveItem(atPath: folder.path("gt"), toPath: folder.path("elsewhere"))
    let moved = await fathomTests.run("frames", run, "--quiet")
    #expect(moved?.message.contains("put the folders back") == true)
  }

  @Test("the command says what to type instead")
  func mistakes() async throws {
    let (far, gt) = ("far=" + folder.path("far"), folder.path("gt"))
    let cases: [([String], String)] = [
      (
        ["--prediction", far], "--prediction: it needs the truth that the maps are compared with: --truth DIR"
      ),
      (["--truth", gt], "add --prediction NAME=DIR"),
      ([sample, "--truth", gt], "--truth: of data sets it is stored or multiview"),
      ([sample, "--prediction", far, "--truth", gt], "fathom attach \(sample) --prediction \(far)"),
      ([gt, "--prediction", far], "fathom evaluate --truth \(gt) --prediction \(far)"),
      ([folder.path("far"), "--truth", gt], "fathom evaluate --truth \(gt) --prediction far:metric="),
      ([folder.path("far"), gt], "fathom evaluate --truth \(gt) --prediction far:metric="),
      ([folder.path(".")], "--prediction near:metric="),
      ([sample, "--images", gt], "--images: it goes with --prediction NAME=DIR and --truth DIR"),
      (
        ["--prediction", far, "--prediction", far, "--truth", gt],
        "two networks have the name 'far'; give each its own"
      ),
      (["--prediction", folder.path("far"), "--truth", gt], "the name is missing: mynet="),
      (
        ["--prediction", "a:inverse=x", "--truth", gt],
        "kinds are metric, millimetres, kitti, depth, disparity"
      ),
      (["--pred", far, "--gt", gt], "did you mean '--prediction'?"),
      (["--prediction", far, "--gt", gt], "did you mean '--truth'?"),
      (["--prediction", far, "--truth", gt, "--truth-scale", "0"], "--truth-scale: a number above 0"),
      (["--prediction", far, "--truth", gt, "--mapping", "m.yaml"], "--mapping"),
      (
        ["--prediction", far, "--truth", gt, "--contrast", "far:foo"],
        "there is no network 'foo'; there are far"
      ),
    ]
    for (words, fix) in cases {
      let failure = await run(["evaluate"] + words + ["--output", folder.path("none"), "--quiet"])
      #expect(failure?.message.contains(fix) == true, "\(words): \(failure?.message ?? "no error")")
      #expect(failure?.code == Failure.usage)
    }
    let bare = await run([folder.path("far"), gt])
    #expect(
      bare?.message.contains(
        "the command is missing: 'fathom evaluate --truth \(gt) --prediction far:metric=")
        == true && bare?.code == Failure.usage, "\(bare?.message ?? "")")
    let imports: [([String], String)] = [
      (["recording", "out.h5", "--truth", gt], "fathom import OUT.h5 --prediction NAME=DIR --truth DIR"),
      (["out.h5", "--truth", gt, "--every", "2"], "--every: it applies to a recording"),
      (["recording", "out.h5", "--truth-scale", "0.001"], "--truth-scale: it goes with --truth DIR"),
    ]
    for (words, fix) in imports {
      let failure = await run(["import"] + words + ["--quiet"])
      #expect(failure?.message.contains(fix) == true, "\(words): \(failure?.message ?? "no error")")
    }
  }
}
