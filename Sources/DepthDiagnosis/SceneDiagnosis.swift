import DepthCore
import DepthFusion

/// Every finding about one scene.
public struct SceneDiagnosis: Sendable, Codable {
  public let scene: String
  /// Indices of the frames that were looked at.
  public let frames: [Int]
  public internal(set) var findings: [Finding]

  /// Makes every test; a correction that one calls for is made in memory before the next, so that one fault does not
  /// show as several, and several faults are all named.
  /// - Parameter sample: Frames with LiDAR, confidence, relative map, truth, camera; see ``SceneSample/reduced(_:)``.
  /// - Parameter seed: Of the resamples behind confidences.
  /// - Parameter threads: That may be used; they change no finding.
  public init(_ sample: SceneSample, seed: UInt64, threads: Int = 1) {
    let stored = sample
    var sample = sample
    sample.threads = threads
    var findings: [Finding] = []
    for test in Conventions.all {
      let found = test.findings(in: sample, after: findings, seed: seed)
      for finding in found { finding.correction?.apply(to: &sample) }
      findings += found
    }
    scene = sample.header.name
    frames = sample.frames.map(\.index)
    self.findings = LidarOrientation.judged(
      findings.map { $0.heard(by: findings) }.map { DepthUnitConvention.allowingFeet($0, after: findings) },
      in: stored)
  }

  /// The sample with every correction that the findings call for, but those of one test.
  public func corrected(_ sample: SceneSample, except test: String? = nil) -> SceneSample {
    var sample = sample
    for finding in findings where finding.test != test { finding.correction?.apply(to: &sample) }
    return sample
  }
}

extension [SceneDiagnosis] {
  /// The scenes of a file without the contradictions that chance explains among so many.
  public var withoutChance: [SceneDiagnosis] {
    zip(self, map(\.findings).withoutChance).map { scene, findings in
      var scene = scene
      scene.findings = findings
      return scene
    }
  }
}
