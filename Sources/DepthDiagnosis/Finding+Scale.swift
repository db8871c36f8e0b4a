/// What the scale of poses and depth, and a truth beside the LiDAR, say of a unit that another test named or confirmed.
extension Finding {
  /// - Parameter all: Of the scene, made after the corrections that this one calls for.
  func heard(by all: [Finding]) -> Finding {
    if test == MotionConvention.id,
      let unit = all.first(where: { $0.test == "depth-unit" })?.unit(fitting: self)
    {
      return undecided("once numbers are read so that \(unit.statement), nothing else is asked for")
    }
    guard test == "depth-unit" || test == "truth-unit" else { return self }
    // Units near to each other are told by what the truth says of the factor.
    let near = [DepthUnitReading.feet, .inches].map(\.rawValue)
    if verdict == .contradicted, let supported, near.contains(supported),
      let factor = all.first(where: { $0.test == "truth-scale" && $0.verdict == .contradicted })
    {
      return undecided("the numbers are not in metres, and not in \(supported) either: \(factor.summary)")
    }
    guard test == "depth-unit" else { return self }
    func said(_ test: String) -> Verdict? { all.first { $0.test == test }?.verdict }
    var finding = self
    if verdict == .contradicted, correction != nil {
      if let free = all.first(where: { $0.test == "frame-agreement" }), free.verdict == .contradicted,
        free.supported?.hasPrefix("scale-") == true
      {
        if let unit = self.unit(fitting: free) {
          (finding.supported, finding.fix, finding.correction) = (unit.id, unit.fix, unit.correction)
          finding.summary =
            "declared 'metres', but \(unit.statement), and so the poses ask for. What it looks like: \(unit.symptom)"
          return finding
        }
        return undecided(
          "the numbers are not in metres, but the poses do not fit \(supported ?? "this unit"): with it, \(free.summary)"
        )
      }
      let scale = all.first { $0.test == "pose-scale" }
      if scale?.verdict == .confirmed {
        finding.witnesses.append(
          Witness(
            name: "scale of the poses", margin: scale?.margin ?? Evidence.rejection,
            statement: "once corrected, depths are of the scale of the poses"))
      }
      if said("truth-unit") == .confirmed, said("truth-scale") == .confirmed {
        finding.witnesses.append(
          Witness(
            name: "truth", margin: Evidence.rejection,
            statement: "once corrected, depths are those of the truth"))
      }
    }
    guard verdict == .confirmed, let offset = all.first(where: { $0.test == "depth-offset" })
    else { return finding }
    if let margin = offset.margin, margin <= -Evidence.rejection {
      return undecided("a unit of its own does not show, but something is added to depths: \(offset.summary)")
    }
    if offset.verdict == .undecidable { finding.summary += "; 10 cm added to all of them would not show" }
    return finding
  }

  /// Of a unit that was chosen among several, the one that the free scale of the poses asks for; nil where there is none.
  private func unit(fitting motion: Finding) -> Hypothesis? {
    guard test == "depth-unit", verdict == .contradicted, case .unit(_, let factor)? = correction,
      motion.verdict == .contradicted, let id = motion.supported, id.hasPrefix("scale-"),
      let scale = Double(id.dropFirst("scale-".count))
    else { return nil }
    return readings.filter(\.isConsistent).map(\.hypothesis).first { hypothesis in
      guard case .unit(_, let other)? = hypothesis.correction, other != factor else { return false }
      return abs(other * scale / factor - 1) < 0.1
    }
  }
}
