public import DepthDataset
public import FathomStorage

/// The data of a run, for what looks at its frames again.
public struct RunFrames {
  /// What a scene of a run lies in.
  public enum Source {
    case open(any FrameSource)
    /// It is not there any more with the bytes that were evaluated; the error says so.
    case absent(FathomError)
  }

  private let find: (String) throws(FathomError) -> Source?
  private let check: () throws(FathomError) -> Void

  /// - Parameter find: The data of a scene, by its name in the run; nil for none of its scenes.
  /// - Parameter check: Throws where data have changed since they were opened.
  init(
    _ find: @escaping (String) throws(FathomError) -> Source? = { _ in nil },
    check: @escaping () throws(FathomError) -> Void = {}
  ) { (self.find, self.check) = (find, check) }

  /// What a scene lies in, by its name in the run; nil for none of its scenes.
  /// - Throws: `FathomError` where it cannot be opened.
  public func source(of scene: String) throws(FathomError) -> Source? { try find(scene) }
  /// To be asked after frames were read.
  /// - Throws: `FathomError` where data have changed since they were opened.
  public func requireUnchanged() throws(FathomError) { try check() }
}
