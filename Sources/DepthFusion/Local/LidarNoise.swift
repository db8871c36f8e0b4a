import DepthCore

/// The LiDAR's relative error, return by return: by confidence and range.
///
/// From the first of these that there is: the calibration's noise model (``FusionOptions/noiseModel``), the user's
/// ``LocalOptions/lidarDeviations``, an estimate from the map itself, ``standard``.
struct LidarNoise {
  /// Standard deviation of the relative error of every pixel; that of a pixel without a return is never used.
  private(set) var deviations: [Float]
  /// Of these the part that is independent of the pixels beside it; 0 where it was not looked for.
  private(set) var independent: [Float]
  /// What the standard deviation may be at most, pixel by pixel: what was found, up to ``largestScatter`` times ``standard``. A return is
  /// called wrong only beyond a multiple of this; the deviations, which are on the safe side for a mean, would call good ones wrong.
  let scatter: [Float]
  /// Whether they are the user's or were found: not those of another sensor.
  let isKnown: Bool
  /// What was found, by confidence and depth, without the limits; empty where nothing was.
  let byLevel: [DeviationByDepth]
  /// Whether they were found in the map.
  ///
  /// Then they are above ``standard`` only by what is independent from pixel to pixel. An error that is alike over many pixels makes an estimate
  /// too small, and that keeps a measured pixel with the LiDAR; a cluttered scene makes it too large, and that would move it.
  var isEstimated: Bool { !byLevel.isEmpty }
  /// Variance of the independent part that was removed; empty where nothing was.
  private var removed: [Float] = []
  private let levels: [UInt8]?
  /// ``roughness(of:levels:step:rows:)`` of every ``rowsOfRatios(_:)``-th row, by distance, where it is known.
  private let ratios: [Int: [DeviationByDepth?]]
  /// Distances, pixels, at which ``whole(of:)`` compares.
  private let farSteps: (near: Int, usual: Int, wide: Int)
  /// 1.4826 times the median relative errors 5, 1.6 and 0.4 % at confidence 0, 1 and 2 measured on one iPhone against its next
  /// frames: the last resort.
  static let standard = [0.074, 0.0237, 0.0059]

  init(_ frame: DepthFrame, _ options: FusionOptions) {
    let correlation = options.local.correlation(in: frame.lidar.size), levels = frame.confidence?.values
    self.levels = levels
    farSteps = (
      max(1, Int(Self.nearReach * correlation)), max(1, Int(Self.farReach * correlation)),
      max(1, Int(Self.farReach * options.local.lidarCorrelation))
    )
    guard options.noiseModel == nil, options.local.lidarDeviations == nil else {
      (deviations, isKnown, byLevel, ratios) = (Self.assumed(frame, options), true, [], [:])
      scatter = deviations
      independent = [Float](repeating: 0, count: deviations.count)
      return
    }
    // Pixels of a map without confidence are often single measurements, and have no neighbours that are alike.
    let step = levels == nil ? 1 : max(1, Int((Self.reach * correlation).rounded()))
    let found = Self.roughness(of: frame.lidar, levels: levels, step: step)
    isKnown = found.contains { $0 != nil }
    let completed = Self.completed(found)
    byLevel = isKnown ? completed : []
    let rows = Self.rowsOfRatios(frame.lidar.size)
    var ratios = rows == 1 ? [step: found] : [:]
    for distance in [1, 2] where ratios[distance] == nil {
      ratios[distance] = Self.roughness(of: frame.lidar, levels: levels, step: distance, rows: rows)
    }
    self.ratios = ratios
    let apart = Self.independent(near: ratios[1] ?? [], far: ratios[2] ?? [])
    let least = completed.indices.map { level in
      apart[level]?.deviations(at: frame.lidar.values) ?? [Float](repeating: 0, count: frame.lidar.size.count)
    }
    let values = completed.map { $0.deviations(at: frame.lidar.values) }
    func capped(at most: (Double) -> Double) -> [Float] {
      Self.chosen(
        completed.indices.map { level in
          let most = Float(most(Self.standard[level]))
          return zip(values[level], least[level]).map { max(min($0, most), $1, Float(Self.minimum)) }
        }, by: levels)
    }
    deviations = capped { $0 }
    scatter = capped { $0 * Self.largestScatter }
    independent = Self.chosen(least, by: levels)
  }

  /// The same of a map that holds less noise.
  func lowered(to deviations: [Float]) -> LidarNoise {
    var rest = self
    rest.removed = zip(self.deviations, deviations).map { $0 * $0 - $1 * $1 }
    rest.deviations = deviations
    return rest
  }

