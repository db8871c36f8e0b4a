internal import DepthCore
internal import FathomPlainText
internal import FathomStorage

/// What a few frames of a map set hold, evenly chosen.
struct MapSetProbe: Sendable {
  struct Truth: Sendable {
    /// Known depths, metres, at most 4096 of them.
    var depths: [Double] = []
    var median: Double? { OrderStatistics.median(of: depths) }
  }

  /// A map of a network.
  struct Map: Sendable {
    var low = Double.infinity, high = -Double.infinity
    var median: Double?
    /// Rank correlation with the truth's depth; nil where there is too little of both.
    var correlation: Double?
  }

  /// By frames.
  private(set) var truth: [Truth] = []
  /// By networks, in the order of the parts, those of the probed frames that have one.
  private(set) var maps: [Int: [Map]] = [:]
  /// Medians of the truth of adjacent frames.
  private(set) var neighbours: [(Double, Double)] = []

  private static let most = 8, mostPixels = 4096

  /// - Parameter looksAtNeighbours: Whether the frame behind each is read, too.
  /// - Throws: `FathomError` `.badData` where a map cannot be read, or no truth is known anywhere.
  init(_ parts: [MapSetSource.Part], rows: Int, looksAtNeighbours: Bool) throws(FathomError) {
    let chosen = (0..<min(rows, Self.most)).map { $0 * rows / min(rows, Self.most) }
    let networks = parts.indices.filter { parts[$0].role == .prediction }
    for row in chosen {
      let layers = try parts.layers(of: row, networks + [0])
      guard case .map(let truth)? = layers.last ?? nil else { continue }
      let known = truth.values.indices.filter { truth.values[$0].isFinite && truth.values[$0] > 0 }
      let step = max(1, known.count / Self.mostPixels)
      let pixels = stride(from: 0, to: known.count, by: step).map { known[$0] }
      self.truth.append(Truth(depths: pixels.map { Double(truth.values[$0]) }))
      for (network, layer) in zip(networks, layers) {
        guard case .map(let map)? = layer else { continue }
        maps[network, default: []].append(Self.look(at: map, truth, pixels))
      }
      guard looksAtNeighbours, row + 1 < rows,
        case .map(let next)? = try parts.layers(of: row + 1, [0])[0]
      else { continue }
      let depths = next.values.filter { $0.isFinite && $0 > 0 }.map { Double($0) }
      if let own = self.truth.last?.median, let other = OrderStatistics.median(of: depths) {
        neighbours.append((own, other))
      }
    }
    guard chosen.count < rows || truth.contains(where: { !$0.depths.isEmpty }) else {
      throw parts[0].series.setup.failure(
        nil, "no pixel of its \(counted(rows, "map")) is above 0", "check the files")
    }
  }

  private static func look(at map: DepthMap, _ truth: DepthMap, _ pixels: [Int]) -> Map {
    var own = Map()
    for value in map.values where value.isFinite {
      own.low = min(own.low, Double(value))
      own.high = max(own.high, Double(value))
    }
    var (values, depths): ([Double], [Double]) = ([], [])
    for pixel in pixels {
      let row = pixel / truth.width * map.height / truth.height
      let value = map[row, pixel % truth.width * map.width / truth.width]
      guard value.isFinite else { continue }
      values.append(Double(value))
      depths.append(Double(truth.values[pixel]))
    }
    own.median = OrderStatistics.median(of: values)
    if values.count >= 32 { own.correlation = RankCorrelation.spearman(values, depths) }
    return own
  }
}

extension [MapSetSource.Part] {
  /// The maps of a frame, all at once; nil where there is none.
  ///
  /// - Throws: `FathomError` about the first that cannot be read.
  func layers(of row: Int, _ wanted: [Int]) throws(FathomError) -> [MapSeries.Layer?] {
    let found = PlainThreads.map(wanted.count, threads: wanted.count) {
      number -> Result<MapSeries.Layer?, FrameMaps.MapFault> in
      let part = self[wanted[number]]
      return Result { () throws(FrameMaps.MapFault) in
        guard let layer = part.layers[row] else { return nil }
        return try part.series.layer(layer)
      }
    }
    var layers: [MapSeries.Layer?] = []
    for (number, outcome) in zip(wanted, found) {
      do throws(FrameMaps.MapFault) { layers.append(try outcome.get()) } catch {
        let advice = error.kind.blamesMachine ? "try again" : "make the file again, or remove it"
        throw self[number].series.setup.failure(error.file, error.reason, "\(advice)", kind: error.kind)
      }
    }
    return layers
  }
}
