internal import DepthCore
internal import Foundation

/// A hand-held phone in a room: slow sways of position and gaze, a tremor, and steps where the person walks.
struct CameraPath: Sendable {
  /// One degree of freedom: two slow sine waves and a fast one.
  private struct Sway {
    var amplitude: Double, frequencies: SIMD3<Double>, phases: SIMD3<Double>

    init(_ amplitude: Double, using generator: inout SplitMix64) {
      self.amplitude = amplitude
      frequencies = [generator.uniform(0.1, 0.16), generator.uniform(0.2, 0.35), generator.uniform(4, 9)]
      phases = [generator.unit(), generator.unit(), generator.unit()]
    }

    func callAsFunction(_ seconds: Double) -> Double {
      let turns = (frequencies * seconds + phases) * (2 * .pi)
      return amplitude * (0.7 * sin(turns.x) + 0.3 * sin(turns.y) + 0.01 * sin(turns.z))
    }
  }
  private let viewpoint: SIMD3<Double>, heading: Double, pitch: Double
  private let right: Sway, up: Sway, back: Sway, turn: Sway, nod: Sway, roll: Sway
  private let walk: Walk?

  /// Steps along a loop in front of the viewpoint.
  private struct Walk {
    /// Half the loop's size along x and z, metres, and seconds for it: about 0.8 m/s.
    private static let (across, along, seconds) = (0.7, 0.4, 4.5)
    /// Two steps make a stride: the head goes up and down with each step, from side to side with each stride.
    private static let stepsPerSecond = 1.8
    private static let (bob, lean, wobble) = (0.02, 0.012, 0.02)
    private let start: Double, step: Double
    init(using generator: inout SplitMix64) { (start, step) = (generator.unit(), generator.unit()) }

    /// Metres from the viewpoint.
    func offset(_ t: Double) -> SIMD3<Double> {
      let angle = 2 * .pi * (t / Self.seconds + start)
      let side = Self.across * sin(angle) + Self.lean * sin(stride(t) / 2)
      return SIMD3(side, Self.bob * sin(stride(t)), -Self.along * (1 - cos(angle)))
    }

    /// Radians that the gaze turns with each stride, and nods with each step.
    func gaze(_ t: Double) -> (turn: Double, nod: Double) {
      (Self.wobble * sin(stride(t) / 2), Self.wobble / 2 * cos(stride(t)))
    }

    private func stride(_ t: Double) -> Double { 2 * .pi * (t * Self.stepsPerSecond + step) }
  }

  init(in room: Room, walks: Bool, using generator: inout SplitMix64) {
    (viewpoint, heading, pitch) = (room.viewpoint, room.heading, room.pitch)
    right = Sway(0.25 * room.sway, using: &generator)
    up = Sway(0.1 * room.sway, using: &generator)
    back = Sway(0.2 * room.sway, using: &generator)
    turn = Sway(0.35 * room.sway, using: &generator)
    nod = Sway(0.1 * room.sway, using: &generator)
    roll = Sway(0.04 * room.sway, using: &generator)
    walk = walks ? Walk(using: &generator) : nil
  }

  /// ARKit pose (x right, y up, −z forward) at a time.
  func worldFromCamera(atSeconds t: Double) -> RigidTransform {
    let gaze = walk?.gaze(t) ?? (turn: 0, nod: 0)
    let offset = SIMD3(right(t), up(t), back(t)) + (walk?.offset(t) ?? .zero)
    let (yaw, tilt, bank) = (heading + turn(t) + gaze.turn, pitch + nod(t) + gaze.nod, roll(t))
    let forward = SIMD3(-sin(yaw) * cos(tilt), sin(tilt), -cos(yaw) * cos(tilt))
    let level = SIMD3(cos(yaw), 0, -sin(yaw)), raised = cross(level, forward)
    return RigidTransform(
      xAxis: level * cos(bank) + raised * sin(bank), yAxis: raised * cos(bank) - level * sin(bank),
      zAxis: -forward, translation: viewpoint + offset)
  }

  private func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
  }
}
