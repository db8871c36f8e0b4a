internal import DepthCore
internal import DepthObjects

/// Which pose an effect is placed with.
public enum PlacementPose: String, Sendable, Hashable, Codable, CaseIterable {
  /// That of the frame that was analysed: nothing but depth is wrong.
  case frame
  /// That of the picture on screen when the result comes, as in an app that tests for a hit then.
  case display
  /// None: the effect stays at the anchor that the object's first result made.
  case anchor
}

/// One target of one result: where its effect stands, and how wrong that is.
public struct ReplayedPlacement: Sendable, Hashable {
  /// Number of the camera's frame, and of the recorded frame that was seen.
  public var frame: Int, recorded: Int
  public var label: String?
  public var index: Int?
  /// From the recorded frame to the display, milliseconds.
  public var latency: Double
  /// Of the camera in that time.
  public var staleness: CameraStaleness
  /// From the camera to the effect that the frame's pose gives, metres.
  public var range: Double
  /// How far the display's pose puts the effect from where the frame's pose puts it, centimetres.
  public var shift: Double
  /// Distance from the place on the true box, centimetres; nil where that or the effect is unknown.
  public var errors: [PlacementPose: Double] = [:]

  /// What the display's pose adds to the error, centimetres: with a true box the difference of errors, else the shift.
  public var worsening: Double {
    guard let display = errors[.display], let frame = errors[.frame] else { return shift }
    return display - frame
  }

  /// Metres and degrees per second of the camera.
  public var speed: Double { latency > 0 ? staleness.millimetres / latency : 0 }
  public var turnRate: Double { latency > 0 ? staleness.degrees / latency * 1000 : 0 }

  /// - Parameters:
  ///   - latency: Nanoseconds.
  ///   - display: The camera at that time after the recorded frame.
  ///   - anchor: Where the object's first result put its effect.
  init(
    of target: ReplayTarget, frame: Int, recorded: Int, latency: Int, display: PosedCamera, anchor: SIMD3<Double>?
  ) {
    (self.frame, self.recorded, label, index) = (frame, recorded, target.label, target.index)
    self.latency = Double(latency) / 1e6
    staleness = CameraStaleness(from: target.camera, to: display)
    let (first, second) = (target.place, target.place(with: display))
    func length(_ v: SIMD3<Double>) -> Double { (v * v).sum().squareRoot() }
    range = length(first - target.camera.position)
    shift = 100 * length(second - first)
    guard let truth = target.truth else { return }
    func error(_ place: SIMD3<Double>) -> Double {
      PlacementError(of: EffectPlacement(position: place), truth: truth, camera: target.camera.position).total
    }
    errors[.frame] = error(first)
    errors[.display] = error(second)
    errors[.anchor] = anchor.map(error)
  }
}
