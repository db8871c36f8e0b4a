public import DepthCore

/// The fusion as the app specifies it, and as the published app later does it, to the last Float32 bit.
///
/// Positions, weights, products and running sums are Float32, row by row, in the order of the documents and
/// without fused multiply-add. Source: domain §1; "AR Depth Fusion", section 3.
public struct SpecifiedFusion: FusionMethod {
  public let id: String
  /// What the two texts disagree about.
  let rules: Rules
  public var space: Space? { .depth }
  public var role: MethodRole { .literal }
  public var isLiteral: Bool { true }
  public func minConfidence(under options: FusionOptions) -> UInt8? { Self.minConfidence }

  struct Rules: Sendable {
    /// Whether 0.1 m and 4 m themselves count.
    var includesBounds: Bool
    /// The sampled relative value must be above this.
    var minimumRelative: Float
    /// Float32 position of LiDAR pixel `index` in the relative map.
    var position: @Sendable (_ index: Int, _ lidar: Int, _ relative: Int) -> Float
    /// A degenerate denominator gives α = 1, β = 0 or rejects.
    var degenerateIsIdentity: Bool
    /// The guard on the fitted scale.
    var accepts: @Sendable (Float) -> Bool
    var guardText: String
    /// Whether results are limited to 100 m.
    var clampsAbove: Bool
    /// Without a confidence map every pixel counts as 2, or none is used.
    var missingConfidenceCountsAsHigh: Bool
  }

  /// The specification: bounds exclusive, positions corner to corner, 0.01 < α < 100, clamp to 0.01–100 m.
  public static let spec = SpecifiedFusion(
    id: "spec",
    rules: Rules(
      includesBounds: false, minimumRelative: 0, position: { Float($0) / Float($1 - 1) * Float($2 - 1) },
      degenerateIsIdentity: true, accepts: { $0 > 0.01 && $0 < 100 }, guardText: "0.01 < α < 100",
      clampsAbove: true, missingConfidenceCountsAsHigh: true))

  /// The published app: bounds inclusive, positions x·w_r/w_l, 1e-4 < |α| < 1000, clamp from below only.
  public static let shipped = SpecifiedFusion(
    id: "shipped",
    rules: Rules(
      includesBounds: true, minimumRelative: 1e-6, position: { Float($0) * Float($2) / Float($1) },
      degenerateIsIdentity: false, accepts: { abs($0) > 1e-4 && abs($0) < 1000 },
      guardText: "1e-4 < |α| < 1000", clampsAbove: false, missingConfidenceCountsAsHigh: false))

  static let minDepth: Float = 0.1, maxDepth: Float = 4, minConfidence: UInt8 = 2, minPairs = 20
  static let degenerateDenominator: Float = 1e-10
  static let clampMin: Float = 0.01, clampMax: Float = 100

  public func fuse(
    _ frame: DepthFrame, in context: FusionContext, using generator: inout SplitMix64
  ) -> FusionResult {
    guard let relative = frame.relative
    else { return FusionResult(status: .noRelative, reason: "the scene has no relative map") }
    var result = FusionResult(status: .ok)
    if frame.confidence == nil && !rules.missingConfidenceCountsAsHigh {
      (result.pairs, result.status) = (0, .tooFewPairs)
      result.reason = "no confidence map: every pixel is rejected"
      return result
    }
    let sums = runningSums(frame.lidar, frame.confidence, relative)
    (result.pairs, result.inliers) = (sums.count, sums.count)
    guard sums.count >= Self.minPairs else {
      result.status = .tooFewPairs
      result.reason = "\(sums.count) pairs, at least \(Self.minPairs) needed"
      return result
    }
    result.design = try? sums.moments.design()
    result.scaleInDouble = sums.moments.line.scale
    let n = Float(sums.count), denominator = n * sums.xx - sums.x * sums.x
    var (alpha, beta): (Float, Float) = (1, 0)
    let value = denominator.isNaN ? "is not a number" : "\(denominator)"
    if abs(denominator) > Self.degenerateDenominator {
      alpha = (n * sums.xy - sums.x * sums.y) / denominator
      beta = (sums.y * sums.xx - sums.x * sums.xy) / denominator
      result.line = Line(scale: Double(alpha), shift: Double(beta))
    } else if rules.degenerateIsIdentity {
      result.line = Line(scale: 1, shift: 0)
      result.reason = "denominator \(value): scale 1, shift 0"
    } else {
      (result.status, result.reason) = (.degenerate, "denominator \(value)")
      return result
    }
    guard rules.accepts(alpha) && beta.isFinite else {
      result.status = .rejectedScale
      result.reason = alpha < 0 ? "negative slope: not \(rules.guardText)" : "not \(rules.guardText)"
      return result
    }
    let (map, notFinite) = apply(alpha, beta, to: relative)
    result.prediction = Prediction(depth: map)
    if notFinite > 0 {
      result.reason = "\(notFinite) relative values are not finite and became \(Self.clampMin) m"
    }
    return result
  }

