import DepthCore

/// How well frames agree once they were carried into each other by their poses.
///
/// Cost of a pair: mean over the target's pixels of min(|z_warped − d|/d, limit), where nothing lands the cost of
/// ignorance: less than that of a contradiction, more than that of agreement. So the right motion both agrees and
/// overlaps most, and frames that show different places speak against motions that make them overlap
/// (``PosedDepth/warped(into:)``).
struct WarpAgreement {
  static let limit = 0.05, ignorance = 0.04
  static let costUnit = "mean of min(|z−d|/d, 0.05), 0.04 where nothing lands, frames carried into each other"
  /// Columns and rows of the parts of an image.
  private static let (columns, rows) = (5, 4)
  static let parts = columns * rows
  /// Of frames whose camera stands still so many points agree where it hardly moves.
  private static let hardlyMoved = 0.8

  /// Frames are carried into those so many places before and after them: near ones overlap, far ones show more motion. Where the
  /// camera hardly moves, all overlap.
  enum Reach {
    case near, far

    /// - Parameter count: Of the frames.
    fileprivate func steps(_ count: Int) -> [Int] {
      self == .near ? [1, 2, 5] : [count / 3, count / 2, 2 * count / 3].filter { $0 > 0 }
    }
  }

  /// The reach that frames call for.
  /// - Parameter views: All of one pose.
  static func reach(ofStill views: [PosedDepth?]) -> Reach {
    let still = WarpAgreement(views, .near)
    return still.landing >= 0.5 && still.agreeing >= hardlyMoved ? .far : .near
  }

  /// Per frame and part of its image, the mean cost of the others carried into it.
  let costs: [Double]
  /// The same over what lands only; NaN where nothing does.
  let differences: [Double]
  /// Mean of min(|z − d|/d, limit) over what lands; the limit where nothing does.
  let residual: Double
  /// Share of what lands that agrees within the limit, and share of the pixels on which something lands.
  let agreeing: Double, landing: Double
  /// A reading fits where most of what lands agrees, and enough lands to say so.
  var fits: Bool { agreeing >= 0.6 && landing >= 0.05 }

  /// Positions of at most so many frames, evenly over the sequence.
  static func spread(_ frames: [DepthFrame], limit: Int) -> [Int] {
    let usable = frames.indices.filter { frames[$0].worldFromCamera != nil && frames[$0].intrinsics != nil }
    guard usable.count > limit else { return usable }
    return (0..<limit).map { usable[$0 * (usable.count - 1) / (limit - 1)] }
  }

  /// - Parameter views: Frames in a reading; nil where one has no pose.
  /// - Parameter reach: Which of them are carried into each other.
  /// - Parameter stored: The stored number of a depth of the reading, where that adds something to it or counts down: differences are
  ///   shares of the numbers that are declared to be depths, or whatever makes depths larger would make frames agree better.
  init(_ views: [PosedDepth?], _ reach: Reach, stored: ((Double) -> Double)? = nil) {
    var (costs, differences): ([Double], [Double]) = ([], [])
    costs.reserveCapacity(views.count * Self.parts)
    differences.reserveCapacity(views.count * Self.parts)
    var (residual, agreeing, landing, known) = (0.0, 0, 0, 0)
    let steps = reach.steps(views.count)
    let declared = stored.map { stored in views.map { $0?.mapped(stored) } } ?? views
    for i in views.indices {
      let areas = views[i].map { Self.areas(of: $0.depth.size) } ?? []
      var landed = [SIMD2<Double>](repeating: .zero, count: Self.parts)
      var sums = [Double](repeating: 0, count: Self.parts), pairs = [Int](repeating: 0, count: Self.parts)
      for j in steps.flatMap({ [i - $0, i + $0] }) where views.indices.contains(j) {
        guard let source = views[j], let target = views[i], let declared = declared[i] else { continue }
        var warped = source.warped(into: target)
        if let stored { warped = warped.map(stored) }
        for part in 0..<Self.parts {
          let met = declared.agreement(with: warped, in: areas[part], limit: Self.limit)
          guard met.known > 0 else { continue }
          sums[part] += (met.sum + Self.ignorance * Double(met.known - met.landed)) / Double(met.known)
          pairs[part] += 1
          landed[part] += SIMD2(met.sum, Double(met.landed))
          residual += met.sum
          landing += met.landed
          agreeing += met.agreeing
          known += met.known
        }
      }
      costs += (0..<Self.parts).map { pairs[$0] > 0 ? sums[$0] / Double(pairs[$0]) : .nan }
      differences += landed.map { $0.y >= 10 ? $0.x / $0.y : .nan }
    }
    (self.costs, self.differences) = (costs, differences)
    self.residual = landing > 0 ? residual / Double(landing) : Self.limit
    self.agreeing = Double(agreeing) / Double(max(landing, 1))
    self.landing = Double(landing) / Double(max(known, 1))
  }

  /// Rows and columns of every part.
  private static func areas(of size: RasterSize) -> [(rows: Range<Int>, columns: Range<Int>)] {
    func piece(_ index: Int, of count: Int, _ length: Int) -> Range<Int> {
      let ends = [index, index + 1].map { ($0 * length + count - 1) / count }
      return ends[0]..<ends[1]
    }
    return (0..<parts)
      .map { (piece($0 / columns, of: rows, size.height), piece($0 % columns, of: columns, size.width)) }
  }

  /// Of the costs that say something.
  var meanCost: Double {
    let finite = costs.filter(\.isFinite)
    return finite.isEmpty ? .infinity : finite.reduce(0, +) / Double(finite.count)
  }
}

extension PosedDepth {
  /// The same view with another number for every depth.
  fileprivate func mapped(_ number: (Double) -> Double) -> PosedDepth {
    var view = self
    view.depth.values = depth.values.map { $0 > 0 ? Float(number(Double($0))) : $0 }
    return view
  }
}
