import DepthCore

/// How far an object's box stands out from what is beside it.
///
/// Row by row, the median depth of the box's middle half is compared with those of the flanks left and right of it. In
/// one row a level floor has one depth, so that only what stands on it makes a difference.
enum BoxContrast {
  /// A relative difference of depth that counts in full.
  private static let fullStep = 0.1
  /// Flanks, in pixels: at least this wide, and this far from the box, where depth is smeared.
  private static let (fewestColumns, gap) = (4, 2)
  /// Rows and flanks that a box needs.
  private static let fewestFlanks = 6

  /// Mean over rows and flanks of clamp(Δ ln d / ``fullStep``, −1…1), mapped to 0…1: above ½ the box is nearer.
  /// - Parameter box: Rows counted from the top, pixels of the image.
  /// - Returns: nil where too few rows have returns in box and flanks.
  static func nearness(_ depth: LogDepth, _ box: PixelRectangle, imageSize: RasterSize) -> Double? {
    let scaleX = Float(depth.size.width) / Float(imageSize.width)
    let scaleY = Float(depth.size.height) / Float(imageSize.height)
    func pixel(_ edge: Float, _ scale: Float, _ length: Int) -> Int {
      Int(saturating: min(max(edge * scale, 0), Float(length)))
    }
    let left = pixel(box.minX, scaleX, depth.size.width), right = pixel(box.maxX, scaleX, depth.size.width)
    let top = pixel(box.minY, scaleY, depth.size.height)
    let bottom = pixel(box.maxY, scaleY, depth.size.height), quarter = max(right - left, 0) / 4
    let flank = max(Self.fewestColumns, quarter)
    var (sum, count) = (0.0, 0)
    for row in top..<max(top, bottom) {
      guard let middle = median(depth, row, left + quarter, right - quarter) else { continue }
      for beside in [
        median(depth, row, left - flank, left - gap), median(depth, row, right + gap, right + flank),
      ] {
        guard let beside else { continue }
        sum += max(-1, min((beside - middle) / fullStep, 1))
        count += 1
      }
    }
    return count >= fewestFlanks ? (1 + sum / Double(count)) / 2 : nil
  }

  /// Of a row's returns from one column to before another; nil where there is none.
  private static func median(_ depth: LogDepth, _ row: Int, _ first: Int, _ end: Int) -> Double? {
    guard first < end else { return nil }
    return OrderStatistics.median(of: (first..<end).map { depth(row, $0) }.filter(\.isFinite))
  }
}
