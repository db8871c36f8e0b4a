/// Which scenes calibrate which.
public struct GainFolds: Sendable, Hashable {
  /// Number of parts; each is fused under the calibration of the others. Two halves where a half is enough to recommend a
  /// correction, else up to ``most``.
  public let count: Int
  /// Parts of fewer scenes, at most.
  static let most = 5
  private let scenes: Int

  /// - Parameter scenes: At least 2.
  public init(scenes: Int) {
    self.scenes = scenes
    count = scenes >= 2 * CorrectionFit.fewestScenes ? 2 : min(Self.most, scenes)
  }

  /// The part that a scene belongs to: they are dealt out in turn.
  public func fold(of scene: Int) -> Int { scene % count }
  /// The scenes that a part's calibration comes from.
  public func training(for fold: Int) -> [Int] { (0..<scenes).filter { self.fold(of: $0) != fold } }

  /// "each half of the scenes is calibrated by the other"
  public var description: String {
    count == 2
      ? "Each half of the scenes, every second one, is fused under the calibration of the other half"
      : "Each of \(count) parts of the scenes is fused under the calibration of the others"
  }
}
