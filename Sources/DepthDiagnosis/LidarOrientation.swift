import DepthCore
import DepthDataset

/// Which layer lies wrong where layers disagree about their orientation: the one that disagrees with most of the others.
///
/// Every layer is compared with the LiDAR, so that a LiDAR that lies wrong makes all the others look wrong: to turn them would be to
/// change what is right. Layers with one orientation agree with each other, and those that lie upright agree with the LiDAR.
enum LidarOrientation {
  static let (id, title) = ("lidar-orientation", "LiDAR against the other maps")
  /// What a layer says of how it lies on the LiDAR.
  private struct Vote {
    let test: String, words: String, symmetry: Symmetry
    /// Whether it blames its layer, and whether it needs no second one: networks can be poor, truths and poses hardly.
    let isContradicted: Bool, isSure: Bool
  }
  /// Up to this cost a network's map fits so well that its orientation counts although it was left open.
  private static let goodFit = RankCost.sharpened(0.2)

  /// What people call a layer whose test compares its orientation with the LiDAR's; nil for another test.
  private static func words(_ test: String) -> String? {
    switch test {
    case "relative-orientation": return "the relative map"
    case "truth-orientation": return "the truth"
    case "image-orientation": return "the camera image"
    default:
      let prefix = "prediction-orientation:"
      return test.hasPrefix(prefix) ? "the prediction '\(test.dropFirst(prefix.count))'" : nil
    }
  }

  /// How the LiDAR maps lie by the maps that are compared with them; nil where none tells, or they disagree.
  /// - Parameter earlier: Findings made before the truth was looked at.
  static func seen(by earlier: [Finding], in sample: SceneSample, seed: UInt64) -> Symmetry? {
    let findings = earlier + TruthConvention.orientation.findings(in: sample, after: earlier, seed: seed)
    let seen = findings.filter { finding in
      words(finding.test) != nil && [.confirmed, .contradicted].contains(finding.verdict)
    }.map(\.supported)
    guard let first = seen.first, seen.allSatisfy({ $0 == first }) else { return nil }
    return first.flatMap(Symmetry.init(rawValue:))
  }

  /// nil where the test says nothing of an orientation.
  private static func vote(_ finding: Finding) -> Vote? {
    if finding.test == MotionConvention.id {
      let turned = finding.supported.flatMap { $0.hasPrefix("lidar-") ? $0.dropFirst("lidar-".count) : nil }
      let symmetry = turned.map(String.init).flatMap(Symmetry.init(rawValue:))
      guard let symmetry = finding.verdict == .confirmed ? .upright : symmetry else { return nil }
      return Vote(
        test: finding.test, words: "the poses", symmetry: symmetry,
        isContradicted: finding.verdict == .contradicted, isSure: true)
    }
    guard let words = words(finding.test) else { return nil }
    var symmetry = finding.supported
    if ![.confirmed, .contradicted].contains(finding.verdict) {
      // A map that lies as its picture does lies right, whatever the LiDAR does.
      let allowed = finding.readings.filter(\.isConsistent)
      guard allowed.count == 1, allowed[0].cost <= goodFit, finding.witnesses.contains(where: \.objects)
      else { return nil }
      symmetry = allowed[0].hypothesis.id
    }
    return symmetry.flatMap(Symmetry.init(rawValue:)).map {
      Vote(
        test: finding.test, words: words, symmetry: $0, isContradicted: finding.verdict == .contradicted,
        isSure: finding.test == "truth-orientation")
    }
  }

  /// The findings, with one about the LiDAR where it is the odd one out, and without corrections of layers that most others agree with.
  /// - Parameter sample: As it is stored.
  static func judged(_ findings: [Finding], in sample: SceneSample) -> [Finding] {
    let votes = findings.compactMap(vote)
    if let own = ownFinding(votes, in: sample.header) {
      let position = findings.firstIndex { words($0.test) != nil } ?? findings.endIndex
      var judged = findings.map { finding in
        // Frames of a LiDAR that lies wrong agree in no reading of the poses.
        let waits =
          words(finding.test) != nil && finding.verdict == .contradicted
          || finding.test == MotionConvention.id && finding.verdict == .noReadingFits
        return waits ? finding.undecided("not judged before '\(title)' is mended") : finding
      }
      judged.insert(own, at: position)
      return judged
    }
    return findings.map { withMajority($0, votes) }.map { keepingShape($0, in: sample) }
  }

