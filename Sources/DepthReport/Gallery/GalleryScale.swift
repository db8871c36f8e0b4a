import FathomPlainText
import DepthCore
import DepthEvaluation
import DepthGraphics
import FathomDrawingScales

/// The colours that pictures of a gallery share, and how many of their pixels lie beyond its ends.
struct GalleryScale {
  /// Pixels of a picture.
  struct Tally {
    var known = 0  // With a value.
    var below = 0, above = 0  // With a value beyond an end, which have that end's colour.
    /// Of those with a value; 0 where there are none.
    var shareBeyond: Double { known > 0 ? Double(below + above) / Double(known) : 0 }
  }

  let scale: ColourScale  // In metres.
  private let shown: ColourScale  // The same in the unit that is shown.
  private let ends: String  // "0.7 to 4.1 m".
  private let isSigned: Bool  // Whether values may be negative; a depth that is not positive is missing.
  /// What stands for a missing value; no colour of either map is grey.
  private static let missing = RGB(red: 205, green: 205, blue: 205)
  /// Depth, metres: wide enough that every map by itself has at most 2 % of its values beyond either end, outwards to
  /// whole decimetres. Ends from all values together would leave a large room beside a small one in a single colour.
  /// - Parameter spans: ``depthSpan(of:)`` of the maps.
  init(depthSpans spans: [ClosedRange<Double>]) {
    let near = spans.map(\.lowerBound).min() ?? 0
    let far = spans.map(\.upperBound).max() ?? 1
    let (low, high) = ((near * 10).rounded(.down) / 10, (far * 10).rounded(.up) / 10)
    scale = ColourScale(.viridis, range: low...max(high, low + 0.1), label: "depth", unit: "m")
    shown = scale
    func metres(_ depth: Double) -> String { Quantity.fixed(depth, 1) }
    (ends, isSigned) = ("\(metres(scale.range.lowerBound)) to \(metres(scale.range.upperBound)) m", false)
  }

  /// Signed errors, metres, NaN where there are none: wide enough that every frame by itself has at most 10 % of its
  /// errors beyond the ends, up to a round number.
  /// - Parameter limits: ``errorLimit(of:)`` of the maps of errors.
  /// - Parameter units: In which the bar is labelled, as all other errors are.
  init(errorLimits limits: [Double], of map: FramePictures.Map, units: LengthUnit) {
    let limit = RoundNumber.above(limits.max() ?? 0.1)
    scale = ColourScale(.vik, range: -limit...limit, label: "\(map.rawValue) − truth", unit: "m")
    let (unit, most) = (units.rawValue, limit * units.display.scale)
    shown = ColourScale(.vik, range: -most...most, label: scale.label, unit: unit)
    (ends, isSigned) = ("±\(Quantity(most, .significant(1)).text) \(unit)", true)
  }

  /// Where 96 % of a map's depths lie, metres; nil where it has none.
  static func depthSpan(of map: DepthMap) -> ClosedRange<Double>? {
    quantiles([0.02, 0.98], of: map.values) { $0.isFinite && $0 > 0 ? $0 : nil }.map { $0[0]...$0[1] }
  }

  /// What 90 % of a map's errors do not exceed, metres; nil where it has none.
  static func errorLimit(of map: DepthMap) -> Double? {
    quantiles([0.9], of: map.values) { $0.isFinite ? abs($0) : nil }?[0]
  }

  /// A map in the scale's colours, read at its nearest pixels, because they are measurements; NaN is grey.
  func picture(of map: DepthMap, _ size: RasterSize) -> (raster: Raster<RGB>, tally: Tally) {
    var raster = Raster(width: size.width, height: size.height, filledWith: Self.missing)
    let (low, high) = (Float(scale.range.lowerBound), Float(scale.range.upperBound))
    var tally = Tally()
    for row in 0..<size.height {
      let source = NearestPixel.index(row, of: size.height, in: map.height)
      for column in 0..<size.width {
        let value = map[source, NearestPixel.index(column, of: size.width, in: map.width)]
        guard value.isFinite, isSigned || value > 0, let colour = scale.colour(of: Double(value)) else {
          continue
        }
        raster[row, column] = colour
        tally.known += 1
        tally.below += value < low ? 1 : 0
        tally.above += value > high ? 1 : 0
      }
    }
    return (raster, tally)
  }

  /// "depth, 0.7 to 4.1 m; 1.2 % of the pixels are beyond the ends …".
  func title(_ tallies: [Tally]) -> String {
    "\(scale.label), \(ends); \(Self.beyond(tallies)); grey: no value"
  }

  private static func beyond(_ tallies: [Tally]) -> String {
    let all = tallies.reduce(into: Tally()) { sum, tally in
      sum.known += tally.known
      sum.below += tally.below
      sum.above += tally.above
    }
    guard all.shareBeyond > 0 else { return "no pixel is beyond the ends" }
    func percent(_ share: Double) -> String {
      share < 0.0005 ? "less than 0.1 %" : Quantity(share, .percent()).text
    }
    let most = tallies.map(\.shareBeyond).max() ?? 0
    return
      "\(percent(all.shareBeyond)) of the pixels are beyond the ends, at most \(percent(most)) of one picture"
  }

  /// What a colour bar stands on.
  enum Ground {
    case paper
    case darkPage  // The page shines through.
  }

  /// The colour bar as a PNG file, pointed at the ends beyond which pixels lie.
  func bar(_ tallies: [Tally], on ground: Ground = .paper) throws(GraphicsError) -> [UInt8] {
    let height = 240.0
    let measuring = try Canvas(width: 1, height: 1)
    var bar = ColourBar(shown)
    if tallies.contains(where: { $0.below > 0 }) { bar.passedEnds.insert(.lower) }
    if tallies.contains(where: { $0.above > 0 }) { bar.passedEnds.insert(.upper) }
    if ground == .darkPage { (bar.style.colour, bar.lines) = (Colour(grey: 0.88), Colour(grey: 0.65)) }
    let canvas = try Canvas(
      width: Int(bar.width(on: measuring)) + 12, height: Int(height) + 24,
      background: ground == .paper ? .white : nil)
    bar.draw(on: canvas, at: [6, 12], height: height)
    return try canvas.png()
  }

  /// nil without numbers. Some thousands of them are enough for a scale.
  /// - Parameter number: What a value counts as; nil where it does not.
  @inline(__always) private static func quantiles(
    _ shares: [Double], of values: [Float], number: (Float) -> Float?
  ) -> [Double]? {
    let count = values.reduce(0) { $0 + (number($1) != nil ? 1 : 0) }
    let step = count / 10_000 + 1
    var (picked, skipped) = ([Float](), 0)
    for value in values {
      guard let number = number(value) else { continue }
      if skipped == 0 { picked.append(number) }
      skipped = skipped + 1 == step ? 0 : skipped + 1
    }
    let sorted = picked.sorted()
    guard !sorted.isEmpty else { return nil }
    return shares.map { Double(sorted[Int(($0 * Double(sorted.count - 1)).rounded())]) }
  }
}