  /// Standard deviation of each return's relative error, for people: ``deviations`` are smaller on purpose, for weights. It has two parts: the independent
  /// noise that is left, and what neighbours share. That shows relative to neighbours far enough away, together with some of the scene.
  /// How far that is, follows from the share that is independent: a map with little else is compared with near neighbours, and one with none with far ones
  /// however coarse it is.
  /// - Parameter map: The LiDAR's, in which it was found.
  func whole(of map: DepthMap) -> [Float] {
    guard isEstimated else { return deviations }
    guard removed.isEmpty else { return wholeOfLowered }
    var seen = visible(in: map, step: farSteps.usual), variances = (own: Float(0), all: Float(0))
    for i in seen.indices where map.values[i] > 0 && seen[i].isFinite {
      variances.own += independent[i] * independent[i]
      variances.all += seen[i] * seen[i]
    }
    let share = (variances.own / variances.all).squareRoot()
    if share > Self.mostlyIndependent { seen = visible(in: map, step: farSteps.near) }
    if share < Self.hardlyIndependent { seen = visible(in: map, step: farSteps.wide) }
    return deviations.indices.map { max(independent[$0], seen[$0], Float(Self.minimum)) }
  }

  /// Of a map that was averaged over neighbours, which are alike since: what they shared before, as ``scatter`` showed it, and what is left.
  private var wholeOfLowered: [Float] {
    let share = levels == nil ? 1 : Float(SteadiedLidar.visible)
    return deviations.indices.map { i in
      let own = independent[i] * independent[i]
      let common = max(0, scatter[i] * scatter[i] - own) / (share * share)
      return max((max(own - removed[i], 0) + common).squareRoot(), Float(Self.minimum))
    }
  }

  /// What shows relative to neighbours so many pixels away; ``scatter`` where there are too few.
  private func visible(in map: DepthMap, step: Int) -> [Float] {
    let found =
      ratios[step]
      ?? Self.roughness(of: map, levels: levels, step: step, rows: Self.rowsOfRatios(map.size))
    guard found.contains(where: { $0 != nil }) else { return scatter }
    return Self.chosen(
      Self.completed(found).enumerated().map { level, law in
        let most = Float(Self.largestScatter * Self.standard[level])
        return law.deviations(at: map.values).map { min($0, most) }
      }, by: levels)
  }

  /// What is independent from pixel to pixel, by level: what is left of the noise when it is followed to distance 0. What the scene's curves and
  /// errors that are alike add to a second difference grows with the square of the distance, and the independent part is the
  /// same at all: with r₁ and r₂ the noise against neighbours one and two pixels away, (16r₁² − r₂²)/15 is its variance.
  private static func independent(
    near: [DeviationByDepth?], far: [DeviationByDepth?]
  ) -> [DeviationByDepth?] {
    zip(near, far).map { near, far in
      guard let near, let far else { return nil }
      let beyond = far.deviations(at: near.points.map { Float($0.depth) })
      return DeviationByDepth(
        zip(near.points, beyond).map { point, far in
          let variance = (16 * point.deviation * point.deviation - Double(far * far)) / 15
          return .init(depth: point.depth, deviation: max(0, variance).squareRoot())
        })
    }
  }

  /// Distance of the neighbours that a pixel is compared with, in ``LocalOptions/lidarCorrelation``: there errors with that Gaussian correlation
  /// show seven tenths of their deviation, and a room's surfaces are still flat. At three a pixel of a phone's map shows a
  /// quarter of what it shows here, because the map is interpolated between spots.
  static let reach = 1.4
  /// The same for ``whole(of:)``: there noise and scene together show what the noise alone has, within a tenth in simulated rooms; and where most of the
  /// noise is independent.
  private static let (farReach, nearReach) = (2.0, 0.8)
  /// Shares of the deviation that is independent, above and below which it is nearly all of it, or nearly none.
  private static let (mostlyIndependent, hardlyIndependent): (Float, Float) = (0.7, 0.1)

  /// Of three maps the value of each pixel's level; of the last one without levels.
  private static func chosen(_ maps: [[Float]], by levels: [UInt8]?) -> [Float] {
    guard let levels else { return maps[2] }
    let (low, medium) = (maps[0], maps[1])
    var chosen = maps[2]
    for index in chosen.indices where levels[index] < 2 {
      chosen[index] = levels[index] == 0 ? low[index] : medium[index]
    }
    return chosen
  }

