public import DepthCore

/// How far an effect stands from where the true box puts it.
public struct PlacementError: Sendable, Hashable, BitwiseCopyable {
  /// Distance, centimetres.
  public var total: Double
  /// Along the camera's ray to the true place, centimetres; positive is too far away.
  public var alongRay: Double
  /// Across that ray, centimetres.
  public var acrossRay: Double

  /// - Parameter camera: Position of the camera, world, metres.
  public init(
    of placement: EffectPlacement, truth: OrientedBox, camera: SIMD3<Double>,
    options: EffectOptions = EffectOptions()
  ) {
    let place = EffectPlacement(on: truth, options: options).position
    let (error, ray) = (placement.position - place, place - camera)
    let (squared, distance) = ((error * error).sum(), (ray * ray).sum().squareRoot())
    let along = distance > 0 ? (error * ray).sum() / distance : 0
    total = 100 * squared.squareRoot()
    alongRay = 100 * along
    acrossRay = 100 * max(squared - along * along, 0).squareRoot()
  }
}
