import DepthCore

/// What no data of a scene can tell, named so that silence is not taken for a confirmation.
public struct UntestableConvention: Convention {
  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    let scene = sample.header
    var findings: [Finding] = []
    func add(_ id: String, _ title: String, _ reason: String, _ property: String) {
      findings.append(
        Finding(id, title, in: scene, verdict: .notTestable, summary: reason, property: property))
    }
    if let k = scene.intrinsics, let lidar = scene.lidarSize {
      let pixels = 0.5 * Double(lidar.width) / Double(max(1, k.imageSize.width))
      add(
        "intrinsics-origin", "K from pixel corners or centres",
        "half a pixel of \(k.imageSize) is \(pixels.rounded2) of the LiDAR's: too little to be seen",
        "camera/intrinsics count from the outer corner of the first pixel")
    }
    if scene.colourSize != nil {
      add(
        "colour-order", "Order of the colours", "depth knows no colours: look at a picture (`fathom render`)",
        "image/rgb: red, green, blue")
    }
    return findings
  }
}
