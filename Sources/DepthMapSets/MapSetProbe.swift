internal import DepthCore
internal import DepthDataset
internal import DepthImport
internal import FathomPlainText
internal import FathomStorage
private import Foundation

/// What a few frames of a map set hold, evenly chosen.
struct MapSetProbe: Sendable {
  struct Truth: Sendable {
    /// Known depths, metres, at most 4096 of them.
    var depths: [Double] = []
    var median: Double? { OrderStatistics.median(of: depths) }
    var numbers: MapNumbersOnGrid
  }

  struct Map: Sendable {
    var low = Double.infinity, high = -Double.infinity
    var median: Double?
    /// Rank correlation with the truth's depth, as the map stands and read otherwise; none where there is too little of both.
    var correlations: [MapPlacement: Double] = [:]
    var sample: MapSample?
    var steps: StepPlacement?
  }

  /// By frames.
  private(set) var truth: [Truth] = []
  /// By networks, in the order of the parts, those of the probed frames that have one.
  private(set) var maps: [Int: [Map]] = [:]
  /// Medians of the truth of adjacent frames.
  private(set) var neighbours: [(Double, Double)] = []
  private static let most = 8, mostPixels = 4096
  /// Pixels of the neighbours' truth that are read at most.
  private static let mostOfNeighbours = 40_000_000

  /// - Parameter rays: The camera where the truth holds distances along its rays.
  /// - Throws: `FathomError` `.badData` where a map cannot be read, or no truth is known anywhere.
  init(_ parts: [MapSetSource.Part], rows: Int, rays: CameraIntrinsics?) throws(FathomError) {
    func depth(_ map: DepthMap) -> DepthMap {
      rays.map { map.planarDepth(fromRayLengthsSeenBy: $0) } ?? map
    }
    let chosen = (0..<min(rows, Self.most)).map { $0 * rows / min(rows, Self.most) }
    let networks = parts.indices.filter { parts[$0].role == .prediction }
    var left = Self.mostOfNeighbours
    for row in chosen {
      let layers = try parts.layers(of: row, networks + [0])
      guard case .map(let stored)? = layers.last ?? nil else { continue }
      let truth = depth(stored), pixels = Self.pixels(of: truth), numbers = MapNumbersOnGrid(truth)
      self.truth.append(Truth(depths: pixels.map { Double(truth.values[$0]) }, numbers: numbers))
      var others: [(shift: Int, truth: DepthMap, pixels: [Int])] = []
      for shift in MapPlacement.shifts where (0..<rows).contains(row + shift) && left >= truth.values.count {
        left -= truth.values.count
        guard case .map(let other)? = try parts.layers(of: row + shift, [0])[0] else { continue }
        others.append((shift, depth(other), Self.pixels(of: other)))
      }
      for (network, layer) in zip(networks, layers) {
        guard case .map(let map)? = layer else { continue }
        let isMetric = parts[network].series.description.meaning?.predictionKind == .metric
        var found = Self.look(at: map, truth, pixels, isMetric)
        found.sample = MapSample(
          row, map, Self.values(of: map, truth, pixels), truth: pixels.map { Double(truth.values[$0]) },
          on: numbers, places: pixels.map { Self.place($0, truth.size) })
        found.steps = StepPlacement(map, truth) { isMetric ? log($0) : $0 }
        for (shift, truth, pixels) in others {
          found.correlations[.later(shift)] = Self.correlation(of: map, truth, pixels, isMetric)
        }
        maps[network, default: []].append(found)
      }
      if let next = others.first(where: { $0.shift == 1 }), let own = self.truth.last?.median,
        let other = OrderStatistics.median(of: next.pixels.map { Double(next.truth.values[$0]) })
      {
        neighbours.append((own, other))
      }
    }
    guard chosen.count < rows || truth.contains(where: { !$0.depths.isEmpty }) else {
      throw parts[0].series.setup.failure(
        nil, "no pixel of its \(counted(rows, "map")) is above 0", "check the files")
    }
  }

  /// Squared distance of a pixel from the centre, 1 at the corners.
  private static func place(_ pixel: Int, _ size: RasterSize) -> Double {
    let x = (Double(pixel % size.width) + 0.5) * 2 / Double(size.width) - 1
    let y = (Double(pixel / size.width) + 0.5) * 2 / Double(size.height) - 1
    let (width, height) = (Double(size.width * size.width), Double(size.height * size.height))
    return (x * x * width + y * y * height) / (width + height)
  }

  private static func look(at map: DepthMap, _ truth: DepthMap, _ pixels: [Int], _ isMetric: Bool) -> Map {
    var own = Map()
    for value in map.values where value.isFinite {
      own.low = min(own.low, Double(value))
      own.high = max(own.high, Double(value))
    }
    own.median = OrderStatistics.median(of: values(of: map, truth, pixels).filter(\.isFinite))
    for orientation in Symmetry.allCases {
      if orientation.swapsAxes, map.width != map.height { continue }
      own.correlations[.turned(orientation)] = correlation(of: map, truth, pixels, isMetric, orientation)
    }
    return own
  }

  /// Pixels whose depth is known, evenly chosen.
  private static func pixels(of truth: DepthMap) -> [Int] {
    let end = far(of: truth)
    let known = truth.values.indices.filter { truth.values[$0] > 0 && truth.values[$0] < end }
    let step = max(1, known.count / mostPixels)
    return stride(from: 0, to: known.count, by: step).map { known[$0] }
  }

  /// The largest number, where it has many pixels and no other comes near: a sky, which says nothing of a network.
  private static func far(of truth: DepthMap) -> Float {
    var (largest, next, count, all) = (Float(0), Float(0), 0, 0)
    for value in truth.values where value > 0 && value.isFinite {
      all += 1
      if value > largest {
        (largest, next, count) = (value, largest, 1)
      } else if value == largest {
        count += 1
      } else {
        next = max(next, value)
      }
    }
    return next > 0 && largest > 1.25 * next && 200 * count >= all ? largest : .infinity
  }

  /// A map's numbers where the truth is known, of a map that lies as `orientation` says.
  private static func values(
    of map: DepthMap, _ truth: DepthMap, _ pixels: [Int], _ orientation: Symmetry = .upright
  ) -> [Double] {
    pixels.map { pixel in
      let (x, y) = orientation.place(
        (Double(pixel % truth.width) + 0.5) / Double(truth.width),
        (Double(pixel / truth.width) + 0.5) / Double(truth.height))
      return Double(
        map[
          min(map.height - 1, Int(y * Double(map.height))), min(map.width - 1, Int(x * Double(map.width)))])
    }
  }

  private static func correlation(
    of map: DepthMap, _ truth: DepthMap, _ pixels: [Int], _ isMetric: Bool, _ orientation: Symmetry = .upright
  ) -> Double? {
    // A metric map has no depth where it is 0.
    let pairs = zip(values(of: map, truth, pixels, orientation), pixels).filter {
      $0.0.isFinite && (!isMetric || $0.0 > 0)
    }
    guard pairs.count >= 32 else { return nil }
    return RankCorrelation.spearman(pairs.map(\.0), pairs.map { Double(truth.values[$0.1]) })
  }
}

extension [MapSetSource.Part] {
  /// The maps of a frame, all at once; nil where there is none.
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
