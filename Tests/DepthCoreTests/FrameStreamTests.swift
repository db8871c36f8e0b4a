import DepthCore
import Synchronization
import Testing

@Suite("A stream of frames")
struct FrameStreamTests {
  private struct Unreadable: Error, Equatable { let index: Int }

  @Test(
    "results come in the order of the frames, whatever the number of jobs and however long a frame takes",
    arguments: [1, 2, 7])
  func order(jobs: Int) async throws {
    let indices = (0..<60).map { 3 * $0 }
    var taken: [Int] = []
    await FrameStream(indices, jobs: jobs).run {
      $0
    } work: { index in
      // The first frames are the slowest.
      var sum = 0
      for step in 0..<(60_000 / (index + 1)) { sum &+= step }
      return sum == -1 ? -1 : index
    } take: { index, result in
      #expect(index == result)
      taken.append(result)
    }
    #expect(taken == indices)
  }

  @Test("one frame is read ahead, and few results wait for a slow one")
  func bounded() async {
    let jobs = 2
    let finished = Mutex(0)
    let gate = Mutex(false)
    var (read, taken, most) = (0, 0, 0)
    await FrameStream(0..<200, jobs: jobs).run { (index) -> Int in
      read += 1
      most = max(most, read - taken)
      // Frame 0 is done when no more frames can pass it by.
      if read > 4 * jobs { gate.withLock { $0 = true } }
      return index
    } work: { index in
      while index == 0 && !gate.withLock({ $0 }) {}
      finished.withLock { $0 += 1 }
    } take: { _, _ in
      taken += 1
    }
    #expect(taken == 200 && finished.withLock { $0 } == 200)
    #expect(most <= 4 * jobs + 2)
  }

  @Test("more work that a result calls for is done before the end")
  func later() async {
    var sums: Set<Int> = []
    var last: Int?
    await FrameStream(0..<20, jobs: 3).run {
      $0
    } work: {
      $0 * $0
    } take: { index, square in
      defer { last = square }
      return last.map { before in [{ @Sendable in before + square }] } ?? []
    } later: { sum in
      sums.insert(sum)
    }
    #expect(sums == Set((1..<20).map { $0 * $0 + ($0 - 1) * ($0 - 1) }))
  }

  @Test("an unreadable frame ends the stream; what was read before is finished, and nothing after it is read")
  func failure() async {
    let finished = Mutex<Set<Int>>([])
    var read: [Int] = []
    await #expect(throws: Unreadable(index: 5)) {
      try await FrameStream(0..<10, jobs: 2).run { (index) throws(Unreadable) in
        read.append(index)
        if index == 5 { throw Unreadable(index: index) }
        return index
      } work: { index in
        _ = finished.withLock { $0.insert(index) }
      } take: { _, _ in
      }
    }
    #expect(read == Array(0...5))
    #expect(finished.withLock { $0 } == Set(0..<5))
  }
}

@Suite("The frames before a frame")
struct FrameHistoryTests {
  private func frame(_ index: Int) -> DepthFrame {
    var frame = DepthFrame(index: index, lidar: DepthMap(width: 1, height: 1, filledWith: Float(index)))
    frame.truth = frame.lidar
    return frame
  }

  @Test("newest first, without their truth; none is read twice as long as frames follow each other")
  func order() {
    var history = FrameHistory(length: 2)
    var (early, read) = ([Int](), [Int]())
    func frame(_ index: Int) -> (frame: DepthFrame, before: [DepthFrame]) {
      history.frame(
        index,
        past: {
          early.append($0)
          return self.frame($0)
        },
        read: {
          read.append($0)
          return self.frame($0)
        })
    }
    #expect(frame(0).before.isEmpty)
    #expect(frame(1).before.map(\.index) == [0])
    #expect(frame(5).before.map(\.index) == [4, 3])
    let last = frame(6)
    #expect(last.frame.truth != nil && last.before.map(\.index) == [5, 4])
    #expect(last.before.allSatisfy { $0.truth == nil })
    #expect(early == [3, 4] && read == [0, 1, 5, 6])
  }

  @Test("who looks back at nothing keeps and reads nothing")
  func none() {
    var history = FrameHistory(length: 0)
    for index in [0, 1, 7] {
      let found = history.frame(
        index,
        past: { index in
          Issue.record("read \(index)")
          return self.frame(index)
        }, read: frame)
      #expect(found.before.isEmpty && found.frame.index == index)
    }
  }
}