  /// Levels that are too rare take the standard's ratio to level 2, or to the best that is known.
  private static func completed(_ found: [DeviationByDepth?]) -> [DeviationByDepth] {
    let known = found.indices.last { found[$0] != nil }
    return found.indices.map { level in
      guard let known, let best = found[known]
      else { return DeviationByDepth([.init(depth: 1, deviation: standard[level])]) }
      return found[level] ?? best.map { $0 * standard[level] / standard[known] }
    }
  }

  /// By confidence and depth from the calibration, else by confidence from the user's table or ``standard``. Without a
  /// confidence map every return is of level 2; that of a pixel without a return is the table's and never used.
  static func assumed(_ frame: DepthFrame, _ options: FusionOptions) -> [Float] {
    let table = (options.local.lidarDeviations ?? standard).map(Float.init)
    let levels = frame.confidence?.values
    func level(_ index: Int) -> Int { levels.map { Int(min($0[index], 2)) } ?? 2 }
    guard let laws = options.noiseModel?.noise, laws.count == 3
    else { return frame.lidar.values.indices.map { table[level($0)] } }
    return frame.lidar.values.indices.map { index in
      let depth = Double(frame.lidar.values[index])
      guard depth > 0, depth.isFinite else { return table[level(index)] }
      return Float(max(laws[level(index)].variance(at: depth).squareRoot() / depth, minimum))
    }
  }

  /// 1/σ² of that.
  static func assumedWeights(_ frame: DepthFrame, _ options: FusionOptions) -> [Double] {
    func weight(_ deviation: Float) -> Double { 1 / (Double(deviation) * Double(deviation)) }
    guard options.noiseModel == nil else { return assumed(frame, options).map(weight) }
    let table = (options.local.lidarDeviations ?? standard).map { weight(Float($0)) }
    return frame.confidence?.values.map { table[Int(min($0, 2))] }
      ?? [Double](repeating: table[2], count: frame.lidar.values.count)
  }

  /// Largest ``scatter`` in ``standard``s: clutter and false returns would make it as large as they are.
  static let largestScatter = 3.0
  /// A tenth of a millimetre at one metre: what storage alone costs.
  static let minimum = 1e-4
  /// Mean of the lower half of the absolute values of a standard normal: 4(φ(0) − φ(0.6745)).
  private static let lowerHalfOfNormal = 0.324662830869303
  /// Fewest returns that an estimate rests on.
  static let fewest = 300

  /// Noise against the plane through two neighbours, along rows and columns: the mean of the lower half of |1/d₋ − 2/d₀ + 1/d₊|·d₀/√6,
  /// over that of a standard normal. A plane has none, because it is linear in the image in disparity; depth steps move the lower half
  /// little while half of the pixels are near one, as returns of low confidence are. A mean, because depths stored in millimetres
  /// make a quantile jump by whole steps.
  ///
  /// Most returns of the least confidence lie at a depth step. Of those only the row or the column counts, whichever neighbours are more
  /// alike: it runs along the step. The neighbours' difference is independent of their sum, so this choice does not favour small values.
  ///
  /// By depth in ``binCount`` parts of as many differences each. A part's variance counts as if ``prior`` more differences had shown that of
  /// the whole level. Its depth is the median of the three: one false return does not choose the part.
  ///
  /// Of the best returns, which are many and have errors like their neighbours', every ``spacing(of:)``-th row counts.
  /// - Parameter levels: Kinds of pixels that are told apart, 0, 1 or 2; nil where all are 2.
  /// - Parameter step: Distance of the neighbours, pixels.
  /// - Parameter rows: Of so many rows one is looked at, of the best returns one of ``spacing(of:)``, which is a multiple of it.
  /// - Returns: By level; nil for too few returns in line.
  static func roughness(
    of map: DepthMap, levels: [UInt8]? = nil, step: Int, rows: Int = 1
  ) -> [DeviationByDepth?] {
    let disparity = map.values.map { $0 > 0 && $0.isFinite ? 1 / $0 : .nan }
    var differences = [[Double]](repeating: [], count: 3)
    func gap(_ i: Int, _ stride: Int) -> Float { abs(disparity[i - stride] - disparity[i + stride]) }
    func add(_ i: Int, _ stride: Int) {
      let (before, after) = (disparity[i - stride], disparity[i + stride])
      let size = abs(before - 2 * disparity[i] + after) * map.values[i]
      guard size.isFinite else { return }
      let median = max(min(before, after), min(max(before, after), disparity[i]))
      differences[levels.map { Int(min($0[i], 2)) } ?? 2].append(SecondDifference.key(median, size))
    }
    let spacing = spacing(of: map.size)
    for row in stride(from: 0, to: map.height, by: rows) {
      let isSpared = row % spacing != 0
      for column in 0..<map.width {
        let i = row * map.width + column
        if isSpared, levels.map({ $0[i] >= 2 }) ?? true { continue }
        let (alongRow, alongColumn) = (step, step * map.width)
        let hasRow = column >= step && column + step < map.width
        let hasColumn = row >= step && row + step < map.height
        guard hasRow, hasColumn, levels?[i] == 0 else {
          if hasRow { add(i, alongRow) }
          if hasColumn { add(i, alongColumn) }
          continue
        }
        let (rowGap, columnGap) = (gap(i, alongRow), gap(i, alongColumn))
        add(i, columnGap.isNaN || rowGap <= columnGap ? alongRow : alongColumn)
      }
    }
    return differences.indices.map { level in
      let found = differences[level]
      return found.count < fewest ? nil : byDepth(found, each: level == 2 ? spacing : rows)
    }
  }

