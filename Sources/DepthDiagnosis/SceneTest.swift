import DepthCore

/// A test of a scene without statistics: what its findings have in common.
struct SceneTest {
  private let id: String, title: String, scene: SceneHeader, declared: String?, property: String

  init(
    _ id: String, _ title: String, in scene: SceneHeader, declares declared: String? = nil,
    property: String = ""
  ) {
    (self.id, self.title, self.scene, self.declared, self.property) = (id, title, scene, declared, property)
  }

  /// The only finding. Where the test cannot be made, nothing is declared.
  func callAsFunction(
    _ verdict: Finding.Verdict, _ supported: String?, _ summary: String, fix: String? = nil,
    correction: Correction? = nil
  ) -> [Finding] {
    [
      Finding(
        id, title, in: scene, verdict: verdict, declared: verdict == .notTestable ? nil : declared,
        supported: supported, summary: summary, fix: fix, correction: correction, property: property)
    ]
  }
}
