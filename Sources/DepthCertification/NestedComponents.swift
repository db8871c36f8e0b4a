import FathomStatistics

/// Why distances differ, as nested components of variance: frames within a placement, placements within a day, and days within a distance.
///
/// Estimated by the nested analysis of variance: each component is what its sum of squares has beyond what the components within it explain, or
/// 0. With numbers of placements that differ, the expected sums of squares hold their weights (Henderson's method 1). Where days differ less
/// than their placements explain, the placements of all days are pooled.
/// - SeeAlso: Searle, Casella & McCulloch 1992, "Variance Components", chapters 3 and 5; JCGM 100 (GUM), H.5.
public struct NestedComponents: Sendable, Hashable, Codable {
  public struct Component: Sendable, Hashable, Codable {
    /// Standard deviation, metres.
    public var deviation: Double
    /// Degrees of freedom of the sum of squares.
    public var freedom: Double

    var variance: Double { deviation * deviation }
  }

  /// A placement: its error, its group by distance and by day, and what frames add.
  struct Observation {
    /// Taped distance and measured minus taped distance, metres.
    var distance: Double, error: Double
    /// Counted from 0; nil where days are not known.
    var day: Int?
    /// u² of the error because frames differ, m².
    var frameVariance = 0.0
  }

  /// Between frames of a placement; nil with one frame.
  public var frames: Component?
  /// Between placements at one distance, of one day where days are known; nil where no distance has two of them.
  public var placements: Component?
  /// Between days at one distance; with one placement a day their differences too. nil where days are not known, or no distance has two.
  public var days: Component?
  /// How much the variance of days counts in their mean square: the number of placements a day, where all days have as many.
  private var placementsPerDay = 1.0

  private enum CodingKeys: CodingKey { case frames, placements, days }

  /// - Parameter series: Of the frames of each placement.
  init(_ observations: [Observation], frames series: [[Double]] = []) {
    addFrames(series)
    var (squares, within, freedom) = (0.0, 0.0, 0.0)
    let distances = Dictionary(grouping: observations, by: \.distance).sorted { $0.key < $1.key }.map {
      Dictionary(grouping: $0.value) { $0.day ?? 0 }.sorted { $0.key < $1.key }.map(\.value)
    }
    func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
    for cell in distances.joined() {
      let centre = mean(cell.map(\.error))
      squares += cell.reduce(0) { $0 + ($1.error - centre) * ($1.error - centre) }
      within += Double(cell.count - 1) * mean(cell.map(\.frameVariance))
      freedom += Double(cell.count - 1)
    }
    if freedom > 0 {
      placements = Component(
        deviation: (max(0, squares - within) / freedom).squareRoot(), freedom: freedom)
    }
    guard observations.allSatisfy({ $0.day != nil }) else { return }
    let (placement, inner) = (placements?.variance ?? 0, (excess: squares - within, freedom: freedom))
    var weight = 0.0
    (squares, within, freedom) = (0, 0, 0)
    for cells in distances {
      let count = Double(cells.reduce(0) { $0 + $1.count })
      let centre = mean(cells.joined().map(\.error))
      for cell in cells {
        let (size, difference) = (Double(cell.count), mean(cell.map(\.error)) - centre)
        squares += size * difference * difference
        weight += size - size * size / count
        within += (1 - size / count) * mean(cell.map(\.frameVariance))
      }
      freedom += Double(cells.count - 1)
    }
    guard freedom > 0 else { return }
    placementsPerDay = weight / freedom
    let excess = squares - within
    days = Component(
      deviation: (max(0, excess - freedom * placement) / weight).squareRoot(), freedom: freedom)
    guard placements != nil, days?.deviation == 0 else { return }
    let total = inner.freedom + freedom
    placements = Component(deviation: (max(0, inner.excess + excess) / total).squareRoot(), freedom: total)
  }

