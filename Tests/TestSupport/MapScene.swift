public import DepthCore

/// Scenes that are maps of networks and a truth, without a LiDAR.
public enum MapScene {
  /// A network whose map is the truth, or 1/truth, times a factor; a factor that is not a number leaves nothing.
  public struct Network: Sendable {
    public var name: String
    public var kind: StoredPrediction.Kind
    public var factor: Float

    public init(_ name: String, _ kind: StoredPrediction.Kind = .metric, factor: Float) {
      (self.name, self.kind, self.factor) = (name, kind, factor)
    }
  }

  /// The wall of ``LineScene``, 1 to 3.5 m.
  public static func frame(_ networks: [Network], index: Int = 0) -> DepthFrame {
    let truth = LineScene.frame(kind: .depth, scale: 1, shift: 0).lidar
    var frame = DepthFrame(
      index: index, lidar: DepthMap(width: 0, height: 0, values: []), truth: truth)
    frame.predictions = networks.map { network in
      var map = truth
      map.values = truth.values.map { network.factor * (network.kind == .disparity ? 1 / $0 : $0) }
      return (StoredPrediction(name: network.name, kind: network.kind, size: map.size), map)
    }
    return frame
  }

  /// What a file says of such a scene.
  public static func header(_ name: String, frames: Int = 1, _ networks: [Network]) -> SceneHeader {
    var header = SceneHeader(name: name, frameCount: frames)
    let size = RasterSize(width: 32, height: 24)
    header.truthSize = size
    header.predictions = networks.map { StoredPrediction(name: $0.name, kind: $0.kind, size: size) }
    return header
  }
}