  /// That the LiDAR lies wrong; nil where that is not clear.
  private static func ownFinding(_ votes: [Vote], in scene: SceneHeader) -> Finding? {
    // LiDAR maps that agree with each other by way of the poses lie right.
    guard !votes.contains(where: { $0.test == MotionConvention.id && $0.symmetry == .upright }) else {
      return nil
    }
    let groups = Dictionary(grouping: votes.filter { $0.symmetry != .upright }, by: \.symmetry).values
    guard let alike = groups.max(by: { $0.count < $1.count }), let symmetry = alike.first?.symmetry.inverse
    else { return nil }
    let blamed = alike.filter(\.isContradicted)
    guard alike.count > votes.count - alike.count + 1, blamed.count > 1 || blamed.contains(where: \.isSure)
    else { return nil }
    let layers = alike.map(\.words)
    let list = [layers.dropLast().joined(separator: ", "), layers.last ?? ""].joined(separator: " and ")
    return Finding(
      id, title, in: scene, verdict: .contradicted, declared: Symmetry.upright.rawValue,
      supported: symmetry.rawValue,
      summary:
        "\(list) lie alike, and the LiDAR maps are \(symmetry.name) with respect to them. What it looks like: near and far "
        + "change places",
      fix:
        "store lidar/depth and lidar/confidence with rows from the top and columns from the left of that view",
      property: "rows from the top, columns from the left")
  }

  /// A contradiction without a correction where the layers that agree with it are as many as the others.
  private static func withMajority(_ finding: Finding, _ votes: [Vote]) -> Finding {
    guard finding.correction != nil, words(finding.test) != nil, let own = vote(finding) else {
      return finding
    }
    let alike = votes.count { $0.symmetry == own.symmetry }
    // The edges of a picture say it of one map without a test of their own.
    let isSeen =
      finding.witnesses.contains(where: \.agrees) && !votes.contains { $0.test == "image-orientation" }
    let others = 1 + votes.count - alike + (isSeen ? 1 : 0)
    guard alike >= others else { return finding }
    var finding = finding
    let words = "\(alike) of \(alike + others) layers lie so, among them this one"
    if alike == 1 {
      // People may know which of the two it is.
      finding.witnesses.append(
        Finding.Witness(name: "other layers", margin: -Evidence.rejection, statement: words))
      finding.summary += "; or it is the LiDAR that lies so: no third layer tells"
    } else {
      finding.correction = nil
      finding.summary += "; or it is the LiDAR that lies so: \(words)"
      finding.fix = finding.fix.map { "find out which of them lie right; if the others do, \($0)" }
    }
    return finding
  }

  /// A contradiction without a correction where a turn would give a map of the LiDAR's shape another one: it was squeezed, too.
  private static func keepingShape(_ finding: Finding, in sample: SceneSample) -> Finding {
    guard case .orientation(let object, let stored)? = finding.correction, stored.swapsAxes,
      let size = sample.mapSize(object), let lidar = sample.header.lidarSize, size.hasShape(of: lidar)
    else { return finding }
    var finding = finding
    finding.correction = nil
    finding.fix = "write \(object) again: turned, its maps would no longer be of the LiDAR's shape"
    return finding
  }
}

extension Symmetry {
  /// How the other map lies with respect to this one.
  var inverse: Symmetry {
    switch self {
    case .rotated90: .rotated270
    case .rotated270: .rotated90
    default: self
    }
  }
}

extension RasterSize {
  /// Whether both are landscape, or both portrait.
  fileprivate func hasShape(of other: RasterSize) -> Bool {
    AspectDisagreement.isTurnable(self) && (width > height) == (other.width > other.height)
  }
}

extension SceneSample {
  /// Of a stack of maps; nil where there is none.
  fileprivate func mapSize(_ object: String) -> RasterSize? {
    var size: RasterSize?
    var copy = self
    copy.frames = Array(frames.prefix(1))
    copy.around = []
    copy.changeMaps(object) { map, _ in size = map.size }
    return size
  }
}
