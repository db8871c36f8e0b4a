public import DepthCore

extension ProtocolPaths {
  /// The protocols beside one: those that differ from it in one switch, set as a named protocol sets it, and the named ones whole.
  /// Each is one step away, so that a value that is met under it names what differs.
  /// - Parameter scenes: A protocol that one of them refuses is skipped.
  public init(neighboursOf start: EvaluationProtocol, _ scenes: [SceneHeader]) {
    let first = EvaluationProtocol.Step(rules: start, turned: nil, statement: "as \(start.title)")
    var steps: [EvaluationProtocol.Step] = []
    for item in ProtocolSwitch.all {
      for preset in EvaluationProtocol.presets {
        var rules = start
        item.copy(preset, &rules)
        steps.append(.init(rules: rules, turned: item.id, statement: item.statement(rules)))
      }
    }
    steps += EvaluationProtocol.presets.map { preset in
      .init(rules: preset, turned: "protocol", statement: preset.name)
    }
    let allowed = steps.filter { step in
      step.rules != start && scenes.allSatisfy { step.rules.objection(to: $0) == nil }
    }
    let paths =
      [Path(preset: start, steps: [first])] + allowed.map { Path(preset: $0.rules, steps: [first, $0]) }
    self.init(start: start, paths: paths.firstAppearances, refused: [])
  }
}
