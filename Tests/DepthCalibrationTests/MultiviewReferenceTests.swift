import CFathomKernels
import DepthCore
import DepthFusion
import DepthSynthesis
import Testing

@testable import DepthCalibration

@Suite("Reference from neighbouring frames")
struct MultiviewReferenceTests {
  /// A furnished room seen by a LiDAR with next to no noise; truth at the LiDAR's resolution.
  private static let room: (header: SceneHeader, frames: [DepthFrame]) = {
    var options = SynthesisPreset.sample.options
    (options.sceneCount, options.framesPerScene, options.frameIntervalSeconds) = (1, 10, 0.1)
    options.lidarSize = RasterSize(width: 64, height: 48)
    options.truthSize = options.lidarSize
    options.relativeSize = RasterSize(width: 32, height: 24)
    options.colourSize = RasterSize(width: 16, height: 12)
    options.noiseLaw = Array(repeating: RangeLaw(a: 0.001, b: 0), count: 3)
    let scene = SyntheticScene(options: options, index: 0)
    return (scene.header, (0..<10).map(scene.frame))
  }()

  @Test("it is the exact depth, but for what the median smooths; hidden surfaces do not shine through")
  func exact() throws {
    let (header, frames) = Self.room
    let reference = try MultiviewReference(header)
    var (errors, pixels) = ([Double](), 0)
    for frame in [frames[0], frames[5]] {
      let truth = try #require(frame.truth)
      let found = try #require(reference.applied(to: frame, from: frames).truth)
      #expect(found.size == frame.lidar.size)
      pixels += found.values.count
      for (a, b) in zip(found.values, truth.values) where a.isFinite { errors.append(Double(abs(a / b - 1))) }
    }
    #expect(Double(errors.count) > 0.6 * Double(pixels), "\(errors.count) of \(pixels)")
    #expect(try #require(OrderStatistics.median(of: errors)) < 0.002)
    #expect(Double(errors.count { $0 > 0.05 }) < 0.02 * Double(errors.count))
  }

  @Test("the frame itself takes no part, and neither do uncertain returns")
  func others() throws {
    let (header, frames) = Self.room
    let reference = try MultiviewReference(header)
    let found = try #require(reference.depth(of: frames[3], from: frames)).values
    var changed = frames[3]
    for index in changed.lidar.values.indices { changed.lidar.values[index] = 0.5 }
    var others = frames
    others[3] = changed
    let again = try #require(reference.depth(of: changed, from: others)).values
    #expect(zip(found, again).allSatisfy { $0 == $1 || ($0.isNaN && $1.isNaN) })
    let doubtful = frames.map { frame in
      var frame = frame
      frame.confidence?.values = frame.lidar.values.map { _ in 1 }
      return frame
    }
    #expect(try #require(reference.depth(of: frames[3], from: doubtful)).values.allSatisfy(\.isNaN))
  }

  @Test("six views that agree are needed")
  func views() throws {
    let (header, frames) = Self.room
    let reference = try MultiviewReference(header)
    let five = Array(frames[1...5])
    #expect(try #require(reference.depth(of: frames[0], from: five)).values.allSatisfy(\.isNaN))
    // Every view sees everything 4 % farther than the one before: the median deviation is about 8 %.
    let torn = frames.map { frame in
      var frame = frame
      for i in frame.lidar.values.indices { frame.lidar.values[i] *= 1 + 0.04 * Float(frame.index) }
      return frame
    }
    let known = try #require(reference.depth(of: frames[0], from: torn)).values.count { !$0.isNaN }
    let usual = try #require(reference.depth(of: frames[0], from: frames)).values.count { !$0.isNaN }
    #expect(known < usual / 4)
    var lost = frames[0]
    lost.worldFromCamera = nil
    #expect(reference.depth(of: lost, from: frames) == nil)
    #expect(try #require(reference.applied(to: lost, from: frames).truth).values.allSatisfy(\.isNaN))
  }

  @Test("the median of views and its deviation are those of sorted numbers", arguments: [1, 2, 7, 24, 37])
  func sorted(views: Int) {
    var generator = SplitMix64(seed: 24)
    let pixels = 83
    let maps = (0..<views * pixels).map { _ -> Float in
      generator.next() % 10 < 3 ? .nan : 2 + 0.00003 * Float(generator.next() % 1000)
    }
    func middle(_ values: [Float]) -> Float {
      let (values, upper) = (values.sorted(), values.count / 2)
      return values.count % 2 == 1 ? values[upper] : (values[upper - 1] + values[upper]) / 2
    }
    let expected = (0..<pixels).map { pixel -> Float in
      let seen = (0..<views).map { maps[$0 * pixels + pixel] }.filter { !$0.isNaN }
      guard seen.count >= 2 else { return .nan }
      let median = middle(seen)
      return middle(seen.map { abs($0 - median) }) < 0.004 * median ? median : .nan
    }
    var room = [Float](repeating: 0, count: view_agreement_room(views))
    var found = [Float](repeating: 0, count: pixels)
    view_agreement(maps, views, pixels, 2, 0.004, &room, &found)
    #expect(found.map(\.bitPattern) == expected.map(\.bitPattern))
    #expect(views < 7 || (expected.contains { $0.isNaN } && expected.contains { !$0.isNaN }))
  }

  @Test("what a scene lacks is said, with what to do")
  func failures() {
    let header = Self.room.header
    func failure(_ change: (inout SceneHeader) -> Void) -> MultiviewFailure? {
      var header = header
      change(&header)
      do {
        _ = try MultiviewReference(header)
        return nil
      } catch { return error }
    }
    #expect(failure { _ in } == nil)
    #expect(failure { $0.lidarSize = nil } == .noLidar)
    #expect(failure { $0.hasPoses = false } == .noPoses)
    #expect(failure { $0.cameraConvention = .unknown } == .unknownConvention)
    #expect(failure { $0.intrinsics = nil } == .noIntrinsics)
    #expect(failure { $0.frameCount = 6 } == .tooFewFrames(6, needed: 7))
    #expect("\(MultiviewFailure.unknownConvention.advice)".contains("fathom diagnose"))
    let changed = MultiviewReference.header(of: header)
    #expect(changed.truthIndependence == .multiview && changed.truthSize == header.lidarSize)
  }

  @Test("a window reads every frame once, keeps those within reach, and spreads its views")
  func window() {
    var options = MultiviewReference.Options()
    (options.reach, options.mostViews) = (4, 6)
    var window = MultiviewWindow(frameCount: 20, options: options)
    #expect(window.members(around: 0) == [1, 2, 3, 4])
    let middle = window.members(around: 10)
    #expect(middle.count == 6 && !middle.contains(10) && middle.first == 6 && middle.last == 14)
    var read: [Int] = []
    for index in 0..<20 {
      let frames = window.frames(around: index) { position in
        read.append(position)
        return DepthFrame(index: position, lidar: DepthMap(width: 1, height: 1, values: [1]))
      }
      #expect(frames.map(\.index) == window.members(around: index))
    }
    #expect(read.sorted() == Array(Set(read)).sorted() && read.count <= 20)
  }
}