  /// Days of recordings by the times when they began, seconds since 1970, counted from 0: a gap of more than 6 hours begins another. nil where
  /// a time is not known, or counts from another moment, as the start of the device: before September 2001.
  static func days(_ starts: [Double?]) -> [Int]? {
    let known = starts.compactMap(\.self).filter { $0 >= 1e9 }
    guard known.count == starts.count else { return nil }
    let sorted = known.sorted()
    let gaps = zip(sorted, sorted.dropFirst()).filter { $1 - $0 > 6 * 3600 }.map(\.1)
    return known.map { start in gaps.count { $0 <= start } }
  }
}

extension NestedComponents {
  /// Between the frames of each series.
  private mutating func addFrames(_ series: [[Double]]) {
    let series = series.filter { $0.count > 1 }
    let count = series.reduce(0) { $0 + Double($1.count - 1) }
    let variance = series.reduce(0) {
      $0 + Double($1.count - 1) * WallPlacement.moments($1).variance / count
    }
    guard count > 0 else { return }
    frames = .init(
      deviation: variance.squareRoot(),
      freedom: series.reduce(0) { $0 + WallPlacement.effectiveCount($1) - 1 })
  }

  /// Variance of a placement that the others vouch for, m²: of days' mean square, which has that of their placements in it.
  var meanSquare: Double { (placements?.variance ?? 0) + placementsPerDay * (days?.variance ?? 0) }

  /// What placements and days add to a sum over the placements. The variance is a sum of mean squares, which are independent of each other:
  /// its degrees of freedom are theirs by Welch and Satterthwaite. Components by themselves are not, as each is a difference of mean squares.
  /// - Parameter c: Factors of the placements.
  /// - Parameter cells: Placements of one day at one distance: a day acts on all of them alike.
  func reproducibility(_ c: [Double], cells: some Collection<[Int]>, name: String = "placements")
    -> [UncertaintyBudget.Component]
  {
    func squares(_ values: [Double]) -> Double { values.sorted().reduce(0) { $0 + $1 * $1 } }
    var name = name
    var (ofDays, ofPlacements) = (0.0, (placements?.variance ?? 0) * squares(c))
    if let days {
      name = placements == nil ? "days" : name + " and days"
      let share = squares(cells.map { $0.reduce(0) { $0 + c[$1] } }) / placementsPerDay
      if days.deviation > 0 {
        ofDays = share * meanSquare
        ofPlacements -= share * (placements?.variance ?? 0)
      }
    }
    let parts = [(ofDays, days?.freedom), (ofPlacements, placements?.freedom)].filter { $0.1 != nil }
    guard !parts.isEmpty else { return [] }
    let variance = ofDays + ofPlacements
    let inverse = parts.reduce(0) { $0 + $1.0 * $1.0 / ($1.1 ?? 1) }
    return [
      .init(
        name, variance.squareRoot(), .student,
        freedom: inverse > 0 ? variance * variance / inverse : nil)
    ]
  }
}

extension WallTest {
  /// Of each placement, counted from 0; nil where not known.
  public var days: [Int]? { NestedComponents.days(placements.map(\.start)) }

  /// Repeatability and reproducibility.
  public var components: NestedComponents {
    let days = days
    return NestedComponents(
      placements.indices.map { index in
        .init(
          distance: distances[index], error: placements[index].distance - distances[index],
          day: days?[index], frameVariance: placements[index].frameVariance)
      }, frames: placements.map(\.series))
  }

  /// Whether placements at one distance differ by as much as the tape and the file's steps explain, or more. Then they show these errors too,
  /// and a budget has them once.
  var placementsShowTape: Bool {
    let components = components
    guard components.placements != nil || components.days != nil else { return false }
    let resolution = placements.map { $0.resolutionDeviation * $0.resolutionDeviation }.min() ?? 0
    return components.meanSquare >= declaration.tapeDeviation * declaration.tapeDeviation + resolution
  }

  /// Of Σ c·m: what placements and days add; nothing where tape and resolution explain it.
  func reproducibility(_ c: [Double]) -> [UncertaintyBudget.Component] {
    let days = days ?? []
    return components.reproducibility(
      placementsShowTape ? c : c.map { _ in 0 },
      cells: Dictionary(grouping: days.indices) { [distances[$0], Double(days[$0])] }.values)
  }
}
