import DepthCore

extension [[Finding]] {
  /// The findings of a file's scenes. None corrects a map where other scenes show that it is the LiDAR that lies wrong: a recorder writes
  /// all its scenes alike, and not every scene has a layer more that tells.
  var withOneOrientation: [[Finding]] {
    let named = map { $0.compactMap(\.orientationOfLidar) }
    return map { findings in
      guard !findings.contains(where: { $0.orientationOfLidar != nil }) else { return findings }
      return findings.map { finding in
        guard finding.verdict == .contradicted, case .orientation(_, let stored)? = finding.correction
        else { return finding }
        let scenes = zip(self, named).filter { $0.1.contains(stored.inverse) }.compactMap {
          $0.0.first?.scene
        }
        guard !scenes.isEmpty else { return finding }
        var finding = finding
        finding.correction = nil
        finding.summary += "; but of \(scenes.joined(separator: ", ")) it is the LiDAR that lies so"
        finding.fix = "find out whether it is the LiDAR that lies so in this scene, too"
        return finding
      }
    }
  }
}

extension Finding {
  /// How the LiDAR maps lie where the finding blames them.
  fileprivate var orientationOfLidar: Symmetry? {
    guard verdict == .contradicted, let supported else { return nil }
    switch test {
    case LidarOrientation.id: return Symmetry(rawValue: supported)
    case MotionConvention.id:
      return supported.hasPrefix("lidar-") ? Symmetry(rawValue: String(supported.dropFirst(6))) : nil
    default: return nil
    }
  }
}
