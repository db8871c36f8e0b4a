/// Frames that follow each other, to be compared.
enum FrameNeighbours: Sendable {
  /// For the temporal error, in the order of time; the value belongs to the later one.
  case pair(PosedRecords, PosedRecords)
  case triple(PosedRecords, PosedRecords, PosedRecords)  // For flicker; the value belongs to the middle one.

  /// The frame that the value belongs to, counted in the scene.
  var index: Int {
    switch self {
    case .pair(_, let second), .triple(_, let second, _): second.index
    }
  }

  /// Compares each method's maps.
  var scores: NeighbourScores {
    switch self {
    case .pair(let first, let second):
      var result = NeighbourScores(index: second.index, column: .temporalAbsRel)
      for method in second.methods {
        guard let a = first.view(of: method), let b = second.view(of: method) else { continue }
        result.values[method] = TemporalConsistency.absRel(a, b)
      }
      return result
    case .triple(let first, let second, let third):
      var result = NeighbourScores(index: second.index, column: .flicker)
      for method in second.methods {
        guard let a = first.view(of: method), let b = second.view(of: method), let c = third.view(of: method)
        else { continue }
        result.values[method] = Flicker.deviation(a, b, c)
      }
      return result
    }
  }
}

/// One column of one frame, by method.
struct NeighbourScores: Sendable {
  let index: Int  // The frame, counted in the scene.
  let column: MetricColumn
  var values: [String: Double] = [:]
}