  /// A third of a phone's rows, where all levels count, is enough for a ratio.
  private static func rowsOfRatios(_ size: RasterSize) -> Int {
    let spacing = spacing(of: size)
    return spacing.isMultiple(of: 2) ? spacing / 2 : 1
  }

  /// 6 for a phone's map, so that 8,192 pixels are looked at; 1 for a map that has no more.
  static func spacing(of size: RasterSize) -> Int { max(1, min(6, size.count / 8192)) }
  /// Parts of the range that are told apart.
  static let binCount = 3
  /// Differences that a level's own noise counts for in that of a part: in simulation up to 4000 give the same, and fewer follow the clutter.
  static let prior = 2000.0
  /// Noise of a part, in that of the level, from which on it is not noise but false returns: dust, glass, fingers before the camera.
  static let clutter = 3.0

  /// - Parameter differences: ``SecondDifference``s.
  /// - Parameter spacing: Rows that each of them stands for.
  private static func byDepth(_ differences: [Double], each spacing: Int) -> DeviationByDepth {
    let whole = noise(differences)
    let bounds = (1..<binCount).map {
      OrderStatistics.value(at: $0 * differences.count / binCount, of: differences)
    }
    // From the nearest on, which have the largest keys.
    let parts = (0..<binCount).reversed().map { bin in
      OrderStatistics.values(
        of: differences, from: bin > 0 ? bounds[bin - 1] : -.infinity,
        to: bin + 1 < binCount ? bounds[bin].nextDown : .infinity)
    }.filter { !$0.isEmpty }
    return DeviationByDepth(
      parts.map { part in
        let (found, count) = (noise(part), Double(part.count * spacing))
        let own = found > clutter * whole ? whole : found
        return .init(
          depth: SecondDifference.depth(OrderStatistics.value(at: part.count / 2, of: part)),
          deviation: ((count * own * own + prior * whole * whole) / (count + prior)).squareRoot())
      })
  }

  private static func noise(_ differences: [Double]) -> Double {
    let sizes = differences.map(SecondDifference.size)
    guard let median = OrderStatistics.median(of: sizes) else { return 0 }
    var (below, count) = (0.0, 0.0)
    for size in sizes {
      below += size < median ? size : 0
      count += size < median ? 1 : 0
    }
    let half = Double(sizes.count) / 2, sum = below + (half - count) * median
    return sum / half / lowerHalfOfNormal / 6.0.squareRoot()
  }
}

/// |1/d₋ − 2/d₀ + 1/d₊|·d₀ of a pixel, and how near the three are: both in one number, ordered by nearness, then size.
private enum SecondDifference {
  /// Two bit patterns, which order positive numbers, side by side: a hundred thousand are put in order in every frame.
  /// - Parameter nearness: 1/d of the three's median.
  @inline(__always) static func key(_ nearness: Float, _ size: Float) -> Double {
    Double(bitPattern: UInt64(nearness.bitPattern) << 32 | UInt64(size.bitPattern))
  }

  static func depth(_ key: Double) -> Double { 1 / Double(Float(bitPattern: UInt32(key.bitPattern >> 32))) }
  @inline(__always) static func size(_ key: Double) -> Double {
    Double(Float(bitPattern: UInt32(truncatingIfNeeded: key.bitPattern)))
  }
}
