import DepthCore
import Testing

@testable import DepthDiagnosis

@Suite("What belongs to which frame, and what networks' numbers mean")
struct PairingTests {
  /// A room with a network's maps and pictures whose brightness follows the depth.
  private func room(
    moves: Bool = true, kind: StoredPrediction.Kind = .metric, _ change: (DepthMap) -> DepthMap = { $0 }
  ) -> BrokenRoom {
    let stored = StoredPrediction(name: "net", kind: kind, size: BrokenRoom.size)
    var room = BrokenRoom(moves: moves, noise: 0.002).changed { frame in
      frame.predictions = [(stored, change(frame.lidar))]
      frame.image = Raster(
        width: BrokenRoom.size.width, height: BrokenRoom.size.height,
        values: frame.lidar.values.map { depth in
          let level = UInt8(max(0, min(255, 60 * depth)))
          return RGB(red: level, green: level, blue: level)
        })
    }
    room.header.predictions = [stored]
    room.header.colourSize = BrokenRoom.size
    return room
  }

  /// What the tests of pairs and predictions say.
  private func found(_ room: BrokenRoom) -> [String: Finding] {
    let sample = room.sample
    let predictions = PredictionConvention().findings(in: sample, after: [], seed: 0)
    var corrected = sample
    for finding in predictions { finding.correction?.apply(to: &corrected) }
    let pairs = PairingConvention().findings(in: corrected, after: predictions, seed: 0)
    return Dictionary((predictions + pairs).map { ($0.test, $0) }) { first, _ in first }
  }

  @Test("right predictions are confirmed, and no map of its own frame is called wrong")
  func right() {
    let found = found(room())
    for test in ["prediction-orientation:net", "prediction-kind:net", "prediction-unit:net"] {
      #expect(found[test]?.verdict == .confirmed, "\(test): \(found[test]?.summary ?? "")")
    }
    #expect(found["prediction-numbers:net"] == nil)
    #expect(found.values.allSatisfy { !$0.verdict.isWrong })
  }

  @Test("predictions and pictures of the next frame come early, of the one before late", arguments: [1, -1])
  func shifted(by count: Int) {
    let right = room()
    var wrong = right
    for index in right.frames.indices {
      let other = min(max(index + count, 0), right.frames.count - 1)
      wrong.frames[index].predictions = right.frames[other].predictions
      wrong.frames[index].image = right.frames[other].image
    }
    let found = found(wrong)
    for test in ["prediction-delay:net", "image-delay"] {
      #expect(found[test]?.verdict == .contradicted, "\(test): \(found[test]?.summary ?? "")")
      #expect(found[test]?.supported == (count > 0 ? "early" : "late"))
      #expect(found[test]?.correction == nil)
    }
  }

  @Test("a camera that stands still tells nothing about frames")
  func still() {
    let found = found(room(moves: false))
    #expect(found["image-delay"]?.verdict == .undecidable)
    #expect(found["prediction-delay:net"]?.verdict == .undecidable)
  }

  @Test("metres that are disparity, mirrored, negative, constant or stretched are named with what fixes them")
  func predictions() {
    let disparity = found(
      room { map in
        DepthMap(width: map.width, height: map.height, values: map.values.map { 1 / $0 })
      })
    #expect(disparity["prediction-kind:net"]?.supported == "disparity")
    #expect(
      disparity["prediction-kind:net"]?.correction
        == .attribute(object: "predictions/net/depth", name: "kind", value: "disparity"))
    #expect(disparity["prediction-unit:net"]?.verdict == .notTestable)
    let mirrored = found(room { Symmetry.mirroredHorizontally.upright($0) })
    #expect(mirrored["prediction-orientation:net"]?.supported == "mirrored-horizontally")
    let negative = found(
      room { map in
        DepthMap(width: map.width, height: map.height, values: map.values.map { -$0 })
      })
    #expect(negative["prediction-numbers:net"]?.supported == "sign-turned")
    #expect(negative["prediction-numbers:net"]?.summary.hasPrefix("all numbers are negative") == true)
    #expect(negative["prediction-kind:net"]?.verdict == .confirmed)
    let constant = found(room { DepthMap(width: $0.width, height: $0.height, filledWith: 2) })
    #expect(constant["prediction-numbers:net"]?.supported == "constant")
    let stretched = found(
      room { map in
        let most = map.values.max() ?? 1
        return DepthMap(width: map.width, height: map.height, values: map.values.map { $0 / most })
      })
    #expect(stretched["prediction-numbers:net"]?.supported == "stretched")
    #expect(stretched["prediction-unit:net"] == nil)
  }
}
