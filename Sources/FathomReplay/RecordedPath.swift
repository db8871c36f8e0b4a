internal import DepthCore
public import DepthObjects

/// Why a recording cannot be replayed.
public enum PathFault: Error, Sendable, Hashable {
  /// A camera needs time, and time needs two frames.
  case oneFrame
  /// There is no time for its frames.
  case noTimes
  /// The time of this frame is not later than that of the frame before.
  case timeGoesBack(frame: Int)
  /// It lasts too long: seconds.
  case tooLong(Double)
}

/// The way of a camera that was recorded: where it is at any time, on the recording's own time axis.
///
/// Between two frames the position moves in a straight line and the rotation turns steadily (slerp).
public struct RecordedPath: Sendable {
  /// When each frame was taken, nanoseconds since the first.
  public let times: [Int]
  /// Of each frame; nil where its pose is not known.
  public let cameras: [PosedCamera?]
  private let rotations: [Rotation?]
  private static let longest = 86_400.0  // A day.

  /// - Parameter seconds: When each frame was taken; nil where nothing says it.
  /// - Precondition: As many times as cameras.
  public init(seconds: [Double]?, cameras: [PosedCamera?]) throws(PathFault) {
    guard cameras.count > 1 else { throw .oneFrame }
    guard let seconds else { throw .noTimes }
    precondition(seconds.count == cameras.count, "one time per frame")
    // Also refuses what is not a number.
    if let frame = seconds.indices.dropFirst().first(where: { !(seconds[$0] > seconds[$0 - 1]) }) {
      throw .timeGoesBack(frame: frame)
    }
    let duration = (seconds.last ?? 0) - seconds[0]
    guard duration <= Self.longest else { throw .tooLong(duration) }
    times = seconds.map { Int((($0 - seconds[0]) * 1e9).rounded()) }
    self.cameras = cameras
    rotations = cameras.map { $0.map { Rotation($0.worldFromCamera) } }
  }

  /// From the first frame to the last, nanoseconds.
  public var duration: Int { times.last ?? 0 }
  /// Whether any pose is known.
  public var hasPoses: Bool { cameras.contains { $0 != nil } }
  /// Longest time without a recorded frame, nanoseconds.
  public var longestGap: Int { zip(times.dropFirst(), times).map { $0 - $1 }.max() ?? 0 }

  /// The recorded frame that is nearest in time, the earlier of two.
  public func nearestFrame(to time: Int) -> Int {
    let next = frame(after: time)
    guard next > 0 else { return 0 }
    guard next < times.count else { return times.count - 1 }
    return times[next] - time < time - times[next - 1] ? next : next - 1
  }

  /// The camera at a time; nil outside the recording and where a pose beside it is not known. Its intrinsics are those of the nearest
  /// frame.
  public func camera(at time: Int) -> PosedCamera? {
    let next = frame(after: time)
    guard next > 0, time <= duration else { return nil }
    if times[next - 1] == time { return cameras[next - 1] }
    guard let from = cameras[next - 1], let to = cameras[next], let start = rotations[next - 1],
      let end = rotations[next]
    else { return nil }
    let share = Double(time - times[next - 1]) / Double(times[next] - times[next - 1])
    var camera = share <= 0.5 ? from : to
    camera.worldFromCamera = RigidTransform(
      quaternion: start.slerp(to: end, share).vector,
      translation: from.position + (to.position - from.position) * share)
    return camera
  }

  /// The first frame that is later than a time; the number of frames where none is.
  private func frame(after time: Int) -> Int {
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if times[middle] <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// How far a camera has moved and turned between two times.
public struct CameraStaleness: Sendable, Hashable {
  public var millimetres: Double, degrees: Double

  public init(from first: PosedCamera, to second: PosedCamera) {
    let way = second.position - first.position
    millimetres = 1000 * (way * way).sum().squareRoot()
    degrees = Rotation(first.worldFromCamera).degrees(to: Rotation(second.worldFromCamera))
  }
}
