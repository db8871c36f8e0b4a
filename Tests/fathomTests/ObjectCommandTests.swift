import ArgumentParser
import DepthCore
import DepthDataset
import DepthObjects
import DepthVerdicts
import Foundation
import FathomHDF5
import FathomTestSupport
import Testing

@testable import FathomCommandLine

@Suite("fathom evaluate: objects")
struct ObjectCommandTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Two frames of two scenes, the same box from two distances.
  private func write(
    _ name: String, objects: Bool = true, change: (inout SceneHeader) -> Void = { _ in },
    edit: (inout [DetectedObject]) -> Void = { _ in }
  ) throws -> String {
    let path = folder.path(name)
    var writer = try DatasetWriter(creating: path, attributes: DatasetAttributes())
    for (scene, yaw) in [("a", 0.3), ("b", 0.7)] {
      let views = [
        BoxScene(name: scene, distance: 1.5, yaw: yaw), BoxScene(name: scene, distance: 1.8, yaw: yaw),
      ]
      var header = views[0].header
      header.frameCount = 2
      change(&header)
      try writer.addScene(header)
      for (index, view) in views.enumerated() {
        var frame = view.frame
        frame.index = index
        try writer.write(frame, to: scene)
      }
      guard objects else { continue }
      var found = views.enumerated().map { index, view in
        var object = view.object
        object.frame = index
        return object
      }
      edit(&found)
      try writer.writeObjects(SceneObjects(conventions: views[0].conventions, objects: found), to: scene)
    }
    try writer.commit()
    return path
  }

  private func evaluate(_ data: String, to output: String = "run", _ options: String...) async -> Failure? {
    await run(
      [
        "evaluate", data, "--methods", "lidar-bilinear", "--output", folder.path(output), "--overwrite",
        "--quiet",
      ] + options)
  }

  private func text(_ name: String, in output: String = "run") throws -> String {
    try String(contentsOfFile: folder.path(output + "/" + name), encoding: .utf8)
  }

  private func rows(_ name: String = "objects.csv", in output: String = "run") throws -> [[String]] {
    try text(name, in: output).split(separator: "\n").map { line in
      // A comma in quotes ends no field.
      var (fields, isQuoted) = ([""], false)
      for character in line {
        if character == "\"" { isQuoted.toggle() }
        if character == "," && !isQuoted {
          fields.append("")
        } else {
          fields[fields.count - 1].append(character)
        }
      }
      return fields
    }
  }

  @Test("the same bytes for any number of jobs; tables, options and sentences are there")
  func folderOfRun() async throws {
    let data = try write("boxes.h5")
    #expect(await evaluate(data, to: "one", "--box-methods", "all", "--jobs", "1") == nil)
    #expect(await evaluate(data, to: "three", "--box-methods", "all", "--jobs", "3") == nil)
    for name in ["objects.csv", "object_summary.csv", "detections.csv", "report.md", "run.json"] {
      #expect(try text(name, in: "one") == text(name, in: "three"), "\(name)")
    }
    let table = try rows(in: "one")
    // 4 objects, LiDAR and truth by every method, spec without a map.
    #expect(table.count == 1 + 4 * (2 * BoxMethod.all.count + 1))
    #expect(table.allSatisfy { $0.count == table[0].count })
    let report = try text("report.md", in: "one")
    #expect(report.contains("\n## Objects\n\n- An effect on the box of `auto` is off by "))
    let verdict = try JSONDecoder().decode(RunVerdict.self, from: Data(text("verdict.json", in: "one").utf8))
    #expect(verdict.objects?.detection?.precision == 1 && verdict.objects?.boxMethod == "auto")
    #expect(try text("detections.csv", in: "one").contains("\nall,,4,0,0,2,precision,1.0,"))
    let manifest = try text("run.json", in: "one")
    #expect(manifest.contains("\"depths\" : [\n      \"lidar\",\n      \"spec\",\n      \"truth\""))
    #expect(manifest.contains("\"minimumPoints\" : 10") && manifest.contains("\"cellSize\" : 0.1"))
  }

  @Test("data without objects, and --no-objects, leave no trace")
  func without() async throws {
    #expect(await evaluate(try write("plain.h5", objects: false), to: "plain") == nil)
    #expect(await evaluate(try write("boxes.h5"), to: "off", "--no-objects") == nil)
    for output in ["plain", "off"] {
      #expect(!folder.exists(output + "/objects.csv") && !folder.exists(output + "/object_summary.csv"))
      #expect(try !text("report.md", in: output).contains("Objects"))
      #expect(try !text("run.json", in: output).contains("boxMethods"))
    }
    #expect(try text("frames.csv", in: "plain") == text("frames.csv", in: "off"))
  }

  @Test("methods, depth maps and pixels can be chosen")
  func chosen() async throws {
    let data = try write("boxes.h5")
    #expect(
      await evaluate(
        data, "--box-methods", "closeness,pca-xz", "--object-depths", "truth,lidar-bilinear",
        "--object-sampling", "map") == nil)
    let table = try rows()
    #expect(
      table.dropFirst().prefix(4).map { $0[5] + " " + $0[6] } == [
        "truth closeness", "truth pca-xz", "lidar-bilinear closeness", "lidar-bilinear pca-xz",
      ])
    #expect(table.count == 1 + 4 * 4)
    #expect(try text("report.md").contains("boxed by `closeness`"))
  }

  @Test("a scene that cannot be placed is named with the reason")
  func leftOut() async throws {
    let data = try write("unknown.h5", change: { if $0.name == "b" { $0.cameraConvention = .unknown } })
    #expect(await evaluate(data) == nil)
    #expect(try Set(rows().dropFirst().map { $0[0] }) == ["a"])
    let report = try text("report.md")
    #expect(report.contains("The detections of b are skipped: the axes of the poses are not declared"))
    // One scene is left: values without brackets.
    #expect(report.contains("; one scene).") && report.contains("(1 scene: too few for an interval)"))
    let nowhere = try write("nowhere.h5", change: { $0.cameraConvention = .unknown })
    #expect(await evaluate(nowhere, to: "nowhere") == nil)
    #expect(try rows(in: "nowhere").count == 1)
    #expect(try text("report.md", in: "nowhere").contains("The detections of a and b are skipped"))
  }

  @Test("without true boxes nothing is claimed")
  func withoutTruth() async throws {
    let data = try write("free.h5", edit: { for index in $0.indices { $0[index].truth = nil } })
    #expect(await evaluate(data) == nil)
    let report = try text("report.md")
    #expect(report.contains("No object has a true box: boxes are in `objects.csv`, but neither"))
    #expect(!report.contains("An effect on the box") && !folder.exists("run/detections.csv"))
    let head = try #require(try rows().first)
    let iou = try #require(head.firstIndex(of: "iou"))
    #expect(try rows().dropFirst().allSatisfy { $0[iou].isEmpty })
  }

  @Test("unsure detections are counted, not boxed")
  func unsure() async throws {
    let data = try write("unsure.h5", edit: { $0[1].score = 0.4 })
    #expect(await evaluate(data) == nil)
    let report = try text("report.md")
    #expect(report.contains("2 detections of 4 are not above the confidence threshold and are not boxed."))
    #expect(try text("detections.csv").contains("\nall,,2,0,2,2,precision,1.0,"))
    #expect(await evaluate(data, "--detection-confidence", "0.3") == nil)
    #expect(try text("detections.csv").contains("\nall,,4,0,0,2,precision,1.0,"))
  }

  @Test("raw output is decoded where there are no stored detections; without a pose to place it is named")
  func decoded() async throws {
    let data = folder.path("raw.h5")
    try writeRaw(data)
    #expect(
      await evaluate(data, "--detector-origin", "bottom-left", "--box-methods", "six-point,auto") == nil)
    let table = try rows()
    let first = try #require(table.dropFirst().first)
    #expect(
      Array(first.prefix(9)) == ["room", "0", "0", "crate", "0.9", "lidar", "six-point", "six-point", "ok"])
    let masked = try #require(table[0].firstIndex(of: "masked"))
    #expect(table.dropFirst().filter { $0[5] == "lidar" }.allSatisfy { $0[masked] == "yes" })
    #expect(table.dropFirst().count { $0[5] == "lidar" } == 2 * 2)
    #expect(await evaluate(data, to: "stored", "--detections", "stored") == nil)
    #expect(
      try text("report.md", in: "stored").contains(
        "The detections of room are skipped: no stored detections, and the detector output is not to be decoded."
      ))
  }

  @Test("raw output is decoded beside a group of no detections, too")
  func emptyGroup() async throws {
    let (bare, both) = (folder.path("bare.h5"), folder.path("both.h5"))
    try writeRaw(bare)
    try writeRaw(both, withEmptyObjects: true)
    for (data, output) in [(bare, "bare"), (both, "both")] {
      #expect(
        await evaluate(data, to: output, "--detector-origin", "bottom-left", "--box-methods", "six-point")
          == nil)
    }
    #expect(
      try rows(in: "bare").count > 1 && text("objects.csv", in: "bare") == text("objects.csv", in: "both"))
  }

  /// Two equal frames with the output of a network of one class, which saw them upside down.
  private func writeRaw(_ path: String, withEmptyObjects: Bool = false) throws {
    let scene = BoxScene()
    let (box, group) = (scene.object.box, "scenes/room")
    let file = try HDF5File(creating: path)
    try file.setAttribute("format", to: .string("fathom"))
    try file.setAttribute("version", to: .integer(1))
    for name in ["scenes", group, group + "/lidar", group + "/camera", group + "/detector"] {
      try file.createGroup(name)
    }
    let lidar = scene.frame.lidar.values
    try file.add(group + "/lidar/depth", [2, 96, 128], lidar + lidar)
    let k = scene.camera.intrinsics
    try file.add(group + "/camera/intrinsics", [3, 3], [k.fx, 0, k.cx, 0, k.fy, k.cy, 0, 0, 1])
    try file.setAttribute("image_size", of: group + "/camera", to: .integers([640, 480]))
    let pose = scene.camera.worldFromCamera.rowMajor
    try file.add(group + "/camera/world_from_camera", [2, 4, 4], pose + pose)
    try file.setAttribute("convention", of: group + "/camera/world_from_camera", to: .string("arkit"))
    let anchor = [(box.minX + box.maxX) / 2, (box.minY + box.maxY) / 2, box.width, box.height, 0.9, 1]
    try file.add(group + "/detector/predictions", [2, 6, 1], anchor + anchor)
    try file.setAttribute("input_size", of: group + "/detector/predictions", to: .integers([640, 480]))
    try file.setAttribute(
      "class_names", of: group + "/detector/predictions",
      to: HDF5Attribute(shape: [1], elements: .strings(["crate"])))
    let mask = (scene.object.mask?.values ?? []).map { $0 > 0.5 ? Float(20) : -20 }
    try file.add(group + "/detector/prototypes", [2, 1, 120, 160], mask + mask)
    if withEmptyObjects {
      try file.createGroup(group + "/objects")
      try file.add(group + "/objects/frame", [0], [Int32]())
      try file.writeStrings([], to: group + "/objects/class")
      try file.add(group + "/objects/score", [0], [Float]())
      try file.add(group + "/objects/bbox", [0, 4], [Float]())
    }
    try file.close()
  }
}

extension HDF5File {
  fileprivate borrowing func add<Element: HDF5Scalar>(
    _ path: String, _ shape: [Int], _ values: [Element]
  ) throws {
    try createDataset(path, shape: shape, of: Element.self).write(values)
  }
}