  /// Float32 running sums over the selected pixels, and the same moments in Double for diagnosis.
  private struct Sums {
    var count = 0, x: Float = 0, y: Float = 0, xy: Float = 0, xx: Float = 0
    var moments = LeastSquaresLine.Moments()
  }

  private func runningSums(_ lidar: DepthMap, _ confidence: Raster<UInt8>?, _ relative: DepthMap) -> Sums {
    let (width, height) = (lidar.width, lidar.height)
    let columns = (0..<width).map { rules.position($0, width, relative.width) }
    let (inclusive, minimum, relativeWidth) = (rules.includesBounds, rules.minimumRelative, relative.width)
    let (lastColumn, lastRow) = (relative.width - 1, relative.height - 1)
    var sums = Sums()
    var (sx, sy, sxy, sxx): (Float, Float, Float, Float) = (0, 0, 0, 0)
    // Moments about the first pair: shifted data lose no digits in Double.
    var (originX, originY, dx, dy, dxx, dxy, largest) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, Float(0))
    var count = 0
    let levels = confidence?.values ?? []
    lidar.values.withUnsafeBufferPointer { depth in
      relative.values.withUnsafeBufferPointer { values in
        levels.withUnsafeBufferPointer { level in
          columns.withUnsafeBufferPointer { columns in
            for row in 0..<height {
              let py = rules.position(row, height, relative.height)
              guard py.isFinite else { continue }
              let y0 = min(Int(py), lastRow), fy = py - Float(y0)
              let (top, bottom) = (y0 * relativeWidth, min(y0 + 1, lastRow) * relativeWidth)
              for column in 0..<width {
                let index = row * width + column
                if !level.isEmpty && level[index] < Self.minConfidence { continue }
                let d = depth[index]
                guard
                  inclusive
                    ? (d >= Self.minDepth && d <= Self.maxDepth) : (d > Self.minDepth && d < Self.maxDepth)
                else { continue }
                let px = columns[column]
                guard px.isFinite else { continue }
                let x0 = min(Int(px), lastColumn), x1 = min(x0 + 1, lastColumn), fx = px - Float(x0)
                let r =
                  values[top + x0] * (1 - fx) * (1 - fy) + values[top + x1] * fx * (1 - fy)
                  + values[bottom + x0] * (1 - fx) * fy + values[bottom + x1] * fx * fy
                guard r.isFinite && r > minimum else { continue }
                if count == 0 { (originX, originY) = (Double(r), Double(d)) }
                count += 1
                sx += r
                sy += d
                sxy += r * d
                sxx += r * r
                let (ex, ey) = (Double(r) - originX, Double(d) - originY)
                dx += ex
                dy += ey
                dxx += ex * ex
                dxy += ex * ey
                largest = max(largest, r)
              }
            }
          }
        }
      }
    }
    sums.count = count
    (sums.x, sums.y, sums.xy, sums.xx) = (sx, sy, sxy, sxx)
    let n = Double(count)
    sums.moments.weight = n
    sums.moments.meanX = originX + dx / n
    sums.moments.meanY = originY + dy / n
    sums.moments.xx = max(dxx - dx * dx / n, 0)
    sums.moments.xy = dxy - dx * dy / n
    sums.moments.maximumX = Double(largest)
    return sums
  }

  /// max(0.01, min(α·r + β, 100)); a relative value that is not finite gives 0.01 (domain §1).
  private func apply(_ alpha: Float, _ beta: Float, to relative: DepthMap) -> (DepthMap, notFinite: Int) {
    let upper = rules.clampsAbove ? Self.clampMax : .infinity
    var notFinite: Int32 = 0
    let values = [Float](unsafeUninitializedCapacity: relative.values.count) { out, initialized in
      relative.values.withUnsafeBufferPointer { r in
        for i in 0..<r.count {
          let fitted = alpha * r[i] + beta, limited = upper < fitted ? upper : fitted
          let isFinite = r[i].isFinite
          out[i] = isFinite && limited >= Self.clampMin ? limited : Self.clampMin
          notFinite &+= isFinite ? 0 : 1
        }
      }
      initialized = relative.values.count
    }
    return (DepthMap(width: relative.width, height: relative.height, values: values), Int(notFinite))
  }
}
