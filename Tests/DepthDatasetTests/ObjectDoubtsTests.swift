import FathomHDF5
import FathomPlainText
import FathomTestSupport
import Testing

@testable import DepthDataset

/// What two detections hold, and the words of the warning; none for what is right.
private struct DoubtedObjects: Sendable, CustomTestStringConvertible {
  let name: String, words: String?
  var boxes: [Float] = [2, 3, 9, 12, 10, 5, 28, 19], scores: [Float] = [0.5, 1]
  var center: [Float] = [0, 1, 2, 1, 0, 3], yaw: [Float] = [0.1, -3]
  var testDescription: String { name }

  static let all = [
    DoubtedObjects(name: "right", words: nil),
    DoubtedObjects(
      name: "one of two is out of the picture", words: nil, boxes: [2, 3, 9, 12, 10, 5, 90, 19]),
    DoubtedObjects(
      name: "unknown true boxes", words: nil, center: [.nan, .nan, .nan, 1, 0, 3], yaw: [.nan, 1]),
    DoubtedObjects(
      name: "width and height", words: "2 of 2 detections end before they begin",
      boxes: [12, 13, 7, 5, 20, 15, 8, 4]),
    DoubtedObjects(
      name: "another resolution", words: "end outside of the picture of 30×20",
      boxes: [200, 300, 900, 1200, 100, 50, 280, 190]),
    DoubtedObjects(
      name: "shares", words: "not shares of its sides", boxes: [0.1, 0.2, 0.5, 0.6, 0.3, 0.3, 0.9, 0.8]),
    DoubtedObjects(name: "percent", words: "are above 1; store", scores: [50, 100]),
    DoubtedObjects(
      name: "millimetres", words: "are more than 300 m from the origin",
      center: [0, 1000, 2000, 1000, 0, 3000]),
    DoubtedObjects(name: "degrees", words: "are above 2π", yaw: [90, -45]),
  ]
}

@Suite struct ObjectDoubtsTests {
  @Test("detections in another unit or order are named", arguments: DoubtedObjects.all)
  fileprivate func named(_ made: DoubtedObjects) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("objects.h5")
    try SchemaFile.write(path) { file in
      try file.addCamera([20, 0, 15, 0, 20, 10, 0, 0, 1], imageSize: .integers([30, 20]))
      try file.add("objects/frame", [2], [Int32(0), 1])
      try file.addStrings("objects/class", ["cup", "chair"])
      try file.add("objects/score", [2], made.scores)
      try file.add("objects/bbox", [2, 4], made.boxes)
      try file.add("objects/truth/center", [2, 3], made.center)
      try file.add("objects/truth/size", [2, 3], [Float](repeating: 1, count: 6))
      try file.add("objects/truth/yaw", [2], made.yaw)
    }
    let found = try DatasetInspection(inspecting: path).issues.filter { $0.object.contains("objects") }
      .map { "\($0.problem); \($0.advice.onCommandLine)" }
    guard let words = made.words else { return #expect(found.isEmpty) }
    #expect(found.count == 1 && found[0].contains(words), "\(found)")
  }
}
