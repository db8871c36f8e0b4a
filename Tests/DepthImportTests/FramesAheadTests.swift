import DepthDataset
import FathomStorage
import Synchronization
import Testing

@testable import DepthImport

@Suite("Frames decoded before they are asked for")
struct FramesAheadTests {
  private final class Desk: Sendable {
    let decoded = Mutex<[Int]>([])

    func outcome(_ wanted: FramesAhead.Wanted) -> FramesAhead.Outcome {
      decoded.withLock { $0.append(wanted.frame) }
      if wanted.frame == 7 {
        return .failure(
          FathomError(.badData, attempted: "read", file: "f", reason: "frame 7", advice: "none"))
      }
      return .success([UInt8(wanted.scene), UInt8(wanted.frame)])
    }
  }

  @Test("every frame has its own answer, however it is asked for, and none is decoded twice in order")
  func answers() throws {
    let desk = Desk()
    var frames = FramesAhead()
    for scene in 0..<2 {
      for frame in [0, 2, 1, 3, 4, 5, 6, 8, 9, 11, 10] {
        let wanted = FramesAhead.Wanted(recording: 0, scene: scene, frame: frame, arrays: 1)
        #expect(try frames.answer(wanted, of: 12, desk.outcome) == [UInt8(scene), UInt8(frame)])
      }
      let decoded = desk.decoded.withLock { list in
        defer { list = [] }
        return list
      }
      #expect(Set(decoded).isSubset(of: Set(0..<12)))
      #expect(decoded.count == Set(decoded).count)
    }
  }

  @Test("a frame that fails, fails only for who asks for it")
  func failure() {
    let desk = Desk()
    var frames = FramesAhead()
    for frame in 4..<10 {
      let wanted = FramesAhead.Wanted(recording: 0, scene: 0, frame: frame, arrays: 1)
      if frame == 7 {
        #expect(throws: FathomError.self) { try frames.answer(wanted, of: 12, desk.outcome) }
      } else {
        #expect(throws: Never.self) { try frames.answer(wanted, of: 12, desk.outcome) }
      }
    }
  }
}
