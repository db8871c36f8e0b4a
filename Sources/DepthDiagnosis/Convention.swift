/// Something that data can speak to. A new test is one file and one entry in ``Conventions/all``.
public protocol Convention: Sendable {
  /// Ids of its findings that can hold a correction that people may name.
  var correctable: [String] { get }
  /// What the test says of a sample to which the corrections of earlier findings were applied.
  /// - Parameter earlier: What was found so far.
  /// - Parameter seed: Of the resamples behind confidences.
  func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding]
}

extension Convention {
  public var correctable: [String] { [] }
}
