public import DepthFusion

/// A convention that data can speak to. A new test is one file and one entry in ``all``.
public protocol ConventionTest: Sendable {
  /// Stable name: "relative-orientation".
  var id: String { get }
  /// For people.
  var title: String { get }
  /// What could be; the first of equals wins.
  func hypotheses(for scene: SceneHeader) -> [Hypothesis]
  /// Which of them the file declares; nil where it declares nothing.
  func declared(in scene: SceneHeader) -> String?
  /// Why the scene cannot be tested; nil where it can.
  func objection(to scene: SceneHeader) -> String?
  /// An excess cost below this is none.
  var leastExcess: Double { get }
  /// What ``leastExcess`` and the costs are: "1 − ρ² of ranks".
  var costUnit: String { get }
  /// Whether the test carries frames into each other, so that another fault of that kind disturbs it.
  var comparesFrames: Bool { get }
  /// One row per unit, one cost per hypothesis; not finite where the unit says nothing.
  ///
  /// - Parameter frames: A selection of the scene's frames, in order.
  func costs(_ frames: [DepthFrame], of scene: SceneHeader) -> [[Double]]
}

extension ConventionTest {
  public var comparesFrames: Bool { false }
}

/// Every test, in the order of the report.
public enum ConventionTests {
  public static let all: [any ConventionTest] = [
    DepthUnitTest(), RelativeKindTest(), RelativeOrientationTest(), PoseConventionTest(), DepthKindTest(),
    IntrinsicsTest(),
  ]
}
