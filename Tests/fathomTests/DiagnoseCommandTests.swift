import FathomTables
import FathomStorage
import FathomTables
import DepthReport
import FathomRuns
import ArgumentParser
import DepthCore
import DepthDataset
import DepthDiagnosis
import DepthFusion
import Foundation
import FathomHDF5
import FathomTestSupport
import Testing

@testable import FathomCommandLine
@testable import FathomDataCommands
@testable import FathomJobReports

@Suite("fathom diagnose")
struct DiagnoseCommandTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func diagnose(_ name: String, _ options: String...) async -> Failure? {
    await run(["diagnose", folder.path(name), "--quiet"] + options)
  }

  /// Diagnoses a file into a folder of its own.
  private func diagnosis(of name: String, _ options: String...) async throws -> DatasetDiagnosis {
    let output = folder.path("diagnosis of \(name)")
    let failure = await run(
      ["diagnose", folder.path(name), "--quiet", "--overwrite", "--output", output] + options)
    let json = try Data(contentsOf: URL(fileURLWithPath: output + "/diagnosis.json"))
    let diagnosis = try JSONDecoder().decode(DatasetDiagnosis.self, from: json)
    // What breaks the schema is diagnosed and corrected, and yet no success.
    let isBroken = diagnosis.schema.contains { $0.severity == .error }
    #expect(failure?.code == (isBroken ? Failure.badData : nil), "\(failure?.message ?? "")")
    return diagnosis
  }

  private func contradicted(_ diagnosis: DatasetDiagnosis) -> Set<String> {
    Set(diagnosis.scenes.flatMap(\.findings).filter { $0.verdict == .contradicted }.map(\.test))
  }

  /// Of 30 frames 24 are looked at, and some that follow them; the last ten are not evaluated.
  @Test(
    "an evaluation, whose diagnosis takes the frames that it reads anyway, says the same",
    arguments: ["1", "2"])
  func evaluation(jobs: String) async throws {
    let data = folder.path("many.h5")
    #expect(
      await run(
        "synthesize", data, "--preset", "noise-law", "--scenes", "2", "--frames", "30", "--overwrite",
        "--quiet")
        == nil)
    let output = folder.path("run")
    #expect(
      await run(
        "evaluate", data, "--frames", "0:19", "--methods", "lidar-bilinear", "--jobs", jobs, "--output",
        output,
        "--overwrite", "--no-figures", "--no-gallery", "--quiet") == nil)
    let diagnosed = try await diagnosis(of: "many.h5").scenes
    let expected = RunDiagnosis(diagnosed.map { ($0.scene, $0.findings) }).table
    let found = try String(contentsOfFile: output + "/diagnosis.csv", encoding: .utf8)
    #expect(found == expected.csv)
    #expect(found.contains("confirmed"))
  }

  /// Breaks a file, corrects it, and compares it with the unbroken one.
  private func correct(_ fault: DiagnosedFault, without groups: [String] = []) async throws {
    func prepare(_ file: borrowing HDF5File) throws {
      for group in groups + fault.without { try file.remove(DiagnosedRoom.scene + "/" + group) }
    }
    try DiagnosedRoom.write(to: folder.path("right.h5"), prepare)
    try DiagnosedRoom.write(to: folder.path("wrong.h5")) { file in
      try prepare(file)
      try fault.make(file)
    }
    let broken = try Data(contentsOf: URL(fileURLWithPath: folder.path("wrong.h5")))
    let first = try await diagnosis(
      of: "wrong.h5", "--fix", folder.path("fixed.h5"), "--fix", "orientation,kind,unit,poses,intrinsics",
      "--fix", "confidence,time,origins")
    let found = contradicted(first)
    #expect(found == fault.tests)
    for test in fault.tests.intersection(Self.pictured) {
      #expect(folder.exists("diagnosis of wrong.h5/room-01-\(test).png"), "\(test)")
    }
    if fault.tests.contains("object-flips") { try checkFlipTable(of: first) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("wrong.h5"))) == broken)
    let (right, fixed) = (try FileContent(folder.path("right.h5")), try FileContent(folder.path("fixed.h5")))
    let differences = fixed.differences(from: right, tolerance: fault.tolerance)
    let expected = fault.storedOtherwise.map { "\(DiagnosedRoom.scene)/\($0)" }
    #expect(differences.filter { !expected.contains($0) } == [])
    #expect(expected.allSatisfy(differences.contains))
    if !expected.isEmpty { try compareDepths() }
    // What equals the right file in every number and attribute is diagnosed like it, in the test of that one.
    guard fault.tolerance > 0 || !differences.isEmpty else { return }
    let second = try await diagnosis(of: "fixed.h5")
    let left = contradicted(second)
    #expect(left.isEmpty && second.schema.allSatisfy { $0.severity != .error })
  }

  /// Tests that have pictures, of faults that change where points or maps lie.
  private static let pictured: Set = [
    "relative-orientation", "truth-orientation", "pose-convention", "pose-unit", "intrinsics", "object-flips",
  ]

  /// The printed table holds the measured numbers of all eight combinations, the best on top.
  private func checkFlipTable(of diagnosis: DatasetDiagnosis) throws {
    let finding = try #require(diagnosis.scenes[0].findings.first { $0.test == "object-flips" })
    let evidence = try #require(finding.flips)
    let lines = try #require(FlipTable(finding)).plain.split(separator: "\n").dropFirst(2).map(String.init)
    #expect(lines.count == 8)
    #expect(lines[0].hasPrefix("box-flip+mask-flip+image-flip supported "))
    #expect(lines.count { $0.contains(" declared ") } == 1)
    for row in evidence.table {
      let line = try #require(lines.first { $0.hasPrefix(row.flips + " ") })
      let cost = try #require(row.cost), lateral = try #require(row.lateralCentimetres)
      #expect(
        line.hasSuffix(String(format: " %.3f", cost)) && line.contains(String(format: " %.1f ", lateral)))
      #expect(line.contains(" declared ") == (row.flips == finding.declared))
    }
    let text = try String(contentsOfFile: folder.path("diagnosis of wrong.h5/diagnosis.txt"), encoding: .utf8)
    #expect(text.contains("support box-flip+mask-flip+image-flip; declared is \(finding.declared ?? ""), "))
    #expect(text.contains("σ behind. What it looks like: depths come from the wrong rows"))
  }

  /// Depths as a reader sees them.
  private func compareDepths() throws {
    let right = try DatasetReader(readingFrom: folder.path("right.h5"))
    let fixed = try DatasetReader(readingFrom: folder.path("fixed.h5"))
    for index in 0..<DiagnosedRoom.frameCount {
      let a = try right.frame(index, of: right.scenes[0]), b = try fixed.frame(index, of: fixed.scenes[0])
      for (x, y) in [(a.lidar, b.lidar), (try #require(a.truth), try #require(b.truth))] {
        #expect(zip(x.values, y.values).allSatisfy { $0 == $1 || abs($0 / $1 - 1) < 1e-6 })
      }
    }
  }

  @Test("what one frame tells is corrected in a copy", arguments: DiagnosedFault.ofMaps)
  func maps(_ fault: DiagnosedFault) async throws {
    // Without poses and intrinsics: they take seconds, and say nothing about maps.
    try await correct(fault, without: ["camera", "objects"])
  }

  @Test("what carries frames into each other is corrected in a copy", arguments: DiagnosedFault.ofCamera)
  func camera(_ fault: DiagnosedFault) async throws { try await correct(fault) }

  @Test("the unbroken file, whole and without poses, is called fine", arguments: [true, false])
  func unbroken(hasCamera: Bool) async throws {
    try DiagnosedRoom.write(to: folder.path("right.h5")) {
      for group in hasCamera ? [] : ["camera", "objects"] { try $0.remove(DiagnosedRoom.scene + "/" + group) }
    }
    let found = contradicted(try await diagnosis(of: "right.h5", "--strict"))
    #expect(found.isEmpty)
  }

  @Test("a file without faults is copied byte by byte, under no name but its own")
  func nothingToCorrect() async throws {
    try DiagnosedRoom.write(to: folder.path("right.h5")) { try $0.keepMaps() }
    #expect(await diagnose("right.h5", "--fix", folder.path("copy.h5"), "--strict") == nil)
    #expect(
      FileManager.default.contentsEqual(atPath: folder.path("right.h5"), andPath: folder.path("copy.h5")))
    #expect(folder.names == ["copy.h5", "right.h5"])
    let copy = try CorrectedCopy(
      of: try SourceFiles(ofFile: folder.path("right.h5")), to: folder.path("again.h5"), overwrite: false, [],
      [])
    #expect(Diagnose.words(copy) == "\(folder.path("again.h5")): an exact copy: nothing to correct")
  }

  @Test("--fix refuses a file that exists, and the data set itself under any name")
  func refusals() async throws {
    try DiagnosedRoom.write(to: folder.path("data.h5")) { file in
      try file.keepMaps()
      try file.declare("relative/values", "kind", "depth")
    }
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.path("data.h5")))
    try Data("kept".utf8).write(to: URL(fileURLWithPath: folder.path("other.h5")))
    let exists = try #require(await diagnose("data.h5", "--fix", folder.path("other.h5")))
    #expect(exists.code.rawValue == 73 && exists.message.contains("other.h5: it exists"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("other.h5"))) == Data("kept".utf8))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.h5"), withDestinationPath: folder.path("data.h5"))
    try FileManager.default.linkItem(atPath: folder.path("data.h5"), toPath: folder.path("hard.h5.partial"))
    for name in ["data.h5", "link.h5", "hard.h5"] {
      let itself = try #require(await diagnose("data.h5", "--fix", folder.path(name), "--overwrite"))
      #expect(itself.code.rawValue == 73 && itself.message.contains("is the data set that is corrected"))
      #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("data.h5"))) == before)
    }
    let nowhere = try #require(await diagnose("data.h5", "--fix", folder.path("none/fixed.h5")))
    #expect(nowhere.code.rawValue == 73)
    #expect(folder.names == ["data.h5", "hard.h5.partial", "link.h5", "other.h5"])
    #expect(await diagnose("data.h5", "--fix", folder.path("other.h5"), "--overwrite") == nil)
    #expect(try FileContent(folder.path("other.h5")).shapes.isEmpty == false)
  }

  @Test("of a data set that breaks the schema, and has nothing to correct, no copy is written")
  func brokenWithoutCorrection() async throws {
    try DiagnosedRoom.write(to: folder.path("data.h5")) { file in
      try file.keepMaps()
      try file.declare("relative/values", "kind", "nothing")
    }
    let failure = try #require(await diagnose("data.h5", "--fix", folder.path("fixed.h5")))
    #expect(failure.code == Failure.badData && failure.message.hasSuffix("fixed.h5 was not written"))
    #expect(folder.names == ["data.h5"])
  }

  @Test("a correction that fails leaves no file")
  func failure() async throws {
    try DiagnosedRoom.write(to: folder.path("data.h5")) { file in
      try file.keepMaps()
      try file.declare("relative/values", "kind", "depth")
    }
    let reader = try DatasetReader(readingFrom: folder.path("data.h5"))
    let diagnosis = try await diagnosis(of: "data.h5")
    try DiagnosedRoom.write(to: folder.path("changed.h5")) { file in
      // The same scene, without what is to be corrected.
      try file.remove(DiagnosedRoom.scene + "/relative")
    }
    #expect(throws: FathomError.self) {
      try CorrectedCopy(
        of: try SourceFiles(ofFile: folder.path("changed.h5")), to: folder.path("fixed.h5"), overwrite: false,
        diagnosis.scenes,
        reader.scenes)
    }
    #expect(!folder.names.contains { $0.hasPrefix("fixed.h5") })
  }

  @Test("--strict ends with 1 on a contradiction, also beside --fix, and passes the corrected copy")
  func strict() async throws {
    try DiagnosedRoom.write(to: folder.path("data.h5")) { file in
      try file.keepMaps()
      try file.turn("relative/values", DiagnosedRoom.relativeSize, .mirroredVertically)
    }
    #expect(await diagnose("data.h5") == nil)
    let failure = try #require(
      await diagnose("data.h5", "--strict", "--fix", folder.path("fixed.h5"), "--fix", "orientation"))
    #expect(failure.code.rawValue == 1 && failure.message.contains("mirrored top to bottom"))
    #expect(await diagnose("fixed.h5", "--strict") == nil)
    let unknown = try #require(await diagnose("data.h5", "--scenes", "nothing*"))
    #expect(unknown.code.rawValue == 64)
  }

  @Test("what cannot be corrected is named and left")
  func leftOpen() async throws {
    try DiagnosedRoom.write(to: folder.path("data.h5")) { file in
      try file.keepMaps()
      try file.change("relative/values") { values in
        let high = values.max() ?? 1
        return values.map { ($0 / high * 200).rounded() / 200 }
      }
    }
    let diagnosis = try await diagnosis(of: "data.h5")
    #expect(contradicted(diagnosis) == ["relative-quantisation"])
    let copy = try CorrectedCopy(
      of: try SourceFiles(ofFile: folder.path("data.h5")), to: folder.path("copy.h5"), overwrite: false,
      diagnosis.scenes, [])
    #expect(copy.changes.isEmpty && copy.leftOpen.count == 1)
    #expect(
      Diagnose.words(copy).contains("nothing that can be corrected\nLeft as they are:\n- scenes/room-01: "))
    #expect(
      FileManager.default.contentsEqual(atPath: folder.path("data.h5"), andPath: folder.path("copy.h5")))
  }
}
