import DepthCore
import Testing

@Suite("Rotations as quaternions")
struct QuaternionTests {
  @Test("no turn, and half a turn about each axis")
  func halves() {
    func transform(_ q: SIMD4<Double>) -> RigidTransform {
      RigidTransform(quaternion: q, translation: [1, 2, 3])
    }
    #expect(transform([0, 0, 0, 1]).direction([4, 5, 6]) == [4, 5, 6])
    #expect(transform([1, 0, 0, 0]).direction([4, 5, 6]) == [4, -5, -6])
    #expect(transform([0, 1, 0, 0]).direction([4, 5, 6]) == [-4, 5, -6])
    #expect(transform([0, 0, 1, 0]).direction([4, 5, 6]) == [-4, -5, 6])
    #expect(transform([0, 0, 1, 0])(.zero) == [1, 2, 3])
  }

  @Test("a quarter turn about z takes x to y: w is the last number, and turns are right-handed")
  func quarter() {
    let half = 0.5.squareRoot()
    let turned = RigidTransform(quaternion: [0, 0, half, half], translation: .zero).direction([1, 0, 0])
    let error = turned - [0, 1, 0]
    #expect((error * error).sum() < 1e-30)
  }
}
