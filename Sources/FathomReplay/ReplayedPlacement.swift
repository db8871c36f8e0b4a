internal import DepthObjects

/// Which pose an effect is placed with.
public enum PlacementPose: String, Sendable, Hashable, Codable, CaseIterable {
  /// That of the frame that was analysed: nothing but depth is wrong.
  case frame
  /// That of the picture on screen when the result comes, as in an app that tests for a hit then.
  case display
  /// None: the effect stays at the anchor that the object's first result made with the frame's pose.
  case anchor
}

/// One target of one result: where its effect stands, and how wrong that is.
public struct ReplayedPlacement: Sendable, Hashable {
  /// Number of the camera's frame, and of the recorded frame that was seen.
  public var frame: Int, recorded: Int
  public var label: String?, index: Int?
  /// From the recorded frame to the display, milliseconds.
  public var latency: Double
  /// Of the camera in that time.
  public var staleness: CameraStaleness
  /// From the camera to the effect that the frame's pose gives, metres.
  public var range: Double
  /// How far the display's pose puts the effect from where the frame's pose puts it, centimetres.
  public var shift: Double
  /// Distance from where the same ray ends in the true depth, seen with the frame's pose, centimetres: the error of depth for the
  /// frame's pose, that of depth and delay for the display's. An anchor has the error that its own frame had. Absent without truth.
  public var errors: [PlacementPose: Double] = [:]
  /// Distance of the effect that the frame's pose gives from the middle of the true box's base, centimetres: also holds that a ray
  /// to an object meets its near side. nil without true box.
  public var baseError: Double?

  /// What the display's pose adds to the error, centimetres: with true depth the difference of errors, else the shift.
  public var worsening: Double {
    guard let display = errors[.display], let frame = errors[.frame] else { return shift }
    return display - frame
  }

  /// Metres and degrees per second of the camera.
  public var speed: Double { latency > 0 ? staleness.millimetres / latency : 0 }
  public var turnRate: Double { latency > 0 ? staleness.degrees / latency * 1000 : 0 }

  /// - Parameter latency: Nanoseconds.
  /// - Parameter display: The camera at that time after the recorded frame.
  /// - Parameter anchor: The object's first target.
  init(
    of target: ReplayTarget, frame: Int, recorded: Int, latency: Int, display: PosedCamera,
    anchor: ReplayTarget?
  ) {
    (self.frame, self.recorded, label, index) = (frame, recorded, target.label, target.index)
    self.latency = Double(latency) / 1e6
    staleness = CameraStaleness(from: target.camera, to: display)
    let (first, second) = (target.place, target.place(with: display))
    func length(_ v: SIMD3<Double>) -> Double { (v * v).sum().squareRoot() }
    range = length(first - target.camera.position)
    shift = 100 * length(second - first)
    baseError = target.box.map { box in
      PlacementError(of: EffectPlacement(position: first), truth: box, camera: target.camera.position).total
    }
    guard let truth = target.truth else { return }
    errors[.frame] = 100 * length(first - truth)
    errors[.display] = 100 * length(second - truth)
    errors[.anchor] = anchor.flatMap { anchor in anchor.truth.map { 100 * length(anchor.place - $0) } }
  }
}
