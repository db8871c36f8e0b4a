internal import DepthCore
internal import Foundation

/// A hand-held phone in a room: slow sways of position and gaze, and a tremor.
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
  private let viewpoint: SIMD3<Double>
  private let heading: Double, pitch: Double
  private let right: Sway, up: Sway, back: Sway
  private let turn: Sway, nod: Sway, roll: Sway

  init(in room: Room, using generator: inout SplitMix64) {
    (viewpoint, heading, pitch) = (room.viewpoint, room.heading, room.pitch)
    right = Sway(0.25 * room.sway, using: &generator)
    up = Sway(0.1 * room.sway, using: &generator)
    back = Sway(0.2 * room.sway, using: &generator)
    turn = Sway(0.35 * room.sway, using: &generator)
    nod = Sway(0.1 * room.sway, using: &generator)
    roll = Sway(0.04 * room.sway, using: &generator)
  }

  /// ARKit pose (x right, y up, −z forward) at a time.
  func worldFromCamera(atSeconds t: Double) -> RigidTransform {
    let (yaw, tilt, bank) = (heading + turn(t), pitch + nod(t), roll(t))
    let forward = SIMD3(-sin(yaw) * cos(tilt), sin(tilt), -cos(yaw) * cos(tilt))
    let level = SIMD3(cos(yaw), 0, -sin(yaw))
    let raised = cross(level, forward)
    return RigidTransform(
      xAxis: level * cos(bank) + raised * sin(bank), yAxis: raised * cos(bank) - level * sin(bank),
      zAxis: -forward, translation: viewpoint + SIMD3(right(t), up(t), back(t)))
  }

  private func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
  }
}
