import DepthCore
import DepthDataset
import FathomPlainText

/// One number in so many pixels of LiDAR, truth or a metric prediction that it stands for no depth, or for all beyond it.
///
/// There is a finding only where something stands out.
public struct FillValueConvention: Convention {
  public var correctable: [String] { ["lidar-fill", "truth-fill"] }

  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    let scene = sample.header
    var findings: [Finding] = []
    let poses = scene.hasPoses ? sample.frames.map(\.worldFromCamera) : []
    if scene.lidarSize != nil, scene.lidarKind == .planar,
      let value = RepeatedValue(in: sample.frames.map(\.lidar), poses: poses),
      value.metres != DepthStepsConvention.largest,
      DepthStepsConvention.coarse(sample.frames.map(\.lidar)) == nil
    {
      findings.append(
        finding("lidar-fill", "Numbers of the LiDAR depth", value, "lidar/depth", "invalid", in: scene))
    }
    // A reference made of the LiDAR has the LiDAR's numbers.
    if scene.truthSize != nil, scene.truthKind == .planar, scene.truthIndependence != .multiview,
      let value = RepeatedValue(in: sample.frames.map { $0.truth ?? Self.nothing }, poses: poses)
    {
      findings.append(
        finding("truth-fill", "Numbers of the truth", value, "truth/depth", "truth-invalid", in: scene))
    }
    for (position, prediction) in scene.predictions.enumerated() where prediction.kind == .metric {
      let maps = sample.frames.map { frame in
        frame.predictions.indices.contains(position) ? frame.predictions[position].map : Self.nothing
      }
      guard let value = RepeatedValue(in: maps, poses: poses) else { continue }
      let name = prediction.name
      findings.append(
        finding(
          "prediction-fill:\(name)", "Numbers of the prediction '\(name)'", value,
          "predictions/\(name)/depth", "prediction-invalid", name: name, in: scene))
    }
    return findings
  }

  /// In the place of a map that a frame does not have.
  private static let nothing = DepthMap(width: 0, height: 0, values: [])

  private func finding(
    _ test: String, _ title: String, _ value: RepeatedValue, _ object: String, _ option: OptionName,
    name: String? = nil, in scene: SceneHeader
  ) -> Finding {
    let length = "\(RepeatedValue.text(Double(value.metres))) m"
    let share = "\((value.share * 1000).rounded() / 10) %"
    let words =
      switch value.kind {
      case .fill:
        "\(share) of the pixels are exactly \(length), \(value.reason)"
      case .clamp:
        "\(share) of the pixels are exactly \(length), the \(value.isFar ? "farthest" : "nearest"): what is "
          + "\(value.isFar ? "farther" : "nearer") was set to it"
      }
    let stored = value.count.map(String.init) ?? RepeatedValue.text(Double(value.metres))
    let argument = (name.map { $0 + "=" } ?? "") + stored
    return Finding(
      test, title, in: scene, verdict: .contradicted, declared: "depth", supported: value.kind.rawValue,
      summary: words
        + ". What it looks like: "
        + (value.isBetween
          ? "plates float in the room at one distance from the camera"
          : value.isFar ? "holes lie far behind the room" : "holes lie before the camera"),
      fix:
        "import the recording with `\(flag: option) \(argument)`, the number as it is stored there; in a data "
        + "set, store 0 in \(object) in its place",
      // What lies beyond a clamp is not known, but it was seen.
      correction: value.kind == .fill ? .noDepth(object: object, metres: value.metres) : nil,
      property: object)
  }
}
